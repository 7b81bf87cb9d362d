// Published clients of Wormhole, unchanged but for the URL, on running servers of real VAAs.
import assert from "node:assert/strict";
import protoWeb from "@certusone/wormhole-sdk-proto-web";
import nodeTransport from "@improbable-eng/grpc-web-node-http-transport";
import { toChain, UniversalAddress, Wormhole, deserialize, type WormholeMessageId } from "@wormhole-foundation/sdk-connect";
import * as api from "@wormhole-foundation/sdk-connect/whscan-api";
import { fileOf, rows, run, serving, testdata } from "./registry.ts";

interface Message {
  chain: number;
  emitter: string;
  sequence: bigint;
  set: number;
  vaa: Buffer;
}

function message(vaa: Buffer): Message {
  const body = 6 + 66 * vaa.readUInt8(5);
  return {
    chain: vaa.readUInt16BE(body + 8),
    emitter: vaa.toString("hex", body + 10, body + 42),
    sequence: vaa.readBigUInt64BE(body + 42),
    set: vaa.readUInt32BE(1),
    vaa,
  };
}

/** The newest guardian set's copy of each message. */
function newest(): Message[] {
  const known = new Map<string, Message>();
  for (const row of rows("mainnet")) {
    const one = message(Buffer.from(row.vaa_hex, "hex"));
    const key = `${one.chain}/${one.emitter}/${one.sequence}`;
    const before = known.get(key);
    if (before === undefined || one.set > before.set) known.set(key, one);
  }
  return [...known.values()];
}

/** The message's id as the SDK has it; none for a chain that the SDK does not know. */
function idOf(one: Message): WormholeMessageId | undefined {
  try {
    return { chain: toChain(one.chain), emitter: new UniversalAddress(one.emitter), sequence: one.sequence };
  } catch {
    return undefined;
  }
}

const { GrpcWebImpl, PublicRPCServiceClientImpl } = protoWeb.publicrpc;

await run("mainnet", ["ingest", "--replay", testdata("mainnet")]);
const messages = newest();

await serving("mainnet", async (url) => {
  let fetched = 0;
  // With a slash at its end, as some configurations have it.
  const wormhole = new Wormhole("Mainnet", [], { api: `${url}/` });
  for (const one of messages) {
    const id = idOf(one);
    if (id === undefined) continue;
    const bytes = await wormhole.getVaaBytes(id, 2_500);
    assert.deepEqual(Buffer.from(bytes ?? []), one.vaa, `${one.chain}/${one.emitter}/${one.sequence}`);
    const vaa = await wormhole.getVaa(id, "Uint8Array", 2_500);
    assert.ok(vaa !== null);
    assert.equal(vaa.sequence, one.sequence);
    assert.equal(vaa.guardianSet, one.set);
    assert.deepEqual(vaa.hash, deserialize("Uint8Array", one.vaa).hash);
    const status = await wormhole.getTransactionStatus(id, 2_500);
    assert.equal(status?.id, `${one.chain}/${one.emitter}/${one.sequence}`);
    fetched += 1;
  }
  assert.ok(fetched > 100, `${fetched} VAAs`);
  console.log(`sdk-connect: ${fetched} of ${messages.length} VAAs fetched and parsed, the others are of chains it does not know`);

  const absent: WormholeMessageId = { chain: "Ethereum", emitter: new UniversalAddress("0xab".padEnd(66, "0")), sequence: 2n ** 64n - 1n };
  assert.equal(await api.getVaaBytes(url, absent), null);
  assert.equal(await wormhole.getVaa(absent, "Uint8Array", 2_000), null);
  assert.equal(await api.getTransactionStatus(url, absent), null);
  assert.equal(await api.getVaaByTxHash(url, `0x${"ab".repeat(32)}`), null);
  assert.equal(await api.getRelayStatus(url, `0x${"ab".repeat(32)}`), null);
  assert.equal(await api.getIsVaaEnqueued(url, absent), false);
  assert.equal(await api.getGuardianHeartbeats(url), null);
  assert.equal(await api.getGovernedTokens(url), null);
  assert.equal(await api.getGovernorLimits(url), null);
  assert.ok(((await api.getTxsByAddress(url, `0x${messages[0]?.emitter}`)) ?? []).length > 0);

  const client = new PublicRPCServiceClientImpl(new GrpcWebImpl(url, { transport: nodeTransport.NodeHttpTransport() }));
  for (const one of messages) {
    const messageId = { emitterChain: one.chain, emitterAddress: one.emitter, sequence: one.sequence.toString() };
    const { vaaBytes } = await client.GetSignedVAA({ messageId });
    assert.deepEqual(Buffer.from(vaaBytes), one.vaa);
  }
  const unknown = { emitterChain: 2, emitterAddress: "ab".repeat(32), sequence: (2n ** 64n - 1n).toString() };
  await assert.rejects(client.GetSignedVAA({ messageId: unknown }), (error: { code?: number; message: string }) => {
    assert.equal(error.code, 5);
    return error.message.includes("requested VAA not found in store");
  });
  assert.equal((await client.GovernorIsVAAEnqueued({ messageId: unknown })).isEnqueued, false);
  console.log(`gRPC-web: ${messages.length} VAAs fetched`);
});

// A transaction that the devnet's one guardian attests.
const transaction = "cd".repeat(32);
const sequence = "0000000000000007";
const body = `6500000000000007${"0002"}${"ab".repeat(32)}${sequence}20abcd`;
await run("devnet", ["init", "--network", "devnet"]);
await run("devnet", ["observe", "--devnet-key", "--bodies", "--tx-id", transaction, fileOf("body", body)]);
await serving("devnet", async (url) => {
  const wormhole = new Wormhole("Devnet", [], { api: url });
  const vaa = await wormhole.getVaa(`0x${transaction}`, "Uint8Array", 2_500);
  assert.ok(vaa !== null);
  assert.equal(vaa.sequence, 7n);
  assert.equal(Buffer.from(vaa.payload).toString("hex"), "abcd");
  assert.equal((await api.getVaaByTxHash(url, transaction))?.txHash, transaction);
  console.log("sdk-connect: a VAA fetched by its transaction");
});
