// Chat endpoints in three wire shapes, well behaved and not: what the user reads, and what is asked of the server. The
// servers are played by llm_server.mjs; llama.test.mjs asks a real one.

import { assert, journey, open } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { MODEL } from "./llm_shapes.mjs";
import { commentary } from "./play.mjs";
import { KEY, LABEL, MOVE, ask, base, choose, connect, failure, key, models, number, openForm, reply, stop, success, type } from "./connection.mjs";

const TEXT = "The knight’s move allows mate at once ♛, and nothing can be done about it.";
const MARKUP = 'A <b>bold</b> move: <img src=x onerror="document.title=1"> <script>document.title=2</script> &amp; **so** [on](javascript:1).';

/** The services whose shapes are played, with the path of their base URL and what they want of a question. */
const SERVICES = [
  {
    service: "compatible",
    path: "/v1",
    checkQuestion({ headers, body }) {
      assert.equal(headers.authorization, `Bearer ${KEY}`);
      assert.deepEqual([body.model, body.stream, body.temperature, body.max_tokens], [MODEL, true, 0.1, 2000]);
      assert.deepEqual(body.messages.map((message) => message.role).slice(0, 1), ["system"]);
      assert.equal(body.messages.at(-1).role, "user");
    },
  },
  {
    service: "anthropic",
    path: "/v1",
    checkQuestion({ headers, body }) {
      assert.equal(headers["x-api-key"], KEY);
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["anthropic-version"], "2023-06-01");
      assert.deepEqual([body.model, body.stream, body.temperature, body.max_tokens], [MODEL, true, 0.1, 2000]);
      assert.ok(body.system.length > 20);
      assert.ok(body.messages.every((message) => message.role !== "system") && body.messages.at(-1).role === "user");
      assert.equal(body.seed, undefined);
    },
  },
  {
    service: "ollama",
    path: "",
    checkQuestion({ headers, body }) {
      assert.equal(headers.authorization, `Bearer ${KEY}`);
      assert.deepEqual(body.options, { temperature: 0.1, num_predict: 2000, num_ctx: 8192 });
      assert.deepEqual([body.model, body.stream, body.truncate], [MODEL, true, false]);
      assert.equal(body.messages[0].role, "system");
    },
  },
];

/** What the page says of each fault, whatever the shape; `kept` where a beginning of the text stays. */
const FAULTS = [
  { mode: "unauthorized", says: /refused the key \(401\).*Check that the key is whole/s },
  { mode: "no-model", says: /does not have this model.*Choose a model from the server's list/s },
  { mode: "too-large", says: /longer than this model can read.*longer context/s },
  { mode: "overflow", says: /longer than this model can read.*longer context/s },
  { mode: "broken", says: /broke off.*Try again/s, kept: true },
  { mode: "malformed", says: /broke off.*Try again/s, kept: true },
  { mode: "said-error", says: /broke off.*“Overloaded”/s, kept: true },
  { mode: "refusing", says: /declined to answer/ },
  { mode: "huge", says: /did not stop writing; the reply was cut off.*bound on the reply's length/s },
  { mode: "page", says: /not a chat server.*\(a web page\).*Check the provider and the base URL/s },
  { mode: "moved", says: /wants the question sent to another address. It was not/ },
  { mode: "down", says: /did not answer, or does not allow this page.*OLLAMA_ORIGINS.*--cors/s },
  { mode: "no-cors", says: /did not answer, or does not allow this page.*OLLAMA_ORIGINS.*--cors/s },
];

/** Runs `step` and puts its name in front of what it complains about. */
async function step(name, run) {
  try {
    await run();
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
}

function withServer(name, run) {
  journey(name, async (given) => {
    const server = await LlmServer.open(TEXT, MARKUP);
    const { page } = given;
    try {
      await open(page, MOVE);
      const prose = await commentary(page, LABEL);
      await run({ ...given, server });
      // Whatever the model did, the commentary stays; the network's probes may have added to it meanwhile.
      const [first] = prose.split(". ");
      assert.ok((await page.locator("#narration").innerText()).trim().startsWith(first));
    } finally {
      await server.close();
    }
  });
}

for (const { service, path, checkQuestion } of SERVICES) {
  const at = (server, mode) => `${server.address}${mode}${path}`;

  withServer(`${service}: streams, in whatever pieces the bytes come`, async ({ page, server, complaints }) => {
    complaints.expect(/429|503/);
    await choose(page, service);
    await connect(page, at(server, "good"), KEY);
    assert.equal(await page.locator("#model").inputValue(), MODEL);
    for (const mode of ["good", "drip", "whole"])
      await step(mode, async () => {
        await type(page, base(page), at(server, mode));
        await ask(page);
        await success(page).waitFor();
        assert.equal(await reply(page).innerText(), TEXT);
        const [question] = server.asked(mode);
        checkQuestion(question);
        assert.equal(server.asked(mode).length, 1);
      });
    await step("busy", async () => {
      await type(page, base(page), at(server, "busy"));
      await ask(page);
      await page.getByText(/takes no more requests.*Trying again in \d s/).waitFor();
      await success(page).waitFor();
      assert.equal(server.asked("busy").length, 2);
    });
    await step("loading", async () => {
      await type(page, base(page), at(server, "loading"));
      await ask(page);
      await page.getByText(/still loading its model.*Trying again in \d s/).waitFor();
      await success(page).waitFor();
      assert.equal(server.asked("loading").length, 2);
    });
    await step("echo", async () => {
      await type(page, base(page), at(server, "echo"));
      await ask(page);
      await success(page).waitFor();
      assert.equal(await reply(page).innerText(), `${TEXT} [key] ${TEXT}`);
      assert.ok(!(await page.locator("body").innerText()).includes(KEY));
    });
    await step("markup", async () => {
      await type(page, base(page), at(server, "markup"));
      await ask(page);
      await success(page).waitFor();
      // The asterisks of bold print are read as such; all else stays text.
      assert.equal(await reply(page).innerText(), MARKUP.replaceAll("**", ""));
      assert.equal(await reply(page).locator("b, img, script, strong, a").count(), 0, "markup stays text");
      assert.equal(await page.title(), "Kibitz");
    });
    await step("slow, and stopped", async () => {
      await type(page, base(page), at(server, "slow"));
      await ask(page);
      await reply(page).waitFor();
      await stop(page);
      await failure(page).waitFor();
      const kept = (await reply(page).innerText()).trim();
      assert.ok(kept.length > 0 && TEXT.startsWith(kept), kept);
      while (server.abandoned === 0) await new Promise((resolve) => setImmediate(resolve));
    });
  });

  withServer(`${service}: says what went wrong, what was kept and what to do`, async ({ page, server, complaints }) => {
    complaints.expect(/Failed to load resource|ERR_|CORS/);
    await choose(page, service);
    await connect(page, at(server, "good"), KEY);
    // Ollama's API has no word for a refusal.
    for (const { mode, says, kept } of FAULTS.filter(({ mode }) => mode !== "refusing" || service !== "ollama"))
      await step(mode, async () => {
        await type(page, base(page), at(server, mode));
        await ask(page);
        await failure(page).filter({ hasText: says }).waitFor();
        assert.doesNotMatch(await failure(page).innerText(), new RegExp(KEY));
        assert.equal(server.asked(mode).length, 1, "what will not pass is not tried again");
        if (kept) {
          const text = (await reply(page).innerText()).trim();
          assert.ok(text.length > 0 && TEXT.startsWith(text), text);
          assert.match(await failure(page).innerText(), /What had arrived has been checked and kept above/);
        } else if (mode === "huge") {
          const length = (await reply(page).innerText()).length;
          // A circle without a sentence in it is nothing to show.
          assert.ok(length <= 65_536, String(length));
        } else {
          assert.equal(await reply(page).count(), 0);
        }
      });
    assert.equal(server.asked("good").length, 0, "neither key nor question went where “moved” led");
    // Nor where a list of models or a browser's own question is sent on.
    await step("moved-lists", async () => {
      const before = server.lists.length;
      await type(page, base(page), at(server, "moved-lists"));
      await page.getByRole("button", { name: "Connect and list models" }).click();
      await page.locator("#models-problem").filter({ hasText: /another address/ }).waitFor();
      assert.deepEqual(server.lists.slice(before).map(({ mode }) => mode), ["moved-lists"]);
    });
    await step("moved-preflight", async () => {
      const before = server.lists.length;
      await type(page, base(page), at(server, "moved-preflight"));
      await page.getByRole("button", { name: "Connect and list models" }).click();
      await page.locator("#models-problem").filter({ hasText: /did not answer, or does not allow this page/ }).waitFor();
      await ask(page);
      await failure(page).filter({ hasText: /did not answer, or does not allow this page/ }).waitFor();
      assert.equal(server.lists.length, before);
      assert.equal(server.asked("moved-preflight").length + server.asked("good").length, 0);
    });
    await step("failing", async () => {
      await type(page, base(page), at(server, "failing"));
      await ask(page);
      await page.getByText(/server failed \(500\).*Trying again in \d s/).waitFor();
      await failure(page).filter({ hasText: /server failed \(500\).*look into the server's log/s }).waitFor();
      assert.equal(server.asked("failing").length, 4);
    });
  });
}

withServer("a server that keeps the line open without a word is given up", async ({ page, server }) => {
  await choose(page, "anthropic");
  await connect(page, `${server.address}pings/v1`);
  await type(page, number(page, "Longest silence, seconds"), 1);
  await ask(page);
  await failure(page).filter({ hasText: /went on and on without a word/ }).waitFor();
  await type(page, base(page), `${server.address}hang/v1`);
  await ask(page);
  await failure(page).filter({ hasText: /sent nothing for 1 seconds/ }).waitFor();
});

withServer("a key is for one service at one address", async ({ page, server, complaints }) => {
  complaints.expect(/Failed to load resource/);
  const other = await LlmServer.open(TEXT);
  try {
    await openForm(page);
    await connect(page, `${server.address}good/v1`, KEY);
    await ask(page);
    await success(page).waitFor();
    assert.equal(server.questions[0].headers.authorization, `Bearer ${KEY}`);
    // Another server, the same service.
    await type(page, base(page), `${other.address}good/v1`);
    assert.match(await key(page).getAttribute("placeholder"), /for another address/);
    await ask(page);
    await success(page).waitFor();
    assert.equal(other.questions[0].headers.authorization, undefined);
    // Another service, the same server.
    await choose(page, "anthropic");
    await connect(page, `${server.address}good/v1`);
    await ask(page);
    await success(page).waitFor();
    const { headers } = server.questions.at(-1);
    assert.deepEqual([headers["x-api-key"], headers.authorization], [undefined, undefined]);
    // Back, where it was given for.
    await choose(page, "compatible");
    await type(page, base(page), `${server.address}unauthorized/v1`);
    await ask(page);
    await failure(page).waitFor();
    assert.equal(server.questions.at(-1).headers.authorization, `Bearer ${KEY}`);
    const stored = () => page.evaluate(() => JSON.stringify(localStorage) + location.href);
    assert.doesNotMatch(await stored(), new RegExp(KEY));
    await page.getByLabel("Keep the key in this browser").check();
    assert.match(await stored(), new RegExp(KEY));
    await page.reload();
    await commentary(page, LABEL);
    await openForm(page);
    assert.equal(await key(page).getAttribute("placeholder"), "a key is set");
    assert.equal(await key(page).inputValue(), "");
    await page.getByRole("button", { name: "Forget the key" }).click();
    assert.doesNotMatch(await stored(), new RegExp(KEY));
  } finally {
    await other.close();
  }
});

withServer("each service keeps its own settings", async ({ page, server }) => {
  await choose(page, "anthropic");
  assert.equal(await base(page).inputValue(), "https://api.anthropic.com/v1");
  assert.equal(await number(page, "Seed").count(), 0);
  await connect(page, `${server.address}good/v1`);
  await type(page, number(page, "Temperature"), 0.7);
  await type(page, number(page, "Most tokens of a reply"), 321);
  await choose(page, "ollama");
  assert.equal(await base(page).inputValue(), "http://localhost:11434");
  assert.equal(await page.locator("#model").inputValue(), "");
  await connect(page, `${server.address}good`);
  await type(page, number(page, "Seed"), 7);
  await type(page, number(page, "Context, tokens"), 4096);
  await page.reload();
  await commentary(page, LABEL);
  await openForm(page);
  assert.equal(await page.getByLabel("Provider", { exact: true }).inputValue(), "ollama");
  assert.equal(await number(page, "Seed").inputValue(), "7");
  assert.equal(await number(page, "Temperature").inputValue(), "");
  await ask(page);
  await success(page).waitFor();
  assert.deepEqual(server.questions.at(-1).body.options, { temperature: 0.1, num_predict: 2000, seed: 7, num_ctx: 4096 });
  await choose(page, "anthropic");
  assert.equal(await number(page, "Temperature").inputValue(), "0.7");
  await ask(page);
  await success(page).waitFor();
  const { body } = server.questions.at(-1);
  assert.deepEqual([body.model, body.temperature, body.max_tokens], [MODEL, 0.7, 321]);
  // The others are as they were.
  await choose(page, "openrouter");
  assert.equal(await base(page).inputValue(), "https://openrouter.ai/api/v1");
  assert.equal(await number(page, "Temperature").inputValue(), "");
});

withServer("whether a model gives token probabilities is found out and shown", async ({ page, server, complaints }) => {
  complaints.expect(/400/);
  const shown = page.locator("#probabilities");
  const find = () => page.getByRole("button", { name: /Find out/ }).click();
  for (const [service, path] of [["compatible", "/v1"], ["ollama", ""]])
    await step(service, async () => {
      await choose(page, service);
      await connect(page, `${server.address}probable${path}`);
      assert.equal(await shown.innerText(), "Gives token probabilities: unknown.");
      await find();
      await shown.filter({ hasText: "Gives token probabilities: yes." }).waitFor();
      assert.deepEqual([server.questions.at(-1).body.logprobs, server.questions.at(-1).body.top_logprobs], [true, 5]);
      await type(page, base(page), `${server.address}improbable${path}`);
      await shown.filter({ hasText: "Gives token probabilities: unknown." }).waitFor();
      await find();
      await shown.filter({ hasText: "Gives token probabilities: no." }).waitFor();
      // One that says nothing of them.
      await type(page, base(page), `${server.address}whole${path}`);
      await find();
      await shown.filter({ hasText: "Gives token probabilities: no." }).waitFor();
    });
  await choose(page, "anthropic");
  assert.equal(await shown.innerText(), "Gives token probabilities: no.");
  assert.equal(await page.getByRole("button", { name: /Find out/ }).count(), 0);
});

withServer("a list of models that does not come says why", async ({ page, server, complaints }) => {
  complaints.expect(/Failed to load resource/);
  await openForm(page);
  const problem = page.locator("#models-problem");
  const list = () => page.getByRole("button", { name: "Connect and list models" }).click();
  await type(page, base(page), `${server.address}good/nowhere`);
  await list();
  await problem.filter({ hasText: /no chat endpoint at this address.*Check the provider and the base URL/s }).waitFor();
  await type(page, base(page), "http://llm.example.org/v1");
  await list();
  await problem.filter({ hasText: /unencrypted across the internet/ }).waitFor();
  await type(page, base(page), `${server.address}good/v1`);
  await list();
  await models(page).filter({ hasText: "One model." }).waitFor();
  assert.equal(await problem.innerText(), "");
});
