! SPDX-License-Identifier: MIT
! The field of all processes in one file, and back: each process sends its points to the first one.
!$cll parallel MPI
module checkpoints
  use mpi
  use precision, only: wide
  use topology, only: layout
  use fields, only: field
  implicit none
  private
  public :: save_field, load_field

  character(len=*), parameter :: magic = 'heat field 1'
  integer, parameter :: tag = 77

contains

  subroutine save_field(l, f, name, good)
    type(layout), intent(in) :: l
    type(field), intent(in) :: f
    character(len=*), intent(in) :: name
    logical, intent(out) :: good
    real(wide), allocatable :: whole(:, :)
    integer :: unit, ierr, points
    good = .false.
    points = l%whole(1)*l%whole(2)
    if (l%rank == 0) allocate (whole(l%whole(1), l%whole(2)))
    if (l%rank /= 0) allocate (whole(0, 0))
    !$cll sync(l%comm) save save[0] + save[1]*points
    call gather(l, f, whole)
    if (l%rank == 0) then
      open (newunit=unit, file=name, form='unformatted', access='stream', status='replace', err=100)
      write (unit, err=90) magic, l%whole, whole
      close (unit, err=100)
    end if
    good = .true.
    !$cll end save
    goto 200
90  close (unit)
100 print '(2a)', 'heat: cannot write ', trim(name)
200 call MPI_Bcast(good, 1, MPI_LOGICAL, 0, l%comm, ierr)
  end subroutine save_field

  subroutine load_field(l, f, name, good)
    type(layout), intent(in) :: l
    type(field), intent(inout) :: f
    character(len=*), intent(in) :: name
    logical, intent(out) :: good
    character(len=len(magic)) :: found
    real(wide), allocatable :: whole(:, :)
    integer :: unit, ierr, shape(2), points
    good = .true.
    points = l%whole(1)*l%whole(2)
    allocate (whole(l%whole(1), l%whole(2)))
    if (l%rank == 0) then
      good = .false.
      open (newunit=unit, file=name, form='unformatted', access='stream', status='old', err=200)
      !$cll load load[0] + load[1]*points
      read (unit, end=100, err=100) found, shape
      if (found /= magic .or. any(shape /= l%whole)) goto 100
      read (unit, end=100, err=100) whole
      good = .true.
      !$cll end load
100   close (unit)
    end if
200 call MPI_Bcast(good, 1, MPI_LOGICAL, 0, l%comm, ierr)
    if (.not. good) return
    call MPI_Bcast(whole, size(whole), MPI_DOUBLE_PRECISION, 0, l%comm, ierr)
    f%u(1:l%nx, 1:l%ny) = whole(l%first(1):l%last(1), l%first(2):l%last(2))
  end subroutine load_field

  ! All points in the array of the first process.
  subroutine gather(l, f, whole)
    type(layout), intent(in) :: l
    type(field), intent(in) :: f
    real(wide), intent(inout) :: whole(:, :)
    real(wide), allocatable :: part(:, :)
    integer :: from, ierr, bounds(4)
    if (l%rank /= 0) then
      bounds = [l%first, l%last]
      call MPI_Send(bounds, 4, MPI_INTEGER, 0, tag, l%comm, ierr)
      part = f%u(1:l%nx, 1:l%ny)
      call MPI_Send(part, size(part), MPI_DOUBLE_PRECISION, 0, tag, l%comm, ierr)
      return
    end if
    whole(l%first(1):l%last(1), l%first(2):l%last(2)) = f%u(1:l%nx, 1:l%ny)
    do from = 1, l%processes - 1
      call MPI_Recv(bounds, 4, MPI_INTEGER, from, tag, l%comm, MPI_STATUS_IGNORE, ierr)
      allocate (part(bounds(3) - bounds(1) + 1, bounds(4) - bounds(2) + 1))
      call MPI_Recv(part, size(part), MPI_DOUBLE_PRECISION, from, tag, l%comm, MPI_STATUS_IGNORE, ierr)
      whole(bounds(1):bounds(3), bounds(2):bounds(4)) = part
      deallocate (part)
    end do
  end subroutine gather

end module checkpoints
