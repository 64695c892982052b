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
regions_around_target_measure_the_clock() {
    # shellcheck disable=SC2086
    "$call" cc gcc -O1 $sanitize -fopenmp "$examples/axpy-target.c" -o axpy 2> err || fail "call cc"
    OMP_NUM_THREADS=1 ./axpy 65536 > out 2> err || fail "exit status"
    has out right
    is "$(grep -c '^target ' axpy.cll.0.dat)" 5
    exits 0 "$llac" -e 'fit target' axpy.cll.0.dat
}
main "$1"
