/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a data set as one data file. What belongs to a file (overhead, resolution) can be stated
 * once only: where files differ in overhead, the times are shifted so that subtracting the overhead
 * stated gives the same values, and a note says so.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/text.h"
#include "data/load.h"
#include "spool/name.h"

/* All variables, then all observables, of all experiments. */
struct layout {
    const char **variables, **columns, **observables;
    size_t nvariables, nobservables;
};

static struct layout make_layout(struct arena *a, const struct dataset *d)
{
    struct layout l = {.nvariables = 0};
    size_t most = 1;
    for (size_t i = 0; i < d->nexperiments; i++)
        most += d->experiments[i]->ncolumns;
    l.variables = arena_alloc(a, most, sizeof *l.variables);
    l.columns = arena_alloc(a, most, sizeof *l.columns);
    l.observables = arena_alloc(a, most, sizeof *l.observables);
    for (size_t i = 0; i < d->nexperiments; i++) {
        const struct experiment *e = d->experiments[i];
        for (size_t j = FIELD_FIXED; j < e->ncolumns; j++) {
            bool variable = j < experiment_first_observable(e);
            const char **list = variable ? l.variables : l.observables;
            size_t *n = variable ? &l.nvariables : &l.nobservables;
            if (!text_is_in(list, *n, e->columns[j].name))
                list[(*n)++] = e->columns[j].name;
        }
    }
    for (size_t v = 0; v < l.nvariables; v++) {
        char *name = arena_strdup(a, l.variables[v]);
        for (bool taken = true; taken;) {
            taken = strcmp(name, "experiment") == 0 ||
                    text_is_in(data_field_names, FIELD_FIXED, name) ||
                    text_is_in(l.observables, l.nobservables, name) ||
                    text_is_in(l.columns, v, name);
            if (taken)
                name = arena_printf(a, "%s_", name);
        }
        l.columns[v] = name;
    }
    return l;
}

/* The files and experiments of one version: what the header is about. */
static struct dataset only_version(struct arena *a, const struct dataset *d, size_t version)
{
    struct dataset one = *d;
    one.nfiles = one.nexperiments = 0;
    one.files = arena_alloc(a, d->nfiles + 1, sizeof *one.files);
    one.experiments = arena_alloc(a, d->nexperiments + 1, sizeof *one.experiments);
    for (size_t i = 0; i < d->nfiles; i++)
        if (d->files[i].version == version)
            one.files[one.nfiles++] = d->files[i];
    for (size_t i = 0; i < d->nexperiments; i++)
        if (d->experiments[i]->version == version)
            one.experiments[one.nexperiments++] = d->experiments[i];
    return one;
}

static void put_escaped(FILE *out, const char *text, enum cll_name kind)
{
    char piece[CLL_NAME_PIECE];
    for (size_t left = strlen(text), used; left; text += used, left -= used)
        fwrite(piece, 1, cll_name_write(kind, text, left, piece, &used), out);
}

/* A name. Those of a data set are as the file had them, with their %XX; any other stays one word, whatever bytes it has. */
static void put_name(FILE *out, const char *before, const char *name, enum cll_name kind)
{
    fputs(before, out);
    if (cll_name_is(kind, name, strlen(name)))
        fputs(name, out);
    else
        put_escaped(out, *name ? name : "_", kind);
}

/* The rest of a line of the header. */
static void put_rest(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    put_escaped(out, text, CLL_NAME_TEXT);
    fputc('\n', out);
}

static void put_key(FILE *out, const char *key, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "# %s", key);
    put_rest(out, ": ", value);
}

static void put_experiment(FILE *out, const struct experiment *e)
{
    put_name(out, "# experiment: ", e->base, CLL_NAME_EXPERIMENT);
    fputc('\n', out);
    for (size_t k = 0; k < e->nformulas; k++) {
        put_name(out, "# formula: ", e->base, CLL_NAME_EXPERIMENT);
        put_name(out, " ", e->formulas[k].observable, CLL_NAME_OBSERVABLE);
        put_rest(out, " ", e->formulas[k].text);
    }
    put_name(out, "# variables: ", e->base, CLL_NAME_EXPERIMENT);
    for (size_t k = 0; k < e->nvariables; k++)
        put_name(out, " ", experiment_variable(e, k)->name, CLL_NAME_VARIABLE);
    fputc('\n', out);
    for (size_t k = 0; k < e->nsources; k++) {
        put_name(out, "# source: ", e->base, CLL_NAME_EXPERIMENT);
        put_rest(out, " ", e->sources[k]);
    }
}

/* The greater of two numbers that may be nan. */
static double most(double x, double y)
{
    return isnan(x) || y > x ? y : x;
}

/* The frequency of a core at the end of all runs; where it differs there is no one number for it. */
static void put_frequency(FILE *out, const struct dataset *d)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < d->nfiles; i++) {
        double f = d->files[i].host_state.frequency[1];
        low = f > 0 && (low == 0 || f < low) ? f : low;
        high = f > high ? f : high;
    }
    if (high > 0 && low == high)
        fprintf(out, "# frequency: %s %s\n",
                number_text(d->files[0].host_state.frequency[0], NUMBER_BUFFER),
                number_text(high, NUMBER_BUFFER));
    else if (high > 0)
        fprintf(out, "# note: merged from runs at frequencies from %s to %s Hz\n",
                number_text(low, NUMBER_BUFFER), number_text(high, NUMBER_BUFFER));
}

/* The host: the highest loads, and the time that was stolen in all runs together. */
static void put_host(FILE *out, const struct dataset *d)
{
    struct data_host all = {.load = {NAN, NAN}};
    for (size_t i = 0; i < d->nfiles; i++) {
        const struct data_host *s = &d->files[i].host_state;
        for (int k = 0; k < 2 && s->has_load; k++)
            all.load[k] = most(all.load[k], s->load[k]);
        all.has_load = all.has_load || s->has_load;
        all.stolen += s->stolen;
        all.wanted += s->wanted;
    }
    if (all.has_load)
        fprintf(out, "# load: %s %s\n", number_text(all.load[0], NUMBER_BUFFER),
                number_text(all.load[1], NUMBER_BUFFER));
    if (all.wanted > 0)
        fprintf(out, "# steal: %s %s\n", number_text(all.stolen, NUMBER_BUFFER),
                number_text(all.wanted, NUMBER_BUFFER));
    put_frequency(out, d);
}

/* The fewest and the most per host of all files; 0 where a file does not say it. */
static void put_per_host(FILE *out, const char *key, const struct dataset *d, size_t offset)
{
    double fewest = INFINITY, most_of = 0;
    for (size_t i = 0; i < d->nfiles; i++) {
        const double *range = (const double *)(const void *)((const char *)&d->files[i] + offset);
        fewest = fmin(fewest, range[0]);
        most_of = fmax(most_of, range[1]);
    }
    if (fewest > 0 && d->nfiles)
        fprintf(out, "# %s: %s %s\n", key, number_text(fewest, NUMBER_BUFFER),
                number_text(most_of, NUMBER_BUFFER));
}

/* Where the processes ran; where the files differ, the number of hosts is not known. Of
 * hyper-threads the worst counts: a file in which they were used, or one that does not tell. */
static void put_places(FILE *out, const struct dataset *d)
{
    enum data_hyper_threads worst = HYPER_THREADS_NONE;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < d->nfiles; i++) {
        enum data_hyper_threads h = d->files[i].hyper_threads;
        low = fmin(low, d->files[i].hosts);
        high = fmax(high, d->files[i].hosts);
        if (worst != HYPER_THREADS_USED && worst != HYPER_THREADS_UNKNOWN)
            worst = h == HYPER_THREADS_UNKNOWN || h > worst ? h : worst;
        else if (h == HYPER_THREADS_USED)
            worst = h;
    }
    if (low > 0 && low == high)
        fprintf(out, "# hosts: %s\n", number_text(high, NUMBER_BUFFER));
    else if (low > 0 && high > low)
        fprintf(out, "# note: merged from runs on %s to %s hosts\n",
                number_text(low, NUMBER_BUFFER), number_text(high, NUMBER_BUFFER));
    put_per_host(out, "ranks-per-host", d, offsetof(struct data_file, ranks_per_host));
    put_per_host(out, "cores-per-host", d, offsetof(struct data_file, cores_per_host));
    if (worst != HYPER_THREADS_UNKNOWN)
        put_key(out, "hyper-threads", data_hyper_threads_words[worst]);
}

/* With which other runs all runs were measured by turns. */
static void put_turns(FILE *out, const struct dataset *d)
{
    const char *turns = d->nfiles && d->files[0].turns ? d->files[0].turns : "";
    for (size_t i = 1; i < d->nfiles; i++)
        if (!d->files[i].turns || strcmp(d->files[i].turns, turns) != 0)
            return;
    put_key(out, "turns", turns);
}

/* Which code the samples come from: all sources that any file names. */
static void put_identity(FILE *out, const struct dataset *d, const struct data_file *f)
{
    const struct data_version *v = &d->versions[f->version];
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (size_t i = 0; i < v->identity[kind].ncodes; i++)
            put_key(out, "code", v->identity[kind].codes[i]);
    bool several = false;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        several = several || v->identity[kind].several_programs;
    put_key(out, "build", f->build && !several ? f->build : "");
    if (v->given)
        put_key(out, "label", v->label);
    put_turns(out, d);
}

static void put_header(FILE *out, const struct dataset *d, const struct data_file *f,
                       const struct layout *l, bool shifted)
{
    fputs("# cll-data 1\n", out);
    put_key(out, "program", f->program);
    put_key(out, "driver", f->driver);
    put_key(out, "host", f->host);
    put_key(out, "cpu", f->cpu);
    put_key(out, "compiler", f->compiler);
    put_key(out, "flags", f->flags);
    put_identity(out, d, f);
    put_key(out, "date", f->date);
    put_key(out, "clock", f->clock);
    for (size_t i = 0; i < d->nfiles; i++)
        for (size_t k = 0; k < d->files[i].nprocesses; k++)
            put_key(out, "process", d->files[i].processes[k]);
    double abandoned = 0, resolution = 0, spread = 0, launched = 0;
    bool oversubscribed = false;
    enum data_thinned thinned = THINNED_NO;
    for (size_t i = 0; i < d->nfiles; i++) {
        abandoned += d->files[i].abandoned;
        resolution = fmax(resolution, d->files[i].resolution);
        spread = fmax(spread, d->files[i].overhead_spread);
        launched = fmax(launched, d->files[i].launched);
        oversubscribed = oversubscribed || d->files[i].oversubscribed;
        thinned = d->files[i].thinned > thinned ? d->files[i].thinned : thinned;
    }
    if (f->world > 0)
        fprintf(out, "# world: %s\n", number_text(f->world, NUMBER_BUFFER));
    if (launched > 0)
        fprintf(out, "# launched: %s\n", number_text(launched, NUMBER_BUFFER));
    if (f->cores > 0)
        fprintf(out, "# cores: %s\n", number_text(f->cores, NUMBER_BUFFER));
    put_places(out, d);
    put_host(out, d);
    fprintf(out, "# resolution: %s\n", number_text(resolution, NUMBER_BUFFER));
    fprintf(out, "# overhead: %s %s\n", number_text(f->overhead, NUMBER_BUFFER),
            number_text(spread, NUMBER_BUFFER));
    if (f->has_empty)
        fprintf(out, "# empty: %s\n", number_text(f->empty, NUMBER_BUFFER));
    fprintf(out, "# abandoned: %s\n", number_text(abandoned, NUMBER_BUFFER));
    fprintf(out, "# oversubscribed: %s\n", oversubscribed ? "yes" : "no");
    static const char *const words[] = {"no", "per-tuple", "global"};
    fprintf(out, "# thinned: %s\n", words[thinned]);
    for (size_t i = 0; i < d->nfiles; i++) {
        for (size_t k = 0; k < d->files[i].nabsents; k++) {
            put_name(out, "# absent: ", d->files[i].absents[k].observable, CLL_NAME_OBSERVABLE);
            put_rest(out, " ", d->files[i].absents[k].reason);
        }
        for (size_t k = 0; k < d->files[i].nnotes; k++)
            put_key(out, "note", d->files[i].notes[k]);
    }
    if (shifted)
        fputs("# note: merged from files of different overhead; CLOCK was shifted to the overhead "
              "above\n",
              out);
    for (size_t i = 0; i < d->nexperiments; i++)
        put_experiment(out, d->experiments[i]);
    for (size_t v = 0; v < l->nvariables; v++)
        if (strcmp(l->columns[v], l->variables[v]) != 0) {
            put_name(out, "# column: ", l->columns[v], CLL_NAME_VARIABLE);
            put_name(out, " = ", l->variables[v], CLL_NAME_VARIABLE);
            fputc('\n', out);
        }
    fputs("experiment", out);
    for (size_t j = 0; j < FIELD_FIXED; j++)
        fprintf(out, " %s", data_field_names[j]);
    for (size_t v = 0; v < l->nvariables; v++)
        put_name(out, " ", l->columns[v], CLL_NAME_VARIABLE);
    for (size_t v = 0; v < l->nobservables; v++)
        put_name(out, " ", l->observables[v], CLL_NAME_OBSERVABLE);
    fputc('\n', out);
}

static void put_rows(FILE *out, const struct dataset *d, const struct experiment *e,
                     const struct data_file *base, const struct layout *l, size_t *source,
                     save_keep *keep, void *user, const double *run_shift)
{
    size_t hint = 0;
    char number[NUMBER_SIZE];
    for (size_t v = 0; v < l->nvariables; v++)
        source[v] = experiment_find_variable(e, l->variables[v]);
    for (size_t v = 0; v < l->nobservables; v++)
        source[l->nvariables + v] = experiment_find_observable(e, l->observables[v]);
    size_t clock = experiment_find_observable(e, "CLOCK");
    for (size_t row = 0; row < e->nrows; row++) {
        if (((row & 0xffff) == 0 && interrupt_came()) || (keep && !keep(user, e, row)))
            continue;
        size_t file = experiment_segment(e, row, &hint)->file;
        double nested = column_at(&e->columns[FIELD_NESTED], row);
        double shift =
            data_file_correction(base, nested) - data_file_correction(&d->files[file], nested);
        put_name(out, "", e->base, CLL_NAME_EXPERIMENT);
        for (size_t j = 0; j < FIELD_FIXED; j++)
            fprintf(
                out, " %s",
                number_text(column_at(&e->columns[j], row) + (j == FIELD_RUN ? run_shift[file] : 0),
                            number));
        for (size_t v = 0; v < l->nvariables + l->nobservables; v++) {
            double x = source[v] == SIZE_MAX ? NAN : column_at(&e->columns[source[v]], row);
            if (source[v] == clock && clock != SIZE_MAX && shift != 0)
                x += shift;
            fprintf(out, " %s", number_text(x, number));
        }
        fputc('\n', out);
    }
}

/* Runs of different files stay different: each file's runs start after those of the file before.
 * But the files of one job hold one run. */
static double *make_run_shifts(struct arena *a, const struct dataset *d)
{
    double *shift = arena_zalloc(a, d->nfiles + 1, sizeof *shift),
           *most = arena_zalloc(a, d->nfiles, sizeof *most);
    for (size_t i = 0; i < d->nexperiments; i++) {
        const struct experiment *e = d->experiments[i];
        size_t hint = 0;
        for (size_t row = 0; row < e->nrows; row++) {
            double *m = &most[d->files[experiment_segment(e, row, &hint)->file].first];
            *m = fmax(*m, column_at(&e->columns[FIELD_RUN], row));
        }
    }
    double next = 0;
    for (size_t f = 0; f < d->nfiles; f++) {
        bool begins = d->files[f].first == f;
        shift[f] = begins ? next : shift[d->files[f].first];
        next += begins ? most[f] + 1 : 0;
    }
    return shift;
}

/* The file whose header the saved file gets: that of the first row which is saved. */
static const struct data_file *base_file(const struct dataset *d, save_keep *keep, void *user)
{
    for (size_t i = 0; i < d->nexperiments; i++) {
        const struct experiment *e = d->experiments[i];
        size_t hint = 0;
        for (size_t row = 0; row < e->nrows; row++)
            if (!keep || keep(user, e, row))
                return &d->files[experiment_segment(e, row, &hint)->file];
    }
    return &d->files[0];
}

int dataset_save(const struct dataset *d, const char *path, save_keep *keep, void *user)
{
    struct outfile f;
    if (d->nfiles == 0) {
        errno = EINVAL;
        return -1;
    }
    if (outfile_open(&f, path))
        return -1;
    ARENA_LOCAL struct arena *a = arena_create();
    const struct data_file *base = base_file(d, keep, user);
    const struct dataset one = only_version(a, d, base->version);
    struct layout l = make_layout(a, &one);
    size_t *source = arena_alloc(a, l.nvariables + l.nobservables + 1, sizeof *source);
    bool shifted = false;
    for (size_t i = 0; i < one.nfiles; i++)
        shifted = shifted || one.files[i].overhead != base->overhead ||
                  data_file_correction(&one.files[i], 0) != data_file_correction(base, 0);
    put_header(f.stream, &one, base, &l, shifted);
    const double *run_shift = make_run_shifts(a, d);
    for (size_t i = 0; i < one.nexperiments; i++)
        put_rows(f.stream, d, one.experiments[i], base, &l, source, keep, user, run_shift);
    if (interrupt_came()) {
        outfile_abandon(&f);
        errno = EINTR;
        return -1;
    }
    return outfile_commit(&f);
}
