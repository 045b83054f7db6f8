// Play: the reader's game against the app's model by mouse and keyboard, over a reload, to its PGN and the board page; a model that
// cannot be had; Stockfish that is stopped; a language model that names no legal move.

import { readFile } from "node:fs/promises";
import { connect, openForm, type } from "./connection.mjs";
import { PATIENCE, assert, journey, open, restingBox, shipped } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";

const SLOW = 3 * PATIENCE;

const said = (page, words) => page.locator("#versus-said").filter({ hasText: words }).waitFor({ timeout: SLOW });
const moves = (page) => page.locator("#versus-moves").innerText();
const answered = (page, number) => said(page, new RegExp(`^AV played ${number}… \\S+: win chance [\\d.]+ %\\..* It is your move\\.`));

/** Presses two squares of the game's board, which is not turned. */
async function press(page, ...squares) {
  const board = page.locator("#searchless-play cg-board");
  await board.locator("piece").first().waitFor();
  for (const square of squares) {
    await board.scrollIntoViewIfNeeded();
    const { width } = await restingBox(board);
    const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
    await board.click({ position: { x: ((file + 0.5) * width) / 8, y: ((7.5 - rank) * width) / 8 } });
  }
}

/** Types a move with nothing but the keyboard. */
async function typed(page, move) {
  await page.locator("#versus-move").focus();
  await page.keyboard.type(move);
  await page.keyboard.press("Enter");
}

journey("three moves against AV, by mouse and by keyboard, over a reload, to PGN and the board page", async ({ page }) => {
  await open(page, "/searchless");
  await page.locator("#versus-begin").focus();
  await page.keyboard.press("Enter");
  await said(page, "The game begins. It is your move.");
  await press(page, "e2", "e4");
  await answered(page, 1);
  await typed(page, "e9");
  await page.locator("#versus-move-problem").filter({ hasText: /\S/ }).waitFor();
  await page.locator("#versus-move").fill("");
  await typed(page, "d4");
  await answered(page, 2);
  await typed(page, "c2c3");
  await answered(page, 3);
  const before = await moves(page);
  assert.match(before, /^1\. e4 \S+ 2\. d4 \S+ 3\. c3 \S+$/);

  await page.reload();
  await answered(page, 3);
  assert.equal(await moves(page), before);
  await page.locator("#searchless-play .text-board summary").click();
  await page.locator("#searchless-play .text-board").getByText(/^White: .* pawns .*c3, d4 and e4|^White: .*c3/).waitFor();
  await typed(page, "h3");
  await answered(page, 4);
  // The same position is answered alike: the model draws nothing.
  const whole = await moves(page);
  await page.locator("#versus-back").click();
  await answered(page, 3);
  assert.equal(await moves(page), before);
  await typed(page, "h3");
  await answered(page, 4);
  assert.equal(await moves(page), whole);

  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#versus-save").click()]);
  assert.equal(file.suggestedFilename(), "searchless-game.pgn");
  const pgn = await readFile(await file.path(), "utf8");
  assert.match(pgn, /\[White "You"\]\n\[Black "AV"\]/);
  assert.match(pgn, /1\. e4 \S+ \{win chance [\d.]+ %\} 2\. d4/);

  await page.locator("#versus-resign").click();
  await said(page, "AV has won: resigned.");
  await typed(page, "a3");
  await page.locator("#versus-move-problem").filter({ hasText: "The game is over." }).waitFor();
  await page.locator("#versus-analyse").click();
  await page.locator(".moves").getByRole("button", { name: /^4\. h3/ }).waitFor();
  await page.locator(".moves").getByText(/win chance/).first().waitFor();
});

journey("a model that cannot be had is told of, and can be asked for again", { serviceWorkers: "block" }, async ({ page, complaints }) => {
  await open(page, "/searchless");
  const model = await shipped(page, "searchless-av");
  await page.route(model, (route) => route.fulfill({ status: 404, body: "gone" }));
  complaints.expect(/404/);
  await page.locator("#versus-side").selectOption("black");
  await page.locator("#versus-begin").click();
  await page.locator("#versus-problem").filter({ hasText: /^The AV model that comes with the app can't be had: / }).waitFor();
  assert.equal(await page.locator("#versus-said").count(), 0);
  await page.unroute(model);
  await page.locator("#versus-begin").click();
  await said(page, /^AV played 1\. \S+: win chance/);
  assert.equal(await page.locator("#versus-problem").count(), 0);
});

journey("Stockfish is stopped at work, and let go on; every kind of opponent finds a move", async ({ page }) => {
  await open(page, "/searchless");
  const begin = async (kind, name) => {
    await page.locator("#versus-kind").selectOption(kind);
    await page.locator("#versus-begin").click();
    await said(page, new RegExp(`^${name} played 1\\. \\S+.* It is your move\\.`));
  };
  await page.locator("#versus-side").selectOption("black");
  for (const [kind, name] of [
    ["random", "random"],
    ["SV", "SV"],
    ["BC", "BC"],
    ["policy", "network \\(policy\\)"],
    ["value", "network \\(value\\)"],
    ["skill", "skill 5@1000"],
    ["engine", "engine@1000"],
  ])
    await begin(kind, name);
  await page.locator("#versus-kind").selectOption("each");
  await type(page, page.locator("#versus-nodes"), 1_000_000);
  await page.locator("#versus-begin").click();
  await said(page, "The game begins. It is the move of each@1000000.");
  await page.locator("#versus-stop").click();
  await page.locator("#versus-go-on").waitFor();
  assert.equal(await moves(page), "");
  await typed(page, "e5");
  await page.locator("#versus-move-problem").filter({ hasText: "It is not your move." }).waitFor();
  // The game before is still there.
  await page.locator("#versus-former").click();
  await said(page, /^engine@1000 played 1\. /);
  await page.locator("#versus-kind").selectOption("chat");
  await page.locator("#versus-begin").click();
  await page.locator("#versus-problem").filter({ hasText: "No language model is connected" }).waitFor();
});

journey("a language model is shown the game, is objected to, and loses without a legal move", async ({ page }) => {
  // At first an illegal move, then a legal one; in the second move never.
  const speak = (_, { messages }) => {
    const game = messages.find(({ role }) => role === "user").content;
    return game.includes("2.") || messages.length < 3 ? "Qh5" : "Move: e5";
  };
  const server = await LlmServer.open(speak);
  try {
    await open(page, "/players");
    await openForm(page);
    await connect(page, `${server.address}whole/v1`);
    await open(page, "/searchless");
    await page.locator("#versus-kind").selectOption("chat");
    await page.locator("#versus-begin").click();
    await said(page, "The game begins. It is your move.");
    await typed(page, "e4");
    await said(page, /played 1… e5\. It is your move\./);
    const asked = server.questions.length;
    await typed(page, "Nf3");
    await said(page, /You have won: no legal move was named\. It was asked 3 times\. /);
    assert.equal(server.questions.length, asked + 3);
  } finally {
    await server.close();
  }
});
