#!/usr/bin/env bash
# The MCP Inspector's command line, a connection for every call:
#   inspector.sh BASE_URL WORKDIR legacy|modern
# Ends within a minute.
set -uo pipefail
if [ -z "${INTEROP_LIMITED:-}" ]; then
  INTEROP_LIMITED=1 timeout --kill-after=5 60 "$0" "$@"
  code=$?
  [ $code -ne 124 ] || echo "FAIL not done after 60 s"
  exit $code
fi
base=${1:?usage: inspector.sh BASE_URL WORKDIR legacy|modern}
work=$(cd "$2" && pwd)
era=$3
session=interop-$(head -c 4 /dev/urandom | od -An -tx1 | tr -d ' ')
failures=0
export PATH="$work/node_modules/.bin:$PATH" HOME="$work/inspector-home"
mkdir -p "$HOME"

inspect() { inspector --cli "$base/mcp" --protocol-era "$era" --quiet --format json "$@" 2>&1; }

call() { inspect --method tools/call --tool-name "$1" --tool-args-json "$2"; }

# Runs a cell; its text is put into JSON as it is, so it has neither quotes nor backslashes of its own but \n.
run() { call execute_python_code "{\"session_id\":\"$session\",\"command\":\"$1\"}"; }

# Says whether an answer has a text: check NAME ANSWER TEXT
check() {
  case $2 in
    *"$3"*) echo "ok   $1" ;;
    *) echo "FAIL $1: ${2:0:300}"; failures=$((failures + 1)) ;;
  esac
}

uri() { grep -o 'runstone://executions/[0-9a-f-]*/outputs/[0-9]*' <<<"$1" | head -1; }

echo "--- inspector $era"
tools=$(inspect --method tools/list)
if [[ $tools != *'"tools":['* ]]; then
  echo "FAIL connect: ${tools:0:300}"
  exit 1
fi
for tool in execute_python_code start_python_session list_python_sessions stop_python_session \
  interrupt_python_session restart_python_session; do
  check "lists $tool" "$tools" "\"name\":\"$tool\""
done

check "start a session" "$(call start_python_session "{\"session_id\":\"$session\"}")" '"status":"active"'
check "a cell of some seconds" "$(run 'import time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(1)')" \
  '"stdout":"0\n1\n2\n"'
echo "note the inspector's command line shows no progress: not tested here"
echo "note the inspector's command line can't cancel a call: it is killed instead, which the server sees as a disconnect"

check "keep a variable" "$(run 'kept = 42')" '"status":"ok"'
setsid inspector --cli "$base/mcp" --protocol-era "$era" --method tools/call --tool-name execute_python_code \
  --tool-args-json "{\"session_id\":\"$session\",\"command\":\"while True: pass\"}" >/dev/null 2>&1 &
lost=$!
sleep 2
if kill -KILL -- "-$lost" 2>/dev/null; then
  wait "$lost" 2>/dev/null
  # Only a write tells the server that nobody listens any more, and it writes every few seconds.
  since=$(date +%s%N)
  answer=$(timeout 12 inspector --cli "$base/mcp" --protocol-era "$era" --quiet --format json --method tools/call \
    --tool-name execute_python_code --tool-args-json "{\"session_id\":\"$session\",\"command\":\"print(1 + 1)\"}")
  check "the session is free $((($(date +%s%N) - since) / 1000000)) ms after a disconnect" \
    "${answer:-no answer within 12 s}" '"stdout":"2\n"'
else
  check "running code until killed" "it ended by itself" "running"
fi
call interrupt_python_session "{\"session_id\":\"$session\"}" >/dev/null
check "the variable is still there" "$(run 'kept')" '"stdout":"42\n"'

answer=$(run "class Page:\n    def _repr_html_(self): return 'html ' * 9\nPage()")
check "rich output is linked" "$answer" '"uri":"runstone://executions/'
check "the link can be read" "$(inspect --method resources/read --uri "$(uri "$answer")")" 'html html html'
answer=$(run "print('x' * 300000)")
check "long output is linked" "$answer" '"uri":"runstone://executions/'
whole=$(inspect --method resources/read --uri "$(uri "$answer")")
check "and whole behind the link" "$([ ${#whole} -gt 300000 ] && echo whole || echo "${whole:0:200}")" whole
check "a resource that is not there is an error" \
  "$(inspect --method resources/read --uri runstone://executions/0/outputs/0)" '"error":'
check "list resources" "$(inspect --method resources/list)" '"resources":['
check "list resource templates" "$(inspect --method resources/templates/list)" '"uriTemplate":"runstone://executions/'
check "stop the session" "$(call stop_python_session "{\"session_id\":\"$session\"}")" '"status":"stopped"'

if [ $failures -gt 0 ]; then
  echo "inspector $era: $failures failed"
  exit 1
fi
echo "inspector $era: all ok"
