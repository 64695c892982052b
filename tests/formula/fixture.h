/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An arena and a diag for each test of formulas. */
#ifndef TESTS_FORMULA_FIXTURE_H
#define TESTS_FORMULA_FIXTURE_H

#include "formula/formula.h"
#include "harness/unit.h"

static struct arena *a;
static struct diag *d;

static int setup(void **state)
{
    (void)state;
    a = arena_create();
    d = diag_create();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_destroy(a);
    diag_destroy(d);
    return 0;
}

#endif
