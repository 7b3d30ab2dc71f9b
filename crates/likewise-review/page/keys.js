// Keys: what each does, which it is, and how to change it.

import { change, preferences } from "./preferences.js";

export const ACTIONS = {
  yes: ["Yes: wanted", ["y", "ArrowRight", "1"]],
  no: ["No: not wanted", ["n", "ArrowLeft", "0"]],
  unsure: ["Unsure: later", ["u"]],
  undo: ["Undo", ["z", "Ctrl+z"]],
  redo: ["Redo", ["Shift+z", "Ctrl+Shift+z"]],
  note: ["Write a note", ["e"]],
  tags: ["Write tags", ["t"]],
  words: ["Words on or off", ["h"]],
  search: ["Search", ["/"]],
  down: ["Page down in the text", [" "]],
  advice: ["May I stop?", ["g"]],
  back: ["Back from a row that was looked up", ["Escape"]],
  help: ["All keys", ["?"]],
};

const NAMES = { " ": "space", Escape: "Esc", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓" };
/// Alone they say nothing, or they move the focus.
const NO_KEYS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "ScrollLock", "Fn", "Dead", "Process", "Unidentified"];

export const keysOf = (action) => preferences().keys[action] ?? ACTIONS[action][1];
export const keyName = (key) => key.split("+").map((part) => NAMES[part] ?? part).join("+");

/// A letter is what is written on it; with AltGr others are, and no shortcut is meant.
function keyOf(event) {
  const written = event.key.length === 1;
  const letter = written ? event.key.toLowerCase() : event.key;
  const held = written && event.getModifierState?.("AltGraph") ? "" : `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}`;
  const shift = event.shiftKey && (!written || /^\p{L}$/u.test(letter)) ? "Shift+" : "";
  return `${held}${shift}${letter}`;
}

const isWriting = (element) => element.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog");

export function listen(actions) {
  const keysDialog = document.getElementById("keys-dialog");
  let changing = null;
  document.addEventListener("keydown", (event) => {
    if (changing && keysDialog.open) return choose(event);
    changing = null;
    if (isWriting(event.target)) {
      if (event.key === "Escape" && !event.target.closest("dialog")) document.getElementById("card").focus();
      return;
    }
    const pressed = keyOf(event);
    // A focused button or choice keeps the keys that work it.
    if ([" ", "Enter", "ArrowLeft", "ArrowRight"].includes(pressed) && event.target.closest("button, a, summary, [type=radio], [type=checkbox]")) return;
    const action = Object.keys(ACTIONS).find((name) => keysOf(name).includes(pressed));
    if (!action || event.repeat && ["yes", "no", "unsure"].includes(action)) return;
    event.preventDefault();
    actions[action]?.();
  });

  function choose(event) {
    if (NO_KEYS.includes(event.key)) return;
    const action = changing;
    changing = null;
    // Tab goes on to the next button; whoever presses it has thought better of it.
    if (event.key === "Tab") return draw();
    event.preventDefault();
    if (event.key !== "Escape" || action === "back") rename(action, keyOf(event));
    draw();
    document.querySelector(`#keys [data-action=${action}]`).focus();
  }

  /// A key does one thing; whoever had it before is told of.
  function rename(action, key) {
    const keys = { ...preferences().keys };
    const before = Object.keys(ACTIONS).find((other) => other !== action && keysOf(other).includes(key));
    if (before) keys[before] = keysOf(before).filter((known) => known !== key);
    keys[action] = [key];
    change({ keys });
    const left = before && (keys[before].map(keyName).join(", ") || "no key");
    tell(`${keyName(key)} now means “${ACTIONS[action][0]}”.${before ? ` It was a key of “${ACTIONS[before][0]}”, which has ${left} now.` : ""}`);
  }

  function tell(text) {
    document.getElementById("keys-said").textContent = text;
  }

  function draw() {
    for (const hint of document.querySelectorAll("kbd[data-key]")) {
      hint.textContent = keyName(keysOf(hint.dataset.key)[0] ?? "–");
    }
    const rows = Object.entries(ACTIONS).map(([action, [title]]) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      name.textContent = title;
      const cell = document.createElement("td");
      const button = document.createElement("button");
      button.type = "button";
      const keys = keysOf(action).map(keyName).join("  ") || "none";
      button.dataset.action = action;
      button.textContent = changing === action ? "press a key …" : keys;
      button.setAttribute("aria-label", `${title}: ${keys}. Change the key`);
      button.addEventListener("click", () => {
        changing = action;
        tell("");
        draw();
        document.querySelector(`#keys [data-action=${action}]`).focus();
      });
      cell.append(button);
      row.append(name, cell);
      return row;
    });
    document.querySelector("#keys tbody").replaceChildren(...rows);
  }

  document.getElementById("usual-keys").addEventListener("click", () => {
    changing = null;
    change({ keys: {} });
    tell("Every action has its usual keys again.");
    draw();
  });
  keysDialog.addEventListener("close", () => {
    changing = null;
    draw();
  });
  draw();
}
