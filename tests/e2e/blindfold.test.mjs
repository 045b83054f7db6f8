// Blindfold: a run that is stopped, survives a reload, goes on, is exported and adds up; single answers on the board; a model of
// our own format, which is kept; a game on which its belief is shown; a chat model that is asked or scored; files that are
// refused.

import { readFile } from "node:fs/promises";
import { KEY, connect, openForm } from "./connection.mjs";
import { APP, assert, fits, journey, open, restingBox } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { TINY_MODEL, shortGames } from "./short_games.mjs";

const give = (page, name, text) => page.locator("#blind-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const there = (page, words) => page.locator("#blind-there").filter({ hasText: words }).waitFor({ timeout: 180_000 });
const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return readFile(await saved.path(), "utf8");
}

async function type(page, field, value) {
  await page.locator(field).fill(String(value));
  await page.locator(field).blur();
}

/** Short games, of which the first so many probes are asked about. */
async function games(page, first) {
  await page.locator("#blind-lengths").selectOption("short");
  await give(page, "famous.pgn", shortGames());
  await there(page, /famous\.pgn, after 5 to 50 half-moves: \d+ probes/);
  await type(page, "#blind-first", first);
}

const choose = (page, label, wanted) => page.getByLabel(label, { exact: true }).setChecked(wanted);

/** Names the square that the question names: wrong wherever a piece is to move; and no square every fourth time. */
function scripted(number, { messages }) {
  const [, square] = messages.at(-1).content.match(/ on ([a-h][1-8])\./) ?? [];
  return number % 4 === 3 ? "I am not sure." : (square ?? "e1");
}

journey("a run is stopped, reloaded and finished, adds up, and each answer is looked at", async ({ page }) => {
  const server = await LlmServer.open(scripted);
  try {
    await open(page, "/blindfold");
    await there(page, "No questions yet.");
    await games(page, 20);
    await page.locator("#blind-model").uncheck();
    await choose(page, "What is right (oracle)", true);
    await page.locator("#blind-moves-uci").check();
    await openForm(page);
    await connect(page, `${server.address}slow/v1`, KEY);
    await type(page, "#blind-price-prompts", 1_000_000);
    await page.locator("#blind-forecast").filter({ hasText: /The chat model has 80 answers to give: about \d+ tokens/ }).waitFor();
    await page.locator("#blind-prompts summary").click();
    await page.locator("#blind-prompts").getByText("White now moves the piece on f1.").first().waitFor();
    await page.locator("#blind-start").click();
    // The scripted players are done at once, the model is not.
    await there(page, /2[4-9]\d of 320 answers/);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#blind-notice").filter({ hasText: "Stopped" }).waitFor();
    const told = await page.locator("#blind-there").innerText();
    const before = Number(told.match(/(\d+) of 320 answers/)[1]);
    assert.ok(before >= 240 && before < 320, told);
    const asked = server.questions.length;
    await page.reload();
    await there(page, `${before} of 320 answers`);
    // Another address of the same server: the run goes on faster.
    await openForm(page);
    await connect(page, `${server.address}good/v1`, KEY);
    await page.getByRole("button", { name: "Go on asking" }).click();
    await there(page, "320 of 320 answers, 0 failed");
    await page.locator("#blind-start").waitFor();
    // At most the two that were under way when it was stopped were asked again.
    assert.ok(server.questions.length <= 82, `${asked}, then ${server.questions.length}`);

    const run = lines(await download(page, "#blind-save"));
    assert.equal(run[0].line, "blindfold");
    assert.equal(run.filter((line) => line.line === "probe").length, 20);
    const rows = run.filter((line) => line.line === "row");
    assert.equal(new Set(rows.map((row) => `${row.player} ${row.probe} ${row.task}`)).size, 320, "each once");
    assert.equal(rows.length, 320);
    assert.ok(!JSON.stringify(run).includes(KEY), "the key is in no file");
    assert.match(Object.values(run[0].prompt_texts)[0], /You follow a game of chess by its moves alone/);

    // The tables follow the answers, in turns.
    const table = page.getByRole("table", { name: /table 5/ });
    await table.getByRole("row", { name: /^oracle/ }).waitFor();
    const oracle = await table.getByRole("row", { name: /^oracle/ }).locator("td").allInnerTexts();
    assert.deepEqual([oracle[1], oracle[3], oracle[7]], ["100.0", "100.0", "100.0"]);
    for (const what of ["table 3", "table 4", "table 6", "table 7", "table 9", "table 11", "figure 5", "table 13", "table 14", "figure 8"])
      await page.locator("#blind-tables").getByText(`(${what})`).first().waitFor({ state: "attached" });
    const json = JSON.parse(await download(page, "#blind-report-json"));
    assert.ok(json.some((one) => /table 7/.test(one.caption)));
    for (const [form, start] of [["csv", /^# Players/], ["markdown", /\| Player \|/], ["latex", /\\begin\{tab/]]) assert.match(await download(page, `#blind-report-${form}`), start);
    assert.equal((await download(page, "#blind-save-answers")).trim().split("\n").length, 321);

    // Single answers: what is wrong, why, and the moves that were told.
    const place = page.locator("#blind-place");
    await place.filter({ hasText: "1 of 320" }).waitFor();
    await page.locator("#blind-of").selectOption("uniform");
    await page.locator("#blind-task").selectOption("end-actual");
    await place.filter({ hasText: "1 of 20" }).waitFor();
    await page.locator("#blind-filter").selectOption("wrong");
    const answer = page.locator("#blind-answer");
    await answer.locator("cg-board square[class*='verdict-']:visible").first().waitFor();
    await answer.locator("td").filter({ hasText: /^✗ / }).first().waitFor();
    await answer.locator("td").filter({ hasText: /does not go from|goes from|stands|no square|check/ }).first().waitFor();
    const plies = page.locator("#blind-plies");
    const told2 = Number((await plies.innerText()).match(/^(\d+) of \1 half-moves$/)[1]);
    await page.locator("#blind-move-back").focus();
    await page.keyboard.press("ArrowLeft");
    await plies.filter({ hasText: `${told2 - 1} of ${told2}` }).waitFor();
    // Before the question nothing is judged.
    await answer.locator("cg-board square[class*='verdict-']:visible").first().waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await answer.locator("cg-board square[class*='verdict-']:visible").first().waitFor();
    await page.keyboard.press("n");
    await place.filter({ hasText: /^2 of / }).waitFor();
    await page.keyboard.press("p");
    await place.filter({ hasText: /^1 of / }).waitFor();
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await place.filter({ hasText: /^2 of / }).waitFor();
    await page.getByRole("button", { name: "Previous", exact: true }).click();
    await place.filter({ hasText: /^1 of / }).waitFor();
    await page.locator("#blind-filter").selectOption("unparsable");
    await page.locator("#blind-task").selectOption("");
    await page.locator("#blind-of").selectOption({ index: 0 });
    await answer.getByText("I am not sure.").waitFor();

    // The file goes on elsewhere: what was exported is the run.
    await page.locator("#blind-forget").click();
    await there(page, "No questions yet.");
    await give(page, "run.jsonl", run.map((line) => JSON.stringify(line)).join("\n"));
    await there(page, "320 of 320 answers, 0 failed");
  } finally {
    await server.close();
  }
});

/** What is likely after a text: some squares in two tokens, one in one, a type. */
function likely(number, { prompt }) {
  return / [a-h][1-8]$/.test(prompt) ? { a: 0.3, e: 0.3, h8: 0.1, N: 0.1, " ": 0.1 } : { 3: 0.5, 4: 0.25, "5 ": 0.1 };
}

journey("the connected model is scored, or it is said that it cannot be", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  const server = await LlmServer.open(likely);
  try {
    await open(page, "/blindfold");
    await games(page, 5);
    await page.locator("#blind-model").uncheck();
    for (const label of ["Any token (uniform)", "Any legal answer (random-legal)"]) await choose(page, label, false);
    await page.locator("#blind-scored-uci").check();
    await page.locator("#blind-prompts summary").click();
    await page.locator("#blind-prompts").getByText("e2e4 e7e5 g1f3 b8c6 d2d4 h7h6 f1").waitFor();
    await openForm(page);
    await connect(page, `${server.address}improbable/v1`, KEY);
    await page.locator("#blind-start").click();
    await page.getByText("returns no log-probabilities with this model. Ask it instead of scoring it.").first().waitFor();
    await openForm(page);
    await connect(page, `${server.address}good/v1`, KEY);
    await page.locator("#blind-forecast").filter({ hasText: /The chat model has 10 answers to give/ }).waitFor();
    await page.locator("#blind-start").click();
    await there(page, "10 of 10 answers, 0 failed");
    await page.locator("#blind-start").waitFor();
    const rows = lines(await download(page, "#blind-save")).filter((line) => line.line === "row");
    assert.equal(rows.length, 10);
    for (const row of rows) {
      assert.ok(row.ranked && row.task.startsWith("end-"), JSON.stringify(row));
      assert.ok(Math.abs(row.heard - (0.6 * 0.85 + 0.2)) < 1e-9, `${row.heard}`);
      assert.deepEqual(row.tokens, ["a3", "e3", "N", "h8", "a4", "e4", "a5", "e5"].slice(0, row.tokens.length));
    }
    await page.getByRole("table", { name: /^Players/ }).getByRole("cell", { name: "scored, uci" }).waitFor();
    await page.locator("#blind-answer caption").filter({ hasText: "71 % of the probability lay on squares and types." }).waitFor();
    // What is wrong has room on a phone.
    await restingBox(page.locator("#blind-answer .blindfold-why").filter({ hasText: /\S/ }).first(), ({ width }) => width > 120);
    await fits(page);
  } finally {
    await server.close();
  }
});

journey("a model of our own answers, and its belief is shown on a game", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  await open(page, "/blindfold");
  await games(page, 6);
  await page.locator("#blind-model-file").setInputFiles(TINY_MODEL);
  await page.locator("#blind-model-there").filter({ hasText: /^tiny-transformer: transformer, 2 layers of 16, notation rap25/ }).waitFor();
  await page.locator("#blind-start").click();
  await there(page, "72 of 72 answers, 0 failed");
  await page.locator("#blind-start").waitFor();
  const rows = lines(await download(page, "#blind-save")).filter((line) => line.player === "tiny-transformer" && line.line === "row");
  assert.equal(rows.length, 24);
  assert.ok(rows.every((row) => row.ranked && row.tokens.length > 0));
  await page.getByRole("table", { name: /table 9/ }).getByRole("row", { name: /^tiny-transformer/ }).waitFor();
  // The games are at hand: their tables are among those of the paper.
  for (const what of ["table 10", "figure 4"]) await page.locator("#blind-tables").getByText(`(${what})`).first().waitFor({ state: "attached" });

  const live = page.locator("#blind-live");
  const belief = page.locator("#blind-belief");
  await belief.filter({ hasText: /^From [a-h]1 the model expects / }).waitFor();
  for (const move of ["e4", "e5"]) {
    await live.getByLabel("Type a move").fill(move);
    await live.getByRole("button", { name: "Play", exact: true }).click();
  }
  await page.locator("#blind-from").selectOption("g1");
  await belief.filter({ hasText: /^From g1 the model expects .* Legal squares have \d+ % together\.$/ }).waitFor();
  const squares = await live.locator("#blind-shares tbody th").allInnerTexts();
  for (const square of ["e2", "f3", "h3"]) assert.ok(squares.includes(square), `${square} of ${squares}`);
  await live.locator("cg-board square[class*='share-']:visible").first().waitFor();
  // Another piece by a press on the board.
  await live.locator("cg-board").scrollIntoViewIfNeeded();
  const board = await restingBox(live.locator("cg-board"));
  await page.mouse.click(board.x + (5.5 / 8) * board.width, board.y + (7.5 / 8) * board.height);
  await belief.filter({ hasText: /^From f1 / }).waitFor();
  await live.getByRole("button", { name: "One move back" }).click();
  await belief.filter({ hasText: /^From [a-h][78] / }).waitFor();
  await fits(page);
  // It is kept with what it answered, and so are the games of the set.
  await page.locator("#blind-model-kept").filter({ hasText: "Your model is kept in this browser" }).waitFor();
  await page.reload();
  await there(page, "72 of 72 answers, 0 failed");
  await page.locator("#blind-model-there").filter({ hasText: /^tiny-transformer: / }).waitFor();
  for (const what of ["table 10", "figure 4"]) await page.locator("#blind-tables").getByText(`(${what})`).first().waitFor({ state: "attached" });
  await page.locator("#blind-forget-model").click();
  await page.locator("#blind-forget-model").waitFor({ state: "detached" });
  await page.reload();
  await there(page, "72 of 72 answers, 0 failed");
  await page.locator("#blind-model-there").filter({ hasText: "No model is loaded" }).waitFor();
});

journey("the app’s set and the app’s model are taken; what is not there is said", async ({ page, complaints }) => {
  complaints.allow(/Failed to load resource/);
  await open(page, "/blindfold");
  const has = async (name) => (await page.request.head(new URL(`blindfold/${name}`, APP).href)).ok();
  const [set, model] = [await has("short.jsonl"), await has("rap25.safetensors")];
  await page.locator("#blind-short").click();
  if (set) await there(page, /after 5 to 50 half-moves: \d+ probes/);
  else await page.locator("#blind-problem").filter({ hasText: "The short set could not be fetched" }).waitFor();
  await page.locator("#blind-fetch-model").click();
  if (model) await page.locator("#blind-model-there").filter({ hasText: "notation rap25" }).waitFor();
  else await page.locator("fieldset [role=alert]").filter({ hasText: "can't be had" }).waitFor();
  if (!set || !model) return;
  await type(page, "#blind-first", 25);
  for (const label of ["Any token (uniform)", "Any legal answer (random-legal)"]) await choose(page, label, false);
  await page.locator("#blind-start").click();
  await there(page, "100 of 100 answers, 0 failed");
  await page.locator("#blind-belief").filter({ hasText: /^From [a-h]1 the model expects / }).waitFor();
});

journey("what holds no questions and what is no model is refused in words", async ({ page }) => {
  await open(page, "/blindfold");
  await give(page, "nonsense.txt", "nonsense");
  await page.locator("#blind-problem").filter({ hasText: "nonsense.txt cannot be used: it is neither a run" }).waitFor();
  await give(page, "short.pgn", "1. e4 e5 *\n");
  await page.locator("#blind-problem").filter({ hasText: "none of its 1 games can be asked about" }).waitFor();
  await page.locator("#blind-model-file").setInputFiles({ name: "no.safetensors", mimeType: "application/octet-stream", buffer: Buffer.from("nonsense") });
  await page.locator("fieldset [role=alert]").filter({ hasText: "no.safetensors was not loaded" }).waitFor();
});
