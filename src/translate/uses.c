/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where names are used and where jumps lead, for questions about ranges of items. Each question is
 * a binary search, and takes the time of what it finds: a program has thousands of regions, and
 * each of them asks.
 */
#include <stdlib.h>
#include <string.h>

#include "translate/structure.h"

struct uses {
    struct unit *unit;
    const struct stream *s;
    uint32_t *first; /* per name: where its uses start in `list`; built on demand */
    uint32_t *list;  /* items, ascending for each name, those of pragmas too; members (.x, ->x) are
                        left out */
    struct leap *by_label, *by_goto;
    size_t nleaps;
    /* A segment tree over by_label: node i covers nodes 2i and 2i + 1, leaves start at nleaps. Per
     * node the leap with the first and the one with the last goto. */
    uint32_t *earliest, *latest;
};

/* ---- names ---- */

static bool is_member(const struct stream *s, size_t i)
{
    return i > 0 && s->list[i - 1].kind == ITEM_PUNCTUATOR &&
           (s->list[i - 1].id == '.' || s->list[i - 1].id == PUNCT_ARROW);
}

/* One use of a name: counted for the name's place in the list, or put there. */
static void note(struct uses *x, uint32_t *first, uint32_t name, size_t item, bool fill)
{
    if (name >= x->unit->nflags)
        return; /* the program does not have it */
    if (fill)
        x->list[first[name + 1]++] = (uint32_t)item;
    else
        first[name + 2]++;
}

static bool follows_member_access(const char *text, size_t i)
{
    while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t'))
        i--;
    return i > 0 && (text[i - 1] == '.' || (i > 1 && text[i - 1] == '>' && text[i - 2] == '-'));
}

/* The names in a piece of the text of a pragma. */
static void note_text(struct uses *x, uint32_t *first, const char *text, struct span where,
                      size_t item, bool fill)
{
    for (size_t i = where.begin, end; i < where.end; i = end) {
        for (end = i; end < where.end && pragma_is_name_byte(text[end]);)
            end++;
        if (end == i)
            end++;
        else if (!(text[i] >= '0' && text[i] <= '9') && !follows_member_access(text, i))
            note(x, first, names_number(x->unit->names, text + i, end - i), item, fill);
    }
}

/* The expressions of our pragmas, and the clauses of others, use names of the program, too. */
static void note_item(struct uses *x, uint32_t *first, size_t i, bool fill)
{
    const struct item *item = &x->s->list[i];
    if (item->kind == ITEM_NAME && !is_member(x->s, i)) {
        note(x, first, item->id, i, fill);
    } else if (item->kind == ITEM_PRAGMA) {
        note_text(x, first, x->s->text, (struct span){item->begin, item->end}, i, fill);
    } else if (item->kind == ITEM_CLL) {
        const struct input *in = &x->unit->inputs[item->input];
        const struct pragma *p = &in->pragmas[item->pragma];
        for (size_t v = 0; v < p->nvariables; v++)
            note_text(x, first, in->source->text, p->variables[v].span, i, fill);
        note_text(x, first, in->source->text, p->machine, i, fill);
        note_text(x, first, in->source->text, p->header, i, fill);
    }
}

/* Sorts the names of the stream by number (a counting sort keeps the order of the items). */
static void index_names(struct uses *x)
{
    size_t n = x->unit->nflags;
    uint32_t *first = arena_zalloc(x->unit->scratch, n + 2, sizeof *first);
    for (size_t i = 0; i < x->s->n; i++)
        note_item(x, first, i, false);
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    x->list = arena_alloc(x->unit->scratch, first[n + 1] + 1, sizeof *x->list);
    for (size_t i = 0; i < x->s->n; i++)
        note_item(x, first, i, true);
    x->first = first;
}

size_t uses_between(struct uses *x, uint32_t name, size_t after, size_t before)
{
    if (!x->first)
        index_names(x);
    if (name >= x->unit->nflags)
        return 0; /* the program does not have it */
    size_t low = x->first[name], high = x->first[name + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x->list[middle] > after)
            high = middle;
        else
            low = middle + 1;
    }
    return low < x->first[name + 1] && x->list[low] < before ? x->list[low] : 0;
}

bool uses_behind(struct uses *x, uint32_t name, uint32_t punctuator, size_t after, size_t before)
{
    const struct item *list = x->s->list;
    for (size_t i = after; (i = uses_between(x, name, i, before)) != 0;)
        if (list[i - 1].kind == ITEM_PUNCTUATOR && list[i - 1].id == punctuator)
            return true;
    return false;
}

bool uses_declared(struct uses *x, uint32_t name, size_t begin, size_t end)
{
    const struct item *list = x->s->list;
    bool cxx = x->unit->language == LANGUAGE_CXX; /* std::size_t n, const T &x, auto [a, x] */
    for (size_t i = begin; (i = uses_between(x, name, i, end)) != 0;) {
        size_t b = i - 1;
        while (b > begin && list[b].kind == ITEM_PUNCTUATOR && list[b].id == '*')
            b--;
        const struct item *t = &list[b];
        if (cxx && list[i].kind == ITEM_NAME &&
            (t->kind == ITEM_NAME ||
             (t->kind == ITEM_PUNCTUATOR && (t->id == '>' || t->id == '&' || t->id == '['))))
            return true;
        if (list[i].kind == ITEM_NAME && t->kind == ITEM_NAME &&
            ((t->id >= WORD_TYPEDEF && t->id < WORD_STATIC_ASSERT) ||
             (x->unit->flags[t->id] & NAME_TYPE)))
            return true;
    }
    return false;
}

/* ---- jumps ---- */

/* How many of the sorted size_t's, one at `list` and the others `size` bytes apart, are up to
 * `item`. */
size_t uses_count_to(const void *list, size_t n, size_t size, size_t item)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2, have;
        memcpy(&have, (const char *)list + middle * size, sizeof have);
        if (have > item)
            n = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int by_place(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static int by_goto(const void *a, const void *b)
{
    const struct leap *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_label(const void *a, const void *b)
{
    const struct leap *x = a, *y = b;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : by_goto(a, b);
}

/* The label a goto means: of those with its name, the one in the smallest block around the goto.
 * `labels` are sorted by_place. */
static const struct label *target(const struct structure *t, const struct label *labels,
                                  const struct jump *j)
{
    const struct label *best = NULL;
    size_t best_size = 0, low = 0, high = t->nlabels;
    struct label wanted = {.function = j->function, .name = j->name};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&labels[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (const struct label *l = &labels[low];
         l < labels + t->nlabels && l->name == j->name && l->function == j->function; l++) {
        const struct block *b = &t->blocks[l->block];
        bool around = j->item > b->begin && j->item < b->end;
        size_t size = b->end - b->begin;
        if (!best || (around && size < best_size)) {
            best = l;
            best_size = around ? size : (size_t)-1;
        }
    }
    return best;
}

static void index_leaps(struct uses *x)
{
    size_t n = x->nleaps;
    struct arena *a = x->unit->scratch;
    qsort(x->by_goto, n, sizeof *x->by_goto, by_goto);
    x->by_label = arena_alloc(a, n, sizeof *x->by_label);
    memcpy(x->by_label, x->by_goto, n * sizeof *x->by_label);
    qsort(x->by_label, n, sizeof *x->by_label, by_label);
    x->earliest = arena_alloc(a, 2 * n, sizeof *x->earliest);
    x->latest = arena_alloc(a, 2 * n, sizeof *x->latest);
    for (size_t i = 0; i < n; i++)
        x->earliest[n + i] = x->latest[n + i] = (uint32_t)i;
    for (size_t i = n; i-- > 1;) {
        uint32_t l = x->earliest[2 * i], r = x->earliest[2 * i + 1];
        x->earliest[i] = x->by_label[r].from < x->by_label[l].from ? r : l;
        l = x->latest[2 * i], r = x->latest[2 * i + 1];
        x->latest[i] = x->by_label[r].from > x->by_label[l].from ? r : l;
    }
}

struct uses *uses_create(struct unit *u, const struct stream *s, const struct structure *t)
{
    struct arena *a = u->scratch;
    struct uses *x = arena_zalloc(a, 1, sizeof *x);
    x->unit = u;
    x->s = s;
    if (!t->njumps || !t->nlabels)
        return x;
    struct label *labels = arena_alloc(a, t->nlabels, sizeof *labels);
    memcpy(labels, t->labels, t->nlabels * sizeof *labels);
    qsort(labels, t->nlabels, sizeof *labels, by_place);
    x->by_goto = arena_alloc(a, t->njumps, sizeof *x->by_goto);
    for (size_t i = 0; i < t->njumps; i++) {
        const struct label *l = t->jumps[i].name ? target(t, labels, &t->jumps[i]) : NULL;
        if (l)
            x->by_goto[x->nleaps++] = (struct leap){t->jumps[i].item, l->item};
    }
    if (x->nleaps)
        index_leaps(x);
    return x;
}

size_t uses_leaps_to(struct uses *x, size_t begin, size_t end, const struct leap **first)
{
    if (!x->nleaps)
        return 0;
    size_t low = uses_count_to(&x->by_label->to, x->nleaps, sizeof *x->by_label, begin);
    *first = x->by_label + low;
    return uses_count_to(&x->by_label->to, x->nleaps, sizeof *x->by_label, end - 1) - low;
}

size_t uses_leaps_from(struct uses *x, size_t begin, size_t end, const struct leap **first)
{
    if (!x->nleaps)
        return 0;
    size_t low = uses_count_to(&x->by_goto->from, x->nleaps, sizeof *x->by_goto, begin);
    *first = x->by_goto + low;
    return uses_count_to(&x->by_goto->from, x->nleaps, sizeof *x->by_goto, end - 1) - low;
}

const struct leap *uses_leap_into(struct uses *x, size_t begin, size_t end)
{
    const struct leap *first;
    size_t count = uses_leaps_to(x, begin, end, &first);
    if (!count)
        return NULL;
    size_t low = (size_t)(first - x->by_label) + x->nleaps, high = low + count;
    for (; low < high; low /= 2, high /= 2) {
        if (low % 2) {
            const struct leap *e = &x->by_label[x->earliest[low]],
                              *l = &x->by_label[x->latest[low]];
            low++;
            if (e->from < begin || l->from > end)
                return e->from < begin ? e : l;
        }
        if (high % 2) {
            high--;
            const struct leap *e = &x->by_label[x->earliest[high]],
                              *l = &x->by_label[x->latest[high]];
            if (e->from < begin || l->from > end)
                return e->from < begin ? e : l;
        }
    }
    return NULL;
}
