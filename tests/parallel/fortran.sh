# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs in Fortran: those without a `parallel` directive, with mpi_f08, and simulated by SimGrid.
. "$CLL_SOURCE/tests/parallel/setup.sh"
need gfortran

# A program of two sources; the one that has the region knows nothing of MPI. write_parts [DIRECTIVE]
write_parts() {
    cat >main.f90 <<'END'
program main
  use mpi
  use parts
  implicit none
  integer :: n, ierr
  call MPI_Init(ierr)
  do n = 100, 500, 100
    call work(n)
  end do
  call MPI_Finalize(ierr)
end program
END
    {
        echo "$1"
        cat <<'END'
module parts
contains
subroutine work(n)
  integer, intent(in) :: n
  integer :: i
  real :: s
  s = 0
  !$cll sync work work[0] + work[1]*n/P
  do i = 1, n
    s = s + sqrt(real(i))
  end do
  if (s < 0) print *, s
  !$cll end work
end subroutine
end module
END
    } >parts.f90
}
# fortran_library FLAVOUR: mpi_library, and mpifort
fortran_library() {
    mpi_library "$1"
    mpifort=mpifort
    ! command -v "mpifort.$1" >/dev/null || mpifort=mpifort.$1
    need "$mpifort"
}
note="is measured as a part of an MPI program, which its compiler or its modules tell; '!\$cll parallel MPI' or '!\$cll parallel SEQ' (sequential) says what it is"

compiler_of_fortran_tells_an_mpi_program() {
    local each
    for each in openmpi mpich; do
        fortran_library $each
        write_parts ''
        "$call" cc "$mpifort" -O1 parts.f90 main.f90 -o prog 2>err || fail "call cc"
        is "$(cat err)" "call cc: parts.f90 $note" 'what call cc says'
        two_processes_write_one_file
        rm -f ./*.dat
    done
}

branches_of_fortran_tell_an_mpi_program() {
    fortran_library openmpi
    export MPIFC=$mpifort
    cat >prog.F90 <<'END'
program prog
#ifdef USE_MPI
  use mpi
#endif
  implicit none
  integer :: i, total, error
  total = 0
  error = 0
#ifdef USE_MPI
  call MPI_Init(error)
#endif
  !$cll work work[0]
  do i = 1, 1000
    total = total + i
  end do
  !$cll end work
  if (total < error) print *, total
#ifdef USE_MPI
  call MPI_Finalize(error)
#endif
end program prog
END
    exits 0 "$call" run -q -n 1 -D USE_MPI --procs 1,2 prog.F90
    has out '^prog: 1 round with P = 1 2; '
    exits 1 "$call" run -q -n 1 --procs 1,2 prog.F90
    has err 'this program is sequential'
    exits 0 "$call" run -q -n 1 prog.F90
    empty err
}

directives_of_fortran_decide() {
    fortran_library openmpi
    write_parts '!$cll parallel SEQ'
    "$call" cc "$mpifort" -O1 parts.f90 main.f90 -o prog 2>err || fail "call cc"
    empty err
    runs 2 ./prog
    is "$(ls ./*.dat | wc -l)" 2 "data files of sequential programs"
    write_parts '!$cll parallel MPI'
    "$call" cc "$mpifort" -O1 -c parts.f90 2>err || fail "MPI"
    empty err
    write_parts '!$cll parallel OpenMP'
    "$call" cc "$mpifort" -O1 -fopenmp -c parts.f90 2>err || fail "OpenMP"
    empty err
    "$call" cc "$mpifort" -c main.f90 2>err || fail "a source without regions"
    empty err
}

# The text before the region, and whether it tells an MPI program.
modules_tell_an_mpi_program() {
    fortran_library openmpi
    local text number=0
    while IFS= read -r text; do
        number=$((number + 1))
        printf 'subroutine f\n%b\n!$cll f f[0]\ncontinue\n!$cll end f\nend subroutine\n' "${text#* }" >s$number.F90
        exits 0 "$call" --raw s$number.F90
        case $text in
        yes*) has_text err "call: s$number.F90 $note" ;;
        no*) empty err ;;
        esac
    done <<'END'
yes use mpi
yes   USE MPI
yes use mpi, only: MPI_COMM_WORLD
yes use :: mpi_f08
yes use, non_intrinsic :: mpi_f08
yes use iso_c_binding; use mpi
yes include 'mpif.h'
yes #include "mpif.h"
yes #include <path/mpif.h>
no use mpi_tools
no use, intrinsic :: iso_c_binding
no use iso_c_binding, only: mpi => c_int
no ! use mpi
no include 'notmpif.h'
no use_mpi = 1
END
    # what the preprocessor leaves out does not count, and what it includes does
    printf 'subroutine f\n#ifdef WITH\nuse mpi\n#endif\n!$cll f f[0]\ncontinue\n!$cll end f\nend\n' >on.F90
    exits 0 "$call" cc gfortran -c on.F90
    empty err
    # shellcheck disable=SC2046
    exits 0 "$call" cc gfortran $("$mpifort" --showme:compile) -DWITH -c on.F90
    has_text err "call cc: on.F90 $note"
    echo 'integer :: mpi_comm_world' >mpif.h
    printf 'subroutine f\n#include "mpif.h"\n!$cll f f[0]\ncontinue\n!$cll end f\nend\n' >inc.F90
    # shellcheck disable=SC2046
    exits 0 "$call" cc gfortran $("$mpifort" --showme:compile) -c inc.F90
    has_text err "call cc: inc.F90 $note"
}

call_run_needs_no_directive() {
    fortran_library openmpi
    write_parts ''
    MPIFC=$mpifort exits 0 "$call" run -q -n 1 --oversubscribe --procs 1,2 parts.f90 main.f90
    has_text err "$note"
    has out '^main: 1 round with P = 1 2; '
    is "$(header main.cll.p2.r1.dat world)" 2 world
    exits 1 "$call" run -q --procs 1,2 --cc gfortran parts.f90
    has_text err "no source has a '!\$cll parallel DRIVER' with the driver MPI or OpenMP"
    exits 0 "$call" run -q -n 1 --oversubscribe --procs 2 --cc "$mpifort" parts.f90 main.f90
}

built_program_in_fortran_is_swept() {
    local each
    write_parts '!$cll parallel MPI procs = 1, 2'
    for each in openmpi mpich; do
        fortran_library $each
        "$call" cc "$mpifort" -O1 parts.f90 main.f90 -o prog || fail "$each: call cc"
        exits 0 "$call" run -q -n 1 --oversubscribe ./prog
        has out '^prog: 1 round with P = 1 2; '
        is "$(header prog.cll.p2.r1.dat world)" 2 "$each: world"
        rm -f ./*.dat
    done
}

# The module mpi_f08, whose communicators are a type.
program_with_mpi_f08_is_measured() {
    local each
    cat >f08.f90 <<'END'
!$cll parallel MPI
program f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half
  integer :: rank, n, s, t
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  do n = 1, 3
    !$cll sync(half) part(n, total := t) part[0] + part[1]*n + part[2]*total + part[3]*P
    s = n
    call MPI_Allreduce(s, t, 1, MPI_INTEGER, MPI_SUM, half)
    !$cll end part
    !$cll sync whole whole[0] + whole[1]*n*P
    call MPI_Barrier(MPI_COMM_WORLD)
    !$cll end whole
  end do
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program
END
    for each in openmpi mpich; do
        fortran_library $each
        "$call" cc "$mpifort" -O1 f08.f90 -o prog || fail "$each: call cc"
        runs 3 ./prog
        only ./prog.cll.0.dat
        is "$(header prog.cll.0.dat world)" 3 "$each: world"
        is "$(values prog.cll.0.dat part P)" '1 2 ' "$each: P of the groups"
        is "$(values prog.cll.0.dat part total)" '1 2 3 4 6 ' "$each: values at the end"
        is "$(rows prog.cll.0.dat part) $(rows prog.cll.0.dat whole)" '9 9' "$each: samples"
        is "$(values prog.cll.0.dat whole P)" '3 ' "$each: P of all"
        rm -f ./*.dat
    done
}

# One thread of a team synchronises the processes: the team must not wait in their place, since its other thread does not come.
fortran_sync_of_a_machine_waits_for_it_inside_a_team() {
    cat >team.f90 <<'END'
!$cll parallel MPI
!$cll parallel OpenMP
module steps
contains
  subroutine step(comm, n)
    integer :: comm, n, s
    s = n
    !$cll sync(comm) step step[0] + step[1]*n*P
    s = s + 1
    !$cll end step
  end subroutine
end module
program team
  use mpi
  use steps
  implicit none
  integer :: ierr, provided, n
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  !$omp parallel num_threads(2) private(n)
  !$omp master
  do n = 1, 3
    call step(MPI_COMM_WORLD, n)
  end do
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
END
    fortran_library openmpi
    "$call" cc "$mpifort" -O1 -fopenmp team.f90 -o prog || fail "call cc"
    runs 2 ./prog
    is "$(rows prog.cll.0.dat step)" 6 samples
    is "$(values prog.cll.0.dat step P)" '2 ' P
}

# write_ring: the same program in C and in Fortran, whose regions take only simulated time
write_ring() {
    cat >in_c.c <<'END'
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#pragma cll parallel MPI
static double a[4096], b[4096];
int main(int argc, char **argv)
{
    int n, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (n = 1024; n <= 4096; n += 1024) {
#pragma cll sync step step[0] + step[1]*n*log2(P)
        smpi_execute_flops(1e6 * (rank + 1));
        MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma cll end step
    }
    if (!rank)
        puts("done");
    MPI_Finalize();
    return 0;
}
END
    cat >in_fortran.f90 <<'END'
!$cll parallel MPI
program ring
  use mpi
  implicit none
  integer :: n, rank, ierr, visited = 0
  real(8) :: a(4096) = 0, b(4096)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do n = 1024, 4096, 1024
    visited = visited + 1
    !$cll sync step step[0] + step[1]*n*log2(P)
    call smpi_execute_flops(1d6*(rank + 1))
    call MPI_Allreduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    !$cll end step
    !$cll mine(visited) mine[0] + mine[1]*visited
    call smpi_execute_flops(1d5*visited)
    !$cll end mine
  end do
  if (rank == 0) print '(a)', 'done'
  call MPI_Finalize(ierr)
end program
END
}

simulated_fortran_takes_the_time_of_c() {
    need_simulator
    need smpif90
    write_ring
    "$call" cc smpicc -O1 in_c.c -o in_c || fail "C"
    "$call" cc smpif90 -O1 in_fortran.f90 -o in_fortran || fail "Fortran"
    local each
    for each in in_c in_fortran; do
        simulates 4 ./$each
        is "$(header $each.cll.0.dat clock)" simulated clock
        is "$(header $each.cll.0.dat world)" 4 world
        grep '^step' $each.cll.0.dat | awk '{ print $6, $7, $NF }' >$each.txt # P, rank, CLOCK
    done
    is "$(ls ./*.dat | wc -l)" 2 "data files"
    is "$(wc -l <in_c.txt)" 16 "samples"
    same in_fortran.txt in_c.txt
    # each process has its own copy of a saved variable
    is "$(values in_fortran.cll.0.dat mine visited)" '1 2 3 4 ' visited
}

call_run_simulates_fortran() {
    need_simulator
    need smpif90
    write_ring
    sed 's/^ *call MPI_Allreduce.*/#ifdef WITH\n&\n#endif/' in_fortran.f90 >ring.F90
    exits 0 "$call" run -q --simulate "$platform" --procs 2,4 --cflags -DWITH ring.F90
    has out '^ring.fast: 1 round with P = 2 4; '
    has_text out 'step[1]'
    is "$(header ring.fast.cll.p4.r1.dat clock)" simulated clock
    is "$(ls -A | grep -c '\.o$')" 0 "object files that smpif90 leaves"
    # regions also in C
    cat >twice.c <<'END'
void smpi_execute_flops(double);
void twice_(const int *n);
void twice_(const int *n)
{
#pragma cll twice(n = *n) twice[0] + twice[1]*n
    smpi_execute_flops(2e3 * *n);
#pragma cll end twice
}
END
    sed -i 's/call smpi_execute_flops(1d6.*/call twice(n)/' in_fortran.f90
    exits 0 "$call" run -q --simulate "$platform" --procs 2 in_fortran.f90 twice.c
    is "$(rows in_fortran.fast.cll.p2.r1.dat twice) $(rows in_fortran.fast.cll.p2.r1.dat step)" '8 8' samples
    # what SimGrid does not have
    sed 's/use mpi$/use mpi_f08/' in_fortran.f90 >f08.f90
    exits 1 "$call" run -q --simulate "$platform" --procs 2 f08.f90 twice.c
    has err 'f08.f90:3:.*: error: SimGrid has no module mpi_f08'
    write_parts '!$cll parallel MPI'
    exits 1 "$call" run -q --simulate "$platform" --procs 2 --cc mpif90 parts.f90 main.f90
    has_text err 'use smpif90, or leave out --cc'
    exits 1 "$call" run -q --simulate "$platform" in_fortran.f90 twice.c
    has_text err "procs in '!\$cll parallel'"
}
main "$1"
