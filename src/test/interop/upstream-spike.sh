#!/usr/bin/env bash
# The three scenarios of the wire contract with our pool of upstream sessions as the client:
#   upstream-spike.sh WORKDIR FIXTURE
# against a FastMCP server (Python SDK 1.x, from install.sh's WORKDIR) and against the fixture server at FIXTURE. Then
# 100 users with 10 servers and 100,000 calls. The classes of the tests have to be there ("mvn test-compile").
set -euo pipefail
cd "$(dirname "$0")/../../.."
usage='usage: upstream-spike.sh WORKDIR FIXTURE'
work=$(cd "${1:?$usage}" && pwd)
fixture=${2:?$usage}
port=8239
scratch=$(mktemp -d)
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
  -Dmdep.includeScope=test "-Dmdep.outputFile=$scratch/classpath"
CLASSPATH=target/classes:target/test-classes:$(cat "$scratch/classpath")
export CLASSPATH
"$work/python1/bin/python" src/test/interop/spike_server.py "$port" >"$scratch/log" 2>&1 </dev/null &
server=$!
finish() { kill "$server" 2>/dev/null || true; wait; rm -rf "$scratch"; }
trap finish EXIT
for _ in $(seq 100); do
  (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  sleep 0.1
done
spike=io.runstone.upstream.spike
timeout 600 java "$spike.Spike" FastMCP "http://127.0.0.1:$port/mcp" 20 200 1000 || { tail -50 "$scratch/log"; exit 1; }
timeout 600 java "$spike.Spike" Runstone "$fixture/mcp" 20 200 1000
timeout 600 java "$spike.ManyUsers" 100 10 100000
