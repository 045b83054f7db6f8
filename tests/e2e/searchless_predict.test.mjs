// Predict: the worker's models against PyTorch's outputs, which tests/searchless.rs holds the native ones against; and the card, which
// asks the app's models, the network and Stockfish about the position on the board.

import { readFileSync } from "node:fs";
import { assert, journey, open } from "./harness.mjs";
import { ask } from "./net_worker.mjs";

const read = (name) => readFileSync(new URL(`../data/searchless/${name}`, import.meta.url));
const SLOW = 180_000;

const load = (id, file) => [{ kind: "searchless", id, ask: { what: "load" } }, file.toString("base64")];
const rows = (id, model, rows) => [{ kind: "searchless", id, ask: { what: "read", model, rows } }];

for (const kind of ["av", "av-l2", "sv", "bc"])
  journey(`a model of ${kind} says in the browser what it says natively`, async ({ page }) => {
    await open(page);
    const { cases } = JSON.parse(read(`tiny-${kind}.json`));
    const [, [{ said }]] = await ask(page, [load(1, read(`tiny-${kind}.safetensors`))]);
    assert.equal(said.what, "loaded");
    assert.equal(said.model.header.name, `tiny-${kind}`);
    const { sha256 } = said.model;
    const [, , answer, refused, failed] = await ask(page, [
      load(1, read(`tiny-${kind}.safetensors`)),
      rows(2, sha256, cases.map(({ symbols }) => symbols)),
      load(3, Buffer.from("no model at all, but long enough to be looked at")),
      rows(4, sha256, [[1, 2, 3]]),
    ]);
    const { outputs } = answer[0].said;
    assert.equal(answer[1].length, outputs * cases.length);
    cases.forEach((one, number) =>
      one.outputs.forEach((wanted, at) => {
        const found = answer[1][outputs * number + at];
        assert.ok(Math.abs(found - wanted) < 1e-4, `${found} for ${wanted}`);
      }),
    );
    assert.equal(refused[0].said.what, "refused");
    assert.match(refused[0].said.reason, /not a model without search/);
    assert.deepEqual([failed[0].kind, failed[0].id], ["failed", 4]);
  });

const moves = (page) => page.locator("#searchless-moves tbody tr");
const done = (page) => page.locator("#searchless-disagreement").filter({ hasText: /\S/ }).waitFor({ timeout: SLOW });

journey("every legal move is predicted by models, the network and Stockfish", async ({ page }) => {
  await open(page, "/searchless");
  await page.locator("#searchless-ask").click();
  await done(page);
  assert.equal(await page.locator("#searchless-problems p").count(), 0);
  assert.equal(await moves(page).count(), 20);
  for (const name of ["AV, win %", "SV, win %", "BC, probability %", "network’s value, win %", "network’s policy, probability %", "Stockfish, win %"])
    await page.locator("#searchless-moves").getByRole("columnheader", { name, exact: true }).waitFor();
  assert.match(await page.locator("#searchless-times").innerText(), /AV took \d+ ms for 20 rows; SV took \d+ ms for 21 rows/);
  // Sorted by AV; then by Stockfish, by keyboard alone.
  const column = async (number) => (await page.locator(`#searchless-moves tbody td:nth-of-type(${number})`).allInnerTexts()).map(Number);
  const sorted = (numbers) => numbers.every((number, at) => at === 0 || numbers[at - 1] >= number);
  assert.ok(sorted(await column(1)));
  await page.getByRole("button", { name: "Stockfish, win %" }).focus();
  await page.keyboard.press("Enter");
  await page.locator('#searchless-moves th[aria-sort="descending"]').filter({ hasText: "Stockfish" }).waitFor();
  assert.ok(sorted(await column(6)));
  assert.match(await page.locator("#searchless-disagreement").innerText(), /disagree most about \S+: .* gives it [\d.]+ %/);
  // The distribution of a move's value, drawn and in words.
  await page.locator("#searchless-move").selectOption({ label: "e4" });
  await page.locator("#searchless-distributions p").filter({ hasText: /^AV, e4: [\d.]+ % expected; the likeliest bin of \d+/ }).waitFor();
  await page.locator("#searchless-distributions p").filter({ hasText: /^SV, e4: / }).waitFor();
  // After every move.
  await page.locator("#searchless-engine").uncheck();
  await page.locator("#searchless-follow").check();
  await page.locator("#move").fill("e4");
  await page.keyboard.press("Enter");
  await page.locator("#searchless-move option").filter({ hasText: /^e5$/ }).waitFor({ state: "attached", timeout: SLOW });
  await done(page);
  assert.equal(await page.locator("#searchless-moves").getByText("Stockfish").count(), 0);
});

journey("a model of one's own stands beside the app's, and what is none is refused by name", async ({ page }) => {
  await open(page, "/searchless");
  const give = (name, buffer) => page.locator("#searchless-model-file").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  await page.locator("#searchless-engine").uncheck();
  await give("cut.safetensors", read("tiny-av.safetensors").subarray(0, 900));
  await page.locator("#searchless-predict .problem").filter({ hasText: /^cut\.safetensors was not loaded: .*safetensors/ }).waitFor({ timeout: SLOW });
  await give("tiny.safetensors", read("tiny-av.safetensors"));
  await page.locator("#searchless-own").filter({ hasText: /Your model: tiny-av: action values, 2 layers of 8/ }).waitFor({ timeout: SLOW });
  await done(page);
  await page.locator("#searchless-moves").getByRole("columnheader", { name: "tiny-av, win %" }).waitFor();
  await page.locator("#searchless-forget").click();
  assert.equal(await page.locator("#searchless-own").innerText(), "");
});
