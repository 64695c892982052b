#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call run --vary: the program at several sizes of its command line, which are variables. The times are computed.
. "$CLL_SOURCE/tests/call/setup.sh"
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    FILE *log = fopen("log", "a");
    int size = atoi(argv[1]);
    for (int i = 1; i < argc; i++)
        fprintf(log, "<%s>", argv[i]);
    fprintf(log, "\n");
    fclose(log);
    if (size == 13)
        return 3;
    if (size == 17)
        return 0;
    for (int k = 0; k < 3; k++) {
#pragma cll f(setting n) f[0] + f[1]*n
        size++;
#pragma cll end f
    }
    return 0;
}
END
takes '(1 + value("n"))*1e-6*(1 + 0.02*noise(1))'

what='sizes are variables, and replace their marks'
exits 0 "$call" run -n 3 --vary n=36,10,16:24:+8 prog.c -- '{n}' 'a {n}' '{m}' '$(touch pwned)'
has out '^prog: 3 rounds at 4 places; data in prog.cll.0.dat ... prog.cll.11.dat$'
has out 'f = f\[0\] + f\[1\]\*n  *4 points'
has out "llac -e 'predict f n=72'"
is "$(sort log | uniq -c | tr -s ' ')" ' 3 <10><a 10><{m}><$(touch pwned)>
 3 <16><a 16><{m}><$(touch pwned)>
 3 <24><a 24><{m}><$(touch pwned)>
 3 <36><a 36><{m}><$(touch pwned)>' arguments
gone pwned
is "$(grep -h '^# setting' ./*.dat | sort | uniq -c | tr -s ' ')" ' 3 # setting: n 10
 3 # setting: n 16
 3 # setting: n 24
 3 # setting: n 36' settings
is "$(for i in 0 1 2 3; do sed -n '/^f /{s/f \([0-9]*\) .*/\1/p;q;}' prog.cll.$i.dat; done | sort -u)" 0 "the round of the first runs"
is "$(split -l 4 --filter='sort | md5sum' log | sort -u | wc -l)" 1 "each round visits all sizes"
[ "$(split -l 4 --filter='md5sum' log | sort -u | wc -l)" -gt 1 ] || fail "all rounds have the same order"

what='a setting that equals a variable of the program, and is in no formula, need not be given'
sed 's/cll f(setting n) f\[0\] + f\[1\]\*n/cll f(s = given) f[0] + f[1]*s/; s/int size =/int given = atoi(argv[1]), size =/' prog.c >both.c
exits 0 "$call" run -n 1 --vary n=10,16,24 both.c -- '{n}'
has out "llac -e 'predict f s=48' "
rm -f both.cll.*
what='nor if the variable is another number'
sed -i 's/given = atoi(argv\[1\])/given = 3*atoi(argv[1]) + 1/' both.c
exits 0 "$call" run -n 1 --vary n=10,16,24 both.c -- '{n}'
has out "llac -e 'predict f s=146' "
rm -f both.cll.*

what='several sizes, and settings of the user'
rm -f ./*.dat log
exits 0 env CLL_SETTINGS=k=5 "$call" run -q -n 1 --vary n=1,2 --vary m=3,4 prog.c -- '{n}' '{m}{n}'
is "$(sort log | tr '\n' ' ')" '<1><31> <1><41> <2><32> <2><42> ' arguments
is "$(grep '^# setting' prog.cll.0.dat | wc -l)" 3 settings
has out '^prog: 1 round at 4 places'
"$llac" ./*.dat -e 'show f' >shown
has shown 'over k, n, m'

what='a size at which the program fails is dropped, and the others are kept'
rm -f ./*.dat log
exits 1 "$call" run -n 2 --vary n=10,13,17,24,36 prog.c -- '{n}'
has_text err 'call run: round 1, n = 13: the program failed with exit status 3'
has_text err 'call run: round 1, n = 17: nothing was measured: no region was reached'
has_text out 'prog: 2 rounds at 5 places, failed at n = 13; n = 17; data in'
has out 'f = f\[0\] + f\[1\]\*n  *3 points'
is "$(grep -c 13 log)$(grep -c 17 log)$(grep -c 10 log)" 112 "runs"

what='a built program'
rm -f ./*.dat log
# shellcheck disable=SC2086
exits 0 "$call" cc gcc $sanitize -O1 prog.c -o prog
exits 0 "$call" run -q -n 2 --vary n=10,20,40 prog -- '{n}'
has out '^prog: 2 rounds at 3 places; data in prog.cll.0.dat'

what='a command'
rm -f ./*.dat log
exits 0 "$call" run -q -n 2 --vary n=10,20,40 -- sh -c './prog {n}; ./prog {n} again'
has out '^prog: 2 rounds at 3 places; data in prog.cll.0.dat ... prog.cll.5.dat$'
is "$(sort log | uniq -c | tr -s ' ' | tr '\n' ,)" ' 2 <10>, 2 <10><again>, 2 <20>, 2 <20><again>, 2 <40>, 2 <40><again>,' runs
"$llac" ./*.dat -e 'show f' >shown
has shown '36 samples   over n'
rm -f ./*.dat
exits 1 "$call" run -q -n 1 --vary n=10,20 -- sh -c 'exit {n}'
has_text err 'call run: round 1, n = 20: the command failed with exit status 20'
gone ./*.dat

what='verify'
rm -f ./*.dat
exits 0 "$call" run -q -n 2 --vary n=10,20,40,80 prog.c -- '{n}'
mkdir -p model
mv ./*.dat model
exits 0 "$call" run -q -n 2 --verify model --at n=160 --vary n=160,320 prog.c -- '{n}'
has_text out 'f: predicted by model, and measured now'
has out '^ *160 '
lacks out '^ *320 '

what='baseline'
rm -f ./*.dat
sed 's/size++/size += 2/' prog.c >old.c
exits 0 "$call" run -q -n 3 --baseline old.c --vary n=10,20,40 prog.c -- '{n}'
has out '^prog: 3 rounds of both versions; data in prog.before.dat and prog.after.dat$'
has prog.before.dat '^# variables: f n$'
has out '^  at n='

what='what is refused'
rm -f ./*.dat log
while IFS='|' read -r options message; do
    # shellcheck disable=SC2086
    exits 2 "$call" run $options prog.c -- '{n}'
    has_text err "$message"
done <<'END'
--vary n|call run: --vary: 'n' is not NAME=RANGE; write n=100:1600:2; see 'call run --help'
--vary n.m=3|call run: --vary: 'n.m=3' is not NAME=RANGE
--vary P=3|call run: --vary: 'P=3' names P; --procs gives the numbers of processors
--vary n=3 --vary n=4|call run: --vary: 'n=4' names a variable twice
--vary n=1.5|call run: --vary: 'n=1.5' has the size 1.5, which is no whole number from 0 to 1e12
--vary n=100:10|call run: --vary: 'n=100:10' has the size 12.5, which is no whole number from 0 to 1e12
--vary n=|error:
--vary n=1:300:+1|call run: --vary asks for 300 runs, at most 200 are made; give fewer sizes
--vary m=3|call run: {m} is nowhere in the command: write it after '--' where the program takes m, as in '-- {m}'
END
exits 0 "$call" run -n 1 --vary n=10 prog.c -- '{n}' 'rows={m}' '{ m }'
has_text err "call run: the program gets 'rows={m}' as it is: --vary gives no sizes for {m}"
lacks err '{ m }'
has log '^<10><rows={m}><{ m }>$'
rm -f ./*.dat log
what='a command that starts processes'
"$call" cc $CC -O1 prog.c -o prog
exits 0 "$call" run -n 2 --procs 1,2 --vary n=10,20 -- ./prog '{n}' 'P={P}'
has out '^prog: 2 rounds at 4 places; data in prog.cll.0.dat ... prog.cll.7.dat$'
is "$(sort log | uniq -c | tr -s ' ')" ' 2 <10><P=1>
 2 <10><P=2>
 2 <20><P=1>
 2 <20><P=2>' arguments
is "$(grep -h '^# setting' ./*.dat | sort | uniq -c | tr -s ' ')" ' 4 # setting: n 10
 4 # setting: n 20' 'P is no setting'
rm -f log ./*.dat
exits 0 "$call" run -n 1 --procs 1:4:2 -- ./prog 10 '{P}'
is "$(sort log)" '<10><1>
<10><2>
<10><4>' 'numbers of processors alone'
lacks prog.cll.0.dat '^# setting'
rm -f log ./*.dat
exits 2 "$call" run --procs 1,2 -- ./prog 10
has_text err "call run: {P} is nowhere in the command: write it after '--' where the program takes P, as in '-- {P}'"
exits 2 "$call" run --procs x -- ./prog 10 '{P}'
has_text err error
gone log ./*.dat

# in no time that grows with the square of the sizes
exits 2 sh -c 'ulimit -t 5; exec "$@"' sh "$call" run --vary n=1:100000:+1 prog.c -- '{n}'
has_text err 'call run: --vary asks for 100000 runs, at most 200 are made; give fewer sizes'
exits 2 sh -c 'ulimit -t 5; exec "$@"' sh "$call" run --vary n=1:1000:+1 --vary m=1:1000:+1 prog.c -- '{n}' '{m}'
has_text err 'call run: --vary asks for 2003 runs, at most 200 are made; give fewer sizes'
exits 2 env CLL_SETTINGS='m=3 n=4' "$call" run --vary n=3 prog.c -- '{n}'
has_text err "call run: --vary: the environment variable CLL_SETTINGS also has n; take it out there"
gone log ./*.dat
finish
