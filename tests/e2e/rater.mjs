// A simulated participant: reads nothing, answers everything, by keyboard.

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
  await page.locator("#survey-demonstration").click();
  await begin(page, code);
}

export async function begin(page, code) {
  await page.locator("#rater-code").fill(code);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator("#survey-consent").waitFor();
}

/** From consent to the first page of practice, or of the study where there is none. */
export async function prepare(page) {
  await page.locator("#survey-agree").click();
  await page.locator("#field-rating").fill("1776");
  await page.locator("#field-site").selectOption("FIDE");
  await page.locator("#field-language").selectOption("Fluent");
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.locator("#survey-read").click();
  await answerQuestions(page, [2, 3, 1]);
  await page.locator("#survey-heading").waitFor();
}

export async function answerQuestions(page, choices) {
  const questions = page.locator("#survey-questions fieldset");
  for (const [index, choice] of choices.entries()) await questions.nth(index).getByRole("radio").nth(choice - 1).check();
  await page.locator("#survey-questions").getByRole("button", { name: "Go on" }).click();
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
  return page.locator("#survey-heading").innerText();
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
    else if (given !== String(value)) await page.locator(`#rate-${CRITERIA[index]}-${value}`).check();
    await page.waitForFunction(
      ([criterion, value]) => document.querySelector(`#rate-${criterion}-${value}`)?.checked,
      [CRITERIA[index], value],
    );
    if (index === 0 && value === 1) await page.locator("#kind-error_kind-tactical").check();
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
    await page.locator(".feedback").waitFor();
    await page.locator("#survey-continue").click();
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
  await page.locator("#survey-begun").getByRole("button", { name: "Go on" }).click();
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
