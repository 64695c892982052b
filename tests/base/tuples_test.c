/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include <math.h>

#include "base/tuples.h"

static void numbers_are_in_the_order_of_appearance(void **state)
{
    (void)state;
    struct tuples t = {.width = 2};
    enum { MANY = 3000 };
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < MANY; i++)
            assert_int_equal(tuples_number(&t, (double[]){i % 7, i}), i);
    assert_int_equal(t.n, MANY);
    assert_true(t.list[2 * 100] == 100 % 7 && t.list[2 * 100 + 1] == 100);
    tuples_free(&t);
    assert_int_equal(tuples_number(&t, (double[]){1, 2}), 0);
    tuples_free(&t);
}

static void bits_decide(void **state)
{
    (void)state;
    struct tuples t = {.width = 1};
    assert_int_equal(tuples_number(&t, (double[]){NAN}), 0);
    assert_int_equal(tuples_number(&t, (double[]){0.0}), 1);
    assert_int_equal(tuples_number(&t, (double[]){-0.0}), 2);
    assert_int_equal(tuples_number(&t, (double[]){NAN}), 0);
    tuples_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_in_the_order_of_appearance),
        cmocka_unit_test(bits_decide),
    };
    return RUN(tests);
}
