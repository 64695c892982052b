/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assignments of lines to constants: what they change in a report, and which files are refused. */
#include "harness/unit.h"

#include <jansson.h>

#include "base/memory.h"
#include "base/text.h"
#include "count/page.h"

/* Points N = 10 (once) and N = 20 (twice): 3 units of 1, 50 of N, 900 of N^2. */
static const char report_text[] =
    "{\"format\": 1, \"program\": \"m.c\", \"experiments\": [{\"name\": \"A\","
    " \"formula\": \"A[0] + A[1]*N + A[2]*N^2\", \"variables\": [\"N\"],"
    " \"points\": [{\"values\": {\"N\": 10}, \"executions\": 1},"
    "  {\"values\": {\"N\": 20}, \"executions\": 2}],"
    " \"constants\": ["
    "  {\"name\": \"A[0]\", \"term\": \"1\", \"instructions\": 7, \"exact\": true,"
    "   \"classes\": {\"integer\": 7}, \"lines\": [{\"file\": \"m.c\", \"line\": 1,"
    "   \"instructions\": 7, \"exact\": true, \"classes\": {\"integer\": 7}}]},"
    "  {\"name\": \"A[1]\", \"term\": \"N\", \"instructions\": 5, \"exact\": true,"
    "   \"classes\": {\"integer\": 4, \"load\": 1, \"simd\": {\"128\": 1}}, \"lines\": ["
    "   {\"file\": \"m.c\", \"line\": 2, \"instructions\": 5, \"exact\": true,"
    "    \"classes\": {\"integer\": 4, \"load\": 1, \"simd\": {\"128\": 1}}}]},"
    "  {\"name\": \"A[2]\", \"term\": \"N^2\", \"instructions\": 3, \"exact\": true,"
    "   \"classes\": {\"integer\": 1, \"store\": 2}, \"lines\": ["
    "   {\"file\": \"m.c\", \"line\": 2, \"instructions\": 1, \"exact\": true,"
    "    \"classes\": {\"integer\": 1}},"
    "   {\"file\": \"m.c\", \"line\": 3, \"instructions\": 2, \"exact\": true, \"step\": 4,"
    "    \"classes\": {\"store\": 2}}]},"
    "  {\"name\": \"A[3]\", \"term\": \"M\", \"instructions\": 0, \"exact\": true,"
    "   \"classes\": {}, \"lines\": []}],"
    " \"unexplained\": [{\"file\": \"m.c\", \"line\": 4, \"instructions\": 30,"
    "   \"counts\": [18, 36], \"classes\": {\"branch\": 30}, \"term\": \"N*log2(N)\"},"
    "  {\"file\": \"libc.so.6\", \"function\": \"memset\", \"line\": 0, \"instructions\": 2,"
    "   \"counts\": [2, 2], \"classes\": {\"store\": 2}}]}]}";

struct test {
    json_t *report;
    struct diag *diag;
    int status;
};

static struct test apply(const char *text, size_t n)
{
    static struct source source;
    struct test t = {json_loads(report_text, 0, NULL), diag_create(), 0};
    source = (struct source){"a.json", text, n};
    assert_non_null(t.report);
    t.status = count_assignment_apply_text(t.report, &source, t.diag);
    return t;
}

static void end(struct test *t)
{
    json_decref(t->report);
    diag_destroy(t->diag);
}

/* An assignment file of one program with these elements. */
static char *file_of(const char *elements)
{
    struct text t;
    text_init(&t);
    text_printf(&t, "{\"format\": 1, \"program\": \"m.c\", \"assignments\": [%s]}", elements);
    return t.s;
}

static struct test moved(const char *elements)
{
    char *text = file_of(elements);
    struct test t = apply(text, strlen(text));
    if (t.status)
        fail_msg("%s", diag_first(t.diag, SEVERITY_ERROR));
    mem_free(text);
    return t;
}

static json_t *constant(const struct test *t, size_t k)
{
    const json_t *e = json_array_get(json_object_get(t->report, "experiments"), 0);
    return json_array_get(json_object_get(e, "constants"), k);
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static json_t *assigned_line(const json_t *c)
{
    json_t *lines = json_object_get(c, "lines");
    for (size_t k = 0; k < json_array_size(lines); k++)
        if (json_object_get(json_array_get(lines, k), "assigned"))
            return json_array_get(lines, k);
    return NULL;
}

static void a_line_of_two_constants_moves_whole(void **state)
{
    (void)state;
    struct test t = moved("{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 2,"
                          " \"constant\": \"A[2]\"}");
    const json_t *from = constant(&t, 1), *to = constant(&t, 2);
    const json_t *line = assigned_line(to);
    assert_true(number(from, "instructions") == 0);
    assert_int_equal(json_array_size(json_object_get(from, "lines")), 0);
    /* 5 per N in 50 units and 1 per N^2 in 900 units: 250 + 900 in 900 */
    assert_near(number(line, "instructions"), 1150.0 / 900, 1e-12);
    assert_near(number(to, "instructions"), 2 + 1150.0 / 900, 1e-12);
    assert_int_equal(number(line, "line"), 2);
    assert_true(json_is_true(json_object_get(line, "assigned")));
    assert_true(json_is_false(json_object_get(line, "exact"))); /* it is not proportional to N^2 */
    assert_true(json_is_false(json_object_get(to, "exact")));
    const json_t *classes = json_object_get(line, "classes");
    assert_near(number(classes, "integer"), (4 * 50 + 900) / 900.0, 1e-12);
    assert_near(number(classes, "load"), 50 / 900.0, 1e-12);
    assert_near(number(json_object_get(classes, "simd"), "128"), 50 / 900.0, 1e-12);
    assert_true(number(json_object_get(json_object_get(from, "classes"), "simd"), "128") == 0);
    assert_true(number(json_object_get(from, "classes"), "load") == 0);
    end(&t);
}

static void moved_lines_are_in_order(void **state)
{
    (void)state;
    struct test t =
        moved("{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 4, \"constant\": \"A[2]\"},"
              "{\"experiment\": \"A\", \"file\": \"libc.so.6\", \"line\": 0,"
              " \"function\": \"memset\", \"constant\": \"A[2]\"},"
              "{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 1, \"constant\": \"A[2]\"}");
    const json_t *lines = json_object_get(constant(&t, 2), "lines");
    static const int order[] = {1, 2, 3, 4, 0};
    assert_int_equal(json_array_size(lines), 5);
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(number(json_array_get(lines, k), "line"), order[k]);
    end(&t);
}

static void counts_that_follow_the_term_are_exact(void **state)
{
    (void)state;
    /* unexplained, 18 and 36 per execution, which is 1.8 per N */
    struct test t = moved("{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 4,"
                          " \"constant\": \"A[1]\"}");
    const json_t *to = constant(&t, 1), *line = assigned_line(to);
    assert_near(number(line, "instructions"), 1.8, 1e-12);
    assert_near(number(to, "instructions"), 6.8, 1e-12);
    assert_true(json_is_true(json_object_get(line, "exact")));
    assert_true(json_is_true(json_object_get(to, "exact")));
    assert_near(number(json_object_get(line, "classes"), "branch"), 1.8, 1e-12);
    const json_t *e = json_array_get(json_object_get(t.report, "experiments"), 0);
    assert_int_equal(json_array_size(json_object_get(e, "unexplained")), 1);
    end(&t);
}

static void functions_of_libraries_move(void **state)
{
    (void)state;
    struct test t = moved("{\"experiment\": \"A\", \"file\": \"libc.so.6\", \"line\": 0,"
                          " \"function\": \"memset\", \"constant\": \"A[0]\"}");
    const json_t *line = assigned_line(constant(&t, 0));
    assert_string_equal(json_string_value(json_object_get(line, "function")), "memset");
    assert_true(json_is_integer(json_object_get(line, "instructions")));
    assert_int_equal(number(line, "instructions"), 2);
    assert_int_equal(number(constant(&t, 0), "instructions"), 9);
    end(&t);
}

static void a_line_that_is_there_already_stays(void **state)
{
    (void)state;
    struct test t = moved("{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 3,"
                          " \"constant\": \"A[2]\"}");
    const json_t *line = assigned_line(constant(&t, 2));
    assert_int_equal(number(line, "step"), 4);
    assert_true(json_is_true(json_object_get(line, "assigned")));
    assert_int_equal(number(constant(&t, 2), "instructions"), 3);
    end(&t);
}

static void all_instructions_are_still_there_after_many_moves(void **state)
{
    static const double units[] = {3, 50, 900};
    (void)state;
    struct test t =
        moved("{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 1, \"constant\": \"A[2]\"},"
              "{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 2, \"constant\": \"A[0]\"},"
              "{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 3, \"constant\": \"A[1]\"},"
              "{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 4, \"constant\": \"A[1]\"}");
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
        sum += units[k] * number(constant(&t, k), "instructions");
    assert_near(sum, 7 * 3 + 5 * 50 + 3 * 900 + 18 + 2 * 36, 1e-12);
    end(&t);
}

static void an_empty_assignment_changes_nothing(void **state)
{
    (void)state;
    struct test t = moved("");
    json_t *before = json_loads(report_text, 0, NULL);
    assert_true(json_equal(before, t.report));
    json_decref(before);
    end(&t);
}

static void refused(const char *text, size_t n, const char *message)
{
    struct test t = apply(text, n);
    json_t *before = json_loads(report_text, 0, NULL);
    const char *said = diag_first(t.diag, SEVERITY_ERROR);
    if (t.status != -1 || !said || !strstr(said, message))
        fail_msg("'%s' instead of '%s'", said ? said : "nothing", message);
    assert_true(json_equal(before, t.report)); /* as it was */
    json_decref(before);
    end(&t);
}

static void wrong_files_are_refused_with_the_reason(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "this is not a file of assignments: call count --html writes those"},
        {" \n", "this is not a file of assignments"},
        {"[]", "this is not a file of assignments"},
        {"root:x:0:0", "this is not a file of assignments"},
        {"{}", "this is not a file of assignments"},
        {"{\"format\": 1, \"program\": \"m.c\"}", "\"assignments\" is missing"},
        {"{\"format\": 2, \"program\": \"m.c\", \"assignments\": []}",
         "a newer call count --html wrote this file (format 2, this program reads format 1)"},
        {"{\"format\": 0, \"program\": \"m.c\", \"assignments\": []}", "\"format\" must be"},
        {"{\"format\": \"1\", \"program\": \"m.c\", \"assignments\": []}", "\"format\" must be"},
        {"{\"format\": 1, \"assignments\": []}", "\"program\" is missing"},
        {"{\"format\": 1, \"program\": \"n.c\", \"assignments\": []}",
         "the assignment is for n.c, and not for m.c"},
        {"{\"format\": 1, \"format\": 1, \"program\": \"m.c\", \"assignments\": []}",
         "duplicate object key"},
        {"{\"format\": 1, \"program\": \"m.c\", \"assignments\": [", "damaged or was cut off"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        refused(cases[k].text, strlen(cases[k].text), cases[k].message);
}

static void wrong_assignments_are_refused_with_the_reason(void **state)
{
#define LINE2 "\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 2, "
    static const struct {
        const char *elements, *message;
    } cases[] = {
        {"3", "assignment 1: it must be an object"},
        {"{}", "assignment 1: \"experiment\" must be a text"},
        {"{\"experiment\": \"A\"}", "\"file\" must be a text"},
        {"{" LINE2 "\"constant\": null}", "\"constant\" must be a text"},
        {"{" LINE2 "\"constant\": \"A[2]\\u0000x\"}", "damaged"},
        {"{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": \"2\", \"constant\": \"A[2]\"}",
         "\"line\" must be a whole number"},
        {"{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": -2, \"constant\": \"A[2]\"}",
         "\"line\" must be a whole number"},
        {"{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 2.5, \"constant\": \"A[2]\"}",
         "\"line\" must be a whole number"},
        {"{\"experiment\": \"B\", \"file\": \"m.c\", \"line\": 2, \"constant\": \"A[2]\"}",
         "the report has no experiment B; did you mean A?"},
        {"{\"experiment\": \"sort\", \"file\": \"m.c\", \"line\": 2, \"constant\": \"A[2]\"}",
         "the report has no experiment sort; it has A"},
        {"{" LINE2 "\"constant\": \"A\"}", "A has no constant A; it has A[0], A[1], A[2], A[3]"},
        {"{" LINE2 "\"constant\": \"A[3]\"}",
         "the term of A[3] has no value at the points of the report"},
        {"{\"experiment\": \"A\", \"file\": \"m.c\", \"line\": 99, \"constant\": \"A[2]\"}",
         "no instructions of m.c:99 were counted in A"},
        {"{" LINE2 "\"function\": \"f\", \"constant\": \"A[2]\"}",
         "no instructions of m.c:f were counted in A"},
        {"{" LINE2 "\"constant\": \"A[2]\"}, {" LINE2 "\"constant\": \"A[1]\"}",
         "assignment 2: m.c:2 of A is there twice"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = file_of(cases[k].elements);
        refused(text, strlen(text), cases[k].message);
        mem_free(text);
    }
}

static void deep_nesting_is_refused(void **state)
{
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, "{\"format\": ");
    for (int k = 0; k < 100000; k++)
        text_addc(&t, '[');
    refused(t.s, t.n, "damaged");
    text_free(&t);
}

static void a_report_without_members_has_no_lines(void **state)
{
    static const char *const reports[] = {
        "{}",
        "{\"experiments\": 3}",
        "{\"experiments\": [3, {\"name\": \"A\"}]}",
        "{\"experiments\": [{\"name\": \"A\", \"constants\": [{\"name\": \"A[0]\"}]}]}",
        "{\"experiments\": [{\"name\": \"A\", \"constants\": [{\"name\": \"A[0]\", \"lines\": [3]}]}]}",
        "{\"experiments\": [{\"name\": \"A\", \"constants\": [{\"name\": \"A[0]\"}], \"unexplained\": {}}]}",
    };
    char *text = file_of("{" LINE2 "\"constant\": \"A[0]\"}");
    struct source source = {"a.json", text, strlen(text)};
    (void)state;
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++) {
        json_t *report = json_loads(reports[k], 0, NULL);
        struct diag *diag = diag_create();
        assert_non_null(report);
        assert_int_equal(count_assignment_apply_text(report, &source, diag), -1);
        assert_int_equal(diag_count(diag, SEVERITY_ERROR), 1);
        diag_destroy(diag);
        json_decref(report);
    }
    mem_free(text);
}

static void a_missing_file_is_named(void **state)
{
    json_t *report = json_loads(report_text, 0, NULL);
    struct diag *diag = diag_create();
    (void)state;
    assert_int_equal(count_assignment_apply(report, "/no/such/file", diag), -1);
    assert_string_equal(diag_first(diag, SEVERITY_ERROR),
                        "/no/such/file: No such file or directory");
    diag_destroy(diag);
    json_decref(report);
}

static void texts_from_files_become_json(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *text;
    } cases[] = {{"a\tb\n", 4, "a\tb\n"},
                 {"a\0\033b", 4,
                  "a\\x00\\x1b"
                  "b"},
                 {"gr\xc3\xb6\xc3\x9f", 6, "gr\xc3\xb6\xc3\x9f"},
                 {"gr\xf6\xdf", 4, "gr\\xf6\\xdf"},       /* Latin-1 */
                 {"\xe2\x80\xae", 3, "\\xe2\\x80\\xae"},  /* reorders what follows */
                 {"x\xc3", 2, "x\\xc3"},                  /* cut off */
                 {"\xed\xa0\x80", 3, "\\xed\\xa0\\x80"}}; /* a surrogate */
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_t *s = count_text(cases[k].bytes, cases[k].n);
        assert_string_equal(json_string_value(s), cases[k].text);
        json_decref(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_two_constants_moves_whole),
        cmocka_unit_test(moved_lines_are_in_order),
        cmocka_unit_test(counts_that_follow_the_term_are_exact),
        cmocka_unit_test(functions_of_libraries_move),
        cmocka_unit_test(a_line_that_is_there_already_stays),
        cmocka_unit_test(all_instructions_are_still_there_after_many_moves),
        cmocka_unit_test(an_empty_assignment_changes_nothing),
        cmocka_unit_test(wrong_files_are_refused_with_the_reason),
        cmocka_unit_test(wrong_assignments_are_refused_with_the_reason),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_report_without_members_has_no_lines),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(texts_from_files_become_json),
    };
    return RUN(tests);
}
