#!/usr/bin/env bash
# Builds the contracts into wasm that chains store.
#
#   scripts/build-wasm.sh [--std auto|installed|source] [--out DIR] [--manifest FILE] [CONTRACT...]
#
# Without arguments: every contract of contracts/, into artifacts/ of the workspace, with a checksums.txt beside them.
# A CONTRACT is a package name. --manifest names the Cargo.toml of another workspace in this repository, whose contracts/
# and artifacts/ then count. Needs cargo, node and npm; the first run fetches what else it needs.
#
# The same sources give the same bytes in any folder and under any user, for one release of Rust and one --std:
#   installed  the wasm32 standard library that comes with the toolchain (`rustup target add` is tried)
#   source     the standard library built here for the oldest instruction set; published checksums are of this kind,
#              since no binary of somebody else is in them
#   auto       installed where it is to be had, else source (the default)
#
# Environment:
#   VAA_REGISTRY_CACHE  where the built standard library and wasm-opt are kept, by version
#                       (default: $XDG_CACHE_HOME/vaa-registry, else ~/.cache/vaa-registry)
#   RUSTUP_TIMEOUT      seconds that `rustup target add` may take (default 60)
#   WASM_NAMES          a file that takes the wasm before its last step, with the names of functions (see size.sh)
#   WASM_OPT            a wasm-opt to use instead of the pinned one; the bytes may then differ
set -euo pipefail

target=wasm32-unknown-unknown

say() { echo "build-wasm: $*" >&2; }
die() { say "$*"; exit 1; }
usage() { say "$*"; say "usage: build-wasm.sh [--std auto|installed|source] [--out DIR] [--manifest FILE] [CONTRACT...]"; exit 2; }

std=auto out= manifest= wanted=
while [ $# -gt 0 ]; do
  case $1 in
    --std) std=${2-}; shift $(($# > 1 ? 2 : 1)) ;;
    --out) out=${2-}; [ -n "$out" ] || usage "--out needs a folder"; shift 2 ;;
    --manifest) manifest=${2-}; [ -f "$manifest" ] || usage "--manifest needs a Cargo.toml"; shift 2 ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;;
    -*) usage "unknown option $1" ;;
    *) wanted="$wanted $1"; shift ;;
  esac
done
case $std in auto | installed | source) ;; *) usage "--std is auto, installed or source, not '$std'" ;; esac

for tool in cargo rustc node npm; do
  command -v "$tool" >/dev/null || die "needs $tool, which is not installed"
done
if command -v sha256sum >/dev/null; then sha256() { sha256sum "$@"; }
elif command -v shasum >/dev/null; then sha256() { shasum -a 256 "$@"; }
else die "needs sha256sum or shasum, neither of which is installed"; fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$here")
manifest=${manifest:-$root/Cargo.toml}
workspace=$(cd "$(dirname "$manifest")" && pwd -P)
manifest=$workspace/$(basename "$manifest")
[ -z "$out" ] || { mkdir -p "$out"; out=$(cd "$out" && pwd -P); }
out=${out:-$workspace/artifacts}
cache=${VAA_REGISTRY_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or VAA_REGISTRY_CACHE}/.cache}/vaa-registry}
mkdir -p "$out" "$cache" || die "can not write to $out or $cache"
cache=$(cd "$cache" && pwd -P)
cd "$root" # so that rust-toolchain.toml counts

metadata=$(cargo metadata --manifest-path "$manifest" --format-version 1 --no-deps) ||
  die "cargo can not read the workspace in $workspace"

# Prints the workspace's target folder, then `PACKAGE LIBRARY` for each contract: a crate in contracts/ with a cdylib.
contracts=$(node -e '
  const meta = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const folder = require("path").join(meta.workspace_root, "contracts") + "/";
  console.log(meta.target_directory);
  for (const { name, targets, manifest_path } of meta.packages) {
    const library = targets.find((target) => target.crate_types.includes("cdylib"));
    if (library && manifest_path.startsWith(folder)) console.log(name, library.name.replaceAll("-", "_"));
  }' <<<"$metadata")
target_dir=$(head -n 1 <<<"$contracts")
contracts=$(tail -n +2 <<<"$contracts" | sort)
[ -n "$contracts" ] || die "no contract in $workspace/contracts"
if [ -n "$wanted" ]; then
  chosen=
  for name in $wanted; do
    line=$(grep "^$name " <<<"$contracts") || die "no contract $name in $workspace/contracts"
    chosen="$chosen$line"$'\n'
  done
  contracts=${chosen%$'\n'}
fi

# --- tools, in the cache ---------------------------------------------------------------------------------------------
sysroot=$("$here/wasm/std.sh" "$std" "$cache")
kind=installed
[ -z "$sysroot" ] || kind=source
wasm_opt=${WASM_OPT:-$("$here/wasm/optimizer.sh" "$cache")}

# --- compile ---------------------------------------------------------------------------------------------------------
# A folder for each standard library: cargo does not notice that it changed.
release=$(rustc --version | awk '{print $2}')
build_dir=$target_dir/chain-wasm/$release-$kind
flags=-Ctarget-cpu=mvp
if [ -n "${WASM_NAMES-}" ]; then
  build_dir=$build_dir-names
  flags=$flags$'\x1f'-Csymbol-mangling-version=v0 # which name type arguments
  export CARGO_PROFILE_WASM_STRIP=none
fi
say "rustc $release, standard library: $kind"

# Only what is the same everywhere may stand in the flags, since cargo hashes them into every symbol; what differs by
# machine goes through the wrapper. A package at a time: one may ask features of another that take away its entry
# points. Only the cdylib: with an rlib beside it cargo does no link-time optimization.
compile() { # PACKAGE
  env -u RUSTFLAGS -u RUSTC_WORKSPACE_WRAPPER \
    CARGO_ENCODED_RUSTFLAGS="$flags" CARGO_TARGET_DIR="$build_dir" \
    RUSTC_WRAPPER="$here/wasm/rustc.sh" WASM_SYSROOT="$sysroot" WASM_WORKSPACE="$root" \
    cargo rustc --manifest-path "$manifest" --locked --package "$1" --lib --crate-type cdylib --profile wasm --no-default-features \
    --target "$target" >&2
}

# --- optimize --------------------------------------------------------------------------------------------------------
# Compilers since 1.87 emit instructions that chains refuse. The first passes know them and replace them by older ones,
# for copies and fills of memory by those of wasm/memory.wat, since wasm-opt's own go byte by byte, which was a third
# of what a call computed. The last pass knows only the first version of WebAssembly, so that it fails, naming the
# instruction, if any is left. It gives each value a local of its own before it optimizes, which finds 1 % more to take
# away.
newer="--enable-sign-ext --enable-bulk-memory --enable-nontrapping-float-to-int --enable-multivalue
  --enable-reference-types --enable-mutable-globals"
lower="--signext-lowering --llvm-nontrapping-fptoint-lowering"
optimize() { # IN OUT
  # shellcheck disable=SC2086 # lists of options
  "$wasm_opt" "$1" --mvp-features $newer --llvm-memory-copy-fill-lowering -g -o "$2.bytewise" &&
    "$wasm_opt" "$here/wasm/memory.wat" --mvp-features -q -o "$2.memory" &&
    node "$here/wasm/memory.mjs" "$1" "$2.bytewise" "$2.memory" "$2.memory-lowered" || return
  # shellcheck disable=SC2086 # lists of options
  [ -z "${WASM_NAMES-}" ] || "$wasm_opt" "$2.memory-lowered" --mvp-features $newer $lower -g -o "$WASM_NAMES"
  # shellcheck disable=SC2086 # lists of options
  "$wasm_opt" "$2.memory-lowered" --mvp-features $newer $lower --strip-target-features --strip-debug -o "$2.lowered" &&
    "$wasm_opt" "$2.lowered" --mvp-features --ssa-nomerge --simplify-locals -Oz --strip-producers -o "$2"
}

# Prints the names of the instructions that wasm-opt's validator complains of: each stands below its complaint.
refused_instructions() { # LOG
  awk '/^\[wasm-validator error/ && (getline line) > 0 {gsub(/[()]/, "", line); split(line, word, " "); print word[1]}' "$1" |
    sort | uniq -c | awk '{printf "%s%s (%dx)", (NR > 1 ? ", " : ""), $2, $1}'
}

work=$(mktemp -d "$out/.build.XXXXXX")
trap 'rm -rf "$work"' EXIT
while read -r package library; do
  compile "$package" || die "$package does not compile"
  if ! optimize "$build_dir/$target/wasm/$library.wasm" "$work/$library.wasm" 2>"$work/log"; then
    refused=$(refused_instructions "$work/log")
    [ -n "$refused" ] || { head -n 20 "$work/log" >&2; die "wasm-opt can not process $library.wasm"; }
    die "$library.wasm: chains would refuse these instructions: $refused"
  fi
  complaint=$(node "$here/wasm/check-locals.mjs" "$work/$library.wasm" 2>&1) ||
    die "$library.wasm: chains would refuse it: $complaint"
  if command -v cosmwasm-check >/dev/null; then
    cosmwasm-check "$work/$library.wasm" >"$work/log" 2>&1 || { cat "$work/log" >&2; die "cosmwasm-check refuses $library.wasm"; }
  fi
done <<<"$contracts"

rm -f "$work"/*.bytewise "$work"/*.memory "$work"/*.memory-lowered "$work"/*.lowered "$work/log"
mv -f "$work"/*.wasm "$out/"
(cd "$out" && sha256 -- *.wasm >"$work/checksums.txt")
mv -f "$work/checksums.txt" "$out/checksums.txt"
while read -r _ library; do
  printf '%9d bytes  %s\n' "$(wc -c <"$out/$library.wasm")" "$(grep " $library.wasm\$" "$out/checksums.txt")"
done <<<"$contracts"
