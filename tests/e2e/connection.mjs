// The connection to a language model in a user's words: what the journeys do and look for.

import { show } from "./play.mjs";

/** A move after which there is something to say, as the page's address has it, and its label. */
export const MOVE = "fen=r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3&move=Nf6";
export const LABEL = "3… Nf6";

export const KEY = "sk-test-1234567890";

/** Opens the form, if it is not. */
export async function openForm(page) {
  // The study's page has the form without a tab.
  await page.getByRole("tab").or(page.locator("details.connection")).first().waitFor();
  if (await page.getByRole("tab").count()) await show(page, "Model");
  const form = page.locator("details.connection");
  if (!(await form.evaluate((details) => details.open))) await form.locator("> summary").click();
}

/** Opens the choices of what the model is told. */
export async function more(page) {
  await show(page, "Model");
  await page.getByText("More: what the model is told").click();
}

/** Chooses a service by its word (`anthropic`, `ollama`, `llama.cpp`, …). */
export async function choose(page, service) {
  await openForm(page);
  await page.getByLabel("Provider", { exact: true }).selectOption(service);
}

/** Types a value into a field and leaves it. */
export async function type(page, field, value) {
  await field.fill(String(value));
  await field.blur();
}

export const base = (page) => page.getByLabel(/^Base URL/);
export const key = (page) => page.getByLabel("Key", { exact: true });
export const number = (page, label) => page.getByLabel(label, { exact: true });
export const models = (page) => page.locator("#models-found");

/** Types the address and, where there is one, the key, and waits for the list of models. */
export async function connect(page, address, secret = "") {
  await type(page, base(page), address);
  await key(page).fill(secret);
  await page.getByRole("button", { name: "Connect and list models" }).click();
  await models(page).filter({ hasText: /models?\.$/ }).waitFor();
}

export async function ask(page) {
  await show(page, "Model");
  await page.getByRole("button", { name: "Ask for a comment" }).click();
}

export const stop = (page) => page.locator(".model").getByRole("button", { name: "Stop" }).click();

/** What the page says when it went wrong. */
export const failure = (page) => page.locator(".model [role=alert]").filter({ hasText: "The narrator’s commentary stays." });

/** What it says when the reply is whole. */
export const success = (page) => page.getByText(/wrote this from what it was told/);

/** The reply as far as it came, before the check and after it. */
export const reply = (page) => page.locator(".model .reply");
