#!/usr/bin/env bash
# Whole processes: nd7c on the shipped floor, on rules files of 1 000 rules, and on 10 000 rules
# beside apparmor_parser on as many. Medians; docs/performance.md says what they should be.
#   bench/compare.sh ND7C
set -euo pipefail
nd7c=$(realpath "${1:?the path of nd7c, a release build}")
rules=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../rules")
many=10000

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# policy NAME COUNT KIND [CHANGED]: plain paths only, or every tenth rule a pattern (mixed). Rule
# CHANGED names another file. Ten invariants of what no rule opens.
policy() {
  awk -v n="$2" -v kind="$3" -v changed="${4:--1}" 'BEGIN {
    print "nd7 = 1\nname = \"bench\"\nextends = \"floor\""
    for (i = 0; i < n; i++) {
      d = int(i / 100)
      if (kind == "mixed" && i % 20 == 7)
        printf "[allow.r%d]\nwrite = \"glob:/srv/d%d/f%d/*.log\"\n", i, d, i
      else if (kind == "mixed" && i % 20 == 17)
        printf "[allow.r%d]\nwrite = \"regex:^/srv/d%d/[a-z]+%d/x[0-9]*$\"\n", i, d, i
      else
        printf "[allow.r%d]\nwrite = \"/srv/d%d/f%d%s\"\n", i, d, i, i == changed ? "x" : ""
    }
    for (i = 0; i < 10; i++)
      printf "[never.n%d]\nwrite = \"/etc/secret%d\"\nwhy = \"measured\"\n", i, i
  }' >"$scratch/$1.toml"
}

# measure RUNS COMMAND...: the median in milliseconds. A command may exit with anything.
measure() {
  local runs=$1
  shift
  hyperfine --shell=none --warmup 1 --runs "$runs" --style basic --ignore-failure \
    --export-json "$scratch/times.json" "$*" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  sed -n 's/^ *"median": \([0-9.e-]*\),$/\1/p' "$scratch/times.json" |
    awk 'NR == 1 { printf "%.2f", $1 * 1000 }'
}

# show TEXT RUNS COMMAND...
show() {
  local text=$1
  shift
  printf '%-52s %10s ms\n' "$text" "$(measure "$@")"
}

for kind in plain mixed; do
  policy $kind 1000 $kind
  policy $kind-changed 1000 $kind 490
done
cd "$scratch"
# What is measured has to be the right answer.
"$nd7c" diff plain.toml plain-changed.toml >answer || true
grep -q 'r490' answer || { echo "nd7c diff does not name the changed rule" >&2; exit 1; }

show "nd7c, the floor" 100 "$nd7c" "$rules/floor.toml" -o /dev/null
show "nd7c test --mutate, team.example.toml" 3 "$nd7c" test --mutate "$rules/team.example.toml"
for kind in plain mixed; do
  show "nd7c, 1000 $kind rules" 5 "$nd7c" $kind.toml --size-budget none -o /dev/null
  show "nd7c check, 1000 $kind rules" 3 "$nd7c" check $kind.toml --size-budget none
  show "nd7c prove, 1000 $kind rules, 10 invariants" 3 "$nd7c" prove $kind.toml
  show "nd7c diff, 1000 $kind rules, one changed" 3 "$nd7c" diff $kind.toml $kind-changed.toml
done

awk -v n=$many 'BEGIN {
  print "nd7 = 1\nname = \"bench\"\nextends = \"floor\""
  for (i = 0; i < n; i++)
    printf "[allow.r%d]\n%s = \"literal:/srv/d%d/f%d\"\n", i, i % 2 ? "write" : "read", i / 100, i
}' >rules.toml
awk -v n=$many 'BEGIN {
  print "profile bench {"
  for (i = 0; i < n; i++) printf "  /srv/d%d/f%d %s,\n", i / 100, i, i % 2 ? "rw" : "r"
  print "}"
}' >rules.apparmor
ours=$(measure 5 "$nd7c" rules.toml --size-budget none -o /dev/null)
printf '%-52s %10s ms\n' "nd7c, $many rules" "$ours"
# An administrator's program, so not in everybody's PATH.
parser=$(PATH=$PATH:/usr/sbin:/sbin command -v apparmor_parser || true)
if [ -z "$parser" ]; then
  echo "apparmor_parser is not installed: nothing to compare with"
  exit 0
fi
theirs=$(measure 3 "$parser" -Q -K rules.apparmor)
printf '%-52s %10s ms\n' "apparmor_parser -Q -K, $many rules" "$theirs"
awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%-52s %10.1f %%\n", "nd7c takes of that", 100 * a / b }'
