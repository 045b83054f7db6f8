// Firefox as Debian ships it. Playwright drives a Firefox of its own only; Puppeteer speaks WebDriver BiDi, which every
// Firefox understands.

import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { PATIENCE } from "../harness.mjs";
import { Page } from "./page.mjs";
import { Program } from "./program.mjs";

const PROGRAM = process.env.FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

/** Why there is none; undefined where there is. */
export const missing = () => (PROGRAM ? undefined : "no Firefox (Debian's firefox-esr)");

/** The window that keys are sent to counts as the one in use, whatever else runs: without it Enter presses no button. */
const PREFERENCES = 'user_pref("focusmanager.testmode", true);\n';

/** A Firefox with a profile of its own, which outlives it until `remove`. */
export class Firefox {
  name = "Firefox";
  /** Whether it comes back on the same profile. */
  restarts = true;
  /** What its pages complained about, in words. */
  complaints = [];
  /** The page that was opened last. */
  last;
  #profile;
  #program;
  #browser;

  static async open() {
    const firefox = new Firefox();
    firefox.#profile = await mkdtemp(join(tmpdir(), "kibitz-firefox-"));
    await writeFile(join(firefox.#profile, "user.js"), PREFERENCES);
    await firefox.start();
    return firefox;
  }

  async start() {
    this.#program = new Program(PROGRAM, ["--headless", "--no-remote", "--profile", this.#profile, "--remote-debugging-port=0", "about:blank"]);
    const address = await this.#program.says(/^WebDriver BiDi listening on (ws:\S+)/);
    this.#browser = await puppeteer.connect({
      browserWSEndpoint: `${address}/session`,
      protocol: "webDriverBiDi",
      protocolTimeout: 2 * PATIENCE,
    });
  }

  async page() {
    const page = await this.#browser.newPage();
    await page.bringToFront();
    page.on("pageerror", (error) => this.complaints.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(`console: ${message.text()}`);
    });
    return (this.last = new FirefoxPage(page));
  }

  /** Ends it in good order. */
  async close() {
    await this.#browser.close();
    await this.#program.gone();
  }

  /** Ends it and all its processes where they stand. */
  async kill() {
    await this.#program.kill();
  }

  async remove() {
    await this.kill();
    await rm(this.#profile, { recursive: true, force: true });
  }
}

class FirefoxPage extends Page {
  #page;

  constructor(page) {
    super();
    this.#page = page;
  }

  goto(address) {
    return this.#page.goto(address);
  }

  goBack() {
    return this.#page.goBack();
  }

  reload() {
    return this.#page.reload();
  }

  evaluate(fn, arg) {
    return this.#page.evaluate(fn, arg);
  }

  clickAt(selector) {
    return this.#page.click(selector);
  }

  async type(text) {
    await this.#front();
    await this.#page.keyboard.type(text);
  }

  async pressKey(key) {
    await this.#front();
    await this.#page.keyboard.press(key);
  }

  /** Keys go nowhere while another window has the keyboard, as one may after a restart or a tab that was closed. */
  async #front() {
    if (!(await this.#page.evaluate(() => document.hasFocus()))) await this.#page.bringToFront();
  }

  async give(selector, path) {
    const field = await this.#page.$(selector);
    await field.uploadFile(path);
  }

  close() {
    return this.#page.close();
  }
}
