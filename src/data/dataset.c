/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columnar store. Invariants: every column of an experiment covers the same nrows rows; a
 * column is `constant` as long as values is NULL, and is filled up once when the first other value
 * comes. Values are compared by their bits, so that nan equals nan.
 */
#include "data/dataset.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "data/nesting.h"
#include "data/version.h"
#include "formula/formula.h"

const char *const data_hyper_threads_words[] = {[HYPER_THREADS_UNKNOWN] = "",
                                                [HYPER_THREADS_NONE] = "none",
                                                [HYPER_THREADS_FREE] = "free",
                                                [HYPER_THREADS_USED] = "used"};

const char *const data_fact_names[FACT_COUNT] = {"simulated", "hosts", "oversubscribed",
                                                 "hyperthreads"};

double data_file_time(const struct data_file *f)
{
    struct tm t = {0};
    int end = 0;
    if (!f->date || // NOLINTNEXTLINE(cert-err34-c): four digits at most
        sscanf(f->date, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
               &t.tm_min, &t.tm_sec, &end) != 6 ||
        !end || f->date[end] || t.tm_mon < 1 || t.tm_mon > 12)
        return (double)NAN;
    t.tm_year -= 1900;
    t.tm_mon--;
    return (double)timegm(&t);
}

double data_file_fact(const struct data_file *f, enum data_fact fact)
{
    switch (fact) {
    case FACT_SIMULATED: return data_file_is_simulated(f);
    case FACT_HOSTS: return f->hosts;
    case FACT_OVERSUBSCRIBED: return f->oversubscribed;
    default: return f->hyper_threads == HYPER_THREADS_USED;
    }
}

const char *const data_field_names[FIELD_FIXED] = {"run", "seq",  "start",  "nested",
                                                   "P",   "rank", "thread", "count"};

#define MOST_WHOLE 9007199254740992.0 /* 2^53: whole numbers beyond it have no neighbours */

bool data_field_holds(enum data_field field, double value)
{
    if (field == FIELD_START)
        return !isinf(value);
    double least = field == FIELD_P || field == FIELD_COUNT ? 1 : 0;
    return value >= least && value <= MOST_WHOLE && value == (double)(int64_t)value;
}

const char *data_field_rule(enum data_field field)
{
    switch (field) {
    case FIELD_START: return "seconds since the program started, or nan if that is not known";
    case FIELD_P: return "the number of processors, a whole number from 1 on";
    case FIELD_COUNT: return "the number of executions of the row, a whole number from 1 on";
    default: return "a whole number from 0 on";
    }
}

static uint64_t bits_of(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

struct dataset *dataset_create(void)
{
    struct dataset *d = mem_zalloc(1, sizeof *d);
    d->arena = arena_create();
    d->nesting = nesting_create();
    return d;
}

static void experiment_free(struct experiment *e)
{
    for (size_t j = 0; j < e->ncolumns; j++)
        mem_free(e->columns[j].values);
    mem_free(e->columns);
    mem_free(e->formulas);
    mem_free(e->sources);
    mem_free(e->segments);
    mem_free(e);
}

void dataset_destroy(struct dataset *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->nexperiments; i++)
        experiment_free(d->experiments[i]);
    mem_free(d->experiments);
    mem_free(d->versions);
    mem_free(d->files);
    nesting_destroy(d->nesting);
    arena_destroy(d->arena);
    mem_free(d);
}

static struct experiment *first_of_base(const struct dataset *d, const char *base, size_t n)
{
    size_t i = lookup_find(&d->bases, base, n);
    return i == SIZE_MAX ? NULL : d->experiments[i];
}

struct experiment *dataset_find_base(const struct dataset *d, const char *base)
{
    return first_of_base(d, base, strlen(base));
}

struct experiment *dataset_find(const struct dataset *d, const char *name)
{
    for (struct experiment *e = dataset_find_base(d, name); e; e = e->next_of_base)
        if (strcmp(e->name, name) == 0)
            return e;
    for (const char *at = strchr(name, '@'); at; at = strchr(at + 1, '@'))
        for (struct experiment *e = first_of_base(d, name, (size_t)(at - name)); e;
             e = e->next_of_base)
            if (strcmp(d->versions[e->version].label, at + 1) == 0)
                return e;
    return NULL;
}

static void add_column(struct experiment *e, const char *name)
{
    e->columns = mem_resize(e->columns, e->ncolumns + 1, sizeof *e->columns);
    e->columns[e->ncolumns++] = (struct column){.name = name, .constant = NAN};
}

struct experiment *dataset_add_experiment(struct dataset *d, const char *name)
{
    const char *copy = arena_strdup(d->arena, name);
    d->experiments = mem_resize(d->experiments, d->nexperiments + 1, sizeof *d->experiments);
    struct experiment *e = mem_zalloc(1, sizeof *e); /* last: what is not in the list would leak */
    e->name = e->base = copy;
    e->index = d->nexperiments;
    d->experiments[d->nexperiments++] = e;
    struct experiment *first = dataset_find_base(d, copy);
    if (first) {
        first->last_of_base->next_of_base = e;
        first->last_of_base = e;
    } else {
        e->last_of_base = e;
        lookup_add(&d->bases, d->arena, copy, d->nexperiments - 1);
    }
    for (int f = 0; f < FIELD_FIXED; f++)
        add_column(e, data_field_names[f]);
    return e;
}

struct data_file data_file_of(const char *path)
{
    return (struct data_file){.path = path,
                              .program = "",
                              .driver = "",
                              .host = "",
                              .cpu = "",
                              .compiler = "",
                              .flags = "",
                              .date = "",
                              .clock = "",
                              .job = "",
                              .build = "",
                              .label = "",
                              .folder = ""};
}

size_t dataset_add_file(struct dataset *d, const struct data_file *file)
{
    d->files = mem_resize(d->files, d->nfiles + 1, sizeof *d->files);
    d->files[d->nfiles] = *file;
    bool others = file->job && *file->job && !lookup_add(&d->jobs, d->arena, file->job, d->nfiles);
    d->files[d->nfiles].first =
        others ? lookup_find(&d->jobs, file->job, strlen(file->job)) : d->nfiles;
    version_know(d, &d->files[d->nfiles]);
    return d->nfiles++;
}

size_t experiment_find_variable(const struct experiment *e, const char *name)
{
    for (size_t j = FIELD_FIXED; j < experiment_first_observable(e); j++)
        if (strcmp(e->columns[j].name, name) == 0)
            return j;
    return SIZE_MAX;
}

size_t experiment_find_observable(const struct experiment *e, const char *name)
{
    for (size_t j = experiment_first_observable(e); j < e->ncolumns; j++)
        if (strcmp(e->columns[j].name, name) == 0)
            return j;
    return SIZE_MAX;
}

size_t experiment_add_variable(struct dataset *d, struct experiment *e, const char *name)
{
    add_column(e, arena_strdup(d->arena, name));
    e->nvariables++;
    return e->ncolumns - 1;
}

size_t experiment_add_observable(struct dataset *d, struct experiment *e, const char *name)
{
    add_column(e, arena_strdup(d->arena, name));
    return e->ncolumns - 1;
}

void experiment_add_source(struct dataset *d, struct experiment *e, const char *source)
{
    if (lookup_find(&e->known_sources, source, strlen(source)) != SIZE_MAX)
        return;
    const char *copy = arena_strdup(d->arena, source);
    e->sources = mem_resize(e->sources, e->nsources + 1, sizeof *e->sources);
    e->sources[e->nsources++] = copy;
    lookup_add(&e->known_sources, d->arena, copy, e->nsources);
}

void experiment_add_segment(struct experiment *e, size_t file)
{
    e->segments = mem_resize(e->segments, e->nsegments + 1, sizeof *e->segments);
    e->segments[e->nsegments++] = (struct segment){.file = file, .first_row = e->nrows};
}

const struct observable_formula *experiment_formula(const struct experiment *e,
                                                    const char *observable)
{
    return TEXT_ELEMENT(e->formulas, e->nformulas, observable, observable);
}

void experiment_set_formula(struct dataset *d, struct experiment *e, const char *observable,
                            const char *text, size_t file)
{
    struct observable_formula *slot =
        TEXT_ELEMENT(e->formulas, e->nformulas, observable, observable);
    if (!slot) {
        e->formulas = mem_resize(e->formulas, e->nformulas + 1, sizeof *e->formulas);
        slot = &e->formulas[e->nformulas++];
        slot->observable = arena_strdup(d->arena, observable);
    }
    slot->text = arena_strdup(d->arena, text);
    slot->file = file;
}

const char *experiment_default_observable(const struct experiment *e)
{
    static const char usual[] = "CLOCK";
    const char *only = NULL;
    size_t others = 0;
    size_t clock = experiment_find_observable(e, usual);
    if (!experiment_formula(e, usual) && experiment_formula(e, DATA_SELF))
        return DATA_SELF;
    if (clock != SIZE_MAX && (!column_is_empty(&e->columns[clock]) || experiment_formula(e, usual)))
        return usual;
    for (size_t j = experiment_first_observable(e); j < e->ncolumns; j++) {
        if (!column_is_observable(&e->columns[j]))
            continue;
        if (!strcmp(e->columns[j].name, "INSTRUCTIONS"))
            return e->columns[j].name; /* of call count, which times nothing */
        others += only != NULL;
        only = e->columns[j].name;
    }
    return only && !others ? only : usual;
}

const char *experiment_absent(const struct dataset *d, const struct experiment *e,
                              const char *observable)
{
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &d->files[e->segments[s].file];
        const struct data_absent *absent =
            TEXT_ELEMENT(f->absents, f->nabsents, observable, observable);
        if (absent)
            return absent->reason;
    }
    return NULL;
}

static bool all_equal(const double *v, const unsigned *pick, size_t n, double constant)
{
    uint64_t want = bits_of(constant), differ = 0;
    for (size_t i = 0; i < n && !differ;) {
        size_t stop = i + 1024 < n ? i + 1024 : n;
        for (; i < stop; i++)
            differ |= bits_of(v[pick ? pick[i] : i]) ^ want;
    }
    return differ == 0;
}

static void column_reserve(struct column *c, size_t need)
{
    c->values = mem_grow(c->values, &c->capacity, need, sizeof *c->values);
}

static void column_append(struct column *c, size_t nrows, const double *v, const unsigned *pick,
                          size_t n)
{
    static const double nothing = NAN;
    if (nrows == 0 && !c->values)
        c->constant = v ? v[pick ? pick[0] : 0] : nothing;
    if (!c->values) {
        if (v ? all_equal(v, pick, n, c->constant) : isnan(c->constant))
            return;
        column_reserve(c, nrows + n);
        for (size_t i = 0; i < nrows; i++)
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room was made
            c->values[i] = c->constant;
    }
    column_reserve(c, nrows + n);
    double *out = c->values + nrows;
    if (v && !pick)
        // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): room was made
        memcpy(out, v, n * sizeof *v);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = v ? v[pick[i]] : nothing;
}

void experiment_append(struct experiment *e, const double *const *columns, const unsigned *pick,
                       size_t nrows)
{
    if (nrows == 0)
        return;
    for (size_t j = 0; j < e->ncolumns; j++)
        column_append(&e->columns[j], e->nrows, columns[j], pick, nrows);
    e->nrows += nrows;
}

const struct segment *experiment_segment(const struct experiment *e, size_t row, size_t *hint)
{
    const struct segment *s = e->segments;
    size_t n = e->nsegments, i = *hint;
    if (i < n && s[i].first_row <= row && (i + 1 == n || s[i + 1].first_row > row))
        return &s[i];
    size_t low = 0, high = n; /* the last one that begins at the row or before it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s[middle].first_row <= row)
            low = middle;
        else
            high = middle;
    }
    *hint = low;
    return &s[low];
}

/* The same coefficient for each constant, however the sum is written. */
static bool same_terms(struct arena *arena, const struct formula *a, const struct formula *b)
{
    const struct formula_linear *x = formula_linearize(arena, a, NULL, NULL);
    const struct formula_linear *y = formula_linearize(arena, b, NULL, NULL);
    if (!x || !y || x->nterms != y->nterms || !x->offset != !y->offset)
        return false; /* exponents are variables of the coefficients, and so compared with them */
    for (size_t i = 0; i < x->nterms; i++)
        if (x->terms[i].index != y->terms[i].index ||
            !formula_same(x->terms[i].coefficient, y->terms[i].coefficient))
            return false;
    return !x->offset || formula_same(x->offset, y->offset);
}

/* Equal as expressions; texts that do not parse are compared as texts. */
static bool same_formula(const char *name, const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    ARENA_LOCAL struct arena *arena = arena_create();
    const struct formula *fa = formula_parse_text(arena, a, name, NULL);
    const struct formula *fb = formula_parse_text(arena, b, name, NULL);
    return fa && fb && (formula_same(fa, fb) || same_terms(arena, fa, fb));
}

/* A variable of `b` that `a` does not have; NULL = none. */
static const char *lacking(const struct experiment *a, const struct experiment *b)
{
    for (size_t i = 0; i < b->nvariables; i++)
        if (experiment_find_variable(a, experiment_variable(b, i)->name) == SIZE_MAX)
            return experiment_variable(b, i)->name;
    return NULL;
}

bool dataset_is_setting(const struct dataset *d, const struct experiment *e, const char *name)
{
    const struct data_file *f = e->nsegments ? &d->files[e->segments[0].file] : NULL;
    return f && TEXT_ELEMENT(f->settings, f->nsettings, name, name);
}

static int check_mergeable(const struct dataset *into, const struct dataset *from,
                           const struct experiment *a, const struct experiment *b,
                           bool ignore_formulas, struct diag *diag)
{
    for (size_t i = 0; i < b->nformulas && !ignore_formulas; i++) {
        const struct observable_formula *fb = &b->formulas[i];
        const struct observable_formula *fa = experiment_formula(a, fb->observable);
        if (!fa || same_formula(a->name, fa->text, fb->text))
            continue;
        return diag_error(
            diag,
            "%s has two formulas for %s: '%s' in %s, '%s' in %s; load the files that belong "
            "together, or use 'load FILE... ignore formulas' and give the formula with "
            "'fit %s = ...'",
            a->name, fb->observable, fa->text, into->files[fa->file].path, fb->text,
            from->files[fb->file].path, a->name);
    }
    const char *first =
        a->nsegments ? into->files[a->segments[0].file].path : "the data loaded before";
    const char *second = b->nsegments ? from->files[b->segments[0].file].path : "the new file";
    const char *more = lacking(a, b), *fewer = lacking(b, a);
    if (!more && !fewer)
        return 0;
    bool fresh = more && dataset_is_setting(from, b, more);
    if (fresh || (fewer && dataset_is_setting(into, a, fewer)))
        diag_error(diag,
                   "%s has the setting '%s' in %s, and not in %s: their points cannot be put "
                   "together; load the files one at a time, or measure all of them with it "
                   "(CLL_SETTINGS, call run --vary)",
                   a->name, fresh ? more : fewer, fresh ? second : first, fresh ? first : second);
    else
        diag_error(diag,
                   "%s has other variables in %s than in %s: they are different experiments; load "
                   "the files one at a time",
                   a->name, second, first);
    return -1;
}

static void append_constant_or_values(struct column *c, size_t nrows, const struct column *from,
                                      size_t n)
{
    if (from && from->values) {
        column_append(c, nrows, from->values, NULL, n);
        return;
    }
    double v = from ? from->constant : NAN;
    if (nrows == 0 && !c->values)
        c->constant = v;
    if (!c->values && bits_of(c->constant) == bits_of(v))
        return;
    if (!c->values) {
        column_reserve(c, nrows + n);
        for (size_t i = 0; i < nrows; i++)
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room was made
            c->values[i] = c->constant;
    }
    column_reserve(c, nrows + n);
    for (size_t i = 0; i < n; i++)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room was made
        c->values[nrows + i] = v;
}

static void merge_experiment(struct dataset *into, const struct experiment *b, size_t version,
                             size_t file_shift)
{
    struct experiment *a = version_experiment(into, b->base, version);
    if (!a) {
        a = dataset_add_experiment(into, b->base);
        a->version = version;
        for (size_t i = 0; i < b->nvariables; i++)
            experiment_add_variable(into, a, experiment_variable(b, i)->name);
    }
    for (size_t j = experiment_first_observable(b); j < b->ncolumns; j++)
        if (experiment_find_observable(a, b->columns[j].name) == SIZE_MAX)
            experiment_add_observable(into, a, b->columns[j].name);
    for (size_t i = 0; i < b->nformulas; i++)
        if (!experiment_formula(a, b->formulas[i].observable))
            experiment_set_formula(into, a, b->formulas[i].observable, b->formulas[i].text,
                                   b->formulas[i].file + file_shift);
    for (size_t i = 0; i < b->nsources; i++)
        experiment_add_source(into, a, b->sources[i]);
    for (size_t i = 0; i < b->nsegments; i++) {
        experiment_add_segment(a, b->segments[i].file + file_shift);
        a->segments[a->nsegments - 1].first_row += b->segments[i].first_row;
    }
    for (size_t j = 0; j < a->ncolumns && b->nrows; j++) {
        size_t k = j < FIELD_FIXED ? j
                   : j < experiment_first_observable(a)
                       ? experiment_find_variable(b, a->columns[j].name)
                       : experiment_find_observable(b, a->columns[j].name);
        append_constant_or_values(&a->columns[j], a->nrows, k == SIZE_MAX ? NULL : &b->columns[k],
                                  b->nrows);
    }
    a->nrows += b->nrows;
}

static const char **copy_texts(struct arena *a, const char *const *texts, size_t n)
{
    const char **copy = arena_alloc(a, n, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_strdup(a, texts[i]);
    return copy;
}

int dataset_merge(struct dataset *into, struct dataset *from, bool ignore_formulas,
                  struct diag *diag)
{
    if (into->nfiles == 0 && into->nexperiments == 0) {
        struct dataset empty = *into;
        *into = *from;
        *from = empty;
        into->given_label = from->given_label;
        version_give_label(into);
        return 0;
    }
    const size_t *versions = versions_match(into, from);
    for (size_t i = 0; i < from->nexperiments; i++) {
        const struct experiment *b = from->experiments[i],
                                *a = version_experiment(into, b->base, versions[b->version]);
        if (a && check_mergeable(into, from, a, b, ignore_formulas, diag))
            return -1;
    }
    versions_add(into, from, versions, diag);
    nesting_forget(into->nesting);
    size_t shift = into->nfiles;
    for (size_t i = 0; i < from->nfiles; i++) {
        struct data_file f = from->files[i];
        const char **texts[] = {&f.path,     &f.program, &f.driver, &f.host,  &f.cpu,
                                &f.compiler, &f.flags,   &f.date,   &f.clock, &f.job,
                                &f.folder,   &f.build,   &f.label,  &f.turns};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            *texts[k] = arena_strdup(into->arena, *texts[k] ? *texts[k] : "");
        f.version = versions[f.version];
        f.codes = copy_texts(into->arena, f.codes, f.ncodes);
        f.absents = arena_alloc(into->arena, f.nabsents, sizeof *f.absents);
        for (size_t k = 0; k < f.nabsents; k++) {
            f.absents[k].observable =
                arena_strdup(into->arena, from->files[i].absents[k].observable);
            f.absents[k].reason = arena_strdup(into->arena, from->files[i].absents[k].reason);
        }
        f.settings = arena_alloc(into->arena, f.nsettings, sizeof *f.settings);
        for (size_t k = 0; k < f.nsettings; k++) {
            f.settings[k] = from->files[i].settings[k];
            f.settings[k].name = arena_strdup(into->arena, f.settings[k].name);
        }
        f.notes = copy_texts(into->arena, f.notes, f.nnotes);
        f.processes = copy_texts(into->arena, f.processes, f.nprocesses);
        f.hosted = copy_texts(into->arena, f.hosted, f.nhosted);
        dataset_add_file(into, &f);
    }
    for (size_t i = 0; i < from->nexperiments; i++)
        merge_experiment(into, from->experiments[i], versions[from->experiments[i]->version],
                         shift);
    versions_name(into);
    return 0;
}
