/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the critical path consists of: which processes, which supersteps, and computing or communicating. */
#ifndef OBSP_CRITICAL_H
#define OBSP_CRITICAL_H

#include "obsp/evaluate.h"

enum { OBSP_LARGEST = 3 };

/* Seconds of the path. Nothing on it is waiting: there the path continues on the process that the
 * other one waits for. */
struct obsp_shares {
    double computing, transferring, latency; /* W, g*h, L */
};

/* The path on one process, until another process has waited for it. */
struct obsp_leg {
    int process;
    double begin, end;
    struct obsp_shares shares;
    const char *
        object; /* where it ends: in this superstep of this object, in which the next process waits */
    long step;
};

/* One superstep of one process. */
struct obsp_part {
    int process;
    const char *object;
    long step;
    enum obsp_kind kind; /* how the span ends */
    bool computing;      /* or communicating */
    double seconds;
};

struct obsp_critical {
    struct obsp_shares shares; /* of the whole path */
    struct obsp_leg *legs;
    size_t nlegs;
    struct obsp_part largest[OBSP_LARGEST]; /* the longest first */
    size_t nlargest;
    /* Values of experiments on the path: how often each is in the OBSP* time, is in its `times`. */
    struct obsp_fitted **fitted;
    size_t nfitted, fitted_capacity;
};

/* Walks through the source, which must be opened again, a second time. The visitor of the request gets all
 * spans with the path marked. 0, or -1 with an error. */
int obsp_critical_find(struct arena *a, struct obsp_source *again,
                       const struct obsp_request *request, const struct obsp_result *result,
                       struct diag *diag, struct obsp_critical *out);

#endif
