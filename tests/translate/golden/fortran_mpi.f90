! MPI: machines, sync, report; a module alone
!$cll parallel MPI comm procs = 1, 2, 4
module solver
  use mpi
  implicit none
  integer :: comm
contains
  subroutine step(a, n, row)
    integer, intent(in) :: n, row
    real(8), intent(inout) :: a(n)
    real(8) :: s
    integer :: ierr
    !$cll work work[0] + work[1]*n/P
    a = a*0.5d0
    !$cll end work
    !$cll sync reduce reduce[0] + reduce[1]*log(P)
    call MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierr)
    !$cll end reduce
    !$cll sync(row) line line[0] + line[1]*n
    call MPI_Allreduce(a(1), s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, row, ierr)
    !$cll end line
    !$cll report all
  end subroutine step
end module solver
