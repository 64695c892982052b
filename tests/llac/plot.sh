# SPDX-License-Identifier: GPL-3.0-or-later
# Plots: each format, the words, what happens without gnuplot.
. "$CLL_SOURCE/tests/llac/setup.sh"

bad 'plot' 'the name of an experiment is expected here'
bad 'plot nothing' "there is no experiment 'nothing'"
bad 'plot sort over M' "sort has no variable 'M': it has N, P"
bad 'plot sort over' "a name is missing after 'over'"
bad 'plot fft over N by N' 'the two must differ'
bad 'plot sort to x.doc' 'must end in .svg, .png, .pdf or .txt'
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
good 'plot fft over P log to "my plot.pdf"'
head -c 4 'my plot.pdf' | grep -q PDF || fail 'my plot.pdf is no PDF'
good 'plot sort over N to x.txt'
grep -q measured x.txt || fail 'x.txt has no key'
good 'fit init = init[0] + init[1]*N on page-faults; plot init'
has_text out 'page-faults'
good 'plot init' "$data/cache.dat"
has_text out 'init: CLOCK (s)'
has_text out 'error %'
has_text out 'init[1] changes at N = 45500'
good 'plot init[1]' "$data/cache.dat"
has_text out 'init: init[1] (ns per N)'
has_text out 'local estimates'
for x in svg png pdf txt; do
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
