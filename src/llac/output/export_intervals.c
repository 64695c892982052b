/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions with intervals in exported C and Python: an evaluator in the language (evaluate.h.in, evaluate.py), the
 * data of each model, and a function predict_NAME_interval. Python gets the data as JSON, C as one list of numbers,
 * whose layout evaluate.h.in describes: a model begins with the offsets of its parts; elements of a list have their
 * length before them.
 */
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "llac/output/export.h"
#include "llac/output/output.h"
#include "llac/report/evaluator.h"

extern const char export_c_evaluator[], export_python_evaluator[]; /* made from files here */

/* ---- a list of numbers */

struct packed {
    double *list;
    size_t n, capacity;
    struct arena *arena;
};

static void add(struct packed *p, double x)
{
    p->list = arena_grow(p->arena, p->list, p->n, &p->capacity, p->n + 1, sizeof *p->list);
    p->list[p->n++] = x;
}

static void add_member(struct packed *p, const json_t *object, const char *key)
{
    add(p, json_number_value(json_object_get(object, key))); /* 0 for null */
}

static void add_numbers(struct packed *p, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        add(p, json_number_value(json_array_get(list, i)));
}

/* The place of a length that is known later. */
static size_t begin(struct packed *p)
{
    add(p, 0);
    return p->n - 1;
}

static void end(struct packed *p, size_t place)
{
    p->list[place] = (double)(p->n - place - 1);
}

/* ---- expressions */

/* The operations of evaluate.h.in, from 3 on; ln and pow are written as others. */
static const char *const operations[] = {
    "neg",   "+",    "-",   "*",   "/", "^",  "log", "log2", "log10", "sqrt", "cbrt", "exp", "abs",
    "floor", "ceil", "min", "max", "<", "<=", ">",   ">=",   "==",    "!=",   "and",  "or",  "not"};
enum { PUT_NUMBER, PUT_ARGUMENT, PUT_TABLE, PUT_OPERATION };

static double code_of(const char *name)
{
    size_t k = 0;
    name = strcmp(name, "ln") == 0 ? "log" : strcmp(name, "pow") == 0 ? "^" : name;
    while (k < sizeof operations / sizeof *operations && strcmp(operations[k], name) != 0)
        k++;
    return (double)(PUT_OPERATION + k);
}

/* The variables of the function, and those of the model: the formulas of a search may have others. */
struct scope {
    const json_t *arguments, *own;
};

/* The number of an argument; -1 if the function has no such one. */
static double argument_of(struct scope scope, const char *name)
{
    const json_t *variables = scope.arguments;
    for (size_t i = 0; i < json_array_size(variables); i++) {
        const json_t *v = json_array_get(variables, i);
        if (json_is_true(json_object_get(v, "used")) &&
            strcmp(json_string_value(json_object_get(v, "name")), name) == 0)
            return (double)i;
    }
    return -1;
}

/* What a variable is in an expression: an argument, or the value that it always has. */
static void add_variable(struct packed *p, const char *name, struct scope scope)
{
    double argument = argument_of(scope, name);
    for (size_t i = 0; i < json_array_size(scope.own) && argument < 0; i++) {
        const json_t *v = json_array_get(scope.own, i), *fixed = json_object_get(v, "fixed");
        if (strcmp(json_string_value(json_object_get(v, "name")), name) != 0 ||
            !json_is_number(fixed))
            continue;
        add(p, PUT_NUMBER);
        add(p, json_number_value(fixed));
        return;
    }
    add(p, PUT_ARGUMENT);
    add(p, argument);
}

static void add_program(struct packed *p, const json_t *tree, struct scope scope)
{
    if (json_is_number(tree)) {
        add(p, PUT_NUMBER);
        add(p, json_number_value(tree));
        return;
    }
    if (json_is_object(tree)) {
        add_variable(p, json_string_value(json_object_get(tree, "v")), scope);
        return;
    }
    const char *name = json_string_value(json_array_get(tree, 0));
    bool table = strcmp(name, "machine") == 0;
    size_t first = table ? 2 : 1, n = json_array_size(tree);
    double code = code_of(name);
    for (size_t i = first; i < n; i++) {
        add_program(p, json_array_get(tree, i), scope);
        if (i > first && !table)
            add(p, code); /* min and max of many: two by two */
    }
    if (table) {
        add(p, PUT_TABLE);
        add(p, json_number_value(json_array_get(tree, 1)));
        add(p, (double)(n - first));
    } else if (n - first == 1) {
        add(p, code);
    }
}

/* The programs of all coefficients, then that of the offset, if the formula has one. */
static void add_form(struct packed *p, const json_t *form, struct scope scope)
{
    const json_t *coefficients = json_object_get(form, "coefficients"),
                 *offset = json_object_get(form, "offset");
    size_t n = json_array_size(coefficients);
    add(p, (double)n + 1);
    for (size_t i = 0; i <= n; i++) {
        size_t place = begin(p);
        if (i < n || !json_is_null(offset))
            add_program(p, i < n ? json_array_get(coefficients, i) : offset, scope);
        end(p, place);
    }
}

/* ---- the parts of a model */

static void add_structure(struct packed *p, const json_t *of)
{
    static const char *const members[] = {"variable", "below", "above", "at"};
    const json_t *boundaries = json_object_get(of, "boundaries"),
                 *columns = json_object_get(of, "columns");
    add(p, (double)json_array_size(boundaries));
    for (size_t i = 0; i < json_array_size(boundaries); i++) {
        const json_t *b = json_array_get(boundaries, i);
        const char *form = json_string_value(json_object_get(b, "form"));
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            add_member(p, b, members[k]);
        add(p, strcmp(form, "step") == 0 ? 0 : strcmp(form, "bend") == 0 ? 1 : 2);
        add_member(p, b, "sharpness");
    }
    add(p, (double)json_array_size(columns));
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *c = json_array_get(columns, i), *bounds = json_object_get(c, "bounds");
        size_t place = begin(p);
        add_member(p, c, "constant");
        add_member(p, c, "value");
        add(p, (double)json_array_size(bounds));
        for (size_t k = 0; k < json_array_size(bounds); k++)
            add_numbers(p, json_array_get(bounds, k));
        end(p, place);
    }
}

static void add_matrix(struct packed *p, const json_t *rows)
{
    add(p, (double)json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_numbers(p, json_array_get(rows, i));
}

static void add_variables(struct packed *p, const json_t *variables)
{
    size_t place = p->n;
    add(p, 0);
    for (size_t i = 0; i < json_array_size(variables); i++) {
        const json_t *v = json_array_get(variables, i);
        if (!json_is_true(json_object_get(v, "used")))
            continue;
        p->list[place]++;
        add_member(p, v, "low");
        add_member(p, v, "high");
    }
}

static void add_coordinates(struct packed *p, const json_t *list, struct scope scope)
{
    add(p, (double)json_array_size(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *c = json_array_get(list, i);
        add(p, argument_of(scope, json_string_value(json_array_get(c, 0))));
        add(p, json_number_value(json_array_get(c, 1)));
    }
}

static void add_tables(struct packed *p, const json_t *tables)
{
    add(p, (double)json_array_size(tables));
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *t = json_array_get(tables, i), *x = json_object_get(t, "x"),
                     *y = json_object_get(t, "y");
        size_t place = begin(p);
        add(p, (double)json_array_size(x));
        add(p, (double)json_array_size(y));
        add_numbers(p, x);
        add_numbers(p, y);
        add_numbers(p, json_object_get(t, "value"));
        end(p, place);
    }
}

static void add_noise(struct packed *p, const json_t *model)
{
    static const char *const members[] = {
        "relative",    "growth",        "typical",    "drift",        "floor",
        "dof",         "runs_of_point", "runs_dof",   NULL,           "single_low",
        "single_high", "least_grown",   "most_grown", "formula_error"};
    const json_t *noise = json_object_get(model, "noise");
    add(p, json_is_true(json_object_get(noise, "none")));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (members[i])
            add_member(p, noise, members[i]);
        else
            add(p, json_is_number(json_object_get(noise, "single_low")));
    add_member(p, model, "leverage");
}

static void add_selection(struct packed *p, const json_t *selection)
{
    const json_t *models = json_object_get(selection, "models");
    add(p, !json_is_object(selection) ? 0 : models ? 2 : 1);
    if (!models) {
        add_matrix(p, json_object_get(selection, "covariance"));
        return;
    }
    add_member(p, selection, "part");
    add(p, (double)json_array_size(models));
    for (size_t i = 0; i < json_array_size(models); i++) {
        size_t place = begin(p);
        add_structure(p, json_array_get(models, i));
        end(p, place);
    }
}

static void add_draws(struct packed *p, const json_t *draws, struct scope scope)
{
    add(p, (double)json_array_size(draws));
    for (size_t i = 0; i < json_array_size(draws); i++) {
        size_t place = begin(p), form = begin(p);
        add_form(p, json_array_get(draws, i), scope);
        end(p, form);
        add_structure(p, json_array_get(draws, i));
        end(p, place);
    }
}

static void add_model(struct packed *p, const json_t *model, struct scope scope);

/* Whether the function has all variables that the model of a search needs: else it is never asked. */
static bool is_usable(const json_t *model, struct scope scope)
{
    const json_t *variables = json_object_get(model, "variables");
    for (size_t i = 0; i < json_array_size(variables); i++) {
        const json_t *v = json_array_get(variables, i);
        if (json_is_true(json_object_get(v, "used")) && json_is_null(json_object_get(v, "fixed")) &&
            argument_of(scope, json_string_value(json_object_get(v, "name"))) < 0)
            return false;
    }
    return true;
}

/* The terms of all formulas that a search left. */
static void add_terms(struct packed *p, const json_t *terms, struct scope scope)
{
    add(p, (double)json_array_size(terms));
    for (size_t k = 0; k < json_array_size(terms); k++) {
        size_t program = begin(p);
        add_program(p, json_array_get(terms, k), scope);
        end(p, program);
    }
}

static void add_constants(struct packed *p, const json_t *one)
{
    const json_t *terms = json_object_get(one, "terms"), *noise = json_object_get(one, "noise");
    add(p, (double)json_array_size(terms));
    add_numbers(p, terms);
    add(p, (double)json_array_size(noise));
    add_numbers(p, json_object_get(one, "draws"));
    add_numbers(p, noise);
}

static void add_alternatives(struct packed *p, const json_t *list, struct scope scope)
{
    size_t number = p->n;
    add(p, 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *model = json_object_get(one, "model");
        if (model && !is_usable(model, scope))
            continue;
        size_t place = begin(p);
        p->list[number]++;
        add_member(p, one, "ndraws"); /* of a model */
        add(p, model != NULL);
        if (model)
            add_model(p, model,
                      (struct scope){scope.arguments, json_object_get(model, "variables")});
        else
            add_constants(p, one);
        end(p, place);
    }
}

static void add_slowest(struct packed *p, const json_t *slowest, struct scope scope)
{
    static const char *const members[] = {"level", "least", "reach", "independence"};
    const json_t *relative = json_object_get(slowest, "relative");
    add(p, json_is_object(slowest) ? argument_of(scope, "P") : -1);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        add_member(p, slowest, members[i]);
    add(p, (double)json_array_size(relative));
    add_numbers(p, relative);
}

/* Writes the offset of the next part. */
static void begin_part(struct packed *p, size_t first, size_t *part)
{
    p->list[first + (*part)++] = (double)(p->n - first);
}

static void add_model(struct packed *p, const json_t *model, struct scope scope)
{
    enum { PARTS = 15 };
    size_t first = p->n, part = 0;
    bool nested = scope.own != scope.arguments;
    const json_t *relations = json_object_get(model, "relations");
    for (size_t i = 0; i < PARTS; i++)
        add(p, 0);
    begin_part(p, first, &part);
    add_variables(p, nested ? NULL : scope.own); /* what they are outside of is marked once */
    begin_part(p, first, &part);
    add_coordinates(p, json_object_get(model, "coordinates"), scope);
    begin_part(p, first, &part);
    add_tables(p, json_object_get(model, "tables"));
    begin_part(p, first, &part);
    add_form(p, model, scope);
    begin_part(p, first, &part);
    add_structure(p, model);
    begin_part(p, first, &part);
    add_matrix(p, json_object_get(model, "covariance"));
    begin_part(p, first, &part);
    add_matrix(p, json_object_get(model, "of_runs"));
    begin_part(p, first, &part);
    add(p, (double)json_array_size(relations));
    add(p, (double)json_array_size(json_object_get(model, "columns")));
    for (size_t i = 0; i < json_array_size(relations); i++)
        add_numbers(p, json_array_get(relations, i));
    begin_part(p, first, &part);
    add_noise(p, model);
    begin_part(p, first, &part);
    add_selection(p, json_object_get(model, "selection"));
    begin_part(p, first, &part);
    add_draws(p, json_object_get(model, "draws"), scope);
    begin_part(p, first, &part);
    add_alternatives(p, json_object_get(model, "alternatives"), scope);
    begin_part(p, first, &part);
    add_slowest(p, json_object_get(model, "slowest"), scope);
    begin_part(p, first, &part);
    add_terms(p, json_object_get(model, "alternative_terms"), scope);
    begin_part(p, first, &part);
    add(p, json_is_true(json_object_get(model, "only_beyond")));
}

/* ---- C */

/* What fits into the arrays of the evaluator. */
static bool fits_evaluator(const json_t *model)
{
    enum { MOST = 256 };
    return json_array_size(json_object_get(model, "columns")) < MOST &&
           json_array_size(json_object_get(model, "constants")) < MOST &&
           json_array_size(json_object_get(model, "coordinates")) < MOST;
}

static void put_numbers(FILE *out, const struct packed *p)
{
    enum { WIDTH = 116 };
    size_t column = WIDTH;
    for (size_t i = 0; i < p->n; i++) {
        char number[NUMBER_SIZE];
        size_t length = strlen(number_text(p->list[i], number)) + 2;
        bool fresh = column + length > WIDTH;
        fprintf(out, fresh ? "%s\n    %s" : "%s %s", i ? "," : "", number);
        column = fresh ? 4 + length : column + length;
    }
}

static void put_c_function(FILE *out, struct arena *a, const struct fit_state *f, const char *name,
                           const struct export_names *arguments)
{
    json_t *model = evaluator_model(f->model);
    const json_t *variables = json_object_get(model, "variables");
    struct packed p = {.arena = a};
    fprintf(out, "\n/* %s with its intervals. */\n", name);
    if (!fits_evaluator(model)) {
        fputs("/* The model has too many constants for that. */\n", out);
        json_decref(model);
        return;
    }
    add_model(&p, model, (struct scope){variables, variables});
    fprintf(out, "static inline struct cll_prediction %s_interval(", name);
    for (size_t i = 0; i < arguments->n; i++)
        fprintf(out, "%sdouble %s", i ? ", " : "", arguments->identifiers[i]);
    fprintf(out, "%s)\n{\n    static const double cll_model[] = {", arguments->n ? "" : "void");
    put_numbers(out, &p);
    fprintf(out, "};\n    double cll_arguments[%zu];\n", arguments->n + 1);
    for (size_t i = 0; i < arguments->n; i++)
        fprintf(out, "    cll_arguments[%zu] = %s;\n", i, arguments->identifiers[i]);
    fprintf(out,
            "    cll_arguments[%zu] = 0;\n    return cll_predict(cll_model, cll_arguments);\n}\n",
            arguments->n);
    json_decref(model);
}

void export_c_intervals(FILE *out, struct fit_state *const *fits, size_t n)
{
    struct arena *a = arena_create();
    struct export_names functions = export_functions(a, fits, n);
    fputs(export_c_evaluator, out);
    for (size_t i = 0; i < n; i++) {
        struct export_names arguments = export_arguments(a, fits[i]->model);
        model_resample(fits[i]->model);
        put_c_function(out, a, fits[i], functions.identifiers[i], &arguments);
    }
    arena_destroy(a);
}

/* ---- Python */

/* A text as a string of Python: JSON with ASCII alone, of which Python reads every escape. */
static void put_string(FILE *out, const char *text)
{
    json_t *s = json_text(text);
    char *quoted = json_dumps(s, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    fputs(quoted ? quoted : "\"\"", out);
    mem_free(quoted);
    json_decref(s);
}

static void put_python_model(FILE *out, const struct fit_state *f)
{
    json_t *model = evaluator_model(f->model);
    char *text = json_dumps(model, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    fputs("    ", out);
    put_string(out, text ? text : "");
    fputs(",\n", out);
    mem_free(text);
    json_decref(model);
}

void export_python_intervals(FILE *out, struct fit_state *const *fits, size_t n)
{
    struct arena *a = arena_create();
    struct export_names functions = export_functions(a, fits, n);
    fputs(export_python_evaluator, out);
    fputs("\n\ncll_models = [CllModel(json.loads(text)) for text in (\n", out);
    for (size_t i = 0; i < n; i++) {
        model_resample(fits[i]->model);
        put_python_model(out, fits[i]);
    }
    fputs(")]\n", out);
    for (size_t i = 0; i < n; i++) {
        struct export_names arguments = export_arguments(a, fits[i]->model);
        fprintf(out, "\n\ndef %s_interval(", functions.identifiers[i]);
        for (size_t k = 0; k < arguments.n; k++)
            fprintf(out, "%s%s", k ? ", " : "", arguments.identifiers[k]);
        fprintf(out, "):\n    return cll_models[%zu].at(", i);
        for (size_t k = 0; k < arguments.n; k++)
            fprintf(out, "%s%s", k ? ", " : "", arguments.identifiers[k]);
        fputs(")\n", out);
    }
    arena_destroy(a);
}
