/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models of own times. Counts say which terms a function has: its calls and iterations, and those of what it
 * calls without a region. Counts that grow alike are one term, that of the largest. Times say what each term costs.
 * Where no sum of these terms describes the times, as in a function that calls qsort, a formula is searched.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/text.h"
#include "call/discover/models.h"
#include "data/load.h"
#include "formula/formula.h"
#include "model/predict.h"
#include "model/search.h"

enum { MOST_MODELS = 80, MOST_TERMS = 6 };

struct term {
    const char *text;
    const struct counted *of;
    bool divided;       /* by P */
    double last, there; /* at the largest sizes, and at the place */
};

/* The largest first. What is left out, because the sizes are few, comes after the first `n` of `all`. */
struct terms {
    struct term *list;
    size_t n, all;
};

/* ---- terms ---- */

static double value_at(const struct request *q, const struct counted *c, bool divided,
                       const double *place)
{
    double value = discover_value(&c->formula, place);
    return divided ? value / place[q->processors] : value;
}

/* Is the ratio of the terms nearly the same everywhere? With b NULL: is the term constant? */
static bool grows_alike(const struct models *m, const struct term *x, const struct term *y)
{
    const struct request *q = m->q;
    double least = INFINITY, most = 0, place[DISCOVER_MOST_VARIABLES];
    for (size_t i = 0; i <= q->nrows; i++) {
        if (i < q->nrows && !q->done[i])
            continue;
        if (i < q->nrows)
            plan_place_of_row(q, i, place);
        const double *at = i < q->nrows ? place : q->place;
        double ratio =
            value_at(q, x->of, x->divided, at) / (y ? value_at(q, y->of, y->divided, at) : 1);
        if (!isfinite(ratio))
            continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    return most <= MODELS_ALIKE * least;
}

/* Adds a term, or puts it in the place of a smaller one that grows alike. */
static size_t add_term(const struct models *m, struct term *list, size_t n, struct term new)
{
    double place[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(m->q, m->q->times.largest, place);
    new.last = value_at(m->q, new.of, new.divided, place);
    new.there = value_at(m->q, new.of, new.divided, m->q->place);
    if (!(new.last > 0) || isnan(new.there) || grows_alike(m, &new, NULL))
        return n;
    for (size_t i = 0; i < n; i++)
        if (grows_alike(m, &new, &list[i])) {
            if (new.last > list[i].last)
                list[i] = new;
            return n;
        }
    list[n] = new;
    return n + 1;
}

/* Of the terms that are left out, the one that is largest at the place stays if it matters there more than now, and if there are
 * two sizes more than constants. */
static void keep_what_grows(struct terms *t, size_t rows)
{
    double now = 0, there = 0;
    size_t best = t->n;
    for (size_t i = 0; i < t->n; i++) {
        now += t->list[i].last;
        there += t->list[i].there;
    }
    for (size_t i = t->n; i < t->all; i++)
        best = t->list[i].there > t->list[best].there ? i : best;
    if (best == t->all || rows < t->n + 4)
        return;
    struct term other = t->list[best];
    if (!(other.there > MODELS_LEAST_COUNT * there) ||
        !(other.there / there > MODELS_ALIKE * other.last / now))
        return;
    t->list[best] = t->list[t->n];
    t->list[t->n++] = other;
}

static struct terms find_terms(const struct models *m, const struct region *r)
{
    const struct request *q = m->q;
    struct terms t = {.list = arena_alloc(m->arena, 2 * r->nwork + 1, sizeof *t.list)};
    bool has_processors = q->processors != SIZE_MAX;
    for (size_t i = 0; i < r->nwork; i++) {
        const struct counted *c = r->work[i];
        if (!models_has_formula(c))
            continue;
        if (!q->times.ranks) /* else each process does its part */
            t.all = add_term(m, t.list, t.all, (struct term){.text = c->formula.text, .of = c});
        if (has_processors)
            t.all = add_term(m, t.list, t.all,
                             (struct term){.text = c->formula.text, .of = c, .divided = true});
    }
    for (size_t i = 1; i < t.all; i++) /* few */
        for (size_t k = i; k > 0 && t.list[k].last > t.list[k - 1].last; k--) {
            struct term other = t.list[k];
            t.list[k] = t.list[k - 1];
            t.list[k - 1] = other;
        }
    size_t rows = m->rows > r->from ? m->rows - r->from : 0;
    size_t most = rows > 4 ? rows / 2 - 1 : 1; /* twice as many sizes as constants */
    most = most > MOST_TERMS ? MOST_TERMS : most;
    t.n = t.all < most ? t.all : most;
    keep_what_grows(&t, rows);
    return t;
}

static const char *in_parentheses(struct arena *a, const char *text)
{
    size_t depth = 0;
    for (const char *s = text; *s; s++) {
        depth += *s == '(';
        depth -= *s == ')';
        if (!depth && (*s == '+' || *s == '-') && s > text)
            return arena_printf(a, "(%s)", text);
    }
    return text;
}

const char *models_of_process(struct arena *a, const char *text)
{
    size_t n = strlen(text);
    text = in_parentheses(a, text);
    if (!strcmp(text, "P"))
        return "1";
    if (!strncmp(text, "P*", 2))
        return text + 2;
    return *text != '(' && n > 2 && !strcmp(text + n - 2, "*P") ? arena_strndup(a, text, n - 2)
                                                                : arena_printf(a, "%s/P", text);
}

/* Without the factor of a count that depends on data: the constant of the time has it. */
static const char *term_text(struct arena *a, const struct term *t)
{
    const char *text = t->text;
    if (t->of->formula.verdict == DISCOVER_DATA && isdigit((unsigned char)*text) &&
        strchr(text, '*'))
        text = strchr(text, '*') + 1;
    return t->divided ? models_of_process(a, text) : in_parentheses(a, text);
}

/* ---- fits ---- */

static struct place request_place(const struct request *q)
{
    return (struct place){q->names, q->place, q->nvariables};
}

static struct model *fit_text(struct models *m, const struct region *r, const char *text,
                              struct diag *diag)
{
    const struct experiment *e = dataset_find_base(m->data, r->label);
    struct source *source = arena_zalloc(m->arena, 1, sizeof *source);
    *source = (struct source){r->label, text, strlen(text)};
    const struct formula *f = formula_parse_text(m->arena, text, r->label, diag);
    if (!e || !f)
        return NULL;
    struct fit_request *request = arena_zalloc(m->arena, 1, sizeof *request);
    *request = (struct fit_request){
        .points = {.dataset = m->data, .experiment = e, .observable = "CLOCK", .keep_first = true},
        .formula = f,
        .source = source,
        .nonneg = true};
    return model_fit(m->arena, request, diag);
}

/* `growth`: of a term, from the largest sizes to the place; 0: no limit. */
static struct model *search_text(struct models *m, const char *label, const char **terms,
                                 size_t nterms, double growth, const char **text)
{
    const struct request *q = m->q;
    const struct experiment *e = dataset_find_base(m->data, label);
    double here[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(q, q->times.largest, here);
    struct search_request request = {.fit = {.points = {.dataset = m->data,
                                                        .experiment = e,
                                                        .observable = "CLOCK",
                                                        .keep_first = true}},
                                     .given = terms,
                                     .ngiven = nterms,
                                     .most_growth = growth,
                                     .from = {q->names, here, q->nvariables},
                                     .to = request_place(q)};
    struct search_result *found = arena_zalloc(m->arena, 1, sizeof *found);
    DIAG_LOCAL struct diag *diag = diag_create();
    if (!e || model_search(m->arena, &request, diag, found) || !found->ncandidates)
        return NULL;
    *text = found->candidates[0].text;
    model_take_alternatives(found->candidates[0].model, found);
    return found->candidates[0].model;
}

/* How much larger the place is than the largest sizes, of the variable that grows most. */
static double distance(const struct request *q)
{
    double most = 1;
    for (size_t v = 0; v < q->nvariables; v++)
        if (q->rows[q->times.largest][v] > 0)
            most = fmax(most, q->place[v] / (double)q->rows[q->times.largest][v]);
    return most;
}

size_t models_row_before(const struct request *q, const struct counted *c)
{
    size_t last = q->times.largest, before = SIZE_MAX;
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i] && q->rows[i][0] < q->rows[last][0] && c->at[i] &&
            (before == SIZE_MAX || q->rows[i][0] > q->rows[before][0]))
            before = i;
    return before;
}

/* How much a count without a formula grows on the way to the place, if it goes on as between the last sizes, of which the one
 * beyond is the best; nan: several variables, or too few sizes. */
static double growth_of_last(const struct request *q, const struct counted *c)
{
    size_t last = q->times.largest, before = models_row_before(q, c), beyond = q->nrows + 1;
    if (q->nvariables == 1 && q->beyond_end == EXTRA_COUNTED && c->at[beyond])
        return pow(distance(q), log((double)c->at[beyond] / (double)c->at[last]) /
                                    log((double)q->beyond[0] / (double)q->rows[last][0]));
    if (q->nvariables > 1 || before == SIZE_MAX || q->rows[before][0] <= 0)
        return NAN;
    double power = log((double)c->at[last] / (double)c->at[before]) /
                   log((double)q->rows[last][0] / (double)q->rows[before][0]);
    return pow(distance(q), power);
}

/* How much the count of a function that grows most grows on the way to the place; nan: not known. */
static double growth_of_counts(const struct request *q, const struct region *r)
{
    double most = 1, all = 0, here[DISCOVER_MOST_VARIABLES];
    size_t last = q->times.largest;
    plan_place_of_row(q, last, here);
    for (size_t i = 0; i < r->nwork; i++)
        all += (double)r->work[i]->at[last];
    for (size_t i = 0; i < r->nwork; i++) {
        const struct counted *c = r->work[i];
        bool matters = models_has_formula(c) || (double)c->at[last] > MODELS_LEAST_COUNT * all;
        if (!c->at[last] || !matters)
            continue;
        double growth = models_has_formula(c) ? discover_value(&c->formula, q->place) /
                                                    discover_value(&c->formula, here)
                                              : growth_of_last(q, c);
        if (isnan(growth))
            return NAN;
        most = fmax(most, growth);
    }
    return most;
}

/* If its counts do not grow, a library does the work: then the counts of all functions are the limit. */
double models_most_growth(const struct request *q, const struct region *r)
{
    double most = growth_of_counts(q, r);
    bool is_library = most == 1;
    for (size_t i = 0; is_library && i < q->times.n && !isnan(most); i++) {
        double other = growth_of_counts(q, &q->times.list[i]);
        most = isnan(other) ? NAN : fmax(most, other);
    }
    return most > 1 ? most * pow(distance(q), MODELS_SLOW_POWER) : 0;
}

struct model *models_search(struct models *m, const struct region *r, const char **terms, size_t n,
                            const char **text)
{
    const char *any_text = NULL;
    double growth = models_most_growth(m->q, r);
    struct model *limited = growth > 0 ? search_text(m, r->label, terms, n, growth, text) : NULL;
    if (limited && model_error(limited)->mean_pct <= MODELS_GOOD_ERROR)
        return limited;
    double more =
        growth * distance(m->q); /* each call of a library may take as long as there are data */
    struct model *any = search_text(m, r->label, terms, n, more, &any_text);
    if (limited && (!any || model_error(any)->mean_pct > model_error(limited)->mean_pct / 2))
        return limited;
    *text = any_text;
    return any;
}

/* Does a formula over counts leave much unexplained? */
static bool is_bad(const struct model *m)
{
    return !m || model_error(m)->mean_pct > MODELS_GOOD_ERROR;
}

void models_take_constants(struct models *m, struct region *r, const struct model *fitted)
{
    struct arena *a = m->q->arena;
    struct model_constants c = model_constants(fitted);
    struct place place = request_place(m->q);
    r->nconstants = c.n;
    r->constants = arena_zalloc(a, c.n + 1, sizeof *r->constants);
    r->terms = arena_zalloc(a, c.n + 1, sizeof *r->terms);
    for (size_t i = 0; i < c.n; i++) {
        struct model_piece piece;
        model_constant_near(fitted, i, &place, &piece);
        r->constants[i] = piece.value;
        r->terms[i] = in_parentheses(a, formula_text(a, c.list[i].coefficient));
    }
}

/* Does it execute something whose counts have no formula? */
static bool lacks_formulas(const struct request *q, const struct region *r)
{
    for (size_t i = 0; i < r->nwork; i++)
        if (!models_has_formula(r->work[i]) && r->work[i]->at[q->times.largest])
            return true;
    return false;
}

/* The worst verdict of the terms that count. A count without a formula is missing among them. */
static enum discover_verdict worst_of(const struct request *q, const struct region *r,
                                      const struct terms *t)
{
    enum discover_verdict worst = DISCOVER_EXACT;
    if (lacks_formulas(q, r))
        worst = DISCOVER_DATA;
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].of->formula.verdict > worst)
            worst = t->list[i].of->formula.verdict;
    return worst;
}

double models_size_between(const struct request *q, size_t variable, double steps)
{
    double here = (double)q->rows[q->times.largest][variable], there = q->place[variable];
    double part = steps / DISCOVER_STEPS_BETWEEN;
    return here > 0 && there > 0 ? exp((1 - part) * log(here) + part * log(there))
                                 : (1 - part) * here + part * there;
}

static void predict_between(struct models *m, struct region *r, const struct model *fitted)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    for (size_t i = 0; i <= DISCOVER_STEPS_BETWEEN; i++) {
        double at[DISCOVER_MOST_VARIABLES];
        struct place place = {m->q->names, at, m->q->nvariables};
        struct prediction p;
        for (size_t v = 0; v < m->q->nvariables; v++)
            at[v] = models_size_between(m->q, v, (double)i);
        r->between[i] = model_predict(scratch, fitted, &place, diag, &p) ? NAN : p.value;
    }
}

/* The largest sizes tell best what a unit costs further on: constants are those of all sizes, times what the largest ones took
 * against the model. The difference may be noise, or go on growing: the interval contains both. */
static void meet_the_largest(struct region *r)
{
    double by = r->now / r->between[0];
    if (!(by > 0) || !isfinite(by))
        return;
    for (size_t i = 0; i < r->nconstants; i++)
        r->constants[i] *= by;
    for (size_t i = 0; i <= DISCOVER_STEPS_BETWEEN; i++)
        r->between[i] *= by;
    r->value *= by;
    r->low *= by < 1 ? by * by : 1;
    r->high *= by > 1 ? by * by : 1;
}

void models_predict(struct models *m, struct region *r, struct model *fitted)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    struct place place = request_place(m->q);
    struct prediction p;
    predict_between(m, r, fitted);
    model_resample(fitted);
    if (!model_predict(m->arena, fitted, &place, diag, &p)) {
        r->value = fmax(p.value, 0);
        r->low = isnan(p.low) ? NAN : fmax(p.low, 0);
        r->high = p.high;
        meet_the_largest(r);
    }
}

/* How far a count that depends on data may be from its formula at the place, as a part of it: as far as the sizes were, and
 * further if the difference goes on growing as it may have done over them. */
static double scatter_there(const struct request *q, const struct counted *c)
{
    const struct discover_formula *f = &c->formula;
    double times = 1;
    for (size_t v = 0; v < q->nvariables; v++) {
        double least = INFINITY, most = 0, there = q->place[v];
        for (size_t i = 0; i < q->nrows; i++)
            if (q->done[i]) {
                least = fmin(least, (double)q->rows[i][v]);
                most = fmax(most, (double)q->rows[i][v]);
            }
        if (c->to_beyond)
            most = fmax(most, (double)q->beyond[v]);
        if ((f->power[v] != 0 || f->logs[v] || f->base[v] != 0) && least > 0 && most > least &&
            there > most)
            times = fmax(times, 1 + 2 * log(there / most) / log(most / least));
    }
    return f->scatter * times;
}

static void widen(struct region *r, double below, double above)
{
    if (!(below > 0 || above > 0) || isnan(r->value))
        return;
    r->low = fmax((isnan(r->low) ? r->value : r->low) - below, 0);
    r->high = (isnan(r->high) ? r->value : r->high) + above;
}

/* From the largest sizes to those beyond, counts that depend on data grow as was counted, not as their formulas do. constants[0] has
 * no term. */
static void meet_beyond(const struct request *q, struct region *r, const struct terms *t)
{
    double more = 0, here[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(q, q->times.largest, here);
    for (size_t i = 0; i < t->n && i + 1 < r->nconstants; i++) {
        const struct counted *c = t->list[i].of;
        if (!c->to_beyond || c->formula.verdict != DISCOVER_DATA)
            continue;
        double part_here = (double)c->at[q->times.largest] / discover_value(&c->formula, here);
        more += r->constants[i + 1] * t->list[i].there / c->formula.factor *
                (extra_part_beyond(q, c) / part_here - 1);
    }
    double times = fmax(1 + more / r->value, 0);
    if (!isfinite(times))
        return;
    for (size_t i = 0; i <= DISCOVER_STEPS_BETWEEN; i++)
        r->between[i] *= 1 + (times - 1) * (double)i / DISCOVER_STEPS_BETWEEN;
    r->value *= times;
    r->low *= times;
    r->high *= times;
}

/* The interval contains what counts that depend on data leave open. */
static void allow_for_scatter(const struct request *q, struct region *r, const struct terms *t)
{
    double open = 0;
    for (size_t i = 0; i < t->n && i + 1 < r->nconstants; i++) {
        const struct discover_formula *f = &t->list[i].of->formula;
        if (f->verdict == DISCOVER_DATA)
            open += r->constants[i + 1] * t->list[i].there / f->factor *
                    scatter_there(q, t->list[i].of);
    }
    widen(r, open, open);
}

/* What is left out may cost as much as what is not: the upper end contains it. */
static void allow_for_left_out(struct region *r, const struct terms *t)
{
    double kept = 0, more = 0;
    for (size_t i = 0; i < t->n; i++)
        kept += t->list[i].last;
    for (size_t i = t->n; i < t->all; i++)
        more += fmax(t->list[i].there - t->list[i].last, 0);
    widen(r, 0, kept > 0 ? r->now / kept * more : 0);
}

/* Beyond the sizes it does something else, as was counted there: little is in the interval, much is not predicted. */
static void allow_for_change(const struct request *q, struct region *r)
{
    struct extra_change change = extra_change_beyond(q, r->work, r->nwork);
    if (fmax(change.more_there, change.less_there) <= EXTRA_MOST_CHANGE) {
        widen(r, change.less_there * r->value, change.more_there * r->value);
        return;
    }
    r->value = r->low = r->high = NAN;
    for (size_t i = 0; i <= DISCOVER_STEPS_BETWEEN; i++)
        r->between[i] = NAN;
}

/* A low quantile of the runs at a row, as that of points. */
double models_quantile(const struct request *q, const double *values, size_t row)
{
    const struct times *t = &q->times;
    MEM_LOCAL double *sorted = mem_alloc(t->nruns + 1, sizeof *sorted);
    size_t n = 0;
    for (size_t k = 0; k < t->nruns; k++)
        if (t->row[k] == row && !isnan(values[k]))
            sorted[n++] = values[k];
    stats_sort(sorted, n);
    return n ? sorted[(n - 1) / 4] : NAN; /* disturbances make a run longer, never shorter */
}

/* So many sizes that its model is about have a time. */
static size_t known_sizes(const struct request *q, const struct region *r)
{
    size_t n = 0;
    for (size_t row = r->from; row < q->nrows; row++)
        n += !isnan(models_quantile(q, r->own, row));
    return n;
}

bool models_place_is_measured(const struct request *q)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if ((double)q->rows[q->times.largest][v] != q->place[v])
            return false;
    return true;
}

static void make_model(struct models *m, struct region *r)
{
    if (known_sizes(m->q, r) < MODELS_LEAST_SIZES) {
        bool nothing_left = r->is_main && m->rows >= MODELS_LEAST_SIZES;
        if (nothing_left || models_place_is_measured(m->q))
            r->value = r->low = r->high = r->now;
        allow_for_change(m->q, r);
        return;
    }
    struct arena *a = m->q->arena;
    const struct terms terms = find_terms(m, r);
    const char **texts = arena_zalloc(m->arena, terms.n + 1, sizeof *texts), *searched = NULL;
    DIAG_LOCAL struct diag *diag = diag_create();
    struct text t = text_new();
    text_printf(&t, "%s[0]", r->label);
    for (size_t i = 0; i < terms.n; i++) {
        texts[i] = term_text(a, &terms.list[i]);
        text_printf(&t, " + %s[%zu]*%s", r->label, i + 1, texts[i]);
    }
    const char *text = text_keep(&t, a);
    struct model *fitted = fit_text(m, r, text, diag);
    if (is_bad(fitted)) {
        struct model *other = models_search(m, r, texts, terms.n, &searched);
        double better = terms.n ? 0.25 : 1; /* a constant alone says little */
        if (other &&
            (!fitted || model_error(other)->mean_pct < better * model_error(fitted)->mean_pct)) {
            fitted = other;
            r->searched = true;
        }
    }
    if (!r->searched && is_bad(fitted) && lacks_formulas(m->q, r))
        fitted = NULL; /* the term that grows is missing */
    if (fitted && model_error(fitted)->mean_pct > MODELS_MOST_ERROR)
        fitted = NULL; /* what does not describe the sizes that were run predicts no other */
    if (fitted) {
        r->formula = r->searched ? arena_strdup(a, searched) : text;
        r->verdict = worst_of(m->q, r, &terms);
        r->error = model_error(fitted)->mean_pct;
        models_take_constants(m, r, fitted);
        models_predict(m, r, fitted);
        if (!r->searched) {
            meet_beyond(m->q, r, &terms);
            allow_for_scatter(m->q, r, &terms);
            allow_for_left_out(r, &terms);
        }
        allow_for_change(m->q, r);
    }
    bool is_counted = plan_row_of_place(m->q) != SIZE_MAX;
    if (lacks_formulas(m->q, r) && (!fitted || isnan(r->value) || (r->searched && is_counted)))
        priced_predict(m->q, r);
}

/* ---- which functions ---- */

/* What the functions of the table leave: of typical runs, because a difference of single runs has the noise of all. Nothing is
 * known where it is as small as that noise. */
static void settle_main(struct request *q)
{
    struct times *t = &q->times;
    for (size_t row = 0; row < q->nrows; row++) {
        double whole = models_quantile(q, t->total, row), rest = whole;
        for (size_t i = 1; i < t->n; i++)
            rest -= models_quantile(q, t->list[i].own, row);
        for (size_t k = 0; k < t->nruns; k++)
            if (t->row[k] == row)
                t->list[0].own[k] = rest > MODELS_LEAST_REST * whole ? rest : NAN;
    }
}

/* How much longer the fastest growing term makes it at the place. */
static double growth_of(const struct request *q, const struct region *r)
{
    double most = 1, place[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(q, q->times.largest, place);
    for (size_t i = 0; i < r->nwork; i++) {
        double here = discover_value(&r->work[i]->formula, place);
        double there = discover_value(&r->work[i]->formula, q->place);
        if (here > 0 && isfinite(there))
            most = fmax(most, there / here);
    }
    return most;
}

/* Puts all that are small now and at the place into the last one of the list, which is not a function. */
static void unite_small(struct request *q)
{
    struct times *t = &q->times;
    double now = 0, there = 0;
    double *bound = arena_alloc(q->arena, t->n + 1, sizeof *bound);
    struct region rest = {.label = "others", .name = ""};
    size_t kept = 0, capacity = 0;
    for (size_t i = 0; i < t->n; i++) {
        t->list[i].now = models_quantile(q, t->list[i].own, t->largest);
        if (isnan(t->list[i].now)) /* of main: nothing is left */
            t->list[i].now = 0;
        bound[i] = t->list[i].now * growth_of(q, &t->list[i]);
        now += t->list[i].now;
        there += bound[i];
    }
    rest.own = arena_zalloc(q->arena, t->nruns + 1, sizeof *rest.own);
    for (size_t i = 0; i < t->n; i++) {
        struct region *r = &t->list[i];
        bool matters =
            i == 0 || r->now > MODELS_LEAST_SHARE * now || bound[i] > MODELS_LEAST_SHARE * there;
        if (matters && kept < MOST_MODELS) {
            t->list[kept++] = *r;
            continue;
        }
        rest.now += r->now;
        rest.united++;
        for (size_t k = 0; k < t->nruns; k++)
            rest.own[k] += r->own[k];
        for (size_t k = 0; k < r->nwork; k++)
            ARENA_ADD(q->arena, rest.work, rest.nwork, &capacity, r->work[k]);
    }
    t->n = kept;
    if (rest.now > 0)
        t->list[t->n++] = rest;
}

/* Where a function was not executed, its time says nothing about how it grows. */
static void leave_out_idle(struct request *q)
{
    const struct times *t = &q->times;
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        if (r->is_main || !r->function || !regions_calls(r)->at[t->largest])
            continue;
        for (size_t k = 0; k < t->nruns; k++)
            if (!regions_calls(r)->at[t->row[k]])
                r->own[k] = NAN;
    }
}

/* The times for the models: those of sizes below the first one of a function say nothing about it. 0, or -1 with errno. */
static int write_times(const struct request *q, const char *path)
{
    struct request shown = *q;
    shown.times.list = arena_alloc(q->arena, q->times.n + 1, sizeof *shown.times.list);
    memcpy(shown.times.list, q->times.list, q->times.n * sizeof *shown.times.list);
    for (size_t i = 0; i < q->times.n; i++) {
        struct region *r = &shown.times.list[i];
        double *own = arena_alloc(q->arena, q->times.nruns + 1, sizeof *own);
        for (size_t k = 0; k < q->times.nruns; k++)
            own[k] = q->times.row[k] < r->from ? NAN : r->own[k];
        r->own = own;
    }
    return times_write(&shown, path);
}

/* ---- all ---- */

static int by_value(const void *x, const void *y)
{
    const struct region *p = x, *q = y;
    double a = isnan(p->value) ? p->now : p->value, b = isnan(q->value) ? q->now : q->value;
    return a > b ? -1 : a < b;
}

static bool is_below(const struct request *q, const int64_t *x, const int64_t *y)
{
    bool below = false;
    for (size_t v = 0; v < q->nvariables; v++) {
        if (x[v] > y[v])
            return false;
        below |= x[v] < y[v];
    }
    return below;
}

/* The largest sizes that have a time; where none are larger than all others, those that take longest. */
static size_t largest_row(const struct request *q)
{
    size_t best = SIZE_MAX;
    double most = -1;
    for (size_t i = 0; i < q->nrows; i++) {
        double sum = models_quantile(q, q->times.total, i);
        if (isnan(sum) || (best != SIZE_MAX && is_below(q, q->rows[i], q->rows[best])))
            continue;
        if (best == SIZE_MAX || sum > most || is_below(q, q->rows[best], q->rows[i])) {
            most = sum;
            best = i;
        }
    }
    return best == SIZE_MAX ? 0 : best;
}

void models_make(struct request *q)
{
    ARENA_LOCAL struct arena *a = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    struct models m = {.q = q, .arena = a, .data = dataset_create()};
    const char *path = arena_printf(q->arena, "%s/own.dat", q->temporary);
    q->times.largest = largest_row(q);
    settle_main(q);
    unite_small(q);
    leave_out_idle(q);
    for (size_t i = 0; i < q->times.n; i++)
        late_settle(q, &q->times.list[i]);
    for (size_t i = 0; i < q->nrows; i++)
        m.rows += !isnan(models_quantile(q, q->times.total, i));
    q->times.few = m.rows < MODELS_LEAST_SIZES;
    for (size_t i = 0; i < q->times.n; i++)
        q->times.list[i].value = q->times.list[i].low = q->times.list[i].high = NAN;
    if (write_times(q, path))
        say("call discover: cannot write %s: %s\n", path, strerror(errno));
    else if (dataset_load(m.data, path, NULL, m.arena, diag))
        diag_print(diag, stderr, 0);
    else
        for (size_t i = 0; i < q->times.n && !process_signal(); i++)
            make_model(&m, &q->times.list[i]);
    total_make(q, m.rows);
    write_times(q, path); /* with the formulas, for the page */
    sort_list(q->times.list, q->times.n, sizeof *q->times.list, by_value);
    dataset_destroy(m.data);
}
