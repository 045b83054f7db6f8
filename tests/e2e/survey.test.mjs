// A rating study from its making to its results, and everything that can happen to a rater's browser on the way.

import { readFileSync } from "node:fs";
import { PATIENCE, assert, fits, journey, open, restingBox } from "./harness.mjs";
import { connect, openForm } from "./connection.mjs";
import { LlmServer } from "./llm_server.mjs";
import {
  CRITERIA, answerQuestions, begin, check, demonstration, random, downloaded, goOn, heading, practise, prepare, rate, values, where,
} from "./rater.mjs";
import { startFromDemonstration } from "./play.mjs";

const FIFTY = new URL("../data/survey/fifty-moves.csv", import.meta.url).pathname;

journey("the paper's study, from building it to the results", async ({ page }) => {
  await page.clock.install();
  await open(page, "/study");
  await page.locator("#builder-ready").getByText("Not ready yet").waitFor();
  await page.locator("#builder-table").setInputFiles(FIFTY);
  await page.getByText("50 items, 250 comments by 5 methods.").waitFor();
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  const study = JSON.parse((await downloaded(page, "#builder-save")).text);
  assert.equal(study.schema, "kibitz-study-1");
  assert.deepEqual(study.options.breaks, { after: 50, minutes: 10, skippable: false });
  await page.locator("#builder-try").click();
  await begin(page, "R7");
  await prepare(page);
  await practise(page, 3);
  const roll = random(7);
  const remembered = new Map();
  for (let place = 0; place < 250; place += 1) {
    await heading(page, `Comment ${place + 1} of 250`);
    const given = values(roll);
    await rate(page, given);
    remembered.set(place, given);
    await page.keyboard.press("Enter");
    if ((place + 1) % 50 === 0 && place + 1 < 250) {
      // Ten minutes, and not one less.
      await page.locator("#survey-break").waitFor();
      assert.ok(await page.locator("#survey-continue").isDisabled());
      await page.clock.fastForward(9 * 60_000);
      assert.ok(await page.locator("#survey-continue").isDisabled());
      await page.clock.fastForward(60_000);
      await page.locator("#survey-continue:enabled").click();
    }
  }
  await page.locator("#survey-done").waitFor();
  const json = await downloaded(page, "#survey-json");
  assert.equal(json.name, "my-study-R7.json");
  const results = JSON.parse(json.text);
  assert.equal(results.outcome, "complete");
  assert.deepEqual(results.form, { rating: "1776", site: "FIDE", language: "Fluent" });
  check(results, remembered);
  // Blinded: no method's name was ever on the page; all of them are in the results.
  assert.equal(new Set(results.pages.map((page) => page.method)).size, 5);
  const rows = (await downloaded(page, "#survey-csv")).text.trim().split("\n");
  const wrong = [...remembered.values()].filter((given) => given[0] === 1).length;
  assert.equal(rows[0], "study,rater,item,position,method,criterion,value,active_ms,answered_at");
  assert.equal(rows.length, 1 + 250 * 5 + wrong);
});

journey("a rater's own table runs nothing in a spreadsheet, where that is asked for", async ({ page }) => {
  await open(page, "/study");
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  await page.locator("#builder-paste").fill(`fen,move,method,comment\n${start},e4,ours,White takes space in the centre.\n`);
  await page.locator("#builder-add").click();
  await page.getByText("1 items, 1 comments by 1 methods.").waitFor();
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  await page.locator("#builder-try").click();
  await begin(page, "R1");
  await prepare(page);
  await practise(page, 3);
  await heading(page, "Comment 1 of 1");
  // Whoever rates does not read of planted comments and marks.
  await page.getByText("Stop for now").click();
  await page.locator("#survey-csv").waitFor();
  assert.equal(await page.locator("#survey-codebook-csv").count(), 0);
  await page.locator("#survey-heading").focus();
  await rate(page, [1, 4, 4, 4, 4]);
  // What a rater writes is a cell of the table.
  await page.locator("#kind-error_kind-other").check();
  await page.locator("#other-error_kind").fill("=1+1");
  // It stays there while it is being written, whatever is noted meanwhile; this click leaves the keyboard where it is.
  await page.evaluate(() => document.querySelector("#kind-error_kind-tactical").click());
  await page.locator("#survey-next").click();
  await page.locator("#survey-done").waitFor();
  const written = async () => (await downloaded(page, "#survey-csv")).text.trim().split("\n").map((row) => row.split(",")[6]);
  assert.ok((await written()).includes("=1+1"));
  await page.locator(".spreadsheet-safe").check();
  const safe = await written();
  assert.ok(safe.includes("'=1+1") && !safe.some((cell) => cell.startsWith("=")), safe.join());
  // Every column of the table is in the codebook beside it.
  const [head] = (await downloaded(page, "#survey-csv")).text.split("\n");
  const codebook = await downloaded(page, "#survey-codebook-csv");
  assert.match(codebook.name, /-codebook\.csv$/);
  for (const column of head.split(",")) assert.ok(codebook.text.includes(`\ncolumn,${column},`), column);
  const readable = await downloaded(page, "#survey-codebook-md");
  assert.match(readable.text, /\| column \| rater \|/);
});

/**
 * With KIBITZ_HUMAN_PACE the rater takes up to two seconds before each key and each kill, as people do: what the page does
 * between two keys is cut then, too. Nothing waits for that time.
 */
const thinks = process.env.KIBITZ_HUMAN_PACE ? (page, roll) => page.waitForTimeout(roll(2_000)) : () => undefined;

/** Rates the demonstration while the tab is killed `kills` times, wherever it is. */
function killed(seed, kills) {
  const patience = process.env.KIBITZ_HUMAN_PACE ? 20 * PATIENCE : 6 * PATIENCE;
  journey(`no answered item is lost when the tab is killed ${kills} times (seed ${seed})`, { patience }, async ({ page, context }) => {
    const roll = random(seed);
    await demonstration(page);
    await prepare(page);
    await practise(page);
    const remembered = new Map();
    let left = kills;
    let place = 0;
    const kill = async () => {
      left -= 1;
      if (roll(2)) {
        const session = await context.newCDPSession(page);
        const crashed = page.waitForEvent("crash");
        // A page that has crashed answers no command, this one included.
        session.send("Page.crash").catch(() => {});
        await crashed;
      }
      await page.close();
      page = await context.newPage();
      await goOn(page);
      await page.locator("#survey-heading, #survey-break, #survey-done").first().waitFor();
    };
    while (place < 26) {
      if (await page.locator("#survey-break").isVisible()) await page.locator("#survey-continue").click();
      await heading(page, `Comment ${place + 1} of 26`);
      const given = values(roll);
      // After so many of the five ratings, after Enter, or not at all on this page.
      const when = left > 0 ? roll(8) : 7;
      for (let count = 1; count <= Math.min(when, 5); count += 1) {
        await thinks(page, roll);
        await rate(page, given.slice(0, count));
      }
      await thinks(page, roll);
      if (when < 5) {
        await kill();
        // What was rated before the tab went is still there.
        await heading(page, `Comment ${place + 1} of 26`);
        for (let index = 0; index < when; index += 1)
          assert.ok(await page.locator(`#rate-${CRITERIA[index]}-${given[index]}`).isChecked(), `${CRITERIA[index]} of page ${place + 1}`);
        continue;
      }
      await page.keyboard.press("Enter");
      remembered.set(place, given);
      if (when === 5) await kill();
      else await page.locator(`#survey-break, #survey-done, #survey-heading:text-is("Comment ${place + 2} of 26")`).first().waitFor();
      // Killed at once, the page may not have been submitted; killed after the next one was there, it must be.
      if (when === 6) await kill();
      if (await page.locator("#survey-heading").isVisible()) {
        const now = await where(page);
        if (when === 5 && now === `Comment ${place + 1} of 26`) {
          remembered.delete(place);
          continue;
        }
        assert.equal(now, `Comment ${place + 2} of 26`);
      }
      place += 1;
    }
    await page.locator("#survey-done").waitFor();
    check(JSON.parse((await downloaded(page, "#survey-json")).text), remembered);
    console.log(`  ${kills - left} kills, seed ${seed}`);
  });
}

killed(1, 25);
killed(2, 25);

journey("two tabs: the second can look, and can take over", async ({ page, context }) => {
  await demonstration(page);
  await prepare(page);
  await heading(page, "Practice 1 of 2");
  await rate(page, [3]);
  const second = await context.newPage();
  await goOn(second);
  await second.locator("#survey-other-tab").waitFor();
  assert.match(await second.locator("#survey-other-tab").innerText(), /open in another tab.*nothing that you click is recorded/s);
  assert.ok(await second.locator("#rate-correctness-3").isChecked());
  assert.ok(await second.locator("#survey-next").isDisabled());
  await second.getByRole("button", { name: "Go on in this tab" }).click();
  await second.locator("#survey-other-tab").waitFor({ state: "detached" });
  // The first one hears of it, and writes no more.
  await page.locator("#survey-other-tab").waitFor();
  assert.ok(await page.locator("#survey-next").isDisabled());
  await second.bringToFront();
  // The second has let go of the notice before it has the session.
  await heading(second, "Practice 1 of 2");
  await rate(second, [2, 2]);
  assert.ok(await second.locator("#rate-relevance-2").isChecked());
});

journey("a full disk holds the rater back until the answer is kept", async ({ page }) => {
  await page.addInitScript(() => {
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const { add } = IDBObjectStore.prototype;
    const { close } = FileSystemWritableFileStream.prototype;
    globalThis.fillDisk = (store, copy) => {
      IDBObjectStore.prototype.add = store ? full : add;
      FileSystemWritableFileStream.prototype.close = copy ? full : close;
    };
  });
  await demonstration(page);
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  // Only the main store is full: the copy will do, and that is said.
  await page.evaluate(() => globalThis.fillDisk(true, false));
  await rate(page, [3, 3, 3, 3, 3]);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  assert.match(await page.locator("#survey-safety").innerText(), /full.*smaller store.*download your results/s);
  // Second copy and store are full: not one answer more, and what to do is said.
  await page.evaluate(() => globalThis.fillDisk(true, true));
  await page.keyboard.press("2");
  await page.getByText(/could not be kept.*Everything before them is safe/).waitFor();
  assert.ok(await page.locator("#survey-next").isDisabled());
  const again = page.locator("#survey-safety").getByRole("button", { name: "Try again", disabled: false });
  await again.click();
  // It was tried to no avail.
  await again.waitFor();
  assert.equal(await where(page), "Comment 2 of 26");
  // There is room again: the answer that waited is there, and it goes on.
  await page.evaluate(() => globalThis.fillDisk(false, false));
  await again.click();
  await page.locator("#survey-safety").waitFor({ state: "detached" });
  assert.ok(await page.locator("#rate-correctness-2").isChecked());
  for (const criterion of CRITERIA.slice(1)) await page.locator(`#rate-${criterion}-3`).check();
  await page.locator("#survey-next").click();
  await heading(page, "Comment 3 of 26");
  await page.reload();
  await goOn(page);
  await heading(page, "Comment 3 of 26");
});

journey("a store that the browser has lost is written anew from the page, and from the second copy", async ({ page }) => {
  await demonstration(page);
  await prepare(page);
  await practise(page);
  // As Chromium does where the disk is full: the store is gone, and an empty one is opened in its place.
  const loseStore = () =>
    page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const request = indexedDB.deleteDatabase("kibitz-survey");
          request.onsuccess = resolve;
          request.onerror = () => reject(request.error);
        }),
    );
  await heading(page, "Comment 1 of 26");
  await rate(page, [3, 3, 3, 3, 3]);
  await loseStore();
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.locator("#survey-safety").getByText(/had lost what it kept.*written anew from this page/).waitFor();
  await rate(page, [3]);
  await page.reload();
  await goOn(page);
  await heading(page, "Comment 2 of 26");
  assert.ok(await page.locator("#rate-correctness-3").isChecked());
  // Lost while nobody looks: the second copy knows the session and its study.
  await loseStore();
  await page.reload();
  await goOn(page);
  await heading(page, "Comment 2 of 26");
  assert.ok(await page.locator("#rate-correctness-3").isChecked());
});

journey("what stands in the form is kept over Back", async ({ page }) => {
  await demonstration(page);
  await page.locator("#survey-agree").click();
  await page.locator("#field-site").selectOption("FIDE");
  await page.locator("#field-rating").fill("1776");
  // Away with the keyboard still in the field.
  await page.goBack();
  await goOn(page);
  await page.locator("#survey-form").waitFor();
  assert.equal(await page.locator("#field-rating").inputValue(), "1776");
  assert.equal(await page.locator("#field-site").inputValue(), "FIDE");
  await page.locator("#field-language").selectOption("Fluent");
  await page.reload();
  await goOn(page);
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.locator("#survey-read").waitFor();
});

journey("a browser that keeps nothing is told before anything is rated", async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("denied", "SecurityError");
    };
  });
  await open(page, "/survey");
  await page.locator("#survey-demonstration").click();
  await page.locator("#rater-code").fill("R1");
  await page.getByRole("button", { name: "Begin" }).click();
  const problem = page.locator("#survey-problem");
  await page.getByText(/This browser keeps nothing/).waitFor();
  assert.match(await problem.innerText(), /private window.*ordinary window/s);
  assert.equal(await page.locator("#survey-consent").count(), 0);
});

journey("a clock that is set back changes no times, and is noted", async ({ page }) => {
  await page.clock.install({ time: new Date("2026-11-21T12:00:00Z") });
  await demonstration(page);
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  await page.clock.setSystemTime(new Date("2026-11-20T12:00:00Z"));
  await rate(page, [3, 3, 3, 3, 3]);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.reload();
  await goOn(page);
  await heading(page, "Comment 2 of 26");
  await page.getByText("Stop for now").click();
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.ok(results.clock_jumps.some((jump) => jump.ahead < -80_000_000), JSON.stringify(results.clock_jumps));
  assert.ok(results.pages[0].active_ms < 600_000);
});

journey("who comes back too late keeps what was answered; time elsewhere is not counted", async ({ page }) => {
  await page.clock.install({ time: new Date("2026-11-21T12:00:00Z") });
  await demonstration(page);
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  // Ten minutes at another window.
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  await page.clock.fastForward(600_000);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await rate(page, [3, 3, 3, 3, 3]);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.reload();
  await page.clock.setSystemTime(new Date("2026-11-24T13:00:00Z"));
  await goOn(page);
  await page.locator("#survey-ended").getByText(/away for longer than this study allows.*kept and can be downloaded/).waitFor();
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.equal(results.outcome, "expired");
  assert.equal(results.pages.filter((page) => page.answered_at).length, 1);
  assert.ok(results.pages[0].active_ms < 300_000, `${results.pages[0].active_ms} ms`);
});

journey("a link that names a study fetches nothing before the rater says so", async ({ page }) => {
  const study = readFileSync(new URL("../data/survey/study.json", import.meta.url));
  let asked = 0;
  await page.route("**/studies/one.json", (route) => {
    asked += 1;
    return route.fulfill({ contentType: "application/json", body: study });
  });
  await open(page, "/survey?study=studies%2Fone.json&rater=R07");
  const offered = page.locator("#survey-offered");
  await offered.getByText("studies/one.json").waitFor();
  assert.equal(asked, 0);
  await page.locator("#survey-fetch").click();
  await page.locator("#survey-begin").waitFor();
  assert.equal(await page.locator("#rater-code").inputValue(), "R07");
  assert.equal(asked, 1);
  assert.equal(await offered.count(), 0);
});

journey("of a study that a link names no more is taken than a study may hold", async ({ page }) => {
  await page.route("**/studies/endless.json", (route) => route.fulfill({ contentType: "application/json", body: " ".repeat(16_000_001) }));
  await open(page, "/survey?study=studies%2Fendless.json");
  await page.locator("#survey-fetch").click();
  await page.getByText(/studies\/endless\.json is larger than 16 MB/).waitFor();
});

journey("who does not agree, or fails the questions twice, is let go", async ({ page }) => {
  await demonstration(page);
  await page.locator("#survey-agree").click();
  await page.locator("#field-rating").fill("1776");
  await page.locator("#field-site").selectOption("FIDE");
  await page.locator("#field-language").selectOption("Fluent");
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.locator("#survey-read").click();
  await answerQuestions(page, [1, 1, 1]);
  await page.getByText("Attempt 2 of 2").waitFor();
  await answerQuestions(page, [1, 1, 1]);
  await page.locator("#survey-ended").getByText(/not answered right/).waitFor();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.locator("#survey-demonstration").click();
  await begin(page, "R2");
  await page.getByRole("button", { name: "I do not agree" }).click();
  await page.locator("#survey-ended").getByText(/did not agree/).waitFor();
});

journey("on a phone, by touch, with what a screen reader needs", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async ({ page }) => {
  await demonstration(page);
  await prepare(page);
  await heading(page, "Practice 1 of 2");
  // Labels keep their words in one piece and their line: none is higher than one line, and none lies over another.
  const labels = await page.locator(".point-label").evaluateAll((all) =>
    all.filter((label) => label.textContent).map((label) => {
      const { left, right, top, height } = label.getBoundingClientRect();
      return { text: label.textContent, left, right, top, height, line: Number.parseFloat(getComputedStyle(label).lineHeight) };
    }),
  );
  assert.ok(labels.length >= 10);
  for (const { text, left, right, height, line } of labels) assert.ok(height < 1.5 * line && left >= 0 && right <= 390, `${text}: ${height}`);
  for (const [index, { right, top, text }] of labels.entries()) {
    const next = labels[index + 1];
    assert.ok(!next || next.top !== top || right <= next.left, `${text} lies over ${next?.text}`);
  }
  await fits(page);
  // Every question is a named group of named radio buttons; the page's name and the way left are announced.
  await page.getByRole("group", { name: /^Correctness/ }).getByRole("radio", { name: "1, disagree" }).tap();
  assert.match(await page.locator("#survey-progress").innerText(), /0 of 26 comments rated/);
  assert.equal(await page.locator("#survey-progress").getAttribute("role"), "status");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "INPUT");
  await page.getByRole("group", { name: /What is wrong/ }).getByLabel(/tactics/).tap();
  for (const name of [/^Relevance/, /^Completeness/, /^Clarity/, /^Fluency/])
    await page.getByRole("group", { name }).getByRole("radio", { name: "3 of 5" }).tap();
  for (const point of await page.locator(".point").all()) await restingBox(point, ({ height }) => height >= 44);
  await page.locator("#survey-next").tap();
  await page.locator(".feedback").waitFor();
  assert.match(await page.locator(".feedback").innerText(), /would have rated Correctness otherwise/);
});

journey("going back changes an answer, and an unfinished page says what is missing", async ({ page }) => {
  await demonstration(page);
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  // Nothing on the page says whose comment it is.
  assert.ok(!(await page.content()).includes("move-in-words"));
  await rate(page, [3, 3, 3, 3]);
  await page.keyboard.press("Enter");
  await page.getByText("Still to be answered: Fluency.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "rate-fluency-1");
  await page.keyboard.press("5");
  // All have a rating. Up past fluency to clarity, and another rating there.
  await page.waitForFunction(() => document.activeElement.id === "survey-next");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement.id === "rate-fluency-5");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement.id === "rate-clarity-3");
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.locator("#survey-back").click();
  await heading(page, "Comment 1 of 26");
  await page.waitForFunction(() => document.querySelector("#rate-clarity-2")?.checked);
  // All have a rating: a digit is for none of them, until one is chosen.
  await page.keyboard.press("1");
  for (const criterion of ["fluency-5", "clarity-2", "completeness-3", "relevance-3", "correctness-3"]) {
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction((id) => document.activeElement.id === id, `rate-${criterion}`);
  }
  await page.keyboard.press("2");
  await page.waitForFunction(() => document.querySelector("#rate-correctness-2")?.checked);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.getByText("Stop for now").click();
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.deepEqual(results.pages[0].ratings, { correctness: 2, relevance: 3, completeness: 3, clarity: 2, fluency: 5 });
  const changes = results.pages[0].changes.filter((change) => change.criterion === "clarity").map((change) => change.value);
  assert.deepEqual(changes, ["3", "2"]);
});

journey("form, scales and criteria are made in the builder", async ({ page }) => {
  await open(page, "/study");
  await startFromDemonstration(page);
  const change = async (id, value) => {
    await page.locator(id).fill(value);
    await page.locator(id).press("Tab");
  };
  await page.locator("#builder-form summary").click();
  await page.getByRole("button", { name: "Remove question 2" }).click();
  await page.getByRole("button", { name: "Move question 2 up" }).click();
  await page.waitForFunction(() => document.querySelector("#builder-form-0-label")?.value === "Your English");
  await page.locator("#builder-add-question").click();
  await page.locator("#builder-ready").getByText("form field 3: the label is missing").waitFor();
  await change("#builder-form-2-label", "Years of play");
  await change("#builder-form-2-id", "years");
  await page.locator("#builder-form-2-kind").selectOption("number");
  await change("#builder-form-2-max", "90");
  await page.locator("#builder-form-2-required").check();
  await page.locator("#builder-criteria > details > summary").click();
  await page.locator("#builder-add-scale").click();
  await change("#builder-scale-2-id", "four");
  await change("#builder-scale-2-points", "4");
  await page.locator("#builder-criteria fieldset").filter({ has: page.locator("#builder-scale-2-id") }).locator("summary").click();
  await change("#builder-scale-2-point-0", "dull");
  await change("#builder-scale-2-point-3", "lively");
  await page.getByRole("button", { name: "Remove criterion 5" }).click();
  await page.locator("#builder-add-criterion").click();
  await change("#builder-criterion-4-title", "Liveliness");
  await change("#builder-criterion-4-statement", "The comment is a pleasure to read.");
  await change("#builder-criterion-4-id", "liveliness");
  await page.locator("#builder-criterion-4-scale").selectOption("four");
  await page.locator("#builder-criterion-4-further").check();
  await change("#builder-criterion-4-further-question", "What makes it dull?");
  await page.locator("#builder-criterion-4-further-when-2").check();
  await page.locator("#builder-criterion-4-further-required-1").check();
  await change("#builder-criterion-4-further-kinds", "words: The words\nIts length");
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  const study = JSON.parse((await downloaded(page, "#builder-save")).text);
  assert.deepEqual(study.form.map(({ id }) => id), ["language", "rating", "years"]);
  assert.deepEqual(study.form[2], { id: "years", label: "Years of play", kind: { number: { min: 0, max: 90 } }, required: true });
  assert.deepEqual(study.scales[2], { id: "four", points: ["dull", "", "", "lively"] });
  assert.deepEqual(study.criteria[4], {
    id: "liveliness",
    title: "Liveliness",
    statement: "The comment is a pleasure to read.",
    scale: "four",
    follow_up: {
      id: "liveliness_kind",
      question: "What makes it dull?",
      when: [1, 2],
      required: [1],
      kinds: [{ id: "words", label: "The words" }, { id: "its-length", label: "Its length" }],
      other: true,
    },
  });
  // It runs: a rater meets the new question and the new criterion.
  await page.locator("#builder-try").click();
  await begin(page, "R1");
  await page.locator("#survey-agree").click();
  await page.locator("#field-language").selectOption("Fluent");
  await page.locator("#field-rating").fill("1500");
  await page.locator("#field-years").fill("12");
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.locator("#survey-read").click();
  await answerQuestions(page, [2, 3, 1]);
  await heading(page, "Practice 1 of 2");
  assert.ok(await page.locator("#survey-back").isHidden(), "there is nothing to go back to");
  await page.getByRole("group", { name: /^Liveliness/ }).getByRole("radio", { name: "1, dull" }).check();
  await page.getByRole("group", { name: "What makes it dull?" }).getByLabel("The words").check();
});

journey("a study of one's own: positions, a game, references, a file with faults", async ({ page }) => {
  await open(page, "/study");
  await page.locator("#builder-paste").fill("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e5");
  await page.locator("#builder-add").click();
  await page.getByText(/Line 1: the move e5 cannot be played/).waitFor();
  await page.locator("#builder-paste").fill("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e4");
  await page.locator("#builder-add").click();
  await page.locator("#builder-paste").fill("1. e4 e5 2. Qh5?! {Too early.} Ke7?? {A blunder.} 3. Qxe5#");
  await page.locator("#builder-add").click();
  await page.getByText("3 items, 0 comments by 0 methods.").waitFor();
  await page.getByText("item 1: comments must be from 1 to 50, not 0").waitFor();
  await page.locator("#builder-narrate").click();
  await page.getByText("3 items, 3 comments by 1 methods.").waitFor();
  await page.getByRole("button", { name: "Use references as a method" }).click();
  await page.getByText("3 items, 5 comments by 2 methods.").waitFor();
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  const file = readFileSync(new URL("../data/survey/study.json", import.meta.url), "utf8");
  const newer = { name: "newer.json", mimeType: "application/json", buffer: Buffer.from(file.replace("kibitz-study-1", "kibitz-study-9")) };
  await page.locator("#builder-file").setInputFiles(newer);
  await page.getByText("This file is a “kibitz-study-9”; this version of Kibitz reads “kibitz-study-1”.").waitFor();
});

journey("a session whose record the browser has lost is listed by its answers, and gone on with", async ({ page }) => {
  await demonstration(page, "R7");
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  await rate(page, [3, 4, 4, 4, 5]);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await open(page);
  // As a full disk left it, more than once: the answers are there, and what names their session is not.
  await page.evaluate(async () => {
    const database = await new Promise((resolve) => {
      const request = indexedDB.open("kibitz-survey");
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction("records", "readwrite");
    transaction.objectStore("records").clear();
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("kibitz-survey");
    for await (const folder of top.values())
      if (folder.kind === "directory") for (const name of ["session", "study"]) await folder.removeEntry(name);
  });
  await page.reload();
  await open(page, "/survey");
  const begun = page.locator("#survey-begun li");
  await begun.getByText("open its file again").waitFor();
  assert.match(await begun.innerText(), /^R7/);
  await page.click("#survey-demonstration");
  await page.fill("#rater-code", "R7");
  await page.click("#survey-begin button");
  await heading(page, "Comment 2 of 26");
});

journey("a model comments on a study's moves in the chosen arms, as it writes or checked", async ({ page }) => {
  const server = await LlmServer.open("The e-pawn goes to e4. White is five queens ahead.");
  try {
    await open(page, "/study");
    await page.locator("#builder-paste").fill("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e4\n" + "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 d4");
    await page.locator("#builder-add").click();
    await page.getByText("2 items, 0 comments by 0 methods.").waitFor();
    await page.locator("#builder-models > summary").click();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    for (const arm of ["ccc", "facts", "full"]) await page.locator(`#builder-models input[value=${arm}]`).uncheck();
    await page.locator("#builder-write").click();
    await page.getByText("The model wrote 4 of 4 comments.").waitFor();
    await page.getByText("2 items, 4 comments by 2 methods.").waitFor();
    assert.equal(server.questions.length, 4, "unchecked: asked once each");
    await page.locator("#builder-checked").check();
    await page.locator("#builder-write").click();
    await page.getByText(/The model wrote \d of 4 comments/).waitFor();
    assert.ok(server.questions.length > 4 + 4, "checked: what is wrong goes back");
    await page.locator("#builder-ready").getByText("Ready to run").waitFor();
    const study = JSON.parse((await downloaded(page, "#builder-save")).text);
    const comments = study.items.flatMap((item) => item.comments);
    assert.deepEqual([...new Set(comments.map((comment) => comment.method.replace(/^[^+]*/, "")))].sort(), ["+engine", "+engine+checked", "+llm", "+llm+checked"]);
    const raw = comments.filter((comment) => !comment.method.endsWith("+checked"));
    assert.ok(raw.length === 4 && raw.every((comment) => comment.text.includes("five queens") && comment.scores.claims_contradicted >= 1));
    assert.ok(comments.filter((comment) => comment.method.endsWith("+checked")).every((comment) => !comment.text.includes("five queens")));
  } finally {
    await server.close();
  }
});
