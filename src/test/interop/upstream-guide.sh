#!/usr/bin/env bash
# The example of docs/guides/upstream.md, with the servers from npm that install.sh has put into WORKDIR:
#   upstream-guide.sh WORKDIR
# Starts a server of its own from target/fixture.war, and ends everything that it starts.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=src/test/interop
work=$(cd "${1:?usage: upstream-guide.sh WORKDIR}" && pwd)
bin=$work/node_modules/.bin
export PATH="$bin:$PATH"
scratch=$(mktemp -d)
chmod o+x "$scratch"
mkdir "$scratch/files" "$scratch/data"
chmod o+x "$scratch/data"
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait || true
  rm -rf "$scratch"
}
trap finish EXIT

export NODE_OPTIONS="--require $PWD/$here/loopback.cjs"
PORT=8250 mcp-server-everything streamableHttp >"$scratch/everything.log" 2>&1 </dev/null &
started+=("$!")
supergateway --outputTransport streamableHttp --stateful --port 8251 \
  --stdio "mcp-server-filesystem $scratch/files" >"$scratch/files.log" 2>&1 </dev/null &
started+=("$!")
unset NODE_OPTIONS
cat >"$scratch/servers.json" <<'EOF'
{"servers": {
  "everything": {"url": "http://127.0.0.1:8250/mcp", "description": "A bit of everything that MCP has"},
  "files": {"url": "http://127.0.0.1:8251/mcp", "description": "Files of a folder"}}}
EOF
"$here/serve-fixture.sh" 8229 "runstone.data-dir=$scratch/data" "runstone.upstream.file=$scratch/servers.json" \
  >"$scratch/server.log" 2>&1 </dev/null &
started+=("$!")
for _ in $(seq 120); do grep -q 'Runstone is ready' "$scratch/server.log" && break; sleep 1; done
python3 - "$scratch/files/note.txt" <<'EOF' || { tail -n 20 "$scratch"/*.log; exit 1; }
import json, re, sys, urllib.request

guide = open("docs/guides/upstream.md").read()
code = re.findall(r"```python\n(.*?)```", guide, re.S)[-1]
request = urllib.request.Request(
    "http://localhost:8229/execute", json.dumps({"code": code}).encode(), {"Content-Type": "application/json"}
)
answer = json.load(urllib.request.urlopen(request, timeout=60))
print(answer["stdout"], answer["stderr"])
assert answer["status"] == "ok", answer["status"]
assert "Echo: hello" in answer["stdout"] and "42" in answer["stdout"], "the tools were not called"
assert open(sys.argv[1]).read() == "written from the sandbox", "the file was not written"
assert any("image/png" in output.get("data", {}) for output in answer["outputs"]), "the image was not shown"
print("ok   the example of docs/guides/upstream.md")
EOF
