/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the names of other tools become names llac can use. */
#include "base/text.h"
#include "import_data.h"

static void check_sources(struct sample *s, const char *name, const char *source)
{
    const struct experiment *e = sample_experiment(s, name);
    if (!source) {
        assert_int_equal(e->nsources, 0);
        return;
    }
    assert_int_equal(e->nsources, 1);
    assert_string_equal(e->sources[0], source);
}

static void a_path_is_as_long_as_it_takes_to_be_unique(void **state)
{
    struct sample *s = *state;
    assert_int_equal(
        sample_text(s, "x.jsonl",
                    "{\"params\":{\"n\":1},\"value\":1,\"callpath\":\"main->a->f\"}\n"
                    "{\"params\":{\"n\":1},\"value\":2,\"callpath\":\"main->b->f\"}\n"
                    "{\"params\":{\"n\":1},\"value\":3,\"callpath\":\"top->b->f\"}\n"
                    "{\"params\":{\"n\":1},\"value\":4,\"callpath\":\"f\"}\n"
                    "{\"params\":{\"n\":1},\"value\":5,\"callpath\":\"g\"}\n"
                    "{\"params\":{\"n\":1},\"value\":6,\"callpath\":\"<root>\"}\n"
                    "{\"params\":{\"n\":1},\"value\":7,\"callpath\":\"a<int>::b()\"}\n",
                    NULL),
        0);
    check_sources(s, "f", "main->a->f");
    check_sources(s, "b_f", "main->b->f");
    check_sources(s, "top_b_f", "top->b->f");
    check_sources(s, "f_2", "f");
    check_sources(s, "g", NULL);
    check_sources(s, "x", NULL);
    check_sources(s, "a_int_b", "a<int>::b()");
    assert_int_equal(s->d->nexperiments, 7);
}

static const char first[] = "{\"params\":{\"n\":1},\"value\":1,\"callpath\":\"main->f\"}\n";
static const char other[] = "{\"params\":{\"n\":1},\"value\":2,\"callpath\":\"lib->f\"}\n"
                            "{\"params\":{\"n\":2},\"value\":3,\"callpath\":\"main->f\"}\n";

static void the_same_path_of_another_file_is_the_same_experiment(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "1.jsonl", first, NULL), 0);
    assert_int_equal(sample_text(s, "2.jsonl", other, NULL), 0);
    assert_int_equal(s->d->nexperiments, 2);
    assert_int_equal(sample_experiment(s, "f")->nrows, 2);
    check_sources(s, "f", "main->f");
    check_sources(s, "lib_f", "lib->f");
}

static void names_of_data_to_merge_with_are_taken(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "1.jsonl", first, NULL), 0);
    struct dataset *fresh = dataset_create();
    struct import_options options = {.known = s->d};
    assert_int_equal(
        import_load(fresh, "2.jsonl", other, sizeof other - 1, &options, s->arena, s->diag), 0);
    assert_non_null(dataset_find(fresh, "lib_f"));
    assert_int_equal(dataset_merge(s->d, fresh, false, s->diag), 0);
    assert_int_equal(sample_experiment(s, "f")->nrows, 2);
    dataset_destroy(fresh);
}

static void measured_code_of_the_same_name_is_the_same_experiment(void **state)
{
    struct sample *s = *state;
    struct experiment *e = dataset_add_experiment(s->d, "f");
    struct data_file file = {.path = "p.cll.0.dat"};
    experiment_add_variable(s->d, e, "n");
    experiment_add_observable(s->d, e, "CLOCK");
    experiment_add_source(s->d, e, "f.c:12-14");
    experiment_add_segment(e, dataset_add_file(s->d, &file));
    assert_int_equal(sample_text(s, "x.csv", "experiment,n,time\nf,1,2\nmain->f,1,3\n", NULL), 0);
    assert_int_equal(sample_experiment(s, "f")->nrows, 1);
    check_sources(s, "main_f", "main->f");
}

static void variables_stay_what_formulas_can_take(void **state)
{
    struct sample *s = *state;
    assert_int_equal(sample_text(s, "x.csv", "m->rows,n m,n_m,and,2d,time\n1,2,3,4,5,6\n", NULL),
                     0);
    const struct experiment *e = sample_experiment(s, "x");
    static const char *const names[] = {"m->rows", "n_m", "n_m_2", "and_", "_2d"};
    assert_int_equal(e->nvariables, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(experiment_variable(e, i)->name, names[i]);
}

static void regions_of_hostile_names_stay_apart(void **state)
{
    struct sample *s = *state;
    struct text t;
    text_init(&t);
    enum { MANY = 5000 };
    for (int i = 0; i < MANY; i++) {
        text_add(&t, "{\"params\":{},\"value\":1,\"callpath\":\"");
        for (int bit = 0; bit < 13; bit++)
            text_add(&t, i >> bit & 1 ? "+" : "*");
        text_add(&t, "\"}\n");
    }
    int status = sample_text(s, "x.jsonl", t.s, NULL);
    text_free(&t);
    assert_int_equal(status, 0);
    assert_int_equal(s->d->nexperiments, MANY);
    assert_non_null(dataset_find(s->d, "x_5000"));
}

static void every_format_and_option_has_a_description(void **state)
{
    (void)state;
    for (int f = IMPORT_NONE + 1; f < IMPORT_FORMATS; f++) {
        assert_true(*import_formats[f].name && *import_formats[f].what);
        const char *words = import_formats[f].options;
        while (*words) {
            size_t n = strcspn(words, " ");
            bool known = false;
            for (const struct import_option *o = import_option_table; o->name; o++)
                known = known || (strlen(o->name) == n && memcmp(o->name, words, n) == 0);
            assert_true(known);
            words += n + (words[n] == ' ');
        }
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, sample_setup, sample_teardown)
    const struct CMUnitTest tests[] = {
        T(a_path_is_as_long_as_it_takes_to_be_unique),
        T(the_same_path_of_another_file_is_the_same_experiment),
        T(names_of_data_to_merge_with_are_taken),
        T(measured_code_of_the_same_name_is_the_same_experiment),
        T(variables_stay_what_formulas_can_take),
        T(regions_of_hostile_names_stay_apart),
        T(every_format_and_option_has_a_description),
    };
    return RUN(tests);
}
