// Pictures of every page, and of what is on it after something was done, at three sizes, light and dark, to be looked at: nothing
// of them is judged here. `KIBITZ_URL=http://127.0.0.1:8080/ node --test tests/e2e/screenshots.mjs` puts them into
// target/screenshots; with KIBITZ_STATES=survey-rating,about it takes those alone.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { journey } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { DEEP, PAGES, PANELS, UNDER_WAY, speak } from "./states.mjs";

const FOLDER = new URL("../../target/screenshots", import.meta.url).pathname;
const SIZES = [
  { viewport: { width: 1680, height: 1050 } },
  { viewport: { width: 1280, height: 860 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true },
];
const wanted = process.env.KIBITZ_STATES?.split(",");

mkdirSync(FOLDER, { recursive: true });

for (const { name, reach } of [...PAGES, ...PANELS, ...DEEP, ...UNDER_WAY].filter(({ name }) => !wanted || wanted.includes(name)))
  for (const size of SIZES)
    for (const colorScheme of ["light", "dark"]) {
      const { width } = size.viewport;
      journey(`${name}, ${width}, ${colorScheme}`, { ...size, colorScheme, reducedMotion: "reduce" }, async ({ page }) => {
        const server = await LlmServer.open(speak);
        try {
          await reach(page, server.address);
          // What one sees first, and all of it.
          const path = (part) => join(FOLDER, `${name}-${width}-${colorScheme}${part}.png`);
          await page.screenshot({ path: path("") });
          await page.screenshot({ path: path("-whole"), fullPage: true });
        } finally {
          await server.close();
        }
      });
    }
