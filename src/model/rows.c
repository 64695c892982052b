/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of rows, and rows that are alike: open addressing, at most half full. */
#include "model/rows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

uint64_t rows_bits(double x)
{
    uint64_t u;
    x += 0.0; /* -0 and 0 are one value */
    memcpy(&u, &x, sizeof u);
    return u;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x ^ x >> 32; /* round doubles differ in their high bits only */
    h *= 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

void rows_drop_rare(struct grouping *g)
{
    MEM_LOCAL size_t *have = mem_zalloc(g->ngroups, sizeof *have),
                     *lack = mem_zalloc(g->ngroups, sizeof *lack);
    MEM_LOCAL uint32_t *number = mem_alloc(g->ngroups, sizeof *number);
    uint32_t kept = 0;
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        uint32_t group = g->group[row] & ~ROWS_MISSING;
        have[group] += group == g->group[row];
        lack[group] += group != g->group[row];
    }
    for (size_t i = 0; i < g->ngroups; i++) {
        number[i] = have[i] && have[i] >= lack[i] ? kept++ : UINT32_MAX;
        if (number[i] != UINT32_MAX)
            g->first[number[i]] = g->first[i];
    }
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] != UINT32_MAX)
            g->group[row] = g->group[row] & ROWS_MISSING ? UINT32_MAX : number[g->group[row]];
    g->ngroups = kept;
}

const int rows_execution[] = {FIELD_RUN, FIELD_THREAD, FIELD_SEQ, FIELD_FIXED};

/* A table of the first rows that are alike. */
struct row_table {
    const struct grouping *g;
    const int *fields;
    size_t *slots; /* 1 + row */
    size_t nslots, hint, other_hint;
};

/* The slot of the rows like this one; 0 in it = there was none yet. */
static size_t *slot_of(struct row_table *t, size_t row)
{
    const struct grouping *g = t->g;
    const struct column *c = g->e->columns;
    size_t job = g->files[experiment_segment(g->e, row, &t->hint)->file].first;
    uint64_t h = mix(g->group[row], (uint64_t)job);
    for (const int *f = t->fields; *f != FIELD_FIXED; f++)
        h = mix(h, rows_bits(column_at(&c[*f], row)));
    size_t slot = h & (t->nslots - 1);
    for (; t->slots[slot]; slot = (slot + 1) & (t->nslots - 1)) {
        size_t other = t->slots[slot] - 1;
        bool same = g->group[other] == g->group[row] &&
                    g->files[experiment_segment(g->e, other, &t->other_hint)->file].first == job;
        for (const int *f = t->fields; *f != FIELD_FIXED && same; f++)
            same = rows_bits(column_at(&c[*f], other)) == rows_bits(column_at(&c[*f], row));
        if (same)
            break;
    }
    return &t->slots[slot];
}

uint32_t *rows_alike(const struct grouping *g, const int *fields, size_t *n)
{
    struct row_table t = {.g = g, .fields = fields, .nslots = 16};
    while (t.nslots < 2 * g->e->nrows + 2)
        t.nslots *= 2;
    MEM_LOCAL size_t *slots = t.slots = mem_zalloc(t.nslots, sizeof *slots);
    uint32_t *number = mem_alloc(g->e->nrows + 1, sizeof *number);
    *n = 0;
    for (size_t row = 0; row < g->e->nrows; row++) {
        number[row] = UINT32_MAX;
        if (g->group[row] == UINT32_MAX)
            continue;
        size_t *slot = slot_of(&t, row);
        number[row] = *slot ? number[*slot - 1] : (uint32_t)(*n)++;
        if (!*slot)
            *slot = row + 1;
    }
    return number;
}

void rows_settings(struct arena *a, const struct grouping *g, struct points *out)
{
    out->settings = arena_zalloc(a, g->ngroups + 1, sizeof *out->settings);
    out->from = arena_zalloc(a, g->e->nsegments + 1, sizeof *out->from);
    for (size_t s = 0; s < g->e->nsegments; s++) {
        const struct data_file *f = &g->files[g->e->segments[s].file];
        size_t end = s + 1 < g->e->nsegments ? g->e->segments[s + 1].first_row : g->e->nrows;
        for (size_t row = g->e->segments[s].first_row; row < end; row++) {
            if (g->group[row] == UINT32_MAX)
                continue;
            struct points_setting *p = &out->settings[g->group[row]];
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
