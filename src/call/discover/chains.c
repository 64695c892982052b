/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts that depend on data and are sums of other counts. Those that come first are smaller, so that outer loops explain inner
 * ones, and no two explain each other. A loop with the same number of iterations each time is a multiple of its entries, if
 * its condition alone ends it and its head says the number; a sum that the flow graph of a function implies holds in every run. These are exact. A loop
 * whose number of iterations depends on the sizes alone is a product of it and its entries. For this and for other
 * sums the counts alone speak (discover_chain): what happens seldom may break them elsewhere, so they are steps. What has no such sum
 * may be one of arguments of functions (arguments.c), of its own function rather than of others.
 */
#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "base/text.h"
#include "call/discover/discover.h"

struct item {
    struct counted *c;
    uint64_t *at; /* of each row that was run, and of the one that was run again */
    double total;
    bool usable; /* not damaged, and not the same at all sizes */
};

/* So many counts are tried in sums of two: of the same function, then the largest of those that nothing explains. And so many in
 * all. */
enum { MOST_IN_PAIRS = 64, MOST_BASES = 256 };

/* A loop is a multiple of the entries of one of so many: itself, and those around it. */
enum { MOST_AROUND = 8 };

struct finder {
    struct request *q;
    struct item *items; /* the smallest first */
    size_t n;
    struct item *arguments; /* sums of them */
    size_t narguments;
    struct plan_rows rows;         /* with the row that was run again as the last one */
    struct discover_points points; /* of them */
    bool *differs;                 /* of each owner */
    size_t owners;
};

/* ---- names ---- */

/* Two functions of one name, or two loops on one line, are called by more than that. */
static bool is_ambiguous(const struct finder *f, const struct counted *c)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct counted *x = f->items[i].c;
        bool is_same = x->owner == c->owner && x->order == c->order;
        bool is_alike = c->is_loop
                            ? x->line == c->line && !strcmp(path_base(x->file), path_base(c->file))
                            : !strcmp(x->name, c->name);
        if (x->is_loop == c->is_loop && !is_same && is_alike)
            return true;
    }
    return false;
}

static const char *name_of(const struct finder *f, const struct chain_part *p)
{
    struct arena *a = f->q->arena;
    const struct counted *c = p->of;
    if (c->argument)
        return c->sum;
    const char *where = is_ambiguous(f, c) ? arena_printf(a, " of %s:%u", c->file, c->line) : "";
    const char *count = !c->is_loop ? "calls" : p->entries ? "entries" : "iterations";
    if (c->is_loop)
        return *where ? arena_printf(a, "%s(loop %zu of %s)", count, c->order + 1, c->name)
                      : arena_printf(a, "%s(%s:%u)", count, path_base(c->file), c->line);
    return arena_printf(a, "%s(%s%s)", count, c->name, where);
}

/* Adds "+ 8*name"; an empty name: the factor alone. `negative`: only if it is so. */
static void add_summand(struct text *t, int64_t factor, const char *name, bool negative)
{
    if (!factor || (factor < 0) != negative)
        return;
    text_add(t, !t->n ? (negative ? "-" : "") : negative ? " - " : " + ");
    if (factor < 0)
        factor = -factor;
    if (!*name || factor != 1)
        text_printf(t, "%lld%s", (long long)factor, *name ? "*" : "");
    text_add(t, name);
}

/* "n*iterations(a.c:12)" */
static const char *product_of(const struct finder *f, const struct chain_part *p)
{
    const char *name = name_of(f, p);
    if (!p->times)
        return name;
    bool is_sum = p->times->nterms > 1 && !p->times->rounded;
    return arena_printf(f->q->arena, is_sum ? "(%s)*%s" : "%s*%s", p->times->text, name);
}

static const char *text_of(const struct finder *f, const struct chain *chain)
{
    struct text t = text_new();
    for (int negative = 0; negative < 2; negative++) {
        for (size_t i = 0; i < chain->nparts; i++)
            add_summand(&t, chain->parts[i].factor, product_of(f, &chain->parts[i]), negative);
        for (size_t v = 0; v < f->q->nvariables; v++)
            add_summand(&t, chain->sizes[v], f->q->names[v], negative);
        add_summand(&t, chain->constant, "", negative);
    }
    return text_keep(&t, f->q->arena);
}

const char *chains_text(const struct counted *c)
{
    return c->chain ? c->chain->text : c->formula.text;
}

enum discover_verdict chains_verdict(const struct counted *c)
{
    return !c->chain ? c->formula.verdict : c->chain->is_sure ? DISCOVER_EXACT : DISCOVER_STEPS;
}

bool chains_is_bound(const struct counted *sum)
{
    return sum->argument && *sum->where && *sum->where <= '9';
}

bool chains_is_own(const struct counted *sum, const struct counted *loop)
{
    return chains_is_bound(sum) && loop->is_loop && sum->owner == loop->owner &&
           sum->order == loop->order;
}

enum chains_way chains_way(const struct counted *c)
{
    enum chains_way way = c->chain ? WAY_COUNTS : WAY_SIZES;
    for (size_t i = 0; c->chain && i < c->chain->nparts; i++) {
        const struct counted *of = c->chain->parts[i].of;
        enum chains_way own = !of->argument          ? WAY_COUNTS
                              : !*of->where          ? WAY_ARGUMENTS
                              : chains_is_own(of, c) ? WAY_OWN_BOUND
                                                     : WAY_BOUNDS;
        way = own > way ? own : way;
    }
    return way;
}

/* ---- values at the place ---- */

/* The counts of all rows as a list without gaps. */
static uint64_t *gather(const struct finder *f, const uint64_t *at)
{
    return plan_counts(f->q, &f->rows, at);
}

static double here_of(const struct finder *f, const struct chain_part *p)
{
    struct discover_points rows = f->points;
    struct discover_formula formula;
    if (!p->entries)
        return p->of->here;
    rows.n -= f->q->again_done;
    discover_find(f->q->arena, &rows, gather(f, p->of->entries), false, &formula);
    return discover_value(&formula, f->q->place);
}

/* What was counted stays; else the count is as far from the truth as those that it is a sum of. */
static void take_here(const struct finder *f, struct counted *c, const struct chain *chain)
{
    const struct request *q = f->q;
    double sum = (double)chain->constant;
    bool differs = false; /* the difference of two sums has the errors of both */
    for (size_t i = 0; i < chain->nparts; i++)
        differs |= chain->parts[i].of->argument && chain->parts[i].factor < 0;
    if (plan_row_of_place(q) != SIZE_MAX || differs)
        return;
    for (size_t i = 0; i < chain->nparts; i++) {
        const struct chain_part *p = &chain->parts[i];
        double times = p->times ? discover_value(p->times, q->place) : 1;
        sum += (double)p->factor * times * here_of(f, p);
    }
    for (size_t v = 0; v < q->nvariables; v++)
        sum += (double)chain->sizes[v] * q->place[v];
    if (sum >= 0)
        c->here = sum;
}

/* ---- parts ---- */

static bool are_equal(const uint64_t *x, const uint64_t *y, size_t n)
{
    return !memcmp(x, y, n * sizeof *x);
}

static void set_part(struct chain *chain, int64_t factor, const struct finder *f,
                     const struct counted *of, bool entries)
{
    struct counted *copy = arena_alloc(f->q->arena, 1, sizeof *copy);
    *copy = *of;
    chain->parts[chain->nparts++] =
        (struct chain_part){.factor = factor, .entries = entries, .of = copy};
}

/* false: the count beyond the sizes refutes it. */
static bool set_chain(const struct finder *f, struct counted *c, const struct chain *found)
{
    struct chain *chain = arena_alloc(f->q->arena, 1, sizeof *chain);
    *chain = *found;
    c->chain = chain;
    if (!extra_holds_beyond(f->q, c))
        return false;
    chain->text = text_of(f, chain);
    take_here(f, c, chain);
    return true;
}

/* ---- loops with the same number of iterations each time ---- */

static const struct counted *parent_of(const struct finder *f, const struct counted *loop)
{
    for (size_t i = 0; i < f->n && loop->parent != SIZE_MAX; i++) {
        const struct counted *c = f->items[i].c;
        if (c->is_loop && c->owner == loop->owner && c->order == loop->parent && c != loop)
            return c;
    }
    return NULL;
}

static bool is_same_random(const struct random_counts *x, const struct random_counts *y)
{
    return x->at[0] == y->at[0] && x->at[1] == y->at[1];
}

/* Calls or iterations that come before and are as many as the entries, by the graph; NULL: none. */
static const struct counted *same_as_entries(const struct finder *f, size_t before,
                                             const struct counted *loop)
{
    const uint64_t *entries = gather(f, loop->entries);
    for (size_t i = 0; i < before; i++) {
        const struct counted *c = f->items[i].c;
        if (c->owner == loop->owner && !f->differs[c->owner] && f->items[i].usable &&
            is_same_random(&c->random, &loop->random_entries) &&
            are_equal(f->items[i].at, entries, f->points.n))
            return c;
    }
    return NULL;
}

/* Of its own entries, or of those of a loop around it: a triangle of loops has half a square for each entry of the outer one. */
static bool find_trips(const struct finder *f, size_t index)
{
    const struct item *t = &f->items[index];
    const struct counted *loops[MOST_AROUND], *loop = t->c;
    struct chain chain = {.is_sure = true};
    for (size_t n = 0; loop && n < MOST_AROUND; loop = parent_of(f, loop)) {
        const uint64_t *entries = gather(f, loop->entries);
        int64_t trips = loop->damaged ? 0 : discover_trips(t->at, entries, f->points.n, (double)n);
        chain.is_sure &= loop->one_exit;
        loops[n++] = loop;
        if (!trips)
            continue;
        const struct counted *same = same_as_entries(f, index, loop);
        /* a loop is written for what needs a second iteration, however seldom */
        chain.is_sure = chain.is_sure && trips > 1 && heads_say(f->q, loops, n);
        set_part(&chain, trips, f, same ? same : loop, !same);
        return set_chain(f, t->c, &chain);
    }
    return false;
}

/* Were the numbers of iterations of the row that was run again the same? The entries may differ. */
static bool is_same_again(const struct finder *f, const uint64_t *iterations,
                          const uint64_t *entries)
{
    size_t last = f->points.n - 1;
    for (size_t i = 0; i < last && f->q->again_done; i++)
        if (f->rows.list[i] == f->q->again)
            return entries[last] && entries[i] && iterations[last] % entries[last] == 0 &&
                   iterations[last] / entries[last] == iterations[i] / entries[i];
    return true;
}

/* A number that depends on the sizes alone: what is entered as often as data want, and has n iterations each time. Where the
 * entries have a formula as well, the product is that of the loop. */
static bool find_trips_by_size(const struct finder *f, size_t index)
{
    struct request *q = f->q;
    const struct item *t = &f->items[index];
    struct discover_points p = f->points;
    p.n -= q->again_done;
    for (const struct counted *loop = t->c; loop; loop = parent_of(f, loop)) {
        const uint64_t *entries = gather(f, loop->entries);
        struct discover_formula trips, times, all;
        struct chain chain = {0};
        if (loop->damaged || !p.n || !is_same_again(f, t->at, entries) ||
            !discover_trips_by_size(q->arena, &p, t->at, entries, &trips))
            continue;
        discover_find(q->arena, &p, entries, counted_varies(q, t->c), &times);
        if (discover_multiply(q->arena, &p, &times, &trips, &all)) {
            t->c->formula = all;
            if (extra_holds_beyond(q, t->c))
                t->c->here = report_here(q, t->c);
            return true;
        }
        const struct counted *same = same_as_entries(f, index, loop);
        struct discover_formula *kept = arena_alloc(q->arena, 1, sizeof *kept);
        *kept = trips;
        set_part(&chain, 1, f, same ? same : loop, !same);
        chain.parts[0].times = kept;
        return set_chain(f, t->c, &chain);
    }
    return false;
}

/* Has it iterated once each time, by the few counts that there are? Then it may iterate more often. */
static bool is_mostly_once(const struct finder *f, size_t index)
{
    const struct counted *c = f->items[index].c;
    return c->is_loop && are_equal(f->items[index].at, gather(f, c->entries), f->points.n);
}

/* ---- sums that the flow graph implies ---- */

static bool is_sum(const struct item *t, const struct item *x, const struct item *y, int sign,
                   size_t nrows)
{
    for (size_t seed = 0; seed < 2; seed++) {
        uint64_t other = y ? y->c->random.at[seed] : 0;
        if (t->c->random.at[seed] != x->c->random.at[seed] + (sign < 0 ? -other : other))
            return false;
    }
    for (size_t i = 0; i < nrows; i++) { /* a call that does not return breaks the sum */
        uint64_t other = y ? y->at[i] : 0;
        if (t->at[i] != x->at[i] + (sign < 0 ? -other : other))
            return false;
    }
    return true;
}

static bool find_implied(const struct finder *f, size_t index)
{
    const struct item *t = &f->items[index];
    size_t *near = arena_alloc(f->q->arena, index + 1, sizeof *near), n = 0;
    if (f->differs[t->c->owner])
        return false;
    for (size_t i = 0; i < index; i++)
        if (f->items[i].c->owner == t->c->owner && f->items[i].usable)
            near[n++] = i;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++) {
            const struct item *x = &f->items[near[k]], *y = k > i ? &f->items[near[i]] : NULL;
            struct chain chain = {.is_sure = true};
            int sign = is_sum(t, x, y, 1, f->points.n)         ? 1
                       : y && is_sum(t, x, y, -1, f->points.n) ? -1
                                                               : 0;
            if (!sign)
                continue;
            set_part(&chain, 1, f, x->c, false);
            if (y)
                set_part(&chain, sign, f, y->c, false);
            return set_chain(f, t->c, &chain);
        }
    return false;
}

/* ---- other sums ---- */

struct bases {
    struct discover_base list[MOST_BASES];
    const struct item *of[MOST_BASES];
    size_t n;
    bool vary;            /* between equal runs: as the count that is explained does */
    enum chains_way most; /* sums of such things at most */
};

/* Adds a count to those of which sums are made, if no other one has the same values. */
static void add_base(const struct finder *f, struct bases *b, const struct item *t, bool is_near)
{
    bool is_alone = b->n >= MOST_IN_PAIRS || (t->c->chain && !is_near);
    if (b->n == MOST_BASES || !t->usable || (!b->vary && counted_varies(f->q, t->c)))
        return;
    for (size_t i = 0; i < b->n; i++)
        if (are_equal(b->list[i].counts, t->at, f->points.n))
            return;
    b->list[b->n] = (struct discover_base){t->at, is_near, is_alone,
                                           f->narguments && is_near && !t->c->is_loop};
    b->of[b->n++] = t;
}

/* May a formula of the count have the sum? A loop has the bounds of those around it, because what the others of its function go over
 * is something else. */
static bool is_allowed(const struct finder *f, const struct bases *b, const struct counted *c,
                       const struct counted *sum)
{
    if (!*sum->where || b->most == WAY_ARGUMENTS)
        return !*sum->where;
    if (!chains_is_bound(sum) || !c->is_loop || sum->owner != c->owner)
        return true;
    if (chains_is_own(sum, c))
        return b->most == WAY_OWN_BOUND;
    for (const struct counted *loop = parent_of(f, c); loop; loop = parent_of(f, loop))
        if (chains_is_own(sum, loop))
            return true;
    return false;
}

/* Beside those of its own function are the calls of it, which are a sum of the argument 1. They must not be a sum of the count itself. */
static void add_own_arguments(const struct finder *f, struct bases *b, size_t index)
{
    const struct counted *c = f->items[index].c;
    for (size_t i = 0; i < f->n && f->narguments; i++)
        if (!f->items[i].c->is_loop && f->items[i].c->owner == c->owner &&
            (i < index || (i > index && !f->items[i].c->chain)))
            add_base(f, b, &f->items[i], true);
    for (size_t i = 0; i < f->narguments; i++)
        if (f->arguments[i].c->owner == c->owner && is_allowed(f, b, c, f->arguments[i].c))
            add_base(f, b, &f->arguments[i], true);
}

/* Those of functions that mention its function, and of those that it mentions: a caller counts what it hands on. What is allocated
 * may be gone over anywhere. */
static void add_near_arguments(const struct finder *f, struct bases *b, const struct counted *of,
                               struct arena *scratch)
{
    const struct request *q = f->q;
    bool *is_near = arena_zalloc(scratch, f->owners + 1, sizeof *is_near);
    for (size_t i = 0; i < q->nmentions; i++) {
        is_near[q->mentions[i].from] |= q->mentions[i].to == of->owner;
        is_near[q->mentions[i].to] |= q->mentions[i].from == of->owner;
    }
    for (size_t i = 0; i < f->narguments; i++) {
        const struct counted *c = f->arguments[i].c;
        bool is_allocated = *c->where && !chains_is_bound(c);
        if (c->owner != of->owner && (is_near[c->owner] || is_allocated) &&
            c->formula.verdict != DISCOVER_EXACT && is_allowed(f, b, of, c))
            add_base(f, b, &f->arguments[i], false);
    }
}

static void collect_bases(const struct finder *f, size_t index, struct bases *b,
                          struct arena *scratch)
{
    size_t owner = f->items[index].c->owner;
    add_own_arguments(f, b, index);
    for (size_t i = index; i-- > 0;)
        if (f->items[i].c->owner == owner)
            add_base(f, b, &f->items[i], true);
    if (f->narguments)
        add_near_arguments(f, b, f->items[index].c, scratch);
    for (int explained = 0; explained < 2; explained++)
        for (size_t i = index; i-- > 0;) {
            const struct counted *c = f->items[i].c;
            if (c->formula.verdict != DISCOVER_EXACT && !c->chain == !explained)
                add_base(f, b, &f->items[i], false);
        }
}

static void find_sum(const struct finder *f, size_t index, enum chains_way most,
                     struct arena *scratch)
{
    const struct request *q = f->q;
    const struct item *t = &f->items[index];
    struct bases *bases = arena_zalloc(scratch, 1, sizeof *bases);
    struct discover_points p = f->points;
    struct discover_chain found;
    struct chain chain = {0};
    bases->vary = counted_varies(q, t->c);
    bases->most = most;
    if (q->again_done && !bases->vary)
        p.n--; /* the same counts again say nothing */
    collect_bases(f, index, bases, scratch);
    if (!discover_chain(scratch, &p, t->at, bases->list, bases->n, &found))
        return;
    for (size_t i = 0; i < found.nparts && i < DISCOVER_MOST_PARTS; i++)
        set_part(&chain, found.factors[i], f, bases->of[found.of[i]]->c, false);
    memcpy(chain.sizes, found.sizes, sizeof chain.sizes);
    chain.constant = found.constant;
    bool holds = set_chain(f, t->c, &chain);
    for (size_t i = 0; i < chain.nparts && holds; i++)
        bases->of[found.of[i]]->c->is_used = true;
}

/* ---- all ---- */

static int by_total(const void *x, const void *y)
{
    const struct item *p = x, *q = y;
    if (p->total != q->total)
        return p->total < q->total ? -1 : 1;
    if (p->c->is_loop != q->c->is_loop)
        return p->c->is_loop ? 1 : -1;
    int order = strcmp(p->c->file, q->c->file);
    if (!order)
        order = p->c->line < q->c->line ? -1 : p->c->line > q->c->line;
    if (!order)
        order = strcmp(p->c->name, q->c->name);
    return order ? order : p->c->order < q->c->order ? -1 : p->c->order > q->c->order;
}

static void make_item(const struct finder *f, struct item *t, struct counted *c)
{
    *t = (struct item){.c = c, .at = gather(f, c->at)};
    for (size_t i = 0; i < f->points.n; i++) {
        t->total += (double)t->at[i];
        t->usable |= t->at[i] != t->at[0];
    }
    t->usable &= !c->damaged;
}

static struct finder make_finder(struct request *q)
{
    struct counts_table *t = &q->counts;
    struct finder f = {.q = q, .rows = plan_rows(q, 0, false, true)};
    f.points = plan_points(q, &f.rows);
    f.items = arena_alloc(q->arena, t->n + 1, sizeof *f.items);
    for (size_t i = 0; i < t->n; i++) {
        make_item(&f, &f.items[f.n++], &t->list[i]);
        f.owners = t->list[i].owner >= f.owners ? t->list[i].owner + 1 : f.owners;
    }
    f.differs = arena_zalloc(q->arena, f.owners + 1, sizeof *f.differs);
    for (size_t i = 0; i < t->n; i++)
        f.differs[t->list[i].owner] |= t->list[i].differs;
    sort_list(f.items, f.n, sizeof *f.items, by_total);
    return f;
}

void chains_find(struct request *q)
{
    struct finder f = make_finder(q);
    ARENA_LOCAL struct arena *scratch = arena_create();
    for (size_t i = 0; i < f.n; i++) {
        struct counted *c = f.items[i].c;
        if (!f.items[i].usable || c->formula.verdict != DISCOVER_DATA)
            continue;
        if (!(c->is_loop && find_trips(&f, i)) && !find_implied(&f, i) && !is_mostly_once(&f, i) &&
            !(c->is_loop && find_trips_by_size(&f, i)))
            find_sum(&f, i, WAY_COUNTS, scratch);
        arena_reset(scratch);
    }
    for (size_t i = 0; i < f.n; i++)
        if (f.items[i].c->formula.verdict == DISCOVER_EXACT && is_mostly_once(&f, i))
            f.items[i].c->formula.verdict = DISCOVER_STEPS; /* for the reason in find_trips */
}

void chains_find_arguments(struct request *q)
{
    struct finder f = make_finder(q);
    ARENA_LOCAL struct arena *scratch = arena_create();
    f.arguments = arena_alloc(q->arena, q->narguments + 1, sizeof *f.arguments);
    for (size_t i = 0; i < q->narguments; i++)
        make_item(&f, &f.arguments[f.narguments++], &q->arguments[i]);
    bool any = false; /* sums of anything but arguments */
    for (size_t i = 0; i < q->narguments; i++)
        any |= *q->arguments[i].where;
    for (size_t i = 0; i < f.n; i++) {
        const struct counted *c = f.items[i].c;
        if (!f.items[i].usable || c->formula.verdict != DISCOVER_DATA || is_mostly_once(&f, i))
            continue;
        for (enum chains_way most = WAY_ARGUMENTS; !c->chain && most < WAYS; most++) {
            if (most == WAY_ARGUMENTS || (any && (most == WAY_BOUNDS || c->is_loop)))
                find_sum(&f, i, most, scratch);
            arena_reset(scratch);
        }
    }
}
