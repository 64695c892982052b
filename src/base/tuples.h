/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for tuples of values, in the order in which they appear.
 *
 *     struct tuples runs = {.width = 2};
 *     uint32_t number = tuples_number(&runs, (double[]){file, run});
 *     tuples_free(&runs);
 *
 * Tuples are the same if their bits are: -0 and 0 differ, a nan is the same as itself.
 */
#ifndef BASE_TUPLES_H
#define BASE_TUPLES_H

#include <stddef.h>
#include <stdint.h>

struct tuples {
    size_t width;    /* values of a tuple, 1 or more */
    double *list;    /* those of all tuples */
    uint32_t *slots; /* 1 + number */
    size_t n, capacity, nslots;
};

/* The number of the tuple; a new one is added. */
uint32_t tuples_number(struct tuples *t, const double *tuple);
/* The table is empty after that. */
void tuples_free(struct tuples *t);

#endif
