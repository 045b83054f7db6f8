// A real nginx as a study's collection endpoint, configured as docs/collection.md says: the block is read from there.
// It writes into a folder of its own below the system's temporary one, and logs method, path, status and key of every
// request.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./port.mjs";

const DOCS = new URL("../../docs/collection.md", import.meta.url);

/** `cargo dev test` names one in KIBITZ_NGINX where the machine has none of its own. (NGINX is a word of nginx itself.) */
const PROGRAM = [process.env.KIBITZ_NGINX, "/usr/sbin/nginx", "/usr/local/sbin/nginx"].filter(Boolean).find(existsSync);

/** Why tests with nginx cannot run here; undefined where they can. */
export function missing() {
  if (!PROGRAM) return "there is no nginx here: install Debian's nginx, or name the program in KIBITZ_NGINX";
  const { status, stderr } = spawnSync(PROGRAM, ["-V"], { encoding: "utf8" });
  if (status !== 0) return `${PROGRAM} does not start: ${stderr}`;
  return stderr.includes("http_dav_module") ? undefined : `${PROGRAM} has no DAV module`;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true) || socket.destroy());
    socket.once("error", () => resolve(false));
  });
}

/** Asks the process whose number stands in a file to end: it may do so, and take the file away, at any moment. */
function endBy(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    if (pid) process.kill(pid, "SIGTERM");
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error;
  }
}

/** The block of the documentation for another place and another origin. */
function block(path, folder, origin, changes = "") {
  const [, text] = readFileSync(DOCS, "utf8").match(/```nginx\n([\s\S]*?)```/);
  return text
    .replace("location /results/", `location ${path}`)
    .replace("root /srv;", `root ${folder};`)
    .replace("https://kibitz.example.org", origin)
    .replace(/client_max_body_size [^;]*;/, (line) => changes || line);
}

/** The documentation's block by which a researcher reads what raters have sent, on a port of its own. */
function listing(port, folder, origin) {
  const text = readFileSync(new URL("../../docs/analysis.md", import.meta.url), "utf8");
  const [, block] = text.match(/```nginx\n([\s\S]*?)```/);
  return block
    .replace("127.0.0.1:8081", `127.0.0.1:${port}`)
    .replace("root /srv;", `root ${folder};`)
    .replace("https://kibitz.example.org", origin);
}

export class Nginx {
  #folder;
  #port;
  #listing;

  /** Where answers can be sent, with a slash at the end. */
  address;

  /** Prepares one for pages of `origin`; nobody is at home before `start`. */
  static async prepare(origin) {
    const nginx = new Nginx();
    nginx.#folder = mkdtempSync(join(tmpdir(), "kibitz-nginx-"));
    nginx.#port = await freePort();
    nginx.address = `http://127.0.0.1:${nginx.#port}/`;
    nginx.#listing = await freePort();
    const folder = nginx.#folder;
    mkdirSync(join(folder, "srv"));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
    writeFileSync(
      join(folder, "nginx.conf"),
      `${process.getuid() === 0 ? "user root;" : ""}
      pid ${folder}/nginx.pid;
      error_log ${folder}/error.log;
      events { worker_connections 64; }
      http {
        ${temporary.join("\n")}
        log_format keys '$request_method $uri $status $http_idempotency_key';
        access_log ${folder}/access.log keys;
        ${listing(nginx.#listing, join(folder, "srv"), origin)}
        server {
          listen 127.0.0.1:${nginx.#port};
          ${block("/results/", join(folder, "srv"), origin)}
          ${block("/closed/", join(folder, "srv"), origin, "deny all;")}
          ${block("/small/", join(folder, "srv"), origin, "client_max_body_size 1k;")}
          ${block("/busy/", join(folder, "srv"), origin, "if ($request_method = PUT) { return 503; } add_header Retry-After 30 always;")}
        }
      }`,
    );
    return nginx;
  }

  /** Where the researcher reads the files of a study, with a slash at the end. */
  listed(study) {
    return `http://127.0.0.1:${this.#listing}/results/${study}/`;
  }

  /** Starts it; it listens when this returns, for nginx leaves its first process only then. */
  start() {
    const { status, stderr } = spawnSync(PROGRAM, ["-p", this.#folder, "-e", join(this.#folder, "error.log"), "-c", join(this.#folder, "nginx.conf")], { encoding: "utf8" });
    if (status !== 0) throw new Error(`nginx did not start: ${stderr}`);
  }

  /** Ends it, and waits until nobody is at home. */
  async stop() {
    const file = join(this.#folder, "nginx.pid");
    // It writes its number only after its first process has gone, and takes it away when it ends.
    while (await answers(this.#port)) {
      endBy(file);
    }
  }

  /** Ends it and takes its folder away. */
  async remove() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The files that were put there, by their paths. */
  files() {
    const top = join(this.#folder, "srv");
    const found = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      found.map((entry) => {
        const path = join(entry.parentPath ?? entry.path, entry.name);
        return [path.slice(top.length + 1), readFileSync(path, "utf8")];
      }),
    );
  }

  /** The requests so far, without the questions whether they may be made. */
  requests() {
    const log = join(this.#folder, "access.log");
    if (!existsSync(log)) return [];
    const lines = readFileSync(log, "utf8").trim().split("\n").filter(Boolean);
    return lines
      .map((line) => line.split(" "))
      .map(([method, path, status, key]) => ({ method, path, status: Number(status), key }))
      .filter((request) => request.method !== "OPTIONS");
  }
}
