/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least squares from sums of products: fast, for comparing thousands of structures. It has half the
 * digits of lsq.h, which fits the structure that is chosen.
 *
 * A matrix of products is symmetric, stored as a full square, whose upper triangle counts. The
 * measured value is its last row and column.
 */
#ifndef NUMERIC_PRODUCTS_H
#define NUMERIC_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>

static inline double products_dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* x * matrix * x: with a matrix of covariances, the variance of the sum of x[i] times the i-th number. */
static inline double products_quadratic(const double *x, const double *matrix, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += x[i] * matrix[i * n + j] * x[j];
    return sum;
}

/* Adds the products of every two numbers of the row. */
void products_add(double *m, size_t side, const double *row);

/* Eliminates the first columns: what they leave of the others remains. A column that depends on
 * those before it is passed over. */
void products_eliminate(double *m, size_t side, size_t columns);

/* The unknowns (side - 1 of them) that minimise the squares; without free_sign none is below 0. */
void products_solve(const double *m, size_t side, bool free_sign, double *x);

#endif
