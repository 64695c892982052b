#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How many rounds `call run` makes, and its last line. The times of the region are computed. A round sleeps, so how long it
# takes is known at least, and not known at most.
. "$CLL_SOURCE/tests/call/setup.sh"
[ -x "$CLL_BIN/llac" ] || skip "llac is not built"
cat >naps.c <<'END'
#include <time.h>
int main(void)
{
    int N;
#pragma cll for (N = 1; N <= 3; N++) shuffle
#pragma cll f f[0] + f[1]*N
    nanosleep(&(struct timespec){0, 20000000}, 0);
#pragma cll end f
#pragma cll end for
    return 0;
}
END
takes '0.02*(1 + 0.01*noise(1))*(getenv("FAST") && atoi(getenv("FAST")) == e->run ? 0.1 : 1)' # FAST: a fast round
files() { ls "$1".cll.[0-9]*.dat | wc -l; }
last() { tail -n 1 out; }

check "-n and --until" exits 0 "$call" run --cc "$CC" -n 3 --until 10% -q naps.c
check "ends after the rounds" is "$(files naps)" 3
check "the last line: steady" eval 'last | grep -Eqx "steady after [0-9.]+ (ms|s) \(3 rounds\): every point varies by at most [0-9.]+ %"'
rm -f ./*.dat
check "a fast round that is not seen again" exits 0 env FAST=0 "$call" run --cc "$CC" -n 3 -q naps.c
check "the last line: not steady" eval 'last | grep -q "^not steady after [0-9.]* [ms]* (3 rounds): 3 of 3 points vary by more than 5 %, f N=[123] by [0-9]* %; measure longer (--time 30s), .*or use a .*machine"'
check "it is one line" is "$(grep -c steady out)" 1
check "the fit comes before it" has out 'f\[1\]'
rm -f ./*.dat
check "one round" exits 0 "$call" run --cc "$CC" -n 1 -q naps.c
check "says nothing about steadiness" is "$(last)" "not known to be steady: there was only one round; measure more (--time 30s)"
rm -f ./*.dat

begin=$(date +%s%N)
check "--time" exits 0 "$call" run --cc "$CC" --time 4s -q naps.c
took=$((($(date +%s%N) - begin) / 1000000))
check "several rounds" test "$(files naps)" -ge 2
check "not much less than the time" test "$took" -ge 2000
check "the last line says whether it is steady" eval 'last | grep -q "^\(not \)\?steady after"'
rm -f ./*.dat
check "--time shorter than a round" exits 0 "$call" run --cc "$CC" --time 1ms -q naps.c
check "one round is made" is "$(files naps)" 1
rm -f ./*.dat
begin=$(date +%s%N)
check "-n and --time" exits 0 "$call" run --cc "$CC" -n 3 --time 3 -q naps.c
took=$((($(date +%s%N) - begin) / 1000000))
check "so many rounds at most" eval '[ "$(files naps)" -le 3 ]'
check "spread over the time" test "$took" -ge 2000
rm -f ./*.dat

# By default at least 15 seconds; regions that are too short to judge do not prolong it.
cat >short.c <<'END'
int main(void)
{
    int N = 1;
#pragma cll f f[0] + f[1]*N
    N++;
#pragma cll end f
    return 0;
}
END
begin=$(date +%s%N)
"$call" run --cc "$CC" -q short.c >out 2>err
took=$((($(date +%s%N) - begin) / 1000000))
check "by default: some seconds" test "$took" -ge 15000
check "more than two rounds" eval '[ "$(files short)" -ge 3 ]'
check "regions that are too short" eval 'last | grep -q "^not known to be steady: all regions are shorter than five times the overhead\|^\(not \)\?steady after"'
rm -f ./*.dat

# An interrupt ends a pause between rounds, too, and says nothing about steadiness.
"$call" run --cc "$CC" -n 2 --time 600s -q naps.c >out 2>err </dev/null & pid=$!
appears naps.cll.0.dat
sleep 0.3
kill -TERM $pid
for _ in $(seq 3000); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
check "an interrupt in a pause" eval '! kill -0 $pid 2>/dev/null'
wait $pid
check "the status" test $? = 143
check "no word about steadiness" lacks out steady
finish
