# SPDX-License-Identifier: GPL-3.0-or-later
# make runtime: a C compiler and make, no CMake; a translated program links against it.
. "$CLL_SOURCE/tests/e2e/setup.sh"
mpi=true simulator=true
[ "$thorough" = yes ] || mpi=false simulator=false # the pieces for MPI and simulated programs are for make check-long
mkdir node
cp -r "$CLL_SOURCE/Makefile" "$CLL_SOURCE/cmake" "$CLL_SOURCE/src" "$CLL_SOURCE/include" node/
make -s -j2 -C node runtime RUNTIME_CC="$CC" RUNTIME_CFLAGS=-O0 RUNTIME_MPICC="$($mpi && echo mpicc)" RUNTIME_SMPICC="$($simulator && echo smpicc)" RUNTIME_NVCC="$($simulator && echo nvcc)" >log 2>&1 || { cat log; fail "make runtime"; }
cp "$CLL_SOURCE/examples/sort.c" .
"$call" sort.c
"$CC" -O2 sort.cll.c -Inode/build/runtime/include node/build/runtime/lib/libcll.a -o sort -lpthread -lm
./sort 256 1024
has_text sort.cll.0.dat "# experiment: f"
"$CC" -O2 sort.cll.c -Inode/build/runtime/include -Lnode/build/runtime/lib -lcll -Wl,-rpath,"$PWD/node/build/runtime/lib" -o shared
./shared 256 1024
has_text shared.cll.0.dat "# experiment: f"

# cllprobe, whose figures are those of the machine also with -O0
node/build/runtime/bin/cllprobe --only clock,operations --seconds 0.05 -o probe.json >out 2>err || fail "cllprobe"
has_text probe.json '"optimised": true'
"$llac" -e 'machine show probe.json' >out || fail "llac does not read the machine file"
has_text out 'fp_div'

# where there is OpenCL, a program that measures accelerators
if echo 'int main(void) { return 0; }' | "$CC" -x c -include CL/cl.h - -o /dev/null -lOpenCL 2>/dev/null; then
    exits 0 node/build/runtime/bin/cllprobe-opencl --version
fi

# where there is MPI, its piece is built, too
if $mpi && command -v mpicc >/dev/null && [ -n "$(ls node/build/runtime/lib/libcll_mpi_[om]*.a 2>/dev/null)" ]; then
    cp "$CLL_SOURCE/examples/pi-mpi.c" .
    "$call" pi-mpi.c --cc mpicc
    mpicc -O2 pi-mpi.cll.c -Inode/build/runtime/include node/build/runtime/lib/libcll_mpi_[om]*.a node/build/runtime/lib/libcll.a -o pi -lpthread -lm
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ./pi 100 400
    has_text pi.cll.0.dat "# driver: MPI"
    [ -n "$(ls node/build/runtime/bin/cllprobe-{openmpi,mpich} 2>/dev/null)" ] || fail "make runtime built no cllprobe for MPI"
    # PUB programs: libpub, and its driver
    "$call" "$CLL_SOURCE/examples/binsearch-pub.c" --cc mpicc -I "$CLL_SOURCE/include" -o search.cll.c
    mpicc -O2 search.cll.c -Inode/build/runtime/include node/build/runtime/lib/libcll_pub_[om]*.a \
        node/build/runtime/lib/libpub_[om]*.a node/build/runtime/lib/libcll.a -o search -lpthread -lm
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ./search 256 512
    has_text search.cll.0.dat "# driver: PUB"
    # and BSPlib programs
    "$call" "$CLL_SOURCE/examples/inprod-bsp.c" --cc mpicc -I "$CLL_SOURCE/include" -o inprod.cll.c
    mpicc -O2 inprod.cll.c -Inode/build/runtime/include node/build/runtime/lib/libcll_pub_[om]*.a \
        node/build/runtime/lib/libbsp_[om]*.a node/build/runtime/lib/libpub_[om]*.a node/build/runtime/lib/libcll.a -o inprod -lpthread -lm
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ./inprod
    has_text inprod.cll.0.dat "# driver: BSP"
elif $mpi && command -v mpicc >/dev/null; then
    fail "make runtime built no piece for MPI programs"
fi

# and that for simulated programs, where there is SimGrid
if $simulator && command -v smpicc >/dev/null && command -v smpirun >/dev/null; then
    "$call" "$CLL_SOURCE/examples/pi-mpi.c" --cc smpicc -o pi-sim.cll.c
    smpicc -O2 pi-sim.cll.c -Inode/build/runtime/include -Lnode/build/runtime/lib -lcll_mpi_smpi -lcll_smpi -o pi-sim -lm
    smpirun -quiet -np 3 -platform "$CLL_SOURCE/examples/platforms/fast.xml" --log=root.thresh:warning ./pi-sim 100 400
    has_text pi-sim.cll.0.dat "# clock: simulated"
    "$call" "$CLL_SOURCE/examples/binsearch-pub.c" --cc smpicc -I "$CLL_SOURCE/include" -o search-sim.cll.c
    smpicc -O2 search-sim.cll.c -Inode/build/runtime/include -Lnode/build/runtime/lib -lcll_pub_smpi -lpub_smpi -lcll_smpi \
        -o search-sim -lm
    smpirun -quiet -np 4 -platform "$CLL_SOURCE/examples/platforms/fast.xml" --log=root.thresh:warning ./search-sim 256 512 >out
    has_text out "the search is right"
    has_text search-sim.cll.0.dat "# driver: PUB"
fi
