/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/range.h"
#include "base/text.h"
#include "harness/unit.h"

/* The values as "1 2 4", or the first error. */
static const char *expand(struct arena *a, const char *text)
{
    struct source s = {"<range>", text, strlen(text)};
    struct diag *d = diag_create();
    struct range r;
    const char *result;
    if (range_parse(a, &s, (struct span){0, s.size}, d, &r)) {
        result = arena_strdup(a, diag_first(d, SEVERITY_ERROR));
    } else {
        struct text t;
        text_init(&t);
        for (size_t i = 0; i < r.n && i < 20; i++)
            text_printf(&t, "%s%g", i ? " " : "", r.values[i]);
        result = arena_strdup(a, t.s);
        text_free(&t);
    }
    diag_destroy(d);
    return result;
}

static void ranges_mean_what_the_manual_says(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1:32:2", "1 2 4 8 16 32"},
        {"1:8:+1", "1 2 3 4 5 6 7 8"},
        {"1,2,3,12", "1 2 3 12"},
        {"7", "7"},
        {"1:9:3", "1 3 9"},
        {"8:1:-3", "8 5 2"},
        {"8:1:0.5", "8 4 2 1"},
        {"1:8", "1 2 4 8"},
        {"8:1", "8 4 2 1"},
        {" 1 : 4 : +1 , 10", "1 2 3 4 10"},
        {"0:1:+0.25", "0 0.25 0.5 0.75 1"},
        {"1e3:4e3:2", "1000 2000 4000"},
        {"5:5:2", "5"},
        {"1:10:*10", "1 10"},
        {"-2:2:+2", "-2 0 2"},
        {"2^10:4K", "1024 2048 4096"},
        {"1M", "1.04858e+06"},
        {"1024*1024:2^21:2*2", "1.04858e+06"},
        {"1:8:2^1, (3 + 5)*2/4 - 1", "1 2 4 8 3"},
        {"2 ^ 3 : 2^-1 : -7.5", "8 0.5"},
    };
    struct arena *a = arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(expand(a, cases[i][0]), cases[i][1]);
    arena_destroy(a);
}

static void bad_ranges_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "missing"},
        {"1:", "missing"},
        {"1:8:1", "never reaches"},
        {"1:8:+0", "never reaches"},
        {"0:8:2", "above 0 only"},
        {"1:8:-1", "never reaches"},
        {"1;2", "does not belong"},
        {"1,", "missing"},
        {"1:1e9:+1", "more than"},
        {"1e999", "too large"},
        {"1:8:0.5", "never reaches"},
        {"2^", "'2^' is not a number"},
        {"4*x", "'4*x' is not a number"},
        {"(1 + 2", "')' is missing here"},
        {"1/0", "too large"},
        {"0/0", "has no value"},
        {"1m", "'m' is not known after a number: K, M, G and T are 2^10"},
        {"1MB", "does not belong"},
        {"1..2", "'1..2' is not a number"},
        {"abc", "'abc' is not a number"},
        {"1e6,D=16", "'D=16' is another variable: a blank, not a comma, separates them"},
        {"1,x:8", "'x' is not a number"},
        {"10:1:2", "starts above its end"},
        {"10:1:+1", "starts above its end"},
    };
    struct arena *a = arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!strstr(expand(a, cases[i][0]), cases[i][1]))
            fail_msg("'%s' gave '%s'", cases[i][0], expand(a, cases[i][0]));
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_mean_what_the_manual_says),
        cmocka_unit_test(bad_ranges_are_refused),
    };
    return RUN(tests);
}
