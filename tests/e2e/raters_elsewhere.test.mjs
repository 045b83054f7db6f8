// Raters with Firefox and WebKit: one journey's text for both. A rater of theirs comes by a link or with a file, leaves and
// comes back, and every answer that was given is in the results and at the researcher's server.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { APP, PATIENCE, assert, open, until } from "./harness.mjs";
import * as firefox from "./drivers/firefox.mjs";
import * as webkit from "./drivers/webkit.mjs";
import { CRITERIA, begin, check, goOn, heading, practise, prepare, random, rate, values } from "./rater.mjs";
import { StudyHost } from "./study_host.mjs";
import { firstMoves } from "./study_of_first_moves.mjs";

const ELSEWHERE = [
  { name: "Firefox", missing: firefox.missing(), launch: () => firefox.Firefox.open() },
  { name: "WebKit", missing: webkit.missing(), launch: () => webkit.WebKit.open() },
];

/** Times that a rater leaves in the middle of a page and comes back. */
const RETURNS = 9;

for (const { name, missing, launch } of ELSEWHERE) {
  /**
   * A journey in this browser, in the language of `rater.mjs`, with a researcher's server. Skipped in words where there is no
   * such browser, except in CI.
   */
  const journey = (what, run) => {
    const skip = process.env.CI ? false : missing;
    test(`${name}: ${what}`, { skip, timeout: 6 * PATIENCE }, async () => {
      assert.equal(missing, undefined);
      const driver = await launch();
      const host = await StudyHost.open();
      try {
        await run({ browser: driver, host, page: await driver.page() });
        assert.deepEqual(driver.complaints.splice(0), [], "the page complained");
      } catch (error) {
        console.error(await seen(driver));
        throw error;
      } finally {
        await driver.remove();
        await host.close();
      }
    });
  };

  journey("a rater comes by a link, leaves and comes back, and all answers are there", async ({ page, host, browser }) => {
    const roll = random(48);
    host.offer(firstMoves(4, 3, { breaks: { after: 5, minutes: 1, skippable: true }, collection: collection(host, 4) }));
    await page.goto(`${APP}#/survey?study=${encodeURIComponent(`${host.address}study.json`)}`);
    await page.click("#survey-fetch");
    await page.waitForSelector("#survey-begin");
    await begin(page, "R1");
    await prepare(page);
    await practise(page, 1);
    const remembered = new Map();
    const answer = async (place) => {
      await heading(page, `Comment ${place} of 12`);
      const given = values(roll);
      await rate(page, given);
      await page.keyboard.press("Enter");
      remembered.set(place - 1, given);
      await past(page, place);
    };
    for (let place = 1; place <= 3; place += 1) await answer(place);
    // Every time in the middle of a page, and by another way each time; at once, as soon as the rating is seen.
    const ways = [
      () => page.goto("about:blank"),
      () => page.goto(`${host.address}complete`),
      () => page.reload(),
    ];
    for (let time = 0; time < RETURNS; time += 1) {
      await heading(page, "Comment 4 of 12");
      const given = values(roll).slice(0, 1 + (time % 3));
      await rate(page, given);
      await ways[time % ways.length]();
      await goOn(page);
      await heading(page, "Comment 4 of 12");
      for (const [index, value] of given.entries()) assert.ok(await page.isChecked(`#rate-${CRITERIA[index]}-${value}`), `return ${time + 1}: ${CRITERIA[index]}`);
    }
    for (let place = 4; place <= 6; place += 1) await answer(place);
    // Closed in the middle of a page, and opened again.
    await heading(page, "Comment 7 of 12");
    await rate(page, [2, 5]);
    page = await inAnotherTab(browser, page);
    await heading(page, "Comment 7 of 12");
    assert.ok(await page.isChecked("#rate-relevance-5"));
    await answer(7);
    if (browser.restarts) {
      for (const end of ["close", "kill"]) {
        await browser[end]();
        await browser.start();
        page = await browser.page();
        await goOn(page);
        await answer(remembered.size + 1);
      }
    }
    for (let place = remembered.size + 1; place <= 12; place += 1) await answer(place);
    await page.waitForText("#survey-queue-standing", "sent");
    const results = JSON.parse(await page.handedOver("#survey-json"));
    assert.deepEqual([results.outcome, results.rater], ["complete", "R1"]);
    check(results, remembered);
    // What has arrived is what the rater can take home.
    check(host.received.at(-1), remembered);
    assert.equal(host.received.at(-1).outcome, "complete");
  });

  journey("what was rated is at the researcher's server when the tab is closed, after each page", async ({ page, host, browser }) => {
    const roll = random(3);
    const remembered = new Map();
    await giveStudy(page, firstMoves(2, 3, { breaks: null, collection: collection(host, 5) }));
    await begin(page, "R2");
    await prepare(page);
    await practise(page, 1);
    for (let place = 1; place <= 6; place += 1) {
      await heading(page, `Comment ${place} of 6`);
      const given = values(roll);
      await rate(page, given);
      await page.keyboard.press("Enter");
      remembered.set(place - 1, given);
      await past(page, place);
      // The next tab looks at the app only when all has arrived: it would send what has not.
      const next = await browser.page();
      await page.close();
      page = next;
      const answered = () => host.received.at(-1)?.pages.filter((page) => page.answered_at).length;
      await until(answered, (count) => count === place, `${place} pages have arrived`);
      check(host.received.at(-1), remembered);
      await goOn(page);
    }
    await page.waitForSelector("#survey-done");
  });
}

/** Where a study's answers are sent, after every so many pages. */
function collection(host, every) {
  return { schema: "kibitz-collection-1", address: `${host.address}results/{study}/{rater}-{session}.json`, every };
}

/** Opens a study's file. */
async function giveStudy(page, study) {
  const folder = await mkdtemp(join(tmpdir(), "kibitz-study-"));
  try {
    const file = join(folder, "study.json");
    await writeFile(file, JSON.stringify(study));
    await open(page, "/survey");
    await page.setInputFiles("#study-file", file);
    await page.waitForSelector("#survey-begin");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Until the page after this one is there; breaks are not taken. */
async function past(page, place) {
  await page.waitForFunction(
    (place) => {
      document.querySelector("#survey-break #survey-continue")?.click();
      const heading = document.querySelector("#survey-heading")?.textContent;
      return document.querySelector("#survey-done") !== null || heading?.startsWith(`Comment ${place + 1} of `);
    },
    place,
  );
}

/** The same session in a tab that is opened as this one is closed. */
async function inAnotherTab(browser, page) {
  const next = await browser.page();
  await page.close();
  await goOn(next);
  return next;
}

/** What the journey that failed has on its last page, in words. */
async function seen(browser) {
  try {
    const text = await browser.last.evaluate(() => `${document.querySelector("#main")?.innerText}\n(keyboard at ${document.activeElement?.outerHTML.slice(0, 200)}, ${document.hasFocus()}, ${document.visibilityState})`);
    return `The page showed:\n${text.replaceAll(/\n\s*\n/g, "\n")}`;
  } catch (error) {
    return `What the page showed is not to be had: ${error.message}`;
  }
}
