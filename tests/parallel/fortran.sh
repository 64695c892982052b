# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs in Fortran: those without a `parallel` directive, and with mpi_f08.
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
        runs 2 ./prog
        only ./prog.cll.0.dat
        is "$(header prog.cll.0.dat world)" 2 world
        is "$(header prog.cll.0.dat driver)" MPI driver
        is "$(values prog.cll.0.dat work P)" '2 ' P
        is "$(values prog.cll.0.dat work rank)" '0 1 ' ranks
        rm -f ./*.dat
    done
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
    has out '^parts: 1 round with P = 1 2; '
    is "$(header parts.cll.p2.r1.dat world)" 2 world
    exits 1 "$call" run -q --procs 1,2 --cc gfortran parts.f90
    has_text err "no source has a '!\$cll parallel DRIVER' with the driver MPI or OpenMP"
    exits 0 "$call" run -q -n 1 --oversubscribe --procs 2 --cc "$mpifort" parts.f90 main.f90
}
main "$1"
