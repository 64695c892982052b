/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/carry.h"

#include <math.h>

#include "carry/loops.h"
#include "carry/thresholds.h"

const char *const carry_rule_names[CARRY_RULES] = {
    "auto", "operations", "cycle",  "lat",      "bw",    "g",
    "L",    "gpu_launch", "gpu_bw", "gpu_flop", "count",
};

static bool needs(const struct machine *m, const char *what, struct diag *diag)
{
    diag_error(diag, "machine %s has no figures of %s; measure it again with cllprobe", m->name,
               what);
    return false;
}

static bool memory_costs(struct arena *a, const struct carry_request *r, struct diag *diag,
                         struct cost *from, struct cost *to)
{
    if (!cost_of_memory(r->from, a, from))
        return needs(r->from, "memory", diag);
    return cost_of_memory(r->to, a, to) || needs(r->to, "memory", diag);
}

/* A ratio that one pair of figures gives. */
static void set_ratio(struct carry_ratio *out, enum carry_rule rule, double ratio)
{
    out->rule = rule;
    out->ratio = out->low = out->high = out->operations = ratio;
}

/* The constant may have been measured in slow times, and the program may meet slow times there. */
static void widen(struct carry_ratio *out, double spread_from, double spread_to)
{
    out->low /= spread_from;
    out->high *= spread_to;
}

static void widen_for_operations(const struct carry_request *r, double overlap,
                                 struct carry_ratio *out)
{
    widen(out, spread_of_operations(&r->spread_from, overlap),
          spread_of_operations(&r->spread_to, overlap));
}

static void widen_for_memory(const struct carry_request *r, struct carry_ratio *out)
{
    widen(out, fmax(1, r->spread_from.memory), fmax(1, r->spread_to.memory)); /* 1 if not known */
}

static bool by_memory(struct arena *a, const struct carry_request *r, enum carry_rule rule,
                      struct diag *diag, struct carry_ratio *out)
{
    struct cost from, to;
    if (!memory_costs(a, r, diag, &from, &to))
        return false;
    set_ratio(out, rule,
              rule == CARRY_LATENCY ? to.serial / from.serial : to.overlapped / from.overlapped);
    widen_for_memory(r, out);
    return true;
}

static bool by_communication(const struct carry_request *r, enum carry_rule rule, struct diag *diag,
                             struct carry_ratio *out)
{
    double g_from, g_to, l_from, l_to;
    if (!cost_of_communication(r->from, r->processes, &g_from, &l_from))
        return needs(r->from, "BSP parameters", diag);
    if (!cost_of_communication(r->to, r->processes, &g_to, &l_to))
        return needs(r->to, "BSP parameters", diag);
    set_ratio(out, rule, rule == CARRY_G ? g_to / g_from : l_to / l_from);
    return true;
}

/* Seconds of one figure of an accelerator; nan if it was not measured. */
static double device_figure(const struct machine *m, const char *name)
{
    const struct machine_figure *f = machine_find(m, "gpu", name, 0, 0, 0);
    return f ? f->value : (double)NAN;
}

/* Seconds for a byte of the largest working set; nan if it was not measured. */
static double device_byte(const struct machine *m, struct arena *a)
{
    size_t n;
    const struct machine_figure **curve = machine_curve(m, "gpu", "read", 0, 0, a, &n);
    return n ? 1 / curve[n - 1]->value : (double)NAN;
}

/* Seconds of what the rule goes by; nan if it was not measured. */
static double device_cost(const struct machine *m, enum carry_rule rule, struct arena *a)
{
    if (rule == CARRY_GPU_BANDWIDTH)
        return device_byte(m, a);
    return device_figure(m, rule == CARRY_GPU_LAUNCH ? "launch.latency" : "flop_double");
}

static bool by_device(struct arena *a, const struct carry_request *r, enum carry_rule rule,
                      bool chosen, struct diag *diag, struct carry_ratio *out)
{
    double from = device_cost(r->from, rule, a), to = device_cost(r->to, rule, a),
           ratio = to / from;
    double flop = device_figure(r->to, "flop_double") / device_figure(r->from, "flop_double"),
           single = device_figure(r->to, "flop_float") / device_figure(r->from, "flop_float");
    if (isnan(ratio)) {
        const struct machine *lacks = isnan(from) ? r->from : r->to;
        if (isnan(device_byte(lacks, a)))
            diag_error(diag,
                       "machine %s has no figures of an accelerator; measure it again with "
                       "cllprobe-cuda or cllprobe-opencl",
                       lacks->name);
        else
            diag_error(diag,
                       "the accelerator of machine %s has no figure for %s; choose another rule",
                       lacks->name, carry_rule_names[rule]);
        return false;
    }
    set_ratio(out, rule, ratio);
    if (rule == CARRY_GPU_BANDWIDTH &&
        !chosen) { /* it may be arithmetic as well; fmin leaves a nan out */
        out->low = fmin(ratio, fmin(flop, single));
        out->high = fmax(ratio, fmax(flop, single));
    }
    return true;
}

/* Without counts: the ratio of the cycles; additions, divisions and loads tell how far others may be
 * from it. */
static bool by_cycle(const struct carry_request *r, struct diag *diag, struct carry_ratio *out)
{
    struct cost from, to;
    if (!cost_of_operation(r->from, OPERATION_INTEGER, false, diag, &from) ||
        !cost_of_operation(r->to, OPERATION_INTEGER, false, diag, &to))
        return false;
    set_ratio(out, CARRY_CYCLE, to.serial / from.serial);
    for (int o = 0; o < OPERATIONS; o++) {
        if (!cost_of_operation(r->from, o, true, NULL, &from) ||
            !cost_of_operation(r->to, o, true, NULL, &to))
            continue;
        out->low = fmin(out->low, fmin(to.serial / from.serial, to.overlapped / from.overlapped));
        out->high = fmax(out->high, fmax(to.serial / from.serial, to.overlapped / from.overlapped));
    }
    widen_for_operations(r, 1, out);
    return true;
}

/* How much the operations overlap, from where the measured time lies between the two costs. */
static double overlap_of(double measured, const struct cost *c)
{
    if (!(c->serial > c->overlapped))
        return measured > c->overlapped ? 0 : 1;
    double t = log(measured / c->overlapped) / log(c->serial / c->overlapped);
    return 1 - fmin(fmax(t, 0), 1);
}

/* What an access of memory costs on both machines beyond a hit, from the misses in their caches. False if they are not known. */
static bool miss_costs(struct arena *a, const struct carry_request *r, struct cost *from,
                       struct cost *to)
{
    return r->misses && r->misses_there && cost_of_misses(r->from, r->misses, a, from) &&
           cost_of_misses(r->to, r->misses_there, a, to);
}

/* Time that the operations explain here, and misses there: the other machine has smaller or slower caches. */
static void add_misses(struct arena *a, const struct carry_request *r,
                       const struct carry_constant *c, const struct operation_mix *there,
                       struct carry_ratio *out)
{
    struct cost from, to;
    if (!miss_costs(a, r, &from, &to) || !(there->accesses > 0))
        return;
    double low = there->accesses * fmax(0, to.overlapped - from.overlapped) / c->value,
           high = there->accesses * fmax(0, to.serial - from.serial) / c->value;
    out->misses = sqrt(low * high);
    out->ratio += out->misses;
    out->low += fmin(low, high);
    out->high += fmax(low, high);
}

/* The part of the value that the operations do not explain, and what it scales by. */
static bool scale_rest(struct arena *a, const struct carry_request *r,
                       const struct carry_constant *c, double explained, struct diag *diag,
                       struct carry_ratio *out)
{
    struct carry_ratio rest;
    double part = (c->value - explained) / c->value;
    if (!(part > 0))
        return true;
    if (r->counts && r->counts->communicates) {
        if (!by_communication(r, c->grows ? CARRY_G : CARRY_L, diag, &rest))
            return false;
    } else {
        struct cost from, to;
        if (!(miss_costs(a, r, &from, &to) && from.overlapped > 0) &&
            !memory_costs(a, r, diag, &from, &to))
            return false;
        double stream = to.overlapped / from.overlapped, random = to.serial / from.serial;
        set_ratio(&rest, CARRY_LATENCY, sqrt(stream * random));
        rest.low = fmin(stream, random);
        rest.high = fmax(stream, random);
        widen_for_memory(r, &rest);
    }
    out->rest = rest.ratio;
    out->rest_rule = rest.rule;
    out->rest_share = part;
    out->ratio = (1 - part) * out->ratio + part * rest.ratio;
    out->low = (1 - part) * out->low + part * rest.low;
    out->high = (1 - part) * out->high + part * rest.high;
    return true;
}

/* Loops of the same kind, measured on both machines, show how much different operations overlap. Together with them, the costs of the
   single operations count as one loop at the distance LOOPS_NEAR: if no loop is near, nothing changes. */
static void ask_loops(const struct carry_request *r, const struct operation_mix *mix,
                      double seconds, struct carry_ratio *out)
{
    bool blocks = mix->set > 0 || mix->copied > 0; /* no loop of cllprobe is like them */
    struct loops_said said =
        blocks ? (struct loops_said){0} : loops_like(r->from, r->to, mix, seconds);
    double own = exp(-LOOPS_NEAR * LOOPS_NEAR / 2);
    if (!(said.weight > 0))
        return;
    out->ratio = out->operations =
        exp((said.weight * said.log_ratio + own * log(out->ratio)) / (said.weight + own));
    out->loop = said.name;
    out->low = fmin(out->low, fmin(said.low, out->ratio));
    out->high = fmax(out->high, fmax(said.high, out->ratio));
}

static bool by_operations(struct arena *a, const struct carry_request *r,
                          const struct carry_constant *c, const struct operation_mix *mix,
                          const struct operation_mix *there, struct diag *diag,
                          struct carry_ratio *out)
{
    struct cost from, to;
    if (!cost_of_mix(r->from, mix, 0, diag, &from) || !cost_of_mix(r->to, there, 0, diag, &to))
        return false;
    if (!(from.overlapped > 0 && from.serial > 0 && to.overlapped > 0 && to.serial > 0))
        return by_cycle(r, diag, out); /* a correction of other terms: nothing that is executed */
    double explained = fmin(c->in_cache, from.serial);
    double overlap = overlap_of(explained, &from), fast = to.overlapped / from.overlapped,
           slow = to.serial / from.serial;
    set_ratio(out, CARRY_OPERATIONS, pow(fast, overlap) * pow(slow, 1 - overlap));
    out->low = fmin(fast, slow);
    out->high = fmax(fast, slow);
    out->overlap = overlap;
    ask_loops(r, mix, explained, out);
    widen_for_operations(r, overlap, out);
    if (!(explained < c->value) && !r->counts->communicates)
        add_misses(a, r, c, there, out);
    return scale_rest(a, r, c, explained, diag, out);
}

static const struct operation_mix *mix_of(const struct report_experiment *e, const char *constant)
{
    const struct report_constant *c = e ? report_constant(e, constant) : NULL;
    return c && c->mix.instructions + c->mix.set + c->mix.copied > 0 ? &c->mix : NULL;
}

static enum carry_rule choose(const struct carry_request *r, const struct carry_constant *c,
                              const struct operation_mix *mix)
{
    if (c->machine_term)
        return CARRY_COUNT;
    if (c->device) /* what the processor executes for it says nothing about the time */
        return c->grows ? CARRY_GPU_BANDWIDTH : CARRY_GPU_LAUNCH;
    if (mix && c->value > 0)
        return CARRY_OPERATIONS;
    if (r->counts && r->counts->communicates)
        return c->grows ? CARRY_G : CARRY_L;
    return CARRY_CYCLE;
}

bool carry_ratio(struct arena *a, const struct carry_request *request,
                 const struct carry_constant *constant, struct diag *diag, struct carry_ratio *out)
{
    const struct operation_mix *mix = mix_of(request->counts, constant->name),
                               *there = mix_of(request->counts_there, constant->name);
    enum carry_rule rule = constant->rule;
    *out = (struct carry_ratio){.overlap = NAN};
    if (rule == CARRY_AUTO)
        rule = choose(request, constant, mix);
    switch (rule) {
    case CARRY_OPERATIONS:
        if (!mix) {
            diag_error(diag, "there are no counts of %s: load the report that 'call count' writes",
                       constant->name);
            return false;
        }
        return by_operations(a, request, constant, mix, there ? there : mix, diag, out);
    case CARRY_LATENCY:
    case CARRY_BANDWIDTH: return by_memory(a, request, rule, diag, out);
    case CARRY_G:
    case CARRY_L: return by_communication(request, rule, diag, out);
    case CARRY_GPU_LAUNCH:
    case CARRY_GPU_BANDWIDTH:
    case CARRY_GPU_FLOP: return by_device(a, request, rule, constant->rule == rule, diag, out);
    case CARRY_COUNT:
        set_ratio(out, CARRY_COUNT, 1);
        widen(out, spread_of_term(&request->spread_from), spread_of_term(&request->spread_to));
        return true;
    case CARRY_AUTO:
    case CARRY_CYCLE:
    case CARRY_RULES: break;
    }
    return by_cycle(request, diag, out);
}
