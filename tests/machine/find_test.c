/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding figures, curves and units. */
#include "file.h"

static void a_figure_is_found_at_its_place_alone(void **state)
{
    (void)state;
    struct machine_case c = machine_case(machine_file, strlen(machine_file));
    const struct machine *m = c.machine;
    assert_ptr_equal(machine_find(m, "memory", "latency", 65536, 1, 0), &m->figures[0]);
    assert_ptr_equal(machine_find(m, "bsp", "g.shift", 0, 0, 2), &m->summary[0]);
    assert_null(machine_find(m, "memory", "latency", 65536, 2, 0));
    assert_null(machine_find(m, "memory", "latency", 100, 1, 0));
    assert_null(machine_find(m, "clock", "latency", 65536, 1, 0));
    assert_null(machine_find(m, "bsp", "g.shift", 0, 0, 4));
    machine_case_end(&c);
}

static void a_curve_ascends(void **state)
{
    (void)state;
    struct machine_case c = machine_case(machine_file, strlen(machine_file));
    size_t n;
    const struct machine_figure **curve =
        machine_curve(c.machine, "memory", "latency", 1, 0, c.arena, &n);
    assert_int_equal(n, 2);
    assert_true(curve[0]->bytes == 4096 && curve[1]->bytes == 65536);
    machine_curve(c.machine, "memory", "latency", 2, 0, c.arena, &n);
    assert_int_equal(n, 0);
    machine_case_end(&c);
}

static void names_have_units(void **state)
{
    (void)state;
    assert_string_equal(machine_unit("memory", "latency"), "s");
    assert_string_equal(machine_unit("memory", "copy"), "B/s");
    assert_string_equal(machine_unit("operations", "int_add.latency"), "s");
    assert_string_equal(machine_unit("mpi", "message_rate"), "1/s");
    assert_string_equal(machine_unit("mpi", "alltoall"), "s");
    assert_string_equal(machine_unit("bsp", "L.random"), "s");
    assert_string_equal(machine_unit("bsp", "g.random"), "s/B");
    assert_null(machine_unit("memory", "colour"));
    assert_null(machine_unit("tape", "read"));
    assert_true(machine_unit_exists("s/B") && !machine_unit_exists("ns"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_found_at_its_place_alone),
        cmocka_unit_test(a_curve_ascends),
        cmocka_unit_test(names_have_units),
    };
    return RUN(tests);
}
