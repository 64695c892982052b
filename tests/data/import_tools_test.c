/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Good samples of perf stat, Caliper, LIKWID, Cube and tables of blanks,
 * number by number. Those of perf come from perf; the
 * others have the form that their documentation states. */
#include "import_data.h"

#define CHECK(e, columns, ...)                                                                     \
    sample_check(e, columns, (const double[])__VA_ARGS__,                                          \
                 sizeof((const double[])__VA_ARGS__) / sizeof(double) / sample_words(columns))

static bool has_note(const struct sample *s, const char *text)
{
    for (size_t i = 0; i < s->d->files[0].nnotes; i++)
        if (strstr(s->d->files[0].notes[i], text))
            return true;
    return false;
}

static void blanks_separate_a_table_with_comments(void **state)
{
    struct sample *s = *state;
    sample_file(s, "blanks.txt", NULL);
    const struct experiment *e = sample_experiment(s, "blanks");
    assert_int_equal(e->nvariables, 2);
    CHECK(e, "N T run CLOCK", {1024, 1, 0, 0.0015, 1024, 1, 1, 0.00125, 2048, 2, 0, 0.003});
    assert_true(has_note(s, "'host' has no numbers"));
}

static void names_of_a_blank_table_may_be_a_comment(void **state)
{
    struct sample *s = *state;
    assert_int_equal(
        sample_text(s, "x.dat", "# made by hand\n#N\ttime  \r\n\n 1\t 2 \r\n3   4", NULL), 0);
    CHECK(sample_experiment(s, "x"), "N CLOCK", {1, 2, 3, 4});
}

static void tabs_that_align_columns_are_blanks(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "x", "N\t\ttime\n1\t\t2\n30\t4\n", NULL), 0);
    CHECK(sample_experiment(s, "x"), "N CLOCK", {1, 2, 30, 4});
}

static void perf_counters_become_a_sample_for_each_run(void **state)
{
    struct sample *s = *state;
    sample_file(s, "perf.csv", NULL);
    const struct experiment *e = sample_experiment(s, "perf");
    assert_int_equal(e->nvariables, 0);
    CHECK(e, "run CLOCK CPUTIME page_faults",
          {0, 3361657e-9, 0.58e-3, 64, 1, 3157177e-9, 0.55e-3, 65});
    assert_int_equal(experiment_find_observable(e, "cycles"), SIZE_MAX); /* not supported */
    assert_true(has_note(s, "perf did not count cycles"));
}

static void the_name_of_a_file_has_its_variables(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.variables = "N,P", .time = "task-clock"};
    static const char line[] = "0.5,msec,task-clock,500000,100.00,0.9,CPUs utilized\n";
    assert_int_equal(sample_text(s, "runs/sort.1024.8.csv", line, &options), 0);
    assert_int_equal(sample_text(s, "runs/sort.2048.8", line, &options), 0);
    CHECK(sample_experiment(s, "sort"), "N P CLOCK", {1024, 8, 0.5e-3, 2048, 8, 0.5e-3});
    options.variables = "-,N";
    assert_int_equal(sample_text(s, "v2-n64.csv", line, &options), 0);
    CHECK(sample_experiment(s, "v2_n"), "N CLOCK", {64, 0.5e-3});
    options.variables = "N";
    assert_int_equal(sample_text(s, "64.csv", line, &options), 0);
    CHECK(sample_experiment(s, "run"), "N CLOCK", {64, 0.5e-3});
}

static void perf_counters_of_cpus_and_intervals_are_kept_apart(void **state)
{
    struct sample *s = *state;
    sample_file(s, "perf-cpus.txt", NULL);
    CHECK(sample_experiment(s, "perf_cpus"), "thread start CPUTIME page_faults",
          {0, 0.010079008, 14.14e-3, 37,  /**/
           1, 0.010079008, 10.20e-3, 4,   /**/
           0, 0.020478523, 10.39e-3, NAN, /**/
           1, 0.020478523, 10.39e-3, NAN});
    assert_true(has_note(s, "no elapsed time"));
}

static void perf_repeats_variances_and_summaries_are_understood(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "a",
                                 "7,,cycles:u,1.5%,500,99.5,1.2,GHz\n"
                                 ",,,,,0.9,stalled\n"
                                 "8,,cycles:u,1.5%,500,99.5,,\n",
                                 NULL),
                     0);
    CHECK(sample_experiment(s, "a"), "run cycles_u", {0, 7, 1, 8}); /* without a line # started */
    assert_int_equal(sample_text(s, "b",
                                 "1.0;S0;4;5;ns;duration_time;5;100.00;;\n"
                                 "summary;S0;4;5;ns;duration_time;5;100.00;;\n",
                                 NULL),
                     0);
    CHECK(sample_experiment(s, "b"), "start CLOCK", {1, 5e-9});
}

static void caliper_split_has_nodes_ranks_and_globals(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.variables = "problem_size"};
    sample_file(s, "caliper-split.json", &options);
    assert_int_equal(s->d->nexperiments, 3);
    const struct experiment *e = sample_experiment(s, "main");
    CHECK(e, "problem_size P rank run CLOCK count_", {30, 2, 0, 0, 0.25, 1, 30, 2, 1, 0, 0.375, 1});
    e = sample_experiment(s, "solve");
    assert_string_equal(e->sources[0], "main->solve");
    CHECK(e, "P CLOCK count_ Node_order", {2, 0.125, 2, 3});
    CHECK(sample_experiment(s, "io"), "CLOCK", {0.75});
    assert_string_equal(s->d->files[0].host, "quartz");
    assert_string_equal(s->d->files[0].program, "/home/a/lulesh2.0");
    assert_true(has_note(s, "records outside of regions"));
}

static void caliper_records_have_paths_in_their_texts(void **state)
{
    struct sample *s = *state;
    sample_file(s, "caliper.json", NULL);
    CHECK(sample_experiment(s, "main"), "CLOCK count_", {2e-3, 1});
    const struct experiment *e = sample_experiment(s, "mainloop");
    assert_string_equal(e->sources[0], "main->mainloop");
    CHECK(e, "run CLOCK count_", {0, 4e-3, 3, 1, 5e-3, 3});
    assert_int_equal(experiment_find_observable(e, "iteration_mainloop"), SIZE_MAX);
}

static void caliper_objects_have_attributes_with_units(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.variables = "n"};
    sample_file(s, "caliper-object.json", &options);
    CHECK(sample_experiment(s, "foo"), "n P CLOCK", {10, 4, 125e-6, 20, 4, 250e-6});
}

static void the_option_unit_outdoes_the_unit_of_caliper(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.unit = "ms", .time = "t"};
    assert_int_equal(sample_text(s, "x", "[{\"region\":\"f\",\"t\":3,\"time\":4}]", &options), 0);
    CHECK(sample_experiment(s, "f"), "CLOCK time", {3e-3, 4});
}

static void likwid_regions_have_threads_and_calls(void **state)
{
    struct sample *s = *state;
    sample_file(s, "likwid.csv", NULL);
    assert_int_equal(s->d->nexperiments, 1);
    const struct experiment *e = sample_experiment(s, "solve");
    CHECK(e, "P thread CLOCK calls INSTR_RETIRED_ANY PACKED_DOUBLE Runtime_unhalted_s CPI",
          {2, 0, 0.002009 / 2, 2, 16962440 / 2., NAN, 0.0011, 0.4496, /**/
           2, 1, 0.002125 / 2, 2, 16962420 / 2., 2, 0.0012, NAN});
    assert_string_equal(s->d->files[0].cpu, "Intel(R) Xeon(R) CPU");
}

static void likwid_programs_have_the_name_of_the_file(void **state)
{
    struct sample *s = *state;
    sample_file(s, "likwid-program.csv", NULL);
    CHECK(sample_experiment(s, "likwid_program"), "P CLOCK INSTR_RETIRED_ANY CPI",
          {1, 1.5e-5, 1000, 2.5});
}

static void cube_rows_get_their_call_paths_from_the_tree(void **state)
{
    struct sample *s = *state;
    sample_file(s, "cube.txt", NULL);
    assert_int_equal(s->d->nexperiments, 4);
    CHECK(sample_experiment(s, "main"), "P rank CLOCK visits", {2, 0, 1.5, 1, 2, 1, 1.25, 1});
    const struct experiment *e = sample_experiment(s, "solve");
    assert_string_equal(e->sources[0], "main->solve");
    CHECK(e, "P rank CLOCK visits", {2, 0, 0.5, 10, 2, 1, 0.625, 12});
    e = sample_experiment(s, "omp_do_a_c_14");
    assert_string_equal(e->sources[0], "main->solve->!$omp do @a.c:14");
    e = sample_experiment(s, "MPI_Send");
    CHECK(e, "P rank CLOCK", {2, 0, 0.125}); /* the other thread did not call it */
}

static void cube_rows_without_a_tree_have_names_or_ids(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.variables = "n"};
    assert_int_equal(sample_text(s, "solve.64.txt",
                                 "Print out the data of the metric time\n\n      All threads\n"
                                 "-----\nf(id=1) 0.5\ng(id=2) 1\nf(id=3) 2\n",
                                 &options),
                     0);
    CHECK(sample_experiment(s, "f"), "n P CLOCK", {64, 1, 0.5});
    CHECK(sample_experiment(s, "f_id_3"), "n P CLOCK", {64, 1, 2});
    assert_string_equal(sample_experiment(s, "f_id_3")->sources[0], "f(id=3)");
    sample_file(s, "cube-csv2.txt", NULL);
    CHECK(sample_experiment(s, "cnode_0"), "P rank CLOCK visits",
          {2, 0, 8.5e-5, 1, 2, 1, 8.25e-5, 1});
    CHECK(sample_experiment(s, "cnode_1"), "P rank CLOCK visits", {2, 0, 0.5, 10});
}

/* Names of any bytes become names that formulas can use, and no control character stays. */
static void hostile_names_become_harmless(void **state)
{
    struct sample *s = *state;
    static const struct {
        const char *path, *text;
    } files[] = {
        {"a",
         "{\"benchmarks\":[{\"name\":\"x\\u001b[31m\\n;rm -rf/7\",\"run_type\":\"iteration\","
         "\"iterations\":1,\"real_time\":1,\"cpu_time\":1,\"time_unit\":\"ns\",\"$(id)\":3}]}"},
        {"b", "{\"results\":[{\"command\":\"\\\"]; [\",\"times\":[1,2],"
              "\"parameters\":{\"../n\":\"1\",\"log\":\"2\"}}]}"},
        {"c", "[{\"path\":\"</script>/\\u202e`id`\",\"time\":1,\"<b>\":2}]"},
        {"d", "Print out the data of the metric \033]0;x\007\n All threads\n-----\n%s%n(id=0) 1\n"},
        {"e", "TABLE,Region '$(id)',Group 1 Raw,X,1\nEvent,Counter,Core 0\n`id`,F,1\n"},
        {"f\n\033.csv", "5,,a b;c/d,5,100.00,,\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (sample_text(s, files[i].path, files[i].text, NULL))
            fail_msg("%s: %s", files[i].path, diag_first(s->diag, SEVERITY_ERROR));
    for (size_t i = 0; i < s->d->nexperiments; i++) {
        const struct experiment *e = s->d->experiments[i];
        static const char good[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
        assert_int_equal(strspn(e->name, good), strlen(e->name));
        for (size_t j = 0; j < e->ncolumns; j++)
            assert_int_equal(strspn(e->columns[j].name, good), strlen(e->columns[j].name));
        for (size_t k = 0; k < e->nsources; k++)
            for (const char *c = e->sources[k]; *c; c++)
                assert_true((unsigned char)*c >= ' ' && *c != 127);
    }
    assert_true(s->d->nexperiments >= 6);
}

static void a_name_that_is_too_long_is_an_error(void **state)
{
    struct sample *s = *state;
    char name[3 * IMPORT_MAX_NAME], text[4 * IMPORT_MAX_NAME];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    static const struct {
        const char *before, *after;
    } around[] = {
        {"[{\"path\":\"", "\",\"time\":1}]"},
        {"TABLE,Region ", ",Group 1 Raw,X,1\nEvent,Counter,Core 0\nA,F,1\n"},
        {"Print out the data of the metric time\n All threads\n-----\n", "(id=0) 1\n"},
        {"5,,", ",5,100.00,,\n"},
    };
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        snprintf(text, sizeof text, "%s%s%s", around[i].before, name, around[i].after);
        assert_int_equal(sample_text(s, "x", text, NULL), -1);
        assert_non_null(strstr(diag_first(s->diag, SEVERITY_ERROR), "longer than 1000 bytes"));
        diag_destroy(s->diag);
        s->diag = diag_create();
        assert_int_equal(s->d->nexperiments, 0);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, sample_setup, sample_teardown)
    const struct CMUnitTest tests[] = {
        T(blanks_separate_a_table_with_comments),
        T(names_of_a_blank_table_may_be_a_comment),
        T(tabs_that_align_columns_are_blanks),
        T(perf_counters_become_a_sample_for_each_run),
        T(the_name_of_a_file_has_its_variables),
        T(perf_counters_of_cpus_and_intervals_are_kept_apart),
        T(perf_repeats_variances_and_summaries_are_understood),
        T(caliper_split_has_nodes_ranks_and_globals),
        T(caliper_records_have_paths_in_their_texts),
        T(caliper_objects_have_attributes_with_units),
        T(the_option_unit_outdoes_the_unit_of_caliper),
        T(likwid_regions_have_threads_and_calls),
        T(likwid_programs_have_the_name_of_the_file),
        T(cube_rows_get_their_call_paths_from_the_tree),
        T(cube_rows_without_a_tree_have_names_or_ids),
        T(hostile_names_become_harmless),
        T(a_name_that_is_too_long_is_an_error),
    };
    return RUN(tests);
}
