// The three wire shapes that the test server speaks, each as its makers document it and as servers were seen to send it:
// where it is asked, how a text streams, how it comes whole, how an error looks, what keeps a line open.

export const MODEL = "kibitz-test-model";

const words = (text) => text.match(/\S+\s*/g) ?? [];
const line = (object) => `${JSON.stringify(object)}\n`;
const event = (object) => `data: ${JSON.stringify(object)}\n\n`;
const named = (object) => `event: ${object.type}\n${event(object)}`;

const openai = {
  chat: "v1/chat/completions",
  completions: "v1/completions",
  models: "v1/models",
  type: "text/event-stream",
  list: { object: "list", data: [{ id: MODEL, object: "model", created: 0, owned_by: "kibitz" }] },

  chunk(delta, finish = null) {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return { id: "chatcmpl-test", object: "chat.completion.chunk", created: 0, model: MODEL, choices };
  },

  /** The events of a whole answer, as llama.cpp and OpenAI send them. */
  stream(text, { finish = "stop", refusal } = {}) {
    const said = words(text);
    const usage = { prompt_tokens: 321, completion_tokens: said.length, total_tokens: 321 + said.length };
    return [
      event(this.chunk({ role: "assistant", content: null })),
      ...said.map((content) => event(this.chunk({ content }))),
      ...(refusal ? [event(this.chunk({ refusal }))] : []),
      event(this.chunk({}, finish)),
      event({ ...this.chunk({}), choices: [], usage }),
      "data: [DONE]\n\n",
    ];
  },

  refusal() {
    return this.stream("", { refusal: "I can’t help with that." });
  },

  whole: (text, logprobs) => ({
    id: "chatcmpl-test",
    object: "chat.completion",
    created: 0,
    model: MODEL,
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop", ...(logprobs && { logprobs: { content: logprobs } }) }],
    usage: { prompt_tokens: 321, completion_tokens: 9, total_tokens: 330 },
  }),

  /** The next token of a text, in the older shape: what is likely with its share, or nothing of it. */
  next(shares) {
    const listed = shares && Object.fromEntries(Object.entries(shares).map(([token, share]) => [token, Math.log(share)]));
    const choice = { index: 0, text: "", finish_reason: "length", logprobs: listed ? { top_logprobs: [listed] } : null };
    return { id: "cmpl-test", object: "text_completion", created: 0, model: MODEL, choices: [choice], usage: { prompt_tokens: 321, completion_tokens: 1 } };
  },

  error: (status, type, message) => ({ error: { message, type, code: String(status), param: null } }),
  inStream: (message) => event({ error: { message, code: 502 } }),
  ping: ": keep-alive\n\n",
  half: 'data: {"choices":[{"index":0,"del\n\n',
};

const anthropic = {
  chat: "v1/messages",
  models: "v1/models",
  type: "text/event-stream",
  list: { data: [{ type: "model", id: MODEL, display_name: "Test", created_at: "2026-01-01T00:00:00Z" }], has_more: false, first_id: MODEL, last_id: MODEL },

  /** With `tool`, the text is what that tool is called with. */
  stream(text, { tool, finish = tool ? "tool_use" : "end_turn" } = {}) {
    const said = words(text);
    const message = { id: "msg_test", type: "message", role: "assistant", content: [], model: MODEL, stop_reason: null, stop_sequence: null };
    return [
      named({ type: "message_start", message: { ...message, usage: { input_tokens: 321, output_tokens: 1 } } }),
      named({ type: "content_block_start", index: 0, content_block: tool ? { type: "tool_use", id: "toolu_test", name: tool, input: {} } : { type: "text", text: "" } }),
      named({ type: "ping" }),
      ...said.map((word) => named({ type: "content_block_delta", index: 0, delta: tool ? { type: "input_json_delta", partial_json: word } : { type: "text_delta", text: word } })),
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "message_delta", delta: { stop_reason: finish, stop_sequence: null }, usage: { output_tokens: said.length } }),
      named({ type: "message_stop" }),
    ];
  },

  refusal() {
    return this.stream("", { finish: "refusal" });
  },

  whole: (text) => ({
    id: "msg_test",
    type: "message",
    role: "assistant",
    model: MODEL,
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 321, output_tokens: 9 },
  }),

  error: (status, type, message) => ({ type: "error", error: { type, message }, request_id: "req_test" }),
  inStream: (message) => named({ type: "error", error: { type: "overloaded_error", message } }),
  ping: named({ type: "ping" }),
  half: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n',
};

const ollama = {
  chat: "api/chat",
  models: "api/tags",
  type: "application/x-ndjson",
  list: { models: [{ name: MODEL, model: MODEL, modified_at: "2026-01-01T00:00:00Z", size: 1, digest: "0", details: {} }] },

  part(content, more = { done: false }) {
    return line({ model: MODEL, created_at: "2026-11-21T12:00:00Z", message: { role: "assistant", content }, ...more });
  },

  end(content, reason) {
    return this.part(content, { done: true, done_reason: reason, total_duration: 1, prompt_eval_count: 321, eval_count: 9 });
  },

  stream(text, { finish = "stop" } = {}) {
    return [...words(text).map((word) => this.part(word)), this.end("", finish)];
  },

  whole(text, logprobs) {
    return { ...JSON.parse(this.end(text, "stop")), ...(logprobs && { logprobs }) };
  },

  error: (status, type, message) => ({ error: message }),
  inStream: (message) => line({ error: message }),
  get ping() {
    return this.part("");
  },
  half: '{"model":"kibitz-test-model","message":{"role":"assis\n',
};

export const SHAPES = { openai, anthropic, ollama };

/** The shape that is asked at this path below the mode, if any. */
export function shapeOf(leaf) {
  return Object.values(SHAPES).find((shape) => leaf === shape.chat || leaf === shape.completions);
}
