// Talks to the server. A mark is sent until it is answered; the same key sent twice is one mark.

// The tab's name rests in the storage only between two pages of the same tab: a duplicate must not have it.
const tab = sessionStorage.getItem("tab") ?? crypto.randomUUID();
sessionStorage.removeItem("tab");
addEventListener("pagehide", () => sessionStorage.setItem("tab", tab));
addEventListener("pageshow", () => sessionStorage.removeItem("tab"));

export class Refused extends Error {
  constructor(status, body) {
    super(body.error ?? `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

export const myTab = tab;
export const newKey = () => crypto.randomUUID();

async function ask(method, path, body) {
  const headers = { "x-tab": tab };
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(`/api/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
export const put = (path, body) => ask("PUT", path, body);

/// What was marked and is not yet known to be kept, oldest first. It outlives a reload.
export class Outbox extends EventTarget {
  #waiting = JSON.parse(sessionStorage.getItem("outbox") ?? "[]");
  #sending = null;

  get size() {
    return this.#waiting.length;
  }

  send(path, body) {
    this.#waiting.push({ path, body });
    this.#keep();
    return this.flush();
  }

  /// Resolves when nothing is waiting any more.
  flush() {
    this.#sending ??= this.#deliver().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #deliver() {
    for (let pause = 250; this.#waiting.length > 0; ) {
      const { path, body } = this.#waiting[0];
      try {
        const answer = await post(path, body);
        this.#done("kept", { ...answer, marks: body.marks });
        pause = 250;
      } catch (error) {
        if (error instanceof Refused && error.status !== 500) {
          this.#done("refused", error);
          continue;
        }
        this.dispatchEvent(new CustomEvent("waiting", { detail: error }));
        await new Promise((go) => setTimeout(go, pause));
        pause = Math.min(pause * 2, 5000);
      }
    }
  }

  #done(name, detail) {
    this.#waiting.shift();
    this.#keep();
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #keep() {
    sessionStorage.setItem("outbox", JSON.stringify(this.#waiting));
  }
}
