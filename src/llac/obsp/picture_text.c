/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of an evaluation as text: one line for each row, a character for each slice of time.
 * The character shows what the processors of the row do, and whether the critical path is there. At
 * the end of the line follow the shares of the whole time. With few processors and few messages
 * there are lines between the rows with an arrow for each message: it goes straight from the sender
 * to the receiver, at the time when the sender had computed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "llac/obsp/picture.h"

enum {
    INDENT = 2,
    SHARE = 5, /* columns of a share */
    LEAST_SLICES = 20,
    MOST_ROWS_WITH_ARROWS = 8,
    MOST_ARROWS_IN_TEXT = 64,
    MOST_LEGS_IN_TEXT = 6
};

enum glyph { BLANK, COMPUTES, COMMUNICATES, WAITS, CRITICAL_COMPUTES, CRITICAL_COMMUNICATES };

static const enum picture_activity activity_of[] = {
    [COMPUTES] = PICTURE_COMPUTES, [COMMUNICATES] = PICTURE_COMMUNICATES, [WAITS] = PICTURE_WAITS};

#define MOST_OF_A_SLICE 0.7

struct style {
    const char *glyphs[CRITICAL_COMMUNICATES + 1];
    const char *down, *up, *both, *line; /* of arrows */
    const char *corner, *tick, *axis;
};

static const struct style ascii = {
    .glyphs = {" ", "=", "x", ".", "#", "X"},
    .down = "v",
    .up = "^",
    .both = ":",
    .line = "|",
    .corner = "+",
    .tick = "+",
    .axis = "-",
};

static const struct style blocks = {
    .glyphs = {" ", "▄", "░", "·", "█", "▓"},
    .down = "▼",
    .up = "▲",
    .both = "↕",
    .line = "│",
    .corner = "└",
    .tick = "┴",
    .axis = "─",
};

/* Where colours tell the activities apart, all bars have the same height but the critical ones. */
static const struct style coloured = {
    .glyphs = {" ", "▄", "▄", "·", "█", "█"},
    .down = "▼",
    .up = "▲",
    .both = "↕",
    .line = "│",
    .corner = "└",
    .tick = "┴",
    .axis = "─",
};

static const char *const colours[] = {
    [BLANK] = "",
    [COMPUTES] = "\033[34m",
    [COMMUNICATES] = "\033[33m",
    [WAITS] = "\033[90m",
    [CRITICAL_COMPUTES] = "\033[1;34m",
    [CRITICAL_COMMUNICATES] = "\033[1;33m",
};

struct canvas {
    struct text *out;
    const struct picture *p;
    const struct picture_look *look;
    const struct style *style;
    int names; /* width of the names of rows */
};

static int name_width(int processes, int rows)
{
    int group = picture_group(processes, rows), digits = 1;
    for (int n = processes - 1; n >= 10; n /= 10)
        digits++;
    return group > 1 ? 2 * digits + 1 : digits;
}

/* "measured" is the name of the second line of a row. */
static int names_of(int processes, int rows, bool measured)
{
    int width = name_width(processes, rows);
    return measured && width < 8 ? 8 : width;
}

int picture_text_slices(const struct picture_request *r, int columns)
{
    int slices = columns - INDENT - names_of(r->processes, r->rows, r->measured) - 1 -
                 PICTURE_ACTIVITIES * SHARE;
    return slices < LEAST_SLICES ? LEAST_SLICES : slices;
}

static void put_blanks(struct text *out, int n)
{
    for (int i = 0; i < n; i++)
        text_addc(out, ' ');
}

static void put_name(const struct canvas *c, const char *name)
{
    put_blanks(c->out, INDENT + c->names - (int)strlen(name));
    text_printf(c->out, "%s ", name);
}

/* The slice that a time is in; times outside are in the first or the last one. */
static int slice_of(const struct picture *p, double time)
{
    const struct picture_request *r = &p->request;
    double at = (time - r->begin) / (r->end - r->begin) * r->slices;
    return !(at > 0) ? 0 : at >= r->slices ? r->slices - 1 : (int)at;
}

/* ---- bars */

/* Chooses the character of a slice. Where no activity has most of the slice, the choice also considers
 * what the characters before showed too little or too much of (`owed`), so that several slices together
 * show the shares. */
static enum glyph glyph_of(const struct picture *p, enum picture_layer layer, int row, int slice,
                           double owed[WAITS + 1])
{
    double shares[WAITS + 1] = {[BLANK] = 1};
    enum glyph most = BLANK, chosen = BLANK;
    for (enum glyph g = COMPUTES; g <= WAITS; g++) {
        shares[g] = picture_share(p, layer, row, slice, activity_of[g]);
        shares[BLANK] -= shares[g];
    }
    for (enum glyph g = BLANK; g <= WAITS; g++) {
        owed[g] += shares[g];
        most = shares[g] > shares[most] ? g : most;
        chosen = owed[g] > owed[chosen] ? g : chosen;
    }
    owed[chosen] -= 1;
    if (shares[most] < MOST_OF_A_SLICE)
        return chosen;
    memset(owed, 0, (WAITS + 1) * sizeof *owed);
    return most;
}

/* On the critical path, a processor of the row computes or communicates. */
static enum glyph critical_glyph(const struct picture *p, int row, int slice)
{
    return picture_share(p, PICTURE_MODEL, row, slice, PICTURE_COMMUNICATES) >
                   picture_share(p, PICTURE_MODEL, row, slice, PICTURE_COMPUTES)
               ? CRITICAL_COMMUNICATES
               : CRITICAL_COMPUTES;
}

static void put_shares(const struct canvas *c, enum picture_layer layer, int row)
{
    for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++)
        text_printf(c->out, "%*.0f", SHARE, 100 * picture_total_share(c->p, layer, row, a));
    text_add(c->out, "\n");
}

static void put_bar(const struct canvas *c, enum picture_layer layer, int row)
{
    const struct picture *p = c->p;
    enum glyph before = BLANK;
    double owed[WAITS + 1] = {0};
    for (int s = 0; s < p->request.slices; s++) {
        enum glyph glyph = glyph_of(p, layer, row, s, owed);
        if (layer == PICTURE_MODEL && p->path_rows[s] == row)
            glyph = critical_glyph(p, row, s);
        if (c->look->colour && glyph != before)
            text_printf(c->out, "%s%s", before == BLANK ? "" : "\033[0m", colours[glyph]);
        text_add(c->out, c->style->glyphs[glyph]);
        before = glyph;
    }
    if (c->look->colour && before != BLANK)
        text_add(c->out, "\033[0m");
    put_shares(c, layer, row);
}

/* ---- arrows: a matrix of gaps between rows and slices */

enum { FREE = 0, PASSES = 1, HEAD_DOWN = 2, HEAD_UP = 4 };

static bool has_arrows(const struct picture *p)
{
    return p->group == 1 && p->rows <= MOST_ROWS_WITH_ARROWS && !p->request.measured &&
           !p->too_many_arrows && p->narrows > 0 && p->narrows <= MOST_ARROWS_IN_TEXT;
}

static bool is_free(const unsigned char *gaps, int slices, int slice, int first, int last)
{
    if (slice < 0 || slice >= slices)
        return false;
    for (int g = first; g <= last; g++)
        if (gaps[g * slices + slice] != FREE)
            return false;
    return true;
}

/* Places the arrow near its time where it crosses no other one, or over others. */
static void place_arrow(const struct picture *p, unsigned char *gaps, const struct picture_arrow *a)
{
    static const int shifts[] = {0, 1, -1, 2, -2};
    bool down = a->from < a->to;
    int slices = p->request.slices, at = slice_of(p, a->sent);
    int first = down ? a->from : a->to, last = (down ? a->to : a->from) - 1;
    int slice = at;
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        if (is_free(gaps, slices, at + shifts[i], first, last)) {
            slice = at + shifts[i];
            break;
        }
    for (int g = first; g <= last; g++)
        gaps[g * slices + slice] |= PASSES;
    gaps[(down ? last : first) * slices + slice] |= down ? HEAD_DOWN : HEAD_UP;
}

static unsigned char *place_arrows(const struct picture *p)
{
    size_t n = (size_t)p->rows * (size_t)p->request.slices;
    unsigned char *gaps = arena_zalloc(p->arena, n, 1);
    for (size_t i = 0; i < p->narrows; i++)
        if (!isnan(p->arrows[i].sent))
            place_arrow(p, gaps, &p->arrows[i]);
    return gaps;
}

static void put_gap(const struct canvas *c, const unsigned char *gap)
{
    int last = c->p->request.slices - 1;
    while (last >= 0 && gap[last] == FREE)
        last--;
    put_name(c, "");
    for (int s = 0; s <= last; s++)
        text_add(c->out, gap[s] == FREE                   ? " "
                         : gap[s] == PASSES               ? c->style->line
                         : gap[s] == (PASSES | HEAD_DOWN) ? c->style->down
                         : gap[s] == (PASSES | HEAD_UP)   ? c->style->up
                                                          : c->style->both);
    text_add(c->out, "\n");
}

/* ---- the axis and the words */

static const char *unit_of(const struct canvas *c, double *factor)
{
    const char *unit;
    *factor = pow(10, -picture_unit(c->p, &unit));
    return !c->look->utf8 && (unsigned char)unit[0] >= 0x80 ? "us" : unit;
}

static void put_axis(const struct canvas *c)
{
    const struct picture_request *r = &c->p->request;
    double factor, step = picture_step(c->p, r->slices / 10);
    const char *unit = unit_of(c, &factor);
    struct text labels;
    int next = 0, column = 0; /* ends of the line and of the labels */
    text_init(&labels);
    put_name(c, "");
    for (double k = ceil(r->begin / step * (1 - 1e-9)); k * step <= r->end * (1 + 1e-9); k++) {
        int at = (int)lround((k * step - r->begin) / (r->end - r->begin) * r->slices);
        if (at >= r->slices)
            at = r->slices - 1;
        for (; next < at; next++)
            text_add(c->out, c->style->axis);
        text_add(c->out, next == 0 ? c->style->corner : c->style->tick);
        next = at + 1;
        put_blanks(&labels, at - column);
        size_t before = labels.n;
        text_printf(&labels, "%s ", number_digits(k * step * factor, 6, NUMBER_BUFFER));
        column = (at > column ? at : column) + (int)(labels.n - before);
    }
    for (; next < r->slices; next++)
        text_add(c->out, c->style->axis);
    text_add(c->out, "\n");
    put_name(c, "");
    text_printf(c->out, "%s%s\n", labels.s, unit);
    text_free(&labels);
}

static void put_sample(const struct canvas *c, enum glyph glyph, const char *after)
{
    bool colour = c->look->colour;
    text_printf(c->out, "%s%s%s%s", colour ? colours[glyph] : "", c->style->glyphs[glyph],
                colour ? "\033[0m" : "", after);
}

static void put_head(const struct canvas *c)
{
    put_name(c, "");
    put_blanks(c->out, c->p->request.slices);
    for (enum glyph g = COMPUTES; g <= WAITS; g++) {
        text_add(c->out, "   ");
        put_sample(c, g, "%");
    }
    text_add(c->out, "\n");
}

static void put_legend(const struct canvas *c)
{
    const struct picture *p = c->p;
    text_add(c->out, "  ");
    put_sample(c, COMPUTES, " computes, ");
    put_sample(c, COMMUNICATES, " communicates, ");
    put_sample(c, WAITS, " waits; on the critical path: ");
    put_sample(c, CRITICAL_COMPUTES, " ");
    put_sample(c, CRITICAL_COMMUNICATES, "\n");
    if (p->group > 1)
        text_printf(c->out, "  each row: %d processors; mixed characters show shares\n", p->group);
    else if (!picture_is_exact(p, PICTURE_MODEL))
        text_add(c->out, "  many supersteps in a character; mixed characters show shares\n");
    if (p->messages && !has_arrows(p))
        text_printf(c->out, "  %lld messages, not drawn\n", p->messages);
}

/* Adds words to a paragraph whose lines are not longer than the picture. */
static void put_words(const struct canvas *c, int *column, const char *words)
{
    int n = (int)strlen(words);
    if (*column + n > c->look->columns) {
        text_add(c->out, "\n    ");
        *column = 4;
        n -= *words == ' ';
        words += *words == ' ';
    }
    text_add(c->out, words);
    *column += n;
}

static void put_legs(const struct canvas *c)
{
    const struct picture *p = c->p;
    double factor;
    const char *unit = unit_of(c, &factor);
    size_t shown = p->nlegs > MOST_LEGS_IN_TEXT ? MOST_LEGS_IN_TEXT : p->nlegs;
    char words[96];
    int column = 0;
    if (!p->nlegs)
        return;
    put_words(c, &column, "  critical path: processor");
    for (size_t i = 0; i < shown; i++) {
        snprintf(words, sizeof words, " %d until %s %s%s", p->legs[i].process,
                 number_digits(factor * p->legs[i].end, 4, NUMBER_BUFFER), unit,
                 i + 1 < p->nlegs ? "," : "");
        put_words(c, &column, words);
    }
    if (p->nlegs > shown) {
        snprintf(words, sizeof words, " and %zu more change%s", p->nlegs - shown,
                 p->nlegs == shown + 1 ? "" : "s");
        put_words(c, &column, words);
    }
    text_add(c->out, "\n");
}

void picture_text(struct text *out, const struct picture *p, const struct picture_look *look)
{
    const struct picture_request *r = &p->request;
    struct canvas c = {out, p, look,
                       !look->utf8    ? &ascii
                       : look->colour ? &coloured
                                      : &blocks,
                       names_of(r->processes, r->rows, r->measured)};
    unsigned char *gaps = has_arrows(p) ? place_arrows(p) : NULL;
    text_add(out, "  ");
    text_add_printable(out, r->title, strlen(r->title));
    text_add(out, "\n");
    put_head(&c);
    for (int row = 0; row < p->rows; row++) {
        char name[32];
        picture_row_name(p, row, name);
        put_name(&c, name);
        put_bar(&c, PICTURE_MODEL, row);
        if (r->measured) {
            put_name(&c, "measured");
            put_bar(&c, PICTURE_MEASURED, row);
        }
        if (gaps && row + 1 < p->rows)
            put_gap(&c, gaps + row * r->slices);
    }
    put_axis(&c);
    put_legend(&c);
    put_legs(&c);
}
