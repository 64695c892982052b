#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# NAME := EXPRESSION: the value when the region ends, however the program leaves it, with every compiler, from the pragma to
# the fit.
. "$CLL_SOURCE/tests/call/setup.sh"
[ -x "$CLL_BIN/llac" ] || skip "llac is not built"

# values EXPERIMENT FILE COLUMN...: of each sample, one line, sorted: the order of the points in a file is not defined
values() {
    local experiment=$1 file=$2
    shift 2
    awk -v e="$experiment" -v wanted="$*" '
        /^#/ { next }
        $1 == "experiment" { n = split(wanted, w, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == e { line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[w[i]]; print line }' "$file" | LC_ALL=C sort
}

cp "$CLL_SOURCE/tests/translate/golden/values_at_the_end.c" c.c
cp "$CLL_SOURCE/tests/translate/golden/computed_at_the_end.c" e.c
for compiler in $compilers; do
    command -v "$compiler" >/dev/null || continue
    for level in -O0 -O2; do
        [ "$thorough" = yes ] || [ $level = -O2 ] || continue
        what="$compiler $level"
        rm -f c.dat
        exits 0 "$call" cc "$compiler" $level -Wall -Wextra -Werror c.c -o c
        CLL_OUT=c.dat ./c >/dev/null || fail "the program fails"
        is "$(values solve c.dat x iterations rest)" $'100 7 0.78125\n1000000 7 3906.25' 'values of a loop and of an early return'
        is "$(values types c.dat c s u h uh ll ull b f ld k cv third p size)" '98 -2 201 -4 60001 2 2 1 2 2 3 4 4 5 9' 'values of all types'
        is "$(values unbraced c.dat it)" 5 'value of a region that ends before its scope'
        rm -f e.dat
        exits 0 "$call" cc "$compiler" $level -Wall -Wextra -Wpedantic -Werror e.c -o e
        CLL_OUT=e.dat ./e >/dev/null || fail "the program fails"
        is "$(values scan e.dat n pos size low length half both at)" $'0 3 0 0 6 0.25 0 0\n2 23 2 2 6 0 1 2\n4 43 4 4 6 1.5 1 4\n6 63 6 6 3 0.25 1 6\n8 63 6 6 3 0.25 1 6' 'expressions'
        is "$(values unbraced e.dat odd sum first)" $'0 510 4\n1 102 4' 'expressions of a region that ends before its scope'
        is "$(values ways e.dat way twice | tr '\n' ';')" '0 22;0 44;0 66;1 22;1 42;2 20;2 40;2 60;3 22;3 42;4 22;' 'expressions, all ways out'
        is "$(values labelled e.dat n)" -34 'an expression after a label'
        is "$(values walk e.dat node here gone cast)" '2 3 9 5' 'names of types and macros'
    done
done

# Every way out of a region, and a value in each iteration.
cat >ways.c <<'END'
#include <stdio.h>
static int f(int way)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
#pragma cll ways(way, n := n) ways[0] + ways[1]*n
        n += 10;
        if (way == 1 && i == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3 && i == 1)
            goto out;
        if (way == 4)
            return n++;
        n++;
#pragma cll end ways
    }
out:
    return n;
}
int main(void)
{
    int sum = 0;
    for (int way = 0; way < 5; way++)
        sum += f(way);
    printf("%d\n", sum);
    return 0;
}
END
what='all ways out'
exits 0 "$call" cc gcc -O2 -Wall ways.c -o ways
CLL_OUT=ways.dat ./ways >/dev/null || fail "the program fails"
is "$(values ways ways.dat way n | tr '\n' ';')" '0 11;0 22;0 33;1 11;1 21;2 10;2 20;2 30;3 11;3 21;4 11;' 'values'

# Exceptions, classes, templates, lambdas, references.
if command -v g++ >/dev/null && [ -z "$sanitize" ]; then
    cp "$CLL_SOURCE/tests/translate/golden/cxx_values_at_the_end.cpp" x.cpp
    cp "$CLL_SOURCE/tests/translate/golden/cxx_computed_at_the_end.cpp" y.cpp
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || continue
        for level in -O0 -O2; do
            [ "$thorough" = yes ] || [ "$compiler $level" = 'g++ -O2' ] || continue
            what="$compiler $level"
            rm -f x.dat
            exits 0 "$call" cc $compiler $level -std=c++17 -Wall -Wextra -Werror x.cpp -o x
            CLL_OUT=x.dat ./x >/dev/null || fail "the program fails"
            is "$(values solve x.dat iterations rounds)" $'3 3\n6 6' 'values with an exception'
            is "$(values twice x.dat n done)" $'24 3\n4 3' 'values of a template'
            is "$(values walk x.dat it)" 6 'value of a lambda'
            rm -f y.dat
            exits 0 "$call" cc $compiler $level -std=c++17 -Wall -Wextra -Wpedantic -Werror y.cpp -o y
            CLL_OUT=y.dat ./y >/dev/null || fail "the program fails"
            is "$(values scan y.dat n pos size)" $'3 30 4\n9 80 9' 'expressions with an exception'
            is "$(values twice y.dat v sum m)" $'10 4 7\n7 9 7' 'expressions of a template'
            is "$(values walk y.dat it c made last)" '12 3 4.5 3' 'expressions of a lambda'
            is "$(values loop y.dat k)" $'10\n12\n8' 'expressions of a loop'
            is "$(values guarded y.dat n)" $'30\n60' 'expressions, before a destructor runs'
        done
    done
fi

# What is not an object that can be read is an error of the compiler, in the line of the pragma.
cat >bits.c <<'END'
struct flags { unsigned low : 3; };
int f(struct flags *s)
{
#pragma cll f(n := s->low) f[0]*n
    s->low++;
#pragma cll end f
    return s->low;
}
END
what='a bit-field'
exits 1 "$call" cc gcc -c bits.c
has err 'bits.c:4:'

# An expression that is no number is complained about in the line of the pragma; clang needs an option in C, C++ a standard.
cat >structure.c <<'END'
struct s { int n; } v[2];
int f(int n)
{
#pragma cll f(m := *(v + n)) f[0]*m
    n++;
#pragma cll end f
    return n;
}
END
cat >register.c <<'END'
int f(int n)
{
    register int fast = n;
#pragma cll f(m := fast + 1) f[0]*m
    fast += 2;
#pragma cll end f
    return fast;
}
END
for compiler in $compilers; do
    command -v "$compiler" >/dev/null || continue
    what="no number, $compiler"
    exits 1 "$call" cc "$compiler" -c structure.c
    has err 'structure.c:4:'
done
if command -v clang >/dev/null; then
    # A block would have a copy of a variable that call does not find.
    cat >copied.c <<'END'
typedef int number;
int f(int n)
{
    typedef int other;
    other number = n;
#pragma cll f(m := number + 1) f[0]*m
    number += 2;
#pragma cll end f
    return number;
}
END
    what='a variable that is not found, clang'
    exits 1 "$call" cc clang -c copied.c
    has err 'copied.c:6:.*not a compile-time constant'
    what='a register variable, clang'
    exits 1 "$call" cc clang -c register.c
    has err 'register.c:4:.*remove the word register'
    what='without blocks'
    exits 0 "$call" e.c
    exits 1 clang -I"$CLL_SOURCE/include" -c e.cll.c
    has err "needs the option -fblocks of clang; 'call cc' adds it"
fi
if command -v g++ >/dev/null; then
    what='C++98'
    cp structure.c old.cpp
    sed -i 's/\*(v + n)/n + 1/' old.cpp
    exits 1 "$call" cc g++ -std=c++98 -c old.cpp
    has_text err 'needs C++11'
    exits 0 "$call" cc g++ -std=c++11 -c old.cpp
fi

# The variables of an expression are those of the thread: a nested function of gcc would see the others.
cat >team.c <<'END'
#include <stdio.h>
#pragma cll parallel OpenMP
static int twice(const int *p)
{
    return 2 * *p;
}
int main(void)
{
    int total = 0, base = 5;
#pragma omp parallel num_threads(2) reduction(+ : total) firstprivate(base)
    {
        int mine = 1, (*later)(const int *) = NULL;
        for (int k = 0; k < 2; k++) {
#pragma cll team(v := later(&mine) + base, t := total + 0) team[0] + team[1]*v
            later = twice;
            mine += 10;
            total += mine;
            base++;
            if (k)
                continue;
#pragma cll end team
        }
    }
    printf("%d %d\n", total, base);
    return 0;
}
END
for compiler in $compilers; do
    command -v "$compiler" >/dev/null && echo 'int main(void) { return 0; }' >probe.c && "$compiler" -fopenmp probe.c -o probe 2>/dev/null || continue
    what="OpenMP, $compiler"
    rm -f team.dat
    exits 0 "$call" cc "$compiler" -fopenmp -Wall -Wextra -Werror team.c -o team
    is "$(CLL_OUT=team.dat ./team)" '64 5' 'what the program prints'
    is "$(values team team.dat v t | tr '\n' ';')" '28 11;28 11;49 32;49 32;' 'values'
done

# The clock is read before an expression is computed: the region does not contain the time that it takes.
cat >slow.c <<'END'
#include <time.h>
static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}
static long since(long before)
{
    struct timespec t = { 0, 50000000 };
    long passed = now() - before;
    nanosleep(&t, 0);
    return passed;
}
int main(void)
{
    long before = now();
#pragma cll slow(passed := since(before)) slow[0]
    ;
#pragma cll end slow
    return before == 0;
}
END
what='the time of an expression'
exits 0 "$call" cc gcc slow.c -o slow
CLL_OUT=slow.dat ./slow || fail "the program fails"
values slow slow.dat CLOCK passed | awk '{ exit !(NF == 2 && $1 < $2 * 1e-9 + 0.001) }' || fail "the region contains it: $(values slow slow.dat CLOCK passed)"

# From the pragma to the fit: the number of iterations is known only at the end.
cat >newton.c <<'END'
int main(void)
{
    for (int k = 1; k <= 8; k++) {
        int it = 0;
#pragma cll newton(iterations := it) newton[0] + newton[1]*iterations
        while (it < 3 * k)
            it++;
#pragma cll end newton
    }
    return 0;
}
END
what='call run'
takes '1e-3*value("iterations")'
exits 0 "$call" run -n 3 newton.c
has_text out 'newton = newton[0] + newton[1]*iterations'
has_text out '8 points, 24 samples'
has out '^  newton\[1\] *1.000000e-03 '
is "$(cat newton.cll.*.dat | grep -c '^newton ')" 24 'samples'
exits 0 "$llac" -e 'show newton' newton.cll.*.dat
is "$(awk '$1 ~ /^[0-9]+$/ { print $1 }' out | tr '\n' ' ')" '3 6 9 12 15 18 21 24 ' 'the values of iterations'

what='a zero byte in an alias'
printf 'int f(int n)\n{\n#pragma cll f(m = n\0, k := n) f[0]*m\n    n++;\n#pragma cll end f\n    return n;\n}\n' >zero.c
exits 1 "$call" --check zero.c
has err '^zero.c:3:[0-9]*: error: '
finish
