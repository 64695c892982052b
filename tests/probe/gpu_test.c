/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of an accelerator, from a device whose times are computed. */
#include "harness/unit.h"

#include <math.h>

#include "base/memory.h"
#include "probe/gpu/gpu.h"

/* ---- a device: a launch takes 10 us, a load 500 ns, or 30 ns in up to 1 MB; it streams 1 TB/s */

enum { THREADS = 4096 };
static bool absent, full, doubles = true;
static size_t reserved, transferred;
static uint64_t chain; /* lines of the last one that was made */

const char *device_open(struct probe_device *facts)
{
    *facts = (struct probe_device){.name = "computed",
                                   .library = "none",
                                   .memory = 1 << 30,
                                   .cache = 1 << 20,
                                   .units = 4,
                                   .threads = THREADS,
                                   .doubles = doubles};
    return absent ? "there is none" : NULL;
}

const char *device_reserve(size_t bytes, size_t transfer)
{
    reserved = bytes;
    transferred = transfer;
    return full ? "there is not enough memory" : NULL;
}

void device_close(void)
{
}

double device_kernel(enum device_kernel_id k, uint64_t n, uint64_t step, unsigned passes)
{
    double launch = 10e-6, p = passes, count = (double)n;
    switch (k) {
    case DEVICE_READ:
    case DEVICE_WRITE: return launch + p * count * 16 / 1e12;
    case DEVICE_COPY: return launch + p * count * 32 / 1e12;
    case DEVICE_FILL: chain = step && n > 1 ? n : 0; return launch;
    case DEVICE_CHASE:
        return chain == n ? launch + p * (n * 128 <= 1 << 20 ? 30e-9 : 500e-9) : (double)NAN;
    case DEVICE_ATOMIC: return launch + p * THREADS * (n == 1 ? 1e-9 : 1e-11);
    case DEVICE_FLOP_FLOAT: return launch + p * THREADS * 32 * 1e-13;
    case DEVICE_FLOP_DOUBLE: return launch + p * THREADS * 32 * 2e-13;
    default: return launch;
    }
}

int device_start(void)
{
    return 0;
}

int device_wait(void)
{
    return 0;
}

int device_transfer(bool to_device, bool pinned, size_t bytes)
{
    (void)to_device, (void)pinned;
    return bytes <= transferred ? 0 : -1;
}

/* ---- */

static struct probe p;
static const struct probe_world world = {.size = 1};

static const char *open_family(struct probe_options options)
{
    p = (struct probe){.options = options, .world = &world};
    return probe_gpu.open(&p);
}

static void close_family(void)
{
    probe_gpu.close();
    for (size_t i = 0; i < p.n; i++)
        mem_free(p.points[i].values);
    mem_free(p.points);
}

/* The value of a figure: round 0 finds the passes. */
static double value(const char *name, uint64_t bytes)
{
    for (size_t i = 0; i < p.n; i++)
        if (strcmp(p.points[i].name, name) == 0 && p.points[i].at.bytes == bytes) {
            p.points[i].sample(&p.points[i], 0);
            return p.points[i].sample(&p.points[i], 1);
        }
    return (double)NAN;
}

static void figures_are_those_of_the_device(void **state)
{
    (void)state;
    assert_null(open_family((struct probe_options){.quick = true}));
    /* a kernel takes at least 500 us, of which the launch is 2 % */
    assert_near(value("read", 1 << 24), 1e12, 0.03);
    assert_near(value("write", 1 << 24), 1e12, 0.03);
    assert_near(value("copy", 1 << 24), 1e12, 0.03);
    assert_near(value("atomic", 4), 1e-9, 0.03);
    assert_near(value("atomic", 1024), 1e-11, 0.03);
    assert_near(value("flop_float", 0), 1e-13, 0.03);
    assert_near(value("flop_double", 0), 2e-13, 0.03);
    /* of the latency the launch is subtracted */
    assert_near(value("latency", 4096), 30e-9, 1e-9);
    assert_near(value("latency", 1 << 22), 500e-9, 1e-9);
    assert_true(value("launch.latency", 0) > 0 && value("launch.throughput", 0) > 0);
    assert_true(value("to_device.pageable", 64) > 0 && value("from_device.pinned", 64) > 0);
    close_family();
}

static void a_device_without_doubles_has_no_figure_of_them(void **state)
{
    (void)state;
    doubles = false;
    assert_null(open_family((struct probe_options){.quick = true}));
    assert_true(isnan(value("flop_double", 0)));
    assert_false(isnan(value("flop_float", 0)));
    doubles = true;
    close_family();
}

static void sizes_follow_memory_and_options(void **state)
{
    (void)state;
    assert_null(open_family((struct probe_options){.quick = false}));
    assert_int_equal(reserved, 1 << 27); /* an eighth of the memory */
    close_family();
    assert_null(open_family((struct probe_options){.largest = 100000}));
    assert_int_equal(reserved, 65536);
    assert_int_equal(transferred, 65536);
    assert_false(isnan(value("read", 65536)));
    assert_true(isnan(value("read", 131072)));
    close_family();
}

static void a_missing_device_is_a_reason(void **state)
{
    (void)state;
    absent = true;
    assert_string_equal(open_family((struct probe_options){.quick = true}), "there is none");
    assert_string_equal(probe_device_found.name, "");
    close_family();
    absent = false;
    full = true;
    assert_string_equal(open_family((struct probe_options){.quick = true}),
                        "there is not enough memory");
    assert_string_equal(probe_device_found.name, "");
    assert_int_equal(p.n, 0);
    close_family();
    full = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_device),
        cmocka_unit_test(a_device_without_doubles_has_no_figure_of_them),
        cmocka_unit_test(sizes_follow_memory_and_options),
        cmocka_unit_test(a_missing_device_is_a_reason),
    };
    return RUN(tests);
}
