// Brings the parts together: what is shown, what a key does, what the server tells.

import { get, isElsewhere, myTab, newKey, openProject, post } from "./api.js";
import { Away } from "./away.js";
import { Card } from "./card.js";
import * as dialogs from "./dialogs.js";
import { hear } from "./events.js";
import { many } from "./figures.js";
import { History } from "./history.js";
import { listen } from "./keys.js";
import { Outbox } from "./outbox.js";
import { Panel } from "./panel.js";
import * as preferences from "./preferences.js";
import { Queue } from "./queue.js";
import { swipe } from "./swipe.js";

const of = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 899px)");

/// A key that was meant for the row before must not mark the one that has just taken its place.
const SURPRISE = 700;

let seq = 0;
let surprised = -Infinity;
let sayTimer = null;
let askAgain = null;

function say(text) {
  of("said").textContent = text;
  of("said").classList.add("shown");
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => of("said").classList.remove("shown"), 5000);
}

const queue = new Queue();
const outbox = new Outbox();
const away = new Away(outbox, say);
const card = new Card(say, (row, note) => outbox.send("PUT", `rows/${row}/note`, note));
const history = new History((row) => openRow(row, true), say);
const panel = new Panel({
  say,
  // On a phone the advice itself stands above the row.
  announce: (text) => (narrow.matches ? (of("announced").textContent = text) : say(text)),
  focus: () => of("card").focus(),
  export: () => dialogs.open("export"),
  target: () => {
    if (narrow.matches) openPanel();
    of("target").focus();
    of("target").select();
  },
});

function show() {
  card.show(queue.current, nothing(), queue.isOpened);
  clearTimeout(askAgain);
  // Nobody tells when a row that another tab held is free again.
  if (!queue.current && queue.held > 0) askAgain = setTimeout(refill, 5000);
}

/// Why no row is shown.
function nothing() {
  if (outbox.size > 0) return "The last marks are being kept …";
  if (queue.isAsking) return "The next row is on its way …";
  if (queue.held > 0) return `${many(queue.held, "row")} left, open in another tab or with another reader; what they give back comes here`;
  if (panel.unsure > 0) return `Every row is read but ${many(panel.unsure, "row")} that you put off; “As advised” brings them`;
  return "Every row is read";
}

async function refill() {
  try {
    await queue.refill();
    if (queue.mode === "unsure" && !queue.current && queue.given + queue.held + outbox.size === 0) return goOn();
    show();
  } catch (error) {
    if (isElsewhere(error)) away.show(error);
    else say(`The next rows cannot be had: ${error.message}`);
    if (!queue.current) card.show(null, `The next rows cannot be had: ${error.message}`, false);
  }
}

/// Nothing is put off any more.
function goOn() {
  say("Nothing is put off any more; the reading goes on as advised.");
  document.querySelector("[name=mode][value=auto]").checked = true;
  queue.mode = "auto";
  return refill();
}

function back() {
  if (!queue.isOpened) return;
  queue.drop([queue.opened]);
  queue.opened = null;
  show();
  refill();
  of("card").focus();
}

function mark(verdict) {
  const row = queue.current;
  if (!row || performance.now() - surprised < SURPRISE) return;
  card.keepNote();
  const one = { row: row.row, verdict, ms: Math.round(performance.now() - card.shownAt), shown_model: row.model };
  outbox.send("POST", "marks", { base: seq, key: newKey(), marks: [one] });
  queue.mark(row.row);
  show();
  if (queue.rows.length < 3) refill();
}

async function turn(path) {
  await outbox.flush();
  try {
    const answer = await post(path, { key: newKey() });
    seq = Math.max(seq, answer.seq);
    if (answer.examples > 0) say(`${many(answer.examples, "example")} ${path === "undo" ? "taken back" : "added again"}`);
    else if (answer.row === null) say(path === "undo" ? "Nothing left to undo" : "Nothing to redo");
    if (answer.row === null) return;
    if (path === "undo") {
      await openRow(answer.row, false);
      say(`Taken back: row ${queue.current.id}`);
    } else {
      queue.mark(answer.row);
      queue.settle([answer.row]);
      show();
      say("Marked again");
      refill();
    }
    history.refresh();
  } catch (error) {
    say(error.message);
  }
}

/// `aside`: it does not come from the queue, and need not be marked to go on.
async function openRow(row, aside) {
  try {
    const found = await get(`rows/${row}`);
    queue.opened = aside ? row : null;
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
  if (narrow.matches) of("card").before(of("advice"));
  else of("criteria-box").before(of("advice"));
  if (narrow.matches) {
    of("close-panel").after(of("you"), nav);
    of("panel").append(footer);
  } else {
    of("project").after(of("you"));
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
  advice: () => panel.showAdvice(),
  back,
  help: () => dialogs.open("keys"),
};

outbox.addEventListener("kept", ({ detail: { item, answer } }) => {
  away.hide();
  if (item.path !== "marks") return;
  seq = Math.max(seq, answer.seq);
  queue.settle(item.body.marks.map((mark) => mark.row));
  history.refresh();
  if (!queue.current) refill();
});
outbox.addEventListener("waiting", (event) => away.show(event.detail));
outbox.addEventListener("refused", ({ detail: { item, error } }) => {
  if (item.path === "marks") queue.settle(item.body.marks.map((mark) => mark.row));
  if (error.status === 409) say("Somebody else marked that row meanwhile; their mark stands.");
  else say(`${item.path === "marks" ? "A mark" : "A note"} was not kept: ${error.message}`);
  if (error.body.seq) seq = Math.max(seq, error.body.seq);
  refill();
});

/// Somebody else, or this reader in another tab, marked rows.
function markedElsewhere(told) {
  seq = Math.max(seq, told.seq);
  if (told.tab === myTab) return;
  history.refresh();
  // What a program says of a row must not take it from the person who looks at it.
  if (told.program) return;
  const shown = queue.current?.row;
  if (told.rows.includes(shown) && card.isBusy) {
    queue.drop(told.rows.filter((row) => row !== shown));
    say(`${told.by} has just marked this row too. It stays here while you write; a mark of yours replaces theirs.`);
  } else if (queue.drop(told.rows)) {
    surprised = performance.now();
    say(`${told.by} has just marked that row; here is the next one.`);
    show();
    refill();
  }
}

let broken = false;
const heard = {
  state: (state) => {
    seq = Math.max(seq, state.seq);
    hint(state);
    panel.show(state);
    if (!queue.current) show();
    if (!broken) return;
    broken = false;
    outbox.flush();
    refill();
    history.refresh();
  },
  mark: markedElsewhere,
  model: () => refill(),
  away: () => (broken = true),
};

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
  openProject(state.id);
  preferences.open(state.preferences, say);
  const strange = outbox.open(state.id);
  if (strange > 0) say(`${many(strange, "mark")} of another project ${strange === 1 ? "waits" : "wait"} in this tab, and went nowhere.`);
  of("you").hidden = state.readers.length < 2;
  of("you").textContent = `You are ${state.you}`;
  panel.show(state);
  hint(state);
  dialogs.search((row) => openRow(row, true));
  dialogs.examples(() => refill());
  dialogs.exports(state.format, say);
  dialogs.settings(card, panel, async () => {
    queue.rows = [];
    await refill();
    history.refresh();
  });
  for (const name of ["yes", "no", "unsure", "undo", "back"]) {
    of(name).addEventListener("click", (event) => {
      actions[name]();
      // After a click the next space would press the same button for a row that nobody has read.
      if (event.detail > 0) of("card").focus();
    });
  }
  for (const name of ["search", "examples", "export", "keys"]) of(`open-${name}`).addEventListener("click", () => dialogs.open(name));
  of("open-panel").addEventListener("click", openPanel);
  of("close-panel").addEventListener("click", closePanel);
  for (const choice of document.querySelectorAll("[name=mode]")) {
    choice.addEventListener("change", async () => {
      queue.mode = choice.value;
      queue.rows = [];
      // What was put off a moment ago may come at once.
      await outbox.flush();
      await refill();
    });
  }
  narrow.addEventListener("change", settle);
  settle();
  listen(actions);
  swipe(of("card"), actions);
  hear((name, data) => heard[name](data));
  setInterval(() => panel.tick(), 5000);
  outbox.flush();
  await refill();
  history.refresh();
  of("card").focus({ preventScroll: true });
}

start().catch((error) => {
  of("place").textContent = error.message;
});
