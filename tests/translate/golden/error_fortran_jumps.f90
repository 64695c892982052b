! branches that a region cannot have
subroutine s(n)
  integer n, k
  if (n == 1) goto 10
  assign 20 to k
  !$cll f f[0]
10 n = n + 1
  goto k
  entry s2(n)
  !$cll end f
20 continue
end subroutine
