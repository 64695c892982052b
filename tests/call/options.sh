#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line of `call`: every option, every usage error, exit status, and that help and manual agree.
. "$CLL_SOURCE/tests/call/setup.sh"
mkdir -p sub folder inc
cat >x.c <<'END'
#include "k.h"
int main(void)
{
    int n = K;
#pragma cll f f[0] + f[1]*n
    n++;
#pragma cll end f
    return n - K - 1;
}
END
echo '#define K 4' >inc/k.h
cp x.c sub/y.c
cp inc/k.h sub/k.h

check "translates beside the source" exits 0 "$call" -Iinc x.c
check "no message" test ! -s err
check "the source is there" test -s x.cll.c
check "the header is there" test -s x.cll.h
check "line 1 includes the header" eval 'head -1 x.cll.c | grep -qx "#include \"x.cll.h\""'
check "line 2 names the source" eval 'sed -n 2p x.cll.c | grep -qx "#line 1 \"x.c\""'
check "the header includes no system header but cll.h" eval '[ "$(grep -c "#include" x.cll.h)" = 1 ]'
rm -f x.cll.*
check "several sources" exits 0 "$call" -I inc x.c sub/y.c
check "each beside its own" test -s sub/y.cll.c -a -s x.cll.h
check "a path is kept in #line" eval 'grep -q "#line 1 \"sub/y.c\"" sub/y.cll.c'
rm -f x.cll.* sub/y.cll.*
check "--outdir" exits 0 "$call" --outdir folder -Iinc x.c
check "--outdir writes there" test -s folder/x.cll.c -a ! -e x.cll.c
check "--outdir=DIR" exits 0 "$call" --outdir=folder -Iinc x.c
check "-o" exits 0 "$call" -Iinc -o other.c x.c
check "-o names both files" eval 'test -s other.c && test -s other.h && head -1 other.c | grep -q other.h'
check "--check writes nothing" exits 0 "$call" --check -Iinc x.c
check "--check wrote nothing" test ! -e x.cll.c
check "--cflags and --cc" exits 0 "$call" --check --cc "$CC -O1" --cflags '-DX="a b" -Iinc' x.c
check "no warning with them" test ! -s err
check "-D and -U" exits 0 "$call" --check -D X -DY=2 -U X -Iinc x.c
check "--raw needs no headers" exits 0 "$call" --check --raw x.c
check "--raw says nothing" test ! -s err
check "a preprocessor that fails is a warning" exits 0 "$call" --check x.c
check "which says what to do" has err 'the same -I and -D'
check "no such compiler is a warning" exits 0 "$call" --check --cc no-such-compiler x.c
check "which names it" has err no-such-compiler
check "CC of the environment" exits 0 env CC="$CC -Iinc" "$call" --check x.c
check "CC was used" test ! -s err

# files that are not ours to overwrite
cp x.c own.c
cp x.c kept.c
check "-o onto the source" exits 1 "$call" --raw -o own.c own.c
check "says so" has err 'own.c is the source itself'
ln own.c linked.c
ln -s own.c symbolic.c
check "-o onto another name of the source" exits 1 "$call" --raw -o linked.c own.c
check "-o onto a link to the source" exits 1 "$call" --raw -o symbolic.c own.c
check "the source is as it was" same own.c kept.c
echo mine >lib2.h
check "-o whose header is there" exits 1 "$call" --raw -o lib2.c own.c
check "the header is named" has err 'lib2.h exists already and was not written by call'
check "and left alone" eval '[ "$(cat lib2.h)" = mine ] && [ ! -e lib2.c ]'
echo 'int mine;' >own.cll.c
check "a default name that is there" exits 1 "$call" --raw own.c
check "is left alone" eval '[ "$(cat own.cll.c)" = "int mine;" ] && [ ! -e own.cll.h ]'
: >own.cll.c
check "an empty file may be written" exits 0 "$call" --raw own.c
check "and a translated one again" exits 0 "$call" --raw own.c
{ printf '\357\273\277'; cat x.c; } >marked.c
check "with a byte order mark" exits 0 "$call" --raw marked.c
check "again" exits 0 "$call" --raw marked.c
mkdir -p one two
cp x.c one/same.c
cp x.c two/same.c
check "two sources, one output" exits 1 "$call" --raw --outdir folder one/same.c two/same.c
check "the second is refused" has err 'same.cll.c was just written for another source'

# odd names
cp x.c 'a"b.c'
check "a quote in the name" exits 1 "$call" --raw 'a"b.c'
check "is refused with the reason" has err 'no #include can name'
check "with another name for the output" exits 0 "$call" --raw -o quote.c 'a"b.c'
for name in quote 'a\b' 'a?b' 'a b'; do
    [ "$name" = quote ] || cp x.c "$name.c"
    [ "$name" = quote ] || check "$name is translated" exits 0 "$call" --raw "$name.c"
    output=$name.cll.c
    [ "$name" = quote ] && output=quote.c
    check "$name compiles" "$CC" -Iinc -I"$CLL_SOURCE/include" -c "$output" -o odd.o
done
for name in 'a"b' 'a\b' 'a?b' 'a b'; do
    check "$name compiles with call cc" "$call" cc "$CC" -Iinc -c "$name.c" -o odd.o
    check "$name is instrumented" eval 'nm odd.o | grep -q cll_begin_slow'
done

check "no source" exits 2 "$call"
check "no such option" exits 2 "$call" --wrong x.c
check "it says which" has err "--wrong: no such option"
check "an option without its value" exits 2 "$call" x.c --outdir
check "a value too many" exits 2 "$call" --check=yes x.c
check "-o with two sources" exits 2 "$call" -o a.c x.c sub/y.c
check "no such folder" exits 2 "$call" --outdir nowhere x.c
check "not a C source" exits 2 "$call" inc/k.h
check "headers are for call cc" has err "call cc"
check "no such file" exits 1 "$call" nowhere.c
check "it says why" has err "No such file"
check "a program's arguments are for run" exits 2 "$call" x.c -- y
mkdir -p d.c
check "a folder is no source" exits 1 "$call" --raw d.c

printf 'int f(void)\n{\n#pragma cll f f[0]\n    return 1;\n}\n' >bad.c
check "errors give status 1" exits 1 "$call" bad.c x.c -Iinc
check "a source with errors is not written" test ! -e bad.cll.c -a ! -e bad.cll.h
check "the others are" test -s x.cll.c
check "no output into a read-only place" exits 1 "$call" --raw -o /proc/none.c x.c
check "it says where" has err "cannot write /proc/none"

check "--help" exits 0 "$call" --help
check "help says how to build without call" has out 'Wno-unknown-pragmas'
cp out help
check "--version" exits 0 "$call" --version
check "a version" has out '^call [0-9]'
check "it is the first line" test "$(head -1 out)" = "$(grep '^call' out)"
check "every other line is a fact" test "$(sed 1d out | grep -vc '^[A-Za-z+ -]*: [^ ]')" = 0
check "where the run-time is" has_text out "run-time: $CLL_BUILD/lib"
flavours=$(ls "$CLL_BUILD"/lib/libcll_mpi_*.a 2>/dev/null | sed 's/.*libcll_mpi_//; s/\.a$//' | sort | tr '\n' ' ')
check "the MPI libraries" test "$(sed -n 's/^MPI: //p' out | tr -d , | tr ' ' '\n' | sort | tr '\n' ' ')" = "${flavours:-left out }"
printf '#!/bin/sh\n[ "$*" = "-m32 --version" ] && printf "fine \\033[31mcc\\nmore\\n"\n' >"own cc"
chmod +x "own cc"
check "the compiler of CC" exits 0 env CC="'$PWD/own cc' -m32" "$call" --version
check "what it prints, the first line, printable" has_text out "C compiler: $PWD/own cc, fine \\x1b[31mcc"
check "programs that are not there" exits 0 env PATH=/nowhere CC=none "$call" --version
check "say so" has out '^valgrind: not found$'
check "the compiler as well" has out '^C compiler: not found$'
check "and nothing is said on stderr" empty err
check "a path that is not there" exits 0 env CC=/nowhere/cc "$call" --version
check "is no compiler" has out '^C compiler: not found$'
check "CC without a word" exits 0 env CC=' ' "$call" --version
check "is no compiler" has out '^C compiler: not found$'
check "no run-time" exits 0 env CLL_PREFIX=/nowhere "$call" --version
check "says so" has out '^run-time: not found$'
check "call run --help" exits 0 "$call" run --help
cat out >>help
check "call count --help" exits 0 "$call" count --help
cat out >>help
check "call discover --help" exits 0 "$call" discover --help
cat out >>help
options=$(grep -o '^  *-[-a-zA-Z]*\(, --[a-z]*\)*' help | tr ',' ' ')
check "there are options" test "$(echo $options | wc -w)" -gt 12
for option in $options; do
    check "the manual has $option" eval 'sed "s/\\\\-/-/g" "$CLL_SOURCE/man/call.1" | grep -q -- "$option"'
done
for option in $(sed 's/\\-/-/g' "$CLL_SOURCE/man/call.1" | grep -A1 '^\.TP' | grep -o -- '--[a-z]*\|\.B -[a-zA-Z]\b' | sed 's/\.B //'); do
    check "help has $option" has help "$option"
done

# hostile input
head -c 200000 /dev/urandom >random.c
check "random bytes" eval '"$call" --raw --check random.c >/dev/null 2>&1; [ $? -le 1 ]'
: >empty.c
check "an empty file" exits 0 "$call" empty.c
{ echo 'int f(void) {'; for _ in $(seq 2000); do printf '{ ( '; done; echo; echo '#pragma cll a a[0]'; echo '}'; } >deep.c
check "deep nesting is an error" exits 1 "$call" --raw --check deep.c
check "which says so" has err 'nested more than'
{ echo 'int main(void) { int n = 0;'; for i in $(seq 300); do echo "#pragma cll a$i a$i[0]"; done
  for i in $(seq 300 -1 1); do echo "#pragma cll end a$i"; done; echo 'return n; }'; } >many.c
check "many regions in each other" exits 0 "$call" many.c
{ printf 'int main(void) { int n = 0;\n#pragma cll a '; printf '(%.0s' $(seq 5000); echo; echo 'return n; }'; } >long.c
check "a formula nested too deep" exits 1 "$call" --check long.c
printf 'int main(void) { return 0; /* never closed\n#pragma cll a\n' >open.c
check "an open comment" exits 0 "$call" --raw open.c
printf '#pragma cll a a[0] \\' >cut.c
check "cut off in a pragma" exits 1 "$call" --raw cut.c
printf 'int main(void) {\n#pragma cll a\n_Pragma("cll end a' >cut2.c
check "cut off in a _Pragma" exits 1 "$call" --raw cut2.c
finish
