/* SPDX-License-Identifier: MIT */
/*
 * cll.h: measure regions of a C or C++ program with the run-time libcll.
 *
 * The translator `call` writes code against this header; it can be used by hand as well:
 *
 *     #include <cll.h>
 *
 *     void sort(int *a, int n)
 *     {
 *         CLL_REGION("sort", "sort[0] + sort[1]*n*log(n)", n);
 *         work(a, n);
 *     } // the region ends where its scope ends
 *
 * Link with -lcll. When the program has ended, the samples are in PROGRAM.cll.0.dat (cll(7)).
 *
 * Rules of the whole header: nothing here returns an error, ends the program or changes errno.
 * libcll reports each trouble in one line on stderr. Where it cannot measure, it measures nothing, and
 * the program goes on. Everything may be used from any thread. The header includes no system header and needs gcc or clang. Every name starts with cll_
 * or CLL_.
 *
 * The hot path. Begin takes the next sequence number of the experiment, then reads the clock as
 * its last action. End reads the clock first, then writes one record into the buffer of the
 * calling thread. There is no lock, no allocation and no system call. Everything else (the first
 * use, a full buffer, clocks that are not counters of the processor, event counters, long
 * executions) is in functions named cll_..._slow or cll_end_full, after one branch.
 *
 * Signal handlers may have regions, and may interrupt begin and end at any instruction. Two words of
 * struct cll_thread guard begin and end: `gate` while a number is taken, `busy` while a record is
 * written. The code only stores them; it never reads a word, changes it and writes it back. A
 * handler that finds one of them taken uses the slow path, which does not touch what the handler
 * interrupted. The words hold the stack pointer: it tells later whether siglongjmp has left the
 * function that took them.
 */
#ifndef CLL_H
#define CLL_H

#pragma GCC system_header

#if !defined(__GNUC__)
#error "cll.h needs gcc or clang"
#endif

#define CLL_ABI             3  /* layout of what generated code and libcll share */
#define CLL_MAX_VARIABLES   16 /* variables of one experiment */
#define CLL_MAX_COUNTERS    8  /* counters measured in one run */
#define CLL_MAX_EXPERIMENTS 32767
/* Flags of CLL_EXPERIMENT: */
#define CLL_USES_PAPI      1u /* counters may come from PAPI */
#define CLL_PROCESSORS     2u /* the first value is P, not a variable; 0: the size of the machine */
#define CLL_OPENMP         4u /* of an OpenMP program */
#define CLL_HAS_CODE       8u /* the descriptor has the member `code`, which older ones lack */
#define CLL_DEVICE         16u /* of a program that gives work to a device (cll_device.h) */
#define CLL_NOT_REGISTERED 0xffffffffu
#define CLL_API            __attribute__((visibility("default")))
#define CLL_INLINE         static __inline__ __attribute__((always_inline, unused))
#define CLL_LIKELY(x)      __builtin_expect(!!(x), 1)
#define CLL_STRING_(x)     #x
#define CLL_STRING(x)      CLL_STRING_(x)
#define CLL_JOIN_(a, b)    a##b
#define CLL_JOIN(a, b)     CLL_JOIN_(a, b)

#ifndef CLL_BUILD_FLAGS
#define CLL_BUILD_FLAGS ""
#endif
#ifndef CLL_BUILD_CODE
#define CLL_BUILD_CODE ""
#endif

#if defined(__clang__)
#define CLL_COMPILER                                                                               \
    "clang " CLL_STRING(__clang_major__) "." CLL_STRING(__clang_minor__) "." CLL_STRING(           \
        __clang_patchlevel__)
#else
#define CLL_COMPILER                                                                               \
    "gcc " CLL_STRING(__GNUC__) "." CLL_STRING(__GNUC_MINOR__) "." CLL_STRING(__GNUC_PATCHLEVEL__)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef __UINT64_TYPE__ cll_u64;
typedef __INT64_TYPE__ cll_i64;

/* One observable of an experiment and its formula ("" when none was given). A list ends with a
   null observable. */
struct cll_formula {
    const char *observable;
    const char *formula;
};

/* One place in the source where an experiment has a region. A list ends with a null file. */
struct cll_site {
    const char *file;
    int begin_line;
    int end_line;
};

/* The description of an experiment in a translation unit. libcll copies it at the first begin and
   keeps no pointer into it: the object that holds it may be unloaded. */
struct cll_experiment {
    unsigned id; /* CLL_NOT_REGISTERED, then set by libcll */
    unsigned abi;
    unsigned nvars;
    unsigned flags;
    const char *name;
    const char *const *vars; /* nvars names, then a null pointer */
    const struct cll_formula *formulas;
    const struct cll_site *sites;
    const char *compiler;
    const char *build_flags;
    const char *code; /* "HASH FILE" of the source that was translated; "": not known */
};

/* The buffer of one thread, in memory that a forked child sees as zeros. So the child never writes
   into its parent's spool: with gate 0 begin takes the slow path, with limit 0 end does. */
struct cll_thread {
    cll_u64 *cursor; /* where the next record goes */
    cll_u64 *limit;
    cll_u64 busy;  /* 0; or the stack pointer of the end that is writing a record */
    cll_u64 pairs; /* begin/end pairs whose records went to cursor */
    cll_u64 aside; /* pairs whose records did not: of interrupting handlers, or lost */
    cll_i64 gate;  /* ids below it may be begun; negative: CLL_CLAIM of a begin in progress */
    cll_i64 open;  /* 0: the next begin is slow */
    cll_u64
        brief; /* ticks, at most CLL_MOST_BRIEF: a longer execution, or as long, has a slow end */
    void *internal;
    cll_u64 seq[]; /* per experiment: executions begun so far */
};

#define CLL_GATE_OPEN  (CLL_MAX_EXPERIMENTS + 1)
#define CLL_STACK_BITS 48
#define CLL_CLAIM(id)  ((cll_i64) ~((cll_u64)(id) << CLL_STACK_BITS | cll_stack()))

/* SimGrid's smpicc makes simulated programs, linked with libcll_smpi. All their processes are in one
   real process. Each has its own globals, but not its own thread-local variables. */
#if defined(SMPI_HELPERS_H) || defined(CLL_SMPI)
#define CLL_PER_THREAD
#define CLL_NEAR
#else
#define CLL_PER_THREAD __thread
#define CLL_NEAR       __attribute__((tls_model("initial-exec")))
#endif
/* Its name in object code tells someone who links without CALL what to do: the linker prints it. */
#define CLL_SELF_NAME "cll_link_with_call_cc_or_lcll"
extern CLL_API CLL_PER_THREAD struct cll_thread *cll_self __asm__(CLL_SELF_NAME) CLL_NEAR;

/* One open region, on the stack of the program. */
struct cll_region {
    struct cll_thread *thread; /* null: measured by the slow path, or not at all */
    cll_u64 start;             /* ticks */
    cll_u64 seq;
    cll_u64 pairs; /* of the thread, at begin */
    unsigned id;
    unsigned slow; /* thread is null: the experiment's id, or 0 */
    cll_u64 mark;  /* of the slow path */
    struct cll_experiment *experiment;
};

/* Registers the experiment if it is not registered, and begins the region; region->start is the
   caller's stack pointer. Returns 1 if the caller has only to read the clock; else 0, with *region
   begun by the slow path (or marked as not measured). */
CLL_API int cll_begin_slow(struct cll_experiment *experiment, struct cll_region *region);

/* Registers the experiment and gives this thread its buffer, which the next begin would do
   otherwise. It is called before a barrier, so that no thread is late after the barrier. */
CLL_API void cll_prepare_slow(struct cll_experiment *experiment);
CLL_INLINE void cll_prepare(struct cll_experiment *experiment)
{
    if (!CLL_LIKELY(__atomic_load_n(&experiment->id, __ATOMIC_RELAXED) < cll_self->gate))
        cll_prepare_slow(experiment);
}

/* Ends a region of the slow path. */
CLL_API void cll_end_slow(const struct cll_region *region, unsigned nvars, const double *values);

/* Ends a region of the hot path whose record the hot path does not write: the execution was long,
   the buffer is full, a field is out of range, or this end has interrupted another that is writing a
   record. region->mark is the caller's stack pointer, region->slow tells whether the caller has
   taken thread->busy. */
CLL_API void cll_end_full(const struct cll_region *region, cll_u64 now, unsigned nvars,
                          const double *values);

/* Writes the data file now, with the named experiments ("f,g"; null: all). Later reports, and the
   end of the program, write the same file again with all samples so far. Takes milliseconds. */
CLL_API void cll_report(const char *names);

/* The sweep of a `cll for` with shuffle, or of one that contains such a loop. The translator writes

       { struct cll_sweep s = CLL_SWEEP("x.c", 12, 1);
         while (cll_sweep_pass(&s, 0))
           for (INIT; CONDITION; STEP) { CLL_SWEEP_VISIT(s) { BODY } } }

   The first pass counts the iterations. Each of the next passes executes the body for one of them:
   the next one in the order of this round (CLL_RUN). The last pass executes no body, and leaves the
   variables of the loop with the values that they have after a loop without shuffle. In round 0, and
   without shuffle, there is one pass, which executes the body for every iteration in the order of
   the source. */
struct cll_sweep {
    const char *file;
    unsigned line;
    unsigned shuffle;
    unsigned stage; /* 0; then of libcll, like the others */
    unsigned at;    /* iterations begun in this pass */
    unsigned count;
    unsigned turn;   /* passes that executed the body */
    unsigned target; /* the iteration whose body this pass executes */
    cll_u64 seed;
};
#define CLL_SWEEP(file, line, shuffle)                                                             \
    {                                                                                              \
        file, line, shuffle, 0, 0, 0, 0, 0, 0                                                      \
    }
#define CLL_SWEEP_VISIT(sweep)                                                                     \
    if (cll_sweep_over(&sweep))                                                                    \
        break;                                                                                     \
    if (cll_sweep_skip(&sweep))                                                                    \
        continue;
/* Is there another pass? outer: the sweep whose body contains this one, or null; each of its
   iterations gives this one another order. */
CLL_API int cll_sweep_pass(struct cll_sweep *sweep, const struct cll_sweep *outer);
/* At the start of an iteration: is the pass over? If not: does it skip this iteration? */
CLL_API int cll_sweep_over(struct cll_sweep *sweep);
CLL_API int cll_sweep_skip(struct cll_sweep *sweep);

/* A source of counters; one object per driver, registered by cll_add_counter_driver. The set of a
   thread is opened, read and closed by that thread alone. */
struct cll_counter_driver {
    const char *name;
    /* A new, empty set for the calling thread; null with the reason if it cannot be made. */
    void *(*open)(char *reason, __SIZE_TYPE__ reason_size);
    /* Adds a counter to the set; returns its index in the values of read, or -1 with the reason,
       which is empty if the driver does not know the name. */
    int (*add)(void *set, const char *counter, char *reason, __SIZE_TYPE__ reason_size);
    /* Writes all counters of the set, in the order they were added; ~0 for one that cannot be
       read. */
    void (*read)(void *set, cll_u64 *values);
    void (*close)(void *set);
};

CLL_API void cll_add_counter_driver(const struct cll_counter_driver *driver);

/* The PAPI driver, in libcll_papi. Only programs that contain CLL_LINK_PAPI link it. */
extern const struct cll_counter_driver cll_papi_driver;
#define CLL_LINK_PAPI                                                                              \
    static const struct cll_counter_driver *const cll_papi_linked __attribute__((used, unused)) =  \
        &cll_papi_driver

/* A line about the program in its file, which `call run ./program` reads: "driver MPI", "procs 1 2
   4". It is a note of ELF that is not loaded. The text is a literal without quotes and backslashes. */
#ifdef __ELF__
#define CLL_NOTE(text)                                                                             \
    __asm__(                                                                                       \
        ".pushsection .note.cll,\"\",%note\n\t.balign 4\n\t.long 5\n\t.long 2f-1f\n\t.long 1\n\t"  \
        ".asciz \"CALL\"\n\t.balign 4\n1:\t.asciz \"" text "\"\n2:\n\t.balign 4\n\t.popsection")
#else
#define CLL_NOTE(text) extern int cll_note
#endif

/* MPI programs. These functions are in libcll_mpi_FLAVOUR, which only programs that contain
   CLL_LINK_MPI link. A machine is a pointer to an MPI_Comm; null: MPI_COMM_WORLD. sync and report are
   collective over the machine. They send no message in a communicator of the program. */
struct cll_driver;
extern const struct cll_driver cll_mpi_driver;
#define CLL_LINK_MPI                                                                               \
    static const struct cll_driver *const cll_mpi_linked __attribute__((used, unused)) =           \
        &cll_mpi_driver
/* Waits for all processes of the machine; returns their number. Before MPI_Init, after
   MPI_Finalize and for MPI_COMM_NULL it returns 0 at once. */
double cll_mpi_sync(const void *machine);
/* The number of processes of the machine, or 0; does not wait. */
double cll_mpi_processors(const void *machine);
/* cll_report for all processes of the machine: one data file, written by its first one. */
void cll_mpi_report(const char *names, const void *machine);
/* A pointer to a communicator, which may be an expression. */
#ifdef __cplusplus
#define CLL_MPI(communicator) cll_address<MPI_Comm>(communicator)
#else
#define CLL_MPI(communicator) (&(const MPI_Comm){communicator})
#endif

/* The same for PUB programs (pub.h), in libcll_pub_FLAVOUR, which needs libpub_FLAVOUR. A machine is
   a pointer to a t_bsp; null: all processors. The barrier ends no superstep and delivers no message.
   Outside of the parallel part they return 0 and do not wait. */
extern const struct cll_driver cll_pub_driver;
#define CLL_LINK_PUB                                                                               \
    static const struct cll_driver *const cll_pub_linked __attribute__((used, unused)) =           \
        &cll_pub_driver
double cll_pub_sync(const void *machine);
double cll_pub_processors(const void *machine);
void cll_pub_report(const char *names, const void *machine);
#ifdef __cplusplus
#define CLL_PUB(object) static_cast<const t_bsp *>(object)
#else
#define CLL_PUB(object) ((const t_bsp *){object})
#endif
/* Asks for a trace of the supersteps in PROGRAM.pub.trace, unless PUB_TRACE or bsplib_trace names
   another file. Called before bsplib_init. */
void cll_pub_trace(void);
#define CLL_TRACE_PUB                                                                              \
    static __attribute__((constructor, used)) void cll_pub_traced(void)                            \
    {                                                                                              \
        cll_pub_trace();                                                                           \
    }

/* CUDA and OpenCL programs. libcll_cuda and libcll_opencl see the kernels and copies that a region gives
   to a device (cll_device.h). Only programs that contain CLL_LINK_CUDA or CLL_LINK_OPENCL link them. */
struct cll_work_driver;
extern const struct cll_work_driver cll_cuda_driver;
#define CLL_LINK_CUDA                                                                              \
    static const struct cll_work_driver *const cll_cuda_linked __attribute__((used, unused)) =     \
        &cll_cuda_driver
extern const struct cll_work_driver cll_opencl_driver;
#define CLL_LINK_OPENCL                                                                            \
    static const struct cll_work_driver *const cll_opencl_linked __attribute__((used, unused)) =   \
        &cll_opencl_driver
/* The last kernel that this thread launched in a region, for values at the end of a region:
   #pragma cll f(grid := cll_launched.grid) ... */
struct cll_launched {
    double grid;  /* blocks (OpenCL: work-groups) */
    double block; /* threads (work-items) of a block */
    double sm;    /* multiprocessors (compute units) of its device */
};
extern CLL_API CLL_PER_THREAD struct cll_launched cll_launched CLL_NEAR;

/* The largest team of threads seen so far, and its setter. */
extern CLL_API unsigned cll_threads_seen;
CLL_API void cll_see_threads(unsigned threads);

/* OpenMP: the number of threads. In a parallel region it is the size of the team; outside of one, the
   size that the next team would have. cll_omp_around is for a region around a parallel construct:
   wanted is the value of its num_threads clause, 0 if it has none. Both ask the OpenMP library each
   time, before the clock is read, because only that library knows when the size changes. */
#if defined(_OPENMP)
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define CLL_DIRECT __attribute__((noplt)) /* a jump less on the way to the first clock reading */
#endif
#endif
#ifndef CLL_DIRECT
#define CLL_DIRECT
#endif
/* The names are not those of omp.h: in C++ its declarations may say that they throw nothing. */
#define CLL_OMP(name)                                                                              \
    extern int cll_##name(void) __asm__(CLL_STRING(__USER_LABEL_PREFIX__) #name) CLL_DIRECT
CLL_OMP(omp_get_level);
CLL_OMP(omp_get_active_level);
CLL_OMP(omp_get_max_active_levels);
CLL_OMP(omp_get_num_threads);
CLL_OMP(omp_get_max_threads);
CLL_OMP(omp_get_thread_limit);

CLL_INLINE double cll_omp_seen(int threads)
{
    if (!CLL_LIKELY((unsigned)threads <= __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED)))
        cll_see_threads((unsigned)threads);
    return threads;
}

CLL_INLINE double cll_omp_threads(void)
{
    int threads = cll_omp_get_num_threads(); /* 1 also outside of parallel regions */
    if (threads == 1 && !cll_omp_get_level())
        threads = cll_omp_get_max_threads();
    return cll_omp_seen(threads);
}

CLL_INLINE double cll_omp_around(int wanted)
{
    int threads = wanted > 0 ? wanted : cll_omp_get_max_threads();
    if (cll_omp_get_active_level() >= cll_omp_get_max_active_levels())
        threads = 1;
    return cll_omp_seen(threads < cll_omp_get_thread_limit() ? threads
                                                             : cll_omp_get_thread_limit());
}

CLL_INLINE int cll_omp_inside(void)
{
    return cll_omp_get_level() > 0;
}

/* A barrier of the team. */
CLL_INLINE double cll_omp_sync(void)
{
    double threads = cll_omp_threads();
#pragma omp barrier
    return threads;
}
#else
CLL_INLINE double cll_omp_threads(void)
{
    return 1;
}

CLL_INLINE double cll_omp_around(int wanted)
{
    (void)wanted;
    return 1;
}

CLL_INLINE int cll_omp_inside(void)
{
    return 0;
}

CLL_INLINE double cll_omp_sync(void)
{
    return 1;
}
#endif

/* The counter of the processor, read in program order. Without the fence, the time of a region would
   not contain a cache miss (300 ns) in the region, but would contain one just before it. */
CLL_INLINE cll_u64 cll_ticks(void)
{
#if defined(__x86_64__)
    cll_u64 low, high; /* of 32 bits: rdtsc clears the others */
    __asm__ __volatile__("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
#elif defined(__aarch64__)
    cll_u64 ticks;
    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
#else
    return 0; /* not reached: on other machines every experiment takes the slow path */
#endif
}

/* A record in the buffer, in words of 64 bits:
     0  start << 6 | level       ticks; level: the record stands for 2^level executions
     1  duration << 16 | id      ticks; never 0, written last; id bit 15: a wide record
     2  seq << 24 | nested
     then the variables as doubles, then the further observables.
   A wide record has three more words after word 2: duration, seq, nested in full. */
#define CLL_RECORD_WORDS  3
#define CLL_DURATION_BITS 48
#define CLL_SEQ_BITS      40
#define CLL_NESTED_BITS   24
/* Within so many ticks fewer than 2^CLL_NESTED_BITS pairs begin and end: no machine has four in a tick. */
#define CLL_MOST_BRIEF ((cll_u64)1 << (CLL_NESTED_BITS - 2))

CLL_INLINE cll_u64 cll_stack(void)
{
#if defined(__x86_64__)
    cll_u64 stack;
    __asm__("movq %%rsp, %0" : "=r"(stack));
    return stack;
#elif defined(__aarch64__)
    cll_u64 stack;
    __asm__("mov %0, sp" : "=r"(stack));
    return stack;
#else
    return (cll_u64)(__UINTPTR_TYPE__)__builtin_frame_address(0);
#endif
}

/* *word = cll_stack(), in one instruction where there is one. */
CLL_INLINE void cll_keep_stack(cll_u64 *word)
{
#if defined(__x86_64__)
    __asm__ __volatile__("movq %%rsp, %0" : "=m"(*word));
#else
    *word = cll_stack();
#endif
}

/* For a signal handler, the code before it has taken effect before the code after it. */
CLL_INLINE void cll_signal_fence(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Takes the next number of an experiment; 0 if only the slow path can. `open` is read after the gate
   is taken: a handler that took numbers while it interrupted a begin has set it to 0. */
CLL_INLINE int cll_take_number(struct cll_thread *t, unsigned id, cll_u64 *seq)
{
    if (!CLL_LIKELY(id < t->gate))
        return 0;
    t->gate = CLL_CLAIM(id);
    cll_signal_fence();
    if (!CLL_LIKELY(t->open))
        return 0;
    cll_signal_fence();
    *seq = t->seq[id];
    __atomic_store_n(&t->seq[id], *seq + 1, __ATOMIC_RELAXED); /* a report may read it */
    cll_signal_fence();
    t->gate = CLL_GATE_OPEN;
    return 1;
}

/* Copies for the slow paths, word by word. gcc stores neighbours as one vector if it can, and would
   make the vector on the hot path: from registers of the other kind and back, within the region. */
CLL_INLINE cll_u64 cll_apart(cll_u64 word)
{
    __asm__("" : "+r"(word));
    return word;
}

CLL_INLINE void cll_copy_region(struct cll_region *to, const struct cll_region *from)
{
    to->thread = from->thread;
    to->start = cll_apart(from->start);
    to->seq = cll_apart(from->seq);
    to->pairs = cll_apart(from->pairs);
    to->id = (unsigned)cll_apart(from->id);
    to->slow = (unsigned)cll_apart(from->slow);
    to->mark = cll_apart(from->mark);
    to->experiment = from->experiment;
}

CLL_INLINE void cll_copy_values(double *to, const double *from, unsigned n)
{
    unsigned i;
    for (i = 0; i < n; i++) {
        double value = from[i];
        __asm__("" : "+m"(value));
        to[i] = value;
    }
}

typedef double cll_stored __attribute__((__may_alias__)); /* a word of a record */

CLL_INLINE struct cll_region cll_begin(struct cll_experiment *experiment)
{
    struct cll_region r;
    struct cll_thread *t = cll_self;
    unsigned id = __atomic_load_n(&experiment->id, __ATOMIC_RELAXED);
    if (!CLL_LIKELY(cll_take_number(t, id, &r.seq))) {
        struct cll_region begun; /* a copy, so that r itself stays in registers */
        begun.start = cll_stack();
        if (!cll_begin_slow(experiment, &begun)) {
            begun.thread = 0; /* as it is: so the compiler knows that the hot end does not follow */
            return begun;
        }
        t = begun.thread;
        id = begun.id;
        r.seq = begun.seq;
    }
    r.thread = t;
    r.id = id;
    r.slow = 0;
    r.mark = 0;
    r.experiment = experiment;
    r.pairs = t->pairs + t->aside;
    r.start = cll_ticks();
    return r;
}

/* stop: the clock at the end, if it was read before; else null. */
CLL_INLINE void cll_end_at(struct cll_region *r, unsigned nvars, const double *values,
                           const cll_u64 *stop)
{
    struct cll_thread *t = r->thread;
    struct cll_region copy; /* for the slow paths, so that *r itself stays in registers */
    double copied[CLL_MAX_VARIABLES];
    cll_u64 duration;
    unsigned i, mine;
    r->thread = 0; /* a second end of the same region does nothing */
    if (!CLL_LIKELY(t)) {
        if (r->slow) {
            cll_copy_region(&copy, r);
            r->slow = 0;
            cll_copy_values(copied, values, nvars);
            cll_end_slow(&copy, nvars, copied);
        }
        return;
    }
    duration = (stop ? *stop : cll_ticks()) - r->start;
    r->slow = 0; /* as it was: so the compiler knows it where the scope is left */
    if (CLL_LIKELY(!t->busy)) {
        cll_u64 nested, pairs, *record;
        __UINTPTR_TYPE__ next;
        cll_keep_stack(&t->busy);
        cll_signal_fence();
        pairs = t->pairs;
        nested = pairs + t->aside - r->pairs;
        record = t->cursor;
        cll_signal_fence(); /* limit last: 0 in the child of a handler that forks here */
        /* as numbers: in a forked child both are null, to which nothing may be added */
        next = (__UINTPTR_TYPE__)record + (CLL_RECORD_WORDS + nvars) * sizeof *record;
        /* `nested` fits: a brief execution is too short for so many pairs. `seq` does: else brief is 0 */
        if (CLL_LIKELY(next <= (__UINTPTR_TYPE__)t->limit && duration < t->brief)) {
            record[0] = r->start << 6;
            record[2] = r->seq << CLL_NESTED_BITS | nested;
            for (i = 0; i < nvars; i++)
                ((cll_stored *)record)[CLL_RECORD_WORDS + i] = values[i];
            __atomic_store_n(&record[1], duration << 16 | r->id, __ATOMIC_RELEASE);
            t->cursor = (cll_u64 *)next;
            __atomic_store_n(&t->pairs, pairs + 1, __ATOMIC_RELAXED);
            cll_signal_fence();
            t->busy = 0;
            return;
        }
        mine = 1;
    } else {
        mine = 0;
        __asm__("" : "+r"(mine)); /* here, and not before the branch */
    }
    cll_copy_region(&copy, r);
    copy.thread = t;
    copy.slow = mine;
    copy.mark = cll_stack();
    cll_copy_values(copied, values, nvars);
    cll_end_full(&copy, r->start + duration, nvars, copied);
}

CLL_INLINE void cll_end(struct cll_region *r, unsigned nvars, const double *values)
{
    cll_end_at(r, nvars, values, 0);
}

/* Programs of `call count` are compiled with CLL_COUNTING, run under callgrind, and mark their
   regions with these functions of libcll_count. hold: what follows is the work of libcll. begin: an
   execution begins; returns its number, 0 if it is not counted; a value that is known only at the end
   is CLL_LATER. end: it ends; 0 is allowed. resume: the work of libcll is done. */
#ifdef CLL_COUNTING
void cll_count_hold(void);
cll_u64 cll_count_begin(const struct cll_experiment *experiment, unsigned nvars,
                        const double *values);
void cll_count_end(cll_u64 number, unsigned nvars, const double *values);
void cll_count_resume(void);
/* The last action of begin, so that hardly an instruction of begin is counted. */
CLL_INLINE cll_u64 *cll_count_on(cll_u64 *number, const struct cll_experiment *experiment,
                                 unsigned nvars, const double *values)
{
    *number = cll_count_begin(experiment, nvars, values);
    return number;
}
CLL_INLINE void cll_count_off(cll_u64 *number, unsigned nvars, const double *values)
{
    cll_count_end(*number, nvars, values);
    *number = 0;
}
#define CLL_COUNTED cll_u64 counted;
#define CLL_COUNT_OFF(region)                                                                      \
    cll_count_off(&(region).counted, sizeof((region).v) / sizeof(double), (region).v)
#define CLL_COUNT_RESUME(region) cll_count_resume()
#else
#define CLL_COUNTED
#define CLL_COUNT_OFF(region)    ((void)0)
#define CLL_COUNT_RESUME(region) ((void)0)
#endif

/* struct cll_region_N, cll_begin_N, cll_end_N for each number of variables N. The last parameter
   of cll_begin_N is not used: with it the argument list of CLL_BEGIN is never empty. CLL_V_N are the
   parameters of the variables, CLL_S_N the statements that store them. */
#define CLL_DEFINE(n)                                                                              \
    struct cll_region_##n {                                                                        \
        struct cll_region r;                                                                       \
        double v[n];                                                                               \
        CLL_COUNTED                                                                                \
    };                                                                                             \
    CLL_INLINE struct cll_region_##n cll_begin_##n(struct cll_experiment *cll_e,                   \
                                                   CLL_V_##n int cll_last)                         \
    {                                                                                              \
        struct cll_region_##n cll_r;                                                               \
        (void)cll_last;                                                                            \
        CLL_S_##n cll_r.r = cll_begin(cll_e);                                                      \
        return cll_r;                                                                              \
    }                                                                                              \
    CLL_INLINE void cll_end_##n(struct cll_region_##n *region)                                     \
    {                                                                                              \
        CLL_COUNT_OFF(*region);                                                                    \
        cll_end(&region->r, n, region->v);                                                         \
        CLL_COUNT_RESUME(*region);                                                                 \
    }

/* clang-format off */
#define CLL_V_0
#define CLL_V_1  CLL_V_0  double cll_v0,
#define CLL_V_2  CLL_V_1  double cll_v1,
#define CLL_V_3  CLL_V_2  double cll_v2,
#define CLL_V_4  CLL_V_3  double cll_v3,
#define CLL_V_5  CLL_V_4  double cll_v4,
#define CLL_V_6  CLL_V_5  double cll_v5,
#define CLL_V_7  CLL_V_6  double cll_v6,
#define CLL_V_8  CLL_V_7  double cll_v7,
#define CLL_V_9  CLL_V_8  double cll_v8,
#define CLL_V_10 CLL_V_9  double cll_v9,
#define CLL_V_11 CLL_V_10 double cll_v10,
#define CLL_V_12 CLL_V_11 double cll_v11,
#define CLL_V_13 CLL_V_12 double cll_v12,
#define CLL_V_14 CLL_V_13 double cll_v13,
#define CLL_V_15 CLL_V_14 double cll_v14,
#define CLL_V_16 CLL_V_15 double cll_v15,
#define CLL_S_0
#define CLL_S_1  CLL_S_0  cll_r.v[0] = cll_v0;
#define CLL_S_2  CLL_S_1  cll_r.v[1] = cll_v1;
#define CLL_S_3  CLL_S_2  cll_r.v[2] = cll_v2;
#define CLL_S_4  CLL_S_3  cll_r.v[3] = cll_v3;
#define CLL_S_5  CLL_S_4  cll_r.v[4] = cll_v4;
#define CLL_S_6  CLL_S_5  cll_r.v[5] = cll_v5;
#define CLL_S_7  CLL_S_6  cll_r.v[6] = cll_v6;
#define CLL_S_8  CLL_S_7  cll_r.v[7] = cll_v7;
#define CLL_S_9  CLL_S_8  cll_r.v[8] = cll_v8;
#define CLL_S_10 CLL_S_9  cll_r.v[9] = cll_v9;
#define CLL_S_11 CLL_S_10 cll_r.v[10] = cll_v10;
#define CLL_S_12 CLL_S_11 cll_r.v[11] = cll_v11;
#define CLL_S_13 CLL_S_12 cll_r.v[12] = cll_v12;
#define CLL_S_14 CLL_S_13 cll_r.v[13] = cll_v13;
#define CLL_S_15 CLL_S_14 cll_r.v[14] = cll_v14;
#define CLL_S_16 CLL_S_15 cll_r.v[15] = cll_v15;
CLL_DEFINE(0)  CLL_DEFINE(1) CLL_DEFINE(2) CLL_DEFINE(3) CLL_DEFINE(4) CLL_DEFINE(5)
CLL_DEFINE(6)  CLL_DEFINE(7) CLL_DEFINE(8) CLL_DEFINE(9) CLL_DEFINE(10) CLL_DEFINE(11)
CLL_DEFINE(12) CLL_DEFINE(13) CLL_DEFINE(14) CLL_DEFINE(15) CLL_DEFINE(16)
    /* clang-format on */

    /* Tells the compiler that the object at the address may be read and changed here. */
    CLL_INLINE void cll_touch(const volatile void *address)
{
    __asm__ __volatile__("" : : "r"(address) : "memory");
}

/* CLL_EXPERIMENT(fn, name, nvars, vars, formulas, sites, flags) defines fn(), which returns the
   descriptor of an experiment in this translation unit. */
#define CLL_EXPERIMENT(fn, name, nvars, vars, formulas, sites, flags)                              \
    static __attribute__((unused)) struct cll_experiment *fn(void)                                 \
    {                                                                                              \
        static struct cll_experiment cll_descriptor = {CLL_NOT_REGISTERED,                         \
                                                       CLL_ABI,                                    \
                                                       nvars,                                      \
                                                       (flags) | CLL_HAS_CODE,                     \
                                                       name,                                       \
                                                       vars,                                       \
                                                       formulas,                                   \
                                                       sites,                                      \
                                                       CLL_COMPILER,                               \
                                                       CLL_BUILD_FLAGS,                            \
                                                       CLL_BUILD_CODE};                            \
        return &cll_descriptor;                                                                    \
    }

/* CLL_BEGIN(region, experiment, n, value...): one declaration that begins a region. The region ends
   when the scope is left, in whatever way, or at CLL_END. n is a literal from 0 to 16. */
#define CLL_BEGIN(region, ...) CLL_BEGIN_(region, __VA_ARGS__, 0)
#ifdef CLL_COUNTING
#define CLL_BEGIN_(region, experiment, n, ...)                                                     \
    struct cll_region_##n region                                                                   \
        __attribute__((__cleanup__(cll_end_##n),                                                   \
                       __unused__)) = (cll_count_hold(), cll_begin_##n(experiment, __VA_ARGS__)),  \
                       *CLL_JOIN(region, _counted) __attribute__((__unused__)) =                   \
                           cll_count_on(&region.counted, experiment, n, region.v) ? &region : 0
#else
#define CLL_BEGIN_(region, experiment, n, ...)                                                     \
    struct cll_region_##n region __attribute__((__cleanup__(cll_end_##n), __unused__)) =           \
        cll_begin_##n(experiment, __VA_ARGS__)
#endif
#define CLL_END(region)                                                                            \
    (CLL_COUNT_OFF(region), cll_end(&(region).r, sizeof((region).v) / sizeof(double), (region).v), \
     CLL_COUNT_RESUME(region))

/* The value of an arithmetic expression at begin. _AT and _VIA first make the compiler forget what it
   knows about the object, so that code that depends on it cannot move out of the region. */
#ifndef __cplusplus
#define CLL_VALUE(e)           ((double)(e))
#define CLL_VALUE_AT(e)        (cll_touch(&(e)), (double)(e))
#define CLL_VALUE_VIA(base, e) (cll_touch(&(base)), (double)(e))
#else
}

template <class Machine> CLL_INLINE const void *cll_address(const Machine &machine)
{
    return __builtin_addressof(machine);
}

/* A constant is read by its value: it need not have an address, as a static const member. */
template <class Object> struct cll_constant {
    enum { is = 0 };
};
template <class Object> struct cll_constant<const Object> {
    enum { is = !__is_class(Object) };
};
template <class Object, __SIZE_TYPE__ n> struct cll_constant<const Object[n]> {
    enum { is = 0 };
};
template <class Object> struct cll_constant<const Object[]> {
    enum { is = 0 };
};

template <class Object, int is_constant = cll_constant<Object>::is> struct cll_reading {
    static __inline__ __attribute__((always_inline)) int forget(const Object &object)
    {
        cll_touch(__builtin_addressof(object));
        return 0;
    }
    static __inline__ __attribute__((always_inline)) double value(const Object &object)
    {
        forget(object);
        return static_cast<double>(object);
    }
};
template <class Object> struct cll_reading<Object, 1> {
    static __inline__ __attribute__((always_inline)) int forget(Object)
    {
        return 0;
    }
    static __inline__ __attribute__((always_inline)) double value(Object object)
    {
        return static_cast<double>(object);
    }
};

#define CLL_VALUE(e)    (static_cast<double>(e))
#define CLL_VALUE_AT(e) (cll_reading<__decltype(e)>::value(e))
#define CLL_VALUE_VIA(base, e)                                                                     \
    (cll_reading<__decltype(base)>::forget(base), cll_reading<__decltype(e)>::value(e))
#endif

/* CLL_AT_END(late, region, i, object): one declaration after that of a region, whose value i it reads from
   the object when the region ends, in whatever way. At begin that value is CLL_LATER. CLL_READ(late) reads
   it before the end of a region that ends before its scope. The reading takes no time in the region: the
   compiler knows the object, which can stay in a register. */
#define CLL_LATER __builtin_nan("")
#ifndef __cplusplus
struct cll_late {
    double *to;
    const void *from;
    int type;
};
__extension__ typedef long long cll_longest;
__extension__ typedef unsigned long long cll_ulongest;
__extension__ typedef _Bool cll_bool;

CLL_INLINE struct cll_late cll_late_of(double *to, const volatile void *from, int type)
{
    struct cll_late late;
    late.to = to;
    late.from = (const void *)(__UINTPTR_TYPE__)from; /* its contents are copied */
    late.type = type;
    return late;
}

/* CLL_TYPES(X): X(number, type) for each type that can be read; an enumeration is one of them. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 cll_int128;
__extension__ typedef unsigned __int128 cll_uint128;
#define CLL_TYPES_128(X) X(16, cll_int128) X(17, cll_uint128)
#else
#define CLL_TYPES_128(X)
#endif
/* clang-format off */
#define CLL_TYPES(X)                                                                               \
    X(1, char) X(2, signed char) X(3, unsigned char) X(4, short) X(5, unsigned short) X(6, int)    \
    X(7, unsigned) X(8, long) X(9, unsigned long) X(10, cll_longest) X(11, cll_ulongest)           \
    X(12, cll_bool) X(13, float) X(14, double) X(15, long double) CLL_TYPES_128(X)
/* clang-format on */
CLL_INLINE void cll_late_read(struct cll_late *late)
{
#define CLL_READ_TYPE(number, kind)                                                                \
    case number: {                                                                                 \
        kind value;                                                                                \
        __builtin_memcpy(&value, late->from, sizeof value);                                        \
        *late->to = (double)value;                                                                 \
        break;                                                                                     \
    }
    switch (late->type) {
        CLL_TYPES(CLL_READ_TYPE)
    default: break; /* no such type compiles */
    }
#undef CLL_READ_TYPE
}
#define CLL_IS_TYPE(number, kind)                                                                  \
    +number *__builtin_types_compatible_p(__typeof__(*cll_object), kind)
#define CLL_AT_END(late, region, i, object)                                                        \
    struct cll_late late __attribute__((__cleanup__(cll_late_read), __unused__)) = __extension__({ \
        __typeof__(object) *cll_object = &(object);                                                \
        (void)sizeof(char[(0 CLL_TYPES(CLL_IS_TYPE)) ? 1 : -1]);                                   \
        cll_late_of(&(region).v[i], cll_object, 0 CLL_TYPES(CLL_IS_TYPE));                         \
    })
#define CLL_READ(late) cll_late_read(&(late))
#else
template <class Object> struct cll_late {
    double *to;
    Object *from;
    __attribute__((always_inline)) cll_late(double *value, Object &object)
        : to(value), from(__builtin_addressof(object))
    {
    }
    __attribute__((always_inline)) void read() const
    {
        *to = static_cast<double>(*from);
    }
    __attribute__((always_inline)) ~cll_late()
    {
        read();
    }
};
#define CLL_AT_END(late, region, i, object)                                                        \
    cll_late<__typeof__(object)> late __attribute__((__unused__)) (&(region).v[i], object)
#define CLL_READ(late) (late).read()
#endif

/* CLL_EXIT(exit, region, statement...): one declaration after that of a region, which it ends when the scope is
   left, in whatever way, or at CLL_LEAVE(exit). The statements compute values from expressions of the program:
   cll_to[i] = CLL_VALUE(e);. They are executed once, after the clock was read, and only if the region is measured. The
   slow path reads its clocks and counters after them. The statements are in a function that knows the variables around
   it: a nested function of gcc, a block of clang (-fblocks), a lambda of C++.
   In C it is CLL_EXIT(exit, region, of, leaves, statement...), and the statements use pointers: a block has copies of
   variables, and a nested function does not see the private ones of OpenMP. leaves: a CLL_LEAF(leaf, x, i) for each, which
   declares the pointer to x; of: a CLL_LEAF_OF(x) for each. A block is static, so that the compiler complains if it needs a
   copy. */
CLL_INLINE int cll_is_open(const struct cll_region *r)
{
    return r->thread || r->slow;
}

CLL_INLINE cll_u64 cll_stop(const struct cll_region *r)
{
#ifdef CLL_COUNTING
    cll_count_hold();
#endif
    return r->thread ? cll_ticks() : 0;
}

/* A region that is counted ends by itself, after its marks. */
CLL_INLINE void cll_leave(struct cll_region *r, unsigned nvars, const double *values, cll_u64 stop)
{
#ifdef CLL_COUNTING
    (void)r, (void)nvars, (void)values, (void)stop;
#else
    cll_end_at(r, nvars, values, &stop);
#endif
}
#define CLL_EXIT_MEMBERS                                                                           \
    struct cll_region *r;                                                                          \
    double *to;                                                                                    \
    unsigned nvars;
#define CLL_EXIT_OF(region) &(region).r, (region).v, sizeof((region).v) / sizeof(double)
#define CLL_EXIT_BODY(exit, ...)                                                                   \
    if (cll_is_open((exit)->r)) {                                                                  \
        cll_u64 cll_stopped = cll_stop((exit)->r);                                                 \
        __VA_ARGS__                                                                                \
        cll_leave((exit)->r, (exit)->nvars, (exit)->to, cll_stopped);                              \
    }
#ifdef __cplusplus
template <class Evaluate> struct cll_exit {
    CLL_EXIT_MEMBERS
    const Evaluate &evaluate;
    __attribute__((always_inline))
    cll_exit(const Evaluate &e, struct cll_region *region, double *values, unsigned n)
        : r(region), to(values), nvars(n), evaluate(e)
    {
    }
    __attribute__((always_inline)) void leave() const
    {
        CLL_EXIT_BODY(this, evaluate(to);)
    }
    __attribute__((always_inline)) ~cll_exit()
    {
        leave();
    }
};
#define CLL_EXIT(exit, region, ...)                                                                \
    const auto exit##_evaluate = [&](double *cll_to) __attribute__((always_inline)){__VA_ARGS__};  \
    cll_exit<decltype(exit##_evaluate)> exit                                                       \
        __attribute__((__unused__)) (exit##_evaluate, CLL_EXIT_OF(region))
#define CLL_LEAVE(exit) (exit).leave()
#elif defined(__BLOCKS__)
typedef void (^cll_block)(double *to, const __UINTPTR_TYPE__ *leaves);
struct cll_exit {
    CLL_EXIT_MEMBERS
    cll_block evaluate;
    const __UINTPTR_TYPE__ *leaves;
};
/* Each block has the address of one of these, which libraries for blocks look at when they copy it. These blocks are
   never copied: no library is needed. */
#ifdef __APPLE__
#define CLL_BLOCKS
#else
#define CLL_BLOCKS                                                                                 \
    extern void *_NSConcreteGlobalBlock[32];                                                       \
    __attribute__((weak)) void *_NSConcreteGlobalBlock[32];
#endif
CLL_INLINE void cll_exit_leave(const struct cll_exit *exit)
{
    CLL_EXIT_BODY(exit, exit->evaluate(exit->to, exit->leaves);)
}
#define CLL_LEAF_OF(x)       (__UINTPTR_TYPE__) & (x),
#define CLL_LEAF(leaf, x, i) __typeof__(x) *const leaf = (__typeof__(x) *)cll_leaves[i];
#define CLL_EXIT(exit, region, of, leaves, ...)                                                    \
    const __UINTPTR_TYPE__ exit##_leaves[] = {of 0};                                               \
    static const cll_block exit##_evaluate =                                                       \
        ^(double *cll_to, const __UINTPTR_TYPE__ *cll_leaves) {                                    \
          (void)cll_leaves;                                                                        \
          leaves __VA_ARGS__                                                                       \
        };                                                                                         \
    const struct cll_exit exit __attribute__((__cleanup__(cll_exit_leave), __unused__)) = {        \
        CLL_EXIT_OF(region), exit##_evaluate, exit##_leaves}
#define CLL_LEAVE(exit) cll_exit_leave(&(exit))
#elif !defined(__clang__)
struct cll_exit {
    CLL_EXIT_MEMBERS
};
#define CLL_LEAF_OF(x)
#define CLL_LEAF(leaf, x, i) __typeof__(x) *const leaf __attribute__((__unused__)) = &(x);
#define CLL_EXIT(exit, region, of, leaves, ...)                                                    \
    leaves __extension__ __inline__                                                                \
        __attribute__((always_inline)) void exit##_leave(const struct cll_exit *cll_e)             \
    {                                                                                              \
        double *cll_to = cll_e->to;                                                                \
        CLL_EXIT_BODY(cll_e, __VA_ARGS__)                                                          \
    }                                                                                              \
    const struct cll_exit exit                                                                     \
        __attribute__((__cleanup__(exit##_leave), __unused__)) = {CLL_EXIT_OF(region)}
#define CLL_LEAVE(exit) exit##_leave(&(exit))
#else /* without blocks; the translated source complains */
#define CLL_EXIT(exit, region, ...) (void)(region)
#define CLL_LEAVE(exit)             ((void)0)
#endif
/* x is a constant of an enumeration: of a register variable, there is no pointer. */
#define CLL_LEAF_CONSTANT(x)                                                                       \
    _Static_assert(__builtin_constant_p(x),                                                        \
                   "':=' cannot read a register variable; remove the word register");

/* cll_keep(x): the compiler computes the value of x no later than here. Put it at the end of a region
   whose result the compiler could otherwise compute later, or not at all. x: any object but an
   array. */
#ifdef __cplusplus
template <class Kept> CLL_INLINE void cll_keep(const Kept &x)
{
    cll_touch(__builtin_addressof(x));
}
#define CLL_REGION_VALUE(x) CLL_VALUE_AT(x)
#else
#define cll_keep(x)                                                                                \
    do {                                                                                           \
        __typeof__(x) cll_kept = (x);                                                              \
        cll_touch(&cll_kept);                                                                      \
    } while (0)
#define CLL_REGION_VALUE(x) CLL_VALUE(x)
#endif

/* CLL_REGION(name, formula, variable...): a region without the translator, from here to the end of
   the scope; up to 8 variables, which may be any arithmetic expressions. In C, where an expression
   need not have an address, precede it by cll_touch(&n) if the region is one pure call on n.
   The name of a variable is its text, changed so that a formula can use it: v.size() becomes v.size,
   n*2 becomes n_2. CLL_VAR(name, expression) gives a variable another name. A variable that is a
   macro needs it: otherwise its name is the text that the macro expands to. */
#define CLL_VAR(name, expression) ((void)"cll:" #name, (expression))
#define CLL_REGION(name, ...)                                                                      \
    CLL_JOIN(CLL_REGION_, CLL_COUNT(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0))                    \
    (__COUNTER__, name, __VA_ARGS__, 0)
#define CLL_COUNT(formula, a, b, c, d, e, f, g, h, n, ...) n
#define CLL_LIST(...)                                      __VA_ARGS__
#define CLL_REGION_N(k, n, name, formula, names, values)                                           \
    static const char *const CLL_JOIN(cll_names_, k)[] = {CLL_LIST names};                         \
    static const struct cll_formula CLL_JOIN(cll_formulas_, k)[] = {{"CLOCK", formula}, {0, 0}};   \
    static const struct cll_site CLL_JOIN(cll_sites_, k)[] = {{__FILE__, __LINE__, __LINE__},      \
                                                              {0, 0, 0}};                          \
    static struct cll_experiment CLL_JOIN(cll_experiment_, k) = {CLL_NOT_REGISTERED,               \
                                                                 CLL_ABI,                          \
                                                                 n,                                \
                                                                 CLL_HAS_CODE,                     \
                                                                 name,                             \
                                                                 CLL_JOIN(cll_names_, k),          \
                                                                 CLL_JOIN(cll_formulas_, k),       \
                                                                 CLL_JOIN(cll_sites_, k),          \
                                                                 CLL_COMPILER,                     \
                                                                 CLL_BUILD_FLAGS,                  \
                                                                 CLL_BUILD_CODE};                  \
    CLL_BEGIN_(CLL_JOIN(cll_scope_, k), &CLL_JOIN(cll_experiment_, k), n, CLL_LIST values)
#define CLL_REGION_0(k, name, formula, last) CLL_REGION_N(k, 0, name, formula, (0), (0))
#define CLL_REGION_1(k, name, formula, a, last)                                                    \
    CLL_REGION_N(k, 1, name, formula, (#a, 0), (CLL_REGION_VALUE(a), 0))
#define CLL_REGION_2(k, name, formula, a, b, last)                                                 \
    CLL_REGION_N(k, 2, name, formula, (#a, #b, 0), (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), 0))
#define CLL_REGION_3(k, name, formula, a, b, c, last)                                              \
    CLL_REGION_N(k, 3, name, formula, (#a, #b, #c, 0),                                             \
                 (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c), 0))
#define CLL_REGION_4(k, name, formula, a, b, c, d, last)                                           \
    CLL_REGION_N(                                                                                  \
        k, 4, name, formula, (#a, #b, #c, #d, 0),                                                  \
        (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c), CLL_REGION_VALUE(d), 0))
#define CLL_REGION_5(k, name, formula, a, b, c, d, e, last)                                        \
    CLL_REGION_N(k, 5, name, formula, (#a, #b, #c, #d, #e, 0),                                     \
                 (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c),                   \
                  CLL_REGION_VALUE(d), CLL_REGION_VALUE(e), 0))
#define CLL_REGION_6(k, name, formula, a, b, c, d, e, f, last)                                     \
    CLL_REGION_N(k, 6, name, formula, (#a, #b, #c, #d, #e, #f, 0),                                 \
                 (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c),                   \
                  CLL_REGION_VALUE(d), CLL_REGION_VALUE(e), CLL_REGION_VALUE(f), 0))
#define CLL_REGION_7(k, name, formula, a, b, c, d, e, f, g, last)                                  \
    CLL_REGION_N(k, 7, name, formula, (#a, #b, #c, #d, #e, #f, #g, 0),                             \
                 (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c),                   \
                  CLL_REGION_VALUE(d), CLL_REGION_VALUE(e), CLL_REGION_VALUE(f),                   \
                  CLL_REGION_VALUE(g), 0))
#define CLL_REGION_8(k, name, formula, a, b, c, d, e, f, g, h, last)                               \
    CLL_REGION_N(k, 8, name, formula, (#a, #b, #c, #d, #e, #f, #g, #h, 0),                         \
                 (CLL_REGION_VALUE(a), CLL_REGION_VALUE(b), CLL_REGION_VALUE(c),                   \
                  CLL_REGION_VALUE(d), CLL_REGION_VALUE(e), CLL_REGION_VALUE(f),                   \
                  CLL_REGION_VALUE(g), CLL_REGION_VALUE(h), 0))

#endif
