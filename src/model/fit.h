/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting: the constants of a formula from points, and what they are uncertain by.
 *
 *     struct fit_request r = {.points = points, .formula = f, .source = &source};
 *     struct model *m = model_fit(arena, &r, diag); // NULL: the reason is in diag
 *     if (m)
 *         printf("%zu constants\n", model_constants(m).n);
 *
 * The method (docs/method/statistics.md): relative weighted least squares, iterated until
 * weights and fitted times agree; noise from residuals and from repetitions; Student's t.
 */
#ifndef MODEL_FIT_H
#define MODEL_FIT_H

#include "model/model.h"

/* How intervals are to be found: on all variables, on none, on one, or at places the user gave. */
enum interval_mode { INTERVALS_AUTO, INTERVALS_NONE, INTERVALS_ON, INTERVALS_GIVEN };

struct interval_request {
    enum interval_mode mode;
    const char
        *variable; /* ON, GIVEN: a variable, or an expression over variables and definitions */
    const double *given; /* GIVEN: the boundaries, ascending */
    size_t ngiven;
    size_t max;       /* intervals on one variable; 0 = the default, 6 */
    double threshold; /* mean relative error that is good enough; 0 = none */
    bool steps_only;  /* neither gradual changes nor a missing term are looked for: for a search,
                         which compares formulas itself */
};

struct fit_request {
    struct points_request points;
    const struct formula *formula; /* as the user wrote it */
    const struct source *source;   /* of the formula, may be NULL */
    struct definitions let;
    bool nonneg;
    bool keep_outliers; /* outliers take part in the fit */
    struct interval_request intervals;
};

/* NULL on error. The model lives in the arena; the data set must live as long. */
struct model *model_fit(struct arena *a, const struct fit_request *request, struct diag *diag);
/* The same on points that are made already (or on some of them); their lists must live as long. */
struct model *model_fit_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag);

/*
 * Makes predictions include the uncertainty of the selection: whole runs are drawn anew (where
 * there are too few runs, residuals), each time everything is selected and fitted again. Does
 * nothing when it was done before, or when nothing was selected. Takes some dozens of fits; the
 * result is the same every time. If the formula asks the machine, the figures of the machine are drawn
 * anew as well, and the constants fitted again with each of them. Constants that the data do not determine
 * make predictions beyond the data averages over the formula with and without their terms.
 */
void model_resample(struct model *m);

/*
 * Makes error.loo_mean_pct the error of points that are left out while everything is selected again.
 * Takes up to one fit for each point where intervals were selected; before, it is that of the
 * intervals as they are. The result is the same every time.
 */
void model_leave_out(struct model *m);

#endif
