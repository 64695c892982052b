program main
  implicit none
  integer :: i, total
  total = 0
  !$cll f(setting n) f[0] + f[1]*n
  do i = 1, 10
    total = total + i
  end do
  !$cll end f
  !$cll g(size = total, setting m) g[0]*m*size
  total = total + 1
  !$cll end g
  print *, total
end program main
