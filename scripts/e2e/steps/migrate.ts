import assert from "node:assert/strict";
import { VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll } from "../compare.ts";
import { deployScript, jsonLines, wallet, wasm } from "../context.ts";
import { gas } from "../gas.ts";
import type { Shared } from "../main.ts";

/** The registry moves to the code stored anew, at its admin's word and nobody else's, and answers as before. */
export async function migrate({ devnet, code }: Shared): Promise<void> {
  const stranger = await deployScript(["migrate", "--contract", devnet, "--code-id", `${code}`], "bob");
  assert.equal(stranger.code, 1);
  assert.match(stranger.stderr, /unauthorized/);

  const ended = await deployScript(["migrate", "--contract", devnet, "--wasm", wasm]);
  assert.equal(ended.code, 0, ended.stderr);
  const told = jsonLines(ended.stdout) as { step: string; from: number; to: number; gas_used: string }[];
  const moved = told.at(-1);
  assert.deepEqual([moved?.step, moved?.from], ["migrate", code]);
  gas("migrate", moved?.gas_used ?? 0);

  const { client } = await wallet();
  const now = (await client.getContract(devnet)).codeId;
  assert.equal(now, moved?.to);
  assert.notEqual(now, code);
  const { rows } = await compareAll(new VaaRegistryQueryClient(client, devnet), "devnet");
  console.log(`from code ${code} to ${now}, ${rows} rows as before`);
  client.disconnect();
}
