/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables that a search uses, and expressions over them. */
#include <string.h>

#include "model/search/searcher.h"
#include "base/text.h"

int searcher_values(struct searcher *s, const struct formula *expression, const char *text,
                    double *out)
{
    const struct formula *f =
        definitions_expand(s->arena, expression, &s->request->fit.let, s->diag);
    const struct formula_program *program =
        f ? formula_compile(s->arena, f, (const char *const *)s->all.names, s->all.nnames, NULL,
                            s->diag)
          : NULL;
    struct formula_trouble trouble;
    if (!program)
        return -1;
    if (!formula_evaluate(program, (const double *const *)s->all.at, s->all.n, out, &trouble))
        return 0;
    return diag_error(s->diag, "%s has no value at the point %s: %s", text,
                      points_label(s->arena, &s->all, trouble.row), trouble.what);
}

static int unknown_variable(struct searcher *s, const char *name)
{
    return diag_error(s->diag, "%s",
                      points_no_variable(s->arena, &s->all, &s->request->fit.let, name));
}

static bool known_name(const struct searcher *s, const char *name)
{
    const struct definitions *let = &s->request->fit.let;
    if (text_is_in(let->names, let->n, name))
        return true;
    return points_find(&s->all, name) != SIZE_MAX;
}

static bool processors_name(const char *name)
{
    return strcmp(name, "P") == 0 || strcmp(name, "p") == 0;
}

static int add_variable(struct searcher *s, const char *name, bool asked)
{
    double *at = arena_alloc(s->arena, s->all.n, sizeof *at);
    bool varies = false;
    if (!known_name(s, name))
        return unknown_variable(s, name);
    for (size_t i = 0; i < s->nvariables; i++)
        if (strcmp(s->variables[i].name, name) == 0)
            return 0;
    if (searcher_values(s, formula_variable(s->arena, name), name, at))
        return -1;
    for (size_t i = 1; i < s->all.n; i++)
        varies = varies || at[i] != at[0];
    if (!varies && asked)
        return diag_error(s->diag,
                          "%s never varies in the data of %s: measure with several values of it",
                          name, s->request->fit.points.experiment->name);
    if (!varies)
        return 0;
    if (s->nvariables == SEARCH_MAX_VARIABLES)
        return diag_error(
            s->diag,
            "more than %d variables vary: name those to search in, as in 'search %s in %s, %s'",
            SEARCH_MAX_VARIABLES, s->request->fit.points.experiment->name, s->variables[0].name,
            s->variables[1].name);
    s->variables[s->nvariables++] =
        (struct search_variable){arena_strdup(s->arena, name), at, processors_name(name)};
    return 0;
}

int searcher_take_variables(struct searcher *s)
{
    const struct search_request *r = s->request;
    for (size_t i = 0; i < r->nvariables; i++)
        if (add_variable(s, r->variables[i], true))
            return -1;
    for (size_t j = 0; r->nvariables == 0 && j < s->all.nnames; j++)
        if (!points_repeats(&s->all, j) && add_variable(s, s->all.names[j], false))
            return -1;
    return 0;
}
