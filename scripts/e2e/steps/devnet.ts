import assert from "node:assert/strict";
import { submitVaas, VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll } from "../compare.ts";
import { deployScript, embedded, fileOf, jsonLines, testdata, wallet, wasm } from "../context.ts";
import { gas, gasOf } from "../gas.ts";
import type { Shared } from "../main.ts";

interface Told {
  step: string;
  contract: string;
  code_id: number;
  gas_used: string;
  outcomes: unknown[];
}

/** Deploys a registry with deploy.ts, and returns its address and code. */
export async function deployed(args: string[]): Promise<{ contract: string; code: number; told: Told[] }> {
  const ended = await deployScript(["deploy", ...args]);
  assert.equal(ended.code, 0, ended.stderr);
  const told = jsonLines(ended.stdout) as Told[];
  const made = told.at(-1);
  assert.equal(made?.step, "instantiate");
  return { contract: made?.contract ?? "", code: made?.code_id ?? 0, told };
}

/**
 * A registry at devnet's newest guardian set, told every VAA of devnet that there is: one by deploy.ts, the others by a
 * wallet. An embedded registry is told the same in the same order, and both answer alike.
 */
export async function devnet(shared: Shared): Promise<void> {
  const { contract, code, told } = await deployed(["--network", "devnet", "--wasm", wasm]);
  Object.assign(shared, { devnet: contract, code });
  for (const { step, gas_used } of told) gas(step === "store" ? "store the code" : "instantiate, 1 guardian", gas_used);

  const vaas = testdata("devnet");
  const [first, ...others] = vaas;
  assert(first !== undefined);
  const byScript = await deployScript(["submit", "--contract", contract, "--skip", fileOf("first.hex", [first])]);
  assert.equal(byScript.code, 0, byScript.stderr);
  const outcomes = (jsonLines(byScript.stdout) as Told[]).flatMap((line) => line.outcomes);

  const { client, sender } = await wallet();
  const sizes = [1, 10, 30];
  for (let at = 0; at < others.length; ) {
    const size = sizes.shift();
    const batch = others.slice(at, at + (size ?? 25));
    at += batch.length;
    const done = await submitVaas(client, sender, contract, batch, { onInvalid: "skip" });
    gasOf(size === undefined ? `submit ${batch.length} VAAs of devnet` : `submit ${size} ${size === 1 ? "VAA" : "VAAs"} of devnet, 1 signature each`, done);
    outcomes.push(...done.outcomes);
  }
  gasOf("submit 30 known VAAs of devnet", await submitVaas(client, sender, contract, vaas.slice(0, 30), { onInvalid: "skip" }));

  await embedded("devnet", ["init", "--network", "devnet"]);
  // Some name a guardian set that this registry does not know: vaactl then ends with 1.
  const expected = await embedded("devnet", ["ingest", fileOf("devnet.hex", vaas)], [0, 1]);
  assert.deepEqual(outcomes, expected, "outcomes");
  const { rows, lists } = await compareAll(new VaaRegistryQueryClient(client, contract), "devnet");
  assert(rows > 50, `only ${rows} rows`);

  const listed = await deployScript(["list", "--contract", contract, "--limit", "7", "--reverse"]);
  assert.equal(jsonLines(listed.stdout).length, rows, "rows that deploy.ts lists");
  console.log(`${vaas.length} VAAs submitted, ${rows} rows, ${lists} lists as in the embedded registry, both ways`);
  client.disconnect();
}
