// The players: a run that is stopped, survives a reload, goes on, is exported and adds up; reasons, grades and the board;
// every fault of a server; games of Stockfish at two levels, cut off by a reload; searches that are stopped. The model is played
// by llm_server.mjs.

import { readFile } from "node:fs/promises";
import { KEY, connect, openForm } from "./connection.mjs";
import { assert, countSaid, fits, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { mates } from "./mates.mjs";
import { GAME } from "./play.mjs";

/** The file and rank of the rook in a question. */
function rook({ messages }) {
  const [, board] = messages.at(-1).content.match(/FEN: (\S+)/);
  for (const [down, rank] of board.split("/").entries()) {
    let column = 0;
    for (const letter of rank) {
      if (letter === "R") return { file: "abcdefgh"[column], rank: 8 - down };
      column += /\d/.test(letter) ? Number(letter) : 1;
    }
  }
  throw new Error(`no rook in ${board}`);
}

/** By the question's own number, so that a question asked twice is answered alike: mate, a legal miss, illegal, prose, a refusal. */
function scripted(_, body) {
  const { file, rank } = rook(body);
  switch ("abcde".indexOf(file)) {
    case 0:
      return `R${file}8#`;
    case 1:
      return `The best move is **R${file}${rank === 7 ? 6 : rank + 1}**.`;
    case 2:
      return "Qh5";
    case 3:
      return "White is clearly better and should simply win this ending.";
    default:
      return "I'm sorry, I cannot help with that.";
  }
}

const give = (page, name, text) => page.locator("#play-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const there = (page, words) => page.locator("#play-there").filter({ hasText: words }).waitFor({ timeout: 180_000 });

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return readFile(await saved.path(), "utf8");
}

const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));

journey("a hundred positions are played, stopped, reloaded and finished, and the kinds of faults add up", async ({ page }) => {
  const server = await LlmServer.open(scripted);
  try {
    await open(page, "/players");
    await give(page, "mates.csv", mates());
    await there(page, "mates: 100 positions");
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.getByLabel("Price of a million tokens in prompts").fill("1000000");
    await page.getByLabel("in replies").fill("1000000");
    await page.getByLabel("in replies").blur();
    // What it will cost is said before it starts.
    await page.locator("#play-forecast").filter({ hasText: /100 answers to give: about \d+ tokens in prompts.*; cost \d/ }).waitFor();
    await page.locator("#play-start").focus();
    await page.keyboard.press("Enter");
    await there(page, / [1-9]\d? of 100 answers/);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#play-notice").filter({ hasText: "Stopped" }).waitFor();
    const told = await page.locator("#play-there").innerText();
    const before = Number(told.match(/(\d+) of 100 answers/)[1]);
    assert.ok(before > 0 && before < 100, told);
    await page.reload();
    await there(page, `${before} of 100 answers`);
    await page.getByRole("button", { name: "Go on playing" }).click();
    await there(page, "100 of 100 answers, 0 failed");
    await page.locator("#play-start").waitFor();
    const run = lines(await download(page, "#play-save"));
    const rows = run.filter((line) => line.line === "row");
    assert.equal(rows.length, 100);
    assert.equal(new Set(rows.map((row) => row.item)).size, 100, "each once");
    const count = (test) => rows.filter(test).length;
    assert.equal(count((row) => row.solved === true), 20);
    assert.equal(count((row) => row.solved === false && !row.fault), 20);
    const kinds = {};
    for (const { fault } of rows.filter((row) => row.fault)) kinds[fault.kind] = (kinds[fault.kind] ?? 0) + 1;
    assert.deepEqual(kinds, { "no-piece": 20, "not-a-move": 20, refusal: 20 });
    // At most the two that were under way when it was stopped were asked again.
    assert.ok(server.questions.length <= 102, String(server.questions.length));

    const table = page.getByRole("table", { name: /by kind$/ });
    // The tables follow the answers, in turns.
    await table.locator("tbody td").filter({ hasText: /^100$/ }).waitFor();
    const cells = (await table.locator("tbody tr").first().locator("td").allInnerTexts()).map(Number);
    assert.equal(cells.slice(0, -2).reduce((sum, cell) => sum + cell, 0), 100, "legal moves and kinds add up");
    await page.getByRole("table", { name: /^Table 7/ }).getByRole("row", { name: /GPT-4o \(paper\)/ }).waitFor();
    await page.getByRole("img", { name: /Share of puzzles that .* solved, by rating/ }).first().waitFor();

    const json = JSON.parse(await download(page, "#play-report-json"));
    assert.ok(json.some((one) => /by kind/.test(one.caption)));
    for (const [form, start] of [["csv", /^# Scores/], ["markdown", /\| Player \|/], ["latex", /\\begin\{tab/]]) assert.match(await download(page, `#play-report-${form}`), start);
    const answers = await download(page, "#play-save-answers");
    assert.equal(answers.trim().split("\n").length, 101);
    // The worst come first, and other answers can be looked at.
    const place = page.locator("#play-place");
    await place.filter({ hasText: "1 of 100, the worst first" }).waitFor();
    await page.locator("#play-filter").selectOption("missed");
    await place.filter({ hasText: "1 of 20" }).waitFor();
    await page.locator("#play-answer").filter({ hasText: "It does not solve the position." }).waitFor();
    await page.locator("#play-next").focus();
    await page.keyboard.press("Enter");
    await place.filter({ hasText: "2 of 20" }).waitFor();

    // The file goes on elsewhere: what was exported is the run.
    await page.locator("#play-forget").click();
    await there(page, "No positions yet.");
    await give(page, "run.jsonl", run.map((line) => JSON.stringify(line)).join("\n"));
    await there(page, "100 of 100 answers, 0 failed");
  } finally {
    await server.close();
  }
});

journey("reasons are checked, moves graded by two engines, and the answer opens on the board", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  const server = await LlmServer.open((_, body) => {
    const { file, rank } = rook(body);
    return file === "a" ? `Move: R${file}8#\nWhy: It is checkmate on the back rank.` : `Move: R${file}${rank + 1}\nWhy: White is five queens ahead.`;
  });
  try {
    await open(page, "/players");
    await give(page, "mates.csv", mates(4));
    await there(page, "mates: 4 positions");
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.locator("#play-why").check();
    await page.locator("#play-only-prompt").click();
    await page.locator("#play-prompts").getByText("fen+why").waitFor();
    for (const player of ["Any legal move", "The first legal move", "The network’s policy", "The network’s value", "Stockfish, skill 5"]) await page.getByLabel(player, { exact: true }).check();
    await page.locator("#play-nodes").fill("500");
    await page.locator("#play-nodes").blur();
    await page.locator("#play-start").click();
    await there(page, "24 of 24 answers, 0 failed");
    await page.locator("#play-start").waitFor({ timeout: 120_000 });
    await page.locator("#play-grade-nodes").fill("2000");
    await page.locator("#play-grade-nodes").blur();
    await page.locator("#play-grade").click();
    await page.locator("#play-graded").filter({ hasText: /grades by Stockfish .*2,000 nodes/ }).waitFor({ timeout: 240_000 });
    await page.locator("#play-grade:enabled").waitFor({ timeout: 240_000 });
    const grades = lines(await download(page, "#play-save-grades"));
    const reasons = grades.filter((line) => line.reason);
    assert.equal(reasons.length, 4);
    assert.ok(grades.filter((line) => line.grade).length >= 4);
    await page.locator("#play-grade-8").click();
    await page.locator("#play-graded-8").filter({ hasText: /grades? by Stockfish(\.js)? 8/ }).waitFor({ timeout: 240_000 });
    await page.locator("#play-grade:enabled").waitFor({ timeout: 240_000 });
    await page.getByRole("table", { name: / against Stockfish(\.js)? 8/ }).waitFor({ timeout: 120_000 });
    await page.getByRole("table", { name: /^Reasons for moves/ }).waitFor();
    await page.getByRole("img", { name: "Scores by player" }).waitFor();
    await page.getByRole("img", { name: /Answers by class/ }).waitFor();

    // The worst first, of those that claim what is not so.
    await page.locator("#play-filter").selectOption("claims");
    const answer = page.locator("#play-answer");
    await answer.filter({ hasText: "White is five queens ahead." }).waitFor();
    await answer.locator("cg-board").waitFor();
    const best = await answer.locator("dt", { hasText: /^Best$/ }).locator("+ dd").innerText();
    assert.match(best, /^R[a-e]8#$/);
    await fits(page);
    // A reload brings run and grades back.
    await page.reload();
    await page.locator("#play-graded-8").filter({ hasText: "Stockfish" }).waitFor();
    await page.locator("#play-filter").selectOption("claims");
    await answer.getByRole("link", { name: "Open on the board" }).click();
    await page.locator("cg-board").waitFor();
    await page.waitForFunction(() => location.hash.startsWith("#fen="));
    await page.getByText(/R[a-e][1-8]/).first().waitFor();
  } finally {
    await server.close();
  }
});

journey("what a server does wrong is an error that is kept and made good; the key is in no file", async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource|ERR_|CORS/);
  const server = await LlmServer.open(scripted);
  try {
    await open(page, "/players");
    await give(page, "mates.csv", mates(2));
    await there(page, "mates: 2 positions");
    await openForm(page);
    const modes = ["unauthorized", "no-model", "failing", "page", "down", "broken"];
    for (const mode of modes) {
      await connect(page, `${server.address}${mode}/v1`, KEY);
      await page.locator("#play-start").click();
      await there(page, "0 of 2 answers, 2 failed");
      // Not before the last question of this server has come back.
      await page.locator("#play-start").waitFor({ timeout: 120_000 });
    }
    await connect(page, `${server.address}busy/v1`, KEY);
    await page.locator("#play-start").click();
    await there(page, "2 of 2 answers, 0 failed");
    await page.locator("#play-start").waitFor();
    const run = lines(await download(page, "#play-save"));
    const faults = run.filter((line) => line.line === "row" && line.fault);
    assert.equal(faults.length, 2 * modes.length, "errors stay on the record");
    for (const { fault } of faults) assert.match(fault.kind, /^(transport|time-out)$/);
    assert.ok(!JSON.stringify(run).includes(KEY), "the key is in no file");
    assert.ok(!(await download(page, "#play-report-json")).includes(KEY));
    assert.match(run[0].program, /^kibitz \d+\.\d+\.\d+/);
  } finally {
    await server.close();
  }
});

journey("Stockfish plays games at two levels, and positions are taken from them", async ({ page }) => {
  await open(page, "/players");
  await page.locator("#play-levels").fill("skill 0, nonsense");
  await page.locator("#play-levels").blur();
  await page.locator("#play-games").click();
  await page.locator("#play-problem").filter({ hasText: "is no level" }).waitFor();
  await page.locator("#play-levels").fill("skill 0, elo 1400");
  await page.locator("#play-games-each").fill("1");
  await page.locator("#play-game-nodes").fill("50");
  await page.locator("#play-game-nodes").blur();
  await page.locator("#play-games").click();
  await page.getByRole("progressbar", { name: "Games or positions" }).waitFor();
  await page.locator("#play-save-games").filter({ hasText: "2 games" }).waitFor({ timeout: 240_000 });
  await page.locator("#play-take").selectOption("every");
  await there(page, /2 games: \d+ positions \(.*every position of 2 games\)/);
  const pgn = await download(page, "#play-save-games");
  assert.match(pgn, /\[Level "skill 0"\]/);
  assert.match(pgn, /\[Level "elo 1400"\]/);
  assert.match(pgn, /\[White "Stockfish 19/);
  const suite = lines(await download(page, "#play-save-suite"));
  assert.equal(suite[0].line, "suite");
  assert.deepEqual([...new Set(suite.slice(1).map((at) => at.level))].sort(), ["elo 1400", "skill 0"]);
  // The game's own moves can be played and need no model.
  await page.getByLabel("The game’s own move", { exact: true }).check();
  await page.locator("#play-start").click();
  await there(page, new RegExp(`${suite.length - 1} of ${suite.length - 1} answers, 0 failed`));
});

/** A file's games: their half-moves by the book and all together, and their moves without numbers. */
function read(pgn) {
  return pgn
    .split(/(?=\[Event )/)
    .filter((game) => game.trim())
    .map((game) => {
      const text = game.slice(game.lastIndexOf("]\n") + 2).replace(/\{[^}]*\}/g, " ");
      const moves = text.split(/\s+/).filter((word) => /^[a-hKQRBNO]/.test(word));
      return { book: Number(game.match(/\[BookPlies "(\d+)"\]/)[1]), plies: moves.length, moves: moves.join(" ") };
    });
}

journey("games at levels go on after a reload where they were cut off, and nothing is played twice", async ({ page }) => {
  await open(page, "/players");
  await page.locator("#play-levels").fill("skill 0, skill 3");
  await page.locator("#play-games-each").fill("2");
  await page.locator("#play-game-nodes").fill("3000");
  await page.locator("#play-game-nodes").blur();
  const stands = page.locator("#play-games-there");
  const button = page.locator("#play-games");
  await button.click();
  // Stopped, it goes on where it was; and then the page is gone without a word.
  await page.locator("#play-games-there, .model-run").filter({ hasText: /half-move [1-9]\d/ }).first().waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await stands.filter({ hasText: /^[0-3] of 4 games played; one stands after \d+ half-moves?\.$/ }).waitFor();
  await button.filter({ hasText: "Go on with the games" }).click();
  await stands.filter({ hasText: /^[1-3] of 4/ }).waitFor({ timeout: 240_000 });
  const said = await countSaid(page, "go ");
  await page.reload();
  await button.filter({ hasText: "Go on with the games" }).waitFor();
  const told = (await stands.innerText()).match(/^(\d) of 4 games played(?:; one stands after (\d+) half-moves?)?\.$/);
  const [done, cut] = [Number(told[1]), Number(told[2] ?? 0)];
  assert.ok(done >= 1 && done <= 3, told[0]);
  const before = read(await download(page, "#play-save-games"));
  assert.equal(before.length, done);
  // Their positions are there already, and the form is as it was.
  await there(page, `${done} game`);
  assert.equal(await page.locator("#play-levels").inputValue(), "skill 0, skill 3");
  // Other games begin anew, and these are still there to go on with.
  await page.locator("#play-levels").fill("skill 1");
  await page.locator("#play-levels").blur();
  await button.filter({ hasText: "Play the games" }).waitFor();
  await page.locator("#play-levels").fill("skill 0, skill 3");
  await page.locator("#play-levels").blur();
  await button.filter({ hasText: "Go on with the games" }).click();
  await stands.filter({ hasText: "4 of 4 games played." }).waitFor({ timeout: 240_000 });
  await there(page, "4 games");
  const after = read(await download(page, "#play-save-games"));
  assert.equal(after.length, 4);
  assert.deepEqual(after.slice(0, done), before, "what was over is as it was");
  const own = (games) => games.reduce((sum, { book, plies }) => sum + plies - book, 0);
  const kept = own(before) + (cut > 0 ? cut - after[done].book : 0);
  assert.equal(await said(), own(after) - kept, "every half-move is searched once");
  await page.locator("#play-forget-games").click();
  await stands.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  await page.reload();
  await button.filter({ hasText: "Play the games" }).waitFor();
});

journey("a search that would take minutes ends when it is stopped, in Stockfish 8 too", async ({ page }) => {
  await open(page, "/players");
  await page.locator("#play-take").selectOption("every");
  await give(page, "game.pgn", GAME);
  await there(page, /game: \d+ positions/);
  await page.getByLabel("The first legal move", { exact: true }).check();
  await page.locator("#play-start").click();
  await there(page, /(\d+) of \1 answers, 0 failed/);
  const nodes = page.locator("#play-grade-nodes");
  await nodes.fill("100000000");
  await nodes.blur();
  for (const [button, words] of [["#play-grade", /100,000,000 nodes/], ["#play-grade-8", /200,000 nodes/]]) {
    const started = page.waitForEvent("worker");
    await page.locator(`${button}:enabled`).click();
    const worker = await started;
    const gone = new Promise((resolve) => worker.once("close", resolve));
    await page.locator(".model-run").filter({ hasText: words }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#play-notice").filter({ hasText: "Stopped" }).waitFor();
    await gone;
  }
  await nodes.fill("200");
  await nodes.blur();
  await page.locator("#play-grade:enabled").click();
  await page.locator("#play-graded").filter({ hasText: /grades by Stockfish .*, 200 nodes/ }).waitFor({ timeout: 240_000 });
});

journey("what holds no positions is refused in words", async ({ page }) => {
  await open(page, "/players");
  await give(page, "nonsense.csv", "a,b\n1,2\n");
  await page.locator("#play-problem").filter({ hasText: "nonsense.csv cannot be used: it is neither a suite, puzzles, EPD nor games" }).waitFor();
  await page.locator("#play-board").click();
  await page.locator("#play-problem").filter({ hasText: "has no position to take" }).waitFor();
});
