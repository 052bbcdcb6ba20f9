#!/usr/bin/env bash
# Serves target/fixture.war, which "mvn -Pfixture" has made, from Payara Micro on loopback, as "mvn -Prun" serves the WAR:
#   serve-fixture.sh PORT [SETTING=VALUE…]
# It has 16 threads for HTTP, so that one which waits is noticed. Settings are those of docs/reference/configuration.md.
# Says the server's process id, for spike.py and load.py, and then when it is ready. Ends with the server when it is terminated, or when the process that started it ends.
set -euo pipefail
usage='usage: serve-fixture.sh PORT [SETTING=VALUE…]'
port=${1:?$usage}
shift
cd "$(dirname "$0")/../../.."
payara=(target/server/payara-micro-*.jar)
if [ ! -f target/fixture.war ] || [ ! -f "${payara[0]}" ]; then
  echo 'there is no target/fixture.war, or no server: run "mvn -Pfixture" first' >&2
  exit 1
fi
# glibc keeps a heap per thread otherwise.
export MALLOC_ARENA_MAX=2
# The inner shell becomes the server, so that its process id is the one it says.
exec server-config/payara-micro/with-parent.sh sh -c 'echo "process $$"; exec "$@"' server \
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" @server-config/payara-micro/jvm.args \
  "-Drunstone.base-url=http://localhost:$port" "${@/#/-D}" -jar "${payara[0]}" \
  --port "$port" --nohazelcast --disablephonehome --contextroot / \
  --prebootcommandfile src/test/resources/it-pre-boot.asadmin \
  --logproperties server-config/payara-micro/logging.properties --deploy target/fixture.war
