/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured values in place of predictions (check_points.h). */
#include "model/check_points.h"

#include <string.h>

#include "model/model_internal.h"

bool check_misfits(const struct model *m)
{
    return warnings_find(&m->warnings, "misfit") != NULL;
}

/* "N == 64000 and P == 4" as a condition; false if it cannot be one. */
static bool condition_of(struct arena *a, const struct place *place, struct condition *out)
{
    const char *text = "";
    struct source *source = arena_alloc(a, 1, sizeof *source);
    for (size_t i = 0; i < place->n; i++)
        text = arena_printf(a, "%s%s%s == %.17g", text, i ? " and " : "", place->names[i],
                            place->values[i]);
    *source = (struct source){"<place>", text, strlen(text)};
    *out = (struct condition){
        formula_parse_condition(a, source, (struct span){0, source->size}, NULL, NULL), source};
    return out->formula != NULL;
}

struct model *check_point_model(struct arena *a, const struct model *m, const struct place *place)
{
    struct fit_request r = m->request;
    size_t n = r.points.nconditions;
    struct condition *conditions = arena_alloc(a, n + 1, sizeof *conditions);
    const char *name = r.points.experiment->base;
    for (size_t i = 0; i < n; i++)
        conditions[i] = r.points.conditions[i];
    if (!place->n || !condition_of(a, place, &conditions[n]))
        return NULL;
    r.points.conditions = conditions;
    r.points.nconditions = n + 1;
    r.formula = formula_parse_text(a, arena_printf(a, "%s[0]", name), name, NULL);
    r.source = NULL;
    r.intervals = (struct interval_request){.mode = INTERVALS_NONE};
    return r.formula ? model_fit(a, &r, NULL) : NULL;
}
