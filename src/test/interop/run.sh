#!/usr/bin/env bash
# Everything in this folder, against servers of its own on loopback:
#   run.sh WORKDIR
# WORKDIR is for install.sh. Needs what README.md says. Ends every server that it starts.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=src/test/interop
work=${1:?usage: run.sh WORKDIR}
production=http://localhost:8222
fixture=http://localhost:8223
servers=()
scratch=$(mktemp -d)
chmod o+x "$scratch"

# Each server has a data directory of its own, for each has an audit log of its own.
data() { local made; made=$(mktemp -d "$scratch/data.XXXX"); chmod o+x "$made"; echo "runstone.data-dir=$made"; }

stop() {
  for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$scratch"
}
trap stop EXIT

# Starts a server in the background and waits until it is ready: start LOG COMMAND…
start() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 </dev/null &
  servers+=("$!")
  for _ in $(seq 120); do
    if grep -q 'Runstone is ready' "$log"; then return; fi
    kill -0 "$!" 2>/dev/null || break
    sleep 1
  done
  cat "$log"
  echo "a server was not ready in time: $*"
  exit 1
}

# The process id that serve-fixture.sh has said.
pid_of() { sed -n 's/^process //p' "$1" | head -1; }

bash "$here/install.sh" "$work"
mvn -B -ntp -q -Pfixture
logs=target/interop
mkdir -p "$logs"
start "$logs/production.log" mvn -B -ntp -Prun "-D$(data)"
start "$logs/fixture.log" "$here/serve-fixture.sh" 8223 "$(data)"

bash "$here/clients.sh" "$production" "$work"
bash "$here/conformance.sh" "$production" "$fixture" "$work"
bash "$here/client-conformance.sh" "$work"
bash "$here/upstream.sh" "$work"
bash "$here/upstream-spike.sh" "$work" "$fixture"
bash "$here/keycloak.sh" "$work"
bash "$here/upstream-guide.sh" "$work"
if command -v chromium >/dev/null; then bash "$here/consent.sh"; else echo "there is no chromium: consent.sh is not run"; fi
"$work/python1/bin/python" "$here/spike.py" "$fixture/mcp" --pid "$(pid_of "$logs/fixture.log")"
"$work/python2/bin/python" "$here/spike.py" "$fixture/mcp" --pid "$(pid_of "$logs/fixture.log")"
# Leftovers have to be gone within a minute.
start "$logs/load.log" "$here/serve-fixture.sh" 8224 "$(data)" runstone.mcp.idle-timeout=PT20S runstone.sessions.idle-timeout=PT20S
python3 "$here/load.py" http://localhost:8224 --pid "$(pid_of "$logs/load.log")"
