/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writer writes, jansson reads back. */
#include "harness/unit.h"

#include <jansson.h>
#include <math.h>

#include "probe/json.h"

static json_t *read_back(struct text *t)
{
    json_error_t e;
    json_t *root = json_loadb(t->s, t->n, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &e);
    if (!root)
        fail_msg("%s: %s", e.text, t->s);
    text_free(t);
    return root;
}

static void every_byte_can_be_in_a_string(void **state)
{
    (void)state;
    for (int c = 1; c < 256; c++) {
        char s[4] = {'a', (char)c, 'b', 0};
        struct text t;
        struct probe_json_writer w = {.out = &t};
        text_init(&t);
        probe_json_string(&w, NULL, s);
        json_t *root = read_back(&t);
        if (c < 128)
            assert_string_equal(json_string_value(root), s);
        else
            assert_string_equal(json_string_value(root), "a\xef\xbf\xbd"
                                                         "b");
        json_decref(root);
    }
}

static void characters_of_several_bytes_stay(void **state)
{
    struct text t;
    struct probe_json_writer w = {.out = &t};
    (void)state;
    text_init(&t);
    probe_json_string(&w, NULL, "µ € 𝛑 \xc3");
    json_t *root = read_back(&t);
    assert_string_equal(json_string_value(root), "µ € 𝛑 \xef\xbf\xbd");
    json_decref(root);
}

static void objects_and_lists_nest(void **state)
{
    struct text t;
    struct probe_json_writer w = {.out = &t};
    (void)state;
    text_init(&t);
    probe_json_open(&w, NULL, '{');
    probe_json_open(&w, "empty", '[');
    probe_json_close(&w, ']');
    probe_json_open(&w, "list", '[');
    for (int flat = 0; flat < 2; flat++) {
        probe_json_open(&w, NULL, '{');
        w.flat = flat;
        probe_json_integer(&w, "big", UINT64_C(9007199254740993));
        probe_json_boolean(&w, "yes", true);
        probe_json_boolean(&w, "no", false);
        probe_json_close(&w, '}');
        w.flat = false;
    }
    probe_json_close(&w, ']');
    probe_json_close(&w, '}');
    json_t *root = read_back(&t), *list = json_object_get(root, "list");
    assert_int_equal(json_array_size(json_object_get(root, "empty")), 0);
    assert_int_equal(json_array_size(list), 2);
    for (size_t i = 0; i < 2; i++) {
        json_t *o = json_array_get(list, i);
        assert_true(json_integer_value(json_object_get(o, "big")) == INT64_C(9007199254740993));
        assert_true(json_is_true(json_object_get(o, "yes")));
        assert_true(json_is_false(json_object_get(o, "no")));
    }
    json_decref(root);
}

static void numbers_have_their_digits(void **state)
{
    static const double numbers[] = {0, 1, 1.5e-9, 123456, 1e300, 4e-310, 0.1};
    struct text t;
    struct probe_json_writer w = {.out = &t, .flat = true};
    (void)state;
    text_init(&t);
    probe_json_open(&w, NULL, '[');
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        probe_json_number(&w, NULL, numbers[i], 6);
    probe_json_number(&w, NULL, NAN, 6);
    probe_json_number(&w, NULL, INFINITY, 6);
    probe_json_close(&w, ']');
    json_t *root = read_back(&t);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_near(json_number_value(json_array_get(root, i)), numbers[i], 1e-5);
    assert_true(json_is_null(json_array_get(root, 7)) && json_is_null(json_array_get(root, 8)));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_can_be_in_a_string),
        cmocka_unit_test(characters_of_several_bytes_stay),
        cmocka_unit_test(objects_and_lists_nest),
        cmocka_unit_test(numbers_have_their_digits),
    };
    return RUN(tests);
}
