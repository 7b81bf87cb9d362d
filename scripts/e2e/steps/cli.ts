import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll, timeless } from "../compare.ts";
import { accountFile, embedded, fileOf, jsonLines, killNode, localnet, onNode, onNodeUntil, testdata, wallet, wasm, work } from "../context.ts";
import { gas } from "../gas.ts";
import type { Shared } from "../main.ts";
import { storedByTransactions } from "./crash.ts";

interface Outcome {
  id: string | null;
  outcome: string;
}

const home = "cli-node";
const account = "carol";

/** The sequence of a VAA's message, as the bytes that stand in it. */
function withSequence(vaa: Uint8Array, sequence: bigint): Uint8Array {
  const changed = Uint8Array.from(vaa);
  const body = 6 + 66 * (vaa[5] ?? 0);
  new DataView(changed.buffer).setBigUint64(body + 42, sequence);
  return changed;
}

/**
 * vaactl on the chain: it deploys, ingests while it and then the node are killed, observes and migrates; and every
 * command that reads answers as it does of an embedded registry that was told the same.
 */
export async function cli({ code }: Shared): Promise<void> {
  const made = await onNode(home, account, ["deploy", "--network", "devnet", "--code-id", `${code}`]);
  const { contract, instantiate } = made[0] as { contract: string; instantiate: { gas_used: number } };
  gas("instantiate, 1 guardian, by vaactl", instantiate.gas_used);
  const here = ["--contract", contract];

  // Many small transactions, so that there is a moment to be killed in.
  const vaas = testdata("devnet");
  const file = fileOf("cli.hex", vaas);
  const ingest = [...here, "--max-gas", "1500000", "ingest", file];
  const first = await onNodeUntil(home, account, ingest, 20, (vaactl) => vaactl.kill("SIGKILL"));
  assert.equal(first.code, 137, first.stderr);
  const before = jsonLines(first.stdout) as Outcome[];
  assert(before.length >= 20 && before.length < vaas.length, `${before.length} lines before vaactl was killed`);

  let killed = false;
  const second = await onNodeUntil(home, account, ingest, before.length + 30, () => {
    killed = true;
    killNode();
    // vaactl waits for a node that is away.
    void sleep(500).then(() => localnet("start"));
  });
  assert(killed, `the node was not killed in time: ${second.code} ${second.stderr} ${second.stdout.split("\n").length} ${before.length}`);
  // Some name a guardian set that this registry does not know.
  assert.equal(second.code, 1, second.stderr);
  const again = jsonLines(second.stdout) as Outcome[];
  await embedded("cli", ["init", "--network", "devnet"]);
  const expected = (await embedded("cli", ["ingest", file], [0, 1])) as Outcome[];
  assert.equal(again.length, expected.length, `outcomes: ${second.stderr}`);
  let known = 0;
  for (const [at, { id, outcome }] of expected.entries()) {
    assert.equal(again[at]?.id, id);
    if (outcome === "stored" && again[at]?.outcome === "already_registered") known += 1;
    else assert.equal(again[at]?.outcome, outcome, `line ${at + 1}`);
  }
  assert(known > 0, "nothing of the first run was stored");
  const { client } = await wallet();
  const registry = new VaaRegistryQueryClient(client, contract);
  const { rows } = await compareAll(registry, "cli");
  const { transactions, stored } = await storedByTransactions(client, contract);
  assert.equal(stored, rows, "rows stored by transactions, and rows that there are");

  // Signed by devnet's one guardian: a known message, and one that only observations tell of.
  const [good] = vaas;
  assert(good !== undefined);
  const observed = fileOf("observed.hex", [good, withSequence(good, 18_446_744_073_709_551_615n)]);
  const observe = ["observe", "--devnet-key", "--tx-id", "0x0102", observed];
  const done = await onNode(home, account, [...here, ...observe]);
  assert.deepEqual(done, await embedded("cli", observe), "outcomes of observations");
  assert.deepEqual((done as Outcome[]).map(({ outcome }) => outcome), ["already_registered", "pending"]);

  const messages = (await embedded("cli", ["list", "--all"])) as { id: string; emitter_chain: number; emitter_address: string }[];
  const [one] = messages;
  assert(one !== undefined);
  const ids = messages.slice(0, 40).map(({ id }) => id);
  const emitter = ["--chain", `${one.emitter_chain}`, "--emitter", one.emitter_address];
  const reads: string[][] = [
    ["list", "--all"],
    ["list", "--all", "--by-time", "--reverse"],
    ["list", "--limit", "3", "--offset", "5", ...emitter],
    ["list", "--all", "--families", "status", "--payload-prefix", "01"],
    ["get", one.id],
    ["vaa", one.id],
    ["guardians"],
    ["guardians", "0"],
    ["conflicts", "--all"],
    ["pending"],
    ["verify", file],
    ["status", one.id],
    ["status", ...ids],
    ["status", "--signers", one.id],
    ["repair", one.id],
    ["missing", "--all", ...emitter, "--from", "0", "--to", "18446744073709551615"],
    ["totals", "chain", "--all"],
    ["totals", "emitter", "--all"],
    ["totals", "day", "--all", "--reverse"],
  ];
  for (const read of reads) {
    const codes = [0, 1];
    const told = timeless(await onNode(home, undefined, [...here, ...read], codes));
    assert.deepEqual(told, timeless(await embedded("cli", read, codes)), `vaactl ${read.join(" ")}`);
  }

  await refusals(here, one.id, file);
  await keyring(here, file);

  const moved = (await onNode(home, account, [...here, "migrate", "--wasm", wasm])) as { migrate: { gas_used: number } }[];
  gas("migrate, by vaactl", moved[0]?.migrate.gas_used ?? 0);
  assert.deepEqual(
    timeless(await onNode(home, undefined, [...here, "list", "--all"])),
    timeless(await embedded("cli", ["list", "--all"])),
    "rows after the migration",
  );
  console.log(`${transactions} transactions, ${rows} rows stored once each, ${reads.length} commands that read answer alike`);
  client.disconnect();
}

/** What cannot be done is told in one line, and nothing is sent. */
async function refusals(here: string[], id: string, file: string): Promise<void> {
  const poor = join(work, "poor.mnemonic");
  writeFileSync(poor, "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about\n");
  const { client, sender } = await wallet("bob");
  const group = join(wasm, "../group_account.wasm");
  const uploaded = await client.upload(sender, readFileSync(group), "auto");
  const other = await client.instantiate(sender, uploaded.codeId, {}, "no registry", "auto");
  client.disconnect();
  const cases: [string, RegExp, string | undefined, string[]][] = [
    ["another chain", /is on the chain/, account, [...here, "--chain-id", "other-1", "ingest", file]],
    ["no funds", /needs funds first/, poor, [...here, "ingest", file]],
    ["too little gas allowed", /more than the 90000 of a block/, account, [...here, "--max-gas", "90000", "ingest", file]],
    ["a fee that is too low", /is too low for this node/, account, [...here, "--gas-prices", "0.000001ustake", "ingest", file]],
    ["no contract there", /there is no contract at/, undefined, ["--contract", sender, "get", id]],
    ["a contract of another code", /not a registry/, undefined, ["--contract", other.contractAddress, "get", id]],
    ["no contract named", /no contract is named/, undefined, ["get", id]],
    ["nobody to sign", /no key is named/, undefined, [...here, "ingest", file]],
    ["somebody else migrates", /unauthorized/, "alice", [...here, "migrate", "--wasm", wasm]],
    ["a message that there is not", /\[E206\]/, undefined, [...here, "vaa", `1/${"00".repeat(32)}/1`]],
  ];
  for (const [what, pattern, by, args] of cases) {
    const ended = await onNodeUntil(home, by, args);
    assert.equal(ended.code, 1, `${what}: ${ended.stderr}`);
    assert.match(ended.stderr, pattern, what);
    assert.equal(ended.stderr.trimEnd().split("\n").filter((line) => line.startsWith("error: ")).length, 1, `${what}: ${ended.stderr}`);
  }
  const gone = await onNodeUntil(home, undefined, ["--node", "http://127.0.0.1:1", "--timeout", "1", ...here, "get", id]);
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /does not answer/);
}

/** A key of the encrypted keyring signs as its mnemonic does. */
async function keyring(here: string[], file: string): Promise<void> {
  const env = { VAACTL_PASSPHRASE: "correct horse battery staple" };
  const added = await onNodeUntil(home, undefined, ["--mnemonic-file", accountFile(account), "keys", "add", "k"], undefined, undefined, env);
  assert.equal(added.code, 0, added.stderr);
  const { sender } = await wallet(account);
  assert.equal((jsonLines(added.stdout)[0] as { address: string }).address, sender);
  const signed = await onNodeUntil(home, undefined, [...here, "--key", "k", "ingest", file], undefined, undefined, env);
  assert.equal(signed.code, 1, signed.stderr);
  assert((jsonLines(signed.stdout) as Outcome[]).every(({ outcome }) => ["already_registered", "conflict", "refused"].includes(outcome)));
  const wrong = await onNodeUntil(home, undefined, [...here, "--key", "k", "ingest", file], undefined, undefined, { VAACTL_PASSPHRASE: "wrong" });
  assert.equal(wrong.code, 1);
  assert(!readFileSync(join(work, home, "keyring.age")).toString("latin1").includes("zoo"), "the keyring holds words in the clear");
}
