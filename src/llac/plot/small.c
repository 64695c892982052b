/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The small plot (small.h): a grid of characters, in which points cover the model. */
#include "llac/plot/small.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "llac/text.h"

enum { COLUMNS = 60, ROWS = 10, MOST_CURVES = 6, LABEL = 10 };

static const char marks[MOST_CURVES + 1] = "ox+*%@";

struct grid {
    char cells[ROWS][COLUMNS];
    int columns; /* in use */
    const struct plot_frame *frame;
};

/* Where a value is on the axis, from 0 to size - 1; -1 if it is outside. */
static int place_on(const struct plot_axis *axis, double value, int size)
{
    double low = axis->log ? log(axis->low) : axis->low,
           high = axis->log ? log(axis->high) : axis->high, x = axis->log ? log(value) : value;
    if (!isfinite(x) || !isfinite(low) || !isfinite(high))
        return -1;
    double at = high > low ? (x - low) / (high - low) * (size - 1) : (size - 1) / 2.0;
    return at > -0.5 && at < size - 0.5 ? (int)lround(at) : -1;
}

static void put(struct grid *g, double x, double y, char mark)
{
    int column = place_on(&g->frame->x, x, g->columns), row = place_on(&g->frame->y, y, ROWS);
    if (column >= 0 && row >= 0)
        g->cells[ROWS - 1 - row][column] = mark;
}

/* Of many curves: the first half and the last half of what can be drawn. */
static size_t curve(const struct plot *p, size_t i, size_t drawn)
{
    return i < (drawn + 1) / 2 ? i : p->nseries - drawn + i;
}

static void draw(struct grid *g, const struct plot *p, size_t drawn)
{
    for (size_t i = 0; i < drawn; i++) {
        const struct plot_series *s = &p->series[curve(p, i, drawn)];
        for (size_t k = 0; k < s->n; k++)
            put(g, s->x[k], s->y[k], '.');
    }
    for (size_t i = 0; i < drawn; i++) {
        const struct plot_series *s = &p->series[curve(p, i, drawn)];
        const struct points *points = s->frame->drawn.points;
        for (size_t k = 0; k < s->npoints; k++)
            put(g, points->at[s->frame->column][s->points[k]], s->measured[k],
                plot_is_left_out(s->frame, s->points[k]) ? '?' : marks[i]);
    }
}

static void print_rows(FILE *out, const struct grid *g)
{
    char number[NUMBER_SIZE];
    for (int row = 0; row < ROWS; row++) {
        int n = g->columns;
        while (n > 0 && g->cells[row][n - 1] == ' ')
            n--;
        const char *label = row == 0          ? number_digits(g->frame->y.high, 3, number)
                            : row == ROWS - 1 ? number_digits(g->frame->y.low, 3, number)
                                              : "";
        fprintf(out, "  %*s |%.*s\n", LABEL, label, n, g->cells[row]);
    }
}

/* The line below the axis: its ends and the name of the variable. */
static void print_axis(FILE *out, const struct grid *g)
{
    const struct plot_frame *f = g->frame;
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    int used = (int)strlen(number_text(f->x.low, low)) + (int)strlen(number_text(f->x.high, high)) +
               (int)strlen(f->over);
    int blanks = g->columns > used + 2 ? g->columns - used : 2;
    fprintf(out, "  %*s +", LABEL, "");
    for (int i = 0; i < g->columns; i++)
        fputc('-', out);
    fprintf(out, "\n  %*s  %s%*s%s%*s%s\n", LABEL, "", low, blanks / 2, "", f->over,
            blanks - blanks / 2, "", high);
}

/* The legend goes on in the next line before it gets wider than the plot. */
static void print_legend(FILE *out, const struct grid *g, const struct plot *p, size_t drawn)
{
    bool left_out = false;
    ARENA_LOCAL struct arena *a = arena_create();
    const char *items[MOST_CURVES + 2];
    size_t n = 0;
    for (size_t i = 0; i < p->nseries; i++)
        left_out = left_out || plot_leaves_out(&p->series[i]);
    for (size_t i = 0; i < drawn && p->nseries > 1; i++)
        items[n++] = arena_printf(a, "%c %s", marks[i], p->series[curve(p, i, drawn)].label);
    if (p->nseries <= 1)
        items[n++] = "o measured";
    items[n++] = ". model";
    if (left_out)
        items[n++] = "? left out";
    int column = 0;
    fprintf(out, "  %*s  ", LABEL, "");
    for (size_t i = 0; i < n; i++) {
        int width = (int)strlen(items[i]);
        if (column && column + 3 + width > g->columns) {
            fprintf(out, "\n  %*s  ", LABEL, "");
            column = 0;
        }
        column += fprintf(out, "%s%s", column ? "   " : "", items[i]);
    }
    fputc('\n', out);
    if (drawn < p->nseries)
        fprintf(out, "  %*s  %zu of %zu curves\n", LABEL, "", drawn, p->nseries);
}

void plot_small(FILE *out, const struct plot *p, int room)
{
    enum { BESIDE = LABEL + 5 };
    bool narrow = room && room < COLUMNS + BESIDE;
    struct grid g = {.frame = &p->frame, .columns = narrow ? room - BESIDE : COLUMNS};
    size_t drawn = p->nseries < MOST_CURVES ? p->nseries : MOST_CURVES;
    memset(g.cells, ' ', sizeof g.cells);
    draw(&g, p, drawn);
    fprintf(out, "  %s%s%s of %s%s%s%s\n", p->frame.spread ? p->frame.spread : "",
            p->frame.spread ? " of " : "", p->frame.observable, p->frame.title,
            *p->frame.unit ? " (" : "", p->frame.unit, *p->frame.unit ? ")" : "");
    print_rows(out, &g);
    print_axis(out, &g);
    print_legend(out, &g, p, drawn);
}

void plot_small_of_model(FILE *out, const struct model *m, int room)
{
    ARENA_LOCAL struct arena *a = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    struct plot_request request = {.scale = PLOT_AUTO};
    struct plot plot;
    if (plot_make(a, m, &request, diag, &plot) == 0)
        plot_small(out, &plot, room);
}
