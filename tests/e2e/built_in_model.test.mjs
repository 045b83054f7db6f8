// The browser's own model. A headless browser may have the interface, `LanguageModel`, but no model behind it, so that these
// journeys define the interface themselves: they show that the page speaks it as it is specified, not that a real one
// answers.

import { assert, journey, open } from "./harness.mjs";
import { commentary } from "./play.mjs";
import { LABEL, MOVE, ask, base, choose, failure, openForm, reply, stop, success } from "./connection.mjs";

const TEXT = "The knight leaves f7 to the queen.";

/** Defines the interface in the page. `globalThis.ownModel` tells what was asked of it and lets a test hold the reply. */
function define(context, state, fault = "") {
  return context.addInitScript(
    ([state, fault, text]) => {
      const own = { state, created: [], asked: [], aborted: 0, destroyed: 0 };
      globalThis.ownModel = own;
      class LanguageModel extends EventTarget {
        static availability() {
          return Promise.resolve(own.state);
        }
        static async create(options = {}) {
          own.created.push({ prompts: options.initialPrompts, outputs: options.expectedOutputs });
          if (own.state === "unavailable") throw new DOMException("no model here", "NotSupportedError");
          if (own.state === "downloadable") {
            const target = new EventTarget();
            options.monitor?.(target);
            for (const loaded of [0, 0.5]) {
              target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
              // The test lets the download go on when it has seen how far it is.
              if (loaded === 0.5) await new Promise((resolve) => (own.finishDownload = resolve));
            }
            own.state = "available";
          }
          return new LanguageModel();
        }
        promptStreaming(question, { signal } = {}) {
          own.asked.push(question);
          if (fault === "QuotaExceededError") throw new DOMException("the prompt is too large", fault);
          const words = text.match(/\S+\s*/g);
          let said = 0;
          return new ReadableStream({
            start(controller) {
              signal?.addEventListener("abort", () => {
                own.aborted += 1;
                controller.error(signal.reason);
              });
            },
            pull(controller) {
              if (said === words.length) return controller.close();
              if (said === 1 && fault === "endless") return new Promise(() => {});
              if (said === 1 && fault) return controller.error(new DOMException("it crashed", fault));
              controller.enqueue(words[said++]);
            },
          });
        }
        destroy() {
          own.destroyed += 1;
        }
      }
      globalThis.LanguageModel = LanguageModel;
    },
    [state, fault, TEXT],
  );
}

const offered = (page) => page.locator("#provider option[value='built-in']").count();

async function start({ page, context }, state, fault) {
  await define(context, state, fault);
  await open(page, MOVE);
  await commentary(page, LABEL);
  await choose(page, "built-in");
}

journey("is not offered where the browser has none", async ({ page, context }) => {
  await context.addInitScript(() => delete globalThis.LanguageModel);
  await open(page);
  await openForm(page);
  assert.equal(await offered(page), 0);
});

journey("is downloaded on a click, with progress, and then writes", async ({ page, context }) => {
  await start({ page, context }, "downloadable");
  assert.equal(await base(page).count(), 0, "it has no address");
  assert.ok(await page.locator("#ask").isDisabled());
  await page.getByRole("button", { name: "Download the model" }).click();
  await page.getByText("Downloading the model: 50 %").waitFor();
  await page.evaluate(() => globalThis.ownModel.finishDownload());
  await page.getByText("The browser’s model is ready.").waitFor();
  await ask(page);
  await success(page).waitFor();
  // Little of what it says can be trusted, and it is not asked for its claims, unless the reader wants both.
  await page.getByText("Its one sentence is left out: no claim in it is supported.").waitFor();
  assert.equal(await page.getByLabel("The model declares its claims").isChecked(), false);
  await page.getByLabel("Only what is supported").uncheck();
  assert.equal((await reply(page).innerText()).trim(), TEXT);
  const own = await page.evaluate(() => globalThis.ownModel);
  const { prompts, outputs } = own.created.at(-1);
  assert.equal(prompts[0].role, "system");
  assert.ok(prompts[0].content.length > 20);
  assert.deepEqual(outputs, [{ type: "text", languages: ["en"] }]);
  assert.match(own.asked[0], /Qxf7#/);
  assert.equal(own.destroyed, own.created.length, "every session is given back");
});

journey("can be stopped, and keeps what had come", async ({ page, context }) => {
  await start({ page, context }, "available", "endless");
  await ask(page);
  await reply(page).waitFor();
  await stop(page);
  await failure(page).filter({ hasText: "Stopped." }).waitFor();
  assert.equal((await reply(page).locator(".sentence").textContent()).trim(), "The");
  const { aborted, destroyed } = await page.evaluate(() => globalThis.ownModel);
  assert.deepEqual([aborted, destroyed], [1, 1]);
});

journey("says that the prompt is too long for it", async ({ page, context }) => {
  await start({ page, context }, "available", "QuotaExceededError");
  await ask(page);
  await failure(page).filter({ hasText: /longer than this model can read/ }).waitFor();
});

journey("keeps what came before it failed", async ({ page, context }) => {
  await start({ page, context }, "available", "UnknownError");
  await ask(page);
  await failure(page).filter({ hasText: /broke off.*own model did not answer.*it crashed/s }).waitFor();
  assert.equal((await reply(page).locator(".sentence").textContent()).trim(), "The");
});

journey("shows what the browser itself says of it", async ({ page }) => {
  await open(page);
  const state = await page.evaluate(() => globalThis.LanguageModel?.availability());
  await openForm(page);
  assert.equal(await offered(page), state === undefined ? 0 : 1);
  if (state !== "unavailable") return;
  await choose(page, "built-in");
  await page.getByText(/not on this device/).waitFor();
});

journey("says so where this device cannot have it", async ({ page, context }) => {
  await start({ page, context }, "unavailable");
  await page.getByText(/not on this device/).waitFor();
  assert.ok(await page.locator("#ask").isDisabled());
});
