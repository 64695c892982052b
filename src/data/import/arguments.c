/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments in the names of benchmarks (arguments.h). */
#include "data/import/arguments.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

bool import_is_one_of(const char *s, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, s) == 0)
            return true;
    return false;
}

static int name_error(struct import *in, const struct json_way *way, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int name_error(struct import *in, const struct json_way *way, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(in->arena, format, args);
    va_end(args);
    return way ? json_error_at(in, way, "%s", text) : import_error(in, import_nowhere, "%s", text);
}

/* One part of the name into `a`, or appended to `path`. */
static int read_part(struct import *in, const struct json_way *way, const char *part, bool settings,
                     struct import_place *a, struct text *path)
{
    static const char *const keys[] = {"repeats", "iterations", "min_time", "min_warmup_time",
                                       NULL};
    static const char *const kinds[] = {"real_time", "process_time", "manual_time", NULL};
    const char *colon = strrchr(part, ':');
    double value;
    const char *key = colon ? arena_strndup(in->scratch, part, (size_t)(colon - part)) : NULL;
    bool number = import_number_text(colon ? colon + 1 : part, &value) && isfinite(value);
    if (settings && path->n &&
        ((key && import_is_one_of(key, keys)) || import_is_one_of(part, kinds)))
        return 0;
    if (!number || !path->n || (key && (!*key || key[strlen(key) - 1] == ':'))) {
        text_printf(path, "%s%s", path->n ? "/" : "", part);
        return 0;
    }
    if (a->n == IMPORT_MAX_COLUMNS)
        return name_error(in, way, "more than %d arguments", IMPORT_MAX_COLUMNS);
    a->names[a->n] = !key ? NULL : strcmp(key, "threads") == 0 ? "T" : key;
    a->values[a->n++] = value;
    return 0;
}

/* Names for the arguments that have none: those of the option, else N, or N1 N2 ... */
static int name_arguments(struct import *in, const struct json_way *way, struct import_place *a)
{
    const char **given;
    size_t ngiven = import_list(in, in->options->variables, &given), unnamed = 0, k = 0;
    for (size_t i = 0; i < a->n; i++)
        unnamed += !a->names[i];
    if (ngiven && unnamed != ngiven)
        return name_error(in, way, "variables= names %zu arguments, this benchmark has %zu", ngiven,
                          unnamed);
    for (size_t i = 0; i < a->n; i++) {
        if (a->names[i])
            continue;
        k++;
        a->names[i] = ngiven         ? given[k - 1]
                      : unnamed == 1 ? "N"
                                     : arena_printf(in->scratch, "N%zu", k);
    }
    for (size_t i = 0; i < a->n; i++)
        if (text_is_in(a->names, i, a->names[i]))
            return name_error(in, way, "two arguments are named '%.60s'", a->names[i]);
    return 0;
}

struct import_region *import_benchmark(struct import *in, const struct json_way *way,
                                       const char *name, bool settings, struct import_place *a)
{
    char *copy = arena_strdup(in->scratch, name), *rest = copy;
    int status = 0;
    TEXT_LOCAL struct text path = text_new();
    a->n = 0;
    for (char *part; status == 0 && (part = strsep(&rest, "/"));)
        status = read_part(in, way, part, settings, a, &path);
    struct import_region *r = NULL;
    if (status == 0 && path.n == 0)
        name_error(in, way, "the benchmark has no name");
    else if (status == 0 && name_arguments(in, way, a) == 0) {
        const char *plain = arena_strdup(in->scratch, path.s);
        /* Benchmarks of one name with other arguments are other experiments. */
        for (size_t i = 0; i < a->n; i++)
            text_printf(&path, "/%s", a->names[i]);
        r = import_region_over(in, path.s, plain, a->names, a->n, import_nowhere);
    }
    return r;
}
