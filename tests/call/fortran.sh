#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call, call cc and call run with Fortran: which sources are translated, the preprocessor, messages, dependency files, modules,
# OpenMP, MPI, programs in two languages.
. "$CLL_SOURCE/tests/call/setup.sh"
need gfortran
[ -z "$sanitize" ] || skip "libcll is sanitized, and gfortran's programs are not"
export FC=gfortran

# ---- a module, a program, separate commands
mkdir -p src mods
cat >src/sums.f90 <<'END'
module sums
  implicit none
contains
  function total(a) result(s)
    real, intent(in) :: a(:)
    real :: s
    integer :: i
    s = 0
    !$cll total(n = size(a)) total[0] + total[1]*n
    if (size(a) == 3) return
    do i = 1, size(a)
      s = s + a(i)
    end do
    !$cll end total
  end function
end module
END
cat >src/main.f90 <<'END'
program main
  use sums
  implicit none
  integer :: n
  real :: a(8) = 1
  do n = 1, 5
    print *, total(a(:n))
  end do
end program
END
check "-c with -J" "$call" cc gfortran -Wall -Wextra -Werror -pedantic -std=f2008 -c -Jmods src/sums.f90 -o sums.o
check "the module file is where it was asked for" exists mods/sums.mod
check "a source without directives" "$call" cc gfortran -c -Jmods src/main.f90
check "the object has its name" exists main.o
check "linking" "$call" cc gfortran main.o sums.o -o prog
check "plainly" gfortran -Jmods src/sums.f90 src/main.f90 -o plain
check "the same output" eval './plain >want; CLL_OUT=$PWD/data.dat ./prog >got; cmp want got'
check "samples" is "$(rows data.dat total)" 5 samples
check "values" is "$(values data.dat total n)" "1 2 3 4 5 " values
check "the site" has_text data.dat src/sums.f90:9-14
check "the compiler" has data.dat '# compiler: gfortran [0-9]'
check "the flags" has data.dat '# flags: -std=f2008'
rm -f data.dat ./*.mod mods/* ./*.o
check "several sources in one command" "$call" cc gfortran -O2 -flto -fno-underscoring -Jmods src/sums.f90 src/main.f90 -o prog
check "its data" eval 'CLL_OUT=$PWD/data.dat ./prog >got; cmp want got; is "$(rows data.dat total)" 5 samples'
rm -f data.dat
check "no other file" eval 'is "$(find . -name "*.cll.*" -o -name "*.mod" ! -path "./mods/*")" "" files'
check "integers of 8 bytes" "$call" cc gfortran -fdefault-integer-8 -fdefault-real-8 -Jmods src/sums.f90 src/main.f90 -o prog
check "its data" eval 'CLL_OUT=$PWD/data.dat ./prog >/dev/null; is "$(values data.dat total n)" "1 2 3 4 5 " values'
rm -f data.dat

# ---- the preprocessor: conditionals, macros in directives and around them, included code
cat >src/pre.F90 <<'END'
#include "setting.inc"
#define LEAVE if (n > 2) return
#define SIZE 7
subroutine work(n)
  implicit none
  integer, intent(in) :: n
#ifdef WITH
  !$cll work work[0] + work[1]*n + work[2]*SIZE
#else
  !$cll other other[0]
#endif
  LEAVE
  call nothing(0)
#ifdef WITH
  !$cll end work
#else
  !$cll end other
#endif
end subroutine
subroutine nothing(k)
  integer, intent(in) :: k
  if (k > 9) stop
end subroutine
program main
  integer :: i
  include 'loop.inc'
end program
END
printf '#define UNUSED 1\n' >src/setting.inc
printf 'do i = 1, 4\n  call work(i)\nend do\n' >src/loop.inc
check ".F90" "$call" cc gfortran -DWITH src/pre.F90 -o pre
check "its data" eval 'CLL_OUT=$PWD/data.dat ./pre; is "$(rows data.dat work) $(rows data.dat other)" "4 0" samples'
check "a macro is a variable" is "$(values data.dat work SIZE)" "7 " values
check "lines are those of the source" has_text data.dat src/pre.F90:8-15
rm -f data.dat
cp src/pre.F90 src/pre.f90
check "-cpp" "$call" cc gfortran -cpp src/pre.f90 -o pre
check "its data" eval 'CLL_OUT=$PWD/data.dat ./pre; is "$(rows data.dat work) $(rows data.dat other)" "0 4" samples'
rm -f data.dat
check "-E leaves the directives" eval '"$call" cc gfortran -E -DWITH src/pre.F90 >pp.f90; has pp.f90 "!.cll work"'
check "what it wrote can be compiled" "$call" cc gfortran -Isrc pp.f90 -o pre
check "its data" eval 'CLL_OUT=$PWD/data.dat ./pre; is "$(rows data.dat work)" 4 samples'
check "the lines are those of the source" has_text data.dat src/pre.F90:8-15
rm -f data.dat
check "-MMD" "$call" cc gfortran -cpp -MMD -c src/pre.F90 -o pre.o
check "the dependency file" has pre.d 'pre.o: src/pre.F90'
check "names the user's files" eval 'has_text pre.d src/setting.inc && lacks_text pre.d call-'
check "-x f95-cpp-input" "$call" cc gfortran -x f95-cpp-input -DWITH -c src/pre.f90 -o pre.o
check "its region is measured" eval 'nm pre.o | grep -q cll_fortran_begin'
printf '#error stop here\n  !$cll f f[0]\n  !$cll end f\nend\n' >bad.F90
check "an error of the preprocessor" exits 1 "$call" cc gfortran -c bad.F90
check "is the compiler's" eval 'has err "bad.F90:1:" && has err "stop here"'

# ---- messages of the compiler point at the user's lines
printf 'program p\n  implicit none\n  integer :: n\n  n = 1\n  !$cll f f[0] + f[1]*n + f[2]*absent\n  n = wrong\n  !$cll end f\n  n = "x"\nend program\n' >msg.f90
check "the compiler complains" exits 1 "$call" cc gfortran -c msg.f90
check "about the variable of a formula" has err 'msg.f90:5:37'
check "about a statement in the region" has err 'msg.f90:6:'
check "about one after it" has err 'msg.f90:8:'
check "it shows the source" has_text err '!$cll f f[0] + f[1]*n + f[2]*absent'
printf 'program p\n  logical :: n = .true.\n  !$cll f f[0] + f[1]*n\n  n = .false.\n  !$cll end f\nend program\n' >type.f90
check "a variable that is no number" exits 1 "$call" cc gfortran -c type.f90
check "is an error at its place" has err 'type.f90:3:22'

# ---- values at the end of a region
cp "$CLL_SOURCE/tests/translate/golden/fortran_late.f90" late.f90
for level in -O0 -O2; do
    check "values at the end, $level" "$call" cc gfortran $level -Wall -Wextra -Werror -std=f2008 late.f90 -o late
    check "it runs" eval 'CLL_OUT=$PWD/data.dat ./late >got'
    check "a name, which a block inside the region declares again" is "$(grep '^work' data.dat | cut -d' ' -f10,11 | tr '\n' ,)" "1 1,2 2,3 3,4 4,5 4,6 4," values
    check "a component" is "$(values data.dat work total)" "1 3 6 10 14 18 " values
    check "an element" is "$(values data.dat work second)" "0.5 1 1.5 2 " values
    check "a protected variable" is "$(values data.dat work h)" "1 3 6 10 14 18 " values
    rm -f data.dat
done
printf 'program p\n  implicit none\n  integer :: it = 0\n  logical :: l\n  !$cll f(n := twice(it)) f[0] + f[1]*n\n  it = it + 1\n  !$cll end f\n  !$cll g(n := l) g[0] + g[1]*n\n  l = .true.\n  !$cll end g\n  !$cll h(n := absent) h[0]*n\n  !$cll end h\ncontains\n  integer function twice(i)\n    integer, intent(in) :: i\n    twice = 2*i\n  end function\nend program\n' >bad.f90
check "a call as the value at the end" exits 1 "$call" cc gfortran -c bad.f90
check "is an error at its place" eval 'has err "bad.f90:5:15" && has err "Non-variable expression"'
check "a logical variable, too" has err 'bad.f90:8:15'
check "and an unknown one" has err 'bad.f90:11:'

# ---- what is not translated is refused
check "-std=f95" exits 1 "$call" cc gfortran -std=f95 -c src/sums.f90
check "says what to do" has_text err 'use -std=f2008'
printf '      program p\n      x = 1\n      end\n' >fixed.f
check "fixed form without directives" "$call" cc gfortran -c fixed.f
printf 'program p\n!$cll f f[0]\nx = 1\n!$cll end f\nend\n' >free.f
check "-ffree-form" "$call" cc gfortran -ffree-form -c free.f -o free.o
check "its region is measured" eval 'nm free.o | grep -q cll_fortran_begin'
cp free.f free.f90
# ---- fixed form
printf '      program p\nC$CLL f f[0]\n      x = 1\n      print *, "a string that is longer than columns 7 to 72 allow it to be, so it needs 132"\nC$CLL end f\n      end\n' >long.f
check "fixed form with long lines" "$call" cc gfortran -ffixed-line-length-132 long.f -o long
check "is measured" eval 'CLL_OUT=long.dat ./long >/dev/null && has long.dat "^f 0 0 "'
check "without a limit" "$call" cc gfortran -ffixed-line-length-none long.f -o long
check "as it is, the compiler complains" exits 1 "$call" cc gfortran long.f -o long
printf '      program p\nC$CLL f f[0]\n#ifdef TWICE\n      x = 2\n#endif\n      x = 1\nC$CLL end f\n      end\n' >cpp.F
check "fixed form that is preprocessed" "$call" cc gfortran -DTWICE cpp.F -o cpp
check "its region is measured" eval 'CLL_OUT=cpp.dat ./cpp && has cpp.dat "^f 0 0 "'
check "call alone" "$call" cpp.F
check "writes fixed form" eval 'has cpp.cll.f "^      block$"'
sed 's/^/      /; s/^      !/!/' free.f >form.f90
check "-ffixed-form" eval '"$call" cc gfortran -ffixed-form -c form.f90 -o form.o && nm form.o | grep -q cll_fortran_begin'
printf '      program p\n      real sqrt, x\nC$CLL f f[0]\n      x = sqrt(4.0)\nC$CLL end f\n      print *, nint(x)\n      end\n' >typed.f
check "an intrinsic function with a type" "$call" cc gfortran typed.f -o typed
check "is called in the region" eval 'is "$(CLL_OUT=/dev/null ./typed | tr -d " ")" 2 value'
printf '      program p\n      integer iargc, lnblnk\nC$CLL f f[0]\n      print *, iargc() + lnblnk("ab ")\nC$CLL end f\n      end\n' >typed.f
check "intrinsic functions of gfortran" "$call" cc gfortran typed.f -o typed
check "are called in the region" eval 'is "$(CLL_OUT=/dev/null ./typed | tr -d " ")" 2 value'
cat >typed.f90 <<'F'
program p
  implicit none
  real :: twice
  type pair
    real :: x
  end type
  interface
    real function half(y)
      real, intent(in) :: y
      real :: z
    end function
  end interface
  real, dimension(2), target :: x = 3.0
  !$cll f f[0]
  print *, nint(twice(half(x(1))))
  !$cll end f
end program
real function twice(y)
  real, intent(in) :: y
  twice = 2*y
end function
real function half(y)
  real, intent(in) :: y
  half = y/2
end function
F
check "a function with a type, besides interfaces and types" "$call" cc gfortran typed.f90 -o typed
check "is called" eval 'is "$(CLL_OUT=/dev/null ./typed | tr -d " ")" 3 value'
printf 'C$CLL f f[0]\n      x = 1\nC$CLL end f\n' >fixed.inc
printf "      program p\n      include 'fixed.inc'\n      end\n" >fixinc.f
check "a directive in an included file in fixed form" exits 1 "$call" cc gfortran -c fixinc.f
check "says where it is" has err 'fixed.inc:1:1: error: this directive would be ignored'
printf '!$cll f f[0]\nx = 1\n!$cll end f\n' >code.inc
printf "program p\ninclude 'code.inc'\nend\n" >inc.f90
check "a directive in an included file" exits 1 "$call" cc gfortran -c inc.f90
check "says where" has err 'code.inc:1:1: error: this directive would be ignored'
check "call --check says it, too" exits 1 "$call" --check inc.f90
check "--check" "$call" --check free.f90
cp free.f90 free.g90
check "a name that is no source" exits 2 "$call" free.g90
check "says which are" has err '.f90 or .f for Fortran'

# ---- call FILE.f90
check "call" "$call" src/sums.f90
check "writes one file" eval 'exists src/sums.cll.f90 && gone src/sums.cll.h'
check "which compiles" gfortran -Wall -Werror -c src/sums.cll.f90 -o sums.o
check "it replaces its own file" "$call" src/sums.f90
echo '! mine' >src/sums.cll.f90
check "but no other" exits 1 "$call" src/sums.f90
check "it says so" has_text err 'was not written by call'
check "-DWITH" "$call" -DWITH src/pre.F90
check "what was preprocessed has another ending" eval 'exists src/pre.cll.f90'
check "and compiles" gfortran -Isrc -c src/pre.cll.f90 -o pre.o
gfortran -c free.f90 -o free.o
check "no directive needs the run-time" eval '"$call" cc gfortran -Jmods src/main.f90 -fsyntax-only'

# ---- call run, with modules, and with a second language
rm -f ./*.dat ./*.mod
check "call run" exits 0 "$call" run -n 1 -q src/sums.f90 src/main.f90
check "fits" has out 'total\[1\]'
check "leaves no module file" eval 'is "$(ls -- *.mod 2>/dev/null)" "" files'
check "--keep" "$call" run -n 1 -q --keep src/sums.f90 src/main.f90
check "keeps the translated source" exists main.call/sums.cll.f90
printf 'int twice(int n)\n{\n#pragma cll twice twice[0]*n\n    n += n;\n#pragma cll end twice\n    return n;\n}\n' >twice.c
cat >mixed.f90 <<'END'
program mixed
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function twice(n) bind(C)
      import c_int
      integer(c_int), value :: n
    end function
  end interface
  integer :: n, k
  do n = 1, 3
    !$cll outer outer[0] + outer[1]*n
    k = twice(n)
    !$cll end outer
  end do
end program
END
check "C and Fortran" "$call" run -n 1 -q mixed.f90 twice.c
check "both are measured" eval 'is "$(rows mixed.cll.0.dat twice) $(rows mixed.cll.0.dat outer)" "3 3" samples'

# ---- OpenMP
cat >omp.f90 <<'END'
!$cll parallel OpenMP procs = 1, 2
program omp
  implicit none
  integer :: i, n, s
  n = 1000; s = 0
  !$cll whole whole[0] + whole[1]*n/P
  !$omp parallel do reduction(+:s)
  do i = 1, n
    s = s + i
  end do
  !$cll end whole
  !$omp parallel private(i)
  do i = 1, 3
    !$cll each each[0] + each[1]*i
    if (i == 2) cycle
    !$cll end each
  end do
  !$omp end parallel
  print *, s
end program
END
check "OpenMP" "$call" run -n 1 -q omp.f90
for p in 1 2; do
    mv omp.cll.p$p.r*.dat omp.cll.p$p.r0.dat
    check "P = $p" is "$(values omp.cll.p$p.r0.dat whole P)" "$p " P
    check "each thread of $p has its own samples" is "$(rows omp.cll.p$p.r0.dat each)" $((3 * p)) samples
    check "none is abandoned with $p" has omp.cll.p$p.r0.dat '# abandoned: 0'
done
# ---- a program that is built already says what it is, also without symbols and with LTO
for flags in -O1 '-O2 -flto'; do
    # shellcheck disable=SC2086
    check "a built program, $flags" "$call" cc gfortran $flags -fopenmp omp.f90 -o built
    strip built
    check "is swept" exits 0 "$call" run -n 1 -q --oversubscribe ./built
    check "over the numbers of its directive" has out '^built: 1 round with P = 1 2; '
done
check "and over others" eval '"$call" run -n 1 -q --procs 1,2,3 --oversubscribe ./built >out; has out "^built: 1 round with P = 1 2 3; "'
finish
