/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sizes of its arguments a program is run at (see vary.h). */
#include "call/sweep/vary.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/text.h"

enum { MOST_COMBINATIONS = 30, MOST_ROWS = 200, SMALLEST = 3 };

static int usage(const struct vary *v, const char *value, const char *what)
{
    return SAY_STATUS(2, "%s: --vary: '%s' %s; see '%s --help'\n", v->self, value, what, v->self);
}

/* ---- variables ---- */

static int by_value(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return p < q ? -1 : p > q;
}

/* Ascending, each once. */
static void order(struct range *sizes)
{
    size_t n = 0;
    sort_list(sizes->values, sizes->n, sizeof *sizes->values, by_value);
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

size_t vary_find(const struct vary *v, const char *name, size_t n)
{
    for (size_t i = 0; i < v->n; i++)
        if (strlen(v->names[i]) == n && !strncmp(v->names[i], name, n))
            return i;
    return SIZE_MAX;
}

int vary_add(struct vary *v, const char *name, struct range sizes)
{
    if (v->n == VARY_MOST)
        return SAY_STATUS(2, "%s: there are more than %d variables\n", v->self, VARY_MOST);
    order(&sizes);
    v->names[v->n] = name;
    v->sizes[v->n++] = sizes;
    return 0;
}

int vary_read(struct vary *v, const char *value)
{
    size_t n = strcspn(value, "=");
    struct range sizes;
    if (!value[n] || !is_name(value, n))
        return usage(v, value, "is not NAME=RANGE; write n=100:1600:2");
    if (n == 1 && *value == 'P')
        return usage(v, value, "names P; --procs gives the numbers of processors");
    if (vary_find(v, value, n) != SIZE_MAX)
        return usage(v, value, "names a variable twice; list its sizes: n=10,20:80:2");
    struct source source = {"--vary", value, strlen(value)};
    DIAG_LOCAL struct diag *diag = diag_create();
    int failed = range_parse(v->arena, &source, (struct span){n + 1, source.size}, diag, &sizes);
    diag_print(diag, stderr, 0);
    if (failed)
        return 2;
    for (size_t i = 0; i < sizes.n; i++)
        if (sizes.values[i] != floor(sizes.values[i]) || sizes.values[i] < 0 ||
            sizes.values[i] > DISCOVER_MOST_SIZE)
            return usage(v, value,
                         arena_printf(v->arena,
                                      "has the size %s, which is no whole number from 0 to 1e12",
                                      number_text(sizes.values[i], NUMBER_BUFFER)));
    return vary_add(v, arena_strndup(v->arena, value, n), sizes);
}

/* ---- rows ---- */

/* A combination of sizes: the index of each, and how far they are from the smallest ones. */
struct combination {
    size_t index[VARY_MOST], sum, number;
};

static int by_sum(const void *x, const void *y)
{
    const struct combination *p = x, *q = y;
    if (p->sum != q->sum)
        return p->sum < q->sum ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static bool is_wanted(const struct vary *v, const size_t *index, bool all)
{
    size_t moved = 0;
    bool is_small = true;
    for (size_t i = 0; i < v->n; i++) {
        moved += index[i] > 0;
        is_small &= index[i] < SMALLEST;
    }
    return all || moved <= 1 || is_small;
}

static void add_combination(const struct vary *v, struct combination *list, size_t n,
                            const size_t *index)
{
    list[n] = (struct combination){.number = n};
    for (size_t i = 0; i < v->n; i++) {
        list[n].index[i] = index[i];
        list[n].sum += index[i];
    }
}

/* Counts up like an odometer. False after the last. */
static bool next_index(const struct vary *v, size_t *index)
{
    for (size_t i = 0; i < v->n; i++) {
        if (++index[i] < v->sizes[i].n)
            return true;
        index[i] = 0;
    }
    return false;
}

/* Small ones first: by how far their sizes are from the smallest. */
static int make_rows(struct vary *v)
{
    struct combination *list = arena_alloc(v->arena, MOST_ROWS, sizeof *list);
    size_t index[VARY_MOST] = {0}, n = 0;
    double all = 1;
    for (size_t i = 0; i < v->n; i++)
        all *= (double)v->sizes[i].n;
    if (all > 1e6)
        return usage(v, v->names[0], "has too many sizes; a dozen is plenty");
    do {
        if (!is_wanted(v, index, v->n == 1 || all <= MOST_COMBINATIONS))
            continue;
        if (n < MOST_ROWS)
            add_combination(v, list, n, index);
        n++;
    } while (next_index(v, index));
    if (n > MOST_ROWS)
        return SAY_STATUS(2,
                          "%s: --vary asks for %zu runs, at most %d are made; give fewer sizes\n",
                          v->self, n, MOST_ROWS);
    sort_list(list, n, sizeof *list, by_sum);
    v->rows = arena_zalloc(v->arena, n + 1, sizeof *v->rows);
    for (v->nrows = 0; v->nrows < n; v->nrows++)
        for (size_t i = 0; i < v->n; i++)
            v->rows[v->nrows][i] = (int64_t)v->sizes[i].values[list[v->nrows].index[i]];
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

static const char *fill(struct arena *a, const char *word, const char *name, int64_t size)
{
    const char *mark;
    if (!find_mark(word, name))
        return word;
    struct text t = text_new();
    for (; (mark = find_mark(word, name)); word = mark + strlen(name) + 2) {
        text_addn(&t, word, (size_t)(mark - word));
        text_printf(&t, "%lld", (long long)size);
    }
    text_add(&t, word);
    return text_keep(&t, a);
}

struct words vary_words(const struct vary *v, const struct words *command, const int64_t *row)
{
    struct words w = {0};
    for (size_t i = 0; i < command->n; i++) {
        const char *word = command->list[i];
        for (size_t k = 0; k < v->n; k++)
            word = fill(v->arena, word, v->names[k], row[k]);
        words_add(v->arena, &w, word);
    }
    return w;
}

const char *vary_text(const struct vary *v, const int64_t *row, const char *equals,
                      const char *between)
{
    struct text t = text_new();
    for (size_t i = 0; i < v->n; i++)
        text_printf(&t, "%s%s%s%lld", i ? between : "", v->names[i], equals, (long long)row[i]);
    return text_keep(&t, v->arena);
}

/* Every variable must be in the command. */
static int check_marks(const struct vary *v, const struct words *command)
{
    for (size_t i = 0; i < v->n; i++) {
        if (i == v->unmarked || has_mark(command, v->names[i]) ||
            (v->also && find_mark(v->also, v->names[i])))
            continue;
        say("%s: {%s} is nowhere in the command: write it after '--' where the program takes "
            "%s, as in '-- {%s}'\n",
            v->self, v->names[i], v->names[i], v->names[i]);
        return 2;
    }
    return 0;
}

/* A word such as "{m}", "-n{m}" or "rows={m}" with a name that no variable has. Those of other tools have mostly more beside the
 * braces. */
static void note_unknown(const struct vary *v, const char *word)
{
    const char *mark = strchr(word, '{'), *end = mark ? strchr(mark, '}') : NULL;
    if (!end || end[1] || !is_name(mark + 1, (size_t)(end - mark - 1)))
        return;
    bool is_number = mark == word || mark[-1] == '=' || (word[0] == '-' && mark == word + 2);
    if (is_number && vary_find(v, mark + 1, (size_t)(end - mark - 1)) == SIZE_MAX)
        say("%s: the program gets '%s' as it is: --vary gives no sizes for %s\n", v->self, word,
            mark);
}

int vary_make(struct vary *v, const struct words *command)
{
    int status = check_marks(v, command);
    for (size_t i = 0; i < command->n && !status; i++)
        note_unknown(v, command->list[i]);
    return status ? status : make_rows(v);
}
