/* SPDX-License-Identifier: MIT */
/*
 * y = a*x + y with OpenCL: the kernel on the device, and the copies. Without a graphics processor, pocl executes it on the processor.
 *
 *     call run axpy-opencl.c
 *     llac -e 'fit kernel on DEVICE; fit copy on TRANSFER' axpy-opencl.cll.*.dat
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *text = "__kernel void axpy(__global float *y, __global const float *x, float a)"
                          "{ int i = get_global_id(0); y[i] += a * x[i]; }";

int main(int argc, char **argv)
{
    size_t last = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20, N = 0, local = 64;
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        fprintf(stderr, "there is no device of OpenCL\n");
        return 1;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL))
        return 1;
    cl_kernel kernel = clCreateKernel(program, "axpy", NULL);
    cl_mem x = clCreateBuffer(context, CL_MEM_READ_ONLY, last * sizeof(float), NULL, NULL);
    cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, last * sizeof(float), NULL, NULL);
    float *host = malloc(last * sizeof *host), a = 0;
    int wrong = 0;
    if (!host)
        return 1;
    for (size_t i = 0; i < last; i++)
        host[i] = (float)(i % 7);
    clEnqueueWriteBuffer(queue, y, CL_TRUE, 0, last * sizeof *host, host, 0, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof y, &y);
    clSetKernelArg(kernel, 1, sizeof x, &x);
    clSetKernelArg(kernel, 2, sizeof a, &a);

#pragma cll for (N = 4096; N <= last; N *= 2) shuffle
#pragma cll copy CLOCK, TRANSFER = copy[0] + copy[1]*N
    clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, N * sizeof *host, host, 0, NULL, NULL);
#pragma cll end copy
#pragma cll kernel(groups := cll_launched.grid) CLOCK = kernel[0]; DEVICE = kernel[0] + kernel[1]*N
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &N, &local, 0, NULL, NULL);
#pragma cll end kernel
    clFinish(queue);
#pragma cll end for

    a = 2;
    clSetKernelArg(kernel, 2, sizeof a, &a);
    clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, last * sizeof *host, host, 0, NULL, NULL);
    N = last;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &N, &local, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, y, CL_TRUE, 0, last * sizeof *host, host, 0, NULL, NULL);
    for (size_t i = 0; i < last; i++)
        wrong += host[i] != 3 * (float)(i % 7);
    free(host);
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
