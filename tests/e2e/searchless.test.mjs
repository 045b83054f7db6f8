// Searchless: boards are annotated by several engines, stopped, brought back by a reload, finished and saved; the file is the command
// line's; sets are described and compared; hostile files are refused by name; all of it goes without a mouse and on a phone.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE, assert, fits, journey, open } from "./harness.mjs";
import { shortGames } from "./short_games.mjs";

/** The command line, where it is built; KIBITZ_LAB names another. */
const LAB = process.env.KIBITZ_LAB ?? new URL("../../target/debug/lab", import.meta.url).pathname;
/** The page's own engine, which runs in node as well. */
const ENGINE = new URL("../../node_modules/stockfish/bin/stockfish-19-lite-single.js", import.meta.url).pathname;

const FENS = [
  "8/8/8/8/8/5k2/8/R6K w - - 0 1",
  "8/8/8/8/8/5k2/6q1/7K w - - 0 9",
  "7k/8/8/8/8/8/5PPP/6K1 w - - 3 40",
  "8/P6k/8/8/8/8/6p1/K7 b - - 0 1",
].join("\n");

const SLOW = 3 * PATIENCE;

const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const there = (page, words) => page.locator("#searchless-there").filter({ hasText: words }).waitFor({ timeout: SLOW });
const problem = (page, words) => page.locator("#searchless-problem").filter({ hasText: words }).waitFor();
const give = (page, name, text) => page.locator("#searchless-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const set = (page, slot, files) => page.locator(`#searchless-${slot}`).setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) })));

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

async function type(page, field, value) {
  await page.locator(field).fill(String(value));
  await page.locator(field).blur();
}

/** The page believes in so many cores, whatever this machine has. */
const cores = (context, count) =>
  context.addInitScript((count) => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => count }), count);

const records = (run) => new Map(run.filter((line) => line.line === "row" && line.record).map(({ record }) => [record.fen, record]));

journey("boards are annotated by two engines, stopped, reloaded, finished and saved", async ({ page, context }) => {
  await cores(context, 3);
  await open(page, "/searchless");
  await there(page, "No boards yet.");
  await give(page, "famous.pgn", shortGames());
  await there(page, /^\d+ boards\.$/);
  await page.locator("#searchless-notice").filter({ hasText: /famous\.pgn: \d+ boards of \d+ in \d+ games; \d+ repeat another\./ }).waitFor();
  await type(page, "#searchless-nodes", 3_000);
  await type(page, "#searchless-first", 50);
  assert.equal(await page.locator("#searchless-engines").getAttribute("max"), "2");
  assert.equal(await page.locator("#searchless-engines").inputValue(), "2");
  await page.locator("#searchless-start").click();
  await there(page, /50 boards by Stockfish 19.*, 3,000 nodes, one search for each move: ([5-9]|[1-4]\d) of 50 annotated/);
  await page.locator(".model-run").filter({ hasText: /of 50\. About \d+ s left, \d+ searches a second/ }).waitFor();
  await page.locator("#searchless-stop").click();
  await page.locator("#searchless-notice").filter({ hasText: "Stopped" }).waitFor();
  const before = Number((await page.locator("#searchless-there").innerText()).match(/(\d+) of 50 annotated/)[1]);
  assert.ok(before >= 5 && before < 50, String(before));
  // What is there can be seen already.
  await page.getByRole("table", { name: /table A1/ }).getByRole("row", { name: new RegExp(`^this set \\d+ ${before} `) }).waitFor();
  const halfway = lines((await download(page, "#searchless-save-run")).bytes.toString());

  await page.reload();
  await there(page, `${before} of 50 annotated`);
  assert.ok(await page.locator("#searchless-nodes").isDisabled(), "one run has one limit");
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  await there(page, "50 of 50 annotated, 0 failed");
  await page.locator("#searchless-start").waitFor();

  const run = await download(page, "#searchless-save-run");
  assert.equal(run.name, "searchless-run.jsonl");
  const all = lines(run.bytes.toString());
  assert.equal(all[0].line, "annotation");
  assert.equal(all.filter((line) => line.line === "board").length, 50);
  const rows = all.filter((line) => line.line === "row");
  assert.equal(rows.length, 50, "each once");
  assert.equal(records(all).size, 50);
  // What was there before is as it was.
  for (const [fen, record] of records(halfway)) assert.deepEqual(records(all).get(fen), record);

  const jsonl = lines((await download(page, "#searchless-save-jsonl")).bytes.toString());
  assert.equal(jsonl[0].line, "chessbench");
  const boards = all.filter((line) => line.line === "board").map((line) => line.fen);
  assert.deepEqual(jsonl.slice(1).map((line) => line.fen), boards, "in the boards' own order");
  const actions = jsonl.slice(1).reduce((sum, line) => sum + (line.actions?.length ?? 0), 0);
  const csv = (await download(page, "#searchless-save-csv")).bytes.toString().trim().split("\n");
  assert.equal(csv[0], "fen,value,score,best,move,action_value,action_score");
  // Where the game is over there is a row for the board's own value.
  const over = jsonl.slice(1).filter((line) => !line.actions?.length).length;
  assert.equal(csv.length, 1 + actions + over);
  const bags = [];
  for (const [button, name, count] of [
    ["action-values", "action_value_data.bag", actions],
    ["state-values", "state_value_data.bag", 50],
    // Where the game is over there is a value and no move.
    ["best-moves", "behavioral_cloning_data.bag", jsonl.filter((line) => line.best).length],
  ]) {
    const bag = await download(page, `#searchless-save-${button}`);
    assert.equal(bag.name, name);
    const end = Number(bag.bytes.readBigUInt64LE(bag.bytes.length - 8));
    assert.equal((bag.bytes.length - end) / 8, count);
    bags.push([name, bag.bytes]);
  }

  // The data card, in pictures and words.
  await page.getByRole("img", { name: /^Chances of winning.*The largest buckets:/ }).waitFor();
  await page.getByRole("img", { name: /^Moves by their numbers/ }).waitFor();
  await page.getByRole("table", { name: /table A1/ }).getByRole("row", { name: "train (paper) 10000 591897 589130" }).waitFor();
  for (const [form, start] of [["csv", /^# Where the set is from/], ["markdown", /\| Set \|/], ["latex", /\\begin\{tab/]])
    assert.match((await download(page, `#searchless-report-${form}`)).bytes.toString(), start);

  // Its own files are a set, and all of it is in the run.
  await set(page, "learned", bags);
  await page.locator("#searchless-learned-there").filter({ hasText: "action_value_data.bag: 50 boards." }).waitFor();
  await page.locator("#searchless-learned-there").filter({ hasText: /^state_value_data\.bag, behavioral_cloning_data\.bag, action/ }).waitFor();
  await page.locator("#searchless-tested-run").click();
  const overlap = page.getByRole("table", { name: "How much of the second set is in the first" });
  await overlap.getByRole("row", { name: /^Boards 50 50 100\.00/ }).waitFor();
  const puzzle = "PuzzleId,FEN,Moves,Rating,Themes\nx,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4,600,mateIn1\n";
  await set(page, "puzzles", [["puzzles.csv", puzzle]]);
  await overlap.getByRole("row", { name: /^Puzzles 1 0 0\.00/ }).waitFor();
  await page.locator("#searchless-card-of").selectOption("learned");
  await page.getByRole("table", { name: "Where the set is from" }).getByRole("row", { name: "Engine the file does not say" }).waitFor();

  // The file goes on elsewhere: what was saved is the run.
  await page.locator("#searchless-forget").click();
  await there(page, "No boards yet.");
  await give(page, "run.jsonl", halfway.map((line) => JSON.stringify(line)).join("\n"));
  await there(page, `${before} of 50 annotated, 0 failed`);
  await page.locator("#searchless-back").click();
  await there(page, "50 of 50 annotated, 0 failed");
});

if (!existsSync(LAB) || !existsSync(ENGINE)) {
  console.error(`skipped: the journey that compares the page with lab chessbench annotate needs ${LAB} and ${ENGINE}`);
} else {
  journey("the page and lab chessbench annotate say the same of two hundred boards", { patience: 12 * PATIENCE }, async ({ page, context }) => {
    const folder = await mkdtemp(join(tmpdir(), "kibitz-searchless-"));
    try {
      const [games, file] = [join(folder, "games.pgn"), join(folder, "run.jsonl")];
      await writeFile(games, shortGames());
      const annotate = (...more) => execFileSync(LAB, ["chessbench", "annotate", games, "--engine", ENGINE, "--nodes", "100", "--first", "200", "--out", file, ...more], { stdio: "pipe" });
      annotate();
      const native = lines(await readFile(file, "utf8"));
      assert.equal(records(native).size, 200);

      await cores(context, 3);
      await open(page, "/searchless");
      // What is chosen before the boards are there holds for them.
      await type(page, "#searchless-first", 200);
      await give(page, "games.pgn", shortGames());
      await type(page, "#searchless-nodes", 100);
      await there(page, /^\d+ boards\.$/);
      assert.equal(await page.locator("#searchless-first").inputValue(), "200");
      await page.locator("#searchless-start").click();
      // At once where a board failed, too.
      const rests = page.locator("#searchless-there").filter({ hasText: /200 of 200 annotated|[1-9]\d* failed/ });
      await rests.waitFor({ timeout: 9 * PATIENCE });
      assert.match(await rests.innerText(), /200 of 200 annotated, 0 failed/);
      const own = lines((await download(page, "#searchless-save-run")).bytes.toString());
      assert.deepEqual(own[0].oracle, native[0].oracle);
      assert.deepEqual(records(own).size, 200);
      for (const [fen, record] of records(native)) assert.deepEqual(records(own).get(fen), record, fen);

      // What the page began the command line ends, and the other way round.
      const head = (run) => run.filter((line) => line.line !== "row");
      const rows = own.filter((line) => line.line === "row");
      const text = (all) => all.map((line) => JSON.stringify(line) + "\n").join("");
      await writeFile(file, text([...head(own), ...rows.slice(0, 150)]));
      annotate();
      assert.equal(records(lines(await readFile(file, "utf8"))).size, 200);
      await page.locator("#searchless-forget").click();
      await give(page, "run.jsonl", text([...head(native), ...rows.slice(0, 190)]));
      await there(page, "190 of 200 annotated");
      await page.locator("#searchless-start").click();
      await there(page, "200 of 200 annotated, 0 failed");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

journey("a search that hangs ends, and its board is tried again when the run goes on", async ({ page, context }) => {
  // One engine does not hear what it is to search first.
  await context.addInitScript(() => {
    let swallowed = false;
    globalThis.Worker = class extends globalThis.Worker {
      postMessage(...given) {
        const first = !swallowed && String(given[0]).startsWith("go movetime");
        swallowed ||= first;
        if (!first) super.postMessage(...given);
      }
    };
  });
  await cores(context, 1);
  await open(page, "/searchless");
  await page.locator("#searchless-text").fill(FENS);
  await page.locator("#searchless-take").click();
  await there(page, "4 boards.");
  assert.equal(await page.locator("#searchless-engines").getAttribute("max"), "1");
  await page.locator("#searchless-limit").selectOption("millis");
  await type(page, "#searchless-millis", 1);
  await page.locator("#searchless-start").click();
  await there(page, "3 of 4 annotated, 1 failed");
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  await there(page, "4 of 4 annotated, 0 failed");
  const rows = lines((await download(page, "#searchless-save-run")).bytes.toString()).filter((line) => line.line === "row");
  assert.deepEqual(rows.filter((row) => row.error).map((row) => row.error.what), ["the engine did not finish a search within 6 seconds"]);
});

journey("what holds no boards and hostile .bag files are refused by name", async ({ page }) => {
  await open(page, "/searchless");
  await give(page, "nonsense.txt", "nonsense");
  await problem(page, "nonsense.txt cannot be used: ");
  await give(page, "boards.fen", `${FENS}\nnonsense`);
  await problem(page, "boards.fen cannot be used: line 5: ");
  await give(page, "set.jsonl", '{"line":"chessbench","schema":1,"program":"x"}\n');
  await problem(page, "set.jsonl cannot be used: it is a set of annotated boards");
  const refused = (words) => page.locator("#searchless-sets-problem").filter({ hasText: words }).waitFor();
  const end = (number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(number));
    return bytes;
  };
  await set(page, "learned", [["short.bag", Buffer.alloc(5)]]);
  await refused("short.bag cannot be used: the file is cut off: it has 5 bytes");
  await set(page, "learned", [["outside.bag", Buffer.concat([Buffer.from("abc"), end(2n ** 63n)])]]);
  await refused("outside.bag cannot be used: the file is cut off, or is not a .bag: the last 8 of its 11 bytes");
  await set(page, "learned", [["record.bag", Buffer.concat([Buffer.from([200, 1, 65]), end(3)])]]);
  await refused("record.bag cannot be used: record 1: the length of its board does not fit");
  await set(page, "tested", [["packed.bag", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0])]]);
  await refused("packed.bag cannot be used: the records are compressed (.bagz); unpack them first.");
  await set(page, "puzzles", [["no.csv", "a,b\n1,2\n"]]);
  await refused("no.csv cannot be used: the puzzles' header has no column PuzzleId.");
  assert.equal(await page.locator("#searchless-learned-there").innerText(), "");
});

journey("all of it goes with the keyboard alone, on a phone", { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" }, async ({ page }) => {
  await open(page, "/searchless");
  const go = async (id) => {
    for (let presses = 0; presses < 150; presses += 1) {
      if (await page.evaluate((id) => document.activeElement?.id === id, id)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`the keyboard does not come to ${id}`);
  };
  await go("searchless-text");
  await page.keyboard.insertText(FENS);
  await go("searchless-take");
  await page.keyboard.press("Enter");
  await there(page, "4 boards.");
  await go("searchless-nodes");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("50");
  await go("searchless-start");
  await page.keyboard.press("Enter");
  await there(page, "4 of 4 annotated, 0 failed");
  await page.locator("#searchless-start").waitFor();
  await page.getByRole("img", { name: /^Chances of winning/ }).waitFor();
  const [saved] = await Promise.all([page.waitForEvent("download"), go("searchless-save-csv").then(() => page.keyboard.press("Enter"))]);
  // The mated side has a value and no move: one row as well.
  assert.equal((await readFile(await saved.path(), "utf8")).split("\n").filter((row) => row.startsWith("8/8/8/8/8/5k2/6q1/7K")).length, 1);
  await fits(page);
});
