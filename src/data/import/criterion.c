/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * criterion of Rust, and criterion of Haskell. A sample is the time of several iterations: all values
 * are per iteration, and the number of iterations is an observable. The name of a benchmark holds its
 * arguments (arguments.h).
 *
 * Rust:
 *     raw.csv          group,function,value,...,sample_measured_value,unit,iteration_count
 *     cargo-criterion  --message-format=json: an object in each line, with the key `reason`
 *     sample.json      iters and times (in ns): the folders are the name, GROUP/FUNCTION/VALUE/new
 *     estimates.json   one value: the slope, or else the mean
 * Haskell:
 *     --json           ["criterio", VERSION, [report...]]: reportName, reportKeys, reportMeasured
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "data/import/arguments.h"
#include "data/import/fields.h"
#include "data/import/name.h"

/* Seconds of a unit of time; 0: it is not one. */
static double unit_seconds(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    return 0;
}

/* One sample: `total` of `iterations` iterations. A measurement that is not a time is an observable
 * named after its unit. */
static int add_sample(struct import *in, struct import_region *r, const double *at, double total,
                      double iterations, const char *unit, struct span where)
{
    size_t value, count, row;
    double seconds = unit_seconds(unit);
    if (!(iterations >= 1))
        return import_error(in, where, "a sample has at least one iteration");
    if (import_observable(in, r,
                          seconds > 0 ? "CLOCK"
                          : *unit     ? unit
                                      : "value",
                          where, &value) ||
        import_observable(in, r, "iterations", where, &count) ||
        import_row(in, r, at, 0, 0, SIZE_MAX, where, &row))
        return -1;
    import_put(r, value, row, total / iterations * (seconds > 0 ? seconds : 1));
    import_put(r, count, row, iterations);
    return 0;
}

/* --- raw.csv --- */

enum csv_column { GROUP, FUNCTION, VALUE, MEASURED, NANOSECONDS, UNIT, COUNT, CSV_COLUMNS };
static const char *const csv_names[CSV_COLUMNS] = {[GROUP] = "group",
                                                   [FUNCTION] = "function",
                                                   [VALUE] = "value",
                                                   [MEASURED] = "sample_measured_value",
                                                   [UNIT] = "unit",
                                                   [NANOSECONDS] = "sample_time_nanos",
                                                   [COUNT] = "iteration_count"};

enum { MOST_CSV_FIELDS = 50 };

/* Reads a row into `fields`; their number, or 0 when it is not well-formed or too long. */
static size_t read_fields(const char *s, size_t n, size_t *at, struct field *fields)
{
    size_t count = 0;
    for (enum field_end end = END_FIELD; end == END_FIELD; count++) {
        if (count == MOST_CSV_FIELDS)
            return 0;
        end = field_read(s, n, at, ',', &fields[count]);
        if (end == OPEN_QUOTE || end == TEXT_BEHIND_QUOTE)
            return 0;
    }
    return count;
}

/* Where each column is; false if the text does not begin with criterion's names. */
static bool read_csv_names(const char *s, size_t n, size_t *at, size_t columns[CSV_COLUMNS],
                           size_t *count)
{
    struct field fields[MOST_CSV_FIELDS];
    *count = read_fields(s, n, at, fields);
    for (size_t c = 0; c < CSV_COLUMNS; c++) {
        columns[c] = SIZE_MAX;
        for (size_t i = 0; i < *count; i++)
            if (fields_is(s, (struct span){fields[i].begin, fields[i].end}, csv_names[c]))
                columns[c] = i;
    }
    return columns[GROUP] != SIZE_MAX && columns[FUNCTION] != SIZE_MAX &&
           columns[VALUE] != SIZE_MAX && columns[COUNT] != SIZE_MAX &&
           (columns[NANOSECONDS] != SIZE_MAX ||
            (columns[MEASURED] != SIZE_MAX && columns[UNIT] != SIZE_MAX));
}

bool import_is_criterion_csv(const char *text, size_t size)
{
    size_t at = 0, columns[CSV_COLUMNS], count;
    return read_csv_names(text, size, &at, columns, &count);
}

static int csv_number(struct import *in, const struct field *f, double *x)
{
    struct span where = {f->begin, f->end};
    if (!import_number(in->text + f->begin, in->text + f->end, x) || !isfinite(*x))
        return import_error(in, where, "'%.40s' is not a finite number", field_text(in, f));
    return 0;
}

static int read_csv_row(struct import *in, const struct field *fields, const size_t *columns)
{
    struct import_arguments a;
    double total, iterations;
    bool nanoseconds = columns[MEASURED] == SIZE_MAX;
    const struct field *f = fields;
    struct span where = {f[0].begin, f[columns[COUNT]].end};
    const char *function = field_text(in, &f[columns[FUNCTION]]);
    const char *value = field_text(in, &f[columns[VALUE]]);
    const char *name = arena_printf(in->scratch, "%s%s%s%s%s", field_text(in, &f[columns[GROUP]]),
                                    *function ? "/" : "", function, *value ? "/" : "", value);
    struct import_region *r = import_benchmark(in, NULL, name, false, &a);
    if (!r || csv_number(in, &f[columns[nanoseconds ? NANOSECONDS : MEASURED]], &total) ||
        csv_number(in, &f[columns[COUNT]], &iterations))
        return -1;
    return add_sample(in, r, a.values, total, iterations,
                      nanoseconds ? "ns" : field_text(in, &f[columns[UNIT]]), where);
}

int import_read_criterion_csv(struct import *in)
{
    struct field fields[MOST_CSV_FIELDS];
    size_t at = in->begin, columns[CSV_COLUMNS], count;
    read_csv_names(in->text, in->size, &at, columns, &count);
    for (size_t n = 0; at < in->size; n++) {
        size_t begin = at;
        if (in->text[at] == '\n' || in->text[at] == '\r') {
            at++;
            continue;
        }
        if ((n & 0xfff) == 0 && interrupt_came())
            return 0;
        if (read_fields(in->text, in->size, &at, fields) != count)
            return import_error(in, (struct span){begin, begin},
                                "the row does not have the %zu fields of the first line", count);
        if (read_csv_row(in, fields, columns))
            return -1;
    }
    return 0;
}

/* --- JSON of Rust --- */

/* The name of a benchmark in target/criterion: the folders after `criterion` but the last, which is
 * `new`, `base` or a baseline. */
static const char *name_of_folders(struct import *in)
{
    const char *end = strrchr(in->path, '/'), *begin = in->path;
    if (!end)
        return import_base_name(in);
    while (end > in->path && end[-1] != '/')
        end--;
    if (end == in->path)
        return import_base_name(in);
    const char *whole = arena_strndup(in->scratch, in->path, (size_t)(end - 1 - in->path));
    begin = whole;
    for (const char *p = whole; (p = strstr(p, "criterion/"));) {
        bool folder = p == whole || p[-1] == '/';
        p += strlen("criterion/");
        if (folder)
            begin = p;
    }
    begin += strspn(begin, "./");
    return *begin ? begin : import_base_name(in);
}

/* Two lists of the same length: totals and iterations. */
static int add_lists(struct import *in, const struct json_way *totals_way, json_t *totals,
                     const struct json_way *counts_way, json_t *counts, const char *unit,
                     struct import_region *r, const double *at)
{
    if (json_array_size(totals) != json_array_size(counts))
        return json_error_at(in, totals_way, "%zu values, but %zu numbers of iterations",
                             json_array_size(totals), json_array_size(counts));
    for (size_t i = 0; i < json_array_size(totals); i++) {
        struct json_way total = json_way_index(totals_way, i),
                        count = json_way_index(counts_way, i);
        double x, n;
        if (json_number_at(in, &total, json_array_get(totals, i), &x) ||
            json_number_at(in, &count, json_array_get(counts, i), &n))
            return -1;
        if (!(n >= 1))
            return json_error_at(in, &count, "a sample has at least one iteration");
        if (add_sample(in, r, at, x, n, unit, import_nowhere))
            return -1;
    }
    return 0;
}

static int read_sample(struct import *in, const struct json_way *top, json_t *root)
{
    struct import_arguments a;
    struct json_way iters = json_way_key(top, "iters"), times = json_way_key(top, "times");
    json_t *counts = json_member(in, top, root, "iters", JSON_ARRAY);
    json_t *totals = counts ? json_member(in, top, root, "times", JSON_ARRAY) : NULL;
    if (!totals)
        return -1;
    struct import_region *r = import_benchmark(in, NULL, name_of_folders(in), false, &a);
    return r ? add_lists(in, &times, totals, &iters, counts, "ns", r, a.values) : -1;
}

static int read_estimates(struct import *in, const struct json_way *top, json_t *root)
{
    struct import_arguments a;
    const char *key = json_is_object(json_object_get(root, "slope")) ? "slope" : "mean";
    struct json_way way = json_way_key(top, key), point = json_way_key(&way, "point_estimate");
    json_t *estimate = json_member(in, top, root, key, JSON_OBJECT);
    json_t *value = estimate ? json_object_get(estimate, "point_estimate") : NULL;
    double x;
    if (estimate && !value)
        json_error_at(in, &way, "the key 'point_estimate' is missing");
    if (!value || json_number_at(in, &point, value, &x))
        return -1;
    struct import_region *r = import_benchmark(in, NULL, name_of_folders(in), false, &a);
    import_note(in, "the %s of criterion, one value; sample.json has every sample", key);
    return r ? add_sample(in, r, a.values, x, 1, "ns", import_nowhere) : -1;
}

/* A message of cargo-criterion; those about other things than a benchmark are left out. */
static int read_message(struct import *in, const struct json_way *way, json_t *line)
{
    struct import_arguments a;
    if (!json_is_object(line))
        return json_error_at(in, way, "an object {...} is expected in each line");
    json_t *reason = json_member(in, way, line, "reason", JSON_STRING);
    if (!reason)
        return -1;
    if (strcmp(json_string_value(reason), "benchmark-complete") != 0)
        return 0;
    struct json_way id_way = json_way_key(way, "id"),
                    counts_way = json_way_key(way, "iteration_count"),
                    values_way = json_way_key(way, "measured_values");
    json_t *id = json_member(in, way, line, "id", JSON_STRING);
    json_t *counts = id ? json_member(in, way, line, "iteration_count", JSON_ARRAY) : NULL;
    json_t *values = counts ? json_member(in, way, line, "measured_values", JSON_ARRAY) : NULL;
    json_t *unit = values ? json_member(in, way, line, "unit", JSON_STRING) : NULL;
    if (!unit)
        return -1;
    struct import_region *r = import_benchmark(in, &id_way, json_string_value(id), false, &a);
    return r ? add_lists(in, &values_way, values, &counts_way, counts, json_string_value(unit), r,
                         a.values)
             : -1;
}

static int read_messages(struct import *in)
{
    struct span line;
    size_t at = in->begin;
    for (size_t n = 0; import_next_line(in->text, in->size, &at, &line); n++) {
        line = fields_trim(in->text, line);
        if (line.begin == line.end)
            continue;
        if ((n & 0xff) == 0 && interrupt_came())
            return 0;
        json_t *message = import_json_parse(in, line.begin, line.end);
        struct json_way top = json_way_top(line.begin);
        int status = message ? read_message(in, &top, message) : -1;
        json_decref(message);
        if (status)
            return -1;
    }
    return 0;
}

int import_read_criterion(struct import *in)
{
    const char *text = in->text + in->begin;
    if (import_json_has_key(text, in->size - in->begin, "reason", false))
        return read_messages(in);
    json_t *root = import_json_parse(in, in->begin, in->size);
    struct json_way top = json_way_top(in->begin);
    int status = !root                            ? -1
                 : json_object_get(root, "iters") ? read_sample(in, &top, root)
                                                  : read_estimates(in, &top, root);
    json_decref(root);
    return status;
}

/* --- Haskell --- */

/* Observables of the keys that are known by another name here. */
static const char *haskell_name(const char *key)
{
    return strcmp(key, "time") == 0      ? "CLOCK"
           : strcmp(key, "cpuTime") == 0 ? "CPUTIME"
           : strcmp(key, "iters") == 0   ? "iterations"
                                         : key;
}

struct haskell {
    struct import_region *region;
    const double *at;
    json_t *keys;
    size_t iters; /* index of this key */
};

static int read_measured(struct import *in, const struct json_way *way, json_t *row_values,
                         const struct haskell *h)
{
    struct json_way iters_way = json_way_index(way, h->iters);
    double iterations, x;
    size_t row, observable, n = json_array_size(h->keys);
    if (!json_is_array(row_values) || json_array_size(row_values) != n)
        return json_error_at(in, way, "a list of %zu values is expected here", n);
    if (json_number_at(in, &iters_way, json_array_get(row_values, h->iters), &iterations))
        return -1;
    if (!(iterations >= 1))
        return json_error_at(in, &iters_way, "a sample has at least one iteration");
    if (import_row(in, h->region, h->at, 0, 0, SIZE_MAX, import_nowhere, &row))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct json_way cell = json_way_index(way, i);
        const char *key = json_string_value(json_array_get(h->keys, i));
        json_t *value = json_array_get(row_values, i);
        if (json_is_null(value))
            continue;
        bool whole = i == h->iters || strcmp(key, "peakMbAllocated") == 0;
        if (json_number_at(in, &cell, value, &x) ||
            import_observable(in, h->region, haskell_name(key), import_nowhere, &observable))
            return -1;
        import_put(h->region, observable, row, whole ? x : x / iterations);
    }
    return 0;
}

static int read_keys(struct import *in, const struct json_way *way, json_t *keys, struct haskell *h)
{
    h->keys = keys;
    h->iters = SIZE_MAX;
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        struct json_way element = json_way_index(way, i);
        if (!key)
            return json_error_at(in, &element, "a name is expected here");
        if (strcmp(key, "iters") == 0)
            h->iters = i;
    }
    if (h->iters == SIZE_MAX || json_array_size(keys) > IMPORT_MAX_COLUMNS)
        return json_error_at(in, way, "at most %d keys, with 'iters' among them, are expected here",
                             IMPORT_MAX_COLUMNS);
    return 0;
}

static int read_report(struct import *in, const struct json_way *way, json_t *report)
{
    struct import_arguments a;
    struct haskell h;
    if (!json_is_object(report))
        return json_error_at(in, way, "an object {...} is expected here");
    struct json_way name_way = json_way_key(way, "reportName"),
                    keys_way = json_way_key(way, "reportKeys"),
                    rows_way = json_way_key(way, "reportMeasured");
    json_t *name = json_member(in, way, report, "reportName", JSON_STRING);
    json_t *keys = name ? json_member(in, way, report, "reportKeys", JSON_ARRAY) : NULL;
    json_t *rows = keys ? json_member(in, way, report, "reportMeasured", JSON_ARRAY) : NULL;
    if (!rows || read_keys(in, &keys_way, keys, &h))
        return -1;
    h.region = import_benchmark(in, &name_way, json_string_value(name), false, &a);
    h.at = a.values;
    for (size_t i = 0; h.region && i < json_array_size(rows); i++) {
        struct json_way row = json_way_index(&rows_way, i);
        if (read_measured(in, &row, json_array_get(rows, i), &h))
            return -1;
    }
    return h.region ? 0 : -1;
}

int import_read_criterion_haskell(struct import *in)
{
    json_t *root = import_json_parse(in, in->begin, in->size);
    struct json_way top = json_way_top(in->begin), list_way = json_way_index(&top, 2);
    json_t *list = json_array_get(root, 2);
    int status = root ? 0 : -1;
    if (root && !json_is_array(list))
        status = json_error_at(in, &list_way, "a list of reports is expected here");
    for (size_t i = 0; status == 0 && i < json_array_size(list) && !interrupt_came(); i++) {
        struct json_way way = json_way_index(&list_way, i);
        status = read_report(in, &way, json_array_get(list, i));
    }
    json_decref(root);
    return status;
}
