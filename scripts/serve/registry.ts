import { execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { whileServing } from "../served.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run scripts/serve-test.sh`);
  return value;
}

const work = environment("SERVE_WORK");
const vaactl = environment("SERVE_VAACTL");

/** Runs vaactl on the registry in a folder of the work folder, and returns its lines of JSON. */
export async function run(home: string, args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(vaactl, ["--home", join(work, home), "--json", ...args], {
    maxBuffer: 1 << 28,
    cwd: repository,
  });
  return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Returns the path of a network's real VAAs. */
export function testdata(network: "devnet" | "mainnet"): string {
  return join(repository, `packages/vaa/testdata/${network}.jsonl`);
}

/** Writes a file of the work folder, and returns its path. */
export function fileOf(name: string, content: string): string {
  const file = join(work, name);
  writeFileSync(file, content);
  return file;
}

/** The rows of a network's real VAAs. */
export function rows(network: "devnet" | "mainnet"): { vaa_hex: string }[] {
  return readFileSync(testdata(network), "utf8").trim().split("\n").map((line) => JSON.parse(line));
}

/** Serves the registry in a folder of the work folder while `use` runs with the server's URL. */
export async function serving(home: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(vaactl, ["--home", join(work, home), "--json", "serve", "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await whileServing(server, use);
}
