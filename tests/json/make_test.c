/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_make: each conversion, members that are left out, and what becomes of bytes and numbers that JSON does not have. */
#include "harness/unit.h"

#include <math.h>

#include "base/memory.h"
#include "json/make.h"

/* Compares the text of a value, and releases it. */
static void expect(json_t *value, const char *text)
{
    char *s = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(s);
    assert_string_equal(s, text);
    mem_free(s);
    json_decref(value);
}

/* A NULL that the compiler does not see: it warns about those that it sees. */
static const char *nothing(void)
{
    static const char *volatile none;
    return none;
}

static void each_conversion(void **state)
{
    (void)state;
    expect(json_make("%s", "text"), "\"text\"");
    expect(json_make("[%g %g %g]", 1.5, 3.0, -2.0), "[1.5,3,-2]");
    expect(json_make("[%d %ld %zu]", -1, -2L, (size_t)3), "[-1,-2,3]");
    expect(json_make("[%i %i]", 1, 0), "[true,false]");
    expect(json_make("%p", json_integer(7)), "7");
    expect(json_make("{a:{b:%d c:[%d %d]} d:[]}", 1, 2, 3),
           "{\"a\":{\"b\":1,\"c\":[2,3]},\"d\":[]}");
    expect(json_make("{}"), "{}");
}

static void what_json_does_not_have_is_null_or_escaped(void **state)
{
    (void)state;
    expect(json_make("[%g %g %g]", NAN, INFINITY, -INFINITY), "[null,null,null]");
    expect(json_make("[%s %p]", nothing(), (json_t *)NULL), "[null,null]");
    expect(json_make("%s", "a\xff"), "\"a\\\\xff\"");
    json_t *j = json_object();
    json_set(j, "b\xfe", json_true());
    expect(j, "{\"b\\\\xfe\":true}");
}

static void empty_optional_members_are_left_out(void **state)
{
    (void)state;
    expect(json_make("{a?:%s b?:%s c?:%g d?:%d e?:%i f?:%p g:%d}", nothing(), "", 0.0, 0, 0,
                     (json_t *)NULL, 0),
           "{\"g\":0}");
    expect(json_make("{a?:%s c?:%g d?:%d e?:%i f?:%p}", "x", 0.5, 2, 1, json_array()),
           "{\"a\":\"x\",\"c\":0.5,\"d\":2,\"e\":true,\"f\":[]}");
}

static void members_and_elements_are_added(void **state)
{
    (void)state;
    const char *const names[] = {"x", "y"};
    const double numbers[] = {1, 2.5};
    json_t *j = json_make("{a:%d}", 1);
    json_put(j, "b:%d a:%d", 2, 3);
    expect(j, "{\"a\":3,\"b\":2}");
    json_t *list = json_texts(names, 2);
    json_add(list, "{n:%zu}", (size_t)1);
    expect(list, "[\"x\",\"y\",{\"n\":1}]");
    expect(json_numbers(numbers, 2), "[1,2.5]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_conversion),
        cmocka_unit_test(what_json_does_not_have_is_null_or_escaped),
        cmocka_unit_test(empty_optional_members_are_left_out),
        cmocka_unit_test(members_and_elements_are_added),
    };
    return RUN(tests);
}
