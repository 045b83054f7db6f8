// Several engines annotate a game side by side: they stop, go on, give way to the move under discussion and stand in for each
// other; what was searched is not searched again.

import { assert, journey, open } from "./harness.mjs";
import { commentary, paste } from "./play.mjs";

/** Morphy against the Duke of Brunswick and Count Isouard, Paris 1858. */
const OPERA = `1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;
const POSITIONS = 33;
/** Long enough for several to be at work when one looks. */
const engine = { nodes: 40_000 };

/** The page believes in so many cores, whatever this machine has. */
const cores = (context, count) =>
  context.addInitScript((count) => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => count }), count);

/** Keeps a record of the engines that the page has: which live, which search, what was searched to its end, and what was begun
 * that was known. */
const watchEngines = (context) =>
  context.addInitScript(() => {
    globalThis.engines = [];
    globalThis.mostAtOnce = 0;
    globalThis.begun = [];
    globalThis.finished = [];
    globalThis.inVain = [];
    globalThis.Worker = class extends globalThis.Worker {
      constructor(address, options) {
        super(address, options);
        if (!String(address).includes("stockfish-19")) return;
        globalThis.engines.push(this);
        Object.assign(this, { isEngine: true, isAlive: true, search: null, isStopped: false, known: null, lines: "", memory: "" });
        this.addEventListener("message", ({ data }) => {
          if (!this.search || !/^bestmove/m.test(String(data))) return;
          if (!this.isStopped) globalThis.finished.push(this.search);
          this.search = null;
          // What took its place begins at once.
          const { known } = this;
          setTimeout(() => {
            if (this.known === known) this.known = null;
          });
        });
      }
      postMessage(...given) {
        super.postMessage(...given);
        if (!this.isEngine) return;
        const line = String(given[0]);
        if (line.startsWith("setoption name MultiPV")) this.lines = line;
        if (line.startsWith("position ")) this.position = line;
        if (line === "ucinewgame") this.memory = "afresh";
        if (line === "stop" && this.search && !this.isStopped) Object.assign(this, { isStopped: true, known: [...globalThis.finished] });
        if (!line.startsWith("go ")) return;
        const search = `${this.position} ${line} ${this.lines} ${this.memory}`;
        // One that another had to make way for was asked for before it could begin.
        if ((this.known ?? globalThis.finished).includes(search)) globalThis.inVain.push(search);
        Object.assign(this, { search, isStopped: false, known: null, memory: "" });
        globalThis.begun.push(this.search);
        const busy = globalThis.engines.filter(({ isAlive, search }) => isAlive && search).length;
        globalThis.mostAtOnce = Math.max(globalThis.mostAtOnce, busy);
      }
      terminate() {
        super.terminate();
        this.isAlive = false;
      }
    };
  });

const alive = (page, count) =>
  page.waitForFunction((count) => globalThis.engines.filter(({ isAlive }) => isAlive).length === count, count);
const finished = (page) => page.evaluate(() => globalThis.finished);
const isOnce = (searches) => {
  const again = searches.filter((search, place) => searches.indexOf(search) !== place);
  assert.deepEqual(again, [], "no search is made twice");
};
const done = (card) => card.getByText(new RegExp(`^Done: all ${POSITIONS} positions are searched\\.`)).waitFor();

async function begin(page) {
  await paste(page, OPERA);
  const card = page.locator(".whole-game");
  await card.getByRole("button", { name: "Annotate the game" }).click();
  return card;
}

journey("three engines annotate a game, stop, go on, and search nothing again", { engine }, async ({ page, context }) => {
  await cores(context, 4);
  await watchEngines(context);
  await open(page);
  const card = await begin(page);
  await page.waitForFunction(() => globalThis.mostAtOnce === 3);
  await card.getByText(new RegExp(`^[1-9]\\d* of ${POSITIONS} positions`)).waitFor();
  await card.getByRole("button", { name: "Stop", exact: true }).click();
  const status = card.getByText(new RegExp(`^Stopped: [1-9]\\d* of ${POSITIONS} positions are searched\\.$`));
  await status.waitFor();
  const before = Number(/(\d+) of/.exec(await status.innerText())[1]);
  assert.ok(before < POSITIONS, `${before} positions`);
  // Those beside the page's own end with the annotation.
  await alive(page, 1);
  // Which of the positions were searched first is the engines' affair.
  assert.match(await card.locator(".curve").getAttribute("d"), /^M\d/, "what is done is shown");
  await card.getByRole("button", { name: "Go on" }).click();
  await card.getByText(new RegExp(`^\\d+ of ${POSITIONS} positions`)).waitFor();
  assert.ok(Number(/(\d+) of/.exec(await card.locator(".progress").innerText())[1]) >= before, "what is done is kept");
  await done(card);
  await alive(page, 1);
  const all = await finished(page);
  isOnce(all);
  assert.equal(all.filter((search) => search.includes("go nodes 20000")).length, POSITIONS, "one first look at each position");
  const notes = await card.locator(".notes li").allInnerTexts();

  // The same game in another tab: whatever is searched there was not searched here.
  const other = await context.newPage();
  await open(other);
  const again = await begin(other);
  await done(again);
  const known = new Set(all);
  const repeated = (await other.evaluate(() => globalThis.begun)).filter((search) => known.has(search));
  assert.deepEqual(repeated, []);
  await other.waitForFunction((count) => document.querySelectorAll(".whole-game .notes li").length === count, notes.length);
  assert.deepEqual(await again.locator(".notes li").allInnerTexts(), notes);
});

journey("the move under discussion is answered while others annotate", { engine }, async ({ page, context }) => {
  await cores(context, 4);
  await watchEngines(context);
  await open(page);
  const card = await begin(page);
  await page.waitForFunction(() => globalThis.mostAtOnce === 3);
  for (const [move, label] of [["Nxb5", "10. Nxb5"], ["Rxd7", "13. Rxd7"]]) {
    await page.locator(".moves").getByRole("button", { name: new RegExp(`^${label.split(".")[0]}\\. ${move}(,|$)`) }).click();
    await commentary(page, label);
  }
  await done(card);
  // Two may be at the same search: what is asked of the page's own waits for none of the others.
  assert.deepEqual(await page.evaluate(() => globalThis.inVain), [], "what is known is not searched again");
  assert.ok((await finished(page)).length > POSITIONS);
});

journey("engines that are lost leave their positions to the one that is left", { engine }, async ({ page, context }) => {
  await cores(context, 4);
  await watchEngines(context);
  // All but the page's own die of every search.
  await context.addInitScript(() => {
    globalThis.lost = 0;
    globalThis.Worker = class extends globalThis.Worker {
      postMessage(...given) {
        super.postMessage(...given);
        if (!this.isEngine || this === globalThis.engines[0] || !String(given[0]).startsWith("go ")) return;
        globalThis.lost += 1;
        this.dispatchEvent(new ErrorEvent("error", { message: "RuntimeError: unreachable" }));
      }
    };
  });
  await open(page);
  const card = await begin(page);
  // Each is started again once.
  await page.waitForFunction(() => globalThis.lost === 4);
  await done(card);
  await alive(page, 1);
});

journey("with two cores the page's own engine annotates alone", async ({ page, context }) => {
  await cores(context, 2);
  await watchEngines(context);
  await open(page);
  await done(await begin(page));
  assert.deepEqual(await page.evaluate(() => [globalThis.engines.length, globalThis.mostAtOnce]), [1, 1]);
  isOnce(await finished(page));
});
