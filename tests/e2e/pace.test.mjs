// What a visitor waits for: bytes of the first load, time to the board and to the first prose, and the longest tasks of the
// page's thread with whatever is given to it.
//
// No task of the page is to take longer than 50 ms, and none 100 while it starts: `KIBITZ_PACE=strict` holds it to that, on a
// machine with nothing else to do. Without it the bounds have room for other work on the same cores, which stretches a task
// several times over, and still fail for what grows with a text. All figures are printed.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE, assert, journey, open } from "./harness.mjs";
import { GAME, SLOPPY, commentary, play, show } from "./play.mjs";

/** The longest tasks that are let pass, in milliseconds. */
const STRICT = process.env.KIBITZ_PACE === "strict";
const MOST = STRICT ? { start: 100, later: 50 } : { start: 1_000, later: 1_000 };

/** What the board and a rater's page may load, in bytes as they come over the wire; a debug build is many times as large. */
const MOST_BYTES = STRICT ? 600_000 : Infinity;

/** What the page was given is done with when nothing is under way and no task was long for so many milliseconds. */
const QUIET = 700;

/** From the next load on, keeps the tasks that took longer than 50 ms. */
async function watchTasks(page) {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    globalThis.lastLongTask = 0;
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) {
        globalThis.longTasks.push(duration);
        globalThis.lastLongTask = Math.max(globalThis.lastLongTask, startTime + duration);
      }
    }).observe({ type: "longtask", buffered: true });
  });
}

/** Waits until the page has nothing under way and has been quiet for a while. */
async function settled(page) {
  await page.evaluate(
    (quiet) =>
      new Promise((done) => {
        let since = performance.now();
        const look = () => {
          const now = performance.now();
          if (document.querySelector("[aria-busy=true]")) since = now;
          since = Math.max(since, globalThis.lastLongTask);
          if (now - since >= quiet) done();
          else setTimeout(look, 50);
        };
        look();
      }),
    QUIET,
  );
}

/** The longest task since the last call, once the page has settled, in milliseconds; 0 if none took longer than 50. */
async function longestTask(page) {
  await settled(page);
  return page.evaluate(() => Math.max(0, ...globalThis.longTasks.splice(0)));
}

/** Prints the longest task since the last call, and holds it against the bound. */
async function judge(page, name, most = MOST.later, more = "") {
  const longest = Math.round(await longestTask(page));
  console.log(`  ${name}: longest task ${longest} ms${more}`);
  assert.ok(longest <= most, `${name}: a task of ${longest} ms`);
}

/** Pastes as the browser does: the box hears of it first, and gets the text only if nobody took it. */
async function pasteText(page, text, box = "#paste") {
  // A clipboard would hand it over without a task of the page.
  await page.evaluate((text) => {
    globalThis.copied = new DataTransfer();
    globalThis.copied.setData("text/plain", text);
  }, text);
  await longestTask(page);
  const taken = await page.evaluate((box) => {
    const event = new ClipboardEvent("paste", { clipboardData: globalThis.copied, bubbles: true, cancelable: true });
    return !document.querySelector(box).dispatchEvent(event);
  }, box);
  if (taken) return;
  await page.locator(box).fill(text);
  if (box === "#paste") await page.getByRole("button", { name: "Read it" }).click();
}

/**
 * Gives a file to an input, from a folder: handed over as text it would be decoded in the page, a task of a second that is
 * none of the page's own.
 */
async function giveFile(page, input, name, text) {
  await longestTask(page);
  const folder = mkdtempSync(join(tmpdir(), "kibitz-pace-"));
  // The browser reads it when the page asks for it.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  await page.locator(input).setInputFiles(join(folder, name));
}

/** A text of so many bytes or a little less, from pieces that are made one after another. */
function upTo(bytes, piece) {
  const pieces = [];
  for (let size = 0, number = 0; ; number++) {
    const next = piece(number);
    size += next.length;
    if (size > bytes) return pieces.join("");
    pieces.push(next);
  }
}

const data = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

/** Knights that go out and come home. */
const WANDERING = ["Nf3 Nf6", "Ng1 Ng8"];

function wandering(moves) {
  return Array.from({ length: moves }, (_, index) => `${index + 1}. ${WANDERING[index % 2]}`).join(" ");
}

const games = (count) =>
  Array.from({ length: count }, (_, index) => `[White "Player ${index}"]\n[Black "Another"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n`).join("\n");

/** Games that people play, with comments and variations. */
function realGames() {
  const famous = data("famous/famous-games.pgn").replace(/ (\d+\. )/g, " {Here the game goes on as people play it.} $1");
  const whole = `${famous}\n\n${data("annotated.pgn")}\n\n`;
  return upTo(1_990_000, () => whole);
}

/** Positions of one board with ever other counters, a line each. */
const positions = (bytes) => upTo(bytes, (number) => `r1bqk2r/ppp2ppp/8/3nb3/8/4PN2/PP3PPP/R1BQKB1R b - - ${number % 50} ${10 + (number % 900)}\n`);

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PRAISE = "A good developing move that fights for the centre. ";

/** From the next load on, keeps when `selector` was first there, in milliseconds since the load began. */
async function watchFor(page, selector) {
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return;
      globalThis.thereAt = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, selector);
}

/** When it was there, and the bytes that had come over the wire by then; what is fetched ahead of need comes after them. */
async function arrival(page) {
  await page.waitForFunction(() => globalThis.thereAt !== undefined);
  return page.evaluate(() => {
    const fetched = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const before = fetched.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= globalThis.thereAt);
    return { after: Math.round(globalThis.thereAt), bytes: before.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
}

journey("the first load and the first prose", { engine: "default", serviceWorkers: "block" }, async ({ page }) => {
  await watchTasks(page);
  // All that the board needs is there then; its pieces are drawn beside what is fetched next.
  await watchFor(page, "cg-board");
  await open(page);
  const { after, bytes } = await arrival(page);
  console.log(`  board after ${after} ms and ${Math.round(bytes / 1000)} kB of the page`);
  assert.ok(bytes > 0 && bytes <= MOST_BYTES, `${bytes} bytes`);
  await judge(page, "start", MOST.start);
  await page.locator("#paste").fill(SLOPPY);
  await page.getByRole("button", { name: "Read it" }).click();
  await play(page, "Qd6");
  const asked = Date.now();
  await page.locator("#narration .sentence").first().waitFor();
  const prose = Date.now() - asked;
  // Until the judgement is made and everything beside it is drawn.
  await page.locator('.commentary .prose[aria-busy="false"]').waitFor({ timeout: 3 * PATIENCE });
  await judge(page, "the first comment", MOST.later, `; first prose ${prose} ms after the move`);
});

journey("the first load of a rater's page", { serviceWorkers: "block" }, async ({ page }) => {
  await watchTasks(page);
  await watchFor(page, "main button");
  await open(page, "/survey");
  await page.getByRole("button", { name: "Demonstration" }).waitFor();
  const { after, bytes } = await arrival(page);
  console.log(`  ready after ${after} ms and ${Math.round(bytes / 1000)} kB`);
  assert.ok(bytes > 0 && bytes <= MOST_BYTES, `${bytes} bytes`);
  await judge(page, "start", MOST.start);
});

journey("whatever is pasted, the page stays small and answers", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  const move = (name) => page.locator(".moves").getByRole("button", { name, exact: true });
  const refused = (why) => page.locator("#paste-problem").getByText(why).and(page.getByText("What you had stays."));
  const real = realGames();
  const cases = [
    ["a game of 1,600 half-moves", wandering(800), move("800… Ng8")],
    ["a game of 19,800 half-moves", wandering(9_900), move("9900… Ng8")],
    ["a comment of 1.9 MB", `1. e4 {${"A long word of praise. ".repeat(82_000)}} e5 *`, page.locator(".moves").getByText(/praise/)],
    ["1.99 MB of games with comments and variations", real, page.getByText(`${real.match(/^\[White /gm).length} games in this file`)],
    ["5,000 games", games(5_000), page.getByText("5000 games in this file")],
    ["20,000 games", games(20_000), refused("more than 5000 games")],
    ["1.9 MB of positions", positions(1_900_000), page.locator("#paste-problem, .input").getByText(/5000/).last()],
    ["a position with 1.9 MB of operations", `${START.slice(0, -4)} ${upTo(1_900_000, (number) => `c${number % 10} "${PRAISE}";`)}`, refused(/bytes|operations/)],
    ["1.9 MB of words", "word ".repeat(380_000), refused(/read as a list of moves it fails/)],
    ["10 MB of words", "word ".repeat(2_000_000), refused(/at most \d+ are read/)],
  ];
  for (const [name, text, there] of cases) {
    await pasteText(page, text);
    await there.first().waitFor({ timeout: 2 * PATIENCE });
    await settled(page);
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    await judge(page, name, MOST.later, `, ${nodes} elements`);
    assert.ok(nodes < 3000, `${name}: ${nodes} elements`);
  }
  // What is no game replaces none, however much of it there is.
  await page.getByText("5000 games in this file").waitFor();
});

journey("a game is gone through with the arrow keys", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  for (const [name, text, keys] of [
    ["an ordinary game", GAME, 13],
    ["a game of 19,800 half-moves", wandering(9_900), 12],
  ]) {
    await pasteText(page, text);
    await page.locator(".moves").getByRole("button").first().waitFor();
    await judge(page, `${name}, opened`);
    await page.locator("cg-board").click({ position: { x: 2, y: 2 }, force: true });
    for (let key = 0; key < keys; key++) await page.keyboard.press("ArrowRight");
    await page.locator('.commentary .prose[aria-busy="false"] .sentence').first().waitFor();
    await judge(page, `${name}, step by step`);
    await page.keyboard.press("End");
    await page.locator('.commentary .prose[aria-busy="false"] .sentence').first().waitFor();
    await judge(page, `${name}, its end`);
  }
});

journey("a game of 1,600 half-moves is annotated, and opened again after a reload", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  await pasteText(page, wandering(800));
  const card = page.locator(".whole-game");
  const annotate = card.getByRole("button", { name: "Annotate the game" });
  await annotate.waitFor();
  await judge(page, "opened");
  await annotate.click();
  await card.getByText(/^[3-9]\d of 1[,.]601 positions/).waitFor({ timeout: 2 * PATIENCE });
  await card.getByRole("button", { name: "Stop" }).click();
  await card.getByText(/^Stopped: /).waitFor();
  await judge(page, "annotated");
  await page.reload();
  await card.getByText(/^Stopped: /).waitFor({ timeout: 2 * PATIENCE });
  await judge(page, "loaded again", MOST.start);
});

journey("studies and tables of megabytes are read while the page answers", async ({ page }) => {
  await watchTasks(page);
  await open(page, "/study");
  await page.locator("#builder-ready").getByText("Not ready yet").waitFor();
  await judge(page, "the builder", MOST.start);
  const row = (number) => `m${number},${START},e4,narrator,"${PRAISE.repeat(20)}"\n`;
  await pasteText(page, `item,fen,move,method,comment\n${upTo(9_900_000, row)}`, "#builder-paste");
  await page.getByText(/ items, \d+ comments by 1 methods\./).filter({ hasText: /^[5-9]\d{3} / }).waitFor({ timeout: 2 * PATIENCE });
  await page.locator("#builder-ready").getByText("Ready to run").waitFor({ timeout: 2 * PATIENCE });
  await judge(page, "a table of 10 MB");

  const study = JSON.parse(data("survey/study.json"));
  const comment = (method) => ({ method, text: PRAISE.repeat(15) });
  study.items = Array.from({ length: 4_800 }, (_, number) => ({ id: `m${number}`, fen: START, move: "e4", comments: [comment("a"), comment("b")] }));
  const text = JSON.stringify(study);
  await giveFile(page, "#builder-file", "large.json", text);
  await page.getByText("large.json is open.").waitFor({ timeout: 2 * PATIENCE });
  await page.locator("#builder-ready").getByText("Ready to run").waitFor({ timeout: 2 * PATIENCE });
  await judge(page, `a study of ${(text.length / 1e6).toFixed(1)} MB`);
  await page.locator("#builder-try").click();
  await page.getByRole("heading", { name: study.title }).first().waitFor();
  await judge(page, "the same, to be rated");
});

journey("a run of judges of 10 MB is read while the page answers", async ({ page }) => {
  await watchTasks(page);
  await open(page, "/judge");
  const header = {
    line: "run",
    schema: 1,
    prompts: 1,
    program: "a journey",
    judges: [],
    settings: { criteria: ["fluency"], mode: "integer", show_reference: false, pairs: null, weights: [1, 1, 1, 1, 1, 1], seed: 1, max_tokens: 64 },
  };
  const item = (number) =>
    `${JSON.stringify({
      line: "item",
      id: `move-${number}`,
      fen: START,
      move: "e4",
      numbered: "1. e4",
      engine: null,
      engine_line: null,
      features: [{ name: "check", value: "no" }],
      comments: [{ method: "ours", text: PRAISE.repeat(20), tally: { supported: 1, contradicted: 0, uncheckable: 0 }, wrong: [] }],
    })}\n`;
  await giveFile(page, "#judge-file", "run.jsonl", `${JSON.stringify(header)}\n${upTo(9_900_000, item)}`);
  await page.locator("#judge-there").filter({ hasText: /[5-9][,.]?\d{3} moves/ }).waitFor({ timeout: 2 * PATIENCE });
  await judge(page, "a run of 10 MB");
});

journey("shading the board by a concept", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await page.locator("#paste").fill(SLOPPY);
  await page.getByRole("button", { name: "Read it" }).click();
  await play(page, "Qd6");
  await commentary(page, "1… Qd6");
  await show(page, "Concepts");
  const titles = page.locator(".concept button.concept-title");
  await titles.first().waitFor();
  const words = (pattern) => page.locator("#concept-squares").filter({ hasText: pattern }).waitFor();
  const longest = { change: [], score: [] };
  for (let i = 0; i < 6; i++) {
    // The choice is there once a concept is.
    if (i > 0) {
      await page.getByText("Change by the move").click();
      await words(/in the change of .* For Black: /);
    }
    await longestTask(page);
    const title = (await titles.nth(i).innerText()).toLowerCase();
    await titles.nth(i).click();
    await page.waitForFunction((title) => document.querySelector("#concept-squares").innerText.toLowerCase().includes(`in the change of ${title}. for black: `), title);
    longest.change.push(await longestTask(page));
    await page.getByText("Score after it").click();
    await words(/in the score, after the move, of .* For Black: /);
    longest.score.push(await longestTask(page));
  }
  for (const [what, tasks] of Object.entries(longest)) {
    console.log(`  the board shaded by the ${what}: longest tasks ${tasks.map(Math.round).join(", ")} ms`);
    // What else the machine does makes some of them longer; the shortest is the page's own work.
    assert.ok(Math.min(...tasks) <= 50, `${what}: ${tasks}`);
  }
});

journey("opponents without search find their moves while the page answers", async ({ page }) => {
  await watchTasks(page);
  await open(page, "/searchless");
  await longestTask(page);
  const said = page.locator("#versus-said");
  await page.locator("#versus-side").selectOption("black");
  for (const [kind, name] of [["AV", "AV"], ["value", "network (value)"], ["policy", "network (policy)"]]) {
    await page.locator("#versus-kind").selectOption(kind);
    await page.locator("#versus-begin").click();
    await said.filter({ hasText: `${name} played 1. ` }).waitFor({ timeout: 3 * PATIENCE });
    // The board's script comes with the first game.
    await page.locator("#searchless-play cg-board piece").first().waitFor();
    await judge(page, `a game against ${name} begins`);
    await page.locator("#versus-move").fill("d5");
    await page.keyboard.press("Enter");
    await said.filter({ hasText: `${name} played 2. ` }).waitFor({ timeout: 3 * PATIENCE });
    await judge(page, `a move of ${name}`);
  }
});

journey("a tournament is read, goes on and stands while the page answers", async ({ page }) => {
  await watchTasks(page);
  await open(page, "/searchless");
  await longestTask(page);
  const there = (words) => page.locator("#tournament-there").filter({ hasText: words }).waitFor({ timeout: 3 * PATIENCE });
  // Twelve players in twenty openings, all of which are over but the last.
  const names = Array.from({ length: 12 }, (_, place) => `Player ${place}`);
  const header = { line: "tournament", schema: 1, program: "test", contestants: names.map((name) => ({ name, plays: "random" })), openings: 20, seed: 1, adjudication: null };
  const games = [];
  for (let opening = 0; opening < 19; opening += 1)
    for (let white = 0; white < 12; white += 1)
      for (let black = 0; black < 12; black += 1) {
        const [result, ending] = (white + 2 * black) % 3 ? ["1-0", "resigned"] : ["0-1", "adjudicated"];
        if (white !== black) games.push({ line: "game", white, black, opening, outcome: { played: { result, ending, moves: "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", book: 6 } }, millis: 1 });
      }
  const text = [header, ...games].map((line) => JSON.stringify(line) + "\n").join("");
  await giveFile(page, "#tournament-file", "run.jsonl", text);
  await there("2508 of 2640 games are over");
  await judge(page, "a tournament of 2,508 games is read");
  await page.locator("#tournament-start").click();
  await there("2640 of 2640 games are over, 0 failed.");
  await judge(page, "games by lot are played");
});
