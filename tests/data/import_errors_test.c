/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
/* Damaged and hostile files: one error with its place, and nothing half-loaded stays behind. */
#include "base/text.h"
#include "import_data.h"

#define BENCH(entry) "{\"benchmarks\":[\n" entry "]}"
#define FINE(entry)  "{\"results\":[\n" entry "]}"
#define CALL(rest)   "{\"CALL_VERSION\":\"1.0\",\n\"cll_experiment\":{" rest "}}"
#define PERF         "0.5,msec,task-clock,500000,100.00,0.9,CPUs utilized\n"
#define LIKWID       "TABLE,Group 1 Raw,X,1\nEvent,Counter,HWThread 0\n"
#define CUBE         "Print out the data of the metric time\n   All threads\n-----\n"
#define SPLIT(data)                                                                                \
    "{\"columns\":[\"time\",\"path\"],\"column_metadata\":[{\"is_value\":true},"                   \
    "{\"is_value\":false}],\"nodes\":[{\"label\":\"f\"}],\"data\":" data "}"
#define POINT(rest) "{\"parameters\":[\"n\",\"p\"],\n\"measurements\":" rest "}"

/* Each text, and the first line of what is printed about it. */
static const struct {
    const char *text, *message;
    struct import_options options;
} cases[] = {
    {"", "bad: error: bad: the file is empty", {0}},
    {"what is this", "bad:1:1: error: this is neither a data file of CALL", {0}},
    {"{\"x\":1}", "bad:1:1: error: this is neither a data file of CALL", {0}},
    /* options */
    {"a,time\n1,2\n", "'time=' needs a value: time=NAME", {.time = ""}},
    {"a,time\n1,2\n", "'h' is not a unit of time: unit=s, ms, us or ns", {.unit = "h"}},
    {FINE("{}"), "this is a file of hyperfine, to which 'time=' does not apply", {.time = "x"}},
    {CALL(""), "'experiment=' does not apply (no option does)", {.experiment = "f"}},
    {"a,time\n1,2\n", "the name of an experiment is letters, digits and _", {.experiment = "a b"}},
    {"experiment,a,time\nf,1,2\n", "not both", {.experiment = "f", .experiment_column = "a"}},
    {"PARAMETER p\nPOINTS 1\nREGION a\nDATA 1\nREGION b\nDATA 2\n",
     "experiment=f: the file has 2 experiments ('a', 'b'); leave the option out",
     {.experiment = "f"}},
    {"PARAMETER p\nPOINTS 1\nMETRIC time\nDATA 1\n",
     "there is no metric 'runtime': the file has 'time'",
     {.time = "runtime"}},
    /* tables */
    {"a,b\n1,2\n",
     "bad:1:1: error: which column is the time? Use 'load FILE time=COLUMN'; the "
     "columns are a, b",
     {0}},
    {"a,b\n1,2\n",
     "bad:1:1: error: time=c: there is no such column; there are a, b",
     {.time = "c"}},
    {"a,b\n1,2\n",
     "bad:1:3: error: observables=b: this column has another role",
     {.time = "a", .observables = "b,b"}},
    {"a,a,time\n1,2,3\n", "bad:1:3: error: the column 'a' appears twice", {0}},
    {"a,time\n1,2\n3\n", "bad:3:1: error: the row ends after 1 of 2 columns", {0}},
    {"a,time\n1,2\n3,4,5\n", "bad:3:5: error: the row continues after its last column", {0}},
    {"a,time\n1,2\n3,x\n", "bad:3:3: error: column 'time': 'x' is not a number", {0}},
    {"a,time\n1,2\n,3\n", "bad:3:1: error: column 'a': '' is not a value", {0}},
    {"a,time\n1,2\nnan,3\n", "bad:3:1: error: column 'a': 'nan' is not a value", {0}},
    {"a,time\n1,2\n1,\n", "bad:3:1: error: the row has no measured value", {0}},
    {"a,time\n1,2\n1,inf\n", "bad:3:3: error: column 'time': 'inf' is not a finite number", {0}},
    {"a,time\n1,2\n1,1e999\n", "'1e999' is not a finite number", {0}},
    {"a,time\n1,2\n\"1,3\n", "bad:3:1: error: the quote that opens here is never closed", {0}},
    {"a,time\n1,2\n\"1\"x,3\n", "bad:3:4: error: text after the closing quote", {0}},
    {"a,count,time\n1,0,3\n", "column 'count': '0' is not the number of executions", {0}},
    {"a,nested,time\n1,-1,3\n", "column 'nested': '-1' is not a whole number from 0 on", {0}},
    {"a,P,time\n1,0.5,3\n", "bad:2:1: error: P = 0.5 is not the number of processors", {0}},
    {"a,rank,time\n1,1e300,3\n", "column 'rank': '1e300' is not a whole number from 0 on", {0}},
    {"experiment,time\nf,1\n,3\n", "bad:3:1: error: column 'experiment': ''", {0}},
    /* Extra-P text */
    {"PARAMETER P\nPOINTS 0.5\nDATA 1\n", "P = 0.5 is not the number of processors", {0}},
    {"POINTS 1 2\n", "POINTS before any PARAMETER", {0}},
    {"PARAMETER p p\n", "bad:1:13: error: the parameter 'p' is named twice", {0}},
    {"PARAMETER p\nPOINTS 1 x\n", "bad:2:10: error: 'x' is not a number", {0}},
    {"PARAMETER p\nPOINTS 1 nan\n", "bad:2:10: error: 'nan' is not a finite number", {0}},
    {"PARAMETER p n\nPOINTS 1 2\n", "bad:2:8: error: a point of 2 parameters is written", {0}},
    {"PARAMETER p n\nPOINTS (1 2 3)\n", "bad:2:13: error: the point has more coordinates", {0}},
    {"PARAMETER p n\nPOINTS (1)\n", "bad:2:8: error: the point has 1 of 2 coordinates", {0}},
    {"PARAMETER p n\nPOINTS (1 2\n", "bad:2:8: error: this point is not closed", {0}},
    {"PARAMETER p n\nPOINTS ((1 2)\n", "is not a number", {0}},
    {"PARAMETER p\nDATA 1\n", "bad:2:1: error: DATA before any POINTS", {0}},
    {"PARAMETER p\nPOINTS 1\nDATA\n", "bad:3:1: error: DATA without a number", {0}},
    {"PARAMETER p\nPOINTS 1\nDATA 1\nDATA 2\n", "bad:4:1: error: more DATA lines than POINTS", {0}},
    {"PARAMETER p\nPOINTS 1 2\nREGION f\nDATA 1\nREGION g\n",
     "bad:3:1: error: 1 DATA lines follow this one for 2 POINTS",
     {0}},
    {"PARAMETER p\nPOINTS 1 2\nREGION f\nDATA 1\n", "bad:3:1: error: 1 DATA lines follow", {0}},
    {"PARAMETER p\nREGION\n", "bad:2:1: error: a name is missing here", {0}},
    {"PARAMETER p\nSPEED 3\n", "bad:2:1: error: 'SPEED' is not PARAMETER", {0}},
    {"PARAMETER p\nPOINTS 1\nPARAMETER q\n", "PARAMETER must come before POINTS", {0}},
    {"PARAMETER p\nPOINTS 1\n", "there is no measurement in this file", {0}},
    /* JSON Lines */
    {"{\"params\":{\"n\":1},\"value\":1}\n{\"params\":{\"n\":1}}\n",
     "bad:2:1: error: the key 'value' is missing",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":1}\n{\"params\":{\"m\":1},\"value\":1}\n",
     "bad:2:11: error: params: the key 'n' is missing",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":1}\n{\"params\":{\"n\":1,\"m\":1},\"value\":1}\n",
     "bad:2:22: error: params.m: the lines before do not have this key",
     {0}},
    {"{\"params\":{\"n\":\"1\"},\"value\":1}\n",
     "bad:1:16: error: params.n: a number is expected here, not a text",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":[1,null]}\n",
     "bad:1:30: error: value[1]: a number is expected here, not null",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":[]}\n", "bad:1:27: error: value: the list is empty", {0}},
    {"{\"params\":[],\"value\":1}\n", "params: an object {...} is expected here, not a list", {0}},
    {"{\"params\":{},\"value\":1,\"metric\":3}\n", "metric: a text is expected here", {0}},
    {"{\"params\":{\"n\":1},\"value\":1}\n[1]\n",
     "bad:2:1: error: an object {...} is expected",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":1}\n{\"params\":{\"n\":NaN},\"value\":1}\n",
     "bad:2:16: error: this is not JSON: invalid token near 'NaN'; JSON has no NaN",
     {0}},
    {"{\"params\":{\"n\":1},\"value\":1e999}\n", "it is too large for a number", {0}},
    {"{\"params\":{\"n\":1},\"params\":{\"n\":2},\"value\":1}\n", "duplicate object key", {0}},
    {"{\"params\":{\"n\":1},\"value\":1}\n{\"params\":{\"n\":1},\"val", "the file is cut off", {0}},
    {"{\"params\":{\"\":1},\"value\":1}\n", "the name of a variable is empty", {0}},
    /* Extra-P JSON */
    {POINT("{\"f\":{\"time\":[{\"point\":[1],\"values\":[1]}]}}"),
     "bad:2:39: error: measurements.f.time[0].point: 1 coordinate for 2 parameters",
     {0}},
    {POINT("{\"f\":{\"time\":[{\"point\":1,\"values\":[1]}]}}"),
     "a list of 2 numbers is expected",
     {0}},
    {POINT("{\"f\":{\"time\":[{\"point\":[1,2]}]}}"), "the key 'values' is missing", {0}},
    {POINT("{\"f\":{\"time\":[{\"point\":[1,true],\"values\":[1]}]}}"),
     "measurements.f.time[0].point[1]: a number is expected here, not true or false",
     {0}},
    {POINT("{\"f\":{\"time\":[3]}}"),
     "measurements.f.time[0]: an object of 'point' and 'values' is expected here",
     {0}},
    {"{\"parameters\":[\"n\"],\"measurements\":{\"f\":{\"time\":[{\"point\":null,\"values\":[1]}]}}"
     "}",
     "point: a number is expected here",
     {0}},
    {POINT("{\"f\":{\"time\":3}}"), "measurements.f.time: a list of points is expected here", {0}},
    {POINT("{\"f\":3}"), "measurements.f: an object of metrics is expected here", {0}},
    {POINT("[]"),
     "bad:2:16: error: measurements: this is a list by ids, Extra-P's older layout",
     {0}},
    {POINT("{}"), "there is no measurement in this file", {0}},
    {"{\"measurements\":{}}", "the key 'parameters' is missing", {0}},
    {"{\"parameters\":[1],\"measurements\":{}}", "parameters[0]: the name of a parameter", {0}},
    {"{\"parameters\":[\"a\",\"a\"],\"measurements\":{\"f\":{}}}", "'a' is named twice", {0}},
    /* TaLPas */
    {"{\"parameters\":{\"n\":1};\"metric\":\"time\";\"callpath\":\"f\"}\n",
     "bad:1:1: error: the key 'value' is missing",
     {0}},
    {"{\"parameters\":{\"n\":1};\"value\":1}\n{\"parameters\":{\"n\":1};\"value\":\"1\"}\n",
     "bad:2:31: error: value: a number is expected here, not a text",
     {0}},
    {"{\"parameters\":{\"n\":1};;\"value\":1}\n", "bad:1:24: error: this is not JSON", {0}},
    {"{\"parameters\":{\"n\":1};\"value\":1}\n{\"params\":{\"n\":1};\"value\":2}\n",
     "bad:2:1: error: the key 'parameters' is missing",
     {0}},
    /* CALL 1.0 */
    {"{\"CALL_VERSION\":\"1.0\"}", "the key 'cll_experiment' is missing", {0}},
    {CALL(""), "bad:2:18: error: cll_experiment: the key 'EXPERIMENT' is missing", {0}},
    {CALL("\"EXPERIMENT\":7"), "cll_experiment.EXPERIMENT: a text is expected", {0}},
    {CALL("\"EXPERIMENT\":\"f\",\"sample\":[]"), "the key 'headers' is missing", {0}},
    {CALL("\"EXPERIMENT\":\"f\",\"headers\":[\"CPU\"],\"sample\":[]"),
     "no column was measured",
     {0}},
    {CALL("\"EXPERIMENT\":\"f\",\"headers\":[\"CPU\",\"X\"],\n\"sample\":[[0,1],\n[0]]"),
     "bad:4:1: error: cll_experiment.sample[1]: a list of 2 numbers is expected here",
     {0}},
    {CALL("\"EXPERIMENT\":\"f\",\"headers\":[\"X\",\"X\"],\"sample\":[]"), "appears twice", {0}},
    {CALL("\"EXPERIMENT\":\"f\",\"headers\":[\"X\"],\"sample\":[[\"a\"]]"),
     "cll_experiment.sample[0][0]: a number is expected here, not a text",
     {0}},
    {CALL("\"EXPERIMENT\":\"\",\"headers\":[\"X\"],\"sample\":[]"),
     "cll_experiment.EXPERIMENT: the experiment has no name",
     {0}},
    {"{\"cll_experiment\":[3]}", "cll_experiment[0]: an object {...} is expected here", {0}},
    {"{\"cll_experiment\":[{\"EXPERIMENT\":\"f\",\"headers\":[\"X\"],\"sample\":[[1]]},\n"
     "{\"EXPERIMENT\":\"f\",\"headers\":[\"X\"],\"sample\":[[1]]}]}",
     "cll_experiment[1].EXPERIMENT: the experiment 'f' appears twice",
     {0}},
    {"{\"cll_experiment\":3}", "cll_experiment: an object {...} is expected here", {0}},
    /* Google Benchmark */
    {BENCH("{\"real_time\":1}"), "bad:2:1: error: benchmarks[0]: the key 'name' is missing", {0}},
    {BENCH("{\"name\":\"f\"}"), "the key 'real_time' is missing", {0}},
    {BENCH("{\"name\":\"f\",\"real_time\":\"1\"}"), "benchmarks[0].real_time: a number", {0}},
    {BENCH("{\"name\":\"f\",\"real_time\":1,\"time_unit\":\"h\"}"),
     "'h' is not a unit of time",
     {0}},
    {BENCH("{\"name\":\"f/1\",\"real_time\":1}"),
     "variables= names 2 arguments, this benchmark has 1",
     {.variables = "a,b"}},
    {BENCH("{\"name\":\"f/a:1/a:2\",\"real_time\":1}"), "two arguments are named 'a'", {0}},
    {BENCH("3"), "benchmarks[0]: an object {...} is expected here", {0}},
    {BENCH("{\"name\":\"\",\"real_time\":1}"), "the benchmark has no name", {0}},
    {"{\"benchmarks\":{}}", "benchmarks: a list [...] is expected here, not an object", {0}},
    {"{\"benchmarks\":[]}", "there is no measurement in this file", {0}},
    /* hyperfine */
    {FINE("{\"times\":[1]}"), "bad:2:1: error: results[0]: the key 'command' is missing", {0}},
    {FINE("3"), "results[0]: an object {...} is expected here", {0}},
    {FINE("{\"command\":\"f\"}"), "results[0]: the key 'times' is missing", {0}},
    {FINE("{\"command\":\"f\",\"times\":[1,\"x\"]}"), "results[0].times[1]: a number", {0}},
    {FINE("{\"command\":\"f\",\"times\":[1],\"parameters\":{\"n\":[]}}"),
     "results[0].parameters.n: a text or a number is expected here",
     {0}},
    {FINE("{\"command\":\"f\",\"times\":[1]},{\"command\":\"f 1\",\"times\":[1],\"parameters\":"
          "{\"n\":\"1\"}}"),
     "results[1].command: this command has other parameters than the first one",
     {.experiment = "f"}},
    /* tables that blanks separate */
    {"n time\n1 2\n3 4 5\n", "bad:3:5: error: the row continues after its last column", {0}},
    {"n time\n1 2\n3\n", "bad:3:1: error: the row ends after 1 of 2 columns", {0}},
    {"n seconds\n1 2\n", "which column is the time?", {0}},
    {"n time\n1 2\n3 x\n", "bad:3:3: error: column 'time': 'x' is not a number", {0}},
    /* perf stat */
    {PERF "hello\n", "bad:2:1: error: this is not a counter of perf stat", {0}},
    {PERF, "there is no metric 'cycles': the file has 'CPUTIME'", {.time = "cycles"}},
    {PERF,
     "variables= has 1 name, but the name of the file, 'bad', has 0 numbers; name each",
     {.variables = "N"}},
    {"<not counted>,,cycles,0,100.00,,\n", "there is no measurement in this file", {0}},
    {PERF, "to which 'observables=' does not apply", {.observables = "x"}},
    /* LIKWID */
    {"TABLE,Region f\n", "bad:1:1: error: the group of counters is missing", {0}},
    {"TABLE,Group 1 Raw,X,1\nINSTR,FIXC0,1\n",
     "bad:2:1: error: a line that names the hardware threads is missing above",
     {0}},
    {LIKWID "X,FIXC0,seven\n", "bad:3:9: error: 'seven' is not a number", {0}},
    {LIKWID "X\n", "bad:3:1: error: the row has no value", {0}},
    {"TABLE,Group 1 Raw,X,1\nEvent,Counter\n", "no hardware thread is named here", {0}},
    {LIKWID "X,FIXC0,1\nTABLE,Group 1 Metric,X,1\nMetric,Core 0,Core 1\n",
     "bad:5:1: error: 2 hardware threads here, 1 in the table before",
     {0}},
    {"TABLE,Region f,Group 1 Raw,X,1\nRegion Info,Core 0\nRDTSC Runtime [s],1\ncall count,0\n",
     "bad:4:1: error: the number of calls is missing or below 1",
     {0}},
    {LIKWID, "there is no measurement in this file (LIKWID)", {0}},
    /* Cube */
    {CUBE "f 1 2\n", "bad:4:1: error: REGION(id=NUMBER) is expected here", {0}},
    {CUBE "f(id=1)\n", "bad:4:1: error: the row has no value", {0}},
    {CUBE "f(id=1) 1 x\n", "bad:4:11: error: 'x' is not a finite number", {0}},
    {CUBE "f(id=1) 1e999\n", "'1e999' is not a finite number", {0}},
    {CUBE "f(id=1000000) 1\n", "an id of a node is a number from 0 to 99999", {0}},
    {CUBE "f(id=1) 0.\n", "there is no measurement in this file (Cube)", {0}},
    {"Cnode ID,time\n0,1,2\n", "bad:2:1: error: the row has 3 fields, not 2", {0}},
    {"Cnode ID, Thread ID\n0,0\n", "bad:1:1: error: the names of the metrics are missing", {0}},
    {"Cnode ID, Thread ID,time\n0,-1,2\n", "bad:2:3: error: the id of a thread", {0}},
    {"=============== CALLTREE DIMENSION =\n --- CALL TREE ---\n ----- CALL TREE ---\n"
     "    |-f  [ ( id=1,   mod=)\n",
     "bad:4:1: error: this node of the call tree has no parent above",
     {0}},
    {CUBE "f(id=1) 1\n", "there is no metric 'visits': the file has 'time'", {.time = "visits"}},
    /* Caliper */
    {SPLIT("[[1]]"), "data[0]: a list of 2 values is expected here", {0}},
    {SPLIT("[[1,0],[2,7]]"), "data[1][1]: there is no such node with a label", {0}},
    {SPLIT("{}"), "data: a list [...] is expected here, not an object", {0}},
    {SPLIT("[[1,null]]"), "there is no measurement in this file (Caliper)", {0}},
    {"{\"columns\":[1],\"column_metadata\":[],\"data\":[],\"nodes\":[]}",
     "columns[0]: the name of a column is expected here",
     {0}},
    {"{\"columns\":[\"path\"],\"column_metadata\":[],\"data\":[],\"nodes\":[]}",
     "which attribute is the time? Use 'load FILE time=ATTRIBUTE'; the file has none",
     {0}},
    {"{\"columns\":[\"time\",\"path\"],\"column_metadata\":[{},{\"is_value\":false}],\"nodes\":"
     "[{\"label\":\"a\",\"parent\":0}],\"data\":[[1,0]]}",
     "data[0][1]: a call path longer than 1000 bytes",
     {0}},
    {"[{\"path\":\"f\",\"count\":1,\"n\":2}]", "the file has count, n", {0}},
    {"[{\"path\":\"f\",\"time\":1},3]", "[1]: an object {...} is expected here", {0}},
    {"[{\"path\":\"f\",\"time\":1,\"n\":\"x\"}]",
     "[0].n: a number is expected here",
     {.variables = "n"}},
    {"[{\"path\":\"f\",\"time\":1}]",
     "the variable 'n' is neither here nor a global",
     {.variables = "n"}},
    {"{\"records\":3,\"attributes\":{}}", "records: a list of records is expected here", {0}},
    {"[{\"path\":\"f\",\"time\":1}]", "there is no metric 't'", {.time = "t"}},
    {"{\"machine_info\":{},\"benchmarks\":[]}", "there is no measurement in this file", {0}},
};

static char *printed(struct diag *diag)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_print(diag, out, 0);
    fclose(out);
    return text;
}

static void each_error_says_what_and_where(void **state)
{
    struct sample *s = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = mem_strdup(cases[i].text);
        int status = sample_text(s, "bad", text, &cases[i].options);
        memset(text, '!', strlen(text)); /* messages must not need it any more */
        mem_free(text);
        assert_int_equal(status, -1);
        assert_int_equal(diag_count(s->diag, SEVERITY_ERROR), 1);
        char *message = printed(s->diag);
        const char *want = cases[i].message;
        if (strncmp(want, "bad: error: ", 12) == 0)
            want += 12;
        if (!strstr(message, want))
            fail_msg("'%s'\ngives:   %s\nwant: %s", cases[i].text, message, want);
        free(message);
        assert_int_equal(s->d->nexperiments + s->d->nfiles, 0);
    }
}

static const char *const samples[] = {
    "lines.jsonl",        "table.csv",          "table.tsv",
    "extrap.txt",         "extrap.json",        "call1.2.json",
    "benchmark.json",     "hyperfine.json",     "talpas.txt",
    "blanks.txt",         "perf.csv",           "perf-cpus.txt",
    "caliper-split.json", "caliper.json",       "caliper-object.json",
    "likwid.csv",         "likwid-program.csv", "cube.txt",
    "cube-csv2.txt"};

/* Either all is well, or there is an error and nothing was added. */
static void load_damaged(struct sample *s, const char *text, size_t size)
{
    static const struct import_options seconds = {.time = "seconds"};
    /* A block of just this size, so that a sanitizer sees a byte too far. */
    char *copy = mem_alloc(size + 1, 1);
    memcpy(copy, text, size);
    copy[size] = 0;
    bool table = import_recognise(copy, size) == IMPORT_CSV && memmem(copy, size, "seconds", 7);
    struct dataset *d = dataset_create();
    int status = import_load(d, "damaged", copy, size, table ? &seconds : NULL, s->arena, s->diag);
    mem_free(copy);
    size_t errors = diag_count(s->diag, SEVERITY_ERROR);
    if (status == 0 ? errors != 0 || d->nexperiments == 0 || d->nfiles != 1
                    : errors != 1 || d->nexperiments || d->nfiles)
        fail_msg("status %d, %zu errors, %zu experiments", status, errors, d->nexperiments);
    free(printed(s->diag));
    dataset_destroy(d);
    arena_reset(s->arena);
}

static void a_file_cut_off_anywhere_loads_whole_or_not_at_all(void **state)
{
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        size_t size;
        char *text = sample_read(samples[k], &size);
        for (size_t n = 0; n <= size; n += n < 600 || size - n < 100 ? 1 : 7)
            load_damaged(*state, text, n);
        mem_free(text);
    }
}

static void a_file_with_wrong_bytes_loads_whole_or_not_at_all(void **state)
{
    static const char bytes[] = {0, '"', '{', ']', ',', '\n', '-', '9', 'e', (char)0xff, ' ', '('};
    uint32_t random = 12345;
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        size_t size;
        char *text = sample_read(samples[k], &size);
        for (int round = 0; round < 800; round++) {
            char *copy = mem_alloc(size, 1);
            memcpy(copy, text, size);
            for (int i = 0; i < 1 + round % 3; i++) {
                random = random * 1664525 + 1013904223;
                copy[(random >> 8) % size] = bytes[random % sizeof bytes];
            }
            load_damaged(*state, copy, size);
            mem_free(copy);
        }
        mem_free(text);
    }
}

static void binary_files_are_refused(void **state)
{
    struct sample *s = *state;
    char bytes[4096];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = (char)(random >> 24);
    }
    assert_int_equal(import_load(s->d, "x", bytes, sizeof bytes - 1, NULL, s->arena, s->diag), -1);
    assert_int_equal(diag_count(s->diag, SEVERITY_ERROR), 1);
}

static void deep_nesting_is_an_error(void **state)
{
    struct sample *s = *state;
    struct text t;
    text_init(&t);
    text_add(&t, "{\"params\":{},\"value\":");
    for (int i = 0; i < 100000; i++)
        text_addc(&t, '[');
    int status = sample_text(s, "x", t.s, NULL);
    text_free(&t);
    assert_int_equal(status, -1);
    assert_non_null(strstr(diag_first(s->diag, SEVERITY_ERROR), "maximum parsing depth reached"));
}

/* What was there before an error is still there, and only that. */
static void an_error_leaves_the_data_as_it_was(void **state)
{
    struct sample *s = *state;
    sample_file(s, "lines.jsonl", NULL);
    assert_int_equal(
        sample_text(s, "x.jsonl",
                    "{\"params\":{\"p\":2,\"n\":9},\"value\":1,\"callpath\":\"main->f\"}\n"
                    "{\"params\":{\"p\":2},\"value\":1,\"callpath\":\"main->f\"}\n",
                    NULL),
        -1);
    assert_int_equal(s->d->nexperiments, 2);
    assert_int_equal(s->d->nfiles, 1);
    assert_int_equal(sample_experiment(s, "f")->nrows, 4);
}

static void other_variables_are_an_error_of_merging(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "a.csv", "experiment,n,time\nf,1,2\n", NULL), 0);
    assert_int_equal(sample_text(s, "b.csv", "experiment,m,time\nf,1,2\n", NULL), -1);
    assert_int_equal(sample_experiment(s, "f")->nrows, 1);
}

static void too_many_experiments_are_an_error(void **state)
{
    struct sample *s = *state;
    struct text t;
    text_init(&t);
    text_add(&t, "experiment,time\n");
    for (int i = 0; i <= IMPORT_MAX_EXPERIMENTS; i++)
        text_printf(&t, "f%d,1\n", i);
    int status = sample_text(s, "x", t.s, NULL);
    text_free(&t);
    assert_int_equal(status, -1);
    char *message = printed(s->diag);
    assert_non_null(strstr(message, "x:10002:1: error: more than 10000 experiments"));
    free(message);
}

static void too_long_names_and_too_many_columns_are_errors(void **state)
{
    struct sample *s = *state;
    struct text t;
    text_init(&t);
    for (int i = 0; i < IMPORT_MAX_NAME + 1; i++)
        text_addc(&t, 'a');
    text_add(&t, ",time\n1,2\n");
    assert_int_equal(sample_text(s, "x", t.s, NULL), -1);
    text_clear(&t);
    for (int i = 0; i < IMPORT_MAX_COLUMNS + 1; i++)
        text_printf(&t, "v%d,", i);
    text_add(&t, "time\n");
    for (int i = 0; i < IMPORT_MAX_COLUMNS + 1; i++)
        text_add(&t, "1,");
    text_add(&t, "1\n");
    assert_int_equal(sample_text(s, "x", t.s, NULL), -1);
    text_free(&t);
    assert_int_equal(diag_count(s->diag, SEVERITY_ERROR), 2);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, sample_setup, sample_teardown)
    const struct CMUnitTest tests[] = {
        T(each_error_says_what_and_where),
        T(a_file_cut_off_anywhere_loads_whole_or_not_at_all),
        T(a_file_with_wrong_bytes_loads_whole_or_not_at_all),
        T(binary_files_are_refused),
        T(deep_nesting_is_an_error),
        T(an_error_leaves_the_data_as_it_was),
        T(other_variables_are_an_error_of_merging),
        T(too_many_experiments_are_an_error),
        T(too_long_names_and_too_many_columns_are_errors),
    };
    return RUN(tests);
}
