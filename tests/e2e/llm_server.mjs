// A chat server that plays what real ones were seen to do, in the shape that is asked for by its path (llm_shapes.mjs). The
// first part of the path chooses how it behaves, so a base URL of `${server.address}broken/v1` is a server whose stream
// breaks off:
//
//   good          streams `text`, in pieces that end in the middle of events and of letters
//   slow          the same, a word every 100 ms
//   drip          the same, five bytes at a time
//   whole         the whole answer as one JSON object, though a stream was asked for
//   markup        streams `markup`
//   echo          streams `text` twice, with the question's key between
//   broken        cuts the connection in the middle of the second half
//   malformed     half an object where a piece of the text should be; then goes on as if nothing had been
//   faltering     good, but the third answer breaks off in its middle, and the fifth question gets 429 with Retry-After: 1
//   said-error    an error inside the stream, after some words
//   empty         200, an event stream, nothing in it, no end
//   refusing      the model declines
//   pings         keeps the connection open and never answers
//   huge          ten megabytes of text
//   page          200 with a web page
//   unauthorized  401      no-model  404      too-large  413      overflow  400, the context      failing  500
//   busy          429 with Retry-After: 1 the first time, then good
//   loading       503 while loading its model the first time, then good
//   scores        whole; where token probabilities are asked for, those of SCORES with the last token
//   probable      whole, with token probabilities      improbable  400 where those are asked for, else good
//
// A question whose answer must have a given shape (the claims of a comment, which a model declares) is no question of the mode:
// it is kept in `declarations` and answered with `claims`, by default none at all. `declaring` says how: `good`, or `hang`.
//
// A text that is to be gone on with (completions) is answered with what is likely next: `text` gives it as { token: share }.
// In the mode `improbable` nothing is told of it.
//
//   hang          takes the question and never says anything
//   moved         307 to the mode `good` at another origin: the same server by its other name
//   moved-lists   the same for lists of models alone      moved-preflight  the same for a browser's question before its own
//   down          500 as plain text without CORS headers: the page only learns that the fetch failed
//   no-cors       good, but no header allows the page to read it

import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { SHAPES, shapeOf } from "./llm_shapes.mjs";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, authorization, x-api-key, anthropic-version",
  "access-control-expose-headers": "retry-after",
};

/** Pieces of this many bytes: shorter than an event, and odd, so that letters of two bytes are split as well. */
const PIECE = 37;

/** The status of a refusal, its type in the shapes that have one, and its words. */
const REFUSALS = {
  unauthorized: [401, "authentication_error", "Incorrect API key provided."],
  "no-model": [404, "not_found_error", "The model `gpt-99` does not exist."],
  "too-large": [413, "request_too_large", "Request exceeds the maximum allowed number of bytes."],
  overflow: [400, "invalid_request_error", "prompt is too long: 9999 tokens exceed the context length of 4096"],
  failing: [500, "api_error", "Internal server error"],
};

/** What the likeliest tokens of a short answer look like; the chosen one is not among them. */
const LOGPROBS = [
  {
    token: "Yes",
    logprob: -2.5,
    bytes: null,
    top_logprobs: [
      { token: "yes", logprob: -0.2, bytes: [121, 101, 115] },
      { token: " yes", logprob: -2.1, bytes: [32, 121, 101, 115] },
    ],
  },
];

/** What a judge finds likely in place of its score: nine tenths are on scores. */
export const SCORES = { 4: 0.6, 5: 0.2, 3: 0.1, The: 0.1 };

/** The tokens of a text that is one token, with what was likely in its place. */
function likely(text) {
  const top_logprobs = Object.entries(SCORES).map(([token, p]) => ({ token, logprob: Math.log(p), bytes: null }));
  return [{ token: text, logprob: Math.log(SCORES[text] ?? 0.01), bytes: null, top_logprobs }];
}

async function writeInPieces(response, bytes, size = PIECE) {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await pause(1);
  }
}

function json(response, status, body, headers = {}) {
  response.writeHead(status, { ...CORS, "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function body(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export class LlmServer {
  /** Every question as { mode, path, headers, body }, in the order of arrival. */
  questions = [];
  /** Every question for the claims of a comment, likewise, and what is answered to it: a text, or a function of its number. */
  declarations = [];
  claims = '{"claims": []}';
  declaring = "good";
  /** Every request for a list of models, likewise. */
  lists = [];
  /** Questions whose asker went away before the answer was complete. */
  abandoned = 0;
  address;
  #text;
  #markup;
  #server;

  /** `text` is the answer, or a function of the question's number and body that gives it. */
  static async open(text, markup = "") {
    const server = new LlmServer();
    server.#text = text;
    server.#markup = markup;
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

  /** The questions of one mode. */
  asked(mode) {
    return this.questions.filter((question) => question.mode === mode);
  }

  async #declare(shape, question, response) {
    const claims = typeof this.claims === "function" ? this.claims(this.declarations.length, question.body) : this.claims;
    this.declarations.push(question);
    if (this.declaring === "hang") return undefined;
    response.writeHead(200, { ...CORS, "content-type": shape.type, "cache-control": "no-cache" });
    await writeInPieces(response, Buffer.from(shape.stream(claims, { tool: question.body.tools?.[0].name }).join("")));
    return response.end();
  }

  async #answer(request, response) {
    const [, mode, ...rest] = new URL(request.url, "http://host").pathname.split("/");
    const leaf = rest.join("/");
    const move = () => response.writeHead(307, { ...CORS, location: `${this.address.replace("127.0.0.1", "localhost")}good/${leaf}` }).end();
    if (request.method === "OPTIONS") return mode === "moved-preflight" ? move() : response.writeHead(204, CORS).end();
    if (request.method === "GET") {
      this.lists.push({ mode, path: leaf, headers: request.headers });
      if (mode === "moved-lists") return move();
      // The lists of the two shapes that share a path are told apart as their clients are.
      const anthropic = "anthropic-version" in request.headers;
      const shape = Object.entries(SHAPES).find(([name, { models }]) => models === leaf && (leaf !== "v1/models" || (name === "anthropic") === anthropic));
      if (shape) return json(response, 200, shape[1].list);
    }
    const shape = shapeOf(leaf);
    if (!shape || request.method !== "POST") return json(response, 404, { error: { message: `there is no ${request.method} ${request.url}` } });
    response.on("close", () => {
      if (!response.writableFinished) this.abandoned += 1;
    });
    const again = this.asked(mode).length > 0;
    const question = JSON.parse(await body(request));
    if (question.response_format || question.tools || question.format) return this.#declare(shape, { mode, path: leaf, headers: request.headers, body: question }, response);
    this.questions.push({ mode, path: leaf, headers: request.headers, body: question });
    const refuse = (status, type, message, headers) => json(response, status, shape.error(status, type, message), headers);
    if (mode in REFUSALS) return refuse(...REFUSALS[mode]);
    const text = typeof this.#text === "function" ? this.#text(this.questions.length - 1, question) : this.#text;
    if (leaf === shape.completions) return json(response, 200, shape.next(mode === "improbable" ? undefined : text));
    const whole = shape.stream(text);
    const bytes = Buffer.from(whole.join(""));
    const begin = () => response.writeHead(200, { ...CORS, "content-type": shape.type, "cache-control": "no-cache" });
    switch (mode) {
      case "good":
        begin();
        await writeInPieces(response, bytes);
        return response.end();
      case "drip":
        begin();
        await writeInPieces(response, bytes, 5);
        return response.end();
      case "echo": {
        const { authorization = "", "x-api-key": secret = authorization.replace("Bearer ", "") } = request.headers;
        begin();
        await writeInPieces(response, Buffer.from(shape.stream(`${text} ${secret} ${text}`).join("")));
        return response.end();
      }
      case "slow":
        begin();
        for (const event of whole) {
          if (response.destroyed) return;
          response.write(event);
          await pause(100);
        }
        return response.end();
      case "whole":
        return json(response, 200, shape.whole(text));
      case "markup":
        begin();
        return response.end(shape.stream(this.#markup).join(""));
      case "broken":
        begin();
        await writeInPieces(response, bytes.subarray(0, Math.floor(bytes.length / 2)));
        return response.destroy();
      case "faltering": {
        const number = this.asked(mode).length;
        if (number === 5) return refuse(429, "rate_limit_error", "Rate limit reached.", { "retry-after": "1" });
        begin();
        await writeInPieces(response, number === 3 ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes);
        return number === 3 ? response.destroy() : response.end();
      }
      case "malformed": {
        begin();
        const middle = Math.floor(whole.length / 2);
        return response.end([...whole.slice(0, middle), shape.half, ...whole.slice(middle + 1)].join(""));
      }
      case "said-error":
        begin();
        return response.end([...whole.slice(0, Math.floor(whole.length / 2)), shape.inStream("Overloaded")].join(""));
      case "empty":
        return begin().end();
      case "refusing":
        begin();
        return response.end(shape.refusal().join(""));
      case "pings":
        begin();
        while (!response.destroyed) {
          response.write(shape.ping);
          await pause(100);
        }
        return undefined;
      case "huge": {
        begin();
        const events = shape.stream("forever ".repeat(100));
        const block = events.filter((event) => event.includes("forever")).join("");
        for (let said = 0; said < 10_000_000 && !response.destroyed; said += 800)
          if (!response.write(block)) await Promise.race([new Promise((resolve) => response.once("drain", resolve)), pause(50)]);
        return response.end(events.at(-1));
      }
      case "page":
        response.writeHead(200, { ...CORS, "content-type": "text/html" });
        return response.end("<!doctype html>\n<title>Welcome to nginx!</title>\n<h1>It works</h1>\n");
      case "busy":
        if (!again) return refuse(429, "rate_limit_error", "Rate limit reached.", { "retry-after": "1" });
        begin();
        return response.end(bytes);
      case "loading":
        if (!again) return refuse(503, "unavailable_error", "Loading model");
        begin();
        return response.end(bytes);
      case "scores":
        return json(response, 200, shape.whole(text, question.logprobs && likely(text)));
      case "probable":
        return json(response, 200, shape.whole("Yes", question.logprobs && LOGPROBS));
      case "improbable":
        if (question.logprobs) return refuse(400, "invalid_request_error", "This model does not support logprobs.");
        return json(response, 200, shape.whole("Yes"));
      case "hang":
        return undefined;
      case "moved":
        return move();
      case "down":
        return response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
      case "no-cors":
        response.writeHead(200, { "content-type": shape.type });
        return response.end(bytes);
      default:
        return json(response, 404, { error: { message: `this server knows no mode “${mode}”` } });
    }
  }
}
