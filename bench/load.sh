#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# load.sh [ROWS]: llac loads and fits a file of ROWS rows (default 10 million, about 400 MB) beside mawk summing one of its
# columns, interleaved, best of three each; its memory; and the time from start to exit on a small file beside mawk on it.
# CLL_BUILD is the build folder (default build). Prints lines WHAT ratio R: llac over mawk, or over the limit.
set -euo pipefail
rows=${1:-10000000}
build=${CLL_BUILD:-$(dirname "$0")/../build}
llac=$build/bin/llac
small=$(dirname "$0")/../tests/llac/data/demo.dat
awk=$(command -v mawk || command -v awk)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cll-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$build/bench/load.data" "$rows" >"$scratch/big.dat"
echo "file: $(wc -c <"$scratch/big.dat") bytes, $rows rows; compared with $(basename "$awk")"

# seconds COMMAND...: wall time on stdout
seconds() {
    local begin end
    begin=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    echo $(((end - begin) / 1000))
}
least() { [ "$2" -eq 0 ] || [ "$1" -lt "$2" ] && echo "$1" || echo "$2"; }
fit=0 sum=0 start=0
for round in 1 2 3; do
    sum=$(least "$(seconds "$awk" '{s += $11} END {print s}' "$scratch/big.dat")" $sum)
    fit=$(least "$(seconds "$llac" -e 'fit f' "$scratch/big.dat")" $fit)
done
for round in 1 2 3 4 5 6 7 8 9 10; do
    start=$(least "$(seconds "$llac" -e 'fit sort' "$small")" $start)
done
ratio() { "$awk" -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", a / b }'; }
echo "load-and-fit: llac $((fit / 1000)) ms, $(basename "$awk") $((sum / 1000)) ms"
echo "load-and-fit ratio $(ratio "$fit" "$sum")"
echo "startup: llac -e 'fit f' on a small file, start to exit: $((start / 1000)).$((start % 1000 / 100)) ms; the ratio is to the limit of 30 ms"
echo "startup ratio $(ratio "$start" 30000)"
if [ -x /usr/bin/time ]; then
    memory=$(/usr/bin/time -f %M "$llac" -e 'fit f' "$scratch/big.dat" 2>&1 >/dev/null | tail -1)
    echo "memory: $((memory / 1024)) MB; the ratio is to the limit of 1536 MB"
    echo "memory ratio $(ratio "$memory" $((1536 * 1024)))"
fi
