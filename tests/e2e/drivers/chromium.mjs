// A Chromium whose profile outlives it: for what happens to the browser, not to a page in it. Playwright drives it, but we
// start it, so that it can be killed with all its processes.

import { chromium } from "playwright-core";
import { CHROMIUM, FLAGS, PATIENCE } from "../harness.mjs";
import { Program } from "./program.mjs";

export class Chromium {
  #profile;
  #program;
  #browser;

  /** Starts one on the profile in this folder, which may be empty. */
  static async open(profile) {
    const opened = new Chromium();
    opened.#profile = profile;
    await opened.start();
    return opened;
  }

  async start() {
    this.#program = new Program(CHROMIUM, [...FLAGS, "--headless", "--remote-debugging-port=0", `--user-data-dir=${this.#profile}`, "about:blank"]);
    const address = await this.#program.says(/^DevTools listening on (ws:\S+)/);
    this.#browser = await chromium.connectOverCDP(address, { timeout: PATIENCE });
    this.#browser.contexts()[0].setDefaultTimeout(PATIENCE);
  }

  page() {
    return this.#browser.contexts()[0].newPage();
  }

  /** Ends it and all its processes where they stand. */
  async kill() {
    await this.#program.kill();
    await this.#browser?.close();
  }
}
