/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the end of a superstep costs: g*h + L. g and L are two numbers for everything; or they have
 * different values for the two kinds of synchronisation, for patterns of communication, for numbers of
 * processors, and in intervals of h.
 *
 *     const struct obsp_costs *c = obsp_costs_given(a, 1e-9, 2e-6);
 *     struct obsp_event e = {.kind = OBSP_SYNC, .nprocs = 4};
 *     double seconds = obsp_cost(c, &e, 1000, NULL);
 */
#ifndef OBSP_COST_H
#define OBSP_COST_H

#include "base/memory.h"
#include "machine/machine.h"
#include "obsp/source.h"

/* @ of equation (3). */
enum obsp_h_rule { OBSP_H_MAX, OBSP_H_SUM };

/* The patterns that cllprobe measures. A superstep has the one that its number of incoming partners
 * suggests: at most one, all others, or something else. */
enum obsp_pattern { OBSP_SHIFT, OBSP_EXCHANGE, OBSP_RANDOM, OBSP_PATTERNS };
extern const char *const obsp_pattern_names[OBSP_PATTERNS];

/* g and L for h in [low, high). */
struct obsp_line {
    double low, high;
    double g, L; /* s/byte, s */
    /* The part of the cost that does not grow with h: L, or less where L only continues the line to h = 0. */
    double start;
};

/* Lines over all h, ascending and without gaps. */
struct obsp_curve {
    int nprocs; /* processors of the object; 0 = any */
    const struct obsp_line *lines;
    size_t nlines;
    size_t supersteps; /* of a trace that it was found from; 0 = it was not. Then also: */
    enum obsp_kind kind;
    bool alone;   /* oblivious synchronisations without a message from another processor */
    size_t sizes; /* different h among them */
    double error; /* mean relative deviation of these sizes */
};

struct obsp_curves {
    const struct obsp_curve *list; /* ascending by nprocs */
    size_t n;
};

enum obsp_origin { OBSP_GIVEN, OBSP_FROM_MACHINE, OBSP_FROM_TRACE };

struct obsp_costs {
    enum obsp_origin origin;
    double g, L; /* of plain BSP: one pair */
    struct obsp_curves sync[OBSP_PATTERNS], oblsync[OBSP_PATTERNS];
    /* Oblivious synchronisations without a message from another processor; n is 0 if they cost the same as
     * others. */
    struct obsp_curves alone;
    int pattern; /* enum obsp_pattern of all supersteps; -1: what their partners suggest */
    /* The curves are over h divided by this: 2 if they are over the bytes of one direction, and h is the sum
     * of both. */
    double h_per_byte;
    double times_g, times_L; /* what if: factors */
};

/* Two numbers for everything. */
struct obsp_costs *obsp_costs_given(struct arena *a, double g, double L);

/* The figures of a machine: supersteps by pattern, bytes and number of processors, between which it
 * interpolates; or its g and L by pattern, if the file has nothing else. `processes`: those of the
 * program, whose g and L plain BSP has. NULL with an error if the machine has no BSP figures. */
struct obsp_costs *obsp_costs_of_machine(struct arena *a, const struct machine *m,
                                         enum obsp_h_rule rule, int processes, struct diag *diag);

/* What the synchronisations with the same h cost: their mean, which contains unusually long ones; or their
 * median, which does not. */
enum obsp_average { OBSP_MEAN, OBSP_MEDIAN };

struct obsp_costs_wanted {
    enum obsp_h_rule h;
    enum obsp_average average;
    size_t skip; /* supersteps at the beginning that do not count */
    bool each;   /* also for each process */
};

struct obsp_costs_found {
    struct obsp_costs *costs; /* of all processes */
    /* Of each process, from its own synchronisations; kinds of these that a process does not have cost what they cost
     * all. NULL: not wanted. */
    struct obsp_costs **each;
    bool each_complete;       /* there was room for all sizes of all processes */
    struct obsp_costs *usual; /* medians of all processes */
    /* By how much the synchronisations of a process exceed the medians, in seconds; the mean of all processes. An h whose
     * synchronisations are faster on average counts as 0. */
    double unusual;
    size_t stalled;         /* oblivious synchronisations with a stalled message (stall.h) */
    double stalled_seconds; /* of a process, the mean of all */
};

/* From the trace itself (cost_trace.c). 0, or -1 with an error in the trace. */
int obsp_costs_of_trace(struct arena *a, struct obsp_source *source,
                        const struct obsp_costs_wanted *wanted, struct diag *diag,
                        struct obsp_costs_found *out);

/* Whether the processor itself is its only incoming partner. */
bool obsp_is_alone(const struct obsp_event *event);

/* g*h + L; *latency (may be NULL) gets the part that is L. */
double obsp_cost(const struct obsp_costs *costs, const struct obsp_event *event, double h,
                 double *latency);

/* The lines of a list of points (h ascending, seconds): one between each two points, the outermost ones
 * go on beyond them. In the arena; *n gets their number. */
const struct obsp_line *obsp_lines_through(struct arena *a, const double *h, const double *seconds,
                                           size_t points, size_t *n);

#endif
