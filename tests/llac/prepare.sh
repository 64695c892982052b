# SPDX-License-Identifier: GPL-3.0-or-later
# How samples become points: statistic, ranks, rounds, disturbed, outliers, and what show says of it.
. "$CLL_SOURCE/tests/llac/setup.sh"

# Three ranks with 1, 2, 6 (times N ms), three executions of each point in a run; the first takes ten times as long.
{
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0]*N\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    awk 'BEGIN { for (run = 0; run < 2; run++) for (rank = 0; rank < 3; rank++) for (n = 1; n <= 8; n *= 2)
        for (k = 0; k < 3; k++)
            printf "f %d %d 0 0 3 %d 0 1 %d %g\n", run, n * 10 + k, rank, n, n * 1e-3 * (rank == 2 ? 6 : rank + 1) * (k ? 1 : 10) }'
} >ranks.dat

value() { # of f[0] in ms
    what=$1
    exits 0 "$llac" --json -e "$1; fit f" ranks.dat
    got=$(tail -1 out | sed 's/.*"value":\([^,]*\),.*/\1/')
    awk -v a="$got" -v b="$2" 'BEGIN { exit !(a > b * 0.000999 && a < b * 0.001001) }' || fail "f[0] is $got, not $2 ms"
}
value 'statistic min; ranks' 6
value 'statistic min; ranks max' 6
value 'statistic min; ranks mean' 3
value 'statistic min; ranks min' 1
value 'statistic min; ranks 0' 1
value 'statistic min; ranks 1' 2
value 'statistic mean; ranks 1' 2
value 'statistic mean; ranks 1; rounds all' 8
value 'statistic mean; ranks 1; rounds skip 1' 2
value 'statistic mean; ranks 1; rounds skip 1; rounds all' 8
value 'statistic mean; ranks 1; rounds all; rounds auto' 2
value 'statistic mean; ranks mean; rounds skip 2' 3

good 'ranks; rounds; disturbed; outliers' ranks.dat
has_text out 'of each execution the slowest rank counts; the value means the same for every P'
has_text out 'the first execution of each point in a run is left out where it differs'
has_text out 'preempted samples are left out'
has_text out 'outliers are left out of fits'
good 'rounds all; disturbed keep' ranks.dat
has_text out 'all executions of each point are used'
has_text out 'preempted samples are used'
good 'fit f; show f' ranks.dat
is "$(grep -c 'left out of 72 samples: 24 first executions (10 times slower)' out)" 2 'account of fit and show'
is "$(tr -s ' \n' ' ' <out | grep -o "'rounds all' keeps them" | wc -l)" 2 'how to keep them'
awk '/^f/ {print; if ($10 == 8) {$10 = 16; $11 *= 2; $3 += 80; print; $10 = 32; $11 *= 2; $3 += 80; print}; next} {print}' ranks.dat >six.dat
good 'search f' six.dat
is "$(grep -c 'left out of 108 samples: 36 first executions (10 times slower)' out)" 1 'account of search'
good 'compare f "f[0]*N" "f[0]+f[1]*N"' ranks.dat
is "$(grep -c 'left out of 72 samples: 24 first executions (10 times slower)' out)" 1 'account of compare'
exits 0 "$llac" --json -e 'search f; compare f "f[0]*N" "f[0]+f[1]*N"' six.dat
what='account of search and compare as JSON'
is "$(grep -c '"account":{"all":108,.*"first_executions":36,"opening_executions":0,.*"first_times":10.*"opening_times":null}' out)" 2 'both'
good 'rounds all; compare f "f[0]*N" "f[0]+f[1]*N"' ranks.dat
lacks_text out 'first execution'
# More processes than cores: fit warns, show and compare count the samples.
sed '1a # oversubscribed: yes' ranks.dat >over.dat
good 'show f; compare f "f[0]*N" "f[0]+f[1]*N"' over.dat
is "$(grep -c '72 of 72 samples come from runs with more processes or threads than cores' out)" 2 'show and compare'
good 'fit f' over.dat
has_text out 'all points come from runs with more processes or threads than cores'
lacks_text out 'samples come from'

# The same ranks; only the first execution of a run is slow, and the sizes from 4 on are executed once in a run.
awk -v OFS=' ' '/^f / {if ($10 >= 4 && $3 % 10 % 8 != 0) next; $11 = $10 * 1e-3 * ($3 == 10 ? 7 : 1)} {print}' ranks.dat >opening.dat
for run in 2 3 4 5; do awk -v run=$run '/^f 0/ {$2 = run; print}' opening.dat >more; cat more >>opening.dat; done
good 'fit f' opening.dat
has_text out '18 opening executions (7 times slower)'
lacks_text out 'every sample'
# Sizes that are executed once in a run, where the first executions of the others are slow.
awk '/^f / && $10 == 32 && $3 % 10 {next} {print}' six.dat >once.dat
good 'fit f; show f' once.dat
is "$(tr -s ' \n' ' ' <out | grep -o 'at 1 point every sample is a first execution: execute each size twice or more in a run' | wc -l)" 2 \
    'fit and show'
good 'ranks 2; rounds skip 2; outliers keep; show f' ranks.dat
has_text out 'of each execution rank 2 counts'
has_text out 'in each run the first 2 executions of each point are left out: 16 samples'
has_text out 'outliers are kept in fits'
has_text out "a point's value is the 10th percentile of its samples"
# Samples of rank 1 at N = 1: 20, 2, 2 and 20, 2, 2 ms: mean 8, differences 12, 6, 6, deviation sqrt(432/5) = 9.295.
good 'ranks 1; rounds all; show f spread; show f' ranks.dat
has out '^ *N *P *samples *p10 *mean *avg diff *std dev$'
has out '^ *1 *3 *6 *0.002 *0.008 *0.008 *0.009295$'
has out '^ *1 *3 *6 *0.002 *0.002 *0.002 *0.02$'
# A fit of the average difference: the mean of a computed observable.
good 'ranks 1; rounds all; statistic mean; let difference = abs(CLOCK - CLOCK(N=N)); fit f = f[0]*N on difference' ranks.dat
has out '^ *f\[0\] *8.00e-03 '
good 'ranks 1; rounds all; where run == 0 and seq == 10; show f spread' ranks.dat
has out '^ *1 *3 *1 *0.02 *0.02 *0 *-$'
bad 'show f spread min' 'not understood' ranks.dat
# The same as the value of a point, corrected for six samples: 9.295 / 0.9515 and 8 / sqrt(5/6). At N = 2, 4 and 8 it is
# twice, four and eight times as much.
good 'ranks 1; rounds all; statistic deviation; show f spread; fit f; predict f N=4; predict f N=3,4; table f; explain f N=4; compare f "f[0]*N" "f[0]*N^2"; plot f small' ranks.dat
has out '^ *N *P *samples *deviation *mean *avg diff *std dev$'
has out '^ *1 *3 *6 *0.009769 *0.008 *0.008 *0.009295$'
has_text out "a point's value is the standard deviation of its samples"
is "$(grep -c '4 points with few samples: the standard deviation of few is corrected to that of many' out)" 2 'show and fit'
has_text out 'standard deviation of each'
has out '^ *f\[0\] *9.77e-03 '
has out '^  0.03907 s, standard deviation   typical \[[^]]*\]   95 %$'
has out '^ *4 *0.03907   \[[^]]*\] *none$'
is "$(grep -c '^  statistic: standard deviation$' out)" 4 'predict of two places, table, explain and compare'
has_text out 'standard deviation of CLOCK of f (s)'
good 'ranks 1; rounds all; statistic difference; show f; fit f' ranks.dat
has out '^ *N *P *samples *difference *min *median *max$'
has out '^ *f\[0\] *8.76e-03 '
# `fit all` adds up times, not spreads: 6 samples of 8 ms times 1 + 2 + 4 + 8.
good 'ranks 1; rounds all; statistic deviation; fit all' ranks.dat
has out '^  f  *0.72 '
# Without the rule for ranks the deviation is that of the slowest rank, rank 2: it is not converted to other P.
good 'rounds all; statistic deviation; show f' ranks.dat
has out '^ *1 *3 *6 *0.02931 *0.006 '
lacks_text out 'percentile at P'
# Nothing is converted there, nor for the mean: `auto` is `max`.
has out '^  of each execution the slowest rank counts$'
good 'statistic mean; show f' ranks.dat
has out '^  of each execution the slowest rank counts$'
# Overhead moves all samples alike.
sed 's/^# overhead: .*/# overhead: 1e-4 0/' ranks.dat >moved.dat
good 'ranks 1; rounds all; statistic deviation; fit f' moved.dat
has out '^ *f\[0\] *9.77e-03 '
lacks_text out 'overhead'
# CLOCK(N=N) stays a time, the mean: 8 ms. The deviation of 12, 6, 6, 12, 6, 6 ms is 3.098.
good 'ranks 1; rounds all; statistic deviation; let difference = abs(CLOCK - CLOCK(N=N)); show f on difference spread' ranks.dat
has out '^ *1 *3 *6 *0.003256 *0.008 *0.002667 *0.003098$'
# One sample has no spread.
good 'ranks 1; rounds all; statistic deviation; where N > 1 or (run == 0 and seq == 10); show f; fit f' ranks.dat
is "$(grep -c 'left out: 1 point of one sample, which has no spread' out)" 2 'show and fit'
lacks out '^ *1 *3 '
good 'ranks 1; rounds all; statistic deviation; where run == 0 and seq / 10 == N; show f' ranks.dat
has_text out 'left out: 4 points of one sample, which has no spread'
bad 'ranks 1; rounds all; statistic deviation; where run == 0 and seq / 10 == N; fit f' 'every point of f has one sample, which has no standard deviation: measure each of them twice or more' ranks.dat
# Equal samples have none.
awk 'BEGIN { print "N,seconds"; for (n = 1; n <= 16; n *= 2) for (i = 0; i < 10; i++) print n "," n * 1e-3 }' >equal.csv
bad 'load equal.csv time=seconds experiment=f; statistic deviation; fit f = f[0]*N' 'the standard deviation of every point of f is 0: the samples of a point are equal'
# What needs values that executions have.
no_value='needs values that executions have, but the value of a point is the standard deviation of its samples: choose another'
for c in 'define w(N) = 2*f(N=N); predict w N=4' 'define w(N) = 2*f[0]*N; table w' 'rank N=8' 'advise f for N=100 budget 1 s' \
    'check ranks.dat moved.dat' 'report page.html rank N=8'; do
    bad "statistic deviation; rounds all; $c" "$no_value" ranks.dat
done
bad 'statistic deviation; rounds all; plot f over P by N speedup' "a speed-up is computed from times; standard deviation has none: choose CLOCK or CPUTIME, and 'statistic p10'" ranks.dat
good "rounds all; statistic deviation; fit f; export spread.json; export f.py; report page.html" ranks.dat
has spread.json '"statistic":"deviation"'
has f.py 'standard deviation of 24 samples at 4 points'
has page.html '"is_spread":true'
bad 'check spread.json moved.dat' 'spread.json: its models describe the standard deviation of samples; check compares values that executions have' ranks.dat
bad 'ranks 7; fit f' 'f has no sample of rank 7: its ranks are 0 to 2' ranks.dat
bad 'ranks 7; show f' 'f has no sample of rank 7' ranks.dat
bad 'rounds skip 3; fit f' "no point was executed more than 3 times in a run; 'rounds all'" ranks.dat
bad 'ranks some' "'ranks' is followed by auto, max, mean, min or the number of a rank"
bad 'ranks -1' "'ranks' is followed by auto, max, mean, min or the number of a rank"
bad 'ranks max min' "'min' cannot stand here"
bad 'rounds 3' "'rounds' is followed by auto, all, or skip K"
bad 'rounds skip' 'a number is missing'
bad 'rounds skip x' "'skip' needs a whole number, 0 or more"
bad 'rounds skip 1 2' 'not understood'
bad 'disturbed maybe' "'disturbed' is followed by leave or keep"
bad 'outliers maybe' "'outliers' is followed by leave or keep"
bad 'outliers keep all' 'not understood'

# Three sizes, six executions each. Those of N = 2 are preempted every other time, those of N = 4 always, those of
# N = 1 wait.
{
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0]*N\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK CPUTIME disturbed\n'
    awk 'BEGIN { for (n = 1; n <= 4; n *= 2) for (k = 0; k < 6; k++) {
        taken = n == 4 || (n == 2 && k % 2)
        printf "f 0 %d 0 0 1 0 0 1 %d %g %g %d\n", n * 10 + k, n, n * 1e-3 * (taken ? 3 : 1), n == 1 ? 1e-5 : n * 1e-3, n == 1 ? 2 : taken ? 5 : 0 } }'
} >busy.dat
good 'list; fit f; show f' busy.dat
has_text out 'CPUTIME, of long samples'
is "$(grep -c 'of 18 long samples 9 were preempted, 6 waited, 9 changed their core' out)" 2 'list and show'
is "$(grep -c 'left out of 18 samples: 3 preempted' out)" 2 'fit and show'
is "$(grep -c 'used by their CPU time: 6 preempted samples, at 1 point that has no others' out)" 2 'fit and show'
has_text out '9 of 18 long samples were preempted: the machine is busy; at 1 of 3'
has_text out "'fit f on CPUTIME' fits the time on the"
lacks_text out 'disturbed'
exits 0 "$llac" --json -e 'statistic mean; fit f; disturbed keep; fit f; list' busy.dat
what='preempted samples'
has_text out '"account":{"all":18,"watched":18,"preempted":9,"left_out":3,"by_cpu_time":6,"kept":0,"first_executions":0,"opening_executions":0,"first_with_page_faults":0,"points_of_first_only":0,"points_of_one_sample":0,"oversubscribed":0,"first_times":null,"opening_times":null}'
has_text out '"disturbed":{"watched":18,"preempted":9,"waited":6,"migrated":9,"faulted":0}'
is "$(grep -c '"value":0.001,' out)" 1 'fits of the true constant'
# The formula of CLOCK serves for CPUTIME.
good 'fit f on CPUTIME where N > 1' busy.dat
has_text out 'f CPUTIME = f[0]*N'
bad 'fit f on disturbed' 'disturbed was not measured for f: the data has CLOCK, CPUTIME' busy.dat
# Page faults: counted in list; they explain first executions that are slower.
sed 's/ nan$//; /^f /s/$/ 0.001 8/; 0,/ CLOCK$/s/ CLOCK$/ CLOCK CPUTIME disturbed/' ranks.dat | awk '/^f / && $3 % 10 {$13 = 0} {print}' >faults.dat
good 'disturbed keep; list; fit f' faults.dat
has_text out ' were preempted, 24 had page faults'
has_text out '24 first executions (10 times slower, 24 with page'
# What is saved is the same.
good 'save again.dat' busy.dat
good 'fit f' again.dat
has_text out 'left out of 18 samples: 3 preempted'

# A point that stands alone: left out and marked, or kept.
good 'show grid; table grid' "$data/grid.dat"
grep -q '^ *500 *4 .*  left out$' out || fail 'the point is not marked'
[ "$(grep -c 'left out$' out)" = 2 ] || fail 'it is not marked in both'
has_text out 'left out: 1 point takes no part in the fit and the error'
has_text out 'interval 3: N in (2500, 15000], P in [1, 8]'
good 'outliers keep; show grid; table grid' "$data/grid.dat"
lacks_text out '  left out'
exits 0 "$llac" --json -e 'fit grid; outliers keep; fit grid' "$data/grid.dat"
what='outliers keep changes the fit'
[ "$(sed -n 1p out)" != "$(sed -n 3p out)" ] || fail 'it does not'
has_text out '"outliers":"keep"'
grep -q left-out <(sed -n 3p out) && fail 'the point is left out all the same'
good 'table init' "$data/cache.dat"
grep -q '^ *37927 .* 1$' out || fail 'the row below the boundary is not in interval 1'
grep -q '^ *54556 .* 2$' out || fail 'the row above the boundary is not in interval 2'
lacks_text out 'left out'
good 'table sort'
lacks_text out 'interval'
good "table grid against $data/grid.dat" "$data/grid.dat"
has_text out 'interval 3: N in (2500, 15000], P in [1, 8]'

# Ranks on a machine that is 1.6 times slower during 30 % of the time; `wait` = 1: all wait for the slowest one.
two_modes() {
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0]*N/P\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    awk -v wait="$1" 'function noise() { x = (x * 16807) % 2147483647; return x / 2147483647 }
        BEGIN { x = 7; for (p = 1; p <= 8; p *= 2) for (n = 1000; n <= 4000; n *= 2) for (e = 0; e < 120; e++) {
            most = 0
            for (r = 0; r < p; r++) { t[r] = (noise() < 0.3 ? 1.6 : 1) * (1 + 0.02 * noise()); most = t[r] > most ? t[r] : most }
            for (r = 0; r < p; r++)
                printf "f %d %d 0 0 %d %d 0 1 %d %.9g\n", p, n * 1000 + e, p, r, n, 1e-6 * n / p * (wait ? most : t[r]) } }'
}
two_modes 0 >alike.dat
two_modes 1 >waiting.dat
good 'fit f; predict f N=1000 P=16; show f' alike.dat
has_text out 'values: the 87th percentile of all ranks, which are alike'
[ "$(grep -c 'of the time at P=8 a factor of 1.6[0-9]* is due to the slowest of all ranks' out)" = 2 ] || fail 'not in both'
has_text out 'of this a factor of 1.6'
good 'fit f' waiting.dat
has_text out 'values: of the slowest rank, the 87th percentile at P=1, the 32nd percentile at P=8'
for rule in alike waiting; do
    exits 0 "$llac" --json -e 'fit f; predict f N=1000 P=16' $rule.dat
    what="$rule: P=16 is what the slowest of 16 ranks takes"
    tail -1 out | sed 's/.*"value":\([^,]*\),.*/\1/' | awk '{exit !($1 * 16e3 > 1.59 && $1 * 16e3 < 1.64)}' || fail "$(tail -1 out)"
    grep -q '"rank_values":{"of":"\(one\|slowest\)","level":0.1' out || fail "$(head -1 out)"
done
good 'ranks max; fit f; predict f N=1000 P=16' alike.dat
lacks_text out 'values:'
lacks_text out 'a factor of'

# Leaving the data.
good 'predict grid N=100000 P=4' "$data/grid.dat"
has_text out 'the constants change inside the data (at N = 3162): a further change'
good 'predict grid N=1000:1e7:10 P=4,64' "$data/grid.dat"
what='each is said once'
[ "$(grep -c 'the constants change inside the data' out)" = 2 ] || fail 'not twice, for N and P'
good 'predict grid N=1000 P=4' "$data/grid.dat"
lacks_text out 'further change'
finish
