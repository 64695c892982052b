#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# busy.sh [LOOPS]: measures merge sort, a matrix product and the filling of a hash table beside LOOPS busy loops per core
# (default 2), fits them, and predicts a size 4 times beyond the data. The reference is that size without the loops.
# Prints the error of the prediction in percent: quiet (without the loops), kept (preempted samples and first executions are
# used), CLOCK (the defaults), CPUTIME (call run --observe CPUTIME); then the means, and the time that measuring took.
# CLL_BIN is the folder of call and llac.
set -euo pipefail
loops=${1:-2}
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${CLL_BIN:-$here/build/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/cll-bench-XXXXXX")
running=()
stop() { [ ${#running[@]} = 0 ] || kill "${running[@]}" 2>/dev/null || true; wait "${running[@]}" 2>/dev/null || true; running=(); }
trap 'stop; rm -rf "$work"' EXIT
cd "$work"
start() {
    for ((i = 0; i < loops * $(nproc); i++)); do
        while :; do :; done &
        running+=($!)
    done
}
# measure FOLDER SOURCE FIRST LAST [OPTION...]: call run in FOLDER; prints the seconds it took
measure() {
    local folder=$1 source=$2 first=$3 last=$4 begin=$SECONDS
    shift 4
    mkdir -p "$folder"
    "$bin/call" run -q --outdir "$folder" "$@" "$source" -- "$first" "$last" >"$folder/out" 2>&1 ||
        [ "$first" = "$last" ] || { cat "$folder/out" >&2; exit 1; } # one size alone cannot be fitted
    echo $((SECONDS - begin))
}
# number COMMANDS FILE...: the value that the last command of llac prints
number() {
    local commands=$1
    shift
    "$bin/llac" --json -e "$commands" "$@" | tail -1 | sed 's/.*"value":\([^,]*\),.*/\1/'
}
# error WHAT COMMANDS FILE...: of the prediction, in percent; also into errors.WHAT
error() {
    local what=$1 commands=$2 value
    shift 2
    value=$(number "$commands; predict f${on:-} N=$target" "$@")
    awk -v a="$value" -v b="$reference" 'BEGIN {e = 100 * (a / b - 1); printf "%.2f\n", e < 0 ? -e : e}' >>"errors.$what"
    tail -1 "errors.$what"
}
printf '%-10s %8s %8s %8s %8s   %s\n' program quiet kept CLOCK CPUTIME seconds
program() {
    local name=$1 source=$2 first=$3 last=$4 quiet kept clock cpu seconds
    target=$((4 * last))
    measure "$name.reference" "$source" $target $target -n 8 >/dev/null
    reference=$(number 'show f' "$name".reference/*.dat)
    seconds=$(measure "$name.quiet" "$source" "$first" "$last")
    quiet=$(error quiet 'fit f' "$name".quiet/*.dat)
    start
    seconds="$seconds $(measure "$name.busy" "$source" "$first" "$last")"
    seconds="$seconds $(measure "$name.cputime" "$source" "$first" "$last" --observe CPUTIME)"
    stop
    kept=$(error kept 'disturbed keep; rounds all; fit f' "$name".busy/*.dat)
    clock=$(error CLOCK 'fit f' "$name".busy/*.dat)
    cpu=$(on=' on CPUTIME' error CPUTIME 'fit f on CPUTIME' "$name".cputime/*.dat)
    printf '%-10s %8s %8s %8s %8s   %s\n' "$name" "$quiet" "$kept" "$clock" "$cpu" "$seconds"
}
program sort "$here/examples/sort.c" 2048 32768
program product "$here/bench/busy_product.c" 40 200
program hash "$here/bench/busy_hash.c" 1024 5120
for what in quiet kept CLOCK CPUTIME; do
    awk -v w=$what '{s += $1} END {printf "busy-%s mean error percent %.2f\n", w, s / NR}' "errors.$what"
done
