/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people: 80 columns where the names allow it. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "llac/output/output.h"
#include "model/thresholds.h"

enum { WIDTH = 80 };

void text_wrapped(FILE *out, const char *first, const char *text)
{
    size_t indent = strlen(first), column = indent;
    fputs(first, out);
    while (*text) {
        size_t n = strcspn(text, " ");
        bool at_start = column == indent;
        if (!at_start && column + 1 + n > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        fprintf(out, "%s%.*s", at_start ? "" : " ", (int)n, text);
        column += n + !at_start;
        text += n;
        while (*text == ' ')
            text++;
    }
    fputc('\n', out);
}

void text_observable(FILE *out, const char *observable)
{
    if (strcmp(observable, "CLOCK") != 0)
        fprintf(out, "  observable: %s\n", observable);
}

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

static void text_bounds(FILE *out, const struct model_piece *p)
{
    struct arena *a = arena_create();
    if (p->nwhere == 0)
        fputs("all", out);
    for (size_t i = 0; i < p->nwhere; i++)
        fprintf(out, "%s%s", i ? ", " : "", model_interval_text(a, &p->where[i]));
    fputc('\n', out);
    arena_destroy(a);
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
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        const char *variable = m->points.names[boundary->variable];
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
        for (size_t k = 0, seen = 0; k < m->nconstants; k++)
            if (m->structure.pieces->changing[c] >> k & 1)
                fprintf(out, "%s%s", seen++ ? ", " : "", m->constants[k].name);
        fputs(")\n", out);
    }
}

/* Two digits, but no exponent for large ones. */
static const char *percent(double x, char buffer[NUMBER_SIZE])
{
    return x >= 99.5 && x < 1e9 ? number_decimals(x, 0, buffer) : number_digits(x, 2, buffer);
}

static void text_error(FILE *out, const struct fit_error *e)
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
        text_wrapped(out, "  warning: ", w->list[i].text);
        if (*w->list[i].advice)
            text_wrapped(out, "           -> ", w->list[i].advice);
    }
}

void text_constants(FILE *out, const struct model *m)
{
    int width = 8;
    for (size_t j = 0; j < m->nconstants; j++)
        if ((int)strlen(m->constants[j].name) > width)
            width = (int)strlen(m->constants[j].name);
    if (m->nconstants == 0)
        fputs("  the formula has no constants: nothing to fit\n", out);
    else
        fprintf(out, "  %*s  %13s  %14s     holds for\n", width, "", "value", "\302\261 95 %");
    for (size_t j = 0; j < m->nconstants; j++)
        text_constant(out, &m->constants[j], width);
    text_boundaries(out, m);
}

/* "24 first executions (3 times slower, 20 with page faults)" */
static void add_first(struct text *t, size_t n, const char *which, double times, size_t faulted)
{
    if (!n)
        return;
    text_printf(t, "%zu %s execution%s (%.2g times slower", n, which, n == 1 ? "" : "s", times);
    if (faulted)
        text_printf(t, ", %zu with page faults", faulted);
    text_add(t, ")");
}

static void add_left_out(struct text *t, const struct points_account *a)
{
    if (!a->left_out && !a->first && !a->opening)
        return;
    text_printf(t, "left out of %zu samples: ", a->samples);
    if (a->left_out)
        text_printf(t, "%zu preempted%s", a->left_out, a->first || a->opening ? ", " : "");
    add_first(t, a->first, "first", a->first_times, a->first_faulted);
    text_add(t, a->first && a->opening ? ", " : "");
    add_first(t, a->opening, "opening", a->opening_times, a->first ? 0 : a->first_faulted);
    if (a->first || a->opening)
        text_printf(t, "; 'rounds all' keeps %s", a->left_out ? "first executions" : "them");
}

static void add_by_cpu(struct text *t, const struct points_account *a)
{
    if (a->by_cpu)
        text_printf(t, "used by their CPU time: %zu preempted sample%s, at %zu point%s no others",
                    a->by_cpu, a->by_cpu == 1 ? "" : "s", a->by_cpu_points,
                    a->by_cpu_points == 1 ? " that has" : "s that have");
}

/* Points without a later execution. */
static void add_first_only(struct text *t, const struct points_account *a)
{
    if (!a->first_only)
        return;
    text_printf(t, "at %zu point%s every sample is a first execution", a->first_only,
                a->first_only == 1 ? "" : "s");
    if (a->first_only_faulted)
        text_printf(t, " (with page faults at %zu)", a->first_only_faulted);
    text_add(t, ": execute each size twice or more in a run, so that llac can compare");
}

void text_account(FILE *out, const struct points_account *a, bool wrapped)
{
    static void (*const add[])(struct text * t, const struct points_account *a) = {
        add_left_out, add_by_cpu, add_first_only};
    struct text t;
    text_init(&t);
    for (size_t i = 0; i < sizeof add / sizeof *add; i++) {
        text_clear(&t);
        add[i](&t, a);
        if (t.n && wrapped)
            text_wrapped(out, "  ", t.s);
        else if (t.n)
            fprintf(out, "%s\n", t.s);
    }
    text_free(&t);
}

void text_oversubscribed(FILE *out, const struct points_account *a)
{
    if (a->oversubscribed)
        fprintf(out,
                "  %zu of %zu samples come from runs with more processes or threads than cores\n",
                a->oversubscribed, a->samples);
}

/* "75th percentile", "32nd percentile", "99.6th percentile" */
static char *percentile(const struct points_ranks *r, double processors, char buffer[NUMBER_SIZE])
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    double level = 100 * points_level(r, processors);
    if (level > 99.5) {
        snprintf(buffer, NUMBER_SIZE, "%.1fth percentile", level);
    } else {
        int n = (int)lround(level), last = n / 10 == 1 || n % 10 > 3 ? 0 : n % 10;
        snprintf(buffer, NUMBER_SIZE, "%d%s percentile", n, endings[last]);
    }
    return buffer;
}

void text_rank_values(FILE *out, const struct points *p)
{
    const struct points_ranks *r = &p->by_rank;
    char most[NUMBER_SIZE], least[NUMBER_SIZE];
    if (r->how == RANKS_UNITED)
        return;
    number_text(r->most, most);
    if (r->how == RANKS_ALIKE)
        fprintf(out, "  values: the %s of all ranks, which are alike\n",
                percentile(r, r->most, NUMBER_BUFFER));
    else
        fprintf(out, "  values: of the slowest rank, the %s at P=%s, the %s at P=%s\n",
                percentile(r, r->least, NUMBER_BUFFER), number_text(r->least, least),
                percentile(r, r->most, NUMBER_BUFFER), most);
    fprintf(out, "  of the time at P=%s a factor of %.3g is due to the slowest of all ranks\n",
            most, points_amplification(p, r->most));
}

void text_falls(FILE *out, const struct points *p)
{
    struct text t;
    if (!p->falls)
        return;
    text_init(&t);
    text_printf(&t, "%s falls where CLOCK grows: it is taken where CLOCK is at its %s",
                p->request->observable, statistics[p->request->statistic].text);
    text_wrapped(out, "  ", t.s);
    text_free(&t);
}

/* What the noise decides: the weights of the points. */
static void text_noise(FILE *out, const struct model *m)
{
    double growth = m->noise.growth != 0 ? m->noise.growth : m->noise.growth_refused;
    struct text t;
    if (growth == 0)
        return;
    text_init(&t);
    text_printf(&t, "noise: %s with the time, as its power %.2g; ", growth > 0 ? "grows" : "falls",
                growth);
    if (m->noise.growth != 0)
        text_printf(&t, "%s points count less", growth > 0 ? "large" : "small");
    else
        text_printf(&t, "all points count alike, since the fit would be worse otherwise");
    text_wrapped(out, "  ", t.s);
    text_free(&t);
}

/* Over which time the intervals hold, and how much the rounds in it say. */
static void text_rounds(FILE *out, const struct model *m)
{
    const struct model_noise *n = &m->noise;
    if (n->runs_drift.dof > 0)
        fprintf(out, "  rounds: %zu over %.2g s, which say as much as %.2g that share nothing\n",
                m->points.nruns, n->runs_span, n->runs_independent);
}

void text_fit(FILE *out, const struct fit_state *state, const struct model *m, bool of_machine)
{
    struct text head, counts;
    text_init(&head);
    text_init(&counts);
    text_printf(&head, "%s", state->experiment);
    if (strcmp(state->observable, "CLOCK") != 0)
        text_printf(&head, " %s", state->observable);
    text_printf(&head, " = %s", state->formula_text);
    text_printf(&counts, "%zu point%s, %zu sample%s, %s of each", m->points.n,
                m->points.n == 1 ? "" : "s", m->points.samples, m->points.samples == 1 ? "" : "s",
                statistics[m->request.points.statistic].text);
    if (head.n + 4 + counts.n <= WIDTH)
        fprintf(out, "%s%*s\n", head.s, (int)(WIDTH - head.n), counts.s);
    else
        fprintf(out, "%s\n%*s\n", head.s, WIDTH, counts.s);
    text_constants(out, m);
    text_error(out, &m->error);
    if (m->formula.machine)
        fprintf(out, "  machine: %s, measured %s\n", m->formula.machine->name,
                m->formula.machine->date);
    if (m->points.corrected)
        fprintf(out, "  %zu point%s with few samples: the %s of few is corrected to that of many\n",
                m->points.corrected, m->points.corrected == 1 ? "" : "s",
                statistics[m->request.points.statistic].text);
    text_account(out, &m->points.account, true);
    text_noise(out, m);
    text_rounds(out, m);
    text_falls(out, &m->points);
    text_rank_values(out, &m->points);
    text_warnings(out, &m->warnings, of_machine);
    text_free(&head);
    text_free(&counts);
}

static char *extrapolation_text(struct arena *a, const struct extrapolation *e)
{
    if (isnan(e->times))
        return arena_printf(a, "%s is outside the data", e->variable);
    if (e->times > 1)
        return arena_printf(a, "%s is %.3g times beyond the data", e->variable, e->times);
    return arena_printf(a, "%s is %.3g times below the data", e->variable, 1 / e->times);
}

char **place_remarks(struct arena *a, const struct prediction *p, size_t *n)
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
    char *text = NULL;
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (strcmp(m->points.names[boundary->variable], variable) == 0)
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
    const struct formula *const *calls = formula_machine_calls(a, m->formula.expanded, &n);
    for (size_t i = 0; i < n; i++) {
        struct formula_variables used = formula_variables(a, calls[i]);
        for (size_t k = 0; k < used.n; k++)
            if (strcmp(used.list[k].name, variable) == 0)
                return true;
    }
    return false;
}

/* Does the prediction take many times as long as all points? N by N elements need four times the memory
 * for twice the N, so the variable alone does not say how far it is. */
static bool is_much_longer(const struct model *m, const struct prediction *p)
{
    double most = 0;
    for (size_t i = 0; i < m->points.n; i++)
        most = fmax(most, m->points.value[i]);
    return p->value > FAR_TIMES_VALUE * most;
}

/* Which constants the data do not determine, and what the prediction makes of that. */
static char *undetermined_text(struct arena *a, const struct model *m)
{
    size_t n = m->alternatives.nundetermined;
    char *names = "";
    for (size_t i = 0; i < n; i++)
        names = arena_printf(a, "%s%s%s", names,
                             i == 0       ? ""
                             : i + 1 == n ? " and "
                                          : ", ",
                             m->constants[m->alternatives.undetermined[i]].name);
    if (m->request.nonneg)
        return arena_printf(a, "the data do not determine %s, held at 0 by nonneg", names);
    return arena_printf(
        a, "the data do not determine %s%s%s", names,
        m->alternatives.n == 0 ? "" : ": the value is the mean of the formula with and without ",
        m->alternatives.n == 0 ? ""
        : n == 1               ? "its term"
                               : "their terms");
}

char **regime_remarks(struct arena *a, const struct model *m, const struct prediction *p, size_t *n)
{
    static const char why[] = "(another level of the memory hierarchy, another protocol)";
    char **list = arena_alloc(a, 2 * p->nextrapolates + p->nbeyond + 2, sizeof *list);
    *n = 0;
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
    char **list = place_remarks(a, p, &n), *text = arena_strdup(a, "");
    for (size_t i = 0; i < n; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", list[i]);
    return text;
}

char *range_text(double low, double high, int digits, char buffer[RANGE_SIZE])
{
    snprintf(buffer, RANGE_SIZE, "[%s, %s]", number_digits(low, digits, NUMBER_BUFFER),
             number_digits(high, digits, NUMBER_BUFFER));
    return buffer;
}

void text_prediction(FILE *out, const struct model *m, const struct prediction *p)
{
    const char *unit = points_unit(&m->request.points), *observable = m->request.points.observable;
    struct arena *a = arena_create();
    struct text line, beyond;
    char range[RANGE_SIZE];
    text_init(&line);
    text_init(&beyond);
    text_printf(&line, "  %s%s", number_digits(p->value, 4, NUMBER_BUFFER),
                strcmp(unit, "s") == 0 ? " s" : "");
    if (strcmp(observable, "CLOCK") != 0)
        text_printf(&line, " %s", observable);
    if (isnan(p->low))
        text_add(&line, "   no interval: the noise is unknown");
    else
        text_printf(&line, "   typical %s", range_text(p->low, p->high, 4, range));
    if (!isnan(p->single_low))
        text_printf(&line, "   single run %s", range_text(p->single_low, p->single_high, 3, range));
    if (!isnan(p->low))
        text_add(&line, "   95 %");
    text_add(&beyond, joined_remarks(a, p));
    fprintf(out, "%s%s%s\n", line.s,
            beyond.n == 0                    ? ""
            : line.n + 3 + beyond.n <= WIDTH ? "   "
                                             : "\n    ",
            beyond.s);
    if (p->amplification > 1)
        fprintf(out, "    of this a factor of %.3g is due to the slowest of all ranks\n",
                p->amplification);
    text_free(&line);
    text_free(&beyond);
    arena_destroy(a);
}

void text_prediction_head(FILE *out, const struct prediction *p)
{
    for (size_t i = 0; i < p->place.n; i++)
        fprintf(out, " %11s", p->place.names[i]);
    fprintf(out, " %11s   %-24s %s\n", "value", "typical 95 %", "single run 95 %");
}

void text_prediction_row(FILE *out, const struct prediction *p)
{
    char number[NUMBER_SIZE], typical[RANGE_SIZE] = "unknown", single[RANGE_SIZE] = "unknown";
    struct arena *a = arena_create();
    for (size_t i = 0; i < p->place.n; i++)
        fprintf(out, " %11s", number_text(p->place.values[i], number));
    if (!isnan(p->low))
        range_text(p->low, p->high, 4, typical);
    if (!isnan(p->single_low))
        range_text(p->single_low, p->single_high, 3, single);
    fprintf(out, " %11s   %-24s %s", number_digits(p->value, 4, number), typical, single);
    const char *remarks = joined_remarks(a, p);
    fprintf(out, "%s%s", *remarks ? "   " : "", remarks);
    fputc('\n', out);
    arena_destroy(a);
}

double table_error(const struct table_row *row)
{
    return row->measured != 0 ? 100 * (row->measured - row->predicted) / row->measured : NAN;
}

/* Number, then what it means: "interval 2: N in (37787, 1000000]". */
void text_table_intervals(FILE *out, const struct table *t)
{
    for (size_t i = 0; i < t->nintervals; i++) {
        fprintf(out, "  interval %zu: ", i + 1);
        text_bounds(out, &t->intervals[i]);
    }
}

static void text_table_row(FILE *out, const struct table *t, const struct table_row *row,
                           bool several)
{
    char number[NUMBER_SIZE];
    double error = table_error(row);
    for (size_t v = 0; v < t->ncolumns; v++)
        fprintf(out, " %11s", number_text(row->at[v], number));
    fprintf(out, " %13s", number_digits(row->measured, 5, number));
    fprintf(out, " %13s ", number_digits(row->predicted, 5, number));
    if (isnan(error))
        fprintf(out, "%10s", "-");
    else
        fprintf(out, "%10s", number_decimals(error, 2, number));
    if (several)
        fprintf(out, " %9zu", row->interval);
    fputs(row->left_out ? "  left out\n" : "\n", out);
}

void text_table(FILE *out, const struct table *t)
{
    double sum = 0, most = 0;
    size_t counted = 0, left_out = 0;
    bool several = t->nintervals > 1;
    for (size_t v = 0; v < t->ncolumns; v++)
        fprintf(out, " %11s", t->columns[v]);
    fprintf(out, " %13s %13s %10s%s\n", "measured", "predicted", "error %",
            several ? "  interval" : "");
    for (size_t i = 0; i < t->nrows; i++) {
        double error = table_error(&t->rows[i]);
        text_table_row(out, t, &t->rows[i], several);
        left_out += t->rows[i].left_out;
        if (isnan(error) || t->rows[i].left_out)
            continue;
        sum += fabs(error);
        most = fmax(most, fabs(error));
        counted++;
    }
    if (several)
        text_table_intervals(out, t);
    if (left_out)
        fprintf(out, "  left out: %zu point%s no part in the fit and the error\n", left_out,
                left_out == 1 ? " takes" : "s take");
    struct fit_error all = {counted ? sum / (double)counted : NAN, most, NAN};
    text_error(out, &all);
}
