! values that are read when a region ends
module state
  implicit none
  integer, protected :: hidden = 0
  type grid
    integer(8) :: n = 0
    real :: r(3) = 0
  end type
contains
  subroutine bump
    hidden = hidden + 1
  end subroutine
end module

program main
  use state
  implicit none
  type(grid) :: g
  integer :: k
  do k = 1, 6
    call work(k)
  end do
  print *, g%n, hidden
contains
  recursive subroutine work(n)
    integer, intent(in) :: n
    integer :: it, j
    it = 0
    !$cll work(n, iterations := it, total := g%n, second := g%r(1 + 1), h := hidden) work[0] + work[1]*iterations + &
    !$cll work[2]*n + work[3]*total + work[4]*second + work[5]*h
    do j = 1, n
      it = it + 1
      g%n = g%n + 1
      g%r(2) = 0.5*real(j)
      call bump
      if (it == 4) then
        block
          integer :: it
          it = 99
          if (n == 5 .and. it == 99) return
          if (n == 6) go to 10
        end block
      end if
    end do
    !$cll end work
    return
10  print *, 'left'
  end subroutine
end program
