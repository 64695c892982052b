/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnosis of where the runs of a fit took place. One formula cannot describe points on one host and
 * points on several, or points whose processes share cores and points whose processes do not. What is
 * the same at all points is not a finding here.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "model/diagnose.h"

/* Points of which something holds, and the others. */
struct division {
    size_t yes, no, first; /* first: the first point of which it holds */
    double from, below;    /* the smallest P of the former, the largest P of the latter */
};

static struct division divide(const struct model *m,
                              bool (*holds)(const struct points_setting *, double than),
                              double than)
{
    const struct points *p = &m->points;
    size_t processors = points_find(p, "P");
    struct division d = {.from = INFINITY, .below = -INFINITY};
    for (size_t i = 0; i < p->n; i++) {
        double at = processors != SIZE_MAX ? p->at[processors][i] : 0;
        if (holds(&p->settings[i], than)) {
            d.first = d.yes++ ? d.first : i;
            d.from = fmin(d.from, at);
        } else {
            d.no++;
            d.below = fmax(d.below, at);
        }
    }
    return d;
}

/* "from P = 32 on", "at 3 of 12 points (first N=512 P=4)". */
static char *which_points(struct model *m, const struct division *d)
{
    if (d->from > d->below)
        return arena_printf(m->arena, "from P = %s on", number_text(d->from, NUMBER_BUFFER));
    return arena_printf(m->arena, "at %zu of %zu points (first %s)", d->yes, d->yes + d->no,
                        points_label(m->arena, &m->points, d->first));
}

static bool on_more_hosts(const struct points_setting *p, double than)
{
    return p->hosts_high > than;
}

static bool is_oversubscribed(const struct points_setting *p, double than)
{
    return (double)p->oversubscribed > than;
}

static bool uses_hyper_threads(const struct points_setting *p, double than)
{
    return (double)p->hyper_threads > than;
}

static void check_hosts(struct model *m)
{
    double low = INFINITY, high = 0;
    char fewest[NUMBER_SIZE], most[NUMBER_SIZE];
    for (size_t i = 0; i < m->points.n; i++) {
        const struct points_setting *p = &m->points.settings[i];
        low = p->hosts_low > 0 ? fmin(low, p->hosts_low) : low;
        high = fmax(high, p->hosts_high);
    }
    if (!(high > low))
        return;
    struct division d = divide(m, on_more_hosts, low);
    number_text(low, fewest);
    SAY(m, "hosts",
        arena_printf(m->arena,
                     "fit one number of hosts by itself ('where hosts == %s'), or give "
                     "communication between hosts a term",
                     fewest),
        "the number of hosts varies, from %s to %s: %s there are more than %s", fewest,
        number_text(high, most), which_points(m, &d), fewest);
}

static void check_oversubscribed(struct model *m)
{
    struct division d = divide(m, is_oversubscribed, 0);
    if (d.yes && d.no)
        SAY(m, "oversubscribed",
            "leave these points out ('where oversubscribed == 0'), or measure with at most as many "
            "processes as cores",
            "%s there are more processes or threads than cores, at the other points there are not",
            which_points(m, &d));
    else if (d.yes)
        SAY(m, "oversubscribed", "measure with at most as many processes as cores",
            "all points come from runs with more processes or threads than cores");
}

static void check_hyper_threads(struct model *m)
{
    struct division d = divide(m, uses_hyper_threads, 0);
    if (d.yes && d.no)
        SAY(m, "hyper-threads",
            "leave these points out ('where hyperthreads == 0'), or measure with one process or "
            "thread per core",
            "%s processes or threads share cores as hyper-threads, at the other points they do not",
            which_points(m, &d));
}

static void check_simulated(struct model *m)
{
    size_t simulated = 0, samples = 0;
    for (size_t i = 0; i < m->points.n; i++) {
        simulated += m->points.settings[i].simulated;
        samples += m->points.settings[i].samples;
    }
    if (simulated && simulated < samples)
        SAY(m, "simulated", "choose with 'where simulated == 0' or 'where simulated == 1'",
            "%zu of %zu samples are simulated, the others measured", simulated, samples);
}

void diagnose_settings(struct model *m)
{
    const char *observable = m->request.points.observable;
    check_simulated(m);
    if (strcmp(observe_unit(observable), "s") != 0)
        return;
    check_hosts(m);
    check_oversubscribed(m);
    check_hyper_threads(m);
}
