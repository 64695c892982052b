/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_folder(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

const char *path_ending(const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? dot : NULL;
}

const char *path_stem(struct arena *a, const char *path)
{
    const char *ending = path_ending(path);
    return ending ? arena_strndup(a, path, (size_t)(ending - path)) : path;
}

char **path_list(struct arena *a, const char *folder, size_t *n)
{
    struct dirent **entries;
    int found = scandir(folder, &entries, NULL, alphasort);
    *n = 0;
    if (found < 0)
        return NULL;
    char **paths = arena_alloc(a, (size_t)found + 1, sizeof *paths);
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            paths[(*n)++] = arena_printf(a, "%s/%s", folder, name);
        free(entries[i]);
    }
    free(entries);
    return paths;
}

const char *path_program(struct arena *a, const char *name)
{
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *full = n ? arena_printf(a, "%.*s/%s", (int)n, p, name) : name;
        if (!access(full, X_OK))
            return full;
        p += n;
    }
    return NULL;
}
