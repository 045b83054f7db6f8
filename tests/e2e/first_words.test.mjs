// What is known is said at once: first words before the engine has an answer, and no search that was made before.

import { assert, journey, open, restingBox } from "./harness.mjs";
import { GAME, SLOPPY, commentary, paste, play } from "./play.mjs";

/** The searches that a context's pages ask of their engines: those that were asked again after they had run to their end. */
async function watchSearches(context) {
  const [asked, answered, again] = [[], new Set(), []];
  await context.exposeBinding("kibitzTestSearch", (_, what, search) => {
    if (what === "answered") return answered.add(search);
    if (answered.has(search)) again.push(search);
    return asked.push(search);
  });
  await context.addInitScript(() => {
    globalThis.Worker = class extends globalThis.Worker {
      #lines = "1";
      #position = "";
      #searches = [];
      constructor(address, options) {
        super(address, options);
        if (!String(address).includes("stockfish-19")) return;
        this.addEventListener("message", ({ data }) => {
          if (!String(data).startsWith("bestmove")) return;
          const { search, stopped } = this.#searches.shift();
          if (!stopped) globalThis.kibitzTestSearch("answered", search);
        });
      }
      postMessage(...given) {
        super.postMessage(...given);
        const line = String(given[0]);
        if (line.startsWith("setoption name MultiPV")) this.#lines = line.split(" ").at(-1);
        else if (line === "ucinewgame") this.#position = line;
        else if (line.startsWith("position")) this.#position = `${this.#position === "ucinewgame" ? "afresh " : ""}${line}`;
        else if (line === "stop") for (const search of this.#searches) search.stopped = true;
        else if (line.startsWith("go ")) {
          const search = `${this.#position} ${line} ${this.#lines}`;
          this.#searches.push({ search, stopped: false });
          globalThis.kibitzTestSearch("asked", search);
        }
      }
    };
  });
  return { asked, answered, again };
}

/** Waits until at least so many searches are kept in the browser. */
function stored(page, least) {
  return page.waitForFunction(async (least) => {
    const database = await new Promise((resolve) => {
      indexedDB.open("kibitz-searches").onsuccess = ({ target }) => resolve(target.result);
    });
    const counted = database.transaction("searches").objectStore("searches").count();
    const count = await new Promise((resolve) => (counted.onsuccess = () => resolve(counted.result)));
    database.close();
    return count >= least;
  }, least);
}

journey("first words are there before the engine is", { serviceWorkers: "block" }, async ({ page, context }) => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await context.route(/stockfish-19-lite-single\.wasm$/, async (route) => {
    await released;
    await route.continue();
  });
  await open(page);
  await paste(page, SLOPPY);
  await play(page, "Nxe3");
  const sentence = page.locator("#narration .sentence");
  await sentence.first().waitFor();
  assert.equal(await sentence.count(), 1);
  assert.match(await sentence.innerText(), /Nxe3/);
  assert.equal(await page.locator('.commentary .prose[aria-busy="true"]').count(), 1, "more is to come");
  assert.equal(await page.locator(".verdict").count(), 0, "and no judgement is made");
  const top = (await restingBox(sentence)).y;
  release();
  const prose = await commentary(page, "1… Nxe3");
  assert.match(prose, /Nxe3/);
  // The comment stands where the first words stood.
  await restingBox(sentence.first(), ({ y }) => y === top);
  assert.equal(await page.locator(".waiting").count(), 0);
});

journey("the position on the board is searched before its next move is made", async ({ page, context }) => {
  const { asked, answered, again } = await watchSearches(context);
  await open(page);
  await paste(page, SLOPPY);
  // The bishop is on its square in no other position here.
  const before = (search) => search.includes("8/3nb3/8/4PN2");
  while (![...answered].some(before)) await page.evaluate(() => new Promise(requestAnimationFrame));
  await play(page, "Qd6");
  await commentary(page, "1… Qd6");
  assert.deepEqual(again, []);
  assert.ok(asked.some((search) => before(search) && search.includes("d8d6")), "what comes after the move is searched as well");
});

journey("nothing is searched twice: back and forth, after a reload, in another tab", async ({ page, context }) => {
  const { answered, again } = await watchSearches(context);
  await open(page);
  await paste(page, GAME);
  await page.getByText("A weak move already.").waitFor();
  await page.locator("#main").focus();
  const labels = ["1. e4", "1… e5", "2. Nf3", "2… d6"];
  const said = [];
  for (const label of labels) {
    await page.keyboard.press("ArrowRight");
    said.push(await commentary(page, label));
  }
  const known = answered.size;
  assert.ok(known > labels.length, `${known} searches`);
  for (const label of labels.slice(0, -1).toReversed()) {
    await page.keyboard.press("ArrowLeft");
    await commentary(page, label);
  }
  await stored(page, known);
  assert.deepEqual(again, []);
  await page.reload();
  await page.locator("#main").focus();
  for (const [index, label] of labels.entries()) {
    if (index > 0) await page.keyboard.press("ArrowRight");
    assert.equal(await commentary(page, label), said[index]);
  }
  assert.deepEqual(again, []);
  // A link to the first move, with nothing of the game.
  const other = await context.newPage();
  await open(other, "fen=startpos&move=e4");
  await commentary(other, labels[0]);
  assert.deepEqual(again, []);
});

journey("damaged searches in the browser's store are passed over", async ({ page }) => {
  await open(page, "fen=startpos&move=e4");
  const said = await commentary(page, "1. e4");
  await stored(page, 3);
  await page.evaluate(async () => {
    const database = await new Promise((resolve) => {
      indexedDB.open("kibitz-searches").onsuccess = ({ target }) => resolve(target.result);
    });
    const store = database.transaction("searches", "readwrite").objectStore("searches");
    const keys = await new Promise((resolve) => (store.getAllKeys().onsuccess = ({ target }) => resolve(target.result)));
    const line = { depth: 9, multipv: 1, score: { cp: 900 }, bound: false, wdl: null, nodes: 1, nps: 1, time: 1, pv: "e1e8" };
    const foreign = JSON.stringify({ engine: "<b>x</b>", result: { lines: [line], best: "e1e8", nodes: 1, nps: 1, time: 1 } });
    const damaged = ["", "{", foreign, JSON.stringify({ engine: "", result: null }), 7];
    keys.forEach((key, index) => store.put({ text: damaged[index % damaged.length], at: 0 }, key));
    await new Promise((resolve) => (store.transaction.oncomplete = resolve));
    database.close();
  });
  await page.reload();
  assert.equal(await commentary(page, "1. e4"), said);
  assert.equal(await page.locator(".commentary .problem").count(), 0);
});

journey("without a store there is the memory", async ({ page, context }) => {
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, "indexedDB", { get: () => { throw new DOMException("no", "SecurityError"); } });
  });
  const { again } = await watchSearches(context);
  await open(page, "fen=startpos&move=e4");
  const said = await commentary(page, "1. e4");
  await play(page, "e5");
  await commentary(page, "1… e5");
  await page.locator("#main").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await commentary(page, "1. e4"), said);
  assert.deepEqual(again, []);
});
