// The service worker keeps the app whole, and changes versions whole or not at all.

import { assert, converse, journey, keptForOffline, open, shipped } from "./harness.mjs";
import { Host } from "./host.mjs";

/** A journey on a host of its own, below a path as on project pages. */
function hosted(name, run) {
  journey(name, async (given) => {
    const host = await Host.open("/kibitz/");
    try {
      await run({ ...given, host });
    } finally {
      await host.close();
    }
  });
}

async function visit(page, host) {
  await page.goto(host.address);
  await page.locator("#boot").waitFor({ state: "detached" });
  await page.evaluate(() => navigator.serviceWorker.register("sw.js"));
  await keptForOffline(page);
}

const caches = (page) => page.evaluate(() => globalThis.caches.keys());

/** Looks for a new version; resolves with what became of it: "installed" or "redundant". */
const update = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise((resolve) =>
      registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }),
    );
    await registration.update();
    const worker = await found;
    return new Promise((resolve) => {
      const look = () => ["installed", "redundant"].includes(worker.state) && resolve(worker.state);
      worker.addEventListener("statechange", look);
      look();
    });
  });

journey("starts with the network off after one visit", async ({ page, context }) => {
  await open(page);
  await page.evaluate(() => navigator.serviceWorker.register("sw.js"));
  await keptForOffline(page);
  await context.setOffline(true);
  const answer = await page.reload();
  assert.ok(answer.fromServiceWorker());
  assert.match(answer.headers()["content-security-policy"], /default-src 'none'/);
  await page.locator("#boot").waitFor({ state: "detached" });
  const engine = await converse(page, await shipped(page, "engine"), ["uci"], "uciok");
  assert.match(engine, /Stockfish/);
  const labels = await converse(page, await shipped(page, "labels"), ["eval"], "Total Evaluation");
  assert.match(labels, /Mobility/);
});

hosted("works below a path, and with its host gone", async ({ page, host }) => {
  await visit(page, host);
  await host.close();
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  // An address that is no file of ours leads home.
  await page.goto(`${host.address}no/such/page`);
  assert.equal(page.url(), host.address);
  await page.locator("#boot").waitFor({ state: "detached" });
});

hosted("keeps the old version when the new one is not whole", async ({ page, host }) => {
  await visit(page, host);
  const [before] = (await caches(page)).filter((name) => name.startsWith("kibitz-app-"));
  host.replace("boot.js", `${host.file("boot.js")}\n// second`);
  host.release("boot.js", "second");
  host.replace("boot.js", "throw new Error('a half-finished upload');");
  assert.equal(await update(page), "redundant");
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  assert.doesNotMatch(await page.evaluate(async () => (await fetch("boot.js")).text()), /half-finished/);
  await host.close();
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  assert.ok((await caches(page)).includes(before));
});

/** Puts something else in the place of the kept files that match, or nothing. */
const spoil = (page, pattern, text) =>
  page.evaluate(
    async ([pattern, text]) => {
      const name = (await globalThis.caches.keys()).find((name) => name.startsWith("kibitz-app-"));
      const cache = await globalThis.caches.open(name);
      const found = (await cache.keys()).filter(({ url }) => new RegExp(pattern).test(url));
      if (found.length === 0) throw new Error(`nothing kept is like ${pattern}`);
      for (const { url } of found) {
        const { headers } = await cache.match(url, { ignoreVary: true });
        await cache.delete(url, { ignoreVary: true });
        if (text !== undefined) await cache.put(url, new Response(text, { headers }));
      }
    },
    [pattern.source, text],
  );

/** Waits until every kept file is the one that the list names. */
const whole = (page) =>
  page.waitForFunction(async () => {
    const name = (await globalThis.caches.keys()).find((name) => name.startsWith("kibitz-app-"));
    const cache = await globalThis.caches.open(name);
    const list = await (await cache.match(new URL("?files", document.baseURI))).json();
    for (const [url, hash] of list) {
      const kept = await cache.match(url, { ignoreVary: true });
      if (!kept) return false;
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await kept.arrayBuffer()));
      if ([...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== hash) return false;
    }
    return true;
  });

hosted("mends what the browser has lost or damaged", async ({ page, host, complaints }) => {
  // A part that does not compile is named in the console, before it is fetched again.
  complaints.expect(/CompileError/);
  const PAGE = /kibitz_bg\.wasm$/;
  await visit(page, host);
  await spoil(page, /\.css$/);
  await spoil(page, /boot\.js$/, "throw new Error('damaged');");
  await spoil(page, /stockfish-19-lite-single\.wasm$/, "damaged");
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  // What is large is mended when it has been asked for.
  const engine = (await shipped(page, "engine")).replace(/js$/, "wasm");
  await page.evaluate(async (address) => (await fetch(address)).arrayBuffer(), engine);
  await whole(page);
  // The page itself cannot start: it has its files looked at, and starts again.
  await spoil(page, PAGE, "damaged");
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  await whole(page);
  // A part that is fetched later is mended when it is asked for.
  await spoil(page, /split_laboratory\.wasm$/, "damaged");
  await page.evaluate(() => {
    location.hash = "#/bench";
  });
  await page.getByRole("heading", { level: 1, name: "Benchmark" }).waitFor();
  await whole(page);
  // Nothing can be fetched: the page says that it can't start, and stops trying.
  await spoil(page, PAGE, "damaged");
  await host.close();
  await page.reload();
  await page.locator("#boot").getByText("Kibitz could not start").waitFor();
});

hosted("takes a whole new version when the user says so", async ({ page, host }) => {
  await visit(page, host);
  // What the page keeps for the user must survive.
  await page.evaluate(() => globalThis.caches.open("kibitz-kept"));
  await page.evaluate(() => {
    globalThis.ready = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data));
      navigator.serviceWorker.startMessages();
    });
  });
  host.replace("boot.js", `${host.file("boot.js")}\n// second`);
  host.release("boot.js", "second");
  assert.equal(await update(page), "installed");
  assert.deepEqual(await page.evaluate(() => globalThis.ready), { type: "new-version", version: "second" });
  const text = () => page.evaluate(async () => (await fetch("boot.js")).text());
  assert.doesNotMatch(await text(), /second/, "the open page stays with its version");
  await page.evaluate(async () => {
    const { waiting, active } = await navigator.serviceWorker.ready;
    const gone = new Promise((resolve) => active.addEventListener("statechange", resolve, { once: true }));
    waiting.postMessage({ type: "activate" });
    await gone;
    if (waiting.state === "activated") return;
    await new Promise((resolve) =>
      waiting.addEventListener("statechange", () => waiting.state === "activated" && resolve()),
    );
  });
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  assert.match(await text(), /second/);
  assert.deepEqual((await caches(page)).sort(), ["kibitz-app-second", "kibitz-kept"]);
});
