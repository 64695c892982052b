#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `cll for ... shuffle`: which sizes a program visits in which round.
. "$CLL_SOURCE/tests/call/setup.sh"
cat >sweep.c <<'END'
#include <stdio.h>
int main(void)
{
    int N = 100, M = 0;
#pragma cll for (N = 1; N <= 512; N *= 2) shuffle
#pragma cll for (M = 0; M < 2; M++)
#pragma cll f f[0] + f[1]*N + f[2]*M
    printf("%d.%d ", N, M);
#pragma cll end f
#pragma cll end for
#pragma cll end for
    printf("\n%d %d\n", N, M);
    return 0;
}
END
# column FILE NAME: the values of the column, in the order of the rows
column() { awk -v c="$2" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; next} {printf "%s ", $k}' "$1"; }
sorted() { tr ' ' '\n' | grep . | sort -n | tr '\n' ' '; }
ascending="1 1 2 2 4 4 8 8 16 16 32 32 64 64 128 128 256 256 512 512 "
for cc in $compilers; do
    command -v "$cc" >/dev/null || continue
    what=$cc
    check "compiles without a warning" exits 0 "$call" cc "$cc" -O1 -Wall -Wextra -Wshadow -Werror sweep.c -o sweep
    check "no message" empty err
    for round in 0 1 2 3; do
        rm -f ./*.dat
        CLL_RUN=$round CLL_OUT=r$round.dat ./sweep >out$round 2>err
        check "round $round says nothing" empty err
        check "round $round visits each size" is "$(column r$round.dat N | sorted)" "$ascending"
        check "round $round: the loop inside is not shuffled" is "$(column r$round.dat M)" "$(printf '0 1 %.0s' 1 2 3 4 5 6 7 8 9 10)"
        check "round $round: values after the loop" is "$(tail -1 out$round)" "1024 2"
        { column r$round.dat N; echo; } >order$round
    done
    check "round 0 has the order of the source" is "$(cat order0)" "$ascending"
    check "the others have their own" is "$(cat order0 order1 order2 order3 | sort -u | wc -l)" 4
    CLL_RUN=2 CLL_OUT=again.dat ./sweep >out
    check "the same in the same round" is "$(column again.dat N)" "$(cat order2)"
    CLL_RUN=2 CLL_OFF=1 ./sweep >out
    check "CLL_OFF: as in the source" same out out0
    rm -f ./*.dat
done
what=
cat >endless.c <<'END'
#include <stdio.h>
int main(void)
{
    int n, done = 0;
#pragma cll for (n = 1; !done; n++) shuffle
#pragma cll f f[0]*n
    done = n == 5;
#pragma cll end f
#pragma cll end for
    printf("%d\n", n);
    return 0;
}
END
check "a loop whose body ends it" exits 0 "$call" cc "$CC" endless.c -o endless
check "is executed" exits 0 env CLL_RUN=1 CLL_OUT=endless.dat timeout 300 ./endless
check "as written" is "$(column endless.dat n)" "1 2 3 4 5 "
check "with a message" has err "^cll: endless.c:5: this loop is not shuffled: .*remove 'shuffle'"

# a loop that does not begin where it began before
cat >resumed.c <<'END'
int main(void)
{
    int n = 1;
#pragma cll for (n = n; n <= 8; n *= 2) shuffle
#pragma cll f f[0]*n
    n = n;
#pragma cll end f
#pragma cll end for
    return 0;
}
END
sed 's/n = n; n <=/; n <=/' resumed.c >bare.c
check "a loop without INIT" exits 1 "$call" cc "$CC" -c bare.c
check "cannot be shuffled" has err "^bare.c:4:36: error: 'shuffle' begins the loop again .* no INIT; write it as in (n = first; n <= last; n \*= 2)"
sed -i 's/ shuffle//' bare.c
check "and needs none otherwise" exits 0 "$call" cc "$CC" bare.c -o bare
if [ -x "$CLL_BIN/llac" ]; then
    check "an INIT that sets nothing" exits 0 "$call" run --cc "$CC" -n 4 -q resumed.c
    check "is reported once, although later rounds show no output" is "$(grep -c "^cll: resumed.c:4: an iteration of this loop was not executed: its INIT" err)" 1
fi

# call run gives each round its number.
if [ -x "$CLL_BIN/llac" ]; then
    check "call run" exits 0 "$call" run --cc "$CC" -n 3 -q sweep.c
    check "the first round" is "$(column sweep.cll.0.dat N)" "$(cat order0)"
    check "the third round" is "$(column sweep.cll.2.dat N)" "$(cat order2)"
fi
finish
