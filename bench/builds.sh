#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# builds.sh [--keep FOLDER] [--jobs N] LUA ZLIB CPPCHECK: builds code bases of others with call, unbroken?
#
# The arguments are folders of unpacked sources, as Debian 12 has them: lua-5.4.4, zlib-1.2.13, cppcheck-2.10 (C++, 111,000
# lines). An empty argument ('') leaves one out. Each is built plainly, and with call-gcc or call-g++ after every function
# body got a region of its own; in the C++ code, templates and lambdas in headers, too. Then both programs do the same work,
# and must print the same. Nothing is changed in the folders themselves.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
bin=${CLL_BIN:-$root/build/bin}
keep='' jobs=1
while :; do
    case ${1:-} in
    --keep) keep=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    *) break ;;
    esac
done
[ $# != 0 ] || { echo "left out: it needs sources of others; see bench/builds.sh"; exit 0; }
[ $# = 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
[ -x "$bin/call-gcc" ] || { echo "builds.sh: $bin/call-gcc is not there: build CALL, or set CLL_BIN" >&2; exit 1; }
export PATH=$bin:$PATH CLL_MEMORY=${CLL_MEMORY:-16M}
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT
failed=0

# regions FILE...: each function body whose braces are in column 0 becomes a region; prints how many. The head of a function
# is a line that ends with ')' and what may come after it, or the declarations of its parameters in old C. A body with
# directives of the preprocessor is left out: an #else may begin another head of the same function.
regions() {
    local file
    for file; do
        awk -v base="$(basename "$file" | tr -c 'A-Za-z0-9\n' _)" '
            function begins() { return /^{$/ && head || /^[a-zA-Z].*\) (const )?{$/ && !/^(namespace|struct|class|union|enum|extern) / }
            function flush(whole,    i) {
                if (whole) { name = "r_" base "_" ++n; print "#pragma cll " name " " name "[0]" }
                for (i = 1; i <= lines; i++) print body[i]
                if (whole) print "#pragma cll end " name
                inside = lines = directives = 0
            }
            /constexpr|^#define|^struct|^class|^union|^enum|^namespace|= *$/ { forbidden = 1 }
            inside && /^}/ { flush(!directives) }
            inside { body[++lines] = $0; directives += /^ *#/; next }
            { print }
            begins() && !forbidden { inside = 1 }
            /^}|;$|^$/ { forbidden = 0 }
            { head = /\)( const| override| noexcept)*$/ || (head && /^ +[a-zA-Z].*;$/) || /^ +[:,] .*[)}]$/ }
            END { flush(0); print n + 0 >"/dev/stderr" }' "$file" >"$file.new" 2>"$file.count"
        cat "$file.new" >"$file"
        cat "$file.count"
        rm -f "$file.new" "$file.count"
    done | awk '{ n += $1 } END { print n + 0 }'
}
# body FILE PATTERN NAME FORMULA: the braces that begin at the first line that matches, or after it, become a region
body() {
    awk -v pattern="$2" -v name="$3" -v formula="$4" '
        !found && $0 ~ pattern { found = 1 }
        inside && substr($0, 1, length(indent) + 1) == indent "}" { print "#pragma cll end " name; inside = 0 }
        { print }
        found == 1 && /{$/ { match($0, /^ */); indent = substr($0, 1, RLENGTH); print "#pragma cll " name " " formula; inside = 1; found = 2 }
        END { exit found != 2 }' "$1" >"$1.new" && cat "$1.new" >"$1" || { echo "builds.sh: $1 has no $2" >&2; exit 1; }
    rm -f "$1.new"
}

seconds() { date +%s.%N; }
# project NAME SOURCES: copies them to $work/NAME/plain and $work/NAME/call. A plain build that --keep has kept is used again.
project() {
    name=$1
    mkdir -p "$work/$name"
    rm -rf "$work/$name/call" "$work/$name"/*.dat
    [ -d "$work/$name/plain" ] || cp -a "$2" "$work/$name/plain"
    cp -a "$2" "$work/$name/call"
    cd "$work/$name" || exit 1
}
# build FOLDER COMMAND...
build() {
    local folder=$1 begin
    shift
    begin=$(seconds)
    (cd "$folder" && "$@") >"$folder.log" 2>&1 || { tail -n 30 "$folder.log"; echo "$name: $folder does not build"; failed=1; return 1; }
    took=$(awk -v a="$begin" -v b="$(seconds)" 'BEGIN { printf "%.0f", b - a }')
}
# same WHAT COMMAND...: run in both folders
same() {
    local what=$1 folder
    shift
    for folder in plain call; do
        (cd $folder && CLL_OUT=../$what.dat "$@") >$what.$folder 2>&1
        echo "exit status $?" >>$what.$folder
    done
    if cmp -s $what.plain $what.call; then return 0; fi
    diff $what.plain $what.call | head -5
    echo "$name: $what differs"
    failed=1
}
# result LINES REGIONS PLAIN CALL
result() {
    local executed
    executed=$(cat ./*.dat 2>/dev/null | sed -n 's/^# experiment: //p' | sort -u | wc -l)
    printf '%-10s %8s lines %6s regions   plain %5s s   call %5s s   regions executed %6s   %s\n' "$name" "$1" "$2" "$3" "$4" "$executed" \
        "$([ $failed = 0 ] && echo 'builds, same output' || echo FAILED)"
}

if [ -n "$1" ]; then
    project lua "$1"
    lines=$(cat plain/src/*.[ch] | wc -l)
    n=$(cd call/src && regions l*.c)
    cat >work.lua <<'LUA'
local t = {}
for i = 1, 20000 do t[i] = (i * 7919) % 20011 end
table.sort(t, function(a, b) return a < b end)
local s = {}
for i = 1, 2000 do s[#s + 1] = string.format("%d:%s", t[i], string.rep("x", i % 7)) end
print(#table.concat(s, ","), t[1], t[#t], (table.concat(s):gsub("x+", "y")):len())
print(pcall(error, "left by longjmp"), select("#", pcall(string.rep)))
local c = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
print(c(), c(), c(), load("return 1 + 2 * 3")(), collectgarbage("count") > 0)
LUA
    # a region cannot be left by a computed goto, so the interpreter's loop is a switch
    build plain make -j "$jobs" -C src generic MYCFLAGS=-DLUA_USE_JUMPTABLE=0 CC=gcc && plain=$took &&
        build call make -j "$jobs" -C src generic MYCFLAGS=-DLUA_USE_JUMPTABLE=0 CC=call-gcc && measured=$took &&
        same work src/lua ../work.lua
    result "$lines" "$n" "${plain:-?}" "${measured:-?}"
fi
if [ -n "$2" ]; then
    project zlib "$2"
    lines=$(cat plain/*.[ch] | wc -l)
    cat plain/*.c >input
    n=$(cd call && regions adler32.c compress.c deflate.c gz*.c inf*.c trees.c uncompr.c)
    build plain sh -c "CC=gcc ./configure && make -j $jobs" && plain=$took &&
        build call sh -c "CC=call-gcc ./configure && make -j $jobs" && measured=$took &&
        same test make -s test && same minigzip sh -c './minigzip <../input | ./minigzip -d | cksum; ./minigzip -9 <../input | cksum'
    result "$lines" "$n" "${plain:-?}" "${measured:-?}"
fi
if [ -n "$3" ]; then
    project cppcheck "$3"
    lines=$(cat plain/{lib,cli}/*.{cpp,h} plain/externals/*/*.{cpp,h} | wc -l)
    n=$(cd call && regions lib/*.cpp cli/*.cpp)
    # in headers: a template, a lambda in a template; elsewhere: lambdas
    body call/lib/astutils.h '^void visitAstNodes' visit 'visit[0]'
    body call/lib/astutils.h '^ +visitAstNodes\(ast, \[&\]' predicate 'predicate[0]'
    body call/lib/utils.h '^bool contains\(const Range' contains 'contains[0] + contains[1]*n'
    sed -i 's/^#pragma cll contains contains/#pragma cll contains(n = std::distance(r.begin(), r.end())) contains/' call/lib/utils.h
    body call/lib/check.cpp 'find_if\(instances' order 'order[0]'
    body call/lib/astutils.cpp 'auto getExprTok = memoize' expression 'expression[0]'
    n=$((n + 5))
    build plain make -j "$jobs" CXX=g++ CXXFLAGS="${CXXFLAGS:--O1}" cppcheck && plain=$took &&
        build call make -j "$jobs" CXX=call-g++ CXXFLAGS="${CXXFLAGS:--O1}" cppcheck && measured=$took &&
        same samples sh -c './cppcheck --quiet --enable=all --force samples; ./cppcheck --quiet --enable=all ../plain/lib/timer.cpp ../plain/lib/suppressions.cpp' &&
        for e in visit predicate contains order expression; do
            grep -q "^# experiment: $e\$" ./*.dat || { echo "cppcheck: $e was not executed"; failed=1; }
        done
    result "$lines" "$n" "${plain:-?}" "${measured:-?}"
fi
exit $failed
