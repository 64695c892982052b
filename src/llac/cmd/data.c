/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about the data: load, merge, list, show without a name, where, let, save. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "llac/cmd/commands.h"
#include "model/disturbed.h"
#include "llac/output/output.h"

static size_t count_samples(const struct dataset *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->nexperiments; i++)
        n += d->experiments[i]->nrows;
    return n;
}

/* NAME=VALUE of the importers; false (and nothing taken) if no such name comes next. */
static bool read_import_option(struct cursor *c, struct import_options *options)
{
    size_t before = c->at;
    const char *name = cursor_name(c, NULL);
    for (const struct import_option *o = import_option_table; name && o->name; o++) {
        if (strcmp(o->name, name) != 0 || !cursor_punctuation(c, '='))
            continue;
        const char *value = cursor_path(c, NULL);
        if (!value)
            break;
        *(const char **)((char *)options + o->offset) = value;
        return true;
    }
    c->at = before;
    return false;
}

static int unknown_option(struct cursor *c, struct span where, const char *path)
{
    struct text names;
    text_init(&names);
    for (const struct import_option *o = import_option_table; o->name; o++)
        text_printf(&names, "%s%s=", names.n ? ", " : "", o->name);
    cursor_error(c, where, "there is no file and no option '%s'; the options are %s", path,
                 names.s);
    text_free(&names);
    return -1;
}

static int load_or_merge(struct session *s, struct cursor *c, bool replace)
{
    enum { MOST = 100000 };
    char **paths = NULL;
    size_t n = 0, capacity = 0;
    struct load_options options = {0};
    while (!cursor_done(c)) {
        size_t before = c->at;
        if (cursor_keyword(c, "ignore") && cursor_keyword(c, "formulas")) {
            options.ignore_formulas = true;
            continue;
        }
        c->at = before;
        if (read_import_option(c, &options.import))
            continue;
        struct span where;
        char *path = cursor_path(c, &where);
        if (!path)
            return -1;
        if (strchr(path, '=') && access(path, F_OK))
            return unknown_option(c, where, path);
        paths = arena_grow(c->arena, paths, n, &capacity, n + 1, sizeof *paths);
        paths[n++] = path;
    }
    if (n == 0)
        return cursor_error_here(c, "the name of a file is missing");
    if (cursor_finish(c) || session_load(s, paths, n, replace, &options, c->arena, c->diag))
        return -1;
    if (s->json) {
        json_t *files = json_array();
        for (size_t i = 0; i < s->data->nfiles; i++)
            json_array_append_new(files, json_text(s->data->files[i].path));
        json_print(s->out, json_pack("{s:o, s:I, s:I}", "files", files, "experiments",
                                     (json_int_t)s->data->nexperiments, "samples",
                                     (json_int_t)count_samples(s->data)));
    } else {
        fprintf(s->out, "  %zu file%s, %zu experiment%s, %zu samples\n", s->data->nfiles,
                s->data->nfiles == 1 ? "" : "s", s->data->nexperiments,
                s->data->nexperiments == 1 ? "" : "s", count_samples(s->data));
    }
    return 0;
}

int command_load(struct session *s, struct cursor *c)
{
    return load_or_merge(s, c, true);
}

int command_merge(struct session *s, struct cursor *c)
{
    return load_or_merge(s, c, false);
}

/* An observable without a single value is a column of the file that belongs to other experiments. The
 * column `disturbed` is not an observable. */
static bool is_empty(const struct column *c)
{
    return (!c->values && isnan(c->constant)) || strcmp(c->name, DATA_DISTURBED) == 0;
}

/* The names of the columns from..to as a list. */
static json_t *json_names(const struct experiment *e, size_t from, size_t to)
{
    json_t *list = json_array();
    for (size_t j = from; j < to; j++)
        if (j < experiment_first_observable(e) || !is_empty(&e->columns[j]))
            json_array_append_new(list, json_text(e->columns[j].name));
    return list;
}

static json_t *json_experiment(const struct experiment *e)
{
    json_t *formulas = json_object(), *sources = json_array();
    for (size_t i = 0; i < e->nformulas; i++)
        json_set(formulas, e->formulas[i].observable, json_text(e->formulas[i].text));
    for (size_t i = 0; i < e->nsources; i++)
        json_array_append_new(sources, json_text(e->sources[i]));
    struct disturbed_counts n = disturbed_count(e);
    json_t *disturbed = json_pack("{s:I, s:I, s:I, s:I}", "watched", (json_int_t)n.watched,
                                  "preempted", (json_int_t)n.preempted, "waited",
                                  (json_int_t)n.waited, "migrated", (json_int_t)n.migrated);
    return json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "name", json_text(e->name),
                     "samples", (json_int_t)e->nrows, "files", (json_int_t)e->nsegments,
                     "variables", json_names(e, FIELD_FIXED, experiment_first_observable(e)),
                     "observables", json_names(e, experiment_first_observable(e), e->ncolumns),
                     "formulas", formulas, "sources", sources, "disturbed", disturbed);
}

static void text_disturbed_counts(FILE *out, struct disturbed_counts n)
{
    struct text t;
    if (!n.watched)
        return;
    text_init(&t);
    text_printf(&t, "%zu were preempted", n.preempted);
    if (n.waited)
        text_printf(&t, ", %zu waited", n.waited);
    if (n.migrated)
        text_printf(&t, ", %zu changed %s core", n.migrated, n.migrated == 1 ? "its" : "their");
    fprintf(out, "      of %zu long samples %s\n", n.watched, t.s);
    text_free(&t);
}

void text_experiment(FILE *out, const struct experiment *e)
{
    fprintf(out, "  %s   %zu sample%s", e->name, e->nrows, e->nrows == 1 ? "" : "s");
    for (size_t i = 0; i < e->nvariables; i++)
        fprintf(out, "%s%s", i ? ", " : "   over ", experiment_variable(e, i)->name);
    for (size_t i = 0; i < e->nsources; i++)
        fprintf(out, "%s%s", i ? ", " : "   in ", e->sources[i]);
    fputc('\n', out);
    for (size_t j = experiment_first_observable(e); j < e->ncolumns; j++) {
        const struct observable_formula *f = experiment_formula(e, e->columns[j].name);
        if (is_empty(&e->columns[j]) && !f)
            continue;
        bool rare = !f && disturbed_is_rare(e, e->columns[j].name);
        fprintf(out, "      %s%s%s\n", e->columns[j].name,
                f      ? " = "
                : rare ? ", of long samples"
                       : ", no formula",
                f ? f->text : "");
    }
    text_disturbed_counts(out, disturbed_count(e));
}

int command_list(struct session *s, struct cursor *c)
{
    if (cursor_finish(c))
        return -1;
    json_t *list = json_array();
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        if (s->json)
            json_array_append_new(list, json_experiment(s->data->experiments[i]));
        else
            text_experiment(s->out, s->data->experiments[i]);
    }
    if (s->json)
        json_print(s->out, json_pack("{s:O}", "experiments", list));
    else if (s->data->nexperiments == 0)
        fputs("  no data is loaded; say 'load FILE'\n", s->out);
    json_decref(list);
    return 0;
}

/* Two numbers, null where one is not known. */
static json_t *json_two(const double *x, bool known)
{
    return known ? json_pack("[o, o]", json_number(x[0]), json_number(x[1])) : json_null();
}

static json_t *json_host(const struct data_host *h)
{
    double steal[] = {h->stolen, h->wanted};
    double frequency[] = {h->frequency[0] > 0 ? h->frequency[0] : NAN,
                          h->frequency[1] > 0 ? h->frequency[1] : NAN};
    return json_pack("{s:o, s:o, s:o}", "load", json_two(h->load, h->has_load), "steal",
                     json_two(steal, h->wanted > 0), "frequency",
                     json_two(frequency, h->frequency[0] > 0 || h->frequency[1] > 0));
}

/* "load 0.5 to 1.2, 3.1 % of the time stolen, 2.10 to 3.40 GHz": what is known. */
static void text_host(FILE *out, const struct data_host *h)
{
    const char *between = "      ";
    if (h->has_load) {
        fprintf(out, "%sload %.2f", between, h->load[0]);
        if (!isnan(h->load[1]))
            fprintf(out, " to %.2f", h->load[1]);
        between = ", ";
    }
    if (h->wanted > 0) {
        fprintf(out, "%s%.1f %% of the time stolen", between, 100 * h->stolen / h->wanted);
        between = ", ";
    }
    if (h->frequency[1] > 0) {
        fprintf(out, "%s", between);
        if (h->frequency[0] > 0)
            fprintf(out, "%.2f to ", h->frequency[0] / 1e9);
        fprintf(out, "%.2f GHz", h->frequency[1] / 1e9);
        between = ", ";
    }
    if (*between == ',')
        fputc('\n', out);
}

void show_files(struct session *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->data->nfiles; i++) {
        const struct data_file *f = &s->data->files[i];
        if (s->json) {
            json_array_append_new(
                list,
                json_pack(
                    "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b}",
                    "file", json_text(f->path), "program", json_text(f->program), "driver",
                    json_text(f->driver), "host", json_text(f->host), "cpu", json_text(f->cpu),
                    "compiler", json_text(f->compiler), "date", json_text(f->date), "clock",
                    json_text(f->clock), "resolution", json_number(f->resolution), "overhead",
                    json_number(f->overhead), "overhead_spread", json_number(f->overhead_spread),
                    "abandoned", json_number(f->abandoned), "machine", json_host(&f->host_state),
                    "oversubscribed", f->oversubscribed, "thinned", f->thinned != THINNED_NO,
                    "truncated", f->truncated));
            continue;
        }
        struct text path;
        text_init(&path);
        text_add_printable(&path, f->path, strlen(f->path)); /* line feeds, too */
        fprintf(s->out, "  %s\n", path.s);
        text_free(&path);
        fprintf(s->out, "      program %s, host %s, %s, %s, %s\n", *f->program ? f->program : "?",
                *f->host ? f->host : "?", *f->cpu ? f->cpu : "CPU ?",
                *f->compiler ? f->compiler : "compiler ?", *f->date ? f->date : "date ?");
        fprintf(s->out,
                "      clock %s, resolution %.2g s, overhead %.2g s per pair (\302\261 %.1g)\n",
                *f->clock ? f->clock : "?", f->resolution, f->overhead, f->overhead_spread);
        text_host(s->out, &f->host_state);
        if (f->abandoned > 0)
            fprintf(s->out, "      %s abandoned samples\n",
                    number_text(f->abandoned, NUMBER_BUFFER));
        if (f->oversubscribed)
            fputs("      more processes or threads than cores\n", s->out);
        if (f->thinned != THINNED_NO)
            fputs("      thinned: a selection of the samples\n", s->out);
        if (f->truncated)
            fputs("      cut off: the whole rows were read\n", s->out);
        for (size_t k = 0; k < f->nabsents; k++)
            fprintf(s->out, "      absent: %s %s\n", f->absents[k].observable,
                    f->absents[k].reason);
        for (size_t k = 0; k < f->nnotes; k++)
            fprintf(s->out, "      note: %s\n", f->notes[k]);
    }
    if (s->json)
        json_print(s->out, json_pack("{s:O}", "files", list));
    else if (s->data->nfiles == 0)
        fputs("  no data is loaded; say 'load FILE'\n", s->out);
    json_decref(list);
}

const char *const fit_keywords[] = {"on", "where", "nonneg", "intervals", "max", "threshold", NULL};

int read_condition(struct session *s, struct cursor *c, struct condition *out, const char **text)
{
    struct span where = cursor_expression(c, fit_keywords);
    struct formula_options options = {.experiments = NULL};
    if (where.end == where.begin)
        return cursor_error_here(c, "a condition such as N >= 4096 is missing");
    const struct formula *f =
        formula_parse_condition(s->arena, c->source, where, &options, c->diag);
    if (!f)
        return -1;
    struct definitions let = session_definitions(s, s->arena);
    *out = (struct condition){.formula = definitions_expand(s->arena, f, &let, c->diag),
                              .source = c->source};
    if (!out->formula)
        return -1;
    *text = arena_strdup(s->arena, cursor_text(c, where));
    /* A name that no experiment has is a slip of the pen. */
    struct formula_variables used = formula_variables(c->arena, out->formula);
    for (size_t i = 0; i < used.n; i++) {
        bool known = s->data->nexperiments == 0;
        for (size_t k = 0; k < FIELD_FIXED; k++)
            known = known || strcmp(used.list[i].name, data_field_names[k]) == 0;
        for (size_t k = 0; k < s->data->nexperiments && !known; k++)
            known =
                experiment_find_variable(s->data->experiments[k], used.list[i].name) != SIZE_MAX;
        if (!known)
            return cursor_error(c, used.list[i].span.end ? used.list[i].span : where,
                                "no experiment has a variable '%s'", used.list[i].name);
    }
    return 0;
}

static void print_conditions(struct session *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->nconditions; i++) {
        if (s->json)
            json_array_append_new(list, json_text(s->condition_texts[i]));
        else
            fprintf(s->out, "  where %s\n", s->condition_texts[i]);
    }
    if (s->json)
        json_print(s->out, json_pack("{s:O}", "where", list));
    else if (s->nconditions == 0)
        fputs("  all samples are used\n", s->out);
    json_decref(list);
}

int command_where(struct session *s, struct cursor *c)
{
    if (!cursor_done(c)) {
        struct condition one;
        const char *text = NULL;
        if (cursor_keyword(c, "all")) {
            if (cursor_finish(c))
                return -1;
            s->nconditions = 0;
        } else {
            if (read_condition(s, c, &one, &text) || cursor_finish(c))
                return -1;
            size_t n = s->nconditions;
            struct condition *list = arena_alloc(s->arena, n + 1, sizeof *list);
            const char **texts = arena_alloc(s->arena, n + 1, sizeof *texts);
            for (size_t i = 0; i < n; i++)
                list[i] = s->conditions[i], texts[i] = s->condition_texts[i];
            list[n] = one, texts[n] = text;
            s->conditions = list, s->condition_texts = texts, s->nconditions = n + 1;
        }
        session_stale(s);
    }
    print_conditions(s);
    return 0;
}

static void print_lets(struct session *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->nlets; i++) {
        if (s->json)
            json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_text(s->lets[i].name),
                                                  "formula", json_text(s->lets[i].text)));
        else
            fprintf(s->out, "  let %s = %s\n", s->lets[i].name, s->lets[i].text);
    }
    if (s->json)
        json_print(s->out, json_pack("{s:O}", "let", list));
    else if (s->nlets == 0)
        fputs("  no definitions\n", s->out);
    json_decref(list);
}

/* Why a name cannot be defined; NULL if it can. */
static const char *let_taken(const struct session *s, const char *name)
{
    for (size_t k = 0; k < FIELD_FIXED; k++)
        if (strcmp(name, data_field_names[k]) == 0)
            return "is a column of every data file";
    for (size_t i = 0; i < s->data->nexperiments; i++)
        if (experiment_find_variable(s->data->experiments[i], name) != SIZE_MAX)
            return "is a variable in the data";
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (strcmp(name, f->name) == 0)
            return "is a function";
    return NULL;
}

static int define(struct session *s, struct cursor *c, const char *name, struct span where)
{
    static const char *const none[] = {NULL};
    struct formula_options options = {.experiments = NULL};
    const char *taken = let_taken(s, name);
    if (taken)
        return cursor_error(c, where, "'%s' %s: choose another name", name, taken);
    if (!cursor_punctuation(c, '='))
        return cursor_error_here(c, "'=' is expected here: let NAME = EXPRESSION");
    struct span at = cursor_expression(c, none);
    const struct formula *f = formula_parse(s->arena, c->source, at, &options, c->diag);
    if (!f || cursor_finish(c))
        return -1;
    struct named_formula *list = arena_alloc(s->arena, s->nlets + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < s->nlets; i++)
        if (strcmp(s->lets[i].name, name) != 0)
            list[n++] = s->lets[i];
    struct definitions others = {.names = arena_alloc(c->arena, n + 1, sizeof *others.names),
                                 .by = arena_alloc(c->arena, n + 1, sizeof *others.by),
                                 .n = n};
    for (size_t i = 0; i < n; i++)
        others.names[i] = list[i].name, others.by[i] = list[i].formula;
    const struct formula *whole = definitions_expand(c->arena, f, &others, c->diag);
    if (!whole)
        return -1;
    struct formula_variables used = formula_variables(c->arena, whole);
    for (size_t i = 0; i < used.n; i++)
        if (strcmp(used.list[i].name, name) == 0)
            return cursor_error(c, at, "'%s' cannot be defined by itself", name);
    list[n++] = (struct named_formula){arena_strdup(s->arena, name),
                                       arena_strdup(s->arena, cursor_text(c, at)), f};
    s->lets = list;
    s->nlets = n;
    return 0;
}

int command_let(struct session *s, struct cursor *c)
{
    if (!cursor_done(c)) {
        struct span where;
        char *name = cursor_name(c, &where);
        if (!name)
            return cursor_error_here(c, "a name is expected here: let NAME = EXPRESSION");
        if (strcmp(name, "none") == 0 && cursor_done(c))
            s->nlets = 0;
        else if (define(s, c, name, where))
            return -1;
        session_stale(s);
    }
    print_lets(s);
    return 0;
}

/* Which rows pass `where`, per experiment. */
struct save_filter {
    const struct dataset *data;
    unsigned char **keep;
    size_t saved;
};

static bool passes(void *user, const struct experiment *e, size_t row)
{
    struct save_filter *f = user;
    size_t i = 0;
    while (f->data->experiments[i] != e)
        i++;
    f->saved += f->keep[i][row];
    return f->keep[i][row];
}

/* Whether the file is one that was loaded, under whatever name. */
static bool is_loaded(const struct dataset *d, const char *path)
{
    struct stat target, loaded;
    if (stat(path, &target) || !S_ISREG(target.st_mode))
        return false;
    for (size_t i = 0; i < d->nfiles; i++)
        if (stat(d->files[i].path, &loaded) == 0 && loaded.st_dev == target.st_dev &&
            loaded.st_ino == target.st_ino)
            return true;
    return false;
}

int command_save(struct session *s, struct cursor *c)
{
    struct span where = {c->at, c->at};
    char *path = cursor_path(c, &where);
    if (!path)
        return cursor_error_here(c, "the name of a file is missing");
    if (cursor_finish(c))
        return -1;
    if (s->data->nfiles == 0)
        return cursor_error(c, where, "there is nothing to save: no data is loaded");
    if (s->data->nexperiments == 0)
        return cursor_error(c, where,
                            "there is nothing to save: the loaded files have no experiment");
    if (is_loaded(s->data, path))
        return cursor_error(
            c, where, "%s is a loaded file, which 'save' would replace: choose another name", path);
    struct save_filter filter = {.data = s->data};
    filter.keep = mem_zalloc(s->data->nexperiments + 1, sizeof *filter.keep);
    int status = 0;
    for (size_t i = 0; i < s->data->nexperiments && status == 0; i++) {
        size_t skipped;
        struct points_request request = {.dataset = s->data, .experiment = s->data->experiments[i]};
        request.conditions = session_conditions(s, c->arena, NULL, &request.nconditions);
        filter.keep[i] = mem_alloc(request.experiment->nrows + 1, 1);
        status = points_filter(&request, c->diag, filter.keep[i], &skipped);
    }
    if (status == 0 && dataset_save(s->data, path, passes, &filter))
        status = cursor_error(c, where, "cannot write %s: %s", path, strerror(errno));
    for (size_t i = 0; i < s->data->nexperiments; i++)
        mem_free(filter.keep[i]);
    mem_free(filter.keep);
    if (status)
        return -1;
    if (s->json)
        json_print(s->out, json_pack("{s:o, s:I}", "saved", json_text(path), "samples",
                                     (json_int_t)filter.saved));
    else
        fprintf(s->out, "  %zu samples written to %s\n", filter.saved, path);
    return 0;
}
