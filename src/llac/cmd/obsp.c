/* SPDX-License-Identifier: GPL-3.0-or-later */
/* obsp FILE: a trace of supersteps under the OBSP* model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "llac/cmd/commands.h"
#include "llac/output/output.h"
#include "obsp/evaluate.h"

struct asked {
    const char *path;
    double g, L;
    enum obsp_h_rule h;
};

/* NAME=NUMBER */
static int read_value(struct cursor *c, struct asked *out)
{
    struct span where, at;
    char *name = cursor_variable(c, &where), *end;
    if (!name)
        return -1;
    at = cursor_token(c);
    const char *text = cursor_text(c, at);
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        return cursor_error(c, at, "a number that is not negative is expected here");
    if (strcmp(name, "g") == 0)
        out->g = value;
    else if (strcmp(name, "L") == 0)
        out->L = value;
    else
        return cursor_error(c, where, "a trace has no variable %s", name);
    return 0;
}

static int read_request(struct cursor *c, struct asked *out)
{
    *out = (struct asked){.path = cursor_path(c, NULL)};
    if (!out->path)
        return cursor_error_here(c, "the name of a trace is expected: obsp FILE");
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "h")) {
            if (cursor_keyword(c, "sum"))
                out->h = OBSP_H_SUM;
            else if (!cursor_keyword(c, "max"))
                return cursor_error_here(
                    c, "h is the maximum or the sum of the bytes in and out: h max, or h sum");
        } else if (read_value(c, out)) {
            return -1;
        }
    }
    return 0;
}

static double error_percent(double measured, double predicted)
{
    return measured > 0 ? 100 * (measured - predicted) / measured : NAN;
}

int command_obsp(struct session *s, struct cursor *c)
{
    struct asked asked;
    struct obsp_result result;
    if (read_request(c, &asked))
        return -1;
    struct obsp_source *source = obsp_trace_open(asked.path, c->diag);
    if (!source)
        return -1;
    struct obsp_request request = {.costs = obsp_costs_given(c->arena, asked.g, asked.L),
                                   .h = asked.h};
    int status = obsp_evaluate(c->arena, source, &request, c->diag, &result);
    source->free(source);
    if (status)
        return -1;
    if (s->json)
        json_print(s->out, json_pack("{s:o, s:o, s:o, s:o}", "obsp", json_number(result.obsp),
                                     "bsp", json_number(result.bsp), "measured",
                                     json_number(result.measured), "error_pct",
                                     json_number(error_percent(result.measured, result.obsp))));
    else
        fprintf(s->out, "  OBSP* %s s, BSP %s s, measured %s s, error %s %%\n",
                number_digits(result.obsp, 5, NUMBER_BUFFER),
                number_digits(result.bsp, 5, NUMBER_BUFFER),
                number_digits(result.measured, 5, NUMBER_BUFFER),
                number_digits(error_percent(result.measured, result.obsp), 3, NUMBER_BUFFER));
    return 0;
}
