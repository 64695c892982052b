/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header: `# key: value` lines in any order after `# cll-data 1`, ended by the line of column
 * names. Unknown keys are skipped, so that later versions can add some.
 */
#include "data/load_header.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "spool/name.h"
#include "data/number.h"
#include "base/text.h"

struct piece_of_line {
    const char *p;
    size_t n;
};

static int fail(struct header *h, struct piece_of_line at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct header *h, struct piece_of_line at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(h->error.what, sizeof h->error.what, format, args);
    va_end(args);
    h->error.begin = at.p;
    h->error.end = at.p + at.n;
    return -1;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct piece_of_line trim(struct piece_of_line s)
{
    while (s.n && blank(*s.p))
        s.p++, s.n--;
    while (s.n && blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* Takes the first word off `rest`. */
static struct piece_of_line next_word(struct piece_of_line *rest)
{
    *rest = trim(*rest);
    struct piece_of_line w = {rest->p, 0};
    while (w.n < rest->n && !blank(rest->p[w.n]))
        w.n++;
    rest->p += w.n;
    rest->n -= w.n;
    *rest = trim(*rest);
    return w;
}

static bool is(struct piece_of_line s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

/* A copy without control characters: notes and the like are printed on terminals. */
static const char *keep(struct header *h, struct piece_of_line s)
{
    char *copy = arena_strndup(h->dataset->arena, s.p, s.n);
    cll_name_clean(copy);
    return copy;
}

/* A copy of a name; NULL with an error if the rule of names forbids it. */
static const char *keep_name(struct header *h, struct piece_of_line s, enum cll_name kind)
{
    static const char *const words[] = {"a variable", "an experiment", "an observable"};
    static const char *const rules[] = {
        "names of letters, digits and _, joined by '.', '->' and '[index]'",
        "letters, digits, _, '.', '->', '::', '[' and ']', other bytes as %XX",
        "letters, digits and any of _ . - : = + , @ / [ ], other bytes as %XX"};
    if (cll_name_is(kind, s.p, s.n))
        return arena_strndup(h->dataset->arena, s.p, s.n);
    if (s.n > CLL_NAME_LONGEST)
        fail(h, s, "the name of %s has more than %d bytes", words[kind], CLL_NAME_LONGEST);
    else
        fail(h, s, "this cannot be the name of %s, which is made of %s", words[kind], rules[kind]);
    return NULL;
}

static int read_number(struct header *h, struct piece_of_line s, double *value, const char *key)
{
    double x;
    /* A copy that ends after the word: number_read must see a byte that is not a digit. */
    char copy[64];
    if (s.n == 0 || s.n >= sizeof copy)
        return fail(h, s, "'%s' needs a number", key);
    memcpy(copy, s.p, s.n);
    copy[s.n] = 0;
    const char *after = number_read(copy, copy + s.n, &x);
    if (!after || *after || !isfinite(x) || x < 0)
        return fail(h, s, "'%s' needs a number that is not negative, not '%s'", key, copy);
    *value = x;
    return 0;
}

/* nan where a run has no such number: one that measured counters has no overhead of the clock. */
static int read_number_or_nan(struct header *h, struct piece_of_line s, double *value,
                              const char *key)
{
    if (s.n == 3 && memcmp(s.p, "nan", 3) == 0) {
        *value = NAN;
        return 0;
    }
    return read_number(h, s, value, key);
}

static struct experiment *experiment_named(struct header *h, struct piece_of_line name)
{
    if (name.n == 0)
        return diag_null(fail(h, name, "the name of an experiment is missing"));
    const char *s = keep_name(h, name, CLL_NAME_EXPERIMENT);
    struct experiment *e = s ? dataset_find(h->dataset, s) : NULL;
    if (!s)
        return NULL;
    if (e)
        return e;
    if (h->dataset->nexperiments >= HEADER_MAX_EXPERIMENTS)
        return diag_null(fail(h, name, "more than %d experiments", HEADER_MAX_EXPERIMENTS));
    return dataset_add_experiment(h->dataset, s);
}

/* Doubles when n is a power of two. */
static void *arena_more(struct arena *a, const void *list, size_t n, size_t size)
{
    if (n & (n - 1))
        return (void *)list;
    void *more = arena_alloc(a, n ? n * 2 : 1, size);
    if (n)
        memcpy(more, list, n * size);
    return more;
}

/* The keys, and where their values are in struct data_file. Each reader gets the value, trimmed. */
struct key;
typedef int key_reader(struct header *h, const struct key *key, struct piece_of_line value);

struct key {
    const char *name;
    key_reader *read;
    size_t place, count; /* offsets in struct data_file; `count` of a list of lines */
};

static void *place_of(struct header *h, const struct key *key)
{
    return (char *)&h->file + key->place;
}

static int key_text(struct header *h, const struct key *key, struct piece_of_line value)
{
    const char **where = place_of(h, key);
    *where = keep(h, value);
    return 0;
}

/* Each process states how it was built; the lines of the one that wrote the file come first. */
static int key_build(struct header *h, const struct key *key, struct piece_of_line value)
{
    const char **where = place_of(h, key);
    return *where && **where ? 0 : key_text(h, key, value);
}

static int key_number(struct header *h, const struct key *key, struct piece_of_line value)
{
    return read_number(h, next_word(&value), place_of(h, key), key->name);
}

/* One more line of a list. */
static int key_line(struct header *h, const struct key *key, struct piece_of_line value)
{
    const char ***list = place_of(h, key);
    size_t *n = (size_t *)(void *)((char *)&h->file + key->count);
    *list = arena_more(h->dataset->arena, *list, *n, sizeof **list);
    (*list)[(*n)++] = keep(h, value);
    return 0;
}

static int key_overhead(struct header *h, const struct key *key, struct piece_of_line value)
{
    struct piece_of_line mean = next_word(&value), spread = next_word(&value);
    if (read_number_or_nan(h, mean, &h->file.overhead, key->name) ||
        (spread.n && read_number_or_nan(h, spread, &h->file.overhead_spread, key->name)))
        return -1;
    if (isnan(h->file.overhead))
        h->file.overhead = 0;
    if (isnan(h->file.overhead_spread))
        h->file.overhead_spread = 0;
    return 0;
}

static int key_empty(struct header *h, const struct key *key, struct piece_of_line value)
{
    if (read_number_or_nan(h, next_word(&value), &h->file.empty, key->name))
        return -1;
    h->file.has_empty = isfinite(h->file.empty);
    return 0;
}

/* Two numbers, which may be nan. */
static int read_two(struct header *h, struct piece_of_line value, double *first, double *second,
                    const char *key)
{
    struct piece_of_line one = next_word(&value), two = next_word(&value);
    if (read_number_or_nan(h, one, first, key) || read_number_or_nan(h, two, second, key))
        return -1;
    return 0;
}

static int key_load(struct header *h, const struct key *key, struct piece_of_line value)
{
    struct data_host *s = &h->file.host_state;
    s->has_load = true;
    return read_two(h, value, &s->load[0], &s->load[1], key->name);
}

static int key_elapsed(struct header *h, const struct key *key, struct piece_of_line value)
{
    return read_two(h, value, &h->file.elapsed, &h->file.processor, key->name);
}

static int key_steal(struct header *h, const struct key *key, struct piece_of_line value)
{
    struct data_host *s = &h->file.host_state;
    double stolen = NAN, wanted = NAN;
    if (read_two(h, value, &stolen, &wanted, key->name))
        return -1;
    if (stolen <= wanted && isfinite(wanted)) {
        s->stolen = stolen;
        s->wanted = wanted;
    }
    return 0;
}

static int key_frequency(struct header *h, const struct key *key, struct piece_of_line value)
{
    double *f = h->file.host_state.frequency;
    if (read_two(h, value, &f[0], &f[1], key->name))
        return -1;
    for (int i = 0; i < 2; i++)
        f[i] = isnan(f[i]) ? 0 : f[i];
    return 0;
}

static int key_per_host(struct header *h, const struct key *key, struct piece_of_line value)
{
    double *range = place_of(h, key);
    struct piece_of_line fewest = next_word(&value), most = next_word(&value);
    return read_number(h, fewest, &range[0], key->name) ||
                   read_number(h, most, &range[1], key->name)
               ? -1
               : 0;
}

static int key_hyper_threads(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct piece_of_line word = next_word(&value);
    for (int i = HYPER_THREADS_NONE; i <= HYPER_THREADS_USED; i++)
        if (is(word, data_hyper_threads_words[i]))
            h->file.hyper_threads = (enum data_hyper_threads)i;
    return 0;
}

static int key_oversubscribed(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    h->file.oversubscribed = is(next_word(&value), "yes");
    return 0;
}

static int key_thinned(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct piece_of_line word = next_word(&value);
    h->file.thinned = is(word, "per-tuple") ? THINNED_PER_TUPLE
                      : is(word, "global")  ? THINNED_GLOBAL
                                            : THINNED_NO;
    return 0;
}

static int key_experiment(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    return experiment_named(h, next_word(&value)) ? 0 : -1;
}

static int key_formula(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct experiment *e = experiment_named(h, next_word(&value));
    if (!e)
        return -1;
    struct piece_of_line observable = next_word(&value);
    if (value.n == 0)
        return fail(h, observable, "a formula line is '# formula: NAME OBSERVABLE FORMULA'");
    const char *name = keep_name(h, observable, CLL_NAME_OBSERVABLE);
    if (!name)
        return -1;
    if (e->nformulas >= HEADER_MAX_COLUMNS)
        return fail(h, observable, "%s has more than %d formulas: each is for an observable",
                    e->name, HEADER_MAX_COLUMNS);
    experiment_set_formula(h->dataset, e, name, keep(h, value), 0);
    return 0;
}

static int key_variables(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct experiment *e = experiment_named(h, next_word(&value));
    if (!e)
        return -1;
    while (value.n) {
        struct piece_of_line word = next_word(&value);
        const char *name = keep_name(h, word, CLL_NAME_VARIABLE);
        if (!name)
            return -1;
        if (experiment_find_variable(e, name) != SIZE_MAX)
            return fail(h, word, "variable '%s' of %s is named twice", name, e->name);
        if (e->nvariables >= HEADER_MAX_COLUMNS || ++h->nvariables > HEADER_MAX_VARIABLES)
            return fail(h, word, "too many variables: %d of one experiment, %d of all are allowed",
                        HEADER_MAX_COLUMNS, HEADER_MAX_VARIABLES);
        experiment_add_variable(h->dataset, e, name);
    }
    return 0;
}

static int key_source(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct experiment *e = experiment_named(h, next_word(&value));
    if (!e)
        return -1;
    if (value.n)
        experiment_add_source(h->dataset, e, keep(h, value));
    return 0;
}

static int key_absent(struct header *h, const struct key *key, struct piece_of_line value)
{
    (void)key;
    struct data_file *f = &h->file;
    f->absents = arena_more(h->dataset->arena, f->absents, f->nabsents, sizeof *f->absents);
    struct data_absent *a = &f->absents[f->nabsents++];
    a->observable = keep(h, next_word(&value));
    a->reason = keep(h, value);
    return 0;
}

/* Each process of a run writes a line of its own, and equal lines become one. */
static int key_setting(struct header *h, const struct key *key, struct piece_of_line value)
{
    struct piece_of_line all = value, word = next_word(&value), number = next_word(&value);
    struct data_file *f = &h->file;
    struct data_setting s = {keep_name(h, word, CLL_NAME_VARIABLE), 0};
    char copy[64] = "";
    if (!s.name)
        return -1;
    if (number.n < sizeof copy)
        memcpy(copy, number.p, number.n);
    const char *after = number_read(copy, copy + strlen(copy), &s.value);
    if (!number.n || !after || *after || !isfinite(s.value) || value.n)
        return fail(h, all, "'%s' is '# setting: NAME NUMBER'", key->name);
    const struct data_setting *known = TEXT_ELEMENT(f->settings, f->nsettings, name, s.name);
    if (known)
        return known->value == s.value
                   ? 0
                   : fail(h, all,
                          "the setting '%s' has two values: the processes of the run were "
                          "started with different CLL_SETTINGS; give all of them the same",
                          s.name);
    if (f->nsettings >= HEADER_MAX_COLUMNS)
        return fail(h, all, "more than %d lines '%s'", HEADER_MAX_COLUMNS, key->name);
    f->settings = arena_more(h->dataset->arena, f->settings, f->nsettings, sizeof *f->settings);
    f->settings[f->nsettings++] = s;
    return 0;
}

static int key_column(struct header *h, const struct key *key, struct piece_of_line value)
{
    struct piece_of_line all = value, column = next_word(&value), sign = next_word(&value),
                         variable = next_word(&value);
    if (!is(sign, "=") || variable.n == 0)
        return fail(h, all, "'%s' is '# column: COLUMN = VARIABLE'", key->name);
    if (h->nrenamed >= HEADER_MAX_COLUMNS)
        return fail(h, all, "more than %d lines '%s'", HEADER_MAX_COLUMNS, key->name);
    struct arena *a = h->dataset->arena;
    h->column_names = arena_more(a, h->column_names, h->nrenamed, sizeof *h->column_names);
    h->column_variables =
        arena_more(a, h->column_variables, h->nrenamed, sizeof *h->column_variables);
    const char *name = keep_name(h, column, CLL_NAME_VARIABLE);
    const char *stands_for = name ? keep_name(h, variable, CLL_NAME_VARIABLE) : NULL;
    if (!stands_for)
        return -1;
    h->column_names[h->nrenamed] = name;
    h->column_variables[h->nrenamed++] = stands_for;
    return 0;
}

static const struct key keys[] = {
    {"program", key_text, offsetof(struct data_file, program), 0},
    {"driver", key_text, offsetof(struct data_file, driver), 0},
    {"host", key_text, offsetof(struct data_file, host), 0},
    {"cpu", key_text, offsetof(struct data_file, cpu), 0},
    {"date", key_text, offsetof(struct data_file, date), 0},
    {"clock", key_text, offsetof(struct data_file, clock), 0},
    {"job", key_text, offsetof(struct data_file, job), 0},
    {"label", key_text, offsetof(struct data_file, label), 0},
    {"turns", key_text, offsetof(struct data_file, turns), 0},
    {"folder", key_text, offsetof(struct data_file, folder), 0},
    {"flags", key_build, offsetof(struct data_file, flags), 0},
    {"compiler", key_build, offsetof(struct data_file, compiler), 0},
    {"build", key_build, offsetof(struct data_file, build), 0},
    {"world", key_number, offsetof(struct data_file, world), 0},
    {"cores", key_number, offsetof(struct data_file, cores), 0},
    {"launched", key_number, offsetof(struct data_file, launched), 0},
    {"hosts", key_number, offsetof(struct data_file, hosts), 0},
    {"resolution", key_number, offsetof(struct data_file, resolution), 0},
    {"abandoned", key_number, offsetof(struct data_file, abandoned), 0},
    {"elapsed", key_elapsed, 0, 0},
    {"memory", key_number, offsetof(struct data_file, memory), 0},
    {"code", key_line, offsetof(struct data_file, codes), offsetof(struct data_file, ncodes)},
    {"process", key_line, offsetof(struct data_file, processes),
     offsetof(struct data_file, nprocesses)},
    {"ranks", key_line, offsetof(struct data_file, hosted), offsetof(struct data_file, nhosted)},
    {"note", key_line, offsetof(struct data_file, notes), offsetof(struct data_file, nnotes)},
    {"ranks-per-host", key_per_host, offsetof(struct data_file, ranks_per_host), 0},
    {"cores-per-host", key_per_host, offsetof(struct data_file, cores_per_host), 0},
    {"hyper-threads", key_hyper_threads, 0, 0},
    {"overhead", key_overhead, 0, 0},
    {"empty", key_empty, 0, 0},
    {"load", key_load, 0, 0},
    {"steal", key_steal, 0, 0},
    {"frequency", key_frequency, 0, 0},
    {"thinned", key_thinned, 0, 0},
    {"oversubscribed", key_oversubscribed, 0, 0},
    {"experiment", key_experiment, 0, 0},
    {"formula", key_formula, 0, 0},
    {"variables", key_variables, 0, 0},
    {"source", key_source, 0, 0},
    {"absent", key_absent, 0, 0},
    {"column", key_column, 0, 0},
    {"setting", key_setting, 0, 0},
};

static int comment_line(struct header *h, struct piece_of_line line)
{
    const char *colon = memchr(line.p, ':', line.n);
    if (!colon)
        return 0;
    struct piece_of_line key =
        trim((struct piece_of_line){line.p + 1, (size_t)(colon - line.p) - 1});
    struct piece_of_line value =
        trim((struct piece_of_line){colon + 1, line.n - (size_t)(colon - line.p) - 1});
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is(key, keys[i].name)) {
            const char *zero = memchr(value.p, 0, value.n); /* would cut the text that is kept */
            if (zero)
                return fail(h, (struct piece_of_line){zero, 1},
                            "the line contains a zero byte: the file is damaged");
            return keys[i].read(h, &keys[i], value);
        }
    return 0;
}

/* The variable a column of the file stands for; NULL if its name belongs to a column that was
 * renamed. */
static const char *column_variable(const struct header *h, size_t column)
{
    for (size_t i = 0; i < h->nrenamed; i++) {
        if (strcmp(h->column_names[i], h->columns[column]) == 0)
            return h->column_variables[i];
        if (strcmp(h->column_variables[i], h->columns[column]) == 0)
            return NULL;
    }
    return h->columns[column];
}

/* A setting is a variable of every experiment, unless the program gives one of this name itself. */
static int add_settings(struct header *h, struct experiment *e, struct piece_of_line line)
{
    for (size_t i = 0; i < h->file.nsettings; i++) {
        if (experiment_find_variable(e, h->file.settings[i].name) != SIZE_MAX)
            continue;
        if (e->nvariables >= HEADER_MAX_COLUMNS || ++h->nvariables > HEADER_MAX_VARIABLES)
            return fail(h, line, "too many variables and settings");
        experiment_add_variable(h->dataset, e, h->file.settings[i].name);
    }
    return 0;
}

static int map_experiment(struct header *h, struct header_experiment *x, const bool *is_variable,
                          struct piece_of_line line)
{
    struct experiment *e = x->experiment;
    size_t own = experiment_first_observable(e);
    if (add_settings(h, e, line))
        return -1;
    for (size_t c = FIELD_FIXED; c < h->ncolumns; c++)
        if (!is_variable[c])
            experiment_add_observable(h->dataset, e, h->columns[c]);
    x->file_column = arena_alloc(h->dataset->arena, e->ncolumns, sizeof *x->file_column);
    for (size_t j = 0; j < FIELD_FIXED; j++)
        x->file_column[j] = j;
    size_t next = experiment_first_observable(e);
    for (size_t j = FIELD_FIXED; j < e->ncolumns; j++)
        x->file_column[j] = SIZE_MAX;
    for (size_t i = 0; i < h->file.nsettings; i++) {
        size_t j = experiment_find_variable(e, h->file.settings[i].name);
        if (j >= own) /* the column of that name belongs to other experiments */
            x->file_column[j] = h->ncolumns + i;
    }
    for (size_t c = FIELD_FIXED; c < h->ncolumns; c++) {
        size_t j = is_variable[c] ? experiment_find_variable(e, column_variable(h, c)) : next++;
        if (j != SIZE_MAX && x->file_column[j] == SIZE_MAX)
            x->file_column[j] = c;
    }
    for (size_t j = FIELD_FIXED; j < e->ncolumns; j++)
        if (x->file_column[j] == SIZE_MAX)
            return fail(h, line, "variable '%s' of %s has no column", e->columns[j].name, e->name);
    return 0;
}

static int map_columns(struct header *h, struct piece_of_line line)
{
    struct dataset *d = h->dataset;
    if ((h->ncolumns + h->file.nsettings) * d->nexperiments > HEADER_MAX_CELLS)
        return fail(h, line, "too many columns for so many experiments");
    bool *is_variable = arena_zalloc(d->arena, h->ncolumns, sizeof *is_variable);
    for (size_t c = FIELD_FIXED; c < h->ncolumns; c++)
        for (size_t i = 0; i < d->nexperiments && !is_variable[c] && column_variable(h, c); i++)
            is_variable[c] =
                experiment_find_variable(d->experiments[i], column_variable(h, c)) != SIZE_MAX;
    h->experiments = arena_zalloc(d->arena, d->nexperiments, sizeof *h->experiments);
    for (size_t i = 0; i < d->nexperiments; i++) {
        h->experiments[i].experiment = d->experiments[i];
        if (map_experiment(h, &h->experiments[i], is_variable, line))
            return -1;
    }
    h->complete = true;
    return 0;
}

static int column_line(struct header *h, struct piece_of_line line)
{
    struct piece_of_line rest = line;
    for (size_t c = 0; rest.n; c++) {
        struct piece_of_line word = next_word(&rest);
        const char *want = c == 0             ? "experiment"
                           : c <= FIELD_FIXED ? data_field_names[c - 1]
                                              : NULL;
        if (want && !is(word, want))
            return fail(
                h, word,
                "column %zu must be '%s': the table starts with a line 'experiment run seq start "
                "nested P rank thread count', then variables, then observables",
                c + 1, want);
        if (c == 0)
            continue;
        if (c > HEADER_MAX_COLUMNS)
            return fail(h, word, "more than %d columns", HEADER_MAX_COLUMNS);
        /* Variables are observables by this rule, and were checked as what they are. */
        const char *name = keep_name(h, word, CLL_NAME_OBSERVABLE);
        if (!name)
            return -1;
        if (text_is_in(h->columns, h->ncolumns, name))
            return fail(h, word, "column '%s' appears twice", name);
        h->columns = arena_more(h->dataset->arena, h->columns, h->ncolumns, sizeof *h->columns);
        h->columns[h->ncolumns++] = name;
    }
    if (h->ncolumns < FIELD_FIXED)
        return fail(h, line, "the column '%s' is missing", data_field_names[h->ncolumns]);
    if (h->ncolumns == FIELD_FIXED)
        return fail(h, line, "there is no observable: a column such as CLOCK is missing");
    return map_columns(h, line);
}

int header_line(struct header *h, const char *text, size_t n)
{
    struct piece_of_line line = trim((struct piece_of_line){text, n});
    if (!h->has_version) {
        struct piece_of_line rest = line;
        struct piece_of_line hash = next_word(&rest), word = next_word(&rest);
        h->unfinished = is(word, "cll-part");
        if (!is(hash, "#") || (!is(word, "cll-data") && !h->unfinished))
            return fail(h, line,
                        "this is not a cll data file: it does not start with '# cll-data 1'");
        if (!is(rest, "1"))
            return fail(
                h, rest,
                "the data format is version '%.*s', this program reads version 1: use the llac of "
                "the CALL that wrote it",
                (int)(rest.n < 20 ? rest.n : 20), rest.p);
        h->has_version = true;
        return 0;
    }
    if (line.n == 0)
        return 0;
    return *line.p == '#' ? comment_line(h, line) : column_line(h, line);
}
