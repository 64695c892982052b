/* SPDX-License-Identifier: MIT */
/*
 * What translated Fortran programs call. A Fortran source cannot contain a struct cll_experiment, so
 * each region has a word, first 0, and a text that describes it. The first begin makes the descriptor
 * from the text and puts its address into the word. Two threads may do this at the same time: one of the
 * descriptors stays.
 *
 * The text has parts that end with '|': notes for `call run`, the flags, the name, the number of variables and their names,
 * the number of formulas and for each its observable and its text, the file, the lines of begin and end,
 * the flags of the compiler, the code ("HASH FILE"). The version of the compiler follows. In a part, %XX
 * is a byte.
 */
#include "cll/fortran.h"
#include "cll/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLL_FORTRAN_FORMULAS 64u /* of one experiment: PRAGMA_MAX_OBSERVABLES */

_Static_assert(sizeof(struct cll_region) <= CLL_FORTRAN_REGION, "the words of the block");
_Static_assert(sizeof(struct cll_sweep) <= 8 * sizeof(cll_u64), "the words of a sweep");

/* Called from translated sources alone: no header declares them. */
CLL_API void cll_fortran_prepare(cll_u64 *word, const char *text);
CLL_API void cll_fortran_begin(struct cll_region *region, cll_u64 *word, const char *text,
                               const double *values);
CLL_API void cll_fortran_end(struct cll_region *region, int nvars, const double *values);
CLL_API void cll_fortran_stop(struct cll_region *region);
CLL_API void cll_fortran_leave(struct cll_region *region, int nvars, const double *values);
CLL_API void cll_fortran_variable(const void *object);
CLL_API void cll_fortran_report(const char *names);
CLL_API void cll_fortran_sweep(struct cll_sweep *sweep, const char *file, int line, int shuffle);
CLL_API int cll_fortran_pass(struct cll_sweep *sweep);
CLL_API int cll_fortran_pass_in(struct cll_sweep *sweep, const struct cll_sweep *outer);
CLL_API double cll_fortran_threads(int wanted);

/* The memory of one descriptor, with its text. */
struct description {
    struct cll_experiment experiment;
    const char *vars[CLL_MAX_VARIABLES + 1];
    struct cll_site sites[2];
    char compiler[64];
    struct cll_formula *formulas;
    char *at; /* the rest of the text, while it is read */
};

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The next part, decoded in place; "" after the last one. */
static char *next_part(struct description *d)
{
    char *part = d->at, *to = part;
    while (*d->at && *d->at != '|') {
        int high = *d->at == '%' ? hexadecimal(d->at[1]) : -1;
        int low = high >= 0 ? hexadecimal(d->at[2]) : -1;
        *to++ = low >= 0 ? (char)(high * 16 + low) : *d->at;
        d->at += low >= 0 ? 3 : 1;
    }
    d->at += *d->at == '|';
    *to = '\0';
    return part;
}

static unsigned next_number(struct description *d, unsigned most)
{
    unsigned long n = strtoul(next_part(d), NULL, 10);
    return n < most ? (unsigned)n : most;
}

/* "GCC version 12.2.0" is gfortran's. */
static void set_compiler(struct description *d)
{
    static const char gcc[] = "GCC version ";
    size_t skip = strncmp(d->at, gcc, sizeof gcc - 1) ? 0 : sizeof gcc - 1;
    snprintf(d->compiler, sizeof d->compiler, "%s%.*s", skip ? "gfortran " : "",
             (int)strcspn(d->at + skip, skip ? " " : "\n"), d->at + skip);
}

static void read_text(struct description *d)
{
    struct cll_experiment *e = &d->experiment;
    e->id = CLL_NOT_REGISTERED;
    e->abi = CLL_ABI;
    next_part(d); /* the notes */
    e->flags = next_number(d, UINT_MAX) | CLL_HAS_CODE;
    e->name = next_part(d);
    e->nvars = next_number(d, CLL_MAX_VARIABLES);
    e->vars = d->vars;
    for (unsigned i = 0; i < e->nvars; i++)
        d->vars[i] = next_part(d);
    unsigned formulas = next_number(d, CLL_FORTRAN_FORMULAS);
    e->formulas = d->formulas;
    for (unsigned i = 0; i < formulas; i++) {
        d->formulas[i].observable = next_part(d);
        d->formulas[i].formula = next_part(d);
    }
    e->sites = d->sites;
    d->sites[0].file = next_part(d);
    d->sites[0].begin_line = (int)next_number(d, INT_MAX);
    d->sites[0].end_line = (int)next_number(d, INT_MAX);
    e->build_flags = next_part(d);
    e->code = next_part(d);
    set_compiler(d);
    e->compiler = d->compiler;
}

/* The descriptor of the region; null if there is no memory. */
static __attribute__((noinline, cold)) struct cll_experiment *describe(cll_u64 *word,
                                                                       const char *text)
{
    size_t length = strlen(text) + 1;
    size_t formulas = (CLL_FORTRAN_FORMULAS + 1) * sizeof(struct cll_formula);
    size_t bytes = sizeof(struct description) + formulas + length;
    cll_u64 none = 0;
    struct description *d = cll_pages_new(bytes);
    if (!d)
        return NULL;
    d->formulas = (struct cll_formula *)(d + 1);
    d->at = memcpy((char *)(d + 1) + formulas, text, length);
    read_text(d);
    if (__atomic_compare_exchange_n(word, &none, (cll_u64)(uintptr_t)&d->experiment, 0,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return &d->experiment;
    cll_pages_free(d, bytes);
    return (struct cll_experiment *)(uintptr_t)none; /* that of another thread */
}

/* The descriptor is reached only through the address that is read here, so its contents are not older than
 * the address. Reading it with __ATOMIC_ACQUIRE would wait for the last record of the region (a store with
 * release), which costs more than all else of a begin on AArch64. */
CLL_INLINE struct cll_experiment *experiment_of(cll_u64 *word, const char *text)
{
    cll_u64 made = __atomic_load_n(word, __ATOMIC_RELAXED);
    return CLL_LIKELY(made) ? (struct cll_experiment *)(uintptr_t)made : describe(word, text);
}

CLL_API struct cll_experiment *cll_fortran_experiment(cll_u64 *word, const char *text)
{
    return experiment_of(word, text);
}

CLL_API void cll_fortran_prepare(cll_u64 *word, const char *text)
{
    struct cll_experiment *e = experiment_of(word, text);
    if (e)
        cll_prepare(e);
}

/* As cll_begin of cll.h, but into memory: what it stores is there before the clock is read. */
CLL_API void cll_fortran_begin(struct cll_region *region, cll_u64 *word, const char *text,
                               const double *values)
{
    struct cll_experiment *e = experiment_of(word, text);
    struct cll_thread *t = cll_self;
    (void)values; /* a parameter, so that they are computed before the clock is read */
    if (!CLL_LIKELY(e)) {
        memset(region, 0, sizeof *region);
        return;
    }
    unsigned id = __atomic_load_n(&e->id, __ATOMIC_RELAXED);
    cll_u64 seq = 0; /* gcc with -Og does not see that it is always set */
    if (!CLL_LIKELY(cll_take_number(t, id, &seq))) {
        region->start = cll_stack();
        if (!cll_begin_slow(e, region))
            return;
        t = region->thread;
        id = region->id;
        seq = region->seq;
    }
    region->thread = t;
    region->seq = seq;
    region->id = id;
    region->slow = 0;
    region->mark = 0;
    region->experiment = e;
    region->pairs = t->pairs + t->aside;
    region->start = cll_ticks();
}

CLL_API void cll_fortran_end(struct cll_region *region, int nvars, const double *values)
{
    cll_end(region, (unsigned)nvars, values);
}

/* The end of a region that computes values: the clock is read before them, except by the slow path. */
CLL_API void cll_fortran_stop(struct cll_region *region)
{
    if (CLL_LIKELY(region->thread))
        region->mark = cll_ticks();
}

CLL_API void cll_fortran_leave(struct cll_region *region, int nvars, const double *values)
{
    cll_u64 stop = region->mark;
    cll_end_at(region, (unsigned)nvars, values, &stop);
}

/* Translated sources have a call that is never executed: the compiler checks that its argument is a
 * variable. */
CLL_API void cll_fortran_variable(const void *object)
{
    (void)object;
}

CLL_API void cll_fortran_report(const char *names)
{
    cll_report(*names ? names : NULL);
}

/* ---- sweeps, whose struct cll_sweep is in words of the program ---- */

CLL_API void cll_fortran_sweep(struct cll_sweep *sweep, const char *file, int line, int shuffle)
{
    struct cll_sweep fresh = CLL_SWEEP(file, (unsigned)line, (unsigned)shuffle);
    *sweep = fresh;
}

CLL_API int cll_fortran_pass(struct cll_sweep *sweep)
{
    return cll_sweep_pass(sweep, NULL);
}

CLL_API int cll_fortran_pass_in(struct cll_sweep *sweep, const struct cll_sweep *outer)
{
    return cll_sweep_pass(sweep, outer);
}

/* ---- OpenMP ---- */

/* Functions of the program's OpenMP library, which libcll does not link. */
typedef int asked(void);
static asked *level, *active_level, *max_active_levels, *num_threads, *max_threads, *thread_limit;

CLL_API void cll_fortran_openmp(asked *a, asked *b, asked *c, asked *d, asked *e, asked *f);
CLL_API double cll_fortran_threads(int wanted);
CLL_API void cll_fortran_openmp(asked *a, asked *b, asked *c, asked *d, asked *e, asked *f)
{
    level = a;
    active_level = b;
    max_active_levels = c;
    num_threads = d;
    max_threads = e;
    __atomic_store_n(&thread_limit, f, __ATOMIC_RELEASE);
}

/* As cll_omp_threads and cll_omp_around of cll.h. wanted: -1, or that of cll_omp_around. */
CLL_API double cll_fortran_threads(int wanted)
{
    asked *limit = __atomic_load_n(&thread_limit, __ATOMIC_ACQUIRE);
    int threads;
    if (!limit)
        return 1;
    if (wanted < 0) {
        threads = num_threads(); /* 1 also outside of parallel regions */
        if (threads == 1 && !level())
            threads = max_threads();
    } else {
        threads = wanted > 0 ? wanted : max_threads();
        if (active_level() >= max_active_levels())
            threads = 1;
        if (threads > limit())
            threads = limit();
    }
    if ((unsigned)threads > __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED))
        cll_see_threads((unsigned)threads);
    return threads;
}
