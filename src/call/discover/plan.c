/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sizes are run (sweep/vary.h), and at which place the counts are reported. */
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "translate/procs.h"

/* ---- sizes ---- */

void plan_place_of_row(const struct request *q, size_t row, double *place)
{
    for (size_t v = 0; v < q->nvariables; v++)
        place[v] = (double)q->rows[row][v];
}

static bool is_place(const struct request *q, const int64_t *row)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if ((double)row[v] != q->place[v])
            return false;
    return true;
}

size_t plan_row_of_place(const struct request *q)
{
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i] && is_place(q, q->rows[i]))
            return i;
    return q->beyond_end == EXTRA_COUNTED && is_place(q, q->beyond) ? q->nrows + 1 : SIZE_MAX;
}

struct plan_rows plan_rows(const struct request *q, size_t from, bool given, bool again)
{
    struct plan_rows r = {.list = arena_alloc(q->arena, q->nrows + 2, sizeof *r.list)};
    for (size_t i = from; i < q->nrows; i++)
        if (q->done[i] && !(given && extra_variable(q, i) != SIZE_MAX))
            r.list[r.n++] = i;
    if (again && q->again_done)
        r.list[r.n++] = q->nrows;
    return r;
}

struct plan_rows plan_rows_to_beyond(const struct request *q, size_t from)
{
    struct plan_rows r = plan_rows(q, from, false, false);
    if (q->beyond_end == EXTRA_COUNTED)
        r.list[r.n++] = q->nrows + 1;
    return r;
}

struct discover_points plan_points(const struct request *q, const struct plan_rows *r)
{
    int64_t(*at)[DISCOVER_MOST_VARIABLES] = arena_alloc(q->arena, r->n + 1, sizeof *at);
    for (size_t i = 0; i < r->n; i++)
        memcpy(at[i], q->rows[r->list[i] == q->nrows ? q->again : r->list[i]], sizeof *at);
    return (struct discover_points){.names = q->names,
                                    .nvariables = q->nvariables,
                                    .at = (const int64_t(*)[DISCOVER_MOST_VARIABLES])at,
                                    .n = r->n};
}

uint64_t *plan_counts(const struct request *q, const struct plan_rows *r, const uint64_t *at)
{
    uint64_t *counts = arena_alloc(q->arena, r->n + 1, sizeof *counts);
    for (size_t i = 0; i < r->n; i++)
        counts[i] = at[r->list[i]];
    return counts;
}

const char *plan_counts_text(const struct request *q, const uint64_t *counts, size_t n)
{
    struct text t = text_new();
    for (size_t i = 0; i < n; i++)
        text_printf(&t, "%llu ", (unsigned long long)counts[i]);
    return text_keep(&t, q->arena);
}

const char *plan_title(struct request *q, const int64_t *row)
{
    return vary_text(&q->plan, row, " = ", ", ");
}

static int read_sizes(struct request *q)
{
    int status = 0;
    struct range procs;
    for (size_t i = 0; i < q->vary.n && !status; i++)
        status = vary_read(&q->plan, q->vary.list[i]);
    if (!status && q->procs_option) {
        if (sweep_option(q->arena, q->procs_option, &procs))
            return 2;
        q->processors = q->plan.unmarked = q->plan.n;
        status = vary_add(&q->plan, "P", procs);
    }
    return status;
}

int plan_make(struct request *q)
{
    q->plan = (struct vary){.arena = q->arena, .self = "call discover", .unmarked = SIZE_MAX};
    q->processors = SIZE_MAX;
    int status = read_sizes(q);
    q->plan.also = q->prepare;
    if (!status && !q->plan.n)
        return SAY_STATUS(
            2,
            "call discover: no sizes: give --vary NAME=RANGE, as in --vary n=100:1600:2, and {n} in the "
            "program's arguments\n");
    if (!status)
        status = vary_make(&q->plan, &q->command);
    if (status)
        return status;
    memcpy(q->names, q->plan.names, sizeof q->names);
    memcpy(q->sizes, q->plan.sizes, sizeof q->sizes);
    q->nvariables = q->plan.n;
    q->rows = q->plan.rows;
    q->nrows = q->plan.nrows;
    extra_plan(q);
    q->done = arena_zalloc(q->arena, q->nrows + 2, sizeof *q->done);
    q->cost = arena_zalloc(q->arena, q->nrows + 2, sizeof *q->cost);
    q->memory = arena_zalloc(q->arena, q->nrows + 2, sizeof *q->memory);
    return 0;
}

/* ---- the place ---- */

static int usage(const char *value, const char *what)
{
    return SAY_STATUS(2, "call discover: --at: '%s' %s; see 'call discover --help'\n", value, what);
}

static int read_at(struct request *q, const char *text)
{
    while (*text) {
        size_t end = strcspn(text, ","), n = strcspn(text, "=");
        const char *part = arena_strndup(q->arena, text, end);
        size_t v = n < end ? vary_find(&q->plan, text, n) : SIZE_MAX;
        double x;
        if (v == SIZE_MAX)
            return usage(part, "is not NAME=SIZE with a NAME of --vary");
        if (arithmetic_parse(part + n + 1, &x) || !(x >= 0) || !isfinite(x))
            return usage(part, "has no size");
        if (q->sizes[v].n == 1 && x != q->sizes[v].values[0])
            return usage(part,
                         "is another size than the only one of --vary, which says nothing about "
                         "others; give more sizes");
        q->place[v] = x;
        text += end + (text[end] == ',');
    }
    return 0;
}

int plan_place(struct request *q)
{
    for (size_t i = 0; i < q->nrows; i++)
        for (size_t v = 0; v < q->nvariables && q->done[i]; v++)
            q->place[v] = fmax(q->place[v], (double)q->rows[i][v]);
    return q->at ? read_at(q, q->at) : 0;
}

const char *plan_place_title(struct request *q)
{
    struct text t = text_new();
    for (size_t v = 0; v < q->nvariables; v++)
        text_printf(&t, "%s%s = %s", v ? ", " : "", q->names[v],
                    number_digits(q->place[v], 12, NUMBER_BUFFER));
    return text_keep(&t, q->arena);
}
