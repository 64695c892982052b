/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/cost.h"

#include <math.h>
#include <string.h>

#include "carry/thresholds.h"
#include "machine/curves.h"

static double figure(const struct machine *m, const char *name)
{
    const struct machine_figure *f = machine_find(m, "operations", name, 0, 0, 0);
    return f ? f->value : NAN;
}

/* "NAME.latency" and "NAME.throughput"; where a file has only one of them, it is both. */
static struct cost figures(const struct machine *m, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s.throughput", name);
    struct cost c = {.overlapped = figure(m, full)};
    snprintf(full, sizeof full, "%s.latency", name);
    c.serial = figure(m, full);
    if (isnan(c.serial))
        c.serial = c.overlapped;
    if (isnan(c.overlapped))
        c.overlapped = c.serial;
    c.serial = fmax(c.serial, c.overlapped);
    return c;
}

/* Additions and multiplications in equal parts: programs that have one mostly have the other. */
static struct cost floating_point(const struct machine *m)
{
    struct cost add = figures(m, "fp_add"), multiply = figures(m, "fp_mul");
    return (struct cost){(add.overlapped + multiply.overlapped) / 2,
                         (add.serial + multiply.serial) / 2};
}

bool cost_of_operation(const struct machine *m, enum operation o, bool floating, struct diag *diag,
                       struct cost *out)
{
    static const char *const needs[OPERATIONS] = {
        [OPERATION_INTEGER] = "int_add", [OPERATION_FLOAT] = "fp_add and fp_mul",
        [OPERATION_DIVISION] = "fp_div", [OPERATION_LOAD] = "load",
        [OPERATION_STORE] = "store",     [OPERATION_BRANCH] = "int_add",
        [OPERATION_CALL] = "call",       [OPERATION_OTHER] = "int_add",
    };
    const char *wanted = needs[o];
    if (o == OPERATION_DIVISION && !floating)
        wanted = "int_div";
    if (o == OPERATION_FLOAT)
        *out = floating_point(m);
    else if (o == OPERATION_CALL)
        out->overlapped = out->serial = figure(m, "call");
    else
        *out = figures(m, wanted);
    if (!isnan(out->overlapped))
        return true;
    diag_error(diag,
               "machine %s has no figure for operations %s, which the instructions of class '%s' "
               "need; measure it again with cllprobe",
               m->name, wanted, operation_names[o]);
    return false;
}

/* Vectors that the machine does not have are split into those that it has. */
static double split_vectors(const struct machine *m, const struct operation_mix *mix)
{
    return mix->wide > 0 && isnan(figure(m, "vector4_add.latency")) ? mix->wide / 2 : 0;
}

/* Units of a processor that work side by side. Instructions of one unit share its throughput; what the
 * units do overlaps. */
enum unit { UNIT_INTEGER, UNIT_FLOAT, UNIT_MEMORY, UNITS };
static const enum unit unit_of[OPERATIONS] = {
    [OPERATION_INTEGER] = UNIT_INTEGER, [OPERATION_FLOAT] = UNIT_FLOAT,
    [OPERATION_DIVISION] = UNIT_FLOAT,  [OPERATION_LOAD] = UNIT_MEMORY,
    [OPERATION_STORE] = UNIT_MEMORY,    [OPERATION_BRANCH] = UNIT_INTEGER,
    [OPERATION_CALL] = UNIT_INTEGER,    [OPERATION_OTHER] = UNIT_INTEGER,
};

struct load {
    double busy[UNITS]; /* seconds at full throughput */
    double serial;
};

static void add_cost(struct load *load, enum unit unit, double n, struct cost one)
{
    load->busy[unit] += n * one.overlapped;
    load->serial += n * one.serial;
}

/* ---- prices of instructions */

/* A machine file may have figures of its processor's own instructions; NAN without. */
static struct cost price(const struct machine *m, const struct mnemonic *k)
{
    return figures(m, k->name);
}

static bool has_prices_for(const struct machine *m, const struct operation_mix *mix)
{
    return mix->architecture && report_is_for(mix->architecture, m->architecture);
}

const struct mnemonic *cost_unpriced(const struct machine *m, const struct operation_mix *mix,
                                     size_t *at)
{
    bool any = false;
    for (size_t i = 0; i < mix->nmnemonics && !any && has_prices_for(m, mix); i++)
        any = !isnan(price(m, &mix->mnemonics[i]).serial);
    while (any && *at < mix->nmnemonics) {
        const struct mnemonic *k = &mix->mnemonics[(*at)++];
        if (isnan(price(m, k).serial))
            return k;
    }
    return NULL;
}

/* Whether it is one of the integer instructions that a report counts as multiplications; "pmulld" is one of vectors. */
static bool multiplies(const struct mnemonic *k)
{
    static const char *const parts[] = {"mul", "madd", "msub", "mneg"};
    bool found = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        found = found || strstr(k->name, parts[i]);
    return found && k->class == OPERATION_INTEGER && !strstr(k->name, "pmul");
}

/* Adds what the machine prices, and returns the rest of the mix. */
static struct operation_mix add_priced(const struct machine *m, const struct operation_mix *mix,
                                       struct load *load)
{
    struct operation_mix rest = *mix;
    bool integers = false;
    for (size_t i = 0; i < mix->nmnemonics && has_prices_for(m, mix); i++) {
        const struct mnemonic *k = &mix->mnemonics[i];
        struct cost one = price(m, k);
        if (isnan(one.serial))
            continue;
        add_cost(load, unit_of[k->class], k->number, one);
        rest.of[k->class] -= k->number;
        rest.multiplies -= multiplies(k) ? k->number : 0;
        integers = integers || k->class == OPERATION_INTEGER;
    }
    if (integers)
        rest.multiplies = fmax(0, fmin(rest.multiplies, rest.of[OPERATION_INTEGER]));
    return rest;
}

/* ---- blocks of memory */

/* What a byte takes, from the bandwidth of a working set of all bytes. The figure counts each byte `times` times. */
static bool add_block(const struct machine *m, const char *function, double bytes, double times,
                      double units, struct diag *diag, struct load *load)
{
    if (bytes == 0)
        return true;
    ARENA_LOCAL struct arena *a = arena_create();
    double all = fmax(1, fabs(times * bytes * units)),
           rate = machine_curves_value(machine_curves_make(a, m, 0), function, &all, 1);
    if (isnan(rate)) {
        diag_error(diag,
                   "machine %s has no figures for %s(), which blocks of memory that are set or "
                   "copied need; measure it again with cllprobe",
                   m->name, function);
        return false;
    }
    add_cost(load, UNIT_MEMORY, times * bytes, (struct cost){1 / rate, 1 / rate});
    return true;
}

static bool add_classes(const struct machine *m, const struct operation_mix *mix, bool floating,
                        struct diag *diag, struct load *load)
{
    struct cost multiply = figures(m, "int_mul");
    double multiplies = isnan(multiply.serial) ? 0 : mix->multiplies;
    if (multiplies != 0)
        add_cost(load, UNIT_INTEGER, multiplies, multiply);
    for (int o = 0; o < OPERATIONS; o++) {
        struct cost one;
        double n = mix->of[o] - (o == OPERATION_INTEGER ? multiplies : 0) +
                   (o == OPERATION_FLOAT ? split_vectors(m, mix) : 0);
        if (fabs(n) <= 1e-12 * fabs(mix->instructions)) /* rounding, of what has prices */
            continue;
        if (!cost_of_operation(m, o, floating, diag, &one))
            return false;
        add_cost(load, unit_of[o], n, one);
    }
    return true;
}

/* Where the machine has neither a price of an instruction nor a figure for its class: false, and an error. */
static bool check_prices(const struct machine *m, const struct operation_mix *mix, bool floating,
                         struct diag *diag)
{
    const struct mnemonic *k;
    struct cost one;
    for (size_t at = 0; (k = cost_unpriced(m, mix, &at));)
        if (!cost_of_operation(m, k->class, floating, NULL, &one)) {
            diag_error(diag,
                       "machine %s has no price of the instruction '%s', and no figure for its "
                       "class '%s'; add %s.latency to the operations of its file",
                       m->name, k->name, operation_names[k->class], k->name);
            return false;
        }
    return true;
}

bool cost_of_mix(const struct machine *m, const struct operation_mix *mix, double units,
                 struct diag *diag, struct cost *out)
{
    struct load load = {.serial = 0};
    bool floating = mix->of[OPERATION_FLOAT] > 0;
    struct operation_mix rest = add_priced(m, mix, &load);
    if (!check_prices(m, mix, floating, diag) || !add_classes(m, &rest, floating, diag, &load) ||
        !add_block(m, "bw_write", mix->set, 1, units, diag, &load) ||
        !add_block(m, "bw_copy", mix->copied, 2, units, diag, &load)) /* read and written */
        return false;
    out->overlapped = load.busy[0];
    for (int u = 1; u < UNITS; u++)
        out->overlapped = fmax(out->overlapped, load.busy[u]);
    out->serial = load.serial;
    return true;
}

/* ---- memory */

static int line_of(const struct machine *m)
{
    for (size_t i = 0; i < m->ncaches; i++)
        if (m->caches[i].line > 0)
            return m->caches[i].line;
    return CARRY_LINE_BYTES;
}

bool cost_of_memory(const struct machine *m, struct arena *a, struct cost *out)
{
    size_t nlatency, nread;
    const struct machine_figure **latency =
        machine_curve(m, "memory", "latency", 1, 0, a, &nlatency);
    const struct machine_figure **read = machine_curve(m, "memory", "read", 1, 0, a, &nread);
    if (nlatency == 0 || nread == 0)
        return false;
    out->serial = latency[nlatency - 1]->value;
    out->overlapped = fmin(line_of(m) / read[nread - 1]->value, out->serial);
    return true;
}

/* Bytes of the caches that may have what the first-level cache misses: the second-level and the last-level one; 0 without. */
static void further_caches(const struct machine *m, uint64_t *second, uint64_t *last)
{
    int level = 0;
    *second = *last = 0;
    for (size_t i = 0; i < m->ncaches; i++) {
        const struct machine_cache *c = &m->caches[i];
        if (strcmp(c->type, "instruction") == 0 || c->level < 2)
            continue;
        if (!*second || c->level < level) {
            *second = c->bytes;
            level = c->level;
        }
        *last = c->bytes > *last ? c->bytes : *last;
    }
}

/* The figure at the largest measured working set of at most so many bytes, or at the smallest. */
static double at_most(const struct machine_figure *const *curve, size_t n, uint64_t bytes)
{
    size_t i = 0;
    while (i + 1 < n && curve[i + 1]->bytes <= bytes)
        i++;
    return curve[i]->value;
}

bool cost_of_misses(const struct machine *m, const struct misses *misses, struct arena *a,
                    struct cost *out)
{
    size_t nlatency, nread;
    const struct machine_figure **latency =
        machine_curve(m, "memory", "latency", 1, 0, a, &nlatency);
    const struct machine_figure **read = machine_curve(m, "memory", "read", 1, 0, a, &nread);
    if (nlatency == 0)
        return false;
    uint64_t second, last;
    further_caches(m, &second, &last);
    double hit = latency[0]->value, near = at_most(latency, nlatency, last / 2) - hit,
           far = latency[nlatency - 1]->value - hit;
    double cached = fmax(0, misses->d1 - misses->ll);
    out->serial = cached * fmax(0, near) + misses->ll * fmax(0, far);
    out->overlapped = out->serial;
    if (nread)
        out->overlapped = fmin(out->serial, cached * line_of(m) / at_most(read, nread, second / 2) +
                                                misses->ll * line_of(m) / read[nread - 1]->value);
    return true;
}

/* ---- communication */

/* The figure for this number of processes, between the two nearest that are measured. */
static double over_processes(const struct machine *m, const char *name, double processes)
{
    const struct machine_figure *below = NULL, *above = NULL;
    for (size_t i = 0; i < m->nsummary; i++) {
        const struct machine_figure *f = &m->summary[i];
        if (strcmp(f->family, "bsp") != 0 || strcmp(f->name, name) != 0)
            continue;
        if (f->processes <= processes && (!below || f->processes > below->processes))
            below = f;
        if (f->processes >= processes && (!above || f->processes < above->processes))
            above = f;
    }
    if (!below || !above)
        return below ? below->value : above ? above->value : NAN;
    if (below->processes == above->processes || !(below->value > 0 && above->value > 0))
        return above->value;
    double t = log(processes / below->processes) / log((double)above->processes / below->processes);
    return below->value * pow(above->value / below->value, t);
}

bool cost_of_communication(const struct machine *m, double processes, double *g, double *latency)
{
    static const char *const patterns[][2] = {
        {"g.random", "L.random"}, {"g.exchange", "L.exchange"}, {"g.shift", "L.shift"}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        *g = over_processes(m, patterns[i][0], processes);
        *latency = over_processes(m, patterns[i][1], processes);
        if (*g > 0 && *latency > 0)
            return true;
    }
    return false;
}
