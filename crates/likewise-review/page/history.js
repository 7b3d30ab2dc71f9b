// The marks so far, newest first; one that is chosen is shown again and can be changed.

import { get } from "./api.js";

const LETTER = { yes: "y", no: "n", unsure: "?" };

export class History {
  #list = document.getElementById("history");
  #soon = null;

  constructor(open) {
    this.open = open;
  }

  /// Many marks in a row are drawn once.
  refresh() {
    this.#soon ??= setTimeout(async () => {
      this.#soon = null;
      try {
        this.#draw(await get("history"));
      } catch {
        this.#list.replaceChildren();
      }
    }, 150);
  }

  #draw(marks) {
    const items = marks.map((mark) => {
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
    this.#list.replaceChildren(...items);
  }
}
