// What `cargo dev bench` measures in a browser: the page's own benchmark, the memory of the page's process, and the network's
// worker beside onnxruntime-web. The first argument says what with and where the findings go, as JSON. Nothing of
// onnxruntime-web is in dist: it is served beside it, to this page alone.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Host } from "../e2e/host.mjs";
import { spread } from "./page.mjs";

const { address, dist, executablePath, networks, out } = JSON.parse(process.argv[2]);

/** How long the page's benchmark may take, in milliseconds: one of its positions alone has taken half a minute. */
const PATIENCE = 1_200_000;

/** How long a reader looks at a position before a first move, in milliseconds. */
const LOOK = 3_000;

/** What visits before a session were about: none of its positions. */
const ELSEWHERE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/** How many sessions begin with each of the positions. */
const ROUNDS = 4;

/** The most that a session waits for its first comment, in milliseconds: some judgements take half a minute. */
const MOST_WAIT = 10_000;

const say = (what) => console.error(`      ${what}`);
const packageFile = (path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const own = (name) => readFileSync(new URL(name, import.meta.url));

/** The page, from what its service worker has kept on a first visit. */
async function opened(context, hash = "") {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address + hash);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
  return page;
}

/** Every row of the page's benchmark, and what the page says could not be measured. */
async function pageBenchmark(browser) {
  const context = await browser.newContext();
  const page = await opened(context, "#/bench");
  await page.locator("#run-bench").click();
  await page.locator('#bench-report[aria-busy="true"]').waitFor();
  await page.locator('#bench-report[aria-busy="false"]').waitFor();
  const cells = await page.locator("#bench-report tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const rows = cells.map(([name, unit, low, median, high]) => ({ name, unit, low, median, high }));
  const problem = (await page.locator(".bench .problem").textContent()).trim();
  await context.close();
  return { rows, problem };
}

/** Bytes that the largest process of a page has for itself and of what it shares, where the system tells. */
async function processMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const share = ({ id }) => {
    try {
      const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"));
      return Number(kilobytes[1]) * 1024;
    } catch {
      return 0;
    }
  };
  const most = Math.max(0, ...processInfo.filter(({ type }) => type === "renderer").map(share));
  return most || null;
}

/** What the page takes once it has said all that it says of a move, as a visitor finds it. */
async function tabMemory(browser) {
  const context = await browser.newContext();
  const page = await opened(context);
  await page.getByLabel("Type a move").fill("e4");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("#narration .sentence").first().waitFor();
  await page.locator('.commentary .prose[aria-busy="false"]').waitFor();
  const bytes = await processMemory(browser);
  await context.close();
  return bytes;
}

/** How long a session's first comment is waited for; afterwards nothing is known of its position any more. */
async function session(context, fen, mv) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`${address}#fen=${encodeURIComponent(fen)}`);
  await page.locator("#boot").waitFor({ state: "detached" });
  const typed = page.getByLabel("Type a move");
  await typed.fill(mv);
  const play = page.getByRole("button", { name: "Play", exact: true });
  const waited = await play.evaluate(
    async (play, { look, most }) => {
      await new Promise((resolve) => setTimeout(resolve, look));
      const begun = performance.now();
      play.click();
      const seen = async (selector) => {
        for (;;) {
          const past = performance.now() - begun;
          if (past >= most || document.querySelector(selector)) return Math.min(past, most);
          await new Promise(requestAnimationFrame);
        }
      };
      return { judged: await seen(".verdict"), done: await seen('.commentary .prose[aria-busy="false"]') };
    },
    { look: LOOK, most: MOST_WAIT },
  );
  await page.evaluate(() => {
    const forgotten = indexedDB.deleteDatabase("kibitz-searches");
    return new Promise((resolve) => (forgotten.onsuccess = forgotten.onerror = forgotten.onblocked = resolve));
  });
  await page.close();
  return waited;
}

/**
 * The first comment of a session, as a reader waits for it: the page is opened anew, nothing is known of its position, and LOOK
 * after it stood there a move is made. Milliseconds from there until the comment's judgement stands, and until nothing more is
 * searched.
 */
async function firstComments(browser) {
  const context = await browser.newContext();
  // What the page has kept of a visit, its compiled programs too.
  for (let visits = 0; visits < 2; visits += 1) {
    const page = await opened(context, `#fen=${encodeURIComponent(ELSEWHERE)}&move=e4`);
    await page.locator('.commentary .prose[aria-busy="false"]').waitFor();
    await page.close();
  }
  const found = [];
  const positions = JSON.parse(readFileSync(networks[0].positions, "utf8"));
  for (const { fen, mv } of Array.from({ length: ROUNDS }, () => positions).flat()) found.push(await session(context, fen, mv));
  await context.close();
  return { look: LOOK, most: MOST_WAIT, judged: spread(found.map(({ judged }) => judged)), done: spread(found.map(({ done }) => done)), sessions: found.length };
}

/** The network's worker and onnxruntime-web, on every network. */
async function comparison(browser) {
  const host = await Host.open("/", dist);
  const worker = /kibitz:net-worker" content="([^"]+)\/net_worker_loader\.js"/.exec(host.file("index.html"))[1];
  host.replace(`${worker}/measured.js`, own("ours.js"));
  for (const name of ["memory.js", "theirs.mjs", "page.mjs"]) host.replace(`bench/${name}`, own(name));
  for (const name of ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
    host.replace(`bench/${name}`, readFileSync(packageFile(`onnxruntime-web/dist/${name}`)));
  host.replace("bench.html", '<!doctype html><title>Benchmark</title><script type="module" src="/bench/page.mjs"></script>');
  const compared = [];
  try {
    for (const { name, file, onnx, positions, turns } of networks) {
      say(`${name}: ${turns} turns of each`);
      const served = { file: `bench/${name}.pb.gz`, onnx: `bench/${name}.onnx`, positions: `bench/${name}.json` };
      host.replace(served.file, readFileSync(file));
      host.replace(served.onnx, readFileSync(onnx));
      host.replace(served.positions, readFileSync(positions));
      // A process of its own: what the last one left behind is not this one's.
      const context = await browser.newContext({ serviceWorkers: "block" });
      const page = await context.newPage();
      await page.goto(`${host.address}bench.html`);
      await page.waitForFunction(() => globalThis.compare);
      const given = { ...served, worker: `/${worker}/measured.js`, turns };
      compared.push({ name, ...(await page.evaluate((given) => globalThis.compare(given), given)) });
      await context.close();
    }
  } finally {
    await host.close();
  }
  return compared;
}

const size = (path) => readFileSync(path).length;
const wasm = (folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".wasm"));
/** Bytes of WebAssembly in a folder of dist, and of what is sent in its place. */
const sent = (folder) => {
  const sum = (ending) => wasm(`${dist}/${folder}`).reduce((sum, name) => sum + size(`${dist}/${folder}/${name}${ending}`), 0);
  return { plain: sum(""), gzip: sum(".gz"), brotli: sum(".br") };
};

// What else the machine does, before this begins.
const machine = { cpu: cpus()[0].model, cores: cpus().length, memory: totalmem(), system: type(), load: loadavg()[0] };
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
try {
  const version = browser.version();
  say("the network's worker beside onnxruntime-web");
  const compared = await comparison(browser);
  say("the memory of the page");
  const tab = await tabMemory(browser);
  say("the first comment of a session");
  const sessions = await firstComments(browser);
  say("the page's own benchmark, some minutes");
  const page = await pageBenchmark(browser);
  const onnxruntime = JSON.parse(readFileSync(packageFile("onnxruntime-web/package.json"))).version;
  const sizes = { page: sent("app"), worker: sent("net") };
  const date = new Date().toISOString().slice(0, 10);
  const commit = /kibitz:commit" content="([^"]*)"/.exec(readFileSync(`${dist}/index.html`, "utf8"))?.[1];
  const found = { date, commit, machine, browser: version, node: process.version, onnxruntime, compared, tab, sessions, page, sizes };
  writeFileSync(out, JSON.stringify(found));
} finally {
  await browser.close();
}
