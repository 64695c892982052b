/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of the notation: what rules for partners need. Bits are those of integers from 0 to
 * 2^53, which a double has exactly; other arguments give nan, which the runner reports.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "obsp/notation.h"

static const double most = 9007199254740992.0; /* 2^53 */

static bool is_whole(double x)
{
    return x >= 0 && x <= most && x == floor(x);
}

static double modulo(const double *x, size_t n)
{
    (void)n;
    double rest = x[0] - x[1] * floor(x[0] / x[1]);
    return x[1] == 0 ? (double)NAN : rest;
}

static double bit(const double *x, size_t n)
{
    (void)n;
    if (!is_whole(x[0]) || !is_whole(x[1]) || x[1] > 53)
        return (double)NAN;
    return (double)((uint64_t)x[0] >> (uint64_t)x[1] & 1);
}

static double bits(const double *x, char operation)
{
    if (!is_whole(x[0]) || !is_whole(x[1]))
        return (double)NAN;
    uint64_t a = (uint64_t)x[0], b = (uint64_t)x[1];
    return (double)(operation == '^' ? a ^ b : operation == '&' ? a & b : a | b);
}

static double exclusive(const double *x, size_t n)
{
    (void)n;
    return bits(x, '^');
}

static double both(const double *x, size_t n)
{
    (void)n;
    return bits(x, '&');
}

static double either(const double *x, size_t n)
{
    (void)n;
    return bits(x, '|');
}

/* The same for the same arguments: mixed as splitmix64 does. */
static double uniform(const double *x, size_t n)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < n; i++) {
        uint64_t word;
        double plain = x[i] + 0.0; /* -0 is 0 */
        memcpy(&word, &plain, sizeof word);
        state = (state ^ word) + 0x9e3779b97f4a7c15u;
        state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
        state = (state ^ state >> 27) * 0x94d049bb133111ebu;
        state ^= state >> 31;
    }
    return (double)(state >> 11) / most;
}

const struct formula_function notation_functions[] = {
    {"mod", 2, 2, "mod(x, y): rest of the division, between 0 and y", NULL, NULL},
    {"xor", 2, 2, "xor(x, y): the bits that x and y do not have in common", NULL, NULL},
    {"bit", 2, 2, "bit(x, k): bit k of x, 0 or 1; bit 0 is the lowest", NULL, NULL},
    {"bitand", 2, 2, "bitand(x, y): the bits that both have", NULL, NULL},
    {"bitor", 2, 2, "bitor(x, y): the bits that one of them has", NULL, NULL},
    {"uniform", 1, 3, "uniform(x, ...): a number in [0, 1), always the same for the same x, ...",
     NULL, NULL},
    {NULL, 0, 0, NULL, NULL, NULL},
};

static double (*const computing[])(const double *, size_t) = {modulo, exclusive, bit,
                                                              both,   either,    uniform};

_Static_assert(sizeof computing / sizeof *computing + 1 ==
                   sizeof notation_functions / sizeof *notation_functions,
               "one for each function");

static double compute(const void *curves, const struct formula_function *f, const double *x,
                      size_t n)
{
    (void)curves;
    return computing[f - notation_functions](x, n);
}

const struct formula_machine notation_computer = {.name = "notation", .date = "", .value = compute};
