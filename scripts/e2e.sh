#!/usr/bin/env bash
# Tests the registry on a real node: builds what is needed, starts a chain of one node, and runs scripts/e2e/ on it.
#
#   scripts/e2e.sh
#
# Takes no arguments and leaves neither a process nor a file but what it built. Exits with 1 on failure. The verdict is
# the last line.
#
# Environment:
#   VAA_REGISTRY_CACHE  where tools are kept (default: $XDG_CACHE_HOME/vaa-registry, else ~/.cache/vaa-registry)
#   WASMD               a wasmd to use instead of the one that build-wasmd.sh builds
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;; esac
[ $# = 0 ] || { echo "e2e: takes no arguments" >&2; exit 2; }

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$(pwd -P)
verdict="FAILED before the tests"
work=
finish() {
  local status=$? left
  trap - EXIT INT TERM
  if [ -n "$work" ]; then
    if [ "$status" != 0 ] && [ -e "$LOCALNET_HOME/node.log" ]; then
      echo "e2e: the last lines of the node's log:" >&2
      tail -n 20 "$LOCALNET_HOME/node.log" >&2
    fi
    scripts/localnet.sh reset || true
    left=$(pgrep -f -- "$work" || true)
    if [ -n "$left" ]; then
      verdict="FAILED: processes are left:"$(printf ' %s' $left) status=1
    fi
    rm -rf "$work"
  fi
  echo "e2e: $verdict in $((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for tool in cargo node npm pgrep; do
  command -v "$tool" >/dev/null || { verdict="FAILED: needs $tool, which is not installed"; exit 1; }
done

# --- what is needed --------------------------------------------------------------------------------------------------
scripts/npm-install.sh
scripts/build-wasm.sh
cargo build --release --locked --package vaactl
WASMD=${WASMD:-$(scripts/build-wasmd.sh)}
export WASMD

# --- the chain -------------------------------------------------------------------------------------------------------
work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
export LOCALNET_HOME=$work/chain LOCALNET_PORT=free LOCALNET_BLOCK_TIME=200ms LOCALNET_MAX_GAS=100000000
export LOCALNET_CHAIN_ID=e2e-1
scripts/localnet.sh start

# --- the tests -------------------------------------------------------------------------------------------------------
verdict=FAILED
target=$(cargo metadata --format-version 1 --no-deps --offline | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).target_directory')
E2E_WORK=$work E2E_WASM=$root/artifacts/vaa_registry.wasm E2E_VAACTL=$target/release/vaactl \
  node --import tsx scripts/e2e/main.ts
verdict=passed
