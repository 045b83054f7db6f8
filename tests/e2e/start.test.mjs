// The page starts under the production headers, and what it ships works there.

import { APP, assert, converse, journey, open, shipped } from "./harness.mjs";

journey("starts without a complaint", async ({ page }) => {
  await open(page);
  assert.equal(await page.title(), "Kibitz");
});

journey("sends the headers with the page and with every worker", async ({ page, context }) => {
  await open(page);
  const addresses = [APP];
  for (const name of ["engine", "labels", "net-worker"]) addresses.push(await shipped(page, name));
  for (const address of addresses) {
    const headers = (await context.request.get(address)).headers();
    assert.match(headers["content-security-policy"], /default-src 'none'/, address);
    assert.doesNotMatch(headers["content-security-policy"], /unsafe-inline|'unsafe-eval'/, address);
    assert.equal(headers["x-content-type-options"], "nosniff", address);
  }
});

journey("says that the server sends the app's wasm as another type", async ({ page }) => {
  await page.route(/_bg\.wasm$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), "content-type": "text/plain; charset=utf-8" } });
  });
  await page.goto(APP);
  const alert = page.locator("#boot[role=alert]");
  await alert.waitFor();
  assert.match(await alert.textContent(), /the server sends kibitz_bg\.wasm as “text\/plain”.+the server has to change that/);
});

journey("says what is wrong when the app's wasm cannot be had", async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource/);
  await page.route(/_bg\.wasm$/, (route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(APP);
  const alert = page.locator("#boot[role=alert]");
  await alert.waitFor();
  assert.match(await alert.textContent(), /could not start: .+Reload/);
});

journey("a part of the page that cannot be fetched says so, and comes when it is asked for again", { serviceWorkers: "block" }, async ({ page, context, complaints }) => {
  complaints.expect(/Failed to load resource/);
  complaints.expect(/wasm|Response/i);
  await open(page);
  const PART = /split_study\.wasm$/;
  await context.route(PART, (route) => route.fulfill({ status: 404, body: "gone" }));
  await page.evaluate(() => {
    location.hash = "#/analysis";
  });
  await page.getByRole("alert").getByText("could not be fetched").waitFor();
  await context.unroute(PART);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Analyse ratings" }).waitFor();
});

journey("a rater's page fetches neither laboratory nor commentary", async ({ page }) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await open(page, "/survey");
  await page.getByRole("button", { name: "Demonstration" }).waitFor();
  const parts = fetched.filter((path) => /split_\w+\.wasm$/.test(path)).map((path) => /split_\w+/.exec(path)[0]);
  assert.deepEqual(parts, ["split_survey"]);
});

journey("runs Stockfish 19 in a worker", async ({ page }) => {
  await open(page);
  const heard = await converse(page, await shipped(page, "engine"), ["uci", "go depth 8"], "bestmove");
  assert.match(heard, /uciok/);
  assert.match(heard, /info depth 8 .*score cp/);
});

journey("runs Stockfish 8 for the labels, without eval", async ({ page }) => {
  await open(page);
  const heard = await converse(page, await shipped(page, "labels"), ["uci", "eval"], "Total Evaluation");
  assert.match(heard, /King safety/);
});

journey("draws a board with an arrow", async ({ page }) => {
  await open(page);
  const pieces = await page.evaluate(async (address) => {
    const { Chessground } = await import(address);
    const place = document.createElement("div");
    document.body.append(place);
    const shapes = [{ orig: "e2", dest: "e4", brush: "blue" }];
    Chessground(place, { drawable: { enabled: true, visible: true, autoShapes: shapes } });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return place.querySelectorAll("piece:not(.ghost)").length;
  }, await shipped(page, "board"));
  assert.equal(pieces, 32);
});

journey("an inline style or a foreign worker would be noticed", async ({ page, complaints }) => {
  complaints.expect(/CSP: style-src-attr/);
  complaints.expect(/CSP: worker-src/);
  await open(page);
  await page.evaluate(async () => {
    const reports = [];
    const both = new Promise((resolve) =>
      addEventListener("securitypolicyviolation", (event) => reports.push(event) === 2 && resolve()),
    );
    document.body.setAttribute("style", "color: red");
    new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])));
    await both;
  });
  complaints.expect(/console: /);
});
