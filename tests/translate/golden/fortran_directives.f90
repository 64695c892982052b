! directives of all kinds: continued, in capitals, with comments, aliases, observables, loops of sweeps
!$cll parallel SEQ
module grid
  implicit none
  type box
    integer :: n, depth(3)
  end type
  interface
    pure integer function twice(k)
      integer, intent(in) :: k
    end function
  end interface
  character(len=*), parameter :: text = "!$cll is not a directive here &
    &!$cll nor here"
contains
  subroutine smooth(b, a)
    type(box), intent(in) :: b
    real, intent(inout) :: a(:)
    integer :: i
    !$CLL smooth(n = b%n, m = size(a, dim=1), d = b%depth(2)) smooth[0] &  ! a comment
    !$CLL& + smooth[1]*n*m; &
    !$cll CPUTIME = smooth[0] + smooth[1]*d
    do concurrent (i = 1:size(a))
      a(i) = a(i)*0.5
    end do
    !$cll end smooth   ! the end
  end subroutine smooth
end module grid

program main
  use grid
  implicit none
  integer :: n, m, P
  real :: a(4) = 1
  type(box) :: b = box(4, [1, 2, 3])
  n = 1; m = 1; P = 2
  !$cll for (n = 1; n <= 4; n = n + 1) shuffle
  !$cll for (m = 8; m > 0; m = m/2)
  !$cll both both[0] + both[1]*n*m + both[2]*P
  call smooth(b, a)
  !$cll end both
  !$cll end for
  !$cll end for
  where (a > 0)
    a = a + 1
  elsewhere
    a = 0
  end where
  !$cll report all
  print *, n >= 1
end program main
