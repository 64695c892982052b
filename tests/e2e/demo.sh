# SPDX-License-Identifier: GPL-3.0-or-later
# tools/demo in a copy of the tree that uses this build's programs: all five steps, and the plot.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gnuplot
mkdir -p tree/build
cp -r "$CLL_SOURCE/tools" "$CLL_SOURCE/examples" "$CLL_SOURCE/include" tree/
ln -s "$CLL_BIN" tree/build/bin
tree/tools/demo >out 2>&1 || fail "demo"
has_text out "f[2]"
has_text out "1048576"
has_text out "error"
has_text out "sort: 10 rounds"
has_text out "call cc gcc -O2 sort.c -o sort"
has_text out "8 samples written to real.dat"
has_text out "How to read it"
[ -s tree/build/demo/sort.svg ] || fail "no plot"
