/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of own times, from counts and times that are computed. */
#include "harness/unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call/discover/models.h"
#include "numeric/random.h"

enum { SIZES = 6, ROUNDS = 8, MOST_PARTS = 3, MOST_COUNTS = 3 };
static const double sizes[SIZES] = {100, 201, 400, 801, 1600, 3203};

/* A loop or a function that is executed count(n) times. */
static struct counted counted_by(struct request *q, const char *name, bool is_loop,
                                 double (*count)(double))
{
    struct counted c = {.name = name, .symbol = name, .file = "x.c", .path = "/x.c", .line = 1};
    struct discover_points p = {.names = q->names, .nvariables = 1, .n = SIZES};
    uint64_t *counts = c.at = arena_alloc(q->arena, SIZES + 2, sizeof *counts);
    c.is_loop = is_loop;
    for (size_t i = 0; i < SIZES; i++)
        counts[i] = (uint64_t)count(sizes[i]);
    counts[SIZES + 1] = (uint64_t)count(4 * sizes[SIZES - 1]);
    p.at = (const int64_t(*)[DISCOVER_MOST_VARIABLES])q->rows;
    discover_find(q->arena, &p, counts, false, &c.formula);
    return c;
}

static double once(double n)
{
    (void)n;
    return 1;
}
static double linear(double n)
{
    return 3 * n + 1;
}
static double pairs(double n)
{
    return n * (n - 1) / 2;
}

static double main_seconds(double n)
{
    (void)n;
    return 2e-3;
}
static double pairs_seconds(double n)
{
    return 1e-5 + 4e-9 * pairs(n) + 3e-8 * linear(n);
}
static double hidden_seconds(double n)
{
    return 5e-8 * n * log(n);
}

/* A function of a made-up program. */
struct part {
    const char *name;
    double (*seconds)(double);
    double (*counts[MOST_COUNTS])(
        double); /* its calls, then iterations; the first NULL ends them */
};

static const struct part usual[] = {{"main", main_seconds, {0}},
                                    {"closest", pairs_seconds, {once, pairs, linear}},
                                    {"library", hidden_seconds, {0}}};

static void set_sizes(struct request *q)
{
    q->rows = arena_zalloc(q->arena, SIZES + 2, sizeof *q->rows);
    q->beyond = q->rows[SIZES + 1];
    q->beyond[0] = (int64_t)(4 * sizes[SIZES - 1]);
    q->done = arena_zalloc(q->arena, SIZES, sizeof *q->done);
    q->cost = arena_zalloc(q->arena, SIZES, sizeof *q->cost);
    q->memory = arena_zalloc(q->arena, SIZES, sizeof *q->memory);
    for (size_t i = 0; i < SIZES; i++) {
        q->rows[i][0] = (int64_t)sizes[i];
        q->done[i] = true;
    }
}

static void add_part(struct request *q, const struct part *p, size_t f, double noise,
                     struct random *r)
{
    struct times *t = &q->times;
    struct region *g = &t->list[f];
    struct counted *c = arena_zalloc(q->arena, MOST_COUNTS, sizeof *c);
    g->label = p->name;
    g->is_main = f == 0;
    g->own = arena_zalloc(q->arena, t->nruns, sizeof *g->own);
    g->work = arena_zalloc(q->arena, MOST_COUNTS, sizeof *g->work);
    for (; g->nwork < MOST_COUNTS && p->counts[g->nwork]; g->nwork++) {
        c[g->nwork] = counted_by(q, p->name, g->nwork > 0, p->counts[g->nwork]);
        g->work[g->nwork] = &c[g->nwork];
        g->function = &c[0];
    }
    for (size_t k = 0; k < t->nruns; k++) {
        t->row[k] = k % SIZES;
        g->own[k] = p->seconds(sizes[k % SIZES]) * (1 + noise * fabs(random_normal(r)));
        t->total[k] += g->own[k];
    }
}

static struct request make_request(struct arena *a, const char *folder, const struct part *parts,
                                   size_t n, double noise)
{
    struct request q = {.arena = a,
                        .temporary = folder,
                        .nvariables = 1,
                        .nrows = SIZES,
                        .processors = SIZE_MAX,
                        .ndone = SIZES,
                        .program = "x"};
    struct random r = {7};
    struct times *t = &q.times;
    q.names[0] = "n";
    q.place[0] = 16 * sizes[SIZES - 1];
    set_sizes(&q);
    t->n = n;
    t->list = arena_zalloc(a, n + 1, sizeof *t->list);
    t->nruns = SIZES * ROUNDS;
    t->row = arena_zalloc(a, t->nruns, sizeof *t->row);
    t->total = arena_zalloc(a, t->nruns, sizeof *t->total);
    for (size_t f = 0; f < n; f++)
        add_part(&q, &parts[f], f, noise, &r);
    return q;
}

/* Which sizes have times. */
enum which { ALL, THE_LAST_FOUR, THE_FIRST_THREE_AND_THE_LAST };

static bool has_times(enum which which, size_t row)
{
    return which == THE_LAST_FOUR                  ? row + 4 >= SIZES
           : which == THE_FIRST_THREE_AND_THE_LAST ? row < 3 || row + 1 == SIZES
                                                   : true;
}

/* The run time is a mean of two sums, and one of the functions may be larger than that. */
static void expect_parts_of_a_whole(const struct times *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += fmax(t->list[i].share_then, 0);
    assert_true(sum <= t->overlap * (1 + 1e-9));
}

/* What models_make has left in the folder. */
static void remove_folder(const char *folder)
{
    char path[64];
    snprintf(path, sizeof path, "%s/own.dat", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The models of a made-up program at a place; *a is the arena, which the caller destroys. */
static struct request modelled_with(struct arena **a, const struct part *parts, size_t n,
                                    double place, enum which which, double noise)
{
    char folder[] = "/tmp/models.XXXXXX";
    *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(*a, folder, parts, n, noise);
    q.place[0] = place;
    for (size_t k = 0; k < q.times.nruns; k++)
        for (size_t f = 0; f < n && !has_times(which, q.times.row[k]); f++)
            q.times.list[f].own[k] = q.times.total[k] = NAN;
    models_make(&q);
    expect_parts_of_a_whole(&q.times);
    remove_folder(folder);
    return q;
}

/* The same, and the counts of 4 times the largest size are known. `refuted`: the second count of the second function is twice what its
 * formula says there. */
static struct request modelled_beyond(struct arena **a, const struct part *parts, size_t n,
                                      double place, bool refuted)
{
    char folder[] = "/tmp/models.XXXXXX";
    *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(*a, folder, parts, n, 0.02);
    q.beyond_end = EXTRA_COUNTED;
    q.place[0] = place;
    const struct region *second = &q.times.list[1];
    q.counts.list = (struct counted *)second->work[0];
    q.counts.n = second->nwork;
    if (refuted) {
        struct counted *c = &q.counts.list[1];
        c->only_below = true;
        c->foreseen = (double)c->at[SIZES + 1] / 2;
        c->formula.verdict = DISCOVER_REFUTED;
    }
    models_make(&q);
    expect_parts_of_a_whole(&q.times);
    remove_folder(folder);
    return q;
}

static struct request modelled_at(struct arena **a, const struct part *parts, size_t n,
                                  double place, enum which which)
{
    return modelled_with(a, parts, n, place, which, 0.02);
}

static struct request modelled(struct arena **a, const struct part *parts, size_t n)
{
    return modelled_at(a, parts, n, 16 * sizes[SIZES - 1], ALL);
}

static const struct region *find(const struct request *q, const char *label)
{
    for (size_t i = 0; i < q->times.n; i++)
        if (!strcmp(q->times.list[i].label, label))
            return &q->times.list[i];
    fail_msg("no function %s", label);
    return NULL;
}

/* Counts give the terms, and a search finds what they do not show. */
static void terms_of_counts_are_priced(void **state)
{
    struct arena *a;
    struct request q = modelled(&a, usual, 3);
    double n = q.place[0];
    (void)state;
    const struct region *r = find(&q, "closest");
    assert_false(r->searched);
    assert_int_equal(r->verdict, DISCOVER_EXACT);
    assert_true(fabs(r->value / pairs_seconds(n) - 1) < 0.05);
    assert_true(r->low <= pairs_seconds(n) * 1.05 && r->high >= pairs_seconds(n));
    assert_true(strstr(r->formula, "(1/2*n^2 - 1/2*n)") != NULL);
    r = find(&q, "library");
    assert_true(r->searched);
    assert_true(fabs(r->value / hidden_seconds(n) - 1) < 0.5);
    double total = main_seconds(n) + pairs_seconds(n) + hidden_seconds(n);
    assert_true(fabs(q.times.value / total - 1) < 0.05);
    assert_true(q.times.low < total && total < q.times.high * 1.02);
    assert_true(q.times.not_modelled == 0);
    assert_string_equal(q.times.list[0].label, "closest"); /* the largest first */
    arena_destroy(a);
}

/* Two threads: the run is shorter than the sum of own times, also where it is predicted. */
static void functions_at_the_same_time(void **state)
{
    char folder[] = "/tmp/models.XXXXXX";
    struct arena *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(a, folder, usual, 3, 0.02);
    double n = q.place[0];
    (void)state;
    for (size_t k = 0; k < q.times.nruns; k++)
        q.times.total[k] /= 2;
    models_make(&q);
    double total = (main_seconds(n) + pairs_seconds(n) + hidden_seconds(n)) / 2;
    assert_true(fabs(q.times.value / total - 1) < 0.2);
    assert_true(q.times.overlap > 1.5);
    remove_folder(folder);
    arena_destroy(a);
}

/* ---- the whole program ---- */

static double faster_seconds(double n)
{
    return 1e-8 * pow(n, 1.3);
}
static double linear_seconds(double n)
{
    return 1e-7 * n;
}
static double odd_seconds(double n)
{
    static const double times[] = {2e-5, 9e-5, 1e-5, 8e-5, 1e-5, 2e-5};
    for (size_t i = 0; i < SIZES; i++)
        if (sizes[i] == n)
            return times[i];
    return NAN;
}
static double odd_count(double n)
{
    return floor(odd_seconds(n) * 1e8);
}
static double more_odd_seconds(double n)
{
    return 50 * odd_seconds(n);
}
static double much_odd_seconds(double n)
{
    return 500 * odd_seconds(n);
}

/* Its iterations are linear: a little more per iteration is believed, but no term that grows much faster. */
static void a_time_grows_as_counts_allow(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"part", faster_seconds, {once, linear}}};
    struct arena *a;
    struct request q = modelled(&a, parts, 2);
    const struct region *r = find(&q, "part");
    (void)state;
    assert_true(r->searched);
    assert_true(r->value > r->now * 16);
    assert_true(r->value < r->now * pow(16, 1.27));
    arena_destroy(a);
}

/* One part follows no formula: it is carried along, and said. */
static void a_part_without_a_model_is_carried_along(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"part", linear_seconds, {once, linear}},
                                        {"odd", odd_seconds, {once, odd_count}}};
    struct arena *a;
    struct request q = modelled(&a, parts, 3);
    double n = q.place[0], total = main_seconds(n) + linear_seconds(n);
    (void)state;
    const struct region *odd = find(&q, "odd");
    assert_null(odd->formula); /* it has a place in the order all the same */
    assert_true(odd->low == odd->now && odd->now <= odd->value && odd->value <= odd->high);
    assert_true(q.times.not_modelled > 0 && q.times.not_modelled < 0.1);
    assert_null(q.times.formula); /* it would be that of the others */
    assert_true(fabs(q.times.value / total - 1) < 0.15);
    assert_true(q.times.low < total && total < q.times.high);
    arena_destroy(a);
}

/* Nothing is known of most of the time. */
static void most_of_the_time_without_a_model(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"part", linear_seconds, {once, linear}},
                                        {"odd", much_odd_seconds, {once, odd_count}}};
    struct arena *a;
    struct request q = modelled(&a, parts, 3);
    (void)state;
    assert_true(isnan(q.times.value));
    assert_null(q.times.formula);
    assert_true(q.times.not_modelled > 0.5);
    arena_destroy(a);
}

static double wild_count(double n)
{
    static const double counts[] = {3e4, 9e4, 1e5, 5e5, 4e5, 1e6, 7e6};
    size_t i = 0;
    while (i < SIZES && sizes[i] < n)
        i++;
    return n > 13000 ? 5e7 : counts[i];
}
static double wild_other(double n)
{
    return floor(wild_count(n) * (2 + sin(n)));
}
static double wild_seconds(double n)
{
    return 1e-5 + 2e-8 * wild_count(n) + 1e-8 * wild_other(n);
}

/* No formula describes what it executes, which is known at 4 times the largest size. Further on it may grow more or less. */
static void counts_without_a_formula_have_a_price(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"wild", wild_seconds, {once, wild_count, wild_other}}};
    struct arena *a;
    double place = 4 * sizes[SIZES - 1];
    (void)state;
    for (int far = 0; far < 2; far++) {
        struct request q = modelled_beyond(&a, parts, 2, far ? 4 * place : place, false);
        const struct region *r = find(&q, "wild");
        double there = wild_seconds(far ? 4 * place : place);
        assert_true(r->low < there && there < r->high);
        assert_true(far || (r->low > there / 3 && r->high < there * 3));
        assert_true(far || fabs(r->value / there - 1) < 0.3);
        assert_true(far || fabs(r->counted / (1 + 7e6 + wild_other(place)) - 1) < 1e-9);
        assert_true(r->price > 1e-8 && r->price < 2e-8); /* of two counts, 2e-8 and 1e-8 s */
        assert_true(q.times.low < main_seconds(place) + there);
        assert_true(q.times.high > main_seconds(place) + there);
        assert_null(q.times.formula);
        assert_true(q.times.not_modelled == 0);
        arena_destroy(a);
    }
}

/* Where the formula is wrong, the count is known, if the place was counted. */
static void counts_beyond_refute_a_formula(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"pairs", pairs_seconds, {once, pairs, linear}}};
    struct arena *a;
    double place = 4 * sizes[SIZES - 1], total = main_seconds(place) + pairs_seconds(place);
    (void)state;
    struct request q = modelled_beyond(&a, parts, 2, place, true);
    assert_true(q.times.low < total && total < q.times.high);
    assert_true(find(&q, "pairs")->price > 0 && q.times.change.more == 0);
    arena_destroy(a);
    q = modelled_beyond(&a, parts, 2, 4 * place, true);
    assert_true(isnan(q.times.value) && q.times.change.more > 0.5);
    assert_true(isnan(find(&q, "pairs")->value));
    arena_destroy(a);
}

static double late_count(double n)
{
    return n < 300 ? 2 : n * n;
}
static double late_seconds(double n)
{
    return n < 300 ? 3e-4 : 1e-9 * n * n;
}

/* The two smallest sizes do something else. */
static void counts_that_begin_above_a_size(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"late", late_seconds, {once, late_count}}};
    struct arena *a;
    struct request q = modelled(&a, parts, 2);
    const struct region *r = find(&q, "late");
    double n = q.place[0], total = main_seconds(n) + late_seconds(n);
    (void)state;
    assert_int_equal(r->from, 2);
    assert_int_equal(r->verdict, DISCOVER_EXACT);
    assert_true(fabs(r->value / late_seconds(n) - 1) < 0.1);
    assert_true(fabs(q.times.value / total - 1) < 0.1);
    assert_true(q.times.low < total && total < q.times.high);
    arena_destroy(a);
}

static double last_count(double n)
{
    return n < 1500 ? 0 : n * n;
}
static double last_seconds(double n)
{
    return n < 1500 ? 0 : 1e-9 * n * n;
}

static double uneven_seconds(double n)
{
    return n < 300 || n > 2000 ? 1e-3 : 1.5e-3;
}

/* A part that two sizes execute: the others, in which the rest is something else, do not say how it grows. */
static void a_part_of_the_largest_sizes_only(void **state)
{
    static const struct part parts[] = {{"main", uneven_seconds, {0}},
                                        {"last", last_seconds, {last_count, last_count}}};
    struct arena *a;
    struct request q = modelled(&a, parts, 2);
    (void)state;
    assert_true(isnan(q.times.value));
    assert_true(q.times.not_modelled > 0.5);
    arena_destroy(a);
}

/* Of the sizes from which on its formula is, two have times: they are too few for a model. */
static void times_of_too_few_sizes(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"late", late_seconds, {once, late_count}}};
    struct arena *a;
    struct request q =
        modelled_at(&a, parts, 2, 16 * sizes[SIZES - 1], THE_FIRST_THREE_AND_THE_LAST);
    (void)state;
    assert_int_equal(find(&q, "late")->from, 2);
    assert_true(isnan(find(&q, "late")->value));
    arena_destroy(a);
}

/* The place was measured, so the time is known, but not the formula of a part that two sizes execute. */
static void a_formula_has_all_parts(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"last", last_seconds, {last_count, last_count}}};
    struct arena *a;
    struct request q = modelled_at(&a, parts, 2, sizes[SIZES - 1], ALL);
    (void)state;
    assert_null(find(&q, "last")->formula);
    assert_true(find(&q, "last")->share > 0.5);
    assert_true(fabs(q.times.value / q.times.now - 1) < 0.05);
    assert_null(q.times.formula);
    arena_destroy(a);
}

/* A place between the sizes: what grows fast is shorter there. */
static void a_part_without_a_model_at_a_smaller_size(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"part", linear_seconds, {once, linear}},
                                        {"odd", more_odd_seconds, {once, odd_count}}};
    struct arena *a;
    struct request q = modelled_at(&a, parts, 3, 1000, ALL);
    (void)state;
    assert_true(q.times.by_counts.low <= q.times.by_counts.value);
    assert_true(q.times.by_counts.value <= q.times.by_counts.high);
    arena_destroy(a);
}

static double much_linear(double n)
{
    return 4e7 * n;
}
static double much_square(double n)
{
    return 1e4 * n * n;
}
static double cube(double n)
{
    return n * n * n;
}
static double all_seconds(double n)
{
    return 1e-12 * (much_linear(n) + much_square(n) + cube(n));
}

/* The cubes are an eighth of the time now, and most of it at the place. Six sizes are few for three terms, and four are too
 * few. */
static void a_count_that_is_small_now(void **state)
{
    static const struct part parts[] = {{"main", main_seconds, {0}},
                                        {"all", all_seconds, {much_linear, much_square, cube}}};
    struct arena *a;
    double place = 16 * sizes[SIZES - 1], total = main_seconds(place) + all_seconds(place);
    struct request q = modelled_at(&a, parts, 2, place, ALL);
    (void)state;
    assert_non_null(strstr(find(&q, "all")->formula, "n^3"));
    assert_true(q.times.low < total && total < q.times.high);
    assert_true(q.times.value > total / 1.5 && q.times.value < total * 1.5);
    arena_destroy(a);
    q = modelled_at(&a, parts, 2, place, THE_LAST_FOUR);
    assert_true(q.times.low < total && total < q.times.high);
    arena_destroy(a);
}

/* The mean is nearer to the one that is known better. Its interval contains both where they differ. */
static void two_predictions_are_averaged(void **state)
{
    const struct times_range narrow = {10, 9.5, 10.5}, wide = {20, 10, 40}, none = {NAN, NAN, NAN};
    const struct times_range other = {12, 11.4, 12.6};
    double share;
    (void)state;
    struct times_range mean = total_mean(&narrow, &wide, TOTAL_BETWEEN_HOURS, &share);
    assert_true(share > 0.9 && mean.value > 10 && mean.value < 11);
    mean = total_mean(&wide, &narrow, TOTAL_BETWEEN_HOURS, &share);
    assert_true(share < 0.1 && mean.value > 10 && mean.value < 11);
    mean = total_mean(&narrow, &other, TOTAL_BETWEEN_HOURS, &share);
    assert_true(mean.value > 10.8 && mean.value < 11.2);
    assert_true(mean.low < 9.8 && mean.high > 12.2);
    mean = total_mean(&narrow, &narrow, TOTAL_BETWEEN_HOURS, &share);
    assert_true(fabs(mean.value - 10) < 1e-9 && mean.low > 9 && mean.high < 11);
    mean = total_mean(&none, &narrow, TOTAL_BETWEEN_HOURS, &share);
    assert_true(share == 0 && fabs(mean.value - 10) < 1e-9);
    mean = total_mean(&narrow, &none, TOTAL_BETWEEN_HOURS, &share);
    assert_true(share == 1 && fabs(mean.value - 10) < 1e-9);
    assert_true(isnan(total_mean(&none, &none, TOTAL_BETWEEN_HOURS, &share).value));
}

/* Rounds are so close together that a later run may differ as much as they do. */
static void rounds_that_differ_widen_the_interval(void **state)
{
    struct arena *a;
    struct request q = modelled_with(&a, usual, 2, 16 * sizes[SIZES - 1], ALL, 0.15);
    (void)state;
    assert_true(q.times.high > 1.12 * q.times.value);
    assert_true(q.times.low < q.times.value / 1.12);
    arena_destroy(a);
    q = modelled_with(&a, usual, 2, 16 * sizes[SIZES - 1], ALL, 0.001);
    assert_true(q.times.high < 1.1 * q.times.value);
    arena_destroy(a);
}

/* Others use the same caches: the interval is as wide as that at least, and the value the same. */
static void a_virtual_machine_widens_the_interval(void **state)
{
    char folder[] = "/tmp/models.XXXXXX";
    struct arena *a = arena_create();
    assert_non_null(mkdtemp(folder));
    double value[2];
    (void)state;
    for (int is_virtual = 0; is_virtual < 2; is_virtual++) {
        struct request q = make_request(a, folder, usual, 2, 0.001);
        q.times.is_virtual = is_virtual;
        models_make(&q);
        value[is_virtual] = q.times.value;
        assert_true((q.times.high > 1.2 * q.times.value) == is_virtual);
        assert_true((q.times.low < q.times.value / 1.2) == is_virtual);
    }
    assert_near(value[0], value[1], 1e-12);
    remove_folder(folder);
    arena_destroy(a);
}

static double short_seconds(double n)
{
    (void)n;
    return 1e-7;
}
static double data_count(double n)
{
    return floor(n * (40 + fmod(n, 7)));
}

/* Other programs had the core: own times are too long, more at larger sizes. The run times are right, and say how it grows. */
static void own_times_that_are_too_long(void **state)
{
    static const struct part parts[] = {{"main", short_seconds, {0}},
                                        {"one", linear_seconds, {once, data_count}},
                                        {"two", linear_seconds, {once, data_count}}};
    char folder[] = "/tmp/models.XXXXXX";
    struct arena *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(a, folder, parts, 3, 0.01);
    double total = 2 * linear_seconds(q.place[0]);
    (void)state;
    for (size_t k = 0; k < q.times.nruns; k++) {
        double longer = pow((double)q.rows[q.times.row[k]][0] / 100, 0.2);
        q.times.list[1].own[k] *= longer;
        q.times.list[2].own[k] *= longer;
    }
    models_make(&q);
    assert_true(fabs(q.times.value / total - 1) < 0.1);
    remove_folder(folder);
    arena_destroy(a);
}

/* ---- what a run needs ---- */

/* A square matrix leaves the larger cache before the place, and the smaller one between the sizes, which a formula may take for growth. */
static void data_that_leave_a_cache(void **state)
{
    static const double caches[] = {1 << 20, 300 << 20};
    struct arena *a = arena_create();
    struct request q = {.arena = a, .nvariables = 1, .nrows = SIZES};
    (void)state;
    q.names[0] = "n";
    q.place[0] = 4 * sizes[SIZES - 1];
    set_sizes(&q);
    q.times.largest = SIZES - 1;
    for (int grows = 0; grows < 3; grows++) {
        q.times.now = 1;
        q.times.value = grows == 2 ? 4 : 64; /* linear time does not touch n^2 */
        q.times.low = q.times.high = q.times.value;
        q.times.left_cache = 0;
        for (size_t i = 0; i < SIZES; i++)
            q.memory[i] = fmax(3e6, 2e6 + (grows ? 8 * sizes[i] * sizes[i] : 0));
        memory_judge(&q, caches, 2);
        assert_true(q.times.left_cache == (grows == 1 ? caches[1] : 0));
        double largest = 8 * sizes[SIZES - 1] * sizes[SIZES - 1],
               smallest = 8 * sizes[0] * sizes[0], far = fmin(log(16) / log(largest / smallest), 1);
        assert_true(smallest < caches[0] && largest > caches[0] && largest < caches[1]);
        assert_near(q.times.low,
                    grows == 1 ? 64 / pow(1.5, far * (1 - caches[0] / largest)) : q.times.value,
                    1e-6);
        assert_true((q.times.high > q.times.value) == (grows == 1));
    }
    assert_true(fabs(q.times.memory_then / q.times.memory_now - 16) < 1e-9);
    /* data of 1.25 times the cache are in it for the most part, and hardly at the place: 1/5 and 19/20 are outside */
    double barely = q.times.memory_now / 1.25;
    q.times.value = q.times.low = q.times.high = 64;
    memory_judge(&q, &barely, 1);
    assert_true(q.times.left_cache == barely);
    assert_near(q.times.high / 64, pow(1.5, 19.0 / 20 - 1.0 / 5), 1e-6);
    q.times.left_cache = 0;
    /* no interval allows for it if the run time is not predicted; and one of several processes has a part of the data */
    for (int ranks = 0; ranks < 2; ranks++) {
        q.times.ranks = ranks;
        q.times.value = q.times.low = q.times.high = ranks ? 64 : NAN;
        memory_judge(&q, caches, 2);
        assert_true(q.times.left_cache == 0);
    }
    arena_destroy(a);
}

/* All runs together take at most 20 times as long as the longest one. */
static void large_sizes_run_less_often(void **state)
{
    struct arena *a = arena_create();
    struct request q = {.arena = a, .nvariables = 1, .nrows = SIZES};
    size_t runs[SIZES] = {0};
    (void)state;
    set_sizes(&q);
    for (size_t i = 0; i < SIZES; i++) {
        q.cost[i] = sizes[i] / 100;
        q.spent += q.cost[i]; /* counting */
    }
    for (size_t round = 0; round < 12; round++)
        for (size_t i = SIZES; i-- > 0;)
            if (rounds_affords(&q, i, round)) {
                runs[i]++;
                q.spent += q.cost[i];
            }
    assert_true(q.spent <= 20 * q.cost[SIZES - 1]);
    assert_true(runs[SIZES - 1] >= 6 && runs[0] > runs[SIZES - 1]);
    q.rounds = 40;
    assert_true(rounds_affords(&q, SIZES - 1, 39));
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_of_counts_are_priced),
                                       cmocka_unit_test(functions_at_the_same_time),
                                       cmocka_unit_test(a_time_grows_as_counts_allow),
                                       cmocka_unit_test(a_part_without_a_model_is_carried_along),
                                       cmocka_unit_test(most_of_the_time_without_a_model),
                                       cmocka_unit_test(counts_without_a_formula_have_a_price),
                                       cmocka_unit_test(counts_beyond_refute_a_formula),
                                       cmocka_unit_test(counts_that_begin_above_a_size),
                                       cmocka_unit_test(a_part_of_the_largest_sizes_only),
                                       cmocka_unit_test(times_of_too_few_sizes),
                                       cmocka_unit_test(a_formula_has_all_parts),
                                       cmocka_unit_test(a_part_without_a_model_at_a_smaller_size),
                                       cmocka_unit_test(a_count_that_is_small_now),
                                       cmocka_unit_test(own_times_that_are_too_long),
                                       cmocka_unit_test(two_predictions_are_averaged),
                                       cmocka_unit_test(rounds_that_differ_widen_the_interval),
                                       cmocka_unit_test(a_virtual_machine_widens_the_interval),
                                       cmocka_unit_test(data_that_leave_a_cache),
                                       cmocka_unit_test(large_sizes_run_less_often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
