/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that follow from others, from points with known values. */
#include "harness/unit.h"

#include "base/memory.h"
#include "probe/summary.h"

static const struct probe_world world = {.size = 1};

struct fixture {
    struct probe p;
    struct arena *arena;
    struct probe_summary summary;
};

static void add(struct fixture *f, const char *family, const char *name,
                struct probe_coordinates at, double value)
{
    probe_add(&f->p, (struct probe_point){.family = family, .name = name, .unit = "s", .at = at});
    struct probe_point *q = &f->p.points[f->p.n - 1];
    for (unsigned i = 0; i < 10; i++)
        q->values[q->n++] = value * (1 + 0.001 * i);
    probe_evaluate(q);
}

static struct fixture begin(void)
{
    return (struct fixture){.p = {.world = &world}, .arena = arena_create()};
}

static void end(struct fixture *f)
{
    for (size_t i = 0; i < f->p.n; i++)
        mem_free(f->p.points[i].values);
    mem_free(f->p.points);
    arena_destroy(f->arena);
}

static const struct probe_figure *figure(struct fixture *f, const char *name, int processes)
{
    for (size_t i = 0; i < f->summary.n; i++)
        if (strcmp(f->summary.figures[i].name, name) == 0 &&
            f->summary.figures[i].processes == processes)
            return &f->summary.figures[i];
    return NULL;
}

static void g_and_L_come_out_of_supersteps(void **state)
{
    struct fixture f = begin();
    (void)state;
    for (int p = 2; p <= 4; p += 2)
        for (uint64_t h = 0; h <= 1 << 20; h = h ? h * 16 : 256)
            add(&f, "bsp", "shift", (struct probe_coordinates){.bytes = h, .processes = p},
                p * 1e-6 + p * 2e-10 * (double)h);
    probe_summarise(&f.p, f.arena, &f.summary);
    for (int p = 2; p <= 4; p += 2) {
        assert_near(figure(&f, "L.shift", p)->value, p * 1e-6, 0.01);
        assert_near(figure(&f, "g.shift", p)->value, p * 2e-10, 0.01);
        assert_string_equal(figure(&f, "g.shift", p)->unit, "s/B");
        assert_true(figure(&f, "L.shift", p)->steady);
    }
    assert_null(figure(&f, "L.shift", 3));
    assert_null(figure(&f, "L.exchange", 2));
    end(&f);
}

static void a_line_never_has_a_negative_start(void **state)
{
    struct fixture f = begin();
    (void)state;
    for (uint64_t bytes = 16; bytes <= 1 << 20; bytes *= 16)
        add(&f, "mpi", "pingpong", (struct probe_coordinates){.bytes = bytes, .processes = 2},
            1e-12 * (double)bytes * (double)bytes);
    probe_summarise(&f.p, f.arena, &f.summary);
    assert_true(figure(&f, "startup", 2)->value >= 0 && figure(&f, "per_byte", 2)->value >= 0);
    assert_true(figure(&f, "startup", 2)->low >= 0);
    end(&f);
}

static void cycle_and_misprediction(void **state)
{
    struct fixture f = begin();
    struct probe_coordinates here = {0};
    (void)state;
    add(&f, "operations", "int_add.latency", here, 5e-10);
    add(&f, "operations", "branch.predicted", here, 1e-9);
    add(&f, "operations", "branch.random", here, 5e-9);
    add(&f, "operations", "fp_add.latency", here, 1e-9);
    probe_summarise(&f.p, f.arena, &f.summary);
    assert_near(figure(&f, "cycle", 0)->value, 5e-10, 0.01);
    assert_near(figure(&f, "branch.mispredicted", 0)->value, 8e-9, 0.01);
    assert_int_equal(f.summary.nimplausible, 0);
    end(&f);
}

static void operations_faster_than_a_cycle_are_implausible(void **state)
{
    struct fixture f = begin();
    struct probe_coordinates here = {0};
    (void)state;
    add(&f, "operations", "int_add.latency", here, 5e-10);
    add(&f, "operations", "fp_add.latency", here, 5e-10);
    add(&f, "operations", "int_div.latency", here, 5e-9);
    probe_summarise(&f.p, f.arena, &f.summary);
    assert_int_equal(f.summary.nimplausible, 1);
    assert_string_equal(f.summary.implausible[0],
                        "operations fp_add.latency took 1.00 cycles; at least 1.5 were expected");
    end(&f);
}

static void nothing_follows_from_nothing(void **state)
{
    struct fixture f = begin();
    (void)state;
    probe_summarise(&f.p, f.arena, &f.summary);
    assert_int_equal(f.summary.n + f.summary.nimplausible, 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(g_and_L_come_out_of_supersteps),
        cmocka_unit_test(a_line_never_has_a_negative_start),
        cmocka_unit_test(cycle_and_misprediction),
        cmocka_unit_test(operations_faster_than_a_cycle_are_implausible),
        cmocka_unit_test(nothing_follows_from_nothing),
    };
    return RUN(tests);
}
