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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static char path[64];
static int fd = -1;

static void check(const struct obsp_result *r, const struct obsp_critical *c)
{
    double at = 0, slack = 1e-9 * (1 + r->obsp);
    if (!(r->obsp >= 0) || !(r->bsp >= 0) || isinf(r->obsp) || isnan(r->measured))
        __builtin_trap();
    for (size_t i = 0; i < r->npath; i++) {
        if (r->path[i].begin != at || r->path[i].end < at)
            __builtin_trap();
        at = r->path[i].end;
    }
    if (at != r->obsp)
        __builtin_trap();
    if (fabs(c->shares.computing + c->shares.transferring + c->shares.latency - r->obsp) > slack)
        __builtin_trap();
}

static void evaluate(struct arena *a, struct diag *diag)
{
    struct obsp_source *s = obsp_trace_open(path, diag);
    struct obsp_costs *costs = s ? obsp_costs_of_trace(a, s, OBSP_H_SUM, 0, diag) : NULL;
    struct obsp_result result;
    struct obsp_critical critical;
    if (s)
        s->free(s);
    if (!costs && diag_count(diag, SEVERITY_ERROR) == 0)
        __builtin_trap(); /* refused without a reason */
    if (!costs)
        return;
    struct obsp_request request = {.costs = costs};
    s = obsp_trace_open(path, diag);
    if (!s || obsp_evaluate(a, s, &request, diag, &result))
        __builtin_trap(); /* it was read before */
    s->free(s);
    s = obsp_trace_open(path, diag);
    if (!s || obsp_critical_find(a, s, &request, &result, diag, &critical))
        __builtin_trap();
    s->free(s);
    check(&result, &critical);
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
