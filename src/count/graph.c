/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terms are sorted by their size at all rows. The parent of a term is the largest smaller term of which it
 * is a multiple by a variable or by a logarithm of one; without such a term, the term 1.
 */
#include "count/graph.h"
#include "count/thresholds.h"

#include <math.h>

#include "base/sort.h"
#include "base/text.h"
#include "json/make.h"

struct node {
    size_t term;       /* index of the model's term */
    double size;       /* sum over all rows */
    size_t parent;     /* index of a node; SIZE_MAX: the root */
    const char *times; /* how often it is executed for each time of the parent; "" = once */
    size_t number;
};

struct graph {
    struct arena *arena;
    const struct count_model *model;
    struct node *nodes;
    size_t n;
};

static int by_size(const void *x, const void *y)
{
    const struct node *s = x, *t = y;
    return (s->size > t->size) - (s->size < t->size);
}

static void collect(struct graph *g, const json_t *constants)
{
    const struct count_model *m = g->model;
    g->nodes = arena_zalloc(g->arena, m->nterms + 1, sizeof *g->nodes);
    for (size_t j = 0; j < m->nterms; j++) {
        const json_t *c = json_array_get(constants, j);
        if (!json_array_size(json_object_get(c, "lines")))
            continue;
        struct node *n = &g->nodes[g->n++];
        n->term = j;
        n->parent = SIZE_MAX;
        n->times = m->terms[j].text;
        for (size_t i = 0; i < m->nrows; i++)
            n->size += m->terms[j].at[i];
    }
    sort_list(g->nodes, g->n, sizeof *g->nodes, by_size);
    for (size_t i = 0; i < g->n; i++)
        g->nodes[i].number = i + 1;
}

enum factor { FACTOR_VARIABLE, FACTOR_LOG, FACTOR_LOG2, FACTORS };

static double factor_at(enum factor f, double v)
{
    return f == FACTOR_VARIABLE ? v : f == FACTOR_LOG ? log(v) : log2(v);
}

/* Is the term of the child that of the parent times a factor of this variable, at every row? */
static bool is_multiple(const struct graph *g, const struct node *child, const struct node *parent,
                        const struct count_variable *v, enum factor f)
{
    const double *x = g->model->terms[child->term].at, *y = g->model->terms[parent->term].at;
    for (size_t i = 0; i < g->model->nrows; i++)
        if (!(fabs(x[i] - y[i] * factor_at(f, v->at[i])) <= COUNT_EXACT * (1 + fabs(x[i]))))
            return false;
    return true;
}

static bool try_parent(struct graph *g, struct node *child, size_t parent)
{
    for (size_t v = 0; v < g->model->nvariables; v++)
        for (enum factor f = FACTOR_VARIABLE; f < FACTORS; f++) {
            const struct count_variable *variable = &g->model->variables[v];
            if (!variable->varies || !is_multiple(g, child, &g->nodes[parent], variable, f))
                continue;
            child->parent = parent;
            child->times = f == FACTOR_VARIABLE
                               ? variable->name
                               : arena_printf(g->arena, "%s(%s)", f == FACTOR_LOG ? "log" : "log2",
                                              variable->name);
            return true;
        }
    return false;
}

static void find_parents(struct graph *g)
{
    for (size_t i = 0; i < g->n; i++) {
        bool found = false;
        for (size_t p = i; p-- > 0 && !found;)
            found = try_parent(g, &g->nodes[i], p);
        if (!found && i && !strcmp(g->model->terms[g->nodes[0].term].text, "1"))
            g->nodes[i].parent = 0;
    }
}

/* A factor that is a sum or a quotient needs parentheses. */
static bool needs_parentheses(const char *times)
{
    int depth = 0;
    for (const char *c = times; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0 && strchr("+-/ ", *c))
            return true;
    }
    return false;
}

static void add_node(const struct graph *g, size_t i, struct text *out);

static void add_children(const struct graph *g, size_t parent, struct text *out)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->nodes[i].parent == parent) {
            if (out->n && out->s[out->n - 1] != '(')
                text_add(out, " + ");
            add_node(g, i, out);
        }
}

static bool has_children(const struct graph *g, size_t parent)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->nodes[i].parent == parent)
            return true;
    return false;
}

static void add_node(const struct graph *g, size_t i, struct text *out)
{
    const struct node *n = &g->nodes[i];
    bool once = !strcmp(n->times, "1"), inner = has_children(g, i) && !once;
    bool sum = needs_parentheses(n->times);
    if (!once)
        text_printf(out, "%s%s%s*", sum ? "(" : "", n->times, sum ? ")" : "");
    text_printf(out, "%sC(%zu)", inner ? "(" : "", n->number);
    add_children(g, i, out);
    if (inner)
        text_addc(out, ')');
}

json_t *count_graph_json(struct arena *a, const struct count_model *m, const json_t *constants)
{
    struct graph g = {.arena = a, .model = m};
    json_t *nodes = json_array();
    TEXT_LOCAL struct text expression = text_new();
    collect(&g, constants);
    find_parents(&g);
    add_children(&g, SIZE_MAX, &expression);
    for (size_t i = 0; i < g.n; i++) {
        const json_t *c = json_array_get(constants, g.nodes[i].term);
        size_t parent = g.nodes[i].parent;
        json_add(nodes, "{name:%s constant:%p instructions:%p times:%s inside?:%s}",
                 arena_printf(a, "C(%zu)", g.nodes[i].number),
                 json_incref(json_object_get(c, "name")),
                 json_incref(json_object_get(c, "instructions")), g.nodes[i].times,
                 parent == SIZE_MAX ? NULL : arena_printf(a, "C(%zu)", g.nodes[parent].number));
    }
    json_t *o = json_make("{expression:%s nodes:%p}", expression.s, nodes);
    if (!g.n) {
        json_decref(o);
        o = NULL;
    }
    return o;
}
