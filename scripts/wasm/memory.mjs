// Replaces the loops by which wasm-opt copies and fills memory, which go byte by byte, by those of memory.wat:
// `memory.mjs BEFORE LOWERED MEMORY OUT`. BEFORE is what wasm-opt lowered, LOWERED what it made of that, MEMORY memory.wat
// as a binary.
import { writeFileSync } from "node:fs";
import { CODE, Reader } from "./reader.mjs";

const [before, lowered, memory, out] = process.argv.slice(2);

/** Returns where the code section of a file is, and its functions' bodies with their lengths before them. */
function code(file) {
  const reader = new Reader(file);
  for (const section of reader.sections()) {
    if (section.id !== CODE) continue;
    const bodies = [...reader.bodies()].map(({ start, end }) => reader.bytes.subarray(start, end));
    return { bytes: reader.bytes, start: section.start, end: section.end, bodies };
  }
  throw new Error(`${file} has no code`);
}

/** Writes an unsigned LEB128 number. */
function number(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}

const { bytes, start, end, bodies } = code(lowered);
const [copy, fill] = code(memory).bodies;
const added = code(before).bodies.length;
for (let index = added; index < bodies.length; index += 1) {
  const body = bodies[index];
  const [memorySize, load8, store8] = [0x3f, 0x2d, 0x3a];
  // Both check what they touch against the memory's size, and store bytes; one loads what it stores.
  if (body.length > 200 || !body.includes(memorySize) || !body.includes(store8)) {
    console.error("wasm-opt added a function that neither copies nor fills memory");
    process.exit(1);
  }
  bodies[index] = body.includes(load8) ? copy : fill;
}
const content = Buffer.concat([number(bodies.length), ...bodies]);
const section = [Buffer.from([CODE]), number(content.length), content];
writeFileSync(out, Buffer.concat([bytes.subarray(0, start), ...section, bytes.subarray(end)]));
