! what a formula of Fortran cannot have, and words of the language in capitals
program p
  implicit integer (a-z)
  integer :: n, a(3)
  n = 1
  !$cll f f[0]*size(a)
  !$cll end f
  !$cll g g[0] + g[1]*b%n(3)%k*n
  !$cll end g
  !$cll h(a(1)) h[0]
  !$cll end h
  !$cll k k(0) + k(1)*n
  !$cll end k
  !$cll l l[0]*size(a
  !$cll end l
  !$cll m m[0] + m[1]*LOG(n)
  !$cll end m
  !$cll q q[0] + q[1]*nn
  !$cll end q
  !$cll r(m = A, k = _3) r[0] + r[1]*m*P*T
  !$cll end r
  !$cll s(m = aa, k = n) s[0] + s[1]*m*k
  !$cll end s
  !$cll o o[0] + o[1]*max(n, 2)*log(n)
  !$CLL End O
  !$CLL END o
  !$CLL END FOR
  !$CLL Report
  !$CLL Sync All
end program
