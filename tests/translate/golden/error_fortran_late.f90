! what cannot be read when a region ends
program p
  integer :: it, a(3)
  it = 0
  !$cll f(n := it + 1, m := 3, k := -it, l := (it), j := a(1)*2, o := a(1)) f[0]
  it = it + 1
  !$cll end f
  !$cll g(n := it) g[0] + g[1]*n
  it = it + 1
  !$cll end g
  !$cll g(n = it) g[0] + g[1]*n
  it = it + 1
  !$cll end g
end program
