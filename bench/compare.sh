#!/usr/bin/env bash
# Whole processes: nd7c on the shipped floor, and on 10 000 rules beside apparmor_parser on as many.
#   bench/compare.sh ND7C
set -euo pipefail
nd7c=${1:?the path of nd7c, a release build}
floor=$(dirname "${BASH_SOURCE[0]}")/../rules/floor.toml
rules=10000

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

awk -v n=$rules 'BEGIN {
  print "nd7 = 1\nname = \"bench\"\nextends = \"floor\""
  for (i = 0; i < n; i++)
    printf "[allow.r%d]\n%s = \"literal:/srv/d%d/f%d\"\n", i, i % 2 ? "write" : "read", i / 100, i
}' >"$scratch/rules.toml"
awk -v n=$rules 'BEGIN {
  print "profile bench {"
  for (i = 0; i < n; i++) printf "  /srv/d%d/f%d %s,\n", i / 100, i, i % 2 ? "rw" : "r"
  print "}"
}' >"$scratch/rules.apparmor"

# measure NAME RUNS COMMAND: prints the mean in milliseconds.
measure() {
  hyperfine --shell=none --warmup 2 --runs "$2" --style basic --export-json "$scratch/$1.json" "$3" \
    >"$scratch/$1.log" 2>&1 || { cat "$scratch/$1.log" >&2; exit 1; }
  sed -n 's/^ *"mean": \([0-9.e-]*\),$/\1/p' "$scratch/$1.json" | awk 'NR == 1 { printf "%.2f", $1 * 1000 }'
}

ms=$(measure floor 100 "$nd7c $floor -o /dev/null")
printf '%-44s %10s ms\n' "nd7c, the floor" "$ms"
ours=$(measure nd7c 5 "$nd7c $scratch/rules.toml --size-budget none -o /dev/null")
printf '%-44s %10s ms\n' "nd7c, $rules rules" "$ours"
# An administrator's program, so not in everybody's PATH.
parser=$(PATH=$PATH:/usr/sbin:/sbin command -v apparmor_parser || true)
if [ -z "$parser" ]; then
  echo "apparmor_parser is not installed: nothing to compare with"
  exit 0
fi
theirs=$(measure apparmor 3 "$parser -Q -K $scratch/rules.apparmor")
printf '%-44s %10s ms\n' "apparmor_parser -Q -K, $rules rules" "$theirs"
awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%-44s %10.1f %%\n", "nd7c takes of that", 100 * a / b }'
