/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of an OpenCL program; the queue is made without profiling, and one event is the program's own. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *text = "__kernel void add(__global float *x)"
                          "{ int i = get_global_id(0); for (int k = 0; k < 100; k++) x[i] = x[i] * 0.5f + 1; }";

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 77;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL))
        return 1;
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    size_t most = 4096, local = 64;
    float *x = calloc(most, sizeof *x);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, most * sizeof *x, NULL, NULL);
    cl_event own = NULL;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    for (size_t n = 1024; n <= most; n *= 2) {
#pragma cll step step[0] + step[1]*n
        clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, n * sizeof *x, x, 0, NULL, NULL);
#pragma cll add(grid := cll_launched.grid, block := cll_launched.block, sm := cll_launched.sm) CLOCK, DEVICE = add[0] + add[1]*n
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL);
        if (own)
            clReleaseEvent(own);
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, &own);
#pragma cll end add
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, n * sizeof *x, x, 1, &own, NULL);
#pragma cll end step
    }
#pragma cll report all
    cl_uint references = 0;
    cl_ulong end = 0;
    size_t size = 0;
    clGetEventInfo(own, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL);
    clGetEventProfilingInfo(own, CL_PROFILING_COMMAND_END, sizeof end, &end, &size);
    printf("event %d reference %u\n", (int)(size / 2), references);
    clReleaseEvent(own);
    free(x);
    return end == 0;
}
