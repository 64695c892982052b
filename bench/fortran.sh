#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a pair with two variables costs in Fortran, against the same loop in C and against the floor of bench/overhead.c: two reads of
# the clock and a record of 32 bytes. In Fortran begin and end are calls of libcll, in C they are inlined. All in one process, a
# thousand pairs of each in turn, into memory that was written before; the least of many rounds. Prints the nanoseconds and ratios.
set -eu
command -v gfortran >/dev/null || { echo "fortran: gfortran is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.c <<'END'
#include <cll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
enum { PAIRS = 1000, ROUNDS = 4000 };
void run_fortran_(const int *pairs);
static void run_c(const int *pairs)
{
    for (int n = 0; n < *pairs; n++) {
#pragma cll c(n, m = *pairs) c[0] + c[1]*n + c[2]*m
        __asm__ volatile("");
#pragma cll end c
    }
}
static cll_u64 buffer[4 * PAIRS];
static void run_floor(const int *pairs)
{
    cll_u64 *at = buffer;
    for (int i = 0; i < *pairs; i++, at += 4) {
        double a = i, b = *pairs;
        cll_u64 start = cll_ticks(), end = cll_ticks();
        at[0] = start;
        at[1] = end;
        memcpy(at + 2, &a, sizeof a);
        memcpy(at + 3, &b, sizeof b);
    }
}
static void take(double *least, void (*run)(const int *))
{
    struct timespec from, to;
    int pairs = PAIRS;
    cll_self->cursor = cll_self->limit - 5 * (PAIRS + 1); /* the same records again */
    clock_gettime(CLOCK_MONOTONIC, &from);
    run(&pairs);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double ns = ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / PAIRS;
    if (ns < *least)
        *least = ns;
}
int main(void)
{
    double floor = 1e9, c = 1e9, fortran = 1e9;
    int once = 1;
    run_c(&once);
    run_fortran_(&once);
    for (int round = 0; round < ROUNDS; round++) {
        take(&floor, run_floor);
        take(&c, run_c);
        take(&fortran, run_fortran_);
    }
    printf("floor %.1f ns, pair in C %.1f ns, in Fortran %.1f ns\n", floor, c, fortran);
    printf("c-pair/floor ratio %.2f\nfortran-pair/floor ratio %.2f\nfortran-pair/c-pair ratio %.2f\n", c / floor, fortran / floor,
           fortran / c);
    return 0;
}
END
cat >pair.f90 <<'END'
subroutine run_fortran(pairs)
  implicit none
  integer, intent(in) :: pairs
  integer :: n
  do n = 0, pairs - 1
    !$cll f(n, m = pairs) f[0] + f[1]*n + f[2]*m
    continue
    !$cll end f
  end do
end subroutine
END
"$CLL_BIN/call" cc gcc -O2 -c main.c -o main.o
"$CLL_BIN/call" cc gfortran -O2 -c pair.f90 -o pair.o
"$CLL_BIN/call" cc gfortran main.o pair.o -o pairs
CLL_OUT=/dev/null ./pairs 2>/dev/null
