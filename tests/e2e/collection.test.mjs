// Answers on their way to a collection endpoint: a real nginx with its DAV module, down, up, refusing and slow to be heard.

import { test } from "node:test";
import { APP, assert, journey, keptForOffline, open, until } from "./harness.mjs";
import { Nginx, missing } from "./nginx.mjs";
import { begin, downloaded, goOn, heading, prepare, rate } from "./rater.mjs";
import { StudyHost } from "./study_host.mjs";
import { startFromDemonstration } from "./play.mjs";

const reason = missing();

// Where a journey looks at the page's own requests: without a service worker the page sends its answers itself.
const BY_THE_PAGE = { serviceWorkers: "block" };

/** A journey with an nginx of its own; skipped, and said so, where there is none. */
function collected(name, options, run) {
  if (typeof options === "function") [options, run] = [{}, options];
  if (reason) {
    test(name, { skip: reason }, () => {});
    return;
  }
  journey(name, options, async (stage) => {
    const nginx = await Nginx.prepare(new URL(APP).origin);
    try {
      await run({ ...stage, nginx });
    } finally {
      await nginx.remove();
    }
  });
}

const standing = (page, word) => page.locator("#survey-queue-standing", { hasText: new RegExp(`^${word}$`) }).waitFor();
const text = (page) => page.locator("#survey-queue-text").innerText();
/** Until the queue in `box` says so. An attempt of its own may begin at any moment, and for as long it says "sending". */
const says = (page, words, box = "#survey-queue-text") => page.locator(box).filter({ hasText: words }).waitFor();

/** A study of two moves, seven pages, a break after every third, whose answers go to `address`; made in the builder. */
async function studyFor(page, address, every) {
  await open(page, "/study");
  await startFromDemonstration(page);
  await page.locator("#builder-collection").fill(address);
  await page.locator("#builder-collection").press("Tab");
  await page.locator("#builder-collection-every").fill(String(every));
  await page.locator("#builder-collection-every").press("Tab");
  const study = JSON.parse((await downloaded(page, "#builder-save")).text);
  assert.equal(study.options.collection.address, address);
  study.items.length = 2;
  study.practice = [];
  study.checks.repeats = 0;
  study.options.breaks = { after: 3, minutes: 1, skippable: true };
  return { name: "study.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(study)) };
}

/** From the study file to the first page. */
async function start(page, study) {
  await open(page, "/survey");
  await page.locator("#study-file").setInputFiles(study);
  await begin(page, "R1");
}

/** Rates pages `from` to `to` of seven. */
async function pages(page, from, to) {
  for (let place = from; place <= to; place += 1) {
    await heading(page, `Comment ${place} of 7`);
    await rate(page, [3, 4, 4, 4, 5]);
    await page.keyboard.press("Enter");
    if (place % 3 === 0) await page.locator("#survey-break #survey-continue").click();
  }
  if (to === 7) await page.locator("#survey-done").waitFor();
}

const PUT = "results/{study}/{rater}-{session}.json";

collected("answers reach nginx, though it is down at first and the page is left in between", BY_THE_PAGE, async ({ page, complaints, nginx }) => {
  complaints.expect(/ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  const study = await studyFor(page, nginx.address + PUT, 2);
  await start(page, study);
  const server = nginx.address.slice(0, -1);
  assert.match(await page.locator("#survey-destination").innerText(), new RegExp(`your answers are sent to ${server} while you rate.*Nothing is sent before`));
  await prepare(page);
  await pages(page, 1, 1);
  await heading(page, "Comment 2 of 7");
  await standing(page, "nothing sent yet");
  await pages(page, 2, 2);
  await says(page, /cannot be reached.*Rated comments kept here: 2\. Sending is tried again by itself.*go on meanwhile/);
  await standing(page, "waiting");
  // Nothing holds the rater up; nothing is forgotten over a reload.
  await pages(page, 3, 4);
  await page.reload();
  await says(page, /waiting.*Rated comments kept here: 4/, "#survey-queues");
  await goOn(page);
  await heading(page, "Comment 5 of 7");
  await standing(page, "waiting");
  await pages(page, 5, 7);
  await standing(page, "waiting");
  assert.deepEqual(nginx.files(), {});
  // Somebody starts the server; the next attempt comes by itself, within five minutes.
  nginx.start();
  await page.clock.fastForward(330_000);
  await standing(page, "sent");
  assert.match(await text(page), /All your answers have arrived at .* You can close this page/);
  const { text: json } = await downloaded(page, "#survey-json");
  const files = nginx.files();
  assert.equal(Object.keys(files).length, 1);
  const [path] = Object.keys(files);
  assert.match(path, /^results\/demonstration\/R1-[0-9a-f]{16}\.json$/);
  assert.equal(files[path], json, "the file on the disk is the download");
  assert.equal(JSON.parse(json).outcome, "complete");
  // The page opened again has nothing to do, and changes nothing.
  const before = nginx.requests().length;
  await page.reload();
  await page.locator("#survey-queues").getByText("have arrived").waitFor();
  await goOn(page);
  await page.locator("#survey-done").waitFor();
  await standing(page, "sent");
  assert.equal((await downloaded(page, "#survey-json")).text, json);
  assert.equal(nginx.requests().length, before);
});

collected("a set that is sent twice leaves one file", BY_THE_PAGE, async ({ page, complaints, nginx }) => {
  complaints.expect(/ERR_FAILED/);
  nginx.start();
  await start(page, await studyFor(page, nginx.address + PUT, 0));
  await prepare(page);
  await pages(page, 1, 6);
  // The server takes it, and the page never hears of it.
  let lost = 0;
  await page.route(`${nginx.address}**`, async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort();
  });
  await pages(page, 7, 7);
  await standing(page, "waiting");
  assert.ok(lost > 0);
  await page.unroute(`${nginx.address}**`);
  await page.locator("#survey-send").click();
  await standing(page, "sent");
  // Even the receipt can be lost, with the browser's disk: the set goes there once more.
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("kibitz-survey");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction("records", "readwrite");
          change.objectStore("records").delete(IDBKeyRange.bound("ledger ", "ledger \uffff"));
          change.oncomplete = () => resolve(opening.result.close());
        };
      }),
  );
  await page.reload();
  await page.locator("#survey-queues").getByText("All your answers have arrived").waitFor();
  const puts = nginx.requests().filter(({ method }) => method === "PUT");
  assert.ok(puts.length >= 3, JSON.stringify(puts));
  assert.equal(new Set(puts.map(({ key }) => key)).size, 1, "one set, one key");
  assert.deepEqual(puts.map(({ status }) => status).slice(0, 3), [201, 204, 204]);
  await goOn(page);
  await standing(page, "sent");
  assert.deepEqual(Object.values(nginx.files()), [(await downloaded(page, "#survey-json")).text]);
});

for (const [place, status, what, remedy] of [
  ["closed", 403, "does not allow the answers to be written there", "their server refuses to take them"],
  ["small", 413, "does not take so much at once", "their server's limit for one file is too small"],
]) {
  collected(`a server that answers ${status} is said so, and nothing is held up`, BY_THE_PAGE, async ({ page, complaints, nginx }) => {
    complaints.expect(new RegExp(`status of ${status}`));
    nginx.start();
    await start(page, await studyFor(page, `${nginx.address}${place}/{study}/{rater}-{session}.json`, 1));
    await prepare(page);
    await pages(page, 1, 1);
    await standing(page, "refused");
    const said = await text(page);
    assert.ok(said.includes(`${what} (status ${status})`) && said.includes(remedy) && said.includes("Your answers are safe here"), said);
    await pages(page, 2, 7);
    await standing(page, "refused");
    const set = JSON.parse((await downloaded(page, "#survey-json")).text);
    assert.equal(set.pages.filter((page) => page.answered_at).length, 7);
    assert.deepEqual(nginx.files(), {});
    const [answer] = await Promise.all([page.waitForResponse((answer) => answer.request().method() === "PUT"), page.locator("#survey-send").click()]);
    assert.equal(answer.status(), status);
    await standing(page, "refused");
    // Asked after the first page, at each break, at the end, and now: never on and on.
    const asked = nginx.requests().filter((request) => request.status === status).length;
    assert.ok(asked >= 4 && asked <= 6, `${asked} times`);
  });
}

collected("a server that asks for patience gets it", BY_THE_PAGE, async ({ page, complaints, nginx }) => {
  complaints.expect(/status of 503/);
  nginx.start();
  await page.clock.install();
  await start(page, await studyFor(page, `${nginx.address}busy/{study}/{rater}-{session}.json`, 1));
  await prepare(page);
  await pages(page, 1, 1);
  await page.getByText("has a fault of its own (status 503). Rated comments kept here: 1. Sending is tried again by itself (tries so far: 1)").waitFor();
  // Of its own accord the page would have come again after two seconds; the server said thirty.
  await page.clock.fastForward(25_000);
  await page.clock.fastForward(10_000);
  await page.getByText("tries so far: 2").waitFor();
  assert.equal(nginx.requests().length, 2);
});

collected("what is answered goes out when the page is hidden", async ({ page, nginx }) => {
  nginx.start();
  await start(page, await studyFor(page, nginx.address + PUT, 100));
  await prepare(page);
  await pages(page, 1, 1);
  await heading(page, "Comment 2 of 7");
  await page.getByText(/Rated comments that will be sent to .*: 1\./).waitFor();
  assert.deepEqual(nginx.requests(), []);
  // A headless browser hides no page; this is all that one notices of it.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await standing(page, "sent");
  const [file] = Object.values(nginx.files());
  assert.equal(JSON.parse(file).pages.filter((page) => page.answered_at).length, 1);
});

collected("without a network answers wait, and go out when it is back", BY_THE_PAGE, async ({ page, context, complaints, nginx }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  nginx.start();
  await start(page, await studyFor(page, nginx.address + PUT, 1));
  await prepare(page);
  await pages(page, 1, 1);
  await standing(page, "sent");
  assert.equal(JSON.parse(Object.values(nginx.files())[0]).outcome, "partial");
  await context.setOffline(true);
  await pages(page, 2, 2);
  await page.getByText(/This device is offline\. Rated comments that are kept here .*: 1;/).waitFor();
  await context.setOffline(false);
  await standing(page, "sent");
  const [file, ...others] = Object.values(nginx.files());
  assert.deepEqual(others, []);
  assert.equal(JSON.parse(file).pages.filter((page) => page.answered_at).length, 2);
});

collected("who does not agree sends nothing, and a new server is asked about first", async ({ page, nginx }) => {
  nginx.start();
  await start(page, await studyFor(page, nginx.address + PUT, 1));
  await page.getByRole("button", { name: "I do not agree" }).click();
  await page.locator("#survey-ended").getByText(/did not agree/).waitFor();
  await page.getByRole("button", { name: "Leave" }).click();
  // Begun where answers are only downloaded; then the study's file names a server.
  const study = await studyFor(page, nginx.address + PUT, 1);
  const without = JSON.parse(study.buffer.toString());
  delete without.options.collection;
  await open(page, "/survey");
  await page.locator("#study-file").setInputFiles({ ...study, buffer: Buffer.from(JSON.stringify(without)) });
  await begin(page, "R2");
  assert.equal(await page.locator("#survey-destination").count(), 0);
  await prepare(page);
  await pages(page, 1, 1);
  await heading(page, "Comment 2 of 7");
  assert.equal(await page.locator("#survey-queue").count(), 0);
  await page.reload();
  await page.locator("#study-file").setInputFiles(study);
  await page.locator("#rater-code").fill("R2");
  await page.getByRole("button", { name: "Begin" }).click();
  await heading(page, "Comment 2 of 7");
  await standing(page, "held back");
  assert.deepEqual(nginx.requests(), []);
  await page.locator("#survey-send-there").click();
  await standing(page, "sent");
  assert.equal(Object.keys(nginx.files()).length, 1);
});

collected("the researcher watches the answers arrive", async ({ page, context, nginx }) => {
  nginx.start();
  const study = await studyFor(page, nginx.address + PUT, 1);
  await start(page, study);
  await prepare(page);
  await pages(page, 1, 2);
  await standing(page, "sent");
  const researcher = await context.newPage();
  await open(researcher, "/analysis");
  await researcher.locator("#live-address").fill(nginx.listed(JSON.parse(study.buffer.toString()).id));
  await researcher.locator("#live-watch").click();
  const raters = researcher.locator("#live-raters");
  await raters.getByText("2 of 7").waitFor();
  await researcher.locator("#live-summary").getByText(/^1 rater: 0 complete, 1 under way/).waitFor();
  await pages(page, 3, 7);
  await standing(page, "sent");
  await researcher.locator("#live-again").click();
  await researcher.locator("#live-summary").getByText(/^1 rater: 1 complete/).waitFor();
  await raters.getByText("7 of 7").waitFor();
});

journey("whoever closes the page while the last answers are on their way is asked", async ({ page }) => {
  const host = await StudyHost.open();
  try {
    let answer;
    host.gate = new Promise((resolve) => (answer = resolve));
    const asked = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await start(page, await studyFor(page, host.address + PUT, 0));
    await prepare(page);
    await pages(page, 1, 6);
    // Answers that go out with those that follow keep nobody.
    await page.reload();
    await goOn(page);
    await pages(page, 7, 7);
    assert.deepEqual(asked, []);
    await standing(page, "sending");
    await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
    assert.deepEqual(asked, ["beforeunload"]);
    // Who stays sees them arrive, and is let go.
    answer();
    await standing(page, "sent");
    assert.equal(host.received.length, 1);
    await Promise.all([page.waitForEvent("close"), page.close({ runBeforeUnload: true })]);
    assert.deepEqual(asked, ["beforeunload"]);
  } finally {
    await host.close();
  }
});

for (const [who, options] of [["the service worker", {}], ["the browser", BY_THE_PAGE]]) {
  journey(`the last answers arrive though the tab is gone: ${who} sends them`, options, async ({ page, context }) => {
    const host = await StudyHost.open();
    try {
      await start(page, await studyFor(page, host.address + PUT, 0));
      if (options !== BY_THE_PAGE) await keptForOffline(page);
      await prepare(page);
      await pages(page, 1, 6);
      // The server is slow to say whether it takes anything: until then nothing has left the browser.
      let answer;
      host.door = new Promise((resolve) => (answer = resolve));
      const knocked = new Promise((resolve) => (host.onKnock = resolve));
      await pages(page, 7, 7);
      await knocked;
      await standing(page, "sending");
      // Nobody is asked: as if the tab had been killed. The browser itself stays.
      await context.newPage();
      await page.evaluate(async (address) => (globalThis.alive = await fetch(address)) && undefined, `${host.address}alive`);
      await page.close({ runBeforeUnload: false });
      await host.gone;
      assert.deepEqual(host.received, []);
      answer();
      await host.arrived(1);
      assert.deepEqual(host.received.map(({ outcome, pages }) => [outcome, pages.filter((page) => page.answered_at).length]), [["complete", 7]]);
    } finally {
      await host.close();
    }
  });
}

collected("what the service worker sends can be refused, with the reason", async ({ page, complaints, nginx }) => {
  // The refusal is a line in the service worker's console, which is not the page's.
  complaints.allow(/status of 403/);
  nginx.start();
  const study = await studyFor(page, `${nginx.address}closed/{study}/{rater}-{session}.json`, 1);
  await start(page, study);
  await keptForOffline(page);
  await prepare(page);
  await pages(page, 1, 1);
  await standing(page, "refused");
  assert.match(await text(page), /does not allow the answers to be written there \(status 403\)/);
  // What the rater does next is not held up.
  await pages(page, 2, 2);
  await heading(page, "Comment 3 of 7");
});

/** A host whose study gives a code and a link at its end. */
async function withCode(run) {
  const host = await StudyHost.open();
  try {
    await run(host, async (page, every) => {
      const file = await studyFor(page, host.address + PUT, every);
      const study = JSON.parse(file.buffer.toString());
      study.recruitment = { complete: { text: "Thank you: C1DONE", code: "C1DONE", redirect: `${host.address}complete?cc={code}` } };
      return { ...file, buffer: Buffer.from(JSON.stringify(study)) };
    });
  } finally {
    await host.close();
  }
}

const PAGE = "<!DOCTYPE html><title>Welcome</title>";

for (const [what, refusal] of [
  ["403", [403, "text/plain", "no"]],
  ["413", [413, "text/html", PAGE]],
  ["a web page", [200, "text/html", PAGE]],
  ["a web page that does not say so", [200, "application/octet-stream", PAGE]],
]) {
  journey(`no code and no link before the answers have arrived: the server answers ${what}`, BY_THE_PAGE, async ({ page, complaints }) => {
    complaints.allow(/status of 4/);
    await withCode(async (host, study) => {
      host.refusal = refusal;
      await start(page, await study(page, 0));
      await prepare(page);
      await pages(page, 1, 7);
      await standing(page, "refused");
      await page.locator("#survey-go-later").waitFor();
      assert.match(await text(page), /Your answers are safe here.*tried again by itself/);
      assert.doesNotMatch(await page.locator("#survey-done").innerText(), /C1DONE/);
      assert.equal(await page.locator("#survey-code, #survey-go").count(), 0);
      await page.getByText("download the JSON file and send it to those who asked you, with your code R1").waitFor();
      const set = JSON.parse((await downloaded(page, "#survey-json")).text);
      assert.equal(set.outcome, "complete");
      assert.equal(await page.locator("#survey-code").count(), 0, "the file alone is not the answers' arrival");
      // The server is mended.
      host.refusal = undefined;
      await page.locator("#survey-send").click();
      await page.locator("#survey-code").getByText("C1DONE").waitFor();
      await page.locator("#survey-go").waitFor();
      assert.equal(await page.locator("#survey-go-later").count(), 0);
      assert.deepEqual(host.received, [set]);
    });
  });
}

journey("a refused end is tried again by itself", BY_THE_PAGE, async ({ page, complaints }) => {
  complaints.allow(/status of 403/);
  await page.clock.install();
  await withCode(async (host, study) => {
    host.refusal = [403, "text/plain", "no"];
    await start(page, await study(page, 0));
    await prepare(page);
    await pages(page, 1, 7);
    await standing(page, "refused");
    host.refusal = undefined;
    await page.clock.fastForward(90_000);
    await page.locator("#survey-code").getByText("C1DONE").waitFor();
  });
});

for (const [who, options] of [["the service worker", {}], ["the browser", BY_THE_PAGE]]) {
  journey(`whoever leaves at any page leaves nothing behind: ${who} sends it`, options, async ({ page }) => {
    await withCode(async (host, study) => {
      await start(page, await study(page, 100));
      if (options !== BY_THE_PAGE) await keptForOffline(page);
      await prepare(page);
      const answered = () => Math.max(0, ...host.received.map(({ pages }) => pages.filter((page) => page.answered_at).length));
      for (let place = 1; place <= 6; place += 1) {
        await pages(page, place, place);
        await page.locator("#survey-heading").filter({ hasText: `Comment ${place + 1} of 7` }).waitFor();
        await page.goto("about:blank");
        // Where a break begins they have gone already.
        await until(answered, (count) => count === place, `${place} pages have arrived`);
        await goOn(page);
        await heading(page, `Comment ${place + 1} of 7`);
      }
      await pages(page, 7, 7);
      await standing(page, "sent");
      assert.equal(answered(), 7);
    });
  });
}

journey("the builder tries the address, and says what came back", async ({ page, complaints }) => {
  complaints.allow(/status of 4|ERR_CONNECTION_REFUSED/);
  const host = await StudyHost.open();
  const said = (words) => page.locator("#builder-collection-trial").filter({ hasText: words }).waitFor();
  const trial = () => page.locator("#builder-collection-try").click();
  try {
    await studyFor(page, host.address + PUT, 1);
    await trial();
    await said(/has arrived at/);
    assert.deepEqual(host.received.map(({ schema }) => schema), ["kibitz-trial-1"]);
    for (const [refusal, words] of [
      [[403, "text/plain", "not yours"], /does not allow the answers to be written there \(status 403: not yours\)/],
      [[413, "text/html", PAGE], /status 413/],
      [[200, "text/html", PAGE], /answered with a web page instead of a receipt/],
    ]) {
      host.refusal = refusal;
      await trial();
      await said(words);
    }
  } finally {
    await host.close();
  }
  await trial();
  await said(/cannot be reached, or does not let this page send/);
});
