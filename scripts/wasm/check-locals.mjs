// Fails if a function has more locals than chains accept: `check-locals.mjs FILE`. The compiler inlines freely, and the
// limit is easily passed; chains notice only when the code is uploaded.
import { CODE, Reader } from "./reader.mjs";

const LIMIT = 100; // cosmwasm-vm's default

const reader = new Reader(process.argv[2]);
let most = 0;
for (const section of reader.sections()) {
  if (section.id !== CODE) continue;
  for (const _ of reader.bodies()) {
    let locals = 0;
    for (let groups = reader.number(); groups > 0; groups -= 1) {
      locals += reader.number();
      reader.at += 1; // the type
    }
    most = Math.max(most, locals);
  }
}
if (most > LIMIT) {
  console.error(`${most} locals in a function, chains accept ${LIMIT}`);
  process.exit(1);
}
