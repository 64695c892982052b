/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "llac/arguments.h"
#include "llac/fit/fit.h"
#include "llac/json.h"
#include "llac/search/search.h"
#include "llac/commands.h"
/* The command compare. */

enum { MOST_FORMULAS = 26 }; /* they are named A to Z */

struct formulas {
    struct compare_formula list[MOST_FORMULAS];
    size_t n;
};

/* "FORMULA"... */
static int read_formulas(struct session *s, struct cursor *c, const struct experiment *e,
                         struct formulas *out)
{
    const char *names[] = {e->base, NULL};
    struct formula_options options = {.experiments = names};
    while (!cursor_done(c)) {
        char first = c->source->text[c->at];
        struct span where;
        if (first != '"' && first != '\'')
            break;
        char *text = cursor_path(c, &where);
        if (!text)
            return -1;
        if (out->n == MOST_FORMULAS)
            return cursor_error(c, where, "more than %d formulas in one command", MOST_FORMULAS);
        const struct formula *f = formula_parse(s->arena, c->source, where, &options, c->diag);
        if (!f)
            return -1;
        out->list[out->n++] = (struct compare_formula){arena_strdup(s->arena, text), f, c->source};
    }
    if (out->n == 0)
        return cursor_error_here(c,
                                 "formulas in quotes are expected here: compare %s \"%s[0] + "
                                 "%s[1]*N\" \"%s[0] + %s[1]*N*log(N)\"",
                                 e->name, e->base, e->base, e->base, e->base);
    return 0;
}

/* One formula alone is compared with the one the experiment has: that comes first. */
static int add_present(struct session *s, struct cursor *c, const struct fit_state *asked,
                       struct formulas *out)
{
    if (out->n > 1)
        return 0;
    if (!session_model(s, asked->experiment, asked->observable, c->diag))
        return -1;
    const struct fit_state *state = session_find_state(s, asked->experiment, asked->observable);
    out->list[1] = out->list[0];
    out->list[0] = (struct compare_formula){state->formula_text, state->formula, state->source};
    out->n = 2;
    return 0;
}

int command_compare(struct session *s, struct cursor *c)
{
    const struct experiment *e = read_experiment(s, c);
    if (!e)
        return -1;
    struct fit_state asked = {.experiment = e->name,
                              .observable = experiment_default_observable(e)};
    struct formulas formulas = {.n = 0};
    if (read_formulas(s, c, e, &formulas))
        return -1;
    while (!cursor_done(c)) {
        int taken = read_fit_option(s, c, &asked);
        if (taken <= 0)
            return taken < 0 ? -1 : cursor_finish(c);
    }
    if (arguments_check_observable(s, c, e, asked.observable) ||
        add_present(s, c, &asked, &formulas))
        return -1;
    struct compare_request r = {.fit =
                                    session_fit_request(s, c->arena, e, asked.observable, &asked),
                                .formulas = formulas.list,
                                .n = formulas.n};
    struct comparison result;
    if (model_compare(c->arena, &r, c->diag, &result))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_comparison(&asked, &result));
    else
        text_comparison(s->out, &asked, &result);
    return 0;
}
