# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of programs that launch kernels, with the compilers and devices that are there.
. "$CLL_SOURCE/tests/cll/setup.sh"
need "$call"
need "$llac"
examples=$CLL_SOURCE/examples/gpu

cuda_example_is_compiled_and_runs_where_a_device_is() {
    PATH=$PATH:/usr/local/cuda/bin
    need nvcc
    [ -z "$sanitize" ] || skip "nvcc takes no sanitizer"
    "$call" cc nvcc -O1 "$examples/axpy.cu" -o axpy 2> err || fail "call cc nvcc"
    nm axpy > symbols
    has symbols __wrap_cudaMemcpy
    ./axpy 65536 > out 2> err || {
        has err 'there is no device of CUDA'
        skip "the program is compiled, but there is no device of CUDA"
    }
    has out right
    has axpy.cll.0.dat '^# device: '
    exits 0 "$llac" -e 'fit kernel on DEVICE; fit waves on DEVICE; fit copy on TRANSFER' axpy.cll.0.dat
}
opencl_example_runs() {
    [ -e /usr/include/CL/cl.h ] || skip "the headers of OpenCL are not installed"
    [ -z "$sanitize" ] || skip "pocl has leaks and races of its own"
    "$call" cc gcc -O1 "$examples/axpy-opencl.c" -o axpy -lOpenCL 2> err || fail "call cc"
    POCL_CACHE_DIR=$PWD ./axpy 65536 > out 2> err || {
        has err 'there is no device of OpenCL'
        skip "there is no device of OpenCL"
    }
    has out right
    exits 0 "$llac" -e 'fit kernel on DEVICE; fit copy on TRANSFER' axpy.cll.0.dat
}
hipcc_is_a_compiler_of_cxx() {
    # what hipcc takes beyond g++, and the functions of HIP that the program calls
    mkdir -p bin hip
    cat > bin/hipcc <<'SH'
#!/bin/sh
echo "$*" >> hipcc.log
for word; do
    shift
    case $word in --offload-arch=*) ;; *) set -- "$@" "$word" ;; esac
done
exec g++ -I. "$@"
SH
    chmod +x bin/hipcc
    cat > hip/hip_runtime.h <<'H'
#define __global__
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) kernel(__VA_ARGS__)
static inline int hipDeviceSynchronize() { return 0; }
H
    cat > scale.cpp <<'C'
#include <hip/hip_runtime.h>
__global__ void scale(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}
int main()
{
    static float x[4096];
    for (int n = 1024; n <= 4096; n *= 2) {
#pragma cll scale scale[0] + scale[1]*n
        hipLaunchKernelGGL(scale, n / 64, 64, 0, 0, x, n);
        hipDeviceSynchronize();
#pragma cll end scale
    }
    return 0;
}
C
    PATH=$PWD/bin:$PATH
    exits 0 "$call" cc hipcc -O1 --offload-arch=gfx90a -c scale.cpp -o scale.o
    exits 0 "$call" cc hipcc --offload-arch=gfx90a scale.o -o scale
    has hipcc.log '--offload-arch=gfx90a'
    exits 0 ./scale
    is "$(grep -c '^scale ' scale.cll.0.dat)" 3
    lacks scale.cll.0.dat LAUNCHES
}
regions_around_target_measure_the_clock() {
    # shellcheck disable=SC2086
    "$call" cc gcc -O1 $sanitize -fopenmp "$examples/axpy-target.c" -o axpy 2> err || fail "call cc"
    OMP_NUM_THREADS=1 ./axpy 65536 > out 2> err || fail "exit status"
    has out right
    is "$(grep -c '^target ' axpy.cll.0.dat)" 5
    exits 0 "$llac" -e 'fit target' axpy.cll.0.dat
}
main "$1"
