#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a pair costs in Fortran, against the same loop in C. In Fortran begin and end are calls of libcll, in C they are inlined.
# Prints the nanoseconds of both, and the ratio: the least of nine runs of each, which take turns.
set -eu
command -v gfortran >/dev/null || { echo "fortran: gfortran is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >pair.c <<'END'
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct timespec from, to;
    int n = 0, pairs = 2000000;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (n = 0; n < pairs; n++) {
#pragma cll pair pair[0] + pair[1]*n
        __asm__ volatile("");
#pragma cll end pair
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%.2f\n", ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / pairs);
    return 0;
}
END
cat >pair.f90 <<'END'
program pair
  implicit none
  integer, parameter :: long = selected_int_kind(18)
  integer :: n
  integer, parameter :: pairs = 2000000
  integer(long) :: from, to, rate
  call system_clock(from, rate)
  do n = 0, pairs - 1
    !$cll pair pair[0] + pair[1]*n
    continue
    !$cll end pair
  end do
  call system_clock(to)
  print '(f0.2)', real(to - from)/rate*1e9/pairs
end program pair
END
"$CLL_BIN/call" cc gcc -O2 pair.c -o in-c
"$CLL_BIN/call" cc gfortran -O2 pair.f90 -o in-fortran
export CLL_OUT=/dev/null CLL_MEMORY=64M
for _ in 1 2 3 4 5 6 7 8 9; do
    ./in-c >>c.txt 2>/dev/null
    ./in-fortran >>fortran.txt 2>/dev/null
done
c=$(sort -n c.txt | head -1) fortran=$(sort -n fortran.txt | head -1)
awk -v c="$c" -v f="$fortran" 'BEGIN { printf "pair in C %.1f ns, in Fortran %.1f ns\nfortran-pair/c-pair ratio %.2f\n", c, f, f / c }'
