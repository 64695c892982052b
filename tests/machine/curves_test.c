/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures as functions: exact at the measured places, without overshoot between them, beyond
 * constant, or proportional to the bytes of messages. */
#include <math.h>

#include "file.h"
#include "machine/curves.h"

/* A machine with these figures, given as JSON without the common members. */
struct figures {
    struct text summary, list;
};

static void add(struct text *t, bool rounds, const char *family, const char *name,
                const char *place, const char *unit, double value, double part)
{
    text_printf(t,
                "%s{\"family\": \"%s\", \"name\": \"%s\", %s\"unit\": \"%s\", \"value\": %.17g, "
                "\"low\": %.17g, \"high\": %.17g, \"steady\": true",
                t->n ? ",\n" : "", family, name, place, unit, value, value * (1 - part),
                value * (1 + part));
    if (rounds)
        text_printf(t, ", \"rounds\": 1, \"values\": [%.17g]", value);
    text_add(t, "}");
}

static void add_memory(struct figures *f, const char *name, int cores, size_t n,
                       const double (*points)[2], double part)
{
    for (size_t i = 0; i < n; i++) {
        char place[64];
        snprintf(place, sizeof place, "\"bytes\": %.0f, \"cores\": %d, ", points[i][0], cores);
        add(&f->list, true, "memory", name, place, strcmp(name, "latency") ? "B/s" : "s",
            points[i][1], part);
    }
}

static const double one_core[][2] = {{4096, 1e-9},    {8192, 1e-9},     {16384, 4e-9},
                                     {65536, 5e-9},   {131072, 4.9e-9}, {262144, 20e-9},
                                     {1048576, 80e-9}};
static const double two_cores[][2] = {{4096, 1e-9}, {65536, 6e-9}, {262144, 40e-9}};
static const double reading[][2] = {{4096, 8e10}, {65536, 4e10}, {1048576, 1e10}};
static const double reading_two[][2] = {{4096, 16e10}, {1048576, 1e10}};

struct text_case {
    struct figures figures;
    struct text text;
    struct machine_case c;
};

static struct text_case make(double part)
{
    struct text_case t;
    text_init(&t.figures.summary);
    text_init(&t.figures.list);
    text_init(&t.text);
    add_memory(&t.figures, "latency", 1, 7, one_core, part);
    add_memory(&t.figures, "latency", 2, 3, two_cores, part);
    add_memory(&t.figures, "read", 1, 3, reading, part);
    add_memory(&t.figures, "read", 2, 2, reading_two, part);
    add_memory(&t.figures, "write", 1, 3, reading, part);
    add(&t.figures.list, true, "operations", "fp_add.throughput", "", "s", 1e-10, part);
    add(&t.figures.list, true, "operations", "fp_mul.throughput", "", "s", 3e-10, part);
    add(&t.figures.list, true, "mpi", "barrier", "\"processes\": 2, ", "s", 1e-6, part);
    add(&t.figures.list, true, "mpi", "barrier", "\"processes\": 8, ", "s", 4e-6, part);
    add(&t.figures.list, true, "mpi", "pingpong", "\"bytes\": 0, \"processes\": 2, ", "s", 1e-6,
        part);
    add(&t.figures.list, true, "mpi", "pingpong", "\"bytes\": 8, \"processes\": 2, ", "s", 2e-6,
        part);
    add(&t.figures.list, true, "mpi", "pingpong", "\"bytes\": 128, \"processes\": 2, ", "s", 8e-6,
        part);
    for (int p = 2; p <= 4; p += 2)
        for (int bytes = 64; bytes <= 1024; bytes *= 16) {
            char place[64];
            snprintf(place, sizeof place, "\"bytes\": %d, \"processes\": %d, ", bytes, p);
            add(&t.figures.list, true, "mpi", "alltoall", place, "s", bytes * p * 1e-9, part);
        }
    add(&t.figures.summary, false, "bsp", "g.shift", "\"processes\": 1, ", "s/B", 1e-11, part);
    add(&t.figures.summary, false, "bsp", "g.shift", "\"processes\": 2, ", "s/B", 9e-11, part);
    add(&t.figures.summary, false, "bsp", "g.exchange", "\"processes\": 2, ", "s/B", 2e-10, part);
    const char *at = strstr(machine_file, " \"summary\"");
    text_addn(&t.text, machine_file, (size_t)(at - machine_file));
    text_printf(&t.text, "\"summary\": [%s], \"figures\": [%s]}", t.figures.summary.s,
                t.figures.list.s);
    t.c = machine_case(t.text.s, t.text.n);
    assert_non_null(t.c.machine);
    return t;
}

static void end(struct text_case *t)
{
    machine_case_end(&t->c);
    text_free(&t->figures.summary);
    text_free(&t->figures.list);
    text_free(&t->text);
}

static double ask(const struct machine_curves *c, const char *function, double x, double y)
{
    return machine_curves_value(c, function, (double[]){x, y}, isnan(y) ? isnan(x) ? 0 : 1 : 2);
}

static void measured_places_are_exact(void **state)
{
    (void)state;
    struct text_case t = make(0.001);
    const struct machine_curves *c = machine_curves_make(t.c.arena, t.c.machine, 0);
    for (size_t i = 0; i < 7; i++)
        assert_true(ask(c, "lat", one_core[i][0], NAN) == one_core[i][1]);
    for (size_t i = 0; i < 3; i++) {
        assert_true(ask(c, "lat", two_cores[i][0], 2) == two_cores[i][1]);
        assert_true(ask(c, "lat", one_core[i][0], 1) == one_core[i][1]);
    }
    assert_true(ask(c, "bw", 65536, NAN) == 4e10);
    assert_true(ask(c, "bw", 4096, 2) == 8e10); /* of each core */
    assert_true(ask(c, "barrier", 2, NAN) == 1e-6 && ask(c, "barrier", 8, NAN) == 4e-6);
    assert_true(ask(c, "flop", NAN, NAN) == 2e-10);
    assert_true(ask(c, "g", 1, NAN) == 1e-11 && ask(c, "g", 2, NAN) == 2e-10);
    assert_true(ask(c, "pingpong", 8, NAN) == 2e-6);
    end(&t);
}

static void between_places_logarithms_are_linear(void **state)
{
    (void)state;
    struct text_case t = make(0.001);
    const struct machine_curves *c = machine_curves_make(t.c.arena, t.c.machine, 0);
    assert_near(ask(c, "lat", sqrt(8192.0 * 16384), NAN), 2e-9, 1e-12);
    assert_near(ask(c, "barrier", 4, NAN), 2e-6, 1e-12);
    assert_near(ask(c, "bw", 65536, sqrt(2)), sqrt(4e10 * ask(c, "bw", 65536, 2)), 1e-12);
    /* several cores: the ratio to one core is interpolated, so edges stay where one core has them */
    double ratio = sqrt(2 * 1.2);
    assert_near(ask(c, "lat", 131072, 2), 4.9e-9 * ratio, 1e-12);
    /* never outside of the two places next to it */
    for (double x = 4096; x < 1048576; x *= 1.07)
        for (size_t i = 0; i + 1 < 7; i++)
            if (x >= one_core[i][0] && x <= one_core[i + 1][0]) {
                double y = ask(c, "lat", x, NAN), u = one_core[i][1], v = one_core[i + 1][1];
                assert_true(y >= fmin(u, v) * (1 - 1e-12) && y <= fmax(u, v) * (1 + 1e-12));
            }
    end(&t);
}

static void longer_messages_than_measured_take_longer_in_proportion(void **state)
{
    (void)state;
    struct text_case t = make(0.001);
    struct arena *a = t.c.arena;
    const struct machine_curves *c = machine_curves_make(a, t.c.machine, 0);
    assert_within(ask(c, "pingpong", 1280, NAN), 80e-6, 1e-12);
    assert_within(ask(c, "alltoall", 1e6, 2), 2e-3, 1e-9);
    assert_within(ask(c, "alltoall", 1e6, 4), 4e-3, 1e-9);
    assert_null(machine_curves_beyond(c, "pingpong", (double[]){128}, 1, a));
    assert_string_equal(
        machine_curves_beyond(c, "pingpong", (double[]){129}, 1, a),
        "pingpong() was measured up to 128 B, and is taken as proportional to BYTES beyond");
    assert_string_equal(
        machine_curves_beyond(c, "alltoall", (double[]){2048, 4}, 2, a),
        "alltoall() was measured up to 1 KB for P = 4, and is taken as proportional to BYTES beyond");
    end(&t);
}

static void beyond_the_ends_it_is_constant_and_said(void **state)
{
    (void)state;
    struct text_case t = make(0.001);
    struct arena *a = t.c.arena;
    const struct machine_curves *c = machine_curves_make(a, t.c.machine, 0);
    assert_true(ask(c, "lat", 1, NAN) == 1e-9 && ask(c, "lat", 1e12, NAN) == 80e-9);
    assert_true(ask(c, "barrier", 1, NAN) == 1e-6 && ask(c, "barrier", 99, NAN) == 4e-6);
    assert_true(ask(c, "lat", 65536, 64) == 6e-9);
    assert_null(machine_curves_beyond(c, "lat", (double[]){65536}, 1, a));
    assert_null(machine_curves_beyond(c, "flop", NULL, 0, a));
    static const struct {
        const char *function;
        double x[2];
        size_t n;
        const char *text;
    } cases[] = {
        {"lat", {2e6}, 1, "lat() was measured up to 1 MB, and is taken as constant beyond"},
        {"lat", {100}, 1, "lat() was measured from 4 KB on, and is taken as constant below"},
        {"lat",
         {524288, 2},
         2,
         "lat() was measured up to 256 KB for CORES = 2, and is taken as constant beyond"},
        {"lat",
         {65536, 3},
         2,
         "lat() was measured for CORES = 2 at most, and is taken as constant beyond"},
        {"barrier", {9}, 1, "barrier() was measured up to P = 8, and is taken as constant beyond"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(machine_curves_beyond(c, cases[i].function, cases[i].x, cases[i].n, a),
                            cases[i].text);
    end(&t);
}

static void noise_is_repaired_within_its_intervals_only(void **state)
{
    (void)state;
    /* 5 and 4.9 ns: in the wrong order, and with intervals of 2 % noise */
    struct text_case t = make(0.02);
    const struct machine_curves *c = machine_curves_make(t.c.arena, t.c.machine, 0);
    assert_near(ask(c, "lat", 65536, NAN), sqrt(5e-9 * 4.9e-9), 1e-12);
    assert_near(ask(c, "lat", 131072, NAN), sqrt(5e-9 * 4.9e-9), 1e-12);
    assert_true(ask(c, "lat", 16384, NAN) == 4e-9);
    end(&t);
}

static void missing_figures_have_a_reason(void **state)
{
    (void)state;
    struct text_case t = make(0.001);
    struct arena *a = t.c.arena;
    const struct machine_curves *c = machine_curves_make(a, t.c.machine, 0);
    assert_null(machine_curves_lack(c, "lat", 2, a));
    assert_non_null(strstr(machine_curves_lack(c, "s", 1, a),
                           "box-1 has no figures for s() (bsp s): one process: measure them with "
                           "mpirun -n P cllprobe"));
    assert_non_null(strstr(machine_curves_lack(c, "fault", 0, a), "measure them with cllprobe"));
    assert_non_null(strstr(machine_curves_lack(c, "bw_write", 2, a), "on one core only"));
    assert_null(machine_curves_lack(c, "bw_write", 1, a));
    assert_true(isnan(ask(c, "fault", NAN, NAN)));
    assert_true(isnan(ask(c, "lat", 0, NAN)) && isnan(ask(c, "lat", -1, NAN)));
    assert_true(isnan(ask(c, "lat", 65536, 0)));
    end(&t);
}

static void figures_that_contradict_each_other_are_doubtful(void **state)
{
    (void)state;
    static const double slow_alone[][2] = {{4096, 8e10}, {65536, 2e10}, {1048576, 1e10}};
    static const double fast_together[][2] = {{4096, 16e10}, {65536, 7.2e10}, {1048576, 1.2e10}};
    struct text_case t = make(0.001);
    const struct machine_curves *c = machine_curves_make(t.c.arena, t.c.machine, 0);
    assert_null(machine_curves_doubt(c, "bw", t.c.arena));
    assert_null(machine_curves_doubt(c, "lat", t.c.arena));
    assert_null(machine_curves_doubt(c, "flop", t.c.arena));
    end(&t);
    text_init(&t.figures.summary);
    text_init(&t.figures.list);
    text_init(&t.text);
    add_memory(&t.figures, "copy", 1, 3, slow_alone, 0.001);
    add_memory(&t.figures, "copy", 2, 3, fast_together, 0.001);
    const char *at = strstr(machine_file, " \"summary\"");
    text_addn(&t.text, machine_file, (size_t)(at - machine_file));
    text_printf(&t.text, "\"summary\": [], \"figures\": [%s]}", t.figures.list.s);
    t.c = machine_case(t.text.s, t.text.n);
    c = machine_curves_make(t.c.arena, t.c.machine, 0);
    assert_string_equal(
        machine_curves_doubt(c, "bw_copy", t.c.arena),
        "bw_copy() of 64 KB: each of 2 active cores is 1.8 times as fast as one core alone");
    end(&t);
}

static void draws_vary_as_the_intervals_say(void **state)
{
    (void)state;
    enum { DRAWS = 200 };
    struct text_case t = make(0.1);
    double sum = 0, squares = 0;
    for (unsigned k = 1; k <= DRAWS; k++) {
        const struct machine_curves *c = machine_curves_make(t.c.arena, t.c.machine, k);
        double x = log(ask(c, "barrier", 8, NAN) / 4e-6);
        sum += x;
        squares += x * x;
        assert_true(ask(c, "barrier", 8, NAN) ==
                    ask(machine_curves_make(t.c.arena, t.c.machine, k), "barrier", 8, NAN));
    }
    /* 95 % within 10 %: a standard deviation of about 5 % */
    double deviation = sqrt(squares / DRAWS - sum * sum / DRAWS / DRAWS);
    assert_true(deviation > 0.04 && deviation < 0.065);
    assert_true(fabs(sum / DRAWS) < 0.02);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_places_are_exact),
        cmocka_unit_test(between_places_logarithms_are_linear),
        cmocka_unit_test(longer_messages_than_measured_take_longer_in_proportion),
        cmocka_unit_test(beyond_the_ends_it_is_constant_and_said),
        cmocka_unit_test(noise_is_repaired_within_its_intervals_only),
        cmocka_unit_test(missing_figures_have_a_reason),
        cmocka_unit_test(figures_that_contradict_each_other_are_doubtful),
        cmocka_unit_test(draws_vary_as_the_intervals_say),
    };
    return RUN(tests);
}
