// One browser for a test file, one fresh context (storage, caches, service worker) for each test. A test fails on
// anything that the page complains about: console errors, uncaught exceptions, and reports of violations of the
// Content-Security-Policy in pages and workers, whether the test looked at them or not.
//
// `cargo dev test --only e2e` gives the address of the release build in KIBITZ_URL and the browser in CHROMIUM. To run
// one file against a page of your own: `KIBITZ_URL=http://127.0.0.1:8080/ node --test tests/e2e/start.test.mjs`.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";

export { assert };

/** Where the app is, with a slash at the end. */
export const APP = process.env.KIBITZ_URL ?? "http://127.0.0.1:8080/";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long anything may take to appear, in milliseconds. Generous: two shared cores run an engine as well. */
export const PATIENCE = 60_000;

/**
 * What the engine searches where a journey is about something else: a fortieth of what a visitor's page does at first.
 * `{ engine: "default" }` leaves the page as a visitor finds it, `{ engine: { time: 3_000 } }` searches that long.
 */
const QUICK = { nodes: 5_000 };

/** Between two looks at something that may still change, in milliseconds. */
const LOOK = 20;

/** How much of a page is shown where a journey failed, in letters. */
const MOST_SEEN = 6_000;

/** The program that the journeys run in. */
export const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync);

// The files that drive other browsers use this module without a journey of Chromium's.
let browser;
const launched = () => (browser ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));

after(async () => (await browser)?.close());

/**
 * What the page complained about. A test that provokes a complaint names it with `expect`; one that was expected and
 * did not come fails the test too.
 */
class Complaints {
  #found = [];
  #expected = [];
  #allowed = [];

  add(text) {
    this.#found.push(text);
  }

  /** `pattern` will be matched by at least one complaint, and those that match are no failure. */
  expect(pattern) {
    this.#expected.push(pattern);
  }

  /** What matches `pattern` is no failure, and need not come. */
  allow(pattern) {
    this.#allowed.push(pattern);
  }

  check() {
    const known = [...this.#expected, ...this.#allowed];
    const unexpected = this.#found.filter((text) => !known.some((pattern) => pattern.test(text)));
    assert.deepEqual(unexpected, [], "the page complained");
    for (const pattern of this.#expected)
      assert.ok(this.#found.some((text) => pattern.test(text)), `expected a complaint that matches ${pattern}`);
  }
}

async function watch(context, complaints) {
  // Before any script of the page: a violation during the start must not be missed. The console shows violations in
  // workers and those without an event; this shows the rest in plain words.
  await context.exposeBinding("kibitzTestViolation", (_, report) => complaints.add(`CSP: ${report}`));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      globalThis.kibitzTestViolation(`${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  context.on("weberror", (error) => complaints.add(`uncaught: ${error.error().message}`));
  context.on("console", (message) => {
    if (message.type() === "error") complaints.add(`console: ${message.text()} (${message.location().url})`);
  });
}

/**
 * A test with a page of its own: `journey("says hello", async ({ page, context, complaints }) => …)`. Options are those
 * of Playwright's `newContext` (`viewport`, `colorScheme`, …), `engine`, and `patience`: how long the whole of it may take.
 */
export function journey(name, options, run) {
  if (typeof options === "function") [options, run] = [{}, options];
  const { engine = QUICK, patience = 6 * PATIENCE, ...contextOptions } = options;
  test(name, { timeout: patience }, async () => {
    const context = await (await launched()).newContext(contextOptions);
    const complaints = new Complaints();
    try {
      await watch(context, complaints);
      if (engine !== "default") await context.addInitScript(limitSearches, JSON.stringify({ limit: engine }));
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      try {
        await run({ page, context, complaints });
      } catch (error) {
        console.error(await seen(page));
        throw error;
      }
      complaints.check();
    } finally {
      await context.close();
    }
  });
}

/** What a journey that failed has on its page, in words: a timeout says only what did not come. */
async function seen(page) {
  try {
    const text = await page.locator("#main").innerText({ timeout: 5_000 });
    return `What ${page.url()} showed:\n${text.replaceAll(/\n\s*\n/g, "\n").slice(0, MOST_SEEN)}`;
  } catch (error) {
    return `What the page showed is not to be had: ${error.message}`;
  }
}

/** In the page, before its own scripts: nothing is changed where the page has kept settings of its own. */
function limitSearches(settings) {
  // An empty page has no storage.
  if (!location.protocol.startsWith("http")) return;
  if (localStorage.getItem("kibitz.settings") === null) localStorage.setItem("kibitz.settings", settings);
}

/**
 * Looks until what `read` gives holds, and returns it: for all that changes by itself, such as how many there are, what they
 * say and where they stand. `read` may fail meanwhile, as while a page is left.
 */
export async function until(read, holds = Boolean, what = `${read} gives what ${holds}`) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    let found, cause;
    try {
      found = await read();
      if (holds(found)) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}; the last was ${JSON.stringify(found)}`, { cause });
    await later(LOOK);
  }
}

/** Where the element stands once it has come to rest and its box `holds`: what loads beside it moves it. */
export function restingBox(locator, holds = Boolean) {
  let before;
  return until(
    () => locator.boundingBox(),
    (box) => {
      const rests = box !== null && isDeepStrictEqual(box, before);
      before = box;
      return rests && holds(box);
    },
  );
}

/** Until nothing is wider than the window, so that nobody has to scroll sideways. */
export function fits(page) {
  return until(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), (wider) => wider <= 0, "nothing is wider than the window");
}

/** Opens the app and waits until it has started and its page is there; `hash` is what follows `#`. For pages of all browsers. */
export async function open(page, hash = "") {
  await page.goto(APP + (hash && `#${hash}`));
  await page.waitForFunction(() => !document.querySelector("#boot") && document.querySelector("#main > :not([role=status])") !== null);
}

/** From the next load on, counts what the page says to its workers that begins so; the answer tells how often that was. */
export async function countSaid(page, beginning) {
  await page.addInitScript((beginning) => {
    globalThis.timesSaid = 0;
    globalThis.Worker = class extends globalThis.Worker {
      postMessage(...given) {
        super.postMessage(...given);
        if (String(given[0]).startsWith(beginning)) globalThis.timesSaid += 1;
      }
    };
  }, beginning);
  return () => page.evaluate(() => globalThis.timesSaid);
}

/** Waits until the service worker has kept the whole app and looks after this page. */
export async function keptForOffline(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  });
}

/** The address of a worker or of the board, as index.html tells the page. */
export function shipped(page, name) {
  return page.evaluate((name) => {
    const { content } = document.querySelector(`meta[name="kibitz:${name}"]`);
    return new URL(content, document.baseURI).href;
  }, name);
}

/** Starts a worker, sends it lines, and resolves with what it wrote once `until` was among it. */
export function converse(page, address, lines, until) {
  return page.evaluate(
    ([address, lines, until]) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(address);
        const heard = [];
        worker.onerror = (event) => reject(new Error(event.message ?? "the worker did not load"));
        worker.onmessage = ({ data }) => {
          heard.push(String(data));
          if (!String(data).includes(until)) return;
          worker.terminate();
          resolve(heard.join("\n"));
        };
        for (const line of lines) worker.postMessage(line);
      }),
    [address, lines, until],
  );
}
