! what cannot be read when a region ends
program p
  integer :: it
  it = 0
  !$cll g(n := it) g[0] + g[1]*n
  it = it + 1
  !$cll end g
  !$cll g(n = it) g[0] + g[1]*n
  it = it + 1
  !$cll end g
end program
