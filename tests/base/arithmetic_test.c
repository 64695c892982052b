/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arithmetic.h"

#include <math.h>

#include "harness/unit.h"

static void numbers_are_arithmetic(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"7", 7},
        {"1e-3", 1e-3},
        {"1.5E+2", 150},
        {".5", 0.5},
        {"2^20", 1048576},
        {"1024*1024", 1048576},
        {"1K", 1024},
        {"1k", 1024},
        {"1M", 1048576},
        {"0.5G", 536870912},
        {"1T", 1099511627776},
        {"1e3K", 1024000},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"--3", 3},
        {"1 + 2*3 - 4/2", 5},
        {"8/4/2", 1},
        {"10-3-2", 5},
        {"(1 + 2) * 3", 9},
        {" ( 2 ^ 20 - 1 ) / 3", 349525},
        {"1M-1", 1048575},
        {"2^53", 9007199254740992},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x;
        if (arithmetic_parse(cases[i].text, &x) || x != cases[i].value)
            fail_msg("'%s' is %.17g", cases[i].text, x);
    }
}

static void other_texts_are_not_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",   " ",  "x",  "1x",  "1m",    "1KB", "1MM", "1.2.3",    "1e",  "2^",  "2**3", "*2",
        "(1", "1)", "()", "1 2", "1e999", "1/0", "0/0", "(-1)^0.5", "nan", "inf", "0x10", "e5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double x;
        if (!arithmetic_parse(wrong[i], &x))
            fail_msg("'%s' is %g", wrong[i], x);
    }
}

static void deep_nesting_is_an_error_not_a_crash(void **state)
{
    (void)state;
    static const char *const parts[] = {"(", "-", "2^"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[100001] = "";
        size_t n = strlen(parts[i]), at = 0;
        const char *fault;
        double x;
        for (size_t k = 0; k + n < sizeof text; k += n)
            memcpy(text + k, parts[i], n + 1);
        assert_int_equal(arithmetic_read(text, &at, strlen(text), &x, &fault), -1);
        assert_non_null(strstr(fault, "too many"));
    }
}

static void what_follows_a_number_is_left(void **state)
{
    (void)state;
    double x;
    assert_string_equal(arithmetic_start("5%", &x), "%");
    assert_string_equal(arithmetic_start("2*30s", &x), "s");
    assert_true(x == 60);
    assert_string_equal(arithmetic_start("1m", &x), "m");
    assert_null(arithmetic_start("s", &x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_arithmetic),
        cmocka_unit_test(other_texts_are_not_numbers),
        cmocka_unit_test(deep_nesting_is_an_error_not_a_crash),
        cmocka_unit_test(what_follows_a_number_is_left),
    };
    return RUN(tests);
}
