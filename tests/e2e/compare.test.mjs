// Methods side by side on one move, FEN against PGN, and the way from there to a study. The model is played by
// llm_server.mjs.

import { assert, fits, journey, open, until } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { LABEL, MOVE, base, connect, openForm, type } from "./connection.mjs";
import { commentary, paste, show } from "./play.mjs";

const RIGHT = "Comment: Nf6 attacks the queen on h5, but it is a blunder because it allows Qxf7#. King safety decides.";
const WRONG = "Comment: Nothing protects the pawn on e5.";
/** The paper's Figure A6, moves only, with a comment that becomes the reference. */
const GAME = `1. e4 Nf6 2. Nc3 d6 3. b3 g6 4. f4 Bg7 5. Nf3 O-O 6. Bc4 Re8 7. O-O b6 8. Ne2 Nxe4 9. d3 Bxa1 10. dxe4 Bg7 11. Ng3 Nc6 12. f5 Ne5
13. fxg6 hxg6 14. Nxe5 Bxe5 15. Bxf7+ Kg7 16. Bxg6 Rh8 17. Rf5 Bxf5 18. Bxf5 Qg8 19. Nh5+ Kf7 20. Qd5+ e6 21. Bxe6+ {The king is hunted.} *`;

/** Every message of a question as one text. */
const asked = (question) => question.body.messages.map((message) => message.content).join("\n");
const last = (question) => question.body.messages.at(-1).content;

const column = (page, name) => page.getByRole("region", { name, exact: true });

/** Waits until the engine has settled and the comparison can begin. */
const settled = (page) => column(page, "Narrator (no language model)").locator(".marked").waitFor({ timeout: 180_000 });

/** From the board to the comparison, with a model or without. */
async function compare(page, hash) {
  await open(page, hash);
  await commentary(page, LABEL);
  await show(page, "Model");
  await page.getByRole("link", { name: "Compare methods" }).click();
  await page.getByRole("heading", { level: 1, name: "Methods side by side" }).waitFor();
  await settled(page);
}

journey("every method stands beside the narrator, with what is wrong red and what is named blue, and all of it goes to a study", async ({ page }) => {
  const server = await LlmServer.open((number) => (number === 1 ? WRONG : RIGHT));
  try {
    await compare(page, MOVE);
    await page.getByLabel(/^A reference/).fill("What a pity.");
    await page.getByLabel(/^A reference/).blur();
    await column(page, "Reference").getByText("What a pity.").waitFor();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.getByRole("button", { name: "Have the model write 5 comments" }).click();
    await page.getByRole("button", { name: "All are written" }).waitFor();
    // The arms that the paper compares, each told its own.
    assert.equal(server.questions.length, 5, "asked once each");
    const [llm, engine, ccc, facts, full] = server.questions;
    assert.ok([llm, engine].every((question) => question.body.messages.length === 2), "no examples");
    assert.ok([ccc, facts, full].every((question) => question.body.messages.length > 2), "examples");
    assert.ok(!/engine evaluation/.test(last(llm)) && /engine evaluation/.test(last(engine)));
    assert.ok(/concept candidates/.test(last(ccc)) && /attacks after/.test(last(ccc)) && !/facts:|'s pieces:/.test(last(ccc)));
    assert.ok(/facts:/.test(last(facts)) && !/concept candidates/.test(asked(facts)));
    assert.ok(/facts:/.test(last(full)) && /concept candidates/.test(last(full)));
    // Marks.
    const wrong = column(page, "LLM + engine");
    assert.match(await wrong.locator("mark.wrong").innerText(), /pawn on e5/);
    assert.match(await wrong.locator(".marked .unseen").innerText(), /wrong: .*knight on c6 protects it/);
    await wrong.getByRole("button", { name: "Why is this wrong?" }).focus();
    await page.keyboard.press("Enter");
    await wrong.locator(".reason").filter({ hasText: "knight on c6 protects it" }).waitFor();
    const right = column(page, "LLM + engine + concepts (CCC)");
    assert.deepEqual(await right.locator("mark.named").allInnerTexts(), ["attacks", "King safety"]);
    assert.ok((await right.locator("mark.touched").allInnerTexts()).includes("queen on h5"));
    assert.equal(await right.locator("mark.wrong").count(), 0);
    await right.getByText(/Concepts named: threats, king safety\./).waitFor();
    // One click.
    await page.getByRole("button", { name: "Make a study of this" }).click();
    await page.getByText("1 items, 7 comments by 7 methods.").waitFor();
    await page.locator("#builder-notice").filter({ hasText: "A move with 7 comments was added." }).waitFor();
    const methods = await page.locator("#builder-items .notices li").allInnerTexts();
    for (const arm of ["+llm:", "+engine:", "+ccc:", "+facts:", "+full:", "narrator:", "reference:"])
      assert.ok(methods.some((line) => line.includes(arm)), `${arm} in ${methods}`);
    await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  } finally {
    await server.close();
  }
});

journey("the model declares what a person's comment claims, which is judged", async ({ page }) => {
  const server = await LlmServer.open(() => RIGHT);
  const words = "The steed glares at the monarch";
  server.claims = JSON.stringify({
    claims: [{ words, predicate: "attacks", subject: "black knight f6", objects: ["white king e1"], position: "after" }, { words: "nowhere" }],
  });
  try {
    await compare(page, MOVE);
    await page.getByLabel(/^A reference/).fill(`${words}.`);
    await page.getByLabel(/^A reference/).blur();
    const reference = column(page, "Reference");
    await reference.getByText(words).waitFor();
    assert.equal(await reference.locator("mark.wrong").count(), 0, "by its words nothing is known of it");
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    const declare = page.getByRole("button", { name: "Have the model declare the claims of 1 comment" });
    await declare.click();
    await reference.locator("mark.wrong").waitFor();
    assert.equal(await reference.locator("mark.wrong").innerText(), words);
    await reference.getByText(/One claim that the model declared is left out/).waitFor();
    await declare.waitFor({ state: "detached" });
    assert.deepEqual([server.questions.length, server.declarations.length], [0, 1]);
  } finally {
    await server.close();
  }
});

/** Words that nothing but a declaration explains, and what a chat declares of them. */
const UNREAD = "The steed glares at the monarch";
const DECLARED = JSON.stringify({
  claims: [{ words: UNREAD, predicate: "attacks", subject: "black knight f6", objects: ["white king e1"], position: "after" }, { words: "nowhere" }],
});
const block = (claims) => `Here they are:\n\`\`\`json\n${claims}\n\`\`\`\nAnything else?`;

/** What a chat answers first to the text that asks for the claims of a comment. */
const CHATS = [
  ["a block", block(DECLARED)],
  ["a broken block", `\`\`\`json\n${DECLARED.slice(0, 60)}`],
  ["no block", "I can’t see a board."],
];

for (const [shape, answer] of CHATS)
  journey(`without a key a chat declares what a person's comment claims: ${shape}`, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await compare(page, MOVE);
    const reference = column(page, "Reference");
    await page.getByLabel(/^A reference/).fill(`${UNREAD}.`);
    await page.getByLabel(/^A reference/).blur();
    await reference.locator(".marked").filter({ hasText: UNREAD }).waitFor();
    await reference.getByText("Have a model declare its claims").click();
    await reference.getByRole("button", { name: "Copy what asks for its claims" }).click();
    await reference.getByText("Copied", { exact: true }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /You find the claims.*<text>\nThe steed glares at the monarch\.\n<\/text>/s);
    const box = reference.getByLabel("The chat’s answer");
    const take = reference.getByRole("button", { name: "Take the claims" });
    // An empty box is no answer, and the keyboard stays where it is.
    await take.press("Enter");
    await reference.getByRole("status").filter({ hasText: "Paste the chat’s answer first." }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === "Take the claims");
    await box.fill(answer);
    await take.press("Enter");
    if (shape !== "a block") {
      await reference.getByRole("alert").filter({ hasText: "The claims could not be read: the answer is no list of claims." }).waitFor();
      assert.equal(await box.inputValue(), answer, "what was pasted stays");
      assert.equal(await reference.locator("mark.wrong").count(), 0, "and so does what is known of the comment");
      await box.fill(block(DECLARED));
      await take.press("Enter");
    }
    await reference.locator("mark.wrong").filter({ hasText: UNREAD }).waitFor();
    await reference.getByRole("status").filter({ hasText: "The comment is judged by 1 declared claim." }).waitFor();
    await reference.getByText(/One claim that the model declared is left out/).waitFor();
    await reference.getByRole("alert").waitFor({ state: "hidden" });
    await until(() => box.inputValue(), (value) => value === "", "the box is empty again");
    await page.waitForFunction(() => document.activeElement?.textContent === "Take the claims");
    // Another comment, and what was said of the first is gone with its claims.
    await page.getByLabel(/^A reference/).fill("What a pity.");
    await page.getByLabel(/^A reference/).blur();
    await reference.locator(".marked").filter({ hasText: "What a pity." }).waitFor();
    await reference.locator("mark.wrong").waitFor({ state: "detached" });
    await reference.getByText("The comment is judged by 1 declared claim.").waitFor({ state: "detached" });
  });

journey("claims of a pasted answer that brought none are declared by hand", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  await compare(page, MOVE);
  const llm = column(page, "LLM");
  await llm.getByText("By hand").click();
  await llm.getByLabel("The answer: LLM").fill(`Comment: ${UNREAD}.`);
  await llm.getByRole("button", { name: "Take the answer" }).click();
  await llm.locator(".marked").filter({ hasText: UNREAD }).waitFor();
  await llm.getByText("Have a model declare its claims").click();
  await llm.getByLabel("The chat’s answer").fill(block(DECLARED));
  await llm.getByRole("button", { name: "Take the claims" }).click();
  await llm.locator("mark.wrong").filter({ hasText: UNREAD }).waitFor();
  await fits(page);
});

journey("the writing stops and goes on, and a failure keeps what is written", async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource/);
  const server = await LlmServer.open(RIGHT);
  try {
    await compare(page, MOVE);
    await openForm(page);
    await connect(page, `${server.address}slow/v1`);
    await page.getByRole("button", { name: "Have the model write 5 comments" }).click();
    await page.locator(".model-run [role=status]").filter({ hasText: "0 of 5. LLM" }).waitFor();
    await page.locator(".model-run [role=status]").filter({ hasText: "1 of 5. LLM + engine" }).waitFor();
    await page.locator(".model-run").getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Have the model write 4 comments" }).waitFor();
    await type(page, base(page), `${server.address}unauthorized/v1`);
    await page.getByRole("button", { name: "Have the model write 4 comments" }).click();
    await page.locator(".model-run [role=alert]").filter({ hasText: "What is written is kept" }).waitFor();
    await column(page, "LLM").locator(".marked").waitFor();
    await type(page, base(page), `${server.address}good/v1`);
    await page.getByRole("button", { name: "Have the model write 4 comments" }).click();
    await page.getByRole("button", { name: "All are written" }).waitFor();
  } finally {
    await server.close();
  }
});

journey("without a model an answer is brought by hand, and hostile text stays text", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  await compare(page, MOVE);
  assert.ok(await page.locator("#compare-write").isDisabled());
  const llm = column(page, "LLM");
  await llm.getByText("By hand").click();
  await llm.getByLabel("The answer: LLM").fill('Comment: <img src=x onerror="alert(1)"> Nothing protects the \u202epawn on e5. ' + "e4 ".repeat(500));
  await llm.getByRole("button", { name: "Take the answer" }).click();
  await llm.locator("mark.wrong").first().waitFor();
  assert.equal(await llm.locator("img").count(), 0);
  assert.ok(!(await llm.locator(".marked").innerText()).includes("\u202e"));
  // Nothing is wider than the phone, and the columns stand below each other.
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const tops = await page.locator(".compare-column").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  assert.equal(new Set(tops).size, 1);
  await page.getByRole("button", { name: "Make a study of this" }).click();
  await page.getByText("1 items, 2 comments by 2 methods.").waitFor();
  assert.ok((await page.locator("#builder-items .notices li").allInnerTexts()).some((line) => line.includes("pasted+llm")));
});

journey("one method with the FEN and with the game, and what differs", async ({ page }) => {
  const server = await LlmServer.open((_, question) =>
    /game so far:/.test(question.messages.at(-1).content) ? "Comment: Bxe6+ is check. White has more space." : "Comment: Bxe6+ is check. White is five queens ahead.",
  );
  try {
    await open(page);
    await paste(page, GAME);
    // A game opens on its last move.
    await commentary(page, "21. Bxe6+");
    await show(page, "Model");
    await page.getByRole("link", { name: "Compare methods" }).click();
    await settled(page);
    await column(page, "Reference").getByText("The king is hunted.").waitFor();
    await page.getByText("FEN against PGN", { exact: true }).click();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    await page.getByRole("button", { name: "Have the model write 2 comments" }).click();
    const differences = page.getByRole("region", { name: "What differs" });
    await differences.waitFor();
    assert.deepEqual(
      server.questions.map((question) => last(question).split(":")[0]),
      ["position", "game so far"],
    );
    assert.match(await differences.innerText(), /Claims with the FEN alone\s+“.*five queens.*” \(material, wrong\)/s);
    assert.match(await differences.innerText(), /Concepts with the PGN alone\s+space/);
    // The comments are there when the methods are shown again, and gone with the move.
    await page.getByText("The methods", { exact: true }).click();
    await page.getByRole("button", { name: "Have the model write 4 comments" }).waitFor();
  } finally {
    await server.close();
  }
});

journey("a link to the comparison names its move, and without one the page says what to do", async ({ page }) => {
  await open(page, "/compare");
  await page.locator("#compare-nothing").waitFor();
  await open(page, `/compare?${MOVE}`);
  await page.reload();
  await settled(page);
  await page.locator("#compare-label").filter({ hasText: "Black plays 3… Nf6." }).waitFor();
  await page.getByText("FEN against PGN", { exact: true }).click();
  await page.locator("#compare-no-game").waitFor();
  // The board's keys are the board's.
  await page.locator("h1").click();
  await page.keyboard.press("ArrowLeft");
  await page.locator("#compare-label").filter({ hasText: "Black plays 3… Nf6." }).waitFor();
});
