// What a reader changed about the page: colours, marked words, keys. The project keeps it, since a browser keeps things by
// port and each start of the page has another one.

import { put } from "./api.js";

let kept = { theme: "", words: true, keys: {} };
let complain = () => {};

export const preferences = () => kept;

export function open(found, say) {
  kept = { ...kept, ...found };
  complain = say;
}

export function change(changes) {
  kept = { ...kept, ...changes };
  put("preferences", kept).catch((error) => complain(`This is not kept for the next time: ${error.message}`));
}
