#!/usr/bin/env bash
# Installs the real clients and the conformance suite, at the versions pinned here, into a folder of their own:
#   install.sh WORKDIR
# A second run does nothing if nothing changed. Needs npm, and python3 (3.11 or newer) with venv.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:?usage: install.sh WORKDIR}
mkdir -p "$work"
work=$(cd "$work" && pwd)

# True if $work/$1 is what the files named after it led to; otherwise forgets that it was.
installed() {
  local mark=$work/.$1
  shift
  (cd "$here" && sha256sum "$@") >"$mark.new"
  if cmp -s "$mark" "$mark.new"; then
    rm "$mark.new"
  else
    rm -f "$mark"
    return 1
  fi
}

mark() { mv "$work/.$1.new" "$work/.$1"; }

if ! installed npm package.json; then
  cp "$here/package.json" "$work/"
  # No lock file: it would name this machine's registry.
  (cd "$work" && npm install --prefer-offline --no-package-lock --no-audit --no-fund --no-progress --loglevel=error)
  mark npm
fi

for python in python1 python2; do
  "$work/$python/bin/python" -c '' 2>/dev/null || rm -f "$work/.$python" # the interpreter it was made with is gone
  if ! installed $python requirements-$python.txt; then
    rm -rf "${work:?}/$python"
    python3 -m venv "$work/$python"
    "$work/$python/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-$python.txt"
    mark $python
  fi
done

"$work/node_modules/.bin/node" --version
