// Prints the size in bytes and the name of each function of a wasm file that has names, and the size of its data:
// `functions.mjs FILE`.
import { CODE, CUSTOM, DATA, IMPORTS, Reader } from "./reader.mjs";

const reader = new Reader(process.argv[2]);

function limits() {
  const flags = reader.bytes[reader.at++];
  reader.number();
  if (flags & 1) reader.number();
}

/** Reads the import section and returns how many functions it has: their indexes come first. */
function importedFunctions() {
  let functions = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.text();
    reader.text();
    const kind = reader.bytes[reader.at++];
    if (kind === 0) {
      reader.number();
      functions += 1;
    } else if (kind === 1) {
      reader.at += 1;
      limits();
    } else if (kind === 2) limits();
    else reader.at += 2;
  }
  return functions;
}

let imported = 0;
const sizes = [];
const names = new Map();
for (const { id, content, end } of reader.sections()) {
  if (id === IMPORTS) imported = importedFunctions();
  if (id === CODE) for (const body of reader.bodies()) sizes.push(body.end - body.start);
  if (id === DATA) console.log(`${end - content}\t(data)`);
  if (id === CUSTOM && reader.text() === "name") {
    while (reader.at < end) {
      const part = reader.bytes[reader.at++];
      const next = reader.number() + reader.at;
      if (part === 1) {
        for (let left = reader.number(); left > 0; left -= 1) names.set(reader.number(), reader.text());
      }
      reader.at = next;
    }
  }
}
if (names.size === 0) {
  console.error(`${process.argv[2]} has no names of functions`);
  process.exit(1);
}
sizes.forEach((size, index) => console.log(`${size}\t${names.get(index + imported) ?? "(unnamed)"}`));
