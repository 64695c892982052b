/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check BEFORE AFTER: is the second version slower? Each side is a data file, a folder of data files, a
 * model that `export` saved, or the label of a version that is loaded. Both sides are prepared as the
 * session says (statistic, where, ...), and fitted with their own formulas, or with that of the
 * experiment's last fit.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "data/version.h"
#include "llac/check/saved.h"
#include "llac/check/output.h"
#include "model/check_points.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/commands.h"

enum check_format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_GITHUB };

struct check_request {
    const char *names[2]; /* as written */
    struct span spans[2];
    struct paths files[2]; /* that the names mean: one each, or those that match a pattern */
    struct assignments at; /* n = 0: the places are chosen */
    double threshold;
    enum check_format format;
};

/* One side: data, or saved models. */
struct side {
    struct dataset *data; /* NULL: saved */
    bool own;             /* it was loaded for this check */
    size_t version;
    struct saved_models saved;
};

/* ---- the arguments ---- */

static const char *const check_words[] = {"threshold", "markdown", "github", "at", NULL};

/* After the word. markdown, github, --json: one of them. */
static int set_format(const struct session *s, const struct cursor *c, enum check_format format,
                      struct check_request *r)
{
    if (s->json)
        return cursor_error_here(
            c,
            "the output is JSON (--json), so it cannot be %s as well: leave one of "
            "them out",
            format == FORMAT_MARKDOWN ? "'markdown'" : "'github'");
    if (r->format != FORMAT_TEXT && r->format != format)
        return cursor_error_here(
            c, "'markdown' and 'github' are two forms of the output: leave one of them out");
    r->format = format;
    return 0;
}

static int read_request(const struct session *s, struct cursor *c, struct check_request *r)
{
    double percent = 0;
    int status = 0;
    for (int i = 0; i < 2; i++)
        if (cursor_done(c))
            return cursor_error_here(c, "two data files, folders, saved models or labels are "
                                        "expected here: check BEFORE AFTER");
        else if (read_paths(c, &r->files[i], &r->spans[i]))
            return -1;
        else
            r->names[i] = cursor_text(c, r->spans[i]);
    while (status == 0 && !cursor_done(c)) {
        if (cursor_keyword(c, "at")) {
            status = read_assignments(c, check_words, &r->at);
        } else if (cursor_keyword(c, "threshold")) {
            status = read_number(c, "threshold", true, &percent);
            r->threshold = percent / 100;
        } else if (cursor_keyword(c, "markdown")) {
            status = set_format(s, c, FORMAT_MARKDOWN, r);
        } else if (cursor_keyword(c, "github")) {
            status = set_format(s, c, FORMAT_GITHUB, r);
        } else {
            return cursor_finish(c);
        }
    }
    return status;
}

/* ---- the two sides ---- */

/* The data files of a folder, in the order of their names. */
static char **files_in(struct cursor *c, const char *folder, struct span where, size_t *n)
{
    size_t all;
    char **paths = path_list(c->arena, folder, &all);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (text_ends_with(paths[i], ".dat") || text_ends_with(paths[i], ".spool"))
            paths[(*n)++] = paths[i];
    if (*n == 0)
        cursor_error(c, where, "the folder %s has no data files (*.dat)", folder);
    return paths;
}

static int load_side(struct cursor *c, const struct paths *files, const char *name,
                     struct span where, struct side *out)
{
    struct stat st;
    size_t n = files->n;
    char **paths = files->list;
    if (n == 1 && stat(paths[0], &st) == 0 && S_ISDIR(st.st_mode))
        paths = files_in(c, paths[0], where, &n);
    if (n == 0)
        return -1;
    bool *leave_out = arena_zalloc(c->arena, n, sizeof *leave_out);
    if (load_choose(paths, n, NULL, leave_out, c->arena, c->diag))
        return -1;
    struct load_options options = {.may_be_empty = n > 1,
                                   .label = name}; /* the user says that they belong together */
    out->data = dataset_create();
    out->own = true;
    for (size_t i = 0; i < n; i++)
        if (!leave_out[i] && dataset_load(out->data, paths[i], &options, c->arena, c->diag))
            return -1;
    if (out->data->nexperiments == 0)
        return cursor_error(c, where, "%s has no experiment", name);
    return 0;
}

static int find_side(struct session *s, struct cursor *c, const struct check_request *r, int i,
                     struct side *out)
{
    struct stat st;
    const char *name = r->names[i];
    size_t version = version_find(s->data, name);
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the message of a missing name is an error
    if (version != SIZE_MAX && stat(name, &st) != 0) {
        out->data = s->data;
        out->version = version;
        return 0;
    }
    bool saved = false;
    if (r->files[i].n == 1 &&
        check_read_saved(c->arena, r->files[i].list[0], c->diag, &out->saved, &saved))
        return -1;
    return saved ? 0 : load_side(c, &r->files[i], name, r->spans[i], out);
}

static void free_sides(struct side (*sides)[2])
{
    for (int i = 0; i < 2; i++)
        if ((*sides)[i].own)
            dataset_destroy((*sides)[i].data);
}

/* ---- models ---- */

/* A version of an experiment: a model of its data, or a saved one. */
struct version {
    const char *name, *observable;
    struct model *model;
    const char *formula;
    const struct check_side *saved;
    const char *why; /* there is no model; else NULL */
    const char *source;
};

static size_t count_of(const struct side *side)
{
    return side->data ? side->data->nexperiments : side->saved.n;
}

/* The formula of the last fit of this experiment, or that of the data. */
static const struct formula *formula_of(struct session *s, struct cursor *c,
                                        const struct experiment *e, const char *observable,
                                        struct version *out, const struct source **source)
{
    const struct fit_state *state = session_find_state(s, e->name, observable);
    if (!state)
        state = session_find_state(s, e->base, observable);
    if (state && state->formula) {
        out->formula = state->formula_text;
        *source = state->source;
        return state->formula;
    }
    const struct observable_formula *f = experiment_formula(e, observable);
    if (!f) {
        out->why = arena_printf(c->arena,
                                "there is no formula for %s; give one with 'fit %s = ...' before "
                                "'check'",
                                observable, e->base);
        return NULL;
    }
    out->formula = f->text;
    *source = NULL;
    return formula_parse_text(c->arena, f->text, e->base, NULL);
}

static void fit_version(struct session *s, struct cursor *c, const struct side *side,
                        const struct experiment *e, struct version *out)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    const struct source *source;
    *out = (struct version){.name = e->base,
                            .observable = experiment_default_observable(e),
                            .source = e->nsources ? e->sources[0] : ""};
    const struct formula *formula = formula_of(s, c, e, out->observable, out, &source);
    if (formula) {
        struct fit_request request = session_fit_request(s, c->arena, e, out->observable, NULL);
        request.formula = formula;
        request.source = source;
        request.points.dataset = side->data;
        out->model = model_fit(c->arena, &request, diag);
    }
    if (!out->model && !out->why) {
        const char *text = diag_first(diag, SEVERITY_ERROR);
        out->why = arena_strdup(c->arena, text ? text : "its formula cannot be read");
    }
}

/* Version i of a side; false if it is of another version of the loaded data. */
static bool get_version(struct session *s, struct cursor *c, const struct side *side, size_t i,
                        struct version *out)
{
    if (!side->data) {
        const struct check_side *saved = &side->saved.sides[i];
        *out = (struct version){.name = saved->experiment,
                                .observable = saved->observable,
                                .saved = saved,
                                .source = ""};
        return true;
    }
    if (side->data->experiments[i]->version != side->version)
        return false;
    fit_version(s, c, side, side->data->experiments[i], out);
    return true;
}

/* The same experiment on the other side. */
static bool find_version(struct session *s, struct cursor *c, const struct side *side,
                         const char *name, struct version *out)
{
    for (size_t i = 0; i < count_of(side); i++) {
        const char *other =
            side->data ? side->data->experiments[i]->base : side->saved.sides[i].experiment;
        if (strcmp(other, name) == 0 && get_version(s, c, side, i, out))
            return true;
    }
    return false;
}

/* ---- places ---- */

struct places {
    struct place *list;
    size_t n;
};

/* The places that were asked for: of each the variables that the model has. */
static struct places asked_places(struct arena *a, const struct assignments *at,
                                  const struct model *m)
{
    struct places out = {.list = arena_alloc(a, at->rows + 1, sizeof *out.list)};
    double *row = arena_alloc(a, at->n + 1, sizeof *row);
    for (size_t r = 0; r < at->rows; r++) {
        const char **names = arena_alloc(a, at->n + 1, sizeof *names);
        double *values = arena_alloc(a, at->n + 1, sizeof *values);
        size_t n = 0;
        arguments_row(at, r, row);
        for (size_t i = 0; i < at->n; i++) {
            if (m && !model_knows(m, at->names[i]))
                continue;
            names[n] = at->names[i];
            values[n++] = row[i];
        }
        out.list[out.n++] = (struct place){names, values, n};
    }
    return out;
}

static bool same_place(const struct place *x, const struct place *y)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t k = text_find(y->names, y->n, x->names[i]);
        if (k == y->n || x->values[i] != y->values[k])
            return false;
    }
    return x->n == y->n;
}

static int compare_predictions(const void *x, const void *y)
{
    const struct check_prediction *const *a = x, *const *b = y;
    return ((*a)->value.value > (*b)->value.value) - ((*a)->value.value < (*b)->value.value);
}

/* Of the saved predictions: the largest and the median. */
static struct places saved_places(struct arena *a, const struct check_side *saved)
{
    size_t n = saved->npredictions;
    struct places out = {.list = arena_alloc(a, 2, sizeof *out.list)};
    const struct check_prediction **order = arena_alloc(a, n + 1, sizeof(*order));
    for (size_t i = 0; i < n; i++)
        order[i] = &saved->predictions[i];
    qsort(order, n, sizeof(*order), compare_predictions);
    if (n)
        out.list[out.n++] = order[n - 1]->place;
    if (n > 2)
        out.list[out.n++] = order[(n - 1) / 2]->place;
    return out;
}

/* A saved model knows its measured points only. */
static struct check_side saved_side(struct arena *a, const struct check_side *saved,
                                    const struct places *places)
{
    struct check_side side = *saved;
    struct check_prediction *list = arena_zalloc(a, places->n + 1, sizeof *list);
    for (size_t i = 0; i < places->n; i++) {
        list[i] = (struct check_prediction){
            .place = places->list[i],
            .why = "the saved model has predictions at its measured points only"};
        for (size_t k = 0; k < saved->npredictions; k++)
            if (same_place(&places->list[i], &saved->predictions[k].place))
                list[i] = saved->predictions[k];
    }
    side.predictions = list;
    side.npredictions = places->n;
    return side;
}

static struct places choose_places(struct arena *a, const struct check_request *r,
                                   const struct version *before, const struct version *after)
{
    if (r->at.n)
        return asked_places(a, &r->at, before->model ? before->model : after->model);
    if (before->saved)
        return saved_places(a, before->saved);
    if (after->saved)
        return saved_places(a, after->saved);
    struct places out = {.list = arena_alloc(a, 2, sizeof *out.list)};
    out.n = check_places(a, before->model, after->model, out.list);
    return out;
}

/* ---- the check ---- */

static struct check_side side_of(struct arena *a, const struct version *v,
                                 const struct places *places)
{
    struct check_side side;
    if (v->saved)
        return saved_side(a, v->saved, places);
    check_side_of_model(a, v->model, v->formula, places->list, places->n, &side);
    return side;
}

/* The command that finds a formula for the data of one side. */
static const char *search_command(struct arena *a, const struct side *side, const char *given,
                                  const char *experiment)
{
    struct stat info;
    if (!side->own)
        return arena_printf(a, "search %s@%s", experiment, given);
    bool folder = stat(given, &info) == 0 && S_ISDIR(info.st_mode);
    return arena_printf(a, "llac -e 'search %s' %s%s", experiment, given,
                        folder ? given[strlen(given) - 1] == '/' ? "*.dat" : "/*.dat" : "");
}

static const char *error_text(struct arena *a, const struct model *m)
{
    double error = model_error(m)->mean_pct;
    return arena_printf(a, "mean error %s %%", number_decimals(error, error < 10, NUMBER_BUFFER));
}

/* What to know and to do if a formula does not describe its data; NULL if both do. */
static const char *misfit_text(struct cursor *c, const struct check_request *r,
                               const struct side *sides, const struct version *before,
                               const struct version *after)
{
    struct arena *a = c->arena;
    bool old = before->model && check_misfits(before->model),
         new = after->model &&check_misfits(after->model);
    if (!old && !new)
        return NULL;
    const char *search = search_command(a, &sides[new], r->names[new], before->name);
    if (!before->model || !after->model)
        return arena_printf(
            a,
            "the formula does not describe the %s data (%s), so its predictions are "
            "not what was measured, and a saved model has nothing else to compare: "
            "compare data files, and find a formula (%s)",
            new ? "new" : "old", error_text(a, new ? after->model : before->model), search);
    if (old && new)
        return arena_printf(
            a,
            "the formula describes neither the old data (%s) nor the new data (%s), "
            "so its constants mean little and measured values are compared. Find a "
            "formula (%s), and write it into the pragma of both versions",
            error_text(a, before->model), error_text(a, after->model), search);
    return arena_printf(a,
                        "the formula describes the %s data, but not the %s data (%s), so measured "
                        "values are compared. The time of the %s code grows in another way: %s "
                        "shows how",
                        new ? "old" : "new", new ? "new" : "old",
                        error_text(a, new ? after->model : before->model), new ? "new" : "old",
                        search);
}

static void check_one(struct cursor *c, const struct check_request *r, const struct side *sides,
                      const struct version *before, const struct version *after,
                      struct check_experiment *out)
{
    *out = (struct check_experiment){.name = before->name,
                                     .observable = before->observable,
                                     .unit = "",
                                     .source = after->source && *after->source ? after->source
                                                                               : before->source};
    if (before->why || after->why) {
        out->remark =
            arena_printf(c->arena, "the %s data cannot be fitted: %s", before->why ? "old" : "new",
                         before->why ? before->why : after->why);
        return;
    }
    struct places places = choose_places(c->arena, r, before, after);
    struct check_side x = side_of(c->arena, before, &places), y = side_of(c->arena, after, &places);
    check_compare(c->arena, &x, &y, out);
    out->remark = misfit_text(c, r, sides, before, after);
    if (strcmp(x.formula, y.formula) != 0)
        out->remark =
            arena_printf(c->arena, "the formula was '%s' and is '%s'%s%s", x.formula, y.formula,
                         out->remark ? "; " : "", out->remark ? out->remark : "");
}

static const char *difference(struct arena *a, const struct side *sides)
{
    if (!sides[0].data || !sides[1].data)
        return "";
    return version_difference(a, &sides[0].data->versions[sides[0].version],
                              &sides[1].data->versions[sides[1].version]);
}

/* Experiments that only one side has. */
static void add_missing(struct cursor *c, const char *name, const char *has,
                        struct check_experiment *out)
{
    *out = (struct check_experiment){.name = arena_strdup(c->arena, name),
                                     .observable = "CLOCK",
                                     .unit = "",
                                     .source = "",
                                     .remark = arena_printf(c->arena, "only %s has it", has)};
}

static struct check_experiment *compare_sides(struct session *s, struct cursor *c,
                                              const struct check_request *r, struct side *sides,
                                              size_t *n)
{
    struct version before, after;
    struct check_experiment *list =
        arena_zalloc(c->arena, count_of(&sides[0]) + count_of(&sides[1]) + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < count_of(&sides[0]) && !session_interrupt; i++) {
        if (!get_version(s, c, &sides[0], i, &before))
            continue;
        if (find_version(s, c, &sides[1], before.name, &after))
            check_one(c, r, sides, &before, &after, &list[(*n)++]);
        else
            add_missing(c, before.name, r->names[0], &list[(*n)++]);
    }
    for (size_t i = 0; i < count_of(&sides[1]) && !session_interrupt; i++) {
        const char *name = sides[1].data ? sides[1].data->experiments[i]->base
                                         : sides[1].saved.sides[i].experiment;
        bool known = sides[1].data && sides[1].data->experiments[i]->version != sides[1].version;
        if (!known && !TEXT_ELEMENT(list, *n, name, name))
            add_missing(c, name, r->names[1], &list[(*n)++]);
    }
    return list;
}

static bool has_variable(const struct side *side, const char *name)
{
    for (size_t i = 0; side->data && i < side->data->nexperiments; i++)
        if (experiment_find_variable(side->data->experiments[i], name) != SIZE_MAX)
            return true;
    for (size_t i = 0; !side->data && i < side->saved.n; i++)
        for (size_t k = 0; k < side->saved.sides[i].npredictions; k++) {
            const struct place *p = &side->saved.sides[i].predictions[k].place;
            if (text_is_in(p->names, p->n, name))
                return true;
        }
    return strcmp(name, "P") == 0;
}

/* A name that no experiment has is a misprint. */
static int check_names(struct session *s, const struct cursor *c, const struct check_request *r,
                       const struct side *sides)
{
    for (size_t i = 0; i < r->at.n; i++) {
        const char *name = r->at.names[i];
        if (!has_variable(&sides[0], name) && !has_variable(&sides[1], name) &&
            !TEXT_ELEMENT(s->now.lets, s->now.nlets, name, name))
            return cursor_error(c, r->at.spans[i], "no experiment has a variable '%s'", name);
    }
    return 0;
}

static bool has_rows(const struct check_experiment *list, size_t n)
{
    while (n && !list[n - 1].nrows)
        n--;
    return n;
}

static void print_report(struct session *s, const struct check_request *r,
                         const struct check_report *report)
{
    if (r->format == FORMAT_MARKDOWN)
        check_markdown(s->out, report);
    else if (r->format == FORMAT_GITHUB)
        check_github(s->out, report);
    else if (s->json)
        json_print(s->out, "%p", json_check(report));
    else
        text_check(s->out, report);
}

int command_check(struct session *s, struct cursor *c)
{
    struct check_request r = {.threshold = CHECK_THRESHOLD};
    __attribute__((cleanup(free_sides))) struct side sides[2] = {{0}, {0}};
    if (read_request(s, c, &r) || session_need_values(s, c->diag, "check") ||
        find_side(s, c, &r, 0, &sides[0]) || find_side(s, c, &r, 1, &sides[1]) ||
        check_names(s, c, &r, sides))
        return -1;
    size_t n;
    struct check_experiment *list = compare_sides(s, c, &r, sides, &n);
    struct check_report report = {.before = r.names[0],
                                  .after = r.names[1],
                                  .differs = difference(c->arena, sides),
                                  .threshold = r.threshold,
                                  .experiments = list,
                                  .n = n,
                                  .worse = check_judge(list, n, r.threshold)};
    s->worse = s->worse || report.worse || !has_rows(list, n);
    if (session_interrupt)
        return -1;
    print_report(s, &r, &report);
    return 0;
}
