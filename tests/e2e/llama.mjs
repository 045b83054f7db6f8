// The real llama.cpp server with a real, if tiny, model. Needs a Python with the packages that llama_server.py names:
// KIBITZ_LLM_PYTHON, or the python3 on the path.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Llama {
  address;
  #process;

  /** The server once it is ready; `undefined` where its packages are not installed. */
  static async open() {
    const llama = new Llama();
    const script = new URL("llama_server.py", import.meta.url).pathname;
    llama.#process = spawn(process.env.KIBITZ_LLM_PYTHON ?? "python3", [script], { stdio: ["pipe", "pipe", "ignore"] });
    const ended = new Promise((resolve) => {
      llama.#process.on("exit", resolve);
      llama.#process.on("error", resolve);
    });
    const lines = createInterface({ input: llama.#process.stdout });
    llama.address = await Promise.race([new Promise((resolve) => lines.once("line", resolve)), ended.then(() => undefined)]);
    return typeof llama.address === "string" ? llama : undefined;
  }

  close() {
    this.#process.kill("SIGKILL");
  }
}
