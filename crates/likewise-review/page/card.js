// The row on show: text, columns, reasons, note and tags.

import { get, put } from "./api.js";
import { write } from "./words.js";

const of = (id) => document.getElementById(id);
const REASONS = 8;

export class Card {
  row = null;
  shownAt = 0;
  #words = localStorage.getItem("words") !== "off";
  #changed = false;

  constructor(say) {
    this.say = say;
    for (const id of ["note", "tags"]) {
      of(id).addEventListener("input", () => (this.#changed = true));
      of(id).addEventListener("change", () => this.keepNote());
    }
  }

  get words() {
    return this.#words;
  }

  set words(on) {
    this.#words = on;
    localStorage.setItem("words", on ? "on" : "off");
    if (this.row) this.#writeTexts();
  }

  /// Shows the row, or why there is none.
  show(row, nothing) {
    if (this.row && row && this.row.row === row.row) {
      const same = JSON.stringify(this.row.why) === JSON.stringify(row.why);
      this.row = { ...row, note: this.row.note, tags: this.row.tags };
      if (!same) this.#writeTexts();
      this.#writeReasons();
      return;
    }
    this.keepNote();
    this.row = row;
    this.shownAt = performance.now();
    for (const id of ["no", "unsure", "yes"]) of(id).disabled = !row;
    of("note").disabled = of("tags").disabled = !row;
    if (!row) {
      of("place").textContent = nothing;
      for (const id of ["text", "columns", "why", "badges"]) of(id).replaceChildren();
      of("note").value = of("tags").value = "";
      return;
    }
    of("place").textContent = `Row ${row.id}`;
    this.#writeBadges();
    this.#writeTexts();
    this.#writeColumns();
    this.#writeReasons();
    of("note").value = row.note;
    of("tags").value = row.tags.join(", ");
    of("text").scrollTop = 0;
    of("card").scrollTop = 0;
  }

  #writeBadges() {
    const badges = [];
    const add = (text, name) => {
      const badge = document.createElement("span");
      badge.className = `badge ${name}`;
      badge.textContent = text;
      badges.push(badge);
      return badge;
    };
    if (this.row.verdict) add(`marked ${this.row.verdict}`, this.row.verdict);
    if (this.row.kind === "random") add("random check", "check");
    if (this.row.kind === "best") add("next best", "");
    if (this.row.score !== null) add(`score ${this.row.score.toFixed(2)}`, "");
    if (this.row.copies > 0) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "badge copies";
      button.textContent = `${this.row.copies + 1} alike`;
      button.title = "Rows that say the same are read once, and marked together. Show which.";
      const row = this.row.row;
      button.addEventListener("click", async () => {
        const ids = await get(`rows/${row}/copies`);
        this.say(`Marked together with it: ${ids.join(", ")}${ids.length < this.row.copies ? ", …" : ""}`);
      });
      badges.push(button);
    }
    of("badges").replaceChildren(...badges);
  }

  #writeTexts() {
    const parts = this.row.text.map(([name, text]) => {
      const part = document.createElement("div");
      part.className = "part";
      if (this.row.text.length > 1) {
        const title = document.createElement("h3");
        title.textContent = name;
        part.append(title);
      }
      const body = document.createElement("div");
      write(body, text, this.#words ? this.row.why : []);
      part.append(body);
      return part;
    });
    of("text").replaceChildren(...parts);
  }

  #writeColumns() {
    // Title and abstract of a reference stand in its text, and its record holds them all once more.
    const said = new Set(this.row.text.flatMap(([, text]) => text.split("\n")));
    const other = ([name, text]) => !said.has(text) && !(name === "record" && text.startsWith("TY  - "));
    const cells = this.row.columns.filter(other).flatMap(([name, text]) => {
      const group = document.createElement("div");
      const term = document.createElement("dt");
      const cell = document.createElement("dd");
      term.textContent = name;
      cell.textContent = text.length > 500 ? `${text.slice(0, 500)} …` : text;
      cell.dir = "auto";
      group.append(term, cell);
      return [group];
    });
    of("columns").replaceChildren(...cells);
  }

  #writeReasons() {
    const strongest = Math.abs(this.row.why?.[0]?.[1] ?? 0);
    const digits = strongest < 0.1 ? 3 : 2;
    const told = (this.row.why ?? []).slice(0, REASONS).filter(([, weight]) => Math.abs(weight) >= Math.max(0.05 * strongest, 0.0005));
    const reasons = told.map(([term, weight]) => {
      const reason = document.createElement("span");
      reason.className = `reason ${weight > 0 ? "for" : "against"}`;
      const amount = document.createElement("b");
      amount.textContent = `${weight > 0 ? "+" : "−"}${Math.abs(weight).toFixed(digits)}`;
      // A word of the other direction must not carry the number away.
      const word = document.createElement("bdi");
      word.textContent = term;
      reason.append(word, " ", amount);
      return reason;
    });
    of("why").replaceChildren(...(reasons.length > 0 ? ["why: ", ...reasons] : []));
  }

  keepNote() {
    if (!this.row || !this.#changed) return;
    this.#changed = false;
    const tags = of("tags").value.split(",").map((tag) => tag.trim()).filter(Boolean);
    const text = of("note").value;
    Object.assign(this.row, { note: text, tags });
    put(`rows/${this.row.row}/note`, { text, tags }).catch((error) => this.say(`The note is not kept: ${error.message}`));
  }
}
