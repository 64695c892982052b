! SPDX-License-Identifier: MIT
! Pi by the midpoint rule with OpenMP: call run pi.f90 measures it with 1 and 2 threads.
!$cll parallel OpenMP procs = 1, 2
program pi
  implicit none
  integer, parameter :: wide = selected_real_kind(15)
  integer :: n, i
  real(wide) :: total, x
  n = 100000
  !$cll for (n = 100000; n <= 1600000; n = n*2) shuffle
  total = 0
  !$cll midpoints midpoints[0] + midpoints[1]*n/P + midpoints[2]*log2(P)
  !$omp parallel do reduction(+:total) private(x)
  do i = 1, n
    x = (i - 0.5_wide)/n
    total = total + 4/(1 + x*x)
  end do
  !$omp end parallel do
  !$cll end midpoints
  total = total/n
  !$cll end for
  print '(f8.6)', total
end program pi
