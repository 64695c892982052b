/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: exact, short, and read back. */
#include "harness/unit.h"

#include <math.h>

#include "spool/number.h"

static const char *text_of(double value)
{
    static char text[CLL_NUMBER_SIZE + 1];
    *cll_put_double(text, value) = 0;
    return text;
}

static const char *decimal(uint64_t value, unsigned decimals)
{
    static char text[CLL_NUMBER_SIZE + 1];
    *cll_put_decimal(text, value, decimals) = 0;
    return text;
}

static void integers_print_as_integers(void **state)
{
    (void)state;
    assert_string_equal(text_of(0), "0");
    assert_string_equal(text_of(1024), "1024");
    assert_string_equal(text_of(-7), "-7");
    assert_string_equal(text_of(999999999999999), "999999999999999");
}

static void doubles_are_short(void **state)
{
    (void)state;
    assert_string_equal(text_of(0.1), "0.1");
    assert_string_equal(text_of(0.5), "0.5");
    assert_string_equal(text_of(-3.25), "-3.25");
    assert_string_equal(text_of(1.9e-8), "1.9e-08");
    assert_string_equal(text_of(1.0 / 3), "0.3333333333333333");
    assert_string_equal(text_of(1e300), "1e+300");
    assert_string_equal(text_of(NAN), "nan");
    assert_string_equal(text_of(INFINITY), "inf");
    assert_string_equal(text_of(-INFINITY), "-inf");
}

static void every_double_reads_back(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 2)
            value = (double)(bits >> 40) / (double)(1 + (bits & 0xffff));
        if (isnan(value) || isinf(value))
            continue;
        const char *text = text_of(value);
        assert_true(strlen(text) <= CLL_NUMBER_SIZE);
        assert_true(strtod(text, NULL) == value);
    }
    assert_true(strtod(text_of(5e-324), NULL) == 5e-324);
    assert_true(strtod(text_of(1.7976931348623157e308), NULL) == 1.7976931348623157e308);
}

static void decimals_are_exact(void **state)
{
    (void)state;
    assert_string_equal(decimal(0, 9), "0");
    assert_string_equal(decimal(1, 9), "1e-09");
    assert_string_equal(decimal(1641, 11), "1.641e-08");
    assert_string_equal(decimal(65827282, 11), "0.00065827282");
    assert_string_equal(decimal(123000000000u, 11), "1.23");
    assert_string_equal(decimal(100, 2), "1");
    assert_string_equal(decimal(UINT64_MAX, 0), "18446744073709551615");
    assert_string_equal(decimal(UINT64_MAX, 12), "18446744.073709551615");
    assert_string_equal(decimal(10, 20), "1e-19");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_print_as_integers),
        cmocka_unit_test(doubles_are_short),
        cmocka_unit_test(every_double_reads_back),
        cmocka_unit_test(decimals_are_exact),
    };
    return RUN(tests);
}
