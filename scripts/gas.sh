#!/usr/bin/env bash
# Measures gas: builds the contracts, runs them on the machine that chains run, and prints the tables.
#
#   scripts/gas.sh [SECTION...] [--write | --check | --million] [--calls OPERATION] [--no-build]
#
# A SECTION is orm (the ORM beside its peers) or registry; both without any. --write puts the figures into
# packages/gas-bench/gas.csv and the ORM's README, --check fails if one is more than 1 % above the one kept there,
# --million measures the ORM with 1,000,000 rows too, --calls lists the storage calls of operations with that text in
# their names, --no-build takes the wasm of the last run.
#
#   VAA_REGISTRY_WASM  the registry's wasm, if it is built already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bench=packages/gas-bench/Cargo.toml
build=1 sections= args=()
while [ $# -gt 0 ]; do
  case $1 in
    --no-build) build=0 ;;
    --write) args+=("$1" "$(date -u +%F)") ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;;
    orm | registry) sections="$sections $1" args+=("$1") ;;
    *) args+=("$1") ;;
  esac
  shift
done
wants() { [ -z "$sections" ] || [[ "$sections " == *" $1 "* ]]; }

if [ "$build" = 1 ]; then
  ! wants orm || scripts/build-wasm.sh --manifest "$bench" --out packages/gas-bench/target/contracts
  ! wants registry || [ -n "${VAA_REGISTRY_WASM:-}" ] || scripts/build-wasm.sh vaa-registry
fi
exec cargo run --locked --manifest-path "$bench" -- ${args[@]+"${args[@]}"}
