/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second pass adds up the parts of the spans that are on the path. */
#include "obsp/critical.h"

#include <math.h>
#include <string.h>

struct collector {
    struct arena *arena;
    const struct obsp_request *request;
    struct obsp_critical *out;
};

static double overlap(double begin, double end, double from, double to)
{
    return fmax(fmin(end, to) - fmax(begin, from), 0);
}

static void add_shares(struct obsp_shares *sum, struct obsp_shares s)
{
    sum->computing += s.computing;
    sum->transferring += s.transferring;
    sum->latency += s.latency;
}

static void add_largest(struct collector *c, const struct obsp_span *span, bool computing,
                        double seconds)
{
    struct obsp_critical *out = c->out;
    size_t at = out->nlargest;
    while (at > 0 && out->largest[at - 1].seconds < seconds)
        at--;
    if (at == OBSP_LARGEST || seconds <= 0)
        return;
    out->nlargest += out->nlargest < OBSP_LARGEST;
    for (size_t i = out->nlargest - 1; i > at; i--)
        out->largest[i] = out->largest[i - 1];
    out->largest[at] = (struct obsp_part){.process = span->process,
                                          .object = arena_strdup(c->arena, span->name),
                                          .step = span->step,
                                          .kind = span->kind,
                                          .computing = computing,
                                          .seconds = seconds};
}

/* The values of experiments in the computing of a span, of which this part is on the path. */
static void add_fitted(struct collector *c, const struct obsp_span *span, double part)
{
    struct obsp_critical *out = c->out;
    for (size_t i = 0; part > 0 && i < span->nuses; i++) {
        struct obsp_fitted *what = span->uses[i].what;
        if (what->times == 0)
            ARENA_ADD(c->arena, out->fitted, out->nfitted, &out->fitted_capacity, what);
        what->times += part * span->factor * span->uses[i].times;
    }
}

static void collect(void *user, const struct obsp_span *span)
{
    struct collector *c = user;
    if (c->request->visit)
        c->request->visit(c->request->user, span);
    if (!span->critical)
        return;
    struct obsp_leg *leg = &c->out->legs[span->stretch];
    double communicating = overlap(span->met, span->end, span->critical_begin, span->critical_end);
    struct obsp_shares s = {
        .computing = overlap(span->begin, span->computed, span->critical_begin, span->critical_end),
        .latency = fmin(span->latency, communicating)};
    s.transferring = communicating - s.latency;
    add_shares(&leg->shares, s);
    add_shares(&c->out->shares, s);
    if (span->computed > span->begin)
        add_fitted(c, span, s.computing / (span->computed - span->begin));
    add_largest(c, span, true, s.computing);
    add_largest(c, span, false, communicating);
    if (span->critical_end == leg->end) {
        leg->object = arena_strdup(c->arena, span->name);
        leg->step = span->step;
    }
}

int obsp_critical_find(struct arena *a, struct obsp_source *again,
                       const struct obsp_request *request, const struct obsp_result *result,
                       struct diag *diag, struct obsp_critical *out)
{
    struct collector c = {a, request, out};
    struct obsp_request with = *request;
    *out = (struct obsp_critical){.nlegs = result->npath};
    out->legs = arena_zalloc(a, result->npath + 1, sizeof *out->legs);
    for (size_t i = 0; i < result->npath; i++)
        out->legs[i] = (struct obsp_leg){.process = result->path[i].process,
                                         .begin = result->path[i].begin,
                                         .end = result->path[i].end,
                                         .object = "m"};
    with.visit = collect;
    with.user = &c;
    with.superstep = NULL;
    with.skip_barrier_partners = !request->visit || request->skip_barrier_partners;
    return obsp_walk(a, again, &with, result, diag);
}
