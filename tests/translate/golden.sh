#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# golden.sh [--update] [CASE...]: every golden/CASE.c is translated; exit status, messages, translated source and header
# must be those in golden/CASE.expect. A case that translates and has a main is compiled plainly and translated, with
# warnings as errors, by each compiler that is there: both programs must print the same and end alike. make check compiles
# every third one with clang, make check-long all.
# "gcc only" in the first line: other compilers do not take it.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
here=$CLL_SOURCE/tests/translate
update=no
[ "${1:-}" = --update ] && { update=yes; shift; }
cases=${*:-$(cd "$here/golden" && ls -- *.c | sed 's/\.c$//')}
include=$CLL_SOURCE/include

compare_programs() { # CASE COMPILER
    [ -z "$sanitize" ] || return 0 # the library needs sanitized programs: cc.sh has some
    local flags="-std=gnu11 -Wall -Wextra -Wno-unknown-pragmas -Wno-comment -Wno-unused-variable -Wno-unused-parameter -Wno-unused-const-variable -Wno-old-style-definition -Werror"
    [ "$2" = clang ] && flags="$flags -Wno-deprecated-non-prototype -Wno-unknown-warning-option"
    # shellcheck disable=SC2086
    "$2" $flags "$1.c" -lm -o plain 2>log || { show log; fail "$2 does not take the source"; return; }
    # shellcheck disable=SC2086
    "$2" $flags -I"$include" "$1.cll.c" -L"$CLL_BUILD/lib" -Wl,-rpath,"$CLL_BUILD/lib" -lcll -lm -o measured 2>log ||
        { show log; fail "$2 does not take the translated source"; return; }
    ./plain >plain.out 2>&1; local want=$?
    CLL_OUT=data.dat ./measured >measured.out 2>measured.err; local got=$?
    same measured.out plain.out
    is "$got" "$want" "exit status of $2's program"
    grep -q '#pragma cll [a-z]*' "$1.c" && [ ! -s data.dat ] && grep -q 'CLL_BEGIN' "$1.cll.h" && fail "$2: no data"
    rm -f plain measured data.dat ./*.spool
}

for case in $cases; do
    what=$case checks=$((checks + 1))
    cp "$here/golden/$case.c" .
    CC=gcc "$call" "$case.c" >stdout 2>stderr </dev/null
    status=$?
    {
        echo "== status $status"
        cat stdout stderr
        for out in "$case.cll.c" "$case.cll.h"; do
            [ -e "$out" ] && { echo "== $out"; cat "$out"; echo "== end"; }
        done
    } >got
    if [ $update = yes ]; then
        cp got "$here/golden/$case.expect"
    else
        diff -u "$here/golden/$case.expect" got || fail "not as in golden/$case.expect"
    fi
    [ -e "$case.cll.c" ] && [ $status != 0 ] && fail "output in spite of errors"
    if [ $status = 0 ] && grep -q 'int main' "$case.c" && ! grep -q no_such_header "$case.c"; then
        compare_programs "$case" gcc
        if { [ "$thorough" = yes ] || [ $((checks % 3)) = 0 ]; } && command -v clang >/dev/null && ! head -1 "$case.c" | grep -q 'gcc only'; then
            compare_programs "$case" clang
        fi
    fi
    rm -f "$case".*
done
left=$(find . -mindepth 1 -maxdepth 1 ! -name stdout ! -name stderr ! -name got ! -name log ! -name '*.out' ! -name '*.err')
[ -z "$left" ] || fail "left behind: $left"
finish
