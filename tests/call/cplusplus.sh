#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# call and call cc with C++: which sources are C++, headers of several sources, warnings, messages, OpenMP, MPI.
. "$CLL_SOURCE/tests/call/setup.sh"
need g++
[ -z "$sanitize" ] || skip "golden.sh and cc.sh cover sanitized builds"
export CXX=g++
all=
for compiler in g++ $([ "$thorough" = no ] || echo clang++); do command -v $compiler >/dev/null && all="$all $compiler"; done

# ---- one experiment for all instances and all sources
mkdir -p include src
cat >include/sum.hpp <<'END'
#ifndef SUM_HPP
#define SUM_HPP
#include <vector>
template <class T> T sum(const std::vector<T> &v)
{
    T s = T();
#pragma cll sum(n = v.size()) sum[0] + sum[1]*n
    for (typename std::vector<T>::const_iterator i = v.begin(); i != v.end(); ++i)
        s += *i;
#pragma cll end sum
    return s;
}
inline int same(int n)
{
#pragma cll same same[0]*n
    return n;
#pragma cll end same
}
double other(int n);
#endif
END
cat >src/main.cpp <<'END'
#include <cstdio>
#include "sum.hpp"
namespace {
struct hidden { int x; };
}
struct shown { hidden h; };
int main()
{
    for (int n = 1; n <= 4; n++)
        std::printf("%d %g %d\n", sum(std::vector<int>(n, 2)), other(n), same(n));
    return 0;
}
END
printf '#include <sum.hpp>\ndouble other(int n) { return sum(std::vector<double>(n, .5)) + same(2); }\n' >src/other.cc
strict="-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wconversion -Wno-sign-conversion -Werror"
for compiler in $all; do
    for standard in c++98 c++17; do
        check "$compiler, $standard" "$call" cc $compiler -std=$standard $strict -Iinclude src/main.cpp src/other.cc -o prog
    done
    check "$compiler: plainly" $compiler -std=c++17 -Wall -Wextra -Wno-unknown-pragmas -Iinclude src/main.cpp src/other.cc -o plain
    check "$compiler: the same output" eval './plain >want; CLL_OUT=$PWD/data.dat ./prog >got; cmp want got'
    check "$compiler: all instances" is "$(rows data.dat sum)" 8 samples
    check "$compiler: all sources" is "$(rows data.dat same)" 8 samples
    check "$compiler: the values" is "$(values data.dat sum n)" "1 2 3 4 " values
    rm -f data.dat
    check "$compiler: -MMD and -c" "$call" cc $compiler -MMD -Iinclude -c src/main.cpp -o main.o
    check "$compiler: dependencies" has main.d 'include/sum.hpp'
    check "$compiler: no other file" lacks_text main.d .cll.h
done

# ---- which sources are C++
cat >kinds.in <<'END'
template <class T> T f(T n)
{
#pragma cll f f[0]*n
    n++;
#pragma cll end f
    return n;
}
int main() { return f(1) - 2; }
END
for end in cpp cc cxx C c++ cp CPP; do
    cp kinds.in k.$end
    check "gcc takes .$end for C++" "$call" cc gcc -c k.$end -o k.o
    check "its region is measured" eval 'nm k.o | grep -q cll_begin_slow'
    check "call translates .$end" "$call" k.$end
    check "into k.cll.$end" g++ -I"$CLL_SOURCE/include" -c k.cll.$end -o k.o
    rm -f k.*
done
cp kinds.in k.c
check "g++ takes .c for C++" "$call" cc g++ -w -c k.c -o k.o
check "its region is measured" eval 'nm k.o | grep -q cll_begin_slow'
check "gcc takes it for C" exits 1 "$call" cc gcc -c k.c -o k.o
check "-x c++" "$call" cc gcc -x c++ -c kinds.in -o k.o
check "its region is measured" eval 'nm k.o | grep -q cll_begin_slow'
cp kinds.in k.hpp
check "call does not translate headers" exits 2 "$call" k.hpp
check "it says what does" has err "headers are translated by 'call cc'"
printf 'int n;\nint class = 3, try;\nint f(void)\n{\n#pragma cll f f[0]*class\n    return class + try;\n#pragma cll end f\n}\n' >words.c
check "words of C++ are names in C" "$call" cc gcc -c words.c -o k.o

# ---- a program in two languages: a compiler of C++ would not take this C
mkdir -p mixed
printf 'long kernel(int n)\n{\n    long class = 0;\n#pragma cll kernel kernel[0]*n\n    class += n;\n#pragma cll end kernel\n    return class;\n}\n' >mixed/same.c
cat >mixed/same.cpp <<'END'
extern "C" long kernel(int n);
int main()
{
    int n = 1;
#pragma cll for (n = 1; n <= 4; n *= 2)
#pragma cll outer outer[0]*n
    kernel(n);
#pragma cll end outer
#pragma cll end for
    return 0;
}
END
check "C and C++ in one program" "$call" run -n 1 -q --keep mixed/same.cpp mixed/same.c
check "both are measured" eval 'is "$(rows same.cll.0.dat kernel) $(rows same.cll.0.dat outer)" "3 3" samples'
check "the translated sources have names of their own" eval 'exists same.call/same.cll.cpp && exists same.call/1.same.cll.c'

# ---- messages
cat >text.cpp <<'END'
#include <string>
int f(const std::string &name)
{
#pragma cll f f[0] + f[1]*name
    return 1;
#pragma cll end f
}
END
for compiler in $all; do
    check "$compiler: not a number" exits 1 "$call" cc $compiler -c text.cpp -o k.o
    check "$compiler points at the variable" has err '^text.cpp:4:27: error: '
done
printf 'module;\n#include <cstdio>\nexport module m;\nint f(int n)\n{\n#pragma cll f\n    n++;\n#pragma cll end f\n    return n;\n}\n' >m.cpp
for compiler in $all; do
    check "$compiler: a module" exits 1 "$call" cc $compiler -std=c++20 -c m.cpp -o k.o
    check "$compiler: it is refused" has err '^m.cpp:1:1: error: regions in sources that use modules'
done

# ---- OpenMP
cat >omp.cpp <<'END'
#include <omp.h>
#include <cstdio>
#include <vector>
#pragma cll parallel OpenMP
template <class T> T total(const std::vector<T> &v)
{
    T s = 0;
    int n = int(v.size());
#pragma cll sync total total[0] + total[1]*n/P
#pragma omp parallel for reduction(+ : s) num_threads(2)
    for (int i = 0; i < n; i++)
        s += v[i];
#pragma cll end total
#pragma omp parallel num_threads(3)
    {
#pragma cll sync inside inside[0]*T
        int k = omp_get_thread_num();
#pragma cll end inside
        (void)k;
    }
    return s;
}
int main()
{
    std::printf("%d\n", total(std::vector<int>(1000, 3)));
    return 0;
}
END
for compiler in $all; do
    echo 'int main() {}' >try.cpp
    $compiler -fopenmp try.cpp -o try 2>/dev/null || continue
    check "$compiler: OpenMP" "$call" cc $compiler -fopenmp -Wall -Wextra -Werror omp.cpp -o prog
    check "$compiler: it runs" eval 'CLL_OUT=$PWD/data.dat ./prog >got && test "$(cat got)" = 3000'
    check "$compiler: P around the construct" is "$(values data.dat total P)" "2 " P
    check "$compiler: samples inside" is "$(rows data.dat inside)" 3 samples
    check "$compiler: P inside" is "$(values data.dat inside P)" "3 " P
    rm -f data.dat
done

# ---- MPI
cat >mpi.cpp <<'END'
#include <mpi.h>
#include <cstdio>
#pragma cll parallel MPI
struct world {
    world(int *argc, char ***argv) { MPI_Init(argc, argv); }
    ~world() { MPI_Finalize(); }
    int step(MPI_Comm comm, int n)
    {
#pragma cll sync(comm) step step[0] + step[1]*n
        MPI_Barrier(comm);
#pragma cll end step
        return n;
    }
};
int main(int argc, char **argv)
{
    world w(&argc, &argv);
    for (int n = 1; n <= 3; n++)
        w.step(MPI_COMM_WORLD, n);
#pragma cll report all
    return 0;
}
END
if command -v mpicxx >/dev/null && [ -e "$CLL_BUILD/lib/libcll_mpi_openmpi.a" ] && mpicxx --version 2>/dev/null | grep -q g++ &&
    mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    check "mpicxx" "$call" cc mpicxx -Wall -Wextra mpi.cpp -o prog
    check "two processes" env CLL_OUT="$PWD/data.dat" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun --oversubscribe -n 2 ./prog
    check "samples of both" is "$(rows data.dat step)" 6 samples
    check "P" is "$(values data.dat step P)" "2 " P
fi
finish
