/* SPDX-License-Identifier: MIT */
/*
 * The line time = l + g h through measured points, by least squares of the relative errors: each
 * point has the weight 1/time^2, so the superstep without a message counts as much as the one with a
 * megabyte. With absolute errors the largest h would determine the line almost alone.
 */
#include <stdlib.h>

#include "pub/internal.h"

/* Sums over the points; w is a weight. */
struct sums {
    double w, wh, wt, whh, wht;
};

static struct sums add_up(const double *h, const double *time, size_t n, double smallest)
{
    struct sums sums = {0};
    for (size_t i = 0; i < n; i++) {
        double t = time[i] > smallest ? time[i] : smallest, w = 1 / (t * t);
        sums.w += w;
        sums.wh += w * h[i];
        sums.wt += w * time[i];
        sums.whh += w * h[i] * h[i];
        sums.wht += w * h[i] * time[i];
    }
    return sums;
}

/* In a simulation some supersteps take no time at all. */
static double smallest_positive(const double *time, size_t n)
{
    double smallest = 0;
    for (size_t i = 0; i < n; i++)
        if (time[i] > 0 && (smallest == 0 || time[i] < smallest))
            smallest = time[i];
    return smallest;
}

struct pub_line pub_line_fit(const double *h, const double *time, size_t n)
{
    double smallest = smallest_positive(time, n);
    if (smallest == 0)
        return (struct pub_line){0, 0};
    struct sums s = add_up(h, time, n, smallest);
    double determinant = s.w * s.whh - s.wh * s.wh;
    if (determinant <= 1e-12 * s.w * s.whh) /* all points have the same h */
        return (struct pub_line){s.wt / s.w, 0};
    struct pub_line line = {.l = (s.wt * s.whh - s.wht * s.wh) / determinant,
                            .g = (s.w * s.wht - s.wh * s.wt) / determinant};
    if (line.g < 0)
        return (struct pub_line){s.wt / s.w, 0};
    if (line.l < 0) /* l is at least the time of the fastest superstep */
        return (struct pub_line){smallest, (s.wht - smallest * s.wh) / s.whh};
    return line;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double pub_quantile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, by_value);
    double at = part * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

double pub_spread(double *values, size_t n)
{
    double high = pub_quantile(values, n, 0.75);
    return (high - pub_quantile(values, n, 0.25)) / 2;
}
