#!/usr/bin/env bash
# Our client of upstream servers with servers of the Python SDK, 1.x and 2.x, in every way they answer:
#   upstream.sh WORKDIR
# WORKDIR is where install.sh put the SDKs. The classes of the tests have to be there ("mvn test-compile").
set -uo pipefail
cd "$(dirname "$0")/../../.."
work=$(cd "${1:?usage: upstream.sh WORKDIR}" && pwd)
classpath=$(mktemp)
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
  -Dmdep.includeScope=test "-Dmdep.outputFile=$classpath" || exit 1
CLASSPATH=target/classes:target/test-classes:$(cat "$classpath")
export CLASSPATH
failed=0
port=8230

# server PYTHON REVISION [FLAG…]
server() {
  local python=$1 revision=$2 pid said
  shift 2
  port=$((port + 1))
  "$work/$python/bin/python" src/test/interop/upstream.py "$port" "$@" >"$classpath.log" 2>&1 </dev/null &
  pid=$!
  for _ in $(seq 100); do
    (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    sleep 0.1
  done
  said=$(timeout 60 java io.runstone.upstream.client.ConformanceClient "http://127.0.0.1:$port/mcp" 2>&1)
  if [ "$said" = "speaks $revision
called echo
called slow
called fail" ]; then
    echo "ok   $python $*: $revision"
  else
    echo "FAIL $python $*: $said"
    cat "$classpath.log"
    failed=1
  fi
  kill "$pid"
  wait "$pid" 2>/dev/null
}

for flags in '' json stateless 'json stateless'; do
  # shellcheck disable=SC2086 # words of a list
  server python1 2025-11-25 $flags
  # shellcheck disable=SC2086
  server python2 2026-07-28 $flags
done
rm -f "$classpath" "$classpath.log"
exit "$failed"
