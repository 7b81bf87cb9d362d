import { readFileSync } from "node:fs";
import type { GuardianSetInit } from "../packages/client-ts/src/index.ts";

// The same table as in vaactl.
const networks = new URL("../packages/vaactl/src/networks.json", import.meta.url);

/**
 * Returns the newest known guardian set of a Wormhole network, as the one that a registry starts with.
 *
 * @throws naming the networks that are known
 */
export function newestSet(network: string): GuardianSetInit[] {
  const all = JSON.parse(readFileSync(networks, "utf8")) as Record<string, { index: number; addresses: string[] }[]>;
  const newest = Object.hasOwn(all, network) ? all[network]?.at(-1) : undefined;
  if (newest === undefined) throw new Error(`no network ${network}, but ${Object.keys(all).join(", ")}`);
  return [{ index: newest.index, addresses: newest.addresses }];
}

/**
 * Reads guardian sets from a file: a JSON list of {"index", "addresses", "expires_at"}, as `vaactl init` takes it.
 *
 * @throws naming the file, if it is no such list
 */
export function setsOfFile(file: string): GuardianSetInit[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list)) throw new Error(`${file} is no list of guardian sets`);
  return list.map(({ index, addresses, expires_at }: GuardianSetInit) => {
    if (!Number.isInteger(index) || !Array.isArray(addresses)) throw new Error(`${file} is no list of guardian sets`);
    return { index, addresses, expires_at: expires_at === undefined || expires_at === null ? undefined : String(expires_at) };
  }).sort((a, b) => a.index - b.index);
}
