// Whole games: annotating one with the real engine, stopping and going on, the graph, the comments, and what is saved.

import { readFile } from "node:fs/promises";
import { objections } from "./axe.mjs";
import { assert, countSaid, journey, open } from "./harness.mjs";
import { commentary, paste, play, show } from "./play.mjs";
import { connect, openForm } from "./connection.mjs";
import { LlmServer } from "./llm_server.mjs";

/** Legal's mate, with tags and comments as a hostile PGN may hold them. */
const HOSTILE = `[Event "<script>document.title='pwned'</script>"]
[White "<img src=x onerror=document.title='pwned'>"]
[Black "Saint Brie & Co"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 {Solid. [%clk 0:04:58]} 3. Bc4 Bg4 (3... Be7 {was safer}) 4. Nc3 g6 {<b onclick=alert(1)>bold</b>}
5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
`;
const MOVES = ["e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1", "Bxf7+", "Ke7", "Nd5#"];

async function effort(page, label) {
  await show(page, "Engine");
  await page.locator("#limit").selectOption({ label });
  await show(page, "Commentary");
}

async function done(page) {
  await page.getByText(/^Done: all \d+ positions are searched\./).waitFor();
}

/** Presses a button that saves, and returns the file's name and text. */
async function saved(page, name) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  const file = await download;
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

journey("a game is annotated, shown and saved", async ({ page, context }) => {
  await open(page);
  await paste(page, HOSTILE);
  const card = page.locator(".whole-game");
  await card.getByText("13 positions, 5,000 nodes each").waitFor();
  await card.getByRole("button", { name: "Annotate the game" }).click();
  await done(page);

  // The graph: a path, a dot for the blunder, a slider and a table that say the same.
  assert.match(await card.locator(".curve").getAttribute("d"), /^M0\.0 [\d.]+(L[\d.]+ [\d.]+){13}$/);
  assert.ok((await card.locator(".dot.blunder").count()) >= 1);
  const slider = card.getByRole("slider");
  assert.equal(await slider.getAttribute("aria-valuemax"), "13");
  await slider.focus();
  await page.keyboard.press("Home");
  for (let move = 1; move <= 10; move++) await page.keyboard.press("ArrowRight");
  // What is drawn follows the keys in turns with the browser.
  const says = (pattern) =>
    page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".whole-game [role=slider]")?.getAttribute("aria-valuetext")), pattern.source);
  await says(/^5… Bxd1, blunder: White’s winning chance 100 %$/);
  await commentary(page, "5… Bxd1");
  await page.keyboard.press("End");
  await says(/^7\. Nd5# \(checkmate\): White’s winning chance 100 %$/);
  // A click on the graph goes to the move: the strip of 3. Bc4.
  await card.locator(".strip").nth(5).click();
  await page.getByRole("heading", { name: "3. Bc4", exact: true }).waitFor();
  await card.getByText("The graph as a table").click();
  await card.locator(".win-table tbody tr").nth(13).waitFor();
  assert.equal(await card.locator(".win-table tbody tr").count(), 14);

  // Counts of both sides, the move list, and prose on the move that lost the game.
  const blunders = card.locator(".tallies tr", { hasText: "blunders" });
  assert.ok(Number((await blunders.locator("td").nth(1).innerText()).trim()) >= 1);
  assert.equal(await page.locator(".moves").getByRole("button", { name: "5… Bxd1, blunder" }).innerText(), "Bxd1??");
  const note = card.locator(".notes li", { hasText: "5… Bxd1" });
  assert.ok((await note.locator("p:not(.reason)").first().innerText()).length > 20);
  assert.match(await note.innerText(), /winning chance: \d+ % with the best move, 0 % after this one\..*The engine’s line: 5…/s);
  const few = await card.locator(".notes li").count();
  await card.getByText("Every move").click();
  await page.waitForFunction(() => document.querySelectorAll(".whole-game .notes li").length === 13);
  assert.ok(few < 13);
  await card.getByText("Turning points").click();

  // What is saved as PGN holds the game, the author's words and ours; and comes back as the same game.
  const [name, pgn] = await saved(page, "Save PGN");
  assert.match(name, /^[a-z0-9-]+-annotated\.pgn$/);
  assert.match(pgn, /\[Annotator "Kibitz [\d.]+ \(Stockfish 19[^"]*, 5,000 nodes a position\)"\]/);
  const flat = pgn.replace(/\s+/g, " ");
  const main = flat.replace(/\[\w+ "(\\.|[^"\\])*"\]|\{[^}]*\}|\([^)]*\)|\$\d+|\d+\.+|1-0/g, " ");
  assert.deepEqual(main.trim().split(/\s+/), MOVES);
  assert.match(flat, /5\.\.\. Bxd1 \$4 \{\[%eval #2\] \[%kibitz 4\] [^}]+ \[%kibitz end\]\}/);
  assert.match(flat, /2\.\.\. d6 \{\[%eval -?\d+\.\d\d\] Solid\. \[%clk 0:04:58\]/);
  assert.match(flat, /\(3\.\.\. Be7 \{was safer\}\)/);

  // The report runs nothing, fetches nothing, and shows names as text.
  const [, html] = await saved(page, "Save HTML");
  const report = await context.newPage();
  const fetched = [];
  report.on("request", (request) => fetched.push(request.url()));
  await report.setContent(html);
  assert.match(await report.locator("h1").innerText(), /^<img src=x onerror=document\.title='pwned'> – Saint Brie & Co, 1-0$/);
  assert.equal(await report.locator("script, img, b, [onclick], [onerror]").count(), 0);
  assert.equal(await report.locator("svg .dot").count() > 0, true);
  assert.match(await report.locator("h3").allInnerTexts().then((all) => all.join()), /5… Bxd1\?\? blunder/);
  assert.deepEqual(fetched, []);
  await report.close();
  const [, text] = await saved(page, "Save text");
  assert.match(text, /^5… Bxd1\?\? \(a blunder\)$/m);

  // Nothing of the game's text was taken for markup on the page either.
  assert.notEqual(await page.title(), "pwned");
  assert.equal(await page.locator("img[src=x], b[onclick]").count(), 0);
  await paste(page, pgn);
  await page.locator(".moves").getByText("Solid.", { exact: true }).waitFor();
  assert.doesNotMatch(await page.locator(".moves").innerText(), /%/);
});

for (const viewport of [{ width: 1280, height: 860 }, { width: 390, height: 844 }]) {
  journey(`a concept's course along the game, at ${viewport.width}`, { viewport, colorScheme: "dark", reducedMotion: "reduce" }, async ({ page }) => {
    await open(page);
    await show(page, "Network");
    await page.getByText("the default network,").waitFor();
    await show(page, "Commentary");
    await paste(page, HOSTILE);
    const card = page.locator(".whole-game");
    await card.getByRole("button", { name: "Annotate the game" }).click();
    await done(page);
    await card.getByLabel("Course of a concept").selectOption({ label: "material" });
    const summary = card.getByText(/^Material: \S+ at the start, \S+ after 7\. Nd5#; highest .*, lowest .*; largest changes: .*\.$/);
    await summary.waitFor();

    // A line through every position, dots for the largest changes, and the same in words and as a table.
    const slider = card.getByRole("slider", { name: "material along the game; the arrows go from move to move" });
    assert.match(await card.locator(".course .curve").getAttribute("d"), /^M0\.0 [\d.]+(L[\d.]+ [\d.]+){13}$/);
    const dots = await card.locator(".course .dot").count();
    assert.ok(dots >= 1 && dots <= 3, `${dots} dots`);
    await card.getByText("The course as a table").click();
    const rows = card.getByRole("region", { name: "The course as a table" }).locator("tbody tr");
    await rows.nth(13).waitFor();
    assert.equal(await rows.count(), 14);
    assert.equal(await rows.filter({ hasText: "turning point" }).count(), dots);

    // By keyboard, as in the graph above; both say where the board is.
    const says = (pattern) =>
      page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".course[role=slider]")?.getAttribute("aria-valuetext")), pattern.source);
    await slider.focus();
    await page.keyboard.press("Home");
    await says(/^Start: [+−]?\d\.\d\d$/);
    await page.keyboard.press("PageDown");
    await says(/^Start: /);
    await page.keyboard.press("PageUp");
    await says(/^5… Bxd1: [+−]?\d\.\d\d, changed by [+−]?\d\.\d\d/);
    await page.locator(".win-graph[role=slider][aria-valuenow='10']").waitFor();
    // By mouse: the strip of 3. Bc4, whose words are in its title.
    const strip = card.locator(".course .strip").nth(5);
    assert.match(await strip.locator("title").textContent(), /^3\. Bc4: /);
    await strip.click();
    await page.getByRole("heading", { name: "3. Bc4", exact: true }).waitFor();

    // The concept is the one that the board is shaded by.
    await page.locator("cg-board square[class*='share-']:visible").first().waitFor();
    await card.getByLabel("Course of a concept").selectOption({ label: "White's mobility" });
    await card.getByText(/^White's mobility: \S+ at the start, /).waitFor();
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    assert.deepEqual(await objections(page, "course"), []);
    await card.getByLabel("Course of a concept").selectOption({ label: "none" });
    await card.locator(".course").waitFor({ state: "detached" });
    await page.locator("cg-board square[class*='share-']:visible").first().waitFor({ state: "detached" });
  });
}

journey("a course that is being read stops and goes on", async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await show(page, "Commentary");
  const moves = Array.from({ length: 60 }, (_, index) => `${index + 1}. ${["Nf3 Nf6", "Ng1 Ng8"][index % 2]}`).join(" ");
  await paste(page, `${moves} *`);
  const card = page.locator(".whole-game");
  await card.getByRole("button", { name: "Annotate the game" }).click();
  await card.getByText(/^[1-9]\d* of 121 positions/).waitFor();
  await card.getByRole("button", { name: "Stop", exact: true }).click();
  await card.getByLabel("Course of a concept").selectOption({ label: "Black's space" });
  await card.getByText(/^[1-9]\d* of 121 positions$/).waitFor();
  await card.getByRole("button", { name: "Stop reading" }).click();
  const stopped = card.getByText(/^Stopped: [1-9]\d* of 121 positions are read\.$/);
  await stopped.waitFor();
  const points = async () => (await card.locator(".course .curve").getAttribute("d")).split("L").length;
  const before = await points();
  assert.ok(before < 121, `${before} positions`);
  await card.getByRole("button", { name: "Read on" }).click();
  await card.getByText(/^Black's space: \S+ at the start, \S+ after 60… Ng8; /).waitFor();
  assert.equal(await points(), 121);
});

journey("an annotation stops, goes on, and gives way to the move under discussion", async ({ page }) => {
  await open(page);
  await effort(page, "1,000,000 nodes");
  await paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
  const card = page.locator(".whole-game");
  await card.getByRole("button", { name: "Annotate the game" }).click();
  await card.getByText(/^[1-5] of 6 positions, about \d+ s left$/).waitFor();
  await card.getByRole("button", { name: "Stop" }).click();
  const status = card.getByText(/^Stopped: [1-5] of 6 positions are searched\.$/);
  await status.waitFor();
  const before = Number(/(\d) of/.exec(await status.innerText())[1]);
  // What is done is there, and the rest is not begun again.
  assert.ok((await card.locator(".curve").getAttribute("d")).startsWith("M0.0"));
  await card.getByRole("button", { name: "Go on" }).click();
  await card.getByText(/^[1-5] of 6 positions/).waitFor();
  assert.ok(Number(/(\d) of/.exec(await card.locator(".progress").innerText())[1]) >= before);
  // A move that the user plays is answered first; the annotation then goes on by itself, with the nodes that it began with.
  await effort(page, "100,000 nodes");
  await play(page, "a6");
  await commentary(page, "3… a6");
  await done(page);
  // That move has made the main line longer by one: its position was searched too.
  await card.getByText("Done: all 7 positions are searched.").waitFor();

  // Another game has an annotation of its own; the first one's is still there afterwards.
  await paste(page, "1. d4 d5 *");
  await card.getByRole("button", { name: "Annotate the game" }).waitFor();
  await paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
  await card.getByText("Done: all 7 positions are searched.").waitFor();
  await card.getByRole("button", { name: "Annotate again, 100,000 nodes each" }).click();
  await done(page);
});

journey("a game and its annotation are there again after a reload", async ({ page }) => {
  await open(page);
  await paste(page, `[White "Morphy"]\n\n${HOSTILE.slice(HOSTILE.indexOf("1. e4"))}`);
  const card = page.locator(".whole-game");
  await card.getByRole("button", { name: "Annotate the game" }).click();
  await done(page);
  const moves = page.locator(".moves");
  const notes = card.locator(".notes li");
  const shown = async () => [await moves.innerText(), await card.locator(".curve").getAttribute("d"), await notes.allInnerTexts()];
  await moves.getByRole("button", { name: "3… Bg4", exact: true }).click();
  await commentary(page, "3… Bg4");
  // The last thing that is said, in turns after the searches.
  const told = notes.filter({ hasText: "Nd5# is checkmate." });
  await told.waitFor();
  const before = await shown();
  // Searching is over: what comes back was not searched again.
  const searches = await countSaid(page, "go ");
  await page.reload();
  await commentary(page, "3… Bg4");
  await done(page);
  await told.waitFor();
  assert.deepEqual(await shown(), before);
  // From the move under discussion it looks ahead; the game would take more.
  const again = await searches();
  assert.ok(again <= 10, `${again} searches`);
  // A link shows what it says, though its move is in that game.
  await page.evaluate(() => {
    location.hash = "#fen=startpos&move=e4";
  });
  await commentary(page, "1. e4");
  assert.equal(await moves.getByRole("button").count(), 1);
  assert.equal(await card.count(), 0);
});

journey("a lone position has no game to annotate", async ({ page }) => {
  await open(page);
  await paste(page, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await play(page, "e4");
  await commentary(page, "1. e4");
  assert.equal(await page.locator(".whole-game").count(), 0);
});

/** What a model says of the blunder, and what it says wrongly of everything. */
const TRUE = "The bishop on d1 attacks the pawn on c2.";
const FALSE = "White is three queens ahead.";

journey("a model comments on the turning points, checked, in the chosen arm", async ({ page }) => {
  const asks = ({ messages }) => messages.findLast(({ content }) => /^position: /m.test(content)).content.split("### Question").at(-1);
  const about = (question) => /^move(?: played)?: .*Bxd1/m.test(asks(question));
  const server = await LlmServer.open((_, question) => (about(question) ? `${TRUE} ${FALSE}` : FALSE));
  try {
    await open(page);
    await paste(page, HOSTILE);
    const card = page.locator(".whole-game");
    await card.getByRole("button", { name: "Annotate the game" }).click();
    await done(page);
    const notes = await card.locator(".notes li").count();
    assert.ok(notes >= 2, `${notes} turning points`);
    const blunder = card.locator(".notes li", { hasText: "5… Bxd1" });
    const others = card.locator(".notes li", { hasNotText: "5… Bxd1" });
    const narrated = await others.first().locator("p:not(.reason)").first().innerText();
    await openForm(page);
    await connect(page, `${server.address}slow/v1`);
    await page.locator("#model-notes > summary").click();
    await page.locator("#notes-arm").selectOption("engine");
    // One choice for the whole page.
    await page.waitForFunction(() => document.querySelector("#arm")?.value === "engine");
    // Stopped in the middle, it goes on later.
    const write = page.locator("#write-notes");
    await write.click();
    await page.locator("#model-notes").getByText(`0 of ${notes}.`).waitFor();
    await page.locator("#model-notes").getByRole("button", { name: "Stop" }).click();
    await write.click();
    await write.filter({ hasText: "All are written" }).waitFor();
    assert.equal(server.questions.filter((q) => /engine evaluation/i.test(asks(q.body)) && !/facts:/i.test(asks(q.body))).length, server.questions.length);
    assert.equal((await blunder.locator("p:not(.reason)").first().innerText()).trim(), TRUE);
    await blunder.getByText(/checked, one wrong sentence is left out/).waitFor();
    assert.equal(await others.first().locator("p:not(.reason)").first().innerText(), narrated, "nothing true was left: the narrator goes on");
    await others.first().getByText(/Nothing true was left of what/).waitFor();
    const [, pgn] = await saved(page, "Save PGN");
    assert.ok(pgn.replace(/\s+/g, " ").includes(TRUE) && !pgn.includes("three queens"));
    assert.match(pgn.replace(/\s+/g, " "), /checked comments by /);
    await page.locator("#model-notes").getByRole("button", { name: "Back to the narrator" }).click();
    await blunder.getByText(TRUE).waitFor({ state: "detached" });
  } finally {
    await server.close();
  }
});
