// What the page can look like: each state with the way to it, from a page that nobody has been on. For those who look at all of
// it: axe, and the screenshots.

import { PATIENCE, open } from "./harness.mjs";
import { LABEL, MOVE, ask, connect, openForm, success } from "./connection.mjs";
import { mates } from "./mates.mjs";
import { GAME, SLOPPY, click, commentary, paste, play, show } from "./play.mjs";
import { demonstration, heading, practise, prepare, rate } from "./rater.mjs";
import { TINY_MODEL, shortGames } from "./short_games.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Three moves with three comments each, some of them wrong. */
const COMMENTS = [
  "item,fen,move,method,comment,reference",
  ...[
    ["opening", START, "e4", "It takes the centre and opens lines for queen and bishop."],
    ["scholar", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7#", "Checkmate: the queen is protected by the bishop on c4."],
    ["knight", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "Bb5", "The Spanish: the bishop looks at the knight that protects e5."],
  ].flatMap(([id, fen, move, reference]) =>
    [
      ["narrator", reference.replace(/^[^:]*: /, "")],
      ["model", "White is a rook ahead, and wins material by force."],
      ["student", "A natural move that develops and keeps the initiative."],
    ].map(([method, comment]) => [id, fen, move, method, comment, reference].map((cell) => `"${cell}"`).join(",")),
  ),
].join("\n");

/** What two raters say of them. */
const RATINGS = [
  "study,rater,item,position,method,criterion,value,scale_low,scale_high",
  ...["opening", "scholar", "knight"].flatMap((item, at) =>
    ["narrator", "model", "student"].flatMap((method, place) =>
      ["r1", "r2"].flatMap((rater, who) =>
        ["relevance", "clarity"].map((criterion, nth) => `s,${rater},${item}/${method},${item},${method},${criterion},${1 + ((at + 2 * place + who + nth) % 5)},1,5`),
      ),
    ),
  ),
].join("\n");

const give = (page, name, text) => page.locator("#judge-file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

/** What a model says that is asked here: something true, and something that is not. */
export const ANSWER = "The knight on f6 attacks the queen on h5, but 4.Qxf7# is mate. Nothing protects the pawn on e5.";

async function comment(page) {
  await open(page);
  await paste(page, SLOPPY);
  await play(page, "Qd6");
  await commentary(page, "1… Qd6");
}

/** Rates page after page until this is there. */
async function rateUntil(page, selector) {
  for (let number = 1; ; number += 1) {
    await page.locator(`${selector}, #survey-heading:text-is("Comment ${number} of 26"), #survey-break`).first().waitFor();
    if (await page.locator(selector).isVisible()) return;
    if (await page.locator("#survey-break").isVisible()) {
      await page.locator("#survey-continue").click();
      await page.locator("#survey-break").waitFor({ state: "detached" });
      number -= 1;
      continue;
    }
    await heading(page, `Comment ${number} of 26`);
    await rate(page, [3, 4, 4, 4, 4]);
    await page.keyboard.press("Enter");
    await page.locator(`${selector}, #survey-break, #survey-heading:text-is("Comment ${number + 1} of 26")`).first().waitFor();
  }
}

const route = (name, address, title) => ({
  name,
  async reach(page) {
    await open(page, address);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
  },
});

/** The pages as they are found. */
export const PAGES = [
  { name: "start", reach: (page) => open(page) },
  route("probes", "/probes", "Concept probes"),
  route("bench", "/bench", "Benchmark"),
  route("compare", "/compare", "Methods side by side"),
  route("study", "/study", "Build a rating study"),
  route("survey", "/survey", "Rate comments on chess moves"),
  route("analysis", "/analysis", "Analyse ratings"),
  route("judge", "/judge", "Judges"),
  route("players", "/players", "Players"),
  route("blindfold", "/blindfold", "Blindfold"),
  route("searchless", "/searchless", "Searchless"),
  route("about", "/about", "About Kibitz"),
];

/** A comment with each of its panels. */
export const PANELS = ["Commentary", "Engine", "Concepts", "Network", "Model"].map((panel) => ({
  name: `comment-${panel.toLowerCase()}`,
  async reach(page) {
    await comment(page);
    await show(page, panel);
    if (panel === "Engine") await page.locator(".engine tbody tr").first().waitFor();
    if (panel === "Concepts") await page.locator(".concept").first().waitFor();
    if (panel === "Network") await page.locator(".policy li").first().waitFor();
  },
}));

/** What is there only after something was done. `reach` gets the address of a chat server whose model says [`ANSWER`]. */
export const DEEP = [
  {
    name: "promotion",
    async reach(page) {
      await open(page);
      await paste(page, "8/P6k/8/8/8/8/8/K7 w - - 0 1");
      await page.waitForFunction(() => document.querySelectorAll("cg-board piece:not(.ghost):not(.fading)").length === 3);
      await click(page, "a7");
      await click(page, "a8");
      await page.getByRole("dialog", { name: /Promotion/ }).waitFor();
    },
  },
  {
    name: "concept-shades",
    async reach(page) {
      await open(page);
      await show(page, "Network");
      await page.getByText("the default network,").waitFor();
      await paste(page, SLOPPY);
      await play(page, "Qd6");
      await commentary(page, "1… Qd6");
      await show(page, "Concepts");
      await page.locator(".concept button.concept-title").first().click();
      await page.locator("cg-board square[class*='share-']:visible").first().waitFor();
    },
  },
  {
    name: "annotated-game",
    async reach(page) {
      await open(page);
      await paste(page, GAME);
      await page.getByRole("button", { name: "Annotate the game" }).click();
      await page.getByText(/^Done: all \d+ positions are searched\./).waitFor({ timeout: 3 * PATIENCE });
      await page.locator(".whole-game .notes li").first().waitFor();
    },
  },
  {
    name: "struck-claim",
    async reach(page, address) {
      await open(page, MOVE);
      await commentary(page, LABEL);
      await openForm(page);
      await connect(page, `${address}good/v1`);
      await ask(page);
      await success(page).waitFor();
      await page.getByRole("button", { name: "Why is this wrong?" }).click();
      await page.getByText("What was checked").click();
      await page.locator(".claim").first().waitFor();
    },
  },
  {
    name: "builder-with-faults",
    async reach(page) {
      await open(page, "/study");
      await page.locator("#builder-paste").fill(`fen,move,method,comment\n${START},e4,a,A pawn.\n${START},e9,a,Wrong.\n${START},d4,b,Another.\n`);
      await page.locator("#builder-add").click();
      await page.getByText("2 items, 2 comments by 2 methods.").waitFor();
      await page.locator("#builder-title").fill("");
      await page.locator("#builder-title").press("Tab");
      await page.locator("#builder-ready").getByText(/the title: .* missing/).waitFor();
    },
  },
  {
    name: "survey-consent",
    async reach(page) {
      await demonstration(page);
    },
  },
  {
    name: "survey-practice",
    async reach(page) {
      await demonstration(page);
      await prepare(page);
      await heading(page, "Practice 1 of 2");
      await rate(page, [3, 4, 4, 4, 4]);
      await page.keyboard.press("Enter");
      await page.locator(".feedback").waitFor();
    },
  },
  {
    name: "survey-rating",
    async reach(page) {
      await demonstration(page);
      await prepare(page);
      await practise(page);
      await heading(page, "Comment 1 of 26");
      await rate(page, [1, 4]);
    },
  },
  {
    name: "survey-break",
    async reach(page) {
      await demonstration(page);
      await prepare(page);
      await practise(page);
      await rateUntil(page, "#survey-break");
    },
  },
  {
    name: "survey-end",
    async reach(page) {
      await demonstration(page);
      await prepare(page);
      await practise(page);
      await rateUntil(page, "#survey-done");
    },
  },
  {
    name: "analysis-simulated",
    async reach(page) {
      await open(page, "/analysis");
      await page.locator("#sim-raters").fill("9");
      await page.locator("#sim-careless").fill("1");
      await page.locator("#sim-positions").fill("20");
      await page.locator("#sim-effects").fill("baseline=0, ours=0.25");
      await page.locator("#sim-run").click();
      await page.locator("#simulated-banner").waitFor();
      await page.locator("#table-means .figures").first().waitFor();
      await page.waitForFunction(() => document.querySelector(".analysis-page")?.ariaBusy === "false");
    },
  },
  {
    name: "judge-running",
    async reach(page, address) {
      await open(page, "/judge");
      await give(page, "comments.csv", COMMENTS);
      await page.locator("#judge-there").filter({ hasText: "3 moves to judge" }).waitFor();
      await openForm(page);
      await connect(page, `${address}slow/v1`);
      await page.locator("#judge-mode").selectOption("integer");
      await page.locator("#judge-price-prompts").fill("3");
      await page.locator("#judge-price-prompts").press("Tab");
      await page.locator("#judge-start").click();
      await page.locator("#judge-there").filter({ hasText: / [1-9]\d? of 54 judgements made/ }).waitFor({ timeout: 3 * PATIENCE });
    },
  },
  {
    name: "judge-results",
    async reach(page, address) {
      await open(page, "/judge");
      await give(page, "comments.csv", COMMENTS);
      await page.locator("#judge-there").filter({ hasText: "3 moves to judge" }).waitFor();
      await openForm(page);
      await connect(page, `${address}good/v1`);
      await page.locator("#judge-mode").selectOption("integer");
      await page.locator("#judge-price-prompts").fill("3");
      await page.locator("#judge-start").click();
      await page.locator("#judge-there").filter({ hasText: "54 of 54 judgements made" }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#judge-start").waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#judge-ratings").setInputFiles({ name: "ratings.csv", mimeType: "text/csv", buffer: Buffer.from(RATINGS) });
      // It is long, and folded.
      await page.getByText(/^Judges against people \(\d+ rows\)/).waitFor();
      await page.locator("#judge-differing cg-board").waitFor();
    },
  },
  {
    name: "players-results",
    async reach(page, address) {
      await players(page, address, 12);
      await page.getByLabel("Any legal move", { exact: true }).check();
      await page.getByLabel("Stockfish, skill 5", { exact: true }).check();
      await page.locator("#play-start").click();
      await page.locator("#play-there").filter({ hasText: "36 of 36 answers, 0 failed" }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#play-grade-nodes").fill("2000");
      await page.locator("#play-grade-nodes").blur();
      await page.locator("#play-grade:enabled").click();
      await page.locator("#play-graded").filter({ hasText: "grades by" }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#play-grade:enabled").waitFor({ timeout: 3 * PATIENCE });
      await page.getByRole("img", { name: /Answers by class/ }).waitFor();
    },
  },
  ...["blindfold-results", "blindfold-live"].map((name) => ({
    name,
    async reach(page) {
      await blindfold(page);
      if (name === "blindfold-results") {
        await page.locator("#blind-filter").selectOption("wrong");
        await page.locator("#blind-answer cg-board square[class*='verdict-']:visible").first().waitFor();
        return;
      }
      await page.locator("#blind-from").selectOption("g1");
      await page.locator("#blind-belief").filter({ hasText: "From g1" }).waitFor();
      await page.locator("#blind-live cg-board square[class*='share-']:visible").first().waitFor();
      await page.locator("#blind-live").scrollIntoViewIfNeeded();
    },
  })),
  {
    name: "searchless-results",
    async reach(page) {
      await boards(page, 60, 100);
      await page.locator("#searchless-there").filter({ hasText: "60 of 60 annotated, 0 failed" }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#searchless-learned-run").click();
      await page.locator("#searchless-tested-run").click();
      await page.getByRole("table", { name: "How much of the second set is in the first" }).waitFor();
      await page.getByRole("img", { name: /^Chances of winning/ }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "searchless-game",
    async reach(page) {
      await open(page, "/searchless");
      await page.locator("#versus-side").selectOption("black");
      await page.locator("#versus-begin").click();
      await page.locator("#versus-said").filter({ hasText: /^AV played 1\. / }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#searchless-play cg-board piece").first().waitFor();
      await page.locator("#searchless-play").scrollIntoViewIfNeeded();
    },
  },
  ...["searchless-tournament", "searchless-standings"].map((name) => ({
    name,
    async reach(page) {
      await tournament(page, 20);
      await page.locator("#tournament-there").filter({ hasText: "6 of 6 games are over, 0 failed" }).waitFor({ timeout: 5 * PATIENCE });
      await page.locator("#tournament-start").waitFor();
      const seen = name === "searchless-tournament" ? page.locator("#tournament-there") : page.getByRole("img", { name: /^Ratings by player/ });
      await seen.scrollIntoViewIfNeeded();
    },
  })),
];

/** What is there only for a while: for pictures. */
export const UNDER_WAY = [
  {
    name: "searchless-running",
    async reach(page) {
      await boards(page, 200, 20_000);
      await page.locator("#searchless-there").filter({ hasText: /[1-9]\d* of 200 annotated/ }).waitFor({ timeout: 3 * PATIENCE });
      await page.locator("#searchless-stop").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "searchless-tournament-running",
    async reach(page) {
      await tournament(page, 20_000);
      await page.locator("#tournament-there").filter({ hasText: /[1-5] of 6 games/ }).waitFor({ timeout: 5 * PATIENCE });
      await page.locator("#tournament-stop").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "players-running",
    async reach(page, address) {
      await players(page, address, 100);
      await page.locator("#play-nodes").fill("1000000");
      await page.locator("#play-nodes").blur();
      await page.getByLabel("Stockfish, full strength", { exact: true }).check();
      await page.locator("#play-levels").fill("skill 3, skill 10");
      await page.locator("#play-levels").blur();
      await page.locator("#play-start").click();
      await page.locator("#play-there").filter({ hasText: /[1-9]\d* of 200 answers/ }).waitFor({ timeout: 3 * PATIENCE });
    },
  },
];

/** Boards of short games, being annotated. */
async function boards(page, count, nodes) {
  await open(page, "/searchless");
  await page.locator("#searchless-file").setInputFiles({ name: "famous.pgn", mimeType: "text/plain", buffer: Buffer.from(shortGames()) });
  await page.locator("#searchless-there").filter({ hasText: "boards." }).waitFor();
  for (const [field, value] of [["#searchless-nodes", nodes], ["#searchless-first", count]]) {
    await page.locator(field).fill(String(value));
    await page.locator(field).blur();
  }
  await page.locator("#searchless-start").click();
}

/** Lots, the model of action values and Stockfish with so many nodes a move, in one opening. */
async function tournament(page, nodes) {
  await open(page, "/searchless");
  for (const name of ["SV", "BC", "skill 0@100"]) await page.getByRole("button", { name: `Leave out ${name}` }).click();
  for (const [field, value] of [["#tournament-level", 0], ["#tournament-nodes", nodes], ["#tournament-openings", 1], ["#tournament-look", 100]]) {
    await page.locator(field).fill(String(value));
    await page.locator(field).blur();
  }
  await page.locator("#tournament-enter").click();
  await page.locator("#tournament-start").click();
}

/** Short games that scripted players and a tiny model were asked about. */
async function blindfold(page) {
  await open(page, "/blindfold");
  await page.locator("#blind-lengths").selectOption("short");
  await page.locator("#blind-file").setInputFiles({ name: "famous.pgn", mimeType: "text/plain", buffer: Buffer.from(shortGames()) });
  await page.locator("#blind-there").filter({ hasText: "famous.pgn" }).waitFor();
  await page.locator("#blind-model-file").setInputFiles(TINY_MODEL);
  await page.locator("#blind-model-there").filter({ hasText: "tiny-transformer" }).waitFor();
  await page.locator("#blind-first").fill("20");
  await page.locator("#blind-first").blur();
  await page.locator("#blind-start").click();
  await page.locator("#blind-there").filter({ hasText: "240 of 240 answers, 0 failed" }).waitFor({ timeout: 3 * PATIENCE });
  await page.getByRole("table", { name: /table 5/ }).waitFor({ timeout: 3 * PATIENCE });
}

/** A language model and puzzles, ready to begin. */
async function players(page, address, count) {
  await open(page, "/players");
  await page.locator("#play-file").setInputFiles({ name: "mates.csv", mimeType: "text/plain", buffer: Buffer.from(mates(count)) });
  await page.locator("#play-there").filter({ hasText: `${count} positions` }).waitFor();
  await openForm(page);
  await connect(page, `${address}good/v1`);
  await page.locator("details.connection > summary").click();
}

/** A digit from `least` to 5 that belongs to a text. */
const digit = (text, least) => least + ([...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 65_521, 7) % (6 - least));

/** What the model says: a comment, a judge's score, or its line on two comments. */
export function speak(_, { messages }) {
  const asked = messages.at(-1).content;
  if (/\[F1\]/.test(asked)) return ANSWER;
  if (/Comment B:/.test(asked)) {
    const rated = (name) => [..."123456"].map((quality) => digit(asked + name + quality, 2));
    const [first, second] = [rated("A"), rated("B")];
    const total = (ratings) => ratings.reduce((sum, rating) => sum + rating, 0);
    const winner = total(first) < total(second) ? "B" : "A";
    return `WINNER,${winner},A,${first},${total(first)},B,${second},${total(second)}`;
  }
  return /score|rate|rating/i.test(asked) ? String(digit(asked, 2)) : ANSWER;
}
