! what cannot be computed when a region ends
subroutine s(n, it)
  integer :: n, it
  !$cll f(m := it + 1, k := n*2) f[0]
  block
    integer :: it
    real(kind(1d0)) :: x, n
    it = 3; x = n
  end block
  associate (it => n)
    it = it + 1
  end associate
  !$cll end f
  !$cll g(m := it = 2, k := ) g[0]
  it = it + 1
  !$cll end g
end subroutine
