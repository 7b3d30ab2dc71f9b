// Talks to the server: who asks, for which project, and for how long it waits.

/// Pages that are no secure context, as on a phone in the same network, have no randomUUID.
export const newKey = () =>
  crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// The tab's name rests in the storage only between two pages of the same tab: a duplicate must not have it.
const tab = sessionStorage.getItem("tab") ?? newKey();
sessionStorage.removeItem("tab");
addEventListener("pagehide", () => sessionStorage.setItem("tab", tab));
addEventListener("pageshow", () => sessionStorage.removeItem("tab"));

export const myTab = tab;
/// Who reads stands in the address, so that each tab has its own.
const reader = new URLSearchParams(location.search).get("name");
let project = null;

export function openProject(id) {
  project = id;
}

export class Refused extends Error {
  constructor(status, body) {
    super(body.error ?? `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/// Whoever answers so is not the server that this page came from.
export const isElsewhere = (error) => error instanceof Refused && [401, 403, 421].includes(error.status);

/// Milliseconds after which an answer is not waited for any more.
const PATIENCE = 15_000;
/// Work that grows with the rows.
const LONG = 600_000;
/// What a browser still sends when the page is closed.
const LAST_WORDS = 50_000;

export function headers() {
  const own = { "x-tab": tab };
  if (reader) own["x-reader"] = encodeURIComponent(reader);
  if (project) own["x-project"] = project;
  return own;
}

async function send(method, path, body, patience) {
  const own = headers();
  if (body !== undefined) own["content-type"] = "application/json";
  const text = body && JSON.stringify(body);
  const keepalive = method !== "GET" && (text?.length ?? 0) < LAST_WORDS;
  try {
    return await fetch(`/api/${path}`, { method, headers: own, body: text, keepalive, signal: AbortSignal.timeout(patience) });
  } catch (error) {
    const late = error.name === "TimeoutError";
    throw new Error(late ? `the server has not answered for ${patience / 1000} seconds` : "the server cannot be reached; start `likewise review` again if it has ended");
  }
}

async function ask(method, path, body, patience = PATIENCE) {
  const response = await send(method, path, body, patience);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
export const put = (path, body) => ask("PUT", path, body);
export const postFile = (path, body) => ask("POST", path, body, LONG);
export const deliver = ({ method, path, body }) => ask(method, path, body);

/// A file that the server makes, its name, and what is missing in it.
export async function fetchFile(path) {
  const response = await send("GET", path, undefined, LONG);
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition")) ?? [null, "export"];
  const warning = decodeURIComponent(response.headers.get("x-warning") ?? "");
  return { name, warning, content: await response.blob() };
}
