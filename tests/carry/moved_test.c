/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which cache explains a boundary, and where the boundary is on another machine. */
#include <math.h>

#include "carry/moved.h"
#include "harness/unit.h"

static const struct moved_level levels[] = {
    {"L1", 32768, 65536}, {"L2", 1048576, 524288}, {"L3", 33554432, 33554432}};

static void bytes_of_a_unit_are_found(void **state)
{
    (void)state;
    struct moved_boundary b[] = {{.units = 32768 / 4.0}, {.units = 1048576 / 4.0 * 1.2}};
    double bytes = moved_explain(levels, 3, NAN, b, 2);
    assert_true(bytes > 3 && bytes < 4.5);
    assert_int_equal(b[0].level, 0);
    assert_int_equal(b[1].level, 1);
    assert_true(b[0].factor == 2 && b[1].factor == 0.5);
}

/* One boundary alone: units of a double are the usual ones. */
static void the_usual_unit_decides(void **state)
{
    (void)state;
    struct moved_boundary b = {.units = 1048576 / 8.0};
    assert_true(fabs(moved_explain(levels, 3, NAN, &b, 1) - 8) < 1e-9);
    assert_int_equal(b.level, 1);
}

static void a_boundary_without_a_cache_stays(void **state)
{
    (void)state;
    struct moved_boundary b[] = {{.units = 100}, {.units = 131072}};
    assert_true(moved_explain(levels, 3, 8, b, 2) == 8);
    assert_int_equal(b[0].level, -1);
    assert_true(b[0].factor == 1);
    assert_int_equal(b[1].level, 1);
    /* no unit between a byte and a line puts this into a cache */
    b[0].units = 100;
    assert_true(isnan(moved_explain(levels, 3, NAN, b, 1)));
    assert_true(isnan(moved_explain(levels, 0, NAN, b, 2)));
    assert_true(b[1].factor == 1);
}

static void levels_are_paired(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct machine_cache here[] = {{1, "instruction", 65536, 64, 1},
                                   {1, "data", 32768, 64, 1},
                                   {2, "unified", 1048576, 64, 1},
                                   {3, "unified", 33554432, 64, 8}},
                         there[] = {{1, "data", 49152, 64, 1}, {2, "unified", 2097152, 64, 1}};
    struct machine from = {.caches = here, .ncaches = 4}, to = {.caches = there, .ncaches = 2};
    struct moved_level out[MOVED_LEVELS];
    assert_int_equal(moved_levels(a, &from, &to, out), 3);
    assert_string_equal(out[0].name, "L1");
    assert_true(out[0].from == 32768 && out[0].to == 49152);
    assert_true(out[1].to == 2097152);
    assert_true(out[2].from == 33554432 && out[2].to == 2097152); /* its last cache */
    to.ncaches = 0;
    assert_int_equal(moved_levels(a, &from, &to, out), 0);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_a_unit_are_found),
        cmocka_unit_test(the_usual_unit_decides),
        cmocka_unit_test(a_boundary_without_a_cache_stays),
        cmocka_unit_test(levels_are_paired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
