#!/usr/bin/env bash
# Login with tokens of a real Keycloak, which Maven Central serves:
#   keycloak.sh WORKDIR
# Needs what "mvn -Pfixture" leaves, and curl. Keycloak is unpacked in WORKDIR, once. Ends both servers that it starts.
set -euo pipefail
cd "$(dirname "$0")/../../.."
mkdir -p "${1:?usage: keycloak.sh WORKDIR}"
work=$(cd "$1" && pwd)
version=26.7.3
issuer=http://127.0.0.1:8239
server=http://localhost:8240
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
payara=(target/server/payara-micro-*.jar)
wars=(target/runstone*.war)
if [ ! -f "${payara[0]}" ] || [ ! -f "${wars[0]}" ]; then
  echo 'there is no WAR, or no server: run "mvn -Pfixture" first' >&2
  exit 1
fi
scratch=$(mktemp -d)
chmod o+x "$scratch"
mkdir -m 711 "$scratch/data"
pids=()

stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$scratch"
}
trap stop EXIT

# Waits until an address answers 200: await URL LOG PROCESS
await() {
  for _ in $(seq 180); do
    if curl -fs -o "$scratch/answer" "$1"; then return; fi
    kill -0 "$3" 2>/dev/null || break
    sleep 1
  done
  cat "$2"
  echo "FAIL no answer from $1 in time"
  exit 1
}

if [ ! -f "$work/keycloak-$version/bin/kc.sh" ]; then
  # Maven remembers in target/ that it has unpacked, wherever that was.
  mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:unpack -Dmdep.overWriteReleases=true \
    "-Dartifact=org.keycloak:keycloak-quarkus-dist:$version:zip" "-DoutputDirectory=$work"
fi
# A realm of an earlier run would be in the way.
rm -rf "$work/keycloak-$version/data/h2"
KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin JAVA_OPTS_KC_HEAP='-Xms64m -Xmx512m' \
  bash "$work/keycloak-$version/bin/kc.sh" start-dev --http-host=127.0.0.1 --http-port=8239 \
  >"$scratch/keycloak.log" 2>&1 </dev/null &
pids+=("$!")
await "$issuer/realms/master" "$scratch/keycloak.log" "$!"
python3 src/test/interop/keycloak.py realm "$issuer" "$server"

"$java" @server-config/payara-micro/jvm.args "-Drunstone.data-dir=$scratch/data" \
  "-Drunstone.base-url=$server" -Drunstone.auth=jwt "-Drunstone.auth.jwt.issuers=$issuer/realms/runstone" \
  -Drunstone.auth.jwt.keys-cooldown=PT1S -jar "${payara[0]}" \
  --port 8240 --nohazelcast --disablephonehome --contextroot / \
  --prebootcommandfile server-config/payara-micro/pre-boot.asadmin \
  --logproperties server-config/payara-micro/logging.properties --deploy "${wars[0]}" \
  >"$scratch/runstone.log" 2>&1 </dev/null &
pids+=("$!")
await "$server/health" "$scratch/runstone.log" "$!"
if ! python3 src/test/interop/keycloak.py check "$issuer" "$server"; then
  cat "$scratch/runstone.log"
  exit 1
fi
