// The row on show: text, columns, reasons, note and tags.

import { get } from "./api.js";
import { change, preferences } from "./preferences.js";
import { write } from "./words.js";

const of = (id) => document.getElementById(id);
const REASONS = 8;
/// Letters of a cell that are shown at first, and of a text that are read out.
const BEGINNING = 500;

export class Card {
  row = null;
  shownAt = 0;
  #changed = false;

  /// `keep(row, note)` is given what was written.
  constructor(say, keep) {
    this.say = say;
    this.keep = keep;
    addEventListener("pagehide", () => this.keepNote());
    for (const id of ["note", "tags"]) {
      of(id).addEventListener("input", () => (this.#changed = true));
      of(id).addEventListener("change", () => this.keepNote());
    }
  }

  /// Whether somebody is writing about the row, who must not lose it.
  get isBusy() {
    return this.#changed || ["note", "tags"].includes(document.activeElement?.id);
  }

  get words() {
    return preferences().words;
  }

  set words(on) {
    change({ words: on });
    if (this.row) this.#writeTexts();
  }

  /// Shows the row, or why there is none.
  show(row, nothing, opened) {
    of("back").hidden = !opened;
    if (this.row && row && this.row.row === row.row) {
      const same = JSON.stringify(this.row.why) === JSON.stringify(row.why);
      this.row = { ...row, note: this.row.note, tags: this.row.tags };
      if (!same) this.#writeTexts();
      this.#writeReasons();
      this.#writeBadges();
      this.#writeOthers();
      return;
    }
    this.keepNote();
    this.row = row;
    this.shownAt = performance.now();
    // A button that cannot be pressed any more must not take the focus with it.
    if (!row && document.activeElement?.closest("#actions, .note")) of("card").focus();
    for (const id of ["no", "unsure", "yes"]) of(id).disabled = !row;
    of("note").disabled = of("tags").disabled = !row;
    if (!row) {
      of("place").textContent = nothing;
      of("announced").textContent = nothing;
      for (const id of ["text", "columns", "why", "badges", "others"]) of(id).replaceChildren();
      of("note").value = of("tags").value = "";
      return;
    }
    of("place").textContent = `Row ${row.id}`;
    this.#writeBadges();
    this.#writeTexts();
    this.#writeColumns();
    this.#writeReasons();
    this.#writeOthers();
    const read = row.text.map(([, text]) => text).join(" ");
    of("announced").textContent = `Row ${row.id}. ${read.slice(0, BEGINNING)}`;
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
        try {
          const ids = await get(`rows/${row}/copies`);
          this.say(`Marked together with it: ${ids.join(", ")}${ids.length < this.row.copies ? ", …" : ""}`);
        } catch (error) {
          this.say(error.message);
        }
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
      write(body, text, this.words ? this.row.why : []);
      part.append(body);
      return part;
    });
    of("text").replaceChildren(...parts);
  }

  #writeColumns() {
    // Title and abstract of a reference stand in its text, and its record holds them all once more.
    const isRecord = ([name, text]) => name === "record" && text.startsWith("TY  - ");
    const said = new Set(this.row.columns.some(isRecord) ? this.row.text.flatMap(([, text]) => text.split("\n")) : []);
    const other = (cell) => !said.has(cell[1]) && !isRecord(cell);
    const cells = this.row.columns.filter(other).flatMap(([name, text]) => {
      const group = document.createElement("div");
      const term = document.createElement("dt");
      const cell = document.createElement("dd");
      term.textContent = name;
      cell.dir = "auto";
      cell.textContent = text;
      if (text.length > BEGINNING) {
        const all = document.createElement("button");
        all.type = "button";
        all.className = "quiet";
        all.textContent = `… all of ${name}`;
        all.addEventListener("click", () => {
          cell.textContent = text;
          of("cells").focus();
        });
        cell.replaceChildren(text.slice(0, BEGINNING), all);
      }
      group.append(term, cell);
      return [group];
    });
    of("columns").replaceChildren(...cells);
  }

  /// What others wrote of it.
  #writeOthers() {
    const notes = this.row.others.map((said) => {
      const [line, name] = [document.createElement("p"), document.createElement("b")];
      name.textContent = said.by;
      const tags = said.tags.length > 0 ? ` [${said.tags.join(", ")}]` : "";
      line.append(name, `: ${said.text}${tags}`);
      line.dir = "auto";
      return line;
    });
    of("others").replaceChildren(...notes);
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
    this.keep(this.row.row, { text, tags });
  }
}
