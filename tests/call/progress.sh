#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `call run` shows: the bar on a terminal, lines in a pipe, --live, and what it prints at the end. The times of the
# regions are computed; they sleep, so that there is time to draw.
. "$CLL_SOURCE/tests/call/setup.sh"
need python3
terminal=$CLL_SOURCE/tests/harness/terminal.py
cat >prog.c <<'END'
#include <stdio.h>
#include <time.h>
int main(void)
{
    for (int N = 1; N <= 4; N++)
        for (int k = 0; k < 3; k++) {
#pragma cll f f[0] + f[1]*N
            nanosleep(&(struct timespec){0, 10000000L * N}, NULL);
#pragma cll end f
        }
    puts("said by the program");
    return 0;
}
END
takes '0.01*N*(1 + 0.02*noise(1))'
# on_terminal COMMAND...: what it writes to the terminal is in screen, with a line for each drawing of the bar
on_terminal() {
    env TERM=xterm "$terminal" --size 40x100 -- "$@" >raw 2>err
    status=$?
    [ $status != 77 ] || skip 'there are no pseudo-terminals here'
    tr '\r' '\n' <raw | sed 's/\x1b\[K//' >screen
}

check "a bar on a terminal" eval 'on_terminal "$call" run --cc "$CC" -n 4 prog.c; [ $status = 0 ]'
check "the program's output comes before it" eval '[ "$(grep -n "said by the program" screen | cut -d: -f1)" -lt "$(grep -n "\[##*-*\]" screen | head -1 | cut -d: -f1)" ]'
check "with the part, the time left and the round" eval 'grep -Eq "^\[#{5}-{15}\] 25 %, about [0-9]+ s left, round 2 of 4$" screen'
check "round after round" eval 'grep -Eq "^\[#{15}-{5}\] 75 %, about [0-9]+ s left, round 4 of 4$" screen'
check "it is drawn again while the program runs" eval '[ "$(grep -c "round 2 of 4" screen)" -ge 2 ]'
check "and grows" eval 'grep "round 2 of 4" screen | grep -Evq " 25 %"'
check "not in the first round" lacks screen 'round 1 of 4'
check "it is gone at the end" eval 'grep -A1 "round 4 of 4" screen | tail -1 | grep -q "^prog: 4 rounds\|^$"'
check "with a time" eval 'rm -f *.dat; on_terminal "$call" run --cc "$CC" --time 5s prog.c; [ $status = 0 ]'
check "the time that is left" eval 'grep -Eq "^\[#+-*\] [0-9]+ %, about [1-5] s left, round [0-9]+$" screen'
check "until the values are steady" eval 'rm -f *.dat; on_terminal "$call" run --cc "$CC" --until 50% --time 6s prog.c; [ $status = 0 ]'
check "says at most, as long as it does not know" eval 'grep -Eq ", at most [1-6] s left, round 2$" screen'
check "no bar with --quiet" eval 'rm -f *.dat; on_terminal "$call" run --cc "$CC" -q -n 3 prog.c; [ $status = 0 ]'
check "at all" lacks screen '\[#'
check "a dumb terminal" eval 'rm -f *.dat; TERM=dumb "$terminal" -- "$call" run --cc "$CC" -n 3 prog.c >raw 2>err; ! grep -q "\[#" raw'

# ---- a sweep over numbers of processors
sed '1i #pragma cll parallel OpenMP procs = 1,2' prog.c >sweep.c
check "a sweep" eval 'on_terminal "$call" run --cc "$CC" --procs 1,2 -n 3 sweep.c; [ $status = 0 ]'
check "the bar counts the runs" eval 'grep -Eq "^\[#{10}-{10}\] 50 %, about [0-9]+ s left, round 2 of 3, P = [12]$" screen'
check "to the last" eval 'grep -Eq " 83 %, about [0-9]+ s left, round 3 of 3, P = [12]$" screen'

# ---- sizes of the command line
check "sizes" eval 'rm -f *.dat; on_terminal "$call" run --cc "$CC" --vary n=7,8 -n 2 prog.c -- {n}; [ $status = 0 ]'
check "the bar names the size" eval 'grep -Eq " 50 %, about [0-9]+ s left, round 2 of 2, n = [78]$" screen'
check "and counts the runs" eval 'grep -Eq " 75 %, about [0-9]+ s left, round 2 of 2, n = [78]$" screen'

# ---- the end
rm -f ./*.dat
check "in a pipe" exits 0 "$call" run --cc "$CC" -n 3 prog.c
check "there is nothing on stderr" eval '! grep -v "the times are computed" err'
check "the constants" has out '^  f\[1\] '
check "a small plot" has out '^  CLOCK of f (s)$'
check "its points" eval '[ "$(grep "|" out | grep -o o | wc -l)" = 4 ]'
check "what comes next" eval 'printf "%s\n" "next:" "  llac -e '"'predict f N=8'"' prog.cll.[0-9]*.dat" "  llac -e '"'plot f to f.svg'"' prog.cll.[0-9]*.dat" "  llac prog.cll.[0-9]*.dat    ('"'help'"' lists the commands)" >expected; grep -A3 "^next:" out | cmp - expected'
check "the first of these commands works" eval 'PATH=$CLL_BIN:$PATH; eval "$(sed -n "s/^  \(llac -e .predict.*\)/\1/p" out)" | grep -q typical'
# after a change of the program the older data are of other code: the commands name the data of this run alone
next_files() { rm -f ./*.dat; for number in $(seq 0 "$1"); do : >"prog.cll.$number.dat"; done; exits 0 "$call" run --cc "$CC" -n "$2" prog.c; grep '^  llac prog' out; }
check "the data of this run" eval 'next_files 7 5 | grep -q "^  llac prog.cll.\[8-9\].dat prog.cll.1\[0-2\].dat    ("'
check "with more digits" eval 'next_files 94 8 | grep -q "^  llac prog.cll.9\[5-9\].dat prog.cll.10\[0-2\].dat    ("'
check "tens of them" eval 'next_files 18 15 | grep -q "^  llac prog.cll.19.dat prog.cll.2\[0-9\].dat prog.cll.3\[0-3\].dat    ("'
rm -f ./*.dat
check "measured before" exits 0 "$call" run --cc "$CC" -n 3 prog.c
check "and changed" eval 'cp prog.c kept.c; echo "int more;" >>prog.c; exits 0 "$call" run --cc "$CC" -n 3 prog.c; mv kept.c prog.c'
check "the command for this run works" eval 'PATH=$CLL_BIN:$PATH; eval "$(sed -n "s/^  \(llac -e .predict.*\)/\1/p" out)" 2>&1 | grep -q typical'
check "in a pipe again" eval 'rm -f *.dat; exits 0 "$call" run --cc "$CC" -n 3 prog.c'
check "the steadiness comes last" eval 'tail -1 out | grep -q "steady"'
cat >many.c <<'END'
int main(void)
{
    volatile double s = 0;
    for (int N = 1000; N <= 1310; N++) {
#pragma cll f f[0] + f[1]*N
        for (int i = 0; i < N; i++)
            s += i;
#pragma cll end f
    }
    return 0;
}
END
check "hundreds of points" exits 0 "$call" run --cc "$CC" -n 1 many.c
check "are fitted" has out '^  f\[1\] '
check "but not drawn" lacks out 'CLOCK of f'
check "--quiet" exits 0 "$call" run --cc "$CC" -n 2 -q prog.c
check "has the constants" has out '^  f\[1\] '
check "neither plot" lacks out 'CLOCK of f'
check "nor advice" lacks out '^next'

check "no pager interrupts a long result" eval 'rm -f *.dat; TERM=xterm PAGER="echo PAGED; cat" "$terminal" --size 8x80 -- "$call" run --cc "$CC" -n 2 prog.c >raw 2>err; grep -q "CLOCK of f" raw && ! grep -q PAGED raw'
if [ "$thorough" = yes ]; then
    check "lines in a pipe" exits 0 "$call" run --cc "$CC" --time 13s prog.c
    check "after ten seconds" eval 'grep -Eq "^call run: [789][0-9] %, about [0-4] s left, round [0-9]+$" err'
fi

# ---- without llac
mkdir -p alone/bin
cp "$call" alone/bin/call
rm -f ./*.dat
export CLL_PREFIX=$CLL_BUILD
check "without llac" exits 1 alone/bin/call run --cc "$CC" -n 2 --live prog.c
check "it says so" has_text err 'call run: llac is not in the folder of call, so nothing is fitted; the data files are complete'
check "and that --live needs it" has_text err "call run: --live needs llac, which is not in the folder of call: the rounds go on without it"
check "the rounds are made" eval '[ "$(ls prog.cll.*.dat | wc -l)" = 2 ]'
unset CLL_PREFIX

# ---- --live
rm -f ./*.dat
check "--live in a pipe" exits 0 "$call" run --cc "$CC" --live -n 4 prog.c
check "a line for a fit" eval 'grep -Eq "^call run: round [1-4], [0-9.]+ (ms|s): f\[0\] = .* ± .* %[ a-z]*; f\[1\] = 0\.0[0-9]+ ± [0-9.]+ %; " err'
check "and how well the points are known" eval 'grep -Eq "(least known point: f N=[1-4], to [0-9.]+ %|is not known yet)$" err'
check "no control characters" lacks err $'\x1b'
check "--live on a terminal" eval 'rm -f *.dat; on_terminal "$call" run --cc "$CC" --live --until 60% prog.c; [ $status = 0 ]'
check "the constants" eval 'grep -Eq "^  f\[1\] +0\.0[0-9]+ ± " screen'
check "again in their place" eval 'grep -q "3A" raw'
check "with what they were before" eval 'grep -Eq "^  f\[1\] .* first [0-9.]+ %, before [0-9.]+ %" screen'
check "and what ends it" eval 'grep -Eq "^  least known point: f N=[1-4], to [0-9.]+ %; until 60 %$" screen'
check "it ended before the two minutes" eval 'grep -Eq "steady after [0-9.]+ s \([0-9]+ rounds\): every point varies" screen'
check "--live and --quiet" exits 2 "$call" run --live -q prog.c
check "exclude each other" has_text err '--live and --quiet contradict each other: give one of them'
finish
