// The judges: a run that is stopped, survives a reload, goes on and is saved; a table of comments from the beginning; a judge
// that cannot be read. The model is played by llm_server.mjs.

import { readFile } from "node:fs/promises";
import { assert, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { connect, openForm } from "./connection.mjs";

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
    const told = await page.locator("#judge-there").innerText();
    const before = Number(told.match(/(\d+) of 100/)[1]);
    assert.ok(before > 0 && before < 100, told);
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
    // Eight scores that are none, two judgements by the rubric.
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
