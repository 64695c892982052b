/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a model is read (model.h): what others see of it. */
#include <stdint.h>
#include <string.h>

#include "model/model_internal.h"

const struct fit_request *model_request(const struct model *m)
{
    return &m->request;
}

const struct points *model_points(const struct model *m)
{
    return &m->points;
}

const struct formula *model_formula(const struct model *m)
{
    return m->formula.expanded;
}

const struct formula *model_offset(const struct model *m)
{
    return m->formula.offset;
}

const struct formula_machine *model_machine(const struct model *m)
{
    return m->formula.machine;
}

bool model_has_choices(const struct model *m)
{
    return m->formula.with_choices != NULL;
}

bool model_knows(const struct model *m, const char *name)
{
    const struct definitions *let = &m->request.let;
    return points_find(&m->points, name) != SIZE_MAX || text_is_in(let->names, let->n, name);
}

struct model_constants model_constants(const struct model *m)
{
    return (struct model_constants){m->constants, m->nconstants};
}

struct model_columns model_columns(const struct model *m)
{
    return (struct model_columns){m->structure.columns, m->solution.value, m->structure.ncolumns};
}

const struct pieces *model_pieces(const struct model *m)
{
    return m->structure.pieces;
}

const struct fit_error *model_error(const struct model *m)
{
    return &m->error;
}

const struct warnings *model_warnings(const struct model *m)
{
    return &m->warnings;
}

const double *model_fitted(const struct model *m)
{
    return m->solution.fitted;
}

const bool *model_left_out(const struct model *m)
{
    return m->structure.left_out;
}

const struct model_noise *model_noise(const struct model *m)
{
    return &m->noise;
}

const struct model_split *model_split(const struct model *m)
{
    return &m->split;
}

struct model_undetermined model_undetermined(const struct model *m)
{
    struct model_undetermined u = m->undetermined;
    u.averaged = m->alternatives.n > 0;
    return u;
}
