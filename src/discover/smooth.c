/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One product of powers and logarithms, times a factor. The factor that makes the largest relative
 * difference smallest is in the middle of the quotients count/product; their extremes are the scatter.
 */
#include "discover/smooth.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "discover/thresholds.h"

static const struct {
    double power;
    int logs;
} shapes[] = {{0, 0},   {1, 0}, {2, 0},   {3, 0},   {0, 1}, {1, 1}, {2, 1},
              {0.5, 0}, {4, 0}, {1.5, 0}, {2.5, 0}, {3, 1}, {5, 0}, {6, 0}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static double product(const struct discover_formula *f, const double *place)
{
    double x = 1;
    for (size_t v = 0; v < f->nvariables; v++) {
        x *= pow(place[v], f->power[v]);
        if (f->logs[v])
            x *= pow(log2(place[v]), f->logs[v]);
    }
    return x;
}

double smooth_value(const struct discover_formula *f, const double *place)
{
    return f->factor * product(f, place);
}

/* Sets factor and scatter. */
static void judge(const struct discover_points *p, const uint64_t *counts,
                  struct discover_formula *f)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < p->n; i++) {
        double place[DISCOVER_MOST_VARIABLES] = {0}, at;
        for (size_t v = 0; v < p->nvariables; v++)
            place[v] = (double)p->at[i][v];
        at = product(f, place);
        double quotient = at > 0 ? (double)counts[i] / at : NAN;
        if (!(quotient > 0)) {
            f->scatter = INFINITY;
            return;
        }
        least = fmin(least, quotient);
        most = fmax(most, quotient);
    }
    f->factor = sqrt(least * most);
    f->scatter = sqrt(most / least) - 1;
}

static const char *text_of(struct arena *a, const struct discover_points *p,
                           const struct discover_formula *f)
{
    struct text t;
    text_init(&t);
    text_add(&t, number_digits(f->factor, 4, NUMBER_BUFFER));
    for (size_t v = 0; v < f->nvariables; v++) {
        if (f->power[v] != 0)
            text_printf(&t, "*%s", p->names[v]);
        if (f->power[v] != 0 && f->power[v] != 1)
            text_printf(&t, "^%s", number_digits(f->power[v], 4, NUMBER_BUFFER));
        if (f->logs[v])
            text_printf(&t, "*log2(%s)", p->names[v]);
    }
    const char *result = arena_strdup(a, t.s);
    text_free(&t);
    return result;
}

static bool is_fixed(const struct discover_points *p, size_t v)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[i][v] != p->at[0][v])
            return false;
    return true;
}

void smooth_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                 struct discover_formula *out)
{
    struct discover_formula try = *out, best = *out;
    size_t all = 1;
    best.scatter = INFINITY;
    if (p->n < 3) /* anything is near two counts */
        return;
    for (size_t v = 0; v < p->nvariables; v++)
        all *= is_fixed(p, v) ? 1 : SHAPES;
    for (size_t k = 0; k < all; k++) {
        size_t rest = k;
        for (size_t v = 0; v < p->nvariables; v++) {
            size_t shape = is_fixed(p, v) ? 0 : rest % SHAPES;
            rest /= is_fixed(p, v) ? 1 : SHAPES;
            try.power[v] = shapes[shape].power;
            try.logs[v] = shapes[shape].logs;
        }
        judge(p, counts, &try);
        if (try.scatter < best.scatter)
            best = try;
    }
    if (best.scatter > DISCOVER_SCATTER)
        return;
    *out = best;
    out->text = text_of(a, p, out);
}
