# SPDX-License-Identifier: GPL-3.0-or-later
# make install, then a project outside of the tree: pkg-config, find_package, and call cc of the installed tree.
. "$CLL_SOURCE/tests/e2e/setup.sh"
cmake --install "$CLL_BUILD" --prefix "$PWD/first place" >install.log || { cat install.log; fail "install"; }
mv "first place" where   # an installed tree can be moved
prefix=$PWD/where
for f in bin/call bin/call-{cc,gcc,clang,mpicc,c++,g++,clang++,mpicxx,gfortran,mpifort,mpif90} bin/llac bin/cllprobe include/cll.h include/cll_clock.h include/cll_device.h include/call.h lib/libcll.a share/man/man1/call.1 share/man/man1/llac.1 share/man/man1/cllprobe.1 share/man/man7/cll.7 \
    share/{bash-completion/completions/,zsh/site-functions/_}{call,llac,cllprobe} share/fish/vendor_completions.d/{call,llac,cllprobe}.fish; do
    [ -e "$prefix/$f" ] || fail "$f is not installed"
done

docs=$(dirname "$(find "$prefix/share/doc" -name README.md -path '*/docs/*')")
! command -v python3 >/dev/null || python3 "$CLL_SOURCE/tests/e2e/links.py" "$docs/.." "$prefix"/share/man/man?/*.? || fail "links of the installed pages"

cat >region.c <<'C'
#include <cll.h>
#include <stdio.h>
int main(void)
{
    double s = 0;
    for (int n = 1000; n <= 8000; n += 1000) {
        CLL_REGION("sum", "sum[0] + sum[1]*n", n);
        for (int i = 1; i <= n; i++)
            s += 1.0 / i;
        cll_keep(s);
    }
    return s < 1;
}
C
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
"$CC" -O2 region.c $(pkg-config --cflags --libs cll) -o by_pkg_config
./by_pkg_config
has_text by_pkg_config.cll.0.dat "# experiment: sum"
"$prefix/bin/llac" -e 'fit sum' by_pkg_config.cll.0.dat >out
has_text out "sum[1]"

mkdir project
cp "$CLL_SOURCE/examples/sort.c" project/
cp region.c project/
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(outside C)
find_package(cll REQUIRED)
add_executable(region region.c)
target_link_libraries(region PRIVATE cll::cll)
add_executable(sort sort.c)
cll_instrument(sort)
CMAKE
cmake -G Ninja -S project -B outside -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 &&
    cmake --build outside >>cmake.log 2>&1 || { cat cmake.log; fail "the CMake project does not build"; }
outside/region
has_text region.cll.0.dat "# experiment: sum"
outside/sort 256 1024
has_text sort.cll.0.dat "# experiment: f"

"$prefix/bin/call" cc "$CC" -O2 project/sort.c -o direct
./direct 256 1024
has_text direct.cll.0.dat "# experiment: f"
"$prefix/bin/call" run -n 1 project/sort.c -- 256 4096 >out 2>&1 || fail "installed call run"
has_text out "f[2]"
"$prefix/bin/call-gcc" -O2 project/sort.c -o wrapped
"$prefix/bin/call" run -q -n 1 ./wrapped -- 256 4096 >out 2>&1 || fail "installed call run of a program"
has_text out "f[2]"

# cll_instrument beside plain and keyword signatures of target_link_libraries, before and after them, and for libraries
mkdir signatures
cp project/sort.c signatures/
cat >signatures/part.c <<'C'
double part(int n)
{
    double s = 0;
#pragma cll part part[0] + part[1]*n
    for (int i = 1; i <= n; i++)
        s += 1.0 / i;
#pragma cll end part
    return s;
}
C
printf 'double part(int n);\nint main(void)\n{\n    return part(1000) < 1;\n}\n' >signatures/main.c
cat >signatures/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(signatures C)
find_package(cll REQUIRED)
foreach(kind plain keyword)
  set(word)
  if(kind STREQUAL keyword)
    set(word PRIVATE)
  endif()
  add_executable(${kind}_before sort.c)
  target_link_libraries(${kind}_before ${word} m)
  cll_instrument(${kind}_before)
  add_executable(${kind}_after sort.c)
  cll_instrument(${kind}_after)
  target_link_libraries(${kind}_after ${word} m)
  foreach(type STATIC SHARED OBJECT)
    add_library(${kind}_${type} ${type} part.c)
    add_library(${kind}::${type} ALIAS ${kind}_${type})
    cll_instrument(${kind}::${type})
    add_executable(${kind}_with_${type} main.c)
    target_link_libraries(${kind}_with_${type} ${word} ${kind}::${type})
  endforeach()
endforeach()
CMAKE
cmake -G Ninja -S signatures -B signed -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 &&
    cmake --build signed >>cmake.log 2>&1 || { cat cmake.log; fail "cll_instrument with a signature"; }
for kind in plain keyword; do
    for program in before after; do
        CLL_OUT=$kind.$program.dat "signed/${kind}_$program" 256 1024 >/dev/null
        has_text "$kind.$program.dat" "# experiment: f"
    done
    for type in STATIC SHARED OBJECT; do
        CLL_OUT=$kind.$type.dat "signed/${kind}_with_$type"
        has_text "$kind.$type.dat" "# experiment: part"
    done
done
sed -i '$acll_instrument(no_such_target)' signatures/CMakeLists.txt
! cmake -S signatures -B signed >cmake.log 2>&1 || fail "a target that does not exist"
has_text cmake.log "cll_instrument: there is no target no_such_target"

# an MPI project: the piece for its MPI library is found by cll_instrument
command -v mpicc >/dev/null && [ -n "$(ls "$prefix"/lib/libcll_mpi_*.a 2>/dev/null)" ] || exit 0
mkdir parallel
cp "$CLL_SOURCE/examples/pi-mpi.c" parallel/
cat >parallel/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.21)
project(parallel C)
find_package(cll REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(pi pi-mpi.c)
target_link_libraries(pi PRIVATE MPI::MPI_C m)
cll_instrument(pi)
CMAKE
cmake -G Ninja -S parallel -B together -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 &&
    cmake --build together >>cmake.log 2>&1 || { cat cmake.log; fail "the MPI project does not build"; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 together/pi 100 400 >out 2>&1 || fail "pi"
has_text pi.cll.0.dat "# world: 2"

# an MPI project in Fortran: its objects refer only to the Fortran library of MPI, the piece of the run-time to that of C
command -v mpif90 >/dev/null && command -v gfortran >/dev/null || exit 0
mkdir fortran
cat >fortran/sum.F90 <<'F'
!$cll parallel MPI
program total
  use mpi
  implicit none
  integer :: n, ierr
  real, allocatable :: a(:), b(:)
  call MPI_Init(ierr)
  do n = 100, 400, 100
    allocate (a(n), b(n), source = 1.0)
    !$cll sync reduce reduce[0] + reduce[1]*n
    call MPI_Allreduce(a, b, n, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr)
    !$cll end reduce
    deallocate (a, b)
  end do
  call MPI_Finalize(ierr)
end program total
F
cat >fortran/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.21)
project(total Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
add_executable(total sum.F90)
target_link_libraries(total PRIVATE MPI::MPI_Fortran)
target_link_options(total PRIVATE -Wl,--as-needed) # the default of some distributions
if(MEASURE)
  find_package(cll REQUIRED)
  cll_instrument(total)
endif()
CMAKE
for way in -DMEASURE=ON "-DCMAKE_Fortran_COMPILER=$prefix/bin/call-gfortran"; do
    rm -rf numbers total.cll.0.dat
    cmake -G Ninja -S fortran -B numbers "$way" -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 &&
        cmake --build numbers >>cmake.log 2>&1 || { cat cmake.log; fail "the MPI project in Fortran does not build with $way"; }
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 numbers/total >out 2>&1 || fail "total"
    has_text total.cll.0.dat "# world: 2"
    has_text total.cll.0.dat "# experiment: reduce"
done
