/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collecting measurements. Rows are found by a hash table of points; a point's rows are chained in
 * the order of its repetitions, and each observable remembers the row it filled last, so that the
 * k-th value of every metric lands in the k-th row of the point, in whatever order the file has
 * them. Names come last (name.c), when all regions are known.
 */
#include "data/import/build.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "data/import/name.h"
#include "data/number.h"

enum { KEY_P, KEY_RANK, KEY_THREAD, KEY_VARIABLES };

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool import_number(const char *begin, const char *end, double *value)
{
    while (begin < end && blank(*begin))
        begin++;
    while (end > begin && blank(end[-1]))
        end--;
    /* number_read looks at the byte after the number, which must not be a digit. */
    char copy[64];
    size_t n = (size_t)(end - begin);
    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, begin, n);
    copy[n] = 0;
    return number_read(copy, copy + n, value) == copy + n;
}

bool import_number_text(const char *s, double *value)
{
    return import_number(s, s + strlen(s), value);
}

size_t import_list(struct import *in, const char *list, const char ***words)
{
    size_t n = list ? 1 : 0;
    for (const char *p = list; p && *p; p++)
        n += *p == ',';
    *words = arena_alloc(in->scratch, n + 1, sizeof **words);
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(list, ",");
        (*words)[i] = arena_strndup(in->scratch, list, length);
        list += length + 1;
    }
    return n;
}

const char *import_call_path(struct import *in, const char *s)
{
    return s && *s && strcmp(s, "<root>") != 0 ? s : import_base_name(in);
}

double import_seconds(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1},     {"sec", 1},     {"ms", 1e-3}, {"msec", 1e-3},
                 {"us", 1e-6}, {"usec", 1e-6}, {"ns", 1e-9}, {"nsec", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    return 0;
}

struct import_region *import_region(struct import *in, const char *path, const char *short_name,
                                    struct span where)
{
    size_t known = lookup_find(&in->paths, path, strlen(path));
    if (known != SIZE_MAX)
        return in->regions[known];
    if (strlen(path) > IMPORT_MAX_NAME)
        return diag_null(import_error(in, where, "a name longer than %d bytes", IMPORT_MAX_NAME));
    if (in->nregions >= IMPORT_MAX_EXPERIMENTS)
        return diag_null(import_error(in, where, "more than %d experiments: split the file",
                                      IMPORT_MAX_EXPERIMENTS));
    struct import_region *r = arena_zalloc(in->scratch, 1, sizeof *r);
    r->raw = arena_strdup(in->scratch, path);
    r->path = import_clean(in, path);
    r->short_name = short_name ? arena_strdup(in->scratch, short_name) : NULL;
    lookup_add(&in->paths, in->scratch, r->raw, in->nregions);
    MEM_ADD(in->regions, in->nregions, &in->room_regions, r);
    return r;
}

static int add_cells(struct import *in, size_t n, struct span where)
{
    in->ncells += n;
    if (in->ncells <= IMPORT_MAX_CELLS)
        return 0;
    return import_error(in, where, "more than %d numbers: split the file", IMPORT_MAX_CELLS);
}

static void column_reserve(struct import_column *c, size_t rows)
{
    c->values = mem_grow(c->values, &c->capacity, rows, sizeof *c->values);
}

static bool same_parameters(const struct import_region *r, const char *const *names, size_t n)
{
    if (!r || r->nparameters != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(r->parameters[i], names[i]) != 0)
            return false;
    return true;
}

static int check_parameters(struct import *in, const char *const *names, size_t n,
                            struct span where)
{
    if (n > IMPORT_MAX_COLUMNS)
        return import_error(in, where, "more than %d variables", IMPORT_MAX_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        if (!*names[i] || strlen(names[i]) > IMPORT_MAX_NAME)
            return import_error(in, where, "the name of a variable is %s",
                                *names[i] ? "too long" : "empty");
        if (text_is_in(names, i, names[i]))
            return import_error(in, where, "the variable '%s' is named twice", names[i]);
    }
    return 0;
}

/* Most files have the same parameters everywhere: then the names made before are taken. */
int import_set_parameters(struct import *in, struct import_region *r, const char *const *names,
                          size_t n, struct span where)
{
    const struct import_region *like = in->named;
    if (!same_parameters(like, names, n))
        like = NULL;
    if (!like && check_parameters(in, names, n, where))
        return -1;
    r->parameters = like ? like->parameters : arena_alloc(in->scratch, n + 1, sizeof *names);
    r->variables = mem_zalloc(n + 1, sizeof *r->variables);
    r->nparameters = n;
    r->has_parameters = true;
    in->named = r;
    for (size_t i = 0; i < n; i++) {
        if (!like)
            r->parameters[i] = arena_strdup(in->scratch, names[i]);
        if (strcmp(names[i], data_field_names[FIELD_P]) == 0)
            continue;
        struct import_column *c = &r->variables[r->nvariables];
        c->raw = r->parameters[i];
        c->name = like ? like->variables[r->nvariables].name
                       : import_variable_name(in, c->raw, r->variables, r->nvariables);
        r->nvariables++;
        if (!like && strcmp(c->name, c->raw) != 0)
            import_note(in, "'%s' is the variable %s", c->raw, c->name);
    }
    return 0;
}

struct import_region *import_region_over(struct import *in, const char *path,
                                         const char *short_name, const char *const *names, size_t n,
                                         struct span where)
{
    struct import_region *r = import_region(in, path, short_name, where);
    bool bad = r && !r->has_parameters && import_set_parameters(in, r, names, n, import_nowhere);
    return bad ? NULL : r;
}

static int add_observable(struct import *in, struct import_region *r, const char *raw,
                          const char *name, struct span where)
{
    if (strlen(raw) > IMPORT_MAX_NAME)
        return import_error(in, where, "a name longer than %d bytes", IMPORT_MAX_NAME);
    if (r->nobservables >= IMPORT_MAX_COLUMNS)
        return import_error(in, where, "more than %d observables", IMPORT_MAX_COLUMNS);
    if (add_cells(in, r->nrows, where))
        return -1;
    r->observables = mem_resize(r->observables, r->nobservables + 1, sizeof *r->observables);
    struct import_column *c = &r->observables[r->nobservables];
    *c = (struct import_column){.raw = arena_strdup(in->scratch, raw)};
    c->name = import_observable_name(in, name, r->observables, r->nobservables);
    r->nobservables++;
    if (strcmp(c->name, raw) != 0 && strcmp(c->name, "CLOCK") != 0)
        import_note(in, "'%s' is the observable %s", raw, c->name);
    column_reserve(c, r->nrows);
    for (size_t i = 0; i < r->nrows; i++)
        c->values[i] = NAN;
    return 0;
}

static size_t find_observable(const struct import_region *r, const char *raw)
{
    const struct import_column *found = TEXT_ELEMENT(r->observables, r->nobservables, raw, raw);
    return found ? (size_t)(found - r->observables) : SIZE_MAX;
}

int import_observable(struct import *in, struct import_region *r, const char *raw,
                      struct span where, size_t *index)
{
    *index = find_observable(r, raw);
    if (*index == SIZE_MAX) {
        *index = r->nobservables;
        return add_observable(in, r, raw, raw, where);
    }
    return 0;
}

int import_metric(struct import *in, struct import_region *r, const char *metric, struct span where,
                  size_t *index, double *scale)
{
    const char *time = in->options->time;
    bool is_time = time ? strcmp(metric, time) == 0
                        : !*metric || strcmp(metric, "<default>") == 0 ||
                              strcasecmp(metric, "time") == 0 || strcmp(metric, "CLOCK") == 0;
    in->time_found = in->time_found || (time && is_time);
    *scale = is_time ? in->unit : 1;
    *index = find_observable(r, metric);
    if (*index != SIZE_MAX)
        return 0;
    *index = r->nobservables;
    return add_observable(in, r, metric, is_time ? "CLOCK" : *metric ? metric : "value", where);
}

static size_t find_point(struct import_region *r, const double *key)
{
    r->keys.width = KEY_VARIABLES + r->nvariables;
    size_t point = tuples_number(&r->keys, key);
    if (point == r->npoints)
        MEM_ADD(r->points, r->npoints, &r->point_capacity,
                (struct import_point){SIZE_MAX, SIZE_MAX, 0});
    return point;
}

static size_t *last_row(struct import_region *r, size_t observable, size_t point)
{
    struct import_column *c = &r->observables[observable];
    if (point >= c->points_capacity) {
        size_t capacity = mem_grown(c->points_capacity, point + 1);
        c->last_row = mem_resize(c->last_row, capacity, sizeof *c->last_row);
        for (size_t i = c->points_capacity; i < capacity; i++)
            c->last_row[i] = SIZE_MAX;
        c->points_capacity = capacity;
    }
    return &c->last_row[point];
}

/* A new row at the end of the point's chain. */
static size_t append_row(struct import_region *r, size_t point, const double *key)
{
    struct import_point *p = &r->points[point];
    size_t row = r->nrows;
    r->next = mem_grow(r->next, &r->row_capacity, row + 1, sizeof *r->next);
    double repetition = (double)p->n++;
    const double fixed[FIELD_FIXED] = {
        [FIELD_RUN] = repetition, [FIELD_SEQ] = repetition,        [FIELD_START] = NAN,
        [FIELD_NESTED] = 0,       [FIELD_P] = key[KEY_P],          [FIELD_RANK] = key[KEY_RANK],
        [FIELD_COUNT] = 1,        [FIELD_THREAD] = key[KEY_THREAD]};
    for (size_t f = 0; f < FIELD_FIXED; f++) {
        column_reserve(&r->fixed[f], row + 1);
        r->fixed[f].values[row] = fixed[f];
    }
    for (size_t i = 0; i < r->nvariables; i++) {
        column_reserve(&r->variables[i], row + 1);
        r->variables[i].values[row] = key[KEY_VARIABLES + i];
    }
    for (size_t i = 0; i < r->nobservables; i++) {
        column_reserve(&r->observables[i], row + 1);
        r->observables[i].values[row] = NAN;
    }
    r->next[row] = SIZE_MAX;
    if (p->last == SIZE_MAX)
        p->first = row;
    else
        r->next[p->last] = row;
    p->last = row;
    r->nrows++;
    return row;
}

static int check_keys(struct import *in, const double *key, struct span where)
{
    static const enum data_field fields[KEY_VARIABLES] = {
        [KEY_P] = FIELD_P, [KEY_RANK] = FIELD_RANK, [KEY_THREAD] = FIELD_THREAD};
    for (int i = 0; i < KEY_VARIABLES; i++)
        if (!data_field_holds(fields[i], key[i]))
            return import_error(
                in, where,
                "%s = %g is not %s: give the variable another name if it means something else",
                data_field_names[fields[i]], key[i], data_field_rule(fields[i]));
    return 0;
}

int import_row(struct import *in, struct import_region *r, const double *at, double rank,
               double thread, size_t observable, struct span where, size_t *row)
{
    double key[KEY_VARIABLES + IMPORT_MAX_COLUMNS];
    size_t n = KEY_VARIABLES;
    key[KEY_P] = 1, key[KEY_RANK] = rank, key[KEY_THREAD] = thread;
    for (size_t i = 0; i < r->nparameters; i++) {
        double x = at[i] + 0.0; /* -0 and 0 are one value */
        if (strcmp(r->parameters[i], data_field_names[FIELD_P]) == 0)
            key[KEY_P] = x;
        else
            key[n++] = x;
    }
    if (check_keys(in, key, where))
        return -1;
    size_t point = find_point(r, key);
    *row = SIZE_MAX;
    if (observable != SIZE_MAX) {
        size_t last = *last_row(r, observable, point);
        *row = last == SIZE_MAX ? r->points[point].first : r->next[last];
    }
    if (*row == SIZE_MAX) {
        if (add_cells(in, FIELD_FIXED + r->nvariables + r->nobservables, where))
            return -1;
        *row = append_row(r, point, key);
    }
    if (observable != SIZE_MAX)
        *last_row(r, observable, point) = *row;
    return 0;
}

void import_put(struct import_region *r, size_t observable, size_t row, double value)
{
    r->observables[observable].values[row] = value;
}

int import_add(struct import *in, struct import_region *r, const double *at, size_t observable,
               double value, struct span where)
{
    size_t row;
    if (import_row(in, r, at, 0, 0, observable, where, &row))
        return -1;
    import_put(r, observable, row, value);
    return 0;
}

static void finish_region(struct import *in, struct import_region *r, const char *name)
{
    struct dataset *d = in->fresh;
    struct experiment *e = dataset_add_experiment(d, name);
    const double **columns =
        arena_alloc(in->scratch, FIELD_FIXED + r->nvariables + r->nobservables, sizeof *columns);
    size_t n = 0;
    for (size_t f = 0; f < FIELD_FIXED; f++)
        columns[n++] = r->fixed[f].values;
    for (size_t i = 0; i < r->nvariables; i++) {
        experiment_add_variable(d, e, r->variables[i].name);
        columns[n++] = r->variables[i].values;
    }
    for (size_t i = 0; i < r->nobservables; i++) {
        experiment_add_observable(d, e, r->observables[i].name);
        columns[n++] = r->observables[i].values;
        if (r->formula)
            experiment_set_formula(d, e, r->observables[i].name, import_clean(in, r->formula), 0);
    }
    if (strcmp(r->path, name) != 0 && strcmp(r->path, import_base_name(in)) != 0)
        experiment_add_source(d, e, r->path);
    experiment_add_segment(e, 0);
    experiment_append(e, columns, NULL, r->nrows);
}

static int time_missing(struct import *in)
{
    TEXT_LOCAL struct text have = text_new();
    const struct import_region *r = in->regions[0];
    for (size_t i = 0; i < r->nobservables && have.n < 200; i++)
        text_printf(&have, "%s'%.60s'", i ? ", " : "", r->observables[i].raw);
    return import_error(in, import_nowhere, "there is no metric '%.60s': the file has %s",
                        in->options->time, have.s);
}

int import_finish(struct import *in)
{
    size_t rows = 0;
    for (size_t i = 0; i < in->nregions; i++)
        rows += in->regions[i]->nrows;
    if (rows == 0)
        return import_error(in, import_nowhere, "there is no measurement in this file (%s)",
                            import_formats[in->format].name);
    if (in->options->time && !in->time_found)
        return time_missing(in);
    const char **names = arena_alloc(in->scratch, in->nregions, sizeof *names);
    if (import_choose_names(in, names))
        return -1;
    dataset_add_file(in->fresh, &in->file);
    for (size_t i = 0; i < in->nregions; i++)
        if (in->regions[i]->nrows)
            finish_region(in, in->regions[i], names[i]);
    return 0;
}

static void free_columns(struct import_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mem_free(columns[i].values);
        mem_free(columns[i].last_row);
    }
}

void import_free(struct import *in)
{
    for (size_t i = 0; i < in->nregions; i++) {
        struct import_region *r = in->regions[i];
        free_columns(r->fixed, FIELD_FIXED);
        free_columns(r->variables, r->nvariables);
        free_columns(r->observables, r->nobservables);
        mem_free(r->variables);
        mem_free(r->observables);
        mem_free(r->next);
        mem_free(r->points);
        tuples_free(&r->keys);
    }
    mem_free(in->regions);
}
