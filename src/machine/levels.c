/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels of the memory, from the curve of latency against working set. The curve is a stair: it is
 * flat as long as the working set fits a cache, and rises where it no longer does.
 *
 * A flat part is a run of sizes over at least LEVEL_FLAT_LENGTH doublings in which each rise to the next
 * size is below LEVEL_FLAT_RISE per doubling. Two flat parts whose latencies differ by less than a factor
 * LEVEL_DIFFERENT are one. The level between two flat parts is at the size at which the latency is the
 * geometric mean of both, but at most LEVEL_LEFT times that of the first: noise may hide a flat part
 * between them. Sizes are interpolated on logarithms. After the last flat part there is no level.
 */
#include <math.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/thresholds.h"

struct flat {
    size_t begin, end; /* of the sizes; the last is end - 1 */
    double latency;    /* geometric mean */
};

static double log_of(const struct machine_figure *f)
{
    return log2(f->value);
}

static double size_of(const struct machine_figure *f)
{
    return log2((double)f->bytes);
}

static struct flat make_flat(const struct machine_figure **curve, size_t begin, size_t end)
{
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += log_of(curve[i]);
    return (struct flat){begin, end, exp2(sum / (double)(end - begin))};
}

/* The flat parts of the curve; returns how many. */
static size_t find_flats(const struct machine_figure **curve, size_t n, struct flat *out)
{
    size_t found = 0;
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            double rise = log_of(curve[end]) - log_of(curve[end - 1]);
            double run = size_of(curve[end]) - size_of(curve[end - 1]);
            if (!(rise <= LEVEL_FLAT_RISE * run))
                break;
        }
        if (size_of(curve[end - 1]) - size_of(curve[begin]) < LEVEL_FLAT_LENGTH)
            continue;
        struct flat f = make_flat(curve, begin, end);
        if (found && f.latency < LEVEL_DIFFERENT * out[found - 1].latency)
            out[found - 1] = make_flat(curve, out[found - 1].begin, end);
        else
            out[found++] = f;
    }
    return found;
}

/* Where the curve leaves the first for the second. */
static struct machine_level between(const struct machine_figure **curve, const struct flat *a,
                                    const struct flat *b)
{
    double wanted = log2(a->latency) + fmin(log2(b->latency / a->latency) / 2, log2(LEVEL_LEFT));
    size_t i = a->begin + 1;
    while (i < b->end - 1 && log_of(curve[i]) < wanted)
        i++;
    double y0 = log_of(curve[i - 1]), y1 = log_of(curve[i]);
    double part = y1 > y0 ? fmin(1, fmax(0, (wanted - y0) / (y1 - y0))) : 0.5;
    double x0 = size_of(curve[i - 1]), x1 = size_of(curve[i]);
    return (struct machine_level){.bytes = exp2(x0 + part * (x1 - x0)),
                                  .below = (double)curve[i - 1]->bytes,
                                  .above = (double)curve[i]->bytes,
                                  .latency = a->latency,
                                  .next = b->latency};
}

static size_t levels_of(const struct machine *m, const char *family, int cores, struct arena *a,
                        struct machine_level *out, size_t most)
{
    size_t n, found = 0;
    const struct machine_figure **curve = machine_curve(m, family, "latency", cores, 0, a, &n);
    while (n && curve[0]->bytes == 0)
        curve++, n--;
    struct flat *flats = arena_alloc(a, n + 1, sizeof *flats);
    size_t nflats = find_flats(curve, n, flats);
    for (size_t i = 1; i < nflats && found < most; i++)
        out[found++] = between(curve, &flats[i - 1], &flats[i]);
    return found;
}

size_t machine_levels(const struct machine *m, struct arena *a, struct machine_level *out,
                      size_t most)
{
    return levels_of(m, "memory", 1, a, out, most);
}

size_t machine_device_levels(const struct machine *m, struct arena *a, struct machine_level *out,
                             size_t most)
{
    return levels_of(m, "gpu", 0, a, out, most);
}
