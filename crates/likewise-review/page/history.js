// The marks so far, newest first; one that is chosen is shown again and can be changed.

import { get } from "./api.js";

const LETTER = { yes: "y", no: "n", unsure: "?" };

/// How many the server gives at once.
const PAGE = 50;
/// Drawn anew with each mark.
const MOST = 500;

export class History {
  #list = document.getElementById("history");
  #soon = null;
  #marks = [];
  #more = false;
  #asked = false;

  constructor(open, say) {
    this.open = open;
    this.say = say;
  }

  /// Many marks in a row are drawn once. Older ones that were asked for stay.
  refresh() {
    this.#soon ??= setTimeout(async () => {
      this.#soon = null;
      try {
        const newest = await get("history");
        const rows = new Set(newest.map((mark) => mark.row));
        const last = newest.at(-1)?.seq ?? 0;
        const older = this.#asked ? this.#marks.filter((mark) => mark.seq < last && !rows.has(mark.row)) : [];
        if (older.length === 0) this.#more = newest.length === PAGE;
        if (newest.length + older.length > MOST) this.#more = true;
        this.#marks = [...newest, ...older].slice(0, MOST);
        this.#draw();
      } catch {
        // What is shown stays; the next mark asks again.
      }
    }, 150);
  }

  async #older() {
    this.#asked = true;
    try {
      const older = await get(`history?before=${this.#marks.at(-1).seq}`);
      this.#more = older.length === PAGE;
      const first = this.#marks.length;
      this.#marks.push(...older);
      this.#draw();
      this.#list.children[first]?.firstElementChild.focus();
    } catch (error) {
      this.say(`Older marks cannot be had: ${error.message}`);
    }
  }

  #draw() {
    const items = this.#marks.map((mark) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = mark.verdict ?? "undone";
      const letter = document.createElement("b");
      letter.textContent = LETTER[mark.verdict] ?? "–";
      button.append(letter, ` ${mark.id}${mark.random ? " (random)" : ""}`);
      button.title = mark.text;
      // What is spoken begins with what is seen, so that whoever speaks to the page can name it.
      const seen = button.textContent;
      button.setAttribute("aria-label", `${seen}: row ${mark.id}, ${mark.verdict ?? "undone"}, by ${mark.by}. Show it again`);
      button.addEventListener("click", () => this.open(mark.row));
      item.append(button);
      return item;
    });
    if (this.#more) {
      const [item, button] = [document.createElement("li"), document.createElement("button")];
      button.type = "button";
      button.textContent = "older …";
      button.addEventListener("click", () => this.#older());
      item.append(button);
      items.push(item);
    }
    this.#list.replaceChildren(...items);
  }
}
