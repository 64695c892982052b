# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the script tests of call: small named checks, a count of failures at the end.
set -u
export LC_ALL=C
unset CLL_OUT CLL_CLOCK CLL_MEMORY CLL_SPOOL CLL_COUNTERS CLL_OFF CLL_RUN CLL_PREFIX
call=$CLL_BIN/call
export TMPDIR=$PWD/temporary
mkdir -p "$TMPDIR"
compilers="gcc clang"
if [ -n "${CLL_SANITIZE:-}" ]; then
    # A sanitized library needs programs built with the same sanitizer, by the same compiler.
    compilers=gcc
    mkdir -p wrapped
    printf '#!/bin/sh\nexec %s -fsanitize=%s "$@"\n' "$(command -v gcc)" "$CLL_SANITIZE" >wrapped/gcc
    chmod +x wrapped/gcc
    export PATH=$PWD/wrapped:$PATH CC=$PWD/wrapped/gcc ASAN_OPTIONS=detect_leaks=0
fi
failed=0 count=0
check() { # WHAT COMMAND...: the command succeeds
    count=$((count + 1))
    local what=$1
    shift
    if ! "$@" >check.log 2>&1; then
        echo "FAIL $what"
        sed 's/^/    /' check.log
        failed=$((failed + 1))
    fi
}
status() { # NUMBER COMMAND...: the command ends with this status; what it said is in out and err
    local want=$1 got=0
    shift
    "$@" >out 2>err </dev/null || got=$?
    [ "$got" = "$want" ] || { echo "exit status $got, not $want"; cat out err; return 1; }
}
holds() { grep -q -- "$1" "$2" || { echo "no '$1' in $2:"; cat "$2"; return 1; }; }
lacks() { ! grep -q -- "$1" "$2" || { echo "'$1' in $2:"; cat "$2"; return 1; }; }
same() { cmp "$1" "$2"; }
clean() { [ -z "$(ls -A "$TMPDIR")" ] || { echo "left behind:"; find "$TMPDIR"; return 1; }; }
finish() {
    check "nothing is left in the temporary folder" clean
    echo "$count checks, $failed failures"
    [ "$failed" = 0 ]
    exit
}
