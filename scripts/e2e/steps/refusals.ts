import assert from "node:assert/strict";
import { errorCode, submitVaas, VaaRegistryClient } from "../../../packages/client-ts/src/index.ts";
import { followed } from "../compare.ts";
import { deployScript, fileOf, testdata, wallet } from "../context.ts";
import type { Shared } from "../main.ts";

/** Requires that something fails with a code of the registry. */
async function refused(what: string, code: string | undefined, action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    assert.equal(errorCode(error), code, `${what}: ${error}`);
    return String(error);
  }
  return assert.fail(`${what} was not refused`);
}

/** Wrong input, at the transaction and at the query: each is refused with its code, and nothing is stored. */
export async function refusals({ devnet }: Shared): Promise<void> {
  const { client, sender } = await wallet("bob");
  const registry = new VaaRegistryClient(client, sender, devnet);
  const before = await followed((page) => registry.messages({ page }), { limit: "30" });
  const [good] = testdata("devnet");
  assert(good !== undefined);
  const changed = (at: number, value: number) => {
    const vaa = Uint8Array.from(good);
    vaa[at] = value;
    return vaa;
  };
  const body = good.length - 1;
  const cases: [string, string, Uint8Array[]][] = [
    ["no VAA", "E201", []],
    ["too many VAAs", "E202", Array.from({ length: 51 }, () => good)],
    ["a VAA cut short", "E101", [good.slice(0, 50)]],
    ["another version", "E102", [changed(0, 2)]],
    ["an unknown guardian set", "E104", [changed(4, 77).map((byte, at) => (at === body ? byte ^ 1 : byte))]],
    ["a body that nobody signed", "E111", [changed(body, (good[body] ?? 0) ^ 1)]],
    ["a good VAA and a bad one", "E111", [good, changed(body, (good[body] ?? 0) ^ 1)]],
  ];
  // Simulated, and sent all the same with a fee of its own: what the node answers carries the code either way.
  const fee = { amount: [{ denom: "ustake", amount: "250000" }], gas: "10000000" };
  for (const [what, code, vaas] of cases) {
    await refused(what, code, () => submitVaas(client, sender, devnet, vaas));
    await refused(`${what}, not simulated`, code, () => submitVaas(client, sender, devnet, vaas, { fee }));
  }
  // With `skip`, the same bytes are told of, and the transaction stands.
  const { outcomes } = await submitVaas(client, sender, devnet, [good.slice(0, 50), good], { onInvalid: "skip" });
  assert.deepEqual(outcomes.map(({ outcome, error }) => [outcome, error?.code]), [["refused", "E101"], ["already_registered", undefined]]);

  await refused("an id that is none", "E203", () => registry.message({ id: "1/2" }));
  await refused("a digest that is none", "E204", () => registry.messageByDigest({ digest: "00" }));
  await refused("a guardian set that there is not", "E205", () => registry.guardianSet({ index: 77 }));
  await refused("the VAA of a message that there is not", "E206", () => registry.signedVaa({ id: `1/${"00".repeat(32)}/1` }));
  await refused("an emitter without chain", "E209", () => registry.messagesByTime({ emitter: "00".repeat(32) }));
  await refused("a time range that ends first", "E210", () => registry.messagesByTime({ from: 2, to: 1 }));
  await refused("a page key from elsewhere", "E211", () => registry.messages({ page: { key: "AAAA" } }));

  // Outside the registry's reach: the gas, the fee, the wasm's owner.
  const small = { amount: [{ denom: "ustake", amount: "5000" }], gas: "100000" };
  assert.match(await refused("too little gas", undefined, () => submitVaas(client, sender, devnet, [good], { fee: small })), /out of gas/);
  const unpaid = { amount: [], gas: "1000000" };
  assert.match(await refused("no fee", undefined, () => submitVaas(client, sender, devnet, [good], { fee: unpaid })), /insufficient fee/);

  const script = await deployScript(["submit", "--contract", devnet, fileOf("bad.hex", [good.slice(0, 50)])]);
  assert.equal(script.code, 1);
  assert.match(script.stderr, /\[E101\]/);

  const after = await followed((page) => registry.messages({ page }), { limit: "30" });
  assert.deepEqual(after, before, "rows");
  console.log(`${cases.length * 2} transactions and 7 queries refused with their codes, nothing stored`);
  client.disconnect();
}
