/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files that are refused. */
#ifndef TESTS_DATA_EXPECT_ERROR_H
#define TESTS_DATA_EXPECT_ERROR_H

#include "harness/unit.h"
#include "harness/synthetic/synth.h"

/* Loading the text fails; the message, printed with its place, begins with `place` and contains `what`. */
static inline void expect_error(const char *text, size_t n, const char *place, const char *what)
{
    struct synth s = synth_begin();
    char printed[4096] = "";
    assert_int_equal(synth_load_bytes(&s, text, n), -1);
    FILE *f = fmemopen(printed, sizeof printed - 1, "w");
    diag_print(s.diag, f, 0);
    fclose(f);
    if (strncmp(printed, place, strlen(place)) != 0 || !strstr(printed, what))
        fail_msg("expected '%s ... %s', got:\n%s", place, what, printed);
    synth_end(&s);
}

#endif
