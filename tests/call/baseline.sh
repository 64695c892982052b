#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call run --baseline: both versions in every round, by turns; two data files with labels; the check. The times are computed.
. "$CLL_SOURCE/tests/call/setup.sh"
cat >prog.c <<'END'
#include <stdio.h>
#define NAP 0
int main(void)
{
    char line[80] = "";
    FILE *log = fopen("log", "a");
    for (int N = 1; N <= 8; N *= 2)
        for (int k = 0; k < 3; k++) {
#pragma cll f f[0] + f[1]*N
            line[0] = 0;
#pragma cll end f
        }
    if (!fgets(line, sizeof line, stdin))
        line[0] = 0;
    fprintf(log, "%d %s\n", NAP, line);
    fclose(log);
    return 0;
}
END
mkdir old
sed 's/NAP 0/NAP 8/' prog.c >old/prog.c

what='a source'
takes '1e-3*N*slow(0.1)*(1 + 0.05*noise(slow(2)))'
exits 0 "$call" run -n 3 --baseline old/prog.c prog.c
has out '^prog: 3 rounds of both versions; data in prog.before.dat and prog.after.dat$'
has_text out 'they differ in the code of prog.c'
has out '^  at N=[1-8] .*faster$'
has_text out 'to compare them again: llac check prog.before.dat prog.after.dat'
is "$(tr -d '\n' <log)" '8 0 0 8 8 0 ' 'the order of the runs'
has prog.before.dat '^# label: before$'
has prog.after.dat '^# label: after$'
has_text out '; measured by turns'
is "$(grep '^# turns: ' prog.before.dat)" "$(grep '^# turns: ' prog.after.dat)" 'the mark of both files'
has prog.after.dat '^# turns: [0-9a-f]*\.[0-9a-f]*\.[0-9a-f]*$'
is "$(ls ./*.dat)" './prog.after.dat
./prog.before.dat'

what='slower: exit status 1, and the files before are not replaced'
cp prog.before.dat kept
takes '1e-3*N*slow(10)*(1 + 0.05*noise(slow(2)))'
exits 1 "$call" run -q -n 3 --baseline prog.c old/prog.c
has_text out 'data in prog.before.1.dat and prog.after.1.dat'
has out '^  at N=[1-8] .*slower  <-- worse$'
same prog.before.dat kept

what='a folder of sources, a program, another place for the data'
mkdir data
takes '1e-3*N*(1 + 0.05*noise(1))'
exits 0 "$call" run -q -n 2 --outdir data --baseline old prog.c
exists data/prog.before.dat
exists data/prog.after.dat
exits 0 "$call" cc gcc $sanitize -O2 old/prog.c -o oldprog
rm -f data/*
exits 0 "$call" run -q -n 2 --outdir data --baseline oldprog prog.c
has_text out 'they differ in the code of prog.c'

what='the old version includes its own headers'
mkdir include own old/include old/own
sed 's/^#define NAP.*/#include <nap.h>/' prog.c >with.c
cp with.c old/
echo '#define NAP 8' >old/include/nap.h
echo '#define NAP 0' >include/nap.h
for flags in '-I include' '--cflags=-O2 -I include' '--cflags=-O2 -isystem include' '--cflags=-O2 -Iown -Iinclude'; do
    rm -f data/* log
    case $flags in --*) set -- "$flags" ;; *) set -- -I include ;; esac
    exits 0 "$call" run -q -n 1 "$@" --outdir data --baseline old with.c
    is "$(tr -d '\n' <log)" '8 0 ' "the runs with $flags"
done
rm -rf old/include log
exits 0 "$call" run -q -n 1 -I include --outdir data --baseline old with.c
is "$(tr -d '\n' <log)" '0 0 ' 'the runs where the old version has no such folder'

what='both read the same input'
rm -f log
printf 'hello\n' >input
exits 0 eval '"$call" run -q -n 2 --outdir data --baseline old prog.c <input'
is "$(grep -c hello log)" 4
rm -f log
exits 0 eval 'echo world | "$call" run -q -n 2 --outdir data --baseline old prog.c'
is "$(grep -c world log)" 4

what='several sources: the one of the same name is replaced'
printf 'int helper(void) { return 1; }\n' >helper.c
exits 0 "$call" run -q -n 1 --outdir data --baseline old/prog.c prog.c helper.c
exits 2 "$call" run -n 1 --baseline other.c prog.c helper.c
has_text err 'cannot read other.c'
cp helper.c other.c
exits 2 "$call" run -n 1 --baseline other.c prog.c helper.c
has_text err "no source has the name other.c; name the folder of the old sources instead"

what='errors'
exits 2 "$call" run --baseline nosuch prog.c
has_text err 'call run: --baseline: cannot read nosuch: No such file or directory; OLD is the old source, a folder of'
has_text err 'For a commit: git worktree add FOLDER COMMIT, then --baseline FOLDER'
mkdir empty
exits 2 "$call" run --baseline empty prog.c
has_text err 'the folder empty has no prog.c'
exits 2 "$call" run --baseline input prog.c
has_text err 'input is neither a source, nor a folder of sources, nor a program'
printf '#!/bin/sh\ntrue\n' >plain
chmod +x plain
exits 1 "$call" run -q -n 1 --baseline plain prog.c
has_text err "the baseline wrote no data: was it built with 'call cc'?"
printf 'int main(void) { return 3; }\n' >old/prog.c
exits 1 "$call" run -q -n 2 --baseline old prog.c
has_text err 'the program failed with exit status 3'
printf 'int main(void) { return }\n' >old/prog.c
exits 1 "$call" run -q -n 2 --baseline old prog.c
gone prog.before.2.dat
finish
