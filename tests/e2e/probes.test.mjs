// Concepts from the probes of the network in use: out of the box, from another source, and fitted for a user's own
// network. That one is a real one from ../shared/nets; where it is absent the journeys that need it are skipped and say so.

import { existsSync, readFileSync } from "node:fs";
import { objections } from "./axe.mjs";
import { APP, PATIENCE, assert, fits, journey, keptForOffline, open } from "./harness.mjs";
import { SLOPPY, chooseSource, commentary, drop, paste, play, show, showSources } from "./play.mjs";

const NETWORK = new URL("../../../shared/nets/maia-1100.pb.gz", import.meta.url).pathname;

/** Who names the concepts, as the card says. */
const speakers = (page) => page.locator(".concepts .speaker strong").allInnerTexts();

/** Waits until these speak, and returns what they are called. */
async function spoken(page, ...patterns) {
  await show(page, "Concepts");
  const all = page.locator(".concepts .speaker strong");
  for (const [i, pattern] of patterns.entries()) await all.nth(i).filter({ hasText: pattern }).waitFor();
  const found = await speakers(page);
  assert.equal(found.length, patterns.length, found.join(", "));
  return found;
}

async function toProbes(page) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Probes" }).click();
  await page.getByRole("heading", { name: "Concept probes", exact: true }).waitFor();
}

/**
 * From the next load on, notes each stage of a fit when it begins, and presses Stop when the one in `stopAt` does. The
 * page does it: a stage may be over before a journey looks again.
 */
async function watchStages(page) {
  await page.addInitScript(() => {
    globalThis.stagesBegun = new Set();
    new MutationObserver(() => {
      const stage = document.querySelector(".stages .now")?.innerText.split("\n")[0];
      if (!stage || globalThis.stagesBegun.has(stage)) return;
      globalThis.stagesBegun.add(stage);
      if (stage !== globalThis.stopAt) return;
      globalThis.stopAt = undefined;
      [...document.querySelectorAll("button")].find((button) => button.innerText.trim() === "Stop").click();
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
}

/** Waits until this stage has begun since the page was loaded: it may be over. */
async function stageBegan(page, stage, timeout) {
  await page.waitForFunction((stage) => globalThis.stagesBegun.has(stage), stage, { timeout });
}

async function home(page) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Comment" }).click();
  await page.locator("cg-board").waitFor();
}

journey("speaks from the default network's probes, offline, out of the box", async ({ page, context }) => {
  await open(page);
  await keptForOffline(page);
  await page.getByText("Ready for offline use").waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await paste(page, SLOPPY);
  await play(page, "Bg4");
  await commentary(page, "1… Bg4");
  await spoken(page, /^Probes on kibitz-64x6/);
  assert.equal(await page.locator(".concept").count(), 6);
  await toProbes(page);
  const report = page.locator("#probe-report tbody tr");
  await report.first().waitFor();
  assert.ok((await report.count()) >= 21);
});

journey("lets the reader choose who names the concepts, and remembers it", async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await paste(page, SLOPPY);
  await play(page, "Qd6");
  await commentary(page, "1… Qd6");
  await spoken(page, /^Probes on/);
  await chooseSource(page, "Both");
  await spoken(page, /^Probes on/, /^Stockfish 8$/);
  assert.equal(await page.locator(".concept").count(), 12);
  // By keyboard alone.
  await page.getByRole("radio", { name: "Both" }).focus();
  await page.keyboard.press("ArrowLeft");
  await spoken(page, /^Stockfish 8$/);
  await page.reload();
  await spoken(page, /^Stockfish 8$/);
  await showSources(page);
  assert.equal(await page.getByRole("radio", { name: "Stockfish 8" }).isChecked(), true);
});

for (const viewport of [{ width: 1280, height: 860 }, { width: 390, height: 844 }]) {
  journey(`shows on the board where a concept's change comes from, at ${viewport.width}`, { viewport, colorScheme: "dark" }, async ({ page }) => {
    await open(page);
    await show(page, "Network");
    await page.getByText("the default network,").waitFor();
    await paste(page, SLOPPY);
    await play(page, "Qd6");
    await commentary(page, "1… Qd6");
    await spoken(page, /^Probes on/);
    const first = page.locator(".concept button.concept-title").first();
    const shaded = page.locator("cg-board square[class*='share-']:visible");
    assert.equal(await shaded.count(), 0);
    await first.focus();
    await page.keyboard.press("Enter");
    await shaded.first().waitFor();
    await page.locator('.concept button.concept-title[aria-pressed="true"]').waitFor();
    const words = page.locator("#concept-squares");
    await words.filter({ hasText: /For Black: .* Against Black: / }).waitFor();
    // The darkest square is the one named with the largest share.
    const darkest = await shaded.evaluateAll((squares) => squares.filter((square) => /share-(for|against)-4/.test(square.className)).length);
    assert.ok(darkest >= 1, "a largest share");
    await words.getByText("Every square’s share").click();
    const table = words.getByRole("table", { name: "Shares of squares" });
    await table.getByRole("row", { name: /^All/ }).waitFor();
    // By whose pieces stand there, the largest first, each group under its sum; the sums come to all.
    const groups = await table.locator("tbody").evaluateAll((bodies) =>
      bodies.slice(0, 3).map((body) => [...body.querySelectorAll("tr.share td")].map((cell) => Number(cell.innerText.replace("−", "-")))));
    for (const shares of groups) assert.deepEqual(shares.map(Math.abs), shares.map(Math.abs).sort((a, b) => b - a), "the largest first");
    assert.equal(await shaded.count(), groups.flat().length);
    const sums = await table.locator("tr.sum").evaluateAll((rows) => rows.map((row) => Number(row.cells[1].innerText.replace("−", "-"))));
    assert.equal(sums.length, 5);
    assert.ok(Math.abs(sums.slice(0, 4).reduce((a, b) => a + b) - sums[4]) < 0.03, `${sums}`);
    await table.getByRole("row", { name: /^(knight|queen|king|rook|bishop|pawn) [a-h][1-8] [+−]\d/ }).first().waitFor();
    await words.getByText(/^In square roots of the foretold change, .* pawns/).waitFor();
    // The score after the move, by keyboard; the choice is one of two, and the shares are the score's.
    await page.getByRole("radio", { name: "Change by the move" }).focus();
    await page.keyboard.press("ArrowRight");
    await words.filter({ hasText: /in the score, after the move, of .* For Black: .* Against Black: / }).waitFor();
    await shaded.first().waitFor();
    await words.getByText("Every square’s share").click();
    await words.getByText(/^In standard deviations of each probe's score/).waitFor();
    assert.deepEqual(await objections(page, "shaded"), []);
    await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) throw new Error(`the page is ${scrollWidth} wide`);
    });
    // What the probes of motifs hold, each with how far it can be trusted.
    await page.getByRole("button", { name: /^\d+ more$/ }).click();
    const motifs = page.getByRole("list", { name: "Motifs" }).getByRole("listitem");
    await motifs.first().waitFor();
    assert.equal(await motifs.count(), 20, "ten motifs of either side");
    for (const label of await motifs.evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")))) {
      assert.match(label, /^(White|Black)('s)? .*: (new|gone|stays|not there|before the move|after the move), .*; the probe is right \d+ % of the time$/);
    }
    await words.getByRole("button", { name: "Clear the board" }).click();
    await shaded.first().waitFor({ state: "detached" });
    // The order is the reader's choice, and is kept.
    await showSources(page);
    await page.getByLabel("Order of the concepts").selectOption("The authors' code");
    await page.reload();
    await spoken(page, /^Probes on/);
    await showSources(page);
    assert.equal(await page.getByLabel("Order of the concepts").inputValue(), "authors");
  });
}

if (!existsSync(NETWORK)) {
  console.error(`skipped: journeys that fit probes need ${NETWORK}`);
} else {
  const network = readFileSync(NETWORK);

  journey("fits probes for a network without, stops, goes on, keeps, saves and loads them", { acceptDownloads: true }, async ({ page }) => {
    await watchStages(page);
    await open(page);
    await show(page, "Network");
    await page.getByText("the default network,").waitFor();
    await paste(page, SLOPPY);
    await play(page, "Qd6");
    await commentary(page, "1… Qd6");
    await drop(page, "maia-1100.pb.gz", network);
    await show(page, "Network");
    await page.getByText("This network has no concept probes yet.").waitFor();
    await show(page, "Concepts");
    const instead = "The network in use has no concept probes yet: Stockfish 8 speaks in their place.";
    await page.locator("#concepts-instead").filter({ hasText: instead }).waitFor();
    await spoken(page, /^Stockfish 8$/);

    // Stopped while the network is at work, and gone on with after a reload.
    await show(page, "Network");
    await page.getByRole("link", { name: "Fit probes for this network" }).click();
    await page.getByLabel("Positions", { exact: true }).fill("500");
    // They have a journey of their own.
    await page.getByLabel("Probes of changes").uncheck();
    await page.evaluate(() => (globalThis.stopAt = "Running the network on them"));
    await page.getByRole("button", { name: "Fit the probes" }).click();
    await page.getByText("Stopped. What was done is kept").waitFor();
    await page.reload();
    await page.getByText("A fit on 500 positions from the app's positions was stopped.").waitFor();
    const resumed = Date.now();
    await page.getByRole("button", { name: "Go on with it" }).click();
    await stageBegan(page, "Fitting the probes", 2 * PATIENCE);

    // A comment meanwhile.
    await home(page);
    await paste(page, SLOPPY);
    await play(page, "Bg4");
    await commentary(page, "1… Bg4");
    await toProbes(page);
    await page.locator("#probe-report tbody tr").first().waitFor({ timeout: 3 * PATIENCE });
    console.log(`  500 positions, from the labels to the report: ${Math.round((Date.now() - resumed) / 1000)} s`);
    const report = page.locator("#probe-report tbody tr");
    assert.equal(await report.count(), 21);
    const figures = await report.allInnerTexts();
    assert.match(figures[0], /^material\s+\d\.\d\d\s+–\s+–\s+0\.93\s/);
    const mean = Number((await page.locator("#probes-summary").innerText()).match(/Mean test accuracy (\d\.\d\d)/)[1]);
    assert.ok(mean > 0.7, `the mean accuracy is ${mean}: worse than it should be even with 500 positions`);
    assert.match(await page.locator("#report-caution").innerText(), /off by several points/);
    await home(page);
    await spoken(page, /^Probes on maia-1100/);

    await page.reload();
    await spoken(page, /^Probes on maia-1100/);
    await toProbes(page);
    await page.getByText("are kept in this browser").waitFor();
    assert.deepEqual(await report.allInnerTexts(), figures);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the probe file" }).click(),
    ]);
    const file = readFileSync(await download.path());
    await page.getByRole("button", { name: "Forget these probes" }).click();
    await page.getByText("This network has no concept probes yet").waitFor();
    await page.locator("#probe-file").setInputFiles({ name: "mine.probes", mimeType: "application/octet-stream", buffer: file });
    await report.first().waitFor();
    assert.deepEqual(await report.allInnerTexts(), figures);

    // They are another network's: refused by name, and those in use stay.
    await home(page);
    await show(page, "Network");
    await page.getByRole("button", { name: "Back to the default network" }).click();
    await page.getByText("the default network,").waitFor();
    await toProbes(page);
    await page.locator("#probe-file").setInputFiles({ name: "mine.probes", mimeType: "application/octet-stream", buffer: file });
    const problem = page.locator("#probes-problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /mine\.probes was not loaded: these probes belong to network [0-9a-f]{64}, not to the one in use/);
    assert.match(await problem.innerText(), /The probes in use stay/);
    await page.getByText("come with the default network").waitFor();
  });
}

/** Positions of the journey that fits with controls: KIBITZ_FIT_POSITIONS for a longer one. */
const CONTROLLED = Number(process.env.KIBITZ_FIT_POSITIONS ?? 400);
/** How long its stages may take, in milliseconds: a second for four positions, on two busy cores. */
const FITTED = 4 * PATIENCE + 250 * CONTROLLED;

journey(`fits both kinds of probes with controls on ${CONTROLLED} positions, stops and goes on`, { patience: 4 * FITTED }, async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((task) => Math.round(task.duration)))).observe({
      type: "longtask",
    });
  });
  await watchStages(page);
  await page.goto(`${APP}#/probes`);
  const row = page.locator("#probe-report tbody tr").first();
  await row.waitFor();
  assert.match(await row.innerText(), /^material\s+1\.00\s+1\.00\s+\+0\.00\s/, "the shipped controls");
  assert.match(await page.locator("#report-caution").innerText(), /The controls learnt from 862 to 16,000 positions a concept/);
  await page.getByLabel("Positions", { exact: true }).fill(String(CONTROLLED));
  await page.getByLabel("Control: the network with its weights shuffled").check();
  await page.getByLabel("Control: the board itself").check();
  assert.ok(await page.getByLabel("Probes of changes").isChecked());
  await page.evaluate(() => (globalThis.longTasks.length = 0));
  const began = Date.now();
  await page.getByRole("button", { name: "Fit the probes" }).click();
  await page.locator(".stages li").nth(10).waitFor();
  assert.equal(await page.locator(".stages li").count(), 11);
  await stageBegan(page, "Fitting on the shuffled network", FITTED);
  await page.locator("#fit-progress").filter({ hasText: /^\d+ of \d+ steps/ }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped. What was done is kept").waitFor();
  console.log(`  to the control, and stopped: ${Math.round((Date.now() - began) / 1000)} s`);
  const first = await page.evaluate(() => globalThis.longTasks);
  await page.reload();
  await page.getByText(`A fit on ${CONTROLLED.toLocaleString("en")} positions from the app's positions was stopped.`).waitFor();
  await row.waitFor();
  await page.evaluate(() => (globalThis.longTasks.length = 0));
  const resumed = Date.now();
  await page.getByRole("button", { name: "Go on with it" }).click();
  await stageBegan(page, "Fitting the probes of changes", FITTED);
  await page.locator("#fit-notice").filter({ hasText: "The probes are fitted and in use." }).waitFor({ timeout: FITTED });
  console.log(`  from there to the end: ${Math.round((Date.now() - resumed) / 1000)} s; ${await page.locator("#fit-notice").innerText()}`);
  const second = await page.evaluate(() => globalThis.longTasks);
  console.log(`  tasks above 50 ms: ${[...first, ...second].join(", ") || "none"} (ms)`);
  assert.doesNotMatch(await page.locator("#fit-notice").innerText(), /There are no probes of changes/);
  const cells = await row.locator("td").allInnerTexts();
  const [accuracy, control] = cells.map(Number);
  assert.ok(control > 0.5 && control <= 1, cells.join(" "));
  assert.match(cells[2], /^[+−]\d\.\d\d$/);
  assert.ok(Math.abs(accuracy - control - Number(cells[2].replace("−", "-"))) < 0.02, cells.join(" "));
});

for (const viewport of [{ width: 1280, height: 860 }, { width: 390, height: 844 }]) {
  journey(`shows whether the network uses a concept, at ${viewport.width}`, { viewport }, async ({ page }) => {
    await page.goto(`${APP}#/probes`);
    await page.getByLabel("Concept", { exact: true }).selectOption("Our Threats");
    await page.getByRole("button", { name: "Steer", exact: true }).click();
    const found = page.locator("#steering-found");
    await found.filter({ hasText: /our threats, on 40 positions: (also used|readable)\./ }).waitFor({ timeout: 3 * PATIENCE });
    assert.equal(await page.locator(".curves svg").count(), 2);
    await page.getByText("The numbers", { exact: true }).click();
    const shifts = await page.locator("#steering-numbers tbody th").allInnerTexts();
    assert.deepEqual(shifts, ["−2", "−1", "+1", "+2"]);
    await fits(page);
    // On the position at hand, stopped and asked again.
    await page.getByLabel("on", { exact: true }).selectOption("the open position");
    await page.getByRole("button", { name: "Steer", exact: true }).click();
    await found.filter({ hasText: "our threats, on the open position" }).waitFor({ timeout: 3 * PATIENCE });
  });
}

journey("reads out a game for those who go on in Python", { acceptDownloads: true }, async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await paste(page, SLOPPY);
  await toProbes(page);
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save ${name}` }).click()]);
    assert.equal(download.suggestedFilename(), name);
    return readFileSync(await download.path());
  };
  await page.getByRole("button", { name: "The open position" }).click();
  await page.locator("#readout-notice").filter({ hasText: "1 positions of the open position are read out." }).waitFor();
  assert.equal((await saved("scores.csv")).toString().trim().split("\n").length, 2);
  const file = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";
  await page.locator("#readout-file").setInputFiles({ name: "game.pgn", mimeType: "text/plain", buffer: Buffer.from(file) });
  await page.locator("#readout-notice").filter({ hasText: /^\d+ positions of game\.pgn are read out/ }).waitFor();
  const npy = await saved("activations.npy");
  const length = npy.readUInt16LE(8);
  const [, shape] = npy.subarray(10, 10 + length).toString().match(/'shape': \(([\d, ]+)\)/);
  const sizes = shape.split(",").map((size) => size.trim()).filter(Boolean).map(Number);
  assert.deepEqual(sizes.slice(1), [6, 64, 8, 8]);
  assert.equal(npy.length - 10 - length, 4 * sizes.reduce((a, b) => a * b));
  assert.equal(JSON.parse(await saved("about.json")).schema, "kibitz-readout-1");
});

journey("says what is wrong with a file of positions", async ({ page }) => {
  await page.goto(`${APP}#/probes`);
  await page.getByRole("button", { name: "Fit the probes" }).waitFor();
  const choose = async (name, text) => {
    await page.locator("#fit-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator("#fit-source").filter({ hasText: name }).waitFor();
    await page.getByRole("button", { name: "Fit the probes" }).click();
    await page.locator("#fit-problem").filter({ hasText: name }).waitFor();
    return page.locator("#fit-problem").innerText();
  };
  assert.match(await choose("empty.txt", "\n"), /empty\.txt cannot be used: there are no positions in it/);
  assert.match(await choose("short.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"), /short\.fen has only 1 usable positions; at least 200/);
});

journey("shows the report on a phone", { viewport: { width: 360, height: 740 }, hasTouch: true }, async ({ page }) => {
  await page.goto(`${APP}#/probes`);
  await page.locator("#probe-report tbody tr").first().waitFor();
  await fits(page);
});
