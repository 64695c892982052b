/* SPDX-License-Identifier: MIT */
/*
 * The driver of CUDA programs. The linker's --wrap gives it the calls of libcudart that launch kernels and copy
 * (wrapped.def), in all objects and archives of the program, also with the static libcudart. (Calls inside of
 * shared libraries stay as they are; where there is CUPTI, cupti.c sees these as well.)
 *
 * Without CUPTI, an event before the call and one after it give its time. They are read later. An event takes time
 * itself: what passes between two events with nothing between them is subtracted (AROUND_WORK). The first calls of a
 * context have a third event for this, behind the second one. An event takes the time when the device comes to it: in
 * an idle stream the first one is done before the launch has reached the device. So the time contains the way of the
 * launch to the device, a few microseconds.
 *
 * Nothing is recorded in a stream that is being captured: the launch becomes part of a graph, and cudaGraphLaunch
 * launches it. Events are in a pool for each context.
 */
#define _GNU_SOURCE
#include "cll/cuda/cuda.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOT_READY = 600,
    ATTRIBUTE_MULTIPROCESSORS = 16,
    ATTRIBUTE_THREADS = 39, /* of a multiprocessor, at the same time */
    POINTER_MEMORY_TYPE = 2,
    MEMORY_OF_DEVICE = 2,
    CONTEXTS = 32,
    EMPTY_PAIRS = 16 /* of a context; the shortest one counts */
};

/* What two events add to the work between them, in empty pairs. The device also goes from the first event to the kernel:
   on H200s, a pair around a kernel that waits for 1 to 100 us takes at least 1.4 us longer than the kernel by ncu, mostly
   2.0 us; an empty pair takes 1.28 us. */
#define AROUND_WORK 1.4f

/* ---- libcuda */

static void *symbol(void *library, const char *name, const char *older)
{
    void *found = dlsym(library, name);
    return found || !older ? found : dlsym(library, older);
}

static int load(struct cuda *f)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 0;
#define TAKE(member, name, older)                                                                  \
    *(void **)&f->member = symbol(library, name, older);                                           \
    if (!f->member)                                                                                \
    return 0
    TAKE(ctx_current, "cuCtxGetCurrent", NULL);
    TAKE(ctx_device, "cuCtxGetDevice", NULL);
    TAKE(device_attribute, "cuDeviceGetAttribute", NULL);
    TAKE(device_name, "cuDeviceGetName", NULL);
    TAKE(event_create, "cuEventCreate", NULL);
    TAKE(event_record, "cuEventRecord", NULL);
    TAKE(event_wait, "cuEventSynchronize", NULL);
    TAKE(event_elapsed, "cuEventElapsedTime_v2",
         "cuEventElapsedTime"); /* the first takes 0.1 us, not 2 */
    TAKE(is_capturing, "cuStreamIsCapturing", NULL);
    TAKE(pointer_attribute, "cuPointerGetAttribute", NULL);
#undef TAKE
    return 1;
}

const struct cuda *cll_cuda_functions(void)
{
    static struct cuda functions;
    static int state; /* 0: not looked for, 1: a thread is looking, 2: there, 3: not there */
    int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (now == 0 &&
        __atomic_compare_exchange_n(&state, &now, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        now = load(&functions) ? 2 : 3;
        __atomic_store_n(&state, now, __ATOMIC_RELEASE);
    }
    while (now == 1) {
        sched_yield();
        now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    }
    return now == 2 ? &functions : NULL;
}

static int is_on_device(const struct cuda *f, const void *address)
{
    unsigned type = 0;
    return !f->pointer_attribute(&type, POINTER_MEMORY_TYPE, (uintptr_t)address) &&
           type == MEMORY_OF_DEVICE;
}

int cll_cuda_direction(const void *to, const void *from, int kind)
{
    static const int kinds[] = {-1, CLL_WORK_IN, CLL_WORK_OUT, CLL_WORK_ON_DEVICE};
    const struct cuda *f = cll_cuda_functions();
    if (kind >= 0 && kind < 4)
        return kinds[kind];
    if (!f)
        return -1;
    return kinds[is_on_device(f, to) + 2 * is_on_device(f, from)];
}

void cll_cuda_launched(const char *how, void *context, double grid, double block)
{
    static __thread void *last;
    static __thread int units, threads; /* of a unit */
    const struct cuda *f = cll_cuda_functions();
    int device;
    char name[128] = "", text[256];
    if (context != last) {
        units = threads = 0;
        if (!f->ctx_device(&device) &&
            !f->device_attribute(&units, ATTRIBUTE_MULTIPROCESSORS, device) &&
            !f->device_attribute(&threads, ATTRIBUTE_THREADS, device)) {
            f->device_name(name, sizeof name, device);
            snprintf(text, sizeof text, "%s, %d multiprocessors, times by %s", name, units, how);
            cll_work_describe(text);
        }
        last = context;
    }
    cll_work_launched(grid, block, units, (double)units * threads);
}

/* ---- events */

struct pool;
struct pair {
    void *begin, *end;
    void *behind; /* with `end` an empty pair; null: none is measured here */
    struct pool *pool;
    struct pair *next;
};

static struct pool {
    void *context;
    struct pair *free;
    unsigned empties; /* pairs that also measure an empty one */
    float empty;      /* milliseconds; the shortest so far, 0 if none is known */
} pools[CONTEXTS];
static int pools_taken; /* a lock */

static void take_pools(void)
{
    while (__atomic_exchange_n(&pools_taken, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void leave_pools(void)
{
    __atomic_store_n(&pools_taken, 0, __ATOMIC_RELEASE);
}

static struct pair *pair_new(const struct cuda *f, struct pool *pool)
{
    struct pair *pair = calloc(1, sizeof *pair);
    if (!pair || f->event_create(&pair->begin, 0) || f->event_create(&pair->end, 0)) {
        free(pair);
        return NULL;
    }
    pair->pool = pool;
    if (__atomic_fetch_add(&pool->empties, 1, __ATOMIC_RELAXED) >= EMPTY_PAIRS ||
        f->event_create(&pair->behind, 0))
        pair->behind = NULL;
    return pair;
}

/* Two events of the context; null if there are none. */
static struct pair *pair_take(const struct cuda *f, void *now)
{
    struct pool *pool = pools;
    struct pair *pair = NULL;
    take_pools();
    while (pool < pools + CONTEXTS && pool->context && pool->context != now)
        pool++;
    if (pool < pools + CONTEXTS) {
        pool->context = now;
        pair = pool->free;
        if (pair)
            pool->free = pair->next;
    }
    leave_pools();
    return pair || pool == pools + CONTEXTS ? pair : pair_new(f, pool);
}

/* Gives it back. empty: what the empty pair behind it took, in milliseconds, 0 without one; returns the shortest so
   far. */
static float pair_give(struct pair *pair, float empty)
{
    struct pool *pool = pair->pool;
    take_pools();
    if (empty > 0 && (pool->empty == 0 || empty < pool->empty))
        pool->empty = empty;
    empty = pool->empty;
    pair->next = pool->free;
    pool->free = pair;
    leave_pools();
    return empty;
}

static enum cll_work_state ask(void *work, int wait, cll_u64 *ns)
{
    const struct cuda *f = cll_cuda_functions();
    struct pair *pair = work;
    void *last = pair->behind ? pair->behind : pair->end;
    float ms = 0, empty = 0;
    if (wait && f->event_wait(last))
        return CLL_WORK_UNKNOWN; /* its kernel failed, which cuEventElapsedTime_v2 does not tell */
    result error = f->event_elapsed(&ms, pair->begin, pair->end);
    if (!error && pair->behind)
        error = f->event_elapsed(&empty, pair->end, pair->behind);
    if (error == NOT_READY)
        return CLL_WORK_RUNS;
    if (error)
        return CLL_WORK_UNKNOWN; /* the context is gone, or its last kernel failed: so are the events */

    pair->behind = NULL; /* of a few pairs: not destroyed */
    ms -= AROUND_WORK * pair_give(pair, empty);
    *ns = ms > 0 ? (cll_u64)((double)ms * 1e6 + 0.5) : 0;
    return CLL_WORK_DONE;
}

const struct cll_work_driver cll_cuda_driver = {"CUDA", ask};

/* ---- the calls */

static __thread int inside; /* of a wrapped call: libcudart may use one for another */

struct call {
    int seen; /* its regions get it */
    struct pair *pair;
    void *stream, *context;
};

#define LEGACY     ((void *)0)
#define PER_THREAD ((void *)2)

result __real_cudaFree(void *) __asm__("cudaFree") __attribute__((weak));

void cll_cuda_finish_first(void)
{
    static int registered;
    if (!__atomic_load_n(&registered, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED))
        atexit(cll_work_finish);
}

/* The context of this thread. Without one, the call would make it: it is made before the first event. */
static void *current(const struct cuda *f)
{
    void *now = NULL;
    if ((f->ctx_current(&now) || !now) && __real_cudaFree) {
        __real_cudaFree(NULL);
        if (f->ctx_current(&now))
            now = NULL;
    }
    return now;
}

static struct call call_seen(void *stream)
{
    struct call call = {0, NULL, stream, NULL};
    if (inside || !cll_work_is_wanted || !cll_work_is_wanted() || cll_cupti_measures())
        return call;
    const struct cuda *f = cll_cuda_functions();
    void *now = f ? current(f) : NULL;
    int capturing = 0;
    if (!now || f->is_capturing(stream, &capturing) || capturing)
        return call;
    inside = 1;
    call.seen = 1;
    call.context = now;
    call.pair = pair_take(f, now);
    return call;
}

/* Last of all before the call: in an idle stream, what the host does between them is a part of the time. */
static void call_record(struct call *call)
{
    const struct cuda *f = call->pair ? cll_cuda_functions() : NULL;
    if (f && f->event_record(call->pair->begin, call->stream)) {
        pair_give(call->pair, 0);
        call->pair = NULL;
    }
}

static struct call call_begin(void *stream)
{
    struct call call = call_seen(stream);
    call_record(&call);
    return call;
}

static result call_end(const struct call *call, result error, int kind, cll_u64 bytes)
{
    struct pair *pair = call->pair;
    if (!call->seen)
        return error;
    const struct cuda *f = cll_cuda_functions();
    inside = 0;
    if (pair && (error || kind < 0 || !f || f->event_record(pair->end, call->stream) ||
                 (pair->behind && f->event_record(pair->behind, call->stream)))) {
        pair_give(pair, 0);
        pair = NULL;
    }
    if (error || kind < 0)
        return error;
    cll_cuda_finish_first();
    cll_work_add(&cll_cuda_driver, (enum cll_work_kind)kind, bytes, pair);
    return error;
}

struct dim3 {
    unsigned x, y, z;
};

static void note_launch(const struct call *call, struct dim3 grid, struct dim3 block)
{
    if (call->seen)
        cll_cuda_launched("events", call->context, (double)grid.x * grid.y * grid.z,
                          (double)block.x * block.y * block.z);
}

#define WRAP(name, parameters)                                                                     \
    result __real_##name parameters __attribute__((weak));                                         \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters

/* A launch: stream 0 is another one in the functions for per-thread streams. */
#define LAUNCH(name, none)                                                                         \
    WRAP(name, (const void *kernel, struct dim3 grid, struct dim3 block, void **arguments,         \
                size_t shared, void *stream))                                                      \
    {                                                                                              \
        struct call call = call_seen(stream ? stream : (none));                                    \
        note_launch(&call, grid, block);                                                           \
        call_record(&call);                                                                        \
        return call_end(&call, __real_##name(kernel, grid, block, arguments, shared, stream),      \
                        CLL_WORK_LAUNCH, 0);                                                       \
    }
LAUNCH(__cudaLaunchKernel, LEGACY)
LAUNCH(__cudaLaunchKernel_ptsz, PER_THREAD)
LAUNCH(cudaLaunchKernel, LEGACY)
LAUNCH(cudaLaunchKernel_ptsz, PER_THREAD)
LAUNCH(cudaLaunchCooperativeKernel, LEGACY)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, PER_THREAD)

struct configuration { /* the beginning of cudaLaunchConfig_t */
    struct dim3 grid, block;
    size_t shared;
    void *stream;
};

#define LAUNCH_BY(name, none)                                                                      \
    WRAP(name, (const struct configuration *with, const void *kernel, void **arguments))           \
    {                                                                                              \
        struct call call = call_seen(with->stream ? with->stream : (none));                        \
        note_launch(&call, with->grid, with->block);                                               \
        call_record(&call);                                                                        \
        return call_end(&call, __real_##name(with, kernel, arguments), CLL_WORK_LAUNCH, 0);        \
    }
LAUNCH_BY(cudaLaunchKernelExC, LEGACY)
LAUNCH_BY(cudaLaunchKernelExC_ptsz, PER_THREAD)

#define GRAPH(name, none)                                                                          \
    WRAP(name, (void *graph, void *stream))                                                        \
    {                                                                                              \
        struct call call = call_begin(stream ? stream : (none));                                   \
        return call_end(&call, __real_##name(graph, stream), CLL_WORK_LAUNCH, 0);                  \
    }
GRAPH(cudaGraphLaunch, LEGACY)
GRAPH(cudaGraphLaunch_ptsz, PER_THREAD)

/* kind: of the copy. Asked only where the copy is measured. */
#define DIRECTION(to, from, kind) (call.seen ? cll_cuda_direction(to, from, kind) : -1)

#define COPY(name, none)                                                                           \
    WRAP(name, (void *to, const void *from, size_t bytes, int kind))                               \
    {                                                                                              \
        struct call call = call_seen(none);                                                        \
        int direction = DIRECTION(to, from, kind);                                                 \
        call_record(&call);                                                                        \
        return call_end(&call, __real_##name(to, from, bytes, kind), direction, bytes);            \
    }
COPY(cudaMemcpy, LEGACY)
COPY(cudaMemcpy_ptds, PER_THREAD)

#define COPY_ASYNC(name, none)                                                                     \
    WRAP(name, (void *to, const void *from, size_t bytes, int kind, void *stream))                 \
    {                                                                                              \
        struct call call = call_seen(stream ? stream : (none));                                    \
        int direction = DIRECTION(to, from, kind);                                                 \
        call_record(&call);                                                                        \
        return call_end(&call, __real_##name(to, from, bytes, kind, stream), direction, bytes);    \
    }
COPY_ASYNC(cudaMemcpyAsync, LEGACY)
COPY_ASYNC(cudaMemcpyAsync_ptsz, PER_THREAD)

#define COPY_2D(name, none)                                                                        \
    WRAP(name, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,      \
                size_t height, int kind))                                                          \
    {                                                                                              \
        struct call call = call_seen(none);                                                        \
        int direction = DIRECTION(to, from, kind);                                                 \
        call_record(&call);                                                                        \
        return call_end(&call, __real_##name(to, to_pitch, from, from_pitch, width, height, kind), \
                        direction, (cll_u64)width * height);                                       \
    }
COPY_2D(cudaMemcpy2D, LEGACY)
COPY_2D(cudaMemcpy2D_ptds, PER_THREAD)

#define COPY_2D_ASYNC(name, none)                                                                  \
    WRAP(name, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,      \
                size_t height, int kind, void *stream))                                            \
    {                                                                                              \
        struct call call = call_seen(stream ? stream : (none));                                    \
        int direction = DIRECTION(to, from, kind);                                                 \
        call_record(&call);                                                                        \
        return call_end(                                                                           \
            &call, __real_##name(to, to_pitch, from, from_pitch, width, height, kind, stream),     \
            direction, (cll_u64)width * height);                                                   \
    }
COPY_2D_ASYNC(cudaMemcpy2DAsync, LEGACY)
COPY_2D_ASYNC(cudaMemcpy2DAsync_ptsz, PER_THREAD)

/* A symbol is on the device; kinds of copies to and from it may be left open. */
#define COPY_TO_SYMBOL(name, none)                                                                 \
    WRAP(name, (const void *symbol, const void *from, size_t bytes, size_t offset, int kind))      \
    {                                                                                              \
        struct call call = call_begin(none);                                                       \
        return call_end(&call, __real_##name(symbol, from, bytes, offset, kind),                   \
                        kind == 3 ? CLL_WORK_ON_DEVICE : CLL_WORK_IN, bytes);                      \
    }
COPY_TO_SYMBOL(cudaMemcpyToSymbol, LEGACY)
COPY_TO_SYMBOL(cudaMemcpyToSymbol_ptds, PER_THREAD)

#define COPY_FROM_SYMBOL(name, none)                                                               \
    WRAP(name, (void *to, const void *symbol, size_t bytes, size_t offset, int kind))              \
    {                                                                                              \
        struct call call = call_begin(none);                                                       \
        return call_end(&call, __real_##name(to, symbol, bytes, offset, kind),                     \
                        kind == 3 ? CLL_WORK_ON_DEVICE : CLL_WORK_OUT, bytes);                     \
    }
COPY_FROM_SYMBOL(cudaMemcpyFromSymbol, LEGACY)
COPY_FROM_SYMBOL(cudaMemcpyFromSymbol_ptds, PER_THREAD)

#define FILL(name, none)                                                                           \
    WRAP(name, (void *to, int value, size_t bytes))                                                \
    {                                                                                              \
        struct call call = call_begin(none);                                                       \
        return call_end(&call, __real_##name(to, value, bytes), CLL_WORK_ON_DEVICE, bytes);        \
    }
FILL(cudaMemset, LEGACY)
FILL(cudaMemset_ptds, PER_THREAD)

#define FILL_ASYNC(name, none)                                                                     \
    WRAP(name, (void *to, int value, size_t bytes, void *stream))                                  \
    {                                                                                              \
        struct call call = call_begin(stream ? stream : (none));                                   \
        return call_end(&call, __real_##name(to, value, bytes, stream), CLL_WORK_ON_DEVICE,        \
                        bytes);                                                                    \
    }
FILL_ASYNC(cudaMemsetAsync, LEGACY)
FILL_ASYNC(cudaMemsetAsync_ptsz, PER_THREAD)

/* The events of the device are lost: its times are read before, and later work has new events. */
WRAP(cudaDeviceReset, (void))
{
    if (cll_work_finish)
        cll_work_finish();
    take_pools();
    memset(pools, 0, sizeof pools);
    leave_pools();
    return __real_cudaDeviceReset();
}
