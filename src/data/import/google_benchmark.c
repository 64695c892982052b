/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Google Benchmark's JSON. The name of a benchmark holds its arguments (arguments.h).
 * Aggregates are skipped. Times are per iteration, in the unit the entry names.
 */
#include <math.h>
#include <string.h>

#include "data/import/arguments.h"
#include "data/import/name.h"

static bool is_aggregate(json_t *entry, const char *name)
{
    static const char *const endings[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
    const char *type = json_string_value(json_object_get(entry, "run_type"));
    if (type)
        return strcmp(type, "aggregate") == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(name), m = strlen(endings[i]);
        if (n > m && strcmp(name + n - m, endings[i]) == 0)
            return true;
    }
    return false;
}

static int time_unit(struct import *in, const struct json_way *way, json_t *entry, double *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    int status = 0;
    json_t *value = json_optional(in, way, entry, "time_unit", JSON_STRING, &status);
    struct json_way member = json_way_key(way, "time_unit");
    if (status)
        return -1;
    *unit = 1e-9;
    for (size_t i = 0; value && i < sizeof units / sizeof *units; i++)
        if (strcmp(json_string_value(value), units[i].name) == 0) {
            *unit = units[i].seconds;
            value = NULL;
        }
    return value ? json_error_at(in, &member, "'%.40s' is not a unit of time (ns, us, ms, s)",
                                 json_string_value(value))
                 : 0;
}

/* The times, and every other number as an observable of its name. */
static int read_measurements(struct import *in, const struct json_way *way, json_t *entry,
                             struct import_region *r, const double *at)
{
    static const char *const not_measured[] = {"family_index", "per_family_instance_index",
                                               "repetitions",  "repetition_index",
                                               "threads",      NULL};
    const char *key;
    double unit;
    json_t *value;
    size_t row = SIZE_MAX, index;
    struct json_way time = json_way_key(way, "real_time");
    double x;
    if (time_unit(in, way, entry, &unit))
        return -1;
    if (!json_object_get(entry, "real_time"))
        return json_error_at(in, way, "the key 'real_time' is missing");
    if (json_number_at(in, &time, json_object_get(entry, "real_time"), &x) ||
        import_observable(in, r, "CLOCK", import_nowhere, &index) ||
        import_row(in, r, at, 0, 0, SIZE_MAX, import_nowhere, &row))
        return -1;
    import_put(r, index, row, x * unit);
    json_object_foreach(entry, key, value)
    {
        bool cpu = strcmp(key, "cpu_time") == 0;
        if (!json_is_number(value) || strcmp(key, "real_time") == 0 ||
            import_is_one_of(key, not_measured))
            continue;
        /* A counter of the user's must not meet one of ours. */
        const char *raw = cpu ? "CPUTIME"
                          : strcmp(key, "CLOCK") == 0 || strcmp(key, "CPUTIME") == 0
                              ? arena_printf(in->scratch, "%s counter", key)
                              : key;
        if (import_observable(in, r, raw, import_nowhere, &index))
            return -1;
        import_put(r, index, row, json_number_value(value) * (cpu ? unit : 1));
    }
    return 0;
}

static int read_entry(struct import *in, const struct json_way *way, json_t *entry)
{
    struct import_arguments a;
    if (!json_is_object(entry))
        return json_error_at(in, way, "an object {...} is expected here");
    json_t *value = json_member(in, way, entry, "name", JSON_STRING);
    if (!value)
        return -1;
    const char *name = json_string_value(value);
    if (is_aggregate(entry, name))
        return 0;
    if (json_is_true(json_object_get(entry, "error_occurred"))) {
        import_note(in, "%.100s failed and is left out", name);
        return 0;
    }
    struct json_way name_way = json_way_key(way, "name");
    struct import_region *r = import_benchmark(in, &name_way, name, true, &a);
    return r ? read_measurements(in, way, entry, r, a.values) : -1;
}

/* The context has the host and the date; all of it may be missing. */
static int read_context(struct import *in, const struct json_way *top, json_t *root)
{
    int status = 0;
    struct json_way way = json_way_key(top, "context");
    json_t *context = json_optional(in, top, root, "context", JSON_OBJECT, &status);
    struct {
        const char *key, **where;
    } texts[] = {
        {"date", &in->file.date}, {"host_name", &in->file.host}, {"executable", &in->file.program}};
    for (size_t i = 0; context && i < sizeof texts / sizeof *texts; i++) {
        json_t *value = json_optional(in, &way, context, texts[i].key, JSON_STRING, &status);
        if (value)
            *texts[i].where = import_clean(in, json_string_value(value));
    }
    return status;
}

static int read_root(struct import *in, json_t *root)
{
    struct json_way top = json_way_top(in->begin), way = json_way_key(&top, "benchmarks");
    json_t *list = json_member(in, &top, root, "benchmarks", JSON_ARRAY);
    if (!list || read_context(in, &top, root))
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct json_way entry = json_way_index(&way, i);
        if (read_entry(in, &entry, json_array_get(list, i)))
            return -1;
    }
    return 0;
}

int import_read_google_benchmark(struct import *in)
{
    json_t *root = import_json_parse(in, in->begin, in->size);
    int status = root ? read_root(in, root) : -1;
    json_decref(root);
    return status;
}
