/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command define: names for expressions over the constants and values of experiments; and how
 * list and show print them.
 */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "llac/compose/command.h"
#include "llac/json.h"
#include "llac/commands.h"

enum { MOST_PARAMETERS = 16 };

const char *define_name_taken(const struct session *s, const char *name)
{
    if (text_is_in(data_field_names, FIELD_FIXED, name))
        return "is a column of every data file";
    if (text_is_in(data_fact_names, FACT_COUNT, name))
        return "is a property of the run, which conditions use";
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        if (experiment_find_variable(s->data->experiments[i], name) != SIZE_MAX)
            return "is a variable in the data";
        if (points_has_observable(s->data->experiments[i], name))
            return "is an observable in the data";
    }
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (!f->unit && strcmp(name, f->name) == 0) /* L and g(P) can be in one formula */
            return "is a function";
    return strcmp(name, "sum") == 0 ? "is a function" : NULL;
}

static const char *definition_taken(const struct session *s, const char *name)
{
    if (dataset_find_base(s->data, name))
        return "is an experiment";
    if (TEXT_ELEMENT(s->now.lets, s->now.nlets, name, name))
        return "is defined with 'let'";
    return define_name_taken(s, name);
}

/* (N, P): *parameters in the session's arena. */
static int read_parameters(struct session *s, struct cursor *c, struct compose_definition *d)
{
    const char **list = arena_alloc(s->arena, MOST_PARAMETERS, sizeof *list);
    d->has_parameters = true;
    d->parameters = list;
    if (cursor_punctuation(c, ')'))
        return 0;
    do {
        struct span where;
        const char *name = cursor_name(c, &where);
        if (!name)
            return cursor_error_here(c,
                                     "the name of a variable is expected here: define %s(N, P) "
                                     "= ...",
                                     d->name);
        if (d->nparameters == MOST_PARAMETERS)
            return cursor_error(c, where, "more than %d parameters", MOST_PARAMETERS);
        if (text_is_in(list, d->nparameters, name))
            return cursor_error(c, where, "'%s' is given twice", name);
        list[d->nparameters++] = arena_strdup(s->arena, name);
    } while (cursor_punctuation(c, ','));
    return cursor_punctuation(c, ')')
               ? 0
               : cursor_error_here(c, "')' is expected here: define %s(N, P) = ...", d->name);
}

int read_definition(struct session *s, struct cursor *c, struct span at,
                    struct compose_definition *out)
{
    struct formula_options options = {
        .any_constant = true, .references = true, .labels = session_labels(s, s->arena)};
    out->formula = formula_parse(s->arena, c->source, at, &options, c->diag);
    out->text = arena_strdup(s->arena, cursor_text(c, at));
    out->source = c->source;
    return out->formula ? 0 : -1;
}

/* The session's definitions with this one, which replaces one of the same name. */
static int add_definition(struct session *s, struct cursor *c, const struct compose_definition *d)
{
    struct compose_definition *list = arena_alloc(s->arena, s->now.ndefines + 1, sizeof *list);
    struct compose_name *names;
    size_t n = 0, nnames;
    for (size_t i = 0; i < s->now.ndefines; i++)
        if (strcmp(s->now.defines[i].name, d->name) != 0)
            list[n++] = s->now.defines[i];
    list[n++] = *d;
    struct composition all = {
        .definitions = list, .ndefinitions = n, .let = session_definitions(s, c->arena)};
    if (compose_names(c->arena, &all, &list[n - 1], c->diag, &names, &nnames))
        return -1;
    s->now.defines = list;
    s->now.ndefines = n;
    return 0;
}

static int define(struct session *s, struct cursor *c, const char *name, struct span where)
{
    static const char *const none[] = {NULL};
    struct compose_definition d = {.name = arena_strdup(s->arena, name)};
    const char *taken = definition_taken(s, name);
    if (taken)
        return cursor_error(c, where, "'%s' %s: choose another name", name, taken);
    if (cursor_punctuation(c, '(') && read_parameters(s, c, &d))
        return -1;
    if (!cursor_punctuation(c, '='))
        return cursor_error_here(c, "'=' is expected here: define NAME = EXPRESSION, or define "
                                    "NAME(N, P) = EXPRESSION");
    struct span at = cursor_expression(c, none);
    if (at.end == at.begin)
        return cursor_error_here(c, "an expression is expected after '='");
    if (read_definition(s, c, at, &d) || cursor_finish(c))
        return -1;
    return add_definition(s, c, &d);
}

/* "whole(N, P)" */
static char *define_head(struct arena *a, const struct compose_definition *d)
{
    char *head = arena_strdup(a, d->name);
    for (size_t i = 0; i < d->nparameters; i++)
        head = arena_printf(a, "%s%s%s", head, i ? ", " : "(", d->parameters[i]);
    return d->has_parameters ? arena_printf(a, "%s%s)", head, d->nparameters ? "" : "(") : head;
}

json_t *json_definitions(const struct session *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->now.ndefines; i++) {
        const struct compose_definition *d = &s->now.defines[i];
        json_add(list, "{name:%s parameters:%p formula:%s}", d->name,
                 d->has_parameters ? json_texts(d->parameters, d->nparameters) : NULL, d->text);
    }
    return list;
}

void text_definitions(FILE *out, const struct session *s, const char *word)
{
    ARENA_LOCAL struct arena *a = arena_create();
    for (size_t i = 0; i < s->now.ndefines; i++)
        fprintf(out, "  %s%s = %s\n", word, define_head(a, &s->now.defines[i]),
                s->now.defines[i].text);
}

int command_define(struct session *s, struct cursor *c)
{
    if (!cursor_done(c)) {
        struct span where;
        char *name = cursor_name(c, &where);
        if (!name)
            return cursor_error_here(c, "a name is expected here: define NAME = EXPRESSION");
        if (strcmp(name, "none") == 0 && cursor_done(c))
            s->now.ndefines = 0;
        else if (define(s, c, name, where))
            return -1;
    }
    if (s->json)
        json_print(s->out, "{define:%p}", json_definitions(s));
    else if (s->now.ndefines == 0)
        fputs("  no definitions\n", s->out);
    else
        text_definitions(s->out, s, "define ");
    return 0;
}

/* Names that the definition uses: experiments, and the variables that it needs from outside. */
static void show_names(struct session *s, const struct compose_name *names, size_t n,
                       json_t *experiments, json_t *variables)
{
    TEXT_LOCAL struct text blocks = text_new(), others = text_new();
    for (size_t i = 0; i < n; i++) {
        bool known = session_find(s, names[i].name), block = known || names[i].is_block;
        struct text *t = block ? &blocks : &others;
        text_printf(t, "%s%s", t->n ? ", " : "", names[i].name);
        if (block && !known)
            text_add(t, " (not in the data)");
        json_array_append_new(block ? experiments : variables, json_text(names[i].name));
    }
    if (!s->json && blocks.n)
        fprintf(s->out, "      uses the experiment%s %s\n", strchr(blocks.s, ',') ? "s" : "",
                blocks.s);
    if (!s->json && others.n)
        fprintf(s->out, "      needs %s\n", others.s);
}

int define_show(struct session *s, struct cursor *c, const struct compose_definition *d)
{
    struct composition all = {.definitions = s->now.defines,
                              .ndefinitions = s->now.ndefines,
                              .let = session_definitions(s, c->arena)};
    struct compose_name *names;
    size_t n;
    if (cursor_finish(c) || compose_names(c->arena, &all, d, c->diag, &names, &n))
        return -1;
    json_auto_t *experiments = json_array(), *variables = json_array();
    if (!s->json)
        fprintf(s->out, "  %s = %s\n", define_head(c->arena, d), d->text);
    show_names(s, names, n, experiments, variables);
    if (s->json)
        json_print(s->out, "{definition:%s head:%s formula:%s experiments:%p variables:%p}",
                   d->name, define_head(c->arena, d), d->text, json_incref(experiments),
                   json_incref(variables));
    return 0;
}
