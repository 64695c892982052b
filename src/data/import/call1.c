/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of CALL 1.0: one object with `cll_experiment`, whose `headers` name the columns of
 * `sample`. CPU is the rank, NCPUS is P, what IDENTS lists are variables, the rest was measured.
 * The rows of a file are one run of the program; the k-th row of a rank at a point is matched with
 * the k-th of the other ranks. PAPI_REAL_USEC stays, and becomes CLOCK in seconds besides.
 */
#include <string.h>

#include "formula/formula.h"
#include "data/import/json.h"

enum call1_role { ROLE_RANK, ROLE_VARIABLE, ROLE_OBSERVABLE };

struct call1 {
    struct import *in;
    const struct json_way *way; /* of cll_experiment */
    struct import_region *region;
    enum call1_role *roles;
    size_t *targets; /* by column: index of the parameter or observable */
    size_t ncolumns, clock, usec;
};

static bool lists(json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *s = json_string_value(json_array_get(list, i));
        if (s && strcmp(s, name) == 0)
            return true;
    }
    return false;
}

static int read_headers(struct call1 *c, const struct json_way *way, json_t *idents)
{
    struct import *in = c->in;
    size_t n = json_way_size(way), nparameters = 0;
    const char **names = arena_alloc(in->scratch, n + 1, sizeof *names),
               **parameters = arena_alloc(in->scratch, n + 1, sizeof *parameters);
    if (n > IMPORT_MAX_COLUMNS)
        return json_error_at(in, way, "more than %d columns", IMPORT_MAX_COLUMNS);
    c->ncolumns = n;
    c->roles = arena_alloc(in->scratch, n + 1, sizeof *c->roles);
    c->targets = arena_zalloc(in->scratch, n + 1, sizeof *c->targets);
    for (size_t i = 0; i < n; i++) {
        struct json_way element = json_way_index(way, i);
        names[i] = json_string_value(element.value);
        if (!names[i] || !*names[i])
            return json_error_at(in, &element, "the name of a column is expected here");
        if (text_is_in(names, i, names[i]))
            return json_error_at(in, &element, "the column '%.60s' appears twice", names[i]);
        bool ncpus = strcmp(names[i], "NCPUS") == 0;
        c->roles[i] = ncpus || lists(idents, names[i]) ? ROLE_VARIABLE
                      : strcmp(names[i], "CPU") == 0   ? ROLE_RANK
                                                       : ROLE_OBSERVABLE;
        if (c->roles[i] == ROLE_VARIABLE) {
            c->targets[i] = nparameters;
            parameters[nparameters++] = ncpus ? data_field_names[FIELD_P] : names[i];
        }
    }
    if (import_set_parameters(in, c->region, parameters, nparameters, json_way_span(in, way)))
        return -1;
    c->clock = c->usec = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (c->roles[i] != ROLE_OBSERVABLE)
            continue;
        if (strcmp(names[i], "PAPI_REAL_USEC") == 0) {
            c->usec = i;
            if (import_observable(in, c->region, "CLOCK", import_nowhere, &c->clock))
                return -1;
        }
        if (import_observable(in, c->region, names[i], import_nowhere, &c->targets[i]))
            return -1;
    }
    if (c->region->nobservables == 0)
        return json_error_at(in, way, "no column was measured");
    return 0;
}

static int read_row(struct call1 *c, const struct json_way *way)
{
    struct import *in = c->in;
    double at[IMPORT_MAX_COLUMNS], values[IMPORT_MAX_COLUMNS], rank = 0;
    size_t row;
    if (!json_is_array(way->value) || json_way_size(way) != c->ncolumns)
        return json_error_at(in, way, "a list of %zu numbers is expected here, as in headers",
                             c->ncolumns);
    for (size_t i = 0; i < c->ncolumns; i++) {
        struct json_way element = json_way_index(way, i);
        if (json_number_at(in, &element, &values[i]))
            return -1;
        if (c->roles[i] == ROLE_RANK)
            rank = values[i];
        else if (c->roles[i] == ROLE_VARIABLE)
            at[c->targets[i]] = values[i];
    }
    if (import_row(in, c->region, at, rank, 0, SIZE_MAX, import_nowhere, &row))
        return -1;
    c->region->fixed[FIELD_RUN].values[row] = 0;
    for (size_t i = 0; i < c->ncolumns; i++)
        if (c->roles[i] == ROLE_OBSERVABLE)
            import_put(c->region, c->targets[i], row, values[i]);
    if (c->usec != SIZE_MAX)
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): usec is a column
        import_put(c->region, c->clock, row, values[c->usec] * 1e-6);
    return 0;
}

/* A formula that cannot be used is left out with a warning: the samples are good without it. */
static void take_formula(struct call1 *c, const char *name, const char *text)
{
    struct import *in = c->in;
    struct json_way way = json_way_key(c->way, "INFORMULA");
    DIAG_LOCAL struct diag *diag = diag_create();
    const struct formula *f = formula_parse_text(in->scratch, text, name, diag);
    bool good = f && formula_linearize(in->scratch, f, NULL, diag) &&
                strcmp(import_identifier(in, name), name) == 0;
    if (good)
        c->region->formula = arena_strdup(in->scratch, text);
    else
        import_warning(in, json_way_span(in, &way), "the formula '%.100s' is left out: %s", text,
                       diag_first(diag, SEVERITY_ERROR) ? diag_first(diag, SEVERITY_ERROR)
                                                        : "its experiment has another name here");
}

static void add_lines(struct import *in, json_t *experiment)
{
    json_t *begin = json_array_get(json_object_get(experiment, "BEGIN_LINE"), 0),
           *end = json_array_get(json_object_get(experiment, "END_LINE"), 0);
    if (json_is_number(begin) && json_is_number(end))
        import_note(in, "lines %.0f-%.0f of %s", json_number_value(begin), json_number_value(end),
                    *in->file.program ? in->file.program : "the program");
}

static int read_experiment(struct import *in, const struct json_way *way)
{
    struct call1 c = {.in = in, .way = way};
    struct json_way name = json_way_key(way, "EXPERIMENT"), headers = json_way_key(way, "headers"),
                    sample = json_way_key(way, "sample"), idents = json_way_key(way, "IDENTS"),
                    formula = json_way_key(way, "INFORMULA");
    if (json_need(in, way, JSON_OBJECT) || json_need(in, &name, JSON_STRING) ||
        json_need(in, &headers, JSON_ARRAY) || json_need(in, &sample, JSON_ARRAY) ||
        json_allow(in, &idents, JSON_ARRAY) || json_allow(in, &formula, JSON_STRING))
        return -1;
    const char *path = json_string_value(name.value);
    if (!*path)
        return json_error_at(in, &name, "the experiment has no name");
    if (!(c.region = import_region(in, path, NULL, import_nowhere)))
        return -1;
    if (c.region->has_parameters)
        return json_error_at(in, &name, "the experiment '%.60s' appears twice", path);
    if (read_headers(&c, &headers, idents.value))
        return -1;
    for (size_t i = 0; i < json_way_size(&sample); i++) {
        struct json_way row = json_way_index(&sample, i);
        if (read_row(&c, &row))
            return -1;
    }
    if (formula.value && *json_string_value(formula.value))
        take_formula(&c, path, json_string_value(formula.value));
    add_lines(in, way->value);
    return 0;
}

int import_read_call1(struct import *in, const struct json_way *top)
{
    struct json_way way = json_way_key(top, "cll_experiment");
    /* The machine as the report states it; all of it may be missing. */
    if (json_keep_text(in, top, "PROGRAM", &in->file.program) ||
        json_keep_text(in, top, "NODE_NAME", &in->file.host) ||
        json_keep_text(in, top, "PARALLEL_ID", &in->file.driver))
        return -1;
    in->file.resolution = 1e-6;
    in->file.clock = "PAPI_REAL_USEC";
    if (!json_is_array(way.value))
        return json_need(in, &way, JSON_OBJECT) || read_experiment(in, &way) ? -1 : 0;
    for (size_t i = 0; i < json_way_size(&way); i++) {
        struct json_way element = json_way_index(&way, i);
        if (read_experiment(in, &element))
            return -1;
    }
    return 0;
}
