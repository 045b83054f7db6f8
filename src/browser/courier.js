// A request that reaches its server though the page goes away: the service worker sends it where one looks after the page,
// else the browser itself does, where it is small enough.

// How long a service worker may take to say that it has it, in milliseconds. One of an older version never says it; what is
// sent twice then arrives as one.
const TAKEN = 10_000;
// Browsers go on with 64 KiB for a page that is gone, all its requests together.
const SMALL = 60_000;
// How many letters of a refusal are read, and for how many milliseconds.
const WORDS = [4096, 10_000];

const own = async (request) => {
  const keepalive = new Blob([request.body]).size < SMALL;
  return said(await fetch(request.url, { ...request, keepalive, redirect: "manual", credentials: "omit", signal: AbortSignal.timeout(request.limit) }));
};

/** Status, `Retry-After`, media type, and the first words where it is a refusal, or may be a web page. The service worker says the same. */
async function said(answer) {
  let text = "";
  if ((!answer.ok || answer.status === 200) && answer.body) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const enough = setTimeout(() => reader.cancel(), WORDS[1]);
    try {
      for (let piece = await reader.read(); !piece.done && text.length < WORDS[0]; piece = await reader.read()) text += piece.value;
    } catch {
      // What broke off is read as far as it came.
    }
    clearTimeout(enough);
    reader.cancel().catch(() => {});
  }
  return [answer.status, answer.headers.get("retry-after"), answer.headers.get("content-type"), text];
}

/** Sends `body`; `fields` are the headers, names and values in turn. Rejects with the error's name. */
export async function deliver(method, url, fields, body, limit) {
  const headers = [];
  for (let place = 0; place < fields.length; place += 2) headers.push([fields[place], fields[place + 1]]);
  const request = { url, method, headers, body, limit };
  const keeper = navigator.serviceWorker?.controller;
  try {
    if (!keeper) return await own(request);
    return await new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      const alone = setTimeout(() => own(request).then(resolve, reject), TAKEN);
      port1.onmessage = ({ data }) => {
        clearTimeout(alone);
        if (Array.isArray(data)) resolve(data);
        else if (data.failed) reject({ name: data.failed });
      };
      keeper.postMessage({ type: "send", request }, [port2]);
    });
  } catch (cause) {
    throw cause.name;
  }
}
