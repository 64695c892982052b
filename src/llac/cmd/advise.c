/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command advise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llac/cmd/commands.h"
#include "llac/output/output.h"

static const struct {
    const char *name;
    double seconds;
} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};

/* 60s, 5min, 0.5h */
static int read_time(struct cursor *c, double *seconds)
{
    struct span where = cursor_token(c);
    char *text = cursor_text(c, where), *after;
    double value = strtod(text, &after);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (after == text || strcmp(after, units[i].name) != 0 || !isfinite(value) || !(value > 0))
            continue;
        *seconds = value * units[i].seconds;
        return 0;
    }
    return cursor_error(c, where, "'budget' needs a time such as 60s, 5min, 2h or 100ms");
}

int command_advise(struct session *s, struct cursor *c)
{
    struct given_place given = {.n = 0};
    struct advise_request r = {.budget = 0};
    struct experiment *e = read_experiment(s, c);
    if (!e)
        return -1;
    if (!cursor_keyword(c, "for"))
        return cursor_error_here(c, "the prediction is missing: advise %s for VAR=VALUE...",
                                 e->name);
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "budget")) {
            if (read_time(c, &r.budget))
                return -1;
        } else if (cursor_keyword(c, "beyond")) {
            struct span here = {c->at, c->end};
            if (read_number(c, "beyond", false, &r.beyond))
                return -1;
            if (r.beyond < 1)
                return cursor_error(c, here,
                                    "'beyond' is 1 or more: how many times the largest "
                                    "value measured");
        } else if (read_place_value(c, &given)) {
            return -1;
        }
    }
    r.place = (struct place){given.names, given.values, given.n};
    const struct model *m = session_model(s, e->name, experiment_default_observable(e), c->diag);
    struct advice advice;
    if (!m || model_advise(c->arena, m, &r, c->diag, &advice))
        return -1;
    if (s->json)
        json_print(s->out, json_advice(m, &advice));
    else
        text_advice(s->out, m, &advice);
    return 0;
}
