// The network's worker, spoken to as the page speaks to it. The messages are those of `src/net_worker`.

import { shipped } from "./harness.mjs";

/** Starts one, and puts messages to it one after the other: [text, the bytes that go with it]; the answers with their numbers. */
export async function ask(page, messages) {
  return page.evaluate(
    async ([address, messages]) => {
      const program = await WebAssembly.compileStreaming(fetch(address.replace(/_loader\.js$/, "_bg.wasm")));
      const worker = new Worker(address);
      const heard = () =>
        new Promise((resolve, reject) => {
          worker.onerror = (event) => reject(new Error(event.message ?? "the worker did not load"));
          worker.onmessage = ({ data: { text, data } }) => resolve([JSON.parse(text), data && [...data]]);
        });
      const ready = heard();
      worker.postMessage(program);
      const answers = [await ready];
      for (const [text, bytes] of messages) {
        const answer = heard();
        const data = bytes && Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)).buffer;
        worker.postMessage({ text: JSON.stringify(text), data }, data ? [data] : []);
        answers.push(await answer);
      }
      worker.terminate();
      return answers;
    },
    [await shipped(page, "net-worker"), messages],
  );
}
