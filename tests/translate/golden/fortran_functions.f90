! functions that only a type declares
program p
  real :: twice ! of another source
  real x, y(2)
  !$cll f f[0]
  x = twice(1.0)
  y(1) = x
  print *, x, y(1)
  !$cll end f
end program
real function twice(x)
  real, intent(in) :: x
  twice = 2*x
end function
