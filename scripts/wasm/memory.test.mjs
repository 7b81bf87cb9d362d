// Compares the copies and fills of memory.wat with the engine's own: `memory.test.mjs MEMORY`, a binary of it. Every length
// up to 100 at every distance up to that, both ways, and the bytes around the target.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const { memory, copy, fill } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2]))).exports;
const bytes = new Uint8Array(memory.buffer, 0, 400);
const before = bytes.map((_, place) => (place * 167 + 13) % 251);

function check(what, changed, expected) {
  bytes.set(before);
  const wanted = before.slice();
  expected(wanted);
  changed();
  assert.deepEqual(bytes, wanted, what);
}

for (let length = 0; length <= 100; length += 1) {
  for (let from = 50; from <= 250; from += 1) {
    const name = `copy of ${length} bytes from ${from} to 150`;
    check(name, () => copy(150, from, length), (wanted) => wanted.copyWithin(150, from, from + length));
  }
  for (const value of [0, 1, 0xff, 0x1ab]) {
    check(`fill of ${length} bytes`, () => fill(150, value, length), (wanted) => wanted.fill(value, 150, 150 + length));
  }
}
console.log("memory.wat copies and fills as the engine does");
