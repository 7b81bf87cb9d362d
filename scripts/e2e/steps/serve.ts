import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import protoWeb from "@certusone/wormhole-sdk-proto-web";
import nodeTransport from "@improbable-eng/grpc-web-node-http-transport";
import type { MessageResponse } from "../../../packages/client-ts/src/index.ts";
import { timeless } from "../compare.ts";
import { embedded, killNode, localnet, serving } from "../context.ts";
import type { Shared } from "../main.ts";

interface Answer {
  status: number;
  type: string | null;
  body: unknown;
}

/** The last sequence that there is: no message here has it. */
const lastSequence = "18446744073709551615";

async function ask(url: string, path: string, method = "GET", body?: string): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, { method, body, signal: AbortSignal.timeout(20_000) });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get("content-type"), body: text === "" ? "" : JSON.parse(text) };
}

/** Returns an answer without the times at which a registry was told. */
function comparable(answer: Answer): Answer {
  const ofTheBlock = new Set(["updatedAt", "indexedAt", "timestamp_ms"]);
  return JSON.parse(JSON.stringify(answer, (key, value) => (ofTheBlock.has(key) ? undefined : value)));
}

/** Every path that is served, for some messages; then lists, and what is refused. */
function pathsOf(rows: MessageResponse[]): string[] {
  const paths = [
    "/v1/guardianset/current",
    "/v1/heartbeats",
    "/v1/governor/available_notional_by_chain",
    "/v1/governor/enqueued_vaas",
    "/v1/governor/token_list",
    "/api/v1/vaas",
    "/api/v1/vaas?page=1&pageSize=7&sortOrder=ASC",
    "/api/v1/vaas?page=2&pageSize=7&sortOrder=DESC",
    "/api/v1/vaas/vaa-counts",
    "/api/v1/observations",
    "/api/v1/transactions",
    "/api/v1/operations",
    "/openapi.json",
  ];
  for (const row of rows) {
    const emitter = `${row.emitter_chain}/${row.emitter_address}`;
    const id = `${emitter}/${row.sequence}`;
    paths.push(
      `/v1/signed_vaa/${id}`,
      `/v1/signed_vaa/${row.emitter_chain}/0x${row.emitter_address.toUpperCase()}/${row.sequence}`,
      `/v1/governor/is_vaa_enqueued/${id}`,
      `/api/v1/vaas/${row.emitter_chain}`,
      `/api/v1/vaas/${emitter}?pageSize=3`,
      `/api/v1/vaas/${id}`,
      `/api/v1/vaas/${id}?parsedPayload=true`,
      `/api/v1/vaas/${id}/duplicated`,
      `/api/v1/observations/${row.emitter_chain}`,
      `/api/v1/observations/${emitter}`,
      `/api/v1/observations/${id}`,
      `/api/v1/transactions/${id}`,
    );
  }
  const nobody = `2/${"ab".repeat(32)}`;
  paths.push(
    `/v1/signed_vaa/${nobody}/${lastSequence}`,
    `/api/v1/vaas/${nobody}/${lastSequence}`,
    `/api/v1/vaas/${nobody}`,
    `/api/v1/vaas?txHash=0x${"ab".repeat(32)}`,
    "/v1/signed_vaa/2/00/1",
    `/v1/signed_vaa/${nobody}/${lastSequence}0`,
    "/v1/signed_vaa/70000/00/1",
    "/api/v1/vaas?page=-1",
    "/api/v1/vaas?pageSize=many",
    "/nothing",
  );
  return paths;
}

const { GrpcWebImpl, PublicRPCServiceClientImpl } = protoWeb.publicrpc;

/** Asks a server what clients ask: paths, a posted VAA, gRPC-web. */
async function answers(url: string, rows: MessageResponse[], vaas: string[]): Promise<Map<string, Answer>> {
  const all = new Map<string, Answer>();
  for (const path of pathsOf(rows)) all.set(path, await ask(url, path));
  for (const vaa of [...vaas, "AA=="]) all.set(`parse ${vaa}`, await ask(url, "/api/v1/vaas/parse", "POST", JSON.stringify({ vaa })));
  all.set("wrong method", await ask(url, "/v1/guardianset/current", "POST", "{}"));
  const client = new PublicRPCServiceClientImpl(new GrpcWebImpl(url, { transport: nodeTransport.NodeHttpTransport() }));
  const messageIds = rows.map((row) => ({ emitterChain: row.emitter_chain, emitterAddress: row.emitter_address, sequence: row.sequence }));
  for (const messageId of [...messageIds, { emitterChain: 2, emitterAddress: "ab".repeat(32), sequence: lastSequence }]) {
    const body = await client.GetSignedVAA({ messageId }).then(
      ({ vaaBytes }) => Buffer.from(vaaBytes).toString("hex"),
      (error: { code?: number; message: string }) => ({ code: error.code, message: error.message }),
    );
    all.set(`GetSignedVAA ${JSON.stringify(messageId)}`, { status: 0, type: null, body });
  }
  return all;
}

/**
 * The registry on the chain, served over HTTP: it answers as an embedded one that was told the same, is a source to ingest
 * from, and outlives its node.
 */
export async function serve({ devnet }: Shared): Promise<void> {
  const rows = (await embedded("devnet", ["list", "--all"])) as MessageResponse[];
  const some = rows.filter((_, at) => at % 16 === 0);
  const vaas: string[] = [];
  for (const { id } of some) vaas.push(((await embedded("devnet", ["vaa", id])) as { vaa: string }[])[0]?.vaa ?? "");

  let expected = new Map<string, Answer>();
  await serving("devnet", undefined, async (url) => {
    expected = await answers(url, some, vaas);
  });
  await serving("serve-node", devnet, async (url) => {
    for (const [what, answer] of await answers(url, some, vaas)) {
      assert.deepEqual(comparable(answer), comparable(expected.get(what) as Answer), what);
    }
    const missing = await ask(url, `/v1/signed_vaa/2/${"ab".repeat(32)}/${lastSequence}`);
    assert.equal(missing.status, 404);
    assert.equal((missing.body as { code: number }).code, 5);

    // Another registry ingests from here.
    await embedded("serve-sink", ["init", "--network", "devnet"]);
    const emitters = [...new Set(rows.map((row) => `${row.emitter_chain}/${row.emitter_address}`))].flatMap((emitter) => ["--emitter", emitter]);
    await embedded("serve-sink", ["ingest", "--from", url, ...emitters]);
    // Evidence of conflicts is not among what a server of VAAs tells, and an upgrade is applied or not by when it came.
    const told = (all: unknown) => (timeless(all) as MessageResponse[]).map((row) => ({ ...row, status: row.status?.verifications }));
    assert.deepEqual(told(await embedded("serve-sink", ["list", "--all"])), told(rows), "what was ingested from the server");

    killNode();
    const asked = Date.now();
    const away = await ask(url, `/v1/signed_vaa/2/${"ab".repeat(32)}/1`);
    assert([502, 503, 504].includes(away.status), `${away.status} while the node is away`);
    assert.match(JSON.stringify(away.body), /message/);
    assert(Date.now() - asked < 10_000, "an answer while the node is away took too long");
    await localnet("start");
    const path = `/v1/signed_vaa/${rows[0]?.id}`;
    let back = await ask(url, path);
    for (let tries = 0; back.status !== 200 && tries < 40; tries += 1) {
      await sleep(250);
      back = await ask(url, path);
    }
    assert.deepEqual(back, expected.get(path), "after the node is back");
  });
  console.log(`${expected.size} requests answered as by the embedded registry, ${rows.length} rows ingested from the server, the node killed`);
}
