/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command rank: reads the place. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "llac/rank/rank.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/commands.h"

/* Is it a variable of an experiment, P, or a name of 'let'? */
static bool is_known(const struct session *s, const char *name)
{
    for (size_t i = 0; i < s->data->nexperiments; i++)
        if (experiment_find_variable(s->data->experiments[i], name) != SIZE_MAX)
            return true;
    return TEXT_ELEMENT(s->now.lets, s->now.nlets, name, name) || strcmp(name, "P") == 0;
}

static int no_variable(const struct session *s, const struct cursor *c, const char *name,
                       struct span where)
{
    TEXT_LOCAL struct text have = text_new();
    for (size_t i = 0; i < s->data->nexperiments && have.n < 200; i++) {
        const struct experiment *e = s->data->experiments[i];
        for (size_t j = 0; j < e->nvariables; j++) {
            const char *own = experiment_variable(e, j)->name;
            bool said = false;
            for (size_t k = 0; k < i && !said; k++)
                said = experiment_find_variable(s->data->experiments[k], own) != SIZE_MAX;
            if (!said)
                text_printf(&have, "%s, ", own);
        }
    }
    return cursor_error(c, where, "no experiment has a variable '%s': there are %sP", name, have.s);
}

/* A number, or a formula over the names before it. */
static int read_value(struct cursor *c, struct rank_request *r, struct span where)
{
    size_t n = r->n;
    struct formula_options options = {.suffixes = true};
    const struct formula *f = formula_parse(c->arena, c->source, where, &options, c->diag);
    if (!f)
        return -1;
    if (formula_asks_machine(f))
        return cursor_error(c, where, "a value of the place cannot ask the machine");
    struct formula_variables used = formula_variables(c->arena, f);
    for (size_t i = 0; i < used.n; i++)
        if (!text_is_in(r->names, n, used.list[i].name))
            return cursor_error(c, where,
                                "'%s' has no value yet: a formula may use the values before it, as "
                                "in N=1e8 P=64 n=N/P",
                                used.list[i].name);
    int status =
        formula_at(c->arena, f, r->names, r->values, n, c->source, c->diag, &r->values[n], NULL);
    if (status)
        return status < 0 ? -1
                          : cursor_error(c, where, "the value of '%s' is not a finite number",
                                         r->names[n]);
    r->by[n] = used.n ? f : NULL;
    return 0;
}

int read_rank_place(struct session *s, struct cursor *c, const char *end, struct rank_request *r)
{
    r->names = arena_alloc(c->arena, MOST_VARIABLES, sizeof *r->names);
    r->values = arena_alloc(c->arena, MOST_VARIABLES, sizeof *r->values);
    r->by = arena_alloc(c->arena, MOST_VARIABLES, sizeof *r->by);
    while (!cursor_done(c)) {
        struct cursor ahead = *c;
        if (end && cursor_keyword(&ahead, end))
            break;
        struct span name_at, value_at;
        char *name = read_variable(c, r->names, r->n, &name_at, &value_at);
        if (!name)
            return -1;
        if (s->data->nexperiments && !is_known(s, name))
            return no_variable(s, c, name, name_at);
        r->names[r->n] = name;
        if (read_value(c, r, value_at))
            return -1;
        r->n++;
    }
    if (r->n == 0)
        return cursor_error_here(c, "the place is missing: rank N=1e8 P=65536");
    return 0;
}

int command_rank(struct session *s, struct cursor *c)
{
    struct rank_request request = {.n = 0};
    struct ranking ranking;
    if (read_rank_place(s, c, NULL, &request))
        return -1;
    int status = rank_make(s, c->arena, &request, c->diag, &ranking);
    if (status == 0 && s->json)
        json_print(s->out, "%p", json_ranking(&ranking));
    else if (status == 0)
        text_ranking(s->out, &ranking, session_columns(s));
    rank_free(&ranking);
    return status;
}
