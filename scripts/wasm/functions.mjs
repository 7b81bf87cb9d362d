// Prints the size in bytes and the name of each function of a wasm file that has names, and the size of its data:
// `functions.mjs FILE`.
import { readFileSync } from "node:fs";

const IMPORTS = 2;
const CODE = 10;
const DATA = 11;
const CUSTOM = 0;

const bytes = readFileSync(process.argv[2]);
let at = 8; // past the magic number and the version

/** Reads an unsigned LEB128 number. */
function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}

/** Reads a length and a text of that length. */
function text() {
  const length = number();
  at += length;
  return bytes.toString("utf8", at - length, at);
}

function limits() {
  const flags = bytes[at++];
  number();
  if (flags & 1) number();
}

/** Reads the import section and returns how many functions it has: their indexes come first. */
function importedFunctions() {
  let functions = 0;
  for (let left = number(); left > 0; left -= 1) {
    text();
    text();
    const kind = bytes[at++];
    if (kind === 0) {
      number();
      functions += 1;
    } else if (kind === 1) {
      at += 1;
      limits();
    } else if (kind === 2) limits();
    else at += 2;
  }
  return functions;
}

let imported = 0;
const sizes = [];
const names = new Map();
while (at < bytes.length) {
  const section = bytes[at++];
  const length = number();
  const end = at + length;
  if (section === IMPORTS) imported = importedFunctions();
  if (section === CODE) {
    for (let left = number(); left > 0; left -= 1) {
      const start = at;
      const size = number();
      at += size;
      sizes.push(at - start);
    }
  }
  if (section === DATA) console.log(`${length}\t(data)`);
  if (section === CUSTOM && text() === "name") {
    while (at < end) {
      const part = bytes[at++];
      const next = number() + at;
      if (part === 1) {
        for (let left = number(); left > 0; left -= 1) names.set(number(), text());
      }
      at = next;
    }
  }
  at = end;
}
if (names.size === 0) {
  console.error(`${process.argv[2]} has no names of functions`);
  process.exit(1);
}
sizes.forEach((size, index) => console.log(`${size}\t${names.get(index + imported) ?? "(unnamed)"}`));
