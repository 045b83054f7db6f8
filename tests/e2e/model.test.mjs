// A language model that the user connects: played by a server of the tests, well behaved and not.

import { assert, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { commentary } from "./desk.mjs";

const TEXT = "The knight’s move allows mate at once: the queen takes on f7, and nothing can be done about it.";
const MOVE = "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6";
const KEY = "sk-test-1234567890";

function withModel(name, mode, run) {
  journey(name, async (given) => {
    const server = await LlmServer.open(TEXT);
    const { page } = given;
    try {
      await open(page, MOVE);
      const prose = await commentary(page, "3… Nf6");
      await page.getByText("Connect a model").click();
      await page.getByLabel("Base URL").fill(`${server.address}${mode}/v1`);
      await page.getByLabel("Key", { exact: true }).fill(KEY);
      await page.getByRole("button", { name: "Connect and list models" }).click();
      await page.waitForFunction(() => document.querySelector("#model").value === "kibitz-test-model");
      await run({ ...given, server });
      // Whatever the model did, the commentary stays.
      assert.equal((await page.locator("#narration").innerText()).trim(), prose);
    } finally {
      await server.close();
    }
  });
}

const ask = (page) => page.getByRole("button", { name: "Ask for a comment" }).click();
const failure = (page) => page.locator(".model [role=alert]").filter({ hasText: "The commentary above stays." });

withModel("streams a comment from the fact sheet", "good", async ({ page, server }) => {
  await ask(page);
  await page.getByText(/wrote this from the fact sheet/).waitFor();
  assert.equal(await page.locator("#reply").innerText(), TEXT);
  const [question] = server.questions;
  assert.equal(question.headers.authorization, `Bearer ${KEY}`);
  const prompt = question.body.messages.map((message) => message.content).join("\n");
  assert.match(prompt, /Qxf7#/);
  // What is shown as the prompt is what was sent; and the key is nowhere.
  await page.getByText("The prompt", { exact: true }).click();
  const shown = await page.locator(".prompt pre").innerText();
  assert.equal(shown.trim(), question.body.messages.map((message) => message.content).join("\n\n").trim());
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + location.href);
  assert.doesNotMatch(kept, new RegExp(KEY));
  // Only when asked for.
  await page.getByLabel("Keep the key in this browser").check();
  assert.match(await page.evaluate(() => JSON.stringify(localStorage)), new RegExp(KEY));
  await page.getByLabel("Keep the key in this browser").uncheck();
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), new RegExp(KEY));
});

withModel("can be stopped, and keeps what had come", "slow", async ({ page, server }) => {
  await ask(page);
  await page.locator("#reply").waitFor();
  await page.locator(".model").getByRole("button", { name: "Stop" }).click();
  await failure(page).waitFor();
  const reply = await page.locator("#reply").innerText();
  assert.ok(TEXT.startsWith(reply.trim()) && reply.length > 0);
  await page.getByRole("button", { name: "Ask for a comment" }).waitFor();
  assert.equal(server.questions.length, 1);
});

withModel("keeps what came of a stream that breaks off", "broken", async ({ page, complaints }) => {
  complaints.expect(/ERR_|Failed to load resource/);
  await ask(page);
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /broke off/);
  assert.ok(TEXT.startsWith((await page.locator("#reply").innerText()).trim()));
});

withModel("says that the key was refused", "unauthorized", async ({ page, complaints }) => {
  complaints.expect(/401/);
  await ask(page);
  await failure(page).waitFor();
  const text = await failure(page).innerText();
  assert.match(text, /refused the key/);
  assert.doesNotMatch(text, new RegExp(KEY));
});

withModel("waits as long as a busy server asks, then goes on", "busy", async ({ page, server, complaints }) => {
  complaints.expect(/429/);
  await ask(page);
  await page.getByText(/Trying again in \d s/).waitFor();
  await page.getByText(/wrote this from the fact sheet/).waitFor();
  assert.equal(await page.locator("#reply").innerText(), TEXT);
  assert.equal(server.questions.length, 2);
});

withModel("gives up on a server that hangs", "hang", async ({ page, server }) => {
  await page.getByLabel(/Longest silence/).fill("2");
  await page.getByLabel(/Longest silence/).blur();
  await ask(page);
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /sent nothing for 2 seconds/);
  assert.ok(server.questions.length >= 1);
});

withModel("explains a mute failure", "down", async ({ page, complaints }) => {
  complaints.expect(/CORS|ERR_|Failed to load/);
  await ask(page);
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /CORS|allow/i);
});

withModel("notices an empty answer", "empty", async ({ page }) => {
  await ask(page);
  await failure(page).waitFor();
  assert.match(await failure(page).innerText(), /empty/);
});
