/* SPDX-License-Identifier: MIT */
/*
 * The driver of OpenCL programs. This archive defines the functions of OpenCL that give work to a queue;
 * the program's own definitions come before those of libOpenCL, also for calls from shared libraries. Each
 * calls the one of libOpenCL with an event, and libcll asks the event for its times later. The events that
 * the program asks for are the program's: they are retained here, and nothing else is done to them.
 *
 * Queues are made with profiling. A queue that was made elsewhere has no times: they stay unknown.
 *
 * The types are those of CL/cl.h, which need not be there when CALL is built.
 */
#define _GNU_SOURCE
#include <cll_device.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object *handle; /* a queue, a kernel, an event, ... */
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;

enum {
    QUEUE_DEVICE = 0x1091,
    QUEUE_PROPERTIES = 0x1093,
    EVENT_STATUS = 0x11D3,
    PROFILING_START = 0x1282,
    PROFILING_END = 0x1283,
    DEVICE_TYPE = 0x1000,
    DEVICE_TYPE_CPU = 2,
    DEVICE_COMPUTE_UNITS = 0x1002,
    DEVICE_NAME = 0x102B,
    PROFILING_ENABLE = 2,
    MOST_PROPERTIES = 16,
    THREADS_OF_UNIT = 2048 /* of an accelerator: those of today run 1024 to 2560 */
};

/* The function of libOpenCL; null: it has none of this name. */
static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* REAL(clFinish, cl_int, (handle)): *call is that function. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type, and a list of parameters */
#define REAL(name, type, parameters)                                                               \
    static type(*call) parameters;                                                                 \
    if (!call)                                                                                     \
    call = (type(*) parameters)(uintptr_t)real(#name)
/* NOLINTEND(bugprone-macro-parentheses) */

/* ---- events */

static void release(handle event)
{
    REAL(clReleaseEvent, cl_int, (handle));
    call(event);
}

static int profiled(handle event, cl_uint what, cl_ulong *ns)
{
    REAL(clGetEventProfilingInfo, cl_int, (handle, cl_uint, size_t, void *, size_t *));
    return !call(event, what, sizeof *ns, ns, NULL);
}

/* 0: it is not done, it failed, or its queue has no profiling. */
static int time_of(handle event, cll_u64 *ns)
{
    cl_ulong start, end;
    if (!profiled(event, PROFILING_END, &end) || !profiled(event, PROFILING_START, &start))
        return 0;
    *ns = end > start ? end - start : 0;
    return 1;
}

static int is_running(handle event)
{
    REAL(clGetEventInfo, cl_int, (handle, cl_uint, size_t, void *, size_t *));
    cl_int status = 0;
    return !call(event, EVENT_STATUS, sizeof status, &status, NULL) && status > 0;
}

static void wait_for(handle event)
{
    REAL(clWaitForEvents, cl_int, (cl_uint, const handle *));
    call(1, &event);
}

static enum cll_work_state ask(void *work, int wait, cll_u64 *ns)
{
    handle event = work;
    if (wait)
        wait_for(event);
    int known = time_of(event, ns);
    if (!known) {
        if (is_running(event))
            return CLL_WORK_RUNS;
        known = time_of(event, ns); /* perhaps it was done in between */
    }
    release(event);
    return known ? CLL_WORK_DONE : CLL_WORK_UNKNOWN;
}

const struct cll_work_driver cll_opencl_driver = {"OpenCL", ask};

/* ---- the device of the last launch */

static handle device_of(handle queue)
{
    REAL(clGetCommandQueueInfo, cl_int, (handle, cl_uint, size_t, void *, size_t *));
    handle device = NULL;
    return call(queue, QUEUE_DEVICE, sizeof device, &device, NULL) ? NULL : device;
}

/* A compute unit of a processor runs one work-group at a time; one of an accelerator does not tell how many threads it runs. */
struct device {
    double units, threads; /* of a unit; 0: as many as a work-group has */
};

static struct device describe(handle device)
{
    REAL(clGetDeviceInfo, cl_int, (handle, cl_uint, size_t, void *, size_t *));
    cl_uint units = 0;
    cl_ulong type = 0;
    char name[256] = "", text[400];
    if (!device || call(device, DEVICE_COMPUTE_UNITS, sizeof units, &units, NULL))
        return (struct device){0, 0};
    call(device, DEVICE_NAME, sizeof name - 1, name, NULL);
    call(device, DEVICE_TYPE, sizeof type, &type, NULL);
    snprintf(text, sizeof text, "%s, %u compute units, times by OpenCL", name, units);
    cll_work_describe(text);
    return (struct device){units, type & DEVICE_TYPE_CPU ? 0 : THREADS_OF_UNIT};
}

static void note_launch(handle queue, cl_uint dimensions, const size_t *global, const size_t *local)
{
    static __thread handle last;
    static __thread struct device device;
    double items = 1, group = 1;
    for (cl_uint i = 0; i < dimensions && global; i++) {
        items *= (double)global[i];
        group *= local ? (double)local[i] : 1;
    }
    if (queue != last)
        device = describe(device_of(queue));
    last = queue;
    cll_work_launched(items / group, group, device.units,
                      device.units * (device.threads > 0 ? device.threads : group));
}

/* ---- work */

/* The program may shut OpenCL down at its end, after the handlers that it registers later. */
static void finish_first(void)
{
    static int registered;
    if (!__atomic_load_n(&registered, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED))
        atexit(cll_work_finish);
}

/* The event for a call: the program's own, or ours. */
static handle *event_for(handle *asked, handle *own, int wanted)
{
    *own = NULL;
    return asked || !wanted ? asked : own;
}

static cl_int add(cl_int error, int wanted, handle *asked, handle own, enum cll_work_kind kind,
                  size_t bytes)
{
    handle event = asked ? *asked : own;
    if (error || !wanted)
        return error;
    if (asked) {
        REAL(clRetainEvent, cl_int, (handle));
        if (call(event))
            event = NULL;
    }
    finish_first();
    cll_work_add(&cll_opencl_driver, kind, bytes, event);
    return error;
}

/* A call with these arguments, the event last. */
#define ENQUEUE(kind, bytes, ...)                                                                  \
    handle own;                                                                                    \
    int wanted = cll_work_is_wanted();                                                             \
    cl_int error = call(__VA_ARGS__, event_for(event, &own, wanted));                              \
    return add(error, wanted, event, own, kind, bytes)

#define EXPORT __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* they are in CL/cl.h */

EXPORT cl_int clEnqueueNDRangeKernel(handle queue, handle kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint n, const handle *list,
                                     handle *event)
{
    REAL(clEnqueueNDRangeKernel, cl_int,
         (handle, handle, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
          const handle *, handle *));
    if (cll_work_is_wanted())
        note_launch(queue, dimensions, global, local);
    ENQUEUE(CLL_WORK_LAUNCH, 0, queue, kernel, dimensions, offset, global, local, n, list);
}

EXPORT cl_int clEnqueueTask(handle queue, handle kernel, cl_uint n, const handle *list,
                            handle *event)
{
    REAL(clEnqueueTask, cl_int, (handle, handle, cl_uint, const handle *, handle *));
    if (cll_work_is_wanted())
        note_launch(queue, 0, NULL, NULL);
    ENQUEUE(CLL_WORK_LAUNCH, 0, queue, kernel, n, list);
}

EXPORT cl_int clEnqueueReadBuffer(handle queue, handle buffer, cl_uint blocking, size_t offset,
                                  size_t size, void *to, cl_uint n, const handle *list,
                                  handle *event)
{
    REAL(clEnqueueReadBuffer, cl_int,
         (handle, handle, cl_uint, size_t, size_t, void *, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_OUT, size, queue, buffer, blocking, offset, size, to, n, list);
}

EXPORT cl_int clEnqueueWriteBuffer(handle queue, handle buffer, cl_uint blocking, size_t offset,
                                   size_t size, const void *from, cl_uint n, const handle *list,
                                   handle *event)
{
    REAL(
        clEnqueueWriteBuffer, cl_int,
        (handle, handle, cl_uint, size_t, size_t, const void *, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_IN, size, queue, buffer, blocking, offset, size, from, n, list);
}

static size_t volume(const size_t *region)
{
    return region ? region[0] * region[1] * region[2] : 0;
}

EXPORT cl_int clEnqueueReadBufferRect(handle queue, handle buffer, cl_uint blocking,
                                      const size_t *a, const size_t *b, const size_t *region,
                                      size_t c, size_t d, size_t e, size_t f, void *to, cl_uint n,
                                      const handle *list, handle *event)
{
    REAL(clEnqueueReadBufferRect, cl_int,
         (handle, handle, cl_uint, const size_t *, const size_t *, const size_t *, size_t, size_t,
          size_t, size_t, void *, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_OUT, volume(region), queue, buffer, blocking, a, b, region, c, d, e, f, to, n,
            list);
}

EXPORT cl_int clEnqueueWriteBufferRect(handle queue, handle buffer, cl_uint blocking,
                                       const size_t *a, const size_t *b, const size_t *region,
                                       size_t c, size_t d, size_t e, size_t f, const void *from,
                                       cl_uint n, const handle *list, handle *event)
{
    REAL(clEnqueueWriteBufferRect, cl_int,
         (handle, handle, cl_uint, const size_t *, const size_t *, const size_t *, size_t, size_t,
          size_t, size_t, const void *, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_IN, volume(region), queue, buffer, blocking, a, b, region, c, d, e, f, from, n,
            list);
}

EXPORT cl_int clEnqueueCopyBuffer(handle queue, handle from, handle to, size_t a, size_t b,
                                  size_t size, cl_uint n, const handle *list, handle *event)
{
    REAL(clEnqueueCopyBuffer, cl_int,
         (handle, handle, handle, size_t, size_t, size_t, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_ON_DEVICE, size, queue, from, to, a, b, size, n, list);
}

EXPORT cl_int clEnqueueFillBuffer(handle queue, handle buffer, const void *pattern, size_t length,
                                  size_t offset, size_t size, cl_uint n, const handle *list,
                                  handle *event)
{
    REAL(clEnqueueFillBuffer, cl_int,
         (handle, handle, const void *, size_t, size_t, size_t, cl_uint, const handle *, handle *));
    ENQUEUE(CLL_WORK_ON_DEVICE, size, queue, buffer, pattern, length, offset, size, n, list);
}

/* ---- queues, with profiling where the device allows it */

EXPORT handle clCreateCommandQueue(handle context, handle device, cl_ulong properties,
                                   cl_int *error)
{
    REAL(clCreateCommandQueue, handle, (handle, handle, cl_ulong, cl_int *));
    handle queue = call(context, device, properties | PROFILING_ENABLE, error);
    return queue ? queue : call(context, device, properties, error);
}

EXPORT handle clCreateCommandQueueWithProperties(handle context, handle device,
                                                 const cl_ulong *properties, cl_int *error)
{
    REAL(clCreateCommandQueueWithProperties, handle, (handle, handle, const cl_ulong *, cl_int *));
    cl_ulong list[MOST_PROPERTIES + 3];
    size_t n = 0, at = SIZE_MAX;
    for (; properties && properties[n] && n < MOST_PROPERTIES; n += 2) {
        list[n] = properties[n];
        list[n + 1] = properties[n + 1];
        if (properties[n] == QUEUE_PROPERTIES)
            at = n;
    }
    if (at == SIZE_MAX) {
        at = n;
        list[n] = QUEUE_PROPERTIES;
        list[n + 1] = 0;
        n += 2;
    }
    list[at + 1] |= PROFILING_ENABLE;
    list[n] = 0;
    int fits = !properties || n <= MOST_PROPERTIES + 2;
    handle queue = fits ? call(context, device, list, error) : NULL;
    return queue ? queue : call(context, device, properties, error);
}
