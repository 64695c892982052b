/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of each thread in the order in which their executions ended, so that each comes after
 * those inside it. A stack holds what has ended and is in nothing yet. A sample takes from it those
 * that began after its own begin. `nested` counts all pairs inside, of whatever depth, so the samples
 * directly inside are complete if their own `nested`, plus one for each of them, add up to it.
 *
 * Ends are sums of two numbers that the file rounds to a hundredth of a tick: ends that differ by
 * less than a part of a tick are the same, and then the sample that began later, or has fewer pairs
 * inside, comes first. An execution of no ticks beside the end or the begin of another one looks as if
 * it were inside; if there are too many samples for `nested`, such ones are taken out first.
 */
#include "data/nesting.h"

#include "base/sort.h"
#include "base/tuples.h"

#define SAME_TICK 0.05 /* of the resolution */
#define NO_PARENT UINT32_MAX
/* A signal handler that interrupts the end of a region makes it seem to contain too much. More such
   samples than this part show that a thread is not one. */
#define MOST_CROWDED 0.05

struct nesting {
    struct arena *arena; /* of the lists; NULL = not found yet */
    struct nested *list; /* per experiment */
    bool *torn;          /* per experiment: a thread of it is torn */
    size_t n;
};

/* One sample. */
struct entry {
    double start, end;
    uint32_t key; /* of its thread */
    uint32_t experiment, row;
    uint32_t parent; /* index of an entry */
};

struct work {
    const struct dataset *d;
    struct nesting *out;
    struct entry *entries;
    size_t n;
    struct tuples threads; /* file, run, rank and thread: a thread of a process, in one run */
    uint32_t *stack;       /* indices of entries */
    size_t depth;
};

/* ---- entries */

static const struct column *clock_of(const struct experiment *e)
{
    size_t j = experiment_find_observable(e, "CLOCK");
    return j == SIZE_MAX ? NULL : &e->columns[j];
}

bool nesting_applies(const struct experiment *e)
{
    const struct column *clock = clock_of(e);
    return clock && !column_is_empty(clock) && experiment_find_observable(e, DATA_SELF) == SIZE_MAX;
}

static void add_entries(struct work *w, uint32_t experiment)
{
    const struct experiment *e = w->d->experiments[experiment];
    const struct column *clock = clock_of(e);
    size_t hint = 0;
    double last[4] = {NAN, 0, 0, 0};
    uint32_t number = 0;
    for (size_t row = 0; row < e->nrows && clock; row++) {
        double start = column_at(&e->columns[FIELD_START], row), time = column_at(clock, row);
        if (!isfinite(start) || !isfinite(time))
            continue;
        double thread[4] = {
            (double)experiment_segment(e, row, &hint)->file, column_at(&e->columns[FIELD_RUN], row),
            column_at(&e->columns[FIELD_RANK], row), column_at(&e->columns[FIELD_THREAD], row)};
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): 0 and -0 are looked up once more
        if (memcmp(thread, last, sizeof last) != 0)
            number = tuples_number(&w->threads, thread);
        memcpy(last, thread, sizeof last);
        w->entries[w->n++] =
            (struct entry){start, start + time, number, experiment, (uint32_t)row, NO_PARENT};
    }
}

static double nested_in(const struct work *w, const struct entry *x)
{
    return column_at(&w->d->experiments[x->experiment]->columns[FIELD_NESTED], x->row);
}

static double time_of(const struct work *w, const struct entry *x)
{
    const struct column *clock = clock_of(w->d->experiments[x->experiment]);
    return clock ? column_at(clock, x->row) : 0; /* all entries have a clock: nesting_applies */
}

/* Seconds that the thread was without its core at most: where the CPU time was not measured, that may be
 * all of the time. */
static double away_of(const struct work *w, const struct entry *x)
{
    const struct experiment *e = w->d->experiments[x->experiment];
    size_t cpu = experiment_find_observable(e, "CPUTIME");
    double on_core = cpu == SIZE_MAX ? NAN : column_at(&e->columns[cpu], x->row);
    return fmax(time_of(w, x) - (isnan(on_core) ? 0 : on_core), 0);
}

static const struct data_file *file_of(const struct work *w, const struct entry *x)
{
    return &w->d->files[(size_t)w->threads.list[x->key * w->threads.width]];
}

/* How far apart two times of one tick may be. */
static double slack_of(const struct work *w, const struct entry *x)
{
    double resolution = file_of(w, x)->resolution;
    return resolution > 0 && isfinite(resolution) ? SAME_TICK * resolution : 0;
}

static int by_end(const void *x, const void *y, void *context)
{
    const struct entry *a = x, *b = y;
    (void)context;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return 0;
}

/* Of samples that end in one tick: those inside come first. */
static int by_depth(const void *x, const void *y, void *context)
{
    const struct entry *a = x, *b = y;
    const struct work *w = context;
    if (a->start != b->start)
        return a->start > b->start ? -1 : 1;
    double in_a = nested_in(w, a), in_b = nested_in(w, b);
    if (in_a != in_b)
        return in_a < in_b ? -1 : 1;
    if (a->experiment != b->experiment)
        return a->experiment < b->experiment ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static void sort_entries(struct work *w)
{
    sort_with(w->entries, w->n, sizeof *w->entries, by_end, w);
    for (size_t i = 0, end; i < w->n; i = end) {
        double slack = slack_of(w, &w->entries[i]);
        for (end = i + 1; end < w->n && w->entries[end].key == w->entries[i].key &&
                          w->entries[end].end - w->entries[end - 1].end <= slack;)
            end++;
        if (end > i + 1)
            sort_with(w->entries + i, end - i, sizeof *w->entries, by_depth, w);
    }
}

/* ---- what is inside what */

/* The samples that seem to be directly inside: stack[from] to stack[to - 1]. */
struct inside {
    size_t from, to;
    double pairs; /* that they stand for */
};

static struct inside look_inside(const struct work *w, const struct entry *x)
{
    double slack = slack_of(w, x);
    struct inside in = {w->depth, w->depth, 0};
    while (in.from > 0 && w->entries[w->stack[in.from - 1]].start >= x->start - slack)
        in.pairs += 1 + nested_in(w, &w->entries[w->stack[--in.from]]);
    return in;
}

/* Takes out samples of no ticks at the ends, while there are more pairs than there should be. Those
 * at the end of x follow it, those at its begin precede it. */
static void take_out(const struct work *w, const struct entry *x, struct inside *in)
{
    double slack = slack_of(w, x), most = nested_in(w, x);
    while (in->to > in->from && in->pairs > most) {
        const struct entry *last = &w->entries[w->stack[in->to - 1]];
        if (last->start < x->end - slack)
            break;
        in->pairs -= 1 + nested_in(w, last);
        in->to--;
    }
    while (in->to > in->from && in->pairs > most) {
        const struct entry *first = &w->entries[w->stack[in->from]];
        if (first->end > x->start + slack)
            break;
        in->pairs -= 1 + nested_in(w, first);
        in->from++;
    }
}

/* Whether it is of no ticks, at an end of x: then it may as well precede or follow x. */
static bool is_at_edge(const struct work *w, const struct entry *x, const struct entry *child)
{
    double slack = slack_of(w, x);
    return child->start >= x->end - slack || child->end <= x->start + slack;
}

enum placed { PLACED, CROWDED, OVERLAPPING };

/* x takes what is inside it from the stack, and goes there itself. CROWDED: there is more inside than
 * `nested` says. OVERLAPPING: a sample that is not inside it ended after its begin. */
static enum placed place_entry(struct work *w, uint32_t index)
{
    struct entry *x = &w->entries[index];
    struct nested *out = &w->out->list[x->experiment];
    const struct data_file *f = file_of(w, x);
    struct inside in = look_inside(w, x);
    take_out(w, x, &in);
    double sum = 0, empty = f->has_empty ? f->empty : f->overhead;
    bool doubtful = false; /* where samples are missing, another one may count in place of one */
    for (size_t i = in.from; i < in.to; i++) {
        struct entry *child = &w->entries[w->stack[i]];
        child->parent = index;
        sum += time_of(w, child);
        out->away[x->row] += away_of(w, child);
        doubtful = doubtful || (f->thinned != THINNED_NO && is_at_edge(w, x, child));
    }
    double direct = (double)(in.to - in.from);
    if (in.pairs == nested_in(w, x) && !doubtful) {
        out->self.values[x->row] = time_of(w, x) - sum - empty - direct * (f->overhead - empty);
        out->direct[x->row] = (uint32_t)(in.to - in.from);
        out->unknown--;
    }
    out->containing += nested_in(w, x) > 0;
    bool whole = in.from == 0 || w->entries[w->stack[in.from - 1]].end <= x->start + slack_of(w, x);
    size_t after = w->depth - in.to;
    memmove(w->stack + in.from + 1, w->stack + in.to, after * sizeof *w->stack);
    w->stack[in.from] = index;
    w->depth = in.from + 1 + after;
    return !whole ? OVERLAPPING : in.pairs > nested_in(w, x) ? CROWDED : PLACED;
}

/* The samples of one thread: entries[from] to entries[to - 1]. */
static void place_thread(struct work *w, size_t from, size_t to)
{
    size_t crowded = 0, overlapping = 0;
    w->depth = 0;
    for (size_t i = from; i < to; i++) {
        enum placed how = place_entry(w, (uint32_t)i);
        crowded += how == CROWDED;
        overlapping += how == OVERLAPPING;
    }
    bool torn = overlapping || (double)crowded > MOST_CROWDED * (double)(to - from);
    for (size_t i = from; i < to && torn; i++) {
        struct nested *out = &w->out->list[w->entries[i].experiment];
        out->unknown += isfinite(out->self.values[w->entries[i].row]);
        out->self.values[w->entries[i].row] = NAN;
        w->out->torn[w->entries[i].experiment] = true;
        w->entries[i].parent = NO_PARENT;
    }
}

static void add_around(struct arena *a, struct nested *n, uint32_t experiment)
{
    for (size_t i = n->naround; i-- > 0;)
        if (n->around[i] == experiment)
            return;
    ARENA_ADD(a, n->around, n->naround, &n->room_around, experiment);
}

/* Parents come after what is inside them. */
static void find_outer(struct work *w)
{
    for (size_t i = w->n; i-- > 0;) {
        const struct entry *x = &w->entries[i];
        struct nested *out = &w->out->list[x->experiment];
        if (x->parent == NO_PARENT)
            continue;
        const struct entry *parent = &w->entries[x->parent];
        const struct nested *of = &w->out->list[parent->experiment];
        out->outer[x->row] = of->outer[parent->row];
        out->outer_row[x->row] = of->outer_row[parent->row];
        out->parent[x->row] = parent->experiment;
        out->parent_row[x->row] = parent->row;
        add_around(w->out->arena, out, parent->experiment);
    }
}

static struct nested make_lists(struct arena *a, size_t nrows)
{
    struct nested n = {.self = {.name = DATA_SELF}};
    n.self.values = arena_alloc(a, nrows + 1, sizeof *n.self.values);
    n.direct = arena_zalloc(a, nrows + 1, sizeof *n.direct);
    n.away = arena_zalloc(a, nrows + 1, sizeof *n.away);
    n.outer = arena_alloc(a, nrows + 1, sizeof *n.outer);
    n.outer_row = arena_alloc(a, nrows + 1, sizeof *n.outer_row);
    n.parent = arena_alloc(a, nrows + 1, sizeof *n.parent);
    n.parent_row = arena_alloc(a, nrows + 1, sizeof *n.parent_row);
    return n;
}

/* Nothing is known, and nothing contains a row. */
static void begin(struct arena *a, struct nested *n, uint32_t experiment, size_t nrows)
{
    *n = make_lists(a, nrows);
    n->unknown = nrows;
    for (size_t row = 0; row < nrows; row++) {
        n->self.values[row] = NAN;
        n->outer[row] = n->parent[row] = experiment;
        n->outer_row[row] = n->parent_row[row] = (uint32_t)row;
    }
}

static void find(const struct dataset *d, struct nesting *out)
{
    struct work w = {.d = d, .out = out, .threads = {.width = 4}};
    size_t total = 0;
    out->arena = arena_create();
    out->torn = arena_zalloc(out->arena, d->nexperiments + 1, sizeof *out->torn);
    out->list = arena_zalloc(out->arena, d->nexperiments + 1, sizeof *out->list);
    for (size_t i = 0; i < d->nexperiments; i++) {
        total += d->experiments[i]->nrows;
        begin(out->arena, &out->list[i], (uint32_t)i, d->experiments[i]->nrows);
    }
    MEM_LOCAL struct entry *entries = w.entries = mem_alloc(total + 1, sizeof *entries);
    MEM_LOCAL uint32_t *stack = w.stack = mem_alloc(total + 1, sizeof *stack);
    for (size_t i = 0; i < d->nexperiments; i++)
        add_entries(&w, (uint32_t)i);
    sort_entries(&w);
    for (size_t i = 0, end; i < w.n; i = end) {
        for (end = i + 1; end < w.n && w.entries[end].key == w.entries[i].key;)
            end++;
        place_thread(&w, i, end);
    }
    find_outer(&w);
    tuples_free(&w.threads);
}

/* ---- where a data set keeps it */

struct nesting *nesting_create(void)
{
    return mem_zalloc(1, sizeof(struct nesting));
}

void nesting_forget(struct nesting *n)
{
    arena_destroy(n->arena);
    *n = (struct nesting){.arena = NULL};
}

void nesting_destroy(struct nesting *n)
{
    if (!n)
        return;
    nesting_forget(n);
    mem_free(n);
}

/* The rows of a part, from those of the whole. */
static struct nested *nesting_of_part(const struct experiment *e, const struct nested *whole)
{
    struct nested *n = arena_alloc(e->origin->arena, 1, sizeof *n);
    *n = make_lists(e->origin->arena, e->nrows);
    for (size_t i = 0; i < e->nrows; i++) {
        size_t row = e->origin->rows[i];
        n->self.values[i] = whole->self.values[row];
        n->direct[i] = whole->direct[row];
        n->away[i] = whole->away[row];
        n->outer[i] = whole->outer[row];
        n->outer_row[i] = whole->outer_row[row];
        n->parent[i] = whole->parent[row];
        n->parent_row[i] = whole->parent_row[row];
        n->containing += column_at(&e->columns[FIELD_NESTED], i) > 0;
        n->unknown += isnan(n->self.values[i]);
    }
    return n;
}

const struct nested *nesting_of(const struct dataset *d, const struct experiment *e)
{
    if (e->origin && !e->origin->found)
        e->origin->found = nesting_of_part(e, nesting_of(d, e->origin->whole));
    if (e->origin)
        return e->origin->found;
    if (!d->nesting->arena)
        find(d, d->nesting);
    return &d->nesting->list[e->index];
}

enum nested_trouble nesting_trouble(const struct dataset *d, const struct experiment *e)
{
    const struct nested *n = nesting_of(d, e);
    size_t untimed = 0;
    for (size_t row = 0; row < e->nrows; row++)
        untimed += !isfinite(column_at(&e->columns[FIELD_START], row));
    if (!nesting_applies(e) || (untimed && untimed == n->unknown))
        return NESTED_NO_TIMES;
    while (e->origin)
        e = e->origin->whole;
    return d->nesting->torn[e->index] ? NESTED_TORN : NESTED_MISSING;
}

/* From the inner experiment outwards: each experiment is visited once. */
void nesting_containers(const struct dataset *d, const struct experiment *inner, bool *contains)
{
    nesting_of(d, inner);
    size_t n = 0;
    MEM_LOCAL uint32_t *open = mem_alloc(d->nexperiments + 1, sizeof *open);
    for (size_t i = 0; i < d->nexperiments; i++)
        contains[i] = false;
    open[n++] = (uint32_t)inner->index;
    contains[open[0]] = true; /* seen */
    while (n > 0) {
        const struct nested *x = &d->nesting->list[open[--n]];
        for (size_t i = 0; i < x->naround; i++)
            if (!contains[x->around[i]]) {
                contains[x->around[i]] = true;
                open[n++] = x->around[i];
            }
    }
    contains[inner->index] = false;
}

bool nesting_contains(const struct dataset *d, const struct experiment *outer,
                      const struct experiment *inner)
{
    MEM_LOCAL bool *contains = mem_alloc(d->nexperiments + 1, sizeof *contains);
    nesting_containers(d, inner, contains);
    return contains[outer->index];
}
