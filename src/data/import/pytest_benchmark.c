/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pytest-benchmark's JSON (--benchmark-json, --benchmark-save): benchmarks with the values of the
 * test's parameters and a time per round. Parameters that are numbers are variables, those that are
 * not belong to the name. A file without `params` has them in the name only: test_sort[1024-fast].
 * Numbers of extra_info are observables, or variables if the option `variables` names them.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "data/import/arguments.h"
#include "data/import/name.h"

struct test {
    struct import_arguments a;
    const char *path; /* FILE::TEST, and the parameters that are not numbers */
    const char *name; /* the same without the file */
    const char *words;
};

static int add_argument(struct import *in, const struct json_way *way, struct test *t,
                        const char *name, double value)
{
    if (t->a.n == IMPORT_MAX_COLUMNS)
        return json_error_at(in, way, "more than %d parameters", IMPORT_MAX_COLUMNS);
    t->a.names[t->a.n] = name;
    t->a.values[t->a.n++] = value;
    return 0;
}

static void add_word(struct import *in, struct test *t, const char *word)
{
    t->words = arena_printf(in->scratch, "%s_%.200s", t->words, word);
}

static int read_parameter(struct import *in, const struct json_way *way, const char *key,
                          const json_t *value, struct test *t)
{
    double x;
    if (json_is_number(value))
        return add_argument(in, way, t, key, json_number_value(value));
    const char *s = json_string_value(value);
    if (s && import_number_text(s, &x) && isfinite(x))
        return add_argument(in, way, t, key, x);
    if (!s && !json_is_boolean(value) && !json_is_null(value))
        return json_error_at(in, way, "a number or a text is expected here");
    add_word(in, t, s ? s : json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    return 0;
}

/* The ids in the brackets of the name, which - separates: numbers are N, or N1 N2 .... */
static int read_brackets(struct import *in, const struct json_way *way, const char *ids,
                         struct test *t)
{
    char *copy = arena_strdup(in->scratch, ids), *rest = copy;
    size_t numbers = 0, k = 0;
    double x;
    for (char *p = arena_strdup(in->scratch, ids), *word; (word = strsep(&p, "-"));)
        numbers += import_number_text(word, &x) && isfinite(x);
    for (char *word; (word = strsep(&rest, "-"));) {
        if (!import_number_text(word, &x) || !isfinite(x))
            add_word(in, t, word);
        else if (add_argument(in, way, t,
                              numbers == 1 ? "N" : arena_printf(in->scratch, "N%zu", ++k), x))
            return -1;
    }
    return 0;
}

/* Numbers of extra_info that the option names. */
static int read_extra_variables(struct import *in, const struct json_way *way, json_t *extra,
                                struct test *t)
{
    const char **names;
    size_t n = import_list(in, in->options->variables, &names);
    for (size_t i = 0; i < n; i++) {
        json_t *value = json_object_get(extra, names[i]);
        if (!json_is_number(value))
            return json_error_at(in, way, "variables=%.60s: there is no such number here",
                                 names[i]);
        if (add_argument(in, way, t, names[i], json_number_value(value)))
            return -1;
    }
    return 0;
}

static int read_test(struct import *in, const struct json_way *way, json_t *entry, struct test *t)
{
    int status = 0;
    const char *key;
    json_t *value, *name = json_member(in, way, entry, "name", JSON_STRING);
    json_t *full = name ? json_optional(in, way, entry, "fullname", JSON_STRING, &status) : NULL;
    json_t *extra = json_optional(in, way, entry, "extra_info", JSON_OBJECT, &status);
    struct json_way params_way = json_way_key(way, "params"), name_way = json_way_key(way, "name"),
                    extra_way = json_way_key(way, "extra_info");
    if (!name || status)
        return -1;
    const char *s = json_string_value(name), *path = full ? json_string_value(full) : s;
    const char *bracket = strchr(s, '[');
    size_t tail = bracket ? strlen(bracket) : 0;
    t->a.n = 0;
    t->words = "";
    json_t *params = json_object_get(entry, "params");
    if (json_is_object(params)) {
        json_object_foreach(params, key, value)
        {
            struct json_way member = json_way_key(&params_way, key);
            if (read_parameter(in, &member, key, value, t))
                return -1;
        }
    } else if (tail > 2 && s[strlen(s) - 1] == ']') {
        if (read_brackets(in, &name_way, arena_strndup(in->scratch, bracket + 1, tail - 2), t))
            return -1;
    }
    if (read_extra_variables(in, &extra_way, extra, t))
        return -1;
    size_t whole = strlen(path);
    if (tail && whole >= tail && strcmp(path + whole - tail, bracket) == 0)
        whole -= tail;
    t->path =
        arena_printf(in->scratch, "%.*s%s", (int)(whole < INT32_MAX ? whole : 0), path, t->words);
    t->name = arena_printf(in->scratch, "%.*s%s", (int)(strlen(s) - tail), s, t->words);
    return 0;
}

/* Tests of one name with other variables are other experiments. */
static struct import_region *find_region(struct import *in, const struct json_way *way,
                                         const struct test *t)
{
    struct text path;
    text_init(&path);
    text_add(&path, t->path);
    for (size_t i = 0; i < t->a.n; i++)
        text_printf(&path, "%s%s", i ? "," : "/", t->a.names[i]);
    struct import_region *r = NULL;
    if (path.n > IMPORT_MAX_NAME)
        json_error_at(in, way, "a name longer than %d bytes", IMPORT_MAX_NAME);
    else
        r = import_region(in, path.s, t->name, import_nowhere);
    text_free(&path);
    if (r && !r->has_parameters && import_set_parameters(in, r, t->a.names, t->a.n, import_nowhere))
        return NULL;
    return r;
}

/* Every number of extra_info that is not a variable, in each row of the test. */
static int add_extra(struct import *in, json_t *extra, const struct test *t,
                     struct import_region *r, size_t row)
{
    const char *key;
    json_t *value;
    size_t observable;
    json_object_foreach(extra, key, value)
    {
        bool variable = false;
        for (size_t i = 0; i < t->a.n; i++)
            variable = variable || strcmp(t->a.names[i], key) == 0;
        if (variable || !json_is_number(value))
            continue;
        const char *name = strcmp(key, "CLOCK") == 0 || strcmp(key, "iterations") == 0
                               ? arena_printf(in->scratch, "%s info", key)
                               : key;
        if (import_observable(in, r, name, import_nowhere, &observable))
            return -1;
        import_put(r, observable, row, json_number_value(value));
    }
    return 0;
}

static int add_round(struct import *in, json_t *entry, const struct test *t,
                     struct import_region *r, double seconds, const double *iterations)
{
    size_t clock, count, row;
    if (import_observable(in, r, "CLOCK", import_nowhere, &clock) ||
        import_row(in, r, t->a.values, 0, 0, SIZE_MAX, import_nowhere, &row))
        return -1;
    import_put(r, clock, row, seconds);
    if (iterations) {
        if (import_observable(in, r, "iterations", import_nowhere, &count))
            return -1;
        import_put(r, count, row, *iterations);
    }
    return add_extra(in, json_object_get(entry, "extra_info"), t, r, row);
}

/* The time of each round; a file without them has statistics only. */
static int read_stats(struct import *in, const struct json_way *way, json_t *entry,
                      const struct test *t, struct import_region *r)
{
    int status = 0;
    json_t *stats = json_member(in, way, entry, "stats", JSON_OBJECT);
    struct json_way stats_way = json_way_key(way, "stats"),
                    data_way = json_way_key(&stats_way, "data"),
                    median_way = json_way_key(&stats_way, "median"),
                    count_way = json_way_key(&stats_way, "iterations");
    json_t *data = stats ? json_optional(in, &stats_way, stats, "data", JSON_ARRAY, &status) : NULL;
    json_t *count = json_object_get(stats, "iterations"),
           *median = json_object_get(stats, "median");
    double iterations, x;
    if (!stats || status || (count && json_number_at(in, &count_way, count, &iterations)))
        return -1;
    for (size_t i = 0; i < json_array_size(data); i++) {
        struct json_way element = json_way_index(&data_way, i);
        if (json_number_at(in, &element, json_array_get(data, i), &x) ||
            add_round(in, entry, t, r, x, count ? &iterations : NULL))
            return -1;
    }
    if (json_array_size(data))
        return 0;
    if (!median)
        return json_error_at(in, &stats_way, "neither 'data' nor 'median' is here");
    import_note(in, "medians only: --benchmark-save-data saves the time of each round");
    if (json_number_at(in, &median_way, median, &x))
        return -1;
    return add_round(in, entry, t, r, x, count ? &iterations : NULL);
}

static int read_entry(struct import *in, const struct json_way *way, json_t *entry)
{
    struct test t;
    if (!json_is_object(entry))
        return json_error_at(in, way, "an object {...} is expected here");
    if (read_test(in, way, entry, &t))
        return -1;
    struct import_region *r = find_region(in, way, &t);
    return r ? read_stats(in, way, entry, &t, r) : -1;
}

/* Where the tests ran; all of it may be missing. */
static void read_machine(struct import *in, json_t *root)
{
    json_t *machine = json_object_get(root, "machine_info");
    json_t *cpu = json_object_get(machine, "cpu");
    const char *brand = json_string_value(json_object_get(cpu, "brand_raw"));
    struct {
        const char *text, **where;
    } texts[] = {
        {json_string_value(json_object_get(machine, "node")), &in->file.host},
        {brand ? brand : json_string_value(json_object_get(cpu, "brand")), &in->file.cpu},
        {json_string_value(json_object_get(root, "datetime")), &in->file.date},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text)
            *texts[i].where = import_clean(in, texts[i].text);
}

int import_read_pytest_benchmark(struct import *in)
{
    json_t *root = import_json_parse(in, in->begin, in->size);
    struct json_way top = json_way_top(in->begin), way = json_way_key(&top, "benchmarks");
    json_t *list = root ? json_member(in, &top, root, "benchmarks", JSON_ARRAY) : NULL;
    int status = list ? 0 : -1;
    if (list)
        read_machine(in, root);
    for (size_t i = 0; status == 0 && i < json_array_size(list) && !interrupt_came(); i++) {
        struct json_way entry = json_way_index(&way, i);
        status = read_entry(in, &entry, json_array_get(list, i));
    }
    json_decref(root);
    return status;
}
