import type { Submitted } from "../../packages/client-ts/src/index.ts";

interface Used {
  message: string;
  used: bigint;
  wanted: bigint | undefined;
}

const rows: Used[] = [];

/** Records the gas that a message used. */
export function gas(message: string, used: bigint | string | number, wanted?: bigint): void {
  rows.push({ message, used: BigInt(used), wanted });
}

/** Records the gas of a submission. */
export function gasOf(message: string, submitted: Submitted): void {
  gas(message, submitted.gasUsed, submitted.gasWanted);
}

/** Prints the gas used as a table, and the least factor on a simulation's gas that all transactions would have got by with. */
export function printGas(): void {
  const width = Math.max(...rows.map(({ message }) => message.length));
  console.log(`\n| ${"message".padEnd(width)} |    gas used |`);
  console.log(`| ${"-".repeat(width)} | ----------: |`);
  for (const { message, used } of rows) {
    console.log(`| ${message.padEnd(width)} | ${used.toLocaleString("en-US").padStart(11)} |`);
  }
  // CosmJS wants 1.4 times what the simulation used.
  const factors = rows.flatMap(({ used, wanted }) => (wanted ? [(Number(used) * 1.4) / Number(wanted)] : []));
  if (factors.length > 0) console.log(`\ngas used by gas simulated, at most: ${Math.max(...factors).toFixed(3)} (CosmJS allows 1.4)`);
}
