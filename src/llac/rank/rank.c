/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a model for each region, predicts, and orders the regions (rank.h). */
#include "llac/rank/rank.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "data/nesting.h"
#include "llac/rank/thresholds.h"
#include "model/search.h"

/* ---- the way */

/* A value that is given by a formula, from those before it. */
static double follow(const struct rank_request *q, const double *values, size_t i)
{
    ARENA_LOCAL struct arena *a = arena_create();
    double value;
    return formula_at(a, q->by[i], q->names, values, i, NULL, NULL, &value, NULL) ? NAN : value;
}

/* From the end of the data to the place by factors, all variables at once; from 0 by steps. */
void rank_place(const struct ranking *r, double part, double *values)
{
    const struct rank_request *q = r->request;
    for (size_t i = 0; i < q->n; i++) {
        double from = r->start[i], to = q->values[i];
        if (q->by[i])
            values[i] = follow(q, values, i);
        else if (part <= 0 || part >= 1)
            values[i] = part <= 0 ? from : to;
        else
            values[i] =
                from > 0 && to > 0 ? from * pow(to / from, part) : from + part * (to - from);
    }
}

bool rank_is_way(const struct ranking *r)
{
    for (size_t i = 0; i < r->request->n; i++)
        if (!r->request->by[i] && r->start[i] != r->request->values[i])
            return true;
    return false;
}

/* The end of the data that is nearest to the place, per name. */
static void find_start(struct arena *a, struct ranking *r)
{
    const struct rank_request *q = r->request;
    r->start = arena_alloc(a, q->n + 1, sizeof *r->start);
    for (size_t i = 0; i < q->n; i++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < r->nregions; k++)
            points_widen(model_points(r->regions[k].model), q->names[i], &low, &high);
        r->start[i] = low <= high ? fmin(fmax(q->values[i], low), high) : q->values[i];
    }
}

/* ---- one region */

/* What a region is made from: the reason that it cannot be predicted is in diag. */
struct making {
    struct session *session;
    struct arena *arena;
    const struct ranking *ranking;
    const struct experiment *e;
    struct diag *diag;
};

struct model *rank_search(struct session *s, struct arena *a, const struct experiment *e,
                          const char *observable, struct diag *diag, const char **formula)
{
    struct search_result found;
    struct search_request r = {.fit = session_fit_request(s, a, e, observable, NULL)};
    if (model_search(a, &r, diag, &found))
        return NULL;
    struct fit_request fit = r.fit;
    fit.formula = found.candidates[0].formula;
    fit.intervals = found.candidates[0].intervals;
    fit.nonneg = true;
    struct model *model = model_fit(a, &fit, diag);
    if (model)
        model_take_alternatives(model, &found);
    *formula = found.candidates[0].text;
    return model;
}

static struct model *search_model(const struct making *m, const char *observable,
                                  const char **formula)
{
    return rank_search(m->session, m->arena, m->e, observable, m->diag, formula);
}

/* Whether the user or the source gives a formula for the time with the regions inside. */
static bool has_clock_formula(const struct making *m)
{
    const struct fit_state *state = session_find_state(m->session, m->e->name, "CLOCK");
    return (state && state->asked) || experiment_formula(m->e, "CLOCK");
}

/* SELF, fitted with the formula of CLOCK: the terms of a region's own work are among those of the
 * whole. NULL: there is no such formula, or it cannot be fitted. */
static struct model *clock_model(const struct making *m, const char **formula)
{
    if (!has_clock_formula(m))
        return NULL;
    DIAG_LOCAL struct diag *quiet = diag_create();
    const struct model *clock = session_model(m->session, m->e->name, "CLOCK", quiet);
    struct fit_request fit = session_fit_request(m->session, m->arena, m->e, DATA_SELF, NULL);
    if (!clock)
        return NULL;
    fit.nonneg = true;
    fit.formula = model_request(clock)->formula;
    fit.source = model_request(clock)->source;
    *formula = formula_text(m->arena, fit.formula);
    return model_fit(m->arena, &fit, quiet);
}

/* Where regions are inside: the formula of CLOCK if it describes SELF well, or if it must do
 * (`by_clock`), else a search. */
static void choose_self(const struct making *m, bool by_clock, struct rank_region *out)
{
    struct model *model = clock_model(m, &out->formula);
    out->source = RANK_CLOCK;
    if (model && (by_clock || model_error(model)->loo_mean_pct <= RANK_MOST_CLOCK_PCT)) {
        out->model = model;
        return;
    }
    out->source = RANK_SEARCHED;
    out->model = search_model(m, out->observable, &out->formula);
}

/* The last fit that the user made, the formula of the source, or a search. */
static int choose_model(const struct making *m, bool by_clock, struct rank_region *out)
{
    const struct fit_state *state = session_find_state(m->session, m->e->name, out->observable);
    bool asked = state && state->asked;
    bool own = experiment_formula(m->e, out->observable) != NULL;
    if (asked || own) {
        out->source = asked ? RANK_FITTED : RANK_OWN;
        out->model = session_model(m->session, m->e->name, out->observable, m->diag);
        state = session_find_state(m->session, m->e->name, out->observable);
        out->formula = state ? state->formula_text : NULL;
    } else if (out->contains) {
        choose_self(m, by_clock, out);
    } else {
        out->source = RANK_SEARCHED;
        out->model = search_model(m, out->observable, &out->formula);
    }
    if (!out->model)
        return -1;
    model_resample(out->model);
    return session_interrupt ? -1 : 0;
}

/* A variable of the model that is not given: one value in each unit, as a formula over the place of
 * the unit. */
static int find_variable(const struct making *m, const struct unit_region *units, const char *name,
                         size_t column, struct rank_region *out)
{
    const struct rank_request *q = m->ranking->request;
    size_t n = 0, all = 0;
    for (size_t g = 0; g < units->ngroups; g++)
        all += units->groups[g].n;
    struct relation_sample *samples = arena_alloc(m->arena, all + 1, sizeof *samples);
    for (size_t g = 0; g < units->ngroups; g++)
        for (size_t i = 0; i < units->groups[g].n; i++) {
            const struct unit_sample *u = &units->groups[g].samples[i];
            if (isnan(u->own[column]))
                return diag_error(
                    m->diag, "its variable %s is not given, and has several values in one %s", name,
                    m->ranking->units.of_runs ? "run" : "execution of an outermost region");
            samples[n++] = (struct relation_sample){u->at, u->own[column]};
        }
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct relation *is =
        relation_make(m->arena, name, (const char *const *)q->names, q->n, samples, n, quiet);
    if (!is || is->error > RANK_MOST_ERROR) {
        relation_free(is);
        return diag_error(m->diag,
                          "its variable %s is not given: add %s=VALUE, or a formula such as "
                          "%s=%s/2",
                          name, name, name, q->names[0]);
    }
    out->variables[out->nvariables++] = (struct rank_variable){name, is};
    return 0;
}

static int find_variables(const struct making *m, const struct unit_region *units,
                          struct rank_region *out)
{
    size_t n;
    const char **names = model_variables(m->arena, out->model, &n);
    out->variables = arena_zalloc(m->arena, n + 1, sizeof *out->variables);
    for (size_t i = 0; i < n; i++) {
        const struct points *p = model_points(out->model);
        size_t column = points_find(p, names[i]),
               variable = experiment_find_variable(m->e, names[i]);
        if (text_is_in(m->ranking->request->names, m->ranking->request->n, names[i]) ||
            column == SIZE_MAX || points_constant(p, column))
            continue;
        if (variable == SIZE_MAX)
            return diag_error(m->diag, "%s is not given: add %s=VALUE", names[i], names[i]);
        if (find_variable(m, units, names[i], variable - FIELD_FIXED, out))
            return -1;
    }
    return 0;
}

static int find_executions(const struct making *m, const struct unit_region *units,
                           struct rank_region *out)
{
    const struct rank_request *q = m->ranking->request;
    out->executions = arena_zalloc(m->arena, units->ngroups + 1, sizeof *out->executions);
    for (size_t g = 0; g < units->ngroups; g++) {
        const struct unit_group *group = &units->groups[g];
        struct relation_sample *samples = arena_alloc(m->arena, group->n + 1, sizeof *samples);
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < group->n; i++) {
            samples[i] =
                (struct relation_sample){group->samples[i].at, group->samples[i].executions};
            low = fmin(low, samples[i].value);
            high = fmax(high, samples[i].value);
        }
        DIAG_LOCAL struct diag *quiet = diag_create();
        out->executions[g] = relation_make(m->arena, "executions", (const char *const *)q->names,
                                           q->n, samples, group->n, quiet);
        if (!out->executions[g] || out->executions[g]->error > RANK_MOST_VARIATION) {
            relation_free(out->executions[g]);
            return diag_error(
                m->diag,
                "it is executed %g to %g times in one %s, and no formula over the given "
                "variables describes how often; 'predict' predicts one execution",
                low, high, group->outer ? group->outer->name : "run");
        }
        out->ngroups++;
    }
    return 0;
}

static void free_region(struct rank_region *r)
{
    for (size_t g = 0; g < r->ngroups; g++)
        relation_free(r->executions[g]);
    for (size_t i = 0; i < r->nvariables; i++)
        relation_free(r->variables[i].is);
}

/* 0, or -1 with the reason. by_clock: of SELF, the formula of CLOCK rather than a search. */
static int make_region(const struct making *m, bool by_clock, struct rank_region *out)
{
    const struct nested *nested = nesting_of(m->session->data, m->e);
    *out = (struct rank_region){.experiment = m->e->name,
                                .observable = experiment_default_observable(m->e),
                                .whole = {NAN, NAN, NAN}};
    if (strcmp(observe_unit(out->observable), "s") != 0)
        return diag_error(m->diag, "%s is not a time", out->observable);
    out->contains = nested->containing > 0 && (strcmp(out->observable, "CLOCK") == 0 ||
                                               strcmp(out->observable, DATA_SELF) == 0);
    if (out->contains)
        out->observable = DATA_SELF;
    if (choose_model(m, by_clock, out))
        return -1;
    struct unit_region units = units_of(m->session, m->arena, &m->ranking->units, m->e);
    if (units.elsewhere)
        return diag_error(
            m->diag,
            "it is executed with other values of %s than %s; 'predict' predicts one execution",
            units.elsewhere,
            m->ranking->units.of_runs ? "the run has outside of all regions"
                                      : "the outermost region that contains it");
    return find_variables(m, &units, out) || find_executions(m, &units, out) ? -1 : 0;
}

/* ---- times */

/* The product of two numbers with intervals: relative half widths add up as squares. */
static struct rank_value product(struct rank_value x, struct rank_value y)
{
    struct rank_value out = {x.value * y.value, NAN, NAN};
    if (!isfinite(x.low) || !isfinite(x.high))
        return out;
    double down = hypot((x.value - x.low) / x.value, (y.value - y.low) / y.value),
           up = hypot((x.high - x.value) / x.value, (y.high - y.value) / y.value);
    out.low = out.value * fmax(1 - down, 0);
    out.high = out.value * (1 + up);
    return out;
}

/* The place of a region: the given values and its own variables. */
static int region_place(struct arena *a, const struct ranking *r, const struct rank_region *region,
                        double part, struct diag *diag, struct place *out)
{
    const struct rank_request *q = r->request;
    size_t n = q->n + region->nvariables;
    const char **names = arena_alloc(a, n + 1, sizeof *names);
    double *values = arena_alloc(a, n + 1, sizeof *values), low, high;
    rank_place(r, part, values);
    for (size_t i = 0; i < q->n; i++)
        names[i] = q->names[i];
    struct place given = {names, values, q->n};
    for (size_t i = 0; i < region->nvariables; i++) {
        names[q->n + i] = region->variables[i].name;
        if (relation_at(a, region->variables[i].is, &given, diag, &values[q->n + i], &low, &high))
            return -1;
    }
    *out = (struct place){names, values, n};
    return 0;
}

static int executions_at(struct arena *a, const struct ranking *r, const struct rank_region *region,
                         double part, struct diag *diag, struct rank_value *out)
{
    struct place place;
    double down = 0, up = 0;
    *out = (struct rank_value){0, 0, 0};
    if (region_place(a, r, region, part, diag, &place))
        return -1;
    for (size_t g = 0; g < region->ngroups; g++) {
        struct rank_value one;
        if (relation_at(a, region->executions[g], &place, diag, &one.value, &one.low, &one.high))
            return -1;
        out->value += one.value;
        down = hypot(down, one.value - one.low);
        up = hypot(up, one.high - one.value);
    }
    out->low = out->value - down;
    out->high = out->value + up;
    return 0;
}

static int each_at(struct arena *a, const struct ranking *r, const struct rank_region *region,
                   double part, struct diag *diag, struct prediction *out)
{
    struct place place;
    if (region_place(a, r, region, part, diag, &place))
        return -1;
    struct place known = relation_place(a, region->model, &place);
    return model_predict(a, region->model, &known, diag, out);
}

int rank_time(struct arena *a, const struct ranking *r, const struct rank_region *region,
              double part, struct diag *diag, struct rank_value *out)
{
    struct prediction each;
    struct rank_value executions;
    if (each_at(a, r, region, part, diag, &each) ||
        executions_at(a, r, region, part, diag, &executions))
        return -1;
    if (!(each.value > 0) || !(executions.value > 0))
        return diag_error(diag, "the model of %s predicts no positive time there",
                          region->experiment);
    *out = product((struct rank_value){each.value, each.low, each.high}, executions);
    return 0;
}

/* The largest term at the place. */
static void find_term(struct arena *a, const struct ranking *r, struct rank_region *region)
{
    const struct model *m = region->model;
    struct place place;
    size_t best = 0, known_part = model_constants(m).n;
    double *terms = arena_alloc(a, known_part + 1, sizeof *terms);
    region->term = "";
    region->term_share = NAN;
    if (!known_part || region_place(a, r, region, 1, NULL, &place))
        return;
    struct place known = relation_place(a, m, &place);
    if (model_terms_on(a, m, &known, NULL, NULL, NULL, terms, &terms[known_part]))
        return;
    for (size_t j = 1; j <= known_part; j++)
        if (fabs(terms[j]) > fabs(terms[best]))
            best = j;
    region->term = best == known_part ? "known" : formula_text(a, model_term(a, m, best));
    region->term_share = terms[best] / region->each.value;
}

/* The time with the regions inside, by the formula of CLOCK. */
static void find_whole(const struct making *m, struct rank_region *region)
{
    struct prediction p;
    struct rank_value executions;
    struct place place;
    if (!region->contains || !has_clock_formula(m))
        return;
    struct model *model = session_model(m->session, m->e->name, "CLOCK", m->diag);
    if (!model || region_place(m->arena, m->ranking, region, 1, m->diag, &place))
        return;
    struct place known = relation_place(m->arena, model, &place);
    if (model_predict(m->arena, model, &known, m->diag, &p) ||
        executions_at(m->arena, m->ranking, region, 1, m->diag, &executions))
        return;
    region->whole = product((struct rank_value){p.value, p.low, p.high}, executions);
}

/* Times at both ends of the way. 0, or -1 with the reason. */
static int find_times(const struct making *m, struct rank_region *region)
{
    struct prediction *p = arena_alloc(m->arena, 1, sizeof *p);
    struct rank_value executions;
    const struct ranking *r = m->ranking;
    if (rank_time(m->arena, r, region, 1, m->diag, &region->there) ||
        rank_time(m->arena, r, region, 0, m->diag, &region->here) ||
        each_at(m->arena, r, region, 1, m->diag, p))
        return -1;
    region->each = (struct rank_value){p->value, p->low, p->high};
    region->outside = p;
    region->growth = region->there.value / region->here.value;
    executions_at(m->arena, r, region, 0, m->diag, &executions);
    region->executions_here = executions.value;
    executions_at(m->arena, r, region, 1, m->diag, &executions);
    region->executions_there = executions.value;
    find_term(m->arena, r, region);
    return 0;
}

/* A formula that a search found can grow faster than the time that contains it: beyond the data a small
 * term of a high power decides. Such a formula is refused, and that of CLOCK takes its place. */
static int find_consistent_times(const struct making *m, struct rank_region *region)
{
    struct rank_region other;
    if (find_times(m, region))
        return -1;
    find_whole(m, region);
    if (region->source != RANK_SEARCHED || !(region->there.value > region->whole.value) ||
        make_region(m, true, &other))
        return 0;
    if (other.source != RANK_CLOCK || find_times(m, &other)) {
        free_region(&other);
        return 0;
    }
    other.refused = region->formula;
    find_whole(m, &other);
    free_region(region);
    *region = other;
    return 0;
}

/* ---- all of them */

static void add_missing(struct arena *a, struct ranking *r, const struct experiment *e,
                        struct diag *diag)
{
    const char *reason = diag_first(diag, SEVERITY_ERROR);
    r->missing[r->nmissing++] = (struct rank_missing){
        .experiment = e->name,
        .reason = arena_strdup(a, reason ? reason : "its model cannot be computed")};
}

static int by_time(const void *x, const void *y, void *context)
{
    const struct rank_region *a = x, *b = y;
    (void)context;
    if (a->there.value != b->there.value)
        return a->there.value > b->there.value ? -1 : 1;
    return strcmp(a->experiment, b->experiment);
}

/* An experiment, and what its executions took in the data. */
struct measured {
    size_t experiment;
    double seconds;
};

static int by_seconds(const void *x, const void *y, void *context)
{
    const struct measured *a = x, *b = y;
    (void)context;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->experiment < b->experiment ? -1 : a->experiment > b->experiment;
}

/* Which experiments are ranked: NULL for all of them. */
static const bool *choose_regions(const struct dataset *d, struct arena *a)
{
    if (d->nexperiments <= RANK_MOST_REGIONS)
        return NULL;
    struct measured *list = arena_zalloc(a, d->nexperiments, sizeof *list);
    bool *chosen = arena_zalloc(a, d->nexperiments, sizeof *chosen);
    for (size_t i = 0; i < d->nexperiments; i++) {
        const struct experiment *e = d->experiments[i];
        const char *observable = experiment_default_observable(e);
        bool self = strcmp(observable, DATA_SELF) == 0; /* which is no column */
        size_t column = experiment_find_observable(e, self ? "CLOCK" : observable);
        list[i].experiment = i;
        for (size_t row = 0; row < e->nrows && column != SIZE_MAX; row++) {
            double x = column_at(&e->columns[column], row);
            list[i].seconds += isfinite(x) ? x * column_at(&e->columns[FIELD_COUNT], row) : 0;
        }
    }
    sort_with(list, d->nexperiments, sizeof *list, by_seconds, NULL);
    for (size_t i = 0; i < RANK_MOST_REGIONS; i++)
        chosen[list[i].experiment] = true;
    return chosen;
}

/* The models of all regions; those without one are listed with the reason. */
static void make_regions(struct session *s, struct arena *a, struct ranking *r)
{
    const bool *chosen = choose_regions(s->data, a);
    for (size_t i = 0; i < s->data->nexperiments && !session_interrupt; i++) {
        DIAG_LOCAL struct diag *quiet = diag_create();
        struct making m = {s, a, r, s->data->experiments[i], quiet};
        struct rank_region *region = &r->regions[r->nregions];
        if (chosen && !chosen[i]) {
            diag_error(quiet, "%d regions took more time in the data, and no more are ranked",
                       RANK_MOST_REGIONS);
            add_missing(a, r, m.e, quiet);
        } else if (make_region(&m, false, region) == 0) {
            r->nregions++;
        } else {
            free_region(region);
            add_missing(a, r, m.e, quiet);
        }
    }
}

/* The times of all regions; those without one are listed with the reason. */
static void find_all_times(struct session *s, struct arena *a, struct ranking *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->nregions; i++) {
        DIAG_LOCAL struct diag *quiet = diag_create();
        struct making m = {s, a, r, dataset_find(s->data, r->regions[i].experiment), quiet};
        struct rank_region region = r->regions[i];
        if (find_consistent_times(&m, &region) == 0) {
            r->total_here += region.here.value;
            r->total_there += region.there.value;
            r->regions[kept++] = region;
        } else {
            free_region(&region);
            add_missing(a, r, m.e, quiet);
        }
    }
    r->nregions = kept;
    for (size_t i = 0; i < kept; i++) {
        r->regions[i].share_here = r->regions[i].here.value / r->total_here;
        r->regions[i].share_there = r->regions[i].there.value / r->total_there;
    }
    sort_with(r->regions, r->nregions, sizeof *r->regions, by_time, NULL);
}

/* The time of a region that is not predicted is missing in the SELF of those around it. */
static void find_inside(const struct dataset *d, struct ranking *r)
{
    for (size_t i = 0; i < r->nmissing; i++)
        for (size_t k = nesting_of(d, dataset_find(d, r->missing[i].experiment))->naround
                            ? r->nregions
                            : 0;
             k-- > 0;)
            if (nesting_contains(d, dataset_find(d, r->regions[k].experiment),
                                 dataset_find(d, r->missing[i].experiment)))
                r->missing[i].inside = r->regions[k].experiment;
}

int rank_make(struct session *s, struct arena *a, const struct rank_request *request,
              struct diag *diag, struct ranking *out)
{
    size_t n = s->data->nexperiments;
    *out = (struct ranking){.request = request};
    if (n == 0)
        return diag_error(diag, "there is nothing to rank: no data is loaded; use 'load FILE'");
    if (session_need_values(s, diag, "rank"))
        return -1;
    out->regions = arena_zalloc(a, n + 1, sizeof *out->regions);
    out->missing = arena_zalloc(a, n + 1, sizeof *out->missing);
    out->units = units_find(s, a, (const char *const *)request->names, request->n);
    make_regions(s, a, out);
    find_start(a, out);
    if (!session_interrupt)
        find_all_times(s, a, out);
    if (session_interrupt)
        return -1;
    if (out->nregions == 0)
        return diag_error(diag, "no region can be predicted there: %s: %s",
                          out->missing[0].experiment, out->missing[0].reason);
    find_inside(s->data, out);
    rank_find_changes(a, out);
    return session_interrupt ? -1 : 0;
}

void rank_free(struct ranking *r)
{
    for (size_t i = 0; i < r->nregions; i++)
        free_region(&r->regions[i]);
    units_free(&r->units);
}
