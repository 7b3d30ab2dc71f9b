// How far the reading is: the curve, what is still there, what is proved, what the target costs.

import { post, put } from "./api.js";
import { many, number, percent, shareOf } from "./figures.js";

const of = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
/// The shares that can be asked for: what is to be found, and how sure that is to be. Digits that are shown of them.
const BOUNDS = { target: [0.01, 0.999], sure: [0.5, 0.999] };
const DIGITS = 2;
/// 99.9 / 100 is more than .999.
const NEAR = 1e-9;

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function curve(points) {
  const [width, height, left, bottom, top] = [320, 112, 34, 18, 8];
  const [read, found] = points.at(-1) ?? [0, 0];
  const x = (value) => left + (value / Math.max(read, 1)) * (width - left - 6);
  const y = (value) => height - bottom - (value / Math.max(found, 1)) * (height - bottom - top);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${found} found after ${read} rows read` });
  svg.append(draw("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - 6}` }));
  const line = [[0, 0], ...points].map(([a, b], at) => `${at === 0 ? "M" : "L"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  svg.append(draw("path", { class: "area", d: `${line}V${height - bottom}H${left}Z` }));
  svg.append(draw("path", { class: "line", d: line }));
  svg.append(draw("text", { x: left - 5, y: top + 7, class: "end" }, number(found)));
  svg.append(draw("text", { x: left - 5, y: height - bottom, class: "end" }, "0"));
  svg.append(draw("text", { x: width - 6, y: height - 4, class: "end" }, `${number(read)} read`));
  return svg;
}

export class Panel {
  #state = null;
  #dismissed = null;

  constructor(go) {
    this.go = go;
    for (const id of ["target", "sure"]) of(id).addEventListener("change", () => this.#setTarget(id));
    of("criteria").addEventListener("change", () => this.set({ criteria: of("criteria").value }));
    of("automatic").addEventListener("click", () => post("automatic", {}).catch((error) => this.go.say(error.message)));
  }

  set(changes) {
    const before = this.#state.settings;
    this.#state.settings = { ...before, ...changes };
    return put("settings", changes).catch((error) => {
      this.#state.settings = before;
      this.#showTarget(true);
      this.go.say(`Not kept: ${error.message}`);
    });
  }

  get settings() {
    return this.#state?.settings;
  }

  /// Rows that were put off.
  get unsure() {
    return this.#state?.unsure ?? 0;
  }

  #setTarget(id) {
    const share = shareOf(of(id).value);
    const [least, most] = BOUNDS[id];
    if (share >= least - NEAR && share <= most + NEAR) {
      this.set(id === "target" ? { target: share } : { alpha: Number((1 - share).toFixed(6)) });
    } else {
      this.go.say(`Give a share from ${percent(least)} to ${percent(most, DIGITS)} %, such as 95 or .95; it stays as it was.`);
    }
    this.#showTarget(true);
  }

  #showTarget(always) {
    const { target, alpha } = this.#state.settings;
    for (const [id, share] of [["target", target], ["sure", 1 - alpha]]) {
      if (always || document.activeElement !== of(id)) of(id).value = percent(share, DIGITS);
    }
  }

  show(state) {
    this.#state = state;
    const { stop, settings } = state;
    of("project").textContent = state.project ?? "likewise review";
    document.title = `${state.yes} found · ${state.project ?? "likewise review"}`;
    of("progress").replaceChildren(
      ...[
        ["read", `${number(state.read)} of ${number(state.rows)} read`],
        ["found", `${number(state.yes)} found`],
        ["least", stop && state.read > 0 ? `at least ${percent(stop.recall_low)} %` : ""],
      ].map(([name, text]) => {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        return part;
      }),
    );
    of("curve").replaceChildren(curve(state.curve ?? []));
    this.#showTarget(false);
    if (document.activeElement !== of("criteria")) of("criteria").value = settings.criteria;
    if (stop) this.#showStop(state, stop);
    this.#showMode(state);
    this.#showProgram(state.program);
    const copies = state.pile - state.rows;
    const parts = [`${many(state.pile, "row")} in the pile`];
    if (copies > 0) parts.push(`${number(state.rows)} of them different`);
    if (state.examples > 0) parts.push(`${many(state.examples, "example")} from outside`);
    of("pile").textContent = parts.join(", ");
    this.#showModel(state.model);
  }

  #showStop(state, stop) {
    const sure = percent(1 - stop.alpha, DIGITS);
    const most = Math.max(0, stop.total_high - state.yes);
    const about = stop.still_there ?? null;
    of("still").textContent = most === 0 && state.read > 0 ? "none" : about === null
      ? `0 to ${number(most)} (no random checks yet)`
      : `about ${number(Math.min(about, most))} (0 to ${number(most)}, ${sure} % sure)`;
    const low = percent(stop.recall_low);
    of("recall").textContent = state.read === 0 ? "not known yet" : `at least ${low} %, ${sure} % sure`;
    const meter = of("proof");
    meter.setAttribute("aria-valuenow", low);
    meter.setAttribute("aria-valuetext", `recall at least ${low} percent`);
    meter.firstElementChild.style.width = `${Math.min(100, (100 * stop.recall_low) / stop.target)}%`;
    const prices = stop.price.map(([share, rows]) => [share, rows]);
    if (!prices.some(([share]) => share === stop.target)) prices.push([stop.target, stop.to_target]);
    const put = state.unsure === 0 ? "" : `First decide the ${many(state.unsure, "row")} you put off: until then they count as missed. After that: `;
    of("price").caption.textContent = `${put}${put ? "r" : "R"}andom rows to read until it is proved, if none of them is wanted`;
    const rows = prices.map(([share, rows]) => {
      const row = document.createElement("tr");
      row.className = share === stop.target ? "target-row" : "";
      const [name, cell] = [document.createElement("th"), document.createElement("td")];
      name.scope = "row";
      name.textContent = `${percent(share, DIGITS)} %`;
      cell.textContent = stop.recall_low >= share ? "proved" : rows === 0 ? "decide those put off" : many(rows, "row");
      row.append(name, cell);
      return row;
    });
    document.querySelector("#price tbody").replaceChildren(...rows);
    this.#advise(state, stop, sure);
  }

  /// Never blocks: it says what is proved and leaves the choice.
  #advise(state, stop, sure) {
    const advice = of("advice");
    const target = percent(stop.target, DIGITS);
    const soft = !stop.stop && state.read >= 20 && state.yes > 0 && stop.buscar < stop.alpha;
    const key = `${stop.stop ? "proved" : soft ? "probably" : "open"} ${target}`;
    // Whoever goes on has heard this once; what is said anew later is news.
    if (key !== this.#dismissed) this.#dismissed = null;
    advice.className = stop.stop ? "proved" : "soft";
    advice.hidden = !(stop.stop || soft) || this.#dismissed === key;
    if (advice.hidden) advice.dataset.for = "";
    if (advice.hidden || advice.dataset.for === key) return;
    advice.dataset.for = key;
    const [title, text] = [document.createElement("h2"), document.createElement("p")];
    if (stop.stop) {
      title.textContent = state.read >= state.rows ? "Everything is read" : "You may stop";
      text.textContent = state.read >= state.rows
        ? "Every row has a mark."
        : `It is proved that you have found at least ${target} % of what you want (${sure} % sure).`;
    } else {
      title.textContent = "Probably done";
      text.textContent = `At least ${target} % are found if the ranking is no worse than chance on what is left. The random checks go on to prove it.`;
    }
    const button = (text, action) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.addEventListener("click", action);
      return made;
    };
    const goOn = button("Go on", () => {
      this.#dismissed = key;
      advice.hidden = true;
      this.go.focus();
    });
    const buttons = stop.stop
      ? [goOn, button("Raise the target", () => this.go.target()), button("Finish", () => this.go.export())]
      : [goOn];
    const group = document.createElement("p");
    group.append(...buttons);
    advice.replaceChildren(title, text, group);
    if (stop.stop) this.go.announce(`${title.textContent}. ${text.textContent}`);
  }

  #showMode(state) {
    const unsure = of("mode-unsure");
    unsure.hidden = state.unsure === 0;
    unsure.querySelector("span").textContent = `${number(state.unsure)} unsure: decide now (they count as missed)`;
  }

  #showProgram(program) {
    const said = [];
    if (program.trouble) said.push(program.trouble);
    if (program.yes + program.no > 0) said.push(`The program marked ${number(program.yes)} yes and ${number(program.no)} no that you have not read.`);
    const both = program.agreement;
    if (both) {
      said.push(`You agree with it on ${number(both.same)} of ${many(both.both, "row")} (${percent(both.low)} to ${Math.ceil(both.high * 100)} %).`);
    }
    if (said.length > 0) said.push("What is proved rests on your marks alone.");
    of("program").hidden = said.length === 0;
    of("program").textContent = said.join(" ");
  }

  #showModel(model) {
    const ago = model.at === null ? null : Math.max(0, Math.round((Date.now() - model.at) / 1000));
    const when = ago === null ? "" : ago < 2 ? "just now" : ago < 120 ? `${ago} s ago` : `${Math.round(ago / 60)} min ago`;
    const neighbours = model.joined ? " and their neighbours" : model.searching ? "; looking for their neighbours" : "";
    of("automatic").disabled = model.choosing || !model.ready;
    const text = model.trouble
      ? `model: ${model.trouble}`
      : !model.ready
        ? "model: reading the words of all rows …"
        : model.choosing
          ? "model: the automatic choice is looking at your marks …"
        : model.training
          ? "model: learning …"
          : model.id === null
            ? "model: nothing to learn from yet"
            : `model: ${many(model.marks, "mark")}${neighbours}, ${when}`;
    if (of("model").textContent !== text) of("model").textContent = text;
  }

  /// Time goes on without events.
  tick() {
    if (this.#state) this.#showModel(this.#state.model);
  }

  showAdvice() {
    this.#dismissed = null;
    const { stop } = this.#state ?? {};
    if (!stop) return;
    of("advice").dataset.for = "";
    this.#showStop(this.#state, stop);
    const low = percent(stop.recall_low);
    const first = this.unsure > 0 ? `First decide the ${many(this.unsure, "row")} you put off. ` : "";
    if (of("advice").hidden) this.go.say(`Not yet: recall is at least ${low} %. ${first}The target takes about ${many(stop.to_target, "random row")} more, if none is wanted.`);
    else of("advice").focus();
  }
}
