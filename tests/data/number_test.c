/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number_read gives what strtod gives. */
#include "harness/unit.h"

#include <math.h>

#include "data/number.h"
#include "harness/synthetic/synth.h"

static double read_one(const char *text, size_t *used)
{
    double x = -12345;
    const char *after = number_read(text, text + strlen(text), &x);
    *used = after ? (size_t)(after - text) : 0;
    return x;
}

static void same_as_strtod(const char *text)
{
    size_t used;
    double x = read_one(text, &used), want = strtod(text, NULL);
    if (used != strlen(text) || memcmp(&x, &want, sizeof x) != 0)
        fail_msg("'%s': %.17g, strtod says %.17g, %zu bytes used", text, x, want, used);
}

static void special_forms_read_as_strtod_reads_them(void **state)
{
    static const char *const forms[] = {"0",
                                        "-0",
                                        "+5",
                                        "1.",
                                        ".5",
                                        "1e5",
                                        "1E+05",
                                        "1e-5",
                                        "0.1",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "1.7976931348623157e308",
                                        "4.9e-324",
                                        "2.2250738585072014e-308",
                                        "1e400",
                                        "1e-400",
                                        "123456789012345678901234567890",
                                        "0.000000000000000000000000000001",
                                        "1.00000000000000000000000000000000000000000001",
                                        "3.1415926535897932384626",
                                        "8.5e22",
                                        "1e23",
                                        "9.5367431640625e-7",
                                        "6.5e-323",
                                        "1.2300000000000001e-05",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "1e55",
                                        "1e56",
                                        "1e-27",
                                        "1e-28",
                                        "00000000000000000000000012.5",
                                        "0e99999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        same_as_strtod(forms[i]);
}

static void words_for_no_number_are_read(void **state)
{
    size_t used;
    (void)state;
    assert_true(isnan(read_one("nan", &used)) && used == 3);
    assert_true(isnan(read_one("-NaN", &used)) && used == 4);
    assert_true(read_one("inf", &used) == INFINITY && used == 3);
    assert_true(read_one("-Infinity", &used) == -INFINITY && used == 9);
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const forms[] = {"",    "-",   ".",    "e5", "1e", "1e+",
                                        "abc", "+-1", "-.e1", "na", "in"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t used;
        read_one(forms[i], &used);
        if (used != 0)
            fail_msg("'%s' was taken", forms[i]);
    }
}

static void random_doubles_in_all_lengths_are_exact(void **state)
{
    struct synth s = {.random = 42};
    char text[64];
    (void)state;
    for (int i = 0; i < 300000; i++) {
        double x = (synth_uniform(&s) - 0.3) *
                   pow(10, floor(synth_uniform(&s) * (i % 4 ? 40 : 600)) - (i % 4 ? 30 : 300));
        snprintf(text, sizeof text, "%.*g", 1 + i % 19, x);
        same_as_strtod(text);
    }
}

static void halfway_cases_round_to_even(void **state)
{
    struct synth s = {.random = 7};
    char text[64];
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t m = ((uint64_t)1 << 53) + (uint64_t)(synth_uniform(&s) * 9e15);
        snprintf(text, sizeof text, "%llu.5", (unsigned long long)(m / 2));
        same_as_strtod(text);
        snprintf(text, sizeof text, "%llu", (unsigned long long)(2 * m + 1));
        same_as_strtod(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_forms_read_as_strtod_reads_them),
        cmocka_unit_test(words_for_no_number_are_read),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(random_doubles_in_all_lengths_are_exact),
        cmocka_unit_test(halfway_cases_round_to_even),
    };
    return RUN(tests);
}
