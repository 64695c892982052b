/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions get a region: those that are called seldom enough, so that measuring takes a small part of the run
 * time. What another function does belongs to the time of those that mention it: compilers inline before they say who calls whom.
 * The main function has no region, because a program may end without leaving it; its time is the rest of the run.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/language.h"
#include "call/cc/refused.h"
#include "call/discover/discover.h"
#include "translate/unit.h"

/* Regions take at most this part of the run time, if a pair takes so long; and a run has at most so many pairs, which
 * are read in a fraction of a second. */
static const double most_part = 0.02, pair_seconds = 60e-9, most_pairs = 60000;

static const size_t most_bytes = (size_t)1 << 28;

/* ---- who calls whom ---- */

struct edge {
    size_t from, to; /* functions, as indices of the counts */
    uint32_t line;   /* of a call; 0: only its name */
};

struct graph {
    struct request *q;
    struct lookup by_name; /* of the functions of each name: the first, and in `next` the others */
    size_t *next;
    struct edge *edges; /* ordered by `from` */
    size_t n, capacity;
    size_t *first; /* of each function */
    bool *called;  /* of each function: another one mentions it */
};

const char *regions_named_part(struct arena *a, const char *name)
{
    static const char nameless[] = "(anonymous namespace)::";
    char *copy = arena_strdup(a, name);
    for (char *s; (s = strstr(copy, nameless));)
        memmove(s, s + sizeof nameless - 1, strlen(s + sizeof nameless - 1) + 1);
    return copy;
}

const char *regions_lambda(const char *name)
{
    const char *last = NULL;
    size_t depth = 0;
    for (const char *s = name; *s; s++) {
        if (!strncmp(s, "operator", 8)) /* that of "operator<<(" opens nothing */
            s += 8 + strspn(s + 8, "<>=-");
        if (!*s)
            break;
        if (!depth && !strncmp(s, "::{lambda(", 10))
            last = s;
        depth += *s == '(' || *s == '<';
        depth -= (*s == ')' || *s == '>') && depth;
    }
    return last && strstr(last, ")#") ? last : NULL;
}

const char *regions_call_name(struct arena *a, const struct counted *c)
{
    bool fortran = source_is_fortran(c->path);
    size_t depth = 0, begin = 0, n = 0;
    const char *s = regions_named_part(a, c->name);
    if (regions_lambda(s))
        return "operator()";
    for (; s[n] && !(s[n] == '(' && !depth && n); n++) {
        depth += s[n] == '<';
        depth -= s[n] == '>' && depth;
        if (!depth && (s[n] == ':' || s[n] == ' ' || s[n] == '~'))
            begin = n + 1;
    }
    char *name = arena_strndup(a, s + begin, n - begin);
    name[strcspn(name, "<")] = '\0';
    for (char *p = name; fortran && *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return name;
}

static void add_edge(struct graph *g, size_t from, size_t to, uint32_t line)
{
    ARENA_ADD(g->q->arena, g->edges, g->n, &g->capacity, (struct edge){from, to, line});
    g->called[to] |= from != to;
}

/* The end of a comment or string that begins here; the same place if none does. */
static const char *skip_quiet(const char *s, const char *end, bool fortran)
{
    const char *stop = s;
    if (fortran ? *s == '!' : !strncmp(s, "//", 2)) {
        stop = memchr(s, '\n', (size_t)(end - s));
        return stop ? stop : end;
    }
    if (!fortran && !strncmp(s, "/*", 2)) {
        stop = strstr(s + 2, "*/");
        return stop && stop < end ? stop + 2 : end;
    }
    if (*s == '"' || *s == '\'') {
        for (stop = s + 1; stop < end && *stop != *s && *stop != '\n'; stop++)
            stop += *stop == '\\' && !fortran && stop + 1 < end;
        return stop < end ? stop + 1 : end;
    }
    return s;
}

/* Does the file of function f have another function with the symbol of `to`? Then `to`, in another file, is not meant: both are
 * static, or in namespaces without a name. */
static bool is_hidden(const struct graph *g, size_t f, size_t to, size_t first)
{
    const struct counted *list = g->q->counts.list;
    if (!strcmp(list[to].path, list[f].path))
        return false;
    for (size_t other = first; other != SIZE_MAX; other = g->next[other])
        if (!strcmp(list[other].path, list[f].path) && !strcmp(list[other].symbol, list[to].symbol))
            return true;
    return false;
}

/* Which functions does the text of function f mention? Names of pointers to functions are mentions as well. */
static void read_body(struct graph *g, size_t f, const char *s, const char *end, bool fortran)
{
    char name[256];
    uint32_t line = g->q->counts.list[f].line;
    for (const char *read = s; s < end;) {
        for (; read < s; read++)
            line += *read == '\n';
        const char *quiet = skip_quiet(s, end, fortran);
        size_t n = 0;
        if (quiet > s) {
            s = quiet;
            continue;
        }
        while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '_'))
            n++;
        for (size_t i = 0; i < n && n < sizeof name; i++)
            name[i] = (char)(fortran ? tolower((unsigned char)s[i]) : s[i]);
        size_t first = n && n < sizeof name ? lookup_find(&g->by_name, name, n) : SIZE_MAX;
        const char *next = s + n + strspn(s + n, " \t\n");
        for (size_t to = first; to != SIZE_MAX; to = g->next[to])
            if (!is_hidden(g, f, to, first))
                add_edge(g, f, to, fortran || *next == '(' || *next == '<' ? line : 0);
        s += n ? n : 1;
    }
}

const char *regions_line(const char *text, uint32_t line)
{
    for (; line > 1 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* Where a function ends that does not say it (clang): where the next one of the file begins. */
static uint32_t end_of(const struct counts_table *t, const struct counted *c)
{
    uint32_t end = UINT32_MAX;
    for (size_t i = 0; i < t->n && !c->end_line; i++)
        if (!t->list[i].is_loop && !strcmp(t->list[i].path, c->path) && t->list[i].line > c->line &&
            t->list[i].line <= end)
            end = t->list[i].line - 1;
    return c->end_line ? c->end_line : end;
}

/* All functions of the file of function f. */
static void read_file(struct graph *g, size_t f, bool *done)
{
    const struct counts_table *t = &g->q->counts;
    MEM_LOCAL char *text = NULL;
    size_t size;
    bool fortran = source_is_fortran(t->list[f].path);
    bool failed = source_read(t->list[f].path, most_bytes, &text, &size);
    for (size_t i = f; i < t->n; i++) {
        const struct counted *c = &t->list[i];
        if (c->is_loop || done[i] || strcmp(c->path, t->list[f].path) != 0)
            continue;
        done[i] = true;
        if (failed)
            continue;
        const char *begin = regions_line(text, c->line);
        read_body(g, i, begin, regions_line(begin, end_of(t, c) - c->line + 2), fortran);
    }
}

static int by_caller(const void *x, const void *y)
{
    const struct edge *p = x, *q = y;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void add_name(struct graph *g, size_t f)
{
    const struct counted *c = &g->q->counts.list[f];
    const char *name = regions_call_name(g->q->arena, c);
    size_t first = lookup_find(&g->by_name, name, strlen(name));
    g->next[f] = SIZE_MAX;
    if (first == SIZE_MAX) {
        lookup_add(&g->by_name, g->q->arena, name, f);
        return;
    }
    g->next[f] = g->next[first];
    g->next[first] = f;
}

/* Do two functions have the same body? Those that a template makes do, and the variants of a constructor. */
static bool is_same_body(const struct counted *x, const struct counted *y)
{
    return x->line == y->line && x->column == y->column && x->end_line == y->end_line &&
           x->end_column == y->end_column && !strcmp(x->path, y->path);
}

/* Is the text of y within that of x? */
static bool is_around(const struct counted *x, const struct counted *y)
{
    bool begins = x->line < y->line || (x->line == y->line && x->column < y->column),
         ends = x->end_line > y->end_line ||
                (x->end_line == y->end_line && x->end_column >= y->end_column);
    return begins && ends && x->end_line && !strcmp(x->path, y->path);
}

/* No text mentions a lambda; so the innermost function around it does. */
static void add_lambda(struct graph *g, size_t f)
{
    const struct counted *list = g->q->counts.list, *around = NULL;
    for (size_t i = 0; i < g->q->counts.n; i++)
        if (!list[i].is_loop && is_around(&list[i], &list[f]) &&
            (!around || is_around(around, &list[i])))
            around = &list[i];
    for (size_t i = 0; i < g->q->counts.n && around; i++)
        if (!list[i].is_loop && is_same_body(&list[i], around))
            add_edge(g, i, f, 0);
}

static struct graph make_graph(struct request *q)
{
    struct graph g = {.q = q};
    const struct counts_table *t = &q->counts;
    bool *done = arena_zalloc(q->arena, t->n + 1, sizeof *done);
    g.next = arena_alloc(q->arena, t->n + 1, sizeof *g.next);
    g.called = arena_zalloc(q->arena, t->n + 1, sizeof *g.called);
    g.first = arena_zalloc(q->arena, t->n + 2, sizeof *g.first);
    for (size_t i = 0; i < t->n; i++)
        if (!t->list[i].is_loop)
            add_name(&g, i);
    for (size_t i = 0; i < t->n; i++)
        if (!t->list[i].is_loop && !done[i])
            read_file(&g, i, done);
    for (size_t i = 0; i < t->n; i++)
        if (!t->list[i].is_loop && regions_lambda(t->list[i].name))
            add_lambda(&g, i);
    sort_list(g.edges, g.n, sizeof *g.edges, by_caller);
    for (size_t i = 0; i < g.n; i++)
        g.first[g.edges[i].from + 1] = i + 1;
    for (size_t i = 1; i <= t->n; i++)
        g.first[i] = g.first[i] > g.first[i - 1] ? g.first[i] : g.first[i - 1];
    return g;
}

struct regions_mention *regions_mentions(struct request *q, size_t *n)
{
    struct graph g = make_graph(q);
    struct regions_mention *list = arena_alloc(q->arena, g.n + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < g.n; i++)
        if (g.edges[i].from != g.edges[i].to)
            list[(*n)++] = (struct regions_mention){q->counts.list[g.edges[i].from].owner,
                                                    q->counts.list[g.edges[i].to].owner};
    return list;
}

static bool is_main(const struct counted *c)
{
    return !strcmp(c->symbol, "main") || !strcmp(c->symbol, "MAIN__");
}

/* ---- constant counts ---- */

/* Are the counts of all rows equal? */
static bool is_constant(const struct request *q, const struct counted *c)
{
    const uint64_t *first = NULL;
    for (size_t i = 0; i < q->nrows; i++) {
        if (!q->done[i])
            continue;
        if (first && c->at[i] != *first)
            return false;
        first = first ? first : &c->at[i];
    }
    return true;
}

static bool doubt(const struct request *q, struct counted *c)
{
    bool doubted = c->formula.verdict == DISCOVER_EXACT && is_constant(q, c);
    if (doubted)
        c->formula.verdict = DISCOVER_STEPS;
    return doubted;
}

/* Is the call executed more often at larger sizes, but for a condition? Its function is, or a loop around it. */
static bool is_conditional(const struct request *q, const struct edge *e)
{
    const struct counts_table *t = &q->counts;
    if (!is_constant(q, &t->list[e->from]))
        return true;
    for (size_t i = 0; i < t->n; i++) {
        const struct counted *c = &t->list[i];
        if (c->is_loop && c->owner == t->list[e->from].owner && c->line < e->line &&
            e->line <= c->end_line && !is_constant(q, c))
            return true;
    }
    return false;
}

void regions_doubt_constants(struct request *q)
{
    struct counts_table *t = &q->counts;
    struct graph g = make_graph(q);
    size_t owners = 0;
    for (size_t i = 0; i < t->n; i++)
        owners = t->list[i].owner >= owners ? t->list[i].owner + 1 : owners;
    bool *varies = arena_zalloc(q->arena, owners + 1, sizeof *varies),
         *doubted = arena_zalloc(q->arena, owners + 1, sizeof *doubted);
    for (size_t i = 0; i < g.n; i++) {
        struct counted *to = &t->list[g.edges[i].to];
        if (g.edges[i].line && g.edges[i].from != g.edges[i].to && is_constant(q, to) &&
            is_conditional(q, &g.edges[i]))
            doubted[to->owner] |= doubt(q, to);
    }
    /* a pointer calls it, a name that a macro made, or that of a lambda */
    for (size_t i = 0; i < t->n; i++)
        if (!t->list[i].is_loop && !is_main(&t->list[i]) &&
            (!g.called[i] || regions_lambda(t->list[i].name)))
            doubted[t->list[i].owner] |= doubt(q, &t->list[i]);
    for (size_t i = 0; i < t->n; i++)
        varies[t->list[i].owner] |= !t->list[i].is_loop && !is_constant(q, &t->list[i]);
    for (size_t i = 0; i < t->n; i++) {
        struct counted *c = &t->list[i];
        if (!c->is_loop)
            continue;
        if (doubted[c->owner] && c->formula.verdict == DISCOVER_EXACT) /* no surer than the calls */
            c->formula.verdict = DISCOVER_STEPS;
        else if (is_constant(q, c) && (varies[c->owner] || !heads_count(q, c)))
            doubt(q, c);
    }
}

/* ---- choosing ---- */

/* Can the source of its body be found? Not if the compiler made it of a parallel region. The list of regions has a line for each. */
static bool has_body(const struct counted *c)
{
    return !c->is_loop && !strchr(c->path, '\n') && !strstr(c->symbol, "_omp_fn") &&
           !strstr(c->symbol, "omp_outlined") && strncmp(c->symbol, "_GLOBAL__", 9) != 0 &&
           (c->end_line > c->line || (c->end_line == c->line && c->end_column > c->column) ||
            !c->end_line);
}

/* Of the process that has most. */
static double calls_of(const struct request *q, const struct counted *c)
{
    double most = 0;
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i])
            most = fmax(most, (double)(q->processes ? c->largest[i] : c->at[i]));
    return most;
}

struct candidate {
    size_t index;
    double calls;
};

static int by_calls(const void *x, const void *y)
{
    const struct candidate *p = x, *q = y;
    if (p->calls != q->calls)
        return p->calls < q->calls ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void add_region(struct request *q, const struct counted *c, bool main)
{
    struct region *r = &q->times.list[q->times.n];
    *r = (struct region){.function = c, .is_main = main};
    r->name = arena_printf(q->arena, "r%zu", q->times.n);
    q->times.n++;
}

/* One region for each body. Returns the number of candidates. */
static size_t add_candidate(const struct request *q, struct candidate *list, size_t n, size_t index)
{
    const struct counted *c = &q->counts.list[index];
    for (size_t i = 0; i < n; i++)
        if (is_same_body(&q->counts.list[list[i].index], c)) {
            list[i].calls += calls_of(q, c);
            return n;
        }
    list[n] = (struct candidate){index, calls_of(q, c)};
    return n + 1;
}

/* `main` is the first. */
static void choose(struct request *q)
{
    const struct counts_table *t = &q->counts;
    struct candidate *list = arena_alloc(q->arena, t->n + 1, sizeof *list);
    double most = fmin(most_pairs, most_part * q->longest / pair_seconds), sum = 0;
    const struct counted *first = NULL;
    size_t n = 0;
    q->times.list = arena_zalloc(q->arena, t->n + 1, sizeof *q->times.list);
    for (size_t i = 0; i < t->n; i++) {
        const struct counted *c = &t->list[i];
        if (c->is_loop)
            continue;
        if (is_main(c))
            first = c;
        else if (has_body(c) && calls_of(q, c) > 0)
            n = add_candidate(q, list, n, i);
    }
    add_region(q, first, true);
    sort_list(list, n, sizeof *list, by_calls);
    for (size_t i = 0; i < n && (sum += list[i].calls) <= fmax(most, 1000); i++)
        add_region(q, &t->list[list[i].index], false);
}

/* ---- what each executes ---- */

struct collector {
    struct graph *g;
    bool *seen;     /* of each function */
    size_t *region; /* of each function: SIZE_MAX without one */
    struct region *r;
    size_t capacity;
};

static void add_work(struct collector *c, const struct counted *w)
{
    ARENA_ADD(c->g->q->arena, c->r->work, c->r->nwork, &c->capacity, w);
}

/* The loops of function f, and its calls. */
static void add_function(struct collector *c, size_t f)
{
    const struct counts_table *t = &c->g->q->counts;
    const struct counted *own = &t->list[f];
    add_work(c, own);
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].is_loop && t->list[i].owner == own->owner)
            add_work(c, &t->list[i]);
}

static void collect(struct collector *c, size_t f, unsigned depth)
{
    const struct graph *g = c->g;
    if (c->seen[f] || depth > 1000)
        return;
    c->seen[f] = true;
    add_function(c, f);
    for (size_t i = g->first[f]; i < g->first[f + 1]; i++) {
        size_t to = g->edges[i].to;
        if (c->region[to] == SIZE_MAX)
            collect(c, to, depth + 1);
    }
}

/* Functions that no other one mentions may be called by any function of their file: through a table, or a macro. */
static void collect_orphans(struct collector *c, size_t f)
{
    const struct counts_table *t = &c->g->q->counts;
    for (size_t i = 0; i < t->n; i++) {
        const struct counted *k = &t->list[i];
        if (!k->is_loop && c->region[i] == SIZE_MAX && !c->g->called[i] &&
            !strcmp(k->file, t->list[f].file))
            collect(c, i, 0);
    }
}

const struct counted *regions_calls(const struct region *r)
{
    return r->calls ? r->calls : r->function;
}

/* The calls of all functions that have the body of a region: `region` tells which. */
static void add_instances(struct request *q, struct region *r, const size_t *region, size_t index)
{
    struct counted *sum = arena_alloc(q->arena, 1, sizeof *sum);
    *sum = *r->function;
    sum->to_beyond = sum->only_below = false;
    sum->at = arena_zalloc(q->arena, q->nrows + 2, sizeof *sum->at);
    for (size_t f = 0; f < q->counts.n; f++) {
        if (region[f] != index)
            continue;
        r->instances++;
        sum->damaged |= q->counts.list[f].damaged;
        for (size_t i = 0; i < q->nrows + 2; i++)
            sum->at[i] += q->counts.list[f].at[i];
    }
    if (r->instances < 2)
        return;
    report_formula(q, sum);
    r->calls = sum;
}

static void collect_all(struct request *q, struct graph *g)
{
    size_t n = q->counts.n;
    size_t *region = arena_alloc(q->arena, n + 1, sizeof *region);
    for (size_t i = 0; i < n; i++)
        region[i] = SIZE_MAX;
    for (size_t i = 0; i < q->times.n; i++)
        for (size_t f = 0; f < n && q->times.list[i].function; f++)
            if (!q->counts.list[f].is_loop &&
                is_same_body(&q->counts.list[f], q->times.list[i].function))
                region[f] = i;
    for (size_t i = 0; i < q->times.n; i++) {
        struct collector c = {.g = g,
                              .seen = arena_zalloc(q->arena, n + 1, sizeof *c.seen),
                              .region = region,
                              .r = &q->times.list[i]};
        if (!c.r->function)
            continue;
        for (size_t f = 0; f < n; f++)
            if (region[f] == i)
                collect(&c, f, 0);
        add_instances(q, c.r, region, i);
        collect_orphans(&c, (size_t)(c.r->function - q->counts.list));
    }
}

/* ---- labels ---- */

/* The name without arguments and parameters of templates, as formulas can have it. */
static const char *plain_label(struct arena *a, const char *name)
{
    TEXT_LOCAL struct text t = text_new();
    size_t depth = 0;
    for (const char *s = regions_named_part(a, name); *s && !(*s == '(' && !depth); s++) {
        depth += *s == '<';
        depth -= *s == '>' && depth;
        bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                     (*s >= '0' && *s <= '9') || *s == '_';
        if (depth || *s == '>')
            continue;
        if (plain)
            text_addc(&t, *s);
        else if (*s == ' ')
            text_clear(&t); /* what comes before is the type of the result */
        else if (t.n && t.s[t.n - 1] != '_')
            text_addc(&t, '_');
    }
    bool starts_plain = t.n && !(t.s[0] >= '0' && t.s[0] <= '9');
    return arena_printf(a, "%s%s", starts_plain ? "" : "f", t.s);
}

static void make_labels(struct request *q)
{
    struct lookup known = {0};
    lookup_add(&known, q->arena, "others", 0); /* the sum of small functions */
    for (size_t i = 0; i < q->times.n; i++) {
        struct region *r = &q->times.list[i];
        const char *label = r->function ? plain_label(q->arena, r->function->name) : "main";
        const char *unique =
            pragma_is_reserved(label) ? arena_printf(q->arena, "%s_", label) : label;
        for (size_t k = 2; lookup_find(&known, unique, strlen(unique)) != SIZE_MAX; k++)
            unique = arena_printf(q->arena, "%s_%zu", label, k);
        lookup_add(&known, q->arena, unique, i + 1);
        r->label = unique;
    }
}

/* A region that no run has cannot have been put around its function, which is then a part of its callers. */
static void drop_absent(struct times *t)
{
    size_t n = 1; /* main has the rest */
    for (size_t i = 1; i < t->n; i++)
        if (t->list[i].seen)
            t->list[n++] = t->list[i];
    t->n = n;
}

static const char *list_path(const struct request *q)
{
    return arena_printf(q->arena, "%s/regions", q->temporary);
}

/* All functions of the body of a region that no run has. */
static void note_refused(struct request *q, const char *name, const char *why)
{
    const struct times *t = &q->times;
    for (size_t i = 1; i < t->n; i++)
        for (size_t f = 0; f < q->counts.n && !t->list[i].seen && !strcmp(t->list[i].name, name);
             f++)
            if (!q->counts.list[f].is_loop && is_same_body(&q->counts.list[f], t->list[i].function))
                q->counts.list[f].refused = why;
}

/* What the compilers told (cc/refused.h). */
static void read_refused(struct request *q)
{
    size_t size;
    char *rest;
    MEM_LOCAL char *text = NULL;
    if (source_read(arena_printf(q->arena, "%s" REFUSED_ENDING, list_path(q)), most_bytes, &text,
                    &size))
        return;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        size_t n = strcspn(line, " ");
        if (line[n])
            note_refused(q, arena_strndup(q->arena, line, n), arena_strdup(q->arena, line + n + 1));
    }
}

void regions_settle(struct request *q)
{
    read_refused(q);
    drop_absent(&q->times);
    struct graph g = make_graph(q);
    collect_all(q, &g);
    make_labels(q);
}

const char *regions_choose(struct request *q)
{
    TEXT_LOCAL struct text t = text_new();
    const char *path = list_path(q);
    choose(q);
    for (size_t i = 0; i < q->times.n; i++) {
        const struct region *r = &q->times.list[i];
        if (r->function && (!r->is_main || q->processes))
            text_printf(&t, "%s %u %u %u %u %s\n", r->name, r->function->line, r->function->column,
                        r->function->end_line, r->function->end_column, r->function->path);
    }
    return process_save("call discover", path, t.s, t.n) ? NULL : path;
}
