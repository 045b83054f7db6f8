// The judges: a run that is stopped, survives a reload, goes on and is saved; a table of comments from the beginning; a judge
// that cannot be read; every fault of a server; the comments on the board; people's ratings beside the judge's; two servers;
// token probabilities; a phone; the keyboard alone. The models are played by llm_server.mjs.

import { readFile } from "node:fs/promises";
import { assert, fits, journey, open, restingBox, until } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { KEY, LABEL, MOVE, base, connect, models, openForm, type } from "./connection.mjs";
import { commentary, show } from "./play.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const LINE = "A: C1=4\nWINNER,A,A,4,4,4,4,4,4,24,B,3,3,3,3,3,3,18";

/** A run of which nothing is judged: so many moves with a comment each, fluency as one integer. */
function unjudged(count) {
  const header = {
    line: "run",
    schema: 1,
    prompts: 1,
    program: "a journey",
    judges: [],
    settings: {
      criteria: ["fluency"],
      mode: "integer",
      show_reference: false,
      pairs: null,
      weights: [1, 1, 1, 1, 1, 1],
      seed: 1,
      max_tokens: 64,
    },
  };
  const items = Array.from({ length: count }, (_, number) => ({
    line: "item",
    id: `move-${number}`,
    fen: START,
    move: "e4",
    numbered: "1. e4",
    engine: null,
    engine_line: null,
    features: [{ name: "check", value: "no" }],
    comments: [{ method: "ours", text: `A pawn goes to the centre, number ${number}.`, tally: { supported: 1, contradicted: 0, uncheckable: 0 }, wrong: [] }],
  }));
  return [header, ...items].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

const give = (page, name, text) => page.locator("#judge-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

const there = (page, hasText, patience) => page.locator("#judge-there").filter({ hasText }).waitFor(patience);

/** A table of one move with two comments, of which the board contradicts the second. */
const TWO = `fen,move,method,comment\n${START},e4,right,It opens the centre.\n${START},e4,wrong,White is a rook ahead.\n`;

/** A judge that likes every comment and finds the first of two the better. */
const kind = (_, { messages }) => (/Comment B:/.test(messages.at(-1).content) ? LINE : "4");

async function saved(page, press = () => page.locator("#judge-save").click()) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  const text = await readFile(await download.path(), "utf8");
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

journey("a hundred comments are judged, stopped, reloaded and finished, and none is judged twice", async ({ page }) => {
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(100));
    await page.locator("#judge-there").filter({ hasText: "100 moves" }).waitFor();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-start").focus();
    await page.keyboard.press("Enter");
    // Some are judged, others are not.
    await page.locator("#judge-there").filter({ hasText: / [1-9]\d? of 100 judgements/ }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#judge-notice").filter({ hasText: "Stopped" }).waitFor();
    const sentence = await page.locator("#judge-there").innerText();
    const before = Number(sentence.match(/(\d+) of 100/)[1]);
    assert.ok(before > 0 && before < 100, sentence);
    await page.reload();
    await page.locator("#judge-there").filter({ hasText: `${before} of 100 judgements` }).waitFor();
    await page.getByRole("button", { name: "Go on judging" }).click();
    await page.locator("#judge-there").filter({ hasText: "100 of 100 judgements made, 0 failed" }).waitFor({ timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    const rows = (await saved(page)).filter((line) => line.line === "row");
    assert.equal(rows.length, 100);
    assert.equal(new Set(rows.map((row) => row.item)).size, 100, "each once");
    assert.ok(rows.every((row) => row.score.score === 4 && row.replies[0] === "4"));
    // At most the two that were under way when it was stopped were asked again.
    assert.ok(server.questions.length <= 102, String(server.questions.length));
    const table = page.getByRole("table", { name: /GCC-Eval by/ });
    await table.getByRole("row", { name: /ours/ }).filter({ hasText: "0.75" }).waitFor();
  } finally {
    await server.close();
  }
});

journey("a table of comments is prepared by the engine and judged both ways; what cannot be read is kept as a failure", async ({ page }) => {
  const text = (_, { messages }) => {
    const asked = messages.at(-1).content;
    if (/Comment B:/.test(asked)) return LINE;
    return /cannot be read/.test(asked) ? LINE : "ten";
  };
  const server = await LlmServer.open(text);
  try {
    await open(page, "/judge");
    const rows = ["It opens the centre.", "White is a rook ahead."].map((comment, place) => `${START},e4,${["right", "wrong"][place]},${comment}`);
    await give(page, "comments.csv", `fen,move,method,comment\n${rows.join("\n")}\n`);
    await page.locator("#judge-there").filter({ hasText: "1 move to judge" }).waitFor();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-mode").selectOption("integer");
    await page.locator("#judge-start").click();
    // Eight scores that cannot be read, two judgements by the rubric.
    await page.locator("#judge-there").filter({ hasText: "2 of 10 judgements made, 8 failed" }).waitFor({ timeout: 180_000 });
    const wins = page.getByRole("table", { name: /^Wins by/ });
    await wins.waitFor();
    // A wins in both orders: a flip is a tie.
    await page.getByText(/different winners in 1 of 1/).waitFor();
    const worst = page.getByRole("table", { name: /claim check, worst first/ });
    await worst.getByText(/is a rook ahead/).first().waitFor();
    const features = server.questions.map((question) => question.body.messages.at(-1).content).find((asked) => /Comment B/.test(asked));
    assert.match(features, /\ncheck: no\n/);
    assert.match(features, /\nwin probability: \d+ %/);
  } finally {
    await server.close();
  }
});

journey("the model declares a comment's claims before it judges, each once, and the hard rule goes by them", async ({ page }) => {
  // Words that our own reader has no row for.
  const words = "The footman startles the monarch";
  const claims = JSON.stringify({ claims: [{ words, predicate: "gives_check" }] });
  const server = await LlmServer.open(kind);
  server.claims = (_, { messages }) => (messages.at(-1).content.includes(words) ? claims : '{"claims": []}');
  try {
    await open(page, "/judge");
    await give(page, "comments.csv", `fen,move,method,comment\n${START},e4,right,It opens the centre.\n${START},e4,wrong,${words}.\n`);
    await there(page, "1 move to judge");
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-mode").selectOption("integer");
    await page.locator("#judge-declares").check();
    await page.locator("#judge-start").click();
    await there(page, "10 of 10 judgements made, 0 failed", { timeout: 180_000 });
    await page.locator("#judge-start").waitFor();
    await page.getByText(/^Claims are declared by .* in 2 of 2 comments\. Our own reader has read none\./).first().waitFor();
    await page.getByRole("table", { name: /claim check, worst first/ }).getByText(words).first().waitFor();
    assert.equal(server.declarations.length, 2, "once a comment");
    const lines = await saved(page);
    const comments = lines.filter((line) => line.line === "item").flatMap((item) => item.comments);
    assert.deepEqual(comments.map((comment) => comment.declaration?.answer), ['{"claims": []}', claims]);
    const disqualified = lines.filter((line) => line.ratings).map((line) => line.ratings.disqualified);
    assert.deepEqual(disqualified.map((two) => two.filter(Boolean).length), [1, 1], "in both orders the same comment");
    // Going on asks nothing that was answered.
    await page.reload();
    await there(page, "10 of 10 judgements made, 0 failed");
    assert.equal(server.declarations.length, 2);
  } finally {
    await server.close();
  }
});

journey("what is no comment is refused in words", async ({ page }) => {
  await open(page, "/judge");
  await give(page, "nonsense.csv", "a,b\n1,2\n");
  await page.locator("#judge-problem").filter({ hasText: "nonsense.csv is neither a run of judges, a study nor a table" }).waitFor();
});

journey("what a server does wrong is said, kept as a failure and made good; the key is in no file", async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource|ERR_|CORS/);
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(2));
    await openForm(page);
    const kinds = { unauthorized: "unauthorised", "no-model": "not-found", failing: "server", page: "not-chat", down: "blocked", moved: "redirected", broken: "broken-stream" };
    for (const mode of Object.keys(kinds)) {
      await connect(page, `${server.address}${mode}/v1`, KEY);
      await page.locator("#judge-start").click();
      await page.locator("#judge-there").filter({ hasText: "0 of 2 judgements made, 2 failed" }).waitFor({ timeout: 120_000 });
      // Not before the last question of this server has come back.
      await page.locator("#judge-start").waitFor({ timeout: 120_000 });
    }
    assert.equal(server.asked("good").length, 0, "neither key nor question went where “moved” led");
    await connect(page, `${server.address}busy/v1`, KEY);
    await page.locator("#judge-start").click();
    await page.locator("#judge-there").filter({ hasText: "2 of 2 judgements made, 0 failed" }).waitFor({ timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    const lines = await saved(page);
    const found = lines.filter((line) => line.error).map((line) => line.error.kind);
    for (const kind of Object.values(kinds)) assert.equal(found.filter((other) => other === kind).length, 2, `${kind} in ${found}`);
    assert.ok(!JSON.stringify(lines).includes(KEY), "the key is in no file");
    // The attempt that came too soon is on the record of the judgement that came of it.
    const tried = lines.filter((line) => line.score).flatMap((line) => line.attempts ?? []);
    assert.deepEqual(tried.map(({ reply, kind }) => [reply, kind]), [[0, "rate-limited"]]);
    assert.match(lines[0].program, /^(a journey|kibitz )/);
  } finally {
    await server.close();
  }
});

journey("of a run with an answer that breaks off and a server that asks for patience nothing is lost, and nothing asked twice that was answered", async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource|ERR_/);
  const server = await LlmServer.open("The comment reads well, and every word of it is where it belongs.\nFluency: 4");
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(8));
    await openForm(page);
    await connect(page, `${server.address}faltering/v1`, KEY);
    await page.locator("#judge-start").click();
    // A cut answer that had words is not asked for again by itself; who asked for patience is asked again after it.
    await there(page, "7 of 8 judgements made, 1 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    assert.equal(server.questions.length, 9);
    const rows = (lines) => lines.filter((line) => line.line === "row");
    const first = rows(await saved(page));
    assert.deepEqual(first.filter((row) => row.error).map((row) => row.error.kind), ["broken-stream"]);
    assert.deepEqual(first.flatMap((row) => row.attempts ?? []).map(({ kind }) => kind), ["rate-limited"]);
    assert.equal(new Set(first.map((row) => row.item)).size, 8);
    // It is the same after a reload, and what failed is asked for again.
    await page.reload();
    await there(page, "7 of 8 judgements made, 1 failed");
    await openForm(page);
    await connect(page, `${server.address}faltering/v1`, KEY);
    await page.getByRole("button", { name: "Go on judging" }).click();
    await there(page, "8 of 8 judgements made, 0 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    assert.equal(server.questions.length, 10);
    const all = rows(await saved(page));
    assert.equal(all.length, 9, "the failure is kept beside what made it good");
    const judged = all.filter((row) => row.score);
    assert.equal(new Set(judged.map((row) => row.item)).size, 8);
    assert.ok(judged.length === 8 && judged.every((row) => row.score.score === 4));
  } finally {
    await server.close();
  }
});

journey("the keyboard is on the run's button when the run ends by itself, unless it is elsewhere", async ({ page }) => {
  const server = await LlmServer.open("It reads well.\nFluency: 4");
  const at = (id) => page.waitForFunction((id) => document.activeElement?.id === id, id);
  try {
    await open(page, "/judge");
    await page.locator("#judge-missing").getByText("Choose comments and connect a model first.").waitFor();
    await give(page, "run.jsonl", unjudged(3));
    await page.locator("#judge-missing").getByText("Connect a model first.").waitFor();
    await openForm(page);
    await connect(page, `${server.address}slow/v1`);
    await page.locator("#judge-start").focus();
    await page.keyboard.press("Enter");
    await at("judge-stop");
    await there(page, "3 of 3 judgements made, 0 failed");
    await at("judge-start");
    await give(page, "more.jsonl", unjudged(9));
    await there(page, "9 moves; 0 of");
    await page.locator("#judge-start").focus();
    await page.keyboard.press("Enter");
    await at("judge-stop");
    await page.locator("#judge-price-replies").focus();
    await there(page, "9 of 9 judgements made, 0 failed");
    await page.locator("#judge-start").waitFor();
    await page.locator("#judge-tables").getByRole("table", { name: /GCC-Eval by/ }).waitFor();
    await at("judge-price-replies");
  } finally {
    await server.close();
  }
});

journey("the comments on the board are judged, and a run that they replace can be had back", async ({ page }) => {
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(7));
    await page.locator("#judge-there").filter({ hasText: "7 moves; 0 of 0" }).waitFor();
    await open(page, MOVE);
    await commentary(page, LABEL);
    await show(page, "Model");
    await page.getByRole("link", { name: "Judge this comment" }).click();
    await page.locator("#judge-there").filter({ hasText: "1 move to judge" }).waitFor();
    assert.equal(new URL(page.url()).hash, "#/judge", "taken once: a reload would not take it again");
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    // It is judged as the run before it was: fluency as one integer.
    await page.locator("#judge-start").click();
    await page.locator("#judge-there").filter({ hasText: "1 move; 1 of 1 judgements made" }).waitFor({ timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    const lines = await saved(page);
    assert.deepEqual(lines.filter((line) => line.line === "item").map((item) => item.comments.map((comment) => comment.method)), [["narrator"]]);
    assert.match(lines[0].program, /^kibitz \d+\.\d+\.\d+( \([0-9a-f]{12}(\+changes)?\))?$/);
    await page.getByRole("button", { name: "Bring the former run back" }).click();
    await page.locator("#judge-there").filter({ hasText: "7 moves; 0 of 0" }).waitFor();
    await page.getByRole("button", { name: "Bring the former run back" }).click();
    await page.locator("#judge-there").filter({ hasText: "1 move; 1 of 1" }).waitFor();
  } finally {
    await server.close();
  }
});

journey("steps, weights, prices and people's ratings go into the run and its tables, and differences are read with the board", async ({ page }) => {
  const text = (_, { messages }) => {
    const asked = messages.at(-1).content;
    if (/Before any comment is shown/.test(asked)) return "1. Read the comment.\n2. Give the score.";
    return /Comment B:/.test(asked) ? LINE : "4";
  };
  const server = await LlmServer.open(text);
  try {
    await open(page, "/judge");
    const rows = ["It opens the centre.", "White is a rook ahead."].map((comment, place) => `opening,${START},e4,${["right", "wrong"][place]},${comment},It takes the centre.`);
    await give(page, "comments.csv", `item,fen,move,method,comment,reference\n${rows.join("\n")}\n`);
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-mode").selectOption("integer");
    await page.locator("#judge-own-steps").check();
    await page.locator("#judge-reference").check();
    await page.getByText("Weights of the totals").click();
    await page.getByLabel("Faithfulness").fill("2");
    await page.getByLabel("Price of a million tokens in prompts").fill("1000000");
    await page.getByLabel("in replies").fill("1000000");
    await page.locator("#judge-start").click();
    await page.locator("#judge-there").filter({ hasText: "10 of 10 judgements made, 0 failed" }).waitFor({ timeout: 180_000 });
    await page.locator("#judge-start").waitFor();
    const lines = await saved(page);
    const { settings, judges } = lines[0];
    assert.deepEqual(settings.weights, [2, 1, 1, 1, 1, 1]);
    assert.equal(settings.show_reference, true);
    assert.deepEqual(Object.keys(settings.steps[judges[0].name]), ["clarity", "completeness", "fluency", "relevance"]);
    const questions = server.questions.map((question) => JSON.stringify(question.body.messages));
    assert.equal(questions.filter((question) => question.includes("Before any comment")).length, 4, "once for a criterion");
    assert.equal(questions.filter((question) => question.includes("2. Give the score.")).length, 8, "every score follows them");
    assert.equal(questions.filter((question) => question.includes("a person's comment: It takes the centre.")).length, 2, "relevance alone");
    const tokens = lines.filter((line) => line.tokens).reduce((sum, { tokens: { prompt, completion } }) => sum + prompt + completion, 0);
    if (tokens > 0) await page.locator("#judge-spent").filter({ hasText: `${tokens}.0000 spent` }).waitFor();
    await page.getByText("Totals are weighted: 2, 1, 1, 1, 1, 1.").waitFor();
    await page.getByText("The judge wrote its own steps").waitFor();
    await page.getByRole("img", { name: /Mean scores for Relevance by/ }).waitFor();
    await page.getByRole("img", { name: /Strength by comparisons of/ }).waitFor();
    await page.getByRole("table", { name: /^The hard rule/ }).waitFor();

    const differing = page.getByRole("region", { name: "Where judge and claim check differ" });
    await differing.getByText("White is a rook ahead.", { exact: true }).waitFor();
    await differing.locator("cg-board").waitFor();
    const place = differing.locator("#judge-place");
    const [, all] = (await place.innerText()).match(/1 of (\d+)/);
    assert.ok(Number(all) > 1, all);
    await differing.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("Enter");
    await place.filter({ hasText: `2 of ${all}` }).waitFor();
    const link = await differing.getByRole("link", { name: "Open on the board" }).getAttribute("href");
    assert.match(link, /^#fen=.*move=e4/);

    const rated = ["right", "wrong"].flatMap((method, at) => ["r1", "r2"].map((rater) => `s,${rater},opening/${method},opening,${method},relevance,${4 - 2 * at},1,5`));
    const ratings = `study,rater,item,position,method,criterion,value,scale_low,scale_high\n${rated.join("\n")}\n`;
    await page.locator("#judge-ratings").setInputFiles({ name: "ratings.csv", mimeType: "text/csv", buffer: Buffer.from(ratings) });
    await page.locator("#judge-rated").filter({ hasText: "2 raters, 2 comments, 1 criterion." }).waitFor();
    const people = page.getByRole("table", { name: "Judges against people" });
    await people.getByRole("row", { name: /^BLEU-1 relevance 1\.00/ }).waitFor();
    await people.getByRole("row", { name: /^gcc-relevance/ }).waitFor();
    await page.locator("#judge-ratings").setInputFiles({ name: "nonsense.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
    await page.locator("#judge-problem").filter({ hasText: "nonsense.csv" }).waitFor();
    await people.waitFor();
  } finally {
    await server.close();
  }
});

journey("a judge is asked where it was when judging began, and another address is another judge", async ({ page }) => {
  const first = await LlmServer.open("4");
  const second = await LlmServer.open((number) => String(2 + (number % 3)));
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(30));
    await there(page, "30 moves");
    await openForm(page);
    await connect(page, `${first.address}slow/v1`);
    await page.locator("#judge-start").click();
    await there(page, / [1-9]\d? of 30 judgements/);
    // The form is open all the while: what is changed there is for the next start.
    await type(page, base(page), `${second.address}good/v1`);
    await there(page, "30 of 30 judgements made, 0 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    assert.equal(second.questions.length, 0, "no question of the first judge went to the second");
    assert.equal(first.asked("slow").length, 30);

    await connect(page, `${second.address}good/v1`);
    await page.getByRole("button", { name: "Go on judging" }).click();
    await there(page, "60 of 60 judgements made, 0 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    assert.deepEqual([first.questions.length, second.questions.length], [30, 30]);
    const lines = await saved(page);
    const { judges } = lines[0];
    assert.deepEqual(judges.map((judge) => `${judge.server}/`), [first.address, second.address]);
    assert.equal(new Set(judges.map((judge) => judge.name)).size, 2, "the same model at two servers has two names");
    await page.locator("#judge-judges").filter({ hasText: `Judged by ${judges[0].name}, ${judges[1].name}.` }).waitFor();
    for (const { name } of judges) assert.equal(lines.filter((line) => line.judge === name && line.score).length, 30);
    // Always 4, against 2, 3 and 4 by turns.
    const against = page.getByRole("table", { name: "Judge against judge" });
    await against.getByRole("row", { name: /Fluency/ }).filter({ hasText: "1.00" }).waitFor();
  } finally {
    await first.close();
    await second.close();
  }
});

journey("prepared items are judged by token probabilities", async ({ page }) => {
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    const items = unjudged(3).trim().split("\n").slice(1).map((line) => JSON.parse(line));
    await give(page, "items.jsonl", items.map(({ line: _, ...item }) => JSON.stringify(item)).join("\n") + "\n");
    await there(page, "3 moves to judge.");
    await openForm(page);
    await connect(page, `${server.address}scores/v1`);
    await page.locator("#judge-start").click();
    await there(page, "3 moves; 12 of 12 judgements made, 0 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    assert.ok(server.questions.every(({ body }) => body.logprobs === true && body.top_logprobs === 10 && body.temperature === 0));
    const rows = (await saved(page)).filter((line) => line.line === "row");
    const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found} is not ${wanted}`);
    for (const { score } of rows) {
      near(score.mass, 0.9);
      near(score.raw, 0.6 * 4 + 0.2 * 5 + 0.1 * 3);
      near(score.score, 3.7 / 0.9);
    }
    const table = page.getByRole("table", { name: /GCC-Eval by .*probabilities/ });
    await table.getByRole("row", { name: /ours/ }).filter({ hasText: "0.78" }).waitFor();
    await page.getByText(/Probability on the scores 1 to 5: 0\.90 on average, 0\.90 at least/).waitFor();
  } finally {
    await server.close();
  }
});

journey("a run takes the answers to its questions from the one that it replaces", async ({ page }) => {
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    await give(page, "run.jsonl", unjudged(5));
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-start").click();
    await there(page, "5 of 5 judgements made");
    await page.locator("#judge-start").waitFor();
    // Two moves more, none of them judged.
    await give(page, "again.jsonl", unjudged(7));
    await there(page, "7 moves; 0 of");
    await page.locator("#judge-start").click();
    await there(page, "7 of 7 judgements made, 0 failed");
    await page.locator("#judge-start").waitFor();
    assert.equal(server.questions.length, 7);
    const rows = (await saved(page)).filter((line) => line.line === "row");
    assert.equal(rows.filter((row) => row.copied).length, 5);
  } finally {
    await server.close();
  }
});

journey("on a phone, by touch: a file, the judge, its tables, the differences", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async ({ page }) => {
  const server = await LlmServer.open(kind);
  try {
    await open(page, "/judge");
    await fits(page);
    await give(page, "comments.csv", TWO);
    await there(page, "1 move to judge");
    await page.locator("details.connection > summary").tap();
    await connect(page, `${server.address}good/v1`);
    await page.locator("#judge-mode").selectOption("integer");
    await page.locator("#judge-start").tap();
    await there(page, "10 of 10 judgements made, 0 failed", { timeout: 180_000 });
    await page.locator("#judge-start").waitFor();
    const differing = page.getByRole("region", { name: "Where judge and claim check differ" });
    await differing.locator("cg-board").waitFor();
    await page.getByRole("table", { name: /^The hard rule/ }).waitFor();
    await fits(page);
    const place = differing.locator("#judge-place");
    await place.filter({ hasText: "1 of 4" }).waitFor();
    for (const step of ["2 of 4", "3 of 4", "4 of 4"]) {
      await differing.getByRole("button", { name: "Next" }).tap();
      await place.filter({ hasText: step }).waitFor();
    }
    await until(() => differing.getByRole("button", { name: "Next" }).isDisabled());
    await differing.getByRole("button", { name: "Previous" }).tap();
    await place.filter({ hasText: "3 of 4" }).waitFor();
    await fits(page);
    await restingBox(differing.locator("cg-board"), ({ x, width }) => x >= 0 && x + width <= 390);
  } finally {
    await server.close();
  }
});

/** Presses Tab until the keyboard is there, as somebody does who has no mouse. */
async function tabTo(page, locator) {
  await locator.waitFor({ state: "attached" });
  for (let pressed = 0; pressed < 120; pressed += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${locator}`);
}

journey("by keyboard alone, from the file to the saved run", async ({ page }) => {
  const server = await LlmServer.open("4");
  try {
    await open(page, "/judge");
    await tabTo(page, page.locator("#judge-file"));
    const chooser = page.waitForEvent("filechooser");
    // Keys have a way of their own into the page: this answer comes after the page knows that its dialogs are caught.
    await page.evaluate(() => document.hasFocus());
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "run.jsonl", mimeType: "text/plain", buffer: Buffer.from(unjudged(40)) });
    await there(page, "40 moves");
    await tabTo(page, page.locator("details.connection > summary"));
    await page.keyboard.press("Enter");
    await tabTo(page, base(page));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(`${server.address}slow/v1`);
    await page.keyboard.press("Enter");
    await models(page).filter({ hasText: /models?\.$/ }).waitFor();
    await tabTo(page, page.locator("#judge-start"));
    await page.keyboard.press("Enter");
    await there(page, / [1-9]\d? of 40 judgements/);
    await tabTo(page, page.locator("#judge-stop"));
    await page.keyboard.press("Enter");
    await page.locator("#judge-notice").filter({ hasText: "Stopped" }).waitFor();
    const [, before] = (await page.locator("#judge-there").innerText()).match(/(\d+) of 40/);
    assert.ok(Number(before) < 40, before);
    // The keyboard goes along to what takes the button's place.
    await page.waitForFunction(() => document.activeElement?.textContent === "Go on judging");
    await page.keyboard.press("Enter");
    await there(page, "40 of 40 judgements made, 0 failed", { timeout: 120_000 });
    await page.locator("#judge-start").waitFor();
    await tabTo(page, page.locator("#judge-save"));
    const lines = await saved(page, () => page.keyboard.press("Enter"));
    assert.equal(lines.filter((line) => line.score).length, 40);
  } finally {
    await server.close();
  }
});
