#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call run --verify: a place that was predicted is measured, and both are printed. The times are computed.
. "$CLL_SOURCE/tests/call/setup.sh"
[ -x "$CLL_BIN/llac" ] || skip "llac is not built"
cat >prog.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 64;
    volatile int sum = 0;
    for (int N = first; N <= last; N *= 2) {
#pragma cll f f[0] + f[1]*N
        sum += N;
#pragma cll end f
    }
#pragma cll g g[0]
    sum++;
#pragma cll end g
    return 0;
}
END
takes 'is("g") ? 1e-3 : (1e-3 + 1e-4*N)*(1 + 0.02*noise(1))'
mkdir model
exits 0 "$call" cc gcc $sanitize -O2 prog.c -o prog
exits 0 "$call" run -q -n 12 --outdir model prog

what='a place that the model describes'
exits 0 "$call" run -q -n 12 --verify model --at N=2^10 prog -- 512 1024
has out '^f: predicted by model, and measured now$'
has out '^ *N  *measured  *predicted   typical 95 %  *error %  inside$'
has out '^ *1024  *0\.10[0-9]*  *0\.10[0-9]*   \[0\.0[89][0-9]*, 0\.11*[0-9]*\]  *-*[01]\.[0-9]*  yes$'
has_text out '  1 of 1 points inside their interval; error: mean '
lacks_text out ' 512 '
lacks out '^g: ' # it has no N
lacks_text out 'f[0] + f[1]*N' # no fit of the new data

what='a place that it does not describe'
takes 'is("g") ? 1e-3 : (1e-3 + 1e-4*N*(N > 100 ? 2 : 1))*(1 + 0.02*noise(2))'
exits 0 "$call" run -q -n 12 --verify 'model/prog.cll.*.dat' --at N=1024 prog -- 1024 1024
has out '^ *1024  *0\.20*[0-9]* .*  no$'
has_text out '  0 of 1 points inside their interval'

what='one execution is held against the interval of a single run'
takes 'is("g") ? 1e-3 : (1e-3 + 1e-4*N)*(1 + 0.02*noise(3))'
exits 0 "$call" run -q -n 1 --verify model --at N=1024 prog -- 1024 1024
has_text out '   single run 95 %  '
has_text out ' of 1 points inside their interval'

what='without a place everything counts; a file that llac saved; P'
"$CLL_BIN/llac" -e 'save saved.dat' model/*.dat >out 2>&1 || fail 'save'
exits 0 "$call" run -q -n 3 --verify saved.dat prog -- 16 32
has out '^ *16 '
has out '^ *32 '
has out '^g: predicted by saved.dat, and measured now$'
for at in '--at N=32 --at P=1' '--at N=32,P=1'; do
    # shellcheck disable=SC2086
    exits 0 "$call" run -q -n 3 --verify saved.dat $at prog -- 16 32
    has out '^ *32 '
    lacks out '^ *16 '
done

what='a source; a command'
exits 0 "$call" run -q -n 3 --verify model --at N=256 prog.c -- 256 256
has out '^ *256 .*yes$'
exits 0 "$call" run -q -n 3 --verify model --at N=256 -- ./prog 256 256
has out '^ *256 .*yes$'

what='what was not measured'
exits 1 "$call" run -q -n 3 --verify model --at N=77 prog
has_text err 'has no sample of f that can be used and fulfils the condition'
exits 1 "$call" run -q -n 3 --verify model --at M=77 prog
has_text err 'call run: --verify: no region with a formula has the variables of --at (f has N'
has_text err '; a number of the command line is one with --vary NAME=NUMBER'

what='errors before anything is measured'
rm -f prog.cll.*
exits 2 "$call" run --verify nosuch.dat prog
has_text err 'call run: --verify: there is no data file nosuch.dat'
mkdir empty
exits 2 "$call" run --verify empty prog
has_text err 'call run: --verify: the folder empty has no data files (*.dat)'
exits 2 "$call" run --at N=5 prog
has_text err 'call run: --at needs --verify MODEL'
for at in N N= =5 N=x 'N=5 or 1' 'N==5' '2=2' 'N=inf'; do
    exits 2 "$call" run --verify model --at "$at" prog
    has_text err "call run: --at: '$at' is not VARIABLE=NUMBER"
done
exits 2 "$call" run --verify model --baseline prog.c prog.c
has_text err '--verify and --baseline compare with different things'
is "$(find . -maxdepth 1 -name 'prog.cll.*')" '' 'data files of refused commands'
finish
