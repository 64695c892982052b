/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models behind obsp. Each value that a notation or a command asks for is kept, with what its names stood for. The OBSP*
 * time is then a number and a sum of such values, those on the critical path, and has the interval of a composition.
 */
#include "llac/obsp/models.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* ---- what formulas ask */

static bool knows(void *user, const char *name)
{
    struct session *s = ((struct obsp_asking *)user)->session;
    return session_definition(s, name) || session_has_versions(s, name) || session_find(s, name);
}

static int prepare(void *user, const struct formula *f, const struct source *source,
                   struct diag *diag, const char *const **names, size_t *n)
{
    struct obsp_asking *asking = user;
    struct compose_definition d = {.name = "the formula", .formula = f, .source = source};
    return session_compose_more(asking->session, asking->arena, &d, diag, &asking->all, names, n);
}

static int find_value(void *user, struct obsp_fitted *what, struct diag *diag)
{
    struct obsp_asking *asking = user;
    size_t *by = arena_alloc(asking->arena, what->n + 1, sizeof *by);
    for (size_t i = 0; i < what->n; i++)
        by[i] = what->by[i] ? what->by[i]->number : SIZE_MAX;
    struct compose_value v = {.formula = what->formula,
                              .source = what->source,
                              .names = what->names,
                              .values = what->values,
                              .by = by,
                              .n = what->n};
    ARENA_LOCAL struct arena *passing = arena_create();
    int status = compose_compute(passing, &asking->all, &v, diag);
    if (status)
        return -1;
    what->value = v.value;
    what->number = asking->n;
    ARENA_ADD(asking->arena, asking->values, asking->n, &asking->capacity, v);
    return 0;
}

/* "the data has A, B, C" */
static const char *experiments_of(const struct session *s, struct arena *a)
{
    TEXT_LOCAL struct text have = text_new();
    session_list_names(s, NULL, &have);
    return have.n ? arena_printf(a, "the data has %s", have.s) : "no data is loaded";
}

struct obsp_asking *obsp_asking_begin(struct session *s, struct arena *a)
{
    struct obsp_asking *asking = arena_zalloc(a, 1, sizeof *asking);
    asking->session = s;
    asking->arena = a;
    asking->models = (struct obsp_models){.user = asking,
                                          .none = !s->data->nexperiments && !s->now.ndefines,
                                          .have = experiments_of(s, a),
                                          .labels = session_labels(s, a),
                                          .knows = knows,
                                          .prepare = prepare,
                                          .value = find_value};
    session_compose_start(s, a, &asking->all);
    return asking;
}

/* ---- formulas of the command */

static bool is_name(const void *user, const char *name)
{
    const struct obsp_names *names = user;
    return text_is_in(names->names, names->n, name);
}

const struct formula *obsp_read_formula(struct obsp_asking *asking, struct cursor *c,
                                        struct span where, const struct obsp_names *names,
                                        const char *before)
{
    struct formula_options options = {.suffixes = true,
                                      .any_constant = true,
                                      .references = true,
                                      .labels = asking->models.labels};
    const struct formula *f = formula_parse(c->arena, c->source, where, &options, c->diag);
    if (!f)
        return NULL;
    f = formula_rename(c->arena, f, is_name, names);
    struct formula_variables v = formula_variables(c->arena, f);
    for (size_t k = 0; k < v.n; k++) {
        const char *name = v.list[k].name;
        if (is_name(names, name) || formula_sums(f, name) || knows(asking, name))
            continue;
        return diag_null(cursor_error(c, v.list[k].span,
                                      "'%s' has no value here; only %s may be used", name, before));
    }
    return f;
}

/* Whether models compute it. */
static bool asks(const struct formula *f, const struct formula_variables *v,
                 const struct obsp_names *names)
{
    for (size_t k = 0; k < v->n; k++) {
        size_t at = text_find(names->names, names->n, v->list[k].name);
        if (at == names->n || (names->by && names->by[at]))
            return true;
    }
    return formula_first(f, FORMULA_REFERENCE) || formula_first(f, FORMULA_CONSTANT) ||
           formula_first(f, FORMULA_SUM);
}

static int ask(struct obsp_asking *asking, const struct cursor *c, const struct formula *f,
               const struct obsp_names *names, struct obsp_fitted **by)
{
    struct obsp_fitted *what = arena_zalloc(asking->arena, 1, sizeof *what);
    struct obsp_fitted **none = arena_zalloc(asking->arena, names->n + 1, sizeof(*none));
    *what = (struct obsp_fitted){.formula = f,
                                 .source = c->source,
                                 .names = names->names,
                                 .values = names->values,
                                 .by = names->by ? names->by : none,
                                 .n = names->n};
    const char *const *wanted;
    size_t n;
    if (prepare(asking, f, c->source, c->diag, &wanted, &n) || find_value(asking, what, c->diag))
        return -1;
    *by = what;
    return 0;
}

/* Without models. There may be many: a trace has one for each process and superstep. */
static int compute(struct cursor *c, struct span where, const struct formula *f,
                   const struct obsp_names *names, double *value)
{
    struct formula_trouble trouble = {.what = "it"};
    ARENA_LOCAL struct arena *passing = arena_create();
    int status = formula_at(passing, f, names->names, names->values, names->n, c->source, c->diag,
                            value, &trouble);
    return status > 0 ? cursor_error(c, where, "%s has no value", trouble.what) : status;
}

int obsp_formula_value(struct obsp_asking *asking, struct cursor *c, struct span where,
                       const struct formula *f, const struct obsp_names *names, double *value,
                       struct obsp_fitted **by)
{
    struct formula_variables v = formula_variables(c->arena, f);
    *by = NULL;
    if (asks(f, &v, names)) {
        if (ask(asking, c, f, names, by))
            return -1;
        *value = (*by)->value;
        return 0;
    }
    return compute(c, where, f, names, value);
}

/* ---- the interval */

int obsp_interval(struct obsp_asking *asking, double time, struct obsp_fitted *const *list,
                  size_t n, struct diag *diag, struct composed *out)
{
    struct compose_sum sum = {asking->values, asking->n, time};
    for (size_t i = 0; i < n; i++) {
        asking->values[list[i]->number].times = list[i]->times;
        sum.rest -= list[i]->times * list[i]->value;
    }
    compose_begin(&asking->all);
    return compose_predict_sum(asking->arena, &asking->all, &sum, diag, out);
}
