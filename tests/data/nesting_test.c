/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SELF and what contains what: on random nests of executions whose truth is known, complete and with
 * samples taken away, and on data that are not those of one thread. */
#include "harness/unit.h"

#include "base/text.h"
#include "data/nesting.h"
#include "expect_error.h"

enum { EXPERIMENTS = 3, MOST = 4000 };
static const char *const names[EXPERIMENTS] = {"a", "b", "c"};

/* An execution, in ticks. */
struct execution {
    long start, end;
    unsigned experiment, seq, nested, parent; /* parent: UINT32_MAX = none */
    long inside;                              /* ticks of those directly inside */
    unsigned direct;
    bool taken; /* its sample is missing */
};

/* A nest: executions in the order of their ends. */
struct nest {
    struct execution list[MOST];
    unsigned n, seq[EXPERIMENTS];
    long now;
    uint64_t random;
};

static unsigned dice(struct nest *t, unsigned n)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(t->random >> 33) % n;
}

/* `pace`: the most ticks between two clock readings; 0 ticks are possible. */
static void execute(struct nest *t, unsigned depth, unsigned pace)
{
    struct execution x = {.experiment = dice(t, EXPERIMENTS), .parent = UINT32_MAX};
    unsigned before = t->n;
    x.seq = t->seq[x.experiment]++;
    t->now += dice(t, pace + 1);
    x.start = t->now;
    for (unsigned i = depth < 4 ? dice(t, 4) : 0; i > 0 && t->n + 10 < MOST; i--)
        execute(t, depth + 1, pace);
    t->now += dice(t, pace + 1);
    x.end = t->now;
    x.nested = t->n - before;
    for (unsigned i = before; i < t->n; i++) {
        struct execution *child = &t->list[i];
        if (child->parent != UINT32_MAX)
            continue;
        child->parent = t->n;
        x.inside += child->end - child->start;
        x.direct++;
    }
    t->list[t->n++] = x;
}

/* The top of a nest has no parent: executions of depth 0 must not adopt each other. */
static void make_nest(struct nest *t, uint64_t seed, unsigned pace)
{
    memset(t, 0, sizeof *t);
    t->random = seed;
    while (t->n < MOST / 2) {
        execute(t, 0, pace);
        t->list[t->n - 1].parent = t->n - 1; /* itself: outermost */
    }
}

static void write_nest(const struct nest *t, const char *header, struct text *out)
{
    text_printf(out, "# cll-data 1\n# resolution: 1e-09\n%s", header);
    for (unsigned e = 0; e < EXPERIMENTS; e++)
        text_printf(out, "# experiment: %s\n# variables: %s\n", names[e], names[e]);
    text_printf(out, "%s CLOCK\n", SYNTH_COLUMNS);
    for (unsigned i = 0; i < t->n; i++) {
        const struct execution *x = &t->list[i];
        if (!x->taken)
            text_printf(out, "%s 0 %u %.9f %u 1 0 0 1 %.9f\n", names[x->experiment], x->seq,
                        (double)x->start * 1e-9, x->nested, (double)(x->end - x->start) * 1e-9);
    }
}

static double self_of(const struct synth *s, const struct execution *x)
{
    const struct experiment *e = dataset_find(s->data, names[x->experiment]);
    for (size_t row = 0; row < e->nrows; row++)
        if (column_at(&e->columns[FIELD_SEQ], row) == x->seq)
            return nesting_of(s->data, e)->self.values[row];
    return NAN;
}

/* Whether the execution that has x directly inside is the one that the nest says; itself if x is outermost. */
static bool parent_is_right(const struct synth *s, const struct nest *t, const struct execution *x)
{
    const struct experiment *e = dataset_find(s->data, names[x->experiment]), *p;
    const struct execution *parent = &t->list[x->parent];
    size_t row = 0;
    while (row < e->nrows && column_at(&e->columns[FIELD_SEQ], row) != x->seq)
        row++;
    if (row == e->nrows)
        return false;
    const struct nested *n = nesting_of(s->data, e);
    p = s->data->experiments[n->parent[row]];
    return p == dataset_find(s->data, names[parent->experiment]) &&
           column_at(&p->columns[FIELD_SEQ], n->parent_row[row]) == parent->seq;
}

/* With readings in one tick now and then. */
static void self_is_the_time_without_what_is_inside(void **state)
{
    static struct nest t;
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct synth s = synth_begin();
        struct text text;
        make_nest(&t, seed, 50);
        text_init(&text);
        write_nest(&t, "# overhead: 0 0\n# empty: 0\n", &text);
        assert_int_equal(synth_load(&s, text.s), 0);
        for (unsigned i = 0; i < t.n; i += 7) {
            const struct execution *x = &t.list[i];
            double truth = (double)(x->end - x->start - x->inside) * 1e-9;
            assert_true(fabs(self_of(&s, x) - truth) < 1e-12);
            assert_true(parent_is_right(&s, &t, x));
        }
        text_free(&text);
        synth_end(&s);
    }
}

/* Half of the readings are in the tick of the one before. */
static void readings_in_one_tick_are_told_apart(void **state)
{
    static struct nest t;
    (void)state;
    for (uint64_t seed = 11; seed <= 15; seed++) {
        struct synth s = synth_begin();
        struct text text;
        make_nest(&t, seed, 1);
        text_init(&text);
        write_nest(&t, "# overhead: 0 0\n# empty: 0\n", &text);
        assert_int_equal(synth_load(&s, text.s), 0);
        unsigned known = 0;
        for (unsigned i = 0; i < t.n; i += 7) {
            const struct execution *x = &t.list[i];
            double self = self_of(&s, x);
            known += isfinite(self);
            if (isfinite(self))
                assert_true(fabs(self - (double)(x->end - x->start - x->inside) * 1e-9) < 1e-12);
        }
        assert_true(known > t.n / 7 * 9 / 10);
        text_free(&text);
        synth_end(&s);
    }
}

/* A sample that is missing makes SELF of the one around it unknown, and no other one. */
static void missing_samples_make_self_unknown(void **state)
{
    static struct nest t;
    (void)state;
    for (uint64_t seed = 21; seed <= 25; seed++) {
        struct synth s = synth_begin();
        struct text text;
        make_nest(&t, seed, 50);
        for (unsigned i = 0; i < t.n; i++)
            t.list[i].taken = dice(&t, 8) == 0;
        text_init(&text);
        write_nest(&t, "# overhead: 0 0\n# empty: 0\n# thinned: per-tuple\n", &text);
        assert_int_equal(synth_load(&s, text.s), 0);
        for (unsigned i = 0; i < t.n; i++) {
            const struct execution *x = &t.list[i];
            bool whole = true;
            for (unsigned k = 0; k < i; k++)
                whole = whole && !(t.list[k].parent == i && t.list[k].taken);
            if (x->taken)
                continue;
            double self = self_of(&s, x);
            if (!whole)
                assert_true(isnan(self));
            else if (isfinite(self)) /* of no ticks at an end: may be in doubt */
                assert_true(fabs(self - (double)(x->end - x->start - x->inside) * 1e-9) < 1e-12);
        }
        text_free(&text);
        synth_end(&s);
    }
}

static void the_overhead_of_direct_children_is_subtracted(void **state)
{
    /* outer: 100 ns of its own, two inner regions of 10 ns; a pair takes 40 ns, 15 of them inside */
    static const char text[] =
        "# cll-data 1\n# resolution: 1e-09\n# overhead: 4e-08 0\n# empty: 1.5e-08\n"
        "# experiment: outer\n# variables: outer\n# experiment: inner\n"
        "# variables: inner\n" SYNTH_COLUMNS " CLOCK\n"
        "inner 0 0 0.000000150 0 1 0 0 1 0.000000025\n"
        "inner 0 1 0.000000250 0 1 0 0 1 0.000000025\n"
        "outer 0 0 0.000000100 2 1 0 0 1 0.000000215\n"
        "inner 0 2 0.000000400 0 1 0 0 1 0.000000025\n";
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, text), 0);
    const struct experiment *outer = dataset_find(s.data, "outer"),
                            *inner = dataset_find(s.data, "inner");
    const struct nested *o = nesting_of(s.data, outer), *i = nesting_of(s.data, inner);
    /* 215 - 15 - 2*25 - 2*(40 - 15) */
    assert_true(fabs(o->self.values[0] - 100e-9) < 1e-15);
    assert_true(fabs(i->self.values[0] - 10e-9) < 1e-15);
    assert_int_equal(o->direct[0], 2);
    assert_int_equal(o->containing, 1);
    assert_int_equal(o->unknown + i->unknown, 0);
    /* the last inner one is outermost */
    assert_int_equal(i->outer[0], 0);
    assert_int_equal(i->outer[2], 1);
    assert_int_equal(i->outer_row[2], 2);
    synth_end(&s);
}

static void samples_of_two_processes_are_not_mixed(void **state)
{
    static const char text[] =
        "# cll-data 1\n# resolution: 1e-09\n# overhead: 0 0\n# experiment: a\n"
        "# variables: a\n" SYNTH_COLUMNS " CLOCK\n"
        "a 0 0 0.000000100 0 1 0 0 1 0.000000200\n"
        "a 0 0 0.000000200 0 1 0 0 1 0.000000200\n";
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, text), 0);
    const struct experiment *a = dataset_find(s.data, "a");
    assert_int_equal(nesting_of(s.data, a)->unknown, 2);
    assert_int_equal(nesting_trouble(s.data, a), NESTED_TORN);
    synth_end(&s);
}

static void without_starts_nothing_is_known(void **state)
{
    static const char text[] =
        "# cll-data 1\n# resolution: 1e-09\n# overhead: 0 0\n# experiment: a\n"
        "# variables: a\n" SYNTH_COLUMNS " CLOCK\n"
        "a 0 0 nan 0 1 0 0 1 0.000000200\n";
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, text), 0);
    const struct experiment *a = dataset_find(s.data, "a");
    assert_int_equal(nesting_of(s.data, a)->unknown, 1);
    assert_int_equal(nesting_trouble(s.data, a), NESTED_NO_TIMES);
    synth_end(&s);
}

/* a contains b, which contains c; d is alone. */
static void experiments_contain_what_is_deeper_inside(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s, "# cll-data 1\n# resolution: 1e-09\n# overhead: 0 0\n# empty: 0\n"
                "# experiment: a\n# variables: a\n# experiment: b\n# variables: b\n"
                "# experiment: c\n# variables: c\n# experiment: d\n# variables: d\n" SYNTH_COLUMNS
                " CLOCK\n"
                "c 0 0 0.000000120 0 1 0 0 1 0.000000010\n"
                "b 0 0 0.000000110 1 1 0 0 1 0.000000040\n"
                "a 0 0 0.000000100 2 1 0 0 1 0.000000100\n"
                "d 0 0 0.000000300 0 1 0 0 1 0.000000100\n"),
        0);
    const struct experiment *x[4];
    for (size_t i = 0; i < 4; i++)
        x[i] = dataset_find(s.data, (const char[]){(char)('a' + i), 0});
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(nesting_contains(s.data, x[i], x[k]), i < k && k < 3);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_is_the_time_without_what_is_inside),
        cmocka_unit_test(readings_in_one_tick_are_told_apart),
        cmocka_unit_test(missing_samples_make_self_unknown),
        cmocka_unit_test(the_overhead_of_direct_children_is_subtracted),
        cmocka_unit_test(experiments_contain_what_is_deeper_inside),
        cmocka_unit_test(samples_of_two_processes_are_not_mixed),
        cmocka_unit_test(without_starts_nothing_is_known),
    };
    return RUN(tests);
}
