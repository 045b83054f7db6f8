// What a visitor waits for: bytes of the first load, time to the board and to the first prose, and the longest tasks of the
// page's thread. The times are printed and not judged, for this machine has other work; what is judged is that nothing grows
// with what was pasted.

import { PATIENCE, assert, journey, open } from "./harness.mjs";
import { SLOPPY, commentary, play, show } from "./play.mjs";

/** From the next load on, keeps the tasks that took longer than 50 ms. */
async function watchTasks(page) {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((task) => task.duration))).observe({
      type: "longtask",
      buffered: true,
    });
  });
}

/** The longest task since the last call, in milliseconds; 0 if none took longer than 50. */
async function longestTask(page) {
  // What a task has just begun to wait for is drawn, and the observer told, before the page has its next turn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
  return page.evaluate(() => Math.max(0, ...globalThis.longTasks.splice(0)));
}

/** Pastes as the browser does: the box hears of it first, and gets the text only if nobody took it. */
async function pasteText(page, text) {
  // A clipboard would hand it over without a task of the page.
  await page.evaluate((text) => {
    globalThis.copied = new DataTransfer();
    globalThis.copied.setData("text/plain", text);
  }, text);
  await longestTask(page);
  const taken = await page.evaluate(() => {
    const event = new ClipboardEvent("paste", { clipboardData: globalThis.copied, bubbles: true, cancelable: true });
    return !document.querySelector("#paste").dispatchEvent(event);
  });
  if (taken) return;
  await page.locator("#paste").fill(text);
  await page.getByRole("button", { name: "Read it" }).click();
}

/** Knights that go out and come home. */
const WANDERING = ["Nf3 Nf6", "Ng1 Ng8"];

function wandering(moves) {
  return Array.from({ length: moves }, (_, index) => `${index + 1}. ${WANDERING[index % 2]}`).join(" ");
}

const games = (count) =>
  Array.from({ length: count }, (_, index) => `[White "Player ${index}"]\n[Black "Another"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n`).join("\n");

journey("the first load and the first prose", { engine: "default", serviceWorkers: "block" }, async ({ page, context }) => {
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await watchTasks(page);
  const begun = Date.now();
  await open(page);
  await page.locator("cg-board piece").first().waitFor();
  const board = Date.now() - begun;
  const loaded = bytes;
  const starting = await longestTask(page);
  await page.locator("#paste").fill(SLOPPY);
  await page.getByRole("button", { name: "Read it" }).click();
  await play(page, "Qd6");
  const asked = Date.now();
  await page.locator("#narration .sentence").first().waitFor();
  const prose = Date.now() - asked;
  const commenting = await longestTask(page);
  console.log(`  board after ${board} ms and ${Math.round(loaded / 1000)} kB of the page; first prose ${prose} ms after the move`);
  console.log(`  longest task: start ${Math.round(starting)} ms, first comment ${Math.round(commenting)} ms`);
});

journey("the first load of a rater's page", { serviceWorkers: "block" }, async ({ page, context }) => {
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  const begun = Date.now();
  await open(page, "/survey");
  await page.getByRole("button", { name: "Demonstration" }).waitFor();
  console.log(`  ready after ${Date.now() - begun} ms and ${Math.round(bytes / 1000)} kB`);
});

journey("whatever is pasted, the page stays small and answers", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  await longestTask(page);
  const move = (name) => page.locator(".moves").getByRole("button", { name, exact: true });
  const cases = [
    ["a game of 1,600 half-moves", wandering(800), move("800… Ng8")],
    ["a game of 19,800 half-moves", wandering(9_900), move("9900… Ng8")],
    ["a comment of 1.9 MB", `1. e4 {${"A long word of praise. ".repeat(82_000)}} e5 *`, page.locator(".moves").getByText(/praise/)],
    ["5,000 games", games(5_000), page.getByText("5000 games in this file")],
  ];
  for (const [name, text, there] of cases) {
    const begun = Date.now();
    await pasteText(page, text);
    await there.first().waitFor({ timeout: 2 * PATIENCE });
    const took = Date.now() - begun;
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    console.log(`  ${name}: ${took} ms, longest task ${Math.round(await longestTask(page))} ms, ${nodes} elements`);
    assert.ok(nodes < 3000, `${name}: ${nodes} elements`);
  }
  // What is no game replaces none, however much of it there is.
  await pasteText(page, "word ".repeat(2_000_000));
  await page.locator("#paste-problem").getByText("What you had stays.").waitFor();
  console.log(`  10 MB of words: longest task ${Math.round(await longestTask(page))} ms`);
  await page.getByText("5000 games in this file").waitFor();
});

journey("shading the board by a concept", async ({ page }) => {
  await watchTasks(page);
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await page.locator("#paste").fill(SLOPPY);
  await page.getByRole("button", { name: "Read it" }).click();
  await play(page, "Qd6");
  await commentary(page, "1… Qd6");
  await show(page, "Concepts");
  const titles = page.locator(".concept button.concept-title");
  await titles.first().waitFor();
  const words = (pattern) => page.locator("#concept-squares").filter({ hasText: pattern }).waitFor();
  const longest = { change: [], score: [] };
  for (let i = 0; i < 6; i++) {
    // The choice is there once a concept is.
    if (i > 0) {
      await page.getByText("Change by the move").click();
      await words(/in the change of .* For Black: /);
    }
    await longestTask(page);
    const title = (await titles.nth(i).innerText()).toLowerCase();
    await titles.nth(i).click();
    await page.waitForFunction((title) => document.querySelector("#concept-squares").innerText.toLowerCase().includes(`in the change of ${title}. for black: `), title);
    longest.change.push(await longestTask(page));
    await page.getByText("Score after it").click();
    await words(/in the score, after the move, of .* For Black: /);
    longest.score.push(await longestTask(page));
  }
  for (const [what, tasks] of Object.entries(longest)) {
    console.log(`  the board shaded by the ${what}: longest tasks ${tasks.map(Math.round).join(", ")} ms`);
    // What else the machine does makes some of them longer; the shortest is the page's own work.
    assert.ok(Math.min(...tasks) <= 50, `${what}: ${tasks}`);
  }
});
