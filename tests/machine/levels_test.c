/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels of the memory in curves that are known. */
#include "file.h"

#include <math.h>

enum { EACH = 4, SIZES = 65 }; /* sizes per doubling, from 4 KB to 256 MB */

/* A machine whose caches have these capacities and latencies (the last one has no capacity), with a
 * relative noise; the working sets are accessed at random. */
static struct machine stairs(struct arena *a, const double *capacity, const double *latency,
                             size_t n, double noise)
{
    struct machine m = {.name = "stairs"};
    struct machine_figure *figures = arena_zalloc(a, SIZES, sizeof *figures);
    uint64_t state = 7;
    for (size_t i = 0; i < SIZES; i++) {
        double bytes = 4096 * exp2((double)i / EACH), hit = 0, time = 0;
        for (size_t k = 0; k < n; k++) { /* the part that each cache holds, after those before it */
            double part = k + 1 < n ? fmin(1, capacity[k] / bytes) : 1;
            time += fmax(0, part - hit) * latency[k];
            hit = fmax(hit, part);
        }
        state = state * 6364136223846793005u + 1442695040888963407u;
        time *= 1 + noise * ((double)(state >> 40) / (1 << 24) - 0.5);
        figures[i] = (struct machine_figure){.family = "memory",
                                             .name = "latency",
                                             .unit = "s",
                                             .has_bytes = true,
                                             .bytes = (uint64_t)bytes,
                                             .cores = 1,
                                             .value = time,
                                             .low = time,
                                             .high = time};
    }
    m.figures = figures;
    m.nfigures = SIZES;
    return m;
}

static void caches_are_found_within_a_factor(void **state)
{
    static const double capacity[] = {65536, 1 << 20}, latency[] = {1.6e-9, 5.5e-9, 60e-9};
    struct arena *a = arena_create();
    struct machine_level levels[MACHINE_LEVELS];
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++) {
        struct machine m = stairs(a, capacity, latency, 3, noisy ? 0.04 : 0);
        assert_int_equal(machine_levels(&m, a, levels, MACHINE_LEVELS), 2);
        for (size_t i = 0; i < 2; i++) {
            double ratio = levels[i].bytes / capacity[i];
            assert_true(ratio > 1 / 1.5 && ratio < 1.5);
            assert_true(levels[i].below <= levels[i].bytes && levels[i].bytes <= levels[i].above);
        }
        assert_near(levels[0].latency, 1.6e-9, 0.05);
        assert_near(levels[1].next, 60e-9, 0.3);
    }
    arena_destroy(a);
}

static void a_flat_curve_has_no_level(void **state)
{
    static const double latency[] = {2e-9};
    struct arena *a = arena_create();
    struct machine_level levels[MACHINE_LEVELS];
    struct machine m = stairs(a, NULL, latency, 1, 0.04);
    (void)state;
    assert_int_equal(machine_levels(&m, a, levels, MACHINE_LEVELS), 0);
    m.nfigures = 0;
    assert_int_equal(machine_levels(&m, a, levels, MACHINE_LEVELS), 0);
    m.nfigures = 1;
    assert_int_equal(machine_levels(&m, a, levels, MACHINE_LEVELS), 0);
    arena_destroy(a);
}

static void there_are_no_more_levels_than_asked_for(void **state)
{
    static const double capacity[] = {32768, 1 << 20}, latency[] = {1e-9, 5e-9, 90e-9};
    struct arena *a = arena_create();
    struct machine_level one;
    struct machine m = stairs(a, capacity, latency, 3, 0);
    (void)state;
    assert_int_equal(machine_levels(&m, a, &one, 1), 1);
    assert_true(one.bytes < 65536);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_are_found_within_a_factor),
        cmocka_unit_test(a_flat_curve_has_no_level),
        cmocka_unit_test(there_are_no_more_levels_than_asked_for),
    };
    return RUN(tests);
}
