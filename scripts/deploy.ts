// Puts a VAA registry on a chain and works with it from a wallet, on CosmJS. `deploy.ts --help` tells how.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CosmWasmClient, SigningCosmWasmClient } from "@cosmjs/cosmwasm";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { type InstantiateMsg, type MessagesResponse, type PageRequest, pages, submitVaas, VaaRegistryQueryClient } from "../packages/client-ts/src/index.ts";
import { newestSet, setsOfFile } from "./guardians.ts";
import { batches, vaasOfFile } from "./vaas.ts";

const help = `usage: deploy.ts COMMAND [OPTIONS]

  deploy   stores the wasm, and instantiates a registry
             --network mainnet|testnet|devnet   starts at the newest guardian set that is known of it
             --guardian-sets FILE               or starts at these sets: a JSON list of {index, addresses, expires_at}
             --wasm FILE | --code-id N          what to store, or what is stored (default: artifacts/vaa_registry.wasm)
             --this-chain ID                    the chain's Wormhole id (default: 3104)
             --label TEXT                       (default: vaa-registry)
             --admin ADDRESS|none               who may migrate it, pause it and set its limits (default: the wallet)
  submit   submits VAAs: submit --contract ADDRESS FILE...
             FILE                               a VAA a line: JSON with vaa_hex, hex, or base64
             --skip                             passes over VAAs that are refused, instead of failing
             --batch N                          VAAs in a transaction (default: 10, and what the registry allows)
  list     lists messages to the end, page after page: list --contract ADDRESS
             --chain ID [--emitter HEX] [--reverse] [--limit N]   (rows in a page)
  migrate  moves a registry to another code: migrate --contract ADDRESS
             --wasm FILE | --code-id N

  --node URL           the chain's RPC address (default: http://127.0.0.1:26657)
  --gas-price PRICE    what the chain wants for gas (default: 0.025ustake)
  --prefix TEXT        what the chain's addresses begin with (default: wasm)
  --mnemonic-file FILE the wallet's mnemonic; without it, that of the environment variable MNEMONIC

Writes a line of JSON for each step. Exits with 1 if something fails, and with 2 if the arguments make no sense.`;

class UsageError extends Error {}

const options = {
  "admin": { type: "string" },
  "batch": { type: "string" },
  "chain": { type: "string" },
  "code-id": { type: "string" },
  "contract": { type: "string" },
  "emitter": { type: "string" },
  "gas-price": { type: "string", default: "0.025ustake" },
  "guardian-sets": { type: "string" },
  "help": { type: "boolean", short: "h" },
  "label": { type: "string", default: "vaa-registry" },
  "limit": { type: "string" },
  "mnemonic-file": { type: "string" },
  "network": { type: "string" },
  "node": { type: "string", default: "http://127.0.0.1:26657" },
  "prefix": { type: "string", default: "wasm" },
  "reverse": { type: "boolean" },
  "skip": { type: "boolean" },
  "this-chain": { type: "string", default: "3104" },
  "wasm": { type: "string" },
} as const;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { values, command: positionals[0], files: positionals.slice(1) };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof readArguments>["values"];

function number(name: "batch" | "chain" | "code-id" | "limit" | "this-chain", values: Values): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} is a number, not '${text}'`);
  return Number(text);
}

function contractOf(values: Values): string {
  if (values.contract === undefined) throw new UsageError("--contract is missing");
  return values.contract;
}

/** Writes a line of JSON, with numbers of 64 bits as text. */
function tell(step: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ step, ...fields }, (_, value) => (typeof value === "bigint" ? value.toString() : value)));
}

/** Names the node in the error, if it can not be reached. */
async function reached<T>(values: Values, connection: Promise<T>): Promise<T> {
  try {
    return await connection;
  } catch (error) {
    throw new Error(`no node answers at ${values.node}`, { cause: error });
  }
}

async function connect(values: Values): Promise<{ client: SigningCosmWasmClient; sender: string }> {
  const file = values["mnemonic-file"];
  const mnemonic = (file === undefined ? process.env.MNEMONIC : readFileSync(file, "utf8"))?.trim();
  if (!mnemonic) throw new UsageError("no mnemonic: give --mnemonic-file, or the environment variable MNEMONIC");
  // CosmJS's own error shows what it was given.
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: values.prefix }).catch(() => {
    throw new Error("the mnemonic is not one of BIP-39");
  });
  const [account] = await wallet.getAccounts();
  if (account === undefined) throw new Error("the wallet has no account");
  const gasPrice = GasPrice.fromString(values["gas-price"]);
  const client = await reached(values, SigningCosmWasmClient.connectWithSigner(values.node, wallet, { gasPrice, broadcastPollIntervalMs: 250 }));
  return { client, sender: account.address };
}

/** Stores the wasm, unless a code is named that is stored already. */
async function codeOf(client: SigningCosmWasmClient, sender: string, values: Values): Promise<number> {
  const known = number("code-id", values);
  if (known !== undefined) return known;
  const file = values.wasm ?? fileURLToPath(new URL("../artifacts/vaa_registry.wasm", import.meta.url));
  if (!existsSync(file)) throw new Error(`no ${file}: build it with scripts/build-wasm.sh, or name another with --wasm`);
  const stored = await client.upload(sender, readFileSync(file), "auto");
  tell("store", { code_id: stored.codeId, checksum: stored.checksum, tx: stored.transactionHash, height: stored.height, gas_used: stored.gasUsed });
  return stored.codeId;
}

async function deploy(values: Values): Promise<void> {
  const { network, "guardian-sets": file } = values;
  if ((network === undefined) === (file === undefined)) throw new UsageError("give either --network or --guardian-sets");
  const sets = network === undefined ? setsOfFile(file as string) : newestSet(network);
  const { client, sender } = await connect(values);
  const admin = values.admin === "none" ? undefined : (values.admin ?? sender);
  const msg: InstantiateMsg = { this_chain: number("this-chain", values) ?? 3104, guardian_sets: sets, admin };
  const code = await codeOf(client, sender, values);
  const made = await client.instantiate(sender, code, msg, values.label, "auto", { admin });
  tell("instantiate", {
    contract: made.contractAddress, code_id: code, guardian_set: sets.at(-1)?.index, admin: admin ?? null,
    tx: made.transactionHash, height: made.height, gas_used: made.gasUsed,
  });
  client.disconnect();
}

async function submit(values: Values, files: string[]): Promise<void> {
  const contract = contractOf(values);
  if (files.length === 0) throw new UsageError("submit needs a file of VAAs");
  const vaas = files.flatMap(vaasOfFile);
  const { client, sender } = await connect(values);
  const { limits } = await new VaaRegistryQueryClient(client, contract).config();
  const most = Math.min(number("batch", values) || 10, limits.batch);
  // A transaction takes 1,000,000 bytes on most chains, and base64 twice makes 9 bytes of 5.
  for (const batch of batches(vaas, most, 500_000)) {
    const done = await submitVaas(client, sender, contract, batch, { onInvalid: values.skip ? "skip" : "abort" });
    tell("submit", { tx: done.transactionHash, height: done.height, gas_used: done.gasUsed, gas_wanted: done.gasWanted, outcomes: done.outcomes });
  }
  client.disconnect();
}

async function list(values: Values): Promise<void> {
  const contract = contractOf(values);
  const [chain, emitter] = [number("chain", values), values.emitter];
  if (emitter !== undefined && chain === undefined) throw new UsageError("--emitter needs --chain");
  const client = await reached(values, CosmWasmClient.connect(values.node));
  const registry = new VaaRegistryQueryClient(client, contract);
  const query = (page: PageRequest): Promise<MessagesResponse> => {
    if (chain === undefined) return registry.messages({ page });
    if (emitter === undefined) return registry.messagesByChain({ chain, page });
    return registry.messagesByEmitter({ chain, emitter, page });
  };
  const limit = number("limit", values)?.toString();
  for await (const { messages } of pages(query, { limit, reverse: values.reverse ?? false })) {
    for (const message of messages) console.log(JSON.stringify(message));
  }
  client.disconnect();
}

async function migrate(values: Values): Promise<void> {
  const contract = contractOf(values);
  const { client, sender } = await connect(values);
  const before = (await client.getContract(contract)).codeId;
  const code = await codeOf(client, sender, values);
  const done = await client.migrate(sender, contract, code, {}, "auto");
  tell("migrate", { contract, from: before, to: code, tx: done.transactionHash, height: done.height, gas_used: done.gasUsed });
  client.disconnect();
}

async function main(): Promise<void> {
  const { values, command, files } = readArguments();
  if (values.help) return console.log(help);
  if (command !== "submit" && files.length > 0) throw new UsageError(`unexpected ${files[0]}`);
  switch (command) {
    case "deploy": return deploy(values);
    case "submit": return submit(values, files);
    case "list": return list(values);
    case "migrate": return migrate(values);
    default: throw new UsageError(command === undefined ? "which command?" : `no command ${command}`);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`deploy: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof UsageError) console.error("deploy.ts --help tells how");
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
