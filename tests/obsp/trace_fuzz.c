/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a trace: evaluated, or refused with a reason. What is evaluated has a critical path without
 * gaps whose parts add up to the time, and both passes agree.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "obsp/critical.h"
#include "obsp/skip.h"
#include "obsp/startup.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static char path[64];
static int fd = -1;

static void check(const struct obsp_result *r, const struct obsp_critical *c)
{
    double begin = r->npath ? r->path[0].begin : 0, at = begin, slack = 1e-9 * (1 + r->obsp);
    if (!(r->obsp >= 0) || !(r->bsp >= 0) || isinf(r->obsp) || isnan(r->measured))
        __builtin_trap();
    for (size_t i = 0; i < r->npath; i++) {
        if (r->path[i].begin != at || r->path[i].end < at)
            __builtin_trap();
        at = r->path[i].end;
    }
    if (at != r->obsp)
        __builtin_trap();
    if (fabs(c->shares.computing + c->shares.transferring + c->shares.latency - (r->obsp - begin)) >
        slack)
        __builtin_trap();
}

/* Spans of a process follow each other in time. */
static void follow(void *user, const struct obsp_span *span)
{
    (void)user;
    if (!(span->begin <= span->computed) || !(span->computed <= span->met) ||
        !(span->met <= span->end))
        __builtin_trap();
}

/* Both passes, of a trace that was read before. */
static void evaluate_with(struct arena *a, struct diag *diag, struct obsp_request *request)
{
    struct obsp_result result;
    struct obsp_critical critical;
    request->visit = follow;
    struct obsp_source *s = obsp_trace_open(path, diag);
    if (!s || obsp_evaluate(a, s, request, diag, &result))
        __builtin_trap();
    s->free(s);
    s = obsp_trace_open(path, diag);
    if (!s || obsp_critical_find(a, s, request, &result, diag, &critical))
        __builtin_trap();
    s->free(s);
    check(&result, &critical);
}

/* The first superstep as measured, and what is start-up. */
static void skip_some(struct arena *a, struct diag *diag, const struct obsp_costs *costs)
{
    struct obsp_skip skip;
    struct obsp_request request = {.costs = costs, .skip = &skip};
    size_t startup;
    struct obsp_source *s = obsp_trace_open(path, diag);
    if (!s || obsp_startup_find(a, s, costs, OBSP_H_SUM, diag, &startup))
        __builtin_trap();
    s->free(s);
    s = obsp_trace_open(path, diag);
    if (!s || obsp_skip_find(a, s, startup ? startup : 1, diag, &skip))
        __builtin_trap();
    s->free(s);
    if (startup && startup >= skip.all)
        __builtin_trap(); /* nothing is left */
    if (skip.all > 1)
        evaluate_with(a, diag, &request);
}

static void evaluate(struct arena *a, struct diag *diag)
{
    struct obsp_source *s = obsp_trace_open(path, diag);
    struct obsp_costs_wanted wanted = {.h = OBSP_H_SUM, .each = true};
    struct obsp_costs_found found;
    int status = s ? obsp_costs_of_trace(a, s, &wanted, diag, &found) : -1;
    if (s)
        s->free(s);
    if (status && diag_count(diag, SEVERITY_ERROR) == 0)
        __builtin_trap(); /* refused without a reason */
    if (status)
        return;
    struct obsp_request request = {.costs = found.costs};
    evaluate_with(a, diag, &request);
    request.each = found.each;
    evaluate_with(a, diag, &request);
    skip_some(a, diag, found.usual);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (fd < 0) {
        fd = memfd_create("trace", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, n, 0) != (ssize_t)n)
        abort();
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    evaluate(a, diag);
    diag_destroy(diag);
    arena_destroy(a);
    return 0;
}
