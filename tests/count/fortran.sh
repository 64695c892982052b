# SPDX-License-Identifier: GPL-3.0-or-later
# call count of Fortran programs: lines of Fortran sources, values at the end, regions that are left early, two languages, MPI.
. "$CLL_SOURCE/tests/count/setup.sh"
need gfortran

# Three instructions that the compiler leaves as they are, in C: Fortran has none.
write_three() {
    cat >three.c <<'C'
void three(void)
{
    __asm__ volatile("nop\n\tnop\n\tnop");
}
C
}

# interface_of_three: what a Fortran source needs to call it
interface_of_three() {
    cat <<'END'
  interface
    subroutine three() bind(C)
    end subroutine
  end interface
END
}

fortran_lines_have_whole_numbers() {
    write_three
    {
        cat <<'END'
program hand
  implicit none
END
        interface_of_three
        cat <<'END'
  integer :: N
  !$cll for (N = 5; N <= 40; N = N + 5)
  call work(N)
  !$cll end for
contains
  subroutine work(N)
    integer, intent(in) :: N
    integer :: i, j
    !$cll f f[0] + f[1]*N + f[2]*N^2
    do i = 1, N + 1
      if (i > N) return
      do j = 1, N
        call three()
      end do
    end do
    !$cll end f
  end subroutine
end program
END
    } >hand.f90
    local level
    for level in -O0 -O2; do
        count -q --cflags "$level" hand.f90 three.c
        says hand.count.json 'line("f", "f[2]", 3)' 3
        says hand.count.json 'experiment("f")["unexplained"]' '[]'
        says hand.count.json '[c["exact"] for c in experiment("f")["constants"]]' '[True, True, True]'
        says hand.count.json 'sums("f")' True
        says hand.count.json 'len(experiment("f")["points"])' 8
        # nothing of the run-time, though a return ends the region: the lines between the directives, and those of three.c
        says hand.count.json 'sorted({l["line"] for c in experiment("f")["constants"] for l in c["lines"] if l["file"] == "hand.f90"} - set(range(16, 21)))' '[]'
        says hand.count.json 'sorted({l["file"] for c in experiment("f")["constants"] for l in c["lines"]})' "['hand.f90', 'three.c']"
    done
    has hand.count.dat '# compiler: gfortran'
    count hand.f90 three.c
    has out 'hand.f90:[0-9]* .* do j = 1, N'
}

# The point is known at the end only, and an inner region belongs to the outer one as well.
fortran_values_at_the_end_and_nested_regions() {
    write_three
    {
        cat <<'END'
module steps
  implicit none
END
        interface_of_three
        cat <<'END'
contains
  subroutine work(k)
    integer, intent(in) :: k
    integer :: N
    N = 0
    !$cll outer(N := N, squares := N*N - nothing(N)) outer[0] + outer[1]*N
    do
      N = N + 1
      !$cll inner inner[0]
      call three()
      !$cll end inner
      if (N == mod(k, 6) + 1) exit
    end do
    !$cll end outer
  end subroutine
  integer function nothing(n) ! what it executes is not counted
    integer, intent(in) :: n
    integer :: i
    do i = 1, n*n
      call three()
    end do
    nothing = 0
  end function
end module
END
    } >steps.F90
    printf '#define TIMES 60\nprogram main\n  use steps\n  integer :: k\n  do k = 1, TIMES\n    call work(k)\n  end do\nend program\n' >main.F90
    count -q --executions 4 steps.F90 main.F90 three.c
    says main.count.json 'sorted((p["values"]["N"], p["executions"]) for p in experiment("outer")["points"])' \
        '[(1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (6, 4)]'
    says main.count.json 'constant("outer", "outer[1]")["classes"]["other"]' 3
    says main.count.json 'constant("inner", "inner[0]")["classes"]["other"]' 3
    says main.count.json 'constant("outer", "outer[1]")["exact"]' True
    says main.count.json 'sums("outer")' True
}

fortran_processes_are_counted_apart() {
    mpi_library openmpi
    need mpifort
    write_three
    {
        printf 'program ranks\n  use mpi\n  implicit none\n'
        interface_of_three
        cat <<'END'
  integer :: N, i, rank, size, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  do N = 20, 100, 20
    !$cll share share[0] + share[1]*N/P
    do i = 1, N/size
      call three()
    end do
    !$cll end share
  end do
  call MPI_Finalize(ierr)
end program
END
    } >ranks.f90
    count -q --procs 1,2 ranks.f90 three.c
    says ranks.count.json 'sorted({(p["values"]["P"], p["rank"]) for p in experiment("share")["points"]})' '[(1, 0), (2, 0), (2, 1)]'
    says ranks.count.json 'constant("share", "share[1]")["classes"]["other"]' 3
    is "$(values ranks.count.dat share P)" "1 2 "
}
main "$1"
