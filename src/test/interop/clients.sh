#!/usr/bin/env bash
# Runs every real client against a running server, one after another:
#   clients.sh BASE_URL WORKDIR [NAME…]
# WORKDIR is where install.sh put them. Names are those of the list below; without any, all are run.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
base=${1:?usage: clients.sh BASE_URL WORKDIR [NAME…]}
work=$(cd "${2:?usage: clients.sh BASE_URL WORKDIR [NAME…]}" && pwd)
shift 2
export PATH="$work/node_modules/.bin:$PATH" PYTHONDONTWRITEBYTECODE=1
# A module finds its packages from where it lies.
cp "$here"/*.mjs "$work/"

client() {
  case $1 in
    typescript-v1) node "$work/typescript-v1.mjs" "$base" ;;
    typescript-v2-auto) node "$work/typescript-v2.mjs" "$base" auto ;;
    typescript-v2-legacy) node "$work/typescript-v2.mjs" "$base" legacy ;;
    mcp-remote) node "$work/mcp-remote.mjs" "$base" ;;
    python1) "$work/python1/bin/python" "$here/python1.py" "$base" ;;
    python2-auto) "$work/python2/bin/python" "$here/python2.py" "$base" auto ;;
    python2-legacy) "$work/python2/bin/python" "$here/python2.py" "$base" legacy ;;
    inspector-legacy) "$here/inspector.sh" "$base" "$work" legacy ;;
    inspector-modern) "$here/inspector.sh" "$base" "$work" modern ;;
    *) echo "no client is named $1"; return 2 ;;
  esac
}

[ $# -gt 0 ] || set -- typescript-v1 typescript-v2-legacy typescript-v2-auto mcp-remote python1 python2-legacy \
  python2-auto inspector-legacy inspector-modern
failed=()
for name in "$@"; do
  client "$name" || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "clients with failures: ${failed[*]}"
  exit 1
fi
echo "clients: $# ran, none failed"
