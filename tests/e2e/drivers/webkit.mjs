// WebKit as GTK has it: Debian's webkit2gtk-driver, which brings its MiniBrowser, on a screen of its own. It speaks W3C
// WebDriver, of which a page needs a dozen commands: a client of that protocol would be more to carry than they are.

import { existsSync, readdirSync } from "node:fs";
import { PATIENCE, until } from "../harness.mjs";
import { freePort } from "../port.mjs";
import { Page } from "./page.mjs";
import { Program } from "./program.mjs";

const DRIVER = process.env.WEBKIT_DRIVER ?? ["/usr/bin/WebKitWebDriver"].find(existsSync);
const SCREEN = process.env.XVFB ?? ["/usr/bin/Xvfb"].find(existsSync);

/** The name under which W3C WebDriver passes elements. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The keys that have no letter, by their names. */
const KEYS = { Enter: "\uE007", ArrowUp: "\uE013", ArrowDown: "\uE015", Tab: "\uE004" };

/** Why there is none; undefined where there is. */
export function missing() {
  if (!DRIVER || !browser()) return "no WebKit (Debian's webkit2gtk-driver)";
  return SCREEN ? undefined : "no screen for WebKit (Debian's xvfb)";
}

/** The browser that belongs to the driver, wherever this machine's libraries are. */
function browser() {
  for (const place of ["/usr/lib", ...folders("/usr/lib", /-linux-gnu/)])
    for (const folder of folders(place, /^webkit2?gtk-/)) {
      const program = `${folder}/MiniBrowser`;
      if (existsSync(program)) return program;
    }
  return undefined;
}

function folders(place, name) {
  const found = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory() && name.test(entry.name));
  return found.map((entry) => `${place}/${entry.name}`);
}

/** A WebKit, which forgets everything when it is closed: it keeps nothing while it is driven. */
export class WebKit {
  name = "WebKit";
  restarts = false;
  /** Stays empty: the driver does not tell what a page complains about. */
  complaints = [];
  /** The page that was opened last. */
  last;
  #programs = [];
  #driver;
  #session;
  /** The window that it begins with, which stays open: others are opened from there. */
  #home;

  static async open() {
    const webkit = new WebKit();
    try {
      await webkit.#start();
    } catch (error) {
      await webkit.remove();
      throw error;
    }
    return webkit;
  }

  async #start() {
    const options = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"];
    const screen = this.#run(SCREEN, options, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const display = await screen.first(3);
    const port = await freePort();
    // Drawn by the processor: there is nothing else on a machine without a screen.
    const env = { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1" };
    const driver = this.#run(DRIVER, [`--port=${port}`], { env, stdio: "ignore" });
    this.#driver = `http://127.0.0.1:${port}`;
    await until(async () => driver.isGone || (await this.#ask("GET", "/status")).ready);
    const wanted = { "webkitgtk:browserOptions": { binary: browser(), args: ["--automation"] } };
    const { sessionId } = await this.#ask("POST", "/session", { capabilities: { alwaysMatch: wanted } });
    this.#session = `/session/${sessionId}`;
    await this.send("POST", "/timeouts", { script: PATIENCE, pageLoad: PATIENCE });
    this.#home = await this.send("GET", "/window");
  }

  #run(program, options, how) {
    const running = new Program(program, options, how);
    this.#programs.push(running);
    return running;
  }

  async #ask(method, path, body) {
    const answer = await fetch(this.#driver + path, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(2 * PATIENCE) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message} (${method} ${path})`);
    return value;
  }

  /** A command of the session. */
  send(method, path, body) {
    return this.#ask(method, this.#session + path, body);
  }

  async page() {
    await this.send("POST", "/window", { handle: this.#home });
    const { handle } = await this.send("POST", "/window/new", { type: "window" });
    return (this.last = new WebKitPage(this, handle));
  }

  async remove() {
    if (this.#session) await this.send("DELETE", "").catch(() => undefined);
    for (const program of this.#programs.reverse()) await program.kill();
  }
}

class WebKitPage extends Page {
  #webkit;
  #handle;

  constructor(webkit, handle) {
    super();
    this.#webkit = webkit;
    this.#handle = handle;
  }

  /** The driver looks at one window at a time. */
  async #send(method, path, body) {
    await this.#webkit.send("POST", "/window", { handle: this.#handle });
    return this.#webkit.send(method, path, body);
  }

  goto(address) {
    return this.#send("POST", "/url", { url: address });
  }

  goBack() {
    return this.#send("POST", "/back", {});
  }

  reload() {
    return this.#send("POST", "/refresh", {});
  }

  async evaluate(fn, arg) {
    const script = `const tell = arguments[1];
      new Promise((resolve) => resolve((${fn})(arguments[0]))).then((value) => tell({ value }), (error) => tell({ error: String(error) }));`;
    const { value, error } = await this.#send("POST", "/execute/async", { script, args: [arg ?? null] });
    if (error) throw new Error(error);
    return value;
  }

  async #element(selector) {
    const { [ELEMENT]: id } = await this.#send("POST", "/element", { using: "css selector", value: selector });
    return `/element/${id}`;
  }

  async clickAt(selector) {
    await this.#send("POST", `${await this.#element(selector)}/click`, {});
  }

  async type(text) {
    for (const letter of text) await this.pressKey(letter);
  }

  async pressKey(key) {
    const value = KEYS[key] ?? key;
    const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
    await this.#send("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async give(selector, path) {
    await this.#send("POST", `${await this.#element(selector)}/value`, { text: path });
  }

  close() {
    return this.#send("DELETE", "/window");
  }
}
