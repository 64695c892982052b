/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The OBSP* model over a source of supersteps: equations (1) to (3) of "A tool for performance
 * modeling of parallel programs" and its rule for groups (docs/method/obsp.md), and beside it the
 * time of plain BSP, which knows only barriers of the whole machine.
 *
 *     struct obsp_request request = {.costs = obsp_costs_given(a, 1e-9, 2e-6)};
 *     struct obsp_result result;
 *     struct obsp_source *s = obsp_trace_open(path, diag);
 *     if (s && obsp_evaluate(a, s, &request, diag, &result) == 0)
 *         printf("%g s\n", result.obsp);
 *
 * Memory grows with the number of processors and with that of supersteps, not with their product,
 * as long as processors that exchange messages are in the same superstep of the same object.
 */
#ifndef OBSP_EVALUATE_H
#define OBSP_EVALUATE_H

#include "base/memory.h"
#include "obsp/cost.h"
#include "obsp/source.h"

/* One superstep of one processor, or a part of one, as the model places it in time; seconds. */
struct obsp_span {
    int process, pid, nprocs;
    unsigned object;
    long step; /* of the object */
    enum obsp_kind kind;
    /* It computes from begin to computed, and waits until met, when the last of the incoming partners had
     * computed. end is met + g*h + L, or computed if no synchronisation ends the span. */
    double begin, computed, met, end;
    double work; /* W as the source has it: not slower, not replaced */
    /* What it consists of beside numbers; all of it is multiplied by `factor`. Valid during the visit. */
    const struct obsp_use *uses;
    size_t nuses;
    double factor;
    double h, in, out;
    int last;            /* process whose arrival decided `met` (itself if it did not wait) */
    const int *partners; /* processes, not pids, that sent to this one; valid during the visit */
    int partner_count;
    bool critical; /* a part of it is on the critical path; only in obsp_walk */
    /* That part, and in which stretch of the path it is: */
    double critical_begin, critical_end;
    size_t stretch;
    size_t superstep;      /* of plain BSP, from 0 */
    double latency;        /* the part of end - met that is L */
    double wait, transfer; /* measured; NAN in a notation */
    bool alone;            /* no other processor sent to this one */
    const char *name;      /* of the object; valid during the visit */
};

/* Called for the spans of each process in the order of time; processes are interleaved. */
typedef void obsp_visitor(void *user, const struct obsp_span *span);

/* All supersteps that plain BSP has as one, over all processors. Groups of one partition make their
 * supersteps side by side, the first with the first; the superstep of the object itself follows the
 * longest of them. */
struct obsp_superstep {
    size_t index; /* from 0 */
    /* Name of the object that ends it; valid during the call. NULL if several do, or if no synchronisation
     * ends it. */
    const char *object;
    long step;        /* of this object */
    bool ended;       /* by a synchronisation; only the last one may not be */
    int processors;   /* that take part */
    double work;      /* largest W since the superstep before */
    double mean_work; /* over the processors that take part */
    double h;         /* largest in @ out */
    double
        bsp; /* time of plain BSP: work + g*h + L; of one that is taken as measured: what it adds */
    /* OBSP*: */
    double begin, end; /* the earliest begin and the latest end */
    double waiting;    /* largest time that a processor waits */
    double measured;   /* largest wait + transfer; NAN in a notation */
};
/* Called for each in order. */
typedef void obsp_superstep_visitor(void *user, const struct obsp_superstep *superstep);

/* The first supersteps, which are taken as measured (skip.h). */
struct obsp_skip {
    size_t supersteps;    /* of plain BSP */
    size_t all;           /* supersteps of the trace; some are left to predict if these are more */
    const size_t *events; /* of each process: up to its last synchronisation in one of them */
    /* When each process has ended this last one; the largest of these. Seconds since the process began. */
    const double *until;
    double seconds;
};

/* Another time for what a process computes in one superstep. */
struct obsp_replacement {
    size_t superstep;       /* of plain BSP, from 0 */
    size_t first, last;     /* events of the process, from 1 */
    int pid, nprocs;        /* in the object that ends it */
    double measured;        /* W of these events together */
    double seconds;         /* in its place */
    struct obsp_fitted *by; /* what the seconds depend on; NULL = nothing */
};
/* Of one process, ascending. */
struct obsp_replacements {
    struct obsp_replacement *list;
    size_t n, capacity;
};

struct obsp_request {
    const struct obsp_costs *costs;
    /* Costs of each process in OBSP*; NULL = all have the same. */
    struct obsp_costs *const *each;
    enum obsp_h_rule h; /* @ of equation (3) */
    /* xi: initial time of each process; NULL = all begin at 0. With `replay`: by how much its clock is
     * behind the others; the visitor may change it. */
    const double *start;
    const double *slower; /* W of each process is multiplied by this; NULL = 1 */
    const struct obsp_replacements *replaced; /* of each process; NULL = none */
    /* The times of spans are the measured ones, each by the clock of its process, and not those of the
     * model; only with a source that is measured. */
    bool replay;
    /* Supersteps that are taken as measured, and neither predicted nor on the critical path; the model
     * begins at their ends. NULL = none. */
    const struct obsp_skip *skip;
    obsp_visitor *visit;        /* NULL = none */
    bool skip_barrier_partners; /* the visitor does not need the partners of barriers */
    obsp_superstep_visitor *superstep;
    void *user; /* of both */
};

/* A stretch of the critical path on one process. It ends where another process has waited for this
 * one. */
struct obsp_stretch {
    int process;
    double begin, end;
};

struct obsp_result {
    int processes;
    double obsp; /* the largest time of a process at its end */
    double bsp;  /* plain BSP, with the one g and the one L of the costs */
    /* The largest time of a process between the start of its first line and the end of its last; NAN in a
     * notation. */
    double measured;
    int slowest; /* process that ends last in the model */
    size_t events, synchronisations, supersteps;
    const struct obsp_stretch *path; /* from the beginning to the end, in the arena */
    size_t npath;
};

/* 0, or -1 with errors in `diag`: of the source, and of supersteps that do not fit together. */
int obsp_evaluate(struct arena *a, struct obsp_source *source, const struct obsp_request *request,
                  struct diag *diag, struct obsp_result *out);

/* The second pass: the same source, opened again, with the same request; the visitor gets the spans
 * with the critical path marked. */
int obsp_walk(struct arena *a, struct obsp_source *again, const struct obsp_request *request,
              const struct obsp_result *result, struct diag *diag);

#endif
