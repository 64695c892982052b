#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# misses.sh measure NAME | count NAME... | judge HERE THERE: do the misses of caches help to predict another machine? Both orders of the matrix
# initialisation are measured at sizes from 100 to 1288 (bench/misses.c), fitted on HERE and predicted for THERE: without counts, with counts, and with counts
# whose caches were simulated. `measure` needs `make runtime` and a C compiler, not call and llac; carry build/misses between the machines. `count` needs
# Valgrind. ROUNDS (default 40) and PROBE (seconds, default 60) are of `measure`, CLL_BIN is the folder of call and llac.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/misses
bin=${CLL_BIN:-$PWD/build/bin}
last=1400

measure() {
    mkdir -p "$work"
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    ${CC:-cc} -O2 -w bench/misses.c -o "$work/misses"
    build/runtime/bin/cllprobe --quiet --seconds "${PROBE:-60}" --only operations,memory --name "$1" -o "$work/$1.json"
    "$work/misses" "${ROUNDS:-40}" $last >"$work/$1.csv"
}

count() {
    mkdir -p "$work/plain" "$work/$1"
    "$bin/call" count -q --executions 1 --outdir "$work/plain" examples/matinit.c -- 100 300 >/dev/null
    "$bin/call" count -q --executions 1 --cache --machine "$work/$1.json" --outdir "$work/$1" examples/matinit.c -- 100 $last >/dev/null
}

# of_kind KIND HERE THERE COUNTS...: what was predicted from these counts, beside what was measured
of_kind() {
    kind=$1 here=$2 there=$3
    shift 3
    for order in jumping walking; do
        "$bin/llac" --json -e "statistic min; load \"$work/$there.csv\" time=seconds; show $order" | tail -n 1 >"$work/measured"
        {
            echo "statistic min; load \"$work/$here.csv\" time=seconds; machine use \"$work/$here.json\""
            [ $# = 0 ] || echo "counts$(printf ' "%s"' "$@")"
            echo "fit $order = $order[0] + $order[1]*N + $order[2]*N^2 nonneg"
            echo "predict $order N=$(python3 bench/misses.py sizes "$work/measured") on \"$work/$there.json\""
        } >"$work/script.llac"
        "$bin/llac" --json "$work/script.llac" | tail -n 1 >"$work/predicted"
        python3 bench/misses.py "$kind, $order" "$work/measured" "$work/predicted"
    done
}

judge() {
    of_kind 'without counts' "$1" "$2"
    of_kind 'with counts' "$1" "$2" "$work/plain/matinit.count.json"
    of_kind 'with misses' "$1" "$2" "$work/$1/matinit.count.json" "$work/$2/matinit.count.json"
    "$bin/llac" -e "statistic min; load \"$work/$1.csv\" time=seconds; machine use \"$work/$1.json\"" \
        -e "fit jumping = jumping[0] + jumping[1]*N + jumping[2]*N^2 nonneg; boundaries jumping on \"$work/$2.json\"" | sed -n '/carried from/,$p'
}

case "${1:-} $#" in
"measure 2") measure "$2" ;;
"count "[1-9]*) shift; for name in "$@"; do count "$name"; done ;;
"judge 3") judge "$2" "$3" ;;
*) sed -n '4,7s/^# //p' "$0" >&2; exit 2 ;;
esac
