// The server is gone, or another one answers: what waits, and the way to hand it over.

import { isElsewhere } from "./api.js";
import { many } from "./figures.js";

const of = (id) => document.getElementById(id);

export class Away {
  #leaving = false;

  constructor(outbox, say) {
    this.outbox = outbox;
    of("away-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go(of("away-address").value.trim());
    });
    addEventListener("beforeunload", (event) => {
      if (outbox.isStuck && !this.#leaving) event.preventDefault();
    });
    this.say = say;
  }

  /// What waits, and what can be done.
  show(error) {
    const { size } = this.outbox;
    const kept = size > 0 ? `${many(size, "mark")} or ${size === 1 ? "note waits" : "notes wait"} to be kept. Leave this page open.` : "";
    const why = isElsewhere(error)
      ? `This page no longer belongs to the server that answers here (${error.message}).`
      : `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
    of("away-text").textContent = `${why} ${kept} If it was started anew, put in the address that it printed; everything that waits goes along.`;
    of("away").hidden = false;
  }

  hide() {
    of("away").hidden = true;
  }

  #go(address) {
    const parts = URL.canParse(address) ? new URL(address) : null;
    if (parts?.protocol !== "http:" || !parts.searchParams.has("token")) {
      return this.say("The address begins with http:// and holds ?token=, as `likewise review` prints it.");
    }
    this.#leaving = true;
    const place = this.outbox.handOver(parts.href);
    location.assign(place);
  }
}
