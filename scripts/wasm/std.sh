#!/usr/bin/env bash
# Finds a standard library for wasm32: `std.sh auto|installed|source CACHE`. Prints the folder to give rustc as
# --sysroot, or nothing where the toolchain's own serves.
#
# In this order: what is installed; `rustup target add`; a build from the toolchain's rust-src; a build from Debian's
# rust-src package of the very same release. A build takes some minutes once and is kept in CACHE. The toolchain itself
# is changed by nothing but `rustup target add`.
set -euo pipefail

kind=$1 cache=$2
target=wasm32-unknown-unknown
release=$(rustc --version | awk '{print $2}')
commit=$(rustc -vV | awk '/^commit-hash:/ {print $2}')
toolchain=$(rustc --print sysroot)

say() { echo "build-wasm: $*" >&2; }
die() { say "$*"; exit 1; }

# --- the toolchain's own ---------------------------------------------------------------------------------------------
is_installed() { compgen -G "$toolchain/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null; }

limited() { # SECONDS COMMAND...
  if command -v timeout >/dev/null; then timeout "$@"; else shift; "$@"; fi
}

add_target() {
  command -v rustup >/dev/null || return 1
  say "rustup target add $target"
  limited "${RUSTUP_TIMEOUT:-60}" rustup target add "$target" </dev/null >"$cache/rustup.log" 2>&1 && is_installed
}

if [ "$kind" != source ]; then
  if is_installed; then exit 0; fi
  if [ "$kind" = installed ]; then
    add_target || die "rustup could not add $target to Rust $release (see $cache/rustup.log); try --std source"
    exit 0
  fi
fi

# The recipe is part of the name: a changed one does not reuse what the old one built.
recipe=$(cksum <"${BASH_SOURCE[0]}" | awk '{print $1}')
place=$cache/std-$release-${commit:0:9}-$recipe
if [ -e "$place/lib/rustlib/$target/lib" ]; then
  echo "$place"
  exit 0
fi
# After the look into the cache, so that a rustup without network costs its time-out only once.
if [ "$kind" = auto ] && add_target; then exit 0; fi

# --- the source ------------------------------------------------------------------------------------------------------
work=$(mktemp -d "$cache/.std.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Prints the base addresses of the configured package sources, those for security updates last.
apt_bases() {
  {
    awk '/^URIs:/ {for (i = 2; i <= NF; i++) print $i}' /etc/apt/sources.list.d/*.sources
    sed -nE 's/^deb( +\[[^]]*\])? +([^ ]+) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list
  } 2>/dev/null | sed 's#/*$##' | awk '
    seen[$0]++ {next}
    /security/ {later[++n] = $0; next}
    {print}
    END {for (i = 1; i <= n; i++) print later[i]}' || true
}

# Unpacks Debian's rust-src of this release into $work/library. apt's state is a throw-away one, so that neither root
# nor a change of the machine is needed; apt checks signature and checksum as ever.
debian_source() {
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg apt=$work/apt base suite package tool
  for tool in apt-get apt-cache dpkg-deb; do command -v "$tool" >/dev/null || return 1; done
  [ -e "$keys" ] || return 1
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$work/deb"
  local options=(
    -qq -o "Dir::State=$apt/state" -o Dir::State::status=/dev/null -o "Dir::Cache=$apt/cache"
    -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::http::Timeout=30 -o Acquire::Retries=2
  )
  for base in $(apt_bases); do
    for suite in stable-backports testing sid stable; do
      echo "deb [signed-by=$keys] $base $suite main" >"$apt/sources.list"
      apt-get "${options[@]}" update >>"$apt/log" 2>&1 || continue
      package=$(apt-cache "${options[@]}" madison rust-src 2>>"$apt/log" |
        awk -v release="$release" 'index($3, release "+") == 1 || index($3, release "-") == 1 || index($3, release "~") == 1 {print $3; exit}')
      [ -n "$package" ] || continue
      (cd "$work/deb" && apt-get "${options[@]}" download "rust-src=$package" >>"$apt/log" 2>&1) || continue
      dpkg-deb -x "$work"/deb/rust-src_*.deb "$work/deb/files"
      mv "$work/deb/files/usr/src/rustc-$release/library" "$work/library"
      say "source of the standard library: Debian's rust-src $package ($suite)"
      return 0
    done
  done
  return 1
}

if [ -e "$toolchain/lib/rustlib/src/rust/library/std/Cargo.toml" ]; then
  say "source of the standard library: the toolchain's rust-src"
  cp -r "$toolchain/lib/rustlib/src/rust/library" "$work/library"
elif ! debian_source; then
  die "no wasm32 standard library for Rust $release: neither 'rustup target add $target' nor 'rustup component add rust-src' nor Debian's rust-src of that release is to be had"
fi

# --- the build -------------------------------------------------------------------------------------------------------
# A workspace around library/, so that cargo sees it at the same relative path wherever the cache lies: the path is
# hashed into every symbol.
mkdir -p "$work/src"
echo '#![no_std]' >"$work/src/lib.rs"
cp "$work/library/Cargo.lock" "$work/Cargo.lock"
cat >"$work/Cargo.toml" <<'EOF'
[workspace]

[package]
name = "wasm-sysroot"
version = "0.0.0"
edition = "2024"

[dependencies.std]
path = "library/std"
default-features = false

[patch.crates-io]
rustc-std-workspace-core.path = "library/rustc-std-workspace-core"
rustc-std-workspace-alloc.path = "library/rustc-std-workspace-alloc"
rustc-std-workspace-std.path = "library/rustc-std-workspace-std"

[profile.release]
opt-level = "z"
codegen-units = 1
debug = false
panic = "abort"

# Copies and fills memory for all the rest.
[profile.release.package.compiler_builtins]
opt-level = 3
EOF

# The toolchain's own cargo and rustc: outside the workspace, a rust-toolchain.toml no longer says which. The two
# variables are what rustc's own build sets: unstable features allowed, and symbols apart from those of other crates.
flags=(
  -Ctarget-cpu=mvp -Cembed-bitcode=yes -Zforce-unstable-if-unmarked
  "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" "--remap-path-prefix=$work=/rustc/$commit"
)
say "building the standard library of Rust $release for $target, once"
if ! (
  cd "$work"
  env -u RUSTC_WRAPPER -u RUSTC_WORKSPACE_WRAPPER PATH="$toolchain/bin:$PATH" \
    RUSTC_BOOTSTRAP=1 __CARGO_DEFAULT_LIB_METADATA=vaa-registry \
    CARGO_ENCODED_RUSTFLAGS="$(printf '%s\x1f' "${flags[@]}" | sed 's/\x1f$//')" CARGO_TARGET_DIR="$work/target" \
    cargo build --release --target "$target" >log 2>&1
); then
  tail -n 20 "$work/log" >&2
  die "the standard library of Rust $release does not build"
fi
libraries=$work/sysroot/lib/rustlib/$target/lib
mkdir -p "$libraries"
find "$work/target/$target/release/deps" -name '*.rlib' ! -name 'libwasm_sysroot-*' -exec cp {} "$libraries/" \;
# Another run may have been faster: then its library is as good.
[ -e "$place" ] || mv "$work/sysroot" "$place"
echo "$place"
