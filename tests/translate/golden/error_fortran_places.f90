! where no region can be
module m
  implicit none
  !$cll a a[0]
  type t
    integer :: n
    !$cll b b[0]
  end type
  interface
    subroutine s(n)
      integer :: n
      !$cll c c[0]
    end subroutine
  end interface
contains
  pure function f(n) result(k)
    integer, intent(in) :: n
    integer :: k
    !$cll d d[0]
    k = n
    !$cll end d
  end function
  subroutine g(n)
    !$cll e e[0]
    integer, intent(in) :: n
    !$cll end e
    integer :: i, a(3)
    select case (n)
      !$cll h h[0]
    case (1)
      !$cll k k[0]
    case default
      !$cll end k
    end select
    where (a > 0)
      !$cll l l[0]
      a = 1
    end where
    do concurrent (i = 1:3)
      !$cll o o[0]
      a(i) = 1
      !$cll end o
    end do
    if (n > 1) then
      !$cll p p[0]
    end if
    !$cll end p
    !$omp parallel do
    !$cll q q[0]
    do i = 1, 3
      a(i) = 2
    end do
    a(1) = &
    !$cll r r[0]
      3
    !$cll v v[0]
    !$cll w w[0]
    !$cll end v
    !$cll end w
    a(2) = 1 !$cll x x[0]
    !$cll y y[0]
  contains
    subroutine inner
      !$cll z z[0]
      return
    end subroutine
  end subroutine
  !$cll report all
end module
