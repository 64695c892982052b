/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All experiments at once (all.h). An experiment without a model does not keep the others from theirs. */
#include "llac/fit/all.h"

#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "base/sort.h"
#include "llac/fit/fit.h"
#include "llac/search/search.h"

bool all_is_meant(struct session *s, const char *name)
{
    return strcmp(name, "all") == 0 && s->data->nexperiments && !session_find(s, name) &&
           !session_has_versions(s, name);
}

/* ---- what a line says of a model */

static size_t largest_point(const struct points *p)
{
    size_t best = 0;
    for (size_t i = 1; i < p->n; i++)
        if (p->value[i] > p->value[best])
            best = i;
    return best;
}

static void find_growth(struct arena *a, struct all_model *q)
{
    const struct model *m = q->model;
    const struct points *p = model_points(m);
    size_t known = model_constants(m).n, best = known, at = largest_point(p);
    double *terms = arena_alloc(a, known + 1, sizeof *terms), sum = 0;
    double *values = arena_alloc(a, p->nnames + 1, sizeof *values);
    q->growth = "";
    q->share = NAN;
    for (size_t j = 0; j < p->nnames; j++)
        values[j] = p->at[j][at];
    struct place place = {(const char *const *)p->names, values, p->nnames};
    if (p->n == 0 || model_terms_on(a, m, &place, NULL, NULL, NULL, terms, &terms[known]))
        return;
    for (size_t j = 0; j <= known; j++) {
        best = fabs(terms[j]) > fabs(terms[best]) ? j : best;
        sum += fabs(terms[j]);
    }
    q->growth = best == known ? "known" : formula_text(a, model_term(a, m, best));
    q->share = sum > 0 ? fabs(terms[best]) / sum : NAN;
}

static void describe(struct arena *a, struct all_model *q)
{
    const struct points *p = model_points(q->model);
    q->seconds = strcmp(observe_unit(q->observable), "s") == 0 ? 0 : NAN;
    for (size_t i = 0; i < p->n; i++) {
        double one = points_is_spread(p->request) ? p->spread[i].mean : p->value[i];
        q->seconds += fmax(one, 0) * (double)p->count[i];
    }
    find_growth(a, q);
}

/* ---- making them */

struct maker {
    struct session *s;
    struct cursor *c;
    struct all_models *out;
    size_t room;
};

static struct all_model *add(struct maker *k, const struct experiment *e, const char *observable,
                             bool searched)
{
    struct all_models *all = k->out;
    all->list = arena_grow(k->c->arena, all->list, all->n, &k->room, all->n + 1, sizeof *all->list);
    struct all_model *q = &all->list[all->n++];
    *q = (struct all_model){.experiment = e->name,
                            .observable = observable,
                            .growth = "",
                            .seconds = NAN,
                            .share = NAN,
                            .searched = searched};
    return q;
}

/* The points of an experiment that has fewer of them than its formula has constants; NULL: it has none, or
 * enough. */
static const struct points *too_few(struct maker *k, const struct experiment *e,
                                    const char *observable)
{
    struct arena *a = k->c->arena;
    const struct observable_formula *text = experiment_formula(e, observable);
    struct points_request *r = arena_alloc(a, 1, sizeof *r);
    struct points *points = arena_zalloc(a, 1, sizeof *points);
    DIAG_LOCAL struct diag *quiet = diag_create();
    *r = session_points(k->s, a, e, observable, &k->s->given);
    const struct formula *f = text ? formula_parse_text(a, text->text, e->base, quiet) : NULL;
    const struct formula_linear *l = f ? formula_linearize(a, f, NULL, quiet) : NULL;
    bool few = l && points_make(a, r, quiet, points) == 0 && points->n > 0 &&
               points->n < l->nterms + l->nexponents;
    return few ? points : NULL;
}

/* Takes the model, or the error message. */
static void take(struct maker *k, const struct experiment *e, struct all_model *q,
                 struct fit_state *state, struct diag *diag)
{
    q->state = state;
    if (state) {
        q->model = state->model;
        q->observable = state->observable;
        describe(k->c->arena, q);
    } else {
        const char *reason = diag_first(diag, SEVERITY_ERROR);
        q->reason = arena_strdup(k->c->arena, reason ? reason : "it could not be fitted");
        q->few = q->searched ? NULL : too_few(k, e, q->observable);
        k->out->failed += !q->searched && !q->few;
    }
    diag_destroy(diag);
}

static void fit_one(struct maker *k, const struct experiment *e, const char *observable)
{
    struct all_model *q = add(k, e, observable, false);
    struct fit_state asked = k->s->given;
    asked.experiment = e->name;
    asked.observable = observable;
    struct diag *diag = diag_create();
    struct fit_state *state = fit_adopt(k->s, &asked, diag);
    take(k, e, q, state, diag);
}

static void search_one(struct maker *k, const struct experiment *e, const struct fit_state *with,
                       const struct search_request *request)
{
    struct fit_state asked = *with;
    struct search_request r = *request;
    struct search_result found;
    asked.experiment = e->name;
    asked.observable = with->observable ? with->observable : experiment_default_observable(e);
    struct all_model *q = add(k, e, asked.observable, true);
    struct diag *diag = diag_create();
    struct fit_state *state = search_adopt(k->s, k->c, &asked, &r, &found, diag);
    take(k, e, q, state, diag);
}

static int by_time(const void *x, const void *y, void *context)
{
    const struct all_model *a = x, *b = y;
    (void)context;
    double s = a->model && a->seconds >= 0 ? a->seconds : a->model ? -1 : -2;
    double t = b->model && b->seconds >= 0 ? b->seconds : b->model ? -1 : -2;
    return s != t ? (s > t ? -1 : 1) : strcmp(a->experiment, b->experiment);
}

static int finish(struct maker *k)
{
    struct all_models *all = k->out;
    if (session_interrupt)
        return diag_error(k->c->diag, "interrupted");
    sort_with(all->list, all->n, sizeof *all->list, by_time, NULL);
    return 0;
}

int all_fit(struct session *s, struct cursor *c, const char *observable, struct all_models *out)
{
    struct maker k = {s, c, out, 0};
    struct fit_state plain = s->given;
    plain.observable = observable;
    const struct search_request none = {.nvariables = 0};
    for (size_t i = 0; i < s->data->nexperiments && !session_interrupt; i++) {
        const struct experiment *e = s->data->experiments[i];
        progress_at("experiments", i, s->data->nexperiments);
        for (size_t f = 0; f < e->nformulas && !session_interrupt; f++)
            if (!observable || strcmp(e->formulas[f].observable, observable) == 0)
                fit_one(&k, e, e->formulas[f].observable);
        if (!e->nformulas)
            search_one(&k, e, &plain, &none);
    }
    return finish(&k);
}

int all_search(struct session *s, struct cursor *c, const struct fit_state *asked,
               const struct search_request *request, struct all_models *out)
{
    struct maker k = {s, c, out, 0};
    for (size_t i = 0; i < s->data->nexperiments && !session_interrupt; i++) {
        progress_at("experiments", i, s->data->nexperiments);
        search_one(&k, s->data->experiments[i], asked, request);
    }
    return finish(&k);
}
