/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "harness/unit.h"

#include <math.h>

static void quoting_survives_odd_names(void **state)
{
    (void)state;
    struct text t;
    text_init(&t);
    quote_shell(&t, "it's; rm -rf *");
    assert_string_equal(t.s, "'it'\\''s; rm -rf *'");
    text_clear(&t);
    quote_shell(&t, "plain-name.c");
    assert_string_equal(t.s, "plain-name.c");
    text_clear(&t);
    quote_shell(&t, "");
    assert_string_equal(t.s, "''");
    text_clear(&t);
    quote_html(&t, "<a href=\"x\">&'");
    assert_string_equal(t.s, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    text_clear(&t);
    quote_gnuplot(&t, "it's\nsystem('x')");
    assert_string_equal(t.s, "'it\342\200\231s?system(\342\200\231x\342\200\231)'");
    text_clear(&t);
    quote_gnuplot(&t, "\377x");
    assert_string_equal(t.s, "'?x'");
    text_free(&t);
}

static void numbers_read_back_exactly(void **state)
{
    (void)state;
    static const double values[] = {
        0,      1, -1, 0.1, 1.0 / 3, 1e-9, 123456789012.5, 1e300, 5e-324, 1024, 3.0000000000000004,
        -2.5e-7};
    char buffer[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(strtod(number_text(values[i], buffer), NULL) == values[i]);
    assert_string_equal(number_text(0.1, buffer), "0.1");
    assert_string_equal(number_text(1048576, buffer), "1048576");
    assert_string_equal(number_text(-0.0, buffer), "0");
    assert_string_equal(number_text((double)NAN, buffer), "nan");
    assert_string_equal(number_text(-(double)INFINITY, buffer), "-inf");
}

static void numbers_for_people_are_short_and_have_no_negative_zero(void **state)
{
    (void)state;
    char buffer[NUMBER_SIZE];
    static const struct {
        double x;
        const char *digits, *decimals;
    } cases[] = {
        {0, "0", "0.0"},
        {-0.0, "0", "0.0"},
        {-1e-9, "-1e-09", "0.0"},
        {1234.56, "1235", "1234.6"},
        {-0.04, "-0.04", "0.0"},
        {1e308, "1e+308", "1e+308"},
        {-1e308, "-1e+308", "-1e+308"},
        {5e-324, "4.941e-324", "0.0"},
        {999999999.96, "1e+09", "1000000000.0"},
        {(double)NAN, "nan", "nan"},
        {-(double)NAN, "nan", "nan"},
        {(double)INFINITY, "inf", "inf"},
        {-(double)INFINITY, "-inf", "-inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(number_digits(cases[i].x, 4, buffer), cases[i].digits);
        assert_string_equal(number_decimals(cases[i].x, 1, buffer), cases[i].decimals);
    }
    assert_int_equal(number_exponent(0), 0);
    assert_int_equal(number_exponent((double)NAN), 0);
    assert_int_equal(number_exponent(-(double)INFINITY), 0);
    assert_int_equal(number_exponent(1000), 3);
    assert_int_equal(number_exponent(-999.9), 2);
    assert_int_equal(number_exponent(1e-9), -9);
    assert_int_equal(number_exponent(5e-324), -324);
    assert_int_equal(number_exponent(1.7e308), 308);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoting_survives_odd_names),
        cmocka_unit_test(numbers_read_back_exactly),
        cmocka_unit_test(numbers_for_people_are_short_and_have_no_negative_zero),
    };
    return RUN(tests);
}
