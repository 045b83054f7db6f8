// The engine: stopping it, losing it, and what is said when it cannot be had.

import { PATIENCE, assert, countSaid, journey, open } from "./harness.mjs";
import { SLOPPY, chooseSource, commentary, paste, play, show } from "./play.mjs";

/** The service worker would answer with what it has kept, which is what it is for; here the host is what is tested. */
const BARE = { serviceWorkers: "block" };

const WASM = /stockfish-19-lite-single\.wasm$/;

async function ask(page) {
  await paste(page, SLOPPY);
  await play(page, "Qd6");
}

journey("says when the engine comes as the wrong type, and speaks from the board", BARE, async ({ page }) => {
  await page.route(WASM, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": "text/html" } });
  });
  await open(page);
  await ask(page);
  const problem = page.locator(".commentary .problem");
  await problem.waitFor();
  assert.match(await problem.innerText(), /text\/html.*application\/wasm.*from the board alone/s);
  await commentary(page, "1… Qd6");
  // Mended, it goes on without a reload.
  await page.unroute(WASM);
  await page.getByRole("button", { name: "Try again" }).click();
  await show(page, "Engine");
  await page.locator(".engine tbody tr").first().waitFor();
});

journey("says when the engine is not there", BARE, async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource/);
  await page.route(/stockfish-19-lite-single\.js$/, (route) => route.fulfill({ status: 404, body: "gone" }));
  await open(page);
  await ask(page);
  const problem = page.locator(".commentary .problem");
  await problem.waitFor();
  assert.match(await problem.innerText(), /not on the server \(status 404\)/);
});

journey("a crashed engine is started again", async ({ page }) => {
  // The first engine dies in the middle of its first search.
  await page.addInitScript(() => {
    const Real = globalThis.Worker;
    let killed = false;
    globalThis.Worker = class extends Real {
      postMessage(...given) {
        super.postMessage(...given);
        if (!killed && String(given[0]).startsWith("go")) {
          killed = true;
          setTimeout(() => this.dispatchEvent(new ErrorEvent("error", { message: "RuntimeError: unreachable" })), 20);
        }
      }
    };
  });
  await open(page);
  await ask(page);
  await commentary(page, "1… Qd6");
  assert.equal(await page.locator(".commentary .problem").count(), 0);
  await show(page, "Engine");
  await page.locator(".engine tbody tr").first().waitFor();
});

/** Ends the page's workers whose address matches without a sign, as a browser that needs their memory would. */
async function endInSilence(page, pattern) {
  await page.evaluate((pattern) => {
    const ours = globalThis.workers.filter(({ address }) => address.includes(pattern));
    if (ours.length === 0) throw new Error(`no worker of ${pattern}`);
    for (const worker of ours) worker.terminate();
    globalThis.workers = globalThis.workers.filter((worker) => !ours.includes(worker));
  }, pattern);
}

async function countWorkers(page) {
  await page.addInitScript(() => {
    globalThis.workers = [];
    globalThis.said = [];
    globalThis.Worker = class extends globalThis.Worker {
      constructor(address, options) {
        super(address, options);
        this.address = String(address);
        globalThis.workers.push(this);
      }
      postMessage(...given) {
        super.postMessage(...given);
        globalThis.said.push(String(given[0]?.text ?? given[0]));
      }
    };
  });
}

journey("workers that die in silence are noticed and replaced", async ({ page }) => {
  await countWorkers(page);
  await open(page);
  await paste(page, SLOPPY);
  await show(page, "Engine");
  await page.locator("#limit").selectOption({ label: "4,000,000 nodes" });
  await play(page, "Qd6");
  await page.waitForFunction(() => globalThis.said.some((line) => line.startsWith("go ")));
  await endInSilence(page, "stockfish-19");
  const since = Date.now();
  // The engine is asked whether it is there, and another is started in its place.
  await page.waitForFunction(() => globalThis.workers.some(({ address }) => address.includes("stockfish-19")));
  const missed = Date.now() - since;
  console.log(`  the engine was missed after ${missed} ms`);
  assert.ok(missed < 5000, `the engine was missed after ${missed} ms`);
  await page.locator(".engine [role=status]").getByText("the engine fell silent, and was started again").waitFor();
  await page.locator("#limit").selectOption({ index: 0 });
  await page.waitForFunction(() => globalThis.said.filter((line) => line.startsWith("go ")).length > 1);
  await show(page, "Commentary");
  await commentary(page, "1… Qd6");
  // Stockfish 8 is at work where it is asked.
  await show(page, "Concepts");
  await chooseSource(page, "Both");
  await page.locator(".concept").nth(11).waitFor();
  await show(page, "Commentary");
  // The network's worker and Stockfish 8 say nothing either; the next move has their words again.
  await endInSilence(page, "net_worker");
  await endInSilence(page, "labels/");
  await play(page, "Nxe5");
  await commentary(page, "2. Nxe5");
  await show(page, "Network");
  await page.locator(".policy li").first().waitFor();
  assert.equal(await page.locator(".network .problem, .concepts .problem").count(), 0);
});

journey("a long search can be stopped, and what it found is used", async ({ page }) => {
  await open(page);
  await show(page, "Engine");
  await page.locator("#limit").selectOption({ label: "4,000,000 nodes" });
  await show(page, "Commentary");
  await paste(page, SLOPPY);
  await play(page, "Qd6");
  await page.getByText(/depth \d+/).first().waitFor();
  await page.locator(".progress").getByRole("button", { name: "Stop" }).click();
  await commentary(page, "1… Qd6");
  // The choice is kept.
  await page.reload();
  assert.equal(await page.locator("#limit").evaluate((select) => select.selectedOptions[0].textContent), "4,000,000 nodes");
});

journey("the benchmark measures every stage", BARE, async ({ page }) => {
  // The network comes while the first searches run, which are not to be stopped by it.
  const stops = await countSaid(page, "stop");
  let release;
  const begun = new Promise((resolve) => (release = resolve));
  await page.route(/\/networks\//, async (route) => {
    await begun;
    await route.continue();
  });
  await open(page, "/bench");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("0 of 11", { exact: true }).waitFor();
  release();
  await page.locator("#bench-report").getByText("Stockfish 8 labels").waitFor({ timeout: 5 * PATIENCE });
  assert.equal(await stops(), 0, "every search ran to its limit");
  const rows = await page.locator("#bench-report tbody tr").allInnerTexts();
  for (const name of ["comment, final verdict", "first prose", "engine, first look", "engine, settling", "facts", "narrator", "added to the bare search", "engine speed", "engine alone, one worker"])
    assert.ok(rows.some((row) => row.startsWith(name) && /\d/.test(row)), name);
});
