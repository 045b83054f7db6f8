// The main job: a position, a move, and what is said of it.

import { PATIENCE, assert, fits, journey, keptForOffline, open, restingBox, until } from "./harness.mjs";
import { GAME, SLOPPY, atFirstLinesEnd, click, commentary, paste, pieces, play, show } from "./play.mjs";

journey("comments on a pasted FEN and a typed move", async ({ page }) => {
  await open(page);
  await paste(page, SLOPPY);
  await page.getByText(/was read as 1/).waitFor();
  await play(page, "9... Qd6");
  const prose = await commentary(page, "1… Qd6");
  assert.match(prose, /Qd6/);
  assert.doesNotMatch(prose, /\d\.\d|centipawn|%/, "no engine numbers in prose");
  // The engine's lines, and what the move costs.
  await show(page, "Engine");
  const engine = page.locator(".engine");
  await engine.getByText(/winning chance/).first().waitFor();
  assert.match(await engine.innerText(), /Stockfish 19/);
  // Three lines and the played one.
  await until(() => engine.locator("tbody tr").count(), (count) => count === 4);
  // All 21 concepts, six at first.
  await show(page, "Concepts");
  const concepts = page.locator(".concept");
  await concepts.nth(5).waitFor();
  assert.equal(await concepts.count(), 6);
  await page.getByRole("button", { name: "15 more" }).click();
  await concepts.nth(20).waitFor();
  assert.equal(await concepts.count(), 21);
  // Every sentence says what it rests on.
  await show(page, "Commentary");
  await page.getByText("What this rests on").click();
  for (const grounds of await page.locator(".grounds > ul > li").all()) assert.ok((await grounds.locator("li").count()) > 0);
  // The board stands beside the words.
  const [board, words] = await Promise.all([restingBox(page.locator("cg-board")), restingBox(page.locator(".commentary").first())]);
  assert.ok(board.x + board.width <= words.x && words.y < board.y + board.height, "side by side");
  // The blue arrow is on the board.
  await page.locator(".cg-shapes line, .cg-shapes path, .cg-shapes g g").first().waitFor({ state: "attached" });
});

journey("moves by two clicks, promotes, and flips", async ({ page }) => {
  await open(page);
  await paste(page, "8/P6k/8/8/8/8/8/K7 w - - 0 1");
  await page.waitForFunction(() => document.querySelectorAll("cg-board piece:not(.ghost):not(.fading)").length === 3);
  await pieces(page);
  await click(page, "a7");
  await click(page, "a8");
  await page.getByRole("dialog", { name: /Promotion/ }).getByRole("button", { name: "Cancel" }).click();
  assert.equal((await pieces(page))["0,1"], "white pawn", "the pawn is back");
  await click(page, "a7");
  await click(page, "a8");
  // The choice has the keyboard: the queen first, and the knight three further.
  await page.waitForFunction(() => document.activeElement.id === "first-promotion");
  // Its figure stands on the pawn's square.
  const [figure, square] = await page.evaluate(() => {
    const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2].map(Math.round);
    const board = document.querySelector("cg-board").getBoundingClientRect();
    const side = board.width / 8;
    const figure = document.querySelector("#first-promotion piece.white.queen").getBoundingClientRect();
    return [centre(figure), centre({ left: board.left, top: board.top, width: side, height: side })];
  });
  for (const axis of [0, 1]) assert.ok(Math.abs(figure[axis] - square[axis]) <= 3, `${figure} is not over ${square}`);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await commentary(page, "1. a8=N");
  await page.getByRole("button", { name: "Flip" }).click();
  await page.locator(".cg-wrap.orientation-black").waitFor();
});

journey("moves by a drag, and the board does not wait for the engine", { serviceWorkers: "block" }, async ({ page, context }) => {
  // Neither engine nor labels ever arrive.
  const never = () => {};
  await context.route(/stockfish/, never);
  await open(page);
  await pieces(page);
  const board = page.locator("cg-board");
  const { width } = await restingBox(board);
  const at = (file, rank) => ({ position: { x: ((file + 0.5) * width) / 8, y: ((7.5 - rank) * width) / 8 } });
  // Hovering waits until the board stands still: cards that fill beside it may still move it.
  await board.hover(at(4, 1));
  await page.mouse.down();
  await board.hover(at(4, 2));
  await board.hover(at(4, 3));
  await page.mouse.up();
  await page.getByRole("heading", { name: "1. e4", exact: true }).waitFor();
  assert.equal((await pieces(page))["4,4"], "white pawn");
  await play(page, "c5");
  await page.getByRole("heading", { name: "1… c5", exact: true }).waitFor();
  assert.equal((await pieces(page))["2,3"], "black pawn");
});

journey("opens a PGN file, and takes a dropped one", async ({ page }) => {
  await open(page);
  const file = { name: "opera.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(GAME) };
  await page.locator(".input input[type=file]").setInputFiles(file);
  await page.getByText("A weak move already.").waitFor();
  const two = `${GAME}\n\n[White "A"]\n[Black "B"]\n\n1. d4 d5 *\n`;
  const transfer = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "two.pgn"));
    return transfer;
  }, two);
  await page.locator(".input form").dispatchEvent("drop", { dataTransfer: transfer });
  await page.getByText("2 games in this file").waitFor();
  await page.locator("#game-search").fill("b a");
  await page.locator(".games").getByRole("button", { name: "2. A – B" }).click();
  await page.locator(".players").getByText("A – B").waitFor();
  await page.locator(".moves").getByRole("button", { name: /d5/ }).click();
  await commentary(page, "1… d5");
});

journey("walks through a PGN and comments on its moves", async ({ page }) => {
  await open(page);
  await paste(page, GAME);
  await page.getByText("A weak move already.").waitFor();
  await page.locator("#main").focus();
  for (let i = 0; i < 6; i += 1) await page.keyboard.press("ArrowRight");
  await commentary(page, "3… Bg4");
  await page.keyboard.press("ArrowLeft");
  await commentary(page, "3. d4");
  // A variation by a click in the list.
  await page.locator(".variation").getByRole("button", { name: /Bb5/ }).click();
  await commentary(page, "3. Bb5");
  // A move that was looked at before is there at once.
  await page.keyboard.press("Home");
  await page.getByText(/the position before the first move/).waitFor();
});

journey("a chip shows its position, and plays it", async ({ page }) => {
  await open(page, "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6");
  const prose = await commentary(page, "3… Nf6");
  assert.match(prose, /blunder/);
  assert.match(prose, /Qxf7#/);
  // What the move allows and what was better are drawn, and named.
  await page.locator(".arrows").getByText("Qxf7# is what the move allows").waitFor();
  await page.locator(".arrows").getByText(/was better$/).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("svg.cg-shapes line").length === 3);
  const before = await pieces(page);
  const chip = page.locator("#narration").getByRole("button", { name: /Qxf7#/ });
  await chip.hover();
  const shown = (count) => document.querySelectorAll("cg-board piece:not(.ghost):not(.fading)").length === count;
  await page.waitForFunction(shown, Object.keys(before).length - 1);
  await chip.click();
  const mate = await commentary(page, "4. Qxf7#");
  assert.match(mate, /checkmate/);
});

journey("what a sentence speaks of is lit on the board", async ({ page }) => {
  await open(page);
  await paste(page, "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1");
  await play(page, "Nc7+");
  await commentary(page, "1. Nc7+");
  // Rings are circles in chessground's drawing: squares of the sentence, and arrows to what the knight forks.
  const rings = page.locator("svg.cg-shapes circle");
  assert.equal(await rings.count(), 0);
  await page.locator("#narration .sentence").first().focus();
  await rings.first().waitFor({ state: "attached" });
  await page.locator("#move").focus();
  await rings.first().waitFor({ state: "detached" });
  // By the mouse, and on the sheet of facts.
  const sentence = page.locator("#narration .sentence").first();
  await sentence.hover({ position: await atFirstLinesEnd(sentence) });
  await rings.first().waitFor({ state: "attached" });
  await page.getByText(/^Fact sheet \(/).click();
  await rings.first().waitFor({ state: "detached" });
  const fact = page.locator(".facts .pointed").filter({ hasText: /fork/i }).first();
  await fact.hover();
  await rings.first().waitFor({ state: "attached" });
  await page.getByText(/^Fact sheet \(/).hover();
  await rings.first().waitFor({ state: "detached" });
  // A move of the engine's line stands on the board while it is pointed at.
  await show(page, "Engine");
  // The king leaves e8 with the answer to the check.
  const answer = page.locator(".engine tbody tr", { hasText: "Nc7+" }).first().locator(".chip").nth(1);
  await answer.hover();
  const isHome = (home) => [...document.querySelectorAll("cg-board piece.black.king")].some((piece) => piece.cgKey === "e8") === home;
  await page.waitForFunction(isHome, false);
  await page.locator("#move").hover();
  await page.waitForFunction(isHome, true);
  await show(page, "Commentary");
  // The overlay: the fork, and the rook that can be won.
  await page.getByRole("button", { name: "Tactics" }).click();
  await rings.first().waitFor({ state: "attached" });
  await page.locator(".arrows").getByText("can be won").waitFor();
  await page.getByRole("button", { name: "Tactics" }).click();
  await rings.first().waitFor({ state: "detached" });
});

journey("what a sentence speaks of is lit at a tap", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async ({ page }) => {
  await open(page);
  await paste(page, "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1");
  await play(page, "Nc7+");
  await commentary(page, "1. Nc7+");
  const rings = page.locator("svg.cg-shapes circle");
  assert.equal(await rings.count(), 0);
  // Beside the moves in it, which would be played.
  const sentence = page.locator("#narration .sentence").first();
  await sentence.tap({ position: await atFirstLinesEnd(sentence) });
  await rings.first().waitFor({ state: "attached" });
});

journey("a link restores the view", async ({ page, context }) => {
  await open(page);
  await paste(page, GAME);
  await page.locator("#main").focus();
  await page.keyboard.press("End");
  await commentary(page, "7… Qe7");
  const address = page.url();
  assert.match(address, /#fen=/);
  const other = await context.newPage();
  await other.goto(address);
  await commentary(other, "7… Qe7");
  assert.deepEqual(await pieces(other), await pieces(page));
  // An address that is changed by hand is read as well.
  await other.evaluate(() => {
    location.hash = "#fen=startpos&move=d4";
  });
  await commentary(other, "1. d4");
});

journey("nothing that was open is lost", async ({ page }) => {
  await open(page);
  const names = page.locator(".players .names");
  await paste(page, GAME);
  await names.getByText("Morphy, Paul – Duke of Brunswick").waitFor();
  await names.getByText("1-0").waitFor();
  // Text with a move in it is no game, and replaces none.
  const prose = "d4 is what I would like to see on this board, but the list of what has to be done before is long. ";
  await paste(page, prose.repeat(2_000));
  await page.locator("#paste-problem").getByText("This is hardly a game").waitFor();
  await names.getByText("Morphy").waitFor();
  // Back and Forward go through the positions, and through what was pasted over the game.
  await page.locator(".moves").getByRole("button", { name: /^3… Bg4/ }).click();
  await commentary(page, "3… Bg4");
  await page.locator(".moves").getByRole("button", { name: /^4\. dxe5/ }).click();
  await commentary(page, "4. dxe5");
  await page.goBack();
  await commentary(page, "3… Bg4");
  await page.goForward();
  await commentary(page, "4. dxe5");
  const morphy = page.url();
  await paste(page, SLOPPY);
  await names.waitFor({ state: "detached" });
  // Its address is a step of the browser's history only once it is shown.
  await page.waitForURL((url) => url.href !== morphy);
  await page.goBack();
  await names.getByText("Morphy").waitFor();
  await commentary(page, "4. dxe5");
  await page.goForward();
  await names.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo: back to Morphy, Paul – Duke of Brunswick" }).click();
  await names.getByText("Morphy").waitFor();
  await commentary(page, "4. dxe5");
  // All games of a file are there after a reload, the open one where it was.
  await paste(page, `${GAME}\n\n[White "A"]\n[Black "B"]\n\n1. d4 d5 *\n`);
  await page.locator(".games").getByRole("button", { name: "2. A – B" }).click();
  await page.locator(".moves").getByRole("button", { name: /d5/ }).click();
  await commentary(page, "1… d5");
  await page.reload();
  await page.getByText("2 games in this file").waitFor();
  await names.getByText("A – B").waitFor();
  await commentary(page, "1… d5");
  await page.locator(".games").getByRole("button", { name: /^1\. Morphy/ }).click();
  await names.getByText("Morphy").waitFor();
});

journey("the board stays beside the words", { viewport: { width: 1280, height: 860 } }, async ({ page }) => {
  await open(page, "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6");
  await commentary(page, "3… Nf6");
  const within = (selector) => restingBox(page.locator(selector).first(), ({ y, height }) => y >= 0 && y + height <= 860);
  // In the first view.
  for (const selector of [".board", "#move", "#paste", ".examples", ".tabs", "#narration"]) await within(selector);
  await page.getByText(/^Fact sheet \(/).click();
  await page.locator(".facts ol > li").last().scrollIntoViewIfNeeded();
  assert.ok((await page.evaluate(() => scrollY)) > 0, "there is more than one view of it");
  // The board is still there.
  await within(".board");
  // The tabs by keyboard: the arrows go round, and the game stays where it is.
  await page.locator(".facts summary").focus();
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement.id === "tab-commentary")); i += 1)
    await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await page.locator(".engine tbody tr").first().waitFor();
  await page.keyboard.press("End");
  await page.getByRole("heading", { name: "Language model" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "3… Nf6", exact: true }).waitFor();
});

journey("refuses what it can't read, says why, and keeps what was there", async ({ page }) => {
  await open(page, "fen=8/8/8/8/8/5k2/6p1/6K1_b_-_-_0_1");
  const before = await pieces(page);
  const problem = page.locator("#paste-problem");
  const bad = [
    ["r1bqkb1r/pppp1ppp/2n2n2/4p3 b - - 0 0", /row/i],
    ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1", /king/i],
    ["hello", /./],
    ["<img src=x onerror=alert(1)>", /./],
  ];
  for (const [text, reason] of bad) {
    await paste(page, text);
    await problem.getByText("What you had stays.").waitFor();
    assert.match(await problem.innerText(), reason);
    assert.deepEqual(await pieces(page), before);
    assert.equal(await page.getByLabel(/Paste a FEN/).inputValue(), text, "the text stays in the box");
  }
  await play(page, "Nf9");
  assert.match(await page.locator("#move-problem").innerText(), /\w/);
  assert.deepEqual(await pieces(page), before);
});

journey("comments with the network off", async ({ page, context }) => {
  await open(page);
  await keptForOffline(page);
  await page.getByText("Ready for offline use").waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  await paste(page, SLOPPY);
  await play(page, "Bg4");
  await commentary(page, "1… Bg4");
  await show(page, "Engine");
  await page.locator(".engine tbody tr").first().waitFor();
  assert.equal(await page.locator(".concept").count(), 6);
});

journey("needs no mouse", async ({ page }) => {
  await open(page);
  // From the top of the page to the box, by Tab alone.
  const reach = async (matches) => {
    for (let i = 0; i < 60; i += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(matches)) return;
    }
    assert.fail(`not reached by Tab: ${matches}`);
  };
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip/);
  await reach(() => document.activeElement.id === "paste");
  await page.keyboard.type("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await reach(() => document.activeElement.textContent === "Read it");
  await page.keyboard.press("Enter");
  await page.getByText(/White to move/i).first().waitFor({ state: "attached" });
  await page.keyboard.press("Shift+Tab");
  await page.locator("#move").focus();
  await page.keyboard.type("e4");
  await page.keyboard.press("Enter");
  await commentary(page, "1. e4");
  await page.locator("#main").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText(/the position before the first move/).waitFor();
});

journey("fits a phone", { viewport: { width: 360, height: 740 }, hasTouch: true }, async ({ page }) => {
  await open(page, "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6");
  await commentary(page, "3… Nf6");
  await fits(page);
  await page.evaluate(() => scrollTo(0, 0));
  const [board, prose, input] = await Promise.all(
    [".board", ".commentary", ".input"].map(async (selector) => (await restingBox(page.locator(selector))).y),
  );
  assert.ok(board < input && input < prose, "board, then the box, then the prose");
  // Whatever is read, the board stays in sight.
  await page.locator(".game-column, .facts").last().scrollIntoViewIfNeeded();
  await restingBox(page.locator(".board"), ({ y, height }) => y >= 0 && y + height <= 740);
});

journey("on a phone the header is one row, and the letters stand below their files", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async ({ page }) => {
  await open(page, "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6");
  await commentary(page, "3… Nf6");
  await page.locator("coords.files coord").last().waitFor();
  const { header, tallest, board, coords, tops } = await page.evaluate(() => {
    const box = (element) => element.getBoundingClientRect().toJSON();
    const top = document.querySelector("header.top");
    const parts = [...top.children].map(box).filter(({ width, height }) => width > 0 && height > 0);
    return {
      header: box(top),
      tallest: Math.max(...parts.map(({ height }) => height)),
      board: box(document.querySelector("cg-board")),
      coords: ["files", "ranks"].map((kind) =>
        [...document.querySelectorAll(`coords.${kind} coord`)].map((coord) => {
          const letters = document.createRange();
          letters.selectNodeContents(coord);
          return { text: coord.textContent, font: Number.parseFloat(getComputedStyle(coord).fontSize), ...box(letters) };
        }),
      ),
      tops: [".board", ".input", ".tabs"].map((selector) => box(document.querySelector(selector)).top),
    };
  });
  // One row: no higher than its tallest part with the space around it.
  assert.ok(header.height < 1.6 * tallest && header.height < 64, `the header is ${header.height} px high, its tallest part ${tallest}`);
  // Seen from Black's side the letters are drawn from right to left.
  const files = coords[0].toSorted((a, b) => a.left - b.left);
  const ranks = coords[1];
  const side = board.width / 8;
  // Black moves, and sits below: the board begins with the h-file.
  assert.equal(files.map(({ text }) => text.toLowerCase()).join(""), "hgfedcba");
  for (const [index, { text, left, right, font }] of files.entries()) {
    const centre = (left + right) / 2 - board.left;
    assert.ok(centre > index * side && centre < (index + 1) * side, `${text} is at ${centre}, its file from ${index * side} on`);
    assert.ok(font >= 11, `${text}: ${font} px`);
  }
  for (const { text, top, bottom, font } of ranks) {
    const row = Number(text) - 1;
    const centre = (top + bottom) / 2 - board.top;
    assert.ok(centre > row * side && centre < (row + 1) * side, `${text} is at ${centre}, its rank from ${row * side} on`);
    assert.ok(font >= 11, `${text}: ${font} px`);
  }
  assert.ok(tops[0] < tops[1] && tops[1] < tops[2], `board, box, cards: ${tops}`);
});

// Searches that last: there must be something to stop on any machine.
journey("says how sure it is, looks deeper, and explains terms to beginners", { engine: { time: 3_000 } }, async ({ page }) => {
  await open(page);
  // A knight forks king and rook.
  await paste(page, "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1");
  await play(page, "Nc7+");
  const prose = await commentary(page, "1. Nc7+");
  assert.match(prose, /fork/i);
  const trust = page.locator("#trust");
  await trust.getByText(/searches (agree|still differ)/).waitFor();
  await page.locator(".judgement").getByRole("button", { name: "Look deeper" }).click();
  await page.locator('.commentary .prose[aria-busy="true"]').waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator('.commentary .prose[aria-busy="false"]').waitFor({ timeout: 3 * PATIENCE });
  await page.locator("#voice").selectOption("beginner");
  await page.locator("#narration").getByText(/A fork is an attack on two pieces at once/).waitFor();
  await page.locator("#voice").selectOption("club");
  await page.waitForFunction(() => !document.querySelector("#narration").innerText.includes("A fork is"));
});
