#!/usr/bin/env bash
# Runs a chain of one node on this machine's loopback address, for trials and tests.
#
#   scripts/localnet.sh start    makes the chain if there is none, starts its node, and returns once it makes blocks
#   scripts/localnet.sh stop     ends the node; the next start goes on with the same chain
#   scripts/localnet.sh status   says where the node listens and its height; exits with 1 if it does not run
#   scripts/localnet.sh reset    ends the node and deletes the chain
#
# The accounts alice, bob and carol are funded; their mnemonics, the same each time and known to everybody, are in
# accounts/NAME.mnemonic of the chain's folder. localnet.env there has the settings as shell variables.
#
# Environment, of which all but LOCALNET_HOME and WASMD count only when the chain is made:
#   LOCALNET_HOME        the chain's folder (default: .localnet of the repository)
#   LOCALNET_PORT        the first of four ports in a row, for RPC, peers, gRPC and REST; or `free`, for any that are free
#                        (default: 26657, 26656, 9090 and 1317, as everywhere)
#   LOCALNET_CHAIN_ID    (default: localnet-1)
#   LOCALNET_BLOCK_TIME  the pause between blocks (default: 300ms)
#   LOCALNET_MAX_GAS     the most gas in a block (default: -1, no limit)
#   LOCALNET_GAS_PRICE   the least price of gas that the node accepts, in ustake (default: 0.025)
#   LOCALNET_QUERY_GAS   the most gas in a query (default: wasmd's, 3000000)
#   WASMD                a wasmd to use instead of the one that build-wasmd.sh builds
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
say() { echo "localnet: $*" >&2; }
die() { say "$*"; exit 1; }
usage() { say "usage: localnet.sh start|stop|status|reset"; exit 2; }

home=${LOCALNET_HOME:-$(dirname "$here")/.localnet}
case $home in /*) ;; *) home=$PWD/$home ;; esac
settings=$home/localnet.env
pid_file=$home/node.pid
log=$home/node.log

# --- the running node ------------------------------------------------------------------------------------------------
# Prints the node's process id, or fails. Ids are used again, so that the process has to be one on this folder.
node_pid() {
  local pid arguments
  pid=$(cat "$pid_file" 2>/dev/null) && [ -n "$pid" ] || return 1
  if [ -d /proc/self ]; then arguments=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") || return 1
  else arguments=$(ps -o args= -p "$pid") || return 1; fi
  case $arguments in *"start --home $home "*) echo "$pid" ;; *) return 1 ;; esac
}

# Prints the height of the last block that the node knows, or nothing.
height() {
  (
    exec 3<>"/dev/tcp/127.0.0.1/$RPC_PORT"
    printf 'GET /status HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
    sed -n 's/.*"latest_block_height": *"\([0-9]*\)".*/\1/p' <&3
  ) 2>/dev/null || true
}

stop() {
  local pid left
  pid=$(node_pid) || { rm -f "$pid_file"; return 0; }
  kill "$pid" 2>/dev/null || true
  for ((left = 150; left > 0; left--)); do
    node_pid >/dev/null || break
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
  rm -f "$pid_file"
}

# --- making the chain ------------------------------------------------------------------------------------------------
# The mnemonics are test vectors of BIP-39.
mnemonic_of() {
  case $1 in
    validator) echo "letter advice cage absurd amount doctor acoustic avoid letter advice cage above" ;;
    alice) echo "test test test test test test test test test test test junk" ;;
    bob) echo "legal winner thank year wave sausage worth useful legal winner thank yellow" ;;
    carol) echo "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong" ;;
  esac
}

in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

choose_ports() {
  local first=${LOCALNET_PORT:-} port
  if [ -z "$first" ]; then
    RPC_PORT=26657 P2P_PORT=26656 GRPC_PORT=9090 API_PORT=1317
    return
  fi
  if [ "$first" = free ]; then
    # Starts anywhere, so that chains that are made at the same time hardly meet.
    for ((first = 20000 + RANDOM % 10000; first < 32000; first += 4)); do
      for port in 0 1 2 3; do if in_use $((first + port)); then continue 2; fi; done
      break
    done
  fi
  [[ $first =~ ^[0-9]{1,5}$ ]] && [ "$first" -ge 1 ] && [ "$first" -le 65532 ] ||
    { say "LOCALNET_PORT is a port up to 65532, or free, not '$first'"; exit 2; }
  RPC_PORT=$first P2P_PORT=$((first + 1)) GRPC_PORT=$((first + 2)) API_PORT=$((first + 3))
}

make_chain() {
  local name mnemonic max_gas=${LOCALNET_MAX_GAS:--1} block_time=${LOCALNET_BLOCK_TIME:-300ms}
  local chain_id=${LOCALNET_CHAIN_ID:-localnet-1} gas_price=${LOCALNET_GAS_PRICE:-0.025}
  [[ $max_gas =~ ^(-1|[1-9][0-9]*)$ ]] || { say "LOCALNET_MAX_GAS is -1 or a number above 0, not '$max_gas'"; exit 2; }
  [[ $block_time =~ ^[0-9]+(ms|s)$ ]] || { say "LOCALNET_BLOCK_TIME is a time like 300ms, not '$block_time'"; exit 2; }
  [[ $chain_id =~ ^[A-Za-z0-9._-]{1,48}$ ]] || { say "LOCALNET_CHAIN_ID is up to 48 letters and digits, not '$chain_id'"; exit 2; }
  [[ $gas_price =~ ^[0-9]+(\.[0-9]+)?$ ]] || { say "LOCALNET_GAS_PRICE is a number, not '$gas_price'"; exit 2; }
  [[ ${LOCALNET_QUERY_GAS-} =~ ^[0-9]*$ ]] || { say "LOCALNET_QUERY_GAS is a number, not '$LOCALNET_QUERY_GAS'"; exit 2; }
  [ ! -e "$home" ] || [ -z "$(ls -A "$home")" ] || die "$home is there, and holds no chain that was made here"
  choose_ports

  # Whole or not at all: an interrupted start leaves nothing that the next would take for a chain.
  mkdir -p "$(dirname "$home")"
  work=$(mktemp -d "$home.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  w() { "$WASMD" --home "$work" "$@" >>"$work/make.log" 2>&1 || { tail -n 5 "$work/make.log" >&2; die "wasmd $1 $2 failed"; }; }
  w init localnet --chain-id "$chain_id" --default-denom ustake
  mkdir -m 700 "$work/accounts"
  for name in validator alice bob carol; do
    mnemonic=$(mnemonic_of "$name")
    w keys add "$name" --recover --keyring-backend test <<<"$mnemonic"
    w genesis add-genesis-account "$name" 1000000000000ustake --keyring-backend test
    [ "$name" = validator ] || echo "$mnemonic" >"$work/accounts/$name.mnemonic"
  done
  sed -i.bak "s/\"max_gas\": \"-1\"/\"max_gas\": \"$max_gas\"/" "$work/config/genesis.json"
  grep -q "\"max_gas\": \"$max_gas\"" "$work/config/genesis.json" || die "this wasmd's genesis has no max_gas"
  w genesis gentx validator 500000000000ustake --chain-id "$chain_id" --keyring-backend test
  w genesis collect-gentxs
  w genesis validate
  sed -i.bak -e "s/^timeout_commit = .*/timeout_commit = \"$block_time\"/" -e 's/^pprof_laddr = .*/pprof_laddr = ""/' \
    "$work/config/config.toml"
  # So that `wasmd --home FOLDER` speaks to this node.
  printf 'chain-id = "%s"\nkeyring-backend = "test"\noutput = "json"\nnode = "tcp://127.0.0.1:%s"\nbroadcast-mode = "sync"\n' \
    "$chain_id" "$RPC_PORT" >"$work/config/client.toml"
  cat >"$work/localnet.env" <<END
CHAIN_ID=$chain_id
DENOM=ustake
GAS_PRICE=$gas_price
PREFIX=wasm
QUERY_GAS=${LOCALNET_QUERY_GAS-}
RPC_PORT=$RPC_PORT
P2P_PORT=$P2P_PORT
GRPC_PORT=$GRPC_PORT
API_PORT=$API_PORT
RPC=http://127.0.0.1:$RPC_PORT
GRPC=http://127.0.0.1:$GRPC_PORT
API=http://127.0.0.1:$API_PORT
END
  rm -f "$work"/config/*.bak "$work/make.log"
  [ ! -e "$home" ] || rmdir "$home"
  mv "$work" "$home"
  trap - EXIT
}

# --- commands --------------------------------------------------------------------------------------------------------
start() {
  local pid before now left limit=()
  if pid=$(node_pid); then say "runs already"; status; return; fi
  WASMD=${WASMD:-$("$here/build-wasmd.sh")}
  command -v "$WASMD" >/dev/null || die "$WASMD is no program"
  [ -e "$settings" ] || make_chain
  # shellcheck disable=SC1090
  . "$settings"
  for port in "$RPC_PORT" "$P2P_PORT" "$GRPC_PORT" "$API_PORT"; do
    # A node that was killed just now may still be letting go of them.
    for ((left = 25; left > 0; left--)); do in_use "$port" || break; sleep 0.2; done
    if [ "$left" = 0 ]; then die "port $port is taken; for a chain on other ports: LOCALNET_PORT=free, with another LOCALNET_HOME or after a reset"; fi
  done
  [ -z "$QUERY_GAS" ] || limit=(--wasm.query_gas_limit "$QUERY_GAS")
  # In a session of its own, where there are such: an interrupt of this script does not reach it.
  local detach=(nohup)
  if command -v setsid >/dev/null; then detach=(setsid nohup); fi
  "${detach[@]}" "$WASMD" start --home "$home" --minimum-gas-prices "$GAS_PRICE$DENOM" \
    --rpc.laddr "tcp://127.0.0.1:$RPC_PORT" --p2p.laddr "tcp://127.0.0.1:$P2P_PORT" --p2p.pex=false \
    --grpc.address "127.0.0.1:$GRPC_PORT" --api.enable --api.address "tcp://127.0.0.1:$API_PORT" \
    ${limit[@]+"${limit[@]}"} >>"$log" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$pid_file"
  before=
  for ((left = 600; left > 0; left--)); do
    kill -0 "$pid" 2>/dev/null || { tail -n 20 "$log" >&2; rm -f "$pid_file"; die "the node ended"; }
    now=$(height)
    # Two heights that differ: after a restart the old ones are known before there is a new block.
    if [ -n "$now" ] && [ "$now" -ge 1 ]; then
      before=${before:-$now}
      if [ "$now" -gt "$before" ]; then status; return; fi
    fi
    sleep 0.2
  done
  tail -n 20 "$log" >&2
  stop
  die "no block in two minutes"
}

status() {
  local pid now
  [ -e "$settings" ] || { echo "no chain in $home"; return 1; }
  # shellcheck disable=SC1090
  . "$settings"
  pid=$(node_pid) || { echo "$CHAIN_ID in $home does not run"; return 1; }
  now=$(height)
  echo "$CHAIN_ID in $home: pid $pid, height ${now:-unknown}, RPC $RPC, gRPC $GRPC, REST $API"
}

reset() {
  stop
  [ -e "$home" ] || return 0
  [ -e "$settings" ] || die "$home holds no chain that was made here"
  rm -rf "$home"
}

[ $# = 1 ] || { case ${1-} in -h | --help) ;; *) usage ;; esac; }
case $1 in
  start | stop | status | reset) "$1" ;;
  -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0" ;;
  *) usage ;;
esac
