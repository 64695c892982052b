/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is loaded: list (the experiments), and show without a name (the files). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "llac/compose/command.h"
#include "data/nesting.h"
#include "model/disturbed.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/text.h"
#include "llac/commands.h"

/* The names of the columns from..to as a list. An observable without a single value is a column of
 * the file that belongs to other experiments. */
static json_t *json_names(const struct experiment *e, size_t from, size_t to)
{
    json_t *list = json_array();
    for (size_t j = from; j < to; j++)
        if (j < experiment_first_observable(e) || column_is_observable(&e->columns[j]))
            json_add(list, "%s", e->columns[j].name);
    return list;
}

/* Whether a formula of the experiment is about the observable; or, where no experiment has such a
 * formula, CLL_COUNTERS named it for all. */
static bool is_wanted(const struct dataset *d, const struct experiment *e, const char *observable)
{
    if (experiment_formula(e, observable))
        return true;
    for (size_t i = 0; i < d->nexperiments; i++)
        if (experiment_formula(d->experiments[i], observable))
            return false;
    return true;
}

/* Observables that no run measured although they were wanted, and the reasons that files give. */
static size_t find_absents(const struct dataset *d, const struct experiment *e,
                           struct data_absent *out, size_t most)
{
    size_t n = 0;
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &d->files[e->segments[s].file];
        for (size_t i = 0; i < f->nabsents && n < most; i++) {
            const char *name = f->absents[i].observable;
            size_t column = experiment_find_observable(e, name);
            bool known = (column != SIZE_MAX && !column_is_empty(&e->columns[column])) ||
                         TEXT_ELEMENT(out, n, observable, name);
            if (!known && is_wanted(d, e, name))
                out[n++] = f->absents[i];
        }
    }
    return n;
}

static json_t *json_absents(const struct data_absent *absents, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(list, "{observable:%s reason:%s}", absents[i].observable, absents[i].reason);
    return list;
}

/* The files of the experiment that were cut off. */
static json_t *json_truncated(const struct dataset *d, const struct experiment *e)
{
    json_t *list = json_array();
    for (size_t s = 0; s < e->nsegments; s++)
        if (d->files[e->segments[s].file].truncated)
            json_add(list, "%s", d->files[e->segments[s].file].path);
    return list;
}

enum { MOST_ABSENTS = 64 }; /* of one experiment */

static json_t *json_experiment(const struct dataset *d, const struct experiment *e)
{
    struct data_absent absents[MOST_ABSENTS];
    size_t nabsents = find_absents(d, e, absents, MOST_ABSENTS);
    json_t *formulas = json_object();
    for (size_t i = 0; i < e->nformulas; i++)
        json_set(formulas, e->formulas[i].observable, json_text(e->formulas[i].text));
    struct disturbed_counts n = disturbed_count(e);
    return json_make("{name:%s samples:%zu files:%zu variables:%p observables:%p formulas:%p "
                     "sources:%p absent:%p truncated:%p "
                     "disturbed:{watched:%zu preempted:%zu waited:%zu migrated:%zu faulted:%zu}}",
                     e->name, e->nrows, e->nsegments,
                     json_names(e, FIELD_FIXED, experiment_first_observable(e)),
                     json_names(e, experiment_first_observable(e), e->ncolumns), formulas,
                     json_texts(e->sources, e->nsources), json_absents(absents, nabsents),
                     json_truncated(d, e), n.watched, n.preempted, n.waited, n.migrated, n.faulted);
}

static void text_absents(FILE *out, const struct dataset *d, const struct experiment *e)
{
    struct data_absent absents[MOST_ABSENTS];
    size_t n = find_absents(d, e, absents, MOST_ABSENTS);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "      %s was not measured: %s\n", absents[i].observable, absents[i].reason);
}

static void text_disturbed_counts(FILE *out, struct disturbed_counts n)
{
    if (!n.watched)
        return;
    TEXT_LOCAL struct text t = text_new();
    text_printf(&t, "%zu were preempted", n.preempted);
    if (n.waited)
        text_printf(&t, ", %zu waited", n.waited);
    if (n.migrated)
        text_printf(&t, ", %zu changed %s core", n.migrated, n.migrated == 1 ? "its" : "their");
    if (n.faulted)
        text_printf(&t, ", %zu had page faults", n.faulted);
    fprintf(out, "      of %zu long samples %s\n", n.watched, t.s);
}

/* Samples that contain other regions. */
static size_t count_containing(const struct experiment *e)
{
    size_t n = 0;
    for (size_t row = 0; row < e->nrows && points_is_self(e, "SELF"); row++)
        n += column_at(&e->columns[FIELD_NESTED], row) > 0;
    return n;
}

void text_experiment(FILE *out, const struct dataset *d, const struct experiment *e)
{
    fputs("  ", out);
    text_styled(out, TEXT_NAME, "%s", e->name);
    fprintf(out, "   %zu sample%s", e->nrows, e->nrows == 1 ? "" : "s");
    for (size_t i = 0; i < e->nvariables; i++)
        fprintf(out, "%s%s", i ? ", " : "   over ", experiment_variable(e, i)->name);
    for (size_t i = 0; i < e->nsources; i++)
        fprintf(out, "%s%s", i ? ", " : "   in ", e->sources[i]);
    fputc('\n', out);
    for (size_t j = experiment_first_observable(e); j < e->ncolumns; j++) {
        const struct observable_formula *f = experiment_formula(e, e->columns[j].name);
        if (!column_is_observable(&e->columns[j]) && !f)
            continue;
        bool rare = !f && disturbed_is_rare(e, e->columns[j].name);
        fprintf(out, "      %s%s%s\n", e->columns[j].name,
                f      ? " = "
                : rare ? ", of long samples"
                       : ", no formula",
                f ? f->text : "");
    }
    const struct observable_formula *self = experiment_formula(e, DATA_SELF);
    if (self && experiment_find_observable(e, DATA_SELF) == SIZE_MAX)
        fprintf(out, "      %s = %s\n", DATA_SELF, self->text);
    size_t containing = count_containing(e);
    if (containing)
        fprintf(out, "      SELF: CLOCK without the regions inside, which %zu sample%s\n",
                containing, containing == 1 ? " has" : "s have");
    text_absents(out, d, e);
    text_disturbed_counts(out, disturbed_count(e));
}

/* A name from outside: line feeds and the like are shown as \xNN. */
static void text_path(FILE *out, const char *path)
{
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, path, strlen(path));
    fputs(t.s, out);
}

/* The first files that were cut off, by name, and how many more. */
static void text_truncated(FILE *out, const struct dataset *d)
{
    enum { NAMED = 5 };
    size_t n = 0;
    for (size_t i = 0; i < d->nfiles; i++) {
        if (!d->files[i].truncated || n++ >= NAMED)
            continue;
        fputs("  ", out);
        text_path(out, d->files[i].path);
        fputs(" was cut off: only its complete rows are used\n", out);
    }
    if (n > NAMED)
        fprintf(out, "  %zu more files were cut off ('show' names them)\n", n - NAMED);
}

int command_list(struct session *s, struct cursor *c)
{
    if (cursor_finish(c))
        return -1;
    json_auto_t *list = json_array();
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        if (s->json)
            json_array_append_new(list, json_experiment(s->data, s->data->experiments[i]));
        else
            text_experiment(s->out, s->data, s->data->experiments[i]);
    }
    if (s->json)
        json_print(s->out, "{experiments:%p definitions:%p}", json_incref(list),
                   json_definitions(s));
    else if (s->data->nexperiments == 0)
        fputs("  no data is loaded; use 'load FILE'\n", s->out);
    else
        text_truncated(s->out, s->data);
    if (!s->json)
        text_definitions(s->out, s, "");
    return 0;
}

/* Two numbers, null where one is not known. */
static json_t *json_two(const double *x, bool known)
{
    return known ? json_make("[%g %g]", x[0], x[1]) : json_null();
}

static json_t *json_host(const struct data_host *h)
{
    double steal[] = {h->stolen, h->wanted};
    double frequency[] = {h->frequency[0] > 0 ? h->frequency[0] : NAN,
                          h->frequency[1] > 0 ? h->frequency[1] : NAN};
    return json_make("{load:%p steal:%p frequency:%p}", json_two(h->load, h->has_load),
                     json_two(steal, h->wanted > 0),
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

static json_t *json_places(const struct data_file *f)
{
    return json_make("{hosts:%g ranks_per_host:%p cores_per_host:%p hyper_threads:%s}",
                     f->hosts > 0 ? f->hosts : NAN,
                     json_two(f->ranks_per_host, f->ranks_per_host[1] > 0),
                     json_two(f->cores_per_host, f->cores_per_host[1] > 0),
                     f->hyper_threads ? data_hyper_threads_words[f->hyper_threads] : NULL);
}

/* "4 to 8 ranks per host" */
static void text_range(FILE *out, const double *range, const char *what)
{
    if (range[1] <= 0)
        return;
    fprintf(out, ", %.0f", range[0]);
    if (range[1] > range[0])
        fprintf(out, " to %.0f", range[1]);
    fprintf(out, " %s per host", what);
}

/* Where the processes of a parallel program ran, if there is more to say than "here". */
static void text_places(FILE *out, const struct data_file *f)
{
    if (f->world > 1 && f->hosts > 0) {
        fprintf(out, "      %.0f host%s", f->hosts, f->hosts == 1 ? "" : "s");
        text_range(out, f->ranks_per_host, "ranks");
        text_range(out, f->cores_per_host, "cores");
        fputc('\n', out);
    }
    if (f->hyper_threads == HYPER_THREADS_USED)
        fputs("      processes or threads shared cores as hyper-threads\n", out);
}

static json_t *json_file(const struct data_file *f)
{
    return json_make("{file:%s program:%s driver:%s host:%s cpu:%s compiler:%s date:%s "
                     "clock:%s resolution:%g overhead:%g overhead_spread:%g abandoned:%g "
                     "machine:%p placement:%p oversubscribed:%i thinned:%i truncated:%i "
                     "absent:%p notes:%p}",
                     f->path, f->program, f->driver, f->host, f->cpu, f->compiler, f->date,
                     f->clock, f->resolution, f->overhead, f->overhead_spread, f->abandoned,
                     json_host(&f->host_state), json_places(f), f->oversubscribed,
                     f->thinned != THINNED_NO, f->truncated, json_absents(f->absents, f->nabsents),
                     json_texts(f->notes, f->nnotes));
}

static void text_file(FILE *out, const struct data_file *f)
{
    fputs("  ", out);
    text_path(out, f->path);
    fprintf(out, "\n      program %s, host %s, %s, %s, %s\n", *f->program ? f->program : "?",
            *f->host ? f->host : "?", *f->cpu ? f->cpu : "CPU ?",
            *f->compiler ? f->compiler : "compiler ?", *f->date ? f->date : "date ?");
    fprintf(out, "      clock %s, resolution %.2g s, overhead %.2g s per pair (\302\261 %.1g)\n",
            *f->clock ? f->clock : "?", f->resolution, f->overhead, f->overhead_spread);
    text_host(out, &f->host_state);
    text_places(out, f);
    if (f->abandoned > 0)
        fprintf(out, "      %s abandoned samples\n", number_text(f->abandoned, NUMBER_BUFFER));
    if (f->oversubscribed)
        fputs("      more processes or threads than cores\n", out);
    if (f->thinned != THINNED_NO)
        fputs("      thinned: a selection of the samples\n", out);
    if (f->truncated)
        fputs("      cut off: only the complete rows are used\n", out);
    for (size_t k = 0; k < f->nabsents; k++)
        fprintf(out, "      %s was not measured: %s\n", f->absents[k].observable,
                f->absents[k].reason);
    for (size_t k = 0; k < f->nnotes; k++)
        fprintf(out, "      note: %s\n", f->notes[k]);
}

void list_files(struct session *s)
{
    json_auto_t *list = json_array();
    for (size_t i = 0; i < s->data->nfiles; i++) {
        if (s->json)
            json_array_append_new(list, json_file(&s->data->files[i]));
        else
            text_file(s->out, &s->data->files[i]);
    }
    if (s->json)
        json_print(s->out, "{files:%p}", json_incref(list));
    else if (s->data->nfiles == 0)
        fputs("  no data is loaded; use 'load FILE'\n", s->out);
}
