/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include "base/lookup.h"

static void finds_what_was_added(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct lookup t = {0};
    enum { MANY = 3000 };
    assert_true(lookup_find(&t, "x", 1) == SIZE_MAX);
    for (size_t i = 0; i < MANY; i++)
        assert_true(lookup_add(&t, a, arena_printf(a, "n%zu", i), i));
    for (size_t i = 0; i < MANY; i++) {
        const char *name = arena_printf(a, "n%zu", i);
        assert_int_equal(lookup_find(&t, name, strlen(name)), i);
    }
    assert_true(lookup_find(&t, "n3000", 5) == SIZE_MAX);
    arena_destroy(a);
}

static void a_text_is_added_once(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct lookup t = {0};
    assert_true(lookup_add(&t, a, "f", 1));
    assert_false(lookup_add(&t, a, "f", 2));
    assert_int_equal(lookup_find(&t, "f", 1), 1);
    arena_destroy(a);
}

static void only_the_given_bytes_count(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct lookup t = {0};
    lookup_add(&t, a, "f", 1);
    lookup_add(&t, a, "f@x", 2);
    assert_int_equal(lookup_find(&t, "f@x", 1), 1);
    assert_int_equal(lookup_find(&t, "f@x", 3), 2);
    assert_true(lookup_find(&t, "f@x", 2) == SIZE_MAX);
    assert_true(lookup_find(&t, "", 0) == SIZE_MAX);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(a_text_is_added_once),
        cmocka_unit_test(only_the_given_bytes_count),
    };
    return RUN(tests);
}
