/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command report: which models it shows, of which data sets, and the file, which is written whole or not at all.
 *
 *     report FILE [NAME...] [beside FILE...] [rank VAR=VALUE...] [obsp FILE ...]
 *
 * For an experiment without a formula a search finds one. An experiment that cannot be fitted does not prevent a report
 * of the others: the report names it with the reason.
 */
#include "llac/report/report.h"

#include <errno.h>
#include <string.h>

#include "base/outfile.h"
#include "base/path.h"
#include "base/progress.h"
#include "base/text.h"
#include "llac/obsp/command.h"
#include "llac/rank/rank.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/commands.h"

enum { MOST_SETS = 32, MOST_EXPERIMENTS = 2000 };

/* What the words ask for. */
struct asked {
    const char *path;
    const struct experiment **experiments; /* that are named */
    size_t nexperiments;
    char **beside;
    size_t nbeside;
    bool ranked;
    struct rank_request place;
    struct ranking ranking; /* if ranked */
    json_t *supersteps;
};

static int read_path(struct cursor *c, struct asked *out)
{
    struct span where = {c->at, c->at};
    out->path = cursor_path(c, &where);
    if (!out->path)
        return cursor_error_here(c, "the name of a file is missing: report FILE.html");
    if (text_ends_with(out->path, ".html") || text_ends_with(out->path, ".htm"))
        return 0;
    return cursor_error(c, where, "the name must end in .html: a report is a page");
}

static int read_names(struct session *s, struct cursor *c, struct asked *out)
{
    out->experiments = arena_alloc(c->arena, s->data->nexperiments + 1, sizeof(*out->experiments));
    while (!cursor_done(c)) {
        struct cursor ahead = *c;
        if (cursor_keyword(&ahead, "beside") || cursor_keyword(&ahead, "rank") ||
            cursor_keyword(&ahead, "obsp"))
            return 0;
        struct span where;
        const char *name = cursor_experiment(c, &where);
        const struct experiment *e = name ? session_experiment(s, c, name, where) : NULL;
        if (!name)
            return cursor_finish(c);
        if (!e)
            return -1;
        for (size_t i = 0; i < out->nexperiments; i++)
            if (out->experiments[i] == e)
                return cursor_error(c, where, "'%s' is named twice", name);
        out->experiments[out->nexperiments++] = e;
    }
    return 0;
}

/* beside FILE... */
static int read_beside(struct cursor *c, struct asked *out)
{
    struct paths files = {.n = 0};
    if (!cursor_keyword(c, "beside"))
        return 0;
    while (!cursor_done(c)) {
        struct cursor ahead = *c;
        if (cursor_keyword(&ahead, "rank") || cursor_keyword(&ahead, "obsp"))
            break;
        struct span where = {c->at, c->at};
        if (read_paths(c, &files, &where))
            return -1;
        if (files.n >= MOST_SETS)
            return cursor_error(c, where, "more than %d data sets beside the first", MOST_SETS - 1);
    }
    out->beside = files.list;
    out->nbeside = files.n;
    return out->nbeside ? 0 : cursor_error_here(c, "a data file is missing: beside FILE");
}

/* rank VAR=VALUE...: where the time goes there. */
static int read_ranking(struct session *s, struct cursor *c, struct asked *out)
{
    if (!cursor_keyword(c, "rank"))
        return 0;
    if (read_rank_place(s, c, "obsp", &out->place))
        return -1;
    out->ranked = true;
    return rank_make(s, c->arena, &out->place, c->diag, &out->ranking);
}

/* Each has a model of a megabyte, and a part of the page. */
static int check_number(const struct session *s, struct cursor *c, const struct asked *asked)
{
    size_t n = asked->nexperiments ? asked->nexperiments : s->data->nexperiments;
    if (n <= MOST_EXPERIMENTS)
        return 0;
    return cursor_error_here(
        c,
        "a report has at most %d experiments, and these are %zu: name the ones that "
        "it should have, report FILE NAME...; 'rank' finds the largest",
        MOST_EXPERIMENTS, n);
}

static int read_words(struct session *s, struct cursor *c, struct asked *out)
{
    if (read_path(c, out) || read_names(s, c, out) || check_number(s, c, out) ||
        read_beside(c, out) || read_ranking(s, c, out))
        return -1;
    if (cursor_keyword(c, "obsp"))
        return obsp_picture_data(s, c, &out->supersteps);
    return cursor_finish(c);
}

/* ---- models */

struct collecting {
    struct session *session;
    struct cursor *cursor;
    const struct ranking *ranking; /* NULL: none */
    const char *label;             /* of the data set */
    size_t first_file;
    struct fit_state *fits; /* what was fitted, without the models */
    json_t *models;
    struct report_failure *failures;
    size_t n, nfailures;
};

static void add_failure(struct collecting *k, const char *experiment, const struct diag *diag)
{
    const char *reason = diag_first(diag, SEVERITY_ERROR);
    struct arena *a = k->cursor->arena;
    k->failures[k->nfailures++] = (struct report_failure){
        arena_strdup(a, experiment), arena_strdup(a, reason ? reason : "it cannot be fitted")};
}

static void add_model(struct collecting *k, const struct fit_state *f)
{
    model_resample(f->model);
    model_leave_out(f->model);
    json_array_append_new(k->models, report_model(k->session, k->label, f, k->first_file));
    k->fits[k->n++] = *f;
}

/* A model takes more than a megabyte. One that only the report needs is not kept: it is made again if another command
 * needs it. */
static void forget_model(struct fit_state *f)
{
    arena_destroy(f->arena);
    f->arena = NULL;
    f->model = NULL;
}

static void add_fit(struct collecting *k, struct fit_state *f)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    if (f->model || session_fit(k->session, f, diag))
        add_model(k, f);
    else
        add_failure(k, f->experiment, diag);
    if (!f->asked)
        forget_model(f);
}

/* A fit of the formula in the data; the session keeps it if it succeeds. */
static void add_fresh(struct collecting *k, const struct experiment *e)
{
    struct session *s = k->session;
    struct fit_state fresh = {.experiment = e->name,
                              .observable = experiment_default_observable(e)};
    DIAG_LOCAL struct diag *diag = diag_create();
    if (session_fit(s, &fresh, diag)) {
        struct fit_state *state = session_state(s, fresh.experiment, fresh.observable);
        fresh.experiment = state->experiment;
        fresh.observable = state->observable;
        *state = fresh;
        add_fit(k, state);
    } else {
        arena_destroy(fresh.arena);
        add_failure(k, e->name, diag);
    }
}

/* The region of the ranking for which a search found a model of this observable. */
static const struct rank_region *found_by_rank(const struct ranking *r, const char *experiment,
                                               const char *observable)
{
    for (size_t i = 0; r && i < r->nregions; i++)
        if (r->regions[i].source == RANK_SEARCHED &&
            strcmp(r->regions[i].experiment, experiment) == 0 &&
            strcmp(r->regions[i].observable, observable) == 0)
            return &r->regions[i];
    return NULL;
}

/* The formula of a model that a search found, for fits of other data. */
static const struct formula *formula_again(struct arena *a, const struct experiment *e,
                                           const char *text)
{
    struct source *source = arena_alloc(a, 1, sizeof *source);
    const char *names[] = {e->base, NULL};
    struct formula_options options = {.experiments = names};
    *source = (struct source){"<search>", text, strlen(text)};
    return formula_parse(a, source, (struct span){0, source->size}, &options, NULL);
}

/* A model that a search finds, as that of `rank` is; the session does not keep it. */
static void add_searched(struct collecting *k, const struct experiment *e)
{
    struct arena *a = k->cursor->arena;
    DIAG_LOCAL struct diag *diag = diag_create();
    struct fit_state f = {.experiment = e->name,
                          .observable = experiment_default_observable(e),
                          .nonneg = true,
                          .searched = true,
                          .arena = arena_create()};
    const struct rank_region *ranked = found_by_rank(k->ranking, e->name, f.observable);
    if (ranked) {
        f.formula_text = ranked->formula;
        f.model = ranked->model;
    } else {
        f.model = rank_search(k->session, f.arena, e, f.observable, diag, &f.formula_text);
    }
    if (f.model) {
        f.formula_text = arena_strdup(a, f.formula_text);
        f.formula = formula_again(a, e, f.formula_text);
        add_model(k, &f);
    } else {
        add_failure(k, e->name, diag);
    }
    forget_model(&f);
}

/* The fit of the experiment that was made last, or one of its own formula; without one a search. */
static void add_experiment(struct collecting *k, const struct experiment *e)
{
    struct fit_state *made = session_find_state(k->session, e->name, NULL);
    if (made)
        add_fit(k, made);
    else if (e->nformulas)
        add_fresh(k, e);
    else
        add_searched(k, e);
}

/* The experiments that are named; without names all fits, and all experiments that have none. */
static void collect(struct collecting *k, const struct asked *asked)
{
    struct session *s = k->session;
    size_t made = s->nfits;
    struct fit_state **before = arena_alloc(k->cursor->arena, made + 1, sizeof(*before));
    for (size_t i = 0; i < made; i++)
        before[i] = s->fits[i];
    for (size_t i = 0; i < asked->nexperiments && !session_interrupt; i++) {
        progress_at("experiments", i, asked->nexperiments);
        add_experiment(k, asked->experiments[i]);
    }
    for (size_t i = 0; i < s->data->nexperiments && asked->nexperiments == 0 && !session_interrupt;
         i++) {
        const struct experiment *e = s->data->experiments[i];
        progress_at("experiments", i, s->data->nexperiments);
        bool fitted = false;
        for (size_t j = 0; j < made; j++)
            if (strcmp(before[j]->experiment, e->name) == 0) {
                add_fit(k, before[j]);
                fitted = true;
            }
        if (!fitted)
            add_experiment(k, e);
    }
}

static struct collecting begin_collecting(struct session *s, struct cursor *c, const char *label,
                                          size_t first_file)
{
    size_t most = s->nfits + s->data->nexperiments + 1;
    return (struct collecting){.session = s,
                               .cursor = c,
                               .label = label,
                               .first_file = first_file,
                               .fits = arena_alloc(c->arena, most, sizeof(struct fit_state)),
                               .models = json_array(),
                               .failures =
                                   arena_alloc(c->arena, most, sizeof(struct report_failure))};
}

static struct report_set end_collecting(const struct collecting *k)
{
    return (struct report_set){k->label, k->session, k->models, k->failures, k->nfailures};
}

/* ---- data sets beside the first */

/* The same fits of other data: a session of its own, with the same preparation and formulas. */
static struct session *other_session(const struct session *s, const struct fit_state *fits,
                                     size_t n, char *path, struct cursor *c)
{
    struct session *other = session_create(s->out);
    other->now = s->now;
    other->now.machine_arena = other->now.counts_arena = NULL; /* they stay the first one's */
    if (dataset_load(other->data, path, NULL, c->arena, c->diag)) {
        session_destroy(other);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        struct fit_state *mine = NULL;
        if (!session_find(other, fits[i].experiment))
            continue;
        mine = session_state(other, fits[i].experiment, fits[i].observable);
        const char *experiment = mine->experiment, *observable = mine->observable;
        *mine = fits[i];
        mine->experiment = experiment;
        mine->observable = observable;
        mine->arena = NULL;
        mine->model = NULL;
    }
    return other;
}

/* What a reader calls the data: the host if it differs from those of the others, else the file. */
static const char *label_of(struct arena *a, const struct session *s)
{
    const struct data_file *f = &s->data->files[0];
    const char *name = path_base(f->path);
    if (s->data->nfiles > 1)
        name = arena_printf(a, "%s ...", name);
    return f->host && *f->host ? arena_printf(a, "%s, %s", name, f->host) : name;
}

static int make_sets(struct session *s, struct cursor *c, const struct asked *asked,
                     struct session **others, struct report_set *sets)
{
    struct collecting k =
        begin_collecting(s, c, asked->nbeside && s->data->nfiles ? label_of(c->arena, s) : "", 0);
    k.ranking = asked->ranked ? &asked->ranking : NULL;
    collect(&k, asked);
    sets[0] = end_collecting(&k);
    if (session_interrupt)
        return -1;
    if (k.n == 0)
        return cursor_error_here(c, "there is no model to report: %s",
                                 k.nfailures ? k.failures[0].reason
                                             : "no data is loaded; use 'load FILE'");
    size_t files = s->data->nfiles;
    for (size_t i = 0; i < asked->nbeside; i++) {
        others[i] = other_session(s, k.fits, k.n, asked->beside[i], c);
        if (!others[i])
            return -1;
        struct collecting there =
            begin_collecting(others[i], c, label_of(c->arena, others[i]), files);
        for (size_t j = 0; j < others[i]->nfits; j++)
            add_fit(&there, others[i]->fits[j]);
        sets[i + 1] = end_collecting(&there);
        files += others[i]->data->nfiles;
        if (there.n + there.nfailures == 0)
            return cursor_error_here(c, "%s has none of the experiments of the report",
                                     asked->beside[i]);
    }
    return 0;
}

/* ---- the file */

static int write_report(struct session *s, struct cursor *c, const struct asked *asked,
                        const struct report_request *request)
{
    size_t models = 0;
    for (size_t i = 0; i < request->nsets; i++)
        models += json_array_size(request->sets[i].models);
    json_t *report = report_make(request);
    struct outfile f;
    int status = outfile_open(&f, asked->path);
    if (status == 0) {
        report_write_page(f.stream, report);
        status = outfile_commit(&f);
    }
    json_decref(report);
    if (status)
        return cursor_error_here(c, "cannot write %s: %s", asked->path, destination_error(errno));
    if (s->json)
        json_print(s->out, "{report:%s models:%zu}", asked->path, models);
    else
        fprintf(s->out, "  %zu model%s written to %s\n", models, models == 1 ? "" : "s",
                asked->path);
    return 0;
}

int command_report(struct session *s, struct cursor *c)
{
    struct asked asked = {.path = NULL};
    struct session *others[MOST_SETS] = {NULL};
    struct report_set sets[MOST_SETS] = {{.nfailures = 0}};
    size_t begin = c->at;
    int status = read_words(s, c, &asked);
    if (status == 0)
        status = make_sets(s, c, &asked, others, sets);
    if (status == 0) {
        char *words = cursor_text(c, (struct span){begin, c->end});
        struct report_request request = {
            .sets = sets,
            .nsets = asked.nbeside + 1,
            .command = arena_printf(c->arena, "report%s%s", *words == ' ' ? "" : " ", words),
            .ranking = asked.ranked ? json_ranking_told(&asked.ranking) : NULL,
            .supersteps = asked.supersteps};
        status = write_report(s, c, &asked, &request);
        json_decref(request.ranking);
    }
    if (asked.ranked)
        rank_free(&asked.ranking);
    json_decref(asked.supersteps);
    for (size_t i = 0; i < MOST_SETS; i++)
        json_decref(sets[i].models);
    for (size_t i = 0; i < asked.nbeside; i++)
        session_destroy(others[i]);
    return status;
}
