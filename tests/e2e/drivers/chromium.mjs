// A Chromium whose profile outlives it: for what happens to the browser, not to a page in it. Playwright drives it, but we
// start it, so that it can be killed with all its processes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM, FLAGS, PATIENCE } from "../harness.mjs";
import { Program } from "./program.mjs";

/**
 * A file that is mapped into memory ends the browser where the disk has no room for it (SIGBUS): its own counts are not kept
 * in one, and what it caches is kept elsewhere.
 */
const UNMAPPED = ["--disable-features=PersistentHistograms", "--disable-breakpad"];

export class Chromium {
  #profile;
  #cache = mkdtempSync(join(tmpdir(), "kibitz-cache-"));
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
    this.#program = new Program(CHROMIUM, [
      ...FLAGS,
      ...UNMAPPED,
      "--headless",
      "--remote-debugging-port=0",
      `--user-data-dir=${this.#profile}`,
      `--disk-cache-dir=${this.#cache}`,
      "about:blank",
    ]);
    const address = await this.#program.says(/^DevTools listening on (ws:\S+)/);
    this.#browser = await chromium.connectOverCDP(address, { timeout: PATIENCE });
    this.#browser.contexts()[0].setDefaultTimeout(PATIENCE);
  }

  page() {
    return this.#browser.contexts()[0].newPage();
  }

  /** Whether it has ended. */
  get isGone() {
    return this.#program.isGone || !this.#browser.isConnected();
  }

  /** Ends it and all its processes where they stand. */
  async kill() {
    await this.#program.kill();
    await this.#browser?.close();
    rmSync(this.#cache, { recursive: true, force: true });
  }
}
