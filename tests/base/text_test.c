/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about strings. */
#include "harness/unit.h"

#include "base/text.h"

static void a_string_is_found_in_a_list(void **state)
{
    static const char *const list[] = {"one", "two", "two", ""};
    (void)state;
    assert_int_equal(text_find(list, 4, "two"), 1);
    assert_int_equal(text_find(list, 4, ""), 3);
    assert_int_equal(text_find(list, 4, "tw"), 4);
    assert_int_equal(text_find(list, 1, "two"), 1);
    assert_int_equal(text_find(NULL, 0, "one"), 0);
    assert_true(text_is_in(list, 4, "one"));
    assert_false(text_is_in(list, 0, "one"));
}

static void the_end_of_a_string_is_compared(void **state)
{
    (void)state;
    assert_true(text_ends_with("a.dat", ".dat"));
    assert_true(text_ends_with(".dat", ".dat"));
    assert_false(text_ends_with("dat", ".dat"));
    assert_false(text_ends_with("a.dat ", ".dat"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_is_found_in_a_list),
        cmocka_unit_test(the_end_of_a_string_is_compared),
    };
    return RUN(tests);
}
