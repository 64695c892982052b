/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdicts of a check (check.h). The interval of a row decides about it, and nothing else does.
 *
 * All rows of a check have their intervals at the same level, which makes all of them hold together with
 * CHECK_CONFIDENCE. Times are products of what the code does and what the machine does, so the interval is that of the
 * logarithm of the ratio. Where next to nothing is known of the ratio, or a value is not above zero, the interval of the
 * difference takes its place.
 *
 * Slow phases of the machine can hit everything that decides about a value, in all rounds. If that is likelier than the
 * level, an end of the interval is also moved by what phases do; the noise beside them then counts at the level divided
 * by the chance of the phases, so that both together are as unlikely as the level.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model/check.h"
#include "model/thresholds.h"

const char *const check_verdict_words[] = {[CHECK_SLOWER] = "slower",
                                           [CHECK_FASTER] = "faster",
                                           [CHECK_ALIKE] = "same",
                                           [CHECK_CANNOT_TELL] = "cannot tell"};

/* How many standard deviations are exceeded with the chance `level`, at one end. */
static double reach(double level, double dof)
{
    return isfinite(dof) ? gsl_cdf_tdist_Qinv(level, dof) : gsl_cdf_ugaussian_Qinv(level);
}

/* ---- slow phases ---- */

/* The value of one version if it was measured in a slow phase. A phase at some sizes can change a constant by many times
 * itself: of a constant, what it changes at some point counts. */
static double without_phase(const struct check_row *row, double value,
                            const struct check_phases *phases)
{
    double quick = value > 0 ? value / phases->times : value;
    if (row->constant)
        quick = fmin(quick, value - (phases->times - 1) / row->weight);
    return quick;
}

/* ---- intervals ---- */

static void find_ratio(struct check_row *row, double level)
{
    double wide = reach(level, row->log_dof) * row->log_error;
    if (isnan(row->ratio) || !(wide <= CHECK_MOST_REACH))
        return;
    const struct check_phases *x = &row->phases_before, *y = &row->phases_after;
    row->low = row->ratio * exp(-wide);
    row->high = row->ratio * exp(wide);
    if (y->chance > level) {
        double quick = fmax(without_phase(row, row->after, y), 0) / row->before;
        row->low =
            fmin(row->low, quick * exp(-reach(level / y->chance, row->log_dof) * row->log_error));
    }
    if (x->chance > level) {
        double quick = row->after / fmax(without_phase(row, row->before, x), 0);
        row->high =
            fmax(row->high, quick * exp(reach(level / x->chance, row->log_dof) * row->log_error));
    }
}

static void find_difference(struct check_row *row, double level)
{
    const struct check_phases *x = &row->phases_before, *y = &row->phases_after;
    double difference = row->after - row->before, error = row->standard_error;
    row->difference_low = difference - reach(level, row->dof) * error;
    row->difference_high = difference + reach(level, row->dof) * error;
    if (y->chance > level)
        row->difference_low =
            fmin(row->difference_low, without_phase(row, row->after, y) - row->before -
                                          reach(level / y->chance, row->dof) * error);
    if (x->chance > level)
        row->difference_high =
            fmax(row->difference_high, row->after - without_phase(row, row->before, x) +
                                           reach(level / x->chance, row->dof) * error);
}

/* ---- verdicts ---- */

bool check_by_ratio(const struct check_row *row)
{
    return !isnan(row->low);
}

/* 1: the interval is above no change, -1: below it, 0: around it. */
static int side_of(const struct check_row *row)
{
    bool by_ratio = check_by_ratio(row);
    if (by_ratio ? row->low > 1 : row->difference_low > 0)
        return 1;
    return (by_ratio ? row->high < 1 : row->difference_high < 0) ? -1 : 0;
}

/* A constant counts if its change alone changes the time of some point by more than the threshold. */
static bool is_large(const struct check_row *row, double threshold)
{
    double change = row->after - row->before;
    if (!(change > threshold * fabs(row->before)))
        return false;
    return !row->constant || change * row->weight > threshold;
}

static bool is_near(const struct check_row *row, double same)
{
    if (check_by_ratio(row))
        return row->low > 1 / (1 + same) && row->high < 1 + same;
    return row->difference_low == 0 && row->difference_high == 0;
}

/* Of a constant: no change that the interval allows changes any point. */
static bool is_invisible(const struct check_row *row, double same)
{
    double most = fmax(fabs(row->difference_low), fabs(row->difference_high));
    return row->constant && most * row->weight < same;
}

/* Why an interval decides nothing: whether it would without the phases. */
static const char *why_open(const struct check_row *row, double level)
{
    struct check_row calm = *row;
    calm.phases_before.chance = calm.phases_after.chance = 0;
    calm.low = calm.high = NAN;
    find_ratio(&calm, level);
    find_difference(&calm, level);
    if (side_of(&calm))
        return "slow phases of the machine may explain it: measure more rounds";
    return NULL;
}

static void judge(struct check_row *row, double level, double threshold)
{
    double same = fmin(fmax(threshold, CHECK_SAME), CHECK_THRESHOLD);
    row->verdict = CHECK_CANNOT_TELL;
    row->worse = row->open = false;
    if (row->why)
        return;
    find_ratio(row, level);
    find_difference(row, level);
    int side = side_of(row);
    if (side > 0 && is_large(row, threshold)) {
        row->verdict = CHECK_SLOWER;
        row->worse = true;
    } else if (is_near(row, same)) {
        row->verdict = CHECK_ALIKE;
    } else if (side) {
        row->verdict = side > 0 ? CHECK_SLOWER : CHECK_FASTER;
    } else if (is_invisible(row, same)) {
        row->verdict = CHECK_ALIKE;
        row->why = "it takes no visible time at any measured point";
    } else if (!(row->why = why_open(row, level))) {
        row->open = true;
        row->why =
            check_by_ratio(row)
                ? "the interval of the ratio contains 1 and is too wide to call them the same"
                : "the interval of the difference contains 0, and the ratio is not known";
    }
}

size_t check_judge(struct check_experiment *list, size_t n, double threshold)
{
    size_t tests = 0, worse = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].nrows; k++)
            tests += !list[i].rows[k].why;
    double level = (1 - CHECK_CONFIDENCE) / 2 / (double)tests;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].nrows; k++) {
            judge(&list[i].rows[k], level, threshold);
            worse += list[i].rows[k].worse;
        }
    return worse;
}
