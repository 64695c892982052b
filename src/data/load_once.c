/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data files and spools name the processes whose samples they hold, and the span of time in which
 * these ended (header line `process`, docs/reference/data-format.md). Two files with overlapping
 * spans of one process hold the same samples. Only the headers are read here; the samples
 * themselves are counted where two files have equal claims, which is rare: a program was killed
 * between writing its data file and removing its spool.
 *
 * Spans are sorted by process, so that only files of the same process meet.
 */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "spool/text.h"
#include "data/load.h"

struct candidate {
    const char *path;
    dev_t device;
    ino_t inode;
    bool regular, is_loaded, unfinished, gone;
    size_t index;      /* in the paths given */
    size_t nprocesses; /* whose samples it holds */
};

struct presence { /* of a process in a file */
    const char *id;
    uint64_t from, to; /* ticks */
    struct candidate *in;
};

struct choice {
    struct candidate *files;
    size_t nfiles;
    struct presence *list;
    size_t n, room;
    struct arena *arena;
    struct diag *diag;
};

/* ---- what the headers say */

static void add_presence(struct choice *c, struct candidate *file, const char *text)
{
    char id[CLL_PROCESS_TEXT], from[32], to[32];
    struct presence p = {.in = file, .to = UINT64_MAX};
    if (sscanf(text, "%127s %31s %31s", id, from, to) != 3)
        return;
    p.from = strtoull(from, NULL, 10);
    if (strcmp(to, "-") != 0)
        p.to = strtoull(to, NULL, 10);
    p.id = arena_strdup(c->arena, id);
    ARENA_ADD(c->arena, c->list, c->n, &c->room, p);
    file->nprocesses++;
}

/* A file whose processes are not known could hold the samples of another one: that is an error. What the user may not
 * read, or is not there, is reported when it is loaded. 0, or -1. */
static int cannot_read(struct choice *c, const struct candidate *file, int error)
{
    if (error == EACCES || error == ENOENT || error == ENOTDIR)
        return 0;
    return diag_error(c->diag, "cannot read %s: %s", file->path, strerror(error));
}

/* The lines `process` come before those of experiments. 0, or an error number. */
static int scan_lines(struct choice *c, struct candidate *file, FILE *in)
{
    static const char key[] = "# process: ";
    char *line = NULL;
    size_t size = 0;
    errno = 0;
    for (size_t i = 0; getline(&line, &size, in) > 0; i++) {
        if (i == 0)
            file->unfinished = strcmp(line, CLL_UNFINISHED) == 0;
        if (i == 0 && !file->unfinished && strcmp(line, CLL_FINISHED) != 0)
            break;
        if (*line != '#' || strncmp(line, "# experiment:", 13) == 0)
            break;
        if (strncmp(line, key, sizeof key - 1) == 0)
            add_presence(c, file, line + sizeof key - 1);
    }
    int error = errno == ENOMEM ? ENOMEM : ferror(in) ? errno ? errno : EIO : 0;
    free(line);
    return error;
}

static int scan_text(struct choice *c, struct candidate *file)
{
    FILE *in = fopen(file->path, "re");
    int error = in ? scan_lines(c, file, in) : errno;
    if (in)
        fclose(in);
    return error ? cannot_read(c, file, error) : 0;
}

static int scan(struct choice *c, struct candidate *file)
{
    char text[CLL_PROCESS_TEXT];
    struct stat st;
    if (stat(file->path, &st))
        return cannot_read(c, file, errno);
    if (!S_ISREG(st.st_mode))
        return 0;
    file->regular = true;
    file->device = st.st_dev;
    file->inode = st.st_ino;
    int status = cll_spool_process(file->path, text, sizeof text);
    if (status == 0)
        add_presence(c, file, text);
    return status < 0 ? scan_text(c, file) : status > 0 ? cannot_read(c, file, status) : 0;
}

/* ---- which one is better */

static double count_samples(const struct candidate *file)
{
    ARENA_LOCAL struct arena *arena = arena_create();
    DIAG_LOCAL struct diag *quiet = diag_create();
    DATASET_LOCAL struct dataset *d = dataset_create();
    double samples = 0;
    if (dataset_load(d, file->path, NULL, arena, quiet))
        return -1;
    for (size_t i = 0; i < d->nexperiments; i++)
        for (size_t r = 0; r < d->experiments[i]->nrows; r++)
            samples += column_at(&d->experiments[i]->columns[FIELD_COUNT], r);
    return samples;
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->unfinished != b->unfinished)
        return b->unfinished;
    if (a->nprocesses != b->nprocesses)
        return a->nprocesses > b->nprocesses;
    double na = count_samples(a), nb = count_samples(b);
    return na != nb ? na > nb : a->index < b->index;
}

static int repeats_loaded(struct choice *c, const struct candidate *file,
                          const struct candidate *loaded)
{
    bool same = file->device == loaded->device && file->inode == loaded->inode;
    return diag_error(
        c->diag,
        same ? "%s: this file is loaded already; its samples would count twice"
             : "%s: its samples would count twice: %s, which is loaded, is of the same process",
        file->path, loaded->path);
}

/* Two files hold the same samples. */
static int meet(struct choice *c, struct candidate *a, struct candidate *b)
{
    if (a->gone || b->gone || a == b || (a->is_loaded && b->is_loaded))
        return 0;
    if (a->is_loaded || b->is_loaded)
        return a->is_loaded ? repeats_loaded(c, b, a) : repeats_loaded(c, a, b);
    bool same = a->device == b->device && a->inode == b->inode;
    bool first = same ? a->index < b->index : is_better(a, b);
    struct candidate *kept = first ? a : b, *left = first ? b : a;
    left->gone = true;
    diag_warning(
        c->diag,
        same ? "%s is left out: it is the same file as %s"
        : left->unfinished
            ? "%s is left out: it is a temporary file that a killed process left; %s has its "
              "samples"
            : "%s is left out: it has samples of the same process as %s",
        left->path, kept->path);
    return 0;
}

/* ---- which ones meet */

static int by_inode(const void *x, const void *y)
{
    const struct candidate *a = *(struct candidate *const *)x, *b = *(struct candidate *const *)y;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int same_files(struct choice *c)
{
    struct candidate **order = arena_alloc(c->arena, c->nfiles + 1, sizeof *order);
    size_t n = 0, first = 0;
    for (size_t i = 0; i < c->nfiles; i++)
        if (c->files[i].regular)
            order[n++] = &c->files[i];
    qsort(order, n, sizeof *order, by_inode);
    for (size_t i = 1; i < n; i++) {
        if (order[i]->device != order[first]->device || order[i]->inode != order[first]->inode)
            first = i;
        else if (meet(c, order[first], order[i]))
            return -1;
    }
    return 0;
}

static int by_process(const void *x, const void *y)
{
    const struct presence *a = x, *b = y;
    int order = strcmp(a->id, b->id);
    if (order)
        return order;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->in->index < b->in->index ? -1 : a->in->index > b->in->index;
}

static int same_samples(struct choice *c)
{
    if (c->n)
        qsort(c->list, c->n, sizeof *c->list, by_process);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = i + 1; k < c->n && c->list[k].from < c->list[i].to &&
                               strcmp(c->list[k].id, c->list[i].id) == 0;
             k++)
            if (meet(c, c->list[i].in, c->list[k].in))
                return -1;
    return 0;
}

int load_choose(char *const *paths, size_t n, const struct dataset *loaded, bool *leave_out,
                struct arena *arena, struct diag *diag)
{
    size_t before = loaded ? loaded->nfiles : 0;
    struct choice c = {.nfiles = before + n, .arena = arena, .diag = diag};
    int status = 0;
    c.files = arena_zalloc(arena, c.nfiles + 1, sizeof *c.files);
    for (size_t i = 0; i < c.nfiles; i++) {
        c.files[i] =
            (struct candidate){.path = i < before ? loaded->files[i].path : paths[i - before],
                               .is_loaded = i < before,
                               .index = i};
        if (status == 0)
            status = scan(&c, &c.files[i]);
    }
    if (status == 0)
        status = same_files(&c) || same_samples(&c) ? -1 : 0;
    for (size_t i = 0; i < n; i++)
        leave_out[i] = c.files[before + i].gone;
    return status;
}
