/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A notation as a source of supersteps (source.h). */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "obsp/notation_runner.h"

static struct runner *runner_of(struct obsp_source *source)
{
    return (struct runner *)source;
}

/* Lets the process run until it has an event or has ended. */
static bool advance(struct runner *r, struct processor *p)
{
    while (!r->failed && !p->queued && p->state != ENDED)
        if (!(p->state == WAITING ? runner_meet(r, runner_membership(p)->object)
                                  : runner_execute(r, p)))
            r->failed = true;
    return !r->failed;
}

/* The reader has gone beyond the event that it took before. */
static void forget(struct runner *r, struct processor *p)
{
    struct entry *e = &p->current;
    runner_free_exchange(e->exchange);
    mem_free(e->uses);
    r->uses -= e->nuses;
    if (e->object && e->kind == OBSP_DONE && e->object->id && --e->object->held == 0)
        runner_release_object(r, e->object);
    *e = (struct entry){.kind = OBSP_END};
}

static void describe(const struct entry *e, struct obsp_event *out)
{
    const struct exchange *x = e->exchange;
    size_t pid = (size_t)e->pid;
    *out = (struct obsp_event){.kind = e->kind,
                               .object = e->object->id,
                               .pid = e->pid,
                               .nprocs = e->object->n,
                               .step = e->step,
                               .work = e->work,
                               .uses = e->uses,
                               .nuses = e->nuses,
                               .wait = (double)NAN,
                               .transfer = (double)NAN,
                               .end = (double)NAN};
    if (!x)
        return;
    out->in = x->in[pid];
    out->out = x->out[pid];
    out->sent = x->sent[pid];
    out->received = x->received[pid];
    out->partners = x->partners + x->first[pid];
    out->partner_count = (int)(x->first[pid + 1] - x->first[pid]);
}

static bool next(struct obsp_source *source, int process, struct obsp_event *event)
{
    struct runner *r = runner_of(source);
    struct processor *p = &r->processors[process];
    *event = (struct obsp_event){
        .kind = OBSP_END, .wait = (double)NAN, .transfer = (double)NAN, .end = (double)NAN};
    forget(r, p);
    if (!advance(r, p))
        return false;
    if (!p->queued)
        return true;
    p->current = p->queue[p->head];
    p->head = (p->head + 1) % p->queue_capacity;
    p->queued--;
    r->events--;
    describe(&p->current, event);
    return true;
}

static double start(struct obsp_source *source, int process)
{
    struct runner *r = runner_of(source);
    struct processor *p = &r->processors[process];
    return advance(r, p) ? p->start : (double)NAN;
}

static const char *name(const struct obsp_source *source, unsigned object)
{
    const struct runner *r = (const struct runner *)source;
    return object < r->nobjects && r->objects[object] ? r->objects[object]->name : "?";
}

static const char *where(const struct obsp_source *source, int process)
{
    struct runner *r = (struct runner *)source;
    const struct entry *e = &r->processors[process].current;
    size_t line, column;
    if (!e->at)
        return NULL;
    source_position(&r->program->source, e->at->span.begin, &line, &column);
    text_clear(&r->where);
    text_printf(&r->where, "%s:%zu", r->program->source.name, line);
    return r->where.s;
}

static void free_processor(struct processor *p)
{
    runner_free_exchange(p->current.exchange);
    mem_free(p->current.uses);
    for (size_t k = 0; k < p->queued; k++) {
        runner_free_exchange(p->queue[(p->head + k) % p->queue_capacity].exchange);
        mem_free(p->queue[(p->head + k) % p->queue_capacity].uses);
    }
    mem_free(p->queue);
    mem_free(p->uses);
    mem_free(p->values);
    mem_free(p->by);
    mem_free(p->frames);
    mem_free(p->memberships);
}

static void free_processors(struct runner *r)
{
    for (int k = 0; k < r->source.processes; k++)
        free_processor(&r->processors[k]);
    for (size_t k = 0; k < r->nobjects; k++)
        if (r->objects[k])
            runner_release_object(r, r->objects[k]);
}

static void free_runner(struct obsp_source *source)
{
    struct runner *r = runner_of(source);
    free_processors(r);
    mem_free(r->processors);
    mem_free(r->objects);
    mem_free(r->free_ids);
    mem_free(r->columns);
    mem_free(r->given);
    mem_free(r->depends);
    text_free(&r->where);
    arena_destroy(r->program->arena);
    mem_free(r);
}

const struct notation_limits notation_limits = {.statements = 10000000,
                                                .supersteps = 10000000,
                                                .messages = 1 << 24,
                                                .values = 1 << 25,
                                                .events = 1 << 22,
                                                .fitted = 1 << 18,
                                                .uses = 1 << 22};

/* All processors at the beginning of the file. */
static void begin(struct runner *r)
{
    const struct notation_program *program = r->program;
    for (int k = 0; k < program->processes; k++) {
        struct processor *p = &r->processors[k];
        *p = (struct processor){.current = {.kind = OBSP_END}};
        p->values = mem_alloc(program->nfile + 1, sizeof *p->values);
        if (program->fitted)
            p->by = mem_zalloc(program->nfile + 1, sizeof(*p->by));
        p->nvalues = p->capacity = program->nfile;
        for (size_t v = 0; v < program->nfile; v++)
            p->values[v] = (double)NAN;
    }
    r->values = (size_t)program->processes * program->nfile;
    r->events = r->uses = 0;
    runner_create_machine(r);
}

/* What was asked of models is kept. */
static void rewind_runner(struct obsp_source *source)
{
    struct runner *r = runner_of(source);
    free_processors(r);
    r->nobjects = r->nfree = 0;
    r->failed = false;
    begin(r);
}

struct obsp_source *notation_run(const struct notation_program *program,
                                 const struct notation_limits *limits, struct diag *diag)
{
    struct runner *r = mem_zalloc(1, sizeof *r);
    r->source = (struct obsp_source){.processes = program->processes,
                                     .next = next,
                                     .name = name,
                                     .where = where,
                                     .rewind = rewind_runner,
                                     .start = start,
                                     .free = free_runner};
    r->program = program;
    r->limits = limits;
    r->diag = diag;
    text_init(&r->where);
    r->processors = mem_zalloc((size_t)program->processes, sizeof *r->processors);
    r->columns = mem_zalloc(program->most_columns + 1, sizeof *r->columns);
    r->given = mem_zalloc(program->most_columns + 1, sizeof *r->given);
    r->depends = mem_zalloc(program->most_columns + 1, sizeof(*r->depends));
    begin(r);
    return &r->source;
}

struct obsp_source *obsp_notation_open(const char *path, const struct obsp_values *values,
                                       struct diag *diag)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    int error = source_read(path, NOTATION_MAX_SIZE, &text, &size);
    if (error)
        return diag_null(diag_error(diag, "cannot read %s: %s", path,
                                    error == EFBIG
                                        ? "it has more than 1 MB, which is too long for a notation"
                                        : strerror(error)));
    struct arena *a = arena_create();
    const struct notation_program *program = notation_read(a, path, text, size, values, diag);
    if (program)
        return notation_run(program, &notation_limits, diag);
    arena_destroy(a);
    return NULL;
}
