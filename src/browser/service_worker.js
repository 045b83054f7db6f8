// Keeps the whole app in this browser, so that it works with the network off.
//
// One version is one cache. The list below, filled in by `cargo dev build`, names every file with its SHA-256. A version
// is installed whole or not at all: each file is fetched and its hash compared; if one cannot be had or is not the one
// listed, the installation fails and the old version keeps serving. The next attempt goes on where this one stopped, and
// files that the old version has with the same hash are copied from it, so an update downloads only what changed.
//
// Page to worker:  { type: "activate" }                   the user wants the new version now; reload on `controllerchange`
// Worker to page:  { type: "new-version", version }       a new version is complete and waits for the old pages to close
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

async function keep(cache, url, hash, others) {
  // Only files whose hash was right are ever put into the cache, so what is there is right.
  if (await cache.match(url, { ignoreVary: true })) return;
  for (const other of others) {
    if (other.hashes.get(url) !== hash) continue;
    const kept = await other.cache.match(url, { ignoreVary: true });
    if (kept) return cache.put(url, kept);
  }
  const response = await fetch(url, { cache: "no-cache", credentials: "same-origin", redirect: "error" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const found = await sha256(await response.clone().arrayBuffer());
  if (found !== hash) throw new Error(`${url} is not the file of version ${VERSION}`);
  await cache.put(url, response);
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

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  // A browser may empty a cache under pressure; then the network is the better answer than none.
  return (await cache.match(url, { ignoreVary: true })) ?? fetch(request);
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
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const url = listed(request);
  if (url) event.respondWith(answer(request, url));
  else if (request.mode === "navigate") event.respondWith(navigate(request));
});
