! values that are computed when a region ends
module m
  implicit none
  type grid
    integer :: n = 0
    integer, allocatable :: list(:)
  contains
    procedure :: total
  end type
contains
  integer function total(self)
    class(grid), intent(in) :: self
    total = sum(self%list)
  end function
end module
program main
  use m
  implicit none
  integer :: k
  do k = 1, 6
    call work(k)
  end do
contains
  subroutine work(n)
    integer, intent(in) :: n
    integer :: it, j
    integer, allocatable :: a(:)
    type(grid) :: g
    allocate(g%list(3))
    g%list = 1
    it = 0
    !$cll work(n, size := size(a), twice := it*2 + 1, tot := g%total(), some := sum(g%list(1:2)), &
    !$cll      half := real(it)/2, f := (twofold(it)), p := it) work[0] + work[1]*size
    allocate(a(2*n))
    do j = 1, n
      it = it + 1
      g%list(mod(j, 3) + 1) = j
      if (it == 4 .and. n == 5) return
      if (it == 4 .and. n == 6) go to 10
    end do
    !$cll end work
    return
10  print *, 'left'
  end subroutine
  integer function twofold(i)
    integer, intent(in) :: i
    twofold = 2*i
  end function
end program
