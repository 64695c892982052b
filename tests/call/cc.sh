#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `call cc`: compiles, links and reports as the compiler alone would, with the regions measured.
. "$CLL_SOURCE/tests/call/setup.sh"
mkdir -p src include/deep other
cat >src/a.c <<'END'
#include <stdio.h>
#include <deep/timed.h>
#include "local.h"
int twice(int n);
int main(int argc, char **argv)
{
    int s = 0;
    for (int n = 1; n < LOCAL; n *= 2) {
#pragma cll f f[0] + f[1]*n
        s += timed(n) + twice(n);
#pragma cll end f
    }
    printf("%s %d %d %s\n", __FILE__, __LINE__, s, argc > 1 ? argv[1] : "");
    return 0;
}
END
echo '#define LOCAL 100' >src/local.h
cat >src/b.c <<'END'
#include "local.h"
int twice(int n)
{
#pragma cll twice twice[0]*n
    n *= 2;
#pragma cll end twice
    return n + LOCAL;
}
END
cat >include/deep/timed.h <<'END'
#pragma once
#include "beside.h"
#include "../above.h"
static inline int timed(int n)
{
    int r = 0;
#pragma cll timed timed[0] + timed[1]*n
    for (int i = 0; i < n; i++)
        r += BESIDE + ABOVE;
#pragma cll end timed
    return r;
}
END
echo '#define BESIDE 1' >include/deep/beside.h
echo '#define ABOVE 1' >include/above.h
echo 'int plain(void) { return __LINE__; }' >src/plain.c
flags="-Wall -Wextra -Werror -Iinclude"
plain="-Wno-unknown-pragmas"

check "the plain program" "$CC" $flags $plain src/a.c src/b.c -o plain
./plain >want
for compiler in gcc $([ -n "$sanitize" ] || echo clang); do
    command -v $compiler >/dev/null || continue
    rm -f ./*.o ./*.d prog ./*.dat
    check "$compiler: -c" "$call" cc $compiler $flags -O2 -g -MMD -MP -c src/a.c -o a.o
    check "$compiler: the dependency file names the user's files" eval \
        'tr -d "\\\\\n" <a.d | tr -s " " | grep -q "^a.o: src/a.c include/deep/timed.h include/deep/beside.h include/deep/../above.h src/local.h"'
    check "$compiler: and no others" lacks a.d 'temporary\|cll'
    check "$compiler: -MP targets too" has a.d '^include/deep/timed.h:'
    check "$compiler: make reads it" eval 'echo "all: a.o" >mk; echo "include a.d" >>mk; make -s -f mk all'
    check "$compiler: -c of another" "$call" cc $compiler $flags -O2 -c src/b.c -o b.o
    check "$compiler: links" "$call" cc $compiler a.o b.o -o prog
    CLL_OUT=x.dat ./prog >got
    check "$compiler: the same output" same want got
    for experiment in f twice timed; do
        check "$compiler: $experiment was measured" has x.dat "^$experiment "
    done
    check "$compiler: the flags are recorded" has x.dat '^# flags: -O2 -g'
    check "$compiler: places are recorded" has x.dat '^# source: timed include/deep/timed.h:7-10'
    check "$compiler: all at once" "$call" cc $compiler $flags src/a.c src/b.c src/plain.c -o prog
    ./prog >got
    check "$compiler: all at once, the same output" same want got
    [ -n "$sanitize" ] || check "$compiler: -static" "$call" cc $compiler $flags -static src/a.c src/b.c -o prog
    CLL_OUT=s.dat ./prog >got
    [ -n "$sanitize" ] || check "$compiler: -static measures" has s.dat '^timed '
    check "$compiler: -shared" "$call" cc $compiler $flags -fPIC -shared src/b.c -o libb.so
    check "$compiler: a program with it" "$call" cc $compiler $flags src/a.c -L. -lb -Wl,-rpath,. -o prog
    ./prog >got
    check "$compiler: with it, the same output" same want got
    check "$compiler: -S" "$call" cc $compiler $flags -S src/b.c -o b.s
    check "$compiler: the assembly begins regions" has b.s 'cll_begin_slow'
    check "$compiler: -E to stdout" exits 0 "$call" cc $compiler $flags -E src/b.c
    check "$compiler: -E has the user's names" lacks out 'temporary'
    check "$compiler: -E -o" "$call" cc $compiler $flags -E src/b.c -o b.i
    check "$compiler: -E -o has the user's names" lacks b.i 'temporary'
    check "$compiler: -E output compiles" $compiler -w -c b.i -o bi.o
    check "$compiler: -M is the compiler's own" exits 0 "$call" cc $compiler -Iinclude -M src/a.c
    check "$compiler: -M names the source" has out 'src/a.c'
    rm -f ./*.d
    check "$compiler: -MD without -o" eval '(cd src && "$call" cc '$compiler' -I../include -MD -c b.c)'
    check "$compiler: it is beside the object" lacks src/b.d temporary
    check "$compiler: -MF" "$call" cc $compiler $flags -MMD -MF deps -MT target -c src/b.c -o b.o
    check "$compiler: -MF and -MT" has deps '^target: src/b.c'
    check "$compiler: -Wp,-MMD" "$call" cc $compiler $flags -Wp,-MMD,deps2 -c src/b.c -o b.o
    check "$compiler: -Wp,-MMD names the source" lacks deps2 temporary
    echo "-Iinclude \"-DX=a b\" src/b.c" >args.rsp
    check "$compiler: response files" "$call" cc $compiler -c @args.rsp -o r.o
    check "$compiler: a response file's source is translated" eval 'nm r.o | grep -q cll_begin_slow'
    check "$compiler: -x c" eval 'cp src/b.c b.txt; "$call" cc '$compiler' -Isrc -x c -c b.txt -o x.o && nm x.o | grep -q cll_'
    check "$compiler: stdin passes through" eval 'grep -v "#pragma cll" src/b.c | "$call" cc '$compiler' -Isrc -w -x c -c - -o in.o'
    check "$compiler: stdin is the same source" eval 'nm in.o | grep -q " T "'
    check "$compiler: stdin with pragmas is an error" eval '! "$call" cc '$compiler' -Isrc -w -x c -c - -o in.o <src/b.c 2>err'
    check "$compiler: the error says what to do" has err '^<stdin>:[0-9]*:[0-9]*: error: .*write the source to a file'
    check "$compiler: stdin is preprocessed" eval '"$call" cc '$compiler' -Isrc -E -x c - <src/b.c | grep -q "pragma cll"'
    [ -n "$sanitize" ] || check "$compiler: debug information names the user's file" eval \
        '"$call" cc '$compiler' -g -Iinclude -c src/a.c -o g.o && ! strings g.o | grep -q "$TMPDIR"'
done
rm -f src/b.o src/b.d

# several sources in one command, which include headers with regions in different orders
mkdir -p shared
for name in first second; do
    printf 'static inline int %s(int n)\n{\n#pragma cll %s %s[0]*n\n    n++;\n#pragma cll end %s\n    return n;\n}\n' $name $name $name $name >shared/$name.h
done
printf '#include <second.h>\nint other(int n);\nint main(void)\n{\n    return other(second(1)) < 0;\n}\n' >one.c
printf '#include <first.h>\n#include <second.h>\nint other(int n)\n{\n    return second(first(second(n)));\n}\n' >two.c
for compiler in $compilers; do
    command -v $compiler >/dev/null || continue
    rm -f ./*.d shared.dat
    check "$compiler: sources that share headers" "$call" cc $compiler -Wall -Werror -pedantic -g -MMD -Ishared one.c two.c -o shared.out
    CLL_OUT=shared.dat ./shared.out
    check "$compiler: each region is measured as itself" is "$(awk '!/^#/ && NR > 1 { print $1 }' shared.dat | grep -v experiment | sort | uniq -c | tr -s ' \n' ' ')" " 1 first 3 second " experiments
    check "$compiler: their dependency file names the user's files" eval 'cat ./*.d | tr -d "\\\\\n" | tr -s " " | grep -q "two.c shared/first.h shared/second.h"'
    [ -n "$sanitize" ] || check "$compiler: their debug information, too" eval '! strings shared.out | grep -q "$TMPDIR"'
done

# without pragmas nothing changes
check "plain source" "$call" cc "$CC" -c src/plain.c -o one.o
check "compiled alone" "$CC" -c src/plain.c -o two.o
check "the same object" same one.o two.o
echo 'int main(void) { return 3; }' >three.c
check "a program without regions" "$call" cc "$CC" three.c -o three
[ -n "$sanitize" ] || check "does not need the library" eval '! ldd three | grep -q libcll'

# messages and status are the compiler's
printf 'int f(void)\n{\n    return nothing;\n}\n#pragma cll\n' >src/wrong.c
printf 'int f(int n)\n{\n#pragma cll f f[0]*q\n    n += missing;\n#pragma cll end f\n    return n;\n}\n' >src/bad.c
check "an error of the compiler" exits 1 "$call" cc "$CC" -c src/bad.c
check "is at the user's line" has err '^src/bad.c:4:10: error'
check "a variable's error is at its column" has err '^src/bad.c:3:20: error'
check "no temporary name in it" lacks err "$TMPDIR"
printf 'struct s { int a; } q;\nint f(int n)\n{\n#pragma cll f f[0]*q + f[1]*n\n    n++;\n#pragma cll end f\n    return n;\n}\n' >src/type.c
check "a variable that is no number" exits 1 "$call" cc "$CC" -c src/type.c
check "is an error at its column" has err '^src/type.c:4:20: error'
check "an error of ours" exits 1 "$call" cc "$CC" -c src/wrong.c
check "is ours" has err "src/wrong.c:5:9: error: the name of an experiment"
printf '#include "nowhere.h"\n#pragma cll f\n' >src/gone.c
check "a missing header" exits 1 "$call" cc gcc -c src/gone.c
gcc -c src/gone.c 2>want.err
check "is said as the compiler says it" same want.err err
check "a missing source" exits 1 "$call" cc gcc -c src/nowhere.c
gcc -c src/nowhere.c 2>want.err
check "is said by the compiler" same want.err err
check "no compiler" exits 2 "$call" cc
for option in --help -h; do
    check "call cc $option" exits 0 "$call" cc $option
    check "prints the usage" has out '^usage: call cc COMPILER ARGUMENTS'
done
check "an option in place of the compiler" exits 2 "$call" cc -O2 -c src/b.c
check "it says what to write" has err '-O2: the compiler must come first'
check "no such compiler" exits 127 "$call" cc no-such-compiler -c src/b.c
check "no such compiler, with nothing to translate" exits 127 "$call" cc no-such-compiler -c src/plain.c
check "an unknown flag is the compiler's" exits 1 "$call" cc gcc -Iinclude --no-such-flag -c src/b.c
check "--version goes through" exits 0 "$call" cc gcc --version
check "it is the compiler's" has out gcc
check "ccache-like launchers" "$call" cc env "$CC" -Isrc -c src/b.c -o e.o
printf '#pragma cll f\nint main() {}\n' >p.cc
check "a pragma in C++ is not ignored" exits 1 "$call" cc g++ -w -c p.cc -o p.o
check "it says where it is" has err '^p.cc:1:13: error: a region must be inside a function'
for other in p.ii p.mm; do
    cp p.cc $other
    check "nor in $other, which is not translated" exits 1 "$call" cc g++ -w -c $other -o p.o
    check "it says why" has err "^$other:1:13: error: this pragma would be ignored: call cc translates C and C++"
done
printf 'int main() { return 0; }\n' >q.cc
check "nor in a file of -include" exits 1 "$call" cc g++ -w -include p.cc -c q.cc -o p.o
check "it says what to do" has err '^p.cc:1:13: error: .*write #include in the source'
# sources that include cll.h themselves
printf '#include <cll.h>\nint main(void)\n{\n    int n = 1;\n#pragma cll f f[0]*n\n    n++;\n    cll_keep(n);\n#pragma cll end f\n    return 0;\n}\n' >keep.c
sed '/pragma/d' keep.c >keep_plain.c
sed 's/(void)/()/; /pragma/d' keep.c >keep.cpp
for compiler in $compilers; do
    command -v $compiler >/dev/null || continue
    check "$compiler: cll.h in a source with regions" "$call" cc $compiler -Wall -Werror keep.c -o keep
    check "$compiler: cll.h in one without" "$call" cc $compiler -Wall -Werror -c keep_plain.c -o keep.o
    check "$compiler: no flag too many when only linking" exits 0 "$call" cc $compiler keep.o -o keep
    check "$compiler: nothing is said about it" test ! -s err
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null && check "$compiler: cll.h in C++" "$call" cc $compiler -c keep.cpp -o keep.o
done
check "call finds it for the preprocessor" exits 0 "$call" --check keep.c
check "without a warning" test ! -s err
check "a program that runs the compiler" exits 0 "$call" --check --cc "env $CC" src/b.c
check "is not given the compiler's options" test ! -s err
check "a plain build needs the header alone" "$CC" -I"$CLL_SOURCE/include" -w keep.c -o keep
mkdir -p theirs && echo '#define THEIRS 1' >theirs/cll.h && echo '#include <cll.h>' >theirs.c && echo 'int x = THEIRS;' >>theirs.c
check "a cll.h of the user's comes first" "$call" cc "$CC" -Itheirs -c theirs.c -o theirs.o

check "a wrong CLL_PREFIX" exits 1 env CLL_PREFIX=/nowhere "$call" cc "$CC" -Iinclude src/a.c src/b.c -o prog
check "is named" has err 'CLL_PREFIX is /nowhere'
mkdir -p prefix && ln -sfn "$CLL_BUILD/lib" prefix/lib && ln -sfn "$CLL_SOURCE/include" prefix/include
check "CLL_PREFIX" env CLL_PREFIX="$PWD/prefix" "$call" cc "$CC" -Iinclude src/a.c src/b.c -o prog

# two sources with headers of the same name in their own folders
mkdir -p one two
printf '#define V 1\n' >one/v.h
printf '#define V 2\n' >two/v.h
printf '#include "v.h"\nint one(void)\n{\n    int r;\n#pragma cll o\n    r = V;\n#pragma cll end o\n    return r;\n}\n' >one/one.c
printf '#include "v.h"\n#include <stdio.h>\nint one(void);\nint main(void)\n{\n    int r;\n#pragma cll t\n    r = V;\n#pragma cll end t\n    printf("%%d %%d\\n", one(), r);\n    return 0;\n}\n' >two/two.c
check "headers of one name" "$call" cc "$CC" one/one.c two/two.c -o both
check "each finds its own" eval '[ "$(./both)" = "1 2" ]'

# a source that another one includes twice, with other macros
cat >part.c <<'END'
static int NAME(int n)
{
#pragma cll part part[0] + part[1]*n
    n += ADDED;
#pragma cll end part
    return n;
}
END
cat >twice.c <<'END'
#include <stdio.h>
#define NAME first
#define ADDED 1
#include "part.c"
#undef NAME
#undef ADDED
#define NAME second
#define ADDED 2
#include "part.c"
int main(void)
{
    printf("%d %d\n", first(1), second(5));
    return 0;
}
END
check "a source that is included twice" "$call" cc "$CC" -Wall -Werror twice.c -o twice
check "does what it says" eval '[ "$(CLL_OUT=twice.dat ./twice)" = "2 7" ]'
check "and measures both" is "$(grep -c '^part ' twice.dat)" 2 "executions of part"

# interrupted while the compiler runs: nothing is left (checked by finish)
cat >slow-cc <<'END'
#!/bin/sh
case " $* " in *" -E "*) exec gcc "$@" ;; esac
echo started >slow-started
exec sleep 20
END
chmod +x slow-cc
timeout 300 "$call" cc ./slow-cc -Isrc -c src/b.c >/dev/null 2>&1 & pid=$!
appears slow-started
check "a compiler that runs has its folder" eval '[ -n "$(ls -A "$TMPDIR")" ]'
kill -TERM "$(pgrep -P $pid -x call || echo $pid)" 2>/dev/null
wait $pid
check "a signal ends it as a signal" test $? -ge 128
finish
