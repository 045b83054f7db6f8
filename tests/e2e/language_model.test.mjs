// The worker's language model in the browser against PyTorch's logits, which `tests/lm.rs` holds the native one against: both
// stay within 1e-4 of them. The messages are those of `src/net_worker/lm_protocol.rs`.

import { readFileSync } from "node:fs";
import { assert, journey, open } from "./harness.mjs";
import { ask } from "./net_worker.mjs";

const read = (name) => readFileSync(new URL(`../data/lm/${name}`, import.meta.url));

const load = (id, file) => [{ kind: "languagemodel", id, ask: { what: "load" } }, file.toString("base64")];
const next = (id, sequences) => [{ kind: "languagemodel", id, ask: { what: "next", sequences } }];

function logShares(logits) {
  const sum = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - sum);
}

for (const kind of ["transformer", "window", "lstm"])
  journey(`a ${kind} expects in the browser what it expects natively`, async ({ page }) => {
    await open(page);
    const { tokens, logits } = JSON.parse(read(`tiny-${kind}.json`));
    const [whole, wanted] = [tokens.at(-1), logits.at(-1)];
    // In order, back, and in between: what is remembered changes nothing.
    const lengths = [...whole.keys()].map((at) => at + 1).concat([7, 41, 1, whole.length]);
    const messages = [
      load(1, read(`tiny-${kind}.safetensors`)),
      next(2, lengths.map((length) => whole.slice(0, length))),
      load(3, Buffer.from("no model at all, but long enough to be looked at")),
      next(4, [[1], [1, 77]]),
      next(5, [whole]),
    ];
    const [ready, loaded, said, refused, failed, again] = await ask(page, messages);
    assert.equal(ready[0].kind, "ready");
    assert.equal(loaded[0].said.what, "loaded");
    assert.equal(loaded[0].said.model.header.name, `tiny-${kind}`);
    assert.deepEqual([said[0].id, said[0].said.model, said[0].said.vocabulary], [2, loaded[0].said.model.sha256, 77]);
    assert.equal(said[1].length, 77 * lengths.length);
    const near = (found, logits) =>
      logShares(logits).forEach((share, at) => assert.ok(Math.abs(found[at] - share) < 1e-4, `${found[at]} for ${share}`));
    lengths.forEach((length, at) => near(said[1].slice(77 * at, 77 * (at + 1)), wanted[length - 1]));
    assert.equal(refused[0].said.what, "refused");
    assert.match(refused[0].said.reason, /not a language model/);
    assert.deepEqual([failed[0].kind, failed[0].id], ["failed", 4]);
    near(again[1], wanted.at(-1));
  });
