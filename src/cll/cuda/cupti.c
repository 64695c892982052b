/* SPDX-License-Identifier: MIT */
/*
 * CUPTI, the profiling library of CUDA, where it is installed. It tells when the device began and ended each kernel
 * and each copy, without the way of the launch to the device, and costs less than events. It also sees what shared
 * libraries launch. libcupti is loaded at the start of the program; only one tool of a process can use it, so under a
 * profiler events measure (cuda.c).
 *
 * A callback at the entry of each function of libcuda that gives work to the device, on the thread that calls it,
 * tells the number of the call, and libcll gets the work at the exit. The record of the work has the same number, and
 * comes in a buffer, on a thread of CUPTI. Calls in progress have a slot of a table, found by their number: numbers
 * grow by one with each call, so two of them share a slot only if the older one is long gone.
 */
#define _GNU_SOURCE
#include "cll/cuda/cuda.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    DOMAIN_DRIVER = 1,
    SITE_ENTER = 0,
    KIND_COPY = 1,
    KIND_FILL = 2,
    KIND_KERNEL = 10,
    KIND_GRAPH = 51,
    BUFFER_BYTES = 1 << 18,
    BUFFER_ALIGN = 8,
    SLOTS = 1 << 18,
    PATIENCE = 4096 /* asked in vain: records may be in a buffer that is not full */
};

/* ---- types of CUPTI */

struct call_data { /* CUpti_CallbackData */
    int site;
    const char *function;
    const void *parameters;
    const result *returned;
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data;
    uint32_t number;
};

struct kernel_record { /* the beginning of CUpti_ActivityKernelN */
    uint32_t kind, settings[3];
    uint64_t start, end, completed;
    uint32_t places[3], grid[3], block[3], memory[4], number;
};

struct copy_record { /* the beginning of CUpti_ActivityMemcpyN and CUpti_ActivityMemsetN */
    uint32_t kind, what;
    uint64_t bytes, start, end;
    uint32_t places[3], number;
};

struct graph_record { /* the beginning of CUpti_ActivityGraphTrace */
    uint32_t kind, number;
    uint64_t start, end;
};

static struct {
    result (*subscribe)(void **, void (*)(void *, int, uint32_t, const struct call_data *), void *);
    result (*unsubscribe)(void *);
    result (*enable_callback)(uint32_t, void *, int, uint32_t);
    result (*register_buffers)(void (*)(uint8_t **, size_t *, size_t *),
                               void (*)(void *, uint32_t, uint8_t *, size_t, size_t));
    result (*enable_kind)(int);
    result (*next_record)(uint8_t *, size_t, void **);
    result (*flush)(uint32_t);
    result (*synchronise)(void);
    result (*push)(void *);
    result (*pop)(void **);
} cupti;

/* ---- calls in progress */

enum { SLOT_FREE, SLOT_WAITS, SLOT_DONE };
struct slot {
    uint32_t number;
    uint32_t state; /* atomic */
    uint64_t ns;
    void *context;
};
static struct slot *slots;
static int measures;
static __thread struct slot *entered; /* by this thread, until its call returns */

static struct slot *slot_of(uint32_t number)
{
    return &slots[number % SLOTS];
}

/* A record may come before the call has returned. */
static void slot_take(const struct call_data *call)
{
    struct slot *slot = slot_of(call->number);
    if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) != SLOT_FREE)
        return;
    slot->number = call->number;
    slot->ns = 0;
    slot->context = call->context;
    __atomic_store_n(&slot->state, SLOT_WAITS, __ATOMIC_RELEASE);
    entered = slot;
}

static void slot_free(struct slot *slot)
{
    __atomic_store_n(&slot->state, SLOT_FREE, __ATOMIC_RELEASE);
}

static void came(uint32_t number, uint64_t start, uint64_t end)
{
    struct slot *slot = slot_of(number);
    if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == SLOT_FREE || slot->number != number)
        return; /* of no region */
    slot->ns += end > start ? end - start : 0;
    __atomic_store_n(&slot->state, SLOT_DONE, __ATOMIC_RELEASE);
}

/* ---- buffers */

static void give_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *most = 0;
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    void *record = NULL;
    (void)context;
    (void)stream;
    (void)size;
    while (valid && !cupti.next_record(buffer, valid, &record)) {
        const struct kernel_record *kernel = record;
        const struct copy_record *copy = record;
        const struct graph_record *graph = record;
        if (kernel->kind == KIND_KERNEL)
            came(kernel->number, kernel->start, kernel->end);
        else if (copy->kind == KIND_COPY || copy->kind == KIND_FILL)
            came(copy->number, copy->start, copy->end);
        else if (graph->kind == KIND_GRAPH)
            came(graph->number, graph->start, graph->end);
    }
    free(buffer);
}

/* ---- libcll asks */

static void wait_for(const struct slot *slot)
{
    void *own = NULL;
    int pushed = slot->context && !cupti.push(slot->context);
    cupti.synchronise();
    if (pushed)
        cupti.pop(&own);
    cupti.flush(0);
    if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == SLOT_WAITS)
        cupti.flush(1);
}

static enum cll_work_state ask(void *work, int wait, cll_u64 *ns)
{
    static unsigned vain; /* how often; a race costs nothing */
    struct slot *slot = work;
    unsigned state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
    if (state == SLOT_WAITS && wait)
        wait_for(slot);
    else if (state == SLOT_WAITS && ++vain % PATIENCE == 0)
        cupti.flush(0);
    state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
    if (state == SLOT_WAITS && !wait)
        return CLL_WORK_RUNS;
    *ns = slot->ns;
    slot_free(slot);
    return state == SLOT_DONE ? CLL_WORK_DONE : CLL_WORK_UNKNOWN;
}

const struct cll_work_driver cll_cupti_driver = {"CUPTI", ask};

/* ---- calls of libcuda */

enum form {
    FORM_LAUNCH,
    FORM_LAUNCH_BY,
    FORM_GRAPH,
    FORM_IN,
    FORM_OUT,
    FORM_ANY,
    FORM_2D,
    FORM_INSIDE
};

/* The numbers of the functions in cupti_driver_cbid.h, which never change, and the place of the stream among the
   words of their parameters; -1: it has none. */
/* clang-format off */
static const struct function {
    short id, stream;
    enum form form;
} functions[] = {
    {307, 5, FORM_LAUNCH},    {442, 5, FORM_LAUNCH},    {477, 5, FORM_LAUNCH}, /* cuLaunchKernel ... */
    {478, 5, FORM_LAUNCH},    {652, -1, FORM_LAUNCH_BY}, {653, -1, FORM_LAUNCH_BY},
    {514, 1, FORM_GRAPH},     {515, 1, FORM_GRAPH},
    {276, -1, FORM_IN},       {397, -1, FORM_IN},       {277, 3, FORM_IN}, /* cuMemcpyHtoD ... */
    {421, 3, FORM_IN},
    {278, -1, FORM_OUT},      {398, -1, FORM_OUT},      {279, 3, FORM_OUT}, /* cuMemcpyDtoH ... */
    {422, 3, FORM_OUT},
    {280, -1, FORM_INSIDE},   {399, -1, FORM_INSIDE},   {281, 3, FORM_INSIDE}, /* cuMemcpyDtoD ... */
    {423, 3, FORM_INSIDE},
    {305, -1, FORM_ANY},      {408, -1, FORM_ANY},      {306, 3, FORM_ANY}, /* cuMemcpy ... */
    {418, 3, FORM_ANY},
    {287, -1, FORM_2D},       {288, -1, FORM_2D},       {405, -1, FORM_2D}, /* cuMemcpy2D ... */
    {406, -1, FORM_2D},       {289, 1, FORM_2D},        {424, 1, FORM_2D},
    {249, -1, FORM_INSIDE},   {250, -1, FORM_INSIDE},   {251, -1, FORM_INSIDE}, /* cuMemsetD8 ... */
    {411, -1, FORM_INSIDE},   {412, -1, FORM_INSIDE},   {413, -1, FORM_INSIDE},
    {216, 3, FORM_INSIDE},    {218, 3, FORM_INSIDE},    {220, 3, FORM_INSIDE},
    {428, 3, FORM_INSIDE},    {429, 3, FORM_INSIDE},    {430, 3, FORM_INSIDE},
};
/* clang-format on */

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const struct function *function_of(uint32_t id)
{
    size_t i = 0;
    while (i < FUNCTIONS && (uint32_t)functions[i].id != id)
        i++;
    return i < FUNCTIONS ? &functions[i] : NULL;
}

struct
    launch_parameters { /* of cuLaunchKernel; the words of the configuration of cuLaunchKernelEx follow its first */
    void *kernel;
    unsigned grid[3], block[3], shared;
    void *stream;
};

struct copy_2d { /* CUDA_MEMCPY2D */
    size_t from_x, from_y;
    int from_type;
    const void *from_host, *from_device, *from_array;
    size_t from_pitch, to_x, to_y;
    int to_type;
    void *to_host, *to_device, *to_array;
    size_t to_pitch, width, height;
};

static const unsigned *grid_of(const struct function *f, const void *parameters)
{
    if (f->form == FORM_LAUNCH)
        return ((const struct launch_parameters *)parameters)->grid;
    return *(const unsigned *const *)parameters;
}

/* Is the work only recorded for a graph? */
static int is_captured(const struct function *f, const void *parameters)
{
    void *const *words = parameters, *stream = NULL;
    int capturing = 0;
    if (f->form == FORM_LAUNCH_BY)
        memcpy(&stream, grid_of(f, parameters) + 8, sizeof stream); /* after 7 numbers, aligned */
    else if (f->stream >= 0)
        stream = words[f->stream];
    return cll_cuda_functions()->is_capturing(stream, &capturing) || capturing;
}

static double volume(const unsigned size[3])
{
    return (double)size[0] * size[1] * size[2];
}

static int copy_kind(const struct copy_2d *c)
{
    int from_host = c->from_type == 1, to_host = c->to_type == 1;
    return from_host == to_host ? CLL_WORK_ON_DEVICE : from_host ? CLL_WORK_IN : CLL_WORK_OUT;
}

static void returned(const struct function *f, const void *parameters, struct slot *slot)
{
    void *const *words = parameters;
    cll_u64 bytes = (uintptr_t)words[2];
    int kind = CLL_WORK_LAUNCH;
    if (f->form == FORM_LAUNCH || f->form == FORM_LAUNCH_BY) {
        const unsigned *grid = grid_of(f, parameters);
        cll_cuda_launched("CUPTI", slot->context, volume(grid), volume(grid + 3));
    } else if (f->form == FORM_2D) {
        const struct copy_2d *copy = words[0];
        kind = copy_kind(copy);
        bytes = (cll_u64)copy->width * copy->height;
    } else if (f->form != FORM_GRAPH) {
        kind = f->form == FORM_IN    ? CLL_WORK_IN
               : f->form == FORM_OUT ? CLL_WORK_OUT
               : f->form == FORM_ANY ? cll_cuda_direction(words[0], words[1], 4)
                                     : CLL_WORK_ON_DEVICE;
    }
    if (kind < 0) {
        slot_free(slot);
        return;
    }
    cll_cuda_finish_first();
    cll_work_add(&cll_cupti_driver, (enum cll_work_kind)kind, bytes, slot);
}

static void on_call(void *data, int domain, uint32_t id, const struct call_data *call)
{
    const struct function *f = domain == DOMAIN_DRIVER ? function_of(id) : NULL;
    (void)data;
    if (!f)
        return;
    if (call->site == SITE_ENTER) {
        entered = NULL;
        if (cll_work_is_wanted() && !is_captured(f, call->parameters))
            slot_take(call);
        return;
    }
    struct slot *slot = entered;
    entered = NULL;
    if (!slot || slot->number != call->number)
        return;
    if (*call->returned)
        slot_free(slot);
    else
        returned(f, call->parameters, slot);
}

/* ---- start */

static void *load_cupti(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                                        "/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static int take_functions(void *library, void *libcuda)
{
#define TAKE(from, member, name)                                                                   \
    *(void **)&cupti.member = dlsym(from, name);                                                   \
    if (!cupti.member)                                                                             \
    return 0
    TAKE(library, subscribe, "cuptiSubscribe");
    TAKE(library, unsubscribe, "cuptiUnsubscribe");
    TAKE(library, enable_callback, "cuptiEnableCallback");
    TAKE(library, register_buffers, "cuptiActivityRegisterCallbacks");
    TAKE(library, enable_kind, "cuptiActivityEnable");
    TAKE(library, next_record, "cuptiActivityGetNextRecord");
    TAKE(library, flush, "cuptiActivityFlushAll");
    TAKE(libcuda, synchronise, "cuCtxSynchronize");
    TAKE(libcuda, push, "cuCtxPushCurrent_v2");
    TAKE(libcuda, pop, "cuCtxPopCurrent_v2");
#undef TAKE
    return 1;
}

static int start(void)
{
    static const int kinds[] = {KIND_KERNEL, KIND_COPY, KIND_FILL, KIND_GRAPH};
    void *subscriber, *library = load_cupti();
    if (!library || !take_functions(library, dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)))
        return 0;
    slots = calloc(SLOTS, sizeof *slots);
    if (!slots || cupti.subscribe(&subscriber, on_call, NULL))
        return 0;
    int failed = cupti.register_buffers(give_buffer, take_buffer);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !failed; i++)
        failed = cupti.enable_kind(kinds[i]);
    for (size_t i = 0; i < FUNCTIONS && !failed; i++)
        cupti.enable_callback(1, subscriber, DOMAIN_DRIVER, (uint32_t)functions[i].id);
    if (failed)
        cupti.unsubscribe(subscriber);
    return !failed;
}

int cll_cupti_measures(void)
{
    return measures;
}

/* In a program that has regions. */
__attribute__((constructor)) static void at_start(void)
{
    const char *setting = getenv("CLL_DEVICE");
    int wanted = !setting || !*setting || !strcmp(setting, "auto") || !strcmp(setting, "cupti");
    if (wanted && cll_work_add && cll_cuda_functions())
        measures = start();
}
