import assert from "node:assert/strict";
import { type MessageResponse, type MessagesResponse, type PageRequest, pages, type VaaRegistryQueryClient } from "../../packages/client-ts/src/index.ts";
import { embedded } from "./context.ts";

/** What differs between two registries that were told the same: the blocks in which they were told. */
const ofTheBlock = new Set(["height", "time", "applied_at", "applied_height", "expires_at", "valid_until"]);

/** Returns a value without what depends on its block. */
export function timeless<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner) => (ofTheBlock.has(key) ? undefined : inner)));
}

/** A list, asked of the registry on the chain and of the embedded one. */
interface List {
  name: string;
  query: (page: PageRequest) => Promise<MessagesResponse>;
  args: string[];
}

/** Returns every list that the rows appear in: all, and for each chain, emitter, recipient and guardian set that occurs. */
function listsOf(registry: VaaRegistryQueryClient, rows: MessageResponse[], recipients: { chain: number; address: string }[]): List[] {
  const lists: List[] = [
    { name: "all", query: (page) => registry.messages({ page }), args: [] },
    { name: "by time", query: (page) => registry.messagesByTime({ page }), args: ["--by-time"] },
    {
      name: "by time, in a range",
      query: (page) => registry.messagesByTime({ from: 1, to: 1_700_000_000, page }),
      args: ["--from", "1", "--to", "1700000000"],
    },
  ];
  for (const chain of new Set(rows.map((row) => row.emitter_chain))) {
    lists.push(
      { name: `chain ${chain}`, query: (page) => registry.messagesByChain({ chain, page }), args: ["--chain", `${chain}`] },
      { name: `chain ${chain} by time`, query: (page) => registry.messagesByTime({ chain, page }), args: ["--chain", `${chain}`, "--by-time"] },
    );
  }
  for (const [chain, emitter] of new Map(rows.map((row) => [`${row.emitter_chain}/${row.emitter_address}`, [row.emitter_chain, row.emitter_address] as const])).values()) {
    const args = ["--chain", `${chain}`, "--emitter", emitter];
    lists.push(
      { name: `emitter ${chain}/${emitter}`, query: (page) => registry.messagesByEmitter({ chain, emitter, page }), args },
      { name: `emitter ${chain}/${emitter} by time`, query: (page) => registry.messagesByTime({ chain, emitter, page }), args: [...args, "--by-time"] },
    );
  }
  for (const index of new Set(rows.flatMap((row) => row.status?.verifications.map((done) => done.guardian_set_index) ?? []))) {
    lists.push({
      name: `guardian set ${index}`,
      query: (page) => registry.messagesByGuardianSet({ index, page }),
      args: ["--guardian-set", `${index}`],
    });
  }
  for (const chain of new Set(recipients.map((recipient) => recipient.chain))) {
    lists.push({ name: `recipients on ${chain}`, query: (page) => registry.messagesByRecipient({ chain, page }), args: ["--recipient", `${chain}`] });
  }
  for (const { chain, address } of recipients.slice(0, 3)) {
    lists.push({
      name: `recipient ${chain}/${address}`,
      query: (page) => registry.messagesByRecipient({ chain, address, page }),
      args: ["--recipient", `${chain}/${address}`],
    });
  }
  return lists;
}

/** Returns to whom the token transfers among messages go. */
function recipientsOf(rows: MessageResponse[]): { chain: number; address: string }[] {
  const found = new Map<string, { chain: number; address: string }>();
  for (const row of rows) {
    const payload = Buffer.from(row.message_publication?.payload ?? "", "base64");
    if (![1, 3].includes(payload[0] ?? 0) || payload.length < 101) continue;
    const recipient = { chain: payload.readUInt16BE(99), address: payload.subarray(67, 99).toString("hex") };
    found.set(`${recipient.chain}/${recipient.address}`, recipient);
  }
  return [...found.values()];
}

/** Follows a list to its end. */
export async function followed(query: List["query"], request: PageRequest): Promise<MessageResponse[]> {
  const rows: MessageResponse[] = [];
  for await (const { messages } of pages(query, request)) rows.push(...messages);
  return rows;
}

/**
 * Requires that a registry on the chain and an embedded one answer alike: every list to its end, both ways and in pages
 * of several sizes, each message, its VAA, the guardian sets and the conflicts. Returns how many rows and lists those were.
 */
export async function compareAll(registry: VaaRegistryQueryClient, home: string): Promise<{ rows: number; lists: number }> {
  const all = await followed((page) => registry.messages({ page }), { limit: "30" });
  const lists = listsOf(registry, all, recipientsOf(all));
  for (const { name, query, args } of lists) {
    const expected = timeless(await embedded(home, ["list", "--all", ...args]));
    const backwards = timeless(await embedded(home, ["list", "--all", "--reverse", ...args]));
    assert.deepEqual(timeless(await followed(query, { limit: "7" })), expected, `list ${name}`);
    assert.deepEqual(timeless(await followed(query, { limit: "30", reverse: true })), backwards, `list ${name}, backwards`);
    assert.deepEqual(backwards, [...expected].reverse(), `list ${name}: backwards is the other way round`);
  }
  for (const row of all) {
    assert.deepEqual((await registry.message({ id: row.id })).message, row, `message ${row.id}`);
    const digest = row.message_publication?.digest ?? "";
    assert.deepEqual((await registry.messageByDigest({ digest })).message, row, `message with digest ${digest}`);
    const signed = timeless([await registry.signedVaa({ id: row.id })]);
    assert.deepEqual(signed, timeless(await embedded(home, ["vaa", row.id])), `VAA of ${row.id}`);
  }
  const sets: unknown[] = [];
  for await (const page of pages((page) => registry.guardianSets({ page }), { limit: "2" })) sets.push(...page.guardian_sets);
  assert.deepEqual(timeless(sets), timeless(await embedded(home, ["guardians"])), "guardian sets");
  const conflicts: unknown[] = [];
  for await (const page of pages((page) => registry.conflicts({ page }), { limit: "7" })) conflicts.push(...page.conflicts);
  assert.deepEqual(timeless(conflicts), timeless(await embedded(home, ["conflicts", "--all"])), "conflicts");
  return { rows: all.length, lists: lists.length };
}
