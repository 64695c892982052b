! SPDX-License-Identifier: MIT
! The operator of the heat equation: an explicit step, and the matrix of an implicit one.
!$cll parallel MPI
module stencils
  use precision, only: wide
  use topology, only: layout
  use fields, only: field
  implicit none
  private
  public :: explicit_step, apply, sweep_jacobi, diagonal

contains

  ! after = before + c*(sum of the neighbours - 4 before)
  subroutine explicit_step(l, c, before, after)
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: before
    type(field), intent(inout) :: after
    integer :: i, j
    !$cll stencil(nx = l%nx, ny = l%ny) stencil[0] + stencil[1]*ny + stencil[2]*nx*ny
    do j = 1, l%ny
      do i = 1, l%nx
        after%u(i, j) = before%u(i, j) + c*(before%u(i - 1, j) + before%u(i + 1, j) + before%u(i, j - 1) &
                                            + before%u(i, j + 1) - 4*before%u(i, j))
      end do
    end do
    !$cll end stencil
  end subroutine explicit_step

  elemental function diagonal(c) result(d)
    real(wide), intent(in) :: c
    real(wide) :: d
    d = 1 + 4*c
  end function diagonal

  ! y = (1 - c*Laplace) x
  subroutine apply(l, c, x, y)
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: x
    type(field), intent(inout) :: y
    integer :: i, j
    !$cll apply(nx = l%nx, ny = l%ny) apply[0] + apply[1]*ny + &
    !$cll&      apply[2]*nx*ny
    do 20 j = 1, l%ny
      do 10 i = 1, l%nx
        y%u(i, j) = diagonal(c)*x%u(i, j) &
          - c*(x%u(i - 1, j) + x%u(i + 1, j) &
               + x%u(i, j - 1) + x%u(i, j + 1))
10    continue
20  continue
    !$cll end apply
  end subroutine apply

  ! One Jacobi iteration for (1 - c*Laplace) x = b; returns the largest change of this process.
  function sweep_jacobi(l, c, b, x, next) result(change)
    type(layout), intent(in) :: l
    real(wide), intent(in) :: c
    type(field), intent(in) :: b, x
    type(field), intent(inout) :: next
    real(wide) :: change, d
    integer :: i, j
    d = diagonal(c)
    change = 0
    !$cll jacobi(nx = l%nx, ny = l%ny) jacobi[0] + jacobi[1]*ny + jacobi[2]*nx*ny
    rows: do j = 1, l%ny
      do i = 1, l%nx
        next%u(i, j) = (b%u(i, j) + c*(x%u(i - 1, j) + x%u(i + 1, j) + x%u(i, j - 1) + x%u(i, j + 1)))/d
        change = max(change, abs(next%u(i, j) - x%u(i, j)))
      end do
      if (change > huge(change)) exit rows   ! it diverges
    end do rows
    !$cll end jacobi
  end function sweep_jacobi

end module stencils
