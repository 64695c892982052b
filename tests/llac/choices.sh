# SPDX-License-Identifier: GPL-3.0-or-later
# Formulas with max() and min() of constants: fit, predictions, exports, other machines, counts. The samples of f are
# 1e-6 + max(2e-9 N, 5e-13 N^2) without noise, those of g 1e-6 + min(4e-8 N, 2e-5): both change at a known place.
. "$CLL_SOURCE/tests/llac/setup.sh"
awk 'BEGIN { print "N,f,g"
    for (N = 100; N <= 60000; N *= 2) {
        a = 2e-9 * N; b = 5e-13 * N * N; c = 4e-8 * N
        printf "%d,%.12g,%.12g\n", N, 1e-6 + (a > b ? a : b), 1e-6 + (c < 2e-5 ? c : 2e-5) } }' >data.csv
load() { echo "load data.csv experiment=$1 time=$1 unit=s variables=N"; }
f=$(load f) g=$(load g)
# near NAME VALUE: the constant in the file out has this value
near() {
    awk -v name="$1" -v want="$2" '$1 == name { d = $2 / want - 1; exit !(d < 1e-6 && d > -1e-6) }' out || fail "$1 is not $2"
}

# the constants of both operands are found, whatever the order, with and without nonneg, and beside a known operand
for formula in 'f[0] + max(f[1]*N, f[2]*N^2)' 'f[0] + max(f[2]*N^2, f[1]*N)' 'f[0] + max(f[1]*N, f[2]*N^2) nonneg' \
    'max(f[0] + f[1]*N, f[0] + f[2]*N^2)' 'f[0] + max(f[1]*N, 1e-9, f[2]*N^2)' 'f[0] - min(-f[1]*N, -1*f[2]*N^2)'; do
    good "$f; fit f = $formula"
    what="fit f = $formula"
    near 'f[0]' 1e-6
    near 'f[1]' 2e-9
    near 'f[2]' 5e-13
done
good "$f; fit f = f[0] + max(f[1]*N, 5e-13*N^2)"
near 'f[1]' 2e-9
good "$g; fit g = g[0] + min(g[1]*N, g[2])"
near 'g[1]' 4e-8
near 'g[2]' 2e-5

# predictions on both sides, with a definition by name and by value
value_at() { "$llac" --json -e "$1" -e "$2" 2>err | tail -1 | python3 -c 'import json, sys; print(repr(json.loads(sys.stdin.read())["value"]))'; }
predicts() { # FORMULA PLACE WANTED
    what="predict f $2 by $1"
    awk -v got="$(value_at "$f; let M = N^2; fit f = $1" "predict f $2")" -v want="$3" 'BEGIN { d = got / want - 1; exit !(d < 1e-6 && d > -1e-6) }' ||
        fail "the prediction is not $3"
}
predicts 'f[0] + max(f[1]*N, f[2]*N^2)' N=1000 3e-6
predicts 'f[0] + max(f[1]*N, f[2]*N^2)' N=1e6 0.500001
predicts 'f[0] + max(f[1]*N, 5e-13*N^2)' N=1e6 0.500001
predicts 'f[0] + max(f[1]*N, f[2]*M)' N=1e6 0.500001
predicts 'f[0] + max(f[1]*N, f[2]*M)' 'N=1000,M=1e12' 0.500001
good "$f; fit f = f[0] + max(f[1]*N, f[2]*N^2); explain f N=10000"
has out '^  f\[2\]  *5e-05  *98.0 %   N^2$'
has out '^  f\[1\]  *0  *0.0 %   N$'

# exports have the same value
for x in h py gp; do good "$f; fit f = f[0] + max(f[1]*N, f[2]*N^2); export m.$x"; done
printf '#include <stdio.h>\n#include <stdlib.h>\n#include "m.h"\nint main(int n, char **a) { double x = atof(a[n - 1]); printf("%%.9g\\n", predict_f(x)); return 0; }\n' >use.c
what='the C header'
${CC:-cc} -std=c99 use.c -o use -lm 2>err || fail 'm.h does not compile'
for N in 1000 1000000; do
    want=$(value_at "$f; fit f = f[0] + max(f[1]*N, f[2]*N^2)" "predict f N=$N")
    is "$(./use $N)" "$(printf '%.9g' "$want")" "m.h at N=$N"
    if command -v python3 >/dev/null; then
        is "$(PYTHONDONTWRITEBYTECODE=1 python3 -c "import m; print('%.9g' % m.predict_f($N))" 2>err)" "$(printf '%.9g' "$want")" "m.py at N=$N"
    fi
    if command -v gnuplot >/dev/null; then
        is "$(printf 'load "m.gp"\nset print "-"\nprint sprintf("%%.9g", predict_f(%s.0))\n' $N | gnuplot 2>err)" "$(printf '%.9g' "$want")" "m.gp at N=$N"
    fi
done

# an operand with constants must count at two more points than it has constants
few='cannot be determined: '
bad "$f; where N < 1000; fit f = f[0] + max(f[1]*N, f[2]*N^2)" "f[2] $few"
bad "$f; where N > 5000; fit f = f[0] + max(f[1]*N, f[2]*N^2)" "f[1] $few"
bad "$f; where N < 9000; fit f = f[0] + max(f[1]*N, f[2]*N^2)" "f[2] $few"
bad "$g; where N < 500; fit g = g[0] + min(g[1]*N, g[2])" "g[2] $few"
good "$f; where N < 1000; fit f = f[0] + max(f[1]*N, 5e-13*N^2); predict f N=2000"
# noise at the last point is no operand
awk 'BEGIN { print "N,f"; for (i = 0; i < 10; i++) { N = 100 * 2^i; printf "%d,%.9g\n", N, (1e-6 + 2e-9 * N) * (i == 9 ? 1.02 : i % 2 ? 0.995 : 1.005) } }' >noise.csv
bad "load noise.csv experiment=f time=f unit=s variables=N; fit f = f[0] + max(f[1]*N, f[2]*N^2)" "f[2] $few"
# nor is noise of points with the same P, nor of three operands in any order
awk 'BEGIN { print "N,P,f"; for (a = 1000; a <= 16000; a *= 2) for (p = 1; p <= 16; p *= 2) printf "%d,%d,%.9g\n", a, p, (1e-6 + 2e-9 * a / p) * (1 + 0.01 * sin(++i)) }' >procs.csv
bad "load procs.csv experiment=f time=f unit=s variables=N,P; fit f = f[0] + max(f[1]*N/P, f[2]*N)" "f[2] $few"
awk 'BEGIN { print "N,f"; for (a = 10; i < 18; a *= 1.7) { x = int(a); b = 3e-9 * x; c = 1e-12 * x * x; printf "%d,%.9g\n", x, (1e-6 + (b > c ? b : c)) * (1 + 0.01 * sin(4 * ++i)) } }' >three.csv
three='load three.csv experiment=f time=f unit=s variables=N'
bad "$three; fit f = f[0] + max(f[1]*N, f[3]*N^3, f[2]*N^2)" "f[3] $few"
bad "$three; fit f = f[0] + max(f[1]*N, f[2]*N^2, f[3]*N^3)" "f[3] $few"
good "$three; fit f = f[0] + max(f[1]*N, f[2]*N^2)"
# the change is near the first points, or both operands of a min() are needed
awk 'BEGIN { print "N,f,g"; for (i = 0; i < 12; i++) { N = int(40 * 1.7^i); a = 2e-9 * N; b = 1e-11 * N * N; printf "%d,%.12g,%.12g\n", N, 1e-6 + (a > b ? a : b), 1e-6 + (a < b ? a : b) } }' >early.csv
good "load early.csv experiment=f time=f unit=s variables=N; fit f = f[0] + max(f[1]*N, f[2]*N^2)"
near 'f[1]' 2e-9
near 'f[2]' 1e-11
good "load early.csv experiment=f time=g unit=s variables=N; fit f = f[0] + min(f[1]*N, f[2]*N^2)"
near 'f[1]' 2e-9
near 'f[2]' 1e-11

# another machine: which operand counts is decided with the constants there. There, all takes five times as long, so that
# 2e-9 N becomes 1e-8 N and stays the larger one up to 20000, where the known 5e-13 N^2 takes over
machine=$CLL_SOURCE/examples/machines/neoverse-2.json
sed 's/"name": "neoverse-2"/"name": "slow"/' "$machine" | python3 -c 'import json, sys
m = json.load(sys.stdin)
for figure in m["figures"]:
    if figure["family"] == "operations":
        for key in "value", "low", "high":
            figure[key] *= 5
        figure["values"] = [v * 5 for v in figure["values"]]
json.dump(m, sys.stdout)' >slow.json
on_slow() { value_at "machine use \"$machine\"; $f; fit f = f[0] + max(f[1]*N, 5e-13*N^2)" "predict f N=$1 on slow.json"; }
for pair in 1000:1.5e-05 10000:1.05e-04 100000:5.005e-03; do
    is "$(printf '%.4g' "$(on_slow "${pair%:*}")")" "$(printf '%.4g' "${pair#*:}")" "on slow.json at N=${pair%:*}"
done
exits 0 "$llac" --json -e "machine use \"$machine\"; $f; fit f = f[0] + max(f[1]*N, 5e-13*N^2); predict f N=18000:22000:+500 on slow.json"
python3 -c 'import json
for p in json.loads(open("out").read().splitlines()[-1]):
    assert p["low"] < p["value"] < p["high"], p' || fail 'an interval does not contain its prediction'

# terms are shown as they are written
good "$f; fit f = f[0] + max(f[1]*N, f[2]*N^2); rank N=1e6"
lacks out '[<>]='

# what cannot be
bad "$f; fit f = max(f[0], f[1]*N, f[2]*N^2, f[3]*N^3, f[4]*N^4)" 'f has 5 constants inside of max(): at most 4 can be found'
bad "$f; fit f = f[0] + max(f[1]*N, N^f[2])" 'f[2] is an exponent, and max() or min() has operands with constants'
bad "$f; fit f = f[0] + max(f[1]*N, f[2]*N^2) intervals always" 'f has a max() of constants: its constants cannot have intervals'
bad "$f; fit f = f[0]*max(f[1]*N, 1)" 'f[1] makes the formula non-linear: it is multiplied by f[0]'
finish
