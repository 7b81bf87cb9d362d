import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll } from "../compare.ts";
import { fileOf, onNode, onNodeUntil, testdata, wallet, wasm, work } from "../context.ts";
import { gas } from "../gas.ts";
import type { Shared } from "../main.ts";

const home = "genesis";
const account = "carol";

interface Page {
  rows: { values: (string | null)[] }[];
}

/** Changes a byte of the longest value: a VAA's body, or its signatures. */
function altered(line: string): string {
  const page = JSON.parse(line) as Page;
  const values = page.rows.flatMap((row) => row.values).filter((value) => value !== null);
  const longest = values.reduce((one, other) => (other.length > one.length ? other : one), "");
  const bytes = Buffer.from(longest, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return line.replace(longest, bytes.toString("base64"));
}

/** The state of a registry on the chain, moved into another one: exported, imported by the code for that, migrated. */
export async function genesis({ devnet }: Shared): Promise<void> {
  const state = join(work, "state.jsonl");
  await onNode(home, undefined, ["--contract", devnet, "export", "--out", state]);
  const lines = readFileSync(state, "utf8").trim().split("\n");

  const importer = join(wasm, "../vaa_registry_import.wasm");
  const made = await onNode(home, account, ["deploy", "--network", "devnet", "--import", "--wasm", importer]);
  const { contract, instantiate } = made[0] as { contract: string; instantiate: { gas_used: number } };
  gas("instantiate, to import", instantiate.gas_used);
  const here = ["--contract", contract];

  const at = lines.reduce((longest, line, place) => (line.length > (lines[longest]?.length ?? 0) ? place : longest), 0);
  const bad = join(work, "altered.jsonl");
  writeFileSync(bad, lines.map((line, place) => `${place === at ? altered(line) : line}\n`).join(""));
  const refused = await onNodeUntil(home, account, [...here, "import", bad]);
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /E31[0-3]|digest/);
  const early = await onNodeUntil(home, account, [...here, "ingest", fileOf("early.hex", testdata("devnet").slice(0, 1))]);
  assert.notEqual(early.code, 0);
  assert.match(`${early.stderr}${early.stdout}`, /does not know the query `batch_status`.*only imports/, "a VAA submitted to a registry that imports");
  const somebody = await onNodeUntil(home, "bob", [...here, "import", state]);
  assert.equal(somebody.code, 1);
  assert.match(somebody.stderr, /E4\d\d/, "an import by somebody else");

  // Goes on where the altered page was.
  await onNode(home, account, [...here, "import", "--seal", state]);
  const moved = (await onNode(home, account, [...here, "migrate", "--wasm", wasm])) as { migrate: { gas_used: number } }[];
  gas("migrate, from the code that imports", moved[0]?.migrate.gas_used ?? 0);
  const again = join(work, "again.jsonl");
  await onNode(home, undefined, [...here, "export", "--out", again]);
  assert.equal(readFileSync(again, "utf8"), readFileSync(state, "utf8"), "the state exported again");

  const { client } = await wallet();
  const { rows, lists } = await compareAll(new VaaRegistryQueryClient(client, contract), "devnet");
  client.disconnect();
  console.log(`${lines.length} pages of state moved, ${rows} rows, ${lists} lists as in the embedded registry`);
}
