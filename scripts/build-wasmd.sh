#!/usr/bin/env bash
# Builds wasmd, a chain that runs CosmWasm contracts, for tests on this machine, and prints the path of the binary.
#
#   scripts/build-wasmd.sh [VERSION]
#
# VERSION is a release of github.com/CosmWasm/wasmd (default v0.70.3). The first run takes some minutes, later ones
# nothing: binary and wasmvm library stay side by side in the cache, by version. Needs Linux with glibc, Go and a C
# compiler; a Go that is too old, but 1.21 or newer, fetches the release that it needs by itself.
#
# Environment:
#   VAA_REGISTRY_CACHE  where the binary is kept (default: $XDG_CACHE_HOME/vaa-registry, else ~/.cache/vaa-registry)
set -euo pipefail

say() { echo "build-wasmd: $*" >&2; }
die() { say "$*"; exit 1; }

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;; esac
[ $# -le 1 ] || { say "usage: build-wasmd.sh [VERSION]"; exit 2; }
version=${1-v0.70.3}
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*$ ]] || { say "a version looks like v0.70.3, not '$version'"; exit 2; }
# What the module's content must hash to, as Go counts it; of other releases only Go's own checks hold.
known_sum=
[ "$version" != v0.70.3 ] || known_sum=h1:xTTVVQhNNY8ZflKhjfv6UBwsouiGF3+viRGY4o6/nGY=

cache=${VAA_REGISTRY_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or VAA_REGISTRY_CACHE}/.cache}/vaa-registry}
mkdir -p "$cache" || die "can not write to $cache"
cache=$(cd "$cache" && pwd -P)
place=$cache/wasmd-${version#v}

# Prints the binary's path if it runs and is the version wanted: the library may be gone, or the machine another one.
ready() { [ "$("$place/wasmd" version 2>/dev/null || true)" = "${version#v}" ]; }
if ready; then echo "$place/wasmd"; exit; fi

[ "$(uname -s)" = Linux ] || die "builds on Linux only; elsewhere run a chain in Docker (see the README), or set WASMD"
command -v go >/dev/null || die "needs go, which is not installed: Go 1.21 or newer, as the package golang-go (1.25 or newer saves a download)"
command -v "$(go env CC)" >/dev/null || die "needs a C compiler, and $(go env CC) is not installed: package gcc"
go_release=$(go env GOVERSION)
[[ $go_release =~ ^go1\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 21 ] || die "needs Go 1.21 or newer, and this is $go_release"

work=$(mktemp -d "$cache/.wasmd.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/src" "$work/out"

# The module's replace directives make `go install module@version` refuse; a copy of it builds as its own repository does.
say "fetching wasmd $version"
(cd "$work/src" && GOFLAGS=-mod=mod go mod download -json "github.com/CosmWasm/wasmd@$version") >"$work/module.json" 2>"$work/log" ||
  { cat "$work/module.json" "$work/log" >&2; die "there is no wasmd $version to be had"; }
field() { sed -n "s/^[[:space:]]*\"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" "$work/module.json"; }
if [ -n "$known_sum" ] && [ "$(field Sum)" != "$known_sum" ]; then
  die "wasmd $version has the checksum $(field Sum), expected $known_sum"
fi
cp -r "$(field Dir)/." "$work/src/"
chmod -R u+w "$work/src"
cd "$work/src"

wanted=$(awk '$1 == "go" {print $2; exit}' go.mod)
if [ "$(printf '%s\n' "$wanted" "${go_release#go}" | sort -V | head -n 1)" != "$wanted" ]; then
  say "$go_release is older than the $wanted that wasmd $version needs: Go fetches it"
  export GOTOOLCHAIN=go$wanted
  go version >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; die "wasmd $version needs Go $wanted, this is $go_release"; }
fi

say "building wasmd $version with $(go env GOVERSION), which takes some minutes"
go mod download >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; die "the modules that wasmd $version needs are not to be had"; }
vm=$(awk '$1 ~ /CosmWasm\/wasmvm\/v[0-9]+$/ {print $1; exit}' go.mod)
[ -n "$vm" ] || die "wasmd $version names no wasmvm in its go.mod"
library=$(go list -m -f '{{.Dir}}' "$vm")/internal/api/libwasmvm.$(uname -m).so
[ -e "$library" ] || die "wasmvm has no library for $(uname -m)"
sdk=github.com/cosmos/cosmos-sdk/version
# The binary looks for the library in its own folder, so that the pair may be moved.
CGO_ENABLED=1 go build -mod=readonly -trimpath -tags netgo -o "$work/out/wasmd" -ldflags "-s -w -r \$ORIGIN \
  -X $sdk.Name=wasm -X $sdk.AppName=wasmd -X $sdk.Version=${version#v} \
  -X github.com/CosmWasm/wasmd/app.Bech32Prefix=wasm" ./cmd/wasmd >"$work/log" 2>&1 ||
  { tail -n 20 "$work/log" >&2; die "wasmd $version does not build"; }
install -m 755 "$library" "$work/out/"

rm -rf "$place.old"
[ ! -e "$place" ] || mv "$place" "$place.old" # one that does not run
mv "$work/out" "$place"
rm -rf "$place.old"
ready || die "$place/wasmd does not run: $("$place/wasmd" version 2>&1 | head -n 1)"
echo "$place/wasmd"
