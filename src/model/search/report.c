/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search reports: candidates, places beyond the data, and all formulas that remain. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/search.h"
#include "model/search/searcher.h"

static char *formula_of(struct searcher *s, const struct search_sum *sum)
{
    const char *name = s->request->fit.points.experiment->base;
    char *text = sum->constant ? arena_printf(s->arena, "%s[0]", name) : "";
    for (size_t i = 0; i < sum->n; i++) {
        char *term = search_term_text(s->arena, &s->library.terms[sum->term[i]], s->variables,
                                      s->nvariables);
        bool divides = strncmp(term, "1/", 2) == 0;
        text = arena_printf(s->arena, "%s%s%s[%zu]%s%s", text, *text ? " + " : "", name,
                            i + sum->constant, divides ? "" : "*", divides ? term + 1 : term);
    }
    return text;
}

static double left_out_error(struct searcher *s, const struct search_sum *sum)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1];
    size_t k = searcher_columns(s, sum, columns, cost);
    return 100 * search_left_out_error(s->work, &s->problem, columns, k);
}

static bool make_candidate(struct searcher *s, const struct found *f, struct search_candidate *c)
{
    struct fit_request r = s->request->fit;
    *c = (struct search_candidate){.text = formula_of(s, &f->sum),
                                   .terms = f->sum.n,
                                   .divided = f->divided,
                                   .criterion = -2 * f->plausible};
    c->intervals = r.intervals;
    if (!f->divided)
        c->intervals = (struct interval_request){.mode = INTERVALS_NONE};
    r.intervals = c->intervals;
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){"<search>", c->text, strlen(c->text)};
    const char *names[] = {r.points.experiment->base, NULL};
    struct formula_options options = {.experiments = names};
    c->formula = formula_parse(s->arena, source, (struct span){0, source->size}, &options, s->diag);
    r.formula = c->formula;
    r.source = source;
    r.nonneg = !s->request->any_sign;
    c->model = c->formula ? model_fit_points(s->arena, &r, &s->all, s->diag) : NULL;
    if (!c->model)
        return false;
    if (f->divided)
        model_leave_out(c->model);
    c->cv_pct = f->divided ? c->model->error.loo_mean_pct : left_out_error(s, &f->sum);
    return true;
}

/* The least or the largest value of a variable at the points. */
static double end_of(const struct searcher *s, size_t v, bool most)
{
    double end = s->variables[v].at[0];
    for (size_t i = 1; i < s->used.n; i++)
        end = most ? fmax(end, s->variables[v].at[i]) : fmin(end, s->variables[v].at[i]);
    return end;
}

/* Beyond the data in one variable, the others at their largest. */
static void make_places(struct searcher *s, struct search_result *out)
{
    out->places = arena_zalloc(s->arena, s->nvariables + 1, sizeof *out->places);
    for (size_t v = 0; v < s->nvariables; v++) {
        struct search_place *p = &out->places[out->nplaces++];
        const char **names = arena_alloc(s->arena, s->nvariables, sizeof *names);
        double *at = arena_alloc(s->arena, s->nvariables, sizeof *at);
        p->place = (struct place){names, at, s->nvariables};
        p->values = arena_alloc(s->arena, SEARCH_MAX_FOUND, sizeof *p->values);
        for (size_t j = 0; j < s->nvariables; j++) {
            double most = end_of(s, j, true);
            names[j] = s->variables[j].name;
            at[j] = j == v ? SEARCH_BEYOND * most : most;
        }
        p->low = INFINITY;
        p->high = -INFINITY;
        p->typical = p->typical_low = p->typical_high = NAN;
    }
}

/* Adds the predictions of the next candidate at the places. Adds nothing and
 * returns false if one of them is negative: a cost cannot be negative. */
static bool add_predictions(struct searcher *s, const struct search_candidate *c, bool any_sign,
                            struct search_result *out)
{
    struct prediction *one = arena_zalloc(s->arena, out->nplaces + 1, sizeof *one);
    for (size_t p = 0; p < out->nplaces; p++) {
        if (model_predict(s->arena, c->model, &out->places[p].place, NULL, &one[p]))
            one[p].value = NAN;
        if (one[p].value < 0 && !any_sign)
            return false;
    }
    for (size_t p = 0; p < out->nplaces; p++) {
        struct search_place *q = &out->places[p];
        double value = one[p].value;
        q->values[out->ncandidates] = value;
        if (isnan(value))
            continue;
        q->low = fmin(q->low, value);
        q->high = fmax(q->high, value);
    }
    return true;
}

/* What all formulas that remain say at the places. */
static void predict_typical(struct searcher *s, struct search_result *out)
{
    struct model *m = out->candidates[0].model;
    model_take_alternatives(m, out);
    for (size_t p = 0; p < out->nplaces; p++) {
        struct search_place *q = &out->places[p];
        struct prediction one;
        if (model_predict(s->arena, m, &q->place, NULL, &one))
            continue;
        q->typical = one.value;
        q->typical_low = isnan(one.low) ? one.value : one.low;
        q->typical_high = isnan(one.high) ? one.value : one.high;
    }
}

static bool is_measured(const struct searcher *s, const double *at)
{
    for (size_t i = 0; i < s->used.n; i++) {
        size_t same = 0;
        while (same < s->nvariables && s->variables[same].at[i] == at[same])
            same++;
        if (same == s->nvariables)
            return true;
    }
    return false;
}

/* Of the places where every variable is the least or the largest one, that at which the formulas
 * differ most, unless it was measured: nothing inside the data says more about how they combine. */
static void find_next(struct searcher *s, struct search_result *out)
{
    double apart = SEARCH_APART;
    for (size_t corner = 0; corner < (size_t)1 << s->nvariables && s->nvariables > 1; corner++) {
        double *at = arena_alloc(s->arena, s->nvariables, sizeof *at);
        struct prediction one;
        for (size_t v = 0; v < s->nvariables; v++)
            at[v] = end_of(s, v, corner >> v & 1);
        struct place place = {out->variables, at, s->nvariables};
        if (is_measured(s, at) ||
            model_predict(s->arena, out->candidates[0].model, &place, NULL, &one) ||
            !(one.high > apart * fmax(one.low, 0)))
            continue;
        apart = one.high / fmax(one.low, 0);
        out->next = (struct search_next){.place = place, .low = fmax(one.low, 0), .high = one.high};
    }
}

/* ---- what remains, for predictions ---- */

/* The place of a term of the library in the list of the result; SIZE_MAX is the constant term. */
static size_t listed_term(struct searcher *s, size_t term, struct search_result *out)
{
    size_t *place = &s->listed[term == SIZE_MAX ? s->library.n : term];
    if (*place)
        return *place - 1;
    *place = ++out->nterms;
    out->terms[out->nterms - 1] =
        term == SIZE_MAX
            ? "1"
            : search_term_text(s->arena, &s->library.terms[term], s->variables, s->nvariables);
    return out->nterms - 1;
}

/* A sum's constants, drawn from what the data say of them. */
static void draw_constants(struct searcher *s, const struct found *f, struct random *random,
                           struct search_result *result, struct search_alternative *out)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1], scale[SEARCH_MAX_TERMS + 1];
    double *work = arena_alloc(s->work, s->used.n, sizeof *work);
    struct search_posterior posterior;
    size_t k = searcher_columns(s, &f->sum, columns, cost);
    if (!(search_evidence(s->work, &s->problem, columns, k, &posterior) > -INFINITY)) {
        out->ndraws = 0;
        return;
    }
    out->n = k;
    out->term = arena_alloc(s->arena, k, sizeof *out->term);
    for (size_t j = 0; j < k; j++) { /* the constant term is last */
        size_t t = j < f->sum.n ? f->sum.term[j] : SIZE_MAX;
        scale[j] = searcher_column(s, t == SIZE_MAX ? NULL : &s->library.terms[t], work);
        out->term[j] = listed_term(s, t, result);
    }
    out->draws = arena_alloc(s->arena, out->ndraws * k, sizeof *out->draws);
    out->noise = arena_alloc(s->arena, out->ndraws, sizeof *out->noise);
    for (size_t i = 0; i < out->ndraws; i++) {
        out->noise[i] = search_draw(&s->problem, &posterior, random, out->draws + i * k);
        for (size_t j = 0; j < k; j++)
            out->draws[i * k + j] /= scale[j];
    }
}

/* Exponentials of logarithms, divided by their sum. */
static void make_shares(double *x, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (size_t i = 0; i < n; i++)
        sum += x[i] = exp(x[i] - most);
    for (size_t i = 0; i < n; i++)
        x[i] /= sum;
}

/* Shares of the formulas. Where the points do not tell how the variables combine, a part of them
 * ignores how they are expected to: the interval then also covers what the data do not contradict. */
static void share_pool(const struct searcher *s, double *share)
{
    double *plain = arena_alloc(s->work, s->npool + 1, sizeof *plain);
    for (size_t i = 0; i < s->npool; i++) {
        share[i] = s->pool[i].plausible;
        plain[i] = s->problem.lines ? searcher_plain(s, &s->pool[i]) : 0;
    }
    make_shares(share, s->npool);
    if (!s->problem.lines)
        return;
    make_shares(plain, s->npool);
    for (size_t i = 0; i < s->npool; i++)
        share[i] += SEARCH_PLAIN_SHARE * (plain[i] - share[i]);
}

/* The draws that each formula gets: at equal distances along the sum of the shares, so that many
 * formulas of small shares get together what they have together. */
static void share_draws(const struct searcher *s, const double *share, size_t *draws)
{
    double before = 0;
    for (size_t i = 0; i < s->npool; i++) {
        double after = before + SEARCH_DRAWS * share[i];
        draws[i] = (size_t)(floor(after + 0.5) - floor(before + 0.5));
        before = after;
    }
}

static void make_alternatives(struct searcher *s, struct search_result *out)
{
    struct random random = {1};
    double *share = arena_alloc(s->work, s->npool + 1, sizeof *share);
    size_t *draws = arena_alloc(s->work, s->npool + 1, sizeof *draws);
    share_pool(s, share);
    share_draws(s, share, draws);
    s->listed = arena_zalloc(s->work, s->library.n + 1, sizeof *s->listed);
    out->terms = arena_alloc(s->arena, s->library.n + 1, sizeof *out->terms);
    out->alternatives = arena_zalloc(s->arena, SEARCH_DRAWS + 2, sizeof *out->alternatives);
    for (int without_last = 0; without_last < 2; without_last++) {
        if (without_last && (s->nvariables != 1 || !searcher_leave_last_out(s, 0)))
            break;
        if (without_last)
            searcher_problem(s);
        for (size_t i = 0; i < s->npool; i++) {
            const struct found *f = &s->pool[i];
            if (f->without_last != without_last)
                continue;
            out->last_share += f->without_last ? share[i] : 0;
            if (draws[i] == 0)
                continue;
            struct search_alternative *x = &out->alternatives[out->nalternatives++];
            *x = (struct search_alternative){.intervals = s->request->fit.intervals,
                                             .divided = f->divided,
                                             .without_last = f->without_last,
                                             .share = share[i],
                                             .ndraws = draws[i]};
            if (f->divided)
                x->text = formula_of(s, &f->sum);
            else
                draw_constants(s, f, &random, out, x);
        }
    }
    for (size_t c = 0; c < out->ncandidates; c++)
        out->candidates[c].share = share[s->in_pool[c]];
}

/* A sum of which a term costs nothing is another sum, without it. */
static bool has_idle_term(const struct model *m)
{
    struct model_constants all = model_constants(m);
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].at_bound)
            return true;
    return false;
}

/* The candidate without the terms that cost nothing; false if a candidate before it has the same terms. */
static bool drop_idle_terms(struct searcher *s, const struct found *f,
                            const struct search_result *out, struct search_candidate *c)
{
    struct found shorter = *f;
    struct model_constants all = model_constants(c->model);
    shorter.sum.n = 0;
    for (size_t i = 0; i < all.n; i++) { /* the constant term is the first one */
        if (i == 0 && f->sum.constant)
            shorter.sum.constant = !all.list[i].at_bound;
        else if (!all.list[i].at_bound)
            shorter.sum.term[shorter.sum.n++] = f->sum.term[i - f->sum.constant];
    }
    if (shorter.sum.n + shorter.sum.constant == 0 || f->divided)
        return true;
    if (shorter.sum.n + shorter.sum.constant < all.n && !make_candidate(s, &shorter, c))
        return false;
    for (size_t i = 0; i < out->ncandidates; i++)
        if (!strcmp(out->candidates[i].text, c->text))
            return false;
    return true;
}

/* The formulas that the data cannot tell from the best one. False if that cannot be fitted. Idle: those that have a term
 * which costs nothing, without it. */
static bool make_candidates(struct searcher *s, bool idle, struct search_result *out)
{
    for (size_t i = 0; i < s->npool && out->ncandidates < SEARCH_MAX_FOUND; i++) {
        if (i > 0 && -2 * s->pool[i].plausible > -2 * s->pool[0].plausible + SEARCH_SAME)
            break;
        if (s->pool[i].without_last)
            continue;
        struct search_candidate *c = &out->candidates[out->ncandidates];
        bool made = make_candidate(s, &s->pool[i], c);
        if (!made && i == 0)
            return false;
        made = made && (idle ? drop_idle_terms(s, &s->pool[i], out, c) : !has_idle_term(c->model));
        if (made && add_predictions(s, c, false, out))
            s->in_pool[out->ncandidates++] = i;
    }
    return true;
}

int searcher_report(struct searcher *s, struct search_result *out)
{
    out->candidates = arena_zalloc(s->arena, SEARCH_MAX_FOUND, sizeof *out->candidates);
    make_places(s, out);
    if (!make_candidates(s, false, out))
        return -1;
    if (out->ncandidates == 0)
        make_candidates(s, true, out);
    if (out->ncandidates == 0 && make_candidate(s, &s->pool[0], &out->candidates[0]) &&
        add_predictions(s, &out->candidates[0], true, out))
        out->ncandidates = 1;
    out->nvariables = s->nvariables;
    out->variables = arena_alloc(s->arena, s->nvariables + 1, sizeof *out->variables);
    for (size_t v = 0; v < s->nvariables; v++)
        out->variables[v] = s->variables[v].name;
    out->library = s->library.n;
    out->level = s->library.level;
    out->formulas = s->formulas;
    out->used = s->used.n;
    for (size_t i = 0; i < s->used.n; i++)
        out->left_out += s->skip[i];
    make_alternatives(s, out);
    predict_typical(s, out);
    find_next(s, out);
    return 0;
}
