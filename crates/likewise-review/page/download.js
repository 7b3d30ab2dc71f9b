// Files that the server makes. They are asked for by script, so that what is wrong with them can be said.

import { fetchFile } from "./api.js";

export async function download(path, say) {
  try {
    const { name, warning, content } = await fetchFile(path);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(warning ? `${name} is written, but: ${warning}` : `${name} is written`);
  } catch (error) {
    say(`No file: ${error.message}`);
  }
}
