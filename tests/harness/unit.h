/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The harness of the cmocka tests. A test program includes this file first, has its tests as static
 * functions whose names say what they show, and ends with
 *
 *     int main(void)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(zero_is_even)};
 *         return RUN(tests);
 *     }
 */
#ifndef TESTS_HARNESS_UNIT_H
#define TESTS_HARNESS_UNIT_H

/* cmocka.h needs those before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* RUN_WITH: with a function before the first test and one after the last. */
#define RUN(tests)                     RUN_WITH(tests, NULL, NULL)
#define RUN_WITH(tests, before, after) cmocka_run_group_tests_name(__FILE__, tests, before, after)

/* Tests that try the same with many seeds try a part of them, unless make check-long runs them. */
static inline int is_thorough(void)
{
    const char *asked = getenv("CHECK_LONG");
    return asked && strcmp(asked, "yes") == 0;
}

/* `got` is within a tolerance of `want`, relative to it; absolute where `want` is 0. */
static inline int near(double got, double want, double tolerance)
{
    double d = got > want ? got - want : want - got, size = want < 0 ? -want : want;
    return d <= tolerance * (size > 0 ? size : 1);
}

static inline void unit_close(double got, double want, int close, const char *file, int line)
{
    if (close)
        return;
    print_error("%.17g instead of %.17g\n", got, want);
    _fail(file, line);
}

static inline void unit_near(double got, double want, double relative, const char *file, int line)
{
    unit_close(got, want, near(got, want, relative), file, line);
}

static inline void unit_within(double got, double want, double absolute, const char *file, int line)
{
    unit_close(got, want, got - want <= absolute && want - got <= absolute, file, line);
}

/* Relative to `want`, and absolute. */
#define assert_near(got, want, tolerance)   unit_near(got, want, tolerance, __FILE__, __LINE__)
#define assert_within(got, want, tolerance) unit_within(got, want, tolerance, __FILE__, __LINE__)

#endif
