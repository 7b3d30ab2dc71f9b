// Search, examples, export, settings: what opens over the page.

import { get, postFile } from "./api.js";
import { download } from "./download.js";
import { many } from "./figures.js";
import { change, preferences } from "./preferences.js";

const of = (id) => document.getElementById(id);
/// How many the server gives.
const MOST = 50;

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
    const query = of("query").value.trim();
    let [found, said] = [{ rows: [], complete: true }, ""];
    try {
      if (query !== "") found = await get(`search?q=${encodeURIComponent(query)}`);
      const { length } = found.rows;
      said = query === "" ? "" : length === MOST ? `The ${MOST} best matches` : many(length, "row");
      if (!found.complete) said += ". Not all rows could be looked through in time: there may be more.";
    } catch (error) {
      said = `No answer: ${error.message}`;
    }
    if (mine !== asked) return;
    of("search-count").textContent = said;
    const items = found.rows.map((row) => {
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
      const answer = await postFile("examples", body);
      say(answer.added === 0 ? "Known already; nothing was added." : `${many(answer.added, "example")} added; the next ranking knows ${answer.added === 1 ? "it" : "them"}. Undo takes ${answer.added === 1 ? "it" : "them"} back.`);
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

export function exports(format, say) {
  for (const link of document.querySelectorAll("#export-dialog a.button")) link.addEventListener("click", (event) => taken(event, say));
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
      link.addEventListener("click", (event) => taken(event, say));
      link.setAttribute("aria-label", `${title} as ${form.toUpperCase()}`);
      cell.append(link, " ");
    }
    row.append(name, cell);
    return row;
  });
  document.querySelector("#exports tbody").replaceChildren(...rows);
}

async function taken(event, say) {
  event.preventDefault();
  const link = event.currentTarget;
  const path = link.getAttribute("href").slice("/api/".length);
  const said = (text) => {
    of("export-said").textContent = text;
    say(text);
  };
  of("export-said").textContent = path === "model" ? "Learning from your marks …" : "Writing …";
  await download(path, said);
}

function paint() {
  const { theme } = preferences();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export function settings(card, panel, changed) {
  paint();
  of("theme").addEventListener("change", () => {
    change({ theme: of("theme").value });
    paint();
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
    of("theme").value = preferences().theme;
    of("next").value = panel.settings?.next ?? "best";
    of("show-words").checked = card.words;
    of("show-checks").checked = panel.settings?.show_checks ?? false;
    open("settings");
  });
}
