#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/translate [CALL]: how long the translator takes for 50,000 lines with 1,282 regions, beside what a compiler needs
# to preprocess and to parse the same file. Each figure is the least of several runs; ratios are to the peer named. Then
# time and memory for sources that grow.
set -eu
call=$(realpath "${1:-${CLL_BIN:-$(dirname "$0")/../build/bin}/call}")
cc=${CC:-cc}
root=$(cd "$(dirname "$0")/.." && pwd)
include=$root/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN {
    print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>"
    for (f = 0; f < 1282; f++) {
        printf "static int function%d(int n, const double *x)\n{\n    int i, r = 0;\n", f
        printf "#pragma cll e%d e%d[0] + e%d[1]*n*log(n)\n", f, f, f
        for (k = 0; k < 8; k++)
            printf "    for (i = 0; i < n; i++) {\n        if (x[i] > %d.5) /* a comment */\n            r += i;\n    }\n", k
        printf "#pragma cll end e%d\n    return r;\n}\n", f
    }
    print "int main(void)\n{\n    return 0;\n}"
}' >big.c
least() { # COMMAND...: the least wall time of 7 runs, in seconds
    local best=999 t
    for _ in 1 2 3 4 5 6 7; do
        t=$( { TIMEFORMAT=%R; time "$@" >/dev/null 2>said; } 2>&1 ) || { cat said >&2; exit 1; }
        best=$(awk -v a="$best" -v b="$t" 'BEGIN { print (b < a) ? b : a }')
    done
    echo "$best"
}
echo "lines $(wc -l <big.c), regions $(grep -c 'cll end' big.c)"
translate=$(least "$call" --cc "$cc" big.c)
raw=$(least "$call" --raw big.c)
preprocess=$(least "$cc" -E big.c -o big.i)
parse=$(least "$cc" -fsyntax-only -w -I"$include" big.c)
printf 'translate %s s, of the text alone %s s; %s -E %s s, -fsyntax-only %s s\n' "$translate" "$raw" "$cc" "$preprocess" "$parse"
awk -v t="$translate" -v r="$raw" -v e="$preprocess" -v p="$parse" 'BEGIN {
    printf "translate/compiler-parse ratio %.2f\ntranslate/compiler-preprocess ratio %.2f\ntranslate-raw/compiler-parse ratio %.2f\n", t/p, t/e, r/p
}'
peak() { # COMMAND...: processor time and the most memory
    command -v python3 >/dev/null || { echo "- -"; return; }
    python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.2f s %.0f MB" % (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
sys.exit(status)' "$@"
}
for shape in regions functions jumps sites line statements; do
    for n in 5000 10000 20000; do
        awk -v shape=$shape -v n=$n -f "$root/tests/translate/large_source.awk" >$shape.c
        echo "$n $shape: $(peak "$call" --cc "$cc" $shape.c)"
    done
done
