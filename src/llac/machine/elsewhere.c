/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counts: what the constants execute, from 'call count'.
 * predict NAME VAR=VALUE... on MACHINE: the fitted constants carried to another machine.
 * predict NAME VAR=VALUE... before running: from counts and a machine alone.
 */
#include <math.h>
#include <string.h>

#include "carry/thresholds.h"
#include "llac/machine/elsewhere.h"
#include "llac/machine/terms.h"
#include "llac/undo.h"
#include "machine/store.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/text.h"
#include "llac/commands.h"

/* ---- counts */

/* Reports are kept in an arena of their own, and replaced all together. */
static int load_counts(struct session *s, struct cursor *c)
{
    struct paths files = {.n = 0};
    while (!cursor_done(c))
        if (read_paths(c, &files, NULL))
            return -1;
    struct arena *fresh = arena_create();
    const struct report **list = arena_alloc(fresh, files.n + 1, sizeof *list);
    for (size_t i = 0; i < files.n; i++)
        if (!(list[i] = report_load(files.list[i], fresh, c->diag))) {
            arena_destroy(fresh);
            return -1;
        }
    undo_retire(s, s->now.counts_arena);
    s->now.counts_arena = fresh;
    s->now.counts = list;
    s->now.ncounts = files.n;
    return 0;
}

int command_counts(struct session *s, struct cursor *c)
{
    if (cursor_keyword(c, "none")) {
        if (cursor_finish(c))
            return -1;
        undo_retire(s, s->now.counts_arena);
        s->now.counts_arena = NULL;
        s->now.ncounts = 0;
    } else if (!cursor_done(c) && load_counts(s, c)) {
        return -1;
    }
    if (s->json)
        json_print(s->out, "%p", json_counts(s->now.counts, s->now.ncounts));
    else
        text_counts(s->out, s->now.counts, s->now.ncounts);
    return 0;
}

/* What the experiment executes on this machine: compiled for its architecture, or, with `any`, at least counted for another
 * one; of these the report with its caches. NULL if the experiment was not counted. */
static const struct report_experiment *counts_for(const struct session *s, const char *experiment,
                                                  const struct machine *m, bool any)
{
    const struct report_experiment *found = NULL;
    int best = any ? -1 : 1;
    for (size_t i = 0; i < s->now.ncounts; i++) {
        const struct report_experiment *e = report_find(s->now.counts[i], experiment);
        if (!e)
            continue;
        int fits = report_is_for(s->now.counts[i]->architecture, m->architecture) ? 2 : 0;
        fits += e->caches && strcmp(e->caches, m->name) == 0;
        if (fits > best) {
            found = e;
            best = fits;
        }
    }
    return found;
}

/* Which part of the accesses misses the caches of this machine, simulated with instructions of any architecture. */
static const struct misses *misses_for(const struct session *s, const char *experiment,
                                       const struct machine *m, const struct place *p)
{
    return report_misses(counts_for(s, experiment, m, true), m->name, p->names, p->values, p->n);
}

/* ---- on another machine */

/* CONSTANT by RULE */
static int read_rule(struct cursor *c, const struct model *m, struct carrying *out)
{
    struct span at = cursor_token(c), rule_at;
    const char *constant = cursor_text(c, at), *word;
    struct model_constants constants = model_constants(m);
    if (!TEXT_ELEMENT(constants.list, constants.n, name, constant))
        return cursor_error(c, at, "the formula of %s has no constant %s",
                            model_points(m)->request->experiment->name, constant);
    if (!cursor_keyword(c, "by"))
        return cursor_error_here(c, "the word 'by' is expected here: scaling %s by g", constant);
    word = cursor_name(c, &rule_at);
    for (enum carry_rule r = CARRY_OPERATIONS; r < CARRY_RULES && word; r++)
        if (strcmp(word, carry_rule_names[r]) == 0 && out->n < MOST_VARIABLES) {
            out->names[out->n] = constant;
            out->rules[out->n++] = r;
            return 0;
        }
    return cursor_error_here(c,
                             "the rule for %s is expected here: operations, cycle, lat, bw, "
                             "g, L, gpu_launch, gpu_bw, gpu_flop or count",
                             constant);
}

/* set EXPRESSION */
static int read_working_set(struct cursor *c, const struct model *m, struct carrying *out)
{
    static const char *const stops[] = {"scaling", NULL};
    if (!cursor_keyword(c, "set"))
        return cursor_error_here(c, "the word 'set' is expected here: working set 8*N^2");
    struct span where = cursor_expression(c, stops);
    if (where.begin == where.end)
        return cursor_error_here(c, "the bytes of the working set are expected here: 8*N^2");
    out->working_set = formula_parse(c->arena, c->source, where, NULL, c->diag);
    if (!out->working_set)
        return -1;
    if (formula_asks_machine(out->working_set))
        return cursor_error(c, where,
                            "a working set is a number of bytes over the variables of the formula, "
                            "without functions of the machine: 8*N^2");
    size_t n;
    const char **names = model_variables(c->arena, m, &n);
    struct formula_variables used = formula_variables(c->arena, out->working_set);
    for (size_t i = 0; i < used.n; i++)
        if (!text_is_in(names, n, used.list[i].name))
            return cursor_error(
                c, where, "%s",
                points_no_variable(c->arena, model_points(m), NULL, used.list[i].name));
    return 0;
}

int carrying_read(struct session *s, struct cursor *c, const struct model *m, struct carrying *out)
{
    char *name = cursor_path(c, NULL);
    *out = (struct carrying){.n = 0};
    if (name && *name)
        out->to = store_find(name, c->arena, c->diag);
    else
        cursor_error_here(c, "a machine is missing: on MACHINE");
    if (!out->to)
        return -1;
    if (cursor_keyword(c, "working") && read_working_set(c, m, out))
        return -1;
    if (cursor_keyword(c, "scaling"))
        do {
            if (read_rule(c, m, out))
                return -1;
        } while (cursor_punctuation(c, ','));
    if (cursor_finish(c))
        return -1;
    if (!s->now.machine)
        return cursor_error_here(c,
                                 "no machine is in use: 'machine use MACHINE' names the one that "
                                 "the data were measured on");
    if (strcmp(points_unit(model_points(m)->request), "s") != 0)
        return cursor_error_here(c, "only times are carried to another machine; %s is not a time",
                                 model_points(m)->request->observable);
    if (session_need_values(s, c->diag, "on MACHINE"))
        return -1;
    out->spread_from = spread_find(s->now.machine);
    out->spread_to = spread_find(out->to);
    return 0;
}

/* Whether the term varies with something else than the number of processors. */
static bool grows(struct arena *a, const struct formula *coefficient)
{
    struct formula_variables v = formula_variables(a, coefficient);
    for (size_t i = 0; i < v.n; i++)
        if (strcmp(v.list[i].name, "P") != 0)
            return true;
    return false;
}

/* Whether it calls a function of the accelerator: gpu_bw, to_gpu, ... */
static bool asks_device(const struct formula *f)
{
    if (f->kind == FORMULA_CALL && f->function->unit && strstr(f->function->name, "gpu"))
        return true;
    for (size_t i = 0; i < f->noperands; i++)
        if (asks_device(f->operands[i]))
            return true;
    return false;
}

static struct carry_constant constant_at(struct arena *a, const struct model *m, size_t which,
                                         const struct place *place, const struct carrying *how)
{
    const struct model_constant *k = &model_constants(m).list[which];
    const struct formula *term = model_term(a, m, which);
    struct model_piece here;
    struct carry_constant out = {.name = k->name,
                                 .machine_term = formula_asks_machine(term),
                                 .device = asks_device(model_formula(m)),
                                 .grows = grows(a, term)};
    model_constant_near(m, which, place, &here);
    out.value = out.in_cache = here.value;
    for (size_t i = 0; i < k->npieces; i++)
        if (k->pieces[i].value > 0)
            out.in_cache = fmin(out.in_cache, k->pieces[i].value);
    for (size_t i = 0; i < how->n; i++)
        if (strcmp(how->names[i], k->name) == 0)
            out.rule = how->rules[i];
    return out;
}

/* The lower (side -1) or upper (1) end of the interval. The uncertainty of the ratios and that of the prediction are independent. */
static double widen(int side, double value, double end, double fitted, double fitted_end)
{
    double figures = log(end / value), fit = log(fitted_end / fitted);
    if (value > 0 && fitted > 0 &&
        fitted_end <= 0) /* it may take no time at all, as far as the data tell */
        return value * fitted_end / fitted;
    if (!(value > 0 && end > 0) || !isfinite(fit))
        return end;
    return value * exp(side * sqrt(figures * figures + fit * fit));
}

/* A part of the formula that asks the machine and has no constant is as uncertain as one with a constant. */
static int take_known(struct arena *a, const struct model *m, const struct carry_request *request,
                      struct cursor *c, struct elsewhere *out)
{
    struct carry_constant number = {.name = "", .machine_term = true};
    struct carry_ratio r;
    out->value = out->low = out->high = out->known;
    if (!model_offset(m) || !formula_asks_machine(model_offset(m)))
        return 0;
    if (!carry_ratio(a, request, &number, c->diag, &r))
        return -1;
    double one = out->known * r.low / CARRY_UNCERTAINTY,
           other = out->known * r.high * CARRY_UNCERTAINTY;
    out->low = fmin(one, other);
    out->high = fmax(one, other);
    return 0;
}

static double processes_at(const struct place *place)
{
    size_t i = text_find(place->names, place->n, "P");
    return i < place->n ? place->values[i] : 1;
}

static double constant_in(const struct model *m, size_t which, const struct place *place)
{
    struct model_piece piece;
    model_constant_near(m, which, place, &piece);
    return piece.value;
}

/* The constant of the interval that holds there. */
static void move_constant(struct arena *a, const struct model *m, size_t which,
                          const struct elsewhere *e, struct carry_constant *k,
                          struct carried *there)
{
    static const double offs[] = {1, 1 / MOVED_UNCERTAINTY, MOVED_UNCERTAINTY};
    double here = k->value, values[3];
    there->moved = there->least = there->most = 1;
    if (!e->moved.nvariables || here == 0)
        return;
    for (int i = 0; i < 3; i++) {
        struct place place = moved_place(a, &e->moved, &e->here.place, offs[i]);
        values[i] = constant_in(m, which, &place) / here;
    }
    k->value = values[0] * here;
    there->moved = values[0];
    there->least = fmin(values[0], fmin(values[1], values[2]));
    there->most = fmax(values[0], fmax(values[1], values[2]));
}

/* The constants there, without their terms. */
static int carry_constants(struct arena *a, const struct model *m,
                           const struct carry_request *request, const struct carrying *how,
                           struct cursor *c, double *ratios, struct elsewhere *out)
{
    struct model_constants constants = model_constants(m);
    out->constants = arena_zalloc(a, constants.n + 1, sizeof *out->constants);
    for (size_t i = 0; i < constants.n; i++) {
        struct carry_constant k = constant_at(a, m, i, &out->here.place, how);
        struct carried *there = &out->constants[out->nconstants];
        ratios[i] = 1;
        if (constants.list[i].is_exponent)
            continue;
        move_constant(a, m, i, out, &k, there);
        if (!carry_ratio(a, request, &k, c->diag, &there->ratio))
            return -1;
        ratios[i] = there->moved * there->ratio.ratio;
        there->name = k.name;
        there->value = k.value * there->ratio.ratio;
        out->nconstants++;
    }
    return 0;
}

static void add_term(double term, struct carried *there, struct elsewhere *out)
{
    const struct carry_ratio *r = &there->ratio;
    double one = term * there->least * r->low / CARRY_UNCERTAINTY,
           other = term * there->most * r->high * CARRY_UNCERTAINTY;
    there->term = term * there->moved * r->ratio;
    out->value += there->term;
    out->low += fmin(one, other);
    out->high += fmax(one, other);
}

/* With the constants at the lower (side -1) or upper (1) ends of their ratios, another operand of a max() or min() may count. */
static int widen_for_choices(struct arena *a, const struct model *m, const struct place *place,
                             int side, struct cursor *c, struct elsewhere *out)
{
    size_t n = model_constants(m).n;
    double *terms = arena_alloc(a, n + 1, sizeof *terms),
           *ratios = arena_alloc(a, n + 1, sizeof *ratios), sum;
    for (size_t i = 0; i < n; i++) {
        const struct carried *k = &out->constants[i];
        ratios[i] = side < 0 ? k->least * k->ratio.low / CARRY_UNCERTAINTY
                             : k->most * k->ratio.high * CARRY_UNCERTAINTY;
    }
    if (model_terms_on(a, m, place, terms_make(a, out->to), ratios, c->diag, terms, &sum))
        return -1;
    for (size_t i = 0; i < n; i++)
        sum += terms[i] * ratios[i];
    out->low = fmin(out->low, sum);
    out->high = fmax(out->high, sum);
    return 0;
}

int carrying_predict(struct session *s, struct cursor *c, const struct model *m,
                     const struct place *place, const struct carrying *how, struct arena *a,
                     struct elsewhere *out)
{
    const char *name = model_points(m)->request->experiment->name;
    struct carry_request request = {
        .from = s->now.machine,
        .to = how->to,
        .spread_from = how->spread_from,
        .spread_to = how->spread_to,
        .processes = processes_at(place),
        .counts = counts_for(s, name, s->now.machine, true),
        .counts_there = counts_for(s, name, how->to, false),
    };
    request.misses = misses_for(s, name, s->now.machine, place);
    request.misses_there = misses_for(s, name, how->to, place);
    struct model_constants constants = model_constants(m);
    double *terms = arena_alloc(a, constants.n + 1, sizeof *terms),
           *ratios = arena_alloc(a, constants.n + 1, sizeof *ratios);
    *out = (struct elsewhere){.from = s->now.machine, .to = how->to, .model = m};
    if (model_predict(a, m, place, c->diag, &out->here) ||
        moved_find(a, m, &out->here.place, s->now.machine, how->to,
                   (request.counts && request.counts->communicates) ||
                       asks_device(model_formula(m)),
                   how->working_set, c->diag, &out->moved) ||
        carry_constants(a, m, &request, how, c, ratios, out) ||
        model_terms_on(a, m, place, terms_make(a, how->to), ratios, c->diag, terms, &out->known) ||
        take_known(a, m, &request, c, out))
        return -1;
    for (size_t i = 0, k = 0; i < constants.n; i++)
        if (!constants.list[i].is_exponent)
            add_term(terms[i], &out->constants[k++], out);
    if (model_has_choices(m) &&
        (widen_for_choices(a, m, place, -1, c, out) || widen_for_choices(a, m, place, 1, c, out)))
        return -1;
    out->value *= out->here.times;
    out->low = widen(-1, out->value, out->low * out->here.times, out->here.value, out->here.low);
    if (out->value > 0) /* neither times nor counts are negative */
        out->low = fmax(out->low, 0);
    out->high = widen(1, out->value, out->high * out->here.times, out->here.value, out->here.high);
    out->never_left = moved_never_left(a, &out->moved, &out->here.place);
    out->counted = request.counts != NULL;
    out->counted_there = request.counts_there != NULL;
    out->misses_from = request.misses;
    out->misses_to = request.misses_there;
    out->slow_from = how->spread_from.throughput;
    out->slow_to = how->spread_to.throughput;
    return 0;
}

int predict_on_machine(struct session *s, struct cursor *c, const struct model *m,
                       const struct assignments *given)
{
    struct carrying how;
    if (carrying_read(s, c, m, &how))
        return -1;
    double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
    json_auto_t *rows = json_array();
    int status = 0;
    for (size_t r = 0; r < given->rows && status == 0 && !session_interrupt; r++) {
        struct elsewhere e;
        ARENA_LOCAL struct arena *a = arena_create(); /* of one row: there may be many */
        arguments_row(given, r, values);
        struct place place = {given->names, values, given->n};
        status = carrying_predict(s, c, m, &place, &how, a, &e);
        if (status == 0 && !s->json && r == 0)
            text_observable(s->out, model_points(m)->request->observable);
        if (status == 0 && s->json)
            json_array_append_new(rows, json_elsewhere(&e));
        else if (status == 0)
            text_elsewhere(s->out, &e, r, given->rows);
    }
    if (status == 0 && s->json)
        json_print(s->out, "%p",
                   given->rows > 1 ? json_incref(rows) : json_incref(json_array_get(rows, 0)));
    return session_interrupt ? -1 : status;
}

/* ---- before running */

/* A formula at a place, bound to the machine. */
static int evaluate_one(struct cursor *c, const struct formula *f, const struct machine *m,
                        const struct place *place, double *out)
{
    struct formula_trouble trouble;
    const struct formula *bound = formula_bind(c->arena, f, terms_make(c->arena, m));
    int status = formula_at(c->arena, bound, place->names, place->values, place->n, NULL, c->diag,
                            out, &trouble);
    return status > 0 ? diag_error(c->diag, "the formula has no value there: %s", trouble.what)
                      : status;
}

/* What misses add, if the caches of the machine were simulated. */
static int before_misses(struct cursor *c, const struct report_experiment *e, double accesses,
                         struct before *out)
{
    const struct place *p = &out->place;
    struct cost one;
    out->shares = report_misses(e, out->machine->name, p->names, p->values, p->n);
    if (!out->shares)
        return 0;
    if (!cost_of_misses(out->machine, out->shares, c->arena, &one))
        return diag_error(
            c->diag,
            "machine %s has no figures of memory, which misses need; measure it again with cllprobe",
            out->machine->name);
    out->misses = (struct cost){accesses * one.overlapped, accesses * one.serial};
    return 0;
}

static int before_row(struct cursor *c, const struct report_experiment *e,
                      const struct formula_linear *l, const struct place *place, struct before *out)
{
    out->place = *place;
    double accesses = 0;
    out->terms = arena_zalloc(c->arena, l->nterms + 1, sizeof *out->terms);
    if (l->offset && evaluate_one(c, l->offset, out->machine, place, &out->known))
        return -1;
    for (size_t i = 0; i < l->nterms; i++) {
        struct before_term *t = &out->terms[out->nterms];
        const char *name = arena_printf(c->arena, "%s[%u]", e->name, l->terms[i].index);
        const struct report_constant *k = report_constant(e, name);
        double units;
        if (!k || formula_asks_machine(l->terms[i].coefficient)) {
            out->left_out[out->nleft_out++] = name;
            continue;
        }
        if (evaluate_one(c, l->terms[i].coefficient, out->machine, place, &units) ||
            !cost_of_mix(out->machine, &k->mix, units, c->diag, &t->cost))
            return -1;
        t->name = name;
        t->mix = &k->mix;
        t->instructions = k->mix.instructions * units;
        t->bytes = (k->mix.set + k->mix.copied) * units;
        accesses += k->mix.accesses * units;
        t->cost.overlapped *= units;
        t->cost.serial *= units;
        out->operations.overlapped += t->cost.overlapped;
        out->operations.serial += t->cost.serial;
        out->nterms++;
    }
    return before_misses(c, e, accesses, out);
}

/* Every variable of the formula has a value, and every value a variable. */
static int check_variables(struct cursor *c, const struct formula *f,
                           const struct assignments *given)
{
    struct formula_variables used = formula_variables(c->arena, f);
    for (size_t i = 0; i < used.n; i++)
        if (!text_is_in(given->names, given->n, used.list[i].name))
            return cursor_error_here(c, "the prediction needs a value of %s: give %s=VALUE",
                                     used.list[i].name, used.list[i].name);
    for (size_t k = 0; k < given->n; k++)
        if (!TEXT_ELEMENT(used.list, used.n, name, given->names[k]))
            return cursor_error(c, given->spans[k], "the formula has no variable %s",
                                given->names[k]);
    return 0;
}

int predict_before(struct session *s, struct cursor *c, const char *name, struct span where,
                   const struct assignments *given)
{
    const struct machine *machine = s->now.machine;
    if (!cursor_keyword(c, "running"))
        return cursor_error_here(c, "the word 'running' is expected here: before running");
    if (cursor_keyword(c, "on")) {
        char *path = cursor_path(c, NULL);
        machine = path && *path ? store_find(path, c->arena, c->diag) : NULL;
        if (!machine)
            return path ? -1 : cursor_error_here(c, "a machine is missing: on MACHINE");
    }
    if (cursor_finish(c))
        return -1;
    if (!machine)
        return cursor_error_here(c, "no machine is in use: before running on MACHINE, or 'machine "
                                    "use MACHINE'");
    const struct report_experiment *e = counts_for(s, name, machine, true);
    if (!e)
        return cursor_error(c, where,
                            "there are no counts of '%s': 'call count' writes them, and 'counts "
                            "FILE' loads them",
                            name);
    const struct formula *f = formula_parse_text(c->arena, e->formula, e->name, c->diag);
    const struct formula_linear *l = f ? formula_linearize(c->arena, f, NULL, c->diag) : NULL;
    if (!l || check_variables(c, f, given))
        return -1;
    if (l->nchoices)
        return cursor_error(
            c, where,
            "the formula of '%s' has max() or min() of constants: counts do not tell "
            "which operand counts; count the program with a formula without them",
            name);
    json_auto_t *rows = json_array();
    int status = 0;
    for (size_t r = 0; r < given->rows && status == 0; r++) {
        double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
        struct before b = {.experiment = e, .machine = machine};
        b.left_out = arena_alloc(c->arena, l->nterms + 1, sizeof *b.left_out);
        arguments_row(given, r, values);
        struct place place = {given->names, values, given->n};
        status = before_row(c, e, l, &place, &b);
        if (status == 0 && s->json)
            json_array_append_new(rows, json_before(&b));
        else if (status == 0)
            text_before(s->out, &b, r, given->rows);
    }
    if (status == 0 && s->json)
        json_print(s->out, "%p",
                   given->rows > 1 ? json_incref(rows) : json_incref(json_array_get(rows, 0)));
    return status;
}
