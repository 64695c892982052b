C     functions that only a type declares
      PROGRAM P
      REAL TWICE, A, B(3), HALF,
     1     DIMMED, PLUS, X
      DOUBLE PRECISION OTHER
      DIMENSION DIMMED(2)
      EXTERNAL OTHER
      PLUS(X) = X + 1
      DIMMED(1) = 1
C$CLL f f[0]
      A = TWICE(1.0) + HALF
     1 (3.0) + DIMMED(1) + PLUS(1.0)
      B(1) = A
      PRINT *, A, B(1), OTHER(2D0)
C$CLL end f
      END
      REAL FUNCTION TWICE(X)
      REAL X
      TWICE = 2*X
      END
      FUNCTION HALF(X)
      REAL HALF, X
C$CLL h h[0]
      HALF = X/2
C$CLL end h
      END
      DOUBLE PRECISION FUNCTION OTHER(X)
      DOUBLE PRECISION X
      OTHER = X
      END
