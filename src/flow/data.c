/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the counters of a run, and finds the counts of the arcs that have none: where all arcs on one side
 * of a block are known, and all but one on the other side, the last one is the difference. The arcs without
 * counters are a tree, so this reaches all of them.
 */
#include <string.h>

#include "flow/bytes.h"
#include "flow/internal.h"

/* ---- the flow ---- */

struct solver {
    const struct flow_function *f;
    struct arcs_of side[2]; /* arcs that enter, arcs that leave */
    int64_t *count;         /* of each arc */
    bool *known;
    uint32_t *queue; /* blocks to look at */
    size_t queued;
    bool damaged;
    bool formal; /* numbers modulo 2^64, not counts */
};

static size_t unknown(const struct solver *w, int side, uint32_t block, int64_t *sum, size_t *last)
{
    const struct arcs_of *s = &w->side[side];
    size_t n = 0;
    *sum = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): finish makes both sides
    for (size_t k = s->first[block]; k < s->first[block + 1]; k++) {
        size_t arc = s->list[k];
        if (w->known[arc]) {
            *sum = (int64_t)((uint64_t)*sum + (uint64_t)w->count[arc]);
        } else {
            n++;
            *last = arc;
        }
    }
    return n;
}

static void set_arc(struct solver *w, size_t arc, int64_t count)
{
    w->damaged |= count < 0;
    w->count[arc] = count < 0 && !w->formal ? 0 : count;
    w->known[arc] = true;
    w->queue[w->queued++] = w->f->arcs[arc].from;
    w->queue[w->queued++] = w->f->arcs[arc].to;
}

/* Blocks 0 and 1 have arcs on one side only. */
static void look_at(struct solver *w, uint32_t block)
{
    int64_t in, out;
    size_t last_in = 0, last_out = 0;
    if (block < 2)
        return;
    size_t nin = unknown(w, 0, block, &in, &last_in);
    size_t nout = unknown(w, 1, block, &out, &last_out);
    if (nin == 0 && nout == 1)
        set_arc(w, last_out, (int64_t)((uint64_t)in - (uint64_t)out));
    else if (nout == 0 && nin == 1)
        set_arc(w, last_in, (int64_t)((uint64_t)out - (uint64_t)in));
    else if (nin == 0 && nout == 0 && in != out)
        w->damaged = true;
}

/* What enters a block. */
static uint64_t executions(const struct solver *w, uint32_t block)
{
    int64_t sum;
    size_t last;
    unknown(w, 0, block, &sum, &last);
    return (uint64_t)sum;
}

/* What leaves the entry. A fake arc from there is a second return, of setjmp. */
static uint64_t calls(const struct solver *w)
{
    const struct arcs_of *leaving = &w->side[1];
    uint64_t sum = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): finish makes both sides
    for (size_t k = leaving->first[0]; k < leaving->first[1]; k++)
        if (!w->f->arcs[leaving->list[k]].fake)
            sum += (uint64_t)w->count[leaving->list[k]];
    return sum;
}

static uint64_t iterations(const struct solver *w, const struct flow_loop *l)
{
    uint64_t n = executions(w, l->header), out = 0;
    for (size_t i = 0; i < l->nexits; i++)
        out += (uint64_t)w->count[l->exits[i]];
    return out < n || w->formal ? n - out : 0;
}

static uint64_t entries(const struct solver *w, const struct flow_loop *l)
{
    uint64_t n = 0;
    for (size_t i = 0; i < l->nenters; i++)
        n += (uint64_t)w->count[l->enters[i]];
    return n;
}

static struct solver begin(struct arena *scratch, const struct flow_function *f)
{
    struct solver w = {.f = f};
    w.count = arena_zalloc(scratch, f->narcs + 1, sizeof *w.count);
    w.known = arena_zalloc(scratch, f->narcs + 1, sizeof *w.known);
    w.queue = arena_alloc(scratch, f->nblocks + 2 * f->narcs + 1, sizeof *w.queue);
    return w;
}

/* Finds the arcs that are not known, and adds the counts of the function. */
static void finish(struct arena *scratch, struct solver *w, size_t index,
                   struct flow_counts *counts)
{
    const struct flow_function *f = w->f;
    w->side[0] = flow_arcs_of(scratch, f, true);
    w->side[1] = flow_arcs_of(scratch, f, false);
    for (uint32_t block = 0; block < f->nblocks; block++)
        w->queue[w->queued++] = block;
    for (size_t i = 0; i < w->queued; i++)
        look_at(w, w->queue[i]);
    for (size_t i = 0; i < f->narcs; i++)
        w->damaged |= !w->known[i];
    counts->calls[index] += f->nblocks ? calls(w) : 0;
    for (size_t i = 0; i < f->nloops; i++) {
        counts->iterations[f->first_loop + i] += iterations(w, &f->loops[i]);
        counts->entries[f->first_loop + i] += entries(w, &f->loops[i]);
    }
    counts->damaged[index] |= w->damaged;
}

/* The counters of a function, in the order of its arcs. Returns whether they are as many as it needs. */
static bool add_function(struct arena *scratch, const struct flow_function *f, size_t index,
                         struct bytes *b, size_t zeros, struct flow_counts *counts)
{
    struct solver w = begin(scratch, f);
    size_t stored = zeros ? zeros / 8 : (size_t)(b->end - b->at) / 8, used = 0;
    for (size_t i = 0; i < f->narcs; i++) {
        if (f->arcs[i].on_tree)
            continue;
        if (used++ >= stored)
            return false;
        int64_t count = zeros ? 0 : (int64_t)bytes_long(b);
        w.damaged |= count < 0;
        w.count[i] = count < 0 ? 0 : count;
        w.known[i] = true;
    }
    if (used != stored)
        return false;
    finish(scratch, &w, index, counts);
    return true;
}

/* ---- a flow of random numbers ---- */

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint32_t root_of(uint32_t *above, uint32_t block)
{
    while (above[block] != block)
        block = above[block] = above[above[block]];
    return block;
}

/* The compiler's tree may have fake arcs, which are 0 here. So this has a tree of its own; what leaves the exit enters the
 * entry, as in the compiler's. */
static void random_function(struct arena *scratch, const struct flow_function *f, size_t index,
                            uint64_t *state, struct flow_counts *counts)
{
    struct solver w = begin(scratch, f);
    uint32_t *above = arena_alloc(scratch, (size_t)f->nblocks + 2, sizeof *above);
    w.formal = true;
    for (uint32_t b = 0; b < f->nblocks; b++)
        above[b] = b < 2 ? 0 : b;
    for (size_t i = 0; i < f->narcs; i++) {
        uint32_t from = root_of(above, f->arcs[i].from), to = root_of(above, f->arcs[i].to);
        uint64_t number = next_random(state);
        w.known[i] = f->arcs[i].fake || from == to;
        w.count[i] = f->arcs[i].fake || from != to ? 0 : (int64_t)number;
        if (!w.known[i])
            above[from] = to;
    }
    finish(scratch, &w, index, counts);
}

void flow_random(const struct flow *c, uint64_t seed, struct flow_counts *counts)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    for (size_t i = 0; i < c->nfunctions; i++) {
        uint64_t state =
            seed << 32 | c->functions[i].graph_checksum; /* equal graphs, equal numbers */
        random_function(scratch, &c->functions[i], i, &state, counts);
        arena_reset(scratch);
    }
}

/* ---- the file ---- */

struct flow_counts flow_counts_make(struct arena *a, const struct flow *c)
{
    return (struct flow_counts){.calls = arena_zalloc(a, c->nfunctions + 1, sizeof(uint64_t)),
                                .iterations = arena_zalloc(a, c->nloops + 1, sizeof(uint64_t)),
                                .entries = arena_zalloc(a, c->nloops + 1, sizeof(uint64_t)),
                                .damaged = arena_zalloc(a, c->nfunctions + 1, sizeof(bool))};
}

/* The functions of the data come in the order of the notes, but some may be missing. */
static size_t find_function(const struct flow *c, struct bytes *b, size_t after)
{
    uint32_t ident = bytes_word(b), line = bytes_word(b), graph = bytes_word(b);
    for (size_t k = 0; k < c->nfunctions; k++) {
        size_t i = (after + k) % c->nfunctions;
        const struct flow_function *f = &c->functions[i];
        if (f->ident == ident && f->line_checksum == line && f->graph_checksum == graph)
            return i;
    }
    return SIZE_MAX;
}

int flow_add(const struct flow *c, const char *bytes, size_t size, struct flow_counts *counts,
             const char **why)
{
    struct bytes b, contents;
    ARENA_LOCAL struct arena *scratch = arena_create();
    uint32_t stamp, tag;
    size_t zeros, current = SIZE_MAX, next = 0;
    *why = NULL;
    if (!bytes_begin(&b, bytes, size, BYTES_DATA, &stamp, why) && stamp != c->stamp)
        *why = "it is of another compilation than its notes";
    while (!*why && bytes_record(&b, &tag, &contents, &zeros)) {
        if (tag == TAG_FUNCTION) {
            bool present = contents.end - contents.at >= 12;
            current = present ? find_function(c, &contents, next) : SIZE_MAX;
            if (present && current == SIZE_MAX)
                *why = "it has a function that its notes do not have";
            next = current + 1;
        } else if (tag == TAG_COUNTERS && current != SIZE_MAX) {
            if (!add_function(scratch, &c->functions[current], current, &contents, zeros, counts))
                *why = "it has another number of counters than its notes";
            arena_reset(scratch);
            current = SIZE_MAX;
        }
    }
    if (!*why && b.failed)
        *why = "it is damaged or not complete";
    return *why ? -1 : 0;
}
