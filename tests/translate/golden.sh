#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# golden.sh [--update] [CASE...]: every golden/CASE.c, golden/CASE.cpp, golden/CASE.cu (as written, without nvcc), golden/CASE.f90 and golden/CASE.f is translated; exit status, messages, translated source and header
# must be those in golden/CASE.expect. A case that translates and has a main is compiled plainly and translated, with
# warnings as errors, by each compiler that is there: both programs must print the same and end alike. make check compiles
# every fourth one, every eighth with clang: those whose translation is as before were compiled when it was written. --update
# and make check-long compile all.
# "gcc only" in the first line: other compilers do not take it. "c++11" there: the standard of a CASE.cpp, else c++17.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
here=$CLL_SOURCE/tests/translate
update=no
[ "${1:-}" = --update ] && { update=yes; shift; }
cases=${*:-$(cd "$here/golden" && ls -- *.c *.cpp *.cu *.f90 *.f | sed 's/\.[^.]*$//')}
include=$CLL_SOURCE/include

compare_programs() { # CASE COMPILER
    [ -z "$sanitize" ] || return 0 # the library needs sanitized programs: cc.sh has some
    command -v "$2" >/dev/null || return 0
    local standard=gnu11 ignored=-Wno-old-style-definition
    [ $end = c ] || { standard=$(sed -n '1s/.*\(c++[0-9]*\).*/\1/p' "$1.$end") ignored=-Wpedantic; }
    local flags="-std=${standard:-c++17} -Wall -Wextra -Wno-unknown-pragmas -Wno-comment -Wno-unused-variable -Wno-unused-parameter -Wno-unused-const-variable $ignored -Werror"
    [ "${end#f}" = "$end" ] || flags="-std=legacy -Wall -Wextra -Wno-unused-label -Wno-unused-dummy-argument -Werror"
    [ $end != f ] || flags="$flags -Wno-tabs -Wno-line-truncation"
    [ "$2" = clang ] && flags="$flags -Wno-deprecated-non-prototype -Wno-unknown-warning-option"
    [ "$2" = clang ] && grep -q __BLOCKS__ "$1.cll.h" && flags="$flags -fblocks"
    # shellcheck disable=SC2086
    "$2" $flags "$1.$end" -lm -o plain 2>log || { show log; fail "$2 does not take the source"; return; }
    # shellcheck disable=SC2086
    "$2" $flags -I"$include" "$1.cll.$end" -L"$CLL_BUILD/lib" -Wl,-rpath,"$CLL_BUILD/lib" -lcll -lm -o measured 2>log ||
        { show log; fail "$2 does not take the translated source"; return; }
    ./plain >plain.out 2>&1; local want=$?
    CLL_OUT=data.dat ./measured >measured.out 2>measured.err; local got=$?
    same measured.out plain.out
    is "$got" "$want" "exit status of $2's program"
    grep -q '#pragma cll [a-z]*' "$1.$end" && [ ! -s data.dat ] && grep -q 'CLL_BEGIN' "$1.cll.h" && fail "$2: no data"
    [ "${end#f}" = "$end" ] || [ -s data.dat ] || fail "$2: no data"
    rm -f plain measured data.dat ./*.spool ./*.mod
}

for case in $cases; do
    what=$case checks=$((checks + 1))
    end=c
    [ -e "$here/golden/$case.c" ] || end=cpp
    [ ! -e "$here/golden/$case.cu" ] || end=cu
    [ ! -e "$here/golden/$case.f90" ] || end=f90
    [ ! -e "$here/golden/$case.f" ] || end=f
    cp "$here/golden/$case.$end" .
    [ $end != cpp ] || command -v g++ >/dev/null || continue
    raw=
    [ $end != cu ] || raw=--raw
    CC=gcc CXX=g++ "$call" $raw "$case.$end" >stdout 2>stderr </dev/null
    status=$?
    {
        echo "== status $status"
        cat stdout stderr
        for out in "$case.cll.$end" "$case.cll.h"; do
            [ -e "$out" ] && { echo "== $out"; cat "$out"; echo "== end"; }
        done
    } >got
    if [ $update = yes ]; then
        cp got "$here/golden/$case.expect"
    else
        diff -u "$here/golden/$case.expect" got || fail "not as in golden/$case.expect"
    fi
    [ -e "$case.cll.$end" ] && [ $status != 0 ] && fail "output in spite of errors"
    if [ $status = 0 ] && [ $end != cu ] && grep -q 'int main\|^program main' "$case.$end" && ! grep -q no_such_header "$case.$end"; then
        [ $end = c ] && compilers="gcc clang" || compilers="g++ clang++"
        [ $end != f90 ] || compilers=gfortran
        if [ "$thorough" = no ] && [ $update = no ]; then
            [ $((checks % 32)) = 0 ] || compilers=${compilers% *}
            [ $((checks % 16)) = 0 ] || compilers=
        fi
        for compiler in $compilers; do
            [ $compiler = clang ] && head -1 "$case.c" | grep -q 'gcc only' || compare_programs "$case" $compiler
        done
    fi
    rm -f "$case".* ./*.mod
done
left=$(find . -mindepth 1 -maxdepth 1 ! -name stdout ! -name stderr ! -name got ! -name log ! -name '*.out' ! -name '*.err')
[ -z "$left" ] || fail "left behind: $left"
finish
