#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# golden.sh [--update] [CASE...]: every golden/CASE.c is translated; exit status, messages, translated source and header
# must be those in golden/CASE.expect. A case that translates and has a main is compiled plainly and translated, with
# warnings as errors, by each compiler that is there: both programs must print the same and end alike.
# "gcc only" in the first line: other compilers do not take it.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
update=no
[ "${1:-}" = --update ] && { update=yes; shift; }
cases=${*:-$(cd "$here/golden" && ls -- *.c | sed 's/\.c$//')}
include=$CLL_SOURCE/include
failed=0 count=0
fail() { echo "FAIL $1"; failed=$((failed + 1)); }

compare_programs() { # CASE COMPILER
    [ -z "${CLL_SANITIZE:-}" ] || return 0 # the library needs sanitized programs: cc.sh has some
    local flags="-std=gnu11 -Wall -Wextra -Wno-unknown-pragmas -Wno-comment -Wno-unused-variable -Wno-unused-parameter -Wno-unused-const-variable -Wno-old-style-definition -Werror"
    [ "$2" = clang ] && flags="$flags -Wno-deprecated-non-prototype -Wno-unknown-warning-option"
    # shellcheck disable=SC2086
    "$2" $flags "$1.c" -lm -o plain 2>log || { fail "$1: $2 does not take the source"; cat log; return; }
    # shellcheck disable=SC2086
    "$2" $flags -I"$include" "$1.cll.c" -L"$CLL_BUILD/lib" -Wl,-rpath,"$CLL_BUILD/lib" -lcll -lm -o measured 2>log ||
        { fail "$1: $2 does not take the translated source"; cat log; return; }
    ./plain >plain.out 2>&1; local want=$?
    CLL_OUT=data.dat ./measured >measured.out 2>measured.err; local got=$?
    cmp plain.out measured.out || fail "$1: $2: other output"
    [ "$want" = "$got" ] || fail "$1: $2: exit status $got, not $want"
    grep -q '#pragma cll [a-z]*' "$1.c" && [ ! -s data.dat ] && grep -q 'CLL_BEGIN' "$1.cll.h" && fail "$1: $2: no data"
    rm -f plain measured data.dat ./*.spool
}

for case in $cases; do
    count=$((count + 1))
    cp "$here/golden/$case.c" .
    CC=gcc "$CLL_BIN/call" "$case.c" >stdout 2>stderr </dev/null
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
    elif ! diff -u "$here/golden/$case.expect" got; then
        fail "$case"
    fi
    [ -e "$case.cll.c" ] && [ $status != 0 ] && fail "$case: output in spite of errors"
    if [ $status = 0 ] && grep -q 'int main' "$case.c" && ! grep -q no_such_header "$case.c"; then
        compare_programs "$case" gcc
        if command -v clang >/dev/null && ! head -1 "$case.c" | grep -q 'gcc only'; then
            compare_programs "$case" clang
        fi
    fi
    rm -f "$case".*
done
left=$(find . -mindepth 1 -maxdepth 1 ! -name stdout ! -name stderr ! -name got ! -name log ! -name '*.out' ! -name '*.err')
[ -z "$left" ] || fail "left behind: $left"
echo "$count cases, $failed failures"
[ $failed = 0 ]
