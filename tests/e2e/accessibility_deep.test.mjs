// What is on the page only after something was done, looked through by axe-core: each state in one of the colour schemes and
// at one of the sizes, in turn. The pages themselves are in accessibility.test.mjs, in all of them.

import { objections } from "./axe.mjs";
import { assert, journey } from "./harness.mjs";
import { LlmServer } from "./llm_server.mjs";
import { DEEP, speak } from "./states.mjs";

const SIZES = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
];

for (const [index, { name, reach }] of DEEP.entries()) {
  const viewport = SIZES[index % 2];
  const colorScheme = index % 4 < 2 ? "dark" : "light";
  journey(`axe finds nothing: ${name}, ${viewport.width}, ${colorScheme}`, { colorScheme, viewport, reducedMotion: "reduce" }, async ({ page }) => {
    const server = await LlmServer.open(speak);
    try {
      await reach(page, server.address);
      assert.deepEqual(await objections(page, name), []);
    } finally {
      await server.close();
    }
  });
}
