// Keys: what each does, which it is, and how to change it.

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
  help: ["All keys", ["?"]],
};

const NAMES = { " ": "space", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓" };
const chosen = JSON.parse(localStorage.getItem("keys") ?? "{}");

export const keysOf = (action) => chosen[action] ?? ACTIONS[action][1];
export const keyName = (key) => key.split("+").map((part) => NAMES[part] ?? part).join("+");

function keyOf(event) {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && /^\p{L}$/u.test(letter) ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${shift}${letter}`;
}

const isWriting = (element) => element.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog");

export function listen(actions) {
  let changing = null;
  document.addEventListener("keydown", (event) => {
    if (changing) {
      event.preventDefault();
      if (event.key === "Shift" || event.key === "Control") return;
      if (event.key !== "Escape") change(changing, keyOf(event));
      changing = null;
      draw();
      return;
    }
    if (isWriting(event.target)) {
      if (event.key === "Escape" && !event.target.closest("dialog")) event.target.blur();
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

  function change(action, key) {
    for (const other of Object.keys(ACTIONS)) {
      if (keysOf(other).includes(key)) chosen[other] = keysOf(other).filter((known) => known !== key);
    }
    chosen[action] = [key];
    localStorage.setItem("keys", JSON.stringify(chosen));
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
      button.textContent = changing === action ? "press a key …" : keys;
      button.setAttribute("aria-label", `${title}: ${keys}. Change the key`);
      button.addEventListener("click", () => {
        changing = action;
        draw();
      });
      cell.append(button);
      row.append(name, cell);
      return row;
    });
    document.querySelector("#keys tbody").replaceChildren(...rows);
  }

  document.getElementById("usual-keys").addEventListener("click", () => {
    for (const action of Object.keys(chosen)) delete chosen[action];
    localStorage.removeItem("keys");
    draw();
  });
  draw();
}
