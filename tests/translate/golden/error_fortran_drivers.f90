! drivers that Fortran programs do not have, and sync where it cannot be
!$cll parallel OpenMP
!$cll parallel PUB
program p
  implicit none
  integer :: i
  !$omp parallel do
  do i = 1, 3
    !$cll sync f f[0]
    !$cll end f
  end do
  !$omp parallel
  !$cll sync(i) g g[0]
  !$cll end g
  !$cll report all
  !$omp end parallel
end program
