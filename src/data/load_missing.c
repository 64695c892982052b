/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of one process of several has lines `# ranks: RANKS HOST`, which say where all processes
 * of the run were (docs/reference/data-format.md). RANKS is a list of numbers and ranges, "0-3",
 * "0-12:4,13". The line `process` of a file has the rank of the process that wrote it.
 */
#include "data/load.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_RANKS = 10000000, MOST_HOSTS = 4 };

/* The processes of one run. */
struct crew {
    size_t n;
    unsigned char *there; /* by rank: a file of it is loaded */
};

/* The rank in `ID FROM TO`, where ID is PID.RANK.SECONDS.TICKS in hexadecimal; n without one. */
static size_t rank_of(const char *process, size_t n)
{
    const char *dot = strchr(process, '.');
    char *end;
    if (!dot)
        return n;
    unsigned long long rank = strtoull(dot + 1, &end, 16);
    return *end == '.' && rank < n ? (size_t)rank : n;
}

static void add_file(struct crew *c, const struct data_file *f)
{
    for (size_t k = 0; k < f->nprocesses; k++) {
        size_t rank = rank_of(f->processes[k], c->n);
        if (rank < c->n)
            c->there[rank] = 1;
    }
}

/* The files of the run of files[first]. A data file of all processes counts unless a process left a
 * spool: then what the processes measured after that data file is in their spools. */
static void add_files(struct crew *c, const struct dataset *d, size_t first)
{
    bool spools = false;
    for (size_t i = first; i < d->nfiles; i++)
        spools = spools || (d->files[i].first == first && d->files[i].is_spool);
    for (size_t i = first; i < d->nfiles; i++)
        if (d->files[i].first == first && (!spools || d->files[i].nhosted))
            add_file(c, &d->files[i]);
}

/* Takes "4", "4-7" or "4-16:4" off a list; false at its end. */
static bool next_range(const char **at, size_t *from, size_t *to, size_t *step)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *from = *to = (size_t)strtoull(*at, &end, 10);
    *step = 1;
    if (*end == '-')
        *to = (size_t)strtoull(end + 1, &end, 10);
    if (*end == ':')
        *step = (size_t)strtoull(end + 1, &end, 10);
    *at = end + (*end == ',');
    return true;
}

/* "2, 5-7": one more rank of a list in ascending order; *from and *last are those of the range that
 * is not written yet, SIZE_MAX at first. */
static void add_rank(struct text *out, size_t *from, size_t *last, size_t rank)
{
    if (*from != SIZE_MAX && rank == *last + 1) {
        *last = rank;
        return;
    }
    if (*from != SIZE_MAX) {
        text_printf(out, "%s%zu", out->n ? ", " : "", *from);
        if (*last > *from)
            text_printf(out, "-%zu", *last);
    }
    *from = *last = rank;
}

/* The ranks of a line `RANKS HOST` that are missing, into out. Returns how many, and marks them. */
static size_t missing_of(struct crew *c, const char *place, struct text *out)
{
    size_t from, to, step, begin = SIZE_MAX, last = SIZE_MAX, missing = 0;
    while (next_range(&place, &from, &to, &step))
        for (size_t rank = from; step && step <= c->n && rank <= to && rank < c->n; rank += step)
            if (!c->there[rank]) {
                c->there[rank] = 2;
                missing++;
                add_rank(out, &begin, &last, rank);
            }
    if (missing)
        add_rank(out, &begin, &last, SIZE_MAX);
    return missing;
}

static const char *host_of(const char *place)
{
    const char *space = strchr(place, ' ');
    return space ? space + 1 : "";
}

/* "ranks 2-3 on host node7; rank 4 on host node8" */
static size_t list_missing(struct crew *c, const struct data_file *f, struct text *list)
{
    size_t missing = 0, hosts = 0;
    TEXT_LOCAL struct text ranks = text_new();
    for (size_t i = 0; i < f->nhosted; i++) {
        text_clear(&ranks);
        size_t here = missing_of(c, f->hosted[i], &ranks);
        missing += here;
        if (!here || ++hosts > MOST_HOSTS)
            continue;
        text_printf(list, "%srank%s %.200s%s on host %.100s", list->n ? "; " : "",
                    here == 1 ? "" : "s", ranks.s, ranks.n > 200 ? "..." : "",
                    host_of(f->hosted[i]));
    }
    if (hosts > MOST_HOSTS)
        text_printf(list, "; and on %zu more hosts", hosts - MOST_HOSTS);
    for (size_t rank = 0, more = 0; rank < c->n; rank++) /* of hosts that the list leaves out */
        if (!c->there[rank]) {
            missing++;
            if (!more++)
                text_printf(list, "%sothers on further hosts", list->n ? "; " : "");
        }
    return missing;
}

/* The run of files[first]; f is one of its files that says where the processes were. */
static void look_at_run(const struct dataset *d, size_t first, const struct data_file *f,
                        struct arena *arena, struct diag *diag)
{
    if (!(f->world >= 2 && f->world <= MOST_RANKS))
        return;
    struct crew c = {.n = (size_t)f->world};
    c.there = arena_zalloc(arena, c.n, 1);
    add_files(&c, d, first);
    TEXT_LOCAL struct text list = text_new();
    size_t missing = list_missing(&c, f, &list);
    if (missing)
        diag_warning(diag,
                     "%s: %zu of the %zu processes of this run %s missing: %s. If %s measured, the "
                     "samples are in %s there: copy the files *.spool here, and load all together",
                     f->path, missing, c.n, missing == 1 ? "is" : "are", list.s,
                     missing == 1 ? "it" : "they",
                     *f->folder ? f->folder : "the folder of the run");
}

/* Processes that never knew of each other: P is wrong in their files. */
static void look_at_launchers(const struct dataset *d, size_t first, struct diag *diag)
{
    const struct data_file *one = NULL;
    size_t n = 0;
    for (size_t i = first; i < d->nfiles; i++)
        if (d->files[i].launched > 1) {
            one = one ? one : &d->files[i];
            n++;
        }
    if (!one)
        return;
    diag_warning(
        diag,
        "%s%s: the launcher started %.0f processes, but each of them was a program of its own, "
        "because the launcher does not belong to its MPI library. P is 1 in these samples, but the "
        "programs ran at the same time. Measure again with the mpirun of that library",
        one->path, n > 1 ? " and others" : "", one->launched);
}

/* Of the samples of a file in an experiment: the value of the variable that has the name of a setting. */
static double value_of(const struct experiment *e, const struct segment *s, const char *name)
{
    size_t j = experiment_find_variable(e, name);
    return j == SIZE_MAX || s->first_row >= e->nrows ? NAN
                                                     : column_at(&e->columns[j], s->first_row);
}

/* An experiment of the file that has the number of the command line under this name; NULL: none. */
static const char *who_has_setting(const struct dataset *d, size_t file,
                                   const struct data_setting *s)
{
    for (size_t k = 0; k < d->nexperiments; k++) {
        const struct experiment *e = d->experiments[k];
        for (size_t i = 0; i < e->nsegments; i++)
            if (e->segments[i].file == file && value_of(e, &e->segments[i], s->name) == s->value)
                return e->name;
    }
    return NULL;
}

/* The first segment, of a file from `first` on, where the experiment has another number than the setting; NULL: none. */
static const struct segment *find_other(const struct dataset *d, const struct experiment *e,
                                        size_t first, const char *name,
                                        const struct data_setting **setting)
{
    for (size_t i = 0; i < e->nsegments; i++) {
        const struct data_file *f = &d->files[e->segments[i].file];
        double own = value_of(e, &e->segments[i], name);
        for (size_t k = 0; e->segments[i].file >= first && isfinite(own) && k < f->nsettings; k++)
            if (!strcmp(f->settings[k].name, name) && own != f->settings[k].value) {
                *setting = &f->settings[k];
                return &e->segments[i];
            }
    }
    return NULL;
}

/* One name that means two numbers: a variable of one experiment, and the setting that another one has. */
static bool has_two_meanings(const struct dataset *d, const struct experiment *e, size_t first,
                             const char *name, struct diag *diag)
{
    const struct data_setting *s;
    const struct segment *at = find_other(d, e, first, name, &s);
    const char *other = at ? who_has_setting(d, at->file, s) : NULL;
    if (other)
        diag_warning(diag,
                     "%s: %s has two meanings: it is %g in %s, by a variable of the program, and "
                     "%g in %s, by --vary or CLL_SETTINGS. 'rank' and reports take them for one: "
                     "give one of them another name",
                     d->files[at->file].path, name, value_of(e, at, name), e->name, s->value,
                     other);
    return other;
}

/* Once. */
static void look_at_settings(const struct dataset *d, size_t first, struct diag *diag)
{
    for (size_t k = 0; k < d->nexperiments; k++)
        for (size_t v = 0; v < d->experiments[k]->nvariables; v++)
            if (has_two_meanings(d, d->experiments[k], first,
                                 experiment_variable(d->experiments[k], v)->name, diag))
                return;
}

void load_missing(const struct dataset *d, size_t first, struct arena *arena, struct diag *diag)
{
    unsigned char *seen = arena_zalloc(arena, d->nfiles + 1, 1);
    look_at_launchers(d, first, diag);
    look_at_settings(d, first, diag);
    for (size_t i = first; i < d->nfiles; i++) {
        const struct data_file *f = &d->files[i];
        if (!f->nhosted || seen[f->first])
            continue;
        seen[f->first] = 1;
        look_at_run(d, f->first, f, arena, diag);
    }
}
