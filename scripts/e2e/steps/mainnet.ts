import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { submitVaas, VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll } from "../compare.ts";
import { embedded, fileOf, setOf, testdata, wallet, work } from "../context.ts";
import { gas, gasOf } from "../gas.ts";
import type { Shared } from "../main.ts";
import { deployed } from "./devnet.ts";

const networks = new URL("../../../packages/vaactl/src/networks.json", import.meta.url);
const [older, newer] = [3, 4];

/**
 * A registry at two guardian sets of mainnet, the older of which is still live, told real VAAs of 13 signatures and
 * more: new ones, known ones, and ones that the newer set signed again.
 */
export async function mainnet(shared: Shared): Promise<void> {
  const known = (JSON.parse(readFileSync(networks, "utf8")) as { mainnet: { index: number; addresses: string[] }[] }).mainnet;
  const expires_at = String(Math.floor(Date.now() / 1000) + 80_000);
  const sets = known.filter(({ index }) => index === older || index === newer)
    .map(({ index, addresses }) => (index === older ? { index, addresses, expires_at } : { index, addresses }));
  const file = join(work, "sets.json");
  writeFileSync(file, JSON.stringify(sets));

  const { contract, told } = await deployed(["--guardian-sets", file, "--code-id", `${shared.code}`]);
  gas("instantiate, 2 sets of 19 guardians", told.at(-1)?.gas_used ?? 0);
  const { client, sender } = await wallet("bob");
  const registry = new VaaRegistryQueryClient(client, contract);

  const vaas = testdata("mainnet").filter((vaa) => setOf(vaa) === older || setOf(vaa) === newer);
  const submitted: Uint8Array[] = [];
  const outcomes: unknown[] = [];
  const submit = async (what: string, batch: Uint8Array[]) => {
    const done = await submitVaas(client, sender, contract, batch, { onInvalid: "skip" });
    gasOf(what, done);
    submitted.push(...batch);
    outcomes.push(...done.outcomes);
    return done.outcomes;
  };
  const ofOlder = vaas.filter((vaa) => setOf(vaa) === older);
  const ofNewer = vaas.filter((vaa) => setOf(vaa) === newer);
  await submit("submit 1 VAA of mainnet, 13 signatures", ofOlder.slice(0, 1));
  await submit("submit 10 VAAs of mainnet, 13 signatures each", ofOlder.slice(1, 11));
  await submit("submit 30 VAAs of mainnet, 13 signatures each", ofOlder.slice(11, 41));
  await submit("submit 1 known VAA of mainnet", ofOlder.slice(0, 1));
  await submit("submit 10 known VAAs of mainnet", ofOlder.slice(1, 11));
  await submit(`submit ${ofOlder.length - 41} VAAs of mainnet`, ofOlder.slice(41));
  const again: Uint8Array[] = [];
  const fresh: Uint8Array[] = [];
  for (const vaa of ofNewer) {
    const would = await registry.verify({ vaa: Buffer.from(vaa).toString("base64") });
    assert.deepEqual(would.errors, [], `errors of ${would.id}`);
    (would.outcome === "resigned" ? again : fresh).push(vaa);
  }
  assert(again.length > 0, "no VAA of the newer set signs a message again");
  assert.equal((await submit("submit 1 VAA of mainnet that a newer set signed again", again.slice(0, 1)))[0]?.outcome, "resigned");
  for (let at = 0; at < fresh.length; at += 30) {
    const batch = fresh.slice(at, at + 30);
    await submit(`submit ${batch.length} VAAs of mainnet, the newer set`, batch);
  }
  if (again.length > 1) await submit(`submit ${again.length - 1} VAAs of mainnet that a newer set signed again`, again.slice(1));

  const init = await embedded("mainnet", ["init", "--guardian-sets", file]);
  assert.equal(init.length, 1);
  assert.deepEqual(outcomes, await embedded("mainnet", ["ingest", fileOf("mainnet.hex", submitted)]), "outcomes");
  const { rows, lists } = await compareAll(registry, "mainnet");
  console.log(`${submitted.length} VAAs submitted, ${again.length} signed again, ${rows} rows, ${lists} lists as in the embedded registry, both ways`);
  client.disconnect();
}
