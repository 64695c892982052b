#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call run with a program that is built already, and with a command that runs such programs.
. "$CLL_SOURCE/tests/call/setup.sh"
keep_going=no
program() { # NAME EXPERIMENT
    cat >"$1.c" <<END
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
volatile double sink;
int main(int argc, char **argv)
{
    for (int n = 1; n <= 8; n++) {
#pragma cll $2 $2[0] + $2[1]*n
        for (int i = 0; i < 1000 * n; i++)
            sink = i;
#pragma cll end $2
    }
    if (argc > 1 && argv[1][0] == '!')
        raise(SIGKILL);
    printf("$1 %s\n", argc > 1 ? argv[1] : "");
    return argc > 2 ? atoi(argv[2]) : 0;
}
END
    "$call" cc "$CC" -O1 "$1.c" -o "$1" || fail "call cc"
}
program first f
program second g

what='a program'
exits 0 "$call" run -n 2 ./first -- hello
has out '^first: 2 rounds; data in first.cll.0.dat ... first.cll.1.dat$'
has out '^f = f\[0\] + f\[1\]\*n '
is "$(grep -c '^first hello$' out)" 1 'its output is shown once'
is "$(column first.cll.1.dat run | sort -u)" 1 'the column run'
exits 0 "$call" run -q -n 1 first
has out 'data in first.cll.2.dat$'
exits 0 "$call" run -q -n 1 --report page.html --observe CPUTIME first
has page.html '<title>first'
has out '^f CPUTIME = '
exits 0 "$call" run -n 2 --live first
has err 'call run: round 1, .*: f\[0\] = '

what='options that are for sources'
for option in "--cc gcc" "-DX" "--cflags -O1" "--ldflags -lm" --keep; do
    # shellcheck disable=SC2086
    exits 2 "$call" run $option ./first
    has_text err '--cc, -I, -D, -U, --cflags, --ldflags and --keep are for sources, and this is built already'
done
exits 2 "$call" count ./first
has_text err 'call count: ./first is a program; give its sources'
exits 2 "$call" run ./first ./second
has_text err "./first is a program: give it alone; 'call run -- COMMAND' runs a command that runs several programs"
exits 1 "$call" run --procs 1,2 ./first
has_text err '--procs: ./first does not say that it is a parallel program'

what='a program that fails'
exits 1 "$call" run -q -n 2 ./first -- x 3
has_text err 'round 1: the program failed with exit status 3'
has out '^first: 1 round, which failed; data in'

what='a program without the run-time'
"$CC" -O1 first.c -o plain 2>/dev/null
exits 1 "$call" run ./plain
has_text err "call run: nothing was measured: ./plain is not built with call cc; build it with 'call cc gcc' in place of gcc, or with make CC=call-gcc"
what='an archive of the run-time tells it, too; no region is reached'
echo 'int main(void) { return 0; }
void f(int n) {
#pragma cll f f[0]*n
n++;
#pragma cll end f
}' >none.c
exits 0 "$call" cc "$CC" none.c -o none
exits 1 "$call" run ./none
has_text err 'the program wrote no data: no region was reached'
"$call" cc "$CC" -c first.c -o first.o && "$CC" $sanitize first.o "$CLL_BUILD/lib/libcll.a" -lpthread -o archived
exits 0 "$call" run -q -n 1 ./archived
has out '^archived: 1 round; data in archived.cll.0.dat$'

what='a script says nothing about itself, and is run'
printf '#!/bin/sh\nexec ./first "$@"\n' >script
chmod +x script
exits 0 "$call" run -q -n 1 ./script
has out '^script: 1 round; data in script.cll.0.dat$'

what='--baseline: a program, a folder that has one'
takes '1e-6*(1 + value("n"))*(1 + 0.02*noise(1))' # the same in both versions
mkdir old
cp first old/first
exits 0 "$call" run -q -n 4 --baseline old/first ./first
has out '^first: 4 rounds of both versions; data in first.before.dat and first.after.dat$'
exits 0 "$call" run -q -n 4 --baseline old first
has_text out 'data in first.before.1.dat and first.after.1.dat'
exits 2 "$call" run --baseline first.c ./first
has_text err 'first.c is not a program; name the old program, or a folder with a program of this name'

what='a command: several programs, one of them twice'
unset CLL_CLOCK
rm -f ./*.dat
cat >Makefile <<'END'
test:
	@./first one >/dev/null
	@cd old && ../second two
	@./first three >/dev/null
END
exits 0 "$call" run -n 2 --report page.html -- make -s test
is "$(ls ./*.dat)" './first.cll.0.dat
./first.cll.1.dat
./second.cll.0.dat
./second.cll.1.dat' 'the data files'
is "$(rows first.cll.0.dat f)" 16 'samples of both runs of a round'
is "$(rows second.cll.1.dat g)" 8 'samples of the other program'
has out '^first: 2 rounds; data in first.cll.0.dat ... first.cll.1.dat$'
has out '^second: 2 rounds; data in second.cll.0.dat ... second.cll.1.dat$'
is "$(grep -c '^second two$' out)" 1 'the output of the first round'
has out '^f = f\[0\]'
has out '^g = g\[0\]'
exists page.first.html
exists page.second.html
rm -f page*
exits 0 "$call" run -n 2 --live -- make -s test
has err 'first: f\[0\] = .*second: g\[0\] = '
has_text out 'data in first.cll.2.dat ... first.cll.3.dat'
has_text out 'to include the data measured here before: llac first.cll.[0-9]*.dat'
exits 0 "$call" run -q -n 1 --report page.html -- ./first
exists page.html

what='two programs of one name'
rm -f ./*.dat
mkdir other
sed 's/cll f f/cll h h/; s/f\[1\]/h[1]/; s/end f/end h/' first.c >other/first.c
"$call" cc "$CC" -O1 other/first.c -o other/first
exits 0 "$call" run -q -n 2 -- sh -c './first; other/first'
is "$(ls ./*.dat)" './first.2.cll.0.dat
./first.2.cll.1.dat
./first.cll.0.dat
./first.cll.1.dat' 'the data files'
has first.2.cll.0.dat '^h '
has out '^first.2: 2 rounds'

what='a program that is killed leaves its samples'
rm -f ./*.dat
exits 0 "$call" run -q -n 1 -- sh -c './second; ./first !; exit 0'
is "$(rows first.cll.0.dat f)" 8 'samples of the spool'

what='commands that fail, or measure nothing'
exits 1 "$call" run -q -n 3 -- sh -c './first; exit 5'
has_text err 'round 1: the command failed with exit status 5'
exits 1 "$call" run -- true
has_text err 'call run: nothing was measured: the command ran no program that is built with call cc'
exits 1 "$call" run -- ./no-such-command
has_text err 'cannot run ./no-such-command: No such file or directory'
exits 2 "$call" run --
has_text err 'no source given'
exits 2 "$call" run --baseline first -- make test
has_text err '--baseline compares two versions of one program: name the program, not a command'
for option in "--launcher x" --oversubscribe "--simulate x"; do
    # shellcheck disable=SC2086
    exits 2 "$call" run $option -- make test
    has_text err '--launcher, --oversubscribe and --simulate start one program: name the program, not a command. A command starts the processes itself: --procs 1,2,4 -- mpirun -n {P} ./program'
done
exits 2 "$call" run --cc gcc -- make test
has_text err 'are for sources, and this is built already'
CLL_OUT=x exits 0 "$call" run -q -n 1 -- ./first
has_text err 'CLL_OUT is not used here: the data goes to ./PROGRAM.cll.N.dat'

what='an OpenMP program: its notes have the numbers of processors'
echo 'int main(void) { return 0; }' >omp.c
if "$CC" -fopenmp omp.c -o omp 2>/dev/null; then
    sed 's/^volatile.*/&\n#pragma cll parallel OpenMP procs = 1:2:2/' first.c >omp.c
    "$call" cc "$CC" -fopenmp -O1 omp.c -o omp
    exits 0 "$call" run -q -n 1 --oversubscribe ./omp
    has out '^omp: 1 round with P = 1 2; data in omp.cll.p'
    strip omp
    exits 0 "$call" run -q -n 1 --procs 1 ./omp
    has out '^omp: 1 round with P = 1; data in omp.cll.p1.r2.dat$'
    exits 0 "$call" run -q -n 1 --oversubscribe --baseline omp ./omp
    has_text out 'omp: 1 round of both versions'
fi
finish
