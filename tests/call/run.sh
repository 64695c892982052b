#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `call run`: rounds, data files, failing programs, interruption. Nothing here depends on how long anything takes.
. "$CLL_SOURCE/tests/call/setup.sh"
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
volatile double sink;
int main(int argc, char **argv)
{
    char line[80];
    double s = 0;
    for (int N = 1000; N <= 64000; N *= 2)
        for (int k = 0; k < 5; k++) {
#pragma cll f f[0] + f[1]*N
            for (int i = 0; i < N; i++)
                sink = s += i * 0.5;
#pragma cll end f
        }
    printf("argument %s\n", argc > 1 ? argv[1] : "none");
    if (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    else if (argc > 1 && !strcmp(argv[1], "must-read"))
        return 9;
    if (argc > 1 && !strcmp(argv[1], "fail"))
        return 3;
    if (argc > 1 && !strcmp(argv[1], "crash"))
        abort();
    if (argc > 1 && !strcmp(argv[1], "wait")) {
        FILE *f = fopen("waiting", "w");
        fclose(f);
        for (;;)
            sink = 1;
    }
    return 0;
}
END
has_llac=no
[ -x "$CLL_BIN/llac" ] && has_llac=yes
good=1
[ $has_llac = yes ] && good=0

check "-n 2" exits $good "$call" run --cc "$CC" -n 2 prog.c -- one
check "the program's output once" eval '[ "$(grep -c "argument one" out)" = 1 ]'
check "the summary" has out 'prog: 2 rounds'
check "a data file per round" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 2 ]'
check "the first" eval '[ "$(rows prog.cll.0.dat f)" = 35 ]'
check "the run column counts" eval '[ "$(awk "/^f / { print \$2; exit }" prog.cll.1.dat)" = 1 ]'
check "nothing but the data is left" eval '[ "$(ls | grep -c "^prog")" = 3 ]'
check "no progress line in a pipe" lacks err 'round 1'
[ $has_llac = yes ] && check "the fit" has out 'f\[1\]'
check "again: numbers go on" exits $good "$call" run --cc "$CC" -n 1 -q prog.c
check "the third" test -s prog.cll.2.dat
check "--quiet" lacks out 'argument'
rm -f ./*.dat
check "--observe CPUTIME" exits $good "$call" run --cc "$CC" -n 2 -q --observe CPUTIME prog.c
check "it is measured for all samples" eval '[ "$(column prog.cll.0.dat CPUTIME | grep -vc nan)" = 35 ]'
check "with the formula of CLOCK" has prog.cll.0.dat '^# formula: f CPUTIME f\[0\] + f\[1\]\*N$'
[ $has_llac = yes ] && check "CPUTIME is fitted" has out '^f CPUTIME = '
[ $has_llac = yes ] && check "and CLOCK is not" lacks out '^f = '
check "--observe with something else" exits 2 "$call" run --observe cycles prog.c
check "is refused" has err "'cycles' is not CPUTIME; --counters NAMES measures counters"
check "--observe with --simulate" exits 2 "$call" run --observe CPUTIME --simulate x.xml prog.c
check "is refused, too" has err 'a simulated program has only its simulated clock'
rm -f ./*.dat
if [ $has_llac = yes ]; then
    check "--report" exits 0 "$call" run --cc "$CC" -n 2 -q --report "a page.html" prog.c
    check "the page" has 'a page.html' '^<!DOCTYPE html>'
    check "is named" has out "written to a page.html"
    mkdir alone
    cp "$call" alone/call
    check "--report with an ending alone" exits 2 "$call" run --cc "$CC" --report .html prog.c
    check "--report without llac" exits 1 alone/call run --cc "$CC" -n 1 --report page.html prog.c
    check "says so" has err 'llac, which is not in the folder of call: install it there, or leave out --report'
    rm -rf alone 'a page.html'
fi
check "--report with another ending" exits 2 "$call" run --report page.pdf prog.c
check "says what it must be" has err "the name 'page.pdf' must end in .html"
check "--report in a folder that is not there" exits 2 "$call" run --report nowhere/page.html prog.c
check "names the folder" has err "cannot write into the folder 'nowhere/'"
rm -f ./*.dat
mkdir data
check "--outdir and --keep" exits $good "$call" run --cc "$CC" -n 1 --outdir data --keep prog.c
check "the data is there" test -s data/prog.cll.0.dat
check "the intermediate files are there" test -s data/prog.call/prog.cll.c -a -s data/prog.call/prog.cll.h -a -x data/prog.call/prog
echo "a line" >input
check "a file as input is read in every round" eval \
    '"$call" run --cc "$CC" -n 2 prog.c -- must-read <input >out 2>err; [ $? = '$good' ]'
check "it was read" has out 'read a line'
check "in both rounds" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 2 ]'
rm -f ./*.dat
check "--cflags and --ldflags" exits $good "$call" run --cc "$CC" --cflags='-O1 -DX="a b"' --ldflags -lm -n 1 -q prog.c
check "the flags are recorded" has prog.cll.0.dat '^# flags: -O1 -DX=a b'
rm -f ./*.dat

check "a program that fails" exits 1 "$call" run --cc "$CC" -n 3 prog.c -- fail
check "says so" has err 'round 1: the program failed with exit status 3'
check "the summary says so, too" has out 'prog: 1 round, which failed; data'
check "its data is kept, once" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 1 ]'
rm -f ./*.dat
check "a program that crashes" exits 1 "$call" run --cc "$CC" -n 3 prog.c -- crash
check "says by what" has err 'signal 6'
check "its spool is converted" eval '[ "$(rows prog.cll.0.dat f)" = 35 ]'
rm -f ./*.dat
env --default-signal=INT "$call" run --cc "$CC" prog.c -- wait >out 2>err </dev/null & pid=$!
appears waiting
kill -INT $pid
wait $pid
check "interrupted" test $? = 130
check "what was measured is kept" eval '[ "$(rows prog.cll.0.dat f)" = 35 ]'
check "the summary says interrupted" has out 'prog: 1 round, which was interrupted; data'
check "and not steady" lacks out steady
rm -f ./*.dat

cat >reads.c <<'END'
#include <stdio.h>
volatile double sink;
int main(void)
{
    int n, c;
    while (scanf("%d", &n) == 1) {
#pragma cll f f[0] + f[1]*n
        for (int i = 0; i < n; i++)
            sink = i;
#pragma cll end f
    }
    while ((c = getchar()) != EOF)
        sink = c;
    return 0;
}
END
seq 2000 1000 12000 >numbers
check "input from a pipe" eval 'cat numbers | "$call" run --cc "$CC" -n 3 -q reads.c >out 2>err; [ $? = '$good' ]'
check "reaches every round" eval '[ "$(rows reads.cll.0.dat f) $(rows reads.cll.1.dat f) $(rows reads.cll.2.dat f)" = "11 11 11" ]'
check "no round is without a sample" lacks out 'without a sample'
rm -f ./*.dat
check "long input from a pipe" eval '{ cat numbers; echo x; head -c 3000000 /dev/zero; } | "$call" run --cc "$CC" -n 2 -q reads.c >out 2>err; [ $? = '$good' ]'
check "reaches every round too" eval '[ "$(rows reads.cll.0.dat f) $(rows reads.cll.1.dat f)" = "11 11" ]'
rm -f ./*.dat
cat >once.c <<'END'
#include <stdio.h>
volatile double sink;
int main(void)
{
    FILE *f = fopen("once", "r");
    if (f)
        return 0;
    fclose(fopen("once", "w"));
    for (int n = 4000; n < 40000; n += 4000) {
#pragma cll f f[0] + f[1]*n
        for (int i = 0; i < n; i++)
            sink = i;
#pragma cll end f
    }
    return 0;
}
END
mkfifo open-pipe
sleep 100 >open-pipe & pid=$!
check "a program that reads nothing does not wait for a pipe that stays open" eval \
    'timeout 300 "$call" run --cc "$CC" -n 3 -q once.c >out 2>err <open-pipe; [ $? = '$good' ]'
kill $pid
wait $pid 2>/dev/null
check "rounds without a sample are counted" has out 'once: 3 rounds, 2 of them without a sample; data in once.cll.0.dat$'
check "one round is not steady" has out 'not known to be steady'
rm -f ./*.dat once

check "CLL_OUT is not used" exits $good env CLL_OUT=elsewhere.dat "$call" run --cc "$CC" -n 1 -q prog.c
check "which is said once" eval '[ "$(grep -c "CLL_OUT is not used" err)" = 1 ]'
check "the data is where it always is" test -s prog.cll.0.dat -a ! -e elsewhere.dat
rm -f ./*.dat

cat >killed.c <<'END'
#include <signal.h>
int main(void)
{
    int N = 1;
#pragma cll f f[0] + f[1]*N
    raise(SIGKILL);
#pragma cll end f
    return 0;
}
END
check "a program that is killed in its only region" exits 1 "$call" run --cc "$CC" -n 3 killed.c
check "its round is named" has out '^killed: 1 round without a sample, which failed; data in'
if [ $has_llac = yes ]; then
    check "the reason, without a place in the command of call run" has err '^error: f has no samples: .*the program was killed inside it'
fi
rm -f ./*.dat

cat >unfit.c <<'END'
volatile double sink;
int main(void)
{
    for (int n = 1; n <= 4096; n *= 2) {
#pragma cll bad bad[0] + bad[1]*log(n - 1)
        sink = n;
#pragma cll end bad
#pragma cll fine fine[0] + fine[1]*n
        for (int i = 0; i < n; i++)
            sink = i;
#pragma cll end fine
    }
    return 0;
}
END
check "a formula that cannot be fitted" exits 1 "$call" run --cc "$CC" -n 1 -q unfit.c
if [ $has_llac = yes ]; then
    check "has its reason said" has out 'no model: bad: the formula of bad has no value'
    check "it is counted" has err '1 of 2 formulas could not be fitted'
    check "the others are fitted" has out 'fine\[1\]'
fi
rm -f ./*.dat

cat >counters.c <<'END'
#include <stdlib.h>
volatile char *volatile p;
int main(void)
{
    for (int n = 1; n <= 16; n *= 2) {
#pragma cll g CLOCK = g[0]*n; page-faults = g[0] + g[1]*n
        p = malloc((size_t)n << 16);
        for (int i = 0; i < n << 16; i += 4096)
            p[i] = 1;
        free((void *)p);
#pragma cll end g
    }
    return 0;
}
END
"$call" run --cc "$CC" -n 1 -q counters.c >out 2>err
check "counters have a round of their own" eval '[ "$(ls counters.cll.*.dat | wc -l)" = 2 ]'
check "time in one" eval 'grep "^g " counters.cll.0.dat | grep -qv " nan$" || grep "^experiment" counters.cll.0.dat | grep -q CLOCK'
check "the counter in the other" has counters.cll.1.dat 'page-faults'
rm -f ./*.dat
sed -i 's/; page-faults = .*//' counters.c
"$call" run --cc "$CC" -n 1 -q --counters page-faults,minor-faults counters.c >out 2>err
check "counters that no formula names" eval '[ "$(ls counters.cll.*.dat | wc -l)" = 2 ]'
check "the clock in the first" lacks counters.cll.0.dat 'page-faults'
check "the counters in the second" has counters.cll.1.dat '^experiment .* page-faults minor-faults'
rm -f ./*.dat
"$call" run --counters auto --baseline counters.c counters.c >out 2>err
check "counters of two versions are refused" has err '^call run: --counters: two versions are compared by their times'

cat >nothing.c <<'END'
int main(void)
{
    return 0;
}
END
check "no data" exits 1 "$call" run --cc "$CC" -n 1 nothing.c
check "says so" has err 'no source has cll pragmas'
cat >unreached.c <<'END'
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1000) {
#pragma cll f f[0]
        argc++;
#pragma cll end f
    }
    return 0;
}
END
check "no data" exits 1 "$call" run --cc "$CC" -n 1 unreached.c
check "says so" has err 'no region was reached'
# A name that looks like an option of llac reaches it as a file.
for name in -e -f --help; do
    cp prog.c ./$name.c
    check "$name.c" exits $good "$call" run --cc "$CC" -n 1 ./$name.c
    [ $has_llac = no ] || check "$name is fitted" has out 'f = f\[0\] + f\[1\]\*N'
    mkdir -p ./-folder
    check "a folder -folder" exits $good "$call" run --cc "$CC" -n 1 --keep --outdir=-folder ./$name.c
    [ $has_llac = no ] || check "$name in -folder is fitted" has out 'f = f\[0\] + f\[1\]\*N'
    check "$name data in -folder" test -s ./-folder/$name.cll.0.dat
done
printf 'int main(void) { return x; }\n' >broken.c
check "a source that does not compile" exits 1 "$call" run --cc "$CC" broken.c
check "the compiler says why" has err 'broken.c:1:25: error'
printf 'int main(void) {\n#pragma cll f f[\n}\n' >broken2.c
check "a pragma that does not parse" exits 1 "$call" run --cc "$CC" broken2.c
check "call says why" has err 'broken2.c:2:'
mkdir -p folder.c
check "sources that cannot be read" exits 1 "$call" run --cc "$CC" nowhere.c prog.c folder.c
check "are named, as call does" eval 'printf "call run: cannot read %s\n" "nowhere.c: No such file or directory" "folder.c: Is a directory" | cmp - err'
check "arguments of the program without --" exits 1 "$call" run --cc "$CC" prog.c 1024
check "are told from sources" eval 'printf "call run: cannot read 1024: No such file or directory; the arguments of the program come after %s\n" "'"'--'"'" | cmp - err'
check "no source" exits 2 "$call" run
check "no such option" exits 2 "$call" run --check prog.c
check "rounds must be a number" exits 2 "$call" run -n many prog.c
check "rounds from 1 on" exits 2 "$call" run -n 0 prog.c
check "--time is a time" exits 2 "$call" run --time soon prog.c
check "the message names the option" has_text err "--time: 'soon' is not a time; write 30s, 10m or 2h"
check "--until is a percentage" exits 2 "$call" run --until -2% prog.c
check "the message names the option" has_text err "--until: '-2%' is not a percentage; write 2%"
check "no such folder" exits 2 "$call" run --outdir nowhere prog.c
check "--version" exits 0 "$call" run --version
finish
