// What was marked or written and is not yet known to be kept. The same key sent twice is one mark.

import { Refused, deliver, isElsewhere } from "./api.js";

/// What waits longer than this is said to wait.
const SLOW = 3000;
const HANDED = "#waiting=";

/// Oldest first, each project's by itself; it outlives a reload, and a server that was started anew at another address.
export class Outbox extends EventTarget {
  #waiting = [];
  #project = null;
  #sending = null;
  #stuck = false;

  get size() {
    return this.#waiting.length;
  }

  /// Whether something waits that the server should have long had.
  get isStuck() {
    return this.size > 0 && this.#stuck;
  }

  /// Takes up what waits for this project, here or handed over by a page of another address. Says how much is left that
  /// waits for another one.
  open(project) {
    this.#project = project;
    this.#waiting = stored(project);
    if (!location.hash.startsWith(HANDED)) return 0;
    const handed = JSON.parse(decodeURIComponent(location.hash.slice(HANDED.length)));
    window.history.replaceState(null, "", location.pathname + location.search);
    if (handed.project !== project) {
      keep(handed.project, handed.waiting);
      return handed.waiting.length;
    }
    this.#waiting.push(...handed.waiting);
    this.#keep();
    return 0;
  }

  /// That address with all that waits, for the page there to take up.
  handOver(address) {
    const handed = { project: this.#project, waiting: this.#waiting };
    const place = new URL(address);
    place.hash = this.size > 0 ? HANDED + encodeURIComponent(JSON.stringify(handed)) : "";
    return place.href;
  }

  send(method, path, body) {
    // A note that is on its way already cannot be changed; one that waits can.
    const later = method === "PUT" && this.#waiting.findIndex((item, at) => at > 0 && item.path === path);
    if (later > 0) this.#waiting[later].body = body;
    else this.#waiting.push({ method, path, body });
    this.#keep();
    return this.flush();
  }

  /// Resolves when nothing is waiting any more.
  flush() {
    this.#sending ??= this.#deliver().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #deliver() {
    for (let pause = 250; this.size > 0; ) {
      const item = this.#waiting[0];
      const slow = setTimeout(() => this.#wait(new Error("the server is slow to answer")), SLOW);
      try {
        const answer = await deliver(item);
        this.#done("kept", { item, answer });
        pause = 250;
      } catch (error) {
        if (error instanceof Refused && error.status < 500 && !isElsewhere(error)) {
          this.#done("refused", { item, error });
          continue;
        }
        this.#wait(error);
        await new Promise((go) => setTimeout(go, pause));
        pause = Math.min(pause * 2, 5000);
      } finally {
        clearTimeout(slow);
      }
    }
  }

  #wait(error) {
    this.#stuck = true;
    this.#tell("waiting", error);
  }

  #done(name, detail) {
    this.#waiting.shift();
    this.#stuck = false;
    this.#keep();
    this.#tell(name, detail);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #keep() {
    keep(this.#project, this.#waiting);
  }
}

const stored = (project) => JSON.parse(sessionStorage.getItem(`outbox ${project}`) ?? "[]");

function keep(project, waiting) {
  sessionStorage.setItem(`outbox ${project}`, JSON.stringify(waiting));
}
