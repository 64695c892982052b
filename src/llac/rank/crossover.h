/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where one model overtakes another one along a variable.
 *
 *     struct crossover c = {.sides = {cpu, gpu}, .over = "N", .end = NAN};
 *     if (crossover_find(arena, &c, diag) == 0 && c.ncrossings)
 *         printf("N = %g\n", c.crossings[0].at);
 *
 * The interval of a crossing has the values at which the order is not certain (order.h). Inside the data it comes from the
 * uncertainty of both models, without the noise of further measurements; beyond them from the typical intervals, which
 * contain what formulas are usually off by there.
 */
#ifndef LLAC_RANK_CROSSOVER_H
#define LLAC_RANK_CROSSOVER_H

#include "llac/rank/order.h"
#include "model/compose.h"

/* An experiment, or a definition. */
struct crossover_side {
    const char *name, *observable;         /* observable NULL: a definition */
    const struct model *model;             /* NULL: a definition, */
    const struct composition *composition; /* with its models */
    const struct compose_definition *definition;
    struct place place; /* of the variables that it has; values[over] is varied */
    size_t over;        /* in place */
    double least, most; /* measured values of the variable */
};

struct crossing {
    double at;
    double low, high; /* nan: the order is not certain up to that end of the range, or not known */
    size_t less;      /* the side that is less beyond it */
    bool known;       /* the uncertainty is known */
    bool certain;     /* it is in an interval alone, with certain orders before and behind */
    bool beyond[2];   /* the data of the sides */
};

/* A part of the range in which the order is not certain, and in which no crossing is predicted. */
struct crossover_doubt {
    double low, high;
};

struct crossover {
    struct crossover_side sides[2];
    const char *over;
    double end;                 /* that the user gives; nan = none */
    double from, to;            /* the range: set by crossover_find, as all that follows */
    double least, most;         /* inside of it, both have data */
    struct crossing *crossings; /* ascending */
    size_t ncrossings;
    struct crossover_doubt *doubts;
    size_t ndoubts;
    size_t less; /* the side that is less where the range begins, */
    bool same;   /* unless both are the same everywhere */
    bool hidden; /* another one is less behind a part of the range in which one has no value */
    bool known;  /* the uncertainty is known at some place */
    bool whole;  /* both have values in the whole range */
};

/* The sides and what is above `from` are given. 0, or -1 with an error. In the arena. */
int crossover_find(struct arena *a, struct crossover *c, struct diag *diag);

#endif
