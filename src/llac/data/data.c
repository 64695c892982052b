/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about the data: load, merge, where, let, save. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/misprint.h"
#include "base/destination.h"
#include "base/text.h"
#include "data/version.h"
#include "llac/arguments.h"
#include "llac/compose/command.h"
#include "llac/undo.h"
#include "llac/data/data.h"
#include "llac/fit/fit.h"
#include "llac/json.h"
#include "llac/commands.h"

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
    TEXT_LOCAL struct text names = text_new();
    for (const struct import_option *o = import_option_table; o->name; o++)
        text_printf(&names, "%s%s=", names.n ? ", " : "", o->name);
    return cursor_error(c, where, "there is no file and no option '%s'; the options are %s", path,
                        names.s);
}

/* After 'as' or 'version'. */
static int read_label(struct cursor *c, const char **label)
{
    struct span where = cursor_token(c);
    *label = cursor_text(c, where);
    if (version_is_label(*label))
        return 0;
    return cursor_error(c, where,
                        "a label is expected here: letters, digits, '_', '.', '-' and '+', as in "
                        "'load old.dat as before'");
}

static size_t files_of(const struct dataset *d, size_t version)
{
    size_t files = 0;
    for (size_t k = 0; k < d->nfiles; k++)
        files += d->files[k].version == version;
    return files;
}

/* The versions, if there are several or one has a label of the user. */
static json_t *json_versions(const struct dataset *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->nversions; i++)
        json_add(list, "{label:%s files:%zu}", d->versions[i].label, files_of(d, i));
    return list;
}

static void text_versions(FILE *out, const struct dataset *d)
{
    if (d->nversions < 2)
        return;
    fputs("  versions:", out);
    for (size_t i = 0; i < d->nversions; i++)
        fprintf(out, "%s %s (%zu file%s)", i ? "," : "", d->versions[i].label, files_of(d, i),
                files_of(d, i) == 1 ? "" : "s");
    fputc('\n', out);
}

/* One part of the command: as LABEL, ignore formulas, NAME=VALUE, or files. */
static int read_load_part(struct cursor *c, struct paths *files, struct load_options *options)
{
    size_t before = c->at;
    if (cursor_keyword(c, "as"))
        return read_label(c, &options->label);
    if (cursor_keyword(c, "ignore") && cursor_keyword(c, "formulas")) {
        options->ignore_formulas = true;
        return 0;
    }
    c->at = before;
    if (read_import_option(c, &options->import))
        return 0;
    struct span where;
    size_t n = files->n;
    if (read_paths(c, files, &where))
        return -1;
    return strchr(files->list[n], '=') && access(files->list[n], F_OK)
               ? unknown_option(c, where, files->list[n])
               : 0;
}

/* The command for undo and 'save session', with the names of the files in place of patterns: other files
 * may match these later. NULL if no command can name one of them. */
static const char *name_files(struct session *s, const struct cursor *c, const struct paths *files,
                              const char *others)
{
    bool good = true;
    struct text again = text_new();
    text_add(&again, c->command);
    for (size_t i = 0; i < files->n; i++) {
        text_addc(&again, ' ');
        good = undo_quote_path(&again, files->list[i]) && good;
    }
    text_add(&again, others);
    const char *text = text_keep(&again, s->arena);
    return good ? text : NULL;
}

static int load_or_merge(struct session *s, struct cursor *c, bool replace)
{
    struct paths files = {.n = 0};
    struct load_options options = {0};
    const char *others = ""; /* what is not a file */
    while (!cursor_done(c)) {
        size_t n = files.n;
        struct span part = {c->at, c->at};
        if (read_load_part(c, &files, &options))
            return -1;
        part.end = c->at;
        if (files.n == n)
            others = arena_printf(c->arena, "%s %s", others, cursor_text(c, part));
    }
    if (files.n == 0)
        return cursor_error_here(c, "the name of a file is missing");
    if (session_load(s, files.list, files.n, replace, &options, c->arena, c->diag))
        return -1;
    s->repeat = files.matched ? name_files(s, c, &files, others) : NULL;
    if (s->json) {
        json_t *loaded = json_array();
        for (size_t i = 0; i < s->data->nfiles; i++)
            json_add(loaded, "%s", s->data->files[i].path);
        json_print(s->out, "{files:%p experiments:%zu samples:%zu versions:%p}", loaded,
                   s->data->nexperiments, count_samples(s->data), json_versions(s->data));
    } else {
        size_t samples = count_samples(s->data);
        fprintf(s->out, "  %zu file%s, %zu experiment%s, %zu sample%s\n", s->data->nfiles,
                s->data->nfiles == 1 ? "" : "s", s->data->nexperiments,
                s->data->nexperiments == 1 ? "" : "s", samples, samples == 1 ? "" : "s");
        text_versions(s->out, s->data);
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

const char *const fit_keywords[] = {"on",        "where", "nonneg",    "by",
                                    "intervals", "max",   "threshold", NULL};

/* Whether an experiment has such an observable, or there is no data yet. */
static bool may_be_observable(const struct session *s, const char *name)
{
    for (size_t i = 0; i < s->data->nexperiments; i++)
        if (points_has_observable(s->data->experiments[i], name))
            return true;
    return s->data->nexperiments == 0;
}

/* Sums are for 'define', and only observables have values at other points: CLOCK(P=1). For let and
 * where. */
static int check_references(const struct session *s, const struct cursor *c,
                            const struct formula *f)
{
    if (f->kind == FORMULA_SUM)
        return cursor_error(c, f->span, "sum() is for definitions: 'define NAME = ...'");
    if (f->kind == FORMULA_REFERENCE && !may_be_observable(s, f->name))
        return cursor_error(c, f->span,
                            "there is no function and no observable '%s'; only 'define' can use "
                            "values of experiments",
                            f->name);
    for (size_t i = 0; i < f->noperands; i++)
        if (check_references(s, c, f->operands[i]))
            return -1;
    return 0;
}

/* Samples that are left out because of their own value are missing at one end of the distribution. */
static void warn_truncation(const struct session *s, struct cursor *c, const struct formula *f)
{
    struct formula_variables used = formula_variables(c->arena, f);
    for (size_t i = 0; i < used.n; i++)
        for (size_t k = 0; k < s->data->nexperiments; k++) {
            const struct experiment *e = s->data->experiments[k];
            if (experiment_find_variable(e, used.list[i].name) != SIZE_MAX ||
                !points_has_observable(e, used.list[i].name))
                continue;
            diag_warning(c->diag,
                         "samples are left out by their own %s: percentiles, intervals and points "
                         "describe the rest, not all executions",
                         used.list[i].name);
            return;
        }
}

/* A name in a condition that no experiment has. */
static int unknown_name(const struct session *s, const struct cursor *c, struct span where,
                        const char *name)
{
    size_t n = FIELD_FIXED + FACT_COUNT + s->now.nlets;
    for (size_t i = 0; i < s->data->nexperiments; i++)
        n += s->data->experiments[i]->ncolumns;
    const char **names = arena_zalloc(c->arena, n + 1, sizeof *names), *meant;
    n = 0;
    for (size_t i = 0; i < s->data->nexperiments; i++) /* the fixed columns come first */
        for (size_t k = 0; k < s->data->experiments[i]->ncolumns; k++)
            names[n++] = s->data->experiments[i]->columns[k].name;
    for (size_t i = 0; i < FACT_COUNT; i++)
        names[n++] = data_fact_names[i];
    for (size_t i = 0; i < s->now.nlets; i++)
        names[n++] = s->now.lets[i].name;
    if ((meant = misprint_meant(name, names)))
        return cursor_error(
            c, where, "no experiment has a variable or an observable '%s'; did you mean '%s'?",
            name, meant);
    return cursor_error(c, where, "no experiment has a variable or an observable '%s'", name);
}

int read_condition(struct session *s, struct cursor *c, struct condition *out, const char **text)
{
    return read_condition_until(s, c, fit_keywords, out, text);
}

int read_condition_until(struct session *s, struct cursor *c, const char *const *words,
                         struct condition *out, const char **text)
{
    struct span where = cursor_expression(c, words);
    struct formula_options options = {.references = true};
    if (where.end == where.begin)
        return cursor_error_here(c, "a condition such as N >= 4096 is missing");
    const struct formula *f =
        formula_parse_condition(s->arena, c->source, where, &options, c->diag);
    if (!f)
        return -1;
    struct definitions let = session_definitions(s, s->arena);
    let.machine = NULL; /* it may change before the condition is used */
    *out = (struct condition){.formula = definitions_expand(s->arena, f, &let, c->diag),
                              .source = c->source};
    if (!out->formula)
        return -1;
    if (formula_asks_machine(out->formula))
        return cursor_error(c, where, "a condition cannot ask the machine");
    if (check_references(s, c, out->formula))
        return -1;
    *text = arena_strdup(s->arena, cursor_text(c, where));
    /* A name that no experiment has is a slip of the pen. */
    struct formula_variables used = formula_variables(c->arena, out->formula);
    for (size_t i = 0; i < used.n; i++) {
        bool known = s->data->nexperiments == 0 ||
                     text_is_in(data_field_names, FIELD_FIXED, used.list[i].name) ||
                     text_is_in(data_fact_names, FACT_COUNT, used.list[i].name);
        for (size_t k = 0; k < s->data->nexperiments && !known; k++)
            known =
                experiment_find_variable(s->data->experiments[k], used.list[i].name) != SIZE_MAX ||
                points_has_observable(s->data->experiments[k], used.list[i].name);
        if (!known)
            return unknown_name(s, c, used.list[i].span.end ? used.list[i].span : where,
                                used.list[i].name);
    }
    warn_truncation(s, c, out->formula);
    return 0;
}

int read_fit_condition(struct session *s, struct cursor *c, const char *const *words,
                       struct fit_state *state)
{
    const char *text;
    size_t n = state->nconditions;
    struct condition *list = arena_alloc(s->arena, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = state->conditions[i];
    if (read_condition_until(s, c, words, &list[n], &text))
        return -1;
    state->conditions = list;
    state->nconditions = n + 1;
    return 0;
}

int read_where(struct session *s, struct cursor *c, const char *const *words)
{
    while (cursor_keyword(c, "where"))
        if (read_fit_condition(s, c, words, &s->given))
            return -1;
    return 0;
}

static void print_conditions(struct session *s)
{
    if (s->json) {
        json_print(s->out, "{where:%p}", json_texts(s->now.condition_texts, s->now.nconditions));
        return;
    }
    for (size_t i = 0; i < s->now.nconditions; i++)
        fprintf(s->out, "  where %s\n", s->now.condition_texts[i]);
    if (s->now.nconditions == 0)
        fputs("  all samples are used\n", s->out);
}

int command_where(struct session *s, struct cursor *c)
{
    if (!cursor_done(c)) {
        struct condition one;
        const char *text = NULL;
        if (cursor_keyword(c, "all")) {
            if (cursor_finish(c))
                return -1;
            s->now.nconditions = 0;
        } else {
            if (read_condition(s, c, &one, &text) || cursor_finish(c))
                return -1;
            size_t n = s->now.nconditions;
            struct condition *list = arena_alloc(s->arena, n + 1, sizeof *list);
            const char **texts = arena_alloc(s->arena, n + 1, sizeof *texts);
            for (size_t i = 0; i < n; i++)
                list[i] = s->now.conditions[i], texts[i] = s->now.condition_texts[i];
            list[n] = one, texts[n] = text;
            s->now.conditions = list, s->now.condition_texts = texts, s->now.nconditions = n + 1;
        }
        session_stale(s);
    }
    print_conditions(s);
    return 0;
}

static void print_lets(struct session *s)
{
    json_auto_t *list = json_array();
    for (size_t i = 0; i < s->now.nlets; i++) {
        if (s->json)
            json_add(list, "{name:%s formula:%s}", s->now.lets[i].name, s->now.lets[i].text);
        else
            fprintf(s->out, "  let %s = %s\n", s->now.lets[i].name, s->now.lets[i].text);
    }
    if (s->json)
        json_print(s->out, "{let:%p}", json_incref(list));
    else if (s->now.nlets == 0)
        fputs("  no definitions\n", s->out);
}

static int define(struct session *s, struct cursor *c, const char *name, struct span where)
{
    static const char *const none[] = {NULL};
    struct formula_options options = {.references = true};
    const char *taken =
        session_definition(s, name) ? "is a definition ('define')" : define_name_taken(s, name);
    if (taken)
        return cursor_error(c, where, "'%s' %s: choose another name", name, taken);
    if (!cursor_punctuation(c, '='))
        return cursor_error_here(c, "'=' is expected here: let NAME = EXPRESSION");
    struct span at = cursor_expression(c, none);
    const struct formula *f = formula_parse(s->arena, c->source, at, &options, c->diag);
    if (!f || check_references(s, c, f) || cursor_finish(c))
        return -1;
    struct named_formula *list = arena_alloc(s->arena, s->now.nlets + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < s->now.nlets; i++)
        if (strcmp(s->now.lets[i].name, name) != 0)
            list[n++] = s->now.lets[i];
    struct definitions others = {.names = arena_alloc(c->arena, n + 1, sizeof *others.names),
                                 .by = arena_alloc(c->arena, n + 1, sizeof *others.by),
                                 .n = n};
    for (size_t i = 0; i < n; i++)
        others.names[i] = list[i].name, others.by[i] = list[i].formula;
    const struct formula *whole = definitions_expand(c->arena, f, &others, c->diag);
    if (!whole)
        return -1;
    if (formula_uses(c->arena, whole, name))
        return cursor_error(c, at, "'%s' cannot be defined by itself", name);
    list[n++] = (struct named_formula){arena_strdup(s->arena, name),
                                       arena_strdup(s->arena, cursor_text(c, at)), f};
    s->now.lets = list;
    s->now.nlets = n;
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
            s->now.nlets = 0;
        else if (define(s, c, name, where))
            return -1;
        session_stale(s);
    }
    print_lets(s);
    return 0;
}

/* Which rows pass `where` and are of the version, per experiment. */
struct save_filter {
    const struct dataset *data;
    unsigned char **keep;
};

static bool passes(void *user, const struct experiment *e, size_t row)
{
    const struct save_filter *f = user;
    size_t i = 0;
    while (f->data->experiments[i] != e)
        i++;
    return f->keep[i][row];
}

bool data_is_loaded(const struct dataset *d, const char *path)
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

static int no_version(const struct cursor *c, struct span where, const struct dataset *d,
                      const char *label)
{
    TEXT_LOCAL struct text all = text_new();
    for (size_t i = 0; i < d->nversions; i++)
        text_printf(&all, "%s%s", i ? ", " : "", d->versions[i].label);
    return cursor_error(c, where,
                        d->nversions == 0   ? "there is no version '%s'; no data are loaded"
                        : d->nversions == 1 ? "there is no version '%s'; the only one is %s"
                                            : "there is no version '%s'; the versions are %s",
                        label, all.s);
}

/* One file has one version. *version gets it: the one that is named, or the only one with samples. */
static int choose_version(const struct cursor *c, struct span where, const struct save_filter *f,
                          const char *label)
{
    const struct dataset *d = f->data;
    size_t version = label ? version_find(d, label) : SIZE_MAX;
    if (label && version == SIZE_MAX)
        return no_version(c, where, d, label);
    for (size_t i = 0; i < d->nexperiments; i++) {
        const struct experiment *e = d->experiments[i];
        if (label && e->version != version)
            memset(f->keep[i], 0, e->nrows);
        if (label || !memchr(f->keep[i], 1, e->nrows))
            continue;
        if (version != SIZE_MAX && version != e->version)
            return cursor_error(c, where,
                                "the samples have several versions, and a file can hold only one: "
                                "add 'version %s' or 'version %s' after the name of the file",
                                d->versions[version].label, d->versions[e->version].label);
        version = e->version;
    }
    return 0;
}

/* How many samples pass; *simulated gets how many of these are simulated. */
static size_t count_passing(const struct save_filter *f, size_t *simulated)
{
    size_t n = 0;
    *simulated = 0;
    for (size_t i = 0; i < f->data->nexperiments; i++) {
        const struct experiment *e = f->data->experiments[i];
        size_t hint = 0;
        for (size_t row = 0; row < e->nrows; row++) {
            if (!f->keep[i][row])
                continue;
            n++;
            *simulated +=
                data_file_is_simulated(&f->data->files[experiment_segment(e, row, &hint)->file]);
        }
    }
    return n;
}

int command_save(struct session *s, struct cursor *c)
{
    if (cursor_keyword(c, "session"))
        return session_commands_save(s, c);
    struct span where = {c->at, c->at};
    char *path = cursor_path(c, &where);
    if (!path)
        return cursor_error_here(c, "the name of a file is missing");
    static const char *const words[] = {"where", NULL};
    const char *label = NULL;
    if ((cursor_keyword(c, "version") && read_label(c, &label)) || read_where(s, c, words) ||
        cursor_finish(c))
        return -1;
    if (s->data->nfiles == 0)
        return cursor_error(c, where, "there is nothing to save: no data is loaded");
    if (s->data->nexperiments == 0)
        return cursor_error(c, where,
                            "there is nothing to save: the loaded files have no experiment");
    if (data_is_loaded(s->data, path))
        return cursor_error(
            c, where, "%s is a loaded file, which 'save' would replace: choose another name", path);
    struct save_filter filter = {.data = s->data};
    filter.keep = arena_alloc(c->arena, s->data->nexperiments + 1, sizeof *filter.keep);
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        size_t skipped;
        struct points_request request = {.dataset = s->data, .experiment = s->data->experiments[i]};
        request.conditions = session_conditions(s, c->arena, &s->given, &request.nconditions);
        filter.keep[i] = arena_alloc(c->arena, request.experiment->nrows + 1, 1);
        if (points_filter(&request, c->diag, filter.keep[i], &skipped))
            return -1;
    }
    if (choose_version(c, where, &filter, label))
        return -1;
    size_t simulated = 0, saved = count_passing(&filter, &simulated);
    if (simulated > 0 && simulated < saved)
        return cursor_error(c, where,
                            "%zu of these %zu samples are simulated, the others measured: one "
                            "file cannot hold both; choose with 'where simulated == 0' or "
                            "'where simulated == 1'",
                            simulated, saved);
    if (saved == 0 && s->now.nconditions + s->given.nconditions > 0)
        return cursor_error(c, where, "no sample fulfils the condition: nothing is written");
    if (dataset_save(s->data, path, passes, &filter))
        return cursor_error(c, where, "cannot write %s: %s", path, destination_error(errno));
    if (s->json)
        json_print(s->out, "{saved:%s samples:%zu}", path, saved);
    else
        fprintf(s->out, "  %zu sample%s written to %s\n", saved, saved == 1 ? "" : "s", path);
    return 0;
}
