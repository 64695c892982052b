/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models as text and as JSON (output.h). */
#include "llac/fit/output.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "llac/data/account.h"
#include "llac/json.h"
#include "llac/text.h"

/* x / 10^e, also where 10^e is not finite. */
static double in_units(double x, int e)
{
    int half = e / 2;
    return e > -300 && e < 300 ? x / pow(10, e) : x / pow(10, half) / pow(10, e - half);
}

/* Decimals of a value in units of 10^e, whose interval has this half width. Without a width nothing
 * says how many are right: a few are shown. Those of exact data (0) are all right. */
static int pair_digits(double half, bool known, int e)
{
    int digits = known ? 1 - (number_exponent(half) - e) : half == 0 ? 5 : 2;
    return digits < 2 ? 2 : digits > 6 ? 6 : digits;
}

/* Value and the half width of its interval with one exponent and as many digits as the width
 * deserves. */
static void format_pair(double value, double half, char *value_text, char *half_text, size_t size)
{
    bool known = half > 0 && isfinite(half);
    if (!isfinite(value) || (value == 0 && !known)) {
        number_digits(value, 4, value_text);
        snprintf(half_text, size, "%s", isnan(half) || value != 0 ? "?" : half > 0 ? "inf" : "0");
        return;
    }
    int e = number_exponent(value);
    if (known && (value == 0 || number_exponent(half) - 1 > e))
        e = number_exponent(half) - 1;
    int digits = pair_digits(half, known, e);
    if (fabs(in_units(value, e)) >= 10 - 0.5 * pow(10, -digits) && number_exponent(value) == e)
        digits = pair_digits(half, known, ++e); /* rounding carries: 9.9999 is shown as 1.000e+01 */
    char exponent[16] = "", number[NUMBER_SIZE];
    int unit = e;
    if (e < -2 || e > 5)
        snprintf(exponent, sizeof exponent, "e%+03d", e);
    else {
        unit = 0;
        digits = digits - e < 0 ? 0 : digits - e;
    }
    snprintf(value_text, size, "%s%s", number_decimals(in_units(value, unit), digits, number),
             exponent);
    if (!known)
        snprintf(half_text, size, "%s", isnan(half) ? "?" : half > 0 ? "inf" : "0");
    else if (in_units(half, unit) < 0.5 * pow(10, -digits))
        snprintf(half_text, size, "%s", number_digits(half, 1, number));
    else
        snprintf(half_text, size, "%s%s", number_decimals(in_units(half, unit), digits, number),
                 exponent);
}

void text_bounds(FILE *out, const struct model_piece *p)
{
    ARENA_LOCAL struct arena *a = arena_create();
    if (p->nwhere == 0)
        fputs("all", out);
    for (size_t i = 0; i < p->nwhere; i++)
        fprintf(out, "%s%s", i ? ", " : "", model_interval_text(a, &p->where[i]));
    fputc('\n', out);
}

static void text_constant(FILE *out, const struct model_constant *c, int width)
{
    if (c->npieces == 0)
        fprintf(out, "  %-*s  %13s  %13s     left out, see below\n", width, c->name, "-", "-");
    for (size_t i = 0; i < c->npieces; i++) {
        char value[64], half[64]; /* more than NUMBER_SIZE and an exponent */
        const struct model_piece *p = &c->pieces[i];
        format_pair(p->value, (p->high - p->low) / 2, value, half, sizeof value);
        fprintf(out, "  %-*s  %13s  %13s     ", width, i ? "" : c->name, value,
                c->at_bound ? "held at 0" : half);
        text_bounds(out, p);
    }
}

/* The ratio of the place where a tenth of a smooth change is done to the place of half of it. */
static double tenth_to_middle(const struct boundary *boundary)
{
    return pow(9, 1 / boundary->sharpness);
}

/* Between which measured values each constant changes. */
static void text_boundaries(FILE *out, const struct model *m)
{
    const struct pieces *p = model_pieces(m);
    struct model_constants constants = model_constants(m);
    for (size_t c = 0; c < p->nboundaries; c++) {
        const struct boundary *boundary = &p->boundaries[c];
        const char *variable = model_place_name(m, boundary->variable);
        if (boundary->form == BOUNDARY_BEND)
            fprintf(out, "  bend: the part of %s beyond %s has the new value (", variable,
                    number_digits(boundary->at, 4, NUMBER_BUFFER));
        else if (boundary->form == BOUNDARY_SMOOTH)
            fprintf(out, "  smooth change: around %s = %s, 80 %% of it from %s to %s (", variable,
                    number_digits(boundary->at, 4, NUMBER_BUFFER),
                    number_digits(boundary->at / tenth_to_middle(boundary), 3, NUMBER_BUFFER),
                    number_digits(boundary->at * tenth_to_middle(boundary), 3, NUMBER_BUFFER));
        else if (boundary->below == boundary->above)
            fprintf(out, "  boundary: %s at %s (", variable,
                    number_digits(boundary->at, 10, NUMBER_BUFFER));
        else if (model_few_values(m, boundary->variable))
            fprintf(out, "  values: %s = %s and %s = %s differ (", variable,
                    number_digits(boundary->below, 10, NUMBER_BUFFER), variable,
                    number_digits(boundary->above, 10, NUMBER_BUFFER));
        else
            fprintf(out, "  boundary: %s between %s and %s, near %s (", variable,
                    number_digits(boundary->below, 10, NUMBER_BUFFER),
                    number_digits(boundary->above, 10, NUMBER_BUFFER),
                    number_digits(boundary->at, 4, NUMBER_BUFFER));
        for (size_t k = 0, seen = 0; k < constants.n; k++)
            if (p->changing[c] >> k & 1)
                fprintf(out, "%s%s", seen++ ? ", " : "", constants.list[k].name);
        fputs(")\n", out);
    }
}

/* Two digits, but no exponent for large ones. */
static const char *percent(double x, char buffer[NUMBER_SIZE])
{
    return x >= 99.5 && x < 1e9 ? number_decimals(x, 0, buffer) : number_digits(x, 2, buffer);
}

void text_error(FILE *out, const struct fit_error *e)
{
    char mean[NUMBER_SIZE], most[NUMBER_SIZE], left_out[NUMBER_SIZE];
    if (isnan(e->mean_pct))
        return;
    fprintf(out, "  error: mean %s %%, max %s %%", percent(e->mean_pct, mean),
            percent(e->max_pct, most));
    if (!isnan(e->loo_mean_pct))
        fprintf(out, " (leave-one-out: mean %s %%)", percent(e->loo_mean_pct, left_out));
    fputc('\n', out);
}

static void text_warnings(FILE *out, const struct warnings *w, bool of_machine)
{
    for (size_t i = 0; i < w->n; i++) {
        if (warning_is_of_machine(&w->list[i]) && !of_machine)
            continue;
        text_wrapped_as(out, TEXT_WARNING, "  warning: ", w->list[i].text);
        if (*w->list[i].advice)
            text_wrapped(out, "           -> ", "%s", w->list[i].advice);
    }
}

void text_constants(FILE *out, const struct model *m)
{
    struct model_constants c = model_constants(m);
    int width = 8;
    for (size_t j = 0; j < c.n; j++)
        if ((int)strlen(c.list[j].name) > width)
            width = (int)strlen(c.list[j].name);
    if (c.n == 0)
        fputs("  the formula has no constants: nothing to fit\n", out);
    else
        text_heading(out, "  %*s  %13s  %14s     holds for\n", width, "", "value", "\302\261 95 %");
    for (size_t j = 0; j < c.n; j++)
        text_constant(out, &c.list[j], width);
    text_boundaries(out, m);
}

/* What the noise decides: the weights of the points. */
static void text_noise(FILE *out, const struct model *m)
{
    const struct model_noise *n = model_noise(m);
    double growth = n->growth != 0 ? n->growth : n->growth_refused;
    if (growth != 0)
        text_wrapped(out, "  ", "noise: %s with the time, as its power %.2g; %s",
                     growth > 0 ? "grows" : "falls", growth,
                     n->growth == 0
                         ? "all points count alike, since the fit would be worse otherwise"
                     : growth > 0 ? "large points count less"
                                  : "small points count less");
}

/* Over which time the intervals hold, and how much the rounds in it say. */
static void text_rounds(FILE *out, const struct model *m)
{
    const struct model_noise *n = model_noise(m);
    size_t runs = model_points(m)->nruns, rounds = points_rounds(model_points(m));
    if (!(n->runs_independent > 0))
        return;
    if (n->runs_span < 1) /* files state the second in which a run began */
        fprintf(out, "  rounds: %zu within about a second", rounds);
    else
        fprintf(out, "  rounds: %zu over %.2g s", rounds, n->runs_span);
    if (runs == rounds)
        fprintf(out, ", which");
    else
        fprintf(out, "; their %zu runs", runs);
    fprintf(out, " say as much as %.2g that share nothing\n", n->runs_independent);
}

void text_fit(FILE *out, const struct fit_state *state, const struct model *m, bool of_machine)
{
    const struct points *p = model_points(m);
    const char *statistic = statistics[p->request->statistic].text;
    TEXT_LOCAL struct text head = text_new(), counts = text_new();
    text_printf(&head, "%s", state->experiment);
    if (strcmp(state->observable, "CLOCK") != 0)
        text_printf(&head, " %s", state->observable);
    text_printf(&head, " = %s", state->formula_text);
    text_printf(&counts, "%zu point%s, %zu sample%s, %s of each", p->n, p->n == 1 ? "" : "s",
                p->samples, p->samples == 1 ? "" : "s", statistic);
    text_styled(out, TEXT_NAME, "%s", state->experiment);
    fputs(head.s + strlen(state->experiment), out);
    if (head.n + 4 + counts.n <= TEXT_WIDTH)
        fprintf(out, "%*s\n", (int)(TEXT_WIDTH - head.n), counts.s);
    else
        fprintf(out, "\n%*s\n", TEXT_WIDTH, counts.s);
    text_constants(out, m);
    text_error(out, model_error(m));
    if (model_machine(m))
        fprintf(out, "  machine: %s, measured %s\n", model_machine(m)->name,
                model_machine(m)->date);
    text_corrected(out, p);
    text_account(out, &p->account, true);
    text_noise(out, m);
    text_rounds(out, m);
    text_falls(out, p);
    text_rank_values(out, p);
    text_warnings(out, model_warnings(m), of_machine);
}

static const char *const form_names[] = {
    [BOUNDARY_STEP] = "step", [BOUNDARY_BEND] = "bend", [BOUNDARY_SMOOTH] = "smooth"};

json_t *json_where(const struct model_piece *p)
{
    json_t *where = json_array();
    for (size_t i = 0; i < p->nwhere; i++) {
        json_add(where, "{var:%s from:%g to:%g form?:%s}", p->where[i].variable, p->where[i].from,
                 p->where[i].to,
                 p->where[i].form != BOUNDARY_STEP ? form_names[p->where[i].form] : NULL);
    }
    return where;
}

static json_t *json_warnings(const struct warnings *w)
{
    json_t *list = json_array();
    for (size_t i = 0; i < w->n; i++)
        json_add(list, "{code:%s text:%s advice:%s}", w->list[i].code, w->list[i].text,
                 w->list[i].advice);
    return list;
}

/* Between which measured values constants change, where in between predictions change over, and
 * which of them. */
static json_t *json_boundaries(const struct model *m)
{
    json_t *list = json_array();
    const struct pieces *p = model_pieces(m);
    struct model_constants constants = model_constants(m);
    for (size_t i = 0; i < p->nboundaries; i++) {
        const struct boundary *boundary = &p->boundaries[i];
        json_t *changing = json_array();
        for (size_t j = 0; j < constants.n; j++)
            if (p->changing[i] >> j & 1)
                json_add(changing, "%s", constants.list[j].name);
        json_add(list, "{var:%s below:%g above:%g at:%g constants:%p form:%s sharpness?:%g}",
                 model_place_name(m, boundary->variable), boundary->below, boundary->above,
                 boundary->at, changing, form_names[boundary->form],
                 boundary->form == BOUNDARY_SMOOTH ? boundary->sharpness : NAN);
    }
    return list;
}

/* Values that take longer or less long than the others by a factor; null if there are none. */
static json_t *json_divisible(const struct model *m)
{
    const struct model_split *s = model_split(m);
    if (!s->found)
        return json_null();
    ARENA_LOCAL struct arena *a = arena_create();
    double *values;
    size_t n = class_values(a, m, &s->class, &values);
    return json_make("{var:%s class:%s values:%p factor:%g low:%g high:%g term:%s "
                     "term_mean_pct:%g}",
                     model_points(m)->names[s->class.variable], class_text(a, s),
                     json_numbers(values, n), s->factor, s->low, s->high, s->term,
                     s->term ? s->term_error : NAN);
}

json_t *json_constants(const struct model *m)
{
    json_t *constants = json_array();
    struct model_constants c = model_constants(m);
    for (size_t j = 0; j < c.n; j++) {
        json_t *pieces = json_array();
        for (size_t i = 0; i < c.list[j].npieces; i++) {
            const struct model_piece *p = &c.list[j].pieces[i];
            json_add(pieces, "{value:%g low:%g high:%g where:%p}", p->value, p->low, p->high,
                     json_where(p));
        }
        json_add(constants, "{name:%s pieces:%p}", c.list[j].name, pieces);
    }
    return constants;
}

json_t *json_machine_used(const struct model *m)
{
    const struct formula_machine *machine = model_machine(m);
    return machine ? json_make("{name:%s date:%s}", machine->name, machine->date) : json_null();
}

/* null if the times of the runs are not known. */
static json_t *json_rounds(const struct model *m)
{
    const struct model_noise *n = model_noise(m);
    if (!(n->runs_independent > 0))
        return json_null();
    return json_make("{number:%zu runs:%zu seconds:%g independent:%g}",
                     points_rounds(model_points(m)), model_points(m)->nruns, n->runs_span,
                     n->runs_independent);
}

json_t *json_fit(const struct fit_state *state, const struct model *m)
{
    const struct points *p = model_points(m);
    const struct points_request *request = model_points(m)->request;
    const struct model_noise *n = model_noise(m);
    const struct fit_error *e = model_error(m);
    return json_make("{experiment:%s observable:%s constants:%p points:%zu samples:%zu "
                     "error:{mean_pct:%g max_pct:%g loo_mean_pct:%g} warnings:%p schema:%d "
                     "formula:%s statistic:%s unit:%s relative_noise:%g "
                     "degrees_of_freedom:%g boundaries:%p run_noise:%g "
                     "noise_growth:%g noise_growth_refused:%g rounds:%p corrected_points:%zu "
                     "account:%p rank_values:%p divisible:%p machine:%p}",
                     state->experiment, state->observable, json_constants(m), p->n, p->samples,
                     e->mean_pct, e->max_pct, e->loo_mean_pct, json_warnings(model_warnings(m)), 1,
                     state->formula_text, statistics[request->statistic].name, points_unit(request),
                     n->dof > 0 ? n->relative : NAN, n->dof, json_boundaries(m),
                     n->runs_dof > 0 ? n->runs : NAN, n->growth, n->growth_refused, json_rounds(m),
                     p->corrected, json_account(&p->account), json_rank_values(p),
                     json_divisible(m), json_machine_used(m));
}
