/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/sort.h"
#include "base/text.h"

static const char ending[] = ".json";
enum { MOST_MACHINES = 10000, MOST_BYTES = 64 << 20 };

/* NULL with an error if neither CLL_MACHINES nor HOME is set. */
static const char *store_folder(struct arena *a, struct diag *diag)
{
    const char *folder = getenv("CLL_MACHINES"), *home = getenv("HOME");
    if (folder && *folder)
        return folder;
    if (home && *home)
        return arena_printf(a, "%s/.local/share/cll/machines", home);
    return diag_null(diag_error(diag, "there is no folder for machines: set CLL_MACHINES to one"));
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
    if (!replace && access(target, F_OK) == 0)
        return diag_null(diag_error(
            diag,
            "there is a machine '%s' already; 'machine add FILE replace' replaces it, and "
            "'cllprobe --name' gives another name",
            m->name));
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
        diag_error(diag, "cannot write %s: %s", target, destination_error(error));
    return error ? NULL : target;
}

static int by_name(const void *a, const void *b, void *context)
{
    (void)context;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The length of the name of a machine file, without the ending; 0 if it is another file. */
static size_t name_length(const char *file)
{
    size_t length = strlen(file), end = sizeof ending - 1;
    return length > end && file[0] != '.' && strcmp(file + length - end, ending) == 0 ? length - end
                                                                                      : 0;
}

/* Names and their bytes in a folder. Counts them if `names` is NULL; otherwise writes as many as
 * there is room for. Allocates nothing: out of memory would leave the folder open. */
struct names {
    const char **names;
    char *bytes;
    size_t n, used;         /* found */
    size_t most, most_used; /* room */
};

static int read_names(const char *folder, struct names *out)
{
    DIR *d = opendir(folder);
    if (!d)
        return errno == ENOENT ? 0 : -1;
    for (struct dirent *e; (e = readdir(d)) && out->n < out->most;) {
        size_t length = name_length(e->d_name);
        if (!length || out->used + length + 1 > out->most_used)
            continue;
        if (out->names) {
            memcpy(out->bytes + out->used, e->d_name, length);
            out->bytes[out->used + length] = '\0';
            out->names[out->n] = out->bytes + out->used;
        }
        out->n++;
        out->used += length + 1;
    }
    closedir(d);
    return 0;
}

const char **store_names(struct arena *a, size_t *n, struct diag *diag)
{
    const char *folder = store_folder(a, diag);
    struct names count = {.most = MOST_MACHINES, .most_used = SIZE_MAX / 2};
    *n = 0;
    if (!folder)
        return NULL;
    if (read_names(folder, &count))
        return diag_null(diag_error(diag, "%s: %s", folder, strerror(errno)));
    struct names found = {.names = arena_alloc(a, count.n + 1, sizeof *found.names),
                          .bytes = arena_alloc(a, count.used + 1, 1),
                          .most = count.n,
                          .most_used = count.used};
    read_names(folder, &found);
    sort_with(found.names, found.n, sizeof *found.names, by_name, NULL);
    *n = found.n;
    return found.names;
}

static const struct machine *unknown(const char *name, struct arena *a, struct diag *diag)
{
    size_t n;
    const char **names = store_names(a, &n, diag);
    if (!names)
        return NULL;
    TEXT_LOCAL struct text list = text_new();
    for (size_t i = 0; i < n && list.n < 200; i++)
        text_printf(&list, "%s%s", i ? ", " : "", names[i]);
    if (n)
        diag_error(diag, "there is no machine and no file '%s'; the machines are %s", name, list.s);
    else
        diag_error(diag,
                   "there is no machine and no file '%s'; cllprobe measures a machine, and "
                   "'machine add FILE' adds its file",
                   name);
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
