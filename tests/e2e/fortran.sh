#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/user/fortran.md: they build plainly and through call cc, print the same, and their data can be fitted.
# heat is an MPI program of nine files with a makefile.
. "$CLL_SOURCE/tests/e2e/setup.sh"
. "$CLL_SOURCE/tests/harness/mpi.sh"
need gfortran
[ -z "$sanitize" ] || skip "libcll is sanitized, and gfortran's programs are not"
cp "$CLL_SOURCE/examples/fortran/"*.f90 .
for example in sort pi; do
    what=$example
    gfortran -Wall -Wextra -Werror -pedantic -std=f2018 -fopenmp $example.f90 -o plain || fail "the plain program"
    "$call" cc gfortran -Wall -Wextra -Werror -pedantic -std=f2018 -fopenmp $example.f90 -o $example || fail "the measured program"
    ./plain >plain.out
    CLL_OUT=$example.dat OMP_NUM_THREADS=2 ./$example >measured.out
    same measured.out plain.out
done
is "$(rows sort.dat insertion) $(rows sort.dat merging)" "6 6" "samples of sort"
is "$(rows pi.dat midpoints)" 5 "samples of pi"
"$llac" -e 'fit merging; predict merging n=100000' sort.dat >fit.txt
has_text fit.txt 'merging[2]'
has_text fit.txt 'n is 12.5 times beyond the data'
"$call" run -n 1 -q sort.f90 >run.out || fail "call run"
has_text run.out 'insertion[2]'
is "$(ls ./*.mod | wc -l)" 1 "module files: only that of the builds above"

# ---- heat: the plain program and the measured one, with each MPI library
mkdir heat
cp "$CLL_SOURCE/examples/fortran/heat/"* heat
cd heat || exit 1
lines=$(cat ./*.f90 ./*.F90 | wc -l)
[ "$lines" -ge 800 ] || fail "heat has only $lines lines"
for flavour in openmpi mpich; do
    command -v mpif90.$flavour >/dev/null && [ -e "$CLL_BUILD/lib/libcll_mpi_$flavour.a" ] || continue
    what="heat with $flavour"
    (mpi_library $flavour) || continue
    mpi_library $flavour
    strict="-O1 -Wall -Wextra -Werror"
    [ $flavour = openmpi ] || strict="-O1 -w" # the module of MPICH has no interfaces for buffers
    make -s FC=mpif90.$flavour FFLAGS="$strict" || fail "the plain program"
    $launcher -n 2 ./heat n=16 sizes=3 every=2 >plain.out || fail "the plain program ends badly"
    make -s clean
    make -s FC="$call cc mpif90.$flavour" FFLAGS="$strict" || fail "the measured program"
    CLL_OUT=$PWD/heat.dat $launcher -n 2 ./heat n=16 sizes=3 every=2 >measured.out || fail "the measured program ends badly"
    same measured.out plain.out
    is "$(rows heat.dat march)" 12 "two methods, three sizes, two processes"
    is "$(rows heat.dat step)" 48 "four steps of each"
    is "$(rows heat.dat save)" 24 "a checkpoint every second step"
    is "$(rows heat.dat load)" 6 "samples that only the first process has"
    has heat.dat '# abandoned: 0'
    has_text heat.dat stepping.F90
    "$llac" -e 'fit product' heat.dat >fit.txt
    has_text fit.txt 'product[1]'
    make -s clean
    rm -f heat.dat
done

# ---- heat on a simulated machine: the same results
if command -v smpif90 >/dev/null && [ -e "$CLL_BUILD/lib/libcll_mpi_smpi.a" ] && [ -s plain.out ]; then
    what="heat, simulated"
    make -s FC="$call cc smpif90" FFLAGS="-O1 -w" || fail "the simulated program"
    smpirun -quiet -np 2 -platform "$CLL_SOURCE/examples/platforms/fast.xml" --log=root.thresh:warning \
        --cfg=smpi/simulate-computation:no ./heat n=16 sizes=3 every=2 >simulated.out 2>err || fail "it ends badly"
    same simulated.out plain.out
    is "$(header heat.cll.0.dat clock)" simulated clock
    is "$(rows heat.cll.0.dat step)" 48 "four steps of each"
fi
exit 0
