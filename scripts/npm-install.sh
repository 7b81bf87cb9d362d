#!/usr/bin/env bash
# Installs the npm packages of the lock file, unless they are installed already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mark=node_modules/.lock-checksum
now=$(cksum <package-lock.json)
[ "$(cat "$mark" 2>/dev/null || true)" != "$now" ] || exit 0
echo "npm-install: installing the packages of package-lock.json" >&2
npm ci --ignore-scripts --no-audit --no-fund >&2
echo "$now" >"$mark"
