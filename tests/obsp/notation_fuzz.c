/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a notation: no crash, no hang, and events that fit together. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "obsp/notation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_EVENTS = 2000 };

/* Models of two experiments, whose values are whatever their formulas say of them. */
static bool knows(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "A") == 0 || strcmp(name, "f") == 0;
}

static int prepare(void *user, const struct formula *f, const struct source *source,
                   struct diag *diag, const char *const **names, size_t *n)
{
    static const char *const wanted[] = {"N", "P", "i"};
    (void)user, (void)f, (void)source, (void)diag;
    *names = wanted;
    *n = 3;
    return 0;
}

static int value(void *user, struct obsp_fitted *what, struct diag *diag)
{
    (void)user;
    what->value = (double)what->formula->depth;
    for (size_t k = 0; k < what->n; k++)
        if (what->by[k] && what->values[k] != what->by[k]->value)
            abort();
        else
            what->value += what->values[k];
    if (what->value < 1000)
        return 0;
    diag_error(diag, "a value that is too large");
    return -1;
}

static const struct obsp_models models = {
    .have = "the data has A, f", .knows = knows, .prepare = prepare, .value = value};

/* A notation that computes for long is interrupted at once. */
static const volatile sig_atomic_t always = 1;

static void check(const struct obsp_source *s, const struct obsp_event *e)
{
    bool sync = e->kind == OBSP_SYNC || e->kind == OBSP_OBLSYNC;
    if (e->pid < 0 || e->pid >= e->nprocs || e->nprocs > s->processes || e->step < 1 ||
        !(e->work >= 0) || !(e->in >= 0) || !(e->out >= 0) || e->partner_count > e->received ||
        (!sync && e->received) || (e->nuses && !e->uses) ||
        (e->object == 0 && e->nprocs != s->processes) || strcmp(s->name(s, e->object), "?") == 0)
        abort();
    for (int k = 0; k < e->partner_count; k++)
        if (e->partners[k] < 0 || e->partners[k] >= e->nprocs ||
            (k && e->partners[k] <= e->partners[k - 1]))
            abort();
}

static void run(struct obsp_source *s)
{
    bool good = true;
    for (int turn = 0; good && turn < MOST_EVENTS; turn++) {
        struct obsp_event e;
        int process = turn % s->processes;
        good = s->next(s, process, &e);
        if (!good || e.kind == OBSP_END)
            continue;
        check(s, &e);
        s->where(s, process);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    interrupt_set(&always);
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    static const char *const names[] = {"P"};
    const double few = 5;
    const struct obsp_values values = {.names = names, .values = &few, .n = 1, .models = &models};
    char *text = mem_alloc(size + 1, 1);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    const struct notation_program *p = notation_read(a, "fuzz.obsp", text, size, &values, diag);
    mem_free(text);
    if (p) {
        struct obsp_source *s = notation_run(p, &notation_limits, diag);
        run(s);
        s->free(s);
    } else {
        arena_destroy(a);
    }
    diag_destroy(diag);
    return 0;
}
