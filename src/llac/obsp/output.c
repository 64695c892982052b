/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of obsp. */
#include <math.h>
#include <string.h>

#include "llac/compose/output.h"
#include "llac/obsp/command.h"
#include "llac/undo.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

enum { LEGS = 6 };

double obsp_error(const struct obsp_report *r, double predicted)
{
    double measured = r->result.measured;
    return measured > 0 && !r->asked->what_if ? 100 * (measured - predicted) / measured : NAN;
}

/* The same of the time after the supersteps that are taken as measured; nan without such. */
static double obsp_error_of_rest(const struct obsp_report *r, double predicted)
{
    double rest = r->result.measured - r->skip.seconds;
    return r->asked->skip && rest > 0 && !r->asked->what_if
               ? 100 * (r->result.measured - predicted) / rest
               : NAN;
}

/* ---- text */

static const char *seconds(double x, char buffer[NUMBER_SIZE])
{
    return number_digits(x, 4, buffer);
}

/* A time; its error; what of it is predicted, and the error of that. */
static void text_time(FILE *out, const struct obsp_report *r, const char *name, double time,
                      bool error)
{
    fprintf(out, "    %-10s %12s", name, number_digits(time, 6, NUMBER_BUFFER));
    if (error)
        fprintf(out, " %10s", number_decimals(obsp_error(r, time), 2, NUMBER_BUFFER));
    else if (r->asked->skip)
        fprintf(out, " %10s", "");
    if (r->asked->skip)
        fprintf(out, " %14s", number_digits(time - r->skip.seconds, 6, NUMBER_BUFFER));
    if (r->asked->skip && error)
        fprintf(out, " %10s", number_decimals(obsp_error_of_rest(r, time), 2, NUMBER_BUFFER));
}

static void text_skipped(FILE *out, const struct obsp_report *r)
{
    if (r->asked->skip == 1)
        fputs("  the first superstep is taken as measured", out);
    else if (r->asked->skip)
        fprintf(out, "  the first %zu supersteps are taken as measured", r->asked->skip);
    if (r->asked->skip)
        fprintf(out, ": %s s; the others are predicted\n", seconds(r->skip.seconds, NUMBER_BUFFER));
}

/* The interval of the OBSP* time, on its line. */
static void text_interval(FILE *out, const struct obsp_report *r)
{
    const struct composed *at = &r->interval;
    char range[RANGE_SIZE];
    if (!r->fitted)
        return;
    if (!isnan(at->low))
        fprintf(out, "   typical %s   95 %%", text_of_range(at->low, at->high, 6, range));
    else if (at->unknown)
        fprintf(out, "   no interval: the noise of %s is unknown", at->unknown);
}

static void text_times(FILE *out, const struct obsp_report *r)
{
    const struct obsp_result *e = &r->result;
    const struct {
        const char *name;
        double time;
    } rows[] = {{"OBSP*", e->obsp}, {"BSP", e->bsp}};
    bool errors = e->measured > 0 && !r->asked->what_if;
    fprintf(out, "  %d process%s, %zu superstep%s, %zu synchronisations\n", e->processes,
            e->processes == 1 ? "" : "es", e->supersteps, e->supersteps == 1 ? "" : "s",
            e->synchronisations);
    text_skipped(out, r);
    fprintf(out, "    %-10s %12s%s", "", "seconds",
            errors           ? "    error %"
            : r->asked->skip ? "           "
                             : "");
    if (r->asked->skip)
        fprintf(out, "   without them%s", errors ? "    error %" : "");
    fputc('\n', out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_time(out, r, rows[i].name, rows[i].time, errors);
        if (i == 0)
            text_interval(out, r);
        fputc('\n', out);
    }
    if (e->measured > 0) {
        text_time(out, r, "measured", e->measured, false);
        fputs(r->asked->what_if ? "   as the program ran, without the changes\n" : "\n", out);
    }
    if (r->fitted)
        text_composed_remarks(out, &r->asked->asking->all, &r->interval);
}

static void text_startup(FILE *out, const struct obsp_report *r)
{
    char first[40] = "superstep takes";
    if (r->startup > 1)
        snprintf(first, sizeof first, "%zu supersteps take", r->startup);
    if (r->startup)
        fprintf(out,
                "  start-up: the first %s %s s more than usual, %s %% of the time; 'skip %zu' "
                "takes %s as measured\n",
                first, number_digits(r->startup_seconds, 3, NUMBER_BUFFER),
                number_digits(100 * r->startup_seconds / r->result.measured, 2, NUMBER_BUFFER),
                r->startup, r->startup == 1 ? "it" : "them");
    if (r->asked->skip_startup && !r->asked->skip)
        fputs("  there is no start-up: no superstep is skipped\n", out);
}

static void text_stalled(FILE *out, const struct obsp_report *r)
{
    if (r->stalled)
        fprintf(
            out,
            "  stalled: in %zu of %zu synchronisations the bytes of a message came only when its "
            "sender called the library again, %s %% of the time of a process; a larger "
            "PUB_PIECES may avoid that ('Large messages' in docs/reference/pub.md)\n",
            r->stalled, r->result.synchronisations,
            number_digits(100 * r->stalled_seconds / r->result.measured, 2, NUMBER_BUFFER));
}

/* The whole command. */
static void text_proposal(FILE *out, const struct obsp_report *r)
{
    const struct obsp_proposal *p = &r->proposal;
    if (isnan(p->obsp))
        return;
    TEXT_LOCAL struct text words = text_new();
    if (!undo_quote_path(&words, r->asked->path)) {
        text_clear(&words);
        text_add(&words, "FILE");
    }
    if (r->asked->h == OBSP_H_SUM)
        text_add(&words, " h sum");
    if (p->skip || r->asked->skip)
        text_printf(&words, " skip %zu", p->skip ? p->skip : r->asked->skip);
    bool by_process = p->by_process || r->asked->by_process,
         median = r->asked->average == OBSP_MEDIAN;
    if (median || by_process)
        text_printf(&words, " costs%s%s", median ? " median" : "", by_process ? " by process" : "");
    fprintf(out, "  %s explains the error: 'obsp %s', OBSP* %s s, error %s %%\n",
            !p->by_process ? "start-up"
            : !p->skip     ? "one cost of an h for each process"
                           : "start-up, with one cost of an h for each process,",
            words.s, number_digits(p->obsp, 4, NUMBER_BUFFER),
            number_decimals(obsp_error(r, p->obsp), 2, NUMBER_BUFFER));
}

/* "process 3 computes 0.01 s in superstep 2 of m.1:0" */
static void text_part(FILE *out, const struct obsp_part *p, double all)
{
    fprintf(out, "    process %d %s %s s ", p->process, p->computing ? "computes" : "communicates",
            seconds(p->seconds, NUMBER_BUFFER));
    if (p->kind == OBSP_PARTITION || p->kind == OBSP_DUP)
        fprintf(out, "in superstep %ld, before the %s %s begins", p->step,
                p->kind == OBSP_DUP ? "copy" : "group", p->object);
    else if (p->kind == OBSP_DONE)
        fprintf(out, "at the end of %s, after its last synchronisation", p->object);
    else
        fprintf(out, "in superstep %ld of %s", p->step, p->object);
    fprintf(out, " (%s %%)\n", number_digits(100 * p->seconds / all, 3, NUMBER_BUFFER));
}

/* What the shortest of the LEGS longest legs takes. */
static double least_length(const struct obsp_critical *c)
{
    double longest[LEGS] = {0};
    for (size_t i = 0; i < c->nlegs; i++) {
        double length = c->legs[i].end - c->legs[i].begin;
        size_t at = LEGS;
        for (; at > 0 && longest[at - 1] < length; at--)
            if (at < LEGS)
                longest[at] = longest[at - 1];
        if (at < LEGS)
            longest[at] = length;
    }
    return longest[LEGS - 1];
}

/* The longest legs, in the order of time. */
static void text_legs(FILE *out, const struct obsp_critical *c)
{
    double least = least_length(c);
    size_t shown = 0;
    for (size_t i = 0; i < c->nlegs && shown < LEGS; i++) {
        const struct obsp_leg *leg = &c->legs[i];
        if (leg->end - leg->begin < least)
            continue;
        shown++;
        fprintf(out, "    %s to %s s: process %d", seconds(leg->begin, NUMBER_BUFFER),
                seconds(leg->end, NUMBER_BUFFER), leg->process);
        if (i + 1 < c->nlegs)
            fprintf(out, "; process %d waits for it in superstep %ld of %s", c->legs[i + 1].process,
                    leg->step, leg->object);
        fputc('\n', out);
    }
    if (shown < c->nlegs)
        fprintf(out, "    (the %zu longest of %zu parts of the path)\n", shown, c->nlegs);
}

static void text_critical(FILE *out, const struct obsp_report *r)
{
    const struct obsp_critical *c = &r->critical;
    double all = r->result.obsp - (c->nlegs ? c->legs[0].begin : 0);
    if (!(all > 0))
        return;
    fprintf(out, "  critical path%s: computing %s %%, g*h %s %%, L %s %%\n",
            r->asked->skip ? " of the others" : "",
            number_digits(100 * c->shares.computing / all, 3, NUMBER_BUFFER),
            number_digits(100 * c->shares.transferring / all, 3, NUMBER_BUFFER),
            number_digits(100 * c->shares.latency / all, 3, NUMBER_BUFFER));
    text_legs(out, c);
    fputs("  most of its time:\n", out);
    for (size_t i = 0; i < c->nlargest; i++)
        text_part(out, &c->largest[i], all);
}

/* Calls `show` for each curve that was found in the trace. Kinds that the trace does not have use the curves of
 * others. */
static void each_curve(const struct obsp_costs *c,
                       void (*show)(void *to, const struct obsp_curve *curve), void *to)
{
    const struct obsp_curves *const all[] = {&c->sync[0], &c->oblsync[0], &c->alone};
    for (int k = 0; k < 3 && c->origin == OBSP_FROM_TRACE; k++)
        for (size_t i = 0; i < all[k]->n; i++) {
            const struct obsp_curve *curve = &all[k]->list[i];
            bool own =
                curve->kind == (k == 0 ? OBSP_SYNC : OBSP_OBLSYNC) && curve->alone == (k == 2);
            if (own && curve->supersteps)
                show(to, curve);
        }
}

static const char *curve_name(const struct obsp_curve *curve)
{
    return curve->kind == OBSP_SYNC ? "sync"
           : curve->alone           ? "oblsync without messages"
                                    : "oblsync";
}

static const char *const averages[] = {[OBSP_MEAN] = "mean", [OBSP_MEDIAN] = "median"};

static void text_curve(void *to, const struct obsp_curve *curve)
{
    FILE *out = to;
    fprintf(out, "    %s", curve_name(curve));
    if (curve->nprocs)
        fprintf(out, " of %d processors", curve->nprocs);
    fprintf(out, ": %zu synchronisations, %zu size%s of h, deviation %s %%\n", curve->supersteps,
            curve->sizes, curve->sizes == 1 ? "" : "s",
            number_decimals(100 * curve->error, 1, NUMBER_BUFFER));
    for (size_t i = 0; i < curve->nlines; i++) {
        const struct obsp_line *l = &curve->lines[i];
        fprintf(out, "      g %-10s L %s", number_digits(l->g, 4, NUMBER_BUFFER),
                number_digits(l->L, 4, NUMBER_BUFFER));
        if (curve->nlines > 1)
            fprintf(out, isinf(l->high) ? "  for h from %s" : "  for h from %s to %s",
                    number_decimals(l->low, 0, NUMBER_BUFFER),
                    number_decimals(l->high, 0, NUMBER_BUFFER));
        fputc('\n', out);
    }
    if (curve->sizes == 1)
        fputs("      (one size cannot tell g from L)\n", out);
}

static void text_costs(FILE *out, const struct obsp_report *r)
{
    const struct obsp_costs *c = r->costs;
    if (c->origin == OBSP_FROM_MACHINE)
        fprintf(out, "  g and L: figures of %s by number of processors; pattern: %s\n",
                r->asked->machine->name,
                c->pattern >= 0 ? obsp_pattern_names[c->pattern] : "by the number of partners");
    if (c->origin == OBSP_FROM_TRACE)
        fprintf(
            out,
            "  g (s/byte) and L (s) from the trace, %s of synchronisations with about the same h:\n",
            averages[r->asked->average]);
    each_curve(c, text_curve, out);
    if (r->asked->by_process)
        fputs(
            "  these are of all processes; OBSP* has those of each process, found in the same way\n",
            out);
    fprintf(out, "  plain BSP: g %s, L %s\n", number_digits(c->g * c->times_g, 4, NUMBER_BUFFER),
            number_digits(c->L * c->times_L, 4, NUMBER_BUFFER));
}

static void text_superstep(FILE *out, const struct obsp_superstep *s)
{
    char name[32] = "groups";
    if (s->object)
        snprintf(name, sizeof name, "%.18s %ld", s->object, s->step);
    else if (!s->ended)
        strcpy(name, "end");
    fprintf(out, " %9zu  %-20s %6d %9s %9s %9s %9s %9s %9s\n", s->index + 1, name, s->processors,
            number_digits(s->work, 3, NUMBER_BUFFER), number_digits(s->mean_work, 3, NUMBER_BUFFER),
            number_decimals(s->h, 0, NUMBER_BUFFER), number_digits(s->waiting, 3, NUMBER_BUFFER),
            number_digits(s->end, 4, NUMBER_BUFFER), number_digits(s->bsp, 3, NUMBER_BUFFER));
}

static void text_supersteps(FILE *out, const struct obsp_report *r)
{
    if (r->nsupersteps < r->result.supersteps)
        fprintf(out,
                "  the %zu of %zu supersteps that take longest ('supersteps all' shows all):\n",
                r->nsupersteps, r->result.supersteps);
    fprintf(out, " %9s  %-20s %6s %9s %9s %9s %9s %9s %9s\n", "superstep", "object", "procs",
            "max W", "mean W", "h", "max wait", "ends at", "BSP time");
    for (size_t i = 0; i < r->nsupersteps; i++)
        text_superstep(out, &r->supersteps[i]);
}

void text_obsp(FILE *out, const struct obsp_report *r)
{
    text_times(out, r);
    text_startup(out, r);
    text_proposal(out, r);
    text_stalled(out, r);
    text_costs(out, r);
    text_critical(out, r);
    text_supersteps(out, r);
}

/* ---- JSON */

static json_t *json_shares(const struct obsp_shares *s)
{
    return json_make("{computing:%g gh:%g L:%g}", s->computing, s->transferring, s->latency);
}

static json_t *json_critical(const struct obsp_critical *c)
{
    static const char *const kinds[] = {"sync", "oblsync", "partition", "dup", "done"};
    json_t *legs = json_array(), *largest = json_array();
    for (size_t i = 0; i < c->nlegs; i++)
        json_add(legs, "{process:%d begin:%g end:%g seconds:%p object:%s step:%ld}",
                 c->legs[i].process, c->legs[i].begin, c->legs[i].end,
                 json_shares(&c->legs[i].shares), c->legs[i].object, c->legs[i].step);
    for (size_t i = 0; i < c->nlargest; i++)
        json_add(largest, "{process:%d object:%s step:%ld kind:%s what:%s seconds:%g}",
                 c->largest[i].process, c->largest[i].object, c->largest[i].step,
                 kinds[c->largest[i].kind], c->largest[i].computing ? "computing" : "communicating",
                 c->largest[i].seconds);
    return json_make("{seconds:%p path:%p largest:%p}", json_shares(&c->shares), legs, largest);
}

static void json_curve(void *to, const struct obsp_curve *curve)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < curve->nlines; i++) {
        const struct obsp_line *l = &curve->lines[i];
        json_add(lines, "{from:%g to:%g g:%g L:%g}", l->low, l->high, l->g, l->L);
    }
    json_add(to,
             "{kind:%s processors:%p synchronisations:%zu sizes:%zu deviation_pct:%g "
             "intervals:%p}",
             curve_name(curve), curve->nprocs ? json_integer(curve->nprocs) : json_null(),
             curve->supersteps, curve->sizes, 100 * curve->error, lines);
}

static json_t *json_costs(const struct obsp_report *r)
{
    static const char *const origins[] = {"given", "machine", "trace"};
    const struct obsp_costs *c = r->costs;
    json_t *curves = json_array();
    each_curve(c, json_curve, curves);
    return json_make(
        "{from:%s average:%s by_process:%i machine:%s g:%g L:%g curves:%p}", origins[c->origin],
        c->origin == OBSP_FROM_TRACE ? averages[r->asked->average] : NULL, r->asked->by_process,
        c->origin == OBSP_FROM_MACHINE ? r->asked->machine->name : NULL, c->g * c->times_g,
        c->L * c->times_L, curves);
}

static json_t *json_superstep(const struct obsp_superstep *s)
{
    return json_make("{superstep:%zu object:%s step:%p synchronised:%i processors:%d work:%g "
                     "mean_work:%g h:%g waiting:%g begin:%g end:%g measured_sync:%g bsp:%g}",
                     s->index + 1, s->object, s->object ? json_integer(s->step) : json_null(),
                     s->ended, s->processors, s->work, s->mean_work, s->h, s->waiting, s->begin,
                     s->end, s->measured, s->bsp);
}

static json_t *json_skipped(const struct obsp_report *r)
{
    return !r->asked->skip
               ? json_null()
               : json_make("{supersteps:%zu seconds:%g rest_error_pct:%g rest_bsp_error_pct:%g}",
                           r->asked->skip, r->skip.seconds, obsp_error_of_rest(r, r->result.obsp),
                           obsp_error_of_rest(r, r->result.bsp));
}

static json_t *json_startup(const struct obsp_report *r)
{
    return !r->startup
               ? json_null()
               : json_make("{supersteps:%zu seconds:%g time_pct:%g}", r->startup,
                           r->startup_seconds, 100 * r->startup_seconds / r->result.measured);
}

static json_t *json_proposal(const struct obsp_report *r)
{
    const struct obsp_proposal *p = &r->proposal;
    return isnan(p->obsp) ? json_null()
                          : json_make("{skip:%p by_process:%i obsp:%g error_pct:%g}",
                                      p->skip ? json_integer((json_int_t)p->skip) : json_null(),
                                      p->by_process, p->obsp, obsp_error(r, p->obsp));
}

static json_t *json_stalled(const struct obsp_report *r)
{
    return !r->stalled
               ? json_null()
               : json_make("{synchronisations:%zu seconds:%g time_pct:%g}", r->stalled,
                           r->stalled_seconds, 100 * r->stalled_seconds / r->result.measured);
}

static json_t *json_interval(const struct obsp_report *r)
{
    if (!r->fitted)
        return json_null();
    json_t *j = json_object();
    json_composed_into(j, &r->asked->asking->all, &r->interval);
    return j;
}

json_t *json_obsp(const struct obsp_report *r)
{
    const struct obsp_result *e = &r->result;
    json_t *supersteps = json_array();
    for (size_t i = 0; i < r->nsupersteps; i++)
        json_array_append_new(supersteps, json_superstep(&r->supersteps[i]));
    return json_make("{file:%s processes:%d obsp:%g bsp:%g measured:%g error_pct:%g "
                     "bsp_error_pct:%g h:%s what_if:%i skipped:%p startup:%p proposal:%p "
                     "stalled:%p costs:%p critical:%p supersteps:%p interval:%p}",
                     r->asked->path, e->processes, e->obsp, e->bsp, e->measured,
                     obsp_error(r, e->obsp), obsp_error(r, e->bsp),
                     r->asked->h == OBSP_H_SUM ? "sum" : "max", r->asked->what_if, json_skipped(r),
                     json_startup(r), json_proposal(r), json_stalled(r), json_costs(r),
                     json_critical(&r->critical), supersteps, json_interval(r));
}
