/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV of likwid-perfctr (-O, or -o FILE.csv): tables one after the other,
 *
 *     file   = { text | STRUCT,Info,... { key,value } | table }
 *     table  = TABLE [,Region NAME] ,Group G KIND ,GROUP ,number... { row }
 *     row    = Region Info,THREAD... | RDTSC Runtime [s],number... | call count,number...
 *            | Event,Counter,THREAD... | EVENT,COUNTER,number...
 *            | Metric,THREAD... | METRIC,number...
 *
 * KIND is Raw or Metric; the tables of kind `... STAT` have sums over the threads and are left out.
 * A region of the marker API is an experiment; without regions the program is one. Each hardware
 * thread is a sample, and P is their number. LIKWID adds up the calls of a region: times and events
 * are divided by the number of calls.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "data/import/fields.h"
#include "data/import/name.h"
#include "data/import/place.h"

enum { MOST_THREADS = 4096 };

enum part { PART_NONE, PART_INFO, PART_EVENTS, PART_METRICS };

struct likwid {
    struct import *in;
    struct import_place place; /* of the file */
    struct import_place here;  /* of the region: with P */
    enum part part;
    const char *name; /* of the region, or of the program */
    struct import_region *region;
    struct span *fields;
    size_t nfields, nthreads;
    double *calls;  /* by thread */
    size_t *rows;   /* by thread; SIZE_MAX: it has had no value yet */
    bool open;      /* a table is being read that is not left out */
    size_t digits;  /* of the time that was read; 0 = none yet */
    bool undivided; /* this time is not yet divided by the calls, which follow it */
};

static const char runtime_metric[] = "Runtime (RDTSC) [s]";
static const char runtime_region[] = "RDTSC Runtime [s]";

bool import_is_likwid(const char *text, size_t size)
{
    enum { LINES = 100 };
    struct span line;
    size_t at = 0;
    for (int n = 0; n < LINES && import_next_line(text, size, &at, &line); n++)
        if (fields_begins(text, line, "STRUCT,Info,") ||
            fields_begins(text, line, "TABLE,Group ") || fields_begins(text, line, "TABLE,Region "))
            return true;
    return false;
}

static bool field_is(const struct likwid *l, size_t i, const char *word)
{
    return i < l->nfields && fields_is(l->in->text, l->fields[i], word);
}

/* A line TABLE: whose it is, and whether its kind is read. */
static int open_table(struct likwid *l, struct span line)
{
    struct import *in = l->in;
    size_t group = 1;
    l->name = l->place.rest;
    if (l->nfields > 1 && fields_begins(in->text, l->fields[1], "Region ")) {
        struct span name = l->fields[1];
        name.begin += strlen("Region ");
        l->name = fields_text(in, fields_trim(in->text, name));
        group = 2;
    }
    if (l->nfields <= group || !fields_begins(in->text, l->fields[group], "Group "))
        return import_error(in, line, "the group of counters is missing in this line");
    const char *kind = strrchr(fields_text(in, l->fields[group]), ' ');
    bool raw = kind && strcmp(kind, " Raw") == 0;
    l->open = raw || (kind && strcmp(kind, " Metric") == 0);
    l->part = PART_NONE;
    if (raw) {
        l->nthreads = 0;
        l->digits = 0;
    }
    return 0;
}

/* The line that names the threads; those of a region are the same in all its tables. */
static int open_part(struct likwid *l, enum part part, size_t first, struct span line)
{
    struct import *in = l->in;
    size_t n = l->nfields > first ? l->nfields - first : 0;
    while (n > 0 && l->fields[first + n - 1].begin == l->fields[first + n - 1].end)
        n--;
    if (n == 0 || n > MOST_THREADS)
        return import_error(in, line,
                            n ? "more than %d hardware threads"
                              : "no hardware thread is named here (at most %d)",
                            MOST_THREADS);
    l->part = part;
    if (l->nthreads == 0) {
        l->here = l->place;
        import_place_processors(&l->here, (double)n);
        l->region = import_region_over(in, l->name, NULL, l->here.names, l->here.n, line);
        if (!l->region)
            return -1;
        l->nthreads = n;
        for (size_t i = 0; i < n; i++) {
            l->calls[i] = 1;
            l->rows[i] = SIZE_MAX;
        }
    }
    if (n != l->nthreads)
        return import_error(in, line, "%zu hardware threads here, %zu in the table before", n,
                            l->nthreads);
    return 0;
}

/* A value that LIKWID could not compute is missing. */
static int read_value(struct likwid *l, size_t i, double *x)
{
    struct import *in = l->in;
    struct span f = i < l->nfields ? l->fields[i] : (struct span){0, 0};
    *x = NAN;
    if (f.begin == f.end || fields_is(in->text, f, "-"))
        return 0;
    if (!import_number(in->text + f.begin, in->text + f.end, x))
        return import_error(in, f, "'%.40s' is not a number", fields_text(in, f));
    if (isinf(*x))
        *x = NAN;
    return 0;
}

static int read_calls(struct likwid *l)
{
    for (size_t i = 0; i < l->nthreads; i++) {
        double x;
        if (read_value(l, i + 1, &x))
            return -1;
        if (!(x >= 1))
            return import_error(l->in, l->fields[0], "the number of calls is missing or below 1");
        l->calls[i] = x;
    }
    return 0;
}

/* A row of numbers from field `first`. Times and events are per call. */
static int read_numbers(struct likwid *l, const char *name, size_t first, bool per_call,
                        struct span line)
{
    size_t observable = SIZE_MAX;
    for (size_t i = 0; i < l->nthreads; i++) {
        double x;
        if (read_value(l, first + i, &x))
            return -1;
        if (isnan(x))
            continue;
        if (observable == SIZE_MAX && import_observable(l->in, l->region, name, line, &observable))
            return -1;
        if (l->rows[i] == SIZE_MAX &&
            import_row(l->in, l->region, l->here.values, 0, (double)i, SIZE_MAX, line, &l->rows[i]))
            return -1;
        import_put(l->region, observable, l->rows[i], per_call ? x / l->calls[i] : x);
    }
    return 0;
}

/* The significant digits of a number. */
static size_t count_digits(const char *s, struct span f)
{
    size_t n = 0;
    for (size_t i = f.begin; i < f.end && s[i] != 'e' && s[i] != 'E'; i++)
        n += s[i] > '0' && s[i] <= '9' ? 1 : s[i] == '0' && n > 0;
    return n;
}

/* A region has its time twice, each rounded in its way: the one with more digits is taken. */
static int read_time(struct likwid *l, struct span line)
{
    size_t first = l->part == PART_EVENTS ? 2 : 1;
    size_t digits = first < l->nfields ? count_digits(l->in->text, l->fields[first]) : 0;
    if (l->digits && digits <= l->digits)
        return 0;
    l->digits = digits;
    l->undivided = l->part == PART_INFO;
    return read_numbers(l, "CLOCK", first, !l->undivided, line);
}

static int read_row(struct likwid *l, struct span line)
{
    struct import *in = l->in;
    const char *name = fields_text(in, l->fields[0]);
    if (l->nthreads == 0 || l->part == PART_NONE)
        return import_error(in, line, "a line that names the hardware threads is missing above");
    if (l->nfields < 2)
        return import_error(in, line, "the row has no value");
    if (l->part == PART_INFO && strcmp(name, "call count") == 0)
        return read_calls(l) || read_numbers(l, "calls", 1, false, line) ? -1 : 0;
    if (strcmp(name, runtime_metric) == 0 || strcmp(name, runtime_region) == 0)
        return read_time(l, line);
    if (l->part == PART_EVENTS)
        return read_numbers(l, name, 2, true, line);
    return read_numbers(l, name, 1, text_ends_with(name, " [s]"), line);
}

/* The time of a region comes before its calls: it is divided when they are known. */
static int finish_info(struct likwid *l, struct span line)
{
    size_t observable;
    if (!l->undivided)
        return 0;
    l->undivided = false;
    if (import_observable(l->in, l->region, "CLOCK", line, &observable))
        return -1;
    for (size_t i = 0; i < l->nthreads; i++)
        if (l->rows[i] != SIZE_MAX)
            l->region->observables[observable].values[l->rows[i]] /= l->calls[i];
    return 0;
}

static int read_line(struct likwid *l, struct span line)
{
    struct import *in = l->in;
    l->nfields = import_split(in->text, line, ',', l->fields, MOST_THREADS + 3);
    if (l->nfields > MOST_THREADS + 3)
        return import_error(in, line, "more than %d hardware threads", MOST_THREADS);
    bool table = field_is(l, 0, "TABLE"), structure = field_is(l, 0, "STRUCT");
    bool events = l->open && field_is(l, 0, "Event") && field_is(l, 1, "Counter");
    bool metrics = l->open && field_is(l, 0, "Metric");
    if ((table || structure || events) && finish_info(l, line))
        return -1;
    if (structure) {
        l->open = false;
        return 0;
    }
    if (table)
        return open_table(l, line);
    if (field_is(l, 0, "CPU name:") && l->nfields > 1 && !*in->file.cpu)
        in->file.cpu = import_clean(in, fields_text(in, l->fields[1]));
    if (!l->open || line.begin == line.end)
        return 0;
    if (events)
        return open_part(l, PART_EVENTS, 2, line);
    if (metrics)
        return open_part(l, PART_METRICS, 1, line);
    if (field_is(l, 0, "Region Info"))
        return open_part(l, PART_INFO, 1, line);
    return read_row(l, line);
}

int import_read_likwid(struct import *in)
{
    struct likwid *l = arena_zalloc(in->scratch, 1, sizeof *l);
    struct span line = {0, 0};
    size_t at = in->begin;
    l->in = in;
    l->fields = arena_alloc(in->scratch, MOST_THREADS + 3, sizeof *l->fields);
    l->calls = arena_alloc(in->scratch, MOST_THREADS, sizeof *l->calls);
    l->rows = arena_alloc(in->scratch, MOST_THREADS, sizeof *l->rows);
    if (import_place_of_file(in, &l->place))
        return -1;
    for (size_t n = 0; import_next_line(in->text, in->size, &at, &line); n++) {
        if ((n & 0xffff) == 0 && interrupt_came())
            return 0;
        if (read_line(l, line))
            return -1;
    }
    return finish_info(l, line);
}
