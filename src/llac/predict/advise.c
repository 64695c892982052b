/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command advise. */
#include <stdint.h>
#include <string.h>

#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/predict/advise.h"
#include "llac/commands.h"

int command_advise(struct session *s, struct cursor *c)
{
    static const char *const words[] = {"budget", "beyond", "where", NULL};
    struct given_place given = {.n = 0};
    struct advise_request r = {.budget = 0};
    const struct experiment *e = read_experiment(s, c);
    if (!e)
        return -1;
    const char *observable = experiment_default_observable(e);
    if (read_observable(c, &observable))
        return -1;
    if (!cursor_keyword(c, "for"))
        return cursor_error_here(c, "the prediction is missing: advise %s for VAR=VALUE...",
                                 e->name);
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "budget")) {
            struct span here = {c->at, c->end};
            if (read_time(c, "budget", &r.budget))
                return -1;
            if (!(r.budget > 0))
                return cursor_error(c, here, "'budget' must be more than 0");
        } else if (cursor_keyword(c, "beyond")) {
            struct span here = {c->at, c->end};
            if (read_number(c, "beyond", false, &r.beyond))
                return -1;
            if (r.beyond < 1)
                return cursor_error(c, here,
                                    "'beyond' is 1 or more: how many times the largest "
                                    "value measured");
        } else if (cursor_is_next(c, "where")) {
            if (read_where(s, c, words))
                return -1;
        } else if (read_place_value(c, &given)) {
            return -1;
        }
    }
    r.place = (struct place){given.names, given.values, given.n};
    if (arguments_check_observable(s, c, e, observable))
        return -1;
    size_t clock = experiment_find_observable(e, "CLOCK");
    bool costs = clock != SIZE_MAX && !column_is_empty(&e->columns[clock]);
    if (strcmp(observable, "CLOCK") != 0 && costs &&
        !(r.clock = session_model(s, e->name, "CLOCK", c->diag)))
        return -1;
    const struct model *m = session_model(s, e->name, observable, c->diag);
    struct advice advice;
    if (!m || model_advise(c->arena, m, &r, c->diag, &advice))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_advice(m, &advice));
    else
        text_advice(s->out, m, &advice);
    return 0;
}
