#!/usr/bin/env bash
# Measures gas: builds the contracts, runs them on the machine that chains run, and prints the tables.
#
#   scripts/gas.sh [SECTION...] [--write | --check] [--calls OPERATION]
#
# A SECTION is registry; all of them without any. --write puts the figures into packages/gas-bench/gas.csv, --check fails
# if one is more than 1 % above the one kept there, --calls lists the storage calls of operations with that text in
# their names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bench=packages/gas-bench/Cargo.toml
scripts/build-wasm.sh vaa-registry
exec cargo run --release --locked --manifest-path "$bench" -- "$@"
