import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { SigningCosmWasmClient } from "@cosmjs/cosmwasm";
import { submitVaas, VaaRegistryQueryClient } from "../../../packages/client-ts/src/index.ts";
import { compareAll } from "../compare.ts";
import { killNode, localnet, testdata, wallet } from "../context.ts";
import type { Shared } from "../main.ts";
import { deployed } from "./devnet.ts";

const size = 5;

/** Counts the rows that the chain's transactions say they stored in a registry. */
export async function storedByTransactions(client: SigningCosmWasmClient, contract: string): Promise<{ transactions: number; stored: number; conflicts: number }> {
  const found = await client.searchTx([{ key: "execute._contract_address", value: contract }]);
  const good = found.filter(({ code }) => code === 0);
  const count = (type: string) => good.flatMap(({ events }) => events).filter((event) => event.type === type).length;
  return { transactions: good.length, stored: count("wasm-vaa_stored"), conflicts: count("wasm-vaa_conflict") };
}

/**
 * The node is killed twice while a wallet submits batch after batch, and started again on what it left. What was
 * answered as stored is there, the rest is submitted again, and in the end nothing is lost and nothing is there twice.
 */
export async function crash({ code }: Shared): Promise<void> {
  const { contract } = await deployed(["--network", "devnet", "--code-id", `${code}`]);
  let { client, sender } = await wallet("carol");
  const vaas = testdata("devnet");
  const killAt = new Set([8, 20]);
  let kills = 0;
  let asked = 0;
  const answered = new Set<string>();
  for (let at = 0; at < vaas.length; ) {
    const batch = vaas.slice(at, at + size);
    asked += 1;
    // Each time at another moment of a submission: simulated, in the mempool, or in a block.
    const kill = killAt.delete(asked) ? sleep(60 + 240 * kills++).then(killNode) : undefined;
    try {
      const { outcomes } = await submitVaas(client, sender, contract, batch, { onInvalid: "skip" });
      for (const { id, outcome } of outcomes) if (outcome === "stored" && id) answered.add(id);
      at += batch.length;
      await kill;
      if (kill === undefined) continue;
    } catch (error) {
      await kill;
      if (kill === undefined) throw error;
      console.log(`killed while submitting batch ${at / size + 1}: ${error instanceof Error ? error.message : error}`);
    }
    client.disconnect();
    await localnet("start");
    ({ client, sender } = await wallet("carol"));
    const registry = new VaaRegistryQueryClient(client, contract);
    for (const id of answered) assert((await registry.message({ id })).message, `${id} was stored and is gone`);
  }
  assert.equal(kills, 2, "times killed");

  const { rows } = await compareAll(new VaaRegistryQueryClient(client, contract), "devnet");
  const { transactions, stored, conflicts } = await storedByTransactions(client, contract);
  assert.equal(stored, rows, "rows stored by transactions, and rows that there are");
  console.log(`killed ${kills} times, ${transactions} transactions, ${stored} rows stored once each, ${conflicts} conflicts`);
  client.disconnect();
}
