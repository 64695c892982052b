/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/sort.h"
#include "base/text.h"

static const char ending[] = ".json";
enum { MOST_MACHINES = 10000, MOST_BYTES = 64 << 20 };

const char *store_folder(struct arena *a, struct diag *diag)
{
    const char *folder = getenv("CLL_MACHINES"), *home = getenv("HOME");
    if (folder && *folder)
        return folder;
    if (home && *home)
        return arena_printf(a, "%s/.local/share/cll/machines", home);
    diag_error(diag, "there is no folder for machines: set CLL_MACHINES to one");
    return NULL;
}

/* The folder and those above it. 0, or an errno value. */
static int make_folder(struct arena *a, const char *folder)
{
    char *path = arena_strdup(a, folder);
    for (char *at = path + 1;; at++) {
        char here = *at;
        if (here && here != '/')
            continue;
        *at = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            return errno;
        if (!here)
            return 0;
        *at = '/';
    }
}

const char *store_add(const char *path, bool replace, struct arena *a, struct diag *diag)
{
    const char *folder = store_folder(a, diag);
    const struct machine *m = folder ? machine_load(path, a, diag) : NULL;
    if (!m)
        return NULL;
    const char *target = arena_printf(a, "%s/%s%s", folder, m->name, ending);
    if (!replace && access(target, F_OK) == 0) {
        diag_error(diag,
                   "there is a machine '%s' already; 'machine add FILE replace' replaces it, and "
                   "'cllprobe --name' gives another name",
                   m->name);
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    struct outfile out;
    int error = source_read(path, MOST_BYTES, &text, &size);
    if (!error)
        error = make_folder(a, folder);
    if (!error && outfile_open(&out, target))
        error = errno;
    else if (!error) {
        outfile_write(&out, text, size);
        error = outfile_commit(&out) ? errno : 0;
    }
    mem_free(text);
    if (error)
        diag_error(diag, "cannot write %s: %s", target, strerror(error));
    return error ? NULL : target;
}

static int by_name(const void *a, const void *b, void *context)
{
    (void)context;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **store_names(struct arena *a, size_t *n, struct diag *diag)
{
    const char *folder = store_folder(a, diag), **names = NULL;
    size_t capacity = 0;
    *n = 0;
    if (!folder)
        return NULL;
    DIR *d = opendir(folder);
    if (!d && errno != ENOENT) {
        diag_error(diag, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    names = arena_grow(a, names, 0, &capacity, 1, sizeof *names);
    for (struct dirent *e; d && (e = readdir(d)) && *n < MOST_MACHINES;) {
        size_t length = strlen(e->d_name), end = sizeof ending - 1;
        if (length <= end || e->d_name[0] == '.' || strcmp(e->d_name + length - end, ending) != 0)
            continue;
        names = arena_grow(a, names, *n, &capacity, *n + 1, sizeof *names);
        names[(*n)++] = arena_strndup(a, e->d_name, length - end);
    }
    if (d)
        closedir(d);
    sort_with(names, *n, sizeof *names, by_name, NULL);
    return names;
}

static const struct machine *unknown(const char *name, struct arena *a, struct diag *diag)
{
    size_t n;
    const char **names = store_names(a, &n, diag);
    struct text list;
    if (!names)
        return NULL;
    text_init(&list);
    for (size_t i = 0; i < n && list.n < 200; i++)
        text_printf(&list, "%s%s", i ? ", " : "", names[i]);
    if (n)
        diag_error(diag, "there is no machine and no file '%s'; the machines are %s", name, list.s);
    else
        diag_error(diag,
                   "there is no machine and no file '%s'; cllprobe measures a machine, and "
                   "'machine add FILE' adds its file",
                   name);
    text_free(&list);
    return NULL;
}

const struct machine *store_find(const char *name, struct arena *a, struct diag *diag)
{
    const char *folder = strchr(name, '/') ? NULL : store_folder(a, NULL);
    const char *path = folder ? arena_printf(a, "%s/%s%s", folder, name, ending) : name;
    if (access(path, F_OK) == 0)
        return machine_load(path, a, diag);
    return access(name, F_OK) == 0 || strchr(name, '/') ? machine_load(name, a, diag)
                                                        : unknown(name, a, diag);
}
