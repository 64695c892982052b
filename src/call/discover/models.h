/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of own times, for models.c, late.c and total.c. */
#ifndef CALL_DISCOVER_MODELS_H
#define CALL_DISCOVER_MODELS_H

#include "call/discover/discover.h"
#include "call/discover/thresholds.h"
#include "model/fit.h"

enum { MODELS_LEAST_SIZES = 3 }; /* for a model */

struct models {
    struct request *q;
    struct dataset *data;
    struct arena *arena; /* of the models */
    size_t rows;         /* that were measured */
};

static inline bool models_has_formula(const struct counted *c)
{
    return c->formula.text && c->formula.verdict != DISCOVER_REFUTED;
}
/* A low quantile of the runs at a row, as that of points; nan: none. */
double models_quantile(const struct request *q, const double *values, size_t row);
/* Is the place the sizes whose times are known as `now`? */
bool models_place_is_measured(const struct request *q);
/* The row of the next smaller sizes at which the count is not 0; SIZE_MAX: none. One variable. */
size_t models_row_before(const struct request *q, const struct counted *c);
/* By how much its time can grow from the largest sizes to the place, as counts say. 0: not known. */
double models_most_growth(const struct request *q, const struct region *r);
/* A searched formula of its times, with these terms among others: of those that grow as its counts allow, unless
 * these do not describe the times. NULL if no formula describes them. */
struct model *models_search(struct models *m, const struct region *r, const char **terms, size_t n,
                            const char **text);
void models_take_constants(struct models *m, struct region *r, const struct model *fitted);
/* Sets value, low and high. */
void models_predict(struct models *m, struct region *r, struct model *fitted);

/* Counts of the function that have no formula at all sizes get one from a size on, which is then the first size of its
 * model (late.c). */
void late_settle(const struct request *q, struct region *r);

/* Predicts what a function takes at the place from what it executes there (priced.c). Changes nothing if that is not known or the
 * sum of its counts does not describe its times. */
void priced_predict(const struct request *q, struct region *r);

/* The run time of the whole program at the place (total.c). `rows`: that were measured. */
void total_make(struct request *q, size_t rows);
/* The mean of two predictions, weighted by their intervals; its interval contains both where they differ, and runs that differ
 * by the part `between`. *share: of the first. */
struct times_range total_mean(const struct times_range *x, const struct times_range *y,
                              double between, double *share);

#endif
