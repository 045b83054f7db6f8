// A network dropped into the page. The files are real ones from ../shared/nets; where that is absent the journeys that
// need one are skipped and say so.

import { existsSync, readFileSync } from "node:fs";
import { assert, journey, open } from "./harness.mjs";
import { SLOPPY, commentary, drop, paste, play, show } from "./play.mjs";

const NETWORK = new URL("../../../shared/nets/maia-1500.pb.gz", import.meta.url).pathname;

journey("refuses by name what is no network", async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  const problem = page.locator(".network .problem");
  await drop(page, "notes.pb", Buffer.from("not a network at all"));
  await problem.getByText("The network in use stays.").waitFor();
  assert.match(await problem.innerText(), /notes\.pb was not loaded/);
});

if (!existsSync(NETWORK)) {
  console.error(`skipped: journeys with a real network need ${NETWORK}`);
} else {
  journey("runs a dropped network, keeps it when the next file is bad, and next time", async ({ page }) => {
    const whole = readFileSync(NETWORK);
    await open(page);
    await paste(page, SLOPPY);
    await play(page, "Qd6");
    await commentary(page, "1… Qd6");
    await show(page, "Network");
    await page.locator(".policy li").first().waitFor();
    const byDefault = await page.locator(".policy li").allInnerTexts();
    await drop(page, "maia-1500.pb.gz", whole);
    await page.locator(".network strong").filter({ hasText: "maia-1500.pb.gz" }).waitFor();
    const moves = page.locator(".policy li");
    // What the default network said of the move is gone with its name.
    await moves.first().waitFor();
    assert.notDeepEqual(await moves.allInnerTexts(), byDefault);
    const first = await moves.allInnerTexts();
    assert.ok(first.length >= 5);
    assert.match(await page.locator(".outlooks").innerText(), /White \d+ %, draw \d+ %, Black \d+ %/);
    const problem = page.locator(".network .problem");
    await drop(page, "half.pb.gz", whole.subarray(0, whole.length / 2));
    await problem.getByText("The network in use stays.").waitFor();
    assert.match(await problem.innerText(), /half\.pb\.gz was not loaded/);
    assert.deepEqual(await moves.allInnerTexts(), first);
    await page.getByText("kept in this browser").waitFor();
    await page.reload();
    await moves.first().waitFor();
    assert.deepEqual(await moves.allInnerTexts(), first);
    await page.getByRole("button", { name: "Back to the default network" }).click();
    await page.getByText("the default network,").waitFor();
    await page.reload();
    await page.getByText("the default network,").waitFor();
  });
}
