// What axe-core objects to in a page.

import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** What axe objects to, a line for each element. */
export async function objections(page, where) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  // Transitions would be measured half-way.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${where}: ${id}: ${target}: ${failureSummary.replace(/\s+/g, " ")}`));
}
