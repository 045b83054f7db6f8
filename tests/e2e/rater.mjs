// A simulated participant: reads nothing, answers everything, by keyboard. The participant's `page` is Playwright's, or one
// of another browser (`drivers/page.mjs`): only what both have is used here.

import { assert, open } from "./harness.mjs";

/** SplitMix64's little cousin (mulberry32): the same seed rates the same. Returns whole numbers below `n`. */
export function random(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * n);
  };
}

export const CRITERIA = ["correctness", "relevance", "completeness", "clarity", "fluency"];

/** Opens the demonstration and begins a session. */
export async function demonstration(page, code = "R1") {
  await open(page, "/survey");
  await page.click("#survey-demonstration");
  await begin(page, code);
}

export async function begin(page, code) {
  await page.fill("#rater-code", code);
  await page.click("#survey-begin button");
  await page.waitForSelector("#survey-consent");
}

/** From consent to the first page of practice, or of the study where there is none. */
export async function prepare(page) {
  await page.click("#survey-agree");
  await page.fill("#field-rating", "1776");
  await page.selectOption("#field-site", "FIDE");
  await page.selectOption("#field-language", "Fluent");
  await page.click("#survey-form button");
  await page.click("#survey-read");
  await answerQuestions(page, [2, 3, 1]);
  await page.waitForSelector("#survey-heading");
}

export async function answerQuestions(page, choices) {
  for (const [index, choice] of choices.entries())
    await page.check(`#survey-questions fieldset:nth-of-type(${index + 1}) label:nth-of-type(${choice}) input`);
  await page.click("#survey-questions button");
}

/** Waits for the page with this heading, and until its first key will be heard. */
export async function heading(page, text) {
  await page.waitForFunction(
    (text) => document.querySelector("#survey-heading")?.textContent === text && !document.querySelector("#survey-next")?.disabled,
    text,
  );
}

/** What the heading says, such as "Comment 3 of 26". */
export async function where(page) {
  return page.innerText("#survey-heading");
}

/**
 * Rates the first criteria: by their keys, which are for those without a rating; those that have another one by a click.
 * An incorrect comment is said to misunderstand tactics.
 */
export async function rate(page, values) {
  for (const [index, value] of values.entries()) {
    const given = await page.evaluate(
      (criterion) => document.querySelector(`input[name="rate-${criterion}"]:checked`)?.id.split("-").at(-1),
      CRITERIA[index],
    );
    if (given === undefined) await page.keyboard.press(String(value));
    else if (given !== String(value)) await page.check(`#rate-${CRITERIA[index]}-${value}`);
    await page.waitForFunction(
      ([criterion, value]) => document.querySelector(`#rate-${criterion}-${value}`)?.checked,
      [CRITERIA[index], value],
    );
    if (index === 0 && value === 1) await page.check("#kind-error_kind-tactical");
  }
}

/** Values of chance. */
export function values(roll) {
  return [1 + roll(3), 1 + roll(5), 1 + roll(5), 1 + roll(5), 1 + roll(5)];
}

/** The pages of practice: two of the demonstration, three of the paper's structure. */
export async function practise(page, count = 2) {
  for (let number = 1; number <= count; number += 1) {
    await heading(page, `Practice ${number} of ${count}`);
    await rate(page, [3, 4, 4, 4, 4]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".feedback");
    await page.click("#survey-continue");
  }
}

/** The file that a click on this hands over, as text. */
export async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}

/** Goes on with the session that was begun in this browser. */
export async function goOn(page) {
  await open(page, "/survey");
  await page.click("#survey-begun button.primary");
}

/** Checks that the results are those that the participant remembers, `remembered` being ratings by place. */
export function check(results, remembered) {
  const answered = results.pages.filter((page) => page.answered_at);
  assert.equal(answered.length, remembered.size);
  for (const [place, values] of remembered) {
    const given = results.pages[place].ratings;
    assert.deepEqual(CRITERIA.map((criterion) => given[criterion]), values, `page ${place + 1}`);
    // Needed after a 1, possible after a 2 (ticked before the rater thought better of a 1), not asked after a 3.
    const ticked = Boolean(results.pages[place].ticked.error_kind);
    if (values[0] !== 2) assert.equal(ticked, values[0] === 1, `errors on page ${place + 1}`);
  }
}
