// onnxruntime-web in a worker: one thread, SIMD, everything else as it comes.

import "./memory.js";
import * as ort from "./ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL("./", import.meta.url).href;

let session;

async function answer({ model, planes }) {
  if (model) {
    session = await ort.InferenceSession.create(new Uint8Array(model), { executionProviders: ["wasm"] });
    return { kind: "loaded" };
  }
  const given = await session.run({ "/input/planes": new ort.Tensor("float32", planes, [1, 112, 8, 8]) });
  return { kind: "evaluated", policy: given["/output/policy"].data, wdl: given["/output/wdl"].data };
}

onmessage = ({ data }) => answer(data).then(postMessage, (error) => postMessage({ kind: "failed", reason: String(error) }));
postMessage({ kind: "ready" });
