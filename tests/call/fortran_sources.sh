#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fortran sources as people and build systems write them: capitals, preprocessed by CMake, several files, misprinted names.
. "$CLL_SOURCE/tests/call/setup.sh"
need gfortran
[ -z "$sanitize" ] || skip "libcll is sanitized, and gfortran's programs are not"
export FC=gfortran

# ---- words of the language in capitals
cat >capitals.f90 <<'END'
!$CLL PARALLEL SEQ
PROGRAM P
  INTEGER :: N = 0
  !$CLL FOR (N = 1; N <= 8; N = N*2) SHUFFLE
  !$CLL F F[0] + F[1]*N
  PRINT *, N
  !$CLL END F
  !$CLL END FOR
  !$CLL REPORT ALL
END PROGRAM
END
check "capitals" "$call" cc gfortran capitals.f90 -o capitals
check "it runs" eval 'CLL_OUT=$PWD/capitals.dat ./capitals >got'
check "as in small letters" is "$(values capitals.dat F N)" "1 2 4 8 " N

# ---- sources that a build system preprocessed: CMake with Ninja
for folder in here there; do
    mkdir -p $folder
    printf 'program p\n#ifdef SKIP\n#endif\n  integer :: n\n  n = 1\n  !$cll f f[0]*n\n  n = 2\n  !$cll end f\nend program\n' >$folder/own.F90
    gfortran -cpp -E "$PWD/$folder/own.F90" -o $folder/own.F90-pp.f90
    check "compiles" "$call" cc gfortran -fpreprocessed $folder/own.F90-pp.f90 -o own
    check "runs" eval 'CLL_OUT=$PWD/$folder.dat ./own'
    check "the region is in the user's file" has $folder.dat "^# source: f .*/$folder/own.F90:6-8"
done
check "the folder is no part of the code" is "$(grep '^# code' here.dat)" "$(grep '^# code' there.dat)" code
sed -i 's/end f/end g/' here/own.F90-pp.f90
check "a mistake" exits 1 "$call" cc gfortran -fpreprocessed -c here/own.F90-pp.f90
check "is at its place in the user's file" has err "here/own.F90:8:13: error: 'end g' without a begin"
check "so is the begin" has err "here/own.F90:6:9: error: the region 'f' has no end before 'end' in line 9"

# ---- the name of the data: modules come first on the command line, the program gives the name
printf 'module numbers\n  integer :: n = 3\nend module\n' >numbers.f90
printf '! program numbers\nsubroutine count_down(program)\n  use numbers\n  integer :: program\n  program = n\nend subroutine\n' >down.f90
printf 'Program  Whole ! the main program\n  use numbers\n  !$cll f f[0]*n\n  call count_down(n)\n  !$cll end f\nend program\n' >whole.f90
check "several sources" "$call" run -n 1 -q numbers.f90 down.f90 whole.f90
check "the data have the name of the main program" test -s whole.cll.0.dat

# ---- a name that only a directive has would be a new variable, unless it is a macro or comes from elsewhere
printf 'program p\n  n = 3\n  !$cll f f[0]*nn\n  n = 4\n  !$cll end f\nend program\n' >misprint.f90
check "a misprint without implicit none" exits 1 "$call" cc gfortran -c misprint.f90
check "is an error" has err "^misprint.f90:3:16: error: there is no 'nn' in this source"
{ echo '#define nn 7'; cat misprint.f90; } >macro.F90
check "a macro is not a misprint" exits 0 "$call" cc gfortran -c macro.F90
{ echo '#define n m'; cat misprint.f90; } >macro.F90
check "what a macro becomes can be one" exits 1 "$call" cc gfortran -c macro.F90
check "is an error as well" has err "^macro.F90:4:16: error: there is no 'nn' in this source"
printf 'module lent\n  integer :: nn = 5\nend module\n' >lent.f90
sed 's/^  n = 3/  use lent\n  n = 3/' misprint.f90 >borrows.f90
check "nor a name of a module" exits 0 "$call" cc gfortran lent.f90 borrows.f90 -o borrows
finish
