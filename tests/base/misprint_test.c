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
        assert_true(is_misprint(pairs[i][0], pairs[i][1]));
        assert_true(is_misprint(pairs[i][1], pairs[i][0]));
    }
}

static void other_words_are_not(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"fit", "fit"},   {"", ""},     {"tif", "fit"},
                                           {"fiiit", "fit"}, {"f", "fit"}, {"lost", "fits"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_false(is_misprint(pairs[i][0], pairs[i][1]));
        assert_false(is_misprint(pairs[i][1], pairs[i][0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mistake_is_a_misprint),
        cmocka_unit_test(other_words_are_not),
    };
    return RUN(tests);
}
