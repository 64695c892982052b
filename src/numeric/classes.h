/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the points of a class take longer than the others, by one factor F:
 *
 *     y = F (known + X c) in the class, known + X c elsewhere.
 *
 * F and c are fitted together, by least squares in units of sigma. The test of F = 1 is Student's t
 * for ln F. Its standard error is the larger one of two: that of equal noise everywhere, and one that
 * allows other noise at each value of the variable (a sandwich, with residuals freed of the
 * shrinking by the fit). Points with the same value of the variable count as one for the latter.
 *
 * Where the factor itself varies from value to value, Student's t sees noise; but a class that explains
 * the largest residuals does so better than any other set of values. classes_among_random tells.
 *
 * Pure numbers: the caller knows what the class is.
 */
#ifndef NUMERIC_CLASSES_H
#define NUMERIC_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct classes_problem {
    size_t points, columns;
    const double *design; /* points x columns, row by row */
    const double *y;      /* positive */
    const double *known;  /* NULL = 0 */
    const double *sigma;  /* standard deviation of each y, up to a common factor */
    const size_t *group;  /* of each point: which value the variable has there, from 0 */
    size_t groups;
    const double *of_group; /* the logarithm of each of these values */
    const bool *in;         /* of each group: is it in the class */
};

struct classes_fit {
    double factor, low, high; /* with its 95 % interval */
    double by_chance;         /* two-sided probability of such a factor without any */
    double ranks; /* normal deviate of the ranks of the groups' residuals (Mann and Whitney) */
    double rss;   /* what remains, in units of sigma */
};

/* Fits the factor. Where the points allow it, the other groups need not follow the formula
 * exactly: up to two smooth columns, in the logarithm of the variable and its square, are fitted
 * as well. False if the data do not determine the factor. */
bool classes_fit(const struct classes_problem *problem, struct classes_fit *out);

/* The same probability without any assumption on how the residuals are distributed: how often
 * classes of as many groups, drawn at random, explain as much of the residuals (of logarithms, of a
 * fit that knows no class). Draws up to `draws` of them, fewer when it is clear that there are many.
 * The result is the same every time. */
double classes_among_random(const struct classes_problem *problem, size_t draws);

#endif
