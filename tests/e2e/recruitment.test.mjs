// Recruited raters: a link from a recruiting site, a share of the items, an end with a code; marks, languages, and a page
// that is hard to answer wrongly by accident.

import { readFileSync } from "node:fs";
import { APP, assert, journey, open, until } from "./harness.mjs";
import { connect, openForm } from "./connection.mjs";
import { LlmServer } from "./llm_server.mjs";
import { begin, demonstration, downloaded, heading, practise, prepare, rate } from "./rater.mjs";
import { StudyHost } from "./study_host.mjs";
import { startFromDemonstration } from "./play.mjs";

/** A journey with a researcher's server. */
function hosted(name, run) {
  journey(name, async (stage) => {
    const host = await StudyHost.open();
    try {
      await run({ ...stage, host });
    } finally {
      await host.close();
    }
  });
}

/** Fills in a field of the builder. */
async function fill(page, id, text) {
  await page.locator(id).fill(text);
  await page.locator(id).press("Tab");
}

/** The demonstration as the builder saves it after these changes. */
async function built(page, change) {
  await open(page, "/study");
  await startFromDemonstration(page);
  await change();
  await page.locator("#builder-ready").getByText("Ready to run").waitFor();
  const study = JSON.parse((await downloaded(page, "#builder-save")).text);
  study.practice = [];
  study.checks.repeats = 0;
  return study;
}

/** From the link to the rater form. */
async function come(page, host, who) {
  const study = encodeURIComponent(`${host.address}study.json`);
  // Another search part: a page of its own, as for every participant.
  await page.goto(`${APP}?${who}#/survey?study=${study}&slot=2`);
  await page.locator("#boot").waitFor({ state: "detached" });
  await page.locator("#survey-fetch").click();
}

hosted("a participant comes from a recruiting site and goes back with the code, once all has arrived", async ({ page, host }) => {
  const study = await built(page, async () => {
    // Two moves are too few for a comment to be shown again ten pages later.
    await fill(page, "#builder-repeats", "0");
    await fill(page, "#builder-items-per-rater", "2");
    await fill(page, "#builder-raters-per-item", "5");
    await page.locator("#builder-needed").getByText("20 raters are needed, each for 2 items.").waitFor();
    await page.getByText("The ends, with their texts and codes").click();
    await fill(page, "#builder-participant", "PROLIFIC_PID");
    await fill(page, "#builder-complete-text", "Vielen Dank, that was our study.");
    await fill(page, "#builder-complete-code", "C1DONE");
    await fill(page, "#builder-complete-redirect", `${host.address}complete?cc={code}&who={participant}`);
    await fill(page, "#builder-screened-out-code", "C2OUT");
    await fill(page, "#builder-screened-out-redirect", `${host.address}complete?cc={code}`);
    await fill(page, "#builder-collection", `${host.address}results/{study}/{rater}-{session}.json`);
    // Who may take part: by a number, and by an answer.
    await page.locator("#builder-form > details > summary").click();
    await page.locator("#builder-form-0-admits").check();
    await fill(page, "#builder-form-0-admits-min", "1200");
    await fill(page, "#builder-form-0-admits-max", "2400");
    await page.locator("#builder-form-2-admits").check();
    await fill(page, "#builder-form-2-admits-choices", "Native or bilingual\nFluent");
  });
  const admits = Object.fromEntries(study.form.map((field) => [field.id, field.admits]));
  assert.deepEqual(admits.rating, { number: { min: 1200, max: 2400 } });
  assert.deepEqual(admits.language, { choice: ["Native or bilingual", "Fluent"] });
  host.offer(study);
  // Whose answers do not fit is thanked, and gets a code of their own.
  await come(page, host, "PROLIFIC_PID=a0000000000000000000000b&SESSION_ID=1");
  await page.getByText("You take part as a0000000000000000000000b.").waitFor();
  assert.equal(await page.locator("#rater-code").count(), 0);
  // Nothing of the rest of the app is in the way.
  assert.equal(await page.getByRole("navigation", { name: "Pages" }).isVisible(), false);
  assert.equal(await page.getByRole("link", { name: "Build a study of your own" }).isVisible(), false);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator("#survey-agree").click();
  await page.locator("#field-rating").fill("900");
  await page.locator("#field-site").selectOption("FIDE");
  await page.locator("#field-language").selectOption("Fluent");
  await page.locator("#survey-form").getByRole("button", { name: "Go on" }).click();
  await page.locator("#survey-ended").getByText("This study looks for other raters").waitFor();
  assert.equal(await page.locator("#survey-code").innerText(), "C2OUT");
  await page.locator("#survey-go").click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  assert.equal(new URL(page.url()).search, "?cc=C2OUT");
  assert.equal(host.received.at(-1).outcome, "screened-out");
  // Another participant fits. Their server takes its time: the page says so, and does not let them go before.
  host.delay = 700;
  await come(page, host, "PROLIFIC_PID=ada%40example.org");
  await page.getByText("You take part as ada@example.org.").waitFor();
  await page.getByRole("button", { name: "Begin" }).click();
  await prepare(page);
  for (let place = 1; place <= 7; place += 1) {
    await heading(page, `Comment ${place} of 7`);
    await rate(page, [3, 4, 4, 4, 5]);
    await page.keyboard.press("Enter");
  }
  await page.locator("#survey-done").getByText("Vielen Dank, that was our study.").waitFor();
  await page.locator("#survey-go-later, #survey-go").first().waitFor();
  await page.locator("#survey-go").waitFor();
  // The link is there because everything is there.
  const last = host.received.at(-1);
  assert.equal(await page.locator("#survey-queue-standing").innerText(), "sent");
  assert.deepEqual([last.outcome, last.participant, last.slot], ["complete", "ada@example.org", 2]);
  assert.equal(last.pages.filter((page) => page.answered_at).length, 7);
  assert.match(last.rater, /^p-[0-9a-f]{16}$/);
  await page.locator("#survey-go").click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  assert.equal(new URL(page.url()).search, "?cc=C1DONE&who=ada%40example%2Eorg");
});

hosted("who fails a silent check gets the other code, and a link without a name is explained", async ({ page, host }) => {
  const study = await built(page, async () => {
    await page.locator("#builder-failing").selectOption("end");
    await fill(page, "#builder-participant", "PID");
    await page.getByText("The ends, with their texts and codes").click();
    await fill(page, "#builder-failed-checks-code", "C3FAIL");
  });
  study.items.length = 2;
  host.offer(study);
  await come(page, host, "OTHER=1");
  await page.locator("#survey-participant").getByText("its part “PID” is missing").waitFor();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator("#survey-problem").getByText("its part “PID” is missing").waitFor();
  await come(page, host, "PID=x7");
  await page.getByRole("button", { name: "Begin" }).click();
  await prepare(page);
  // One of seven pages is the check; every answer here fails it.
  for (let place = 1; ; place += 1) {
    await heading(page, `Comment ${place} of 7`);
    await rate(page, [3, 4, 4, 4, 5]);
    await page.keyboard.press("Enter");
    await page.locator("#survey-ended").or(page.getByText(`Comment ${place + 1} of 7`, { exact: true })).waitFor();
    if (await page.locator("#survey-ended").count()) break;
  }
  assert.equal(await page.locator("#survey-code").innerText(), "C3FAIL");
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.equal(results.outcome, "failed-checks");
});

journey("a link for each slot, and slots given out again", async ({ page }) => {
  await open(page, "/study");
  await startFromDemonstration(page);
  await fill(page, "#builder-items-per-rater", "4");
  await fill(page, "#builder-raters-per-item", "3");
  await fill(page, "#builder-study-address", "https://x.example.org/study.json");
  // The codebook lies beside the study.
  assert.match((await downloaded(page, "#builder-codebook-csv")).text, /^part,name,values,meaning,missing\n/);
  assert.match((await downloaded(page, "#builder-codebook-md")).text, /\| column \| rater \|/);
  const all = (await downloaded(page, "#builder-links")).text.trim().split("\n");
  assert.equal(all.length, 1 + 6);
  assert.match(all[6], /^6,R6,.*#\/survey\?study=https:\/\/x\.example\.org\/study\.json&rater=R6&slot=6$/);
  await fill(page, "#builder-reissue", "2, 5-6");
  const again = (await downloaded(page, "#builder-links")).text.trim().split("\n");
  assert.deepEqual(again.slice(1).map((line) => line.split(",")[1]), ["Rb2", "Rb5", "Rb6"]);
  // Of a study in a language that the app ships, the page before the study speaks it too.
  await page.locator("#builder-phrases").selectOption("ko");
  await page.getByText("The page speaks this language throughout.").waitFor();
  const korean = (await downloaded(page, "#builder-links")).text.trim().split("\n");
  assert.ok(korean.slice(1).every((line) => line.endsWith("&lang=ko")), korean[1]);
});

journey("comments are marked by what a model declares that they claim; it is asked once", async ({ page }) => {
  const server = await LlmServer.open(() => "");
  const text = (body) => body.messages.at(-1).content.match(/<text>\n([^]*)\n<\/text>/)[1];
  // No pawn ever stands there.
  server.claims = (_, body) => JSON.stringify({
    claims: [{ words: text(body).split(" ").slice(0, 2).join(" "), predicate: "stands", subject: "white pawn a1" }],
  });
  try {
    await open(page, "/study");
    await startFromDemonstration(page);
    await page.locator("#builder-spans-asked").check();
    await page.locator("#builder-marks-model > summary").click();
    await page.locator("#builder-marks-model").getByText("No model is connected").waitFor();
    await page.locator("#builder-models > summary").click();
    await openForm(page);
    await connect(page, `${server.address}good/v1`);
    server.declaring = "hang";
    await page.locator("#builder-marks-declared").click();
    await page.locator("#builder-marks-model").getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("Stopped; the marks that are made are kept.").waitFor();
    server.declaring = "good";
    server.declarations = [];
    await page.locator("#builder-marks-declared").click();
    await page.getByText(/By what the model declares, the claim check has something against \d+ comments\./).waitFor();
    const asked = server.declarations.length;
    assert.ok(asked > 0);
    const study = JSON.parse((await downloaded(page, "#builder-save")).text);
    const comments = study.items.flatMap((item) => item.comments);
    assert.equal(new Set(study.items.flatMap(({ fen, move, comments }) => comments.map(({ text }) => `${fen} ${move} ${text}`))).size, asked);
    for (const { text, marks } of comments)
      assert.ok(marks.some(({ start, end }) => start === 0 && end > 0), `${text} ${JSON.stringify(marks)}`);
    // Nothing is asked again.
    await page.locator("#builder-marks").click();
    await page.getByText(/^The claim check has something against \d+ comments\./).waitFor();
    await page.locator("#builder-marks-declared").click();
    await page.getByText(/By what the model declares, the claim check has something against \d+ comments\./).waitFor();
    assert.equal(server.declarations.length, asked);
  } finally {
    await server.close();
  }
});

journey("words are marked by mouse and by keyboard, beside those of the claim check", async ({ page }) => {
  await open(page, "/study");
  await startFromDemonstration(page);
  await page.locator("#builder-spans-asked").check();
  await page.locator("#builder-prefill-planted").check();
  await page.locator("#builder-marks").click();
  await page.getByText(/The claim check has something against \d+ comments/).waitFor();
  await page.locator("#builder-marks-count").getByText(/\d+ planted ones/).waitFor();
  await page.locator("#builder-try").click();
  await begin(page, "R1");
  await prepare(page);
  await heading(page, "Practice 1 of 2");
  await page.locator("#word-1").click();
  await page.locator("#word-2").click();
  await page.locator("#mark-chooser").getByRole("button", { name: /^Not so on the board/ }).click();
  await page.locator("#survey-marks li").waitFor();
  // By keyboard: Tab comes to the words, the arrows walk, Shift takes words along.
  await page.locator("#word-2").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+ArrowRight");
  await page.locator("#mark-chooser").getByRole("button", { name: /^Something else/ }).press("Enter");
  await page.locator("#survey-marks li").nth(1).waitFor();
  await page.locator("#survey-marks li").first().getByRole("button").click();
  await page.waitForFunction(() => document.querySelectorAll("#survey-marks li").length === 1);
  await practise(page);
  // Half of the comments begin with marks, and say so.
  let prefilled = 0;
  for (let place = 1; place <= 6; place += 1) {
    await heading(page, `Comment ${place} of 26`);
    prefilled += await page.locator("#survey-prefilled").count();
    await rate(page, [3, 4, 4, 4, 5]);
    await page.keyboard.press("Enter");
  }
  await heading(page, "Comment 7 of 26");
  assert.ok(prefilled > 0 && prefilled < 6, `${prefilled} of 6`);
  await page.getByText("Stop for now").click();
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.equal(results.practice[0].spans.length, 1);
  const marked = results.pages.filter((page) => page.answered_at && page.prefill === "planted");
  assert.equal(marked.length, prefilled);
  assert.ok(marked.every((page) => page.spans.length > 0));
  assert.ok(results.pages.filter((page) => page.prefill === "hidden").every((page) => page.spans.length === 0));
});

for (const [code, agree, next, done] of [
  ["de", "Ich stimme zu und nehme teil", "Weiter", "Danke: Das war alles"],
  ["ko", "동의하고 참여합니다", "다음", "감사합니다. 모두 끝났습니다"],
]) {
  journey(`the page speaks the study's language: ${code}`, async ({ page }) => {
    await open(page, "/study");
    await startFromDemonstration(page);
    await page.locator("#builder-phrases").selectOption(code);
    await page.getByText("The page speaks this language throughout.").waitFor();
    const study = JSON.parse((await downloaded(page, "#builder-save")).text);
    study.items.length = 1;
    study.practice = [];
    study.checks = {};
    const file = { name: "study.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(study)) };
    await open(page, "/survey");
    await page.locator("#study-file").setInputFiles(file);
    await page.locator("#rater-code").fill("R1");
    await page.locator("#survey-begin button").click();
    await page.getByRole("button", { name: agree }).click();
    await page.locator("#field-rating").fill("1776");
    await page.locator("#field-site").selectOption("FIDE");
    await page.locator("#field-language").selectOption("Fluent");
    await page.locator("#survey-form button").click();
    await page.locator("#survey-read").click();
    const questions = page.locator("#survey-questions fieldset");
    for (const [index, choice] of [2, 3, 1].entries()) await questions.nth(index).getByRole("radio").nth(choice - 1).check();
    await page.locator("#survey-questions button").click();
    // Buttons of the pages before say the same words.
    await page.locator("#survey-next").getByText(next, { exact: true }).waitFor();
    assert.equal(await page.locator(".survey-page").getAttribute("lang"), code);
    // Nothing of the page's own is English there; what the study wrote is.
    const own = await page.locator("#survey-heading, #survey-move, #survey-progress, .keys, .rating-form .row, .rating-board button").allInnerTexts();
    for (const text of own) assert.doesNotMatch(text, /\b(Comment|plays|rated|Keys|Next|Back|Show|left)\b/, text);
    let said;
    for (let place = 0; place < 3; place += 1) {
      said = await until(() => page.locator("#survey-heading").textContent(), (now) => now !== said, "the next comment is there");
      await heading(page, said);
      await rate(page, [3, 4, 4, 4, 5]);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("heading", { name: done }).waitFor();
  });
}

/** What is on the page to be read or heard, a line each: texts, names for screen readers, titles. */
function shownTexts(page) {
  return page.evaluate(() => {
    const shown = [];
    const visible = (element) => element.checkVisibility();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      if (textContent.trim() && !parent.closest("script, style, noscript, svg title") && visible(parent)) shown.push(textContent.trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
      if (visible(element)) for (const name of ["aria-label", "title", "placeholder", "alt"]) shown.push(element.getAttribute(name) ?? "");
    return shown.filter(Boolean);
  });
}

/** Fails where the page says something in Latin letters that is neither the study's nor a name. */
async function speaksKorean(page, known, where) {
  for (let text of await shownTexts(page)) {
    // Longer ones first, so that no part of one is left.
    for (const own of known) text = text.replaceAll(own, "");
    assert.doesNotMatch(text, /[A-Za-z]{3,}/, `${where}: “${text}”`);
  }
}

hosted("whoever comes by the link of a Korean study reads nothing in English but what the study says", async ({ page, host }) => {
  const study = JSON.parse(readFileSync(new URL("../data/survey/study-ko.json", import.meta.url), "utf8"));
  study.options.collection = { schema: "kibitz-collection-1", address: `${host.address}results/{study}/{rater}-{session}.json`, every: 1 };
  host.offer(study);
  const address = `${host.address}study.json`;
  // Everything that is the study's own, codes and addresses, names of keys and files.
  const texts = new Set([address, host.address.slice(0, -1), "Kibitz", "R1", "sim-", "JSON", "CSV", "Enter", "Shift"]);
  JSON.stringify(study, (name, value) => {
    if (typeof value === "string") for (const line of value.split("\n")) texts.add(line.trim());
    return name === "phrases" ? undefined : value;
  });
  const known = [...texts].filter(Boolean).sort((a, b) => b.length - a.length);
  const all = (where) => speaksKorean(page, known, where);
  await page.goto(`${APP}#/survey?study=${encodeURIComponent(address)}&rater=R1&lang=ko`);
  await page.locator("#survey-offered").waitFor();
  assert.equal(await page.locator(".survey-page").getAttribute("lang"), "ko");
  await all("before the study");
  // Who leaves it is asked for a file; what is none is refused in Korean, and what is wrong with it is quoted.
  await page.locator("#survey-offered button").nth(1).click();
  await page.locator("#study-file").waitFor({ state: "attached" });
  await all("without the study");
  await page.locator("#study-file").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await page.locator("#survey-problem").getByText("연구로 읽을 수 없습니다").waitFor();
  await page.reload();
  await page.locator("#survey-fetch").click();
  await page.locator("#survey-begin").waitFor();
  await all("the code");
  await page.locator("#survey-begin button").click();
  await page.locator("#survey-agree").waitFor();
  await all("consent");
  await page.locator("#survey-agree").click();
  await page.locator("#survey-form").waitFor();
  await all("form");
  for (const [index, field] of study.form.entries()) {
    const input = page.locator(`#field-${field.id}`);
    if (field.kind.choice) await input.selectOption(field.kind.choice[0]);
    else await input.fill(field.kind.number ? String((field.admits ?? field.kind).number.min + 1) : `${index}`);
  }
  await page.locator("#survey-form button").click();
  await page.locator("#survey-read").waitFor();
  await all("instructions");
  await page.locator("#survey-read").click();
  await page.locator("#survey-questions").waitFor();
  await all("questions");
  for (const [index, { answer }] of study.comprehension.questions.entries())
    await page.locator("#survey-questions fieldset").nth(index).getByRole("radio").nth(answer - 1).check();
  await page.locator("#survey-questions button").click();
  await page.locator("#survey-heading").waitFor();
  await page.locator(".text-board summary").click();
  await page.locator(".text-board p").last().waitFor();
  await all("a page");
  // Left and come back to, by no link at all: the session speaks its study's language. Another address in between, so that
  // the app starts anew.
  await page.goto("about:blank");
  await open(page, "/survey");
  const begun = page.locator("#survey-begun");
  await begun.getByRole("button", { name: "계속" }).waitFor();
  await begun.getByRole("button", { name: "삭제…" }).click();
  await begun.getByRole("button", { name: "모든 답변이 삭제됩니다" }).waitFor();
  await page.locator("#survey-queues").getByText("전송 중인 답변").waitFor();
  for (const card of ["#survey-begun", "#survey-queues"])
    for (let text of await page.locator(card).locator("h2, button, span").allInnerTexts()) {
      for (const own of known) text = text.replaceAll(own, "");
      assert.doesNotMatch(text, /[A-Za-z]{3,}/, `${card}: “${text}”`);
    }
});

journey("what cannot be fetched is said in the language of the link, and then of the study", { serviceWorkers: "block" }, async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource/);
  complaints.expect(/wasm|Response/i);
  const gone = (route) => route.fulfill({ status: 404, body: "gone" });
  const PROGRAM = /_bg\.wasm$/;
  const RATING = /split_survey\.wasm$/;
  const MAKING = /split_study\.wasm$/;
  await page.route(PROGRAM, gone);
  await page.goto(`${APP}#/survey?study=nowhere.json&lang=ko-KR`);
  await page.locator("#boot[role=alert][lang=ko]").getByText("Kibitz를 시작하지 못했습니다").waitFor();
  await page.unroute(PROGRAM);
  await page.route(RATING, gone);
  await page.reload();
  await page.getByRole("alert").getByText("페이지의 이 부분을 불러오지 못했습니다").waitFor();
  await page.unroute(RATING);
  await page.getByRole("button", { name: "다시 시도" }).click();
  // The study is not there.
  await page.locator("#survey-fetch").click();
  await page.locator("#survey-problem").getByText("nowhere.json: 파일이 없습니다(상태 코드 404)").waitFor();
  await page.route(MAKING, gone);
  await page.locator("#survey-demonstration").click();
  await page.locator("#survey-problem").getByText("이 페이지의 일부를 불러오지 못했습니다").waitFor();
  // From here on the study's language counts: the link said nothing of German.
  const study = JSON.parse(readFileSync(new URL("../data/survey/study-de.json", import.meta.url), "utf8"));
  Object.assign(study, { form: [], instructions: [], comprehension: null, practice: [] });
  await page.route(/chessground\.min\.js$/, gone);
  await page.locator("#study-file").setInputFiles({ name: "study.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(study)) });
  await page.locator("#rater-code").fill("R1");
  await page.locator("#survey-begin button").click();
  await page.locator("#survey-agree").click();
  await page.locator(".board-problem").getByText("Das Brett kann nicht gezeigt werden. Die Stellung steht darunter in Worten.").waitFor();
  await page.locator(".text-board").getByText("Die Stellung in Worten").waitFor();
});

journey("after a reload the first open question has its turn, and no key changes an answer unseen", async ({ page }) => {
  await demonstration(page);
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  await rate(page, [3, 2]);
  await page.reload();
  await page.locator("#survey-begun").getByRole("button", { name: "Go on" }).click();
  await heading(page, "Comment 1 of 26");
  await page.keyboard.press("5");
  await page.waitForFunction(() => document.querySelector("#rate-completeness-5")?.checked);
  assert.ok(await page.locator("#rate-correctness-3").isChecked());
  await page.keyboard.press("4");
  await page.keyboard.press("4");
  await page.waitForFunction(() => document.querySelector("#rate-fluency-4")?.checked);
  // All have an answer: another digit is for none of them.
  await page.keyboard.press("1");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement.id === "rate-fluency-4");
  await page.keyboard.press("2");
  await page.getByText("Fluency: 2 instead of 4.").waitFor({ state: "attached" });
  await page.getByText("Stop for now").click();
  const results = JSON.parse((await downloaded(page, "#survey-json")).text);
  assert.deepEqual(results.pages[0].ratings, { correctness: 3, relevance: 2, completeness: 5, clarity: 4, fluency: 2 });
});

journey("kinds of errors are ticked by letters, and a click leads on", async ({ page }) => {
  await demonstration(page);
  await prepare(page);
  await heading(page, "Practice 1 of 2");
  await page.keyboard.press("1");
  await page.locator("#kind-error_kind-tactical").waitFor();
  await page.keyboard.press("b");
  await page.waitForFunction(() => document.querySelectorAll(".follow-up input:checked").length === 1);
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelectorAll(".follow-up input:checked").length === 2);
  await page.keyboard.press("b");
  await page.waitForFunction(() => document.querySelectorAll(".follow-up input:checked").length === 1);
  assert.ok(await page.locator(".follow-up input").first().isChecked());
  await page.locator("#rate-clarity-3").click();
  await page.waitForFunction(() => document.activeElement.id === "rate-fluency-1");
  await page.keyboard.press("2");
  await page.waitForFunction(() => document.querySelector("#rate-fluency-2")?.checked && document.activeElement?.id === "rate-relevance-1");
});

for (const [width, height] of [[1280, 800], [390, 844]]) {
  journey(`board and comment stay in sight while one rates, at ${width}×${height}`, { viewport: { width, height } }, async ({ page }) => {
    await demonstration(page);
    await prepare(page);
    await practise(page);
    await heading(page, "Comment 1 of 26");
    await rate(page, [1, 4, 4, 4]);
    await page.locator("#rate-fluency-5").scrollIntoViewIfNeeded();
    await page.locator("#rate-fluency-5").focus();
    await page.waitForFunction(() =>
      [".rating-board .board", "#survey-comment", "#rate-fluency-5"].every((selector) => {
        const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight + 1;
      }),
    );
  });
}
