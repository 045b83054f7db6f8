// Every page in both colour schemes, looked through by axe-core.

import { objections } from "./axe.mjs";
import { assert, journey, open } from "./harness.mjs";
import { begin, prepare } from "./rater.mjs";
import { SLOPPY, commentary, paste, play, show } from "./play.mjs";

const PAGES = [
  ["/probes", "Concept probes"],
  ["/bench", "Benchmark"],
  ["/compare", "Methods side by side"],
  ["/study", "Build a rating study"],
  ["/survey", "Rate comments on chess moves"],
  ["/analysis", "Analyse ratings"],
  ["/judge", "Judges"],
  ["/players", "Players"],
  ["/blindfold", "Blindfold"],
  ["/searchless", "Searchless"],
  ["/about", "About Kibitz"],
];

for (const colorScheme of ["light", "dark"]) {
  for (const viewport of [{ width: 1280, height: 860 }, { width: 390, height: 844 }]) {
    journey(`axe finds nothing at ${viewport.width}, ${colorScheme}`, { colorScheme, viewport, reducedMotion: "reduce" }, async ({ page }) => {
      const found = [];
      await open(page);
      await paste(page, SLOPPY);
      await play(page, "Qd6");
      await commentary(page, "1… Qd6");
      for (const panel of ["Commentary", "Engine", "Concepts", "Network", "Model"]) {
        await show(page, panel);
        found.push(...(await objections(page, panel)));
      }
      for (const [address, heading] of PAGES) {
        await page.evaluate((address) => {
          location.hash = `#${address}`;
        }, address);
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        if (address === "/compare") {
          await page.locator(".compare-column .marked").first().waitFor();
          const answer = page.getByLabel("The answer: LLM", { exact: true });
          await page.locator(".by-hand summary").first().click();
          await answer.fill("White is five queens ahead, and king safety suffers.");
          await page.getByRole("button", { name: "Take the answer" }).first().click();
          await page.locator("mark.wrong").first().waitFor();
          await page.locator(".claims-by-hand > summary").first().click();
        }
        if (address === "/study") {
          await page.locator("#builder-spans-asked").check();
          await page.locator("#builder-marks-model > summary").click();
          await page.locator("#builder-marks-by-hand > summary").click();
          await page.locator("#builder-marks-next").filter({ hasText: "The study has no comments yet." }).waitFor();
        }
        found.push(...(await objections(page, address)));
      }
      await page.evaluate(() => {
        location.hash = "#/survey";
      });
      await page.getByRole("button", { name: "Demonstration" }).click();
      await begin(page, "R1");
      found.push(...(await objections(page, "consent")));
      await prepare(page);
      found.push(...(await objections(page, "a comment to rate")));
      assert.deepEqual(found, []);
    });
  }
}
