C     Regions in fixed form: labels, continued lines, tabs, words that touch, OpenMP and text beyond column 72.
      PROGRAM FIXED
      INTEGER N, K
      DOUBLE PRECISION S
      COMMON /SUMS/ S
      S = 0
      DO 10 N = 1, 4
         CALL WORK(N, K)
         PRINT *, 'N', N, K
   10 CONTINUE
      WRITE (*, '(F8.2, A)') S, ' a string that goes on, with blanks up
     1 to column 72'
      END
      SUBROUTINE WORK(N, K)
      INTEGER N, K, I, DO10I                                            IGNORED(
      DOUBLE PRECISION S
      COMMON /SUMS/ S
      K = 0
C$CLL work(N,
*$CLL1 M = N + 1) work[0] +
!$cll&  work[1]*N*M ! a comment
      DO10I = 3
      DO20I=1,N
         IF(I.EQ.3)GOTO30
         S = S + SQRT(DBLE(I)) * DO10I
         IF (S .GT. 1D6 .AND. S .LT. 2D6 .OR. N .EQ. 17)          GO TO
     $    30
20    CONTINUE
C$OMP PARALLEL DO
      DO 25 I = 1, 3
   25 S = S + 0
!$    S = S + 0
      IF (N .EQ. 1 .AND. S .GE. 0 .AND. S .LE. 10 .OR. N .LT. 0)  RETURN
      K = 1; IF (N .EQ. 2 .AND. S .GE. 0.AND.S.LT.100000.AND.N.NE.7)  RE
     &TURN
	K = 2
	IF (N .LT. 0)
     1    RETURN
C$CLL END work
      RETURN
   30 K = 3
      END
