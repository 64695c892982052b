#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bursts.sh [RUNS [AT_ONCE [WAIT]]]: measures a program for 10 s, waits WAIT seconds (60), measures 4 times the largest size in
# eight rounds, and asks whether this is inside the interval of the prediction for such a burst. RUNS times (40), with merge
# sort, a matrix product and the filling of a hash table by turns, AT_ONCE of them at the same time (1).
# Prints a line for each run, and how many were inside. CLL_BIN is the folder of call and llac.
set -euo pipefail
runs=${1:-40} at_once=${2:-1} wait=${3:-60}
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${CLL_BIN:-$here/build/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/cll-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
sources=("$here/examples/sort.c" "$here/bench/busy_product.c" "$here/bench/busy_hash.c")
names=(sort product hash) firsts=(1024 40 1024) lasts=(65536 200 5120)
export CLL_BIN=$bin
# one NUMBER: a line "PROGRAM MEASURED PREDICTED LOW HIGH INSIDE"
one() {
    local k=$(($1 % 3)) folder=$work/$1 target
    target=$((4 * lasts[k]))
    mkdir -p "$folder/data" "$folder/burst"
    cd "$folder"
    cp "${sources[k]}" prog.c
    "$bin/call" run -q --time 10s --outdir data prog.c -- "${firsts[k]}" "${lasts[k]}" >out 2>&1 || { cat out >&2; return 1; }
    sleep "$wait"
    "$bin/call" run -q -n 8 --outdir burst prog.c -- "$target" "$target" >out 2>&1 || true # one size alone cannot be fitted
    "$bin/llac" --json -e "fit f; table f against $(echo burst/*.dat) where N == $target" data/*.dat >table.json
    python3 - "${names[k]}" <<'END'
import json, sys
row = json.loads(open("table.json").read().splitlines()[-1])["rows"][0]
print(sys.argv[1], *("%.5g" % row[k] for k in ("measured", "predicted", "low", "high")), "yes" if row["inside"] else "no", row["kind"])
END
}
for ((i = 0; i < runs; i += at_once)); do
    for ((j = i; j < i + at_once && j < runs; j++)); do
        (one "$j" >"$work/line.$j") &
    done
    wait
    for ((j = i; j < i + at_once && j < runs; j++)); do
        cat "$work/line.$j"
    done
done | awk '{e = 100*($2/$3 - 1); printf "%-8s measured %-10s predicted %-10s [%s, %s] %s: %+.1f %%, inside: %s\n", $1, $2, $3, $4, $5, $7, e, $6
    n++; inside += $6 == "yes"; sum += e < 0 ? -e : e; wide += 50*($5 - $4)/$3; fflush()}
    END {printf "%d of %d inside (%.0f %%); error: mean %.1f %%; half of the interval: mean %.1f %%\n", inside, n, 100*inside/n, sum/n, wide/n}'
