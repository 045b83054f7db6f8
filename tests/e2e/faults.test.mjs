// What the survey promises whatever happens to the rater's computer: an answer after which the page went on is kept. The
// browser is killed with all its processes at points of chance, and its disk fills up while somebody rates.

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import { PATIENCE, assert, open } from "./harness.mjs";
import { Chromium } from "./drivers/chromium.mjs";
import { CRITERIA, begin, downloaded, goOn, heading, prepare, random, rate, values, where } from "./rater.mjs";
import { firstMoves } from "./study_of_first_moves.mjs";

/** How often the browser is killed; `KIBITZ_KILLS=300` for a long run by hand. */
const KILLS = Number(process.env.KIBITZ_KILLS ?? 10);

const SEED = Number(process.env.KIBITZ_SEED ?? 48);

/** The longest that a browser lives after its page is there, in milliseconds: time for some answers. */
const LONGEST_LIFE = 1_500;

/** The most comments that a study may have of one move. */
const MOST_COMMENTS = 50;

/** The size of the disk that fills up. */
const DISK = "120m";

/** The file of a study of so many moves × comments, written into `folder`. */
function studyIn(folder, moves, comments) {
  const path = join(folder, "study.json");
  writeFileSync(path, JSON.stringify(firstMoves(moves, comments, { breaks: null })));
  return path;
}

/** From the study's file to its first page. */
async function enter(page, study) {
  await open(page, "/survey");
  await page.setInputFiles("#study-file", study);
  await begin(page, "R1");
  await prepare(page);
  // The one comment for practice.
  await rate(page, [3, 4, 4, 4, 4]);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".feedback");
  await page.click("#survey-continue");
  await atComment(page);
}

/** Until a comment of the study can be rated: its number, and how many there are. */
async function atComment(page) {
  await page.waitForFunction(
    () => document.querySelector("#survey-heading")?.textContent.startsWith("Comment ") && document.querySelector("#survey-next")?.disabled === false,
  );
  const [, place, all] = (await where(page)).match(/^Comment (\d+) of (\d+)$/);
  return { place: Number(place), all };
}

/** Checks that the results have every page of `kept`, which has what was rated by place. */
function checkKept(results, kept) {
  for (const [place, given] of kept) {
    const page = results.pages[place - 1];
    assert.ok(page?.answered_at, `the answer to page ${place} is lost`);
    assert.deepEqual(CRITERIA.map((criterion) => page.ratings[criterion]), given, `page ${place}`);
  }
}

/** The results that a click hands over. */
async function results(page, button = "#survey-json") {
  return JSON.parse((await downloaded(page, button)).text);
}

test(`no acknowledged answer is lost when the browser is killed ${KILLS} times (seed ${SEED})`, { timeout: (6 + KILLS) * PATIENCE }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kibitz-faults-"));
  const roll = random(SEED);
  /** What was rated on the pages after which the next one was seen. */
  const kept = new Map();
  let acknowledged = 0;
  let chromium;
  try {
    chromium = await Chromium.open(join(folder, "profile"));
    let page = await chromium.page();
    await enter(page, studyIn(folder, 20, Math.min(KILLS, MOST_COMMENTS)));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { place: begun, all } = await atComment(page);
      // A page that was answered when the browser died may be kept or not.
      assert.ok(begun > acknowledged, `after kill ${kill - 1} page ${begun} is asked for, though ${acknowledged} was answered`);
      let dead = false;
      const killed = later(roll(LONGEST_LIFE)).then(() => {
        dead = true;
        return chromium.kill();
      });
      try {
        for (let place = begun; ; place += 1) {
          const given = values(roll);
          await rate(page, given);
          await page.keyboard.press("Enter");
          await heading(page, `Comment ${place + 1} of ${all}`);
          kept.set(place, given);
          acknowledged = place;
        }
      } catch (error) {
        if (!dead) throw error;
      }
      await killed;
      await chromium.start();
      page = await chromium.page();
      await goOn(page);
    }
    await atComment(page);
    await page.getByText("Stop for now").click();
    checkKept(await results(page), kept);
    console.log(`  ${KILLS} kills, ${kept.size} acknowledged answers`);
  } finally {
    await chromium?.kill();
    rmSync(folder, { recursive: true });
  }
});

/** A small disk in memory; where none can be mounted, `why`. */
class Disk {
  /** Where it is. */
  place = mkdtempSync(join(tmpdir(), "kibitz-disk-"));
  why;

  constructor() {
    const { status, error, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", this.place], { encoding: "utf8" });
    if (status !== 0) this.why = `no disk can be mounted here: ${error?.message ?? stderr.trim()}`;
  }

  get #ballast() {
    return join(this.place, "ballast");
  }

  /** Takes all room that there is now. */
  fill() {
    const file = openSync(this.#ballast, "a");
    for (let size = 1 << 22; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if (error.code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
    closeSync(file);
  }

  /** Gives it back. */
  empty() {
    rmSync(this.#ballast);
  }

  remove() {
    if (!this.why) spawnSync("umount", ["--lazy", this.place]);
    rmSync(this.place, { recursive: true, force: true });
  }
}

/**
 * Back to the session as a rater comes back: from the list of what was begun here, by the link where the browser has lost the
 * study. Its answers may be there all the same, and then the list says so.
 */
async function comeBack(page, study) {
  await open(page, "/survey");
  await page.waitForSelector("#survey-begun li");
  assert.match(await page.innerText("#survey-begun"), /R1/);
  if (await page.locator("#survey-begun button.primary").count()) return page.click("#survey-begun button.primary");
  await page.setInputFiles("#study-file", study);
  await page.fill("#rater-code", "R1");
  await page.click("#survey-begin button");
}

/** What Chromium does on a full disk differs from run to run: until a hundred of them have been seen, they are begun by hand. */
const BY_HAND = process.env.KIBITZ_FULL_DISK ? false : "its browser does not always live; KIBITZ_FULL_DISK=1 runs it";

/** Pages that are answered before the disk is full, and the most that are tried after that. */
const BEFORE_FULL = 8;
const ON_FULL = 20;

/** What the page says where answers are less safe than they should be; its second button hands over what the page has. */
const SAFETY = "#survey-safety";

/** Whether the page takes no more answers, and says so. */
const refuses = (safety) => document.querySelector(safety) !== null && document.querySelector("#survey-next")?.disabled !== false;

/**
 * The answers on a disk without any room, until the page takes no more, or the browser dies of it: by place, those after which
 * the next page came.
 */
async function rateOnFull(disk, chromium, page) {
  const roll = random(SEED);
  const kept = new Map();
  const refused = page.waitForFunction(refuses, SAFETY, { timeout: 0 }).then(() => true);
  refused.catch(() => undefined);
  for (let place = 1; place <= BEFORE_FULL + ON_FULL; place += 1) {
    if (place > BEFORE_FULL) disk.fill();
    const given = values(roll);
    const goesOn = async () => {
      await rate(page, given);
      await page.keyboard.press("Enter");
      await heading(page, `Comment ${place + 1} of 200`);
    };
    try {
      if (await Promise.race([goesOn(), refused])) break;
    } catch (error) {
      if (!chromium.isGone) throw error;
      console.log(`  the browser has died on page ${place}`);
      break;
    }
    kept.set(place, given);
  }
  return kept;
}

for (const [what, meanwhile] of [
  ["a full disk", () => undefined],
  [
    "a full disk where the page is loaded again",
    // What it can read there is up to the browser.
    (page) => page.reload(),
  ],
])
  test(`no acknowledged answer is lost on ${what} (seed ${SEED})`, { skip: BY_HAND, timeout: 6 * PATIENCE }, async (t) => {
    const disk = new Disk();
    const folder = mkdtempSync(join(tmpdir(), "kibitz-faults-"));
    let chromium;
    try {
      if (disk.why) return t.skip(disk.why);
      chromium = await Chromium.open(join(disk.place, "profile"));
      let page = await chromium.page();
      const study = studyIn(folder, 20, 10);
      await enter(page, study);
      const kept = await rateOnFull(disk, chromium, page);
      assert.ok(kept.size >= BEFORE_FULL);
      if (!chromium.isGone) {
        // It is said at once, and what the page has can be taken home.
        await page.waitForSelector(SAFETY);
        checkKept(await results(page, `${SAFETY} button:not(.primary)`), kept);
        await meanwhile(page);
      }
      // The browser dies, and somebody makes room.
      await chromium.kill();
      disk.empty();
      await chromium.start();
      page = await chromium.page();
      await comeBack(page, study);
      await atComment(page);
      await page.getByText("Stop for now").click();
      checkKept(await results(page), kept);
      console.log(`  ${kept.size} acknowledged answers`);
    } finally {
      await chromium?.kill();
      disk.remove();
      rmSync(folder, { recursive: true });
    }
  });
