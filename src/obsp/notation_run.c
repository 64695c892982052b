/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes the instructions of a processor, and computes its formulas. */
#include <math.h>
#include <stdarg.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "obsp/notation_runner.h"

/* A loop to log(P)/log(2) must not lose its last turn to rounding. */
static const double rounding = 1e-9;

bool runner_fail(struct runner *r, const struct processor *p, struct span where, const char *format,
                 ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(r->program->arena, format, args);
    va_end(args);
    const struct object *o = runner_membership(p)->object;
    diag_add(r->diag, SEVERITY_ERROR, diag_keep(r->diag, &r->program->source), where,
             "%s (processor %d of %s, superstep %ld)", text, runner_membership(p)->pid, o->name,
             o->step);
    r->failed = true;
    return false;
}

/* ---- formulas */

static const double *address(const struct runner *r, const struct processor *p,
                             struct notation_slot slot)
{
    switch (slot.space) {
    case SPACE_PARAM: return &r->program->params[slot.index];
    case SPACE_FILE: return &p->values[slot.index];
    case SPACE_OWN: return &p->values[p->base + slot.index];
    case SPACE_PID: return &p->pid;
    case SPACE_NPROCS: return &p->nprocs;
    case SPACE_GROUP: break;
    }
    return &p->group;
}

static bool report_value(struct runner *r, const struct processor *p,
                         const struct notation_expression *e)
{
    struct formula_trouble trouble = {.what = "the formula"};
    double out;
    for (size_t k = 0; k < e->n; k++)
        if (isnan(*r->columns[k]))
            return runner_fail(r, p, e->span, "'%s' has no value yet; give it one above",
                               e->names[k]);
    formula_evaluate(e->program, r->columns, 1, &out, &trouble);
    return runner_fail(r, p, e->span, "%s has no value; correct the formula, or add a condition",
                       trouble.what);
}

/* What the value of a name depends on. */
static struct obsp_fitted *origin(const struct runner *r, const struct processor *p,
                                  struct notation_slot slot)
{
    switch (slot.space) {
    case SPACE_PARAM: return r->program->params_by[slot.index];
    case SPACE_FILE: return p->by[slot.index];
    case SPACE_OWN: return p->by[p->base + slot.index];
    default: return NULL;
    }
}

/* Whether the formula or one of its names depends on an experiment. */
static bool take_origins(struct runner *r, const struct processor *p,
                         const struct notation_expression *e)
{
    bool any = e->asks;
    for (size_t k = 0; r->program->fitted && k < e->n; k++)
        any |= (r->depends[k] = origin(r, p, e->slots[k])) != NULL;
    return any;
}

/* The value of a formula over experiments, or over names that depend on some. */
static bool ask_models(struct runner *r, const struct processor *p,
                       const struct notation_expression *e, double *value, struct obsp_fitted **by)
{
    bool full = false;
    for (size_t k = 0; k < e->n; k++) {
        r->given[k] = *r->columns[k];
        if (k < e->named && isnan(r->given[k]))
            return report_value(r, p, e);
    }
    if (!e->asks && e->formula->kind == FORMULA_VARIABLE) { /* what the name has */
        *by = r->depends[0];
        *value = r->given[0];
        return true;
    }
    *by =
        notation_fitted_find(r->program->fitted, e, r->given, r->depends, r->limits->fitted, &full);
    *value = *by ? (*by)->value : (double)NAN;
    if (full)
        return runner_fail(r, p, e->span,
                           "experiments are asked for more than %zu different values; take fewer "
                           "processors, supersteps or sizes",
                           r->limits->fitted);
    r->failed |= !*by;
    return *by != NULL;
}

/* *by gets what the value depends on. */
static bool evaluate(struct runner *r, const struct processor *p,
                     const struct notation_expression *e, double *value, struct obsp_fitted **by)
{
    *by = NULL;
    *value = e->value;
    if (e->fixed)
        return true;
    for (size_t k = 0; k < e->n; k++)
        r->columns[k] = address(r, p, e->slots[k]);
    if (take_origins(r, p, e))
        return ask_models(r, p, e, value, by);
    *value = formula_value(e->program, r->columns);
    return !isnan(*value) || report_value(r, p, e);
}

bool runner_value(struct runner *r, const struct processor *p, const struct notation_expression *e,
                  double *value)
{
    struct obsp_fitted *by;
    if (!evaluate(r, p, e, value, &by))
        return false;
    return !by || runner_fail(r, p, e->span,
                              "this depends on what an experiment predicts, which is uncertain; "
                              "only the time of 'work', values of names and arguments may");
}

static bool is_quantity(struct runner *r, const struct processor *p,
                        const struct notation_expression *e, const char *what, const double *value)
{
    if (*value >= 0)
        return true;
    return runner_fail(r, p, e->span,
                       "%s cannot be negative, and this is %s; add a condition, or use max", what,
                       number_text(*value, NUMBER_BUFFER));
}

static bool quantity(struct runner *r, const struct processor *p,
                     const struct notation_expression *e, const char *what, double *value)
{
    return runner_value(r, p, e, value) && is_quantity(r, p, e, what, value);
}

/* ---- statements */

static void set(struct processor *p, struct notation_slot slot, double value,
                struct obsp_fitted *by)
{
    size_t at = (slot.space == SPACE_OWN ? p->base : 0) + slot.index;
    p->values[at] = value;
    if (p->by)
        p->by[at] = by;
}

/* Adds a part of the work of the present superstep. Loops repeat what they did a moment ago. */
static bool use(struct runner *r, struct processor *p, const struct notation_instruction *in,
                struct obsp_fitted *what)
{
    enum { RECENT = 16 };
    for (size_t k = p->nuses; k > 0 && k + RECENT > p->nuses; k--)
        if (p->uses[k - 1].what == what) {
            p->uses[k - 1].times++;
            return true;
        }
    if (r->uses == r->limits->uses)
        return runner_fail(r, p, in->span,
                           "the supersteps that are being computed use more than %zu values of "
                           "experiments; take fewer processors, or ask for fewer sizes",
                           r->limits->uses);
    if (p->nuses == p->uses_capacity) {
        p->uses_capacity = mem_grown(p->uses_capacity, p->nuses + 1);
        p->uses = mem_resize(p->uses, p->uses_capacity, sizeof *p->uses);
    }
    p->uses[p->nuses++] = (struct obsp_use){what, 1};
    r->uses++;
    return true;
}

static bool work(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double value;
    struct obsp_fitted *by;
    if (!evaluate(r, p, in->a, &value, &by) || !is_quantity(r, p, in->a, "a time", &value) ||
        (by && !use(r, p, in, by)))
        return false;
    p->work += value;
    p->begun = true;
    return true;
}

/* Whether this is the number of a processor of the object. */
static bool is_target(struct runner *r, const struct processor *p,
                      const struct notation_expression *e, double value)
{
    if (value != floor(value))
        return runner_fail(r, p, e->span,
                           "the number of a processor is an integer, and this is %s; use floor",
                           number_text(value, NUMBER_BUFFER));
    if (value >= 0 && value < p->nprocs)
        return true;
    return runner_fail(r, p, e->span,
                       "there is no processor %s: the object has the processors 0 to %g; add a "
                       "condition, such as 'if i + 1 < P'",
                       number_text(value, NUMBER_BUFFER), p->nprocs - 1);
}

/* The processors that a part of `send` names; none if the last is before the first, as in
 * `send 1 to P - 1` with one processor. */
static bool range_of(struct runner *r, const struct processor *p, const struct notation_target *t,
                     double *from, double *to)
{
    if (!runner_value(r, p, t->from, from))
        return false;
    *to = *from;
    if (t->to && !runner_value(r, p, t->to, to))
        return false;
    return *to < *from ||
           (is_target(r, p, t->from, *from) && (!t->to || is_target(r, p, t->to, *to)));
}

static bool send(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double bytes, from, to;
    if (!quantity(r, p, in->a, "a number of bytes", &bytes))
        return false;
    for (size_t k = 0; k < in->n; k++) {
        if (!range_of(r, p, &in->targets[k], &from, &to))
            return false;
        if (to < from)
            continue;
        for (int pid = (int)from; pid <= (int)to; pid++)
            if (!runner_send(r, p, in, pid, bytes))
                return false;
    }
    return true;
}

static bool send_all(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double bytes;
    if (!quantity(r, p, in->a, "a number of bytes", &bytes))
        return false;
    for (int pid = 0; pid < (int)p->nprocs; pid++)
        if ((in->operation == DO_ALL || pid != (int)p->pid) && !runner_send(r, p, in, pid, bytes))
            return false;
    return true;
}

static bool start(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double value;
    if (p->begun)
        return runner_fail(r, p, in->span,
                           "the processor has begun already; move 'start' before its first work, "
                           "send, synchronisation and split");
    if (!quantity(r, p, in->a, "the time of a start", &value))
        return false;
    p->start += value;
    return true;
}

static bool begin_loop(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double from, to, step = 1;
    if (!runner_value(r, p, in->a, &from) || !runner_value(r, p, in->b, &to) ||
        (in->c && !runner_value(r, p, in->c, &step)))
        return false;
    if (step == 0)
        return runner_fail(r, p, in->c ? in->c->span : in->span,
                           "the step is 0, and the loop would never end");
    set(p, in->slot, from, NULL);
    set(p, (struct notation_slot){in->slot.space, in->hidden}, to, NULL);
    set(p, (struct notation_slot){in->slot.space, in->hidden + 1}, step, NULL);
    return true;
}

static bool loop_goes_on(const struct processor *p, const struct notation_instruction *in)
{
    const double *values = p->values + (in->slot.space == SPACE_OWN ? p->base : 0);
    double at = values[in->slot.index], to = values[in->hidden], step = values[in->hidden + 1];
    to += rounding * step;
    return step > 0 ? at <= to : at >= to;
}

static void step_loop(struct processor *p, const struct notation_instruction *in)
{
    double *values = p->values + (in->slot.space == SPACE_OWN ? p->base : 0);
    values[in->slot.index] += values[in->hidden + 1];
}

/* ---- procedures */

static bool grow_values(struct runner *r, struct processor *p, size_t more,
                        const struct notation_instruction *in)
{
    size_t need = p->nvalues + more;
    if (need > p->capacity) {
        size_t capacity = mem_grown(p->capacity, need);
        r->values += capacity - p->capacity;
        if (r->values > r->limits->values)
            return runner_fail(
                r, p, in->span,
                "the calls of all processors need too much memory; call less deep, or "
                "take fewer processors");
        p->values = mem_resize(p->values, capacity, sizeof *p->values);
        if (p->by)
            p->by = mem_resize(p->by, capacity, sizeof(*p->by));
        p->capacity = capacity;
    }
    for (size_t k = p->nvalues; k < need; k++) {
        p->values[k] = (double)NAN;
        if (p->by)
            p->by[k] = NULL;
    }
    p->nvalues = need;
    return true;
}

static bool call(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    size_t base = p->nvalues;
    if (p->nframes + p->nmemberships > NOTATION_MAX_DEPTH)
        return runner_fail(
            r, p, in->span,
            "procedures and splits are more than %d levels deep; does the recursion of "
            "%s end?",
            NOTATION_MAX_DEPTH, in->procedure->name);
    if (!grow_values(r, p, in->procedure->nvalues, in))
        return false;
    for (size_t k = 0; k < in->n; k++) {
        struct obsp_fitted *by;
        if (!evaluate(r, p, in->arguments[k], &p->values[base + k], &by))
            return false;
        if (p->by)
            p->by[base + k] = by;
    }
    MEM_ADD(p->frames, p->nframes, &p->frames_capacity, (struct frame){p->pc, p->base});
    p->base = base;
    p->pc = in->procedure->entry;
    return true;
}

static void come_back(struct processor *p)
{
    struct frame f = p->frames[--p->nframes];
    p->nvalues = p->base;
    p->base = f.base;
    p->pc = f.back;
}

/* ---- execution */

/* One instruction; p->pc is after it. False after an error. */
static bool step(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    double value;
    struct obsp_fitted *by;
    switch (in->operation) {
    case DO_ASSIGN:
        if (!evaluate(r, p, in->a, &value, &by))
            return false;
        set(p, in->slot, value, by);
        return true;
    case DO_START: return start(r, p, in);
    case DO_WORK: return work(r, p, in);
    case DO_SEND: return send(r, p, in);
    case DO_ALL:
    case DO_OTHERS: return send_all(r, p, in);
    case DO_SYNC:
    case DO_OBLSYNC:
    case DO_SPLIT_IN:
    case DO_SPLIT_AT: return runner_arrive(r, p, in);
    case DO_JUMP: p->pc = in->next; return true;
    case DO_UNLESS:
        if (!runner_value(r, p, in->a, &value))
            return false;
        p->pc = value == 0 ? in->next : p->pc;
        return true;
    case DO_FOR: return begin_loop(r, p, in);
    case DO_TEST: p->pc = loop_goes_on(p, in) ? p->pc : in->next; return true;
    case DO_STEP:
        step_loop(p, in);
        p->pc = in->next;
        return true;
    case DO_CALL: return call(r, p, in);
    case DO_RETURN: come_back(p); return true;
    case DO_LEAVE:
    case DO_END: break;
    }
    return runner_leave(r, p, in);
}

bool runner_execute(struct runner *r, struct processor *p)
{
    while (p->state == RUNNING) {
        const struct notation_instruction *in = &r->program->code[p->pc++];
        if (++p->statements > r->limits->statements)
            return runner_fail(
                r, p, in->span,
                "more than %ld statements in one superstep; does the loop or the recursion "
                "around this line end, and should it have a synchronisation?",
                r->limits->statements);
        if (!(++r->ticks & 0xffff) && interrupt_came())
            return runner_fail(r, p, in->span, "interrupted");
        if (!step(r, p, in))
            return false;
    }
    return true;
}
