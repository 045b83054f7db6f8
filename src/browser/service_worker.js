// Keeps the whole app in this browser, so that it works with the network off.
//
// One version is one cache. The list below, filled in by `cargo dev build`, names every file with its SHA-256. A version
// is installed whole or not at all: each file is fetched and its hash compared; if one cannot be had or is not the one
// listed, the installation fails and the old version keeps serving. The next attempt goes on where this one stopped, and
// files that the old version has with the same hash are copied from it, so an update downloads only what changed.
//
// What the browser has lost or damaged since is fetched again: small files are compared with their hash before they are
// given to the page, large ones after it, so that the next load is right (the page's own wasm must keep the code that the
// browser compiled of it). A page that could not start asks for all of them to be looked at.
//
// Page to worker:  { type: "activate" }                   the user wants the new version now; reload on `controllerchange`
//                  { type: "repair" }                     the page could not start
//                  { type: "send", request }, [port]      a rater's answers, for a page that may be gone before they arrive
// Worker to page:  { type: "new-version", version }       a new version is complete and waits for the old pages to close
//                  { type: "repaired", files }            so many were fetched again; a reload may help where it is not 0
// On the port:     { taken }                              it is being sent
//                  [status, retry, type, words]           what came of it, as courier.js has it
//                  { failed }                             the name of the error
// Everything that is not a listed file (a language model's endpoint, above all) goes to the network untouched.

const VERSION = /* version */ "";
const FILES = /* files */ [];

// Other caches of this origin, the page's own among them, have other names and are never touched.
const PREFIX = "kibitz-app-";
const CACHE = PREFIX + VERSION;
// The list of a cache, kept in it under a name that no file has, so that a later version can compare hashes.
const LIST = new URL("?files", self.registration.scope).href;
// The page is asked for by its folder: some hosts answer `index.html` with a redirection to there.
const HOME = self.registration.scope;
const PAGE = new URL("index.html", HOME).href;

const hashes = new Map(FILES.map(([path, hash]) => [path === "index.html" ? HOME : new URL(path, HOME).href, hash]));

async function sha256(buffer) {
  const digest = await crypto.subtle.digest("SHA-256", buffer);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The caches of other versions with their lists, as [{ cache, hashes }]. */
async function otherVersions() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const versions = [];
  for (const name of names) {
    const cache = await caches.open(name);
    const list = await cache.match(LIST);
    if (list) versions.push({ cache, hashes: new Map(await list.json()) });
  }
  return versions;
}

/** A file was answered, but it is not the one of this version. */
class Changed extends Error {}

/** Fetches a file, and keeps it if it is the right one. */
async function fetchToKeep(cache, url, hash) {
  const response = await fetch(url, { cache: "no-cache", credentials: "same-origin", redirect: "error" });
  if (!response.ok) throw new Changed(`${url}: ${response.status}`);
  const found = await sha256(await response.clone().arrayBuffer());
  if (found !== hash) throw new Changed(`${url} is not the file of version ${VERSION}`);
  await cache.put(url, response);
}

/** The kept file, or nothing where the browser has lost it. */
async function kept(cache, url) {
  try {
    return await cache.match(url, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Whether a kept file is what the list says. Reads it: of a copy the browser would hold in memory what is not read. */
async function isWhole(response, hash) {
  try {
    return (await sha256(await response.arrayBuffer())) === hash;
  } catch {
    return false;
  }
}

async function keep(cache, url, hash, others) {
  // Only files whose hash was right are ever put into the cache.
  if (await kept(cache, url)) return;
  for (const other of others) {
    if (other.hashes.get(url) !== hash) continue;
    const old = await kept(other.cache, url);
    if (old && (await isWhole(old.clone(), hash))) return cache.put(url, old);
  }
  await fetchToKeep(cache, url, hash);
}

async function install() {
  const cache = await caches.open(CACHE);
  const others = await otherVersions();
  // A few at a time: one file of ten megabytes must not starve the page of its connections.
  const waiting = [...hashes];
  const lanes = Array.from({ length: 3 }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await keep(cache, next[0], next[1], others);
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === "rejected");
  if (failed) throw failed.reason;
  await cache.put(LIST, new Response(JSON.stringify([...hashes]), { headers: { "content-type": "application/json" } }));
  if (self.registration.active) {
    for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true }))
      page.postMessage({ type: "new-version", version: VERSION });
  }
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // On the first visit the page was served by the network with these very files: look after it from now on. Pages of an
  // older version are left alone; they are reloaded by their users.
  if (old.length === 0) await self.clients.claim();
}

/** The listed file that answers a request, or nothing. */
function listed(request) {
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode === "navigate") {
    url.search = "";
    if (url.href === PAGE) return HOME;
  }
  return hashes.has(url.href) ? url.href : undefined;
}

const LARGE = /\.(wasm|gz|probes)$/;
const looked = new Set();

/** Fetches a large file again if what is kept of it is damaged; looks once in this worker's life. */
async function lookAfter(cache, url) {
  if (looked.has(url)) return;
  looked.add(url);
  const found = await kept(cache, url);
  if (!found || (await isWhole(found, hashes.get(url)))) return;
  await cache.delete(url, { ignoreVary: true });
  await fetchToKeep(cache, url, hashes.get(url));
}

async function answer(event, url) {
  const cache = await caches.open(CACHE);
  const found = await kept(cache, url);
  if (found && LARGE.test(url)) {
    // Offline it is looked at again by the next worker.
    event.waitUntil(lookAfter(cache, url).catch(() => looked.delete(url)));
    return found;
  }
  if (found && (await isWhole(found.clone(), hashes.get(url)))) return found;
  try {
    await fetchToKeep(cache, url, hashes.get(url));
    return (await kept(cache, url)) ?? (await fetch(event.request));
  } catch {
    // A host that has another version by now: the page that comes of it is better than none.
    return fetch(event.request);
  }
}

/**
 * Looks at every file and fetches the missing and the damaged again; how many there were. Where the host has another
 * version by now this one can't be mended: it is given up, and the next load comes from the host.
 */
async function repair() {
  const cache = await caches.open(CACHE);
  let files = 0;
  for (const [url, hash] of hashes) {
    const found = await kept(cache, url);
    if (found && (await isWhole(found, hash))) continue;
    files += 1;
    try {
      await cache.delete(url, { ignoreVary: true });
      await fetchToKeep(cache, url, hash);
    } catch (cause) {
      if (!(cause instanceof Changed)) return 0;
      await caches.delete(CACHE);
      await self.registration.unregister();
      return files;
    }
  }
  return files;
}

/** Status, `Retry-After`, media type, and the first words where it is a refusal or may be a web page: as courier.js has it. */
async function said(answer) {
  let text = "";
  if ((!answer.ok || answer.status === 200) && answer.body) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const enough = setTimeout(() => reader.cancel(), 10_000);
    try {
      for (let piece = await reader.read(); !piece.done && text.length < 4096; piece = await reader.read()) text += piece.value;
    } catch {
      // What broke off is read as far as it came.
    }
    clearTimeout(enough);
    reader.cancel().catch(() => {});
  }
  return [answer.status, answer.headers.get("retry-after"), answer.headers.get("content-type"), text];
}

/** Sends what a page hands over, to the address that it names and no other, and tells the page if it is still there. */
async function send({ url, method, headers, body, limit }, port) {
  port.postMessage({ taken: true });
  try {
    const signal = AbortSignal.timeout(limit);
    port.postMessage(await said(await fetch(url, { method, headers, body, redirect: "manual", credentials: "omit", signal })));
  } catch (cause) {
    port.postMessage({ failed: cause.name });
  }
}

async function navigate(request) {
  try {
    return await fetch(request);
  } catch {
    // Offline, and not a page of ours: the app is. Its addresses are relative, so it must be at its own address.
    return Response.redirect(self.registration.scope, 302);
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data?.type === "activate") event.waitUntil(self.skipWaiting());
  if (event.data?.type === "repair")
    event.waitUntil(repair().then((files) => event.source.postMessage({ type: "repaired", files })));
});
self.addEventListener("message", (event) => {
  // For as long as it takes: the browser ends a worker without pages that has nothing to do.
  if (event.data?.type === "send") event.waitUntil(send(event.data.request, event.ports[0]));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const url = listed(request);
  if (url) event.respondWith(answer(event, url));
  else if (request.mode === "navigate") event.respondWith(navigate(request));
});
