#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole projects built through `call cc`: make with CC="call cc gcc", CMake with launchers for compiler and linker.
. "$CLL_SOURCE/tests/call/setup.sh"
mkdir -p src include
cat >src/main.c <<'END'
#include <stdio.h>
#include "sum.h"
int main(void)
{
    long r = 0;
    for (int n = 1; n <= 4096; n *= 4) {
#pragma cll whole whole[0] + whole[1]*n
        r += sum(n);
#pragma cll end whole
    }
    printf("%ld\n", r);
    return 0;
}
END
cat >src/sum.c <<'END'
#include "sum.h"
#include "size.h"
long sum(int n)
{
    long s = SIZE;
#pragma cll sum sum[0] + sum[1]*n
    for (int i = 0; i < n; i++)
        s += i;
#pragma cll end sum
    return s;
}
END
echo '#define SIZE 0' >src/size.h
echo 'long sum(int n);' >include/sum.h
cat >Makefile <<'END'
CFLAGS = -O1 -Wall -Werror -Iinclude -MMD -MP
objects = src/main.o src/sum.o
prog: $(objects)
	$(CC) -o $@ $(objects)
-include $(objects:.o=.d)
END
check "make" make -s CC="$call cc $CC"
check "the program" eval 'CLL_OUT=make.dat ./prog >out'
check "measures both files" eval 'grep -q "^whole " make.dat && grep -q "^sum " make.dat'
check "make again does nothing" eval 'make CC="$call cc $CC" | grep -q "up to date"'
sleep 1
echo '#define SIZE 5' >src/size.h
check "make sees a changed header" eval 'make CC="$call cc $CC" | grep -q sum.o'
check "but only what depends on it" eval 'touch src/size.h; sleep 1; touch src/size.h; ! make CC="$call cc $CC" | grep -q "main\.c"'

command -v cmake >/dev/null || { echo "cmake is not here: the rest is left out"; finish; }
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(demo C)
add_executable(demo src/main.c src/sum.c)
target_include_directories(demo PRIVATE include)
END
check "cmake" env -u CMAKE_GENERATOR cmake -S . -B build -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_COMPILER_LAUNCHER="$call;cc" -DCMAKE_C_LINKER_LAUNCHER="$call;cc"
check "cmake builds" cmake --build build
check "cmake's program" eval 'CLL_OUT=cmake.dat ./build/demo >out'
check "cmake's program measures both files" eval 'grep -q "^whole " cmake.dat && grep -q "^sum " cmake.dat'
echo '#define SIZE 7' >src/size.h
check "cmake sees a changed header" eval 'sleep 1; touch src/size.h; cmake --build build -v 2>&1 | grep -q "sum.c.o"'
finish
