// The page in a user's words: what the journeys do and look for.

import { PATIENCE, assert, restingBox } from "./harness.mjs";

/** A sloppy FEN as the paper's authors write them, and its move. */
export const SLOPPY = "r1bqk2r/ppp2ppp/8/3nb3/8/4PN2/PP3PPP/R1BQKB1R b - - 0 0";

export const GAME = `[White "Morphy, Paul"]
[Black "Duke of Brunswick"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 (2... Nc6 3. Bb5 a6) 3. d4 Bg4 {A weak move already.} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 1-0`;

/** Pastes a text into the box and reads it. */
export async function paste(page, text) {
  await page.getByLabel(/Paste a FEN/).fill(text);
  await page.getByRole("button", { name: "Read it" }).click();
}

/** Types a move. */
export async function play(page, move) {
  await page.getByLabel("Type a move").fill(move);
  await page.getByRole("button", { name: "Play", exact: true }).click();
}

/** Opens a panel beside the board: "Commentary", "Engine", "Concepts", "Network", "Model". */
export async function show(page, panel) {
  const tab = page.getByRole("tab", { name: panel, exact: true });
  // A click would take the keyboard with it.
  if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
}

/**
 * Where the first line of a text ends, from its box's corner: over its words. The middle of a text of two lines may lie
 * between them, and where it begins may be a move, which is a button.
 */
export function atFirstLinesEnd(locator) {
  return locator.evaluate((element) => {
    const [line, box] = [element.getClientRects()[0], element.getBoundingClientRect()];
    return { x: line.right - box.left - 4, y: line.top - box.top + line.height / 2 };
  });
}

/** Waits for the narrator's prose on the move with this label and returns it. */
export async function commentary(page, label) {
  await show(page, "Commentary");
  await page.getByRole("heading", { name: label, exact: true }).waitFor();
  await page.locator("#narration .sentence").first().waitFor();
  // The first prose may change until the engine's searches agree.
  await page.locator('.commentary .prose[aria-busy="false"]').waitFor({ timeout: 3 * PATIENCE });
  const prose = (await page.locator("#narration").innerText()).trim();
  assert.ok(prose.length > 10, `prose on ${label}`);
  return prose;
}

/** The pieces on the drawn board once they stand still, as a map from "x,y" (from the board's top left) to "white king". */
export async function pieces(page) {
  await page.locator("cg-board piece").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("cg-board piece.anim, cg-board piece.fading"));
  return page.locator("cg-board").evaluate((board) => {
    const side = board.getBoundingClientRect().width / 8;
    const found = {};
    for (const piece of board.querySelectorAll("piece:not(.ghost)")) {
      const box = piece.getBoundingClientRect();
      const edge = board.getBoundingClientRect();
      const x = Math.round((box.left - edge.left) / side);
      const y = Math.round((box.top - edge.top) / side);
      found[`${x},${y}`] = piece.className.split(" ").slice(0, 2).join(" ");
    }
    return found;
  });
}

/** Clicks a square of the drawn board, White at the bottom. */
export async function click(page, square) {
  const board = page.locator("cg-board");
  // chessground learns of a scroll with the next frame; a click in the same one would land beside the square.
  await board.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const { width } = await restingBox(board);
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const side = width / 8;
  await board.click({ position: { x: (file + 0.5) * side, y: (7.5 - rank) * side }, force: true });
}

/** Drops a file on the network's card. */
export async function drop(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, encoded]) => {
      const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, bytes.toString("base64")],
  );
  await page.locator(".network").dispatchEvent("drop", { dataTransfer: transfer });
}

/** Opens the choice of who names the concepts, where it is closed. */
export async function showSources(page) {
  const more = page.locator("#concepts-more");
  if (!(await more.evaluate((details) => details.open))) await more.locator("> summary").click();
}

/** Chooses who names the concepts: "Probes", "Stockfish 8", "Both". */
export async function chooseSource(page, name) {
  await showSources(page);
  await page.locator(".concepts .segment").filter({ hasText: name }).click();
}

/** Begins a study with the demonstration, which is fetched: until it is there, what is typed would be replaced by it. */
export async function startFromDemonstration(page) {
  await page.locator("#builder-demonstration").click();
  await page.locator("#builder-counts").getByText(/^8 items/).waitFor();
}
