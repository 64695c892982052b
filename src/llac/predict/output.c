/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions as text and as JSON (output.h). */
#include "llac/predict/output.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "llac/json.h"
#include "llac/text.h"
#include "model/thresholds.h"
#include "llac/fit/output.h"

static char *extrapolation_text(struct arena *a, const struct extrapolation *e)
{
    if (isnan(e->times))
        return arena_printf(a, "%s is outside the data", e->variable);
    if (e->times > 1)
        return arena_printf(a, "%s is %.3g times beyond the data", e->variable, e->times);
    return arena_printf(a, "%s is %.3g times below the data", e->variable, 1 / e->times);
}

char **predict_place_remarks(struct arena *a, const struct prediction *p, size_t *n)
{
    char **list = arena_alloc(a, p->nextrapolates + p->ngaps + 2, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < p->nextrapolates; i++)
        list[(*n)++] = extrapolation_text(a, &p->extrapolates[i]);
    for (size_t i = 0; i < p->ngaps; i++)
        list[(*n)++] = arena_printf(a, "in the gap of a boundary, between %s=%.6g and %.6g",
                                    p->gaps[i].variable, p->gaps[i].below, p->gaps[i].above);
    if (p->far)
        list[(*n)++] = arena_strdup(a, "this combination of values is far from all measured ones");
    if (p->unmeasured)
        list[(*n)++] = arena_strdup(a, "this combination of intervals was never measured");
    return list;
}

/* Where constants change along a variable: "N = 4.5e+04"; NULL if they do not. */
static char *changes_along(struct arena *a, const struct model *m, const char *variable)
{
    const struct pieces *pieces = model_pieces(m);
    char *text = NULL;
    for (size_t c = 0; c < pieces->nboundaries; c++) {
        const struct boundary *boundary = &pieces->boundaries[c];
        if (strcmp(model_place_name(m, boundary->variable), variable) == 0)
            text = text ? arena_printf(a, "%s and %.4g", text, boundary->at)
                        : arena_printf(a, "%s = %.4g", variable, boundary->at);
    }
    return text;
}

/* The fit does not use the outermost value: what counts as beyond the data starts before it. */
static char *left_out_text(struct arena *a, const struct extrapolation *e)
{
    char from[NUMBER_SIZE], out[NUMBER_SIZE];
    bool above = e->left_out > e->from;
    return arena_printf(
        a, "the fit leaves out the %s %s, %s, as an outlier: %s the data is counted from %s",
        above ? "largest" : "smallest", e->variable, number_text(e->left_out, out),
        above ? "beyond" : "below", number_text(e->from, from));
}

/* Whether the formula asks the machine how a cost changes with the variable. */
static bool machine_covers(struct arena *a, const struct model *m, const char *variable)
{
    size_t n;
    const struct formula *const *calls = formula_machine_calls(a, model_formula(m), &n);
    for (size_t i = 0; i < n; i++)
        if (formula_uses(a, calls[i], variable))
            return true;
    return false;
}

/* Does the prediction take many times as long as all points? N by N elements need four times the memory
 * for twice the N, so the variable alone does not say how far it is. */
static bool is_much_longer(const struct model *m, const struct prediction *p)
{
    const struct points *points = model_points(m);
    double most = 0;
    for (size_t i = 0; i < points->n; i++)
        most = fmax(most, points->value[i]);
    return p->value > FAR_TIMES_VALUE * most;
}

/* Which constants the data do not determine, and what the prediction makes of that. */
static char *undetermined_text(struct arena *a, const struct model *m)
{
    struct model_undetermined u = model_undetermined(m);
    char *names = "";
    for (size_t i = 0; i < u.n; i++)
        names = arena_printf(a, "%s%s%s", names,
                             i == 0         ? ""
                             : i + 1 == u.n ? " and "
                                            : ", ",
                             model_constants(m).list[u.constants[i]].name);
    if (model_request(m)->nonneg)
        return arena_printf(a, "the data do not determine %s, held at 0 by nonneg", names);
    return arena_printf(a, "the data do not determine %s%s%s", names,
                        u.averaged ? ": the value is the mean of the formula with and without "
                                   : "",
                        !u.averaged ? ""
                        : u.n == 1  ? "its term"
                                    : "their terms");
}

char **predict_regime_remarks(struct arena *a, const struct model *m, const struct prediction *p,
                              size_t *n)
{
    static const char why[] = "(another level of the memory hierarchy, another protocol)";
    const struct points_request *request = model_points(m)->request;
    char **list = arena_alloc(a, 2 * p->nextrapolates + p->nbeyond + 3, sizeof *list);
    *n = 0;
    if (p->value < 0 && strcmp(points_unit(request), "s") == 0)
        list[(*n)++] = arena_printf(
            a,
            "%s is below zero: the formula does not hold there, for want of a term "
            "or with a negative constant ('fit %s nonneg' has none)",
            points_is_spread(request) ? "no spread" : "no time", request->experiment->name);
    if (prediction_is_vague(m, p))
        list[(*n)++] = undetermined_text(a, m);
    for (size_t i = 0; i < p->nbeyond; i++)
        list[(*n)++] = arena_strdup(a, p->beyond[i]);
    for (size_t i = 0; i < p->nextrapolates; i++) {
        const struct extrapolation *e = &p->extrapolates[i];
        if (!isnan(e->left_out))
            list[(*n)++] = left_out_text(a, e);
        const char *changes = changes_along(a, m, e->variable);
        const char *side = e->times < 1 ? "below" : "beyond";
        if (changes)
            list[(*n)++] = arena_printf(a,
                                        "the constants change inside the data (at %s): a further "
                                        "change %s it %s was never measured",
                                        changes, side, why);
        else if ((e->times > FAR_TIMES_VARIABLE || (e->times > 1 && is_much_longer(m, p))) &&
                 !machine_covers(a, m, e->variable))
            list[(*n)++] = arena_printf(
                a,
                "%s is far beyond the data: a change of the constants there %s was never measured",
                e->variable, why);
    }
    return list;
}

static char *joined_remarks(struct arena *a, const struct prediction *p)
{
    size_t n;
    char **list = predict_place_remarks(a, p, &n), *text = arena_strdup(a, "");
    for (size_t i = 0; i < n; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", list[i]);
    return text;
}

void text_prediction(FILE *out, const struct model *m, const struct prediction *p)
{
    const char *unit = points_unit(model_points(m)->request),
               *observable = model_points(m)->request->observable;
    ARENA_LOCAL struct arena *a = arena_create();
    char range[RANGE_SIZE];
    TEXT_LOCAL struct text line = text_new();
    text_printf(&line, "  %s%s", number_digits(p->value, 4, NUMBER_BUFFER),
                strcmp(unit, "s") == 0 ? " s" : "");
    if (strcmp(observable, "CLOCK") != 0)
        text_printf(&line, " %s", observable);
    if (points_is_spread(model_points(m)->request))
        text_printf(&line, ", %s", statistics[model_points(m)->request->statistic].text);
    if (isnan(p->low))
        text_add(&line, "   no interval: the noise is unknown");
    else
        text_printf(&line, "   typical %s", text_of_range(p->low, p->high, 4, range));
    if (!isnan(p->single_low))
        text_printf(&line, "   single run %s",
                    text_of_range(p->single_low, p->single_high, 3, range));
    if (!isnan(p->low))
        text_add(&line, "   95 %");
    const char *beyond = joined_remarks(a, p);
    fprintf(out, "%s%s%s\n", line.s,
            !*beyond                                    ? ""
            : line.n + 3 + strlen(beyond) <= TEXT_WIDTH ? "   "
                                                        : "\n    ",
            beyond);
    if (p->amplification > 1)
        fprintf(out, "    of this a factor of %.3g is due to the slowest of all ranks\n",
                p->amplification);
}

void text_prediction_head(FILE *out, const struct prediction *p)
{
    for (size_t i = 0; i < p->place.n; i++)
        text_heading(out, " %11s", p->place.names[i]);
    text_heading(out, " %11s   %-24s %s\n", "value", "typical 95 %", "single run 95 %");
}

void text_prediction_row(FILE *out, const struct model *m, const struct prediction *p)
{
    char number[NUMBER_SIZE], typical[RANGE_SIZE] = "unknown", single[RANGE_SIZE] = "unknown";
    ARENA_LOCAL struct arena *a = arena_create();
    if (points_is_spread(model_points(m)->request)) /* one run has none */
        snprintf(single, sizeof single, "none");
    for (size_t i = 0; i < p->place.n; i++)
        fprintf(out, " %11s", number_text(p->place.values[i], number));
    if (!isnan(p->low))
        text_of_range(p->low, p->high, 4, typical);
    if (!isnan(p->single_low))
        text_of_range(p->single_low, p->single_high, 3, single);
    fprintf(out, " %11s   %-24s %s", number_digits(p->value, 4, number), typical, single);
    const char *remarks = joined_remarks(a, p);
    fprintf(out, "%s%s", *remarks ? "   " : "", remarks);
    fputc('\n', out);
}

/* All remarks about the place of a prediction. */
static json_t *json_remarks(const struct model *m, const struct prediction *p)
{
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *list = json_array();
    size_t n;
    char **said = predict_place_remarks(a, p, &n);
    for (size_t i = 0; i < n; i++)
        json_add(list, "%s", said[i]);
    said = predict_regime_remarks(a, m, p, &n);
    for (size_t i = 0; i < n; i++)
        json_add(list, "%s", said[i]);
    return list;
}

/* Where each variable that is outside the data leaves them. */
static json_t *json_extrapolations(const struct prediction *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->nextrapolates; i++) {
        const struct extrapolation *e = &p->extrapolates[i];
        json_add(list, "{var:%s times:%g from:%g left_out:%g}", e->variable, e->times, e->from,
                 e->left_out);
    }
    return list;
}

/* The constants that the data do not determine and that the prediction depends on. */
static json_t *json_undetermined(const struct model *m, const struct prediction *p)
{
    struct model_undetermined u = model_undetermined(m);
    json_t *list = json_array();
    for (size_t i = 0; i < u.n && prediction_is_vague(m, p); i++)
        json_add(list, "%s", model_constants(m).list[u.constants[i]].name);
    return list;
}

json_t *json_prediction(const struct model *m, const struct prediction *p)
{
    const struct points_request *request = model_points(m)->request;
    json_t *beyond = json_array();
    for (size_t i = 0; i < p->nextrapolates; i++)
        json_add(beyond, "%s", p->extrapolates[i].variable);
    return json_make("{experiment:%s at:%p value:%g low:%g high:%g single_low:%g "
                     "single_high:%g statistic:%s unit:%s extrapolates:%p observable:%s "
                     "remarks:%p extrapolations:%p amplification:%g undetermined:%p "
                     "machine:%p}",
                     request->experiment->name, json_place(p->place), p->value, p->low, p->high,
                     p->single_low, p->single_high, statistics[request->statistic].name,
                     points_unit(request), beyond, request->observable, json_remarks(m, p),
                     json_extrapolations(p), p->amplification, json_undetermined(m, p),
                     json_machine_used(m));
}
