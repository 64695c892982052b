/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that several commands have (arguments.h). */
#define _GNU_SOURCE 1 /* GLOB_TILDE */
#include "llac/arguments.h"

#include <errno.h>
#include <glob.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arithmetic.h"

const struct experiment *read_experiment(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_experiment(c, &where);
    if (!name)
        return diag_null(session_name_missing(s, c));
    return session_experiment(s, c, name, where);
}

int read_observable(struct cursor *c, const char **observable)
{
    if (!cursor_keyword(c, "on"))
        return 0;
    struct span w = cursor_token(c);
    if (w.end == w.begin)
        return cursor_error_here(c, "the observable is missing: on OBS");
    *observable = cursor_text(c, w);
    return 0;
}

static bool is_pattern(const char *path)
{
    return (*path == '~' || strpbrk(path, "*?[")) && access(path, F_OK) != 0;
}

/* Nobody need write to a pipe that happens to have such a name: reading it would not end. */
static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

static void add_path(struct cursor *c, struct paths *out, char *path)
{
    ARENA_ADD(c->arena, out->list, out->n, &out->capacity, path);
}

int read_paths(struct cursor *c, struct paths *out, struct span *where)
{
    struct span at;
    glob_t found;
    char *path = cursor_path(c, &at);
    if (!path)
        return -1;
    if (where)
        *where = at;
    bool quoted = at.begin > 0 && strchr("\"'", c->source->text[at.begin - 1]);
    if (quoted || !is_pattern(path)) {
        add_path(c, out, path);
        return 0;
    }
    out->matched = true;
    size_t before = out->n;
    int status = glob(path, GLOB_TILDE, NULL, &found);
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
        if (is_file(found.gl_pathv[i]))
            add_path(c, out, arena_strdup(c->arena, found.gl_pathv[i]));
    globfree(&found);
    if (status == GLOB_NOSPACE)
        return cursor_error(c, at, "%s: %s", path, strerror(ENOMEM));
    return out->n == before ? cursor_error(c, at, "no file matches '%s'", path) : 0;
}

int read_number(struct cursor *c, const char *what, bool percent, double *value)
{
    struct span w = cursor_token(c);
    const char *after = arithmetic_start(cursor_text(c, w), value);
    if (after && percent && *after == '%')
        after++;
    if (!after || *after || *value < 0)
        return cursor_error(c, w, "'%s' needs a number", what);
    return 0;
}

int read_time(struct cursor *c, const char *what, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1},      {"s", 1},    {"ms", 1e-3}, {"us", 1e-6},
                 {"ns", 1e-9}, {"min", 60}, {"h", 3600}};
    struct span where = cursor_token(c);
    double value;
    const char *after = arithmetic_start(cursor_text(c, where), &value);
    for (size_t i = 0; after && i < sizeof units / sizeof *units; i++) {
        if (strcmp(after, units[i].name) != 0 || value < 0)
            continue;
        *seconds = value * units[i].seconds;
        return 0;
    }
    return cursor_error(c, where, "'%s' needs a time such as 60s, 5min, 2h or 100ms", what);
}

int arguments_check_observable(struct session *s, struct cursor *c, const struct experiment *e,
                               const char *observable)
{
    if (experiment_find_observable(e, observable) != SIZE_MAX &&
        strcmp(observable, DATA_DISTURBED) != 0)
        return 0;
    struct points_request request = session_points(s, c->arena, e, observable, NULL);
    struct points points;
    return points_make(c->arena, &request, c->diag, &points); /* says what there is */
}

/* Whether the values are over: one of these words comes next, not a variable of that name. */
static bool option_follows(struct cursor *c, const char *const *words)
{
    for (; *words; words++)
        if (cursor_is_next(c, *words))
            return true;
    return false;
}

char *read_variable(struct cursor *c, const char *const *names, size_t n, struct span *name_at,
                    struct span *value_at)
{
    char *name = cursor_variable(c, name_at);
    if (!name)
        return NULL;
    *value_at = cursor_value(c);
    if (text_is_in(names, n, name))
        cursor_error(c, *name_at, "'%s' is given twice", name);
    else if (value_at->end == value_at->begin)
        cursor_error_here(c, "a value of '%s' is missing", name);
    else if (n == MOST_VARIABLES)
        cursor_error(c, *name_at, "more than %d variables", MOST_VARIABLES);
    else
        return name;
    return NULL;
}

int read_assignments(struct cursor *c, const char *const *words, struct assignments *out)
{
    if (!out->names) { /* else it goes on */
        out->names = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->names);
        out->values = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->values);
        out->spans = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->spans);
        out->rows = 1;
    }
    while (!cursor_done(c) && !option_follows(c, words)) {
        struct span name_at, value_at;
        char *name = read_variable(c, out->names, out->n, &name_at, &value_at);
        if (!name || range_parse(c->arena, c->source, value_at, c->diag, &out->values[out->n]))
            return -1;
        out->names[out->n] = name;
        out->spans[out->n] = name_at;
        size_t length = out->values[out->n++].n;
        if (length > RANGE_MAX_VALUES / out->rows)
            return cursor_error(c, value_at, "more than %d predictions in one command",
                                RANGE_MAX_VALUES);
        out->rows *= length;
    }
    return 0;
}

int read_place_value(struct cursor *c, struct given_place *out)
{
    struct span name_at, value_at;
    struct range range;
    char *name = read_variable(c, out->names, out->n, &name_at, &value_at);
    if (!name || range_parse(c->arena, c->source, value_at, c->diag, &range))
        return -1;
    if (range.n != 1)
        return cursor_error(c, value_at, "one value of '%s' is expected here, not a range", name);
    out->names[out->n] = name;
    out->values[out->n++] = range.values[0];
    return 0;
}

void arguments_row(const struct assignments *a, size_t r, double *values)
{
    for (size_t i = a->n; i-- > 0;) {
        values[i] = a->values[i].values[r % a->values[i].n];
        r /= a->values[i].n;
    }
}
