// Fails if a function has more locals than chains accept: `check-locals.mjs FILE`. The compiler inlines freely, and the
// limit is easily passed; chains notice only when the code is uploaded.
import { readFileSync } from "node:fs";

const LIMIT = 100; // cosmwasm-vm's default
const CODE_SECTION = 10;

const file = process.argv[2];
const bytes = readFileSync(file);
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

let most = 0;
while (at < bytes.length) {
  const section = bytes[at++];
  const end = number() + at;
  if (section === CODE_SECTION) {
    for (let functions = number(); functions > 0; functions -= 1) {
      const next = number() + at;
      let locals = 0;
      for (let groups = number(); groups > 0; groups -= 1) {
        locals += number();
        at += 1; // the type
      }
      most = Math.max(most, locals);
      at = next;
    }
  }
  at = end;
}
if (most > LIMIT) {
  console.error(`${most} locals in a function, chains accept ${LIMIT}`);
  process.exit(1);
}
