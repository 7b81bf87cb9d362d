// Runs every step on the chain that scripts/e2e.sh has started. A new step is a file in steps/ and a line here.
import { printGas } from "./gas.ts";
import { cli } from "./steps/cli.ts";
import { crash } from "./steps/crash.ts";
import { devnet } from "./steps/devnet.ts";
import { genesis } from "./steps/genesis.ts";
import { mainnet } from "./steps/mainnet.ts";
import { migrate } from "./steps/migrate.ts";
import { refusals } from "./steps/refusals.ts";
import { serve } from "./steps/serve.ts";

/** What a step hands on to those after it. */
export interface Shared {
  /** The registry of the network devnet, with every VAA of it. */
  devnet: string;
  /** Its code. */
  code: number;
}

const shared: Shared = { devnet: "", code: 0 };
const steps = { devnet, refusals, mainnet, migrate, crash, cli, serve, genesis };
let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  const start = Date.now();
  console.log(`\n--- ${name}`);
  try {
    await step(shared);
    console.log(`--- ${name}: passed in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.error(error);
    console.log(`--- ${name}: FAILED`);
    // The other steps need its registry.
    if (name === "devnet") break;
  }
}
printGas();
console.log(`\n${Object.keys(steps).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
