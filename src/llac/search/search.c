/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command search. */
#include <math.h>
#include <string.h>

#include "llac/fit/all.h"
#include "model/search.h"
#include "llac/arguments.h"
#include "llac/fit/fit.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/search/search.h"
#include "llac/commands.h"

static const char *const search_keywords[] = {"terms",  "with",      "signed", "on",        "where",
                                              "nonneg", "intervals", "max",    "threshold", NULL};

/* A list with commas outside of parentheses. */
static int read_list(struct cursor *c, const char *missing, const char *const **list, size_t *n)
{
    struct span where = cursor_expression(c, search_keywords);
    const char *text = c->source->text;
    const char **words = arena_alloc(c->arena, where.end - where.begin + 1, sizeof *words);
    *n = 0;
    for (size_t at = where.begin; at <= where.end; at++) {
        struct span one = {at, at};
        for (int depth = 0; one.end < where.end && (depth > 0 || text[one.end] != ','); one.end++)
            depth += (text[one.end] == '(') - (text[one.end] == ')');
        at = one.end;
        while (one.begin < one.end && strchr(" \t", text[one.begin]))
            one.begin++;
        while (one.end > one.begin && strchr(" \t", text[one.end - 1]))
            one.end--;
        if (one.begin == one.end)
            return cursor_error(c, one, "%s", missing);
        words[(*n)++] = cursor_text(c, one);
    }
    *list = words;
    return 0;
}

static int read_search(struct session *s, struct cursor *c, struct fit_state *asked,
                       struct search_request *r)
{
    while (!cursor_done(c)) {
        size_t before = c->at;
        double number;
        if (cursor_keyword(c, "in")) {
            if (read_list(c, "the name of a variable is missing: in N, P", &r->variables,
                          &r->nvariables))
                return -1;
        } else if (cursor_keyword(c, "terms")) {
            struct span here = {c->at, c->end};
            if (read_number(c, "terms", false, &number))
                return -1;
            if (number < 1 || number > SEARCH_MAX_TERMS || number != floor(number))
                return cursor_error(c, here, "'terms' is a whole number from 1 to %d",
                                    SEARCH_MAX_TERMS);
            r->max_terms = (size_t)number;
        } else if (cursor_keyword(c, "with")) {
            if (read_list(c, "a term is missing: with N*(P-1)/P, N^1.3", &r->given, &r->ngiven))
                return -1;
        } else if (cursor_keyword(c, "signed")) {
            r->any_sign = true;
        } else if (cursor_keyword(c, "where")) {
            if (read_fit_condition(s, c, search_keywords, asked))
                return -1;
        } else {
            int taken = read_fit_option(s, c, asked);
            if (taken <= 0)
                return taken < 0 ? -1 : cursor_finish(c);
        }
        if (asked->intervals.mode == INTERVALS_ON || asked->intervals.mode == INTERVALS_GIVEN) {
            struct span here = {before, c->at};
            return cursor_error(c, here,
                                "a search finds intervals itself or has none: intervals auto or "
                                "intervals none");
        }
    }
    return 0;
}

/* The formula found becomes that of the experiment. */
static struct fit_state *adopt(struct session *s, const struct fit_state *asked,
                               const struct search_result *found, struct diag *diag)
{
    const struct search_candidate *best = &found->candidates[0];
    struct fit_state *to = session_state(s, asked->experiment, asked->observable);
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){"<search>", arena_strdup(s->arena, best->text), strlen(best->text)};
    const char *names[] = {session_find(s, to->experiment)->base, NULL};
    struct formula_options options = {.experiments = names};
    struct fit_state fresh = *asked;
    fresh.experiment = to->experiment;
    fresh.observable = to->observable;
    fresh.source = source;
    fresh.formula_text = source->text;
    fresh.formula = formula_parse(s->arena, source, (struct span){0, source->size}, &options, diag);
    fresh.intervals = best->intervals;
    fresh.searched = true;
    fresh.asked = true;
    arena_destroy(to->arena);
    *to = fresh;
    struct model *m = fresh.formula ? session_fit(s, to, diag) : NULL;
    if (m)
        model_take_alternatives(m, found);
    return m ? to : NULL;
}

struct fit_state *search_adopt(struct session *s, struct cursor *c, struct fit_state *asked,
                               struct search_request *r, struct search_result *found,
                               struct diag *diag)
{
    const struct experiment *e = session_find(s, asked->experiment);
    r->fit = session_fit_request(s, c->arena, e, asked->observable, asked);
    asked->nonneg = !r->any_sign; /* the fit of what is found, too */
    return model_search(c->arena, r, diag, found) ? NULL : adopt(s, asked, found, diag);
}

static int search_all(struct session *s, struct cursor *c)
{
    struct fit_state asked = {.observable = NULL};
    struct search_request r = {.nvariables = 0};
    struct all_models all = {.n = 0};
    if (read_search(s, c, &asked, &r) || all_search(s, c, &asked, &r, &all))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_all(&all));
    else
        text_all(s, &all);
    return 0;
}

int command_search(struct session *s, struct cursor *c)
{
    struct cursor ahead = *c;
    struct span where;
    const char *name = cursor_experiment(&ahead, &where);
    if (name && all_is_meant(s, name)) {
        *c = ahead;
        return search_all(s, c);
    }
    const struct experiment *e = read_experiment(s, c);
    if (!e)
        return -1;
    struct fit_state asked = {.experiment = e->name,
                              .observable = experiment_default_observable(e)};
    struct search_request r = {.nvariables = 0};
    struct search_result result;
    if (read_search(s, c, &asked, &r) || arguments_check_observable(s, c, e, asked.observable))
        return -1;
    const struct fit_state *state = search_adopt(s, c, &asked, &r, &result, c->diag);
    if (!state)
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_search(state, state->model, &result));
    else
        text_search(s->out, state, state->model, &result);
    return 0;
}
