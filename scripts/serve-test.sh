#!/usr/bin/env bash
# Tests vaactl serve with published clients of Wormhole: builds what is needed, and runs scripts/serve/ on real VAAs.
#
#   scripts/serve-test.sh
#
# Takes no arguments and leaves neither a process nor a file but what it built. Exits with 1 on failure. The verdict is
# the last line.
#
# Environment:
#   VAACTL  a vaactl to use instead of the one that is built
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;; esac
[ $# = 0 ] || { echo "serve-test: takes no arguments" >&2; exit 2; }

cd "$(dirname "${BASH_SOURCE[0]}")/.."
verdict="FAILED before the tests"
work=
finish() {
  local status=$? left
  trap - EXIT INT TERM
  if [ -n "$work" ]; then
    left=$(pgrep -f -- "$work" || true)
    if [ -n "$left" ]; then
      verdict="FAILED: processes are left:"$(printf ' %s' $left) status=1
      kill -9 $left || true
    fi
    rm -rf "$work"
  fi
  echo "serve-test: $verdict in $((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for tool in cargo node npm pgrep; do
  command -v "$tool" >/dev/null || { verdict="FAILED: needs $tool, which is not installed"; exit 1; }
done

scripts/npm-install.sh
if [ -z "${VAACTL-}" ]; then
  cargo build --release --locked --package vaactl
  target=$(cargo metadata --format-version 1 --no-deps --offline | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).target_directory')
  VAACTL=$target/release/vaactl
fi
work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
verdict=FAILED
SERVE_WORK=$work SERVE_VAACTL=$VAACTL node --import tsx scripts/serve/main.ts
verdict=passed
