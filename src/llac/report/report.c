/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the document of a report. Columns of numbers are one string each, "1024 2048 4096": JSON lists of a
 * hundred thousand numbers take a browser much longer.
 */
#include "llac/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "data/nesting.h"
#include "llac/report/evaluator.h"
#include "llac/data/account.h"
#include "llac/fit/output.h"
#include "llac/json.h"

#ifndef CLL_VERSION
#define CLL_VERSION "unknown"
#endif

/* ---- where the data come from */

static json_t *file_of(const struct data_file *f, const char *set)
{
    return json_make(
        "{path:%s set?:%s program?:%s host?:%s cpu?:%s compiler?:%s flags?:%s date?:%s "
        "clock?:%s driver?:%s cores?:%g processes?:%g hosts?:%g notes:%p}",
        f->path, set, f->program, f->host, f->cpu, f->compiler, f->flags, f->date, f->clock,
        f->driver, fmax(f->cores, 0), fmax(f->world, 0), fmax(f->hosts, 0),
        json_texts(f->notes, f->nnotes));
}

/* The files that have samples of the model's points. */
static json_t *files_used(const struct model *m, size_t first)
{
    const struct experiment *e = model_points(m)->request->experiment;
    json_t *list = json_array();
    for (size_t i = 0; i < e->nsegments; i++) {
        json_int_t file = (json_int_t)first + (json_int_t)e->segments[i].file;
        size_t k = 0;
        while (k < json_array_size(list) && json_integer_value(json_array_get(list, k)) != file)
            k++;
        if (k == json_array_size(list) && (!model_points(m)->from || model_points(m)->from[i]))
            json_array_append_new(list, json_integer(file));
    }
    return list;
}

/* ---- points */

static json_t *column(const double *x, size_t n, size_t step, int digits)
{
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = 0; i < n; i += step)
        text_printf(&t, isfinite(x[i]) ? "%s%.*g" : "%snan", i ? " " : "", digits, x[i]);
    json_t *s = json_string(t.s);
    return s;
}

static json_t *left_out_of(const struct model *m, size_t step)
{
    json_t *list = json_array();
    for (size_t i = 0; i < model_points(m)->n; i += step)
        if (model_left_out(m)[i])
            json_add(list, "%zu", i / step);
    return list;
}

static json_t *points_of(struct arena *a, const struct model *m)
{
    enum { PLACE_DIGITS = 15, TIME_DIGITS = 9 };
    const struct points *p = model_points(m);
    size_t step = (p->n + REPORT_MOST_POINTS - 1) / REPORT_MOST_POINTS;
    step = step ? step : 1;
    double *predicted = arena_alloc(a, p->n + 1, sizeof *predicted),
           *samples = arena_alloc(a, p->n + 1, sizeof *samples);
    if (model_predict_points(a, m, p, NULL, predicted))
        for (size_t i = 0; i < p->n; i++)
            predicted[i] = model_fitted(m)[i];
    json_t *columns = json_array();
    for (size_t v = 0; v < p->nnames; v++)
        json_add(columns, "{name:%s values:%p shown:%i varies:%i}", p->names[v],
                 column(p->at[v], p->n, step, PLACE_DIGITS), points_shown(p, v),
                 !points_constant(p, v));
    for (size_t i = 0; i < p->n; i++)
        samples[i] = (double)p->count[i];
    return json_make("{all:%zu columns:%p measured:%p predicted:%p samples:%p left_out:%p}", p->n,
                     columns, column(p->value, p->n, step, TIME_DIGITS),
                     column(predicted, p->n, step, TIME_DIGITS),
                     column(samples, p->n, step, PLACE_DIGITS), left_out_of(m, step));
}

/* ---- constants */

static json_t *pieces_of(struct arena *a, const struct model_constant *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->npieces; i++) {
        const struct model_piece *p = &c->pieces[i];
        json_t *where = json_array();
        for (size_t k = 0; k < p->nwhere; k++)
            json_add(where, "%s", model_interval_text(a, &p->where[k]));
        json_add(list, "{value:%g low:%g high:%g where:%p}", p->value, p->low, p->high, where);
    }
    return list;
}

/* The column of each piece, so that the page can mark the one that counts: their order is the same. */
static json_t *constants_of(struct arena *a, const struct model *m)
{
    json_t *list = json_array();
    struct model_constants constants = model_constants(m);
    struct model_columns all = model_columns(m);
    for (size_t j = 0; j < constants.n; j++) {
        const struct model_constant *c = &constants.list[j];
        json_t *columns = json_array();
        for (size_t k = 0; k < all.n; k++)
            if (all.list[k].constant == j && all.list[k].fitted)
                json_add(columns, "%zu", k);
        json_add(list, "{name:%s term:%p term_text:%s pieces:%p at_bound:%i columns:%p}", c->name,
                 c->is_exponent ? json_null() : evaluator_tree(c->coefficient, NULL),
                 c->is_exponent ? "exponent" : formula_text(a, model_term(a, m, j)),
                 pieces_of(a, c), c->at_bound, columns);
    }
    return list;
}

/* What call count found, of each report that has the experiment. */
static json_t *counts_of(const struct session *s, const char *experiment)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->now.ncounts; i++) {
        const struct report_experiment *e = report_find(s->now.counts[i], experiment);
        if (!e)
            continue;
        json_t *constants = json_array();
        for (size_t j = 0; j < e->nconstants; j++) {
            const struct report_constant *c = &e->constants[j];
            json_t *classes = json_object();
            for (size_t k = 0; k < OPERATIONS; k++)
                json_object_set_new(classes, operation_names[k], json_number(c->mix.of[k]));
            json_add(constants, "{name:%s exact:%i instructions:%g classes:%p}", c->name, c->exact,
                     c->mix.instructions, classes);
        }
        json_add(list, "{constants:%p unexplained:%g architecture?:%s compiler?:%s flags?:%s}",
                 constants, e->unexplained, s->now.counts[i]->architecture,
                 s->now.counts[i]->compiler, s->now.counts[i]->flags);
    }
    return list;
}

/* What became of the samples, as `fit` prints it, in lines. */
static json_t *account_of(const struct model *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        mem_exhausted(BUFSIZ);
    text_account(out, &model_points(m)->account, false);
    text_falls(out, model_points(m));
    text_rank_values(out, model_points(m));
    if (fclose(out) || !text) {
        free(text);
        mem_exhausted(BUFSIZ);
    }
    json_t *s = json_text(text);
    free(text);
    return s;
}

json_t *report_model(const struct session *s, const char *label, const struct fit_state *f,
                     size_t first_file)
{
    const struct model *m = f->model;
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *j = json_fit(f, m); /* as --json prints it; the page needs more of some */
    const struct experiment *e = model_points(m)->request->experiment;
    size_t n = strlen(e->base);
    bool part = strncmp(e->name, e->base, n) == 0 && e->name[n] == '@'; /* f@before, f@level=3 */
    json_put(j, "set?:%s searched:%i base?:%s label?:%s", label, f->searched, part ? e->base : NULL,
             part ? e->name + n + 1 : NULL);
    json_put(j,
             "points_fitted:%zu constants:%p tree:%p statistic_text:%s is_spread:%i account:%p "
             "files:%p sources:%p counts:%p points:%p evaluator:%p",
             model_points(m)->n, constants_of(a, m),
             evaluator_tree(model_request(m)->formula, NULL),
             statistics[model_points(m)->request->statistic].text,
             points_is_spread(model_points(m)->request), account_of(m), files_used(m, first_file),
             json_texts(e->sources, e->nsources), counts_of(s, f->experiment), points_of(a, m),
             evaluator_model(m));
    return j;
}

/* ---- which contain which */

static const char *text_of(const json_t *model, const char *key)
{
    return json_string_value(json_object_get(model, key));
}

/* The experiments of the report whose times contain those of this one. */
static json_t *inside_of(const struct report_set *set, const json_t *model)
{
    const struct dataset *d = set->session->data;
    const struct experiment *inner = dataset_find(d, text_of(model, "experiment"));
    json_t *list = json_array();
    if (!inner || strcmp(text_of(model, "observable"), DATA_SELF) == 0)
        return list;
    MEM_LOCAL bool *contains = mem_alloc(d->nexperiments + 1, sizeof *contains);
    nesting_containers(d, inner, contains);
    for (size_t k = 0; k < json_array_size(set->models); k++) {
        const json_t *other = json_array_get(set->models, k);
        const struct experiment *outer = dataset_find(d, text_of(other, "experiment"));
        if (outer && contains[outer->index] &&
            strcmp(text_of(other, "observable"), text_of(model, "observable")) == 0)
            json_add(list, "%s", outer->name);
    }
    return list;
}

/* ---- the whole */

static json_t *definitions_of(const struct session *s)
{
    json_t *list = json_array();
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = 0; i < s->now.nlets; i++) {
        text_clear(&t);
        text_printf(&t, "%s = %s", s->now.lets[i].name, s->now.lets[i].text);
        json_add(list, "%s", t.s);
    }
    return list;
}

/* The program, or the first file. */
static const char *title_of(const struct report_request *r)
{
    for (size_t i = 0; i < r->nsets; i++)
        for (size_t k = 0; k < r->sets[i].session->data->nfiles; k++) {
            const struct data_file *f = &r->sets[i].session->data->files[k];
            if (f->program && *f->program)
                return f->program;
            return f->path;
        }
    return "report";
}

static json_t *date_now(void)
{
    char text[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    const char *given = getenv("SOURCE_DATE_EPOCH"); /* the same report every time */
    if (given && *given)
        now = (time_t)strtoll(given, NULL, 10);
    if (gmtime_r(&now, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

json_t *report_make(const struct report_request *r)
{
    json_t *files = json_array(), *models = json_array(), *failures = json_array();
    for (size_t i = 0; i < r->nsets; i++) {
        const struct report_set *set = &r->sets[i];
        for (size_t k = 0; k < set->session->data->nfiles; k++)
            json_array_append_new(files, file_of(&set->session->data->files[k], set->label));
        for (size_t k = 0; k < json_array_size(set->models); k++) {
            json_t *model = json_array_get(set->models, k);
            json_put(model, "inside:%p", inside_of(set, model));
            json_array_append(models, model);
        }
        for (size_t k = 0; k < set->nfailures; k++)
            json_add(failures, "{experiment:%s reason:%s set?:%s}", set->failures[k].experiment,
                     set->failures[k].reason, set->label);
    }
    const struct session *s = r->sets[0].session;
    return json_make("{format:%d title:%s version:%s date:%p command:%s conditions:%p "
                     "definitions:%p machine:%s files:%p models:%p failures:%p tree:%p "
                     "ranking:%p supersteps:%p}",
                     1, title_of(r), CLL_VERSION, date_now(), r->command,
                     json_texts(s->now.condition_texts, s->now.nconditions), definitions_of(s),
                     s->now.machine ? s->now.machine->name : NULL, files, models, failures,
                     tree_make(s->data, models), json_incref(r->ranking),
                     json_incref(r->supersteps));
}
