/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device through OpenCL: the first accelerator of all platforms, or else the first device. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/gpu/device.h"

#define KERNELS(...)        static const char text[] = #__VA_ARGS__;
#define DOUBLE_KERNELS(...) static const char text_of_doubles[] = #__VA_ARGS__;
#include "probe/gpu/kernels.h"

/* What the text needs. A volatile load does not use the cache of a unit. */
static const char head[] = "#define KERNEL __kernel\n"
                           "#define GLOBAL __global\n"
                           "#define THREAD ((ulong)get_global_id(0))\n"
                           "#define THREADS ((ulong)get_global_size(0))\n"
                           "#define LOAD(p) (*(volatile __global float4 *)(p))\n"
                           "#define ATOMIC_ADD(p, v) atomic_add(p, v)\n"
                           "#define FMA_FLOAT(x, s, t) fma(x, s, t)\n"
                           "#define FMA_DOUBLE(x, s, t) fma(x, s, t)\n";
static const char head_of_doubles[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

enum { GROUP = 64, GROUPS_OF_UNIT = 32, MOST_PLATFORMS = 16 };

const char *const device_library = "OpenCL";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernels[DEVICE_KERNELS];
static cl_mem a, b, pinned_buffer;
static char *pageable, *pinned;
static size_t threads, group;

static bool find_device(void)
{
    static const cl_device_type wanted[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                            CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint n = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &n))
        return false;
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
        for (cl_uint i = 0; i < n && i < MOST_PLATFORMS; i++)
            if (clGetDeviceIDs(platforms[i], wanted[w], 1, &device, NULL) == CL_SUCCESS)
                return true;
    return false;
}

static void find_facts(struct probe_device *facts)
{
    cl_uint units = 1;
    cl_ulong memory = 0, cache = 0, doubles = 0;
    size_t most = GROUP;
    char version[80] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof facts->name, facts->name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, NULL);
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    group = most < GROUP ? most : GROUP;
    threads = units * GROUPS_OF_UNIT * group;
    if (!*facts->name)
        snprintf(facts->name, sizeof facts->name, "unknown");
    snprintf(facts->library, sizeof facts->library, "%.80s", *version ? version : "OpenCL");
    facts->memory = memory;
    facts->cache = cache;
    facts->units = (int)units;
    facts->threads = (unsigned)threads;
    facts->doubles = doubles != 0;
}

static const char *failure(const char *what, cl_int code)
{
    static char message[160];
    snprintf(message, sizeof message, "%s: OpenCL error %d", what, (int)code);
    return message;
}

static const char *make_kernels(bool doubles)
{
    static const char *const names[DEVICE_KERNELS] = {DEVICE_KERNEL_NAMES};
    const char *parts[] = {doubles ? head_of_doubles : "", head, text,
                           doubles ? text_of_doubles : ""};
    cl_int code;
    program = clCreateProgramWithSource(context, sizeof parts / sizeof *parts, parts, NULL, &code);
    if (program)
        code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    for (size_t k = 0; k < DEVICE_KERNELS && code == CL_SUCCESS; k++)
        if (k != DEVICE_FLOP_DOUBLE || doubles)
            kernels[k] = clCreateKernel(program, names[k], &code);
    return code == CL_SUCCESS ? NULL : failure("the device does not compile the kernels", code);
}

const char *device_open(struct probe_device *facts)
{
    cl_int code;
    memset(facts, 0, sizeof *facts);
    if (!find_device())
        return "OpenCL finds no device";
    find_facts(facts);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (context)
        queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        return failure("the device cannot be used", code);
    return make_kernels(facts->doubles);
}

static cl_mem make_buffer(size_t bytes, cl_int *code)
{
    cl_mem m = NULL;
    const cl_uchar zero = 0;
    if (*code == CL_SUCCESS)
        m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, code);
    if (*code == CL_SUCCESS)
        *code = clEnqueueFillBuffer(queue, m, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    return m;
}

const char *device_reserve(size_t bytes, size_t transfer)
{
    static const char few[] = "there is not enough memory; --largest sets a smaller working set";
    size_t size = bytes > transfer ? bytes : transfer;
    cl_int code = CL_SUCCESS;
    a = make_buffer(size, &code);
    b = make_buffer(size, &code);
    if (code == CL_SUCCESS)
        pinned_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, transfer,
                                       NULL, &code);
    if (code == CL_SUCCESS)
        pinned = clEnqueueMapBuffer(queue, pinned_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    transfer, 0, NULL, NULL, &code);
    pageable = malloc(transfer);
    if (code != CL_SUCCESS || !pageable)
        return code == CL_SUCCESS ? few : failure(few, code);
    memset(pageable, 0, transfer);
    memset(pinned, 0, transfer);
    return clFinish(queue) == CL_SUCCESS ? NULL : few;
}

void device_close(void)
{
    if (pinned)
        clEnqueueUnmapMemObject(queue, pinned_buffer, pinned, 0, NULL, NULL);
    if (queue)
        clFinish(queue);
    cl_mem buffers[] = {a, b, pinned_buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    for (size_t k = 0; k < DEVICE_KERNELS; k++)
        if (kernels[k])
            clReleaseKernel(kernels[k]);
    if (program)
        clReleaseProgram(program);
    if (queue)
        clReleaseCommandQueue(queue);
    if (context)
        clReleaseContext(context);
    free(pageable);
    memset(kernels, 0, sizeof kernels);
    a = b = pinned_buffer = NULL;
    pageable = pinned = NULL;
    program = NULL;
    queue = NULL;
    context = NULL;
}

static cl_int enqueue(enum device_kernel_id k, uint64_t n, uint64_t step, unsigned passes,
                      cl_event *event)
{
    bool single = device_is_single(k);
    size_t one = 1;
    cl_ulong count = n, further = step;
    cl_uint times = passes;
    cl_kernel f = kernels[k];
    if (!f || clSetKernelArg(f, 0, sizeof a, &a) || clSetKernelArg(f, 1, sizeof b, &b) ||
        clSetKernelArg(f, 2, sizeof count, &count) ||
        clSetKernelArg(f, 3, sizeof further, &further) ||
        clSetKernelArg(f, 4, sizeof times, &times))
        return CL_INVALID_KERNEL;
    return clEnqueueNDRangeKernel(queue, f, 1, NULL, single ? &one : &threads,
                                  single ? &one : &group, 0, NULL, event);
}

double device_kernel(enum device_kernel_id k, uint64_t n, uint64_t step, unsigned passes)
{
    cl_event event;
    cl_ulong begin = 0, end = 0;
    if (enqueue(k, n, step, passes, &event))
        return (double)NAN;
    cl_int code = clWaitForEvents(1, &event);
    if (code == CL_SUCCESS)
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return code == CL_SUCCESS && end > begin ? (double)(end - begin) * 1e-9 : (double)NAN;
}

int device_start(void)
{
    return enqueue(DEVICE_EMPTY, 0, 0, 0, NULL) ? -1 : 0;
}

int device_wait(void)
{
    return clFinish(queue) ? -1 : 0;
}

int device_transfer(bool to_device, bool is_pinned, size_t bytes)
{
    char *host = is_pinned ? pinned : pageable;
    cl_int code = to_device ? clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, bytes, host, 0, NULL, NULL)
                            : clEnqueueReadBuffer(queue, a, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    return code ? -1 : 0;
}
