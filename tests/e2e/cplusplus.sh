#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The example of docs/user/cplusplus.md: it builds plainly and through call cc with each compiler, prints the same, and
# its data can be fitted; call run and CMake do the same. make check takes one standard for each compiler.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need g++
cp "$CLL_SOURCE/examples/cplusplus/"*.?pp .
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    [ -z "$sanitize" ] || [ $compiler = g++ ] || continue
    what=$compiler
    standards="c++11 c++20"
    [ "$thorough" = yes ] || { [ $compiler = g++ ] && standards=c++11 || standards=c++20; }
    for standard in $standards; do
        "$compiler" $sanitize -std=$standard -O1 -Wall -Wextra -Wpedantic -Werror -Wno-unknown-pragmas words.cpp -o plain
        "$call" cc "$compiler" $sanitize -std=$standard -O1 -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Werror words.cpp -o words
        ./plain 100 400 >plain.out
        CLL_OUT=words.dat ./words 100 400 >measured.out
        same measured.out plain.out
    done
    # one experiment for all instances of the template; 400 strings and 400 integers make the map grow 6 times each
    is "$(rows words.dat grow)" "$((2 * (4 + 5 + 6)))" "samples of grow"
    is "$(rows words.dat insert)" 3 "samples of insert"
    is "$(rows words.dat look_up)" "$((4 + 4 + 5))" "samples of a lambda"
    is "$(rows words.dat miss)" 3 "samples that an exception ended"
    has_text words.dat hash_map.hpp
    for e in grow insert look_up; do
        "$llac" -e "fit $e; table $e" words.dat >fit.txt
        has_text fit.txt "$e[0]"
    done
    rm -f words.dat
done
[ -z "$sanitize" ] || exit 0
what="call run"
"$call" run --full -n 2 words.cpp -- 1000 8000 >run.out 2>run.err || { cat run.out run.err; fail "call run"; }
for e in grow insert look_up; do has_text run.out "$e[1]"; done
has_text run.out "miss[0]"
