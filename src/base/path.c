/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

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
