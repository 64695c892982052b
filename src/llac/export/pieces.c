/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A constant with several values as an expression that chooses among them.
 *
 * The boundaries divide the space into cells, in each of which one piece holds (the same one that a
 * prediction takes, also in combinations of intervals that were never measured). A cell is a range
 * of places between boundaries on each variable; a block of cells with one piece becomes its value,
 * any other is divided at a boundary: N > 45310.0 ? above : below.
 *
 * A constant that changes gradually is the sum of its values, each times its share.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "llac/export/export.h"
#include "llac/text.h"

/* Cells from[v] to to[v] on each variable; cell k of v is above k of its boundaries. */
struct block {
    size_t from[PIECES_MAX_VARIABLES], to[PIECES_MAX_VARIABLES];
};

struct chooser {
    const struct model *model;
    size_t constant;
    enum formula_style style;
    const struct export_names *arguments;
    struct text *out;
    struct arena *arena; /* scratch */
};

/* Boundary k on variable v; NULL if there are fewer. */
static const struct boundary *boundary(const struct model *m, size_t v, size_t k)
{
    const struct pieces *p = model_pieces(m);
    for (size_t c = 0; c < p->nboundaries; c++) {
        if (p->boundaries[c].variable != v)
            continue;
        if (k-- == 0)
            return &p->boundaries[c];
    }
    return NULL;
}

/* A place inside the cell. */
static double place_in_cell(const struct model *m, size_t v, size_t cell)
{
    const struct boundary *below = cell ? boundary(m, v, cell - 1) : NULL;
    const struct boundary *above = boundary(m, v, cell);
    if (above)
        return above->at; /* the boundary itself belongs to the piece below */
    return below ? nextafter(below->at, INFINITY) : model_place_values(m, v)[0];
}

/* The next cell of the block, the last variable running fastest; false after the last. */
static bool next_cell(const struct block *b, size_t variables, size_t *cell)
{
    for (size_t v = variables; v-- > 0;) {
        if (cell[v] < b->to[v]) {
            cell[v]++;
            return true;
        }
        cell[v] = b->from[v];
    }
    return false;
}

/* The piece that holds in the whole block; SIZE_MAX if there are several. */
static size_t only_piece(const struct chooser *c, const struct block *b)
{
    size_t cell[PIECES_MAX_VARIABLES], variables = model_places(c->model), found = SIZE_MAX;
    memcpy(cell, b->from, sizeof cell);
    do {
        double x[PIECES_MAX_VARIABLES];
        for (size_t v = 0; v < variables; v++)
            x[v] = place_in_cell(c->model, v, cell[v]);
        size_t here = model_column_at(c->model, c->constant, x, NULL);
        if (found != SIZE_MAX && here != found)
            return SIZE_MAX;
        found = here;
    } while (next_cell(b, variables, cell));
    return found;
}

static const char *variable_name(void *user, const char *name)
{
    const struct export_names *arguments = user;
    return export_identifier(arguments, name);
}

/* A variable along which the constant changes, in the language: N, or (N/P). In the arena. */
static const char *place_text(const struct chooser *c, size_t v)
{
    const struct formula *f = model_place_formula(c->model, v);
    struct export_names arguments = *c->arguments;
    struct formula_print_options options = {
        .style = c->style, .variable = variable_name, .user = &arguments};
    if (!f)
        return export_identifier(c->arguments, model_place_name(c->model, v));
    TEXT_LOCAL struct text t = text_new();
    text_addc(&t, '(');
    formula_print(&t, f, &options);
    text_addc(&t, ')');
    return arena_strdup(c->arena, t.s);
}

void export_number(struct text *out, double value)
{
    char number[NUMBER_SIZE];
    number_text(value, number);
    /* 3 would be an integer in C and gnuplot */
    text_printf(out, value < 0 ? "(%s%s)" : "%s%s", number, strpbrk(number, ".en") ? "" : ".0");
}

/* Where to divide: best between two blocks of which one is settled. */
static void choose_split(const struct chooser *c, const struct block *b, size_t *variable,
                         size_t *below)
{
    bool any = false;
    for (size_t v = 0; v < model_places(c->model); v++)
        for (size_t k = b->from[v]; k < b->to[v]; k++) {
            struct block low = *b, high = *b;
            low.to[v] = k;
            high.from[v] = k + 1;
            bool settled = only_piece(c, &low) != SIZE_MAX || only_piece(c, &high) != SIZE_MAX;
            if (any && !settled)
                continue;
            *variable = v;
            *below = k;
            any = true;
            if (settled)
                return;
        }
}

/* The recursion ends: each step divides a block, and a single cell has one piece. */
static void put_block(const struct chooser *c, const struct block *b)
{
    size_t piece = only_piece(c, b), v = 0, k = 0;
    if (piece != SIZE_MAX) {
        export_number(c->out, model_columns(c->model).value[piece]);
        return;
    }
    choose_split(c, b, &v, &k);
    struct block low = *b, high = *b;
    const char *name = place_text(c, v);
    low.to[v] = k;
    high.from[v] = k + 1;
    double at = boundary(c->model, v, k)->at;
    text_addc(c->out, '(');
    if (c->style == FORMULA_PYTHON) {
        put_block(c, &high);
        text_printf(c->out, " if %s > ", name);
        export_number(c->out, at);
        text_add(c->out, " else ");
    } else {
        text_printf(c->out, "%s > ", name);
        export_number(c->out, at);
        text_add(c->out, " ? ");
        put_block(c, &high);
        text_add(c->out, " : ");
    }
    put_block(c, &low);
    text_addc(c->out, ')');
}

/* ---- constants that change gradually ---- */

static bool changes_gradually(const struct model *m, size_t constant)
{
    const struct pieces *p = model_pieces(m);
    for (size_t c = 0; c < p->nboundaries; c++)
        if (p->boundaries[c].form != BOUNDARY_STEP && p->changing[c] >> constant & 1)
            return true;
    return false;
}

/* (N > at ? share : 0.0), in the language. */
static void put_if_beyond(const struct chooser *c, const char *name, double at, const char *share)
{
    bool python = c->style == FORMULA_PYTHON;
    text_printf(c->out, python ? "(%s if %s > " : "(%s%s > ", python ? share : "", name);
    export_number(c->out, at);
    text_printf(c->out, python ? " else 0.0)" : " ? %s : 0.0)", share);
}

/* How much of the term counts beyond the boundary: as pieces_boundary_beyond. */
static void put_beyond(const struct chooser *c, const struct boundary *b)
{
    const char *name = place_text(c, b->variable);
    TEXT_LOCAL struct text at = text_new(), share = text_new();
    export_number(&at, b->at);
    if (b->form == BOUNDARY_SMOOTH) {
        text_printf(&share,
                    c->style == FORMULA_C ? "1.0/(1.0 + pow(%s/%s, " : "1.0/(1.0 + (%s/%s)**(",
                    at.s, name);
        export_number(&share, b->sharpness);
        text_add(&share, "))");
        put_if_beyond(c, name, 0, share.s);
    } else {
        if (b->form == BOUNDARY_BEND)
            text_printf(&share, "1.0 - %s/%s", at.s, name);
        put_if_beyond(c, name, b->at, share.n ? share.s : "1.0");
    }
}

/* The values of all pieces, each with its share. */
static void put_shares(const struct chooser *c)
{
    const struct model *m = c->model;
    const struct pieces *p = model_pieces(m);
    struct model_columns columns = model_columns(m);
    bool any = false;
    text_addc(c->out, '(');
    for (size_t j = 0; j < columns.n; j++) {
        const struct piece *piece = columns.list[j].piece;
        if (columns.list[j].constant != c->constant)
            continue;
        text_add(c->out, any ? " + " : "");
        any = true;
        export_number(c->out, columns.value[j]);
        for (size_t v = 0; v < model_places(m); v++) {
            if (piece->low[v] < 0 && piece->high[v] < 0)
                continue;
            text_add(c->out, "*(");
            if (piece->low[v] < 0)
                text_add(c->out, "1.0");
            else
                put_beyond(c, &p->boundaries[piece->low[v]]);
            if (piece->high[v] >= 0) {
                text_add(c->out, " - ");
                put_beyond(c, &p->boundaries[piece->high[v]]);
            }
            text_addc(c->out, ')');
        }
    }
    text_addc(c->out, ')');
}

void export_constant(struct text *out, const struct model *m, size_t constant,
                     enum formula_style style, const struct export_names *arguments)
{
    struct chooser c = {m, constant, style, arguments, out, arena_create()};
    struct block all = {{0}, {0}};
    struct model_columns columns = model_columns(m);
    bool any = false;
    for (size_t j = 0; j < columns.n; j++)
        any = any || columns.list[j].constant == constant;
    for (size_t v = 0; v < model_places(m); v++)
        while (boundary(m, v, all.to[v]))
            all.to[v]++;
    if (any && model_constants(m).list[constant].is_exponent)
        export_number(out, model_exponent(m, constant));
    else if (any && changes_gradually(m, constant))
        put_shares(&c);
    else if (any)
        put_block(&c, &all);
    else
        export_number(out, 0);
    arena_destroy(c.arena);
}
