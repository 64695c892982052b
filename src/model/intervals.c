/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a model's points to the pieces of its constants.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "model/fit_internal.h"

/* Whether the formula asks the machine how a cost changes with the variable: then its constants are
 * counts, which do not change. */
static bool machine_knows(struct model *m, size_t variable)
{
    size_t n;
    if (!m->formula.machine)
        return false;
    const struct formula *const *calls = formula_machine_calls(m->arena, m->formula.expanded, &n);
    for (size_t i = 0; i < n; i++) {
        struct formula_variables used = formula_variables(m->arena, calls[i]);
        for (size_t k = 0; k < used.n; k++)
            if (model_place_uses(m->arena, m, variable, used.list[k].name))
                return true;
    }
    return false;
}

/* The distinct values of the variable with from < value <= to; no more than `most` are counted. */
static size_t count_values(const struct model *m, size_t variable, double from, double to,
                           size_t most)
{
    const double *at = model_place_values(m, variable);
    size_t n = 0;
    for (size_t i = 0; i < m->points.n && n < most; i++) {
        bool is_new = at[i] > from && at[i] <= to;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = at[k] != at[i];
        n += is_new;
    }
    return n;
}

bool model_few_values(const struct model *m, size_t variable)
{
    return count_values(m, variable, -INFINITY, INFINITY, INTERVAL_FEW_VALUES + 1) <=
           INTERVAL_FEW_VALUES;
}

/* Whether the variable has so few values, and each of them so many points, that the constants can be
 * found at each value by itself: if the user asks for intervals on it, it may be divided between any
 * two values. */
static bool divides_anywhere(const struct model *m, size_t variable)
{
    const double *at = model_place_values(m, variable);
    size_t values = 0;
    for (size_t i = 0; i < m->points.n && values <= INTERVAL_FEW_VALUES; i++) {
        size_t alike = 0, before = 0;
        for (size_t k = 0; k < m->points.n; k++) {
            alike += at[k] == at[i];
            before += k < i && at[k] == at[i];
        }
        values += before == 0;
        if (alike <= m->nconstants)
            return false;
    }
    return values <= INTERVAL_FEW_VALUES;
}

static int choose_variables(struct model *m, struct pieces_problem *p, struct diag *diag)
{
    const struct interval_request *r = &m->request.intervals;
    size_t variable = 0;
    while (r->variable && variable < p->variables &&
           strcmp(model_place_name(m, variable), r->variable) != 0)
        variable++;
    if (r->variable && variable == p->variables)
        return diag_error(diag, "%s",
                          points_no_variable(m->arena, &m->points, &m->request.let, r->variable));
    if (r->mode == INTERVALS_ON && r->variable) {
        p->may_divide = 1u << variable;
        p->min_values = divides_anywhere(m, variable) ? 1 : 0;
    }
    bool any = r->mode == INTERVALS_AUTO || (r->mode == INTERVALS_ON && !r->variable);
    for (size_t v = 0; v < p->variables; v++) {
        bool derived = model_place_formula(m, v) != NULL;
        if (any && (derived || !points_constant(&m->points, v)) && !machine_knows(m, v))
            p->may_divide |= 1u << v;
        p->derived |= derived ? 1u << v : 0;
    }
    if (r->mode == INTERVALS_GIVEN) {
        p->given = r->given;
        p->ngiven = r->ngiven;
        p->given_variable = variable;
    }
    return 0;
}

static void use_pieces(struct model *m, struct pieces *pieces)
{
    m->structure.pieces = pieces;
    m->structure.left_out = pieces->outlier;
    m->structure.used = m->points.n - pieces->noutliers;
}

/* After a search for pieces: looks whether a class of values with fewer pieces explains the data
 * better. Then takes these pieces, and makes `problem` the one without the class's factor; where the
 * user wants intervals, only m->structure.split is set. */
static void class_instead(struct model *m, struct pieces_problem *problem)
{
    struct pieces *before = m->structure.pieces;
    struct pieces *with = arena_alloc(m->arena, 1, sizeof *with);
    struct pieces_problem adjusted = *problem;
    struct model_split split, on_top;
    if ((!before->nboundaries && !before->noutliers) ||
        !divisible_find(m, m->formula.coefficients, m->nconstants, problem->excluded,
                        DIVISIBLE_LEVEL_TRIED, &split))
        return;
    divisible_adjust(m, &split, &adjusted);
    pieces_search(m->arena, &adjusted, with);
    bool *outlier = arena_alloc(m->arena, m->points.n, sizeof *outlier);
    for (size_t i = 0; i < m->points.n; i++)
        outlier[i] = before->outlier[i] && with->outlier[i];
    if (!(pieces_criterion(&adjusted, with, outlier, 1) + BOUNDARY_PENALTY + DIVISIBLE_MARGIN <
          pieces_criterion(problem, before, outlier, 0)))
        return;
    use_pieces(m, with);
    intervals_expand(m);
    if (divisible_find(m, m->structure.design, m->structure.ncolumns, m->structure.left_out,
                       DIVISIBLE_LEVEL, &on_top))
        m->structure.split = split;
    if (m->structure.split.found && m->request.intervals.mode != INTERVALS_ON)
        *problem = adjusted;
    else
        use_pieces(m, before);
}

int intervals_find(struct model *m, struct diag *diag)
{
    const struct interval_request *r = &m->request.intervals;
    size_t n = m->points.n;
    if (derived_make(m, diag))
        return -1;
    if (m->nconstants == 0) {
        m->structure.pieces = arena_zalloc(m->arena, 1, sizeof *m->structure.pieces);
        m->structure.left_out = arena_zalloc(m->arena, n, sizeof *m->structure.left_out);
        m->structure.used = n;
        return 0;
    }
    double *y = arena_alloc(m->arena, n, sizeof *y);
    const double **at = arena_alloc(m->arena, model_places(m) + 1, sizeof *at);
    for (size_t v = 0; v < model_places(m); v++)
        at[v] = model_place_values(m, v);
    for (size_t i = 0; i < n; i++)
        y[i] = m->points.value[i] - (m->formula.known ? m->formula.known[i] : 0);
    struct pieces_problem p = {.points = n,
                               .constants = m->nconstants,
                               .variables = model_places(m),
                               .design = m->formula.coefficients,
                               .y = y,
                               .at = at,
                               .max_intervals = r->max ? r->max : DEFAULT_MAX_INTERVALS,
                               .measured = m->points.value,
                               .excluded = m->structure.excluded,
                               .threshold = m->structure.threshold,
                               .keep_outliers = m->request.keep_outliers};
    noise_of_repetitions(&m->points, &p.known_noise, &p.known_weight);
    p.sigma = noise_scales(m->arena, &m->points, p.known_noise, m->noise.floor);
    if (choose_variables(m, &p, diag))
        return -1;
    p.steps_only = r->steps_only || (m->again && !m->structure.has_gradual);
    if (m->again && m->structure.missing.instead && r->mode == INTERVALS_AUTO)
        p.may_divide = 0;
    bool others = !p.ngiven && !r->threshold && !r->steps_only; /* explanations are looked for */
    if (m->again && m->structure.split.found && others && r->mode != INTERVALS_ON)
        divisible_adjust(m, &m->structure.split, &p);
    m->structure.pieces = arena_alloc(m->arena, 1, sizeof *m->structure.pieces);
    pieces_search(m->arena, &p, m->structure.pieces);
    use_pieces(m, m->structure.pieces);
    if (!m->again)
        m->structure.split.found = false;
    if (others && !m->again)
        class_instead(m, &p);
    if (m->structure.pieces->nboundaries && others && !m->again && missing_term_find(m, &p) &&
        r->mode == INTERVALS_AUTO) {
        p.may_divide = 0;
        pieces_search(m->arena, &p, m->structure.pieces);
        use_pieces(m, m->structure.pieces);
    }
    derived_keep_used(m);
    for (size_t c = 0; c < m->structure.pieces->nboundaries && !m->again; c++)
        m->structure.has_gradual |= m->structure.pieces->boundaries[c].form != BOUNDARY_STEP;
    return 0;
}

/* The end of an interval: the last measured value of one side, or the place of a gradual change. */
static double end_at(const struct model *m, int boundary, enum boundary_form *form)
{
    const struct boundary *b = &m->structure.pieces->boundaries[boundary];
    if (b->form == BOUNDARY_STEP)
        return b->below;
    *form = b->form;
    return b->at;
}

void intervals_bounds(struct arena *a, const struct model *m, const struct piece *piece,
                      struct model_piece *out)
{
    struct model_interval *list = arena_alloc(a, model_places(m) + 1, sizeof *list);
    out->where = list;
    out->nwhere = 0;
    for (size_t v = 0; v < model_places(m); v++) {
        if (piece->low[v] < 0 && piece->high[v] < 0)
            continue;
        struct model_interval *bound = &list[out->nwhere++];
        const double *at = model_place_values(m, v);
        *bound = (struct model_interval){.variable = model_place_name(m, v),
                                         .from = INFINITY,
                                         .to = -INFINITY,
                                         .open = piece->low[v] >= 0};
        for (size_t i = 0; i < m->points.n; i++) {
            bound->from = fmin(bound->from, at[i]);
            bound->to = fmax(bound->to, at[i]);
        }
        if (piece->low[v] >= 0)
            bound->from = end_at(m, piece->low[v], &bound->form);
        if (piece->high[v] >= 0)
            bound->to = end_at(m, piece->high[v], &bound->form);
        /* A step in the same gap as the gradual change before it: the last value measured below it is
         * before that change. */
        if (piece->high[v] >= 0 && bound->to < bound->from)
            bound->to = fmax(m->structure.pieces->boundaries[piece->high[v]].at, bound->from);
        bound->single =
            bound->form == BOUNDARY_STEP && model_few_values(m, v) &&
            count_values(m, v, bound->open ? bound->from : -INFINITY, bound->to, 2) == 1;
    }
}

char *model_interval_text(struct arena *a, const struct model_interval *i)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    bool gradual = i->form != BOUNDARY_STEP;
    if (i->single)
        return arena_printf(a, "%s = %s", i->variable, number_text(i->to, to));
    return arena_printf(a, "%s%s in %c%s, %s]%s", i->form == BOUNDARY_BEND ? "the part of " : "",
                        i->variable, i->open ? '(' : '[',
                        gradual ? number_digits(i->from, 4, from) : number_text(i->from, from),
                        gradual ? number_digits(i->to, 4, to) : number_text(i->to, to),
                        i->form == BOUNDARY_SMOOTH ? ", gradually" : "");
}

void model_pieces_at(struct arena *a, const struct model *m, const double *x, size_t *columns,
                     struct model_piece *where)
{
    struct piece common = {.constant = 0};
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        common.low[v] = common.high[v] = -1;
    for (size_t c = 0; c < m->nconstants; c++) {
        columns[c] = model_column_at(m, c, x, NULL);
        if (columns[c] == SIZE_MAX)
            continue;
        const struct piece *piece = m->structure.columns[columns[c]].piece;
        for (size_t v = 0; v < model_places(m); v++) { /* boundaries are sorted by place */
            if (piece->low[v] > common.low[v])
                common.low[v] = piece->low[v];
            if (piece->high[v] >= 0 && (common.high[v] < 0 || piece->high[v] < common.high[v]))
                common.high[v] = piece->high[v];
        }
    }
    intervals_bounds(a, m, &common, where);
}
