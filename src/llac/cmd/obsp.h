/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command obsp was asked and has found, for its output. */
#ifndef LLAC_CMD_OBSP_H
#define LLAC_CMD_OBSP_H

#include "llac/output/output.h"
#include "obsp/critical.h"

/* Whose W is changed. */
struct obsp_slower {
    int process;
    double factor;
};

struct obsp_asked {
    const char *path;
    const struct machine *machine; /* NULL: none was named */
    double g, L;                   /* NAN: not given */
    double times_g, times_L, times_W;
    struct obsp_slower *slower;
    size_t nslower;
    enum obsp_h_rule h;
    int pattern; /* enum obsp_pattern; -1: not given */
    bool all;    /* supersteps are shown */
    bool what_if;
};

struct obsp_report {
    const struct obsp_asked *asked;
    const struct obsp_costs *costs;
    struct obsp_result result;
    struct obsp_critical critical;
    struct obsp_superstep *supersteps; /* those that are shown, in order */
    size_t nsupersteps;
    size_t capacity;
};

enum { OBSP_SHOWN = 12 }; /* supersteps, if not all are shown */

void text_obsp(FILE *out, const struct obsp_report *r);
json_t *json_obsp(const struct obsp_report *r);
/* 100 (measured - predicted) / measured; nan if nothing was measured, or if it was asked what would
 * be. */
double obsp_error(const struct obsp_report *r, double predicted);

#endif
