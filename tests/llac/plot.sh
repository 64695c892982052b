# SPDX-License-Identifier: GPL-3.0-or-later
# Plots: each format, the words, what happens without gnuplot.
. "$CLL_SOURCE/tests/llac/setup.sh"

bad 'plot' 'the name of an experiment is expected here'
bad 'plot nothing' "there is no experiment 'nothing'"
bad 'plot sort over M' "sort has no variable 'M': it has N, P"
bad 'plot sort over' "a name is missing after 'over'"
bad 'plot fft over N by N' 'the two must differ'
bad 'plot sort to x.doc' 'must end in .svg, .png or .pdf'
bad 'plot sort to' "the name of a file is missing after 'to'"
bad 'plot sort wildly' 'not understood'
bad 'plot init' 'init has no formula'
bad 'plot sort speedup over N' 'a speed-up is drawn over P, not over N'
bad 'plot sort[1] speedup' "'speedup' goes with an experiment, not with one constant"

bad 'plot sort to N=4096' "'to N=4096' is inside the data, which reach to 2097152: give a value beyond them"
bad 'plot fft over P to N=1e9' "the plot is over P: 'to N=1e+09' is not along it"
bad 'plot sort to M=3' "sort has no variable 'M': it has N, P"
bad 'plot sort[1] to N=1e9' "'to VAR=VALUE' goes with an experiment, not with one constant"
bad "plot sort[1] with $data/demo.dat" "'with' goes with an experiment, not with one constant"
bad 'plot sort with' 'the name of a file is missing: with FILE'
bad 'plot sort with nothing.dat to x.svg' 'nothing.dat: No such file'
bad "plot sort with $data/demo.dat with $data/demo.dat" "'with' is given twice"
bad "plot sort with $data/demo.dat where N > 1e9 to x.svg" 'has no sample of sort that can be used and fulfils the condition'
bad "plot fft speedup with $data/demo.dat" "'with' draws times: it does not go together with 'speedup'"
bad "plot init with $data/demo.dat where N > to x.svg" 'error' "$data/cache.dat"

bad 'plot sort[x]' 'the number of a constant is expected here'
bad "plot sort with $data/demo.dat small" "'small' draws no points of other files: leave out 'with'"
bad 'plot sort[1' 'the number of a constant is expected here'
bad 'plot sort[7]' 'the formula of sort has no constant 7'
bad 'plot sort[1] over M' "sort has no variable 'M': it has N, P"
bad 'plot sort[1] by N' "'by' goes with an experiment, not with one constant"
bad 'fit sort = sort[0]*N + sort[1]*log(P); plot sort[1]' 'the data do not determine sort[1]'

what='without gnuplot'
mkdir bin
ln -s "$llac" bin/llac
exits 1 env PATH=$PWD/bin "$llac" -e 'plot sort to x.svg' "$data/demo.dat"
has_text err 'cannot start gnuplot'
has_text err 'install it'
[ -e x.svg ] && fail 'x.svg is there'
what='a gnuplot that fails'
printf '#!/bin/sh\ncat >/dev/null\necho "terminal on fire" >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
exits 1 env PATH=$PWD/bin:$PATH "$llac" -e 'plot sort to x.svg' "$data/demo.dat"
has_text err 'gnuplot failed: terminal on fire'
[ -e x.svg ] && fail 'x.svg is there'
what='without a display'
good 'plot sort' # the small plot
has_text out 'o measured   . model'
bad 'plot sort[1]' 'there is no display to draw on: name a file that ends in .svg, .png or .pdf'
bad "plot sort with $data/demo.dat" 'there is no display to draw on'
what='with a display a window is asked for'
printf '#!/bin/sh\necho "$@" >args.txt\ncat >script.txt\n' >bin/gnuplot
exits 0 env DISPLAY=:7 PATH=$PWD/bin:$PATH "$llac" -e 'plot sort' "$data/demo.dat"
grep -q -- -persist args.txt || fail 'gnuplot was not asked to keep the window'
grep -q 'set terminal' script.txt && fail 'a terminal was set'
# The script, as a gnuplot that only keeps it sees it.
script_of() {
    what=$1
    exits 0 env DISPLAY=:7 PATH=$PWD/bin:$PATH "$llac" -e "$1" "$2"
}
script_of 'plot work[1] over N' "$data/share.dat"
has_text script.txt 'local estimates, N/P in (8192, 262144]'
script_of 'plot work[1]' "$data/share.dat"
has_text script.txt 'work[1] changes at N/P = 11600'
script_of 'plot init' "$data/cache.dat"
has script.txt 'set object rectangle from 45487'
has script.txt 'set arrow from 45487.*dashtype'
has script.txt "set label 'init\[1\] changes at N = 45500'"
has script.txt 'with filledcurves'
has script.txt 'using 1:3 with points'
has script.txt "set ylabel 'error %'"
has script.txt 'set logscale x'
has script.txt 'set logscale y'
lacks script.txt "title 'left out'"
lacks script.txt 'beyond'
script_of 'plot init to N=1e8' "$data/cache.dat"
has script.txt "set label 'beyond the data' at graph 0.99"
has script.txt 'set arrow from 1000000,.*dashtype 3'
has script.txt 'beyond0 using 1:2 with lines dashtype 2.*extrapolated'
has script.txt 'beyond0 using 1:3:4 with filledcurves'
awk '/^\$curve0/ {inside = 1} /^\$beyond0/ {inside = 0; after = 1} /^END/ {inside = after = 0}
     inside && NF == 4 && $1 > 1000000 {exit 1} after && NF == 4 && $1 < 1000000 && $1 != "NaN" {exit 1}' script.txt ||
    fail 'the curve is not divided at the end of the data'
script_of 'plot init to N=10' "$data/cache.dat"
has script.txt "set label 'beyond the data' at graph 0.01"
script_of "where N <= 65536; plot fft with $data/demo.dat where P > 1 to N=1e7" "$data/demo.dat"
has script.txt 'other0_1 using 1:2 with points.*demo.dat'
lacks script.txt 'other0_0 using'
has script.txt 'other0_3 using 1:3 with points'
has script.txt 'dashtype 2'
script_of "where N <= 65536; plot sort with $data/demo.dat" "$data/demo.dat"
has script.txt "set label 'beyond the data'"
script_of 'plot init linear' "$data/cache.dat"
lacks script.txt '^set logscale'
has script.txt "set ylabel 'CLOCK (ms)'"
script_of 'plot fft over P' "$data/demo.dat"
has script.txt 'set logscale x 2'
has script.txt "title 'N=1048576'"
lacks script.txt 'set object'
script_of 'plot grid' "$data/grid.dat"
has script.txt "title 'left out'"
script_of 'outliers keep; plot grid' "$data/grid.dat"
lacks script.txt "title 'left out'"
script_of 'plot grid[2]' "$data/grid.dat"
has script.txt "set xlabel 'P'"
has script.txt "set ylabel 'grid\[2\] (\(µ\|\xc2\xb5\)s per log(P))'"
has script.txt 'with yerrorbars'
script_of 'plot grid[2] over N' "$data/grid.dat"
has script.txt "title 'fitted, 95 %, P in (8, 32\]'"
script_of 'fit fft = OBSP; plot fft over P' "$CLL_SOURCE/examples/data/t3e-fft.dat"
has script.txt "title 'measured'"
has script.txt '^16 1.1644'
script_of 'plot fft' "$CLL_SOURCE/examples/data/t3e-fft.dat"
has script.txt "set xlabel 'P'"
script_of 'plot fft speedup' "$CLL_SOURCE/examples/data/t3e-fft.dat"
has script.txt "set ylabel 'speed-up'"
has script.txt "title 'ideal'"
has script.txt '^32 12.2' # the model's 11.795 s at P = 1 divided by the measured 0.9664 s
has script.txt 'set logscale y 2'
script_of 'plot fft speedup linear' "$CLL_SOURCE/examples/data/t3e-fft.dat"
lacks script.txt '^set logscale'
what='speed-ups as JSON'
exits 0 "$llac" --json -e "where N <= 65536; plot sort to N=1e7 with $data/demo.dat where N == 131072" "$data/demo.dat"
has_text out '"data":[1024,65536]'
has_text out '[10000000,'
has out '"others":\[{"file":".*demo.dat","points":\[{"x":131072,"measured":0.006.*,"predicted":0.0059.*,"error_pct":1.7.*,"series":0}\]}\]'
exits 0 "$llac" --json -e 'plot fft speedup' "$CLL_SOURCE/examples/data/t3e-fft.dat"
has_text out '"observable":"speed-up"'
has_text out '[32,12.2'
bad 'fit sort = sort[0]*N; plot sort speedup' 'differ in P alone'
bad 'fit fft = 0 - N; plot fft speedup' 'predicts no positive time'

# ---- sets of constants in one picture: versions of the code, values of a variable
. "$CLL_SOURCE/tests/llac/version_data.sh"
version before.dat 1 1 "$old"
version after.dat 1.5 3 "$new"
both='load before.dat; merge after.dat'
script_of "$both; plot sort by version" before.dat # not fitted yet
has script.txt "set title 'sort' noenhanced"
has script.txt "title 'before' noenhanced"
has script.txt "title 'after' noenhanced"
has script.txt 'curve1 using 1:2 with lines'
lacks script.txt 'curve2'
# block NAME: the rows of a block of the script
block() { awk -v name="\$$1" '$1 == name { inside = 1; next } /^END_OF_DATA/ { inside = 0 } inside && $1 != "NaN"' script.txt; }
# per version its own points and its own model: at N = 64000 about 194 and 290 microseconds
at_end() { block "$1" | awk -v low="$2" -v high="$3" '$1 == 64000 && $2 > low && $2 < high { found = 1 } END { exit !found }' || fail "$1 has other values"; }
at_end points0 185 200 && at_end curve0 185 200
at_end points1 275 300 && at_end curve1 275 300
script_of "$both; fit sort = sort[0]*N by version; plot sort" before.dat # the sets of the last fit
has script.txt "title 'after' noenhanced"
awk '/^set yrange/ { low = $3; sub(/.*\[/, "", low) } END { exit !(low < 4) }' script.txt || fail 'the axis has no room for the fit of before'
script_of "$both; plot sort by version to N=1e6" before.dat
has script.txt "set label 'beyond the data'"
bad "$both; plot sort by version over M" "no set of constants of sort can be drawn: sort@before has no variable 'M'" before.dat
script_of "$both; where N < 9000; fit sort@before; plot sort by version" before.dat
is "$(block points0 | wc -l)" 4 'points of a version'
cp "$data/cache.dat" cache.dat
script_of "load $data/cache.dat as a; merge cache.dat as b; plot init by version" before.dat
is "$(grep -c "set arrow from 45487.*linecolor rgb '#0072b2'" script.txt)" 1 'the boundary of the first version has its colour'
is "$(grep -c "set arrow from 45487.*linecolor rgb '#d55e00'" script.txt)" 1 'the boundary of the second version has its colour'
lacks script.txt 'set object rectangle'
script_of 'fit fft = fft[0] + fft[1]*N*log(N) by P; plot fft by P' "$data/demo.dat"
for p in 1 2 4 8; do has script.txt "title 'P=$p' noenhanced"; done
script_of 'fit grid = grid[0] + grid[1]*N by P where P <= 4; plot grid over N by P' "$data/grid.dat"
has script.txt "title 'P=4' noenhanced"
lacks script.txt "title 'P=8' noenhanced" # it was not fitted
script_of 'fit fft by N; plot fft speedup' "$data/demo.dat"
has script.txt "title 'ideal'"
exits 0 "$llac" --json -e "$both; plot sort by version" before.dat
has out '"series":\[{"label":"before",.*"experiment":"sort@before","boundaries":\[\]},{"label":"after",.*"experiment":"sort@after"'
exits 0 "$llac" -e "$both; fit sort by version; plot sort by version small" before.dat
has_text out 'o before   x after   . model'
exits 0 "$llac" -e 'fit fft = fft[0] + fft[1]*N by P; fit fft; plot fft small' "$data/demo.dat" # one model again
has_text out 'o P=1   x P=2'
bad "$both; plot sort" "sort has several versions: name one, sort@before, sort@after" before.dat
bad "$both; plot sort[1] by version" 'sort has several versions' before.dat
bad "$both; plot sort by version with before.dat" "'with' needs one set of constants: 'plot sort@before with FILE...'" before.dat
bad "$both; plot sort by version to N=2000" "'to N=2000' is inside the data of every set" before.dat
bad "$both; plot sort by N" 'sort has several versions' before.dat
bad 'fit fft = fft[0] + fft[1]*N by P; plot fft over P' "'over P by P': the two must differ"
bad 'plot nosuch by version' "there is no experiment 'nosuch'"
good 'plot sort by version small' # one version
sets() {
    printf '# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n# variables: f level N\n'
    printf 'experiment run seq start nested P rank thread count level N CLOCK\n'
    awk 'BEGIN { for (l = 1; l <= 22; l++) for (n = 100; n <= 6400; n *= 2) for (k = 0; k < 2; k++)
        printf "f %d 0 0 0 1 0 0 1 %d %d %g\n", k, l, n, 1e-6 + l * 1e-9 * n * (1 + k / 1000) }'
}
sets >sets.dat
bad 'fit f by level; plot f by level' "more than 20 curves: choose some with 'where', or plot one set of constants, 'plot f@level=1'" sets.dat
exits 0 "$llac" -e 'fit f by level; where level <= 3; plot f by level small' sets.dat # as the message advises
has_text out 'o level=1   x level=2   + level=3   . model'
has_text err 'warning: f@level=4 is not drawn: no sample of f@level=4 fulfils the condition'
exits 1 "$llac" -e 'fit f by level; where level > 99; plot f by level small' sets.dat
has_text err 'no set of constants of f can be drawn: no sample of f@level=1 fulfils the condition'
lacks_text err warning
good 'where level <= 3; plot f by level small' sets.dat # one model; the axis is N

what='names that gnuplot would take for a quote are refused'
sed "s/^# experiment: sort/# experiment: it's/; s/^# \([a-z]*\): sort /# \1: it's /; s/^sort /it's /; s/sort\[/it[/g" "$data/demo.dat" >odd.dat
exits 1 "$llac" -e 'list' odd.dat
has_text err 'cannot be the name of an experiment'

command -v gnuplot >/dev/null || { [ $failures != 0 ] || skip 'no gnuplot'; finish; }
good 'plot sort to x.svg'
has_text out 'drawn into x.svg'
grep -q '<svg' x.svg || fail 'x.svg is no SVG'
good 'plot fft over N by P linear to x.png'
head -c 4 x.png | grep -q PNG || fail 'x.png is no PNG'
good 'fit fft = fft[0] + fft[1]*N by P; plot fft by P to sets.png'
head -c 4 sets.png | grep -q PNG || fail 'sets.png is no PNG'
good 'plot fft over P log to "my plot.pdf"'
head -c 4 'my plot.pdf' | grep -q PDF || fail 'my plot.pdf is no PDF'
good 'fit init = init[0] + init[1]*N on page-faults; plot init to x.svg'
has_text x.svg 'page-faults'
good 'plot init[1] to x.svg' "$data/cache.dat"
has_text x.svg 'local estimates'
for x in svg png pdf; do
    good "plot grid over P to y.$x" "$data/grid.dat"
    filled y.$x
    good "plot both[1] over N to y.$x" "$data/grid.dat"
    filled y.$x
done
# one point, points at one place, values of 0, a model without a value at the axis' middle
printf '# cll-data 1\n# experiment: f\n# variables: f N\nexperiment run seq start nested P rank thread count N CLOCK\n' >head.txt
{ cat head.txt; printf 'f 0 0 0 0 1 0 0 1 1 1e-3\nf 0 1 0 0 1 0 0 1 1 2e-3\n'; } >one.dat
bad 'fit f = f[0]; plot f' 'no variable of f varies' one.dat
good 'fit f = f[0]; plot f over N to y.svg' one.dat
{ cat head.txt; printf 'f 0 0 0 0 1 0 0 1 0 0\nf 0 1 0 0 1 0 0 1 1 2e-3\nf 0 1 0 0 1 0 0 1 2 4e-3\n'; } >zero.dat
good 'fit f = f[0]*N; plot f to y.svg; plot f log to y.svg; plot f[0] to y.svg' zero.dat
finish
