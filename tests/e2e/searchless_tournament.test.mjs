// Tournament: players meet in the page, are stopped and brought back by a reload; the file and the games are the command line's; files
// that are none are refused by name; all of it goes without a mouse and on a phone.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, openForm } from "./connection.mjs";
import { PATIENCE, assert, fits, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";

/** The command line, where it is built; KIBITZ_LAB names another. */
const LAB = process.env.KIBITZ_LAB ?? new URL("../../target/debug/lab", import.meta.url).pathname;
/** The page's own engine, which runs in node as well. */
const ENGINE = new URL("../../node_modules/stockfish/bin/stockfish-19-lite-single.js", import.meta.url).pathname;
/** The model of action values that comes with the app. */
const AV = new URL("../../public/searchless/av.safetensors", import.meta.url).pathname;

const SLOW = 5 * PATIENCE;

const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const text = (all) => all.map((line) => JSON.stringify(line) + "\n").join("");
const there = (page, words) => page.locator("#tournament-there").filter({ hasText: words }).waitFor({ timeout: SLOW });
const failed = (page, words) => page.locator(".model-run .problem").filter({ hasText: words }).waitFor({ timeout: SLOW });
const give = (page, name, text) => page.locator("#tournament-file").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) });
const start = (page) => page.locator("#tournament-start").click();

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), "utf8") };
}

async function type(page, field, value) {
  await page.locator(field).fill(String(value));
  await page.locator(field).blur();
}

/** Leaves everybody out who is entered, and enters these: [kind, level, nodes]. */
async function enter(page, players) {
  const out = page.getByRole("button", { name: /^Leave out / });
  while ((await out.count()) > 0) await out.first().click();
  for (const [kind, level, nodes] of players) {
    await page.locator("#tournament-kind").selectOption(kind);
    if (level !== undefined) await type(page, "#tournament-level", level);
    if (nodes !== undefined) await type(page, "#tournament-nodes", nodes);
    await page.locator("#tournament-enter").click();
  }
}

/** Games by their places, without the time that they took. */
const games = (run) => new Map(run.filter((line) => line.line === "game").map(({ white, black, opening, outcome }) => [`${white} ${black} ${opening}`, outcome]));

journey("a small tournament is stopped, reloaded, finished and saved", { patience: 12 * PATIENCE }, async ({ page }) => {
  await open(page, "/searchless");
  await there(page, "5 players: 40 games to be played.");
  await enter(page, [["random"], ["AV"], ["skill", 0, 20]]);
  await page.locator("#tournament-enter").click();
  await page.locator("#tournament-problem").filter({ hasText: "“skill 0@20” is entered already." }).waitFor();
  await type(page, "#tournament-openings", 1);
  await type(page, "#tournament-look", 100);
  await there(page, "3 players: 6 games to be played.");
  await start(page);
  await there(page, /^[1-5] of 6 games are over, 0 failed\.$/);
  await page.locator("#tournament-stop").click();
  await page.locator("#tournament-notice").filter({ hasText: "Stopped" }).waitFor();
  const before = Number((await page.locator("#tournament-there").innerText()).match(/^(\d) of 6/)[1]);
  assert.ok(before >= 1 && before < 6, String(before));
  const halfway = lines((await download(page, "#tournament-save")).text);
  assert.equal(games(halfway).size, before);
  // Who has played stands already.
  await page.getByRole("table", { name: "Players", exact: true }).getByRole("row").nth(3).waitFor();

  await page.reload();
  await there(page, `${before} of 6 games are over`);
  assert.ok(await page.locator("#tournament-openings").isDisabled(), "one tournament has one number of openings");
  await page.getByRole("button", { name: "Go on", exact: true }).and(page.locator("#tournament-start")).click();
  await there(page, "6 of 6 games are over, 0 failed.");
  await page.locator("#tournament-start").waitFor();

  const run = await download(page, "#tournament-save");
  assert.equal(run.name, "tournament.jsonl");
  const all = lines(run.text);
  assert.equal(all.length, 7, "each game once");
  for (const [place, outcome] of games(halfway)) assert.deepEqual(games(all).get(place), outcome);
  const pgn = await download(page, "#tournament-pgn");
  assert.equal(pgn.name, "tournament.pgn");
  assert.equal(pgn.text.match(/^\[Event "Tournament"\]$/gm).length, 6);
  assert.equal(pgn.text.match(/^\[White "AV"\]$/gm).length, 2);

  await page.getByRole("img", { name: /Ratings by player: / }).waitFor();
  await page.getByRole("table", { name: "Who scored what against whom" }).getByRole("columnheader", { name: "skill 0@20" }).waitFor();
  await page.getByRole("table", { name: "How games ended" }).waitFor();
  const report = (await download(page, "#tournament-report-csv")).text;
  for (const [form, begin] of [["markdown", /^\*\*Players\*\*/], ["latex", /\\begin\{tab/]])
    assert.match((await download(page, `#tournament-report-${form}`)).text, begin);
  if (existsSync(LAB)) {
    const folder = await mkdtemp(join(tmpdir(), "kibitz-tournament-"));
    try {
      const file = join(folder, "run.jsonl");
      await writeFile(file, run.text);
      const printed = execFileSync(LAB, ["chessbench", "standings", file, "--format", "csv", "--pgn", join(folder, "games.pgn")]).toString();
      const rows = report.split("\n").filter((row) => row.trim() && !row.startsWith("#"));
      assert.ok(rows.length > 8, report);
      // The last digits of a logarithm are the processor's.
      const rough = (text) => text.replace(/-?\d+\.\d{7,}/g, (number) => Number(number).toFixed(6));
      for (const row of rows) assert.ok(rough(printed).includes(rough(row)), `${row}\nis not in\n${printed}`);
      assert.equal(await readFile(join(folder, "games.pgn"), "utf8"), pgn.text);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  // Another is begun, and the former one comes back; a part of it adds nothing.
  await page.locator("#tournament-forget").click();
  // Who was entered before the reload is not.
  await there(page, "5 players: 20 games to be played.");
  await page.locator("#tournament-back").click();
  await there(page, "6 of 6 games are over, 0 failed.");
  await give(page, "halfway.jsonl", text(halfway));
  await page.locator("#tournament-notice").filter({ hasText: "halfway.jsonl is of this tournament: 0 games more." }).waitFor();
  await there(page, "6 of 6 games are over, 0 failed.");
});

if (!existsSync(LAB) || !existsSync(ENGINE)) {
  console.error(`skipped: the journey that compares the page with lab chessbench tournament needs ${LAB} and ${ENGINE}`);
} else {
  journey("the page and lab chessbench tournament play the same games", { patience: 15 * PATIENCE }, async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "kibitz-tournament-"));
    try {
      const file = join(folder, "run.jsonl");
      const players = ["--player", "random", "--player", "engine@50", "--player", "each@5", "--model", `AV=${AV}`];
      const rules = ["--openings", "1", "--seed", "4", "--look", "50", "--beyond", "900", "--engine", ENGINE];
      const play = () => execFileSync(LAB, ["chessbench", "tournament", ...players, ...rules, "--out", file], { stdio: "pipe" });
      play();
      const native = lines(await readFile(file, "utf8"));
      assert.equal(games(native).size, 12);

      await open(page, "/searchless");
      await enter(page, [["random"], ["engine", undefined, 50], ["each", undefined, 5], ["AV"]]);
      for (const [field, value] of [["openings", 1], ["seed", 4], ["look", 50], ["beyond", 900]]) await type(page, `#tournament-${field}`, value);
      await start(page);
      await there(page, "12 of 12 games are over, 0 failed.");
      const own = lines((await download(page, "#tournament-save")).text);
      const same = ({ contestants, openings, seed, adjudication, engine }) => ({ contestants, openings, seed, adjudication, engine });
      assert.deepEqual(same(own[0]), same(native[0]));
      for (const [place, outcome] of games(native)) assert.deepEqual(games(own).get(place), outcome, place);

      // What the page began the command line ends, and the other way round.
      await writeFile(file, text(own.slice(0, 8)));
      play();
      assert.deepEqual(games(lines(await readFile(file, "utf8"))), games(native));
      await page.locator("#tournament-forget").click();
      await give(page, "run.jsonl", text(native.slice(0, 11)));
      await there(page, "10 of 12 games are over");
      await start(page);
      await there(page, "12 of 12 games are over, 0 failed.");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

const HEADER = {
  line: "tournament",
  schema: 1,
  program: "test",
  contestants: [
    { name: "one", plays: "random" },
    { name: "other", plays: "random" },
  ],
  openings: 1,
  seed: 1,
  adjudication: null,
};
const game = (moves, result, ending, places = {}) => ({ line: "game", white: 0, black: 1, opening: 0, ...places, outcome: { played: { result, ending, moves, book: 0 } }, millis: 1 });

journey("files that are no tournament are refused by name, and players that are not here are named", async ({ page }) => {
  await open(page, "/searchless");
  const mate = "f2f3 e7e5 g2g4 d8h4";
  const refused = async (name, file, words) => {
    await give(page, name, typeof file === "string" ? file : text(file));
    await page.locator("#tournament-problem").filter({ hasText: `${name} cannot be used: ${words}` }).waitFor();
  };
  await refused("nonsense.jsonl", "nonsense", "the file does not begin with the line of a tournament.");
  await refused("moves.jsonl", [HEADER, game("e2e5", "1-0", "mate")], "line 2: its moves are not legal.");
  await refused("result.jsonl", [HEADER, game(mate, "1-0", "mate")], "line 2: its moves do not come to the result that it says.");
  await refused("long.jsonl", [HEADER, game("g1f3 g8f6 f3g1 f6g8 ".repeat(100_000), "1-0", "resigned")], "line 2: its moves are not legal.");
  await refused("elsewhere.jsonl", [HEADER, game(mate, "0-1", "mate", { black: 7 })], "line 2: it is no game of the schedule.");
  await refused("endless.jsonl", [{ ...HEADER, openings: 10 ** 9 }], "2000000000 games; a tournament has 1 to 200000.");
  await refused("twice.jsonl", [{ ...HEADER, contestants: [HEADER.contestants[0], HEADER.contestants[0]] }], "two players are called “one”.");
  await refused("later.jsonl", [{ ...HEADER, schema: 9 }], "the file's shape is version 9");
  await there(page, "5 players: 40 games to be played.");

  const stranger = { name: "stranger", plays: "model", target: "action_value", sha256: "0".repeat(64), rules: { repetition: true, early_softmax: false, decided: false } };
  await give(page, "stranger.jsonl", text([{ ...HEADER, contestants: [HEADER.contestants[0], stranger] }, game(mate, "0-1", "mate")]));
  await there(page, "1 of 2 games are over, 0 failed.");
  await page.getByRole("table", { name: "Players", exact: true }).getByRole("cell", { name: "stranger" }).waitFor();
  await start(page);
  await failed(page, "“stranger” is a model (SHA-256 00000000…) that is not here: load its file under Predict, and go on.");
  const other = { name: "other", plays: "engine", limit: { nodes: 10 } };
  await give(page, "engine.jsonl", text([{ ...HEADER, contestants: [HEADER.contestants[0], other], engine: "Deep Thought" }]));
  await there(page, "0 of 2 games are over");
  await start(page);
  await failed(page, /This tournament was begun with Deep Thought, and the page’s engine is Stockfish 19/);
});

journey("a language model plays, and loses by naming no legal move", async ({ page }) => {
  const server = await LlmServer.open(() => "Ke9");
  try {
    await open(page, "/searchless");
    await enter(page, [["random"], ["chat"]]);
    await page.locator("#tournament-adjudicates").uncheck();
    await type(page, "#tournament-openings", 1);
    await start(page);
    await failed(page, "No language model is connected");
    await open(page, "/players");
    await openForm(page);
    await connect(page, `${server.address}whole/v1`);
    await open(page, "/searchless");
    await start(page);
    await there(page, "2 of 2 games are over, 0 failed.");
    await page.getByRole("table", { name: "How games ended" }).getByRole("row", { name: /^no legal move was named 2 100\.0 / }).waitFor();
    const rows = lines((await download(page, "#tournament-save")).text).slice(1);
    assert.ok(rows.every(({ tokens }) => tokens.prompt > 0), "tokens are counted");
    assert.equal(server.questions.length, 6, "three tries each");
  } finally {
    await server.close();
  }
});

journey("a tournament goes with the keyboard alone, on a phone", { viewport: { width: 390, height: 844 }, reducedMotion: "reduce", patience: 9 * PATIENCE }, async ({ page }) => {
  await open(page, "/searchless");
  const at = (id) => page.evaluate((id) => document.activeElement?.id === id, id);
  const go = async (id) => {
    for (let presses = 0; presses < 200; presses += 1) {
      if (await at(id)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`the keyboard does not come to ${id}`);
  };
  for (const name of ["AV", "SV", "BC"]) {
    await page.getByRole("button", { name: `Leave out ${name}` }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "tournament-kind");
  }
  await there(page, "2 players: 4 games to be played.");
  await go("tournament-openings");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("1");
  await go("tournament-adjudicates");
  await page.keyboard.press("Space");
  await go("tournament-start");
  await page.keyboard.press("Enter");
  await there(page, "2 of 2 games are over, 0 failed.");
  await page.locator("#tournament-start").waitFor();
  const [saved] = await Promise.all([page.waitForEvent("download"), go("tournament-pgn").then(() => page.keyboard.press("Enter"))]);
  assert.equal((await readFile(await saved.path(), "utf8")).match(/^\[Event /gm).length, 2);
  await fits(page);
});
