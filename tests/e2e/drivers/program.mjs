// Programs that a driver starts: each with a process group of its own, so that none of its processes is left.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** How much of what a program says is shown where it does not start, in lines. */
const MOST_SAID = 40;

/** Those that run: a journey that was given up leaves none behind. */
const running = new Set();
process.once("exit", () => running.forEach((program) => program.end()));

export class Program {
  #running;
  #gone;

  constructor(program, options, { env, stdio = ["ignore", "ignore", "pipe"] } = {}) {
    this.#running = spawn(program, options, { env, stdio, detached: true });
    this.#gone = once(this.#running, "exit");
    // A program that cannot be started is told of where it is waited for.
    this.#gone.catch(() => undefined);
    running.add(this);
  }

  /** What it writes to this descriptor first. */
  async first(descriptor) {
    const [data] = await once(this.#running.stdio[descriptor], "data");
    return String(data).trim();
  }

  /** What `pattern` captures in the first line that it matches of what the program says of itself. */
  says(pattern) {
    return new Promise((resolve, reject) => {
      const said = [];
      // Read to its end: a program that nobody reads stops at a full pipe.
      const lines = createInterface({ input: this.#running.stderr });
      lines.on("line", (line) => {
        const found = line.match(pattern);
        if (found) resolve(found[1]);
        else if (said.length < MOST_SAID) said.push(line);
      });
      lines.once("close", () => reject(new Error(`${this.#running.spawnfile} does not start:\n${said.join("\n")}`)));
    });
  }

  get isGone() {
    return this.#running.exitCode !== null || this.#running.signalCode !== null;
  }

  /** Until it has ended by itself. */
  async gone() {
    await this.#gone;
  }

  /** Ends it and all its processes where they stand. */
  async kill() {
    this.end();
    await this.#gone;
  }

  /** The same, without waiting for it. */
  end() {
    running.delete(this);
    if (!this.isGone && this.#running.pid) process.kill(-this.#running.pid, "SIGKILL");
  }
}
