# SPDX-License-Identifier: GPL-3.0-or-later
# The command rank: the order, the numbers of executions, variables that follow the place, what cannot be predicted.
. "$CLL_SOURCE/tests/llac/setup.sh"
app=$data/app.dat

# about VALUE TRUTH [PART]: within 3 %, or another part
about() { awk -v v="$1" -v t="$2" -v p="${3:-0.03}" 'BEGIN { d = v - t; if (d < 0) d = -d; exit !(d <= p * t) }' || fail "$1 is not about $2"; }
# the seconds of a region, its executions
seconds() { awk -v r="$1" '$1 == r && NF > 4 {print $2; exit}' out; }
executions() { awk -v r="$1" '$1 == r && NF > 4 {for (i = 1; i <= NF; i++) if ($i ~ /\]$/) {print $(i + 2); exit}}' out; }

# The truth is in make-app.awk: 2*log2(N) - 8 = 51.79 executions at N = 1e9, n = N/P.
good 'rank N=1e9 P=65536' "$app"
has_text out '  at N=1000000000 P=65536; growth from the end of the data, N=4194304 P=8'
has_text out 'times of all executions in one run of the program'
about "$(seconds output)" 0.2
about "$(seconds reduce)" 0.003366
about "$(seconds spmv)" 0.002422
about "$(seconds setup)" 7.83e-5
about "$(seconds solve)" 1.626e-5
about "$(executions reduce)" 51.79 0.005
has_text out 'spmv: n follows a formula that a search found, n[0]*N/P'
has_text out 'solve SELF: no formula is given; a search found solve[0] + solve[1]*N/P'
has_text out 'solve with the regions inside: 0.0057'
has out 'output takes most time from N=.* on; before: spmv'
has out 'output overtakes spmv at N=6.*e+07 P=6.. (between'
is "$(sed -n 's/^  \([a-z]*\) .* %   \[.*/\1/p' out | tr '\n' ' ')" 'output reduce spmv setup solve ' 'the order'

has_text out '  reduce: executions grow from 36 to 51.79'
{ # more work in fewer executions
    printf '# cll-data 1\n# resolution: 1e-09\n# overhead: 0 0\n# empty: 0\n# abandoned: 0\n# thinned: no\n# process: synthetic.f 0 -\n'
    printf '# experiment: f\n# formula: f CLOCK f[0]*n\n# variables: f n\n'
    printf 'experiment run seq start nested P rank thread count n CLOCK\n'
    awk 'BEGIN {
        for (n = 100; n <= 1600; n *= 2)
            for (round = 0; round < 2; round++) {
                for (i = 0; i < 3200/n; i++) print "f", run + 0, i, i, 0, 1, 0, 0, 1, n, 1e-6*n
                run++
            }
    }'
} >fewer.dat
good 'rank n=3200' fewer.dat
has out '  f: executions fall from 2 to 1'

# What the user gives takes the place of what is found.
good 'rank N=1e9 P=65536 n=2*N/P' "$app"
about "$(seconds spmv)" 0.00479
lacks_text out 'n follows a formula'
good 'fit output = output[0]*N; fit solve = solve[0]*N/P on SELF; rank N=1e9 P=65536' "$app"
lacks_text out 'a search found output'
lacks_text out 'solve SELF: no formula'

# Inside the data there is no way.
good 'rank N=1048576 P=4' "$app"
lacks_text out 'growth'
lacks_text out 'overtakes'
has out '^  spmv .* 9[0-9]\.[0-9] %'

# It changes no fit.
good 'fit output = output[0]*N; fit solve = solve[0]*N/P on SELF; rank N=1e9 P=65536; predict solve N=4096 P=1' "$app"
has out '^  4.*e-06 s'

# A sweep inside the program: how often a region was executed says nothing about the program.
sed 's/^\([a-z]*\) [0-9]* /\1 0 /' "$data/demo.dat" >sweep.dat
good 'rank N=1e9 P=65536' sweep.dat
has_text out 'times of one execution of each outermost region, because the data do not have'
is "$(executions sort)" 1 'executions of sort'
# With regions inside: those of the outermost execution count. outer contains inner N/100 times.
nest() { # nest HEADER [EXTRA]: outer executed with N = 100 to 1600 in one run, and EXTRA ns longer with 1600
    printf '# cll-data 1\n# resolution: 1e-09\n# overhead: 0 0\n# empty: 0\n%b' "$1"
    printf '# experiment: outer\n# variables: outer N\n# experiment: inner\n# formula: inner CLOCK inner[0]\n# variables: inner\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    awk -v extra="${2:-0}" 'BEGIN {
        for (round = 0; round < 3; round++)
            for (N = 100; N <= 1600; N *= 2) {
                begin = now
                for (i = 0; i < N / 100; i++) {
                    now += 10
                    time = 1000 + int(9 * rand())
                    printf "inner 0 %d %.9f 0 1 0 0 1 nan %.9f\n", k++, now * 1e-9, time * 1e-9
                    now += time
                }
                now += 5 * N + (N == 1600) * extra
                printf "outer 0 %d %.9f %d 1 0 0 1 %d %.9f\n", j++, begin * 1e-9, N / 100, N, (now - begin) * 1e-9
                now += 100
            }
    }'
}
nest '# process: x 0 -\n' >nest.dat
good 'rank N=100000' nest.dat
has_text out 'program was at several places; without the regions inside (SELF)'
is "$(executions inner)" 1000 'executions of inner'
about "$(seconds inner)" 0.001
about "$(seconds outer)" 0.00051
nest '# process: x 0 -\n# thinned: per-tuple\n' >thinned.dat
good 'rank N=100000' thinned.dat
has_text out 'samples were thinned'
is "$(executions inner)" 1 'executions of inner'

# SELF takes the formula of CLOCK if it fits: the terms of the region's own work are among those of the whole.
sed 's/^# variables: outer N$/# formula: outer CLOCK outer[0] + outer[1]*N\n&/' nest.dat >formula.dat
good 'rank N=100000' formula.dat
has_text out 'outer SELF: by the formula of CLOCK, outer[0] + outer[1]*N'
about "$(seconds outer)" 0.00051
exits 0 "$llac" --json -e 'rank N=100000' formula.dat
has_text out '"formula_from":"clock"'
# A formula that a search found may not predict more than the whole takes. The last size of outer takes longer.
nest '# process: x 0 -\n' 8000 | sed 's/^# variables: outer N$/# formula: outer CLOCK outer[0] + outer[1]*N\n&/' >jump.dat
good 'rank N=100000' jump.dat
has_text out 'outer SELF: by the formula of CLOCK, outer[0] + outer[1]*N; a search found'
has_text out 'which predicts more than the whole'
awk -v self="$(seconds outer)" -v whole="$(sed -n 's/.*regions inside: \([^ ]*\) s.*/\1/p' out)" 'BEGIN { exit !(self < whole) }' ||
    fail "SELF of outer, $(seconds outer), is more than the whole"

# What cannot be predicted is listed, with the reason.
good 'rank N=1e9' "$app"
has_text out 'not predicted: setup: P is not given: add P=VALUE'
has_text out 'takes most time all the way of the regions that are predicted'
has_text out 'not predicted: spmv: its variable n is not given: add n=VALUE, or a formula'
sed '/^inner/s/nan/7/; s/^# variables: inner$/# variables: inner N/' nest.dat >other.dat
good 'rank N=100000' other.dat
has_text out 'not predicted: inner, which is inside outer: it is executed with other values'
good 'where N < 200; rank N=1e9 P=65536' nest.dat
has_text out 'not predicted: outer: '
bad 'where N < 200; rank N=1e9' 'no region can be predicted there: ' "$data/cache.dat"

# JSON
exits 0 "$llac" --json -e 'rank N=1e9 P=65536' "$app"
has_text out '"unit":"run"'
has_text out '"end_of_data":{"N":4194304,"P":8}'
has_text out '"formula_from":"source"'
has_text out '"formula_from":"search"'
has_text out '"variables":{"n":"n[0]*N/P"}'
has out '"changes":\[{"region":"reduce","overtakes":"solve","part":'
has_text out '"certain":true'
has_text out '"not_predicted":[]'
exits 0 "$llac" --json -e 'rank N=1e9' "$app"
has_text out '"not_predicted":[{"experiment":"setup","inside":null,"reason":"P is not given: add P=VALUE"}'

# errors
bad 'rank' 'the place is missing: rank N=1e8 P=65536'
bad 'rank M=3' "no experiment has a variable 'M': there are N, P"
bad 'rank N=3 N=4' "'N' is given twice"
bad 'rank N=' "a value of 'N' is missing"
bad 'rank N=n/2' "'n' has no value yet: a formula may use the values before it"
bad 'rank N=1/0' "the value of 'N' is not a finite number"
bad 'rank N=1:8' 'error'
exits 1 "$llac" -e 'rank N=3'
has_text err 'no data is loaded'
finish
