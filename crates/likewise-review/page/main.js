// Brings the parts together: what is shown, what a key does, what the server tells.

import { Outbox, get, myTab, newKey, post } from "./api.js";
import { Card } from "./card.js";
import * as dialogs from "./dialogs.js";
import { History } from "./history.js";
import { listen } from "./keys.js";
import { Panel } from "./panel.js";
import { Queue } from "./queue.js";
import { swipe } from "./swipe.js";

const of = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 899px)");

let seq = 0;
let sayTimer = null;
let askAgain = null;
/// Marked here and perhaps not yet known to the server.
const marked = new Set();

function say(text) {
  of("said").textContent = text;
  of("said").classList.add("shown");
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => of("said").classList.remove("shown"), 5000);
}

const queue = new Queue();
const outbox = new Outbox();
const card = new Card(say);
const history = new History(openRow);
const panel = new Panel({ say, focus: () => of("card").focus(), export: () => dialogs.open("export") });

function show() {
  card.show(queue.current, nothing());
  clearTimeout(askAgain);
  // Nobody tells when a row that another tab held is free again.
  if (!queue.current && panel.left > 0) askAgain = setTimeout(refill, 5000);
}

/// Why no row is shown.
function nothing() {
  if (queue.mode === "unsure") return "Nothing is put off";
  return panel.left > 0 ? "What is left is open in another tab or with another reader; it comes here when it is free" : "Every row is read";
}

async function refill() {
  try {
    await queue.refill(marked);
    show();
  } catch (error) {
    say(`The next rows cannot be had: ${error.message}`);
  }
}

function mark(verdict) {
  const row = queue.current;
  if (!row) return;
  card.keepNote();
  marked.add(row.row);
  const one = { row: row.row, verdict, ms: Math.round(performance.now() - card.shownAt), shown_model: row.model };
  outbox.send("marks", { base: seq, key: newKey(), marks: [one] });
  queue.drop([row.row]);
  show();
  if (queue.rows.length < 3) refill();
}

/// An answer that is under way may still hold rows that the server knows to be marked.
function forget(rows) {
  setTimeout(() => rows.forEach((row) => marked.delete(row)), 3000);
}

async function turn(path) {
  await outbox.flush();
  try {
    const answer = await post(path, { key: newKey() });
    seq = Math.max(seq, answer.seq);
    if (answer.row === null) return say(path === "undo" ? "Nothing left to undo" : "Nothing to redo");
    if (path === "undo") {
      await openRow(answer.row);
      say(`Taken back: row ${queue.current.id}`);
    } else {
      marked.add(answer.row);
      forget([answer.row]);
      if (queue.drop([answer.row])) show();
      say("Marked again");
      refill();
    }
    history.refresh();
  } catch (error) {
    say(error.message);
  }
}

async function openRow(row) {
  try {
    const found = await get(`rows/${row}`);
    marked.delete(row);
    queue.show(found);
    show();
    closePanel();
    of("card").focus();
  } catch (error) {
    say(error.message);
  }
}

function openPanel() {
  document.body.classList.add("panel-open");
  of("open-panel").setAttribute("aria-expanded", "true");
  of("close-panel").focus();
}

function closePanel() {
  document.body.classList.remove("panel-open");
  of("open-panel").setAttribute("aria-expanded", "false");
}

/// On a phone there is room for tools and history only in the panel.
function settle() {
  const [nav, footer] = [document.querySelector("nav"), document.querySelector("footer")];
  if (narrow.matches) {
    of("close-panel").after(nav);
    of("panel").append(footer);
  } else {
    of("open-panel").before(nav);
    of("said").before(footer);
  }
}

const actions = {
  yes: () => mark("yes"),
  no: () => mark("no"),
  unsure: () => mark("unsure"),
  undo: () => turn("undo"),
  redo: () => turn("redo"),
  note: () => of("note").focus(),
  tags: async () => {
    of("tags").focus();
    const tags = await get("tags").catch(() => []);
    of("known-tags").replaceChildren(...tags.map((tag) => Object.assign(document.createElement("option"), { value: tag })));
  },
  words: () => (card.words = !card.words),
  search: () => dialogs.open("search"),
  down: () => {
    const text = of("text").scrollHeight > of("text").clientHeight + 2 ? of("text") : of("card");
    text.scrollBy({ top: text.clientHeight * 0.9 });
  },
  advice: () => {
    if (narrow.matches) openPanel();
    panel.showAdvice();
  },
  help: () => dialogs.open("keys"),
};

outbox.addEventListener("kept", (event) => {
  seq = Math.max(seq, event.detail.seq);
  forget(event.detail.marks.map((mark) => mark.row));
  history.refresh();
});
outbox.addEventListener("waiting", () => say(`${outbox.size} marks wait to be kept; the server does not answer. Leave this page open.`));
outbox.addEventListener("refused", (event) => {
  const { status, body } = event.detail;
  if (status === 409) say("Somebody else marked that row meanwhile; their mark stands.");
  else say(`A mark was not kept: ${event.detail.message}`);
  if (body.seq) seq = Math.max(seq, body.seq);
  refill();
});

function hear() {
  const events = new EventSource("/api/events");
  let away = false;
  events.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    seq = Math.max(seq, state.seq);
    hint(state);
    panel.show(state);
    if (away) {
      away = false;
      outbox.flush();
      refill();
      history.refresh();
    }
  });
  events.addEventListener("mark", (event) => {
    const told = JSON.parse(event.data);
    seq = Math.max(seq, told.seq);
    if (told.tab === myTab) return;
    history.refresh();
    if (queue.drop([told.rows].flat())) {
      say(`${told.by} has just marked that row; here is the next one.`);
      show();
      refill();
    }
  });
  events.addEventListener("model", () => refill());
  events.addEventListener("error", () => (away = true));
}

/// Before anything is known to learn from.
function hint(state) {
  const nothing = state.yes === 0 && state.examples === 0 && state.program.yes === 0;
  of("hint").hidden = !nothing;
  if (nothing) {
    of("hint").textContent = "Nothing to go by yet: rows come in random order. Search for a row that you want, or add an example, and the likely ones come first.";
  }
}

async function start() {
  const state = await get("state");
  seq = state.seq;
  panel.show(state);
  hint(state);
  dialogs.search(openRow);
  dialogs.examples(() => refill());
  dialogs.exports(state.format);
  dialogs.settings(card, panel, async () => {
    queue.rows = [];
    await refill();
    history.refresh();
  });
  for (const name of ["yes", "no", "unsure", "undo"]) of(name).addEventListener("click", actions[name]);
  for (const name of ["search", "examples", "export", "keys"]) of(`open-${name}`).addEventListener("click", () => dialogs.open(name));
  of("open-panel").addEventListener("click", openPanel);
  of("close-panel").addEventListener("click", closePanel);
  for (const choice of document.querySelectorAll("[name=mode]")) {
    choice.addEventListener("change", async () => {
      queue.mode = choice.value;
      queue.rows = [];
      await refill();
    });
  }
  narrow.addEventListener("change", settle);
  settle();
  listen(actions);
  swipe(of("card"), actions);
  hear();
  setInterval(() => panel.tick(), 5000);
  await outbox.flush();
  await refill();
  history.refresh();
  of("card").focus({ preventScroll: true });
}

start().catch((error) => {
  of("place").textContent = error.message;
});
