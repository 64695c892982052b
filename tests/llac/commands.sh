# SPDX-License-Identifier: GPL-3.0-or-later
# Every command and every part of it, and what is said when it is written wrong.
. "$CLL_SOURCE/tests/llac/setup.sh"

good 'list'
has_text out 'sort   96 samples   over N   in demo.c:10-14'
has_text out 'CLOCK = sort[0] + sort[1]*N*log(N)'
has_text out 'page-faults, no formula'
good 'show'
has_text out 'overhead 2e-08 s per pair'
good 'show init'
has_text out '5000         8   5.216e-06'
good 'show init on page-faults'
has_text out '        5000         8          12'
bad 'show nothing' "there is no experiment 'nothing': the data has sort, fft, init"
bad 'show init on CYCLES' 'CYCLES was not measured for init: the data has CLOCK, page-faults'
bad 'show init on' 'the observable is missing'
bad 'list all' 'not understood'

# numbers are arithmetic; K, M, G and T are powers of 1024
for n in 1048576 2^20 1M 1024*1024 '1024 * 1024' '(2^10 + 0)*1K' 1e6+48576; do
    good "fit fft; predict fft N = $n P=2"
    has_text out '0.02036 s   typical [0.01974, 0.02098]'
    good "where N == $n; show fft"
    is "$(grep -c '^     1048576 ' out)" 4 'points'
    lacks out '^      262144 '
done
good 'fit fft; predict fft N=1M:4M P=2^0, 2^1'
is "$(grep -c '^ *[124][0-9]* *[12] ' out)" 6 'rows'
good 'fit fft; explain fft N=1M P=2; plot fft to N=4M to p.svg; rank N=1M P=2^3; table fft@P=2^1; advise fft for N=4M P=8 budget 2*30s'
good 'fit sort max 1+1 threshold 2*5% intervals N at 4K, 64K'
good 'ranks 2^0; rounds skip 4/2'
bad 'fit fft; predict fft N=1m P=2' "'m' is not known after a number: K, M, G and T are 2^10, 2^20, 2^30 and 2^40"
bad 'fit fft; predict fft N=2^x P=2' "'2^x' is not a number"
bad 'fit fft; predict fft N=1/0 P=2' 'this number is too large'
bad 'fit fft = fft[0] + fft[1]*2M' 'write 2*M, or 2*2^20 for 2M'

# fit
good 'fit sort'
has_text out '12 points, 96 samples, 10th percentile of each'
has_text out 'sort[1]       3.870e-09      0.048e-09     all'
has_text out 'error: mean 1.3 %, max 3.3 % (leave-one-out: mean 2 %)'
good 'fit sort = sort[0]*N*log(N)'
has_text out 'sort = sort[0]*N*log(N)'
good 'fit sort = "sort[0]*N*log(N)"'
has_text out 'sort = sort[0]*N*log(N)'
good 'fit sort = sort[0] + sort[1]*max(N, 5) where N > 4096 nonneg intervals none max 3 threshold 5%'
has_text out '9 points, 72 samples'
good 'fit sort intervals auto'
good 'fit sort intervals always max 3'
good 'fit sort intervals on N max 2 threshold 50%'
has_text out 'all'
good 'fit sort intervals N at 4096, 65536'
has_text out 'boundary: N at 4096 ('
has_text out 'N in (65536, 2097152]'
good 'explain sort N=1000'
has_text out 'contributes     share   term'
has_text out 'sort[0] takes over from sort[1] at N = 8.5'
good 'explain fft N=100 P=2'
has_text out 'takes over from fft[0] at N ='
bad 'fit sort = N*1e-9; explain sort N=1e9' 'has no constants: there are no terms to explain'
bad 'fit sort = sort[0]; advise sort for' 'has no variables: no further point improves it'
bad 'fit sort = N*1e-9; advise sort for N=5' 'has no constants'
bad 'where N > 1e9; compare sort "sort[0]" "sort[0]*N"' 'no sample of sort fulfils the condition'
bad 'where N > 1e9; search sort' 'no sample of sort fulfils the condition'
bad 'fit sort = sort[0]*1e-300' 'sort[0] cannot be computed: it or its variance is beyond the range of numbers'
bad 'explain' 'the name of an experiment is expected here'
bad 'explain sort' 'the prediction needs a value of N'
bad 'explain sort N=1:8:2' "one value of 'N' is expected here, not a range"
bad 'explain sort N=' "a value of 'N' is missing"
good 'fit init = init[0] + init[1]*N on page-faults'
has_text out 'init page-faults = init[0] + init[1]*N'
bad 'fit' 'the name of an experiment is expected here'
bad 'fit sort =' "a formula is expected after '='"
bad 'fit sort = sort[0] +' '-e:1:'
bad 'fit sort = sort[0]*sort[1]' 'sort[1]'
bad 'fit sort = sort[0]*M' "sort has no variable 'M': it has N, P"
bad 'fit sort on CYCLES' 'CYCLES was not measured'
bad 'fit sort where' 'a condition such as'
bad 'fit sort where M > 1' "no experiment has a variable or an observable 'M'"
bad 'fit sort where N > 1e9' 'no sample of sort fulfils the condition'
bad 'fit sort intervals on M' "sort has no variable 'M': it has N, P"
bad 'fit sort intervals N at' 'the boundaries are missing'
bad 'fit sort intervals N at 5, 3' 'ascending order'
bad 'fit sort intervals N at x' "'x' is not a number"
bad 'fit sort intervals maybe' "'intervals' is followed by"
bad 'fit sort max none' "'max' needs a number"
share=$data/share.dat
what='intervals along expressions'
good 'fit work' "$share"
has_text out 'N/P in [512, 8192]'
has_text out 'boundary: N/P between 8192 and 16384, near 1.159e+04 (work[1])'
good 'fit fill' "$share"
has_text out 'N*M in (48000, 768000]'
good 'fit work intervals on N / P max 2' "$share"
has_text out 'N/P in (8192, 262144]'
good 'let share = N/P; fit work intervals share at 4K, 9000 where P > 1' "$share"
has_text out 'boundary: share at 9000 (work[1])'
good 'fit work; predict work N=100000 P=8; predict work N=262144 P=8' "$share"
has_text out 'in the gap of a boundary, between N/P=8192 and 16384'
good 'fit work; define g = work[1](P=1); predict g N=65536' "$share"
bad 'fit work; define g = work[1](P=1); predict g' 'work needs a value of N here' "$share"
good 'let n = N/P; let half = 1/(P - 1); fit work = work[0]*P + work[1]*n*log(n); predict work n=16384 P=4' "$share"
has out '^  0.00086[0-9]* s '
bad 'fit work intervals on N/Q' "work has no variable 'Q': it has N, P" "$share"
bad 'fit work intervals share at 5' "work has no variable 'share': it has N, P" "$share"
bad 'fit work intervals on N/' '-e:1:25: error: the formula ends where' "$share"
bad 'fit work intervals on work[0]' "work has no variable 'work[0]': it has N, P" "$share"
bad 'fit work intervals on 3' 'constants cannot have intervals on 3: name a variable, or an expression over variables' "$share"
bad 'fit work intervals on 1/(P-1)' '1/(P - 1) has no value at the point N=4096 P=1' "$share"
bad 'plot work over N/P' "work has no variable 'N/P': it has N, P" "$share"
bad 'fit sort max 0' 'a whole number of intervals'
bad 'fit sort threshold x' "'threshold' needs a number"
bad 'fit sort please' "not understood; 'help fit' shows its syntax"
bad 'fit init' "init has no formula for CLOCK: give one, 'fit init = init[0] + init[1]*...'"

# predict
good 'predict sort N=4194304'
has_text out '0.2476 s   typical [0.2377, 0.2573]   single run [0.238, 0.267]   95 %'
lacks_text out 'do not determine' # sort[0] is part of nothing there
has_text out 'N is 2 times beyond the data'
lacks_text out 'far beyond the data'
# twice the order of a matrix is four times its memory: the predicted time says how far a place is
awk 'BEGIN { print "n,time"; for (n = 32; n <= 256; n *= 2) for (k = 0; k < 3; k++) printf "%d,%.9g\n", n, (1e-6 + 3e-10*n^3)*(1 + 0.004*k) }' >cube.csv
good 'fit cube = cube[0] + cube[1]*n^3; predict cube n=500' cube.csv
lacks_text out 'far beyond the data'
good 'fit cube = cube[0] + cube[1]*n^3; predict cube n=600' cube.csv
has_text out 'n is far beyond the data: a change of the constants there'
# constants that the data do not determine: beyond the data they are named, and what to measure
awk 'BEGIN {
    print "# cll-data 1\n# program: grid\n# experiment: g\n# formula: g CLOCK g[0] + g[1]*N^2/P + g[2]*N*(1 - 1/P) + g[3]*(P - 1)\n# variables: g N"
    print "experiment run seq start nested P rank thread count N CLOCK"
    for (p = 1; p <= 8; p *= 2) for (n = 256; n <= 2048; n *= 2) {
        disturbed = 1 + 0.03*sin(7*n/256 + 5*p)
        for (r = 0; r < 3; r++) printf "g %d 0 0 0 %d 0 0 1 %d %.6e\n", r, p, n, (2e-6 + 1e-9*n*n/p)*disturbed*(1 + 0.002*r)
    }
}' >grid.dat
good 'fit g; predict g N=256 P=8,16,32; predict g N=256 P=16' grid.dat
has_text out 'the data do not determine g[2] and g[3]: the value is the mean of the'
is "$(grep -c 'what to measure: advise g for N=256 P=32 (first N=' out)" 1 'what to measure for a table'
is "$(grep -c 'what to measure: advise g for N=256 P=16 (first N=' out)" 1 'what to measure for one place'
good 'fit g; predict g N=256 P=4; predict g N=1000 P=8' grid.dat
lacks_text out 'do not determine'
good 'predict g N=256 P=16; advise g for N=256 P=16' grid.dat
now=$(awk '$1 == "now:" {print $2}' out)
good 'advise g for N=256 P=16' grid.dat
is "$now" "$(awk '$1 == "now:" {print $2}' out)" 'the prediction of advise after predict'
good 'fit g nonneg; predict g N=256 P=16' grid.dat
has_text out 'the data do not determine g[2] and g[3], held at 0 by nonneg'
good 'predict sort N=1024:4096:2'
has_text out '        4096   0.0001319'
good 'predict fft P=1,8 N=65536'
has_text out '       65536           8   0.0002433'
good 'predict sort N=512'
has_text out 'N is 2 times below the data'
lacks_text out 'below zero'
printf 'N,time\n100,0.00001\n200,0.00003\n400,0.00007\n800,0.00015\n1600,0.00031\n' >below.csv
good 'fit below = below[0] + below[1]*N; predict below N=10' below.csv
has_text out "    no time is below zero: the formula does not hold there, for want of a term"
exits 0 "$llac" --json -e 'fit below = below[0] + below[1]*N; predict below N=10:40:2; let rest = CLOCK - 1; fit below = below[0] + below[1]*N on rest; predict below on rest N=200' below.csv # rest is no time
is "$(grep -c 'no time is below zero' out)" 1 'remarks'
# each size is a run of its own, and runs are slow: that is counted once, so a formula that misfits has no points far from it
for seed in 11 33 77 88; do
    rm -f apart.*.dat
    awk -v seed=$seed 'function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    BEGIN {
        for (round = 0; round < 6; round++)
            for (m = 10; m <= 1280; m *= 2) {
                file = "apart." k + 0 ".dat"
                printf "# cll-data 1\n# overhead: 0 0\n# empty: 0\n# resolution: 1e-9\n# date: 2026-01-01T00:%02d:%02dZ\n", k / 60, k % 60 >file
                print "# experiment: f\n# variables: f m\nexperiment run seq start nested P rank thread count m CLOCK" >file
                slow = random() < 0.7 ? 1 + 0.3 * random() : 1
                for (i = 0; i < 5; i++)
                    print "f", round, i, 0, 0, 1, 0, 0, 1, m, 1e-3 * (3 + m) * slow * (1 + 0.01 * random()) >file
                close(file)
                k++
            }
    }'
    good 'fit f = f[0] + f[1]*m^1.1 intervals none' apart.*.dat
    has_text out 'the points differ from the formula by'
    lacks_text out 'far from the model'
done
good 'fit init = init[0] + init[1]*N on page-faults; predict init N=51200; predict init on page-faults N=51200'
has_text out '  104.4 page-faults   typical'
bad 'predict sort' 'needs a value of N'
bad 'predict sort N' 'VARIABLE=VALUE is expected here'
bad 'predict sort N=' "a value of 'N' is missing"
bad 'predict sort N=1:2:x' '-e:1:'
bad 'predict sort N=1 N=2' "'N' is given twice"
bad 'predict sort N=1 M=2' "sort has no variable 'M': it has N, P"
bad 'predict sort N=0' 'has no value there'
bad 'predict fft N=1:100000:+1 P=1,2' 'more than 100000 predictions'
bad 'predict init N=5' 'init has no formula'

good 'predict fft N=1e6, P=16; explain fft N=2^20 ,P=4; advise fft for N=1e7,P=16; rank N=1e6, P=4' # a comma between variables
has_text out '  0.002064 s '
has_text out '  at N=1000000 P=4'
good 'predict fft N=1e5, 1e6, P=2,4'
is "$(grep -c '^  *1000*  *[24] ' out)" 4 'rows of two lists'
good 'define w(N, P) = fft; predict w N=(1 + 2)*1000, P=4'
bad 'predict fft N=1e6,' 'a number is missing here'
bad 'predict fft N=1e6, Q=3' "fft has no variable 'Q': it has N, P"
bad 'predict fft N=1e6, P==3' "'P==3'"

# table
good 'table sort'
has_text out '     2097152       0.11995       0.11813       1.51'
good 'table fft'
has_text out '           N           P      measured     predicted    error %'
good "where N <= 65536; fit sort; table sort against $data/demo.dat"
has_text out '     65536'
good "where N <= 65536; fit sort; table sort against $data/demo.dat"
has_text out "     2097152 "
good "fit sort = sort[0]*N; load $data/demo.dat; fit sort"
has_text out "sort = sort[0] + sort[1]*N*log(N)"
sed "s/ 1024 / 0 /" "$data/demo.dat" >zero.dat
bad "table sort against zero.dat where N == 0" "no point of zero.dat can be predicted: the formula of sort has no value there: log(N) with N = 0"
sed "s/ 1024 / -3 /" "$data/demo.dat" >negative.dat
good "table sort against zero.dat" # all others are predicted
has out '^ *0   2.712e-05  *-   not predicted  *-  -$'
has out '^ *2097152 .* yes$'
has_text out '  not predicted: N=0: the formula of sort has no value there: log(N) with N = 0'
has_text out '  11 of 11 points inside their interval, 1 not predicted; error: mean '
sed -i '2i # label: zero' zero.dat
sed -i '2i # label: negative' negative.dat
good "table sort against $data/demo.dat zero.dat negative.dat where N <= 1024" # of two versions none is
has_text out '  not predicted: N=0 of zero.dat: the formula'
has_text out '  not predicted: N=-3 of negative.dat: the formula'
has_text out '  all: 1 of 1 points inside their interval, 2 not predicted'
exits 0 "$llac" --json -e 'table sort against zero.dat where N < 3000' "$data/demo.dat"
has_text out '"predicted":null,"error_pct":null,"interval":1,"left_out":false,"low":null,"high":null,"kind":null,"inside":null,"file":"zero.dat","reason":"the formula of sort has no value there: log(N) with N = 0"}'
has_text out '"not_predicted":1}'
has out '"at":{"N":2048},.*"reason":null}\]'
grep -v "^fft\|: fft" "$data/demo.dat" >no-fft.dat
bad "table fft against no-fft.dat" "no-fft.dat has no experiment 'fft'"
exits 0 "$llac" -e "fit fft = fft[0] + fft[1]*N*(P-1) where P == 1; table fft against $data/demo.dat" "$data/demo.dat"
has_text out '  not predicted: N=4096 P=2, N=4096 P=4, N=4096 P=8 and 12 further points: the'
has_text out 'do not determine fft[1]'
bad "fit fft = fft[0] + fft[1]*N*(P-1) where P == 1; table fft against $data/demo.dat where P > 1" "can be predicted: the data do not determine fft[1]"
bad "table sort against nothing.dat" 'nothing.dat: No such file'
bad 'table sort against' 'the name of a file is missing'
good "where N <= 65536; table sort against $data/demo.dat where N > 65536"
has_text out '           N    measured   predicted   typical 95 %              error %  inside'
has_text out '      131072   0.0060916   0.0059872   [0.005741, 0.006233]         1.71  yes'
has_text out '  5 of 5 points inside their interval; error: mean 1.6 %, max 2 %'
lacks_text out '       32768'
good "fit sort where N <= 65536; table sort where N > 65536" # points that the fit was not given
has_text out '      131072   0.0060916   0.0059872   [0.005741, 0.006233]         1.71  yes'
has_text out '  5 of 5 points inside their interval; error: mean 1.6 %, max 2 %'
lacks_text out '       32768'
good "where N <= 65536; table sort where N > 30000 and N < 140000"
is "$(grep -c ' yes$' out)" 3 'points inside and outside of the fit'
bad "table sort where N > 1e9" 'no sample of sort can be used and fulfils N > 1e9'
bad "table sort where" 'a condition such as N >= 4096 is missing'
bad "fit fft = fft[0] + fft[1]*N*(P-1) where P == 1; table fft where P > 1" "no point can be predicted: the data do not determine fft[1]"
exits 0 "$llac" --json -e "fit sort where N <= 65536; table sort where N == 131072" "$data/demo.dat"
has_text out '"inside":true,"file":null,"reason":null}]'
awk 'BEGIN {OFS = " "} $1 == "sort" && $10 == 131072 {$11 *= 2} {print} NR == 1 {print "# label: slow"}' "$data/demo.dat" >slow.dat
good "fit sort; table sort against $data/demo.dat slow.dat where N > 65536 and N < 500000"
has_text out '  slow.dat'
has out '^      131072 .* no$'
has_text out '  slow.dat: 1 of 2 points inside their interval; error: mean '
has_text out '  all: 3 of 4 points inside their interval; error: mean '
bad "table sort against $data/demo.dat where N > 1e9" 'has no sample of sort that can be used and fulfils the condition'
bad "table sort against $data/demo.dat where" 'a condition such as N >= 4096 is missing'
bad "table sort against $data/demo.dat nothing.dat" 'nothing.dat: No such file'
exits 0 "$llac" --json -e "table sort against $data/demo.dat slow.dat where N == 131072" "$data/demo.dat"
has_text out '"inside":true,"file":"'
has_text out '"inside":false,"file":"slow.dat"'
has_text out '"summary":{"points":2,"with_interval":2,"inside":1,'

# the rounds of one version are points together; a point with one execution is held against the interval of a single run
what='rounds of one version'
rm -f round.*.dat
for k in 0 1 2 3 4 5 6 7; do # the k-th sample of each point
    awk -v k=$k '/^sort [0-9]/ {if (n[$10]++ == k) print; next} !/^(fft|init) [0-9]/' "$data/demo.dat" >round.$k.dat
done
good "where N <= 65536; table sort against $data/demo.dat where N > 65536"
mv out whole
good "where N <= 65536; table sort against round.0.dat round.1.dat round.2.dat round.3.dat round.4.dat round.5.dat round.6.dat round.7.dat where N > 65536"
is "$(cat out)" "$(cat whole)" 'the same table as of all samples in one file'
good "where N <= 65536; table sort against round.0.dat where N > 65536"
has_text out '   single run 95 %  '
lacks_text out 'typical'
has out '^  [0-5] of 5 points inside their interval'
awk '!/^sort [0-9]/ || $10 == 131072' round.1.dat >round.8.dat # one point has two executions
good "where N <= 65536; table sort against round.0.dat round.8.dat where N > 65536"
has_text out '   few runs 95 %  '
lacks out '^      131072 .* single run$'
is "$(grep -c ' single run$' out)" 4 'rows with the interval of a single run'
exits 0 "$llac" --json -e "where N <= 65536; table sort against round.0.dat round.8.dat where N > 65536" "$data/demo.dat"
has out '"at":{"N":131072},.*"kind":"few runs","inside":.*"at":{"N":262144},.*"kind":"single run","inside":'
has_text out '"file":"round.0.dat ... round.8.dat (2 files)"'
exits 0 "$llac" -e "table sort against round.0.dat round.0.dat where N == 1024" "$data/demo.dat" # the same samples count once
has_text err 'round.0.dat is left out'
has_text out 'single run 95 %'
for k in 0 1; do sed "s/^# cpu: .*/# cpu: $k\n# code: aaaa sort.c\n# build: 1/" round.$k.dat >cpu.$k.dat; done
good "table sort against cpu.0.dat cpu.1.dat where N == 1024" # of another machine
has out '^  cpu\.0\.dat: [01] of 1'
has out '^  all: [0-2] of 2'

# on OBS, and what the last fit was
on='fit init = init[0] + init[1]*N on page-faults; fit init = init[0] + init[1]*N'
good "$on; table init on page-faults; explain init on page-faults N=1000; advise init on page-faults for N=50000; predict init on page-faults N=1000; plot init on page-faults to p.svg; predict init N=1000"
has_text out '        1000             4             4       0.00'
has_text out '  init page-faults'
has_text out '  init[0]               2    50.0 %   1'
has_text out '  the model'"'"'s own uncertainty: '
lacks out 'own uncertainty: .* s now'
has out '^  1.29[0-9]*e-06 s '
good "$on; fit init = init[0] + init[1]*N on page-faults; table init on CLOCK; predict init N=1000"
has out '^  4 '
bad 'table init on page-faults' "init has no formula for page-faults: give one"
bad 'advise sort on page-faults for N=4' 'sort has no formula for page-faults'
bad 'explain sort on' 'the observable is missing: on OBS'
bad 'explain sort on nothing N=4' 'nothing was not measured for sort'

# where, let, statistic
good 'where'
has_text out 'all samples are used'
good 'where N >= 4096; where run > 1; fit sort'
has_text out '10 points, 60 samples'
good 'where N >= 4096; where all; fit sort'
has_text out '12 points'
bad 'where N >' '-e:1:'
bad 'where M > 5' "no experiment has a variable or an observable 'M'"
good 'let n = N/P; let big = n*log(n); fit fft = fft[0] + fft[1]*log(P) + fft[2]*big; predict fft n=1000 P=1; let'
has_text out 'let n = N/P'
has_text out '2.946e-09'
good 'let n = N/P; let none'
has_text out 'no definitions'
bad 'let N = 5' "'N' is a variable in the data"
bad 'let log = 5' "'log' is a function"
bad 'let run = 5' "'run' is a column"
bad 'let x = x + 1' "'x' cannot be defined by itself"
bad 'let a = b + 1; let b = a + 1' "'b' cannot be defined by itself"
chain='let a0 = N + N'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do chain="$chain; let a$i = a$((i - 1)) + a$((i - 1))"; done
bad "$chain" 'the formula is too large'
bad 'let x 5' "'=' is expected here"
bad 'let 5' 'a name is expected here'
for s in min:minimum median:median mean:mean difference:'average difference' deviation:'standard deviation'; do
    good "statistic ${s%%:*}; fit sort"
    has_text out "${s#*:} of each"
done
bad 'statistic mode' "there is no statistic 'mode': p10, min, median, mean, difference or deviation"

# a fit is made again when what it rests on changes
good 'fit sort = sort[0]*N*log(N) where N > 2000; statistic min; predict sort N=4096'
what='predict after a change'
first=$(cat out)
good 'statistic min; fit sort = sort[0]*N*log(N) where N > 2000; predict sort N=4096'
[ "$(tail -1 out)" = "$(echo "$first" | tail -1)" ] || fail 'the fit was not made again'

# load, merge, save
good "load $data/demo.dat"
has_text out '1 file, 3 experiments, 236 samples'
cp "$data/demo.dat" copy.dat
good "merge copy.dat; fit sort"
has_text out '12 points, 192 samples'
cp "$data/demo.dat" 'my data.dat'
good 'load "my data.dat"; fit sort'
bad 'load' 'the name of a file is missing'
bad 'load "my data.dat' 'the closing " is missing'
bad 'load nothing.dat' 'nothing.dat: No such file'
sed 's/N\*log(N)/N^2/' "$data/demo.dat" >other.dat
bad 'merge other.dat' "sort has two formulas for CLOCK: 'sort[0] + sort[1]*N*log(N)'"
good 'merge other.dat ignore formulas; fit sort'
has_text out '192 samples'
good 'where N > 100000; save part.dat'
has_text out 'samples written to part.dat'
good 'fit sort' part.dat
has_text out '5 points, 40 samples'
good 'save all.dat; load all.dat; fit sort'
has_text out 'sort[1]       3.870e-09      0.048e-09     all'
# What the machine did: shown, and kept by save.
for i in 1 2; do
    sed "s/^# cores: .*/&\n# load: $i.5 nan\n# steal: 0.$i 10\n# frequency: 1000000000 2${i}00000000/" "$data/demo.dat" >machine$i.dat
done
good 'show' machine1.dat
has out '^      load 1.50, 1.0 % of the time stolen, 1.00 to 2.10 GHz$'
exits 0 "$llac" --json -e show machine1.dat
has_text out '"machine":{"load":[1.5,null],"steal":[0.10000000000000001,10],"frequency":[1000000000,2100000000]}'
good 'save both.dat' machine1.dat machine2.dat
has both.dat '^# load: 2.5 nan$'
has both.dat '^# steal: 0.3\(0000000000000[0-9]*\)\? 20$'
has both.dat '^# note: merged from runs at frequencies from 2100000000 to 2200000000 Hz$'
lacks both.dat '^# frequency'
good 'save one.dat' machine1.dat
has one.dat '^# frequency: 1000000000 2100000000$'
# Where the processes ran, in the same way.
for i in 1 2; do
    sed "s/^# cores: .*/&\n# world: 8\n# hosts: $i\n# ranks-per-host: $i 8\n# cores-per-host: 8 8\n# hyper-threads: used/" "$data/demo.dat" >place$i.dat
done
good 'show' place2.dat
has out '^      2 hosts, 2 to 8 ranks per host, 8 cores per host$'
has out '^      processes or threads shared cores as hyper-threads$'
exits 0 "$llac" --json -e show place2.dat
has_text out '"placement":{"hosts":2,"ranks_per_host":[2,8],"cores_per_host":[8,8],"hyper_threads":"used"}'
exits 0 "$llac" --json -e show "$data/demo.dat"
has_text out '"placement":{"hosts":null,"ranks_per_host":null,"cores_per_host":null,"hyper_threads":null}'
good 'save one.dat' place2.dat
has one.dat '^# hosts: 2$'
has one.dat '^# ranks-per-host: 2 8$'
has one.dat '^# cores-per-host: 8 8$'
has one.dat '^# hyper-threads: used$'
good 'save both.dat' place1.dat place2.dat
has both.dat '^# note: merged from runs on 1 to 2 hosts$'
lacks both.dat '^# hosts'
has both.dat '^# ranks-per-host: 1 8$'
good 'save both.dat' place1.dat "$data/demo.dat"
lacks both.dat '^# ranks-per-host'
has both.dat '^# hyper-threads: used$'
# Files of some processes of a run: the others, with their hosts and their folder, are named.
for rank in 0 1 d; do
    printf '%s\n' '# cll-data 1' '# job: 17' '# world: 14' "# process: 1f.$rank.6afa.3e 0 -" '# ranks: 0-12:4,13 node1' '# ranks: 1-3 node2' \
        '# ranks: ...' '# folder: /home/me' '# experiment: f' '# variables: f N' 'experiment run seq start nested P rank thread count N CLOCK' \
        "f 0 0 0 0 14 $((0x$rank)) 0 1 5 1e-3" >rank$rank.dat
done
exits 0 "$llac" -e list rank0.dat
has_text err 'warning: rank0.dat: 13 of the 14 processes of this run are missing: ranks 4, 8, 12-13 on host node1; ranks 1-3 on host node2; others on further hosts. If they measured, the samples are in /home/me there: copy the files *.spool here, and load all together'
is "$(wc -l <err)" 1 lines
exits 0 "$llac" -e list rank0.dat rank1.dat rankd.dat
has_text err '11 of the 14 processes of this run are missing: ranks 4, 8, 12 on host node1; ranks 2-3 on host node2; others on further hosts.'
# Processes that a launcher of another MPI library started, each a program of its own.
for rank in 0 1; do
    sed -e '/^# \(job\|ranks\|folder\)/d' -e 's/^# world: 14/# world: 1\n# launched: 2/' -e 's/ 14 [01] 0 1 5/ 1 0 0 1 5/' rank$rank.dat >alone$rank.dat
done
exits 0 "$llac" -e list alone0.dat
has_text err 'warning: alone0.dat: the launcher started 2 processes, but each of them was a program of its own, because the launcher does not belong to its MPI library. P is 1 in these samples, but the programs ran at the same time. Measure again with the mpirun of that library'
is "$(wc -l <err)" 1 lines
exits 0 "$llac" -e 'save both.dat' alone0.dat alone1.dat
has_text err 'warning: alone0.dat and others: the launcher started 2 processes'
has both.dat '^# launched: 2$'
exits 0 "$llac" -e list both.dat
has_text err 'warning: both.dat: the launcher started 2 processes'
# The data file of all processes has what the files lack, unless the processes left spools.
sed '/^# ranks\|^# folder/d' rank0.dat | sed "$(for i in 1 2 3 4 5 6 7 8 9 a b c d; do printf 's/^# process: .*\\.0\\.6afa.*/&\\n# process: %s.%s.6afa.3f 0 -/;' 1f $i; done)" >all.dat
exits 0 "$llac" -e list all.dat
empty err
sed 's/^# process: 1f/# process: 2f/' rank0.dat >later.dat
exits 0 "$llac" -e list all.dat later.dat
empty err
for bad in '99999999999999999999-1' '3-1:0' '0-9:99999999999' 'x' '-' ''; do
    sed "s/^# ranks: 1-3 .*/# ranks: $bad/; /^# ranks: \.\.\./d" rank0.dat >odd.dat
    exits 0 "$llac" -e list odd.dat
    has_text err 'others on further hosts'
done
# Stolen time is reported with times, not with counters.
{
    printf '%s\n' '# cll-data 1' '# steal: 5 10' '# experiment: f' '# formula: f CLOCK f[0] + f[1]*N' '# formula: f misses f[0] + f[1]*N' \
        '# variables: f N' 'experiment run seq start nested P rank thread count N CLOCK misses'
    seq 20 | awk '{ print "f 0", $1, "0 0 1 0 0 1", $1, 1e-3 + $1 * 1e-4 + $1 % 3 * 1e-6, 100 + 3 * $1 + $1 % 3 }'
} >stolen.dat
good 'fit f' stolen.dat
has_text out 'other virtual machines took 50 % of the time'
good 'fit f on misses' stolen.dat
lacks_text out 'other virtual machines'
cp "$data/demo.dat" raw.dat
ln -s raw.dat link.dat
for to in raw.dat link.dat ./raw.dat; do
    bad "load raw.dat; where N > 100000; save $to" "$to is a loaded file, which 'save' would replace: choose another name"
done
cmp "$data/demo.dat" raw.dat || fail 'save replaced a loaded file'
good 'load raw.dat; save all.dat; save all.dat'
bad 'save nowhere/x.dat' 'cannot write nowhere/x.dat'
# A file that ends in its first row has a header and no experiment: what 'save' wrote could not be loaded.
printf '# cll-data 1\nexperiment run seq start nested P rank thread count N CLOCK\nf 0 1 0 1 2 0 0 4 16 2.5' >cut.dat
bad 'load cut.dat; save none.dat' 'there is nothing to save: the loaded files have no experiment'
[ -e nowhere/x.dat ] && fail 'nowhere/x.dat is there'

# Sizes that are powers of two.
{
    printf '%s\n' '# cll-data 1' '# experiment: t' '# formula: t CLOCK t[0] + t[1]*N^2' '# variables: t N' \
        'experiment run seq start nested P rank thread count N CLOCK'
    for n in 64 90 128 180 256 360 512 720 1024 1440; do
        for run in 0 1 2 3 4; do
            awk -v n=$n -v r=$run 'BEGIN { two = log(n) / log(2); slow = two == int(two) ? 2.5 : 1
                printf "t %d 0 0 0 1 0 0 1 %d %.9g\n", r, n, (1e-6 + 3e-9 * n * n) * slow * (1 + (n * 7 + r * 5) % 11 / 400) }'
        done
    done
} >powers.dat
good 'fit t' powers.dat
has out 'warning: N that are powers of two (64, 128, 256, 512, 1024'
has out 'give these a term'
good 'fit t = t[0] + t[1]*N^2 + t[2]*N^2*(1 - ceil(log2(N)) + floor(log2(N)))' powers.dat
lacks out 'powers of two'
exits 0 "$llac" --json -e 'fit t' powers.dat
has_text out '"divisible":{"var":"N","class":"powers of two","values":[64,128,256,512,1024],"factor":2.'
has_text out '"term":"t[2]*N^2*(1 - ceil(log2(N)) + floor(log2(N)))"'

# Measured and simulated samples stay apart.
sed 's/^# clock: .*/# clock: tsc/' "$data/demo.dat" >measured.dat
sed 's/^# clock: .*/# clock: simulated/' "$data/demo.dat" >simulated.dat
for command in 'fit sort' 'search sort' 'compare sort "sort[0]*N" "sort[0]*N*log(N)"'; do
    bad "$command" 'sort has 96 simulated samples (simulated.dat) and 96 measured ones (measured.dat)' measured.dat simulated.dat
    has_text err "choose with 'where simulated == 1' or 'where simulated == 0'"
done
bad 'save mixed.dat' 'one file cannot hold both' measured.dat simulated.dat
gone mixed.dat
good 'where simulated == 1; fit sort; save part.dat' measured.dat simulated.dat
has_text out '12 points, 96 samples'
has part.dat '^# clock: simulated$'
good 'where simulated == 0; save part.dat' simulated.dat measured.dat
has part.dat '^# clock: tsc$'
bad 'let simulated = N' "'simulated' is a property of the run, which conditions use"
bad 'where simulatd == 0' "no experiment has a variable or an observable 'simulatd'"


bad 'fit sort = sort[0] + fft[1]*N' '1:22: error: a formula of sort has only constants sort[0], sort[1], ...; '"'define' composes"
bad 'fit' 'the name of an experiment is expected here: sort, fft, init'
bad 'plot' 'the name of an experiment is expected here: sort, fft, init'
good 'search sort where N > 4000 terms 2'
bad 'fit sort = sort[0] + gft[1]*N' "sort has no variable 'gft[1]'"

# conditions for one command alone: those of the points that are shown ...
good 'show fft where P == 2 and N > 5000'
is "$(grep -c '^ *[0-9]* *2 *5 ' out)" 4 'points'
good 'show fft spread where P == 2; show fft where P == 2 spread; where'
is "$(grep -c 'std dev' out)" 2 'tables of the spread'
has_text out 'all samples are used'
good 'fit fft; plot fft over N where P == 2 small; plot fft over N where P == 2 and N < 300000 to g.svg'
is "$(grep -c 'CLOCK of fft' out)" 1 'plots'
has_text out '4096                        N                        1048576'
has_text out 'o measured   . model'
filled g.svg
what='plot: the condition chooses points, and the model stays'
exits 0 "$llac" --json -e 'fit fft where N < 200000; plot fft over N; plot fft over N where P == 2 and N > 200000' "$data/demo.dat"
need python3
python3 - out <<'EOF' || fail 'other points or another model'
import json, sys
fit, whole, part = [json.loads(line) for line in open(sys.argv[1])]
assert len(whole["series"]) == 4 and len(part["series"]) == 1, part["series"]
series = part["series"][0]
assert [x for x, y in series["measured"]] == [262144, 1048576], series["measured"]
constants = [c["pieces"][0]["value"] for c in fit["constants"]]
from math import log
n, at = series["curve"][-1][0], series["curve"][-1][1]
model = constants[0] + constants[1]*log(2) + constants[2]*(n/2)*log(n/2)
assert abs(at/model - 1) < 1e-3, (at, model)
assert all(abs(e) < 10 for x, e in series["errors_pct"])
EOF
good 'fit fft by P; plot fft over N where P == 4 small'
has_text out 'o measured'
bad 'plot fft over N where P == 3 small' 'no sample of fft can be used and fulfils P == 3'
bad 'plot sort[1] where N > 5000' "'where' goes with an experiment, not with one constant: fit sort where N > 5000 first"
bad 'plot fft where P == 2 where N > 4' 'twice: where A and B'
bad 'save none.dat where N > 1e9' 'no sample fulfils the condition: nothing is written'
[ ! -e none.dat ] || fail 'none.dat is there'
good 'show sort where N > 1e9'
has out '^  no sample fulfils the condition$'
bad 'advise where N > 5000 for N=1e6' "'where' cannot stand here; 'help advise' shows the syntax"
bad 'predict sort N=1e6 where N > 1e12' "'where all' removes those of the command 'where'"
good 'save part.dat where N > 5000'
good 'show sort' part.dat
lacks out '^ *4096 '
# ... and those of the samples that the model rests on
good 'fit sort where N > 5000; predict sort N=1e6' && tail -1 out >fitted
good 'predict sort N=1e6 where N > 5000'
same out fitted
good 'fit sort; predict sort N=1e6' && tail -1 out >whole
good 'fit sort; predict sort N=1e6 where N > 5000; predict sort N=1e6'
is "$(sed -n '$p' out)" "$(cat whole)" 'the fit stays'
has_text out "$(cat fitted)"
good 'fit sort where N > 5000; explain sort N=1e6' && sed -n '/contributes/,$p' out >fitted
good 'explain sort N=1e6 where N > 5000'
same out fitted
good 'advise sort for N=1e7 where N > 5000 budget 5s'
bad 'predict sort N=1e6 where' 'a condition such as N >= 4096 is missing'
bad 'predict sort N=1e6 where N > 1e12' 'no sample of sort fulfils the condition'
good 'explain sort N=1e6 where N < 1e9 where N > 5000'
same out fitted

# help, quit
good 'help'
for c in load merge list show where let statistic ranks rounds outliers fit predict table explain compare search advise plot save export help quit; do
    has_text out "  $c "
    good "help $c"
    has_text out "$c"
    good help
done
"$llac" -e help >list
for c in '?' ' ?;' ; do
    good "$c"
    same out list
done
"$llac" -e 'help plot' >list
for c in '? plot' '?plot' 'help  plot'; do
    good "$c"
    same out list
done
what='help fits a terminal of 80 columns'
for c in $("$llac" -e help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do echo "help $c"; done >all.llac
{ "$llac" -e help; "$llac" all.llac; } | awk 'length($0) > 80' >wide
empty wide
is "$(grep -c . all.llac)" "$("$llac" -e help | grep -c '^  [a-z]')" 'commands'
bad '? me' "there is no command 'me'"
bad 'plot? ' 'expected here'
bad 'rank N=4 where N > 2' "'rank' takes no condition; the command 'where CONDITION' before it"
bad 'export x.h sort where N > 2' "'export' takes no condition; the command 'where CONDITION' before it"
bad 'table sort where N > 2 against x.dat' "against"
bad 'machine list to x' "'to' cannot stand here; 'help machine' shows the syntax"
bad 'help me' "there is no command 'me'"
good 'quit; fit nothing'
good 'exit'
bad 'quit now' "not understood; 'help quit' shows its syntax"
bad 'fitt sort' "there is no command 'fitt'; did you mean 'fit'?"
bad 'fti sort' "there is no command 'fti'; did you mean 'fit'?"
bad 'help pedict' "there is no command 'pedict'; did you mean 'predict'?"
bad 'measure sort' "there is no command 'measure'; 'help' lists them"
bad '5' 'a command is expected here'
bad 'fit sort where N > 1e9' 'error: no sample of sort fulfils the condition'
lacks_text err '-e:1'
bad 'fit sort where N > 1e9; list' '-e:1:1: error: no sample of sort fulfils the condition'
bad 'list; fit nothing; list' '-e:1:11: error:'
# beyond the data, predict averages with and without the terms that these do not determine
awk 'BEGIN {
    srand(5)
    print "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N^2/P + f[2]*N*(1 - 1/P) + f[3]*(P - 1)\n# variables: f N\nexperiment run seq start nested P rank thread count N CLOCK"
    for (p = 1; p <= 8; p *= 2) for (n = 256; n <= 2048; n *= 2) for (r = 0; r < 3; r++)
        printf "f %d 0 0 0 %d 0 0 1 %d %.9e\n", r, p, n, (2e-6 + 1e-9*n*n/p)*(1 + 0.08*((p*7919 + n*31 + r*104729) % 17/16 - 0.5))
}' >vague.dat
good 'explain f N=1e5 P=16; predict f N=1e5 P=16' vague.dat
is "$(sed -n "s/^  predicted  *\([0-9.]*\)  *what 'predict' prints$/\1/p" out)" "$(sed -n 's/^  \([0-9.]*\) s   typical.*/\1/p' out)" 'the value of predict'
value=$(sed -n "s/^  predicted  *\([0-9.]*\) .*/\1/p" out)
{ sed '/^experiment run/q' vague.dat; echo 'f 0 0 0 0 16 0 0 1 1e5 0.6'; } >far.dat
good 'fit f; table f against far.dat' vague.dat
awk -v value="$value" '$1 == 100000 {exit !($4 > 0.9999 * value && $4 < 1.0001 * value)}' out || fail 'table against has the value of predict'
good 'explain f N=512 P=4' vague.dat
lacks out '^  predicted'
# a constant that is an exponent
awk 'BEGIN {
    print "# cll-data 1\n# experiment: f\n# variables: f n\nexperiment run seq start nested P rank thread count n CLOCK"
    for (n = 1000; n <= 64000; n *= 2) printf "f 0 0 0 0 1 0 0 1 %d %.15g\n", n, 1e-6 + 2e-9 * n^1.3
}' >power.dat
good 'fit f = f[0] + f[1]*n^f[2]; predict f n=256000' power.dat
has out 'f\[2\]  *1\.300000'
has_text out '0.02147 s'
good 'fit f = f[0] + f[1]*n^f[2]; explain f n=64000' power.dat
lacks out '^  f\[2\]  .* %   '
has out '^  together  *0.003541'
good 'fit f = f[0] + f[1]*n^f[2]; export model.py; export model.h' power.dat
has model.py 'math.pow(n, 1\.\(3\|29999\)' # rounding differs between builds
has model.h 'pow(n, 1\.\(3\|29999\)'
bad 'fit f = f[0] + f[1]*n^f[1]' 'f[1] is an exponent here and a factor elsewhere' power.dat
bad 'fit f = f[0] + f[1]*n^f[2] intervals on n' 'its constants cannot have intervals' power.dat
bad 'fit f = f[0] + f[1]*n^(2*f[2])' 'an exponent must be a number or one constant alone' power.dat


# launches that do not fill the device: waves FULL POWER makes n = 1024 ... 65536 and m = 1, 2; the largest launch has FULL waves
waves() {
    awk -v full="$1" -v power="$2" 'BEGIN {
        srand(1)
        print "# cll-data 1\n# experiment: k\n# variables: k n m\nexperiment run seq start nested P rank thread count n m CLOCK DEVICE WAVES"
        for (m = 1; m <= 2; m++) for (n = 1024; n <= 65536; n *= 2) for (r = 0; r < 5; r++) {
            t = (2e-6 + 1e-10 * n * m) * (1 + 0.002 * (rand() + rand() - 1))
            printf "k %d %d nan 0 1 0 0 1 %d %d %.9g %.9g %.9g\n", r, r, n, m, t + 3e-7, t, full * (n / 65536)^power
        }}' >waves.dat
}
# up PLACE: how many times the value the upper end of the interval is there
up() {
    exits 0 "$llac" --json -e "fit k = k[0] + k[1]*n*m on ${2:-DEVICE}; predict k $1" waves.dat
    tail -1 out | sed 's/.*"value":\([^,]*\),.*"high":\([^,]*\),"single_low.*/\1 \2/' | awk '{printf "%.2f\n", $2 / $1}'
}
what='launches that do not fill the device'
waves 1.5 1
is "$(up m=2,n=1048576)" 1.07
lacks_text out 'launch'
waves 0.25 1
is "$(up m=2,n=60000)" 1.00
is "$(up m=2,n=1048576)" 17.07
has_text out 'the largest launch of the data has 25 % of the threads that the device runs at the same time'
is "$(up m=2,n=1048576 CLOCK)" 17.07
is "$(up m=32,n=65536)" 1.40
lacks_text out 'launch' # has no more threads
waves 0.25 0.5
is "$(up m=2,n=1048576)" 4.27
waves 0.25 0
is "$(up m=2,n=1048576)" 1.07
waves 0.25 1
awk '/^k / {$12 *= 10} {print}' waves.dat >busy.dat && mv busy.dat waves.dat
is "$(up m=2,n=1048576 CLOCK)" 1.07
lacks_text out 'launch' # the region does not wait for its kernels
finish
