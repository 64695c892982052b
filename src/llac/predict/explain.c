/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain NAME [on OBS] VAR=VALUE... [where CONDITION]: what each term contributes at a place, and where another one takes
 * over. */
#include <math.h>
#include <string.h>

#include "llac/compose/command.h"
#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"
#include "llac/commands.h"

/* Index of the largest contribution. */
static size_t largest(const double *share, size_t n)
{
    size_t best = 0;
    for (size_t j = 1; j < n; j++)
        if (fabs(share[j]) > fabs(share[best]))
            best = j;
    return best;
}

/* The part of the formula without constants is one more term, behind those of the constants. */
static size_t terms_of(const struct model *m)
{
    return model_constants(m).n + 1;
}

static const char *name_of(const struct model *m, size_t term)
{
    return term < model_constants(m).n ? model_constants(m).list[term].name : "known";
}

/* Another term becomes the largest beyond `at`, on the way up or down along one variable. */
struct crossing {
    const char *variable;
    double at;
    size_t from, to; /* terms */
};

struct walker {
    struct session *session;
    struct cursor *cursor;
    struct model *model;
    struct given_place place;
    size_t variable; /* of place */
};

static struct place place_of(const struct walker *w)
{
    return (struct place){w->place.names, w->place.values, w->place.n};
}

static int terms_at(struct walker *w, double x, double *share)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    w->place.values[w->variable] = x;
    struct place place = place_of(w);
    return model_terms_on(w->cursor->arena, w->model, &place, NULL, NULL, quiet, share,
                          &share[model_constants(w->model).n]);
}

/* Bisection between a place where `first` is the largest and one where it is not. */
static double bisect(struct walker *w, double inside, double outside, size_t first, double *share)
{
    for (int i = 0; i < 50; i++) {
        double middle = sqrt(inside * outside);
        if (terms_at(w, middle, share) == 0 && largest(share, terms_of(w->model)) == first)
            inside = middle;
        else
            outside = middle;
    }
    return sqrt(inside * outside);
}

/* Steps of a quarter octave, up to 1024 times beyond the place; the first crossing. */
static bool find_crossing(struct walker *w, double start, bool up, double *share,
                          struct crossing *out)
{
    enum { STEPS = 40, PER_OCTAVE = 4 };
    double before = start, factor = pow(2, (up ? 1.0 : -1.0) / PER_OCTAVE);
    if (!(start > 0) || terms_at(w, start, share))
        return false;
    size_t first = largest(share, terms_of(w->model));
    for (int i = 1; i <= STEPS; i++) {
        double x = start * pow(factor, i);
        if (terms_at(w, x, share))
            return false;
        size_t now = largest(share, terms_of(w->model));
        if (now != first) {
            out->at = bisect(w, before, x, first, share);
            out->from = first;
            out->to = now;
            out->variable = w->place.names[w->variable];
            return true;
        }
        before = x;
    }
    return false;
}

static size_t find_crossings(struct walker *w, double *share, struct crossing *out)
{
    size_t n = 0;
    for (size_t v = 0; v < w->place.n; v++) {
        double start = w->place.values[v];
        w->variable = v;
        for (int up = 0; up <= 1; up++)
            n += find_crossing(w, start, up, share, &out[n]);
        w->place.values[v] = start;
    }
    return n;
}

/* What `predict` prints; nan: it has no value there. */
static double predicted_value(const struct walker *w)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct place place = place_of(w);
    struct prediction p;
    model_resample(w->model);
    return model_predict(w->cursor->arena, w->model, &place, quiet, &p) ? NAN : p.value;
}

static void explain_text(FILE *out, const struct model *m, const double *share, double total,
                         double predicted, const struct crossing *list, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    size_t k = terms_of(m), *order = arena_alloc(a, k, sizeof *order);
    for (size_t j = 0; j < k; j++) { /* largest first */
        size_t i = j;
        for (; i > 0 && fabs(share[order[i - 1]]) < fabs(share[j]); i--)
            order[i] = order[i - 1];
        order[i] = j;
    }
    if (strcmp(model_points(m)->request->observable, "CLOCK") != 0)
        fprintf(out, "  %s %s\n", model_points(m)->request->experiment->name,
                model_points(m)->request->observable);
    fprintf(out, "  %-10s %12s %9s   %s\n", "", "contributes", "share", "term");
    for (size_t j = 0; j < k; j++) {
        size_t c = order[j];
        bool known = c == model_constants(m).n;
        if (known ? share[c] == 0 : model_constants(m).list[c].is_exponent)
            continue;
        fprintf(out, "  %-10s %12s %7s %%   %s\n", name_of(m, c),
                number_digits(share[c], 4, NUMBER_BUFFER),
                number_decimals(total != 0 ? 100 * share[c] / total : 0, 1, NUMBER_BUFFER),
                known ? "without constants" : formula_text(a, model_term(a, m, c)));
    }
    const char *together = number_digits(total, 4, NUMBER_BUFFER),
               *there = number_digits(predicted, 4, NUMBER_BUFFER);
    fprintf(out, "  %-10s %12s\n", "together", together);
    if (!isnan(predicted) && strcmp(together, there) != 0)
        fprintf(out, "  %-10s %12s             what 'predict' prints\n", "predicted", there);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "  %s takes over from %s at %s = %.4g\n", name_of(m, list[i].to),
                name_of(m, list[i].from), list[i].variable, list[i].at);
    if (!n)
        fprintf(out, "  %s stays the largest over a factor of 1024 in each direction\n",
                name_of(m, largest(share, k)));
}

static void explain_json(FILE *out, const struct model *m, const double *share, double total,
                         double predicted, struct place place, const struct crossing *list,
                         size_t n)
{
    const struct points_request *request = model_points(m)->request;
    struct model_constants constants = model_constants(m);
    json_t *terms = json_array(), *crossings = json_array();
    ARENA_LOCAL struct arena *a = arena_create();
    for (size_t c = 0; c < constants.n; c++) {
        if (constants.list[c].is_exponent)
            continue;
        json_add(terms, "{constant:%s term:%s value:%g share:%g}", constants.list[c].name,
                 formula_text(a, model_term(a, m, c)), share[c],
                 total != 0 ? share[c] / total : NAN);
    }
    for (size_t i = 0; i < n; i++)
        json_add(crossings, "{var:%s at:%g from:%s to:%s}", list[i].variable, list[i].at,
                 name_of(m, list[i].from), name_of(m, list[i].to));
    json_print(out,
               "{experiment:%s at:%p value:%g predicted:%g unit:%s terms:%p known:%g dominant:%s "
               "crossings:%p observable:%s statistic:%s}",
               request->experiment->name, json_place(place), total, predicted, points_unit(request),
               terms, share[constants.n], name_of(m, largest(share, terms_of(m))), crossings,
               request->observable, statistics[request->statistic].name);
}

int command_explain(struct session *s, struct cursor *c)
{
    static const char *const words[] = {"where", NULL};
    struct span where;
    const char *name = cursor_experiment(c, &where);
    if (!name)
        return session_name_missing(s, c);
    const struct compose_definition *d = session_definition(s, name);
    if (d)
        return compose_explain_definition(s, c, d);
    const struct experiment *e = session_experiment(s, c, name, where);
    if (!e)
        return -1;
    struct walker w = {.session = s, .cursor = c};
    const char *observable = NULL;
    if (read_observable(c, &observable))
        return -1;
    while (!cursor_done(c) && !cursor_is_next(c, "where"))
        if (read_place_value(c, &w.place))
            return -1;
    if (read_where(s, c, words) || cursor_finish(c))
        return -1;
    w.model = session_model(s, e->name, observable, c->diag);
    if (!w.model)
        return -1;
    if (model_constants(w.model).n == 0)
        return cursor_error(
            c, where, "the formula of %s has no constants: there are no terms to explain", name);
    double *share = arena_alloc(c->arena, terms_of(w.model), sizeof *share), total = 0;
    struct place place = place_of(&w);
    if (model_terms_on(c->arena, w.model, &place, NULL, NULL, c->diag, share,
                       &share[model_constants(w.model).n]))
        return -1;
    struct crossing *list = arena_alloc(c->arena, 2 * w.place.n + 1, sizeof *list);
    double *scratch = arena_alloc(c->arena, terms_of(w.model), sizeof *scratch);
    size_t n = find_crossings(&w, scratch, list);
    for (size_t j = 0; j < terms_of(w.model); j++)
        total += share[j];
    if (s->json) {
        explain_json(s->out, w.model, share, total, predicted_value(&w), place, list, n);
    } else {
        text_values(s->out, model_points(w.model)->request);
        explain_text(s->out, w.model, share, total, predicted_value(&w), list, n);
    }
    return 0;
}
