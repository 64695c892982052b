! SPDX-License-Identifier: MIT
! The heat equation on a square with MPI, in explicit steps and in implicit ones. It shows regions in modules, in methods of
! types, around solvers and messages: make, or make FC="call cc mpif90", then mpirun -n 2 ./heat n=96 sizes=4.
!$cll parallel MPI
program heat
  use mpi
  use settings
  use topology
  use stepping
  implicit none
  type(options) :: o
  type(layout) :: l
  integer :: ierr, size
  logical :: good
  call MPI_Init(ierr)
  call read_options(o, good)
  if (.not. good) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  do size = 1, o%sizes
    call make_layout(o%nx, o%ny, l)
    if (l%rank == 0) call describe(o, l%processes)
    select case (o%method)
    case ('both')
      call one('explicit')
      call one('cg')
    case default
      call one(trim(o%method))
    end select
    call free_layout(l)
    o%nx = 2*o%nx
    o%ny = 2*o%ny
  end do
  call MPI_Finalize(ierr)
  if (.not. good) error stop 1

contains

  subroutine one(method)
    character(len=*), intent(in) :: method
    type(outcome) :: done
    !$cll sync(l%comm) march(nx = l%whole(1), steps = o%steps) march[0] + march[1]*nx^2*steps
    done = march(o, l, method)
    !$cll end march
    good = good .and. done%good
    if (l%rank /= 0) return
    if (.not. done%good) then
      print '(2a)', method, ': not solved; give most= or tolerance='
      return
    end if
    print '(a,a,f12.8,a,i0,a)', method, ': mean temperature ', done%sum, ' after ', done%iterations, ' iterations'
  end subroutine one

end program heat
