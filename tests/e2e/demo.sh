# SPDX-License-Identifier: GPL-3.0-or-later
# tools/demo in a copy of the tree that uses this build's programs: all five steps, and the plot. The times are computed:
# once those of a quiet machine, once those of one whose rounds disagree.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gnuplot
mkdir -p tree/build
cp -r "$CLL_SOURCE/tools" "$CLL_SOURCE/examples" "$CLL_SOURCE/include" tree/
ln -s "$CLL_BIN" tree/build/bin
export DEMO_ROUNDS='-n 8'
takes '(3.7e-6 + 7.6e-9*N*log(N))*(1 + 0.02*noise(1))'
tree/tools/demo >out 2>&1 || fail "demo"
has_text out "call run -n 8 sort.c -- 1024 1048576"
has_text out "sort: 8 rounds; data in sort.cll.0.dat"
has_text out "f[2]"
has out '^  0.11[0-9]* s   typical \[0.1'
has out '^     1048576  *0.11[0-9]*  *0.11[0-9]*   \[0.1.*\] .* yes$'
has_text out '1 of 1 points inside their interval'
has_text out "How to read it"
lacks_text out 'too busy'
filled tree/build/demo/sort.svg

takes '(3.7e-6 + 7.6e-9*N*log(N))*(0.1 + 5*noise(1))'
tree/tools/demo >out 2>&1 || fail "demo on a busy machine"
has_text out 'This machine is too busy for a fair test, so the prediction may miss:'
has out '^  the rounds disagree: the prediction is known to [0-9]* %$'
has_text out 'run the demo again when it is quieter'
