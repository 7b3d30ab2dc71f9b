// Search, examples, export, settings: what opens over the page.

import { get, post } from "./api.js";

const of = (id) => document.getElementById(id);

export function open(name) {
  const dialog = of(`${name}-dialog`);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input:not([type=file]):not([type=checkbox]), textarea")?.focus();
}

export function search(openRow) {
  let soon = null;
  let asked = 0;
  const look = async () => {
    const mine = ++asked;
    const found = await get(`search?q=${encodeURIComponent(of("query").value)}`).catch(() => []);
    if (mine !== asked) return;
    of("search-count").textContent = of("query").value.trim() === "" ? "" : found.length === 50 ? "The 50 best matches" : `${found.length} rows`;
    const items = found.map((row) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      const [id, text] = [document.createElement("b"), document.createElement("span")];
      id.textContent = `${row.id}${row.verdict ? ` · ${row.verdict}` : ""}`;
      text.textContent = row.text;
      text.dir = "auto";
      button.append(id, text);
      button.addEventListener("click", () => {
        of("search-dialog").close();
        openRow(row.row);
      });
      item.append(button);
      return item;
    });
    of("results").replaceChildren(...items);
  };
  of("query").addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(look, 120);
  });
}

export function examples(added) {
  const say = (text) => (of("examples-said").textContent = text);
  const add = async (body) => {
    try {
      const answer = await post("examples", body);
      say(`${answer.added} added; the next ranking knows them.`);
      added();
      return true;
    } catch (error) {
      say(error.message);
      return false;
    }
  };
  of("add-example").addEventListener("click", async () => {
    if (await add({ texts: [of("example").value] })) of("example").value = "";
  });
  of("example-file").addEventListener("change", async () => {
    const [file] = of("example-file").files;
    if (file) await add({ name: file.name, content: await file.text() });
    of("example-file").value = "";
  });
}

export function exports(format) {
  const forms = ["csv", "jsonl", "parquet", ...(format === "ris" ? ["ris"] : [])];
  const whats = [["yes", "The rows marked yes"], ["all", "All rows with their marks"], ["log", "Every mark, in order"]];
  const rows = whats.map(([what, title]) => {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = title;
    const cell = document.createElement("td");
    for (const form of forms.filter((form) => what !== "log" || form !== "ris")) {
      const link = document.createElement("a");
      link.className = "button";
      link.href = `/api/export?what=${what}&as=${form}`;
      link.download = "";
      link.textContent = form.toUpperCase();
      link.setAttribute("aria-label", `${title} as ${form.toUpperCase()}`);
      cell.append(link, " ");
    }
    row.append(name, cell);
    return row;
  });
  document.querySelector("#exports tbody").replaceChildren(...rows);
}

export function settings(card, panel, changed) {
  const theme = localStorage.getItem("theme") ?? "";
  const paint = (name) => (name ? (document.documentElement.dataset.theme = name) : delete document.documentElement.dataset.theme);
  paint(theme);
  of("theme").value = theme;
  of("theme").addEventListener("change", () => {
    localStorage.setItem("theme", of("theme").value);
    paint(of("theme").value);
  });
  of("show-words").addEventListener("change", () => (card.words = of("show-words").checked));
  of("show-checks").addEventListener("change", async () => {
    await panel.set({ show_checks: of("show-checks").checked });
    changed();
  });
  of("next").addEventListener("change", async () => {
    await panel.set({ next: of("next").value });
    changed();
  });
  of("open-settings").addEventListener("click", () => {
    of("next").value = panel.settings?.next ?? "best";
    of("show-words").checked = card.words;
    of("show-checks").checked = panel.settings?.show_checks ?? false;
    open("settings");
  });
}
