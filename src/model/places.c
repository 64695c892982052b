/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the runs of each point took place: what the headers of their files say. */
#include <math.h>

#include "model/rows.h"

void places_find(struct arena *a, const struct grouping *g, struct points *out)
{
    out->places = arena_zalloc(a, g->ngroups + 1, sizeof *out->places);
    out->from = arena_zalloc(a, g->e->nsegments + 1, sizeof *out->from);
    for (size_t s = 0; s < g->e->nsegments; s++) {
        const struct data_file *f = &g->files[g->e->segments[s].file];
        size_t end = s + 1 < g->e->nsegments ? g->e->segments[s + 1].first_row : g->e->nrows;
        for (size_t row = g->e->segments[s].first_row; row < end; row++) {
            if (g->group[row] == UINT32_MAX)
                continue;
            struct points_place *p = &out->places[g->group[row]];
            out->from[s] = true;
            if (f->hosts > 0) {
                p->hosts_low = p->hosts_low > 0 ? fmin(p->hosts_low, f->hosts) : f->hosts;
                p->hosts_high = fmax(p->hosts_high, f->hosts);
            }
            p->samples++;
            p->simulated += data_file_is_simulated(f);
            p->repeats += data_file_repeats(f);
            p->counted += data_file_is_counted(f);
            p->oversubscribed += f->oversubscribed;
            p->hyper_threads += f->hyper_threads == HYPER_THREADS_USED;
        }
    }
}
