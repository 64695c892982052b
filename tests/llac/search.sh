# SPDX-License-Identifier: GPL-3.0-or-later
# The commands search, compare and advise: every part of them, their JSON, and what is said when
# they are written wrong.
. "$CLL_SOURCE/tests/llac/setup.sh"

# grid.dat: 1 + 0.2*x^2*log2(y) on a 5 x 5 grid with 2 % noise; and a step of a cache
awk 'BEGIN {
    print "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n# variables: f x y"
    print "# experiment: step\n# variables: step x"
    print "experiment run seq start nested P rank thread count x y CLOCK"
    srand(7)
    for (x = 4; x <= 64; x *= 2)
        for (y = 2; y <= 32; y *= 2) {
            noise = sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand())
            printf "f 0 0 0 0 1 0 0 1 %d %d %.9g\n", x, y, (1 + 0.2 * x^2 * log(y) / log(2)) * (1 + 0.02 * noise)
        }
    for (i = 0; i < 24; i++) {
        x = int(256 * 2^(i / 2))
        noise = sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand())
        printf "step 0 0 0 0 1 0 0 1 %d nan %.9g\n", x, (2e-6 + (x < 12000 ? 1e-9 : 3e-9) * x) * (1 + 0.01 * noise)
    }
}' >grid.dat

# search
good 'search f; predict f x=6000 y=500' grid.dat
has_text out 'f = f[0] + f[1]*x^2*log(y)'
has_text out 'x is 93.8 times beyond the data'
has_text out '  at x=512 y=32: '
has_text out '  at x=64 y=256: '
value=$(sed -n 's/^  \([0-9.e+]*\) s   typical.*/\1/p' out | tail -1)
awk -v v="$value" 'BEGIN { t = 1 + 0.2 * 6000^2 * log(500) / log(2); exit !(v > 0.97 * t && v < 1.03 * t) }' ||
    fail "the prediction $value is wrong"
good 'search step; predict step x=4000000' grid.dat
has_text out 'step = step[0] + step[1]*x'
has_text out 'boundary: x between 11585 and 16384'
good 'search step intervals none; predict step x=4000000' grid.dat
lacks_text out 'boundary'
good 'search step; where x < 8000; fit step' grid.dat
has_text out 'step = step[0] + step[1]*x'
has_text out '10 points'
good 'search sort; predict sort N=4194304'
has_text out 'sort = sort[0]*N*log(N)'
has_text out 'N is 2 times beyond the data'
good 'where N <= 65536; search sort'
has_text out 'found among '
good 'search fft'
has_text out 'the data cannot tell these formulas apart:'
good 'search init'
has_text out 'init = init[0] + init[1]*N'
has_text out 'none of the other formulas tried explains the data as well'
good 'search init on page-faults terms 1; predict init on page-faults N=51200'
has_text out 'init page-faults = init[0] + init[1]*N'
has_text out '104.4'
good 'search fft in N, P nonneg terms 2'
lacks_text out 'is negative'
good 'let n = N/P; search fft in n, P; predict fft N=65536 P=8'
has_text out 'n*log(n)'
good 'search sort in N terms 2 max 2 threshold 5% where N > 2000'
has_text out '11 points'
good 'search fft with (N/P)*log(N/P), sqrt(N)*P signed'
has_text out '(N/P)*log(N/P)'
bad 'search fft with' 'a term is missing'
bad 'search fft with N+' 'error'
# A sum and a comparison become factors, in parentheses.
{
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-12\n# experiment: f\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    awk 'BEGIN { state = 5; for (n = 3; n < 4000; n = int(n * 1.5)) for (run = 0; run < 4; run++) {
        state = state * 16807 % 2147483647
        printf "f %d %d 0 0 1 0 0 1 %d %.12g\n", run, seq++, n, (2e-6 + ((n > 40 && n < 300) ? 5e-5 : 0)) * (1 + 0.01 * (state / 2147483647 - 0.5)) } }'
} >band.dat
good 'search f with 40 < N < 300, N + 7 terms 1 intervals none' band.dat
has out '^f = f\[0\] + f\[1\]\*(40 < N < 300)  '
good 'search f with (40 < N < 300) - (N == 2) terms 1 intervals none' band.dat
has out '^f = f\[0\] + f\[1\]\*((40 < N < 300) - (N == 2))$'
bad 'search fft with Q^2' "has no column 'Q'"
good 'search sort; predict sort N=4194304'
exits 0 "$llac" --json -e 'search fft' "$data/demo.dat"
has_text out '"share":'
has_text out '"formulas_tried":'
has_text out '"last_share":'
bad 'search' 'the name of an experiment is expected here'
bad 'search nothing' "there is no experiment 'nothing'"
bad 'search sort terms 0' "'terms' is a whole number from 1 to 5"
bad 'search sort terms x' "'terms' needs a number"
bad 'search sort terms 2.5' "'terms' is a whole number from 1 to 5"
bad 'search sort in' 'the name of a variable is missing: in N, P'
bad 'search sort in N,,P' '-e:1:18: error: the name of a variable is missing'
bad 'search sort in M' "sort has no variable 'M': it has N, P"
bad 'search sort in P' 'P never varies in the data of sort'
bad 'search sort on CYCLES' 'CYCLES was not measured'
bad 'search sort intervals on N' 'a search finds intervals itself'
bad 'search sort intervals N at 5' 'a search finds intervals itself'
bad 'search sort where N < 5000' 'a search needs at least 5'
bad 'search sort please' 'not understood'

# compare
good 'compare sort "sort[0] + sort[1]*N*log(N)" "sort[0] + sort[1]*N^1.2" "sort[0]*N" intervals none'
has_text out 'sort: 12 points; the 3 with the largest sizes are left out'
has_text out 'C  sort[0]*N'
has_text out 'A explains the data better than the others'
good 'compare sort "sort[0]*N*log(N)" intervals none'
has_text out 'A  sort[0] + sort[1]*N*log(N)'
has_text out 'the data cannot decide between A and B; at N=8388608 they predict'
good 'compare init "init[0] + init[1]*N" "init[0]" on page-faults nonneg where N > 500'
has_text out 'init page-faults: '
bad 'compare sort' 'formulas in quotes are expected here'
bad 'compare sort sort[0]*N' 'formulas in quotes are expected here'
bad 'compare sort "sort[0]*N' 'the closing " is missing'
bad 'compare sort "sort[0]*" "sort[0]"' '-e:1:'
bad 'compare sort "sort[0]*M" "sort[0]"' "sort has no variable 'M'"
bad 'compare sort "sort[0]" "sort[0]*N" please' 'not understood'
bad 'compare init "init[0]*N"' 'init has no formula for CLOCK'
many=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27; do many="$many \"sort[0]*N\""; done
bad "compare sort $many" 'more than 26 formulas'

# advise
good 'advise sort for N=1e8 budget 10s'
has_text out '  measure N='
has_text out 'of 10 s'
has_text out "the model's own uncertainty: "
good 'fit fft; advise fft for N=1e8 P=8 budget 1min beyond 2'
has_text out ' P=8 '
good 'advise sort for N=1e8 budget 1us'
has_text out 'no point within this budget improves this prediction'
has_text out 'only points beyond the data show whether the model holds there'
has_text out '  measure N=4194304 '
for unit in 10 10s 10000ms 10000000us; do
    good "advise sort for N=1e8 budget $unit"
    has_text out 'of 10 s'
done
good 'advise sort for N=1e8 budget 0.5h beyond 1000'
has_text out 'of 1.8e+03 s'
bad 'advise sort' 'the prediction is missing: advise sort for VAR=VALUE...'
bad 'advise sort for' 'needs a value of N'
bad 'advise sort for N' 'VARIABLE=VALUE is expected here'
bad 'advise sort for N=' "a value of 'N' is missing"
bad 'advise sort for N=1:8:2' "one value of 'N' is expected here, not a range"
bad 'advise sort for N=1 N=2' "'N' is given twice"
bad 'advise sort for N=1 M=2' "sort has no variable 'M'"
bad 'advise sort for N=5 budget x' "'budget' needs a time such as 60s"
bad 'advise sort for N=5 budget -1s' "'budget' needs a time such as 60s"
bad 'advise sort for N=5 budget 5days' "'budget' needs a time such as 60s"
bad 'advise sort for N=5 beyond 0.5' "'beyond' is 1 or more"
bad 'advise init for N=5' 'init has no formula'

what='a setting that equals a variable everywhere is in no term; sizes that are runs of their own are no rounds'
k=0
for round in 0 1 2; do
    for m in 10 20 41 80 150 160 320 640; do
        {
            printf '# cll-data 1\n# overhead: 0 0\n# empty: 0\n# resolution: 1e-9\n# thinned: no\n# clock: tsc\n'
            printf '# setting: n %d\n# date: 2026-01-01T00:0%d:%02dZ\n' $m $round $k
            printf '# experiment: f\n# formula: f CLOCK f[0] + f[1]*m\n# variables: f m\n'
            printf 'experiment run seq start nested P rank thread count m CLOCK\n'
            awk -v r=$round -v m=$m -v k=$k 'BEGIN { print "f", r, 0, 0, 0, 1, 0, 0, 1, m, 1e-3*(m + 0.1*m*log(m))*(1 + k*7%5/1000) }'
        } >vary.$k.dat
        k=$((k + 1))
    done
done
exits 0 "$llac" vary.*.dat -e 'fit f'
has out '^  rounds: 3 over .* s; their 24 runs say as much as [0-9.]* that share nothing$'
has_text out 'f[1]*m + f[2]*m*log(m)'
# files state whole seconds: the time of rounds within one second is not known
for file in vary.*.dat; do
    sed "s/^# date: .*/# date: 2026-01-01T00:00:00Z/; s/^f \([0-9]*\) 0 0 /f \1 0 0.00${file//[!0-9]/} /" "$file" >"short.$file"
done
exits 0 "$llac" short.vary.*.dat -e 'fit f'
has out '^  rounds: 3 within about a second; their 24 runs say as much as [0-9.]* that share nothing$'
exits 0 "$llac" vary.*.dat -e 'search f'
lacks out '[^a-z]n[^a-z]'
has_text out '  at m='
exits 0 "$llac" vary.*.dat -e 'search f in n'
has_text out 'f = f[0]*n'
what='nor is one that a variable is nearly a multiple of'
sed -i 's/^# setting: n \([0-9]*\)0$/# setting: n \1/; s/^# setting: n 41$/# setting: n 4/; s/^# setting: n 64$/# setting: n 62/' vary.*.dat
exits 0 "$llac" vary.*.dat -e 'fit f; search f'
lacks out '[^a-z]n[^a-z]'
sed -i 's/^# setting: n 62$/# setting: n 90/' vary.*.dat
exits 0 "$llac" vary.*.dat -e 'search f'
has out ' n='

what='no formula has terms that cost nothing: it is the same as one without them'
printf 'N,time\n5,0\n6,0\n32687,7.93e-05\n65803,2.167e-4\n134241,5.02e-4\n272494,1.1015e-3\n' >idle.csv
exits 0 "$llac" idle.csv -e 'search idle'
has_text out 'idle[0]*N^1.2'
lacks_text out 'idle[0] + '

# JSON: one value per command, with these keys
has_keys() { # KEYS...
    for key; do grep -q "\"$key\":" out || fail "JSON lacks $key"; done
    [ "$(wc -l <out)" -eq 1 ] || fail 'not one line'
}
what='search --json'
exits 0 "$llac" --json -e 'search sort' "$data/demo.dat"
has_keys experiment observable formula candidates beyond variables library points_used fit schema difference cv_pct
what='compare --json'
exits 0 "$llac" --json -e 'compare sort "sort[0]*N" "sort[0]*N*log(N)" intervals none' "$data/demo.dat"
has_keys formulas verdict best rival text points left_out place aicc weight loo_mean_pct beyond_mean_pct constants schema
has_text out '"verdict":"decided","best":1,"rival":null'
what='advise --json'
exits 0 "$llac" --json -e 'advise sort for N=1e8 budget 10s' "$data/demo.dat"
has_keys before points sweeps way way_cost repetitions budget cost low high model_before model_after noise schema
has_text out '"budget":10,'
finish
