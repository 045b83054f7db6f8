// The judges: a run that is stopped, survives a reload, goes on and is saved; a table of comments from the beginning; a judge
// that cannot be read; every fault of a server; the comments on the board; people's ratings beside the judge's. The model is
// played by llm_server.mjs.

import { readFile } from "node:fs/promises";
import { assert, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { KEY, LABEL, MOVE, connect, openForm } from "./connection.mjs";
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

async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#judge-save").click()]);
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
    const rows = ["It opens the centre.", "It captures a rook."].map((comment, place) => `${START},e4,${["right", "wrong"][place]},${comment}`);
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
    await worst.getByText(/captures a rook/).first().waitFor();
    const features = server.questions.map((question) => question.body.messages.at(-1).content).find((asked) => /Comment B/.test(asked));
    assert.match(features, /\ncheck: no\n/);
    assert.match(features, /\nwin probability: \d+ %/);
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
    assert.match(lines[0].program, /^(a journey|kibitz )/);
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
    const rows = ["It opens the centre.", "It captures a rook."].map((comment, place) => `opening,${START},e4,${["right", "wrong"][place]},${comment},It takes the centre.`);
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
    await differing.getByText("It captures a rook.", { exact: true }).waitFor();
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
