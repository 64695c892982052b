/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which sizes are run. One variable: all of its sizes. Several: all combinations, if they are few; else each
 * variable alone, with the others at their smallest size, and combinations of the three smallest sizes.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "translate/procs.h"

enum { MOST_COMBINATIONS = 30, MOST_ROWS = 200, SMALLEST = 3 };

static int usage(const char *option, const char *value, const char *what)
{
    say("call discover: %s: '%s' %s; see 'call discover --help'\n", option, value, what);
    return 2;
}

/* ---- variables ---- */

static int by_value(const void *x, const void *y, void *context)
{
    double p = *(const double *)x, q = *(const double *)y;
    (void)context;
    return p < q ? -1 : p > q;
}

/* Ascending, each once. */
static void order(struct range *sizes)
{
    size_t n = 0;
    sort_with(sizes->values, sizes->n, sizeof *sizes->values, by_value, NULL);
    for (size_t i = 0; i < sizes->n; i++)
        if (!n || sizes->values[n - 1] != sizes->values[i])
            sizes->values[n++] = sizes->values[i];
    sizes->n = n;
}

static bool is_name(const char *s, size_t n)
{
    if (!n || !(isalpha((unsigned char)*s) || *s == '_'))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(isalnum((unsigned char)s[i]) || s[i] == '_'))
            return false;
    return true;
}

static size_t find_variable(const struct request *q, const char *name, size_t n)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if (strlen(q->names[v]) == n && !strncmp(q->names[v], name, n))
            return v;
    return SIZE_MAX;
}

static int add_variable(struct request *q, const char *name, struct range sizes)
{
    if (q->nvariables == DISCOVER_MOST_VARIABLES) {
        say("call discover: there are more than %d variables\n", DISCOVER_MOST_VARIABLES);
        return 2;
    }
    order(&sizes);
    q->names[q->nvariables] = name;
    q->sizes[q->nvariables++] = sizes;
    return 0;
}

static int read_vary(struct request *q, const char *value)
{
    size_t n = strcspn(value, "=");
    struct range sizes;
    if (!value[n] || !is_name(value, n))
        return usage("--vary", value, "is not NAME=RANGE; write n=100:1600:2");
    if (n == 1 && *value == 'P')
        return usage("--vary", value, "names P; --procs gives the numbers of processors");
    if (find_variable(q, value, n) != SIZE_MAX)
        return usage("--vary", value, "names a variable twice; list its sizes: n=10,20:80:2");
    struct source source = {"--vary", value, strlen(value)};
    struct diag *diag = diag_create();
    int failed = range_parse(q->arena, &source, (struct span){n + 1, source.size}, diag, &sizes);
    diag_print(diag, stderr, 0);
    diag_destroy(diag);
    if (failed)
        return 2;
    for (size_t i = 0; i < sizes.n; i++)
        if (sizes.values[i] != floor(sizes.values[i]) || sizes.values[i] < 0 ||
            sizes.values[i] > DISCOVER_MOST_SIZE)
            return usage("--vary", value, "has a size that is no whole number from 0 to 1e12");
    return add_variable(q, arena_strndup(q->arena, value, n), sizes);
}

/* ---- rows ---- */

static size_t index_sum(const struct request *q, const size_t *index)
{
    size_t sum = 0;
    for (size_t v = 0; v < q->nvariables; v++)
        sum += index[v];
    return sum;
}

static bool is_wanted(const struct request *q, const size_t *index, bool all)
{
    size_t moved = 0;
    bool is_small = true;
    for (size_t v = 0; v < q->nvariables; v++) {
        moved += index[v] > 0;
        is_small &= index[v] < SMALLEST;
    }
    return all || moved <= 1 || is_small;
}

static void add_row(struct request *q, const size_t *index)
{
    for (size_t v = 0; v < q->nvariables; v++)
        q->rows[q->nrows][v] = (int64_t)q->sizes[v].values[index[v]];
    q->nrows++;
}

/* Counts up like an odometer. False after the last. */
static bool next_index(const struct request *q, size_t *index)
{
    for (size_t v = 0; v < q->nvariables; v++) {
        if (++index[v] < q->sizes[v].n)
            return true;
        index[v] = 0;
    }
    return false;
}

/* Small ones first: by how far their sizes are from the smallest. */
static int make_rows(struct request *q)
{
    double all = 1;
    size_t most = 0;
    for (size_t v = 0; v < q->nvariables; v++) {
        all *= (double)q->sizes[v].n;
        most += q->sizes[v].n - 1;
    }
    bool every = q->nvariables == 1 || all <= MOST_COMBINATIONS;
    if (all > 1e6)
        return usage("--vary", q->names[0], "has too many sizes; a dozen is plenty");
    q->rows = arena_zalloc(q->arena, (size_t)all + 1, sizeof *q->rows);
    for (size_t sum = 0; sum <= most; sum++) {
        size_t index[DISCOVER_MOST_VARIABLES] = {0};
        do
            if (index_sum(q, index) == sum && is_wanted(q, index, every))
                add_row(q, index);
        while (next_index(q, index));
    }
    if (q->nrows > MOST_ROWS) {
        say("call discover: --vary asks for %zu runs, at most %d are made; give fewer sizes\n",
            q->nrows, MOST_ROWS);
        return 2;
    }
    q->done = arena_zalloc(q->arena, q->nrows + 1, sizeof *q->done);
    return 0;
}

/* ---- words ---- */

static const char *find_mark(const char *s, const char *name)
{
    size_t n = strlen(name);
    for (; (s = strchr(s, '{')); s++)
        if (!strncmp(s + 1, name, n) && s[n + 1] == '}')
            return s;
    return NULL;
}

static bool has_mark(const struct words *w, const char *name)
{
    for (size_t i = 0; i < w->n; i++)
        if (find_mark(w->list[i], name))
            return true;
    return false;
}

static const char *fill(struct request *q, const char *word, const char *name, int64_t size)
{
    struct text t;
    const char *mark;
    if (!find_mark(word, name))
        return word;
    text_init(&t);
    for (; (mark = find_mark(word, name)); word = mark + strlen(name) + 2) {
        text_addn(&t, word, (size_t)(mark - word));
        text_printf(&t, "%lld", (long long)size);
    }
    text_add(&t, word);
    const char *result = arena_strdup(q->arena, t.s);
    text_free(&t);
    return result;
}

struct words plan_words(struct request *q, const struct words *command, const int64_t *row)
{
    struct words w = {0};
    for (size_t i = 0; i < command->n; i++) {
        const char *word = command->list[i];
        for (size_t v = 0; v < q->nvariables; v++)
            word = fill(q, word, q->names[v], row[v]);
        words_add(q->arena, &w, word);
    }
    return w;
}

const char *plan_title(struct request *q, const int64_t *row)
{
    struct text t;
    text_init(&t);
    for (size_t v = 0; v < q->nvariables; v++)
        text_printf(&t, "%s%s = %lld", v ? ", " : "", q->names[v], (long long)row[v]);
    const char *result = arena_strdup(q->arena, t.s);
    text_free(&t);
    return result;
}

/* Every variable must be in the command. */
static int check_marks(const struct request *q)
{
    for (size_t v = 0; v < q->nvariables; v++) {
        if (v == q->processors || has_mark(&q->command, q->names[v]))
            continue;
        say("call discover: {%s} is nowhere in the command: write it after '--' where the program takes "
            "%s, as in '-- {%s}'\n",
            q->names[v], q->names[v], q->names[v]);
        return 2;
    }
    return 0;
}

int plan_make(struct request *q)
{
    int status = 0;
    struct range procs;
    q->processors = SIZE_MAX;
    for (size_t i = 0; i < q->vary.n && !status; i++)
        status = read_vary(q, q->vary.list[i]);
    if (!status && q->procs_option) {
        if (sweep_option(q->arena, q->procs_option, &procs))
            return 2;
        q->processors = q->nvariables;
        status = add_variable(q, "P", procs);
    }
    if (!status && !q->nvariables) {
        say("call discover: no sizes: give --vary NAME=RANGE, as in --vary n=100:1600:2, and {n} in the "
            "program's arguments\n");
        return 2;
    }
    if (!status)
        status = check_marks(q);
    return status ? status : make_rows(q);
}

/* ---- the place ---- */

static int read_at(struct request *q, const char *text)
{
    while (*text) {
        size_t end = strcspn(text, ","), n = strcspn(text, "=");
        const char *part = arena_strndup(q->arena, text, end);
        size_t v = n < end ? find_variable(q, text, n) : SIZE_MAX;
        double x;
        if (v == SIZE_MAX)
            return usage("--at", part, "is not NAME=SIZE with a NAME of --vary");
        if (arithmetic_parse(part + n + 1, &x) || !(x >= 0) || !isfinite(x))
            return usage("--at", part, "has no size");
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
