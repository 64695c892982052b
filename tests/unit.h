/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every cmocka test includes, in the order cmocka asks for. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RUN(tests) cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL)

/* a within a relative tolerance of b */
static inline int near(double a, double b, double tolerance)
{
    double d = a > b ? a - b : b - a, size = b < 0 ? -b : b;
    return d <= tolerance * (size > 0 ? size : 1);
}

#endif
