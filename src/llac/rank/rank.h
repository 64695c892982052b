/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a program will spend its time at a place that was not measured: all regions of the data in the
 * order of their predicted time there, and how this order changes on the way from the data to that
 * place.
 *
 *     struct rank_request r = {.names = names, .values = values, .by = by, .n = 2};
 *     struct ranking ranking;
 *     if (rank_make(session, arena, &r, diag, &ranking) == 0)
 *         puts(ranking.regions[0].experiment);
 *     rank_free(&ranking);
 *
 * The time of a region is that of its executions in a unit (units.h), without the regions inside it:
 * the times of all regions add up. Nothing here changes what the last fit of the session was.
 */
#ifndef LLAC_RANK_RANK_H
#define LLAC_RANK_RANK_H

#include <jansson.h>

#include "llac/rank/order.h"
#include "llac/rank/relation.h"
#include "llac/rank/units.h"
#include "llac/session.h"

/* The place. A value that is given by a formula over the values before it follows them on the way. */
struct rank_request {
    const char **names;
    double *values;
    const struct formula **by; /* NULL for a number */
    size_t n;
};

enum rank_source {
    RANK_OWN,     /* the formula of the source */
    RANK_FITTED,  /* the last fit of the session */
    RANK_CLOCK,   /* SELF, by the formula of CLOCK */
    RANK_SEARCHED /* a search */
};

/* A variable of a region that is not given, and what it is found to be. */
struct rank_variable {
    const char *name;
    struct relation *is;
};

struct rank_region {
    const char *experiment, *observable; /* CLOCK, or SELF where other regions are inside */
    bool contains;                       /* it has regions inside */
    struct model *model;                 /* of one execution */
    const char *formula;
    enum rank_source source; /* of the formula */
    const char *refused;     /* what a search found, but predicts more than the whole; or NULL */
    struct relation **executions; /* per group of units; their sum is what a unit has */
    size_t ngroups;
    struct rank_variable *variables;
    size_t nvariables;
    struct rank_value here, there; /* at the end of the data, and at the place */
    struct rank_value each;        /* one execution, at the place */
    double executions_here, executions_there;
    double share_here, share_there;
    double growth;              /* there / here */
    const char *term;           /* that is largest there: "N*log(N)" */
    double term_share;          /* of one execution */
    struct prediction *outside; /* of one execution at the place */
    struct rank_value whole;    /* with the regions inside, by its own formula; nan = not known */
    struct rank_value *on_the_way; /* RANK_STEPS + 1 */
};

/* One region overtakes another one on the way. */
struct rank_change {
    size_t overtakes, overtaken; /* regions */
    double at;                   /* part of the way, 0 to 1; nan: the order never changes, and the
                                    intervals overlap at the place */
    double from, to;             /* where the intervals overlap; to nan: up to the place */
};

/* The region that takes most time, from this part of the way on. */
struct rank_leader {
    size_t region;
    double from;
};

struct rank_missing {
    const char *experiment, *reason;
    const char *inside; /* the largest predicted region that contains it, or NULL */
};

struct ranking {
    const struct rank_request *request;
    struct units units;
    double *start;               /* per name: the end of the data, where the way begins */
    struct rank_region *regions; /* largest first, at the place */
    size_t nregions;
    struct rank_missing *missing; /* regions that cannot be predicted */
    size_t nmissing;
    struct rank_change *changes; /* in the order of the way; the uncertain ones last */
    size_t nchanges;
    struct rank_leader *leaders;
    size_t nleaders;
    double total_here, total_there;
};

/* 0, or -1 with an error; rank_free follows in both cases. */
int rank_make(struct session *s, struct arena *a, const struct rank_request *request,
              struct diag *diag, struct ranking *out);
void rank_free(struct ranking *r);

/* The model of the formula that a search finds for an observable, which the session does not keep. In the
 * arena. NULL with an error. */
struct model *rank_search(struct session *s, struct arena *a, const struct experiment *e,
                          const char *observable, struct diag *diag, const char **formula);

/* Is the place outside the data, so that there is a way to it? */
bool rank_is_way(const struct ranking *r);
/* The values of all names at a part of the way. */
void rank_place(const struct ranking *r, double part, double *values);

/* For rank_make (changes.c): sets changes and leaders. */
void rank_find_changes(struct arena *a, struct ranking *r);
/* The time of a region at a part of the way. 0, or -1. */
int rank_time(struct arena *a, const struct ranking *r, const struct rank_region *region,
              double part, struct diag *diag, struct rank_value *out);

/* The place of a ranking: VAR=VALUE... up to the word `end` (NULL = to the end of the command). 0, or -1 with an error. */
int read_rank_place(struct session *s, struct cursor *c, const char *end, struct rank_request *r);

/* `room`: the columns of the terminal; 0: the output is none, and nothing is cut. */
void text_ranking(FILE *out, const struct ranking *r, int room);
json_t *json_ranking(const struct ranking *r);
/* The same with the sentences of the text, for reports. */
json_t *json_ranking_told(const struct ranking *r);

#endif
