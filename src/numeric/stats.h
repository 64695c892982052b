/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of one point's samples. */
#ifndef NUMERIC_STATS_H
#define NUMERIC_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* How the samples of a point become its value. */
enum statistic {
    STATISTIC_P10,
    STATISTIC_MIN,
    STATISTIC_MEDIAN,
    STATISTIC_MEAN,
    STATISTIC_DIFFERENCE,
    STATISTIC_DEVIATION,
    STATISTIC_COUNT
};

struct statistic_info {
    const char *name; /* as written in commands and JSON */
    const char *text; /* as written in a sentence */
    bool is_spread;   /* it states how far samples are from their mean; one sample has none */
};
extern const struct statistic_info statistics[STATISTIC_COUNT];

/* Quantile q of v[0..n), linear between order statistics (type 7 of Hyndman and Fan). Reorders v. n
 * > 0. */
double stats_quantile(double *v, size_t n, double q);
/* The same when v is sorted. */
double stats_sorted_quantile(const double *v, size_t n, double q);
/* Quantile where sample i stands for weight[i] executions; sorts both. */
double stats_weighted_quantile(double *v, double *weight, size_t n, double q);
/* The same when v is sorted and the sum of the weights is known; some may be 0. */
double stats_sorted_weighted_quantile(const double *v, const double *weight, size_t n, double total,
                                      double q);
/* Ascending; nan comes last. */
void stats_sort(double *v, size_t n);
/* The same, each value once; returns how many they are. */
size_t stats_distinct(double *v, size_t n);
/* Of each number, how many distinct smaller ones there are. */
double *stats_ranks(struct arena *a, const double *at, size_t n);
/* -1, 0, 1; nan comes last and equals nan, so that sorting always ends well. */
int stats_compare(double a, double b);
/* Sorts indices by key[index]; of equal keys the smaller index comes first. */
void stats_order(size_t *order, size_t n, const double *key);

/* The quantile that a statistic is; nan for the mean and for spreads. */
double stats_level(enum statistic s);

/* The statistic of n samples and its standard error (nan for n < 2, as is a spread itself).
 * weight NULL = all equal. Reorders v and weight. */
struct stats_value {
    double value, standard_error;
};
struct stats_value stats_at(double level, double *v, double *weight, size_t n);
struct stats_value stats_point(enum statistic s, double *v, double *weight, size_t n);

/* How n samples spread around their mean. weight NULL = all equal. */
struct stats_spread {
    double mean;
    double difference; /* mean of |sample - mean|, the average difference */
    double deviation;  /* standard deviation, with n - 1; nan for n < 2 */
};
struct stats_spread stats_spread(const double *v, const double *weight, size_t n);

/* Two separate groups of samples: both sizeable, far apart compared with their own spread. */
struct stats_modes {
    bool two;
    double low, high; /* centres (geometric means) */
    double low_share; /* of the samples, 0..1 */
};
/* v sorted ascending; samples that are not positive make it "no". */
struct stats_modes stats_two_modes(const double *v, size_t n);

#endif
