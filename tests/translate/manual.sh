#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The C examples of docs/reference/language.md: a block after `<!-- run -->` is a whole program that is translated, compiled and
# run; a block after `<!-- error: TEXT -->` is a program that call refuses with TEXT.
. "$CLL_SOURCE/tests/call/setup.sh"
awk '
    /^<!-- run -->/ { kind = "run"; next }
    /^<!-- error: / { kind = "error"; text = $0; sub(/^<!-- error: /, "", text); sub(/ -->.*/, "", text); next }
    /^```c/ && kind { n++; file = sprintf("%s%d.c", kind, n); if (kind == "error") print text > (file ".want"); next }
    /^```/ && file { close(file); file = ""; kind = ""; next }
    file { print > file }
' "$CLL_SOURCE/docs/reference/language.md"
check "there are examples to run" eval 'ls run*.c'
check "there are examples of errors" eval 'ls error*.c'
for file in run*.c; do
    check "$file compiles plainly" "$CC" -w "$file" -lm -o plain
    check "$file compiles instrumented" "$call" cc "$CC" -w "$file" -lm -o measured
    check "$file runs alike" eval './plain >want; CLL_OUT=$PWD/data.dat ./measured >got; cmp want got'
    check "$file gives data" test -s data.dat
    rm -f data.dat
done
for file in error*.c; do
    check "$file is refused" exits 1 "$call" --check "$file"
    check "$file says why" has err "$(cat "$file.want")"
done
finish
