/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --live: the constants, and how well they are known, while the rounds go on. llac fits what was
 * measured so far. Fitting takes time in which nothing is measured, so it is done only now and then:
 * it takes at most a fifth of the time.
 *
 * On a terminal the constants are a block above the bar, which is drawn again in its place. Elsewhere
 * each fit is a line.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/cc/runtime.h"
#include "call/run/run.h"
#include "json/read.h"

enum { MOST_CONSTANTS = 200, MOST_PIECES = 100, WAIT = 4 };

/* A value of a constant, and the half width of its interval as a part of it. */
struct live_constant {
    const char *name; /* "f[1]", "f[1], N in (4096, 65536]" */
    double value, part;
    double first_part, part_before; /* after the first fit of it and the last but one */
};

struct live {
    const char *llac;
    struct live_constant list[MOST_CONSTANTS];
    size_t n;
    double cost, ended; /* of the last fits: seconds, and when they ended */
    unsigned lines;     /* of the block on the terminal */
};

/* ---- what llac says ---- */

/* ", N in (4096, 65536]": where this value holds; "" = everywhere. */
static const char *holds_for(struct json_reader *j, const json_t *piece)
{
    const json_t *where = json_read_list(j, piece, "where", MOST_PIECES);
    const char *text = "";
    for (size_t i = 0; i < json_array_size(where); i++) {
        const json_t *one = json_array_get(where, i);
        const char *variable = json_read_text(j, one, "var", JSON_NEEDED);
        double from = json_number_value(json_object_get(one, "from")),
               to = json_number_value(json_object_get(one, "to"));
        bool lower = json_is_number(json_object_get(one, "from")),
             upper = json_is_number(json_object_get(one, "to"));
        char a[NUMBER_SIZE], b[NUMBER_SIZE];
        text = arena_printf(j->arena, "%s, %s in (%s, %s]", text, variable,
                            lower ? number_digits(from, 5, a) : "-inf",
                            upper ? number_digits(to, 5, b) : "inf");
    }
    return text;
}

static void add_constant(struct live *l, const struct live_constant *old, size_t nold,
                         struct live_constant c)
{
    if (l->n == MOST_CONSTANTS)
        return;
    c.first_part = c.part;
    c.part_before = NAN;
    for (size_t i = 0; i < nold; i++)
        if (!strcmp(old[i].name, c.name)) {
            c.first_part = old[i].first_part;
            c.part_before = old[i].part;
        }
    l->list[l->n++] = c;
}

/* The constants of a fit; `old`: those of the fits before. */
static void take_fit(struct live *l, struct json_reader *j, const json_t *fit, const char *of,
                     const struct live_constant *old, size_t nold)
{
    const json_t *constants = json_read_list(j, fit, "constants", MOST_CONSTANTS);
    const char *observable = json_read_text(j, fit, "observable", JSON_NEEDED);
    bool clock = !strcmp(observable, "CLOCK");
    for (size_t i = 0; i < json_array_size(constants); i++) {
        const json_t *c = json_array_get(constants, i);
        const char *name = json_read_text(j, c, "name", JSON_NEEDED);
        const json_t *pieces = json_read_list(j, c, "pieces", MOST_PIECES);
        for (size_t k = 0; k < json_array_size(pieces); k++) {
            const json_t *p = json_array_get(pieces, k);
            double value = json_number_value(json_object_get(p, "value")),
                   low = json_number_value(json_object_get(p, "low")),
                   high = json_number_value(json_object_get(p, "high"));
            bool known = json_is_number(json_object_get(p, "low")) &&
                         json_is_number(json_object_get(p, "high")) && value != 0;
            add_constant(
                l, old, nold,
                (struct live_constant){
                    .name = arena_printf(j->arena, "%s%s%s%s%s", of, name, clock ? "" : " ",
                                         clock ? "" : observable, holds_for(j, p)),
                    .value = value,
                    .part = known ? (high - low) / 2 / fabs(value) : NAN});
        }
    }
}

/* ---- fitting ---- */

/* Nothing, if llac cannot fit it yet: the result prints the reason after the last round. */
static void fit_now(struct run *r, const struct run_formula *f, const char *of,
                    const struct live_constant *old, size_t nold)
{
    struct arena *a = r->arena;
    struct words w = {0};
    struct live *l = r->constants;
    const char *out = arena_printf(a, "%s/live.json", r->temporary);
    WORDS_ADD(a, &w, l->llac, "--json", "-e", arena_printf(a, "fit %s", run_subject(a, f)), "--");
    words_add_all(a, &w, &r->files);
    struct process_options o = {
        .in = PROCESS_NULL, .out = PROCESS_FILE, .out_file = out, .err = PROCESS_NULL};
    if (process_run(&w, &o) != 0)
        return;
    DIAG_LOCAL struct diag *diag = diag_create();
    struct json_reader j = {.kind = "fit", .writer = "llac", .arena = a, .diag = diag};
    json_auto_t *fit = json_read_file(&j, out);
    if (fit)
        take_fit(l, &j, fit, of, old, nold);
}

/* The experiments of one program. `of`: which program that is, where there are several; else "". */
static void fit_program(struct run *r, const char *of, const struct live_constant *old, size_t nold)
{
    for (size_t i = 0; i < r->data.nformulas && !process_signal(); i++) {
        const struct run_formula *f = &r->data.formulas[i];
        if (!f->is_counter && run_wants(r, f) && run_is_word(f->experiment))
            fit_now(r, f, of, old, nold);
    }
}

static void fit_all(struct run *r)
{
    struct live *l = r->constants;
    MEM_LOCAL struct live_constant *old = mem_alloc(MOST_CONSTANTS, sizeof *old);
    size_t nold = l->n;
    memcpy(old, l->list, nold * sizeof *old);
    l->n = 0;
    for (size_t i = 0; i < r->nprograms; i++) {
        struct run *p = r->programs[i];
        p->constants = l;
        fit_program(p, r->nprograms > 1 ? arena_printf(r->arena, "%s: ", p->name) : "", old, nold);
    }
    fit_program(r, "", old, nold);
}

/* ---- showing ---- */

/* "12 %", "0.5 %"; "100 % or more" of a constant that the data cannot tell from 0. */
static const char *percent(struct arena *a, double part)
{
    return isnan(part)         ? "? %"
           : part >= 1         ? "100 % or more"
           : 100 * part < 9.95 ? arena_printf(a, "%.1f %%", 100 * part)
                               : arena_printf(a, "%.0f %%", 100 * part);
}

static const char *least_known(struct run *r, struct arena *a, const struct run_verdict *v)
{
    const char *wanted =
        r->limits.until > 0 ? arena_printf(a, "; until %g %%", 100 * r->limits.until) : "";
    if (!v || !v->points)
        return arena_printf(a, "not enough rounds yet to tell how well the points are known%s",
                            wanted);
    return arena_printf(a, "least known point: %s, to %s%s", v->worst, percent(a, v->worst_part),
                        wanted);
}

/* The lines that the terminal has for the block. */
static size_t room(void)
{
    struct winsize size = {0};
    ioctl(2, TIOCGWINSZ, &size);
    return size.ws_row > 6 ? size.ws_row - 4u : 20;
}

static void show_block(struct run *r, struct arena *a, const struct run_verdict *v)
{
    struct live *l = r->constants;
    size_t shown = l->n < room() ? l->n : room();
    run_progress_clear(r);
    if (l->lines)
        fprintf(stderr, "\033[%uA\033[J", l->lines);
    for (size_t i = 0; i < shown; i++) {
        const struct live_constant *c = &l->list[i];
        char number[NUMBER_SIZE];
        say("  %-10s %12s \302\261 %-13s", c->name, number_digits(c->value, 4, number),
            percent(a, c->part));
        if (!isnan(c->part_before))
            say("   first %s, before %s", percent(a, c->first_part), percent(a, c->part_before));
        say("\n");
    }
    if (shown < l->n)
        say("  and %zu more\n", l->n - shown);
    say("  %s\n", least_known(r, a, v));
    l->lines = (unsigned)(shown + (shown < l->n) + 1);
}

static void show_line(struct run *r, struct arena *a, const struct run_verdict *v)
{
    struct live *l = r->constants;
    TEXT_LOCAL struct text t = text_new();
    text_printf(&t, "round %u, %s:", r->timed, limits_duration(a, r->seconds, false));
    for (size_t i = 0; i < l->n; i++) {
        char number[NUMBER_SIZE];
        text_printf(&t, " %s = %s \302\261 %s;", l->list[i].name,
                    number_digits(l->list[i].value, 4, number), percent(a, l->list[i].part));
    }
    say("%s: %s %s\n", r->self, t.s, least_known(r, a, v));
}

/* ---- when ---- */

static bool begin(struct run *r)
{
    r->constants = arena_zalloc(r->arena, 1, sizeof *r->constants);
    r->constants->llac = runtime_program(r->arena, "llac");
    if (r->constants->llac)
        return true;
    run_progress_clear(r);
    say("%s: --live needs llac, which is not in the folder of call: the rounds go on without it\n",
        r->self);
    return r->live = false;
}

void live_show(struct run *r, const struct run_verdict *judged)
{
    if ((!r->constants && !begin(r)) || (!r->files.n && !r->nprograms) || process_signal())
        return;
    struct live *l = r->constants;
    double now = run_now();
    if (l->ended > 0 && now - l->ended < fmax(0.5, WAIT * l->cost))
        return;
    struct run_verdict v = judged ? *judged : run_judge(r);
    ARENA_LOCAL struct arena *a = arena_create();
    fit_all(r);
    l->ended = run_now();
    l->cost = l->ended - now;
    if (r->progress.terminal)
        show_block(r, a, &v);
    else
        show_line(r, a, &v);
}
