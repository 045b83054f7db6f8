// A page of a browser that Playwright does not drive: what the participant of `rater.mjs` asks of a page, in Playwright's
// names, so that the same steps run everywhere. A driver adds how its browser goes somewhere, looks into the page, presses
// keys and clicks.

import { until } from "../harness.mjs";

/**
 * What a driver's page has beside this: `goto(address)`, `reload()`, `evaluate(fn, arg)`, `clickAt(selector)`,
 * `type(text)`, `pressKey(key)`, `give(selector, path)`, `close()`.
 */
export class Page {
  keyboard = { press: (key) => this.pressKey(key) };

  /** Until `fn(arg)` is truthy in the page, whatever document that is then; what it was. */
  waitForFunction(fn, arg) {
    return until(() => this.evaluate(fn, arg), Boolean, `${fn} of ${JSON.stringify(arg)}`);
  }

  /** Until it is drawn, or with `state` "attached", "detached" or "hidden" what that says. */
  async waitForSelector(selector, { state = "visible" } = {}) {
    await this.waitForFunction(
      ([selector, state]) => {
        const element = document.querySelector(selector);
        if (state === "attached" || state === "detached") return Boolean(element) === (state === "attached");
        return Boolean(element?.checkVisibility()) === (state === "visible");
      },
      [selector, state],
    );
  }

  /** Clicks what is drawn, is enabled and has come to rest. */
  async click(selector) {
    await this.waitForFunction(
      (selector) =>
        new Promise((resolve) => {
          const element = document.querySelector(selector);
          if (!element?.checkVisibility() || element.matches(":disabled")) return resolve(false);
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const place = () => JSON.stringify(element.getBoundingClientRect());
          const before = place();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(element.isConnected && place() === before)));
        }),
      selector,
    );
    await this.clickAt(selector);
  }

  async check(selector) {
    await this.waitForSelector(selector, { state: "attached" });
    if (!(await this.isChecked(selector))) await this.click(selector);
    await this.waitForFunction((selector) => document.querySelector(selector)?.checked, selector);
  }

  isChecked(selector) {
    return this.evaluate((selector) => Boolean(document.querySelector(selector)?.checked), selector);
  }

  /** Types into a field, over what is there. */
  async fill(selector, text) {
    await this.waitForSelector(selector);
    await this.evaluate((selector) => {
      document.querySelector(selector).focus();
      document.querySelector(selector).select();
    }, selector);
    await this.type(text);
    await this.waitForFunction(([selector, text]) => document.querySelector(selector)?.value === text, [selector, text]);
  }

  async selectOption(selector, value) {
    await this.waitForSelector(selector);
    await this.evaluate(
      ([selector, value]) => {
        const select = document.querySelector(selector);
        select.value = value;
        for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
      },
      [selector, value],
    );
  }

  /** Gives a file of this machine to a field for files, which may be hidden behind a button. */
  async setInputFiles(selector, path) {
    await this.waitForSelector(selector, { state: "attached" });
    await this.give(selector, path);
  }

  async innerText(selector) {
    await this.waitForSelector(selector, { state: "attached" });
    return this.evaluate((selector) => document.querySelector(selector).innerText, selector);
  }

  /** Until what the element says has `words` in it. */
  async waitForText(selector, words) {
    await this.waitForFunction(([selector, words]) => document.querySelector(selector)?.textContent.includes(words), [selector, words]);
  }

  /** The file that a click on this hands over, as text, without the browser's own ways of keeping downloads. */
  async handedOver(selector) {
    await this.evaluate(() => {
      globalThis.handedOver = undefined;
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = createObjectURL;
        blob.text().then((text) => (globalThis.handedOver = text));
        return createObjectURL.call(URL, blob);
      };
    });
    await this.click(selector);
    return this.waitForFunction(() => globalThis.handedOver);
  }
}
