#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Large sources in little memory: 10,000 regions, however they stand, in 200 MB. What nests deeper than the limit is an
# error at its place. The programs that call starts have the same limit.
. "$CLL_SOURCE/tests/call/setup.sh"
[ -z "$sanitize" ] || skip "a sanitizer reserves more memory than the limit"
make_source() { awk -v shape="$1" -v n="$2" -f "$CLL_SOURCE/tests/translate/large_source.awk" >"$1.c"; }
limited() { (ulimit -v 204800 && exec "$@"); }

translated() { # SHAPE N
    make_source "$1" "$2"
    exits 0 limited "$call" --cc gcc "$1.c" && lacks err 'preprocessor failed' || return 1
    exits 0 limited "$call" --raw "$1.c"
}
refused() { # SHAPE N MESSAGE: one message, then how many more there are
    make_source "$1" "$2"
    exits 1 limited "$call" --cc gcc --check "$1.c" && has err "$3"
}
for shape in functions regions sites jumps cases reports branches line; do
    check "10,000 $shape" translated $shape 10000
done
check "100,000 else-ifs" translated else-ifs 100000
check "100,000 parentheses" translated parentheses 100000
check "900 nested regions" translated nested 900
check "900 nested blocks" translated blocks 900
check "regions nested too deep" refused nested 20000 '^nested.c:1003:13: error: .*nested more than 1000 deep'
check "nothing else is said about them" lacks err 'has no end'
check "blocks nested too deep" refused blocks 20000 '^blocks.c:1003:5: error: .*nested more than 1000 deep'
check "10,000 ends in another block" refused ends 10000 'is in another block'
check "10,000 jumps into regions" refused gotos 10000 'jumps into the region'
make_source regions 33000
check "more experiments than a program measures" exits 1 "$call" --raw --check regions.c
check "the first one too many is named" has err 'error: this is experiment 32768'
printf 'int f(int n)\n{\n#pragma cll e o0 = e[0]%s\n    n++;\n#pragma cll end e\n    return n;\n}\n' \
    "$(awk 'BEGIN { for (i = 1; i < 2000; i++) printf "; o%d = e[0]", i }')" >observables.c
check "too many observables" exits 1 limited "$call" observables.c
check "that is said where they begin" has err 'observables.c:3:.*at most 64 observables'
finish
