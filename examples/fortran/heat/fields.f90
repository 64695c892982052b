! SPDX-License-Identifier: MIT
! Fields on the grid: the points of this process with a border of one point, which neighbours fill.
!$cll parallel MPI
module fields
  use mpi
  use precision, only: wide, pi
  use topology
  implicit none
  private
  public :: field, make_field, set_start, exchange, dot, largest, checksum, copy

  type field
    real(wide), allocatable :: u(:, :)
  end type field

  interface copy
    module procedure copy_field
    module procedure copy_scaled
  end interface copy

contains

  subroutine make_field(l, f)
    type(layout), intent(in) :: l
    type(field), intent(out) :: f
    allocate (f%u(0:l%nx + 1, 0:l%ny + 1))
    f%u = 0
  end subroutine make_field

  ! A sum of two waves and a warm square in the middle.
  subroutine set_start(l, f)
    type(layout), intent(in) :: l
    type(field), intent(inout) :: f
    integer :: i, j
    real(wide) :: x, y
    do j = 1, l%ny
      y = real(l%first(2) + j - 1, wide)/(l%whole(2) + 1)
      do i = 1, l%nx
        x = real(l%first(1) + i - 1, wide)/(l%whole(1) + 1)
        f%u(i, j) = sin(pi*x)*sin(pi*y) + 0.25_wide*sin(3*pi*x)*sin(2*pi*y)
        if (abs(x - 0.5_wide) < 0.125_wide .and. abs(y - 0.5_wide) < 0.125_wide) f%u(i, j) = f%u(i, j) + 1
      end do
    end do
    f%u(0, :) = 0
    f%u(l%nx + 1, :) = 0
    f%u(:, 0) = 0
    f%u(:, l%ny + 1) = 0
  end subroutine set_start

  ! Fills the border from the neighbours.
  subroutine exchange(l, f)
    type(layout), intent(in) :: l
    type(field), intent(inout) :: f
    real(wide) :: out(l%ny, 2), in(l%ny, 2)
    integer :: requests(8), ierr, points
    if (l%processes == 1) return
    points = 2*(l%nx + l%ny)
    !$cll sync(l%comm) exchange exchange[0] + exchange[1]*points
    out(:, 1) = f%u(1, 1:l%ny)
    out(:, 2) = f%u(l%nx, 1:l%ny)
    call MPI_Irecv(in(:, 1), l%ny, MPI_DOUBLE_PRECISION, l%neighbours(west), 1, l%comm, requests(1), ierr)
    call MPI_Irecv(in(:, 2), l%ny, MPI_DOUBLE_PRECISION, l%neighbours(east), 2, l%comm, requests(2), ierr)
    call MPI_Irecv(f%u(1:l%nx, 0), l%nx, MPI_DOUBLE_PRECISION, l%neighbours(south), 3, l%comm, requests(3), ierr)
    call MPI_Irecv(f%u(1:l%nx, l%ny + 1), l%nx, MPI_DOUBLE_PRECISION, l%neighbours(north), 4, l%comm, &
                   requests(4), ierr)
    call MPI_Isend(out(:, 2), l%ny, MPI_DOUBLE_PRECISION, l%neighbours(east), 1, l%comm, requests(5), ierr)
    call MPI_Isend(out(:, 1), l%ny, MPI_DOUBLE_PRECISION, l%neighbours(west), 2, l%comm, requests(6), ierr)
    call MPI_Isend(f%u(1:l%nx, l%ny), l%nx, MPI_DOUBLE_PRECISION, l%neighbours(north), 3, l%comm, requests(7), ierr)
    call MPI_Isend(f%u(1:l%nx, 1), l%nx, MPI_DOUBLE_PRECISION, l%neighbours(south), 4, l%comm, requests(8), ierr)
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierr)
    if (l%neighbours(west) /= MPI_PROC_NULL) f%u(0, 1:l%ny) = in(:, 1)
    if (l%neighbours(east) /= MPI_PROC_NULL) f%u(l%nx + 1, 1:l%ny) = in(:, 2)
    !$cll end exchange
  end subroutine exchange

  ! The inner product over all processes.
  function dot(l, a, b) result(total)
    type(layout), intent(in) :: l
    type(field), intent(in) :: a, b
    real(wide) :: total, own
    integer :: i, j, ierr, n
    n = l%nx*l%ny
    own = 0
    !$cll product product[0] + product[1]*n
    do j = 1, l%ny
      do i = 1, l%nx
        own = own + a%u(i, j)*b%u(i, j)
      end do
    end do
    !$cll end product
    total = own
    if (l%processes == 1) return
    !$cll sync(l%comm) reduce reduce[0] + reduce[1]*log2(P)
    call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, l%comm, ierr)
    !$cll end reduce
  end function dot

  function largest(l, a, b) result(most)
    type(layout), intent(in) :: l
    type(field), intent(in) :: a, b
    real(wide) :: most, own
    integer :: ierr
    own = maxval(abs(a%u(1:l%nx, 1:l%ny) - b%u(1:l%nx, 1:l%ny)))
    call MPI_Allreduce(own, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, l%comm, ierr)
  end function largest

  function checksum(l, f) result(total)
    type(layout), intent(in) :: l
    type(field), intent(in) :: f
    real(wide) :: total, own
    integer :: ierr
    own = sum(f%u(1:l%nx, 1:l%ny))
    call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, l%comm, ierr)
    total = total/(real(l%whole(1), wide)*l%whole(2))
  end function checksum

  subroutine copy_field(from, to)
    type(field), intent(in) :: from
    type(field), intent(inout) :: to
    to%u(:, :) = from%u
  end subroutine copy_field

  subroutine copy_scaled(from, factor, to)
    type(field), intent(in) :: from
    real(wide), intent(in) :: factor
    type(field), intent(inout) :: to
    to%u(:, :) = factor*from%u
  end subroutine copy_scaled

end module fields
