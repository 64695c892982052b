/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of an evaluation: for each processor a bar that shows when it computes, communicates
 * and waits, the messages, and the critical path. Its memory is bounded, whatever the number of
 * supersteps is:
 *
 * - Processors are joined to groups, one row for each group, if they are more than the rows.
 * - Every row has a fixed number of slices of time, with the seconds that its processors spend in
 *   each activity. The stretches of single processors are kept in addition while they are few
 *   enough to be drawn one by one (picture_is_exact).
 * - Messages are kept while they are few enough to be drawn as arrows.
 *
 * Usage: picture_create, when the time of the whole evaluation is known; picture_set_path;
 * picture_add for every span, as obsp_walk visits them; picture_finish; and then one of the
 * functions that draw.
 */
#ifndef LLAC_OBSP_PICTURE_H
#define LLAC_OBSP_PICTURE_H

#include "base/memory.h"
#include "llac/plot/gnuplot.h"
#include "obsp/evaluate.h"

enum picture_activity { PICTURE_COMPUTES, PICTURE_COMMUNICATES, PICTURE_WAITS, PICTURE_ACTIVITIES };
enum picture_layer { PICTURE_MODEL, PICTURE_MEASURED, PICTURE_LAYERS };

enum {
    PICTURE_MOST_STRETCHES = 12000, /* of a layer; more are drawn as shares of slices */
    PICTURE_MOST_ARROWS = 200
};

struct picture_request {
    const char *title;
    int processes;
    double begin, end; /* of the time that is drawn; seconds, end > begin */
    int rows, slices;  /* at most */
    bool measured;     /* has a layer of measured activities */
};

/* A time in which one processor does one thing. */
struct picture_stretch {
    int process;
    enum picture_activity activity;
    double begin, end;
};

/* The end of a superstep of one processor. */
struct picture_end {
    int process;
    unsigned object;
    long step;
    double computed, end;
};

struct picture_arrow {
    int from, to; /* processes */
    unsigned object;
    long step;
    double sent,
        arrived; /* sent: when the sender had computed; NAN if its superstep was not seen */
};

struct picture_bars {
    double *seconds; /* [row][slice][activity], summed over the processors of the row */
    double *totals;  /* [row][activity] */
    struct picture_stretch *stretches;
    size_t nstretches, capacity;
    size_t *latest; /* stretch of each processor, or SIZE_MAX */
    bool too_many;  /* the stretches are not complete */
};

struct picture {
    struct picture_request request;
    struct arena *arena;
    int group, rows; /* processors of a row; the last row may have fewer */
    struct picture_bars layers[PICTURE_LAYERS];
    struct picture_end *ends; /* of synchronised supersteps, while the stretches are complete */
    size_t nends, ends_capacity;
    struct picture_arrow *arrows;
    size_t narrows, arrows_capacity;
    bool too_many_arrows;
    long long messages; /* pairs of a sender and a receiver in a superstep */
    struct obsp_stretch
        *legs; /* the critical path in order, each on another processor than the last */
    size_t nlegs;
    int *path_rows; /* of each slice: the row that the path is in for the longest time, or -1 */
};

/* How many processors a row has so that there are at most `rows` rows: a divisor of `processes` if
 * one is close, so that all rows have the same number. */
int picture_group(int processes, int rows);

/* Everything is in the arena. */
struct picture *picture_create(struct arena *arena, const struct picture_request *request);
/* The critical path, in order. */
void picture_set_path(struct picture *p, const struct obsp_stretch *path, size_t n);
/* Adds a superstep of one processor to the layer of the model. */
void picture_add(struct picture *p, const struct obsp_span *span);
/* Adds what was measured; seconds since the processor began. */
void picture_add_measured(struct picture *p, int process, enum picture_activity activity,
                          double begin, double end);
/* After the last one: finds where messages begin, and which rows the path is in. */
void picture_finish(struct picture *p);

/* Each stretch is drawn: rows are single processors with few stretches. */
bool picture_is_exact(const struct picture *p, enum picture_layer layer);
/* The share of the time of a slice, from 0 to 1, that the processors of the row spend so. */
double picture_share(const struct picture *p, enum picture_layer layer, int row, int slice,
                     enum picture_activity activity);
/* The same of the whole time that is drawn. */
double picture_total_share(const struct picture *p, enum picture_layer layer, int row,
                           enum picture_activity activity);
/* "3", or "16-31"; at most 32 bytes. */
void picture_row_name(const struct picture *p, int row, char name[32]);
/* The power of ten, a multiple of 3, by which times are divided, and the unit that this gives. */
int picture_unit(const struct picture *p, const char **unit);
/* A step of 1, 2 or 5 times a power of ten, with at most `most` steps in the time that is drawn. */
double picture_step(const struct picture *p, int most);

/* `plot` is a struct picture that is finished. */
gnuplot_script picture_script;

#endif
