#!/bin/bash
# Deploys Runstone on a server of another kind than Payara Micro, set up as server-config/ says, and runs a command
# against it. Always stops the server and deletes what it wrote.
#
#   run-on.sh payara-server|glassfish|wildfly|liberty [--port N] [--war F | --ear F | --no-deploy] [-- COMMAND…]
#
# Without a command it runs the contract seed, if there is one. The command finds in its environment:
#   RUNSTONE_URL  where the server answers         SERVER_PID    its JVM
#   SERVER_LOG    its log                          SERVER_ADMIN  "asadmin …" (Payara Server and GlassFish only)
#
# Builds nothing: run "mvn package" first. The distributions come from Maven Central, into target/servers/.
set -euo pipefail

usage() {
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
[ $# -gt 0 ] || usage
server=$1
shift
case $server in payara-server | glassfish | wildfly | liberty) ;; *) usage ;; esac

port=8222
app=
deploy=yes
while [ $# -gt 0 ]; do
  case $1 in
    --port) port=$2; shift 2 ;;
    --war | --ear) app=$(realpath "$2"); shift 2 ;;
    --no-deploy) deploy=; shift ;;
    --) shift; break ;;
    *) usage ;;
  esac
done
seed=$root/../shared/seeds/test-sessions.py
if [ $# -eq 0 ]; then
  [ -f "$seed" ] || { echo "no command, and no seed at $seed" >&2; exit 2; }
  set -- python3 "$seed" "http://localhost:$port"
fi

# Not below target/: sandboxed code runs as another user, who has to be able to enter the data directory.
work=$(mktemp -d "${TMPDIR:-/tmp}/runstone-$server.XXXXXX")
chmod 711 "$work"
data=$work/data
log=
pid=

# What a server's file has to define. All of them may use $home, $work, $data, $port and $app.
#   artifact, folder     what to unpack, and the folder in it that is the server's home
#   default_app          what is deployed unless the command line says something else
#   configure, launch    before and at the start; launch sets $pid and $log
#   deploy_app           after the start; nothing where the application is put in place by configure
#   stop                 asks the server to end
# shellcheck source=/dev/null
. "$here/$server.sh"
app=${app:-$root/target/$default_app}
home=$root/target/servers/$server/$folder

alive() {
  # Ours: a pid could have been given to another process.
  [ -n "$pid" ] && tr '\0' '\n' 2>/dev/null < "/proc/$pid/cmdline" | grep -qF "$work"
}

finish() {
  status=$?
  trap '' INT TERM HUP
  if alive; then
    stop > /dev/null 2>&1 || true
    for _ in $(seq 50); do alive || break; sleep 0.2; done
    if alive; then
      echo "$server did not end when asked to" >&2
      kill -9 "$pid" || true
    fi
  fi
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() {
  echo "$server: $1" >&2
  if [ -n "$log" ] && [ -f "$log" ]; then
    echo "--- the end of $log" >&2
    tail -n "${LOG_LINES:-60}" "$log" >&2
  fi
  exit 1
}

fetch() {
  [ -d "$home" ] && return
  echo "fetching $artifact" >&2
  (cd "$work" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:unpack \
    "-Dartifact=$artifact" "-DoutputDirectory=$work/unpacked") || fail "cannot fetch $artifact"
  mkdir -p "$(dirname "$home")"
  mv "$work/unpacked/$folder" "$home"
}

await_health() {
  for _ in $(seq 240); do
    [ "$(curl -s -o "$work/health" -w '%{http_code}' "http://127.0.0.1:$port/health")" = 200 ] && return
    alive || fail "ended while starting"
    sleep 0.5
  done
  fail "/health did not answer 200; it said: $(cat "$work/health" 2>/dev/null)"
}

[ -z "$deploy" ] || [ -f "$app" ] || fail "there is no $app: run mvn package"
if curl -s -o /dev/null "http://127.0.0.1:$port/"; then fail "port $port is in use"; fi
fetch
configure > "$work/configure.log" 2>&1 || { cat "$work/configure.log" >&2; fail "cannot be configured"; }
launch || fail "cannot be started"
if [ -n "$deploy" ]; then
  deploy_app || fail "cannot deploy $app"
  await_health
  echo "$server: $(basename "$app") is ready: $(cat "$work/health")" >&2
fi
export RUNSTONE_URL=http://localhost:$port SERVER_PID=$pid SERVER_LOG=$log SERVER_ADMIN="${admin:-}"
"$@" || { status=$?; LOG_LINES=${LOG_LINES:-30}; (fail "the command failed with $status") || exit "$status"; }
