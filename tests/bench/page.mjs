// The two workers, which take turns on the same positions. The time is the page's: from the question to the answer, what is
// written and read on the way included.

/** Milliseconds that a turn takes at least: browsers round their clocks. A turn is as many questions as that needs. */
const SHORTEST = 8;

/** How far two logits may be apart. */
const MOST = 1e-3;

/** What is too improbable to have an exact logarithm. */
const LEAST = 1e-30;

/** A worker that answers one question at a time. `read` makes an answer of a message, or nothing of one that is none. */
class Asked {
  #worker;
  #read;
  #name;
  #settle;

  constructor(address, options, read) {
    this.#name = options.name;
    this.#read = read;
    this.#worker = new Worker(address, options);
    this.#worker.onmessage = ({ data }) => {
      const answer = this.#read(data);
      if (answer?.kind === "failed" || answer?.kind === "refused") this.#settle.reject(new Error(`${this.#name}: ${answer.reason}`));
      else if (answer) this.#settle.resolve(answer);
    };
    this.#worker.onerror = (event) => this.#settle.reject(new Error(`${this.#name}: ${event.message ?? "it did not load"}`));
  }

  /** The next answer. */
  next() {
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  ask(message, transferred = []) {
    const answer = this.next();
    this.#worker.postMessage(message, transferred);
    return answer;
  }

  /** Bytes of WebAssembly memory. */
  async memory() {
    const channel = new BroadcastChannel(this.#name);
    const answer = new Promise((resolve) => (channel.onmessage = ({ data }) => resolve(data)));
    channel.postMessage("memory?");
    const bytes = await answer;
    channel.close();
    return bytes;
  }

  end() {
    this.#worker.terminate();
  }
}

async function bytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}

/** Kibitz's worker with a network, and how a position is asked of it. */
async function kibitz(address, file) {
  const read = ({ text }) => {
    const reply = JSON.parse(text);
    return reply.kind === "loading" ? undefined : reply;
  };
  const program = await WebAssembly.compileStreaming(fetch(address.replace(/[^/]*$/, "net_worker_bg.wasm")));
  const asked = new Asked(address, { name: "kibitz" }, read);
  await asked.ask(program);
  let id = 1;
  const say = (request, data) => asked.ask({ text: JSON.stringify({ ...request, id: id++ }), data });
  // As the page hands a file over.
  const network = new Blob([await bytes(file)]);
  const begun = performance.now();
  await say({ kind: "load", name: "benchmark" }, network);
  const evaluate = async ({ fen }) => (await say({ kind: "evaluate", positions: [{ fens: [fen] }], blocks: [] })).outputs[0];
  return { asked, evaluate, loading: performance.now() - begun };
}

/** onnxruntime-web with the same network. */
async function onnxruntime(address, file) {
  const asked = new Asked(address, { name: "onnxruntime", type: "module" }, (message) => message);
  await asked.next();
  const model = await bytes(file);
  const begun = performance.now();
  await asked.ask({ model }, [model]);
  return { asked, evaluate: ({ planes }) => asked.ask({ planes }), loading: performance.now() - begun };
}

/** Logits less the logarithm of the sum of their exponentials. */
function logarithms(logits) {
  const most = Math.max(...logits);
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
  return logits.map((logit) => logit - most - Math.log(sum));
}

/**
 * How far the logits of both are apart at most. Kibitz gives probabilities of the legal moves, whose logarithms are the
 * logits but for one number that all have in common.
 */
function difference(ours, theirs) {
  const far = (probabilities, logarithms) =>
    probabilities.map((p, i) => (p > LEAST ? Math.abs(Math.log(p) - logarithms[i]) : 0));
  const moves = far(
    ours.policy.map(([, p]) => p),
    logarithms(ours.policy.map(([index]) => theirs.policy[index])),
  );
  const results = far(ours.wdl, [...theirs.wdl].map(Math.log));
  return Math.max(...moves, ...results);
}

async function timed(evaluate, position) {
  const begun = performance.now();
  for (let runs = 1; ; runs += 1) {
    await evaluate(position);
    const past = performance.now() - begun;
    if (past >= SHORTEST) return past / runs;
  }
}

/** Lowest, median and highest. */
export function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return { low: sorted[0], median: (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2, high: sorted.at(-1) };
}

/** Compares both on one network. Fails where they do not say the same. */
globalThis.compare = async ({ worker, file, onnx, positions, turns }) => {
  const shown = JSON.parse(new TextDecoder().decode(await bytes(positions)));
  for (const position of shown) position.planes = new Float32Array(position.planes);
  const ours = await kibitz(worker, file);
  const theirs = await onnxruntime("/bench/theirs.mjs", onnx);
  let apart = 0;
  for (const position of shown) apart = Math.max(apart, difference(await ours.evaluate(position), await theirs.evaluate(position)));
  if (!(apart <= MOST)) throw new Error(`the logits of ${file} are ${apart} apart`);
  const times = { ours: [], theirs: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    const position = shown[turn % shown.length];
    // Whoever is second finds the other's numbers in the processor's cache.
    const order = turn % 2 ? ["theirs", "ours"] : ["ours", "theirs"];
    for (const who of order) times[who].push(await timed((who === "ours" ? ours : theirs).evaluate, position));
  }
  const sums = async ({ asked, loading }, times) => ({ ...spread(times), loading, memory: await asked.memory() });
  const compared = { turns, difference: apart, ours: await sums(ours, times.ours), theirs: await sums(theirs, times.theirs) };
  ours.asked.end();
  theirs.asked.end();
  return compared;
};
