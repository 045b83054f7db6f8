// The paper's study from a blank page, through the builder's fields alone, and how long that takes a person: every key, click
// and way of the hand is counted, and their times added up by the Keystroke-Level Model (Card, Moran and Newell, "The
// keystroke-level model for user performance time with interactive systems", Communications of the ACM 23, 1980). It is of
// somebody who knows what to write and where it stands, and makes no mistakes; what the page takes is counted as it was here.
// docs/study.md has the steps and the figure.

import { PATIENCE, assert, journey, open, restingBox } from "./harness.mjs";
import { downloaded } from "./rater.mjs";

/** Seconds: a key for an average typist who is no secretary, the hand's way to a place on the screen, a button of the mouse
 * pressed or let go, the hand's way between mouse and keyboard, and what goes through the head before each step. */
const [K, P, B, H, M] = [0.28, 1.1, 0.1, 0.4, 1.35];

/** The longest that the study may take, in seconds. */
const TEN_MINUTES = 600;

/** Somebody at the page, whose every movement is counted. */
class Person {
  #page;
  #at = "mouse";
  counts = { keys: 0, ways: 0, buttons: 0, changes: 0, thoughts: 0 };

  constructor(page) {
    this.#page = page;
  }

  get seconds() {
    const { keys, ways, buttons, changes, thoughts } = this.counts;
    return K * keys + P * ways + B * buttons + H * changes + M * thoughts;
  }

  #use(what) {
    if (this.#at !== what) this.counts.changes += 1;
    this.#at = what;
  }

  /** Points there and clicks, without a thought of its own. */
  #reach() {
    this.#use("mouse");
    this.counts.ways += 1;
    this.counts.buttons += 2;
  }

  /** Thinks, brings it into sight where it is not, points and clicks. */
  async click(locator) {
    this.counts.thoughts += 1;
    const box = await restingBox(locator);
    const { height } = this.#page.viewportSize();
    // To turn the wheel until it is there counts as a way of the hand.
    if (!box || box.y < 0 || box.y + box.height > height) {
      this.#use("mouse");
      this.counts.ways += 1;
    }
    this.#reach();
    await locator.click();
  }

  /** Presses keys, held together. */
  async press(chord) {
    this.#use("keyboard");
    this.counts.keys += chord.split("+").length;
    await this.#page.keyboard.press(chord);
  }

  /** Types into what has the focus; capitals take two keys. */
  async type(text) {
    this.#use("keyboard");
    for (const letter of text) this.counts.keys += /[A-Z:?!"()@]/.test(letter) ? 2 : 1;
    await this.#page.keyboard.type(text);
  }

  /** Writes this in the place of what stands in a field. */
  async write(locator, text) {
    await this.click(locator);
    await this.press("Control+a");
    await this.type(text);
    await this.press("Tab");
  }

  /** Fetches a text from another window, where it is marked with the mouse and copied, and pastes it here. */
  async paste(locator, text) {
    this.counts.thoughts += 1;
    for (let window = 0; window < 2; window += 1) this.#reach();
    this.counts.ways += 1;
    this.#use("keyboard");
    this.counts.keys += 2;
    await this.click(locator);
    this.#use("keyboard");
    this.counts.keys += 2;
    await locator.fill(text);
    await this.press("Tab");
  }

  /** Opens the browser's dialog with a button, and chooses a file there: the file, then "Open". */
  async choose(locator, path) {
    const [chooser] = await Promise.all([this.#page.waitForEvent("filechooser"), this.click(locator)]);
    for (let step = 0; step < 2; step += 1) {
      this.counts.thoughts += 1;
      this.#reach();
    }
    await chooser.setFiles(path);
  }
}

const FIFTY = new URL("../data/survey/fifty-moves.csv", import.meta.url).pathname;
const OPEN_GAME = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

journey("the paper's study from a blank page takes less than ten minutes", { viewport: { width: 1280, height: 800 } }, async ({ page }) => {
  await open(page);
  const person = new Person(page);
  const begun = Date.now();
  const field = (id) => page.locator(`#builder-${id}`);
  // 1. Where studies are built.
  await person.click(page.getByRole("navigation").getByRole("link", { name: "Survey" }));
  await person.click(page.locator('main a[href="#/study"]').first());
  await field("title").waitFor();
  // 2. What it is.
  await person.write(field("title"), "Comments on chess moves, autumn 2026");
  await person.write(field("id"), "chess-comments-2026");
  await person.click(field("consent"));
  await person.press("Control+End");
  await person.press("Enter");
  await person.press("Enter");
  const contact = "Department of Linguistics, University of Somewhere. Questions: Dr. Jane Doe, jane.doe@somewhere.example.";
  await person.type(contact);
  await person.press("Tab");
  // 3. Moves and comments.
  await person.choose(page.locator("label", { has: field("table") }), FIFTY);
  await page.getByText("50 items, 250 comments by 5 methods.").waitFor({ timeout: 2 * PATIENCE });
  // 4. Silent checks of attention.
  await person.click(page.locator("#builder-checks > details > summary"));
  await person.write(field("repeats"), "5");
  await person.click(field("add-planted"));
  await person.paste(field("planted-0-fen"), OPEN_GAME);
  await person.write(field("planted-0-move"), "Nf3");
  await person.write(field("planted-0-text"), "White's rook takes the queen and gives mate.");
  await person.click(page.locator("#builder-planted-0-expected-correctness-1"));
  // 5. How it runs: as it is. 6. Ready to run.
  const ready = page.locator("#builder-ready").getByText("Ready to run");
  await ready.waitFor();
  await person.click(field("save"));
  const waited = (Date.now() - begun) / 1000;
  const seconds = person.seconds + waited;

  const made = JSON.parse((await downloaded(page, "#builder-save")).text);
  assert.deepEqual([made.title, made.id], ["Comments on chess moves, autumn 2026", "chess-comments-2026"]);
  assert.ok(made.consent.text.endsWith(`\n\n${contact}`), made.consent.text);
  assert.equal(made.items.length, 50);
  assert.ok(made.items.every((item) => item.comments.length === 5));
  assert.deepEqual(made.criteria.map(({ id }) => id), ["correctness", "relevance", "completeness", "clarity", "fluency"]);
  assert.deepEqual([made.practice.length, made.checks.repeats, made.checks.planted.length], [3, 5, 1]);
  assert.deepEqual(made.checks.planted[0].expected, [{ criterion: "correctness", values: [1] }]);
  assert.deepEqual([made.options.breaks.after, made.options.breaks.minutes], [50, 10]);
  await page.locator("#builder-try").click();
  await page.getByText("Comments on chess moves, autumn 2026").first().waitFor();

  const { keys, ways, buttons, changes, thoughts } = person.counts;
  console.log(`  ${keys} keys, ${ways} ways of the hand, ${buttons} presses of a button, ${changes} changes of the hand, ${thoughts} thoughts`);
  console.log(`  ${Math.round(person.seconds)} s by the Keystroke-Level Model, and at most ${waited.toFixed(1)} s of waiting for the page`);
  assert.ok(seconds < TEN_MINUTES, `${Math.round(seconds)} s`);
});
