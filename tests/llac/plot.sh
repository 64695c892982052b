# SPDX-License-Identifier: GPL-3.0-or-later
# Plots: each format, the words, what happens without gnuplot.
. "$CLL_SOURCE/tests/llac/lib.sh"
unset DISPLAY WAYLAND_DISPLAY

bad 'plot' 'the name of an experiment is expected here'
bad 'plot nothing' "there is no experiment 'nothing'"
bad 'plot sort over M' "sort has no variable 'M' to plot over"
bad 'plot sort over' "a name is missing behind 'over'"
bad 'plot fft over N by N' 'the two must differ'
bad 'plot sort to x.doc' 'must end in .svg, .png, .pdf or .txt'
bad 'plot sort to' "the name of a file is missing behind 'to'"
bad 'plot sort wildly' 'not understood'
bad 'plot init' 'init has no formula'

what='without gnuplot'
mkdir bin
ln -s "$llac" bin/llac
status=0
PATH=$PWD/bin "$llac" -e 'plot sort to x.svg' "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 1
expect_err 'cannot start gnuplot'
expect_err 'install it'
[ -e x.svg ] && say 'x.svg is there'
what='a gnuplot that fails'
printf '#!/bin/sh\ncat >/dev/null\necho "terminal on fire" >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
status=0
PATH=$PWD/bin:$PATH "$llac" -e 'plot sort to x.svg' "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 1
expect_err 'gnuplot failed: terminal on fire'
[ -e x.svg ] && say 'x.svg is there'
what='with a display a window is asked for'
printf '#!/bin/sh\necho "$@" >args.txt\ncat >script.txt\n' >bin/gnuplot
status=0
DISPLAY=:7 PATH=$PWD/bin:$PATH "$llac" -e 'plot sort' "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 0
grep -q -- -persist args.txt || say 'gnuplot was not asked to keep the window'
grep -q 'set terminal' script.txt && say 'a terminal was set'
what='names are quoted'
sed "s/^# experiment: sort/# experiment: it's/; s/^# \([a-z]*\): sort /# \1: it's /; s/^sort /it's /; s/sort\[/it[/g" "$data/demo.dat" >odd.dat
run -e 'list' odd.dat
expect_status 0

command -v gnuplot >/dev/null || { echo 'no gnuplot'; [ $failed -eq 0 ] && exit 77; exit 1; }
good 'plot sort to x.svg'
expect_out 'drawn to x.svg'
grep -q '<svg' x.svg || say 'x.svg is no SVG'
good 'plot fft over N by P linear to x.png'
head -c 4 x.png | grep -q PNG || say 'x.png is no PNG'
good 'plot fft over P log to "my plot.pdf"'
head -c 4 'my plot.pdf' | grep -q PDF || say 'my plot.pdf is no PDF'
good 'plot sort over N to x.txt'
grep -q measured x.txt || say 'x.txt has no key'
good 'fit init = init[0] + init[1]*N on page-faults; plot init'
expect_out 'page-faults'
finish
