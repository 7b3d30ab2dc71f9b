// The rows ahead, fetched before they are needed, so that marking never waits.

import { get, myTab } from "./api.js";

const AHEAD = 5;

/// What a tab that is closed had before it goes back at once, and not after minutes.
addEventListener("pagehide", () => fetch("/api/next?n=0", { headers: { "x-tab": myTab }, keepalive: true }).catch(() => {}));

export class Queue {
  rows = [];
  mode = "auto";
  #fetching = null;
  #again = false;

  get current() {
    return this.rows[0] ?? null;
  }

  /// Drops rows that were marked here or elsewhere; true if the one on show was among them.
  drop(rows) {
    const shown = this.current?.row;
    this.rows = this.rows.filter((row) => !rows.includes(row.row));
    return shown !== undefined && rows.includes(shown);
  }

  /// Puts a row before all others.
  show(row) {
    this.rows = [row, ...this.rows.filter((other) => other.row !== row.row)];
  }

  /// Rows of the newest ranking behind the one on show. One request at a time; a wish that comes meanwhile is met after.
  refill(marked) {
    this.#again = true;
    this.#fetching ??= this.#fetchAll(marked).finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #fetchAll(marked) {
    while (this.#again) {
      this.#again = false;
      await this.#fetch(marked);
    }
  }

  async #fetch(marked) {
    const [keep, mode] = [this.rows.slice(0, 2).map((row) => row.row), this.mode];
    const found = await get(`next?n=${AHEAD}&mode=${mode}&keep=${keep.join(",")}`);
    // Whoever chose another mode has asked again.
    if (this.mode !== mode) return;
    // The reader has gone on meanwhile: what is shown stays, be it one that was taken back or searched for since, and
    // what was marked does not come back.
    const kept = this.rows.filter((row, at) => at === 0 || keep.includes(row.row));
    const fresh = found.rows.filter((row) => !marked.has(row.row) && !kept.some((other) => other.row === row.row));
    this.rows = [...kept, ...fresh];
  }
}
