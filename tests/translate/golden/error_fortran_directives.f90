! directives that are wrong in themselves
program p
  implicit none
  integer :: n, a(3)
  type(integer) :: b
  !$cll f f[0] + f[1]*b.n + f[2]*a[1]
  !$cll end f
  !$cll g(n = k = 3) g[0]
  !$cll end g
  !$cll h h[0] + &
  n = 1
  !$cll end h
  !$ccl k k[0]
  !$ cll l l[0]
  ! $cll m m[0]
#pragma cll o o[0]
  !$cll for (n = 1; n < 3; n++)
  !$cll end for
  !$cll q q[0]
  !$cll edn q
  !$cll r r[0]*n*r[1]
  !$cll end r
  !$cll s s[0]
  !$cll end s
  !$cll s s[0] + s[1]*n
  !$cll end s
  !$cll unknown
  !$cll end other
  !$cll report nothing
end program
