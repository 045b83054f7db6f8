// What axe-core objects to in a page.

import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/**
 * What axe objects to, a line for each element. What axe finds in a page that changes meanwhile is about no page that anybody
 * sees: it looks again, until one stood still from beginning to end.
 */
export async function objections(page, where) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    let changed;
    const watching = new MutationObserver(() => (changed = true));
    watching.observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true });
    try {
      for (;;) {
        // Transitions would be measured half-way.
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        changed = false;
        const failed = (error) => ({ violations: [{ id: "axe itself", nodes: [{ target: "", failureSummary: String(error) }] }] });
        const { violations } = await globalThis.axe.run().catch(failed);
        if (!changed) return violations;
      }
    } finally {
      watching.disconnect();
    }
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${where}: ${id}: ${target}: ${failureSummary.replace(/\s+/g, " ")}`));
}
