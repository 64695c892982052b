/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a machine as functions, which formulas call: lat(BYTES, CORES), barrier(P), flop().
 *
 *     const struct machine_curves *c = machine_curves_make(a, m, 0);
 *     double seconds = machine_curves_value(c, "lat", (double[]){65536}, 1);
 *
 * A function is a table over at most two arguments, interpolated linearly on logarithms: it is exact
 * at the measured places, never leaves the range of the two next to an argument, and is constant
 * beyond the ends. Times of messages and of transfers are proportional to BYTES beyond the longest one.
 */
#ifndef MACHINE_CURVES_H
#define MACHINE_CURVES_H

#include "machine/machine.h"

struct machine_table {
    const char *function;
    const char *arguments[2]; /* "BYTES", "CORES"; NULL = it has no such argument */
    size_t nx, ny;            /* places of the first and of the second argument; 1 without it */
    double *x, *y;            /* the places, ascending */
    double *low, *high;       /* per y: the ends of what was measured of x */
    double *value;            /* ny rows of nx */
};

struct machine_curves;

/* All functions of the machine, in the arena, in which the machine must live. With draw = 0 the
 * figures are as measured; with any other number each is drawn from its interval, the same way for
 * the same number. */
const struct machine_curves *machine_curves_make(struct arena *a, const struct machine *m,
                                                 unsigned draw);

/* NULL if the machine has no figures for the function. */
const struct machine_table *machine_curves_table(const struct machine_curves *c,
                                                 const char *function);
/* Why a function with so many arguments has no value; NULL if it has one. */
const char *machine_curves_lack(const struct machine_curves *c, const char *function,
                                size_t arguments, struct arena *a);
/* nan if the function has no value for these arguments. */
double machine_curves_value(const struct machine_curves *c, const char *function, const double *x,
                            size_t n);
/* "lat(BYTES) was measured up to 256 MB and is taken as constant beyond": where the arguments are
 * outside of what was measured. NULL if they are inside. */
const char *machine_curves_beyond(const struct machine_curves *c, const char *function,
                                  const double *x, size_t n, struct arena *a);

/* "bw_copy() of 16 MB: each of 2 active cores is 1.8 times as fast as one core alone": figures that
 * contradict each other by a factor of 1.5 or more, since a core is not faster while others work. NULL if
 * there are none. */
const char *machine_curves_doubt(const struct machine_curves *c, const char *function,
                                 struct arena *a);

#endif
