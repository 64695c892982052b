/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model as users of the library get it: the fit, then its diagnosis. */
#include "model/diagnose.h"

static struct model *diagnosed(struct model *m)
{
    if (m)
        diagnose(m);
    return m;
}

struct model *model_fit(struct arena *a, const struct fit_request *request, struct diag *diag)
{
    return diagnosed(fit_model(a, request, diag));
}

struct model *model_fit_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag)
{
    return diagnosed(fit_model_points(a, request, points, diag));
}
