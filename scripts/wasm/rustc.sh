#!/usr/bin/env bash
# Stands between cargo and rustc in build-wasm.sh: `rustc.sh RUSTC ARGUMENT...`. For the wasm target it adds the standard
# library to use ($WASM_SYSROOT, empty for the toolchain's own), and replaces this machine's folders in file names.
set -euo pipefail

case " $* " in
  *" --target wasm32-unknown-unknown "*) ;;
  *) exec "$@" ;;
esac
home=${CARGO_HOME:-$HOME/.cargo}
[ -z "${WASM_SYSROOT:-}" ] || set -- "$@" --sysroot "$WASM_SYSROOT"
set -- "$@" "--remap-path-prefix=$home=/cargo" "--remap-path-prefix=$WASM_WORKSPACE=/contracts"
# A registry's folder is named after where the packages came from, which may be a mirror.
for registry in "$home"/registry/src/*; do
  [ ! -d "$registry" ] || set -- "$@" "--remap-path-prefix=$registry=/cargo/registry"
done
exec "$@"
