! OpenMP: teams, barriers, conditional lines
!$cll parallel OpenMP
program main
  !$ use omp_lib
  implicit none
  integer :: i, n, s
  n = 100
  s = 0
  !$cll whole whole[0] + whole[1]*n/T
  !$omp parallel do reduction(+:s) num_threads(2)
  do i = 1, n
    s = s + i
  end do
  !$cll end whole
  !$omp parallel default(none) private(i) shared(n, s)
  !$cll sync each each[0] + each[1]*n
  do i = 1, 3
    !$cll deep deep[0]
    !$ if (i == 9) cycle
    !$omp atomic
    s = s + 0
    !$cll end deep
  end do
  !$cll end each
  !$omp end parallel
  print *, s
end program main
