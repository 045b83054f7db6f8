// A server of a researcher's: hands out a study, takes answers as late as it likes, and plays the recruiting site that
// raters come back to.

import { createServer } from "node:http";

export class StudyHost {
  #server;
  #study = "";
  /** Milliseconds before an answer is taken. */
  delay = 0;
  /** What is answered instead of taking anything: status, media type, text. */
  refusal;
  /** Answers are not taken before this is settled. */
  gate = Promise.resolve();
  /** Whether anybody may send is not answered before this is settled: until then a browser holds the answers back. */
  door = Promise.resolve();
  /** Called when somebody asks whether to send. */
  onKnock = () => {};
  /** The sets of answers that have arrived, in their order. */
  received = [];
  #waiting = [];
  #leave;
  /** Settled when the page that fetches `/alive` is gone, with all that it was fetching itself. */
  gone = new Promise((resolve) => (this.#leave = resolve));

  static async open() {
    const host = new StudyHost();
    host.#server = createServer((request, response) => host.#answer(request, response));
    await new Promise((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get address() {
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  /** The study that is handed out. */
  offer(study) {
    this.#study = JSON.stringify(study);
  }

  /** Waits until so many sets have arrived. */
  arrived(count) {
    return new Promise((resolve) => {
      this.#waiting.push([count, resolve]);
      this.#tell();
    });
  }

  #tell() {
    for (const [count, resolve] of this.#waiting) if (this.received.length >= count) resolve();
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, this.address);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.setHeader("access-control-allow-methods", "GET, PUT, OPTIONS");
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    if (request.method === "OPTIONS") {
      this.onKnock();
      await this.door;
      response.writeHead(204).end();
    } else if (request.method === "PUT") {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      await new Promise((resolve) => setTimeout(resolve, this.delay));
      await this.gate;
      if (this.refusal) {
        const [status, type, text] = this.refusal;
        return response.writeHead(status, { "content-type": type }).end(text);
      }
      this.received.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      this.#tell();
      response.writeHead(201).end();
    } else if (pathname === "/study.json") {
      response.writeHead(200, { "content-type": "application/json" }).end(this.#study);
    } else if (pathname === "/alive") {
      // Without an end of its own: it ends with the page.
      response.once("close", this.#leave).writeHead(200).flushHeaders();
    } else if (pathname === "/complete") {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Back</title><h1>Welcome back</h1>");
    } else if (pathname === "/favicon.ico") {
      response.writeHead(204).end();
    } else {
      response.writeHead(404).end();
    }
  }
}
