#!/usr/bin/env bash
# A whole OAuth run in Chromium (which has to be installed) against a server of its own, with the WAR that "mvn package"
# has made and the server that "mvn -Pfixture" has fetched:
#   consent.sh
# Prints a line for each step, and "ok" at the end.
set -euo pipefail
cd "$(dirname "$0")/../../.."
payara=(target/server/payara-micro-*.jar)
wars=(target/runstone*.war)
if [ ! -f "${payara[0]}" ] || [ ! -f "${wars[0]}" ]; then
  echo 'there is no WAR, or no server: run "mvn -Pfixture" first' >&2
  exit 1
fi
mvn -o -q dependency:build-classpath -Dmdep.outputFile=target/test.classpath -Dmdep.includeScope=test
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Drunstone.war="${wars[0]}" \
  -cp "target/test-classes:target/classes:$(cat target/test.classpath)" \
  io.runstone.console.ConsentRun "${payara[0]}" "$@"
