/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of obsp: a trace, or a notation with the values that the command gives to its parameters. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "llac/obsp/command.h"
#include "llac/machine/terms.h"
#include "base/text.h"

enum { MOST_PARAMETERS = 64 };

int obsp_read_value(struct cursor *c, const struct obsp_asked *asked, const char *name,
                    double *value, struct obsp_fitted **by)
{
    struct span where = cursor_value(c);
    const struct obsp_values *given = &asked->values;
    struct obsp_names names = {given->names, given->values, given->by, given->n};
    if (where.begin == where.end)
        return cursor_error_here(c, "the value of '%s' is missing: %s=...", name, name);
    const char *before = arena_printf(c->arena, "what was given before '%s'", name);
    const struct formula *f = obsp_read_formula(asked->asking, c, where, &names, before);
    return f ? obsp_formula_value(asked->asking, c, where, f, &names, value, by) : -1;
}

/* NAME, which was read, or NAME[INDEX]. */
static const char *with_index(struct cursor *c, const char *name)
{
    const char *text = c->source->text;
    size_t at = c->at + 1;
    if (c->at >= c->end || text[c->at] != '[')
        return name;
    while (at < c->end && isdigit((unsigned char)text[at]))
        at++;
    if (at == c->at + 1 || at >= c->end || text[at] != ']')
        return name;
    const char *whole = arena_printf(c->arena, "%s%.*s", name, (int)(at + 1 - c->at), text + c->at);
    c->at = at + 1;
    return whole;
}

int obsp_read_parameter(struct cursor *c, const char *name, struct span where,
                        struct obsp_asked *out)
{
    struct obsp_values *given = &out->values;
    size_t before = c->at;
    name = with_index(c, name);
    bool cost = strcmp(name, "g") == 0 || strcmp(name, "L") == 0;
    if (out->trace || cost || !cursor_punctuation(c, '=')) {
        c->at = before;
        return 0;
    }
    if (text_is_in(given->names, given->n, name))
        return cursor_error(c, where, "'%s' is given twice", name);
    if (given->n == MOST_PARAMETERS)
        return cursor_error(c, where, "more than %d values", MOST_PARAMETERS);
    double value = 0;
    struct obsp_fitted *depends = NULL;
    if (obsp_read_value(c, out, name, &value, &depends))
        return -1;
    const char **names = arena_alloc(c->arena, given->n + 1, sizeof *names);
    double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
    struct obsp_fitted **by = arena_alloc(c->arena, given->n + 1, sizeof(*by));
    for (size_t k = 0; k < given->n; k++) {
        names[k] = given->names[k];
        values[k] = given->values[k];
        by[k] = given->by[k];
    }
    names[given->n] = name;
    values[given->n] = value;
    by[given->n] = depends;
    given->names = names;
    given->values = values;
    given->by = by;
    given->n++;
    return 1;
}

struct obsp_source *obsp_open(const struct obsp_asked *asked, struct cursor *c)
{
    return asked->trace ? obsp_trace_open(asked->path, c->diag)
                        : obsp_notation_open(asked->path, &asked->values, c->diag);
}

int obsp_initial_times(struct cursor *c, struct obsp_source *source, const double **out)
{
    double *list;
    *out = NULL;
    if (!source->start)
        return 0;
    list = arena_alloc(c->arena, (size_t)source->processes, sizeof *list);
    for (int process = 0; process < source->processes; process++) {
        list[process] = source->start(source, process);
        if (isnan(list[process]))
            return -1;
    }
    *out = list;
    return 0;
}

void obsp_use_machine(const struct session *s, struct cursor *c, struct obsp_asked *asked)
{
    if (asked->trace)
        return;
    asked->values.models = &asked->asking->models;
    asked->values.machine = asked->machine ? terms_make(c->arena, asked->machine) : s->now.terms;
    if (!asked->machine)
        asked->machine = s->now.machine;
}
