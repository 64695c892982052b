/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Carrying a model to another machine: by what each constant is multiplied (docs/method/machines.md).
 *
 * A constant is the time of one unit of its term on the machine where it was measured. What the unit
 * executes is counted (report.h). The cost of these operations on both machines (cost.h) gives two
 * ratios: one if the operations overlap, one if they wait for each other. Where the measured constant
 * lies between the two costs tells how much they overlap. Loops that were measured on both machines
 * correct the ratio, if the unit is like some of them (loops.h). Time the operations
 * do not explain is attributed to memory or the network, and scales as memory or communication does. If the misses in the
 * caches of both machines are known, memory scales as their cost. The bounds of a ratio allow for the slow times of both
 * machines (spread.h).
 */
#ifndef CARRY_CARRY_H
#define CARRY_CARRY_H

#include "carry/cost.h"
#include "carry/spread.h"

/* What a constant is scaled by. */
enum carry_rule {
    CARRY_AUTO,          /* one of the others */
    CARRY_OPERATIONS,    /* the operations that it executes */
    CARRY_CYCLE,         /* the time of a cycle: nothing is known about its operations */
    CARRY_LATENCY,       /* latency of the main memory */
    CARRY_BANDWIDTH,     /* bandwidth of the main memory */
    CARRY_G,             /* communication: seconds per byte */
    CARRY_L,             /* communication: start-up and synchronisation */
    CARRY_GPU_LAUNCH,    /* accelerator: a launch */
    CARRY_GPU_BANDWIDTH, /* accelerator: bandwidth of its memory */
    CARRY_GPU_FLOP,      /* accelerator: an operation on doubles */
    CARRY_COUNT, /* nothing: its term has a function of the machine, the constant is a number */
    CARRY_RULES
};
extern const char *const carry_rule_names[CARRY_RULES]; /* "operations", "cycle", "lat", ... */

struct carry_constant {
    const char *name;     /* "f[1]" */
    double value;         /* measured, seconds for one unit; at the place of the prediction */
    double in_cache;      /* the smallest value of any interval; `value` without intervals */
    bool machine_term;    /* its term calls a function of the machine */
    bool device;          /* its formula calls functions of the accelerator: the region uses it */
    bool grows;           /* its term grows with a variable other than P */
    enum carry_rule rule; /* what the user wants, or CARRY_AUTO */
};

struct carry_request {
    const struct machine *from, *to;
    struct spread spread_from, spread_to;         /* of these machines */
    double processes;                             /* P of the prediction; 1 without */
    const struct report_experiment *counts;       /* on `from`; NULL: not counted */
    const struct report_experiment *counts_there; /* compiled for `to`; NULL: as on `from` */
    const struct misses *misses,
        *misses_there; /* with the caches of the machines; NULL: not known */
};

/* The ratio for one constant: its value on the other machine = value * ratio. */
struct carry_ratio {
    enum carry_rule rule;      /* of the operations or of all */
    double ratio, low, high;   /* low and high: what the machine figures leave open */
    double operations;         /* ratio of the part that operations explain */
    double rest;               /* ratio of the other part */
    double rest_share;         /* how much of the value that is; 0 = none */
    enum carry_rule rest_rule; /* what it scales by */
    double overlap;            /* 1: the operations overlap fully; 0: serial; nan: not known */
    double misses;    /* what misses there add that it has not here, as a part of the value here */
    const char *loop; /* of cllprobe that is most like it; NULL: none is like it */
};

/* False with an error if a machine lacks a figure that the ratio needs. */
bool carry_ratio(struct arena *a, const struct carry_request *request,
                 const struct carry_constant *constant, struct diag *diag, struct carry_ratio *out);

#endif
