/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where supersteps come from: a trace of libpub (docs/reference/pub.md, "Traces"), or a notation in
 * which a person wrote them down.
 *
 *     struct obsp_source *s = obsp_trace_open("fft.trace", diag);
 *     struct obsp_event event;
 *     if (s && s->next(s, 0, &event))
 *         puts(s->name(s, event.object));
 *     if (s)
 *         s->free(s);
 *
 * A source gives the events of each process in order. The reader chooses which process goes on.
 */
#ifndef OBSP_SOURCE_H
#define OBSP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "formula/formula.h"

enum obsp_kind { OBSP_SYNC, OBSP_OBLSYNC, OBSP_PARTITION, OBSP_DUP, OBSP_DONE, OBSP_END };

enum { OBSP_MAX_PROCESSES = 1 << 20 };

/* A value that depends on fitted experiments: a formula, and what its names stand for. */
struct obsp_fitted {
    const struct formula *formula;
    const struct source *source; /* of the formula */
    const char *const *names;
    const double *values;
    struct obsp_fitted *const *by; /* what the values depend on themselves; NULL = on nothing */
    size_t n;
    double value;
    size_t number; /* of those who compute it */
    double times;  /* how often it is in the OBSP* time (obsp_critical_find) */
};

/* What computes such values. This library has no models. */
struct obsp_models {
    void *user;
    bool none;                 /* there is neither an experiment nor a definition */
    const char *have;          /* which there are, for messages: "the data has A, B" */
    const char *const *labels; /* of versions, as in formula_options */
    /* Whether an experiment or a definition has this name. */
    bool (*knows)(void *user, const char *name);
    /* A formula is going to be asked. *names gets the variables that its models may need, *n of them. 0, or -1
     * with an error. */
    int (*prepare)(void *user, const struct formula *f, const struct source *source,
                   struct diag *diag, const char *const **names, size_t *n);
    /* Sets `value` and `number`. 0, or -1 with an error. */
    int (*value)(void *user, struct obsp_fitted *what, struct diag *diag);
};

/* A part of the computing of a superstep. */
struct obsp_use {
    struct obsp_fitted *what;
    double times;
};

/* One line of a trace. */
struct obsp_event {
    enum obsp_kind kind;
    /* Identity of the object, the same on all its processors; 0 is the machine. The number of an object that
     * all have given back may be used again. */
    unsigned object;
    int pid, nprocs;             /* in the object, whose processors are consecutive processes */
    long step;                   /* of the object, from 1; of partition and dup: of the parent */
    double work, calls;          /* seconds outside the library, in other calls of it */
    const struct obsp_use *uses; /* what `work` consists of beside numbers; as long as partners */
    size_t nuses;
    double wait, transfer; /* measured seconds; NAN in a notation */
    double in, out;        /* bytes */
    long sent, received;   /* messages */
    const int *partners; /* pids that sent to this one; valid until the next event of the process */
    int partner_count;
    double end; /* measured seconds since the beginning on this process; NAN in a notation */
};

struct obsp_source {
    int processes;
    bool measured; /* wait, transfer and end are measured */
    /* A reader that does not need the partners of barriers sets this: then `partners` is NULL in
     * OBSP_SYNC, and only partner_count is there. */
    bool skip_barrier_partners;
    /* Gives the next event of PROCESS, OBSP_END after the last one. False after an error, which went
     * to the diag that the source was opened with. */
    bool (*next)(struct obsp_source *source, int process, struct obsp_event *event);
    /* Name of an object, such as m.3:1. An object and its name may be forgotten when all its
     * processors have gone beyond its OBSP_DONE: copy what is needed later. */
    const char *(*name)(const struct obsp_source *source, unsigned object);
    /* Where the present event of PROCESS was written, "fft.trace:12", for messages; the text lives until
     * the next call. NULL: the source knows no such place. */
    const char *(*where)(const struct obsp_source *source, int process);
    /* Begins again, before the first event of each process. NULL: the source cannot; open it again. */
    void (*rewind)(struct obsp_source *source);
    /* Initial time of PROCESS, before its first event; NAN after an error. NULL: all begin at 0. */
    double (*start)(struct obsp_source *source, int process);
    void (*free)(struct obsp_source *source);
};

/* Values that a command gives to the names of a notation: N=.., P=... */
struct obsp_values {
    const char *const *names;
    const double *values;
    struct obsp_fitted *const
        *by; /* what they depend on, each NULL = nothing; NULL = all nothing */
    size_t n;
    const struct formula_machine *machine; /* that formulas of the notation ask; NULL = none */
    const struct obsp_models *models;      /* NULL = none; they must live as long as the source */
};

/* NULL with errors in `diag`, which must live as long as the source. A part of a trace whose program
 * died, FILE.PROCESS.part, is refused with the reason. */
struct obsp_source *obsp_trace_open(const char *path, struct diag *diag);

/* The same for a notation. */
struct obsp_source *obsp_notation_open(const char *path, const struct obsp_values *values,
                                       struct diag *diag);

#endif
