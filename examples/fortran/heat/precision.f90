! SPDX-License-Identifier: MIT
! The kinds of numbers of the program, and small functions of them.
module precision
  implicit none
  private
  integer, parameter, public :: wide = selected_real_kind(15, 300)
  integer, parameter, public :: long = selected_int_kind(18)
  real(wide), parameter, public :: pi = 3.14159265358979323846_wide
  public :: nearly_equal, part_of

contains

  ! Do two numbers agree to a relative tolerance?
  elemental logical function nearly_equal(x, y, tolerance)
    real(wide), intent(in) :: x, y, tolerance
    nearly_equal = abs(x - y) <= tolerance*max(abs(x), abs(y), tiny(x))
  end function nearly_equal

  ! The first and the last of n items that worker k of m has, k from 0; the parts differ by one at most.
  pure subroutine part_of(n, m, k, first, last)
    integer, intent(in) :: n, m, k
    integer, intent(out) :: first, last
    integer :: base, rest
    base = n/m
    rest = mod(n, m)
    first = k*base + min(k, rest) + 1
    last = first + base - 1
    if (k < rest) last = last + 1
  end subroutine part_of

end module precision
