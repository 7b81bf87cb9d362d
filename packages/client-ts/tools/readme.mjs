// Writes the TypeScript of the README into build/readme/, so that it is type-checked with the sources.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const target = new URL("build/readme/", root);
const readme = await readFile(new URL("README.md", root), "utf8");
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]);
if (blocks.length === 0) throw new Error(`no TypeScript in ${fileURLToPath(root)}README.md`);
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const [index, block] of blocks.entries()) await writeFile(new URL(`example-${index + 1}.ts`, target), block);
