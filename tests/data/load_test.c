/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading, merging and saving of data files; damaged and hostile ones. */
#include "harness/unit.h"
#include "harness/without_memory.h"

#include "base/text.h"
#include "expect_error.h"

static const char small[] =
    "# cll-data 1\n"
    "# program: demo\n"
    "# host: node7\n"
    "# resolution: 8.2e-09\n"
    "# overhead: 1.9e-08 1e-09\n"
    "# abandoned: 2\n"
    "# oversubscribed: yes\n"
    "# load: 0.25 nan\n"
    "# steal: 0.04 3.5\n"
    "# frequency: 2100000000 3000000000\n"
    "# hosts: 3\n"
    "# ranks-per-host: 2 4\n"
    "# cores-per-host: 8 16\n"
    "# hyper-threads: free\n"
    "# thinned: per-tuple\n"
    "# absent: PAPI_L1_DCM no such counter here\n"
    "# note: a note\n"
    "# colour: unknown keys are skipped\n"
    "# experiment: f\n"
    "# formula: f CLOCK f[0] + f[1]*N\n"
    "# variables: f N\n"
    "# source: f x.c:12-14\n"
    "# experiment: g\n"
    "# variables: g M m->rows\n" SYNTH_COLUMNS " N M m->rows CLOCK CPUTIME\n"
    "f 0 0 0.5 0 1 0 0 1 1024 nan nan 1.5e-05 nan\n"
    "g 0 0 0.6 2 1 0 0 1 nan 3 7 2.5e-05 1e-05\n"
    "f 1 1 0.7 0 1 0 0 4 2048 nan nan 3.5e-05 nan\n";

static void header_and_rows_arrive(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, small), 0);
    const struct data_file *file = &s.data->files[0];
    assert_string_equal(file->program, "demo");
    assert_string_equal(file->host, "node7");
    assert_true(file->resolution == 8.2e-9 && file->overhead == 1.9e-8 &&
                file->overhead_spread == 1e-9);
    assert_true(file->abandoned == 2 && file->oversubscribed &&
                file->thinned == THINNED_PER_TUPLE && !file->truncated);
    const struct data_host *host = &file->host_state;
    assert_true(host->has_load && host->load[0] == 0.25 && isnan(host->load[1]));
    assert_true(host->stolen == 0.04 && host->wanted == 3.5);
    assert_true(host->frequency[0] == 2.1e9 && host->frequency[1] == 3e9);
    assert_true(file->hosts == 3 && file->hyper_threads == HYPER_THREADS_FREE);
    assert_true(file->ranks_per_host[0] == 2 && file->ranks_per_host[1] == 4);
    assert_true(file->cores_per_host[0] == 8 && file->cores_per_host[1] == 16);
    assert_int_equal(file->nabsents, 1);
    assert_string_equal(file->absents[0].reason, "no such counter here");
    assert_string_equal(file->notes[0], "a note");
    const struct experiment *f = dataset_find(s.data, "f"), *g = dataset_find(s.data, "g");
    assert_int_equal(f->nrows, 2);
    assert_int_equal(g->nrows, 1);
    assert_string_equal(experiment_formula(f, "CLOCK")->text, "f[0] + f[1]*N");
    assert_string_equal(f->sources[0], "x.c:12-14");
    assert_int_equal(g->nvariables, 2);
    assert_true(column_at(&g->columns[experiment_find_variable(g, "m->rows")], 0) == 7);
    assert_true(column_at(&f->columns[experiment_find_variable(f, "N")], 1) == 2048);
    assert_true(column_at(&f->columns[FIELD_COUNT], 1) == 4);
    assert_true(column_at(&g->columns[FIELD_NESTED], 0) == 2);
    assert_true(column_at(&g->columns[experiment_find_observable(g, "CPUTIME")], 0) == 1e-5);
    assert_true(experiment_find_variable(f, "M") == SIZE_MAX);
    synth_end(&s);
}

static void a_file_cut_at_any_byte_gives_its_whole_rows_or_an_error(void **state)
{
    size_t n = strlen(small), rows_of_small = 3;
    (void)state;
    for (size_t cut = 0; cut <= n; cut++) {
        struct synth s = synth_begin();
        int status = synth_load_bytes(&s, small, cut);
        const char *table = strstr(small, "\nf 0 0");
        size_t whole = 0;
        for (const char *p = table + 1; p < small + cut; p++)
            whole += *p == '\n';
        if (cut <= (size_t)(table - small)) {
            assert_int_equal(status, -1);
            assert_int_equal(diag_count(s.diag, SEVERITY_ERROR), 1);
        } else {
            assert_int_equal(status, 0);
            size_t rows = dataset_find(s.data, "f")->nrows + dataset_find(s.data, "g")->nrows;
            assert_int_equal(rows, whole);
            assert_true(rows <= rows_of_small);
            assert_int_equal(s.data->files[0].truncated, cut < n && small[cut - 1] != '\n');
        }
        synth_end(&s);
    }
}

#define HEAD "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n"

static void errors_name_line_and_column(void **state)
{
    static const struct {
        const char *text, *place, *what;
    } cases[] = {
        {"hello\n", "test.dat:1:1: error:", "not a cll data file"},
        {"# cll-data 2\n", "test.dat:1:12: error:", "version '2'"},
        {HEAD "f 0 0 0 0 1 0 0 1 8 1x\n", "test.dat:5:21: error:", "'1x' is not a number"},
        {HEAD "f 0 0 0 0 1 0 0 1 8 0x10\n", "test.dat:5:21: error:", "'0x10' is not a number"},
        {HEAD "f 0 0 0 0 1 0 0 1 8 1\n\n# c\nf 0 0 - 0 1 0 0 1 8 1\n",
         "test.dat:8:7: error:", "'-' is not a number"},
        {HEAD "f 0 0 0 0 1 0 0 1 8\n", "test.dat:5:20: error:", "ends after 10 of 11 columns"},
        {HEAD "f 0 0 0 0 1 0 0 1 8 1 2\n", "test.dat:5:23: error:", "continues after"},
        {HEAD "g 0 0 0 0 1 0 0 1 8 1\n", "test.dat:5:1: error:", "'g' is not in the header"},
        {HEAD "f nan 0 0 0 1 0 0 1 8 1\n",
         "test.dat:5:3: error:", "column run: 'nan' is not a whole"},
        {HEAD "f 0 0.5 0 0 1 0 0 1 8 1\n",
         "test.dat:5:5: error:", "column seq: '0.5' is not a whole"},
        {HEAD "f 0 0 inf 0 1 0 0 1 8 1\n",
         "test.dat:5:7: error:", "column start: 'inf' is not seconds"},
        {HEAD "f 0 0 0 -1 1 0 0 1 8 1\n",
         "test.dat:5:9: error:", "column nested: '-1' is not a whole"},
        {HEAD "f 0 0 0 0 0 0 0 1 8 1\n",
         "test.dat:5:11: error:", "column P: '0' is not the number"},
        {HEAD "f 0 0 0 0 inf 0 0 1 8 1\n",
         "test.dat:5:11: error:", "column P: 'inf' is not the number"},
        {HEAD "f 0 0 0 0 1 nan 0 1 8 1\n",
         "test.dat:5:13: error:", "column rank: 'nan' is not a whole"},
        {HEAD "f 0 0 0 0 1 0 1e308 1 8 1\n", "test.dat:5:15: error:", "column thread: '1e308'"},
        {HEAD "f 0 0 0 0 1 0 0 0 8 1\n",
         "test.dat:5:17: error:", "column count: '0' is not the number"},
        {HEAD "f 0 0 0 0 1 0 0 nan 8 1\n", "test.dat:5:17: error:", "column count: 'nan'"},
        {HEAD "# cll-data 1\n", "test.dat:5:1: error:", "a second data file starts here"},
        {"# cll-data 1\n# overhead: fast\n", "test.dat:2:13: error:", "'overhead' needs a number"},
        {"# cll-data 1\n# overhead:\n", "test.dat:2:", "'overhead' needs a number"},
        {"# cll-data 1\n# experiment:\n", "test.dat:2:", "the name of an experiment is missing"},
        {"# cll-data 1\n# column: a b\n", "test.dat:2:", "COLUMN = VARIABLE"},
        {"# cll-data 1\nexperiment run seq\n",
         "test.dat:2:1: error:", "the column 'start' is missing"},
        {"# cll-data 1\n# load: 0.5 high\n", "test.dat:2:13: error:", "'load' needs a number"},
        {"# cll-data 1\n# load: 0.5\n", "test.dat:2:", "'load' needs a number"},
        {"# cll-data 1\n# steal: -1 2\n", "test.dat:2:10: error:", "'steal' needs a number"},
        {"# cll-data 1\n# frequency: 2 GHz\n",
         "test.dat:2:16: error:", "'frequency' needs a number"},
        {"# cll-data 1\n# overhead: -1\n", "test.dat:2:13: error:", "not negative"},
        {"# cll-data 1\n# variables: f N N\n", "test.dat:2:18: error:", "named twice"},
        {"# cll-data 1\n# formula: f\n", "test.dat:2:", "NAME OBSERVABLE FORMULA"},
        {"# cll-data 1\nexperiment run sec\n", "test.dat:2:16: error:", "column 3 must be 'seq'"},
        {"# cll-data 1\n" SYNTH_COLUMNS "\n", "test.dat:2:1: error:", "no observable"},
        {"# cll-data 1\n" SYNTH_COLUMNS " A A\n", "test.dat:2:", "twice"},
        {"# cll-data 1\n# variables: f N\n" SYNTH_COLUMNS " CLOCK\n",
         "test.dat:3:1: error:", "has no column"},
        {"# cll-data 1\n# experiment: f*/x\n",
         "test.dat:2:15: error:", "cannot be the name of an experiment"},
        {"# cll-data 1\n# experiment: a\033[2J\n",
         "test.dat:2:15: error:", "cannot be the name of an experiment"},
        {"# cll-data 1\n# variables: f N a;b\n",
         "test.dat:2:18: error:", "cannot be the name of a variable"},
        {"# cll-data 1\n# variables: f `id`\n",
         "test.dat:2:16: error:", "cannot be the name of a variable"},
        {"# cll-data 1\n# formula: f a'b f[0]\n",
         "test.dat:2:14: error:", "cannot be the name of an observable"},
        {"# cll-data 1\n" SYNTH_COLUMNS " CLOCK a\"b\n",
         "test.dat:2:", "cannot be the name of an observable"},
        {"# cll-data 1\n# program: x\n", "error: test.dat:", "ends before its table"},
        {"", "error: test.dat:", "empty"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_error(cases[i].text, strlen(cases[i].text), cases[i].place, cases[i].what);
    static const char binary[] =
        "# cll-data 1\n# experiment: f\n# variables: f\n" SYNTH_COLUMNS " CLOCK\nf\0\0 0 0\n";
    expect_error(binary, sizeof binary - 1, "test.dat:5:1: error:", "not in the header");
    /* without the error, the formula would be kept up to the zero: saved, the line could not be read */
    static const char zero[] = "# cll-data 1\n# experiment: f\n# formula: f CLOCK \0 f[0]\n";
    expect_error(zero, sizeof zero - 1, "test.dat:3:20: error:", "contains a zero byte");
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s, "# cll-data 1\n# host: a\033[2Jb\n# experiment: f\n# variables: f\n" SYNTH_COLUMNS
                " CLOCK\n"),
        0);
    assert_string_equal(s.data->files[0].host, "a?[2Jb");
    synth_end(&s);
    s = synth_begin();
    assert_int_equal(synth_load(&s, "# cll-data 1\n# note: a\xc2\x9b"
                                    "2Jb\n# experiment: f\n"
                                    "# variables: f\n" SYNTH_COLUMNS " CLOCK\n"),
                     0);
    assert_string_equal(s.data->files[0].notes[0], "a??2Jb");
    synth_end(&s);
}

static void a_line_without_end_is_refused(void **state)
{
    size_t n = (size_t)9 << 20;
    char *text = malloc(n);
    (void)state;
    memset(text, 'x', n);
    memcpy(text, "# cll-data 1\n", 13);
    expect_error(text, n, "test.dat:2:1: error:", "longer than 8 MB");
    free(text);
}

static void an_error_in_the_second_half_of_a_large_file_has_its_line(void **state)
{
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, HEAD);
    for (int i = 0; i < 40000; i++)
        text_printf(&t, "f 0 %d 0 0 1 0 0 1 %d 1e-%d\n", i, i % 7, i % 9);
    text_add(&t, "f 0 0 0 0 1 0 0 1 8 oops\n");
    expect_error(t.s, t.n, "test.dat:40005:21: error:", "'oops'");
    text_free(&t);
}

static void large_files_keep_every_row_in_order(void **state)
{
    struct synth s = synth_begin();
    struct text t;
    int n = 200000;
    (void)state;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# experiment: f\n# variables: f N\n# experiment: g\n# variables: "
                 "g\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 0; i < n; i++)
        text_printf(&t, "%s 0 %d 0 0 1 0 0 1 %d %d.25\n", i % 3 ? "f" : "g", i, i % 5, i);
    assert_int_equal(synth_load_bytes(&s, t.s, t.n), 0);
    const struct experiment *f = dataset_find(s.data, "f"), *g = dataset_find(s.data, "g");
    assert_int_equal(f->nrows + g->nrows, n);
    size_t fi = 0, gi = 0;
    for (int i = 0; i < n; i++) {
        const struct experiment *e = i % 3 ? f : g;
        size_t row = i % 3 ? fi++ : gi++;
        assert_true(column_at(&e->columns[FIELD_SEQ], row) == i);
        assert_true(column_at(&e->columns[experiment_find_observable(e, "CLOCK")], row) ==
                    i + 0.25);
    }
    assert_null(f->columns[FIELD_RUN].values); /* never varies: no memory */
    text_free(&t);
    synth_end(&s);
}

static void carriage_returns_tabs_and_empty_lines_do_no_harm(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(&s, "# cll-data 1\r\n# experiment: f\r\n# variables: f N\r\n" SYNTH_COLUMNS
                       " N CLOCK\r\n\r\n  f\t0 0 0 0 1 0 0 1 8 1.5 \r\n"),
        0);
    assert_int_equal(dataset_find(s.data, "f")->nrows, 1);
    synth_end(&s);
}

static void renamed_columns_feed_their_variables(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s,
            "# cll-data 1\n# experiment: f\n# variables: f count CLOCK\n# column: count_ = count\n"
            "# column: CLOCK_ = CLOCK\n" SYNTH_COLUMNS
            " count_ CLOCK_ CLOCK\nf 0 0 0 0 1 0 0 2 77 88 0.5\n"),
        0);
    const struct experiment *f = dataset_find(s.data, "f");
    assert_true(column_at(&f->columns[experiment_find_variable(f, "count")], 0) == 77);
    assert_true(column_at(&f->columns[experiment_find_variable(f, "CLOCK")], 0) == 88);
    assert_true(column_at(&f->columns[experiment_find_observable(f, "CLOCK")], 0) == 0.5);
    assert_true(column_at(&f->columns[FIELD_COUNT], 0) == 2);
    synth_end(&s);
}

static void files_merge_by_experiment(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, small), 0);
    assert_int_equal(
        synth_load(
            &s,
            "# cll-data 1\n# overhead: 5e-08\n# experiment: f\n# formula: f CLOCK f[0]+N*f[1]\n"
            "# variables: f N\n" SYNTH_COLUMNS " N CLOCK PAGES\nf 0 0 0 0 4 0 0 1 4096 1e-4 17\n"),
        0);
    const struct experiment *f = dataset_find(s.data, "f");
    size_t hint = 0, pages = experiment_find_observable(f, "PAGES");
    assert_int_equal(f->nrows, 3);
    assert_int_equal(s.data->nfiles, 2);
    assert_int_equal(experiment_segment(f, 1, &hint)->file, 0);
    assert_int_equal(experiment_segment(f, 2, &hint)->file, 1);
    assert_int_equal(experiment_segment(f, 0, &hint)->file, 0);
    assert_true(isnan(column_at(&f->columns[pages], 0)) && column_at(&f->columns[pages], 2) == 17);
    assert_true(column_at(&f->columns[FIELD_P], 0) == 1 && column_at(&f->columns[FIELD_P], 2) == 4);
    synth_end(&s);
}

static void different_formulas_for_one_name_are_an_error(void **state)
{
    static const char other[] =
        "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0]*N^2\n# variables: f "
        "N\n" SYNTH_COLUMNS " N CLOCK\nf 0 0 0 0 4 0 0 1 4096 1e-4\n";
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, small), 0);
    assert_int_equal(synth_load(&s, other), -1);
    assert_non_null(strstr(synth_error(&s), "two formulas for CLOCK"));
    assert_non_null(strstr(synth_error(&s), "ignore formulas"));
    assert_int_equal(dataset_find(s.data, "f")->nrows, 2); /* as before */
    struct dataset *fresh = dataset_create();
    FILE *f = tmpfile();
    fputs(other, f);
    rewind(f);
    assert_int_equal(load_dat(fresh, fileno(f), "o.dat", s.arena, s.diag), 0);
    assert_int_equal(dataset_merge(s.data, fresh, true, s.diag), 0);
    assert_int_equal(dataset_find(s.data, "f")->nrows, 3);
    assert_string_equal(experiment_formula(dataset_find(s.data, "f"), "CLOCK")->text,
                        "f[0] + f[1]*N");
    dataset_destroy(fresh);
    fclose(f);
    synth_end(&s);
}

static void other_variables_for_one_name_are_an_error(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, small), 0);
    assert_int_equal(synth_load(&s,
                                "# cll-data 1\n# experiment: f\n# variables: f N Q\n" SYNTH_COLUMNS
                                " N Q CLOCK\n"),
                     -1);
    assert_non_null(strstr(synth_error(&s), "other variables"));
    synth_end(&s);
}

#define SETTINGS(lines)                                                                            \
    "# cll-data 1\n" lines                                                                         \
    "# experiment: f\n# variables: f N\n# experiment: g\n# variables: g n\n" SYNTH_COLUMNS         \
    " N n CLOCK\nf 0 0 0 0 1 0 0 1 8 nan 1\ng 0 0 0 0 1 0 0 1 nan 5 2\nf 0 1 0 0 1 0 0 1 9 nan 3\n"

static void settings_are_variables_of_experiments_without_one_of_the_name(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(&s, SETTINGS("# setting: n 100\n# setting: n 100\n# setting: k -1.5e2\n")), 0);
    assert_int_equal(synth_load(&s, SETTINGS("# setting: k 7\n# setting: n 200\n")), 0);
    const struct experiment *f = dataset_find(s.data, "f"), *g = dataset_find(s.data, "g");
    size_t n = experiment_find_variable(f, "n"), k = experiment_find_variable(f, "k");
    assert_int_equal(f->nvariables, 3);
    assert_true(column_at(&f->columns[n], 0) == 100 && column_at(&f->columns[n], 1) == 100);
    assert_true(column_at(&f->columns[n], 2) == 200 && column_at(&f->columns[n], 3) == 200);
    assert_true(column_at(&f->columns[k], 1) == -150 && column_at(&f->columns[k], 2) == 7);
    assert_true(column_at(&f->columns[experiment_find_variable(f, "N")], 1) == 9);
    assert_int_equal(g->nvariables, 2);
    assert_true(column_at(&g->columns[experiment_find_variable(g, "n")], 0) == 5);
    assert_true(column_at(&g->columns[experiment_find_variable(g, "k")], 1) == 7);
    assert_true(column_at(&g->columns[experiment_find_observable(g, "CLOCK")], 1) == 2);
    synth_end(&s);
}

static void a_setting_that_some_files_lack_is_an_error(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct synth s = synth_begin();
        assert_int_equal(synth_load(&s, first ? SETTINGS("# setting: k 1\n") : SETTINGS("")), 0);
        assert_int_equal(synth_load(&s, first ? SETTINGS("") : SETTINGS("# setting: k 1\n")), -1);
        assert_non_null(
            strstr(synth_error(&s), "has the setting 'k' in test.dat, and not in test.dat"));
        synth_end(&s);
    }
}

static void settings_that_are_none_are_errors(void **state)
{
    static const struct {
        const char *text, *what;
    } cases[] = {
        {SETTINGS("# setting: n\n"), "# setting: NAME NUMBER"},
        {SETTINGS("# setting: n x\n"), "# setting: NAME NUMBER"},
        {SETTINGS("# setting: n inf\n"), "# setting: NAME NUMBER"},
        {SETTINGS("# setting: n 1 2\n"), "# setting: NAME NUMBER"},
        {SETTINGS("# setting: n;m 1\n"), "cannot be the name of a variable"},
        {SETTINGS("# setting: n 1\n# setting: n 2\n"), "the setting 'n' has two values"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct synth s = synth_begin();
        assert_int_equal(synth_load(&s, cases[i].text), -1);
        assert_non_null(strstr(synth_error(&s), cases[i].what));
        synth_end(&s);
    }
}

static bool only_f(void *user, const struct experiment *e, size_t row)
{
    (void)user, (void)row;
    return strcmp(e->name, "f") == 0;
}

static void a_saved_set_reads_back_the_same(void **state)
{
    struct synth s = synth_begin(), back = synth_begin(), part = synth_begin();
    char path[] = "/tmp/cll-test-save-XXXXXX";
    (void)state;
    assert_int_equal(synth_load(&s, small), 0);
    assert_int_equal(
        synth_load(
            &s, "# cll-data 1\n# overhead: 5e-08\n# experiment: f\n# formula: f CLOCK f[0]+N*f[1]\n"
                "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\nf 0 0 0 1 4 0 0 1 4096 1e-4\n"),
        0);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(dataset_save(s.data, path, NULL, NULL), 0);
    assert_int_equal(dataset_load(back.data, path, NULL, back.arena, back.diag), 0);
    const struct experiment *f = dataset_find(back.data, "f"), *g = dataset_find(back.data, "g");
    size_t clock = experiment_find_observable(f, "CLOCK");
    assert_int_equal(f->nrows, 3);
    assert_int_equal(g->nrows, 1);
    assert_string_equal(experiment_formula(f, "CLOCK")->text, "f[0] + f[1]*N");
    assert_string_equal(f->sources[0], "x.c:12-14");
    assert_true(column_at(&f->columns[clock], 0) == 1.5e-5);
    /* the other file had another overhead, and one nested pair */
    assert_true(fabs(column_at(&f->columns[clock], 2) - (1e-4 + 2 * (1.9e-8 - 5e-8))) < 1e-18);
    assert_true(column_at(&f->columns[FIELD_RUN], 2) > column_at(&f->columns[FIELD_RUN], 1));
    assert_true(back.data->files[0].thinned == THINNED_PER_TUPLE &&
                back.data->files[0].oversubscribed);
    assert_int_equal(dataset_save(s.data, path, only_f, NULL), 0);
    assert_int_equal(dataset_load(part.data, path, NULL, part.arena, part.diag), 0);
    assert_int_equal(dataset_find(part.data, "g")->nrows, 0);
    unlink(path);
    synth_end(&s);
    synth_end(&back);
    synth_end(&part);
}

static void missing_files_and_folders_are_named(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(dataset_load(s.data, "/nonexistent/x.dat", NULL, s.arena, s.diag), -1);
    assert_non_null(strstr(synth_error(&s), "/nonexistent/x.dat: No such file"));
    diag_clear(s.diag);
    assert_int_equal(dataset_load(s.data, "/tmp", NULL, s.arena, s.diag), -1);
    assert_non_null(strstr(synth_error(&s), "directory"));
    synth_end(&s);
}

static void load_small(const void *file)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    if (load_dat(dataset_create(), *(const int *)file, "x.dat", a, diag))
        abort();
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    int fd = fileno(f);
    long n = 0;
    fputs(small, f);
    for (rewind(f); lacks_memory(n, load_small, &fd); rewind(f))
        n++;
    assert_true(n > 5);
    fclose(f);
}

/* What a run that measures counters writes: no overhead of the clock, no times. */
static void a_counter_run_is_loaded(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(synth_load(&s, "# cll-data 1\n# overhead: nan nan\n# empty: nan\n# "
                                    "experiment: f\n# variables: f N\n" SYNTH_COLUMNS
                                    " N CLOCK page-faults\nf 0 0 0 0 1 0 0 1 10 nan 3\n"),
                     0);
    assert_int_equal(dataset_find(s.data, "f")->nrows, 1);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_run_is_loaded),
        cmocka_unit_test(header_and_rows_arrive),
        cmocka_unit_test(a_file_cut_at_any_byte_gives_its_whole_rows_or_an_error),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(an_error_in_the_second_half_of_a_large_file_has_its_line),
        cmocka_unit_test(large_files_keep_every_row_in_order),
        cmocka_unit_test(carriage_returns_tabs_and_empty_lines_do_no_harm),
        cmocka_unit_test(renamed_columns_feed_their_variables),
        cmocka_unit_test(files_merge_by_experiment),
        cmocka_unit_test(different_formulas_for_one_name_are_an_error),
        cmocka_unit_test(other_variables_for_one_name_are_an_error),
        cmocka_unit_test(settings_are_variables_of_experiments_without_one_of_the_name),
        cmocka_unit_test(a_setting_that_some_files_lack_is_an_error),
        cmocka_unit_test(settings_that_are_none_are_errors),
        cmocka_unit_test(a_saved_set_reads_back_the_same),
        cmocka_unit_test(missing_files_and_folders_are_named),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return RUN(tests);
}
