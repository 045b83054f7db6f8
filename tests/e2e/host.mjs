// A static host of our own: serves a built app as `dist/_headers` says, and lets a test deploy another version of it.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, relative } from "node:path";

const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  png: "image/png",
};

function read(folder) {
  const files = new Map();
  const walk = (place) => {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (statSync(path).isDirectory()) walk(path);
      else files.set(relative(folder, path), readFileSync(path));
    }
  };
  walk(folder);
  return files;
}

/** The headers for all paths: the first block of `_headers`. */
function always(text) {
  const lines = text.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("  "));
  return lines.slice(0, end).map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}

export class Host {
  #files;
  #headers;
  #server;
  #prefix;

  /** Where the app is; stays known after `close`. */
  address;

  /** Serves `dist/` below `prefix` (such as `/kibitz/`). */
  static async open(prefix = "/", folder = new URL("../../dist", import.meta.url).pathname) {
    const host = new Host();
    host.#files = read(folder);
    host.#headers = always(String(host.#files.get("_headers")));
    host.#prefix = prefix;
    host.#server = createServer((request, response) => host.#answer(request, response));
    await new Promise((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    host.address = `http://127.0.0.1:${host.#server.address().port}${prefix}`;
    return host;
  }

  /** Replaces a file without telling the service worker's list: a broken deployment. */
  replace(path, text) {
    this.#files.set(path, Buffer.from(text));
  }

  file(path) {
    return String(this.#files.get(path));
  }

  /** Writes the list of sw.js anew for `path` and gives it another version, as a new build would. */
  release(path, version) {
    const hash = createHash("sha256").update(this.#files.get(path)).digest("hex");
    let script = this.file("sw.js");
    const entry = new RegExp(`("${path.replaceAll(".", "\\.")}",\\s+")[0-9a-f]{64}`);
    script = script.replace(entry, `$1${hash}`).replace(/const VERSION = ".*"/, `const VERSION = "${version}"`);
    this.#files.set("sw.js", Buffer.from(script));
  }

  /** From now on nobody is at home. */
  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request, response) {
    const path = new URL(request.url, "http://host").pathname;
    const name = path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) || "index.html" : undefined;
    const body = name && this.#files.get(name);
    const headers = [...this.#headers, ["Cache-Control", "no-cache"]];
    if (!body) return response.writeHead(404, headers.flat()).end("nothing here\n");
    headers.push(["Content-Type", TYPES[name.split(".").pop()] ?? "application/octet-stream"]);
    response.writeHead(200, headers.flat()).end(body);
  }
}
