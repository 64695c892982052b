/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boundaries, and the pieces that they divide the space into (see pieces.h). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/pieces_search.h"

double pieces_boundary_beyond(const struct boundary *boundary, double x)
{
    if (boundary->form == BOUNDARY_SMOOTH)
        return x > 0 ? 1 / (1 + pow(boundary->at / x, boundary->sharpness)) : 0;
    if (!(x > boundary->at))
        return 0;
    return boundary->form == BOUNDARY_BEND ? 1 - boundary->at / x : 1;
}

double pieces_share(const struct pieces *p, const struct piece *piece, size_t variables,
                    const double *x)
{
    double share = 1;
    for (size_t v = 0; v < variables && share != 0; v++) {
        double above =
            piece->low[v] < 0 ? 1 : pieces_boundary_beyond(&p->boundaries[piece->low[v]], x[v]);
        double over =
            piece->high[v] < 0 ? 0 : pieces_boundary_beyond(&p->boundaries[piece->high[v]], x[v]);
        share *= above - over;
    }
    return share;
}

void pieces_shares(const struct searcher *s, const struct piece *piece, double *share)
{
    size_t n = s->problem->points;
    for (size_t i = 0; i < n; i++)
        share[i] = 1;
    for (size_t v = 0; v < s->problem->variables; v++) {
        const double *above = piece->low[v] < 0 ? NULL : s->beyond[piece->low[v]],
                     *over = piece->high[v] < 0 ? NULL : s->beyond[piece->high[v]];
        for (size_t i = 0; i < n && (above || over); i++)
            share[i] *= (above ? above[i] : 1) - (over ? over[i] : 0);
    }
}

double pieces_between(double below, double above)
{
    return below > 0 ? sqrt(below) * sqrt(above) : below + (above - below) / 2;
}

static int by_place(const struct boundary *x, const struct boundary *y)
{
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    if (x->form == BOUNDARY_STEP && y->form == BOUNDARY_STEP)
        return x->below < y->below ? -1 : x->below > y->below;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->form < y->form ? -1 : x->form > y->form;
}

bool pieces_add_boundary(struct pieces *p, const struct boundary *boundary, unsigned changing)
{
    size_t i = 0;
    while (i < p->nboundaries && by_place(&p->boundaries[i], boundary) < 0)
        i++;
    if (i < p->nboundaries && by_place(&p->boundaries[i], boundary) == 0) {
        bool fresh = (changing & ~p->changing[i]) != 0;
        p->changing[i] |= changing;
        return fresh;
    }
    if (p->nboundaries == PIECES_MAX_BOUNDARIES)
        return false;
    memmove(&p->boundaries[i + 1], &p->boundaries[i], (p->nboundaries - i) * sizeof *p->boundaries);
    memmove(&p->changing[i + 1], &p->changing[i], (p->nboundaries - i) * sizeof *p->changing);
    p->boundaries[i] = *boundary;
    p->changing[i] = changing;
    p->nboundaries++;
    return true;
}

void pieces_remove_boundary(struct pieces *p, size_t i)
{
    p->nboundaries--;
    memmove(&p->boundaries[i], &p->boundaries[i + 1], (p->nboundaries - i) * sizeof *p->boundaries);
    memmove(&p->changing[i], &p->changing[i + 1], (p->nboundaries - i) * sizeof *p->changing);
}

/* The pieces of one constant: the whole space, and each of its boundaries in turn divides every
 * piece that it crosses. */
static bool add_pieces(struct searcher *s, size_t constant)
{
    struct pieces *out = s->out;
    size_t first = out->n;
    if (first == PIECES_MAX)
        return false;
    struct piece *piece = &out->list[out->n++];
    piece->constant = constant;
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        piece->low[v] = piece->high[v] = -1;
    for (size_t c = 0; c < out->nboundaries; c++) {
        size_t v = out->boundaries[c].variable;
        if (!(out->changing[c] >> constant & 1))
            continue;
        for (size_t b = first, n = out->n; b < n; b++) {
            if (out->list[b].high[v] >= 0)
                continue; /* left of an earlier boundary of this variable */
            if (out->n == PIECES_MAX)
                return false;
            struct piece *right = &out->list[out->n++];
            *right = out->list[b];
            out->list[b].high[v] = (int)c;
            right->low[v] = (int)c;
        }
    }
    return true;
}

static bool same_place(const struct boundary *x, const struct boundary *y)
{
    return x->variable == y->variable && x->form == y->form && x->at == y->at &&
           x->sharpness == y->sharpness;
}

/* How much of a term counts beyond each boundary, at all points. Powers are slow, and a search moves one
 * boundary at a time: the others stay as they were measured. */
static void measure_boundaries(struct searcher *s)
{
    const struct pieces_problem *p = s->problem;
    for (size_t b = 0; b < s->out->nboundaries; b++) {
        const struct boundary *boundary = &s->out->boundaries[b];
        if (s->beyond[b] && same_place(boundary, &s->measured[b]))
            continue;
        if (!s->beyond[b])
            s->beyond[b] = arena_alloc(s->arena, p->points, sizeof *s->beyond[b]);
        s->measured[b] = *boundary;
        for (size_t i = 0; i < p->points; i++)
            s->beyond[b][i] = pieces_boundary_beyond(boundary, p->at[boundary->variable][i]);
    }
}

static void count_support(struct searcher *s)
{
    MEM_LOCAL double *share = mem_alloc(s->problem->points + 1, sizeof *share);
    for (size_t b = 0; b < s->out->n; b++) {
        struct piece *piece = &s->out->list[b];
        pieces_shares(s, piece, share);
        piece->support = 0;
        for (size_t i = 0; i < s->problem->points; i++)
            piece->support += !s->out->outlier[i] && share[i] != 0;
    }
}

bool pieces_make(struct searcher *s)
{
    s->out->n = 0;
    for (size_t c = 0; c < s->problem->constants; c++)
        if (!add_pieces(s, c))
            return false;
    measure_boundaries(s);
    count_support(s);
    return true;
}
