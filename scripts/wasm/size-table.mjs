// Sums sizes up by crate, by function and by generic function: `size-table.mjs ROWS`, with lines of `BYTES TAB NAME` on
// standard input.
import { readFileSync } from "node:fs";

const rows = Number(process.argv[2]);
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
const functions = lines.map((line) => {
  const tab = line.indexOf("\t");
  return { size: Number(line.slice(0, tab)), name: line.slice(tab + 1) };
});

/** Returns the name without type arguments: of `<A<B> as C>::f::<D>`, `<A as C>::f`. */
function generic(name) {
  let depth = 0;
  let out = "";
  for (let i = 0; i < name.length; i += 1) {
    const opens = name[i] === "<" && /[\w:]/.test(name[i - 1] ?? " ");
    if (depth > 0 ? name[i] === "<" : opens) depth += 1;
    if (depth === 0) out += name[i];
    if (depth > 0 && name[i] === ">" && name[i - 1] !== "-") depth -= 1;
  }
  return out.replace(/::(?=::|$|>)/g, "");
}

/** Returns the crate of a function: that of its path, or of the type of its impl; else what decodes or encodes it. */
function crate(name) {
  if (name === "(data)") return "(data)";
  if (!name.includes("::")) return "entry points";
  if (/serde_json::(de|read)/.test(name)) return "JSON, read (serde_json)";
  if (/serde_json::ser|::to_json_/.test(name)) return "JSON, written (serde_json)";
  if (name.includes("postcard::")) return "rows' columns (postcard)";
  const paths = name.match(/(?<![\w:])[a-z_]\w*(?=::)/g) ?? ["core"]; // methods of `str` and slices have no path
  const std = new Set(["core", "alloc", "std", "rustc_demangle", "backtrace_rs", "dlmalloc", "compiler_builtins", "__rustc"]);
  // What std's generic code does for a crate's types is there because of that crate.
  const own = name.startsWith("<") || name.includes("::<") ? ["cw_orm", "vaa_registry", "group", "group_account", "wormhole_vaa"] : [];
  const found = own.find((wanted) => name.includes(`${wanted}::`));
  if (std.has(paths[0]) && found) return found;
  return std.has(paths[0]) ? "std" : paths[0];
}

function sums(by) {
  const all = new Map();
  for (const { size, name } of functions) {
    const sum = all.get(by(name)) ?? { size: 0, count: 0 };
    all.set(by(name), { size: sum.size + size, count: sum.count + 1 });
  }
  return [...all].sort(([, a], [, b]) => b.size - a.size);
}

const total = functions.reduce((sum, { size }) => sum + size, 0);
function table(title, entries) {
  console.log(`\n${title}\n${"bytes".padStart(9)}  ${"%".padStart(5)}  count`);
  for (const [name, { size, count }] of entries) {
    const share = ((100 * size) / total).toFixed(1);
    console.log(`${String(size).padStart(9)}  ${share.padStart(5)}  ${String(count).padStart(5)}  ${name.slice(0, 150)}`);
  }
}

table("By crate", sums(crate));
const byGeneric = sums(generic);
table("Generic functions, all instances together", byGeneric.filter(([, { count }]) => count > 1).slice(0, rows));
table("Functions", sums((name) => name).slice(0, rows));
console.log(`\n${total} bytes before the last step`);
