#!/usr/bin/env bash
# Says what a contract's wasm is made of: code by crate, and the functions and generic functions that are largest.
#
#   scripts/size.sh [CONTRACT [ROWS]]
#
# CONTRACT is a package name (default: vaa-registry), ROWS how many lines each list has (default: 25). The contract is
# compiled as by build-wasm.sh, but with the names of functions kept, and measured before wasm-opt's last step, which
# inlines across crates and takes a further 8 %. A function counts for the crate that its path begins with, an impl for the crate of its
# type; what the compiler inlined counts for the function around it.
#
# Environment: VAA_REGISTRY_CACHE as for build-wasm.sh; the demangler is kept there too.
set -euo pipefail

contract=${1:-vaa-registry} rows=${2:-25}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cache=${VAA_REGISTRY_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or VAA_REGISTRY_CACHE}/.cache}/vaa-registry}
mkdir -p "$cache"
tool=$cache/rustfilt-0.2.1
[ -x "$tool/bin/rustfilt" ] ||
  cargo install --quiet --locked --root "$tool" --version 0.2.1 --target-dir "$tool/target" rustfilt >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

WASM_NAMES="$work/named.wasm" "$here/build-wasm.sh" --out "$work/out" "$contract" >"$work/built"
node "$here/wasm/functions.mjs" "$work/named.wasm" >"$work/mangled"
"$tool/bin/rustfilt" <"$work/mangled" >"$work/functions"
node "$here/wasm/size-table.mjs" "$rows" <"$work/functions"
echo
cat "$work/built"
