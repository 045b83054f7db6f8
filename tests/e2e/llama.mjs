// The real llama.cpp server with a real, if tiny, model. Needs a Python with the packages of tests/requirements-llm.txt:
// KIBITZ_LLM_PYTHON, or the python3 on the path.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Llama {
  /** The base URL, and the model's name. */
  base;
  model;
  #process;

  /** The server once it is ready; `undefined` where its packages are not installed. */
  static async open() {
    const llama = new Llama();
    const script = new URL("../llm_server.py", import.meta.url).pathname;
    llama.#process = spawn(process.env.KIBITZ_LLM_PYTHON ?? "python3", [script, "--context", "8192"], { stdio: ["pipe", "pipe", "ignore"] });
    const ended = new Promise((resolve) => {
      llama.#process.on("exit", resolve);
      llama.#process.on("error", resolve);
    });
    const lines = createInterface({ input: llama.#process.stdout });
    const ready = await Promise.race([new Promise((resolve) => lines.once("line", resolve)), ended.then(() => undefined)]);
    return typeof ready === "string" ? Object.assign(llama, JSON.parse(ready)) : undefined;
  }

  close() {
    this.#process.kill("SIGKILL");
  }
}
