! SPDX-License-Identifier: MIT
! The processes as a grid of two dimensions, and the part of the field that each has.
module topology
  use mpi
  use precision, only: part_of
  implicit none
  private
  public :: layout, make_layout, free_layout

  integer, parameter, public :: west = 1, east = 2, south = 3, north = 4

  type layout
    integer :: comm = MPI_COMM_NULL          ! all processes, as a grid
    integer :: row = MPI_COMM_NULL           ! those of the same row
    integer :: rank = 0, processes = 1
    integer :: shape(2) = 1, place(2) = 0
    integer :: neighbours(4) = MPI_PROC_NULL
    integer :: nx = 0, ny = 0                ! inner points of this process
    integer :: first(2) = 1, last(2) = 0     ! their numbers in the whole grid
    integer :: whole(2) = 0
  end type layout

contains

  subroutine make_layout(nx, ny, l)
    integer, intent(in) :: nx, ny
    type(layout), intent(out) :: l
    integer :: ierr
    logical, parameter :: periodic(2) = .false.
    call MPI_Comm_size(MPI_COMM_WORLD, l%processes, ierr)
    l%shape = 0
    call MPI_Dims_create(l%processes, 2, l%shape, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, l%shape, periodic, .false., l%comm, ierr)
    call MPI_Comm_rank(l%comm, l%rank, ierr)
    call MPI_Cart_coords(l%comm, l%rank, 2, l%place, ierr)
    call MPI_Cart_shift(l%comm, 0, 1, l%neighbours(west), l%neighbours(east), ierr)
    call MPI_Cart_shift(l%comm, 1, 1, l%neighbours(south), l%neighbours(north), ierr)
    call MPI_Cart_sub(l%comm, [.true., .false.], l%row, ierr)
    l%whole = [nx, ny]
    call part_of(nx, l%shape(1), l%place(1), l%first(1), l%last(1))
    call part_of(ny, l%shape(2), l%place(2), l%first(2), l%last(2))
    l%nx = l%last(1) - l%first(1) + 1
    l%ny = l%last(2) - l%first(2) + 1
    if (l%nx < 1 .or. l%ny < 1) then
      print '(a,i0,a)', 'heat: the grid is too small for ', l%processes, ' processes'
      call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    end if
  end subroutine make_layout

  subroutine free_layout(l)
    type(layout), intent(inout) :: l
    integer :: ierr
    call MPI_Comm_free(l%row, ierr)
    call MPI_Comm_free(l%comm, ierr)
  end subroutine free_layout

end module topology
