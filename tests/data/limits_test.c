/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on the headers of data files. */
#include "harness/unit.h"

#include "base/text.h"
#include "expect_error.h"

static void enormous_headers_are_refused(void **state)
{
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, "# cll-data 1\n");
    for (int i = 0; i < 32768; i++)
        text_printf(&t, "# experiment: e%d\n", i);
    expect_error(t.s, t.n, "test.dat:32769:15: error:", "more than 32767 experiments");
    text_clear(&t);
    text_add(&t, "# cll-data 1\n# variables: f");
    for (int i = 0; i < 1025; i++)
        text_printf(&t, " v%d", i);
    text_add(&t, "\n");
    expect_error(t.s, t.n, "test.dat:2:", "too many variables");
    text_clear(&t);
    text_add(&t, "# cll-data 1\n");
    for (int i = 0; i < 2000; i++)
        text_printf(&t, "# experiment: e%d\n", i);
    text_add(&t, SYNTH_COLUMNS);
    for (int i = 0; i < 1000; i++)
        text_printf(&t, " c%d", i);
    text_add(&t, "\n");
    expect_error(t.s, t.n, "test.dat:2002:1: error:", "too many columns for so many experiments");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(enormous_headers_are_refused)};
    return RUN(tests);
}
