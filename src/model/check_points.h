/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured values in place of predictions. If a formula does not describe the data, its predictions are far
 * from what was measured, and so uncertain that no slowdown is found: of the same place, two versions have
 * measured values that can be compared.
 */
#ifndef MODEL_CHECK_POINTS_H
#define MODEL_CHECK_POINTS_H

#include "model/predict.h"

/* Whether the points are far from the formula: the fit has the warning `misfit`. */
bool check_misfits(const struct model *m);

/* The samples at this place alone, as a model with one constant: the measured value. NULL if nothing was
 * measured there. In the arena. */
struct model *check_point_model(struct arena *a, const struct model *m, const struct place *place);

#endif
