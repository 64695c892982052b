# SPDX-License-Identifier: GPL-3.0-or-later
# What list, show and the commands that name no observable tell about the data: the only observable, observables that
# could not be measured, files that were cut off.
. "$CLL_SOURCE/tests/llac/setup.sh"

# own HEADER COLUMNS ROWS...: a data file of f over N; a row is "N VALUE..."
own() {
    printf '# cll-data 1\n%b# experiment: f\n# variables: f N\n' "$1"
    printf 'experiment run seq start nested P rank thread count N %s\n' "$2"
    shift 2
    local i=0 row
    for row; do printf 'f 0 %d 0 0 1 0 0 1 %s\n' $((i++)) "$row"; done
}

# ---- the only observable
for n in 1 2 3 4 5 6 7 8; do
    for v in 1 2 3; do echo "{\"params\":{\"n\":$n},\"value\":$((100 + 10 * n)).$v,\"callpath\":\"f\",\"metric\":\"joules\"}"; done
done >joules.jsonl
good 'fit f = f[0] + f[1]*n; predict f n=16; table f; explain f n=4; plot f[1] to p.svg; export m.h' joules.jsonl
has_text out 'f joules = f[0] + f[1]*n'
has_text m.h 'predict_f_joules('
good 'show f' joules.jsonl
has_text out '           8         3'
good 'search f; predict f n=9' joules.jsonl
has_text out 'f joules ='
good 'compare f "f[0]" "f[0] + f[1]*n"' joules.jsonl
has_text out 'f joules'
bad 'fit f = f[0] + f[1]*n; advise f for n=16' 'advise needs the cost of points in seconds' joules.jsonl
bad 'fit f' "f has no formula for joules: give one, 'fit f = f[0] + f[1]*...'" joules.jsonl
bad 'fit f on CLOCK' "CLOCK was not measured for f: the data has joules; name one with 'on'" joules.jsonl
exits 0 "$llac" --json -e 'show f' joules.jsonl
has_text out '"observable":"joules"'

# of two observables, neither of them CLOCK, one must be named
sed 's/joules/watts/' joules.jsonl >watts.jsonl
bad 'fit f = f[0]' "CLOCK was not measured for f: the data has joules, watts; name one with 'on'" joules.jsonl watts.jsonl
good 'fit f = f[0] + f[1]*n on watts; predict f n=9' joules.jsonl watts.jsonl
has_text out 'f watts ='
# where there are times, they are the default; a counter is not taken for them
own '# formula: f CLOCK f[0]*N\n' 'CLOCK cycles' '1 nan 10' '2 nan 20' '4 nan 40' >counted.dat
bad 'fit f' 'none of the 3 samples of f has a value of CLOCK: counters are measured in separate runs' counted.dat
good 'fit f = f[0]*N on cycles' counted.dat

# ---- observables that could not be measured
absent='# absent: cycles the kernel allows no hardware events\n'
own "$absent# formula: f cycles f[0]*N\n# experiment: g\n# variables: g N\n" 'CLOCK cycles' '1 1 nan' '2 2 nan' '4 4 nan' >absent.dat
good 'list' absent.dat
is "$(grep -c 'cycles was not measured: the kernel allows no hardware events' out)" 1 "lines about cycles"
good 'show f' absent.dat
has_text out 'cycles was not measured: the kernel allows no hardware events'
good 'show f on cycles' absent.dat
has_text out '  no sample has a value of cycles: the kernel allows no hardware events'
good 'show' absent.dat
has_text out '      cycles was not measured: the kernel allows no hardware events'
bad 'fit f on cycles' 'none of the 3 samples of f has a value of cycles: the kernel allows no hardware events' absent.dat
exits 0 "$llac" --json -e 'list; show' absent.dat
is "$(grep -c '"absent":\[{"observable":"cycles","reason":"the kernel allows no hardware events"}\]' out)" 2 "lines in JSON"
# named by CLL_COUNTERS, without a formula
own "$absent" 'CLOCK cycles' '1 1 nan' '2 2 nan' >asked.dat
good 'list' asked.dat
has_text out 'cycles was not measured: the kernel allows no hardware events'
# without a column
own "$absent" 'CLOCK' '1 1' '2 2' >column.dat
bad 'fit f = f[0] on cycles' "cycles was not measured for f (the kernel allows no hardware events): the data has CLOCK" column.dat
# measured in another run
own '' 'cycles' '1 10' '2 20' >measured.dat
good 'list' asked.dat measured.dat
lacks_text out 'was not measured'
has_text out 'cycles, no formula'

# ---- files that were cut off
own '# formula: f CLOCK f[0]*N\n' 'CLOCK' '1 1' '2 2' '4 4' '8 8' >whole.dat
head -c -3 whole.dat >cut.dat
good 'list' cut.dat
has_text out '  f   3 samples   over N'
has_text out '  cut.dat was cut off: only its complete rows are used'
good 'show' cut.dat
has_text out '      cut off: only the complete rows are used'
good 'list' whole.dat
lacks_text out 'cut off'
exits 0 "$llac" --json -e 'list' cut.dat
has_text out '"truncated":["cut.dat"]'
for i in 1 2 3 4 5 6 7; do cp cut.dat cut$i.dat; done
good 'list' cut?.dat
is "$(grep -c 'was cut off: only' out)" 5 "files named"
has_text out "  2 more files were cut off ('show' names them)"

# ---- digits without an interval
own '# formula: f CLOCK f[0]*N\n' 'CLOCK' '3 1' >one.dat
good 'fit f' one.dat
has_text out '  f[0]              0.333              ?     all'
good 'predict f N=6' one.dat
exits 0 "$llac" --json -e 'fit f' one.dat
has_text out '"value":0.3333333333333333'

# ---- the largest size is an outlier
for n in 1 2 4 8 16 32 64 128 256 512; do
    for k in 0 1 2; do echo "$n $((n == 512 ? 4 : 1))"; done
done | awk '{srand(NR); printf "%d %.9g\n", $1, $2 * (100 + $1) * (1 + 0.002 * rand())}' >sizes.txt
mapfile -t sizes <sizes.txt
own '# formula: f CLOCK f[0] + f[1]*N\n' 'CLOCK' "${sizes[@]}" >outlier.dat
good 'predict f N=1024' outlier.dat
has_text out 'N is 4 times beyond the data'
has_text out 'the fit leaves out the largest N, 512, as an outlier: beyond the data is'
has_text out 'counted from 256'
good 'predict f N=512:2048' outlier.dat
has_text out 'N is 2 times beyond the data'
is "$(grep -c 'the fit leaves out the largest N' out)" 1 "notes"
good 'predict f N=200' outlier.dat
lacks_text out 'leaves out'
exits 0 "$llac" --json -e 'predict f N=1024' outlier.dat
has_text out '"extrapolations":[{"var":"N","times":4,"from":256,"left_out":512}]'
has_text out 'the fit leaves out the largest N, 512, as an outlier: beyond the data is counted from 256'
# ---- settings: numbers of the command line of a run are variables
for n in 10 20 40 80 160; do
    own "# setting: n $n\n# formula: f CLOCK f[0] + f[1]*n\n" CLOCK "8 ${n}01e-9" "8 ${n}02e-9" "8 ${n}03e-9" >"set.$n.dat"
done
good 'show f; fit f; predict f n=320; rank N=8 n=320; save all.dat; plot f to p.svg' set.*.dat
has_text out 'over N, n'
has_text out 'f = f[0] + f[1]*n'
has_text out 'n is 2 times beyond the data'
has all.dat '^# variables: f N n$'
lacks all.dat '^# setting'
good 'search f' set.*.dat
good 'fit f' all.dat
has_text out "f[1]        1.00000e-07"
own '# formula: f CLOCK f[0] + f[1]*n\n' CLOCK "8 1" "9 2" >unset.dat
bad 'fit f' "the data of f have no setting 'n', which its formula uses: measure with 'call run --vary n=10,20,40 ... -- {n}', or set CLL_SETTINGS=\"n=10\" for each run" unset.dat
# a variable of the program that is not the setting of its name
cat >two.dat <<'END'
# cll-data 1
# setting: n 10
# experiment: f
# variables: f n
# experiment: g
# variables: g
experiment run seq start nested P rank thread count n CLOCK
f 0 0 0 0 1 0 0 1 7 1e-3
g 0 0 0 0 1 0 0 1 nan 2e-3
END
exits 0 "$llac" -e list two.dat
has_text err 'two.dat: n has two meanings: it is 7 in f, by a variable of the program, and 10 in g, by --vary or CLL_SETTINGS'
sed 's/ 7 1e-3/ 10 1e-3/' two.dat >one.dat
good 'list' one.dat
bad 'list' "f has the setting 'n' in set.10.dat, and not in unset.dat: their points cannot be put together" unset.dat set.10.dat

finish
