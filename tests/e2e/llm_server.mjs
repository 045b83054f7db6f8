// An OpenAI-compatible server that plays what real ones were seen to do. The first part of the path chooses how it
// behaves, so a base URL of `${server.address}broken/v1` is a server whose stream breaks off:
//
//   good          streams `text`, in pieces that end in the middle of events and of letters
//   slow          the same, a word every 100 ms
//   broken        cuts the connection in the middle of the second half
//   empty         200, an event stream, nothing in it, no [DONE]
//   unauthorized  401 with a JSON error
//   busy          429 with Retry-After: 1 the first time, then good
//   hang          takes the question and never says anything
//   down          500 as plain text without CORS headers: the page only learns that the fetch failed

import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, authorization, x-api-key, anthropic-version",
  "access-control-expose-headers": "retry-after",
};

const STREAM = { ...CORS, "content-type": "text/event-stream", "cache-control": "no-cache" };

const MODEL = "kibitz-test-model";

/** Pieces of this many bytes: shorter than an event, and odd, so that letters of two bytes are split as well. */
const PIECE = 37;

function chunk(delta, finish = null) {
  return {
    id: "chatcmpl-test",
    object: "chat.completion.chunk",
    created: 0,
    model: MODEL,
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** The events of a whole answer, as llama.cpp and OpenAI send them. */
function events(text) {
  const words = text.match(/\S+\s*/g) ?? [];
  const usage = { prompt_tokens: 321, completion_tokens: words.length, total_tokens: 321 + words.length };
  const list = [
    chunk({ role: "assistant", content: null }),
    ...words.map((content) => chunk({ content })),
    chunk({}, "stop"),
    { ...chunk({}), choices: [], usage },
  ];
  return [...list.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"];
}

async function writeInPieces(response, bytes) {
  for (let at = 0; at < bytes.length && !response.destroyed; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE));
    await pause(1);
  }
}

function complain(response, status, message, headers = {}) {
  const error = { message, type: "test_error", code: String(status) };
  response.writeHead(status, { ...CORS, "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
}

async function body(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export class LlmServer {
  /** Every question as { mode, headers, body }, in the order of arrival. */
  questions = [];
  /** Questions whose asker went away before the answer was complete. */
  abandoned = 0;
  address;
  #text;
  #server;

  static async open(text) {
    const server = new LlmServer();
    server.#text = text;
    server.#server = createServer((request, response) => {
      // A connection that the page closes in the middle is an ordinary thing here.
      server.#answer(request, response).catch(() => response.destroy());
    });
    await new Promise((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    server.address = `http://127.0.0.1:${server.#server.address().port}/`;
    return server;
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    const [, mode, ...rest] = new URL(request.url, "http://host").pathname.split("/");
    const leaf = rest.join("/");
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    if (leaf === "v1/models") {
      const models = { object: "list", data: [{ id: MODEL, object: "model", created: 0, owned_by: "kibitz" }] };
      return response.writeHead(200, { ...CORS, "content-type": "application/json" }).end(JSON.stringify(models));
    }
    if (leaf !== "v1/chat/completions" || request.method !== "POST")
      return complain(response, 404, `there is no ${request.method} ${request.url}`);
    response.on("close", () => {
      if (!response.writableFinished) this.abandoned += 1;
    });
    const asked = this.questions.filter((question) => question.mode === mode).length;
    this.questions.push({ mode, headers: request.headers, body: JSON.parse(await body(request)) });
    const whole = events(this.#text);
    switch (mode) {
      case "good":
        response.writeHead(200, STREAM);
        await writeInPieces(response, Buffer.from(whole.join("")));
        return response.end();
      case "slow":
        response.writeHead(200, STREAM);
        for (const event of whole) {
          if (response.destroyed) return;
          response.write(event);
          await pause(100);
        }
        return response.end();
      case "broken": {
        response.writeHead(200, STREAM);
        const bytes = Buffer.from(whole.join(""));
        await writeInPieces(response, bytes.subarray(0, Math.floor(bytes.length / 2)));
        return response.destroy();
      }
      case "empty":
        return response.writeHead(200, STREAM).end();
      case "unauthorized":
        return complain(response, 401, "Incorrect API key provided.");
      case "busy":
        if (asked === 0) return complain(response, 429, "Rate limit reached.", { "retry-after": "1" });
        response.writeHead(200, STREAM);
        return response.end(whole.join(""));
      case "hang":
        return undefined;
      case "down":
        return response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
      default:
        return complain(response, 404, `this server knows no mode “${mode}”`);
    }
  }
}
