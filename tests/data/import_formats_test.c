/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A good sample of each format: what becomes of what, number by number. */
#include "import_data.h"
#include "data/load.h"

#include <unistd.h>

#define CHECK(e, columns, ...)                                                                     \
    sample_check(e, columns, (const double[])__VA_ARGS__,                                          \
                 sizeof((const double[])__VA_ARGS__) / sizeof(double) / sample_words(columns))

/* A byte order mark and line ends of Windows change nothing. */
static void check_with_other_line_ends(const char *name, const char *text, size_t size,
                                       enum import_format format)
{
    char *other = mem_alloc(2 * size + 4, 1);
    size_t n = 3;
    memcpy(other, "\xef\xbb\xbf", 3);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
            other[n++] = '\r';
        other[n++] = text[i];
    }
    if (import_recognise(other, n) != format)
        fail_msg("%s with line ends of Windows is taken for %s", name,
                 import_formats[import_recognise(other, n)].name);
    mem_free(other);
}

static void formats_are_recognised_by_content(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum import_format format;
    } files[] = {
        {"lines.jsonl", IMPORT_JSON_LINES},
        {"table.csv", IMPORT_CSV},
        {"table.tsv", IMPORT_CSV},
        {"extrap.txt", IMPORT_EXTRAP_TEXT},
        {"extrap.json", IMPORT_EXTRAP_JSON},
        {"talpas.txt", IMPORT_TALPAS},
        {"call1.2.json", IMPORT_CALL1},
        {"benchmark.json", IMPORT_GOOGLE_BENCHMARK},
        {"hyperfine.json", IMPORT_HYPERFINE},
        {"blanks.txt", IMPORT_CSV},
        {"perf.csv", IMPORT_PERF},
        {"perf-cpus.txt", IMPORT_PERF},
        {"caliper-split.json", IMPORT_CALIPER},
        {"caliper.json", IMPORT_CALIPER},
        {"caliper-object.json", IMPORT_CALIPER},
        {"likwid.csv", IMPORT_LIKWID},
        {"likwid-program.csv", IMPORT_LIKWID},
        {"cube.txt", IMPORT_CUBE},
        {"cube-csv2.txt", IMPORT_CUBE},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        char *text = sample_read(files[i].name, &size);
        if (import_recognise(text, size) != files[i].format)
            fail_msg("%s is taken for %s", files[i].name,
                     import_formats[import_recognise(text, size)].name);
        check_with_other_line_ends(files[i].name, text, size, files[i].format);
        mem_free(text);
    }
}

static void what_is_no_table_is_not_taken_for_one(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "{}",
        "{\"machine\": 1}",
        "{\"parameters\": [1]}",
        "[1, 2]",
        "Hello, world\nthis is prose\n",
        "Hello, world\nthis is, prose\n",
        "1,2\n3,4\n",
        "a,b\n",
        "a,b\n1\n",
        "a,\n1,2\n",
        "name\n1\n",
        "a,\"b\n1,2\n",
        "a\x01,b\n1,2\n",
        "#include <stdio.h>\nint main(void) { return 0; }\n",
        "[",
        "[[1, 2]]",
        "[{\"n\": 1}]",
        "[\"criteria\", 1, []]",
        "{\"records\": []}",
        "{\"columns\": []}",
        "TABLE of contents\n1 Introduction\n",
        "one two\nthree four\n",
        "one two\n1 2 3\n",
        "1 2\n3 4\n",
        "# 1 2\n3 4\n",
        "# one\n3 4\n",
        "1024,msec,cpu,x,100\n",
        "12,,event,5,200.00,,\n",
        "<not counted>\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (import_recognise(texts[i], strlen(texts[i])) != IMPORT_NONE)
            fail_msg("'%s'", texts[i]);
    assert_int_equal(import_recognise("a,b\0\n1,2\n", 9), IMPORT_NONE);
}

static void json_lines_become_rows_and_repetitions(void **state)
{
    struct sample *s = *state;
    sample_file(s, "lines.jsonl", NULL);
    assert_int_equal(s->d->nexperiments, 2);
    const struct experiment *e = sample_experiment(s, "f");
    assert_int_equal(e->nvariables, 2);
    assert_string_equal(e->sources[0], "main->f");
    CHECK(e, "p n run CLOCK bytes_sent P rank count nested", {2, 4, 0, 1.5,  100, 1, 0, 1, 0, /**/
                                                              2, 8, 0, 2.5,  NAN, 1, 0, 1, 0, /**/
                                                              2, 8, 1, 2.75, NAN, 1, 0, 1, 0, /**/
                                                              2, 4, 1, 1.25, 101, 1, 0, 1, 0});
    CHECK(sample_experiment(s, "g_f"), "k CLOCK", {1, 0.5});
    assert_string_equal(s->d->files[0].path, "lines.jsonl");
    assert_string_equal(s->d->files[0].notes[0], "imported: JSON Lines");
}

static void a_table_gets_its_columns_by_name_and_option(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.time = "seconds", .observables = "misses"};
    sample_file(s, "table.csv", &options);
    const struct experiment *e = sample_experiment(s, "table");
    assert_int_equal(e->nvariables, 2);
    CHECK(e, "n the_kind P run CLOCK misses",
          {1024, 1, 2, 0, 1.5, 10, 1024, 1, 2, 1, 1.25, NAN, 2048, 1, 4, 0, 3, 12});
    assert_int_equal(s->d->files[0].nnotes, 3); /* the format, the name, the column left out */
}

static void a_table_takes_variables_name_and_unit(void **state)
{
    struct sample *s = *state;
    struct import_options options = {
        .time = "seconds", .variables = "n", .experiment = "sort", .unit = "us"};
    sample_file(s, "table.csv", &options);
    const struct experiment *e = sample_experiment(s, "sort");
    assert_int_equal(e->nvariables, 1);
    assert_int_equal(e->nsources, 0);
    CHECK(e, "n P CLOCK", {1024, 2, 1.5e-6, 1024, 2, 1.25e-6, 2048, 4, 3e-6});
}

static void a_table_has_experiments_and_ranks(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.unit = "ms"};
    sample_file(s, "table.tsv", &options);
    CHECK(sample_experiment(s, "f"), "n rank run seq CLOCK",
          {8, 0, 0, 0, 20e-3, 8, 1, 0, 0, 30e-3});
    CHECK(sample_experiment(s, "g"), "n rank CLOCK", {16, 0, 40e-3});
}

static void a_table_may_name_the_column_of_the_experiment(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.experiment_column = "what"};
    assert_int_equal(
        sample_text(s, "x.csv", "what;N;time\nfast;1;2\nslow;1;3\nfast;2;4\n", &options), 0);
    CHECK(sample_experiment(s, "fast"), "N CLOCK", {1, 2, 2, 4});
    CHECK(sample_experiment(s, "slow"), "N CLOCK", {1, 3});
}

static void the_own_columns_of_a_table_keep_their_meaning(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "x.csv",
                                 "experiment,run,seq,start,nested,P,rank,thread,count,N,CLOCK\n"
                                 "f,3,5,0.25,2,4,1,6,9,100,7\nf,4,6,,0,4,0,0,1,100,8\n",
                                 NULL),
                     0);
    const struct experiment *e = sample_experiment(s, "f");
    assert_int_equal(e->nvariables, 1);
    CHECK(e, "run seq start nested P rank thread count N CLOCK",
          {3, 5, 0.25, 2, 4, 1, 6, 9, 100, 7, /**/
           4, 6, NAN,  0, 4, 0, 0, 1, 100, 8});
}

static void quotes_and_line_ends_follow_rfc_4180(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "x.csv",
                                 "\xef\xbb\xbf\"experiment\",\"n\",time\r\n\"a \"\"b\"\"\r\nc\","
                                 "\"7\",\"2\"\r\n\r\n\"a \"\"b\"\"\r\nc\", 8 , 3",
                                 NULL),
                     0);
    const struct experiment *e = sample_experiment(s, "a_b_c");
    assert_string_equal(e->sources[0], "a \"b\"??c"); /* a line end is a control character */
    CHECK(e, "n CLOCK", {7, 2, 8, 3});
}

static void extrap_text_matches_data_with_points(void **state)
{
    struct sample *s = *state;
    sample_file(s, "extrap.txt", NULL);
    assert_int_equal(s->d->nexperiments, 2);
    const struct experiment *e = sample_experiment(s, "solve");
    assert_string_equal(e->sources[0], "main->solve");
    CHECK(e, "p size run CLOCK visits", {2, 10, 0, 1,   7,   /**/
                                         2, 10, 1, 1.5, NAN, /**/
                                         4, 10, 0, 2,   8,   /**/
                                         4, 10, 1, 2.5, NAN, /**/
                                         8, 10, 0, 4,   9,   /**/
                                         8, 10, 1, 4.5, NAN});
    CHECK(sample_experiment(s, "io_solve"), "p CLOCK", {2, 0.125, 4, 0.25, 8, 0.5});
}

static void extrap_text_of_one_parameter_needs_no_region(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.time = "runtime", .unit = "ms"};
    assert_int_equal(sample_text(s, "dir/my-run.txt",
                                 "PARAMETER P\nPOINTS 1 2\nMETRIC runtime\nDATA 5\nDATA 6 7\n",
                                 &options),
                     0);
    const struct experiment *e = sample_experiment(s, "my_run");
    assert_int_equal(e->nvariables, 0);
    CHECK(e, "P run CLOCK", {1, 0, 5e-3, 2, 0, 6e-3, 2, 1, 7e-3});
}

static void extrap_json_matches_metrics_by_point(void **state)
{
    struct sample *s = *state;
    sample_file(s, "extrap.json", NULL);
    CHECK(sample_experiment(s, "f"), "p n run CLOCK flops",
          {2, 4, 0, 1.1, 32, 2, 4, 1, 1.2, 33, 4, 4, 0, 2.1, 64});
    CHECK(sample_experiment(s, "main"), "p n CLOCK", {2, 4, 5});
}

static void talpas_lines_become_rows_and_repetitions(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.unit = "ms"};
    sample_file(s, "talpas.txt", &options);
    const struct experiment *e = sample_experiment(s, "com_pute");
    assert_string_equal(e->sources[0], "main->com;pute"); /* a semicolon in a text stays */
    CHECK(e, "x y run CLOCK visits", {20, 1, 0, 1.5e-3, 7, 20, 1, 1, 1.25e-3, 8});
    CHECK(sample_experiment(s, "main"), "x y CLOCK", {30, 1, 3e-3});
    assert_string_equal(s->d->files[0].notes[0], "imported: TaLPas");
}

static void call1_reports_merge_by_experiment(void **state)
{
    struct sample *s = *state;
    sample_file(s, "call1.2.json", NULL);
    sample_file(s, "call1.4.json", NULL);
    assert_int_equal(s->d->nexperiments, 1);
    assert_int_equal(s->d->nfiles, 2);
    const struct experiment *e = sample_experiment(s, "ker");
    assert_int_equal(e->nvariables, 1);
    assert_int_equal(e->nsegments, 2);
    CHECK(e, "P rank run seq N CLOCK PAPI_REAL_USEC PAPI_L2_TCM",
          {2, 0, 0, 0, 100, 125e-6,  125,  7,  /**/
           2, 0, 0, 1, 100, 250e-6,  250,  8,  /**/
           2, 1, 0, 0, 100, 300e-6,  300,  9,  /**/
           2, 1, 0, 0, 200, 400e-6,  400,  10, /**/
           4, 0, 0, 0, 100, 62.5e-6, 62.5, 7,  /**/
           4, 0, 0, 1, 100, 250e-6,  250,  8,  /**/
           4, 1, 0, 0, 100, 300e-6,  300,  9,  /**/
           4, 1, 0, 0, 200, 400e-6,  400,  10});
    assert_string_equal(experiment_formula(e, "CLOCK")->text, "ker[0]+ker[1]*N");
    assert_string_equal(experiment_formula(e, "PAPI_L2_TCM")->text, "ker[0]+ker[1]*N");
    assert_string_equal(s->d->files[0].program, "ring.c");
    assert_string_equal(s->d->files[0].host, "node1");
    assert_string_equal(s->d->files[0].driver, "MPI");
    assert_true(s->d->files[0].resolution == 1e-6);
}

static void a_bad_call1_formula_is_left_out_with_a_warning(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "x.json",
                                 "{\"cll_experiment\":{\"EXPERIMENT\":\"k\",\"INFORMULA\":\"k[0]*"
                                 "k[1]\",\"headers\":[\"CPU\",\"NCPUS\",\"PAPI_REAL_USEC\"],"
                                 "\"sample\":[[0,1,5]]}}",
                                 NULL),
                     0);
    assert_int_equal(diag_count(s->diag, SEVERITY_ERROR), 0);
    assert_int_equal(diag_count(s->diag, SEVERITY_WARNING), 1);
    assert_null(experiment_formula(sample_experiment(s, "k"), "CLOCK"));
    CHECK(sample_experiment(s, "k"), "P rank CLOCK", {1, 0, 5e-6});
}

static void benchmarks_have_their_arguments_in_the_name(void **state)
{
    struct sample *s = *state;
    sample_file(s, "benchmark.json", NULL);
    assert_int_equal(s->d->nexperiments, 2);
    CHECK(sample_experiment(s, "BM_Sort"), "N1 N2 run CLOCK CPUTIME iterations bytes_per_second",
          {1024, 8, 0, 2e-6, 1.5e-6, 1000, 4096, 1024, 8, 1, 2.1e-6, 1.6e-6, 1000, NAN});
    CHECK(sample_experiment(s, "BM_Copy_int"), "n T CLOCK CPUTIME",
          {64, 4, 3e-3, 2e-3, 128, 4, 6e-3, 4e-3});
    assert_string_equal(s->d->files[0].host, "box");
    assert_string_equal(s->d->files[0].program, "./bench");
    assert_string_equal(s->d->files[0].notes[1], "BM_Bad/1 failed and is left out");
}

static void benchmark_arguments_can_be_named(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.variables = "rows,columns", .experiment = "mm"};
    assert_int_equal(sample_text(s, "x.json",
                                 "{\"benchmarks\":[{\"name\":\"BM/2/3\",\"real_time\":7,\"time_"
                                 "unit\":\"s\"},{\"name\":\"BM/2/3_mean\",\"real_time\":8}]}",
                                 &options),
                     0);
    CHECK(sample_experiment(s, "mm"), "rows columns CLOCK", {2, 3, 7});
}

static void hyperfine_commands_are_one_experiment_up_to_their_values(void **state)
{
    struct sample *s = *state;
    sample_file(s, "hyperfine.json", NULL);
    assert_int_equal(s->d->nexperiments, 3);
    const struct experiment *e = sample_experiment(s, "sort");
    assert_string_equal(e->sources[0], "./bin/sort -j 2 {size}");
    CHECK(e, "size run CLOCK", {2, 0, 1.5, 2, 1, 1.25, 4, 0, 3});
    CHECK(sample_experiment(s, "bin_sort_r_size"), "size CLOCK", {4, 9});
    CHECK(sample_experiment(s, "sleep"), "P CLOCK", {1, 1});
}

static void hyperfine_parameters_that_are_words_belong_to_the_name(void **state)
{
    struct sample *s = *state;
    assert_int_equal(
        sample_text(s, "x.json",
                    "{\"results\":[{\"command\":\"cc -O2 8\",\"times\":[2],\"parameters\":{\"opt\":"
                    "\"-O2\",\"n\":\"8\"}},{\"command\":\"cc -O3 8\",\"times\":[1],\"parameters\":"
                    "{\"opt\":\"-O3\",\"n\":\"8\"}}]}",
                    NULL),
        0);
    CHECK(sample_experiment(s, "cc_O2"), "n CLOCK", {8, 2});
    CHECK(sample_experiment(s, "cc_O3"), "n CLOCK", {8, 1});
}

static void one_experiment_takes_all_results_of_hyperfine(void **state)
{
    struct sample *s = *state;
    struct import_options options = {.experiment = "f"};
    assert_int_equal(sample_text(s, "x.json",
                                 "{\"results\":[{\"command\":\"a 1\",\"times\":[2],\"parameters\":"
                                 "{\"n\":\"1\"}},{\"command\":\"b 3\",\"times\":[4],"
                                 "\"parameters\":{\"n\":\"3\"}}]}",
                                 &options),
                     0);
    CHECK(sample_experiment(s, "f"), "n CLOCK", {1, 2, 3, 4});
}

/* What was imported is an ordinary data set: it can be saved and read back. */
static void imported_data_can_be_saved_as_a_data_file(void **state)
{
    struct sample *s = *state;
    char path[] = "/tmp/cll-import-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    sample_file(s, "lines.jsonl", NULL);
    sample_file(s, "call1.2.json", NULL);
    assert_int_equal(dataset_save(s->d, path, NULL, NULL), 0);
    struct dataset *back = dataset_create();
    assert_int_equal(dataset_load(back, path, NULL, s->arena, s->diag), 0);
    unlink(path);
    assert_int_equal(back->nexperiments, s->d->nexperiments);
    for (size_t i = 0; i < back->nexperiments; i++) {
        const struct experiment *e = back->experiments[i], *was = dataset_find(s->d, e->name);
        assert_non_null(was);
        assert_int_equal(e->nrows, was->nrows);
        for (size_t row = 0; row < e->nrows; row++)
            assert_true(sample_cell(e, "CLOCK", row) == sample_cell(was, "CLOCK", row));
    }
    dataset_destroy(back);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, sample_setup, sample_teardown)
    const struct CMUnitTest tests[] = {
        T(formats_are_recognised_by_content),
        T(what_is_no_table_is_not_taken_for_one),
        T(json_lines_become_rows_and_repetitions),
        T(a_table_gets_its_columns_by_name_and_option),
        T(a_table_takes_variables_name_and_unit),
        T(a_table_has_experiments_and_ranks),
        T(a_table_may_name_the_column_of_the_experiment),
        T(the_own_columns_of_a_table_keep_their_meaning),
        T(quotes_and_line_ends_follow_rfc_4180),
        T(extrap_text_matches_data_with_points),
        T(extrap_text_of_one_parameter_needs_no_region),
        T(extrap_json_matches_metrics_by_point),
        T(talpas_lines_become_rows_and_repetitions),
        T(call1_reports_merge_by_experiment),
        T(a_bad_call1_formula_is_left_out_with_a_warning),
        T(benchmarks_have_their_arguments_in_the_name),
        T(benchmark_arguments_can_be_named),
        T(hyperfine_commands_are_one_experiment_up_to_their_values),
        T(hyperfine_parameters_that_are_words_belong_to_the_name),
        T(one_experiment_takes_all_results_of_hyperfine),
        T(imported_data_can_be_saved_as_a_data_file),
    };
    return RUN(tests);
}
