#!/usr/bin/env bash
# Prints the path of the pinned wasm-opt, which it installs from npm first where it is missing: `optimizer.sh CACHE`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
version=$(sed -n 's/.*"binaryen": "\([0-9.]*\)".*/\1/p' "$here/binaryen/package.json")
place=$1/binaryen-$version
tool=$place/node_modules/.bin/wasm-opt
if [ ! -x "$tool" ]; then
  echo "build-wasm: installing wasm-opt (binaryen $version)" >&2
  work=$(mktemp -d "$1/.binaryen.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cp "$here"/binaryen/package*.json "$work/"
  if ! (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund >log 2>&1); then
    grep -m 5 'npm err' -i "$work/log" >&2 || true
    echo "build-wasm: npm could not install binaryen $version" >&2
    exit 1
  fi
  # Another run may have been faster: then its copy is as good.
  [ -e "$place" ] || mv "$work" "$place"
fi
"$tool" --version >/dev/null || { echo "build-wasm: $tool does not run; remove $place and try again" >&2; exit 1; }
echo "$tool"
