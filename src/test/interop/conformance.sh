#!/usr/bin/env bash
# The MCP conformance suite:
#   conformance.sh URL FIXTURE_URL WORKDIR
# URL is a server as users have it, FIXTURE_URL one with the tools, prompts and resources that the suite names, on the
# same transport. Both are given without /mcp. WORKDIR is where install.sh put the suite. No failure is expected, and
# what is required, what the suite holds as pending and what needs no fixture all has to pass.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: conformance.sh URL FIXTURE_URL WORKDIR'
production=${1:?$usage}/mcp
fixture=${2:?$usage}/mcp
work=$(cd "${3:?$usage}" && pwd)
export PATH="$work/node_modules/.bin:$PATH" NO_COLOR=1
results=$work/results
rm -rf "$results"
mkdir -p "$results"
failed=()

# Beside what is required of each revision; the suite runs these too, but does not let them count.
pending_2025=(server-session-lifecycle json-schema-2020-12 server-sse-polling)
pending_2026=(json-schema-2020-12 http-header-validation http-custom-header-server-validation)
# What a server can be asked that has none of the suite's tools.
free_2025=(server-initialize server-session-lifecycle ping logging-set-level tools-list server-sse-multiple-streams
  resources-list dns-rebinding-protection)
free_2026=(tools-list server-sse-multiple-streams resources-list sep-2164-resource-not-found
  dns-rebinding-protection http-header-validation input-required-result-unsupported-methods)

report() { node "$here/conformance-report.mjs" "$@"; }

required() {
  local revision=$1 log=$results/required-$1.txt
  echo "=== required of $revision, $fixture"
  timeout 600 conformance server --url "$fixture" --requirements "$revision" -o "$results/required-$revision" \
    >"$log" 2>&1 </dev/null || failed+=("required of $revision")
  grep -q '=== SUMMARY ===' "$log" || tail -20 "$log"
  report "$results/required-$revision" "$log"
}

# Scenarios one by one. One that is skipped, or has nothing to check, exits with 0 too: here it is a failure.
scenarios() {
  local name=$1 url=$2 revision=$3 scenario log line
  shift 3
  echo "=== $name, $revision, $url"
  for scenario in "$@"; do
    log=$results/$name-$revision-$scenario
    timeout 60 conformance server --url "$url" --scenario "$scenario" --spec-version "$revision" -o "$log" \
      >"$log.txt" 2>&1 </dev/null
    line=$(grep -m1 '^Passed: ' "$log.txt" || grep -m1 -E 'SKIPPED|[Ee]rror' "$log.txt" || echo 'no result')
    if [[ $line =~ ^Passed:\ ([1-9][0-9]*)/([0-9]+),\ 0\ failed && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]]; then
      echo "ok   $scenario: $line"
    else
      echo "FAIL $scenario: $line"
      failed+=("$name, $revision: $scenario")
    fi
    report "$log"
  done
}

required 2025-11-25
required 2026-07-28
scenarios pending "$fixture" 2025-11-25 "${pending_2025[@]}"
scenarios pending "$fixture" 2026-07-28 "${pending_2026[@]}"
scenarios without-fixture "$production" 2025-11-25 "${free_2025[@]}"
scenarios without-fixture "$production" 2026-07-28 "${free_2026[@]}"

if [ ${#failed[@]} -gt 0 ]; then
  echo "conformance: FAILED"
  printf '  %s\n' "${failed[@]}"
  exit 1
fi
echo "conformance: all passed"
