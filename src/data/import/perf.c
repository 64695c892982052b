/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `perf stat -x SEPARATOR`. A line is a counter:
 *
 *     [time stamp] [unit of the machine [number of CPUs]] value unit event [variance%]
 *     run-time percentage [metric unit-of-metric]
 *
 * The fields are found from the event, the first field that is neither a number nor follows one that
 * is not a unit. Commas inside fields are not quoted, so other separators than the comma are tried,
 * too. Lines whose value and event are empty hold further metrics and are left out. perf names no
 * program: the experiment has the name of the file.
 *
 * A sample begins at a line `# started on`, at another time stamp, and at an event that the sample
 * has already, or that precedes its last one.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "data/import/fields.h"
#include "data/import/place.h"

enum { MOST_FIELDS = 16, MOST_UNITS = 4096 };

struct counter {
    struct span fields[MOST_FIELDS];
    size_t n, value; /* index of the value; unit and event follow */
    double x;        /* the value; nan: not counted */
};

/* A CPU, core, socket or thread of which perf printed counters; "" = all together. */
struct unit {
    const char *id;
    size_t row, last_event, block;
    double stamp, thread;
};

struct event {
    const char *name;
    size_t observable; /* SIZE_MAX: it has had no value yet */
    double scale;
};

struct perf {
    struct import *in;
    struct import_region *region;
    const double *at;
    struct unit *units;
    size_t nunits, units_capacity;
    struct event events[IMPORT_MAX_COLUMNS];
    size_t nevents, block;
    char separator;
};

static bool is_number(const char *s, struct span f, double *x)
{
    return import_number(s + f.begin, s + f.end, x) && isfinite(*x);
}

static bool is_value(const char *s, struct span f, double *x)
{
    *x = NAN;
    return is_number(s, f, x) || fields_begins(s, f, "<not ");
}

static bool is_empty(struct span f)
{
    return f.begin == f.end;
}

/* Whether fields[i] is the value: a unit or nothing, an event, a run-time and a percentage follow. */
static bool is_counter_at(const char *s, const struct counter *c, size_t i)
{
    double x;
    const struct span *f = c->fields;
    if (i + 4 >= c->n || !is_value(s, f[i], &x) || is_number(s, f[i + 1], &x) ||
        is_empty(f[i + 2]) || is_number(s, f[i + 2], &x))
        return false;
    size_t after = i + 3;
    if (!is_empty(f[after]) && s[f[after].end - 1] == '%')
        after++;
    return after + 1 < c->n && is_number(s, f[after], &x) && is_number(s, f[after + 1], &x) &&
           x >= 0 && x < 101;
}

static bool read_counter(const char *s, struct span line, char separator, struct counter *c)
{
    size_t n = import_split(s, line, separator, c->fields, MOST_FIELDS);
    c->n = n < MOST_FIELDS ? n : MOST_FIELDS;
    for (c->value = 0; c->value < 4; c->value++)
        if (is_counter_at(s, c, c->value))
            return is_value(s, c->fields[c->value], &c->x);
    return false;
}

static bool is_comment(const char *s, struct span line)
{
    return fields_begins(s, fields_trim(s, line), "#");
}

/* The separator of the first line that is a counter; 0 if the first line with fields is not one. */
static char find_separator(const char *text, size_t size)
{
    static const char candidates[] = ",;\t|";
    struct span line;
    struct counter c;
    for (size_t at = 0; import_next_line(text, size, &at, &line);) {
        if (is_empty(fields_trim(text, line)) || is_comment(text, line))
            continue;
        for (const char *p = candidates; *p; p++)
            if (read_counter(text, line, *p, &c))
                return *p;
        return 0;
    }
    return 0;
}

bool import_is_perf(const char *text, size_t size)
{
    return find_separator(text, size) != 0;
}

static int find_event(struct perf *p, const struct counter *c, size_t *index)
{
    struct import *in = p->in;
    struct span name = c->fields[c->value + 2];
    for (*index = 0; *index < p->nevents; ++*index)
        if (fields_is(in->text, name, p->events[*index].name))
            return 0;
    if (p->nevents == IMPORT_MAX_COLUMNS)
        return import_error(in, name, "more than %d events", IMPORT_MAX_COLUMNS);
    p->events[p->nevents++] = (struct event){.name = fields_text(in, name), .observable = SIZE_MAX};
    return 0;
}

/* The event's observable: the elapsed time is CLOCK, the time of the task is CPUTIME. */
static int name_event(struct perf *p, const struct counter *c, struct event *e)
{
    struct import *in = p->in;
    const char *time = in->options->time;
    struct span where = c->fields[c->value + 2];
    double seconds = import_seconds(fields_text(in, c->fields[c->value + 1]));
    bool is_time = strcmp(e->name, time ? time : "duration_time") == 0;
    in->time_found = in->time_found || is_time;
    e->scale = seconds > 0 ? seconds : is_time ? in->unit : 1;
    return import_observable(in, p->region,
                             is_time                              ? "CLOCK"
                             : strcmp(e->name, "task-clock") == 0 ? "CPUTIME"
                                                                  : e->name,
                             where, &e->observable);
}

static int find_unit(struct perf *p, const struct counter *c, struct unit **unit, double *stamp)
{
    struct import *in = p->in;
    struct span id = {0, 0};
    size_t first = 0;
    *stamp = NAN;
    if (c->value > 0 && is_number(in->text, c->fields[0], stamp))
        first = 1;
    if (c->value > first)
        id = c->fields[first];
    for (size_t i = 0; i < p->nunits; i++)
        if (fields_is(in->text, id, p->units[i].id)) {
            *unit = &p->units[i];
            return 0;
        }
    if (p->nunits == MOST_UNITS)
        return import_error(in, id, "more than %d CPUs or threads", MOST_UNITS);
    p->units = arena_grow(in->scratch, p->units, p->nunits, &p->units_capacity, p->nunits + 1,
                          sizeof *p->units);
    *unit = &p->units[p->nunits];
    **unit = (struct unit){
        .id = fields_text(in, id), .row = SIZE_MAX, .stamp = NAN, .thread = (double)p->nunits};
    p->nunits++;
    return 0;
}

static bool is_summary(const struct import *in, const struct counter *c)
{
    return c->value > 0 && fields_is(in->text, c->fields[0], "summary");
}

static int add_counter(struct perf *p, const struct counter *c, struct span line)
{
    struct import *in = p->in;
    struct unit *u = NULL;
    double stamp;
    size_t index;
    if (is_summary(in, c)) /* the sum of the intervals before it */
        return 0;
    if (find_event(p, c, &index) || find_unit(p, c, &u, &stamp))
        return -1;
    struct event *e = &p->events[index];
    bool same_stamp = stamp == u->stamp || (isnan(stamp) && isnan(u->stamp));
    if (u->block != p->block || !same_stamp || index <= u->last_event)
        u->row = SIZE_MAX;
    u->block = p->block, u->stamp = stamp, u->last_event = index;
    if (isnan(c->x)) {
        import_note(in, "perf did not count %.60s in every sample", e->name);
        return 0;
    }
    if (e->observable == SIZE_MAX && name_event(p, c, e))
        return -1;
    if (u->row == SIZE_MAX) {
        if (import_row(in, p->region, p->at, 0, u->thread, SIZE_MAX, line, &u->row))
            return -1;
        p->region->fixed[FIELD_START].values[u->row] = stamp;
    }
    import_put(p->region, e->observable, u->row, c->x * e->scale);
    return 0;
}

static int read_line(struct perf *p, struct span line)
{
    struct import *in = p->in;
    struct counter c;
    struct span rest = fields_trim(in->text, line);
    if (is_empty(rest))
        return 0;
    if (is_comment(in->text, line)) {
        p->block += fields_begins(in->text, rest, "# started on");
        return 0;
    }
    if (read_counter(in->text, line, p->separator, &c))
        return add_counter(p, &c, line);
    if (in->text[rest.begin] == p->separator) /* a further metric of the counter above */
        return 0;
    return import_error(in, line,
                        "this is not a counter of perf stat; write the counters to a file of their "
                        "own: perf stat -x, -o FILE");
}

int import_read_perf(struct import *in)
{
    struct import_place place;
    struct perf *p = arena_zalloc(in->scratch, 1, sizeof *p);
    struct span line;
    p->in = in;
    p->block = 1;
    p->separator = find_separator(in->text + in->begin, in->size - in->begin);
    if (import_place_of_file(in, &place))
        return -1;
    p->at = place.values;
    p->region = import_region_over(in, place.rest, NULL, place.names, place.n, import_nowhere);
    if (!p->region)
        return -1;
    size_t at = in->begin;
    for (size_t n = 0; import_next_line(in->text, in->size, &at, &line); n++) {
        if ((n & 0xffff) == 0 && interrupt_came())
            return 0;
        if (read_line(p, line))
            return -1;
    }
    if (!in->time_found && !in->options->time && p->nevents)
        import_note(in, "no elapsed time: perf stat -e duration_time,... measures it");
    return 0;
}
