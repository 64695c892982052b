#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# obsp.sh [PROCESSES [SUPERSTEPS]]: llac obsp on a trace of so many (default 1024 and 10000, about 750 MB) beside mawk
# summing one of its columns, interleaved, best of three each; and its memory. With g and L given it reads the trace twice,
# without them three times, and up to four times more if start-up or costs of each process may explain an error. CLL_BUILD is the build folder (default build). Prints lines WHAT ratio R: llac over mawk, or over the
# limit.
set -euo pipefail
processes=${1:-1024} supersteps=${2:-10000}
build=${CLL_BUILD:-$(dirname "$0")/../build}
llac=$build/bin/llac
awk=$(command -v mawk || command -v awk)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cll-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
file=$scratch/big.trace
"$build/bench/obsp.trace" "$processes" "$supersteps" >"$file"
echo "trace: $processes processes, $supersteps supersteps, $(($(wc -c <"$file") / 1000000)) MB; compared with $(basename "$awk")"

# milliseconds COMMAND...: wall time on stdout
milliseconds() {
    local begin end
    begin=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    echo $(((end - begin) / 1000000))
}
least() { [ "$2" -eq 0 ] || [ "$1" -lt "$2" ] && echo "$1" || echo "$2"; }
sum=0 given=0 found=0
for round in 1 2 3; do
    sum=$(least "$(milliseconds "$awk" '{s += $7} END {print s}' "$file")" $sum)
    given=$(least "$(milliseconds "$llac" -e "obsp $file g=1e-9 L=1e-6")" $given)
    found=$(least "$(milliseconds "$llac" -e "obsp $file")" $found)
done
ratio() { "$awk" -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", a / b }'; }
echo "obsp with g and L: $given ms; without: $found ms; $(basename "$awk"): $sum ms"
echo "obsp-given ratio $(ratio "$given" "$sum")"
echo "obsp-found ratio $(ratio "$found" "$sum")"
if [ -x /usr/bin/time ]; then
    memory=$(/usr/bin/time -f %M "$llac" -e "obsp $file" 2>&1 >/dev/null | tail -1)
    echo "memory: $((memory / 1024)) MB; the ratio is to the limit of 256 MB"
    echo "memory ratio $(ratio "$memory" $((256 * 1024)))"
fi
