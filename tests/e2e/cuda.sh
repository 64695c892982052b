# SPDX-License-Identifier: GPL-3.0-or-later
# A project of CMake's language CUDA with cll_instrument, from an installed tree: it is compiled through call cc and linked with the
# run-time, also if the regions are in a library. It runs where a device is.
. "$CLL_SOURCE/tests/e2e/setup.sh"
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || skip "no nvcc"
cmake --install "$CLL_BUILD" --prefix "$PWD/where" >install.log || { cat install.log; fail "install"; }
mkdir project
cp "$CLL_SOURCE/examples/gpu/axpy.cu" project/
cat >project/part.cu <<'CU'
__global__ static void nothing(int) {}
void part(int n)
{
#pragma cll part CLOCK, DEVICE = part[0] + part[1]*n
    nothing<<<n, 32>>>(n);
#pragma cll end part
}
CU
printf 'void part(int n);\nint main() { part(3); }\n' >project/main.cpp
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(kernels CXX CUDA)
find_package(cll REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 90)
add_executable(axpy axpy.cu)
cll_instrument(axpy)
foreach(type STATIC OBJECT)
  add_library(part_${type} ${type} part.cu)
  cll_instrument(part_${type})
  add_executable(with_${type} main.cpp)
  target_link_libraries(with_${type} PRIVATE part_${type})
endforeach()
CMAKE
cmake -G Ninja -S project -B built -DCMAKE_CUDA_COMPILER="$(command -v nvcc)" -DCMAKE_PREFIX_PATH="$PWD/where" >cmake.log 2>&1 &&
    cmake --build built >>cmake.log 2>&1 || { cat cmake.log; fail "the CUDA project does not build"; }
for program in axpy with_STATIC with_OBJECT; do
    nm "built/$program" >symbols
    has symbols ' T __wrap_cudaLaunchKernel$'
    readelf -d "built/$program" >needs
    has needs 'libcll\.so'
done
CLL_OUT=$PWD/part.dat built/with_STATIC # without a device the launch fails, and the region is measured
has_text part.dat "# experiment: part"
built/axpy 65536 >out 2>err || {
    has err 'there is no device of CUDA'
    finish
}
has out right
finish
