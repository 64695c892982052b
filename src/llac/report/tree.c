/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of the report: which regions were executed inside which, and what part of the measured time each took.
 *
 * A node is a path of regions from an outermost one. The node of an execution is found from that of the execution
 * which has it directly inside. A region that is executed inside itself is one node: the inner executions belong to the
 * node of the outer one. The time of a node with what is inside is the sum of what its executions, and those of the
 * nodes below it, took for themselves; so the parts add up, whatever the depth.
 *
 * If samples were thinned, those that are left inside an execution stand for all pairs that ended inside it, which `nested`
 * counts; `count` does not tell, for executions that depend on each other are kept together.
 */
#include "llac/report/report.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "data/nesting.h"
#include "llac/json.h"

enum { MOST_NODES = 10000, ROOT = 0 };
#define NONE UINT32_MAX

struct node {
    uint32_t experiment, parent, first, next; /* its first node below, and the next one beside it */
    double self, executions;
    double total;   /* with the nodes below */
    size_t unknown; /* executions without SELF */
};

struct tree {
    struct arena *arena;
    const struct dataset *d;
    struct node *nodes;
    size_t n, room;
    uint32_t **of;   /* per experiment and row: its node */
    uint32_t *last;  /* per experiment: the node that was found last */
    double **hidden; /* per experiment and row: seconds of the samples directly inside */
    double **pairs;  /* and the pairs that these stand for: themselves, and what is inside them */
    double **weight; /* so many executions it stands for, in its node */
    bool cut;        /* there are more paths than nodes */
};

/* An execution: the experiment and the row. */
struct execution {
    uint32_t experiment, row;
};

static const struct nested *nested_of(const struct tree *t, uint32_t experiment)
{
    return nesting_of(t->d, t->d->experiments[experiment]);
}

static const struct column *clock_of(const struct experiment *e)
{
    size_t k = experiment_find_observable(e, "CLOCK");
    return k == SIZE_MAX ? NULL : &e->columns[k];
}

/* ---- nodes */

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t experiment)
{
    t->nodes = arena_grow(t->arena, t->nodes, t->n, &t->room, t->n + 1, sizeof *t->nodes);
    t->nodes[t->n] = (struct node){experiment, parent, NONE, NONE, 0, 0, 0, 0};
    if (parent != NONE) {
        t->nodes[t->n].next = t->nodes[parent].first;
        t->nodes[parent].first = (uint32_t)t->n;
    }
    return (uint32_t)t->n++;
}

/* The node of executions of the experiment directly inside those of a node. */
static uint32_t node_below(struct tree *t, uint32_t parent, uint32_t experiment)
{
    uint32_t k = t->last[experiment];
    if (k != NONE && t->nodes[k].parent == parent)
        return k;
    for (k = parent; k != ROOT; k = t->nodes[k].parent)
        if (t->nodes[k].experiment == experiment)
            return k;
    for (k = t->nodes[parent].first; k != NONE; k = t->nodes[k].next)
        if (t->nodes[k].experiment == experiment)
            break;
    if (k == NONE && t->n >= MOST_NODES && parent != ROOT) {
        t->cut = true;
        return parent;
    }
    return t->last[experiment] = k == NONE ? add_node(t, parent, experiment) : k;
}

static bool is_outermost(const struct nested *n, struct execution x)
{
    return n->parent[x.row] == x.experiment && n->parent_row[x.row] == x.row;
}

/* How many executions a sample directly inside this one stands for; at most so many that no time is left. */
static double scale_of(const struct tree *t, struct execution x)
{
    const struct experiment *e = t->d->experiments[x.experiment];
    const struct column *clock = clock_of(e);
    double hidden = t->hidden[x.experiment][x.row], pairs = t->pairs[x.experiment][x.row];
    size_t hint = 0;
    if (isfinite(nested_of(t, x.experiment)->self.values[x.row]) || !clock || !(hidden > 0) ||
        t->d->files[experiment_segment(e, x.row, &hint)->file].thinned == THINNED_NO)
        return 1;
    double nested = column_at(&e->columns[FIELD_NESTED], x.row);
    return fmax(fmin(nested / pairs, column_at(clock, x.row) / hidden), 1);
}

static double weight_of(const struct tree *t, struct execution x)
{
    const struct nested *n = nested_of(t, x.experiment);
    struct execution parent = {n->parent[x.row], n->parent_row[x.row]};
    if (is_outermost(n, x))
        return column_at(&t->d->experiments[x.experiment]->columns[FIELD_COUNT], x.row);
    return t->weight[parent.experiment][parent.row] * scale_of(t, parent);
}

/* The nodes of an execution and of all that contain it, from the outermost inwards. */
static void find_node(struct tree *t, struct execution x, struct execution **open, size_t *room)
{
    size_t n = 0;
    uint32_t node = ROOT;
    for (;;) {
        const struct nested *nested = nested_of(t, x.experiment);
        if (t->of[x.experiment][x.row] != NONE) {
            node = t->of[x.experiment][x.row];
            break;
        }
        ARENA_ADD(t->arena, *open, n, room, x);
        if (is_outermost(nested, x))
            break;
        x = (struct execution){nested->parent[x.row], nested->parent_row[x.row]};
    }
    while (n-- > 0) {
        x = (*open)[n];
        t->of[x.experiment][x.row] = node = node_below(t, node, x.experiment);
        t->weight[x.experiment][x.row] = weight_of(t, x);
    }
}

/* ---- times */

/* If samples were thinned, what contained an execution may be missing: it seems to be outermost. */
static bool is_lost(const struct tree *t, struct execution x, size_t file)
{
    const struct nested *n = nested_of(t, x.experiment);
    return t->d->files[file].thinned != THINNED_NO && n->naround > 0 && is_outermost(n, x);
}

static void find_hidden(struct tree *t)
{
    for (uint32_t k = 0; k < t->d->nexperiments; k++) {
        const struct experiment *e = t->d->experiments[k];
        const struct nested *nested = nested_of(t, k);
        const struct column *clock = clock_of(e);
        for (uint32_t row = 0; row < e->nrows && clock; row++) {
            if (is_outermost(nested, (struct execution){k, row}))
                continue;
            uint32_t parent = nested->parent[row], parent_row = nested->parent_row[row];
            t->hidden[parent][parent_row] += column_at(clock, row);
            t->pairs[parent][parent_row] += 1 + column_at(&e->columns[FIELD_NESTED], row);
        }
    }
}

static void find_nodes(struct tree *t)
{
    struct execution *open = NULL;
    size_t room = 0;
    for (uint32_t k = 0; k < t->d->nexperiments; k++) {
        const struct experiment *e = t->d->experiments[k];
        size_t hint = 0;
        for (uint32_t row = 0; row < e->nrows; row++) {
            struct execution x = {k, row};
            size_t file = experiment_segment(e, row, &hint)->file;
            if (!is_lost(t, x, file))
                find_node(t, x, &open, &room);
        }
    }
}

/* What each execution took for itself: SELF; where that is not known, the time without what the samples inside stand for. */
static void add_times(struct tree *t)
{
    for (uint32_t k = 0; k < t->d->nexperiments; k++) {
        const struct experiment *e = t->d->experiments[k];
        const struct nested *nested = nested_of(t, k);
        const struct column *clock = clock_of(e);
        for (uint32_t row = 0; row < e->nrows; row++) {
            if (t->of[k][row] == NONE)
                continue;
            struct node *node = &t->nodes[t->of[k][row]];
            double self = nested->self.values[row], own = self;
            if (!isfinite(self) && clock)
                own = column_at(clock, row) -
                      t->hidden[k][row] * scale_of(t, (struct execution){k, row});
            node->executions += column_at(&e->columns[FIELD_COUNT], row);
            node->unknown += !isfinite(self);
            node->self += isfinite(own) ? fmax(own, 0) * t->weight[k][row] : 0;
        }
    }
    for (size_t i = t->n; i-- > 0;) { /* a node comes after the one above it */
        t->nodes[i].total += t->nodes[i].self;
        if (i != ROOT)
            t->nodes[t->nodes[i].parent].total += t->nodes[i].total;
    }
}

static void make_tree(struct tree *t)
{
    size_t n = t->d->nexperiments;
    t->of = arena_alloc(t->arena, n + 1, sizeof *t->of);
    t->last = arena_alloc(t->arena, n + 1, sizeof *t->last);
    t->hidden = arena_alloc(t->arena, n + 1, sizeof *t->hidden);
    t->pairs = arena_alloc(t->arena, n + 1, sizeof *t->pairs);
    t->weight = arena_alloc(t->arena, n + 1, sizeof *t->weight);
    for (size_t k = 0; k < n; k++) {
        size_t rows = t->d->experiments[k]->nrows;
        t->last[k] = NONE;
        t->hidden[k] = arena_zalloc(t->arena, rows + 1, sizeof **t->hidden);
        t->pairs[k] = arena_zalloc(t->arena, rows + 1, sizeof **t->pairs);
        t->weight[k] = arena_zalloc(t->arena, rows + 1, sizeof **t->weight);
        t->of[k] = arena_alloc(t->arena, rows + 1, sizeof **t->of);
        for (size_t row = 0; row < rows; row++)
            t->of[k][row] = NONE;
    }
    add_node(t, NONE, NONE);
    find_hidden(t);
    find_nodes(t);
    add_times(t);
}

/* ---- the document */

/* The model of a region: that of the experiment, else the first of its parts. */
static json_t *model_of(const json_t *models, const char *name)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *m = json_array_get(models, i);
        const char *base = json_string_value(json_object_get(m, "base"));
        if (strcmp(json_string_value(json_object_get(m, "experiment")), name) == 0)
            return json_integer((json_int_t)i);
        if (base && strcmp(base, name) == 0 && found == SIZE_MAX)
            found = i;
    }
    return found == SIZE_MAX ? json_null() : json_integer((json_int_t)found);
}

static json_t *node_json(const struct tree *t, const struct node *x, json_t *const *models,
                         const json_t *all)
{
    double whole = t->nodes[ROOT].total;
    json_t *model = models[x->experiment];
    const json_t *formula =
        json_object_get(json_array_get(all, (size_t)json_integer_value(model)), "formula");
    return json_make("{name:%s parent:%p model:%p total:%g self:%g executions:%g formula?:%s}",
                     t->d->experiments[x->experiment]->name,
                     x->parent == ROOT ? NULL : json_integer((json_int_t)x->parent - 1),
                     json_incref(model), whole > 0 ? x->total / whole : NAN,
                     whole > 0 && !x->unknown ? x->self / whole : NAN, x->executions,
                     json_is_integer(model) && json_is_string(formula) ? json_string_value(formula)
                                                                       : NULL);
}

static json_t *columns_json(void)
{
    static const char *const columns[][3] = {{"total", "with what is inside", "share"},
                                             {"self", "SELF", "share"},
                                             {"executions", "executions", "number"},
                                             {"formula", "formula", "text"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        json_add(list, "{key:%s title:%s kind:%s}", columns[i][0], columns[i][1], columns[i][2]);
    return list;
}

static json_t *notes_json(const struct tree *t)
{
    json_t *list = json_array();
    bool thinned = false;
    for (size_t i = 0; i < t->d->nfiles; i++)
        thinned = thinned || t->d->files[i].thinned != THINNED_NO;
    if (thinned)
        json_add(
            list, "%s",
            "Samples were thinned: where some inside an execution are missing, those that are left "
            "stand for them.");
    if (t->cut)
        json_add(
            list, "%p",
            json_sprintf("There are more than %d paths of regions: the time of the others counts "
                         "in what contains them.",
                         MOST_NODES));
    return list;
}

json_t *tree_make(const struct dataset *d, const json_t *models)
{
    struct tree t = {.arena = arena_create(), .d = d};
    json_t *nodes = json_array(),
           **model = arena_alloc(t.arena, d->nexperiments + 1, sizeof(json_t *));
    make_tree(&t);
    for (size_t k = 0; k < d->nexperiments; k++)
        model[k] = model_of(models, d->experiments[k]->name);
    for (size_t i = 1; i < t.n; i++)
        json_array_append_new(nodes, node_json(&t, &t.nodes[i], model, models));
    for (size_t k = 0; k < d->nexperiments; k++)
        json_decref(model[k]);
    json_t *j = json_make("{columns:%p nodes:%p notes:%p}", columns_json(), nodes, notes_json(&t));
    arena_destroy(t.arena);
    return j;
}
