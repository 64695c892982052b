/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --json: every command prints one value on a line of its own, with exactly the keys that are
 * documented. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "llac/commands.h"
#include "llac/session.h"

/* The values that the commands print, one per line. */
static json_t *run(const char *script, int *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct session *s = session_create(out);
    struct arena *a = arena_create();
    struct diag *d = diag_create();
    char *path[] = {(char *)DEMO_DATA};
    json_t *list = json_array();
    s->json = true;
    assert_int_equal(session_load(s, path, 1, true, false, a, d), 0);
    *status = session_run(s, "test", script, strlen(script), false);
    session_destroy(s);
    fclose(out);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_error_t error;
        json_t *value = json_loads(line, JSON_DECODE_ANY, &error);
        if (!value)
            fail_msg("%s: not JSON: %s", error.text, line);
        json_array_append_new(list, value);
    }
    free(text);
    arena_destroy(a);
    diag_destroy(d);
    return list;
}

static json_t *run_one(const char *command)
{
    int status;
    json_t *list = run(command, &status);
    assert_int_equal(status, 0);
    assert_int_equal(json_array_size(list), 1);
    json_t *value = json_incref(json_array_get(list, 0));
    json_decref(list);
    return value;
}

/* The keys of an object in their order, separated by blanks. */
static void expect_keys(json_t *object, const char *want)
{
    char keys[512] = "";
    const char *key;
    json_t *value;
    assert_true(json_is_object(object));
    json_object_foreach(object, key, value)
    {
        strcat(keys, *keys ? " " : "");
        strcat(keys, key);
    }
    assert_string_equal(keys, want);
}

static double real(json_t *object, const char *key)
{
    json_t *v = json_object_get(object, key);
    if (!json_is_number(v))
        fail_msg("%s is no number", key);
    return json_number_value(v);
}

static void fit_has_the_documented_form(void **state)
{
    json_t *j = run_one("fit sort");
    (void)state;
    expect_keys(j, "experiment observable constants points samples error warnings schema formula "
                   "statistic unit "
                   "relative_noise degrees_of_freedom");
    assert_string_equal(json_string_value(json_object_get(j, "experiment")), "sort");
    assert_string_equal(json_string_value(json_object_get(j, "observable")), "CLOCK");
    assert_string_equal(json_string_value(json_object_get(j, "statistic")), "p10");
    assert_string_equal(json_string_value(json_object_get(j, "unit")), "s");
    assert_true(real(j, "points") == 12 && real(j, "samples") == 96 && real(j, "schema") == 1);
    json_t *constants = json_object_get(j, "constants"), *second = json_array_get(constants, 1);
    assert_int_equal(json_array_size(constants), 2);
    expect_keys(second, "name pieces");
    assert_string_equal(json_string_value(json_object_get(second, "name")), "sort[1]");
    json_t *piece = json_array_get(json_object_get(second, "pieces"), 0);
    expect_keys(piece, "value low high where");
    assert_true(real(piece, "low") < real(piece, "value") &&
                real(piece, "value") < real(piece, "high"));
    assert_true(fabs(real(piece, "value") / 4e-9 - 1) < 0.05);
    assert_int_equal(json_array_size(json_object_get(piece, "where")), 0);
    expect_keys(json_object_get(j, "error"), "mean_pct max_pct loo_mean_pct");
    assert_true(json_is_array(json_object_get(j, "warnings")));
    json_decref(j);
}

static void warnings_and_undetermined_constants_have_their_form(void **state)
{
    json_t *j = run_one("fit sort = sort[0] + sort[1]*N*log(N) + sort[2]*log(P)");
    (void)state;
    json_t *warning = json_array_get(json_object_get(j, "warnings"), 0);
    expect_keys(warning, "code text advice");
    assert_string_equal(json_string_value(json_object_get(warning, "code")), "undetermined");
    json_t *third = json_array_get(json_object_get(j, "constants"), 2);
    assert_int_equal(json_array_size(json_object_get(third, "pieces")), 0);
    json_decref(j);
}

static void predict_has_the_documented_form(void **state)
{
    json_t *j = run_one("predict fft N=2097152 P=32");
    (void)state;
    expect_keys(j, "experiment at value low high single_low single_high statistic unit "
                   "extrapolates observable");
    expect_keys(json_object_get(j, "at"), "N P");
    assert_true(json_is_integer(json_object_get(json_object_get(j, "at"), "N")));
    assert_true(real(j, "single_low") <= real(j, "low") && real(j, "low") < real(j, "value") &&
                real(j, "value") < real(j, "high") && real(j, "high") <= real(j, "single_high"));
    assert_int_equal(json_array_size(json_object_get(j, "extrapolates")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(j, "extrapolates"), 0)),
                        "N");
    json_decref(j);
    j = run_one("predict fft N=65536 P=2");
    assert_int_equal(json_array_size(json_object_get(j, "extrapolates")), 0);
    json_decref(j);
    j = run_one("predict fft N=4096:65536:4 P=1,2");
    assert_int_equal(json_array_size(j), 6);
    json_decref(j);
}

static void unknown_intervals_are_null(void **state)
{
    int status;
    json_t *list =
        run("where N == 1024 or N == 2048; where run == 0; fit sort; predict sort N=5000", &status);
    (void)state;
    assert_int_equal(status, 0);
    json_t *fit = json_array_get(list, 2), *predict = json_array_get(list, 3);
    json_t *piece = json_array_get(
        json_object_get(json_array_get(json_object_get(fit, "constants"), 0), "pieces"), 0);
    assert_true(json_is_null(json_object_get(piece, "low")) &&
                json_is_null(json_object_get(predict, "high")));
    assert_true(json_is_null(json_object_get(json_object_get(fit, "error"), "loo_mean_pct")));
    json_decref(list);
}

static void table_has_the_documented_form(void **state)
{
    json_t *j = run_one("table fft");
    (void)state;
    expect_keys(j, "experiment rows");
    json_t *row = json_array_get(json_object_get(j, "rows"), 3);
    assert_int_equal(json_array_size(json_object_get(j, "rows")), 20);
    expect_keys(row, "at measured predicted error_pct");
    expect_keys(json_object_get(row, "at"), "N P");
    double measured = real(row, "measured"), predicted = real(row, "predicted");
    assert_true(fabs(real(row, "error_pct") - 100 * (measured - predicted) / measured) < 1e-9);
    json_decref(j);
}

static void every_other_command_prints_one_value(void **state)
{
    static const struct {
        const char *command, *keys;
    } cases[] = {
        {"load " DEMO_DATA, "files experiments samples"},
        {"merge " DEMO_DATA, "files experiments samples"},
        {"list", "experiments"},
        {"show", "files"},
        {"show init", "experiment observable statistic unit points"},
        {"where N > 5", "where"},
        {"where", "where"},
        {"let n = N/P", "let"},
        {"statistic", "statistic"},
        {"help", "commands"},
        {"help fit", "name usage summary details"},
        {"save /dev/null", "saved samples"},
        {"plot sort", "experiment observable unit over file series"},
        {"quit", "quit"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *j = run_one(cases[i].command);
        expect_keys(j, cases[i].keys);
        json_decref(j);
    }
    char path[] = "/tmp/cll-test-XXXXXX.csv", command[64];
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    close(fd);
    snprintf(command, sizeof command, "export %s sort", path);
    json_t *j = run_one(command);
    expect_keys(j, "exported experiments");
    json_decref(j);
    unlink(path);
}

static void a_command_that_fails_prints_no_value(void **state)
{
    int status;
    json_t *list = run("list; fit nothing; list", &status);
    (void)state;
    assert_int_equal(status, -1);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    list = run("predict sort N=4,0,8", &status);
    assert_int_equal(status, -1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_has_the_documented_form),
        cmocka_unit_test(warnings_and_undetermined_constants_have_their_form),
        cmocka_unit_test(predict_has_the_documented_form),
        cmocka_unit_test(unknown_intervals_are_null),
        cmocka_unit_test(table_has_the_documented_form),
        cmocka_unit_test(every_other_command_prints_one_value),
        cmocka_unit_test(a_command_that_fails_prints_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
