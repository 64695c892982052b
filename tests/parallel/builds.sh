# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs that are built before call run sees them, and those whose sources have no `#pragma cll parallel`.
. "$CLL_SOURCE/tests/parallel/setup.sh"

# A program of two sources; the one that has the regions does not include mpi.h. write_parts [PRAGMA]
write_parts() {
    cat >main.c <<'END'
#include <mpi.h>
double work(int n);
int main(int argc, char **argv)
{
    double s = 0;
    MPI_Init(&argc, &argv);
    for (int n = 100; n <= 500; n += 100)
        s += work(n);
    MPI_Finalize();
    return s < 0;
}
END
    {
        echo "$1"
        cat <<'END'
double work(int n)
{
    volatile double s = 0;
#pragma cll sync work work[0] + work[1]*n/P
    for (int i = 0; i < n; i++)
        s += i;
#pragma cll end work
    return s;
}
END
    } >work.c
}
note="is measured as a part of an MPI program, which its compiler or its headers tell; '#pragma cll parallel MPI' or '#pragma cll parallel SEQ' (sequential) says what it is"

mpi_compiler_makes_mpi_programs() {
    mpi_library openmpi
    write_parts ''
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog 2>err || fail "call cc"
    is "$(cat err)" "call cc: work.c $note" 'what call cc says'
    two_processes_write_one_file
    # a link command of its own, and no word about sources without regions
    # shellcheck disable=SC2086
    {
        "$call" cc "$mpicc" $sanitize -c main.c -o main.o 2>err || fail "main.c"
        empty err
        "$call" cc "$mpicc" $sanitize -c work.c -o work.o 2>err || fail "work.c"
        has_text err "work.c $note"
        "$call" cc "$mpicc" $sanitize main.o work.o -o prog 2>err || fail "linking"
        empty err
    }
    rm -f ./*.dat
    runs 2 ./prog
    only ./prog.cll.0.dat
}

other_pragmas_decide() {
    mpi_library openmpi
    write_parts '#pragma cll parallel SEQ'
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog 2>err || fail "call cc"
    empty err
    runs 2 ./prog
    is "$(ls ./*.dat | wc -l)" 2 "data files of sequential programs"
    write_parts '#pragma cll parallel OpenMP'
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -fopenmp -c work.c 2>err || fail "OpenMP"
    empty err
}

header_tells_an_mpi_program() {
    mpi_library openmpi
    write_parts ''
    { echo '#include <mpi.h>'; cat work.c; } >with_header.c
    local flags
    flags=$("$mpicc" --showme:compile)
    # shellcheck disable=SC2086
    "$call" cc gcc $sanitize $flags -c with_header.c 2>err || fail "gcc"
    has_text err "with_header.c $note"
    exits 0 "$call" --cc "$mpicc" with_header.c
    has_text err "call: with_header.c $note"
    has with_header.cll.h CLL_LINK_MPI
    { printf '#ifdef USE_MPI\n#include <mpi.h>\n#endif\n'; cat work.c; } >may_have_header.c
    "$call" cc gcc $sanitize -c may_have_header.c 2>err || fail "gcc without the header"
    is "$(cat err)" '' 'a header that is left out tells nothing'
    # shellcheck disable=SC2086
    "$call" cc gcc $sanitize $flags -DUSE_MPI -c may_have_header.c 2>err || fail "gcc with the header"
    has_text err "may_have_header.c $note"
}

call_run_needs_no_pragma() {
    mpi_library openmpi
    write_parts ''
    exits 0 "$call" run -q -n 1 --cc "$mpicc" --cflags "-O1 $sanitize" --procs 1,2 main.c work.c
    has_text err "$note"
    has out '^main: 1 round with P = 1 2; '
    is "$(header main.cll.p2.r1.dat world)" 2 world
    rm -f ./*.dat
    # one of the sources includes mpi.h: that of main, which has no regions, or the other one
    MPICC=$mpicc exits 0 "$call" run -q -n 1 --cflags "-O1 $sanitize" --procs 1,2 main.c work.c
    has out '^main: 1 round with P = 1 2; '
    rm -f ./*.dat
    sed -i '1i#include <mpi.h>' work.c
    MPICC=$mpicc exits 0 "$call" run -q -n 1 --cflags "-O1 $sanitize" --procs 1,2 main.c work.c
    has out '^main: 1 round with P = 1 2; '
}

# Only the preprocessor tells which branches are on.
headers_of_the_project_tell_an_mpi_program() {
    mpi_library openmpi
    export MPICC=$mpicc
    mkdir include
    printf '#ifndef ALL_H\n#define ALL_H\n#ifdef USE_MPI\n#include <mpi.h>\n#endif\n#endif\n' >include/all.h
    cat >prog.c <<'END'
#include HEADER
int main(int argc, char **argv)
{
    volatile double s = 0;
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
#endif
#pragma cll work work[0]
    for (int i = 0; i < 1000; i++)
        s = s + i;
#pragma cll end work
#ifdef USE_MPI
    MPI_Finalize();
#endif
    return argc < 0 || !argv;
}
END
    for header in '<all.h>' '"all.h"' '"include/all.h"'; do
        rm -f ./*.dat
        sed "s|HEADER|$header|" prog.c >one.c
        exits 0 "$call" run -q -n 1 --cflags "-O1 $sanitize" -I include -D USE_MPI --procs 1,2 one.c
        has out '^one: 1 round with P = 1 2; '
        is "$(header one.cll.p2.r1.dat world)" 2 world
        exits 0 "$call" -I include -D USE_MPI one.c
        has_text err "call: one.c $note"
        lacks err 'the preprocessor failed'
    done
    exits 1 "$call" run -q -n 1 --cflags "-O1 $sanitize" -I include --procs 1,2 one.c
    has err 'this program is sequential'
    exits 0 "$call" run -q -n 1 --cflags "-O1 $sanitize" -I include one.c
    empty err
    exits 0 "$call" -I include one.c
    empty err
    exits 1 "$call" discover -I include --vary n=1,2 --procs 1,2 one.c -- '{n}'
    has err 'this program is sequential'
    exits 0 "$call" discover -q -I include -D USE_MPI --vary n=1,2,3 --procs 1,2 one.c -- '{n}'
}

headers_of_the_project_tell_an_mpi_program_in_cplusplus() {
    mpi_library openmpi
    need mpicxx
    printf '#ifndef ALL_H\n#define ALL_H\n#if defined USE_MPI && USE_MPI > 1\n#include <mpi.h>\n#endif\n#endif\n' >all.hpp
    cat >prog.cpp <<'END'
#include "all.hpp"
#include <vector>
int main()
{
    std::vector<int> v(100);
#pragma cll work work[0]
    v[1]++;
#pragma cll end work
}
END
    exits 1 "$call" run -q --procs 1,2 -D USE_MPI=1 prog.cpp
    has err 'this program is sequential'
    exits 0 "$call" -D USE_MPI=2 prog.cpp
    has_text err "call: prog.cpp $note"
    [ -n "$sanitize" ] || {
        exits 0 "$call" run -q -n 1 --procs 1 -D USE_MPI=2 prog.cpp
        has_text err "prog.cpp $note"
    }
}

built_program_is_swept() {
    mpi_library openmpi
    write_parts '#pragma cll parallel MPI procs = 1,2'
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog || fail "call cc"
    exits 0 "$call" run -q -n 2 --oversubscribe ./prog
    has out '^prog: 2 rounds with P = 1 2; data in prog.cll.p'
    is "$(values prog.cll.p2.r2.dat work P)" '2 ' P
    exits 0 "$call" run -q -n 1 --procs 3 ./prog
    is "$(header prog.cll.p3.r1.dat world)" 3 world
    exits 0 "$call" run -q -n 1 --procs 1,2 --baseline prog ./prog
    exists prog.before.dat
    printf '#!/bin/sh\nexec ./prog "$@"\n' >script
    chmod +x script
    exits 1 "$call" run -q --procs 2 ./script
    has_text err "also give --launcher 'COMMAND {P}'"
    exits 0 "$call" run -q -n 1 --procs 2 --launcher "$launcher -n {P}" ./script
    has out '^script: 1 round with P = 2; '
}

built_program_of_mpich_is_swept() {
    mpi_library mpich
    write_parts '#pragma cll parallel MPI procs = 1,2'
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog || fail "call cc"
    exits 0 "$call" run -q -n 1 --oversubscribe ./prog
    is "$(header prog.cll.p2.r1.dat world)" 2 world
}

built_program_is_simulated() {
    need_simulator
    write_parts '#pragma cll parallel MPI procs = 1,2'
    "$call" cc smpicc -O1 main.c work.c -o prog || fail "call cc"
    exits 1 "$call" run ./prog
    has_text err './prog is a program for SimGrid: give --simulate PLATFORM'
    exits 0 "$call" run -q --simulate "$platform" --measured-compute -n 1 ./prog
    has out '^prog.fast: 1 round with P = 1 2; '
    mpi_library openmpi
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog || fail "call cc"
    exits 1 "$call" run --simulate "$platform" ./prog
    has_text err "--simulate: ./prog is not a program for SimGrid; build it with 'call cc smpicc'"
}

# The regions are in a shared library: the program itself has no note.
library_with_the_regions() {
    mpi_library openmpi
    write_parts ''
    # shellcheck disable=SC2086
    {
        "$call" cc "$mpicc" $sanitize -O1 -fPIC -shared work.c -o libwork.so 2>err || fail "libwork.so"
        "$mpicc" $sanitize main.c -L. -lwork -Wl,-rpath,"$PWD" -o prog || fail "prog"
    }
    exits 0 "$call" run -q -n 1 --procs 1,2 ./prog
    has out '^prog: 1 round with P = 1 2; '
    is "$(header prog.cll.p2.r1.dat world)" 2 world
}

command_may_be_a_launcher() {
    mpi_library openmpi
    write_parts '#pragma cll parallel MPI'
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog || fail "call cc"
    # shellcheck disable=SC2086
    exits 0 "$call" run -q -n 2 -- $launcher -n 2 ./prog
    has out '^prog: 2 rounds; data in prog.cll.0.dat ... prog.cll.1.dat$'
    is "$(header prog.cll.1.dat world)" 2 world
}

# A source of a PUB program that lacks the pragma does not disturb the others.
part_of_a_pub_program() {
    mpi_library openmpi cll_pub
    write_parts ''
    cat >main.c <<'END'
#include <pub.h>
#pragma cll parallel PUB
double work(int n);
int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    for (int n = 100; n <= 500; n += 100) {
#pragma cll sync whole whole[0] + whole[1]*n
        work(n);
#pragma cll end whole
    }
    bsplib_done();
    return 0;
}
END
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize -O1 main.c work.c -o prog || fail "call cc"
    runs 2 ./prog
    only ./prog.cll.0.dat
    is "$(values prog.cll.0.dat whole P)" '2 ' P
    is "$(values prog.cll.0.dat work rank)" '0 1 ' ranks
}
main "$1"
