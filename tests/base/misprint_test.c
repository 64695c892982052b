/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which words are taken for misprints of others. */
#include "base/misprint.h"
#include "harness/unit.h"

static void one_mistake_is_a_misprint(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"fti", "fit"},        {"ift", "fit"}, {"fitt", "fit"},
                                           {"xfit", "fit"},       {"ft", "fit"},  {"it", "fit"},
                                           {"pedict", "predict"}, {"fat", "fit"}, {"", "f"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(misprint_is_one(pairs[i][0], pairs[i][1]));
        assert_true(misprint_is_one(pairs[i][1], pairs[i][0]));
    }
}

static void other_words_are_not(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"fit", "fit"},   {"", ""},     {"tif", "fit"},
                                           {"fiiit", "fit"}, {"f", "fit"}, {"lost", "fits"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_false(misprint_is_one(pairs[i][0], pairs[i][1]));
        assert_false(misprint_is_one(pairs[i][1], pairs[i][0]));
    }
}

static const char *const names[] = {"fit", "predict", "plot", "N", "--until", "--unit-tests", NULL};

static void the_name_that_was_meant_is_found(void **state)
{
    (void)state;
    assert_string_equal(misprint_meant("n", names), "N");
    assert_string_equal(misprint_meant("FIT", names), "fit");
    assert_string_equal(misprint_meant("fti", names), "fit");
    assert_string_equal(misprint_meant("pred", names), "predict");
    assert_string_equal(misprint_meant("--utnil", names), "--until");
}

static void a_name_itself_is_no_misprint(void **state)
{
    (void)state;
    static const char *const alike[] = {"where", "Where", "there", "wherever", NULL};
    assert_null(misprint_meant("where", alike));
    assert_null(misprint_meant("fit", names));
}

static void no_name_is_found_where_there_is_doubt(void **state)
{
    (void)state;
    assert_null(misprint_meant("M", names)); /* one letter is a misprint of all others */
    assert_null(misprint_meant("p", names));
    assert_null(misprint_meant("pr", names)); /* too short for a beginning */
    assert_null(misprint_meant("--un", names));
    assert_null(misprint_meant("sort", names));
    assert_null(misprint_meant("", names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mistake_is_a_misprint),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(the_name_that_was_meant_is_found),
        cmocka_unit_test(a_name_itself_is_no_misprint),
        cmocka_unit_test(no_name_is_found_where_there_is_doubt),
    };
    return RUN(tests);
}
