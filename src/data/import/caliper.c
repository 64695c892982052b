/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Caliper's JSON, as cali-query and the report services write it:
 *
 *     json-split    {"data": [[...]...], "columns": [...], "column_metadata": [...],
 *                    "nodes": [{"label", "column", "parent"}...], GLOBAL: TEXT, ...}
 *     json          [{ATTRIBUTE: value, ...}...]
 *     json(object)  {"records": [{...}...], "globals": {...}, "attributes": {...}}
 *
 * A record is a sample. Its hierarchy (path, else function, region, annotation, loop) is the call path
 * of the experiment. One numeric attribute is the time, those and the globals that the option
 * `variables` names are variables, mpi.rank and a thread's id are the rank and the thread, the
 * iterations of loops are left out, and the others are observables.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "data/import/arguments.h"
#include "data/import/name.h"

enum role {
    ROLE_OBSERVABLE,
    ROLE_TIME,
    ROLE_RANK,
    ROLE_THREAD,
    ROLE_VARIABLE,
    ROLE_PATH,
    ROLE_OUT
};

struct attribute {
    const char *name;
    enum role role;
    double scale;    /* ROLE_TIME: seconds */
    size_t variable; /* ROLE_VARIABLE: its index */
};

struct caliper {
    struct import *in;
    json_t *root, *nodes, *globals;
    struct attribute attributes[IMPORT_MAX_COLUMNS];
    size_t nattributes;
    const char **variables; /* raw names: those of the option, then P */
    double *values;         /* of the present record */
    bool *is_global;        /* its value is the same in all records */
    size_t nvariables;
};

static const char *const paths[] = {"path", "function", "region", "annotation", "loop", NULL};

bool import_is_caliper(const char *text, size_t size)
{
    if (size && text[0] == '{')
        return (import_json_has_key(text, size, "columns", false) &&
                import_json_has_key(text, size, "column_metadata", false)) ||
               (import_json_has_key(text, size, "records", false) &&
                import_json_has_key(text, size, "attributes", true));
    size_t at = 1;
    while (at < size && strchr(" \t\r\n", text[at] ? text[at] : 'x'))
        at++;
    for (size_t i = 0; at < size && paths[i]; i++)
        if (import_json_has_key(text + at, size - at, paths[i], false))
            return true;
    return false;
}

/* A number, or a text that is one. */
static bool number_of(const json_t *value, double *x)
{
    const char *s = json_string_value(value);
    *x = json_number_value(value);
    return json_is_number(value) || (s && import_number_text(s, x) && isfinite(*x));
}

static bool begins(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

/* Names that Caliper gives to the time of a region, the best first. */
static size_t rank_as_time(const char *name)
{
    static const char *const names[] = {"time",
                                        "time (inc)",
                                        "time.inclusive.duration",
                                        "sum#time.inclusive.duration",
                                        "inclusive#sum#time.duration",
                                        "time.inclusive.duration.ns",
                                        "sum#time.inclusive.duration.ns",
                                        "inclusive#sum#time.duration.ns",
                                        "avg#inclusive#sum#time.duration",
                                        "avg#inclusive#sum#time.duration.ns",
                                        "sum#time.duration",
                                        "time.duration",
                                        "sum#time.duration.ns",
                                        "time.duration.ns",
                                        "time (exc)"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && strcmp(name, names[i]) != 0)
        i++;
    return i;
}

/* Seconds of one unit of the time: the option, the file's own words, the end of the name, seconds. */
static double time_scale(const struct caliper *c, const char *name, const json_t *metadata)
{
    const char *unit = json_string_value(json_object_get(metadata, "attribute.unit"));
    double own = unit ? import_seconds(unit) : 0;
    if (c->in->options->unit)
        return c->in->unit;
    if (own > 0)
        return own;
    return text_ends_with(name, ".ns") ? 1e-9 : 1;
}

static enum role role_of(const struct caliper *c, const char *name, size_t *variable)
{
    for (*variable = 0; *variable < c->nvariables; ++*variable)
        if (strcmp(name, c->variables[*variable]) == 0)
            return ROLE_VARIABLE;
    if (import_is_one_of(name, paths))
        return ROLE_PATH;
    if (strcmp(name, "mpi.rank") == 0 || strcmp(name, "rank") == 0)
        return ROLE_RANK;
    if (strcmp(name, "omp.thread.id") == 0 || strcmp(name, "pthread.id") == 0)
        return ROLE_THREAD;
    return begins(name, "iteration#") || strcmp(name, "iteration") == 0 ? ROLE_OUT
                                                                        : ROLE_OBSERVABLE;
}

/* The attribute of this name; a new one gets its role. */
static struct attribute *attribute_of(struct caliper *c, const char *name, const json_t *metadata)
{
    struct attribute *a = TEXT_ELEMENT(c->attributes, c->nattributes, name, name);
    if (a)
        return a;
    if (c->nattributes == IMPORT_MAX_COLUMNS)
        return diag_null(
            import_error(c->in, import_nowhere, "more than %d attributes", IMPORT_MAX_COLUMNS));
    a = &c->attributes[c->nattributes++];
    *a = (struct attribute){.name = arena_strdup(c->in->scratch, name),
                            .scale = time_scale(c, name, metadata)};
    a->role = role_of(c, name, &a->variable);
    if (a->role == ROLE_OUT)
        import_note(c->in, "%.60s, the number of an iteration, is left out", name);
    return a;
}

/* Which attribute is the time, when all are known. */
static int choose_time(struct caliper *c)
{
    struct import *in = c->in;
    struct attribute *best = NULL;
    TEXT_LOCAL struct text list = text_new();
    for (size_t i = 0; i < c->nattributes; i++) {
        struct attribute *a = &c->attributes[i];
        if (a->role != ROLE_OBSERVABLE)
            continue;
        if (list.n < 300)
            text_printf(&list, "%s%.60s", list.n ? ", " : "", a->name);
        if (in->options->time ? strcmp(a->name, in->options->time) == 0
                              : !best || rank_as_time(a->name) < rank_as_time(best->name))
            best = a;
    }
    bool is_time = best && (in->options->time || rank_as_time(best->name) < rank_as_time(""));
    int status = 0;
    if (is_time) {
        best->role = ROLE_TIME;
        in->time_found = true;
    } else if (!in->options->time) {
        status = import_error(in, import_nowhere,
                              "which attribute is the time? Use 'load FILE time=ATTRIBUTE'; the "
                              "file has %s",
                              list.n ? list.s : "none");
    }
    return status;
}

/* --- the hierarchy --- */

/* The labels from the root of the node down, with arrows between them. */
static int add_node(struct caliper *c, const struct json_way *cell, double index, struct text *path)
{
    enum { ARROW = 2, MOST_DEPTH = IMPORT_MAX_NAME / ARROW };
    const char *labels[MOST_DEPTH];
    size_t n = 0, length = 0;
    for (bool more = true; more;) {
        size_t i = index >= 0 && index < 1e9 ? (size_t)index : SIZE_MAX;
        json_t *node = json_array_get(c->nodes, i), *parent = json_object_get(node, "parent");
        const char *label = json_string_value(json_object_get(node, "label"));
        if (!label)
            return json_error_at(c->in, cell, "there is no such node with a label");
        length += strlen(label) + ARROW;
        if (n == MOST_DEPTH || length > IMPORT_MAX_NAME)
            return json_error_at(c->in, cell, "a call path longer than %d bytes", IMPORT_MAX_NAME);
        labels[n++] = label;
        more = json_is_number(parent);
        index = json_number_value(parent);
    }
    while (n-- > 0)
        text_printf(path, "%s%s", path->n ? "->" : "", labels[n]);
    return 0;
}

/* A text such as "main/solve", or a list of texts. */
static void add_texts(struct text *path, const json_t *value)
{
    const char *s = json_string_value(value);
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++)
        add_texts(path, json_array_get(value, i));
    if (!s || !*s)
        return;
    text_add(path, path->n ? "->" : "");
    for (; *s; s++) {
        if (*s == '/')
            text_add(path, "->");
        else
            text_addc(path, *s);
    }
}

/* --- records --- */

struct record {
    struct text path;
    double rank, thread;
    struct {
        const struct attribute *attribute;
        double value;
    } values[IMPORT_MAX_COLUMNS];
    size_t n;
};

/* One attribute of a record. `split`: of json-split, where a hierarchy is the index of a node. */
static int take_value(struct caliper *c, const struct json_way *way, struct record *r,
                      const char *name, const json_t *metadata, const json_t *value, bool split)
{
    double x;
    const struct attribute *a = attribute_of(c, name, metadata);
    if (!a)
        return -1;
    bool node = split && json_is_false(json_object_get(metadata, "is_value"));
    if (json_is_null(value) || a->role == ROLE_OUT)
        return 0;
    if (a->role == ROLE_PATH || node) {
        if (node && json_is_number(value))
            return add_node(c, way, json_number_value(value), &r->path);
        add_texts(&r->path, value);
        return 0;
    }
    if (!number_of(value, &x))
        return a->role == ROLE_VARIABLE ? json_error_at(c->in, way, "a number is expected here")
                                        : 0;
    if (a->role == ROLE_RANK)
        r->rank = x;
    else if (a->role == ROLE_THREAD)
        r->thread = x;
    else if (a->role == ROLE_VARIABLE)
        c->values[a->variable] = x;
    else {
        r->values[r->n].attribute = a;
        r->values[r->n++].value = x;
    }
    return 0;
}

static int add_record(struct caliper *c, const struct json_way *way, struct record *r)
{
    struct import *in = c->in;
    size_t row, observable;
    if (r->n == 0 || r->path.n == 0) {
        if (r->n)
            import_note(in, "records outside of regions are left out");
        return 0;
    }
    for (size_t i = 0; i < c->nvariables; i++)
        if (isnan(c->values[i]))
            return json_error_at(in, way, "the variable '%.60s' is neither here nor a global",
                                 c->variables[i]);
    if (r->path.n > IMPORT_MAX_NAME)
        return json_error_at(in, way, "a call path longer than %d bytes", IMPORT_MAX_NAME);
    struct import_region *region =
        import_region_over(in, r->path.s, NULL, c->variables, c->nvariables, import_nowhere);
    if (!region ||
        import_row(in, region, c->values, r->rank, r->thread, SIZE_MAX, import_nowhere, &row))
        return -1;
    for (size_t i = 0; i < r->n; i++) {
        const struct attribute *a = r->values[i].attribute;
        bool time = a->role == ROLE_TIME;
        /* Another attribute must not meet the time. */
        const char *name = time                            ? "CLOCK"
                           : strcmp(a->name, "CLOCK") == 0 ? "CLOCK attribute"
                                                           : a->name;
        if (import_observable(in, region, name, import_nowhere, &observable))
            return -1;
        import_put(region, observable, row, r->values[i].value * (time ? a->scale : 1));
    }
    return 0;
}

static void clear_record(struct caliper *c, struct record *r)
{
    text_clear(&r->path);
    r->rank = r->thread = 0;
    r->n = 0;
    for (size_t i = 0; i < c->nvariables; i++)
        if (!c->is_global[i])
            c->values[i] = NAN;
}

/* The attributes of all records first: which of them is the time depends on all. */
static int know_attributes(struct caliper *c, json_t *records)
{
    const char *key;
    json_t *value;
    for (size_t i = 0; i < json_array_size(records); i++) {
        double x;
        json_t *record = json_array_get(records, i);
        json_object_foreach(record, key, value)
        {
            json_t *about = json_object_get(json_object_get(c->root, "attributes"), key);
            if (number_of(value, &x) && !attribute_of(c, key, about))
                return -1;
        }
    }
    return choose_time(c);
}

static int read_records(struct caliper *c, const struct json_way *way)
{
    const char *key;
    json_t *value;
    struct record *r = arena_zalloc(c->in->scratch, 1, sizeof *r);
    int status = know_attributes(c, way->value);
    text_init(&r->path);
    for (size_t i = 0; status == 0 && i < json_way_size(way) && !interrupt_came(); i++) {
        struct json_way element = json_way_index(way, i);
        status = json_need(c->in, &element, JSON_OBJECT);
        clear_record(c, r);
        json_object_foreach(element.value, key, value)
        {
            struct json_way member = json_way_key(&element, key);
            if (status == 0)
                status = take_value(c, &member, r, key, NULL, value, false);
        }
        if (status == 0)
            status = add_record(c, &element, r);
    }
    text_free(&r->path);
    return status;
}

static int read_rows(struct caliper *c, const struct json_way *data, json_t *columns,
                     json_t *metadata)
{
    struct record *r = arena_zalloc(c->in->scratch, 1, sizeof *r);
    size_t n = json_array_size(columns);
    int status = 0;
    text_init(&r->path);
    for (size_t i = 0; status == 0 && i < json_way_size(data) && !interrupt_came(); i++) {
        struct json_way row = json_way_index(data, i);
        if (json_way_size(&row) != n)
            status = json_error_at(c->in, &row, "a list of %zu values is expected here", n);
        clear_record(c, r);
        for (size_t k = 0; status == 0 && k < n; k++) {
            struct json_way cell = json_way_index(&row, k);
            status = take_value(c, &cell, r, json_string_value(json_array_get(columns, k)),
                                json_array_get(metadata, k), cell.value, true);
        }
        if (status == 0)
            status = add_record(c, &row, r);
    }
    text_free(&r->path);
    return status;
}

static int read_split(struct caliper *c, const struct json_way *top)
{
    struct import *in = c->in;
    struct json_way data = json_way_key(top, "data"), columns = json_way_key(top, "columns"),
                    metadata = json_way_key(top, "column_metadata"),
                    nodes = json_way_key(top, "nodes");
    if (json_need(in, &data, JSON_ARRAY) || json_need(in, &columns, JSON_ARRAY) ||
        json_need(in, &metadata, JSON_ARRAY) || json_need(in, &nodes, JSON_ARRAY))
        return -1;
    c->nodes = nodes.value;
    if (json_way_size(&columns) > IMPORT_MAX_COLUMNS)
        return json_error_at(in, &columns, "more than %d columns", IMPORT_MAX_COLUMNS);
    for (size_t i = 0; i < json_way_size(&columns); i++) {
        struct json_way element = json_way_index(&columns, i);
        const char *name = json_string_value(element.value);
        if (!name)
            return json_error_at(in, &element, "the name of a column is expected here");
        json_t *about = json_array_get(metadata.value, i);
        if (!json_is_false(json_object_get(about, "is_value")) && !attribute_of(c, name, about))
            return -1;
    }
    return choose_time(c) || read_rows(c, &data, columns.value, metadata.value) ? -1 : 0;
}

/* --- variables --- */

/* The variables of the option, and P from the globals. */
static void know_variables(struct caliper *c)
{
    static const char *const processors[] = {"mpi.world.size", "jobsize"};
    struct import *in = c->in;
    const char **names;
    size_t n = import_list(in, in->options->variables, &names);
    bool has_p = false;
    c->variables = arena_alloc(in->scratch, n + 1, sizeof *c->variables);
    c->values = arena_alloc(in->scratch, n + 1, sizeof *c->values);
    c->is_global = arena_zalloc(in->scratch, n + 1, sizeof *c->is_global);
    for (size_t i = 0; i < n; i++) {
        c->variables[i] = names[i];
        c->is_global[i] = number_of(json_object_get(c->globals, names[i]), &c->values[i]);
        has_p = has_p || strcmp(names[i], data_field_names[FIELD_P]) == 0;
    }
    c->nvariables = n;
    double p;
    for (size_t i = 0; !has_p && i < 2; i++)
        if (number_of(json_object_get(c->globals, processors[i]), &p)) {
            c->variables[n] = data_field_names[FIELD_P];
            c->values[n] = p;
            c->is_global[n] = true;
            c->nvariables = n + 1;
            return;
        }
}

static void read_globals(struct caliper *c)
{
    struct import *in = c->in;
    struct {
        const char *key, **where;
    } texts[] = {{"cluster", &in->file.host},
                 {"launchdate", &in->file.date},
                 {"executablepath", &in->file.program}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *s = json_string_value(json_object_get(c->globals, texts[i].key));
        if (s)
            *texts[i].where = import_clean(in, s);
    }
}

int import_read_caliper(struct import *in, const struct json_way *top)
{
    struct caliper *c = arena_zalloc(in->scratch, 1, sizeof *c);
    struct json_way records = json_way_key(top, "records");
    c->in = in;
    c->root = top->value;
    c->globals = records.value ? json_object_get(c->root, "globals") : c->root;
    know_variables(c);
    read_globals(c);
    if (json_is_array(c->root))
        return read_records(c, top);
    if (!records.value)
        return read_split(c, top);
    return json_is_array(records.value)
               ? read_records(c, &records)
               : json_error_at(in, &records, "a list of records is expected here");
}
