// Generates src/generated/ from the contract's schema: `npm run generate`.
//
// ts-codegen writes its clients for another library than CosmJS and drops the schema's texts. What it writes is put on
// CosmJS here, whose clients have the same methods, and the texts are put back as comments.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import tsCodegen from "@cosmwasm/ts-codegen";

const schemaDir = fileURLToPath(new URL("../../../schema", import.meta.url));
const target = fileURLToPath(new URL("../src/generated", import.meta.url));
// Types of the CosmWasm library, whose own texts are for its Rust users.
const ownTexts = {
  Binary: "Bytes, in base64.",
  Uint64: "A number of 64 bits, as text in decimal: JavaScript's own numbers lose digits beyond 53 bits.",
};

const work = await mkdtemp(join(tmpdir(), "client-ts-"));
try {
  const idl = await readIdl();
  await writeFile(join(work, "vaa-registry.json"), JSON.stringify(idl));
  await tsCodegen.default({
    contracts: [{ name: "VaaRegistry", dir: work }],
    outPath: work,
    options: { bundle: { enabled: false }, client: { enabled: true }, types: { enabled: true } },
  });
  const docs = textsOf(idl);
  const types = await readFile(join(work, "VaaRegistry.types.ts"), "utf8");
  const client = await readFile(join(work, "VaaRegistry.client.ts"), "utf8");
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "types.ts"), withDocs(types, docs));
  await writeFile(join(target, "client.ts"), withMethodDocs(onCosmJs(client), docs));
} finally {
  await rm(work, { recursive: true, force: true });
}

// Reads the interface, with what executions answer among what queries answer: a type is made of each.
async function readIdl() {
  const idl = JSON.parse(await readFile(join(schemaDir, "vaa-registry.json"), "utf8"));
  const answers = join(schemaDir, "answers");
  for (const file of (await readdir(answers)).filter((file) => file.endsWith(".json")).sort()) {
    idl.responses[file.replace(/\.json$/, "")] = JSON.parse(await readFile(join(answers, file), "utf8"));
  }
  return idl;
}

// Collects the schema's texts: `TYPE`, `TYPE.field`, and for enums of structs `TYPE.variant` and `TYPE.variant.field`.
function textsOf(idl) {
  const docs = new Map();
  const note = (name, schema) => {
    if (schema?.description) docs.set(name, schema.description);
  };
  const visit = (name, schema) => {
    note(name, schema);
    for (const [field, value] of Object.entries(schema.properties ?? {})) note(`${name}.${field}`, value);
    for (const variant of schema.oneOf ?? []) {
      for (const [key, value] of Object.entries(variant.properties ?? {})) {
        note(`${name}.${key}`, variant);
        for (const [field, inner] of Object.entries(value.properties ?? {})) note(`${name}.${key}.${field}`, inner);
      }
    }
  };
  for (const schema of [idl.instantiate, idl.execute, idl.query, idl.migrate, ...Object.values(idl.responses)]) {
    if (!schema) continue;
    visit(schema.title, schema);
    for (const [name, definition] of Object.entries(schema.definitions ?? {})) visit(name, definition);
  }
  for (const [name, text] of Object.entries(ownTexts)) docs.set(name, text);
  return docs;
}

function comment(indent, text) {
  const lines = text.replaceAll("*/", "*\\/").split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

// The generated file has one declaration after another, a field a line, two blanks a level.
function withDocs(source, docs) {
  const out = [];
  let path = [];
  for (const line of source.split("\n")) {
    const declaration = /^export (?:interface|type) (\w+)/.exec(line);
    const field = /^((?:  )+)(\w+)\??: /.exec(line);
    if (declaration) path = [declaration[1]];
    else if (field) path = [...path.slice(0, field[1].length / 2), field[2]];
    const text = (declaration || field) && docs.get(path.join("."));
    if (text) out.push(...comment(field ? field[1] : "", text));
    out.push(line);
  }
  return `${out.join("\n").trimEnd()}\n`;
}

function withMethodDocs(source, docs) {
  const out = [];
  let message;
  for (const line of source.split("\n")) {
    if (line.startsWith("export ")) {
      message = /^export interface \w+ReadOnlyInterface/.test(line) ? "QueryMsg" : /^export interface/.test(line) ? "ExecuteMsg" : undefined;
    }
    const method = message && /^  (\w+): \(/.exec(line);
    const text = method && docs.get(`${message}.${method[1].replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`);
    if (text) out.push(...comment("  ", text));
    out.push(line);
  }
  return `${out.join("\n").trimEnd()}\n`;
}

// Puts the client on CosmJS. Every replacement must take place: if ts-codegen changes what it writes, this is to fail.
function onCosmJs(source) {
  const replace = (text, pattern, by) => {
    if (!pattern.test(text)) throw new Error(`ts-codegen's client has nothing like ${pattern}`);
    return text.replace(pattern, by);
  };
  let text = replace(
    source,
    /import \{ ICosmWasmClient, ISigningCosmWasmClient \} from "\.\/baseClient";\nimport \{[^}]*\} from "@interchainjs\/types";\n/,
    'import type { Coin, StdFee } from "@cosmjs/amino";\n' +
      'import type { CosmWasmClient, ExecuteResult, SigningCosmWasmClient } from "@cosmjs/cosmwasm";\n',
  );
  text = replace(text, /import \{ ([^}]*) \} from "\.\/VaaRegistry\.types";/, 'import type { $1 } from "./types.ts";');
  text = replace(text, /\bISigningCosmWasmClient\b/g, "SigningCosmWasmClient");
  text = replace(text, /\bICosmWasmClient\b/g, "CosmWasmClient");
  text = replace(text, /Promise<any>/g, "Promise<ExecuteResult>");
  // Else the field of the class below would hide that of the class above before it is set.
  text = replace(text, /(extends VaaRegistryQueryClient [^{]*\{\n)  client: (.*\n)(  sender.*\n)  contractAddress: string;\n/, "$1  declare client: $2$3");
  return text;
}
