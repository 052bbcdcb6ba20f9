#!/usr/bin/env bash
# The MCP conformance suite's scenarios for clients, with our client of upstream servers:
#   client-conformance.sh WORKDIR
# WORKDIR is where install.sh put the suite. The classes of the tests have to be there ("mvn test-compile"). What the
# client can't do, and why, is in docs/reference/mcp-client.md; everything else has to pass, warnings included.
set -uo pipefail
cd "$(dirname "$0")/../../.."
work=$(cd "${1:?usage: client-conformance.sh WORKDIR}" && pwd)
export PATH="$work/node_modules/.bin:$PATH" NO_COLOR=1
results=$work/client-results
rm -rf "$results"
mkdir -p "$results"
failed=()

scenarios_2025=(initialize tools_call sse-retry json-schema-2020-12-preservation)
scenarios_2026=(tools_call request-metadata http-standard-headers http-custom-headers http-invalid-tool-headers
  json-schema-ref-no-deref json-schema-2020-12-preservation)
login_2025=(auth/metadata-default auth/metadata-var1 auth/metadata-var2 auth/metadata-var3 auth/basic-cimd
  auth/scope-from-www-authenticate auth/scope-from-scopes-supported auth/scope-omitted-when-undefined auth/scope-step-up
  auth/scope-retry-limit auth/token-endpoint-auth-basic auth/token-endpoint-auth-post auth/token-endpoint-auth-none
  auth/pre-registration)
login_2026=(auth/resource-mismatch auth/offline-access-scope auth/offline-access-not-supported
  auth/authorization-server-migration auth/iss-supported auth/iss-not-advertised auth/iss-supported-missing
  auth/iss-wrong-issuer auth/iss-unexpected auth/iss-normalized auth/metadata-issuer-mismatch)

mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
  -Dmdep.includeScope=test "-Dmdep.outputFile=$results/classpath" || exit 1
CLASSPATH=target/classes:target/test-classes:$(cat "$results/classpath")
export CLASSPATH

# A scenario that is skipped, or has nothing to check, exits with 0 too: here it is a failure.
scenarios() {
  local revision=$1 scenario log line
  shift
  echo "=== client scenarios, $revision"
  for scenario in "$@"; do
    log=$results/$revision-${scenario/\//-}
    timeout 90 conformance client --command "java io.runstone.upstream.client.ConformanceClient" \
      --scenario "$scenario" --spec-version "$revision" -o "$log" >"$log.txt" 2>&1 </dev/null
    line=$(grep -m1 '^Passed: ' "$log.txt" || grep -m1 -E 'SKIPPED|[Ee]rror' "$log.txt" || echo 'no result')
    if [[ $line =~ ^Passed:\ ([1-9][0-9]*)/([0-9]+),\ 0\ failed,\ 0\ warnings && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]] &&
      grep -q 'OVERALL: PASSED' "$log.txt"; then
      echo "ok   $scenario: $line"
    else
      echo "FAIL $scenario: $line"
      failed+=("$revision: $scenario")
    fi
    node src/test/interop/conformance-report.mjs "$log"
  done
}

scenarios 2025-03-26 auth/2025-03-26-oauth-metadata-backcompat
scenarios 2025-11-25 "${scenarios_2025[@]}" "${login_2025[@]}"
scenarios 2026-07-28 "${scenarios_2026[@]}" "${login_2025[@]}" "${login_2026[@]}"

if [ ${#failed[@]} -gt 0 ]; then
  echo "client conformance: FAILED"
  printf '  %s\n' "${failed[@]}"
  exit 1
fi
echo "client conformance: all passed"
