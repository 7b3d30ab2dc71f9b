// What the server tells, heard by one tab for all of this browser.
//
// A browser opens six connections to one address and no more: with a line for each of six tabs no mark would get through.
// So the tab that holds the lock listens and passes on what it hears; when it is closed another one gets the lock.

import { get } from "./api.js";

const CHANNEL = "likewise events";
const AGAIN = 3000;

/// `tell(name, data)` for each event: `state`, `mark`, `model`, and `away` where the line is broken.
export function hear(tell) {
  // Only secure contexts have locks; a phone in the same network asks now and then instead.
  if (!navigator.locks) return void poll(tell);
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => tell(data.name, data.data));
  const toAll = (name, data) => {
    channel.postMessage({ name, data });
    tell(name, data);
  };
  // Held until the tab is closed.
  navigator.locks.request(CHANNEL, () => new Promise(() => listen(toAll)));
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

async function poll(tell, before = null) {
  let state = null;
  try {
    state = await get("state");
    tell("state", state);
    if (state.seq !== before?.seq) tell("mark", { seq: state.seq, rows: [], program: false });
    if (state.model.id !== before?.model.id) tell("model", null);
  } catch {
    tell("away", null);
  }
  setTimeout(() => poll(tell, state ?? before), AGAIN);
}
