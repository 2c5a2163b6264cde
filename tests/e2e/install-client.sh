#!/bin/sh
# install-client.sh FOLDER: Claude Code in a version that the tests know, once. Prints the program's
# path; on failure a reason, and exits 1. A failure is not tried again for ten minutes.
set -eu
version=2.1.332
mkdir -p "$1"
cd "$1"
exec 9>lock
flock 9

program() {
  for path in "$1"/node_modules/@anthropic-ai/claude-code-linux-*/claude; do
    if [ -x "$path" ]; then echo "$path" && exit 0; fi
  done
}
fail() { echo "$1" | tee failed && exit 1; }

program "$1/$version"
if [ -n "$(find . -maxdepth 1 -name failed -mmin -10)" ]; then cat failed && exit 1; fi
command -v node >/dev/null && command -v npm >/dev/null || fail "node and npm are needed"
mkdir -p "$version"
# Its install script only makes a link to the program, which the optional package brings along.
timeout 400 npm install --prefix "./$version" --ignore-scripts --no-audit --no-fund --fetch-retries=1 \
  "@anthropic-ai/claude-code@$version" >log 2>&1 </dev/null 9>&- ||
  fail "Claude Code $version could not be installed ($1/log)"
program "$1/$version"
fail "Claude Code $version brings no program for this machine"
