/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kind of program the sources of a command are. Pragmas are those of the texts as written. A program without a
 * `parallel` is what its headers tell, as the preprocessor finds them. */
#include "call/cc/cc.h"

#include <string.h>

#include "call/cc/implied.h"
#include "call/cc/language.h"
#include "call/cc/translation.h"
#include "translate/procs.h"

void cc_program_add(struct arena *a, struct cc_program *p, const struct driver *processes,
                    bool openmp, const struct range *procs)
{
    if (processes)
        p->processes = processes;
    p->openmp |= openmp;
    if (p->procs.n && procs->n && !sweep_equal(&p->procs, procs))
        p->contradictory = true;
    if (!p->procs.n && procs->n) {
        p->procs = (struct range){arena_alloc(a, procs->n, sizeof *procs->values), procs->n};
        memcpy(p->procs.values, procs->values, procs->n * sizeof *procs->values);
    }
}

static void add_pragma(struct arena *a, struct cc_program *program, const struct pragma *p)
{
    program->pragmas++;
    if (p->kind != PRAGMA_PARALLEL)
        return;
    if (p->driver && p->driver->device) {
        program->opencl |= p->driver == driver_opencl;
        return;
    }
    program->parallel = true;
    if (p->driver)
        cc_program_add(a, program, p->driver->prefix ? p->driver : NULL, p->driver == driver_openmp,
                       &p->processes);
}

static void add_implied(struct arena *a, struct cc_program *program, const struct cc_sources *s,
                        size_t i)
{
    const struct driver *implied = translation_driver(a, &s->args, i, &s->list[i]);
    if (implied && (!program->implied || program->implied == driver_mpi))
        program->implied = implied; /* a BSP program may include mpi.h as well */
}

static void add_source(struct arena *a, struct cc_program *program, const struct translation *t)
{
    for (size_t i = 0; i < t->shadow.nfiles; i++) {
        const struct shadow_file *f = &t->shadow.files[i];
        program->opencl |= implied_device(f->path, f->text, f->size) == driver_opencl;
    }
    for (const struct pragma *p = NULL; t->unit && (p = unit_next(t->unit, p));)
        add_pragma(a, program, p);
}

struct cc_sources *cc_survey(struct arena *a, const struct words *compiler,
                             const struct words *flags, const struct words *sources,
                             struct cc_program *program)
{
    struct cc_sources *s = arena_zalloc(a, 1, sizeof *s);
    struct words w = {0};
    *program = (struct cc_program){0};
    words_add_all(a, &w, compiler);
    if (!w.n)
        words_add(a, &w, "cc");
    words_add_all(a, &w, flags);
    words_add_all(a, &w, sources);
    if (cc_args_read(a, w.list, &s->args))
        return NULL;
    s->list = arena_zalloc(a, s->args.nsources + 1, sizeof *s->list);
    for (size_t i = 0; i < s->args.nsources; i++) {
        const struct cc_source *source = &s->args.sources[i];
        program->cxx |= source->language == LANGUAGE_CXX;
        program->cuda |= source_is_cuda(source->path);
        program->fortran |= source->language == LANGUAGE_FORTRAN;
        if (!translation_read(a, &s->args, source, &s->list[i]))
            add_source(a, program, &s->list[i]);
    }
    program->language = program->fortran ? LANGUAGE_FORTRAN
                        : program->cxx   ? LANGUAGE_CXX
                                         : LANGUAGE_C;
    for (size_t i = 0; i < s->args.nsources && !program->processes; i++)
        if (s->list[i].shadow.nfiles)
            add_implied(a, program, s, i);
    return s;
}

void cc_sources_end(struct cc_sources *s)
{
    for (size_t i = 0; s && i < s->args.nsources; i++)
        translation_end(&s->list[i]);
}

/* Is source i of the command read as it was, with the same headers? The words of the survey are among those of the
 * command, in the same order. */
static bool is_same(const struct cc_args *surveyed, const struct cc_args *args, size_t i)
{
    return i < surveyed->nsources && surveyed->nfolders == args->nfolders &&
           surveyed->sources[i].language == args->sources[i].language &&
           !strcmp(surveyed->sources[i].path, args->sources[i].path);
}

int cc_sources_take(struct arena *a, const struct cc_args *args, size_t i,
                    struct cc_sources *surveyed, struct translation *out)
{
    bool taken = surveyed && is_same(&surveyed->args, args, i) && surveyed->list[i].shadow.nfiles;
    if (!taken)
        return translation_read(a, args, &args->sources[i], out);
    *out = surveyed->list[i];
    surveyed->list[i].unit = NULL;
    return 0;
}
