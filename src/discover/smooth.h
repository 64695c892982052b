/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A formula that is near counts which depend on data. */
#ifndef DISCOVER_SMOOTH_H
#define DISCOVER_SMOOTH_H

#include "discover/discover.h"

/* Sets text, factor, scatter, power, logs and base. text stays NULL if nothing is near the counts. */
void smooth_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                 struct discover_formula *out);
double smooth_value(const struct discover_formula *f, const double *place);

#endif
