/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of own times, from counts and times that are computed. */
#include "harness/unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call/discover/discover.h"
#include "numeric/random.h"

enum { SIZES = 6, ROUNDS = 8, FUNCTIONS = 3 };
static const double sizes[SIZES] = {100, 201, 400, 801, 1600, 3203};

/* A loop or a function that is executed count(n) times. */
static struct counted counted_by(struct request *q, const char *name, bool is_loop,
                                 double (*count)(double))
{
    struct counted c = {.name = name, .symbol = name, .file = "x.c", .path = "/x.c", .line = 1};
    struct discover_points p = {.names = q->names, .nvariables = 1, .n = SIZES};
    uint64_t *counts = c.at = arena_alloc(q->arena, SIZES, sizeof *counts);
    c.is_loop = is_loop;
    for (size_t i = 0; i < SIZES; i++)
        counts[i] = (uint64_t)count(sizes[i]);
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

static struct request make_request(struct arena *a, const char *folder, double noise)
{
    static double (*const seconds[FUNCTIONS])(double) = {main_seconds, pairs_seconds,
                                                         hidden_seconds};
    static const char *const names[FUNCTIONS] = {"main", "closest", "library"};
    struct request q = {.arena = a,
                        .temporary = folder,
                        .nvariables = 1,
                        .nrows = SIZES,
                        .processors = SIZE_MAX,
                        .ndone = SIZES,
                        .program = "x"};
    struct random r = {7};
    q.names[0] = "n";
    q.place[0] = 16 * sizes[SIZES - 1];
    q.rows = arena_zalloc(a, SIZES, sizeof *q.rows);
    q.done = arena_zalloc(a, SIZES, sizeof *q.done);
    for (size_t i = 0; i < SIZES; i++) {
        q.rows[i][0] = (int64_t)sizes[i];
        q.done[i] = true;
    }
    struct counted *c = arena_zalloc(a, 3, sizeof *c);
    c[0] = counted_by(&q, "closest", false, once);
    c[1] = counted_by(&q, "closest", true, pairs);
    c[2] = counted_by(&q, "closest", true, linear);
    struct times *t = &q.times;
    t->n = FUNCTIONS;
    t->list = arena_zalloc(a, FUNCTIONS + 1, sizeof *t->list);
    t->nruns = SIZES * ROUNDS;
    t->row = arena_zalloc(a, t->nruns, sizeof *t->row);
    t->total = arena_zalloc(a, t->nruns, sizeof *t->total);
    for (size_t f = 0; f < FUNCTIONS; f++) {
        struct region *g = &t->list[f];
        g->label = names[f];
        g->is_main = f == 0;
        g->own = arena_zalloc(a, t->nruns, sizeof *g->own);
        if (f == 1) {
            g->function = &c[0];
            g->nwork = 3;
            g->work = arena_zalloc(a, 3, sizeof *g->work);
            for (size_t i = 0; i < 3; i++)
                g->work[i] = &c[i];
        }
        for (size_t k = 0; k < t->nruns; k++) {
            t->row[k] = k % SIZES;
            g->own[k] = seconds[f](sizes[k % SIZES]) * (1 + noise * fabs(random_normal(&r)));
            t->total[k] += g->own[k];
        }
    }
    return q;
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
    char folder[] = "/tmp/models.XXXXXX";
    struct arena *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(a, folder, 0.02);
    double n = q.place[0];
    (void)state;
    models_make(&q);
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
    char path[64];
    snprintf(path, sizeof path, "%s/own.dat", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    arena_destroy(a);
}

/* Two threads: the run is shorter than the sum of own times, also where it is predicted. */
static void functions_at_the_same_time(void **state)
{
    char folder[] = "/tmp/models.XXXXXX";
    struct arena *a = arena_create();
    assert_non_null(mkdtemp(folder));
    struct request q = make_request(a, folder, 0.02);
    double n = q.place[0];
    (void)state;
    for (size_t k = 0; k < q.times.nruns; k++)
        q.times.total[k] /= 2;
    models_make(&q);
    double total = (main_seconds(n) + pairs_seconds(n) + hidden_seconds(n)) / 2;
    assert_true(fabs(q.times.value / total - 1) < 0.2);
    assert_true(q.times.overlap > 1.5);
    char path[64];
    snprintf(path, sizeof path, "%s/own.dat", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_of_counts_are_priced),
                                       cmocka_unit_test(functions_at_the_same_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
