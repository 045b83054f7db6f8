// That the test server plays what its head says; the journeys rest on it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LlmServer } from "./llm_server.mjs";

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
