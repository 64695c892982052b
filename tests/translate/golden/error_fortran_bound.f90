! a region between a directive of OpenMP, OpenACC or a compiler and what it expects
module m
  implicit none
contains
  elemental subroutine e(x)
    real, intent(inout) :: x
    !$cll a a[0]
    x = 2*x
    !$cll end a
  end subroutine
  subroutine s(n)
    integer, intent(inout) :: n
    integer :: i, a(3)
    !$omp target teams distribute parallel do simd map(a)
    !$cll b b[0]
    do i = 1, 3
      a(i) = 2
    end do
    !$omp end target teams distribute parallel do simd
    !$omp atomic
    !$cll c c[0]
    n = n + 1
    !$omp atomic capture
    n = n + 1
    i = n
    !$omp end atomic
    !$cll good1 good1[0]
    n = 1
    !$cll end good1
    !$acc parallel loop copy(a)
    !$cll d d[0]
    do i = 1, 3
      a(i) = 2
    end do
    !$acc end parallel loop
    !$cll good2 good2[0]
    n = 1
    !$cll end good2
    !GCC$ unroll 4
    !$cll f f[0]
    do i = 1, 3
      a(i) = 2
    end do
    !DIR$ IVDEP
    !$cll g g[0]
    do i = 1, 3
      a(i) = 2
    end do
    !$omp parallel private(i)
    !$cll good3 good3[0]
    i = 1
    !$cll end good3
    !$omp end parallel
  end subroutine
end module
