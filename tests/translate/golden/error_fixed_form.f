C     what is refused in fixed form
      SUBROUTINE A(N, X)
      INTEGER N, X
C$CLL1 f[0]
C $CLL a a[0]
      X = 1   !$cll b b[0]
C$CLL c c[0] + &
      X = 2
C$CLL end c
C$CLL d d[0]
      CA LL B(N)
      X = N +
C$CLL end d
     1   3
C$CLL end d
      DO 10 I = 1, N
C$CLL e e[0]
   10 X = X + I
C$CLL end e
      END
