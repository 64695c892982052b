# SPDX-License-Identifier: GPL-3.0-or-later
# Data files of parallel programs state their code, whichever process executes it: llac puts two runs of one program together
# and keeps two versions apart. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

# write_sources: the sources of a program; main.c comes from the standard input. Its regions are in three sources: all processes
# execute one of them, the first process another, the last process (or thread) the third.
write_sources() {
    local name
    for name in each first last; do
        printf 'void %s(int n);\nvoid %s(int n)\n{\n#pragma cll %s %s[0] + %s[1]*n\n    cll_touch(&n);\n#pragma cll end %s\n}\n' \
            $name $name $name $name $name $name >$name.c
        sed -i '1i#include <cll.h>' $name.c
    done
    cat >main.c
}
mpi_main() {
    write_sources <<'END_OF_SOURCE'
#include <cll.h>
#include <mpi.h>
#include <stdio.h>
#pragma cll parallel MPI
void each(int n), first(int n), last(int n);
int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 5; n++) {
        each(n);
        if (me == 0)
            first(n);
        if (me == size - 1)
            last(n);
    }
    MPI_Finalize();
    if (me == 0)
        puts("done");
    return 0;
}
END_OF_SOURCE
}

# change SOURCE: another version of it, which has other code and the same regions
change() { sed -i 's/cll_touch(&n);/cll_touch(\&n); cll_touch(\&n);/' "$1"; }

# states_all FILE: the file has the code of every source that has a region, each once, and one build-id
states_all() {
    is "$(sed -n 's/^# code: [0-9a-f]* //p' "$1" | sort | tr '\n' ' ')" "each.c first.c last.c " "sources of $1"
    is "$(grep -c '^# build: ' "$1")" 1 "build-ids of $1"
}
# merged SAMPLES FILE...: the files are of one version, together with so many samples of `each`
merged() {
    local samples=$1
    shift
    exits 0 "$llac" -e list "$@"
    empty err
    has out "^  each   $samples samples"
    has out "^  last   "
}
# apart SOURCE FILE FILE: they are of two versions, because of this source
apart() {
    exits 0 "$llac" -e list "$2" "$3"
    has_text err "differ in the code of $1: their samples are kept apart"
    is "$(grep -c '^  \(each\|first\|last\)@' out)" 6 "experiments of two versions"
}

# compile SOURCE [FLAGS], link: with the compiler in $compiler
compile() {
    local source=$1
    shift
    # shellcheck disable=SC2086
    "$call" cc $compiler -c "$@" "$source.c" 2>said || { cat said; fail "call cc -c $source.c"; }
}
# shellcheck disable=SC2086
link() { "$call" cc $compiler main.o each.o first.o last.o -o prog || fail "call cc"; }
build_all() {
    local source
    for source in main each first last; do compile $source; done
    link
}

# check_versions RUN SAMPLES: RUN FILE runs the program once, with SAMPLES samples of `each`
check_versions() {
    local go=$1 samples=$2 source
    build_all
    $go old.1.dat
    $go old.2.dat
    states_all old.1.dat
    merged $((2 * samples)) old.1.dat old.2.dat
    compile each # the same source again: the same program
    link
    $go old.3.dat
    merged $((3 * samples)) old.1.dat old.2.dat old.3.dat
    for source in last each; do # what only the last process executes, and what all do
        cp $source.c saved
        change $source.c
        compile $source
        link
        $go new.$source.dat
        mv saved $source.c
        compile $source
        states_all new.$source.dat
        apart $source.c old.1.dat new.$source.dat
        apart $source.c new.$source.dat old.2.dat
    done
    compile each -DANOTHER=1
    link
    $go flags.dat
    exits 0 "$llac" -e list old.1.dat flags.dat
    has_text err "differ in the flags"
    exits 0 "$llac" -e 'load old.1.dat old.2.dat as before; merge new.each.dat as after; list'
    has out "^  each@before   $((2 * samples)) samples"
    has out "^  each@after   $samples samples"
}

go_mpi() { CLL_OUT=$1 runs 3 ./prog; }

versions_of_openmpi_programs() {
    mpi_library openmpi
    compiler="$mpicc -O1"
    mpi_main
    check_versions go_mpi 15
}

versions_of_mpich_programs() {
    mpi_library mpich
    compiler="$mpicc -O1"
    mpi_main
    check_versions go_mpi 15
}

# The processes of a killed program leave a spool each, and each has what its own process executed.
versions_of_spools() {
    mpi_library openmpi
    compiler="$mpicc -O1"
    mpi_main
    sed -i 's/    MPI_Finalize();/    if (argc > 1) { MPI_Barrier(MPI_COMM_WORLD); raise(SIGKILL); }\n&/; 1i#include <signal.h>' main.c
    build_all
    go_mpi old.dat
    mkdir killed
    ! CLL_OUT=killed/ run 3 ./prog kill || fail "it was not killed"
    merged 30 old.dat killed/*.spool
    rm killed/*
    change last.c
    compile last
    link
    ! CLL_OUT=killed/ run 3 ./prog kill || fail "it was not killed"
    exits 0 "$llac" -e list old.dat killed/*.spool
    has_text err "their samples are kept apart, as each@old and each@prog"
    has out '^  each@prog   15 samples' # of all processes
    has out '^  first@prog   5 samples'
    has out '^  last@prog   5 samples'
}

go_openmp() { CLL_OUT=$1 OMP_NUM_THREADS=3 OMP_DYNAMIC=false ./prog >out 2>err || fail "./prog"; }

versions_of_openmp_programs() {
    compiler="gcc -fopenmp -O1"
    write_sources <<'END_OF_SOURCE'
#include <cll.h>
#include <omp.h>
#pragma cll parallel OpenMP
void each(int n), first(int n), last(int n);
int main(void)
{
#pragma omp parallel
    for (int n = 1; n <= 5; n++) {
        each(n);
        if (omp_get_thread_num() == 0)
            first(n);
        if (omp_get_thread_num() == omp_get_num_threads() - 1)
            last(n);
    }
    return 0;
}
END_OF_SOURCE
    check_versions go_openmp 15
}

# A file has the flags of the source whose region came first. In one program that may be any of its sources.
flags_of_single_sources_make_no_version() {
    compiler="gcc -fopenmp -O1"
    write_sources <<'END_OF_SOURCE'
void each(int n), first(int n), last(int n);
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        last(1);
    for (int n = 1; n <= 5; n++) {
        each(n);
        first(n);
        last(n);
    }
    return 0;
}
END_OF_SOURCE
    build_all
    compile last -O2
    link
    go_openmp each.dat
    CLL_OUT=last.dat ./prog other || fail "./prog"
    is "$(header each.dat flags)|$(header last.dat flags)" "-fopenmp -O1|-fopenmp -O1 -O2" flags
    exits 0 "$llac" -e 'fit each' each.dat last.dat
    lacks_text err 'kept apart'
    lacks_text out 'the files come from different'
    compile last -O3
    link
    CLL_OUT=new.dat ./prog other || fail "./prog"
    exits 0 "$llac" -e list last.dat new.dat
    has_text err 'differ in the flags'
}

pub_main() {
    write_sources <<'END_OF_SOURCE'
#include <cll.h>
#include <pub.h>
#include <stdio.h>
#pragma cll parallel PUB
static t_bsp machine;
void each(int n), first(int n), last(int n);
int main(int argc, char **argv)
{
    bsplib_init(BSPLIB_STDPARAMS, &machine);
    for (int n = 1; n <= 5; n++) {
        each(n);
        if (bsp_pid(&machine) == 0)
            first(n);
        if (bsp_pid(&machine) == bsp_nprocs(&machine) - 1)
            last(n);
    }
    int me = bsp_pid(&machine);
    bsplib_done();
    if (me == 0)
        puts("done");
    (void)argc, (void)argv;
    return 0;
}
END_OF_SOURCE
}

versions_of_pub_programs() {
    mpi_library openmpi cll_pub
    compiler="$mpicc -O1"
    pub_main
    check_versions go_mpi 15
}

go_simulated() { CLL_OUT=$1 simulates 3 ./prog; }

versions_of_simulated_programs() {
    need_simulator
    compiler='smpicc -O1'
    mpi_main
    check_versions go_simulated 15
}

versions_of_simulated_pub_programs() {
    need_simulator cll_pub
    compiler='smpicc -O1'
    pub_main
    check_versions go_simulated 15
}
main "$1"
