/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/moved.h"

#include <math.h>
#include <string.h>

#include "carry/thresholds.h"

/* ---- levels of both machines */

/* What fits into the cache of this level; 0 if the machine has none. A virtual machine may see less of a cache than the
 * system states: a measured level counts, the nearest one of those that are larger than the cache below. */
static double capacity_at(struct arena *a, const struct machine *m, int level, double below)
{
    struct machine_level measured[MACHINE_LEVELS];
    size_t n = machine_levels(m, a, measured, MACHINE_LEVELS);
    double stated = 0, nearest = INFINITY;
    for (size_t i = 0; i < m->ncaches; i++)
        if (m->caches[i].level == level && strcmp(m->caches[i].type, "instruction") != 0)
            stated = (double)m->caches[i].bytes;
    double bytes = stated;
    for (size_t i = 0; i < n && stated > 0; i++) {
        double apart = fabs(log(measured[i].bytes / stated));
        bool possible =
            measured[i].bytes > MOVED_NEAR * below && measured[i].bytes <= MOVED_NEAR * stated;
        if (possible && apart < nearest) {
            nearest = apart;
            bytes = measured[i].bytes;
        }
    }
    return bytes;
}

static size_t levels_of_caches(struct arena *a, const struct machine *from,
                               const struct machine *to, struct moved_level *out)
{
    size_t n = 0;
    double here = 0, there = 0;
    for (int level = 1; level <= MOVED_LEVELS; level++) {
        double own = capacity_at(a, from, level, here), same = capacity_at(a, to, level, there);
        here = own > 0 ? own : here;
        there = same > 0 ? same : there;
        if (own > 0 && there > 0)
            out[n++] = (struct moved_level){arena_printf(a, "L%d", level), own, there};
    }
    return n;
}

/* Without caches in a file, the measured levels of both machines in their order. */
static size_t levels_of_latency(struct arena *a, const struct machine *from,
                                const struct machine *to, struct moved_level *out)
{
    struct machine_level here[MACHINE_LEVELS], there[MACHINE_LEVELS];
    size_t n = machine_levels(from, a, here, MOVED_LEVELS),
           m = machine_levels(to, a, there, MOVED_LEVELS);
    for (size_t i = 0; i < n && m; i++)
        out[i] = (struct moved_level){arena_printf(a, "level %zu of the latency", i + 1),
                                      here[i].bytes, there[i < m ? i : m - 1].bytes};
    return m ? n : 0;
}

size_t moved_levels(struct arena *a, const struct machine *from, const struct machine *to,
                    struct moved_level *out)
{
    return from->ncaches && to->ncaches ? levels_of_caches(a, from, to, out)
                                        : levels_of_latency(a, from, to, out);
}

/* ---- which level explains a boundary */

/* The nearest level, or -1. *apart gets the logarithm of the distance. */
static int nearest(const struct moved_level *levels, size_t nlevels, double bytes, double *apart)
{
    int found = -1;
    *apart = log(MOVED_NEAR);
    for (size_t l = 0; l < nlevels; l++)
        if (fabs(log(bytes / levels[l].from)) <= *apart) {
            *apart = fabs(log(bytes / levels[l].from));
            found = (int)l;
        }
    return found;
}

/* How badly units of so many bytes explain the boundaries: each that is not explained counts more than all distances. */
static double badness(const struct moved_level *levels, size_t nlevels, double bytes,
                      const struct moved_boundary *boundaries, size_t n)
{
    double sum = fabs(log(bytes / MOVED_USUAL_BYTES)) / 4, apart;
    if (!(bytes >= MOVED_LEAST_BYTES && bytes <= MOVED_MOST_BYTES))
        return INFINITY;
    for (size_t i = 0; i < n; i++)
        sum += nearest(levels, nlevels, bytes * boundaries[i].units, &apart) < 0 ? 10 : apart;
    return sum;
}

static double find_bytes(const struct moved_level *levels, size_t nlevels,
                         const struct moved_boundary *boundaries, size_t n)
{
    double best = INFINITY, bytes = NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < nlevels; l++) {
            double tried = levels[l].from / boundaries[i].units;
            double bad = badness(levels, nlevels, tried, boundaries, n);
            if (bad < best) {
                best = bad;
                bytes = tried;
            }
        }
    return bytes;
}

double moved_explain(const struct moved_level *levels, size_t nlevels, double bytes,
                     struct moved_boundary *boundaries, size_t n)
{
    bool explained = false;
    double apart;
    if (isnan(bytes))
        bytes = find_bytes(levels, nlevels, boundaries, n);
    for (size_t i = 0; i < n; i++) {
        struct moved_boundary *b = &boundaries[i];
        b->level = isnan(bytes) ? -1 : nearest(levels, nlevels, bytes * b->units, &apart);
        b->factor = b->level < 0 ? 1 : levels[b->level].to / levels[b->level].from;
        explained = explained || b->level >= 0;
    }
    return explained ? bytes : NAN;
}
