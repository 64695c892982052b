/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine files: what arrives, and what is refused with which message. */
#include "file.h"

static void everything_arrives(void **state)
{
    (void)state;
    struct machine_case c = machine_case(machine_file, strlen(machine_file));
    const struct machine *m = c.machine;
    assert_non_null(m);
    assert_string_equal(m->name, "box-1");
    assert_string_equal(m->processor, "N1");
    assert_true(m->quick && m->optimised && m->seconds == 1.5 && m->rounds == 4);
    assert_true(m->cores == 2 && m->hardware_threads == 4 && m->memory == 8589934592u);
    assert_null(m->host);
    assert_null(m->source);
    assert_int_equal(m->ncaches, 1);
    assert_true(m->caches[0].level == 1 && m->caches[0].bytes == 65536 && m->caches[0].line == 64);
    assert_string_equal(m->caches[0].type, "data");
    assert_string_equal(m->mpi_library, "Open MPI");
    assert_true(m->processes == 2 && m->hosts == 1 && !m->oversubscribed);
    assert_int_equal(m->nfamilies, 2);
    assert_null(m->families[0].reason);
    assert_string_equal(m->families[1].reason, "one process");
    assert_int_equal(m->nsummary, 1);
    assert_true(m->summary[0].processes == 2 && m->summary[0].value == 0 && !m->summary[0].steady);
    assert_int_equal(m->nfigures, 3);
    const struct machine_figure *f = &m->figures[0];
    assert_true(f->has_bytes && f->bytes == 65536 && f->cores == 1 && f->processes == 0);
    assert_true(f->value == 2e-9 && f->low == 1e-9 && f->high == 3e-9 && f->steady);
    assert_true(f->rounds == 2 && f->values[0] == 2e-9 && f->values[1] == 2.5e-9);
    machine_case_end(&c);
}

/* The file with the first `from` replaced by `to`. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(machine_file, from);
    struct text t;
    if (!at)
        fail_msg("the file has no '%s'", from);
    text_init(&t);
    text_addn(&t, machine_file, (size_t)(at - machine_file));
    text_add(&t, to);
    text_add(&t, at + strlen(from));
    return t.s;
}

static void refused(const char *text, size_t n, const char *what)
{
    struct machine_case c = machine_case(text, n);
    char printed[4096] = "";
    FILE *f = fmemopen(printed, sizeof printed - 1, "w");
    diag_print(c.diag, f, 0);
    fclose(f);
    if (c.machine || !strstr(printed, what))
        fail_msg("expected '%s', got %s:\n%s", what, c.machine ? "a machine" : "", printed);
    assert_non_null(strstr(printed, "box.json"));
    machine_case_end(&c);
}

static void wrong_members_are_named(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"cllprobe\": 1, ", "", "this is not a machine file"},
        {"\"cllprobe\": 1", "\"cllprobe\": 2", "a newer cllprobe wrote this file (format 2"},
        {"\"name\": \"box-1\"", "\"name\": \"box-1\", \"source\": 7", "\"source\" must be a text"},
        {"\"cllprobe\": 1", "\"cllprobe\": 0", "\"cllprobe\" must be the version"},
        {"\"cllprobe\": 1", "\"cllprobe\": \"1\"", "\"cllprobe\" must be the version"},
        {"\"cllprobe\": 1", "\"cllprobe\": 1, \"cllprobe\": 1", "duplicate object key"},
        {"\"name\": \"box-1\",", "", "\"name\" is missing"},
        {"box-1", "../box", "\"name\" must be a name of letters"},
        {"box-1", "", "\"name\" must be a name of letters"},
        {"\"quick\": true", "\"quick\": 1", "\"quick\" must be true or false"},
        {"\"seconds\": 1.5", "\"seconds\": -1",
         "\"seconds\" must be a number that is not negative"},
        {"\"cores\": 2", "\"cores\": 0", "system: \"cores\" must be a whole number from 1"},
        {"\"cores\": 2", "\"cores\": 2.5", "system: \"cores\" must be a whole number"},
        {"\"page\": 4096", "\"page\": 99999999999999999999", "too big integer"},
        {"\"level\": 1", "\"level\": 99", "\"level\" must be a whole number from 1 to 16"},
        {"\"families\": [", "\"families\": {\"x\": [", "damaged"},
        {"\"reason\": \"one process\"", "\"why\": 1", "\"reason\" is missing"},
        {"\"unit\": \"s\"", "\"unit\": \"ms\"",
         "figures, element 1: the unit of memory latency is \"s\", not \"ms\""},
        {"\"unit\": \"s/B\"", "\"unit\": \"s\"", "the unit of bsp g.shift is \"s/B\""},
        {"\"bytes\": 65536, \"cores\"", "\"bytes\": -1, \"cores\"",
         "\"bytes\" must be a whole number"},
        {"\"bytes\": 65536, \"cores\"", "\"bytes\": 9007199254740993, \"cores\"",
         "\"bytes\" must be a whole number from 0 to 1125899906842624"},
        {"\"value\": 2e-9", "\"value\": 0", "\"value\" must be positive"},
        {"\"value\": 2e-9", "\"value\": null", "\"value\" must be a number"},
        {"\"value\": 2e-9", "\"value\": 1e999", "real number overflow"},
        {"\"low\": 1e-9", "\"low\": 2.1e-9", "must be between \"low\" and \"high\""},
        {"\"high\": 3e-9", "\"high\": 1.9e-9", "must be between \"low\" and \"high\""},
        {"\"rounds\": 2,", "\"rounds\": 3,", "there are 2 values, but \"rounds\" is 3"},
        {"\"rounds\": 2,", "\"rounds\": 1000000000,", "\"rounds\" must be a whole number"},
        {"[2e-9, 2.5e-9]", "[2e-9, 0]", "value 2 must be a positive number"},
        {"[2e-9, 2.5e-9]", "[2e-9, \"x\"]", "value 2 must be a positive number"},
        {"[2e-9, 2.5e-9]", "7", "\"values\" must be a list"},
        {"\"bytes\": 65536, \"cores\"", "\"bytes\": 4096, \"cores\"",
         "memory latency is there twice for the same place"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = changed(cases[i].from, cases[i].to);
        refused(text, strlen(text), cases[i].message);
        mem_free(text);
    }
}

static void later_families_and_members_are_read(void **state)
{
    (void)state;
    char *text = changed("\"family\": \"memory\"", "\"colour\": 1, \"family\": \"tape\"");
    struct machine_case c = machine_case(text, strlen(text));
    assert_non_null(c.machine);
    assert_string_equal(c.machine->figures[0].family, "tape");
    machine_case_end(&c);
    mem_free(text);
}

static void a_file_that_was_cut_off_is_refused_at_every_length(void **state)
{
    (void)state;
    size_t whole = strlen(machine_file) - 1; /* without the line feed it is complete */
    for (size_t n = 0; n < whole; n++) {
        struct machine_case c = machine_case(machine_file, n);
        assert_null(c.machine);
        assert_int_equal(diag_count(c.diag, SEVERITY_ERROR), 1);
        machine_case_end(&c);
    }
    refused(machine_file, 400, "damaged or was cut off");
}

static void other_files_are_refused(void **state)
{
    (void)state;
    refused("[]", 2, "this is not a machine file");
    refused("{}", 2, "this is not a machine file");
    refused("# cll-data 1\n", 13, "this is not a machine file");
    refused(" \n", 2, "this is not a machine file");
    refused("{\"cllprobe\": 1}", 15, "\"name\" is missing");
    refused("{\"cllprobe\": 1, \"name\": \"a\\u0000b\"}", 35, "damaged");
}

static void nesting_and_long_names_are_refused(void **state)
{
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, "{\"cllprobe\": ");
    for (int i = 0; i < 100000; i++)
        text_addc(&t, '[');
    refused(t.s, t.n, "damaged");
    text_clear(&t);
    text_add(&t, "{\"cllprobe\": 1, \"name\": \"");
    for (int i = 0; i < 1000; i++)
        text_addc(&t, 'x');
    text_add(&t, "\"}");
    refused(t.s, t.n, "\"name\" must be a text of at most 200 bytes");
    text_free(&t);
}

/* n figures of one name, each with another number of cores, or with another size. */
static char *with_figures(size_t n, bool cores)
{
    struct text t;
    text_init(&t);
    for (size_t i = 0; i < n; i++)
        text_printf(&t,
                    "{\"family\": \"memory\", \"name\": \"copy\", \"bytes\": %zu, \"cores\": %zu,"
                    " \"unit\": \"B/s\", \"value\": 1, \"low\": 1, \"high\": 1, \"steady\": true,"
                    " \"rounds\": 1, \"values\": [1]},\n",
                    i + 1, cores ? i + 1 : 1);
    text_add(&t, "{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 65536");
    char *text = changed("{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 65536", t.s);
    text_free(&t);
    return text;
}

/* Tables are made of the figures: what they take must not grow without a limit. */
static void too_many_figures_are_refused(void **state)
{
    (void)state;
    char *text = with_figures(10000, false);
    refused(text, strlen(text), "\"figures\" has 10003 elements; at most 10000 are allowed");
    mem_free(text);
    text = with_figures(257, true);
    refused(text, strlen(text),
            "there are figures for 257 numbers of cores; at most 256 are allowed");
    mem_free(text);
    text = with_figures(256, true);
    struct machine_case c = machine_case(text, strlen(text));
    assert_non_null(c.machine);
    machine_case_end(&c);
    mem_free(text);
}

static void a_machine_of_a_publication_names_it(void **state)
{
    (void)state;
    char *text = changed("\"quick\": true", "\"quick\": true, \"source\": \"a data book\"");
    struct machine_case c = machine_case(text, strlen(text));
    assert_non_null(c.machine);
    assert_string_equal(c.machine->source, "a data book");
    machine_case_end(&c);
    mem_free(text);
}

static void a_missing_file_is_named(void **state)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    (void)state;
    assert_null(machine_load("/no/such/file.json", a, diag));
    assert_string_equal(diag_first(diag, SEVERITY_ERROR),
                        "/no/such/file.json: No such file or directory");
    diag_clear(diag);
    assert_null(machine_load("/", a, diag));
    assert_int_equal(diag_count(diag, SEVERITY_ERROR), 1);
    diag_destroy(diag);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_arrives),
        cmocka_unit_test(wrong_members_are_named),
        cmocka_unit_test(later_families_and_members_are_read),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused_at_every_length),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(nesting_and_long_names_are_refused),
        cmocka_unit_test(too_many_figures_are_refused),
        cmocka_unit_test(a_machine_of_a_publication_names_it),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return RUN(tests);
}
