! SPDX-License-Identifier: MIT
! Two ways to sort, in a module, with their formulas. call run sort.f90 finds the time of an insertion step and of a
! merging step, and with them the size from which merging is worth it.
module sorting
  implicit none
  private
  public :: insertion, merging
contains
  subroutine insertion(a)
    real, intent(inout) :: a(:)
    integer :: i, j
    real :: x
    !$cll insertion(n = size(a)) insertion[0] + insertion[1]*n + insertion[2]*n^2
    if (size(a) < 2) return
    do i = 2, size(a)
      x = a(i)
      j = i
      do while (j > 1)
        if (a(j - 1) <= x) exit
        a(j) = a(j - 1)
        j = j - 1
      end do
      a(j) = x
    end do
    !$cll end insertion
  end subroutine insertion

  subroutine merging(a)
    real, intent(inout) :: a(:)
    real, allocatable :: scratch(:)
    allocate (scratch(size(a)))
    !$cll merging(n = size(a)) merging[0] + merging[1]*n + merging[2]*n*log(n)
    call sort_part(a, scratch, 1, size(a))
    !$cll end merging
  end subroutine merging

  recursive subroutine sort_part(a, scratch, first, last)
    real, intent(inout) :: a(:), scratch(:)
    integer, intent(in) :: first, last
    integer :: middle, i, j, k
    if (first >= last) return
    middle = (first + last)/2
    call sort_part(a, scratch, first, middle)
    call sort_part(a, scratch, middle + 1, last)
    scratch(first:last) = a(first:last)
    i = first
    j = middle + 1
    do k = first, last
      if (j > last) then
        a(k) = scratch(i)
        i = i + 1
      else if (i <= middle .and. scratch(min(i, middle)) <= scratch(j)) then
        a(k) = scratch(i)
        i = i + 1
      else
        a(k) = scratch(j)
        j = j + 1
      end if
    end do
  end subroutine sort_part
end module sorting

program sort
  use sorting, only: insertion, merging
  implicit none
  integer :: n
  real, allocatable :: a(:), b(:)
  n = 1000
  !$cll for (n = 250; n <= 8000; n = n*2) shuffle
  allocate (a(n))
  call random_number(a)
  b = a
  call insertion(a)
  call merging(b)
  if (any(abs(a - b) > 0)) error stop 'the two results differ'
  deallocate (a, b)
  !$cll end for
  print '(a)', 'sorted'
end program sort
