// The study builder: everything of the paper's study by fields, the instrument as a file, tables with faults, warnings.

import { readFileSync } from "node:fs";
import { assert, journey, open, until } from "./harness.mjs";
import { startFromDemonstration } from "./play.mjs";
import { begin, downloaded, heading } from "./rater.mjs";

const FIFTY = new URL("../data/survey/fifty-moves.csv", import.meta.url).pathname;
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const OPEN_GAME = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

/** Fills a field and leaves it, which is when the study hears of it. */
async function change(page, id, value) {
  await page.locator(id).fill(value);
  await page.locator(id).press("Tab");
}

async function unfold(page, section) {
  await page.locator(`${section} > details > summary`).click();
}

const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function study(page) {
  return JSON.parse((await downloaded(page, "#builder-save")).text);
}

journey("instructions, questions, practice, checks, order and times have fields", async ({ page }) => {
  await open(page, "/study");
  await page.locator("#builder-table").setInputFiles(FIFTY);
  await page.getByText("50 items, 250 comments by 5 methods.").waitFor();

  await unfold(page, "#builder-instructions");
  await page.locator("#builder-add-section").click();
  await page.locator("#builder-ready").getByText("section 8 of the instructions: the heading is missing").waitFor();
  // It is said beside the field, too.
  await page.locator("#builder-instructions .place-faults").getByText("the heading is missing").waitFor();
  await change(page, "#builder-section-7-heading", "In short");
  await change(page, "#builder-section-7-text", "Take your time.\n\nThen rate.");
  await change(page, "#builder-section-7-fen", OPEN_GAME);
  await change(page, "#builder-section-7-move", "Nf3");
  await page.locator("#builder-section-7-diagram").selectOption("relevance-completeness");
  await page.locator("#builder-instructions fieldset", { has: page.locator("#builder-section-7-heading") }).getByRole("img", { name: /Two circles overlap/ }).waitFor();
  await page.getByRole("button", { name: "Add an example to section 8" }).click();
  await page.getByRole("button", { name: "Add an example to section 8" }).click();
  await change(page, "#builder-section-7-example-0-label", "Second");
  await change(page, "#builder-section-7-example-0-text", "A knight.");
  await change(page, "#builder-section-7-example-1-label", "First");
  await change(page, "#builder-section-7-example-1-text", "The knight attacks e5.");
  await page.getByRole("button", { name: "Move example 2 of section 8 up" }).click();

  await unfold(page, "#builder-questions");
  await page.getByRole("button", { name: "Remove check question 1" }).click();
  await page.getByRole("button", { name: "Remove check question 1" }).click();
  await page.locator("#builder-add-check-question").click();
  await page.locator("#builder-questions").getByText("the question is missing").waitFor();
  await change(page, "#builder-question-1-text", "How many comments stand on a page?");
  await change(page, "#builder-question-1-choices", "One\nTwo\nFive");
  await page.locator("#builder-question-1-answer").selectOption({ label: "One" });
  await change(page, "#builder-attempts", "3");

  await unfold(page, "#builder-practice");
  await page.getByRole("button", { name: "Remove practice 3" }).click();
  await page.locator("#builder-add-practice").click();
  await change(page, "#builder-practice-2-fen", OPEN_GAME);
  await change(page, "#builder-practice-2-move", "Nf3");
  await change(page, "#builder-practice-2-text", "The knight attacks e5.");
  await page.locator("#builder-practice").getByText("the feedback is missing").waitFor();
  await change(page, "#builder-practice-2-feedback", "True, and to the point.");
  await page.locator("#builder-practice-2-expected-correctness-3").check();
  await page.locator("#builder-practice-2-expected-clarity-5").check();
  await page.locator("#builder-practice-2-expected-clarity-4").check();

  await change(page, "#builder-repeats", "2");
  await change(page, "#builder-gap", "12");
  await unfold(page, "#builder-checks");
  await page.locator("#builder-add-planted").click();
  await page.locator("#builder-checks").getByText("an expected rating is missing").waitFor();
  await change(page, "#builder-planted-0-fen", START);
  await change(page, "#builder-planted-0-move", "e4");
  await change(page, "#builder-planted-0-text", "The rook gives mate.");
  await page.locator("#builder-planted-0-expected-correctness-1").check();

  await page.locator("#builder-grouping").selectOption("rounds");
  await page.locator("#builder-shuffle").uncheck();
  await change(page, "#builder-seed", "42");
  await change(page, "#builder-break-after", "25");
  await change(page, "#builder-break-minutes", "5");
  await page.locator("#builder-skippable").check();
  await page.locator("#builder-back").uncheck();
  await change(page, "#builder-resume", "0");
  await change(page, "#builder-seconds", "90");
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();

  const made = await study(page);
  assert.deepEqual(made.instructions[7], {
    heading: "In short",
    text: "Take your time.\n\nThen rate.",
    examples: [{ label: "First", text: "The knight attacks e5." }, { label: "Second", text: "A knight." }],
    board: { fen: OPEN_GAME, move: "Nf3" },
    diagram: "relevance-completeness",
  });
  assert.deepEqual(made.comprehension.questions[1], { text: "How many comments stand on a page?", choices: ["One", "Two", "Five"], answer: 1 });
  assert.deepEqual([made.comprehension.attempts, made.comprehension.questions.length], [3, 2]);
  assert.deepEqual(made.practice[2], {
    fen: OPEN_GAME,
    move: "Nf3",
    text: "The knight attacks e5.",
    feedback: "True, and to the point.",
    expected: [{ criterion: "correctness", values: [3] }, { criterion: "clarity", values: [4, 5] }],
  });
  assert.deepEqual(made.checks, {
    planted: [{ id: "check-1", fen: START, move: "e4", text: "The rook gives mate.", expected: [{ criterion: "correctness", values: [1] }] }],
    repeats: 2,
    repeat_gap: 12,
  });
  assert.deepEqual(made.options.order, { seed: 42, pages: "rounds", shuffle: false });
  assert.deepEqual(made.options.breaks, { after: 25, minutes: 5, skippable: true });
  assert.deepEqual([made.options.back, made.options.resume_hours, made.options.seconds_per_page], [false, null, 90]);

  // A rater sees it.
  await page.locator("#builder-try").click();
  await begin(page, "R1");
  await page.locator("#survey-agree").click();
  await page.locator("#field-rating").fill("1500");
  await page.locator("#field-site").selectOption("FIDE");
  await page.locator("#field-language").selectOption("Fluent");
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: "In short" }).waitFor();
  assert.equal(await page.locator("#survey-instructions").getByRole("img", { name: /Two circles overlap/ }).count(), 2);
  await page.locator("#survey-read").click();
  const questions = page.locator("#survey-questions fieldset");
  await questions.nth(0).getByRole("radio").nth(0).check();
  await questions.nth(1).getByRole("radio").nth(0).check();
  await page.locator("#survey-questions").getByRole("button", { name: "Go on" }).click();
  await heading(page, "Practice 1 of 3");
});

journey("the keyboard goes along with what is moved, and stays where something was removed", async ({ page }) => {
  await open(page, "/study");
  await unfold(page, "#builder-practice");
  const focused = (name) => page.waitForFunction((name) => document.activeElement?.getAttribute("aria-label") === name, name);
  await page.getByRole("button", { name: "Move practice 3 up" }).press("Enter");
  await focused("Move practice 2 up");
  await page.keyboard.press("Enter");
  // It is the first one now, which cannot go up.
  await focused("Move practice 1 down");
  await page.getByRole("button", { name: "Remove practice 3" }).press("Enter");
  await focused("Remove practice 2");
  assert.equal((await study(page)).practice.length, 2);
});

journey("a criterion's new name goes through practice and checks; a removed one takes its ratings along", async ({ page }) => {
  await open(page, "/study");
  await startFromDemonstration(page);
  await page.getByText("The demonstration.", { exact: true }).waitFor();
  await unfold(page, "#builder-criteria");
  await change(page, "#builder-criterion-0-id", "truth");
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  const renamed = await study(page);
  assert.deepEqual(renamed.practice[0].expected, [{ criterion: "truth", values: [3] }]);
  assert.deepEqual(renamed.checks.planted[0].expected, [{ criterion: "truth", values: [1] }]);
  await page.getByRole("button", { name: "Remove criterion 1" }).click();
  await page.locator("#builder-ready").getByText("planted check 1: an expected rating is missing").waitFor();
});

journey("an instrument goes out, is changed word for word, and comes in", async ({ page }) => {
  await open(page, "/study");
  await page.locator("#builder-table").setInputFiles(FIFTY);
  await page.getByText("50 items, 250 comments by 5 methods.").waitFor();
  const saved = await downloaded(page, "#builder-instrument-save");
  assert.equal(saved.name, "my-study-instrument.json");
  const instrument = JSON.parse(saved.text);
  assert.equal(instrument.schema, "kibitz-instrument-1");
  instrument.criteria[0].statement = "Word for word.";
  instrument.consent.text = "Somebody else’s consent.";
  await page.locator("#builder-instrument-file").setInputFiles(file("theirs.json", JSON.stringify(instrument)));
  await page.getByText("The texts are those of theirs.json.").waitFor();
  const made = await study(page);
  assert.equal(made.criteria[0].statement, "Word for word.");
  assert.deepEqual([made.consent.text, made.items.length], ["Somebody else’s consent.", 50]);
  // Unknown fields are refused with their place; all faults are said; nothing is changed.
  const unknown = JSON.stringify({ ...instrument, colour: "blue" }, null, 1);
  await page.locator("#builder-instrument-file").setInputFiles(file("unknown.json", unknown));
  await page.getByText(/unknown\.json: This instrument cannot be read: unknown field `colour`.* at line \d+ column \d+/).waitFor();
  instrument.title = "";
  instrument.practice[0].move = "e9";
  await page.locator("#builder-instrument-file").setInputFiles(file("faulty.json", JSON.stringify(instrument)));
  await page.getByText(/the title: the text is missing\. practice comment 1: the move e9 cannot be played/).waitFor();
  assert.equal((await study(page)).title, "Comments on chess moves");
  // The study's own button takes an instrument for what it is.
  await page.locator("#builder-file").setInputFiles(file("again.json", saved.text));
  await page.getByText("The texts are those of again.json.").waitFor();
  assert.equal((await study(page)).items.length, 50);
});

journey("of a table with faults the good rows are taken, and the rest is said", async ({ page }) => {
  await open(page, "/study");
  const table = [
    "fen,move,method,comment",
    `${START},e4,a,"A pawn`,
    `in two lines."`,
    `${START},e9,a,Wrong.`,
    `${START},e4,b,`,
    `${START},22. d4,a,Another.`,
    `${START},d4,b,These moves are book.`,
  ].join("\n");
  await page.locator("#builder-paste").fill(table);
  await page.locator("#builder-add").click();
  await page.getByText("2 items, 2 comments by 1 methods.").waitFor();
  const said = page.locator("#builder-import");
  await said.getByText(/Line 4: the move e9 cannot be played/).waitFor();
  await said.getByText("1 comment is missing, as there is no text: line 5.").waitFor();
  await said.getByText("1 comment is left out, as the text is about more than the one move: line 7.").waitFor();
  assert.match((await study(page)).items[1].fen, / 22$/);
  // With the switch, the comment about several moves is there, and so is a gap.
  await page.getByRole("button", { name: "Remove all items" }).click();
  await page.locator("#builder-several").check();
  await page.locator("#builder-add").click();
  await page.getByText("2 items, 3 comments by 2 methods.").waitFor();
  const warnings = page.locator("#builder-warnings");
  await warnings.getByText("1 item has gaps and 1 comment is missing").waitFor();
  await warnings.getByText("m1: no comment by b").waitFor();
  await warnings.getByText(/With 1 position no comparison of two methods can reach p < 0\.001/).waitFor();
});

journey("files that belong together line by line become items", async ({ page }) => {
  await open(page, "/study");
  await page.locator("#builder-table").setInputFiles([
    file("test.che", `${START} ||| e4\n${START} ||| d4\n`),
    file("test.en", "the usual move .\nthe other one .\n"),
    file("test.gac.en", "White moves .\nWhite moves again .\n"),
  ]);
  await page.getByText("2 items, 2 comments by 1 methods.").waitFor();
  await page.getByRole("button", { name: "Use references as a method" }).click();
  await page.getByText("2 items, 4 comments by 2 methods.").waitFor();
  await page.locator("#builder-table").setInputFiles([file("test.che", `${START} ||| e4\n`), file("test.en", "one\ntwo\n")]);
  await page.getByText("test.che has 1 lines and test.en has 2: line n of one belongs to line n of the other.").waitFor();
});

journey("a study of very many criteria is refused with the limit, and the page goes on", async ({ page }) => {
  await open(page, "/study");
  const pattern = JSON.parse(readFileSync(new URL("../data/survey/study.json", import.meta.url), "utf8"));
  pattern.criteria = Array.from({ length: 20_000 }, (_, n) => ({ ...pattern.criteria[1], id: `c${n}` }));
  await page.locator("#builder-file").setInputFiles(file("many.json", JSON.stringify(pattern)));
  await page.locator("#builder-ready").getByText("the study: criteria must be from 1 to 20, not 20000").waitFor();
  await page.locator("#builder-paper").click();
  await page.getByText("The paper's structure, without items.").waitFor();
});

/** The comments that a text asks about, by key. */
const askedIn = (text) => [...text.matchAll(/<text (c[0-9a-f]{8})>\n([^]*?)\n<\/text \1>/g)].map(([, key, words]) => ({ key, words }));

/** A chat's claims about them, each of its first two words: no pawn ever stands on a1. */
const answered = (comments) => {
  const claims = comments.map(({ key, words }) => [key, { claims: [{ words: words.split(" ").slice(0, 2).join(" "), predicate: "stands", subject: "white pawn a1" }] }]);
  return `Here they are:\n\`\`\`json\n${JSON.stringify(Object.fromEntries(claims))}\n\`\`\`\nAnything else?`;
};

/** What a chat answers to the first text, what is said of that, and of the text that comes next. */
const SHAPES = [
  ["a good block", answered, "The claims of 3 comments were taken. By what the model declares", "Text 2 of 2: it asks for the claims of 1 comment."],
  [
    "a block with a broken comment",
    (comments) => answered(comments).replace('"predicate":', '"predicate"'),
    "The claims of 2 comments were taken. Not to be read in it: m1 (a). The next text asks for them again.",
    "Text 2 of 2: it asks for the claims of 2 comments.",
  ],
  [
    "a block without a comment",
    (comments) => answered(comments.slice(1)),
    "The claims of 2 comments were taken. Not in the answer: m1 (a). The next text asks for them again.",
    "Text 2 of 2: it asks for the claims of 2 comments.",
  ],
  ["a block that breaks at once", (comments) => answered(comments).slice(0, 50), "could not be read (m1 (a))", "Text 1 of 2: it asks for the claims of 3 comments."],
  ["no block", () => "I can’t see a board.", "No comment of this study is named in what you pasted", "Text 1 of 2: it asks for the claims of 3 comments."],
];

for (const [shape, answer, said, next] of SHAPES)
  journey(`without a key a chat declares the claims of a study's comments: ${shape}`, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "/study");
    const rows = [`${START},e4,a,The steed rests.`, `${START},e4,b,A monarch yawns.`, `${START},d4,a,The prelate dreams.`, `${START},d4,b,Two soldiers chat.`];
    await page.locator("#builder-paste").fill(["fen,move,method,comment", ...rows].join("\n"));
    await page.locator("#builder-add").click();
    await page.getByText("2 items, 4 comments by 2 methods.").waitFor();
    await page.locator("#builder-spans-asked").check();
    await page.locator("#builder-marks-model > summary").click();
    await page.locator("#builder-marks-by-hand > summary").click();
    const byHand = page.locator("#builder-marks-by-hand");
    const text = (wanted) => page.locator("#builder-marks-next").filter({ hasText: wanted }).waitFor();
    await text("Text 1 of 1: it asks for the claims of 4 comments.");
    await change(page, "#builder-marks-a-text", "3");
    await text("Text 1 of 2: it asks for the claims of 3 comments.");
    /** The text as it is copied now. */
    const copied = async () => {
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await byHand.getByRole("button", { name: "Copy the text" }).click();
      return askedIn(await until(() => page.evaluate(() => navigator.clipboard.readText()), Boolean, "the text is copied"));
    };
    const box = byHand.getByLabel("The chat’s answer");
    const bring = async (answer) => {
      await box.fill(answer);
      await byHand.getByRole("button", { name: "Take the claims, and mark the comments" }).click();
    };
    const first = await copied();
    assert.deepEqual(first.map(({ words }) => words), ["The steed rests.", "A monarch yawns.", "The prelate dreams."]);
    await bring(answer(first));
    const isRefused = next.startsWith("Text 1");
    await byHand.getByRole(isRefused ? "alert" : "status").filter({ hasText: said }).waitFor();
    await text(next);
    if (isRefused) {
      assert.equal(await box.inputValue(), answer(first), "what was pasted stays");
      await bring(answered(first));
      await text("Text 2 of 2: it asks for the claims of 1 comment.");
      await byHand.getByRole("alert").waitFor({ state: "hidden" });
    }
    // What is missing comes first, under the key that it had.
    const second = await copied();
    const again = next.endsWith("2 comments.") ? [first[0]] : [];
    assert.deepEqual(second.slice(0, -1), again);
    assert.equal(second.at(-1).words, "Two soldiers chat.");
    await bring(answered(second));
    await text("The claims of all comments are declared.");
    await byHand.getByRole("status").filter({ hasText: "the claim check has something against 4 comments." }).waitFor();
    await page.locator("#builder-marks-count").getByText(/^4 marks by the claim check/).waitFor();
    for (const { text, marks } of (await study(page)).items.flatMap(({ comments }) => comments))
      assert.ok(marks.length === 1 && marks[0].start === 0, `${text} ${JSON.stringify(marks)}`);
    // A comment that is added is asked about by itself.
    await page.locator("#builder-paste").fill(`fen,move,method,comment\n${START},c4,a,A castle sleeps.`);
    await page.locator("#builder-add").click();
    await page.locator("#builder-marks-next").filter({ hasText: "it asks for the claims of 1 comment." }).waitFor();
    assert.deepEqual((await copied()).map(({ words }) => words), ["A castle sleeps."]);
  });
