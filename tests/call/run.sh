#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `call run`: rounds, data files, failing programs, interruption. Nothing here depends on how long anything takes.
. "$(dirname "$0")/lib.sh"
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
rows() { grep -c '^f ' "$1"; }

check "-n 2" status $good "$call" run --cc "$CC" -n 2 prog.c -- one
check "the program's output once" eval '[ "$(grep -c "argument one" out)" = 1 ]'
check "the summary" holds 'prog: 2 rounds' out
check "a data file per round" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 2 ]'
check "the first" eval '[ "$(rows prog.cll.0.dat)" = 35 ]'
check "the run column counts" eval '[ "$(awk "/^f / { print \$2; exit }" prog.cll.1.dat)" = 1 ]'
check "nothing but the data is left" eval '[ "$(ls | grep -c "^prog")" = 3 ]'
check "no progress line in a pipe" lacks 'round 1' err
[ $has_llac = yes ] && check "the fit" holds 'f\[1\]' out
check "again: numbers go on" status $good "$call" run --cc "$CC" -n 1 -q prog.c
check "the third" test -s prog.cll.2.dat
check "--quiet" lacks 'argument' out
rm -f ./*.dat
check "until steady" status $good "$call" run --cc "$CC" -q prog.c
check "three to twelve rounds" eval 'n=$(ls prog.cll.*.dat | wc -l); [ $n -ge 3 ] && [ $n -le 12 ]'
check "steady or not is said" holds 'steady' out
rm -f ./*.dat
mkdir data
check "--outdir and --keep" status $good "$call" run --cc "$CC" -n 1 --outdir data --keep prog.c
check "the data is there" test -s data/prog.cll.0.dat
check "the intermediate files are there" test -s data/prog.call/prog.cll.c -a -s data/prog.call/prog.cll.h -a -x data/prog.call/prog
echo "a line" >input
check "a file as input is read in every round" eval \
    '"$call" run --cc "$CC" -n 2 prog.c -- must-read <input >out 2>err; [ $? = '$good' ]'
check "it was read" holds 'read a line' out
check "in both rounds" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 2 ]'
rm -f ./*.dat
check "--cflags and --ldflags" status $good "$call" run --cc "$CC" --cflags='-O1 -DX="a b"' --ldflags -lm -n 1 -q prog.c
check "the flags are recorded" holds '^# flags: -O1 -DX=a b' prog.cll.0.dat
rm -f ./*.dat

check "a program that fails" status 1 "$call" run --cc "$CC" -n 3 prog.c -- fail
check "says so" holds 'round 1: the program failed with exit status 3' err
check "the summary says so, too" holds 'prog: 1 round, the last one failed; data' out
check "its data is kept, once" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 1 ]'
rm -f ./*.dat
check "a program that crashes" status 1 "$call" run --cc "$CC" -n 3 prog.c -- crash
check "says by what" holds 'signal 6' err
check "its spool is converted" eval '[ "$(rows prog.cll.0.dat)" = 35 ]'
rm -f ./*.dat
env --default-signal=INT "$call" run --cc "$CC" prog.c -- wait >out 2>err </dev/null & pid=$!
for _ in $(seq 200); do [ -e waiting ] && break; sleep 0.05; done
kill -INT $pid
wait $pid
check "interrupted" test $? = 130
check "what was measured is kept" eval '[ "$(rows prog.cll.0.dat)" = 35 ]'
check "the summary says interrupted" holds 'prog: 1 round, the last one interrupted; data' out
check "and not steady" lacks steady out
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
check "reaches every round" eval '[ "$(rows reads.cll.0.dat) $(rows reads.cll.1.dat) $(rows reads.cll.2.dat)" = "11 11 11" ]'
check "no round is without a sample" lacks 'without a sample' out
rm -f ./*.dat
check "long input from a pipe" eval '{ cat numbers; echo x; head -c 3000000 /dev/zero; } | "$call" run --cc "$CC" -n 2 -q reads.c >out 2>err; [ $? = '$good' ]'
check "reaches every round too" eval '[ "$(rows reads.cll.0.dat) $(rows reads.cll.1.dat)" = "11 11" ]'
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
    'timeout 60 "$call" run --cc "$CC" -n 3 -q once.c >out 2>err <open-pipe; [ $? = '$good' ]'
kill $pid
wait $pid 2>/dev/null
check "rounds without a sample are counted" holds 'once: 3 rounds, 2 of them without a sample; data in once.cll.0.dat$' out
check "one round is not steady" holds 'not known to be steady' out
rm -f ./*.dat once

check "CLL_OUT is not used" status $good env CLL_OUT=elsewhere.dat "$call" run --cc "$CC" -n 1 -q prog.c
check "which is said once" eval '[ "$(grep -c "CLL_OUT is not used" err)" = 1 ]'
check "the data is where it always is" test -s prog.cll.0.dat -a ! -e elsewhere.dat
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
check "a formula that cannot be fitted" status 1 "$call" run --cc "$CC" -n 1 -q unfit.c
if [ $has_llac = yes ]; then
    check "has its reason said" holds 'the formula of bad has no value' err
    check "it is counted" holds '1 of 2 formulas could not be fitted' err
    check "the others are fitted" holds 'fine\[1\]' out
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
check "the counter in the other" holds 'page-faults' counters.cll.1.dat
rm -f ./*.dat

cat >nothing.c <<'END'
int main(void)
{
    return 0;
}
END
check "no data" status 1 "$call" run --cc "$CC" -n 1 nothing.c
check "says so" holds 'no source has cll pragmas' err
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
check "no data" status 1 "$call" run --cc "$CC" -n 1 unreached.c
check "says so" holds 'no region was reached' err
# A name that looks like an option of llac reaches it as a file.
for name in -e -f --help; do
    cp prog.c ./$name.c
    check "$name.c" status $good "$call" run --cc "$CC" -n 1 ./$name.c
    [ $has_llac = no ] || check "$name is fitted" holds 'f = f\[0\] + f\[1\]\*N' out
    mkdir -p ./-folder
    check "a folder -folder" status $good "$call" run --cc "$CC" -n 1 --keep --outdir=-folder ./$name.c
    [ $has_llac = no ] || check "$name in -folder is fitted" holds 'f = f\[0\] + f\[1\]\*N' out
    check "$name data in -folder" test -s ./-folder/$name.cll.0.dat
done
printf 'int main(void) { return x; }\n' >broken.c
check "a source that does not compile" status 1 "$call" run --cc "$CC" broken.c
check "the compiler says why" holds 'broken.c:1:25: error' err
printf 'int main(void) {\n#pragma cll f f[\n}\n' >broken2.c
check "a pragma that does not parse" status 1 "$call" run --cc "$CC" broken2.c
check "call says why" holds 'broken2.c:2:' err
check "no source" status 2 "$call" run
check "no such option" status 2 "$call" run --check prog.c
check "rounds must be a number" status 2 "$call" run -n many prog.c
check "rounds from 1 on" status 2 "$call" run -n 0 prog.c
check "no such folder" status 2 "$call" run --outdir nowhere prog.c
check "--version" status 0 "$call" run --version
finish
