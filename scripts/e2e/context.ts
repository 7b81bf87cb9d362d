import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm";
import { toHex } from "@cosmjs/encoding";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { whileServing } from "../served.ts";
import { vaasOfFile } from "../vaas.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run scripts/e2e.sh`);
  return value;
}

/** What the scripts were given: folders, programs, and where the chain listens. */
export const work = environment("E2E_WORK");
export const wasm = environment("E2E_WASM");
const vaactl = environment("E2E_VAACTL");
const chainHome = environment("LOCALNET_HOME");
const settings = new Map(
  readFileSync(join(chainHome, "localnet.env"), "utf8").trim().split("\n").map((line) => line.split("=", 2) as [string, string]),
);
export const rpc = settings.get("RPC") ?? "";
export const gasPrice = `${settings.get("GAS_PRICE")}${settings.get("DENOM")}`;

/** A program's end: its exit code, and what it wrote. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, maxBuffer: 1 << 28, cwd: repository }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

/** Returns the lines of JSON that a program wrote. */
export function jsonLines(text: string): unknown[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Runs deploy.ts with the wallet of an account; `wallet: false` runs it without. */
export function deployScript(args: string[], account = "alice"): Promise<Ended> {
  const { MNEMONIC: _, ...env } = process.env;
  const common = ["--node", rpc, "--gas-price", gasPrice, "--mnemonic-file", join(chainHome, "accounts", `${account}.mnemonic`)];
  return run(process.execPath, ["--import", "tsx", "scripts/deploy.ts", ...args, ...common], env);
}

/** Runs vaactl on the embedded registry in a folder of the work folder, and requires that it ends well. */
export async function embedded(home: string, args: string[], codes = [0]): Promise<unknown[]> {
  const ended = await run(vaactl, ["--home", join(work, home), "--json", ...args]);
  if (!codes.includes(ended.code)) throw new Error(`vaactl ${args.join(" ")} ended with ${ended.code}: ${ended.stderr}`);
  return jsonLines(ended.stdout);
}

/** Returns the file with the mnemonic of an account. */
export function accountFile(account: string): string {
  return join(chainHome, "accounts", `${account}.mnemonic`);
}

/**
 * Runs vaactl on the chain, signing as an account or with the mnemonic of a file, and calls `then` once it has written
 * so many lines.
 */
export function onNodeUntil(
  home: string,
  signer: string | undefined,
  args: string[],
  lines = Infinity,
  then: (vaactl: ChildProcess) => void = () => undefined,
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VAACTL_"))), ...more };
  const mnemonic = signer === undefined ? [] : ["--mnemonic-file", signer.includes("/") ? signer : accountFile(signer)];
  const node = args.includes("--node") || args.includes("keys") ? [] : ["--node", rpc];
  const prices = args.includes("--gas-prices") ? [] : ["--gas-prices", gasPrice];
  const all = ["--home", join(work, home), "--json", ...node, ...mnemonic, ...prices, ...args];
  return new Promise((resolve, reject) => {
    const vaactlProcess = spawn(vaactl, all, { env, cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    let left = lines;
    vaactlProcess.stdout.on("data", (data: Buffer) => {
      stdout += data.toString();
      if (left !== Infinity && stdout.split("\n").length > left) {
        left = Infinity;
        then(vaactlProcess);
      }
    });
    vaactlProcess.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    vaactlProcess.on("error", reject);
    vaactlProcess.on("close", (code, signal) => resolve({ code: code ?? (signal === "SIGKILL" ? 137 : 1), stdout, stderr }));
  });
}

/** Runs vaactl on the chain, and requires that it ends well. */
export async function onNode(home: string, signer: string | undefined, args: string[], codes = [0]): Promise<unknown[]> {
  const ended = await onNodeUntil(home, signer, args);
  if (!codes.includes(ended.code)) throw new Error(`vaactl ${args.join(" ")} on the chain ended with ${ended.code}: ${ended.stderr}`);
  return jsonLines(ended.stdout);
}

/** Serves a registry over HTTP while `use` runs: the embedded one of a home, or, if one is named, a contract on the chain. */
export async function serving(home: string, contract: string | undefined, use: (url: string) => Promise<void>): Promise<void> {
  const where = contract === undefined ? [] : ["--node", rpc, "--contract", contract];
  const args = ["--home", join(work, home), "--json", ...where, "serve", "--listen", "127.0.0.1:0", "--request-timeout", "5"];
  await whileServing(spawn(vaactl, args, { cwd: repository, stdio: ["ignore", "pipe", "inherit"] }), use);
}

/** Runs localnet.sh, and requires that it ends well. */
export async function localnet(command: "start" | "status"): Promise<void> {
  const ended = await run(join(repository, "scripts/localnet.sh"), [command]);
  if (ended.code !== 0) throw new Error(`localnet.sh ${command} ended with ${ended.code}: ${ended.stderr}`);
}

/** Ends the node at once, without a chance to write anything. */
export function killNode(): void {
  process.kill(Number(readFileSync(join(chainHome, "node.pid"), "utf8")), "SIGKILL");
}

/** Connects the wallet of an account. */
export async function wallet(account = "alice"): Promise<{ client: SigningCosmWasmClient; sender: string }> {
  const mnemonic = readFileSync(join(chainHome, "accounts", `${account}.mnemonic`), "utf8").trim();
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: settings.get("PREFIX") ?? "wasm" });
  const [first] = await signer.getAccounts();
  if (first === undefined) throw new Error("a wallet without account");
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, signer, {
    gasPrice: GasPrice.fromString(gasPrice),
    broadcastPollIntervalMs: 100,
  });
  return { client, sender: first.address };
}

/** Reads the real VAAs of a network, in the order of their file. */
export function testdata(network: "devnet" | "mainnet"): Uint8Array[] {
  return vaasOfFile(join(repository, `packages/vaa/testdata/${network}.jsonl`));
}

/** Returns the index of the guardian set that a VAA names. */
export function setOf(vaa: Uint8Array): number {
  return new DataView(vaa.buffer, vaa.byteOffset).getUint32(1);
}

/** Writes VAAs into a file of the work folder, one a line in hex, and returns its path. */
export function fileOf(name: string, vaas: readonly Uint8Array[]): string {
  const file = join(work, name);
  writeFileSync(file, vaas.map((vaa) => `${toHex(vaa)}\n`).join(""));
  return file;
}
