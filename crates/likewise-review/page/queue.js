// The rows ahead, fetched before they are needed, so that marking never waits.

import { get, headers } from "./api.js";

const AHEAD = 5;

/// What a tab that is closed had before it goes back at once, and not after minutes.
addEventListener("pagehide", () => fetch("/api/next?n=0", { headers: headers(), keepalive: true }).catch(() => {}));

export class Queue {
  rows = [];
  mode = "auto";
  /// Rows that other tabs look at, and those that this one was given last.
  held = 0;
  given = 0;
  /// A row that was looked up, and does not come from the queue.
  opened = null;
  /// Marked here, each time with another number: an answer that was under way may still hold them.
  #marked = new Map();
  /// Of these, the marks that the server knows.
  #settled = [];
  #count = 0;
  #fetching = null;
  #again = false;

  get current() {
    return this.rows[0] ?? null;
  }

  get isAsking() {
    return this.#fetching !== null;
  }

  get isOpened() {
    return this.current !== null && this.current.row === this.opened;
  }

  /// Drops rows that were marked here or elsewhere; true if the one on show was among them.
  drop(rows) {
    const shown = this.current?.row;
    this.rows = this.rows.filter((row) => !rows.includes(row.row));
    return shown !== undefined && rows.includes(shown);
  }

  /// A row that was marked is not shown again before the server knows of it.
  mark(row) {
    this.#marked.set(row, (this.#count += 1));
    this.drop([row]);
    this.opened = null;
  }

  /// The server knows of the marks of these rows: what is asked from now on takes them into account.
  settle(rows) {
    this.#settled.push(...rows.map((row) => [row, this.#marked.get(row)]));
  }

  /// Puts a row before all others.
  show(row) {
    this.#marked.delete(row.row);
    this.rows = [row, ...this.rows.filter((other) => other.row !== row.row)];
  }

  /// Rows of the newest ranking behind the one on show. One request at a time; a wish that comes meanwhile is met after.
  refill() {
    this.#again = true;
    this.#fetching ??= this.#fetchAll().finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #fetchAll() {
    while (this.#again) {
      this.#again = false;
      await this.#fetch();
    }
  }

  async #fetch() {
    const settled = this.#settled.splice(0);
    const [keep, mode] = [this.rows.slice(0, 2).map((row) => row.row), this.mode];
    let found = null;
    try {
      found = await get(`next?n=${AHEAD}&mode=${mode}&keep=${keep.join(",")}`);
    } catch (error) {
      this.#settled.push(...settled);
      throw error;
    }
    for (const [row, mark] of settled) {
      if (this.#marked.get(row) === mark) this.#marked.delete(row);
    }
    [this.held, this.given] = [found.held, found.rows.length];
    // Whoever chose another mode has asked again.
    if (this.mode !== mode) return;
    // The reader has gone on meanwhile: what is shown stays, be it one that was taken back or searched for since, and
    // what was marked does not come back.
    const kept = this.rows.filter((row, at) => at === 0 || keep.includes(row.row));
    const fresh = found.rows.filter((row) => !this.#marked.has(row.row) && !kept.some((other) => other.row === row.row));
    this.rows = [...kept, ...fresh];
  }
}
