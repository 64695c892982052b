/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a term that asks the machine explains the data better than the formula does. The candidates
 * multiply the coefficient of one of the formula's constants with the latency, or divide it by the
 * bandwidth, of a working set of 4 to 128 bytes times a variable, or times its square where the
 * coefficient grows like that: of the processor, or of the device for times of kernels. A candidate is one more column beside those of the formula, with one
 * value for each constant; its leave-one-out error is compared with that of the fit.
 *
 * If the working sets stay in one level of the memory, no candidate can differ from the formula's own
 * terms: then the data cannot tell, and llac says so.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/diagnose.h"
#include "numeric/lsq.h"

static const double element_bytes[] = {4, 8, 16, 24, 32, 48, 64, 96, 128};
enum { ELEMENTS = sizeof element_bytes / sizeof *element_bytes };

struct candidate {
    size_t constant;   /* whose coefficient is multiplied */
    const char *times; /* "*lat(16*N)" */
    double error;      /* leave-one-out, mean, in percent */
};

/* The power with which the coefficient grows over the range of the variable; others may change. */
double machine_term_growth(const struct model *m, size_t constant, size_t variable)
{
    const double *x = m->points.at[variable];
    size_t k = m->nconstants, low = 0, high = 0;
    for (size_t i = 1; i < m->points.n; i++) {
        low = x[i] < x[low] ? i : low;
        high = x[i] > x[high] ? i : high;
    }
    double from = m->formula.coefficients[low * k + constant],
           to = m->formula.coefficients[high * k + constant];
    return x[low] > 0 && x[high] > x[low] && from > 0 && to > 0
               ? log(to / from) / log(x[high] / x[low])
               : 0;
}

/* The values of a function of the machine at the points; false if it has none. */
static bool values_of(struct arena *a, const struct model *m, const char *call, double *out)
{
    const struct points *p = &m->points;
    DIAG_LOCAL struct diag *quiet = diag_create();
    const struct formula *f = formula_parse_text(a, call, "", quiet);
    f = f ? formula_bind(a, f, m->request.let.machine) : NULL;
    const struct formula_program *program =
        f ? formula_compile(a, f, (const char *const *)p->names, p->nnames, NULL, quiet) : NULL;
    return program && !formula_evaluate(program, (const double *const *)p->at, p->n, out, NULL);
}

/* Leave-one-out error in percent of the formula with one more column; nan if the column adds nothing,
 * or has a negative constant. */
static double error_with(struct arena *a, const struct model *m, const double *extra)
{
    size_t n = m->points.n, k = m->nconstants, used = 0;
    struct lsq *l = lsq_create(a, k + 1);
    struct lsq_solution s;
    double *rows = arena_alloc(a, n * (k + 1), sizeof *rows), sum = 0;
    for (size_t i = 0; i < n; i++) {
        double y = m->points.value[i], *row = rows + i * (k + 1);
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        for (size_t j = 0; j < k; j++)
            row[j] = m->formula.coefficients[i * k + j] / y;
        row[k] = extra[i] / y;
        lsq_add(l, row, 1 - (m->formula.known ? m->formula.known[i] / y : 0));
    }
    lsq_finish(l);
    lsq_solve(a, l, NULL, &s);
    if (!s.full_rank || s.condition > MACHINE_TERM_CONDITION || !(s.x[k] > 0))
        return NAN;
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * (k + 1);
        double y = m->points.value[i], leverage = 0,
               rest = 1 - (m->formula.known ? m->formula.known[i] / y : 0);
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        for (size_t p = 0; p <= k; p++) {
            rest -= s.x[p] * row[p];
            for (size_t q = 0; q <= k; q++)
                leverage += row[p] * s.covariance[p * (k + 1) + q] * row[q];
        }
        sum += fabs(rest) / fmax(1 - leverage, LEVERAGE_ROOM);
        used++;
    }
    return used ? 100 * sum / (double)used : NAN;
}

struct asker {
    struct arena *arena; /* of one candidate */
    struct model *m;
    bool of_device; /* it is about times of kernels */
    struct candidate best;
    double change; /* largest ratio of latencies over the points, with elements of usual size */
    size_t tried;
    double largest; /* working set of these, in bytes */
};

static void try_one(struct asker *k, size_t constant, const char *call, bool latency, bool usual)
{
    struct model *m = k->m;
    size_t n = m->points.n;
    double *column = arena_alloc(k->arena, n, sizeof *column), low = INFINITY, high = 0;
    if (!values_of(k->arena, m, call, column))
        return;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, column[i]);
        high = fmax(high, column[i]);
        double c = m->formula.coefficients[i * m->nconstants + constant];
        column[i] = latency ? c * column[i] : c / column[i];
    }
    k->tried++;
    if (latency && usual)
        k->change = fmax(k->change, high / low);
    if (high / low < 1 + MACHINE_TERM_FLAT)
        return;
    double error = error_with(k->arena, m, column);
    if (!isnan(error) && !(error >= k->best.error))
        k->best = (struct candidate){
            constant, arena_printf(m->arena, "%s%s", latency ? "*" : "/", call), error};
}

static void try_variable(struct asker *k, size_t constant, size_t variable)
{
    struct model *m = k->m;
    const char *name = m->points.names[variable];
    double growth = machine_term_growth(m, constant, variable), most = 0;
    bool square = growth >= MACHINE_TERM_SQUARE;
    if (growth <= 0)
        return;
    for (size_t i = 0; i < m->points.n; i++)
        most = fmax(most, m->points.at[variable][i]);
    for (size_t w = 0; w < ELEMENTS; w++)
        for (int latency = 1; latency >= 0; latency--) {
            arena_reset(k->arena);
            const char *call =
                arena_printf(k->arena, "%s%s(%g*%s%s)", k->of_device ? "gpu_" : "",
                             latency ? "lat" : "bw", element_bytes[w], name, square ? "^2" : "");
            try_one(k, constant, call, latency, element_bytes[w] <= MACHINE_TERM_USUAL);
        }
    k->largest = fmax(k->largest, MACHINE_TERM_USUAL * (square ? most * most : most));
}

/* Whether it is worth a proposal: it replaces intervals, or the error falls by more than so many
 * candidates reach by chance. */
static bool is_better(const struct asker *k)
{
    const struct model *m = k->m;
    double now = m->error.loo_mean_pct, with = k->best.error;
    size_t n = m->structure.used;
    if (isnan(with) || isnan(now) || now < MACHINE_TERM_PERCENT || n < m->nconstants + 3)
        return false;
    if (m->structure.missing.text && m->structure.missing.error < with)
        return false;
    if (m->structure.pieces->nboundaries)
        return with <= now;
    return now / with > fmax(MACHINE_TERM_GAIN, exp(MACHINE_TERM_NATS / (double)n));
}

static void propose(struct asker *k)
{
    struct model *m = k->m;
    struct arena *a = m->arena;
    const struct model_constant *c = &m->constants[k->best.constant];
    const struct experiment *e = m->request.points.experiment;
    const char *name = e->name, *coefficient = formula_text(a, c->coefficient);
    size_t intervals = m->structure.pieces->nboundaries;
    unsigned index = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        index = m->constants[j].index >= index ? m->constants[j].index + 1 : index;
    bool plain = c->coefficient->kind == FORMULA_VARIABLE ||
                 c->coefficient->kind == FORMULA_MULTIPLY || c->coefficient->kind == FORMULA_POWER;
    const char *term = arena_printf(a, plain ? "%s%s" : "(%s)%s", coefficient, k->best.times);
    SAY(m, "machine-term",
        arena_printf(a, "fit %s = %s + %s[%u]*%s", name, formula_text(a, m->request.formula),
                     e->base, index, term),
        "the machine explains the data better%s: with a term %s the leave-one-out error is %s %% "
        "instead of %s %%",
        intervals ? " than intervals do" : "", term, number_digits(k->best.error, 2, NUMBER_BUFFER),
        number_digits(m->error.loo_mean_pct, 2, NUMBER_BUFFER));
}

/* "64 KB" */
static const char *bytes_text(struct arena *a, double x)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; x >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        x /= 1024;
    return arena_printf(a, "%.3g %s", x, units[unit]);
}

/* A factor whose interval is wide, or that a few points determine. */
static void check_factors(struct model *m)
{
    bool few = m->error.loo_mean_pct > MACHINE_FACTOR_LEFT_OUT * fmax(m->error.mean_pct, 1);
    for (size_t j = 0; j < m->nconstants; j++) {
        const struct model_constant *c = &m->constants[j];
        const struct model_piece *p = c->npieces ? c->pieces : NULL;
        if (!c->is_factor || !p)
            continue;
        if (few)
            SAY(m, "vague-factor", "measure more sizes, or write a number in its place",
                "a few points determine %s: without one of them, its value and predictions beyond the "
                "data would differ",
                c->name);
        else if (p->high > MACHINE_FACTOR_WIDE * p->low)
            SAY(m, "vague-factor",
                "measure smaller and larger sizes, or write a number in its place",
                "the data hardly determine %s: %s to %s fit almost as well", c->name,
                number_digits(p->low, 2, NUMBER_BUFFER), number_digits(p->high, 2, NUMBER_BUFFER));
    }
}

/* Figures that contradict each other, of the functions that the formula asks about several cores. */
static void check_figures(struct model *m)
{
    size_t n;
    const struct formula *const *calls = formula_machine_calls(m->arena, m->formula.expanded, &n);
    for (size_t i = 0; i < n; i++) {
        const struct formula_machine *machine = calls[i]->machine;
        const char *doubt = calls[i]->noperands == 2
                                ? machine->doubt(machine->curves, calls[i]->function, m->arena)
                                : NULL;
        bool said = false;
        for (size_t k = 0; k < i; k++)
            said = said || (calls[k]->noperands == 2 && calls[k]->function == calls[i]->function);
        if (doubt && !said)
            SAY(m, "machine-doubt", "run cllprobe again, longer or at a quieter time",
                "figures of the machine %s contradict each other: %s", machine->name, doubt);
    }
}

void diagnose_machine(struct model *m)
{
    const char *observable = m->request.points.observable;
    bool time = strcmp(observe_unit(observable), "s") == 0 && strcmp(observable, "TRANSFER") != 0 &&
                !points_is_spread(&m->request.points);
    check_factors(m);
    if (m->formula.machine)
        check_figures(m);
    if (!m->request.let.machine || m->formula.machine || m->formula.nexponents ||
        m->formula.with_choices || !time || m->points.n > MACHINE_TERM_POINTS)
        return;
    struct asker k = {.arena = arena_create(),
                      .m = m,
                      .of_device = strcmp(observable, "DEVICE") == 0,
                      .best = {.error = NAN}};
    for (size_t j = 0; j < m->nconstants; j++)
        for (size_t v = 0; v < m->points.nnames; v++)
            if (!points_constant(&m->points, v) && strcmp(m->points.names[v], "P") != 0 &&
                formula_uses(m->arena, m->constants[j].coefficient, m->points.names[v]))
                try_variable(&k, j, v);
    arena_destroy(k.arena);
    if (is_better(&k))
        propose(&k);
    else if (k.tried && k.change < 1 + MACHINE_TERM_FLAT)
        SAY(m, "machine-flat",
            "measure larger sizes, or write the term that the program should have",
            "the data cannot show what the memory of %s costs: all sizes fit into one cache (%s, if an "
            "element has up to %g bytes)",
            m->request.let.machine->name, bytes_text(m->arena, k.largest), MACHINE_TERM_USUAL);
}
