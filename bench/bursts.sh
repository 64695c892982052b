#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bursts.sh [translate | measure | judge]: measures a program for 10 s, waits WAIT seconds (60), measures 4 times the largest
# size in eight rounds, and asks whether this is inside the interval of the prediction for such a burst. RUNS times (6), with
# merge sort, a matrix product and the filling of a hash table by turns, AT_ONCE of them at the same time (2), each bound to a
# core of its own. Prints a line for each run, and how many were inside. Without a word, all three steps. They can run on
# different machines, with the folder build/bursts carried between them: `measure` needs `make runtime` and a C compiler, not
# call and llac.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD work=$PWD/build/bursts
bin=${CLL_BIN:-$source/build/bin}
runs=${RUNS:-6} at_once=${AT_ONCE:-2} wait=${WAIT:-60}
names=(sort busy_product busy_hash) firsts=(1024 40 1024) lasts=(65536 200 5120)

translate() {
    rm -rf "$work"
    mkdir -p "$work"
    "$bin/call" --outdir "$work" examples/sort.c bench/busy_product.c bench/busy_hash.c
}

# one NUMBER: data in the folder NUMBER, as `call run` measures: whole rounds until the time is over
one() {
    local k=$(($1 % 3)) folder=$work/$1 core=$(($1 % at_once)) round=0 begin=$SECONDS target
    target=$((4 * lasts[k]))
    mkdir -p "$folder/data" "$folder/burst"
    while [ $((SECONDS - begin)) -lt 10 ]; do
        CLL_RUN=$((round++)) CLL_OUT=$folder/data taskset -c "$core" "$work/${names[k]}" "${firsts[k]}" "${lasts[k]}" >/dev/null
    done
    sleep "$wait"
    for ((round = 0; round < 8; round++)); do
        CLL_RUN=$round CLL_OUT=$folder/burst taskset -c "$core" "$work/${names[k]}" "$target" "$target" >/dev/null
    done
}

measure() {
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    local name i j
    for name in "${names[@]}"; do
        cc -O2 -w "$work/$name.cll.c" -I"$source/build/runtime/include" "$source/build/runtime/lib/libcll.a" -lpthread -lm -o "$work/$name"
    done
    for ((i = 0; i < runs; i += at_once)); do
        for ((j = i; j < i + at_once && j < runs; j++)); do
            one "$j" &
        done
        wait
    done
}

judge() {
    for ((i = 0; i < runs; i++)); do
        [ -d "$work/$i/burst" ] || continue
        k=$((i % 3))
        "$bin/llac" --json -e "fit f; table f against $(echo "$work/$i/burst/"*.dat) where N == $((4 * lasts[k]))" "$work/$i/data/"*.dat >"$work/table.json"
        python3 - "${names[k]}" "$work/table.json" <<'END'
import json, sys
row = json.loads(open(sys.argv[2]).read().splitlines()[-1])["rows"][0]
print(sys.argv[1], *("%.5g" % row[k] for k in ("measured", "predicted", "low", "high")), "yes" if row["inside"] else "no", row["kind"])
END
    done | awk '{e = 100*($2/$3 - 1); printf "%-12s measured %-10s predicted %-10s [%s, %s] %s: %+.1f %%, inside: %s\n", $1, $2, $3, $4, $5, $7, e, $6
        n++; inside += $6 == "yes"; sum += e < 0 ? -e : e; wide += 50*($5 - $4)/$3}
        END {printf "%d of %d inside (%.0f %%); error: mean %.1f %%; half of the interval: mean %.1f %%\n", inside, n, 100*inside/n, sum/n, wide/n}'
}

case ${1:-all} in
all) translate; measure; judge ;;
translate | measure | judge) $1 ;;
*) echo "usage: bursts.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
