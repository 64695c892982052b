/* SPDX-License-Identifier: MIT */
/*
 * The columns of the table: nine fixed ones, the union of all variables, the observables. A
 * variable whose name is taken gets _ appended until it is unique. A file with watched executions
 * has the columns CPUTIME and disturbed.
 */
#define _GNU_SOURCE
#include "spool/columns.h"
#include "spool/name.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static const char *const fixed[] = {"experiment", "run",  "seq",    "start", "nested",
                                    "P",          "rank", "thread", "count"};

/* Grows an array of pages by doubling; null when there is no memory. */
static void *grow(void *old, size_t *room, size_t size)
{
    size_t more = *room ? *room * 2 : 64;
    void *made = mmap(NULL, more * size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    if (old) {
        memcpy(made, old, *room * size);
        munmap(old, *room * size);
    }
    *room = more;
    return made;
}

static void drop(void *old, size_t bytes)
{
    if (old && bytes)
        munmap(old, bytes);
}

void cll_column_name(const char *variable, char name[COLUMN_NAME])
{
    size_t n = 0;
    for (const char *p = variable; *p && n < COLUMN_NAME - 16; p++)
        if (*p != ' ' && *p != '\t')
            name[n++] = *p;
    name[n] = 0;
    if (cll_name_is(CLL_NAME_VARIABLE, name, n))
        return;
    /* Only a damaged spool has such a name, or one with letters that are not UTF-8. */
    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        length = cll_name_letter_or_digit(name + i, n - i);
        if (!length)
            name[i] = '_';
    }
    if (!n || (name[0] >= '0' && name[0] <= '9'))
        name[0] = '_';
    name[n ? n : 1] = 0;
}

/* ---- observables */

int cll_column_in_billionths(const char *observable)
{
    static const char *const names[] = {"CPUTIME", "DEVICE", "TRANSFER", "WAVES"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(observable, names[i]))
            return 1;
    return 0;
}

static size_t find_observable(const struct read_columns *c, const char *name)
{
    size_t i = 0;
    while (i < c->nobs && strcmp(c->observables[i], name))
        i++;
    return i;
}

static int add_observable(struct read_columns *c, const char *name)
{
    if (find_observable(c, name) < c->nobs)
        return 0;
    if (c->nobs == c->obs_room) {
        size_t old = c->obs_room, same = c->obs_room;
        void *names = grow(c->observables, &old, sizeof *c->observables);
        void *marks = names ? grow(c->nanoseconds, &same, 1) : NULL;
        c->observables = names;
        c->nanoseconds = marks;
        c->obs_room = old;
        if (!marks)
            return ENOMEM;
    }
    c->nanoseconds[c->nobs] = cll_column_in_billionths(name);
    c->observables[c->nobs++] = name;
    return 0;
}

static int add_observables_of(struct read_columns *c, const struct read_experiment *e)
{
    const char *at = e->formulas;
    int error = 0;
    for (unsigned i = 0; i < e->nformulas && !error; i++) {
        if (*at && strcmp(at, "SELF") != 0) /* llac computes it from the clock */
            error = add_observable(c, at);
        at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
    for (unsigned i = 0; i < e->nextra && !error; i++)
        error = add_observable(c, e->extra[i]);
    return error;
}

/* After all others: most files have no such experiment. */
static int add_watched(struct read_columns *c, const struct read_spool *spool)
{
    for (unsigned id = 0; id < spool->nids; id++) {
        const struct read_experiment *e = &spool->experiments[id];
        if (e->name && e->selected && e->watched) {
            int error = add_observable(c, "CPUTIME");
            return error ? error : add_observable(c, "disturbed");
        }
    }
    return 0;
}

/* ---- variables */

static int same_name(size_t index, const void *key, void *data)
{
    const struct read_columns *c = data;
    return !strcmp(c->vars[index].name, key);
}

static uint64_t hash_of_name(size_t index, void *data)
{
    const struct read_columns *c = data;
    return cll_hash_text(c->vars[index].name);
}

static int add_variable(struct read_columns *c, const char *variable, size_t *index)
{
    char name[COLUMN_NAME];
    cll_column_name(variable, name);
    *index = cll_map_find(&c->by_name, cll_hash_text(name), same_name, name, c);
    if (*index != SIZE_MAX)
        return 0;
    if (c->nvars == c->room) {
        void *more = grow(c->vars, &c->room, sizeof *c->vars);
        if (!more)
            return ENOMEM;
        c->vars = more;
    }
    *index = c->nvars++;
    memcpy(c->vars[*index].name, name, sizeof name);
    memcpy(c->vars[*index].title, name, sizeof name);
    return cll_map_add(&c->by_name, cll_hash_text(name), *index, hash_of_name, c);
}

static size_t find_variable(struct read_columns *c, const char *variable)
{
    char name[COLUMN_NAME];
    cll_column_name(variable, name);
    return cll_map_find(&c->by_name, cll_hash_text(name), same_name, name, c);
}

static int is_taken(struct read_columns *c, const char *title, size_t self)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!strcmp(title, fixed[i]))
            return 1;
    if (find_observable(c, title) < c->nobs)
        return 1;
    size_t other = cll_map_find(&c->by_name, cll_hash_text(title), same_name, title, c);
    return other != SIZE_MAX && other != self;
}

static void make_titles(struct read_columns *c)
{
    for (size_t i = 0; i < c->nvars; i++) {
        char *title = c->vars[i].title;
        for (size_t n = strlen(title); is_taken(c, title, i) && n < COLUMN_NAME - 1; n++) {
            title[n] = '_';
            title[n + 1] = 0;
        }
    }
}

/* ---- maps */

/* Where a record of the experiment has its observables; map begins at the first of them. */
static void map_observables(const struct read_columns *c, const struct read_experiment *e, int *map)
{
    size_t cpu = find_observable(c, "CPUTIME"), disturbed = find_observable(c, "disturbed");
    map[0] = COLUMN_CLOCK;
    if (cpu < c->nobs)
        map[cpu] = COLUMN_CPU;
    if (disturbed < c->nobs)
        map[disturbed] = COLUMN_DISTURBED;
    for (unsigned i = 0; i < e->nextra; i++) {
        size_t index = find_observable(c, e->extra[i]);
        if (index < c->nobs)
            map[index] = (int)i;
    }
}

int cll_columns_map_all(struct read_columns *c, const struct read_spool *spool)
{
    size_t width = c->nvars + c->nobs, row = 0, wanted = 0;
    for (unsigned id = 0; id < spool->nids; id++)
        wanted += spool->experiments[id].name && spool->experiments[id].selected;
    c->maps_bytes = (wanted * width + 1) * sizeof *c->maps;
    void *maps = mmap(NULL, c->maps_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    c->nids = spool->nids;
    void *rows = mmap(NULL, c->nids * sizeof *c->map_of, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    c->maps = maps == MAP_FAILED ? NULL : maps;
    c->map_of = rows == MAP_FAILED ? NULL : rows;
    if (!c->maps || !c->map_of)
        return ENOMEM;
    for (unsigned id = 0; id < spool->nids; id++) {
        const struct read_experiment *e = &spool->experiments[id];
        if (!e->name || !e->selected)
            continue;
        int *map = c->maps + row * width;
        c->map_of[id] = row++;
        for (size_t i = 0; i < width; i++)
            map[i] = -1;
        for (unsigned i = 0; i < e->nvars; i++) {
            size_t index = find_variable(c, e->vars[i]);
            if (index != SIZE_MAX)
                map[index] = (int)i;
        }
        map_observables(c, e, map + c->nvars);
    }
    return 0;
}

int cll_columns_make(struct read_columns *c, const struct read_spool *spool)
{
    memset(c, 0, sizeof *c);
    int error = add_observable(c, "CLOCK");
    for (unsigned id = 0; id < spool->nids && !error; id++) {
        const struct read_experiment *e = &spool->experiments[id];
        if (!e->name || !e->selected)
            continue;
        error = add_observables_of(c, e);
        for (unsigned i = 0; i < e->nvars && !error; i++) {
            size_t index;
            error = add_variable(c, e->vars[i], &index);
        }
    }
    if (!error)
        error = add_watched(c, spool);
    if (!error)
        make_titles(c);
    return error;
}

const int *cll_columns_map(const struct read_columns *c, unsigned id)
{
    return c->maps + c->map_of[id] * (c->nvars + c->nobs);
}

void cll_columns_free(struct read_columns *c)
{
    drop(c->vars, c->room * sizeof *c->vars);
    drop(c->observables, c->obs_room * sizeof *c->observables);
    drop(c->nanoseconds, c->obs_room);
    drop(c->maps, c->maps_bytes);
    drop(c->map_of, c->nids * sizeof *c->map_of);
    cll_map_free(&c->by_name);
    memset(c, 0, sizeof *c);
}
