// A network dropped into the page. The files are real ones from ../shared/nets; where that is absent the journeys that
// need one are skipped and say so.

import { existsSync, readFileSync } from "node:fs";
import { assert, journey, open } from "./harness.mjs";
import { dropHeader, dropMadeUp } from "./made_up_network.mjs";
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

journey("says what is wrong when its worker's program cannot be had, and goes on once it can", { serviceWorkers: "block" }, async ({ page, context, complaints }) => {
  complaints.expect(/Failed to load resource|HTTP status code/);
  const PROGRAM = /net_worker_bg\.wasm$/;
  await context.route(PROGRAM, (route) => route.fulfill({ status: 404, body: "gone" }));
  await open(page);
  await show(page, "Network");
  await page.locator(".network .problem").getByText(/net_worker_bg\.wasm is not on the server \(status 404\)/).waitFor();
  await context.unroute(PROGRAM);
  await dropMadeUp(page, "small.pb", 32, 2);
  await page.locator(".network strong").filter({ hasText: "small.pb" }).waitFor();
});

journey("shows how far a large network is, and stops", async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await dropMadeUp(page, "large.pb", 512, 20);
  const network = page.locator(".network");
  // It has 190 MB; to read and to build it takes seconds.
  await network.getByText(/^\d+ of 19\d\. Megabytes of the network’s file are read\.$/).waitFor();
  const bar = network.getByRole("progressbar", { name: "Network" });
  assert.match(await bar.getAttribute("max"), /^19\d$/);
  await network.getByRole("button", { name: "Stop" }).click();
  await network.locator(".problem").getByText("Loading the network was stopped. The network in use stays.").waitFor();
  assert.equal(await bar.count(), 0);
  await page.getByText("the default network,").waitFor();
  // The next one is not kept from it.
  await dropMadeUp(page, "small.pb", 32, 2);
  await network.locator("strong").filter({ hasText: "small.pb" }).waitFor();
  assert.match(await network.innerText(), /32 filters, 2 blocks/);
});

journey("refuses by its header what would not fit into memory", async ({ page }) => {
  await open(page);
  await show(page, "Network");
  await page.getByText("the default network,").waitFor();
  await dropHeader(page, "huge.pb", 1_200_000_000);
  const problem = page.locator(".network .problem");
  await problem.getByText("The network in use stays.").waitFor();
  assert.match(await problem.innerText(), /huge\.pb was not loaded: it has about 600 million weights, and running it takes about 4266 MB/);
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
