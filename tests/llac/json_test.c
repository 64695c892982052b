/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --json: every command prints one value on a line of its own, with exactly the keys that are
 * documented. */
#include "harness/unit.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "llac/session.h"

/* The values that the commands print, one per line. */
static json_t *run_on(const char *file, const char *script, int *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct session *s = session_create(out);
    struct arena *a = arena_create();
    struct diag *d = diag_create();
    char *path[] = {(char *)file};
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

static json_t *run(const char *script, int *status)
{
    return run_on(DEMO_DATA, script, status);
}

static json_t *run_one_on(const char *file, const char *command)
{
    int status;
    json_t *list = run_on(file, command, &status);
    assert_int_equal(status, 0);
    assert_int_equal(json_array_size(list), 1);
    json_t *value = json_incref(json_array_get(list, 0));
    json_decref(list);
    return value;
}

static json_t *run_one(const char *command)
{
    return run_one_on(DEMO_DATA, command);
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
    expect_keys(
        j,
        "experiment observable constants points samples error warnings schema formula "
        "statistic unit "
        "relative_noise degrees_of_freedom boundaries run_noise noise_growth noise_growth_refused rounds corrected_points "
        "account rank_values divisible machine");
    assert_true(json_is_null(json_object_get(j, "divisible")));
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
    expect_keys(
        j, "experiment at value low high single_low single_high statistic unit "
           "extrapolates observable remarks extrapolations amplification undetermined machine");
    expect_keys(json_array_get(json_object_get(j, "extrapolations"), 0), "var times from left_out");
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
    j = run_one("predict sort N=16"); /* the data hardly show what sort[0] is */
    assert_string_equal(json_string_value(json_array_get(json_object_get(j, "undetermined"), 0)),
                        "sort[0]");
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
    expect_keys(j, "experiment rows intervals observable statistic");
    json_t *row = json_array_get(json_object_get(j, "rows"), 3);
    assert_int_equal(json_array_size(json_object_get(j, "rows")), 20);
    expect_keys(row, "at measured predicted error_pct interval left_out");
    expect_keys(json_object_get(row, "at"), "N P");
    double measured = real(row, "measured"), predicted = real(row, "predicted");
    assert_true(fabs(real(row, "error_pct") - 100 * (measured - predicted) / measured) < 1e-9);
    json_decref(j);
}

static const char *word(json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    if (!s)
        fail_msg("%s is no text", key);
    return s;
}

static void intervals_are_in_fit_table_and_plot(void **state)
{
    json_t *j = run_one_on(GRID_DATA, "fit grid");
    (void)state;
    json_t *boundary = json_array_get(json_object_get(j, "boundaries"), 0);
    expect_keys(boundary, "var below above at constants form");
    assert_string_equal(word(boundary, "var"), "N");
    assert_true(real(boundary, "below") == 2500 && real(boundary, "above") == 4000);
    json_t *piece = json_array_get(
        json_object_get(json_array_get(json_object_get(j, "constants"), 1), "pieces"), 1);
    expect_keys(json_array_get(json_object_get(piece, "where"), 0), "var from to");
    json_decref(j);

    j = run_one_on(GRID_DATA, "table grid");
    json_t *intervals = json_object_get(j, "intervals"), *rows = json_object_get(j, "rows");
    assert_int_equal(json_array_size(intervals), 3);
    expect_keys(json_array_get(intervals, 2), "interval where");
    size_t left_out = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i), *at = json_object_get(row, "at");
        double want = real(at, "N") > 3000 ? 3 : real(at, "P") > 10 ? 2 : 1;
        assert_true(real(row, "interval") == want);
        bool out = json_is_true(json_object_get(row, "left_out"));
        assert_true(out == (real(at, "N") == 500 && real(at, "P") == 4));
        left_out += out;
    }
    assert_int_equal(left_out, 1);
    json_decref(j);

    j = run_one_on(GRID_DATA, "plot grid");
    json_t *ends = json_array_get(json_object_get(j, "boundaries"), 0);
    assert_true(json_number_value(json_array_get(ends, 0)) == 2500 &&
                json_number_value(json_array_get(ends, 1)) == 4000);
    assert_int_equal(json_array_size(json_object_get(j, "series")), 9);
    json_t *series = json_array_get(json_object_get(j, "series"), 2);
    expect_keys(series, "label measured curve errors_pct left_out data");
    assert_string_equal(word(series, "label"), "P=4");
    assert_int_equal(json_array_size(json_object_get(series, "left_out")), 1);
    json_decref(j);
}

/* The true values are 1e-9 and 4e-9; a local estimate lies within 5 % of the piece it belongs to.
 */
static void a_constant_is_drawn_as_steps_and_local_estimates(void **state)
{
    json_t *j = run_one_on(GRID_DATA, "plot grid[1]");
    (void)state;
    assert_string_equal(word(j, "constant"), "grid[1]");
    assert_string_equal(word(j, "over"), "N");
    assert_string_equal(word(j, "unit"), "s per N");
    assert_int_equal(json_array_size(json_object_get(j, "series")), 1);
    json_t *series = json_array_get(json_object_get(j, "series"), 0);
    expect_keys(series, "label steps local");
    json_t *steps = json_object_get(series, "steps"), *local = json_object_get(series, "local");
    assert_int_equal(json_array_size(steps), 2);
    assert_int_equal(json_array_size(local), 12);
    double low = json_number_value(json_array_get(json_array_get(steps, 0), 2)),
           high = json_number_value(json_array_get(json_array_get(steps, 1), 2));
    assert_true(fabs(low / 1e-9 - 1) < 0.06 && fabs(high / 4e-9 - 1) < 0.06);
    for (size_t i = 4; i < 12; i++) {
        json_t *one = json_array_get(local, i);
        double x = json_number_value(json_array_get(one, 0)),
               value = json_number_value(json_array_get(one, 1));
        assert_true(fabs(value / (x > 3000 ? high : low) - 1) < 0.2);
        assert_true(json_number_value(json_array_get(one, 2)) < value &&
                    value < json_number_value(json_array_get(one, 3)));
    }
    json_decref(j);
    j = run_one_on(GRID_DATA, "plot both[1]"); /* changes with P as well: two series */
    assert_int_equal(json_array_size(json_object_get(j, "series")), 2);
    series = json_array_get(json_object_get(j, "series"), 1);
    assert_string_equal(word(series, "label"), "P in (8, 32]");
    assert_int_equal(json_array_size(json_object_get(series, "steps")), 1);
    json_decref(j);
}

/* Each prediction's remarks: NULL for none at all, else one of them holds these words. */
struct remark_case {
    const char *command, *words;
};

static void expect_remarks(const char *file, const struct remark_case *cases, size_t n)
{
    char script[1024] = "";
    int status;
    for (size_t i = 0; i < n; i++) {
        strcat(script, cases[i].command);
        strcat(script, "\n");
    }
    json_t *list = run_on(file, script, &status);
    assert_int_equal(status, 0);
    for (size_t i = 0; i < n; i++) {
        json_t *remarks = json_object_get(json_array_get(list, i), "remarks");
        bool found = !cases[i].words && json_is_array(remarks) && json_array_size(remarks) == 0;
        for (size_t k = 0; k < json_array_size(remarks) && cases[i].words; k++)
            found = found ||
                    strstr(json_string_value(json_array_get(remarks, k)), cases[i].words) != NULL;
        if (!found)
            fail_msg("%s: the remarks are not as expected", cases[i].command);
    }
    json_decref(list);
}

static void leaving_the_data_is_remarked_in_words(void **state)
{
    static const struct remark_case grid[] = {
        {"predict grid N=1000 P=4", NULL},
        {"predict grid N=20000 P=4", "a further change beyond it"},
        {"predict grid N=50 P=4", "a further change below it"},
        {"predict grid N=3000 P=4", "in the gap of a boundary, between N=2500 and 4000"},
        {"predict grid N=9000 P=32", NULL},
        {"predict both N=9000 P=32", "this combination of intervals was never measured"},
    };
    static const struct remark_case demo[] = {
        {"predict sort N=4194304", "N is 2 times beyond the data"},
        {"predict sort N=1e9", "N is far beyond the data"},
    };
    (void)state;
    expect_remarks(GRID_DATA, grid, sizeof grid / sizeof *grid);
    expect_remarks(DEMO_DATA, demo, sizeof demo / sizeof *demo);
    json_t *j = run_one("predict sort N=4194304"); /* no more than 4 times, nothing changed */
    assert_int_equal(json_array_size(json_object_get(j, "remarks")), 1);
    json_decref(j);
}

static void show_says_how_samples_became_points(void **state)
{
    int status;
    json_t *list = run_on(GRID_DATA, "ranks min; outliers leave; show grid", &status);
    (void)state;
    assert_int_equal(status, 0);
    json_t *j = json_array_get(list, 2), *prepared = json_object_get(j, "preprocessing");
    expect_keys(
        prepared,
        "overhead_subtracted statistic ranks skip_rounds skipped_samples outliers rounds disturbed account "
        "rank_values");
    assert_string_equal(word(prepared, "ranks"), "min");
    assert_string_equal(word(prepared, "outliers"), "leave");
    size_t left_out = 0;
    json_t *points = json_object_get(j, "points");
    expect_keys(json_array_get(points, 0),
                "at samples value min median max mean average_difference "
                "standard_deviation two_modes left_out");
    for (size_t i = 0; i < json_array_size(points); i++)
        left_out += json_is_true(json_object_get(json_array_get(points, i), "left_out"));
    assert_int_equal(left_out, 1);
    json_decref(list);
}

static void every_other_command_prints_one_value(void **state)
{
    static const struct {
        const char *command, *keys;
    } cases[] = {
        {"load " DEMO_DATA, "files experiments samples versions"},
        {"merge " GRID_DATA, "files experiments samples versions"},
        {"list", "experiments definitions"},
        {"define w(N, P) = 2*fft + sort[0]", "define"},
        {"define none", "define"},
        {"derive fft from fft[0], fft[2]*N/P*log(N/P)",
         "experiment rows direct composed inside blocks best"},
        {"show", "files"},
        {"show init", "experiment observable statistic unit points preprocessing"},
        {"where N > 5", "where"},
        {"where", "where"},
        {"let n = N/P", "let"},
        {"statistic", "statistic"},
        {"ranks", "ranks"},
        {"ranks 0", "ranks"},
        {"rounds skip 0", "skip_rounds rounds"},
        {"disturbed keep", "disturbed"},
        {"outliers keep", "outliers"},
        {"help", "commands"},
        {"help fit", "name usage summary details"},
        {"save /dev/null", "saved samples"},
        {"plot sort", "experiment observable statistic unit over file series boundaries others"},
        {"table sort against " DEMO_DATA, "experiment rows intervals observable statistic summary"},
        {"explain fft on CLOCK N=1e6 P=4",
         "experiment at value predicted unit terms known dominant crossings observable statistic"},
        {"rank N=1e9 P=64",
         "at end_of_data unit unit_reason together regions changes largest not_predicted"},
        {"plot sort[1]",
         "experiment observable statistic unit over file series boundaries constant"},
        {"quit", "quit"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *j = run_one(cases[i].command);
        expect_keys(j, cases[i].keys);
        json_decref(j);
    }
    json_t *listed = run_one("list"), *shown = run_one("show");
    expect_keys(json_array_get(json_object_get(listed, "experiments"), 0),
                "name samples files variables observables formulas sources absent truncated "
                "disturbed");
    expect_keys(
        json_array_get(json_object_get(shown, "files"), 0),
        "file program driver host cpu compiler date clock resolution overhead "
        "overhead_spread abandoned machine placement oversubscribed thinned truncated absent notes");
    json_decref(shown);
    json_decref(listed);
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
        cmocka_unit_test(intervals_are_in_fit_table_and_plot),
        cmocka_unit_test(a_constant_is_drawn_as_steps_and_local_estimates),
        cmocka_unit_test(leaving_the_data_is_remarked_in_words),
        cmocka_unit_test(show_says_how_samples_became_points),
        cmocka_unit_test(every_other_command_prints_one_value),
        cmocka_unit_test(a_command_that_fails_prints_no_value),
    };
    return RUN(tests);
}
