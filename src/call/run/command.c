/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs that a command runs. libcll writes the data file of each of them into the folder of the
 * round; the header of a file names its program. Two programs of one name, in different folders of a
 * project, differ in their build-ids: the second one's files get a number in their names. If a program
 * runs several times in a round, these data files become one.
 */
#include "call/run/command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "data/load.h"

/* What the header of a data file says about its program. */
struct origin {
    const char *name, *build; /* "" = not known */
};

static const char *value_of(struct arena *a, const char *line, const char *key)
{
    size_t n = strlen(key);
    return strncmp(line, key, n) ? NULL : arena_strndup(a, line + n, strcspn(line + n, "\r\n"));
}

/* A name of files: not empty, and without a slash. */
static const char *clean(struct arena *a, const char *name)
{
    char *copy = arena_strdup(a, *name ? name : "program");
    for (char *c = copy; *c; c++)
        if (*c == '/')
            *c = '_';
    return copy;
}

/* 0, or -1 with errno. */
static int read_origin(struct arena *a, const char *path, struct origin *o)
{
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    *o = (struct origin){"", ""};
    ssize_t n;
    while ((n = getline(&line, &room, f)) > 0 && line[0] == '#') {
        const char *name = value_of(a, line, "# program: "),
                   *build = value_of(a, line, "# build: ");
        o->name = name ? name : o->name;
        o->build = build ? build : o->build;
    }
    int error = n < 0 && !feof(f) ? errno : 0; /* there may also be no memory for a line */
    fclose(f);
    free(line);
    o->name = clean(a, o->name);
    errno = error;
    return error ? -1 : 0;
}

/* ---- the programs ---- */

static struct run *add_program(struct run *r, const struct origin *o, unsigned same_name)
{
    struct run *p = arena_alloc(r->arena, 1, sizeof *p);
    *p = *r;
    p->files = p->parts = (struct words){0};
    p->programs = NULL;
    p->nprograms = p->cprograms = 0;
    p->done = p->empty = p->last_measured = 0;
    p->failed = p->earlier = false;
    p->program_name = o->name;
    p->name = same_name ? arena_printf(r->arena, "%s.%u", o->name, same_name + 1) : o->name;
    p->build = o->build;
    run_data_init(&p->data, r->arena);
    p->all = run_fit_all(p);
    ARENA_ADD(r->arena, r->programs, r->nprograms, &r->cprograms, p);
    return p;
}

/* NULL after a message. */
static struct run *program_of(struct run *r, const char *path)
{
    struct origin o;
    unsigned same_name = 0;
    if (read_origin(r->arena, path, &o)) {
        say("%s: cannot read %s: %s\n", r->self, path, strerror(errno));
        return NULL;
    }
    for (size_t i = 0; i < r->nprograms; i++) {
        struct run *p = r->programs[i];
        if (strcmp(p->program_name, o.name) != 0)
            continue;
        if (!strcmp(p->build, o.build))
            return p;
        same_name++;
    }
    return add_program(r, &o, same_name);
}

/* ---- their files ---- */

/* Makes one data file of the same samples, and puts it into the list in place of the others. Files of
 * different versions of the code stay as they are. 0, or -1 after a message. */
static int merge(struct run *p, struct words *files, const char *folder)
{
    static const struct load_options options = {.may_be_empty = true};
    ARENA_LOCAL struct arena *a = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    struct dataset *d = dataset_create();
    const char *path = arena_printf(p->arena, "%s/%s.merged", folder, p->name);
    int failed = 0;
    for (size_t i = 0; i < files->n && !failed; i++)
        failed = dataset_load(d, files->list[i], &options, a, diag);
    if (failed)
        diag_print(diag, stderr, 0);
    bool mergeable = !failed && d->nexperiments && d->nversions <= 1;
    if (mergeable && dataset_save(d, path, NULL, NULL)) {
        say("%s: cannot write %s: %s\n", p->self, path, strerror(errno));
        failed = -1;
    } else if (mergeable) {
        *files = (struct words){0};
        words_add(p->arena, files, path);
    }
    dataset_destroy(d);
    return failed ? -1 : 0;
}

/* Moves the files of a program to their places, and loads them. Returns the number of samples, or -1. */
static long take_program(struct run *p, struct words files, const char *folder)
{
    size_t rows = p->data.rows;
    if (files.n > 1 && merge(p, &files, folder))
        return -1;
    for (size_t i = 0; i < files.n; i++) {
        const char *placed = run_place_file(p, files.list[i]);
        if (!placed)
            return -1;
        words_add(p->arena, &p->files, placed);
        run_add_file(p, placed);
    }
    return (long)(p->data.rows - rows);
}

long command_take(struct run *r, const struct words *found, const char *folder)
{
    long all = 0;
    struct words *files = arena_zalloc(r->arena, found->n + r->nprograms + 1, sizeof *files);
    for (size_t i = 0; i < found->n; i++) {
        const struct run *p = program_of(r, found->list[i]);
        size_t k = 0;
        if (!p)
            return -1;
        while (r->programs[k] != p)
            k++;
        words_add(r->arena, &files[k], found->list[i]);
    }
    for (size_t i = 0; i < r->nprograms; i++) {
        struct run *p = r->programs[i];
        unsigned measured = p->done;
        p->done = r->done; /* the round of these files */
        long samples = take_program(p, files[i], folder);
        p->done = measured + (samples > 0 && p->last_measured != r->done + 1);
        p->last_measured = samples > 0 ? r->done + 1 : p->last_measured;
        r->failed |= p->failed;
        if (samples < 0)
            return -1;
        all += samples;
    }
    return all;
}

/* ---- the result ---- */

struct run_verdict command_judge(const struct run *r)
{
    struct run_verdict all = {.worst = ""};
    for (size_t i = 0; i < r->nprograms; i++) {
        struct run_verdict v = run_judge_data(r, &r->programs[i]->data, JUDGE_WANTED);
        all.points += v.points;
        all.unsteady += v.unsteady;
        all.single += v.single;
        all.typical = fmax(all.typical, v.typical);
        if (v.worst_part > all.worst_part || !*all.worst) {
            all.worst = v.worst;
            all.worst_part = v.worst_part;
            all.worst_is_short = v.worst_is_short;
        }
    }
    return all;
}

/* "page.html" of several programs: "page.NAME.html" */
static const char *report_of(const struct run *r, const struct run *p)
{
    const char *dot = r->report ? strrchr(r->report, '.') : NULL;
    if (!dot || r->nprograms < 2)
        return r->report;
    return arena_printf(r->arena, "%.*s.%s%s", (int)(dot - r->report), r->report, p->name, dot);
}

int command_results(struct run *r, int signal)
{
    int status = 0;
    for (size_t i = 0; i < r->nprograms; i++) {
        struct run *p = r->programs[i];
        p->empty = r->done - p->done;
        p->done = r->done;
        p->timed = r->timed;
        p->seconds = r->seconds;
        p->failed |= r->failed;
        p->report = report_of(r, p);
        struct run_verdict v = run_judge_data(r, &p->data, JUDGE_WANTED);
        if (i)
            printf("\n");
        int one = run_results(p, &v, signal);
        status = status ? status : one;
    }
    return status;
}
