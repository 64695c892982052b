/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/path.h"
#include "base/text.h"

static const char ending[] = ".json";
enum { MOST_BYTES = 64 << 20 };

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
    MEM_LOCAL char *text = NULL;
    size_t size = 0;
    int error = source_read(path, MOST_BYTES, &text, &size);
    if (!error)
        error = make_folder(a, folder);
    if (!error && outfile_replace(target, text, size))
        error = errno;
    if (error)
        diag_error(diag, "cannot write %s: %s", target, destination_error(error));
    return error ? NULL : target;
}

const char **store_names(struct arena *a, size_t *n, struct diag *diag)
{
    const char *folder = store_folder(a, diag);
    size_t files;
    *n = 0;
    if (!folder)
        return NULL;
    char **paths = path_list(a, folder, &files);
    if (!paths && errno != ENOENT)
        return diag_null(diag_error(diag, "%s: %s", folder, strerror(errno)));
    const char **names = arena_alloc(a, files + 1, sizeof *names);
    for (size_t i = 0; paths && i < files; i++) {
        const char *name = path_base(paths[i]);
        if (name[0] != '.' && text_ends_with(name, ending))
            names[(*n)++] = path_stem(a, name);
    }
    return names;
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
