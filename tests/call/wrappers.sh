#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call-gcc and the like: `call cc gcc` in one word, by the name the program is called by.
. "$CLL_SOURCE/tests/call/setup.sh"
bin=$CLL_BIN
export PATH=$bin:$PATH
cat >prog.c <<'END'
int main(void)
{
    volatile int s = 0;
    for (int n = 1; n < 4; n++) {
#pragma cll f f[0] + f[1]*n
        s += n;
#pragma cll end f
    }
    return s != 6;
}
END
for compiler in cc gcc clang mpicc c++ g++ clang++ mpicxx gfortran mpifort mpif90; do
    check "there is call-$compiler" test -x "$bin/call-$compiler"
done
for compiler in $compilers; do
    command -v "$compiler" >/dev/null || continue
    check "call-$compiler compiles and links" exits 0 "call-$compiler" -O1 prog.c -o prog
    check "without a word" silent
    check "the program measures" eval 'CLL_OUT=prog.dat ./prog && [ "$(rows prog.dat f)" = 3 ]'
    rm -f prog.dat
    for option in --version -dumpversion -dumpmachine -print-search-dirs; do
        "$compiler" $option >plain.out 2>plain.err
        check "call-$compiler $option" exits $? "call-$compiler" $option
        check "the same output" same out plain.out
    done
done
if command -v g++ >/dev/null && [ -z "$sanitize" ]; then
    sed 's/int n/auto n/' prog.c >prog.cpp
    check "call-g++" exits 0 call-g++ -O1 prog.cpp -o prog
    check "measures" eval 'CLL_OUT=prog.dat ./prog && [ "$(rows prog.dat f)" = 3 ]'
fi

# What configure asks of a compiler.
echo 'int main(void) { return 0; }' >conftest.c
check "a test program" exits 0 call-gcc -o conftest -g -O2 -Werror conftest.c
check "no chatter" silent
check "does not need libcll" eval '! readelf -d conftest | grep -q libcll'
echo 'syntax error' >conftest.c
check "a program with an error" exits 1 call-gcc -c conftest.c
gcc -c conftest.c 2>plain.err
check "has the compiler's message" same err plain.err
echo '#include <no_such_header.h>' >conftest.c
check "a missing header" exits 1 call-gcc -E conftest.c
check "a missing function" eval 'echo "int f(void); int main(void) { return f(); }" >conftest.c; exits 1 call-gcc conftest.c -o conftest'
check "no input" exits 1 call-gcc
gcc 2>plain.err
check "is the compiler's message" eval 'sed "s/^[a-z-]*: //" err >a; sed "s/^[a-z-]*: //" plain.err >b; same a b'
check "an option that the compiler does not know" eval 'echo "int x;" >conftest.c; exits 1 call-gcc --no-such-option -c conftest.c'

ln -s "$call" call-no-such-compiler
check "a compiler that is not here" exits 127 ./call-no-such-compiler -c prog.c
check "says so" has_text err 'call cc: cannot run no-such-compiler: No such file or directory'
ln -s "$call" call-
check "a name without a compiler is call" exits 0 ./call- --version
check "prints the version" has out '^call [0-9]'

if command -v cmake >/dev/null; then
    printf 'cmake_minimum_required(VERSION 3.13)\nproject(demo C)\nadd_executable(demo prog.c)\n' >CMakeLists.txt
    check "cmake" env -u CMAKE_GENERATOR CC= cmake -S . -B build -DCMAKE_C_COMPILER=call-gcc
    check "builds" cmake --build build
    check "its program measures" eval 'CLL_OUT=cmake.dat build/demo && [ "$(rows cmake.dat f)" = 3 ]'
    sed -i 's/add_exec/find_package(Threads REQUIRED)\n&/' CMakeLists.txt
    check "cmake with the environment" env -u CMAKE_GENERATOR CC=call-gcc cmake -S . -B build2
    check "builds, too" cmake --build build2
fi
finish
