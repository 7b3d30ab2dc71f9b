// What the server tells, heard by one tab for all of this browser.
//
// A browser opens six connections to one address and no more: with a line for each of six tabs no mark would get through.
// So the tab that holds the lock listens and passes on what it hears; when it is closed another one gets the lock.

import { get } from "./api.js";

const CHANNEL = "likewise events";
/// Milliseconds until a broken line is tried again.
const AGAIN = 3000;
/// Until a tab looks for itself: a phone puts tabs to sleep, and the one that listens may be among them.
const GLANCE = 20_000;

/// `tell(name, data)` for each event: `state`, `mark`, `model`, and `away` where the line is broken.
export function hear(tell) {
  // Only secure contexts have locks; a phone in the same network asks now and then instead.
  if (!navigator.locks) return void look(tell, AGAIN, () => true);
  let listens = false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => tell(data.name, data.data));
  const toAll = (name, data) => {
    channel.postMessage({ name, data });
    tell(name, data);
  };
  // Held until the tab is closed.
  navigator.locks.request(CHANNEL, () => {
    listens = true;
    listen(toAll);
    return new Promise(() => {});
  });
  setTimeout(() => look(tell, GLANCE, () => !listens && !document.hidden), GLANCE);
}

function listen(tell) {
  const events = new EventSource("/api/events");
  for (const name of ["state", "mark", "model"]) {
    events.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  }
  events.addEventListener("error", () => {
    tell("away", null);
    // One that was refused does not try again by itself.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => listen(tell), AGAIN);
  });
}

/// Asks again and again, where that is needed, and says what is new.
async function look(tell, pause, isNeeded, before = null) {
  let state = null;
  try {
    state = isNeeded() ? await get("state") : null;
    if (state) tell("state", state);
    if (state && state.seq !== before?.seq) tell("mark", { seq: state.seq, rows: [], program: false });
    if (state && state.model.id !== before?.model.id) tell("model", null);
  } catch {
    tell("away", null);
  }
  setTimeout(() => look(tell, pause, isNeeded, state ?? before), pause);
}
