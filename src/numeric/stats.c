/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles by selection (quickselect, median of three), standard errors of quantiles from
 * neighbouring order statistics: one standard error above and below the p-quantile of n samples are
 * the quantiles p +- sqrt(p(1-p)/n). No assumption on the distribution, works from two samples
 * on.
 */
#include "numeric/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "numeric/thresholds.h"

const struct statistic_info statistics[STATISTIC_COUNT] = {
    [STATISTIC_P10] = {"p10", "10th percentile", false},
    [STATISTIC_MIN] = {"min", "minimum", false},
    [STATISTIC_MEDIAN] = {"median", "median", false},
    [STATISTIC_MEAN] = {"mean", "mean", false},
    [STATISTIC_DIFFERENCE] = {"difference", "average difference", true},
    [STATISTIC_DEVIATION] = {"deviation", "standard deviation", true},
};

int stats_compare(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return a < b ? -1 : a > b;
}

static int by_key(const void *x, const void *y, void *context)
{
    size_t i = *(const size_t *)x, k = *(const size_t *)y;
    const double *key = context;
    int compared = stats_compare(key[i], key[k]);
    return compared ? compared : i < k ? -1 : i > k;
}

void stats_order(size_t *order, size_t n, const double *key)
{
    sort_with(order, n, sizeof *order, by_key, key);
}

static int by_value(const void *x, const void *y)
{
    return stats_compare(*(const double *)x, *(const double *)y);
}

void stats_sort(double *v, size_t n)
{
    qsort(v, n, sizeof *v, by_value);
}

size_t stats_distinct(double *v, size_t n)
{
    size_t distinct = 0;
    stats_sort(v, n);
    for (size_t i = 0; i < n; i++)
        if (distinct == 0 || v[i] != v[distinct - 1])
            v[distinct++] = v[i];
    return distinct;
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Puts the k-th smallest at v[k], smaller ones before it, larger ones after it. Falls back to
 * sorting a part that quickselect does not shrink fast enough. */
static double select_kth(double *v, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    for (int rounds = 0; high > low + 16; rounds++) {
        if (rounds > 100)
            break;
        size_t middle = low + (high - low) / 2;
        if (v[middle] < v[low])
            swap(&v[middle], &v[low]);
        if (v[high] < v[low])
            swap(&v[high], &v[low]);
        if (v[high] < v[middle])
            swap(&v[high], &v[middle]);
        double pivot = v[middle];
        size_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i <= j) {
                swap(&v[i], &v[j]);
                i++;
                if (j-- == 0)
                    break;
            }
        }
        if (k <= j && j < n)
            high = j;
        else if (k >= i)
            low = i;
        else
            return v[k];
    }
    stats_sort(v + low, high - low + 1);
    return v[k];
}

static double place(size_t n, double q, size_t *below)
{
    double at = q * (double)(n - 1);
    size_t k = (size_t)at;
    if (k >= n - 1)
        k = n - 1;
    *below = k;
    return at - (double)k;
}

double stats_quantile(double *v, size_t n, double q)
{
    size_t k;
    double part = place(n, q, &k);
    double x = select_kth(v, n, k);
    if (part <= 0 || k + 1 >= n)
        return x;
    double next = v[k + 1];
    for (size_t i = k + 2; i < n; i++)
        next = v[i] < next ? v[i] : next;
    return x + part * (next - x);
}

double stats_sorted_quantile(const double *v, size_t n, double q)
{
    size_t k;
    double part = place(n, q, &k);
    return part > 0 && k + 1 < n ? v[k] + part * (v[k + 1] - v[k]) : v[k];
}

struct weighted {
    double value, weight;
};

static int by_weighted_value(const void *x, const void *y)
{
    return by_value(&((const struct weighted *)x)->value, &((const struct weighted *)y)->value);
}

static double sum_of(const double *list, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += list[i];
    return sum;
}

double stats_sorted_weighted_quantile(const double *v, const double *weight, size_t n, double total,
                                      double q)
{
    /* Sample i covers the ranks [before, before + weight - 1] of total - 1. */
    double at = q * (total - 1), before = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (weight[i] <= 0)
            continue;
        if (before > 0 && at < before)
            return v[last] + (at - before + 1) * (v[i] - v[last]);
        if (at <= before + weight[i] - 1)
            return v[i];
        before += weight[i];
        last = i;
    }
    return v[last];
}

static void sort_weighted(double *v, double *weight, size_t n)
{
    MEM_LOCAL struct weighted *list = mem_alloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = (struct weighted){v[i], weight[i]};
    qsort(list, n, sizeof *list, by_weighted_value);
    for (size_t i = 0; i < n; i++) {
        v[i] = list[i].value;
        weight[i] = list[i].weight;
    }
}

double stats_weighted_quantile(double *v, double *weight, size_t n, double q)
{
    sort_weighted(v, weight, n);
    return stats_sorted_weighted_quantile(v, weight, n, sum_of(weight, n), q);
}

struct stats_spread stats_spread(const double *v, const double *weight, size_t n)
{
    double first = n ? v[0] : 0, sum = 0, total = 0, squares = 0, differences = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1;
        sum += w * (v[i] - first); /* equal samples have exactly no spread */
        total += w;
    }
    double mean = first + sum / total;
    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1, d = v[i] - mean;
        squares += w * d * d;
        differences += w * fabs(d);
    }
    /* Each row counts as one sample, whatever its weight is. */
    double part = n > 1 ? (double)n / (double)(n - 1) : NAN;
    return (struct stats_spread){mean, differences / total, sqrt(squares / total * part)};
}

static struct stats_value mean_of(const double *v, const double *weight, size_t n)
{
    struct stats_spread s = stats_spread(v, weight, n);
    return (struct stats_value){s.mean, s.deviation / sqrt((double)n)};
}

/*
 * How well a spread is known, from the spread of what it is the mean of: of |sample - mean|, or of
 * its square. A few samples may show too little of that: it is at least what normal noise gives.
 */
static struct stats_value spread_of(enum statistic kind, double *v, const double *weight, size_t n)
{
    struct stats_spread s = stats_spread(v, weight, n);
    bool squares = kind == STATISTIC_DEVIATION;
    double value = squares ? s.deviation : s.difference, count = (double)n;
    if (n < 2)
        return (struct stats_value){NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        double d = fabs(v[i] - s.mean);
        v[i] = squares ? d * d : d;
    }
    double own = stats_spread(v, weight, n).deviation / sqrt(count);
    if (squares)
        own = value > 0 ? own / (2 * value) : 0;
    double normal = squares ? 1 / sqrt(2 * (count - 1)) : sqrt((M_PI / 2 - 1) / count);
    return (struct stats_value){value, fmax(own, normal * value)};
}

static struct stats_value quantile_of(double *v, double *weight, size_t n, double p)
{
    double spread = sqrt(p * (1 - p) / (double)n);
    double up = p + spread > 1 ? 1 : p + spread, down = p < spread ? 0 : p - spread;
    double at, high, low;
    if (weight) {
        sort_weighted(v, weight, n);
        double total = sum_of(weight, n);
        at = stats_sorted_weighted_quantile(v, weight, n, total, p);
        high = stats_sorted_weighted_quantile(v, weight, n, total, up);
        low = stats_sorted_weighted_quantile(v, weight, n, total, down);
    } else {
        at = stats_quantile(v, n, p);
        high = stats_quantile(v, n, up);
        low = stats_quantile(v, n, down);
    }
    /* Where the lower end is cut off at the minimum, the upper half tells more. */
    double se = p < spread ? fmax(high - at, (high - low) / 2) : (high - low) / 2;
    return (struct stats_value){at, n > 1 ? se : NAN};
}

/* The minimum: its distance to the next samples tells how far it may still fall. */
static struct stats_value minimum_of(double *v, size_t n)
{
    double at = stats_quantile(v, n, 0);
    if (n < 2)
        return (struct stats_value){at, NAN};
    size_t k = n <= MINIMUM_NEIGHBOURS ? n - 1 : MINIMUM_NEIGHBOURS;
    double near = select_kth(v, n, k);
    return (struct stats_value){at, (near - at) / (double)k};
}

double stats_level(enum statistic s)
{
    return s == STATISTIC_P10      ? POINT_QUANTILE
           : s == STATISTIC_MIN    ? 0
           : s == STATISTIC_MEDIAN ? 0.5
                                   : NAN;
}

struct stats_value stats_at(double level, double *v, double *weight, size_t n)
{
    return quantile_of(v, weight, n, level);
}

struct stats_value stats_point(enum statistic s, double *v, double *weight, size_t n)
{
    switch (s) {
    case STATISTIC_MEAN: return mean_of(v, weight, n);
    case STATISTIC_DIFFERENCE:
    case STATISTIC_DEVIATION: return spread_of(s, v, weight, n);
    case STATISTIC_MIN: return minimum_of(v, n);
    case STATISTIC_MEDIAN: return quantile_of(v, weight, n, 0.5);
    default: return quantile_of(v, weight, n, POINT_QUANTILE);
    }
}

/*
 * Two modes: the split of the logarithms into two groups with the least squares within (exact, by
 * prefix sums), then Ashman's D = distance / mean spread against its threshold.
 */
struct stats_modes stats_two_modes(const double *v, size_t n)
{
    const double least_distance = MODES_LEAST_DISTANCE + MODES_FEW_SAMPLES / (double)(n ? n : 1);
    struct stats_modes none = {.two = false};
    if (n < MODES_LEAST_SAMPLES || v[0] <= 0)
        return none;
    size_t group = (size_t)ceil(MODES_LEAST_SHARE * (double)n);
    if (group < MODES_LEAST_GROUP)
        group = MODES_LEAST_GROUP;
    double base = log(v[0]), sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double x = log(v[i]) - base;
        sum += x;
        squares += x * x;
    }
    double left = 0, left_squares = 0, best = INFINITY;
    size_t split = 0;
    double mean[2] = {0, 0}, variance[2] = {0, 0};
    for (size_t i = 1; i + group <= n; i++) {
        double x = log(v[i - 1]) - base;
        left += x;
        left_squares += x * x;
        if (i < group)
            continue;
        double a = (double)i, b = (double)(n - i), right = sum - left;
        double in_left = left_squares - left * left / a;
        double in_right = squares - left_squares - right * right / b;
        if (in_left + in_right < best) {
            best = in_left + in_right;
            split = i;
            mean[0] = left / a, mean[1] = right / b;
            variance[0] = fmax(in_left, 0) / a, variance[1] = fmax(in_right, 0) / b;
        }
    }
    if (split == 0)
        return none;
    double spread = sqrt((variance[0] + variance[1]) / 2), distance = mean[1] - mean[0];
    struct stats_modes m = {.low = exp(base + mean[0]),
                            .high = exp(base + mean[1]),
                            .low_share = (double)split / (double)n};
    m.two = distance > log(MODES_LEAST_RATIO) && distance > least_distance * spread;
    return m;
}

double *stats_ranks(struct arena *a, const double *at, size_t n)
{
    double *sorted = arena_alloc(a, n, sizeof *sorted), *rank = arena_alloc(a, n, sizeof *rank);
    memcpy(sorted, at, n * sizeof *sorted);
    size_t distinct = stats_distinct(sorted, n);
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = distinct;
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (sorted[middle] <= at[i])
                low = middle;
            else
                high = middle;
        }
        rank[i] = (double)low;
    }
    return rank;
}
