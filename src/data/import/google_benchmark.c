/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Google Benchmark's JSON. The name of a benchmark holds its arguments (arguments.h).
 * Aggregates are skipped. Times are per iteration, in the unit the entry names.
 */
#include <string.h>

#include "base/text.h"
#include "data/import/arguments.h"

static bool is_aggregate(json_t *entry, const char *name)
{
    static const char *const endings[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
    const char *type = json_string_value(json_object_get(entry, "run_type"));
    if (type)
        return strcmp(type, "aggregate") == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends_with(name, endings[i]))
            return true;
    return false;
}

static int time_unit(struct import *in, const struct json_way *entry, double *unit)
{
    struct json_way member = json_way_key(entry, "time_unit");
    if (json_allow(in, &member, JSON_STRING))
        return -1;
    *unit = member.value ? import_seconds(json_string_value(member.value)) : 1e-9;
    return *unit > 0 ? 0
                     : json_error_at(in, &member, "'%.40s' is not a unit of time (ns, us, ms, s)",
                                     json_string_value(member.value));
}

/* The times, and every other number as an observable of its name. */
static int read_measurements(struct import *in, const struct json_way *entry,
                             struct import_region *r, const double *at)
{
    static const char *const not_measured[] = {"family_index", "per_family_instance_index",
                                               "repetitions",  "repetition_index",
                                               "threads",      NULL};
    const char *key;
    double unit;
    json_t *value;
    size_t row = SIZE_MAX, index;
    struct json_way time = json_way_key(entry, "real_time");
    if (time_unit(in, entry, &unit) || json_need(in, &time, JSON_REAL) ||
        import_observable(in, r, "CLOCK", import_nowhere, &index) ||
        import_row(in, r, at, 0, 0, SIZE_MAX, import_nowhere, &row))
        return -1;
    import_put(r, index, row, json_number_value(time.value) * unit);
    json_object_foreach(entry->value, key, value)
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

static int read_entry(struct import *in, const struct json_way *entry)
{
    struct import_place a;
    struct json_way name_way = json_way_key(entry, "name");
    if (json_need(in, entry, JSON_OBJECT) || json_need(in, &name_way, JSON_STRING))
        return -1;
    const char *name = json_string_value(name_way.value);
    if (is_aggregate(entry->value, name))
        return 0;
    if (json_is_true(json_object_get(entry->value, "error_occurred"))) {
        import_note(in, "%.100s failed and is left out", name);
        return 0;
    }
    struct import_region *r = import_benchmark(in, &name_way, name, true, &a);
    return r ? read_measurements(in, entry, r, a.values) : -1;
}

int import_read_google_benchmark(struct import *in, const struct json_way *top)
{
    struct json_way list = json_way_key(top, "benchmarks"), context = json_way_key(top, "context");
    if (json_need(in, &list, JSON_ARRAY) || json_allow(in, &context, JSON_OBJECT) ||
        json_keep_text(in, &context, "date", &in->file.date) ||
        json_keep_text(in, &context, "host_name", &in->file.host) ||
        json_keep_text(in, &context, "executable", &in->file.program))
        return -1;
    for (size_t i = 0; i < json_way_size(&list); i++) {
        struct json_way entry = json_way_index(&list, i);
        if (read_entry(in, &entry))
            return -1;
    }
    return 0;
}
