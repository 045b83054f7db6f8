// That the test server plays what its head says; the journeys rest on it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LlmServer } from "./llm_server.mjs";
import { MODEL, SHAPES } from "./llm_shapes.mjs";

const TEXT = "The knight ♞ forks king and rook – a quick end.";

let server;
before(async () => (server = await LlmServer.open(TEXT)));
after(() => server.close());

const ask = (mode, signal) =>
  fetch(`${server.address}${mode}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-test" },
    body: JSON.stringify({ model: "any", stream: true, messages: [] }),
    signal,
  });

/** The text of a stream and how many reads it took. */
async function read(response) {
  let [bytes, reads] = ["", 0];
  const decoder = new TextDecoder();
  for await (const piece of response.body) [bytes, reads] = [bytes + decoder.decode(piece, { stream: true }), reads + 1];
  const data = bytes.split("\n\n").filter(Boolean).map((event) => event.replace("data: ", ""));
  const chunks = data.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line));
  return { chunks, reads, done: data.at(-1) === "[DONE]" };
}

test("good streams the text in more reads than events", async () => {
  const { chunks, reads, done } = await read(await ask("good"));
  assert.equal(chunks[0].choices[0].delta.content, null);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), TEXT);
  assert.deepEqual(chunks.at(-1).choices, []);
  assert.ok(done && reads > chunks.length, `${reads} reads, ${chunks.length} chunks`);
  assert.equal(server.questions.at(-1).headers.authorization, "Bearer sk-test");
});

test("broken and empty have no end", async () => {
  await assert.rejects(read(await ask("broken")));
  assert.deepEqual((await read(await ask("empty"))).chunks, []);
});

test("refusals are as documented", async () => {
  const unauthorized = await ask("unauthorized");
  assert.equal(unauthorized.status, 401);
  assert.match((await unauthorized.json()).error.message, /key/);
  const busy = await ask("busy");
  assert.equal(busy.status, 429);
  assert.equal(busy.headers.get("retry-after"), "1");
  assert.equal((await ask("busy")).status, 200);
  const down = await ask("down");
  assert.equal(down.status, 500);
  assert.equal(down.headers.get("access-control-allow-origin"), null);
});

test("hang hangs, and notices who went away", async () => {
  const before = server.abandoned;
  await assert.rejects(ask("hang", AbortSignal.timeout(200)), { name: "TimeoutError" });
  // The server hears of it on its next turn.
  while (server.abandoned === before) await new Promise((resolve) => setImmediate(resolve));
});

const post = (mode, shape, question = {}) =>
  fetch(`${server.address}${mode}/${SHAPES[shape].chat}`, { method: "POST", body: JSON.stringify(question) });

/** The text in the objects of a stream, read as each shape's makers say. */
const TEXT_OF = {
  openai: (object) => object.choices[0]?.delta.content ?? "",
  anthropic: (object) => object.delta?.text ?? "",
  ollama: (object) => object.message.content,
};

for (const shape of Object.keys(SHAPES)) {
  test(`${shape} streams the text however it is split, and gives it whole`, async () => {
    for (const mode of ["good", "drip", "slow"]) {
      const response = await post(mode, shape);
      assert.equal(response.headers.get("content-type"), SHAPES[shape].type);
      const lines = (await response.text()).split("\n").filter((line) => /^(data: )?\{/.test(line));
      const objects = lines.map((line) => JSON.parse(line.replace(/^data: /, "")));
      assert.equal(objects.map(TEXT_OF[shape]).join(""), TEXT, mode);
    }
    assert.ok(JSON.stringify(await (await post("whole", shape)).json()).includes(TEXT));
  });

  test(`${shape} has its list of models and its errors`, async () => {
    const headers = shape === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
    const list = await (await fetch(`${server.address}good/${SHAPES[shape].models}`, { headers })).json();
    assert.deepEqual(list, SHAPES[shape].list);
    assert.ok(JSON.stringify(list).includes(MODEL));
    for (const [mode, status] of [["unauthorized", 401], ["no-model", 404], ["too-large", 413], ["overflow", 400], ["failing", 500]]) {
      const response = await post(mode, shape);
      assert.equal(response.status, status, mode);
      const { error } = await response.json();
      assert.equal(typeof (error.message ?? error), "string");
    }
  });

  test(`${shape} breaks the stream as it is told`, async () => {
    await assert.rejects(post("broken", shape).then((response) => response.text()));
    const malformed = await (await post("malformed", shape)).text();
    assert.ok(malformed.includes(SHAPES[shape].half) && malformed.includes("end."));
    assert.match(await (await post("said-error", shape)).text(), /Overloaded[^\n]*\n+$/);
    assert.ok((await (await post("huge", shape)).text()).length > 10_000_000);
    const hidden = await post("no-cors", shape);
    assert.equal(hidden.headers.get("access-control-allow-origin"), null);
  });
}
