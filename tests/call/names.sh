#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sources and headers with names that shells, compilers, make and printf would take for something else.
. "$CLL_SOURCE/tests/call/setup.sh"
header='h $(touch harm) %s.h'
cat >"$header" <<'END'
static int twice(int n)
{
#pragma cll twice twice[0]*n
    n *= 2;
#pragma cll end twice
    return n;
}
END
source_text() {
    printf '#include "%s"\n#pragma cll parallel OpenMP procs = 1,2\nint main(void)\n{\n    int n = 1;\n' "$header"
    printf '#pragma cll f f[0]*n\n    n = twice(n);\n#pragma cll end f\n    return n != 2;\n}\n'
}
wrong_text='int f(int n)
{
    if (n)
        goto in;
#pragma cll f f[0]
in:
    n++;
#pragma cll end f
    return n;
}'

compiled() { # STEM: measured as the compiler alone would build it
    exits 0 "$call" cc "$compiler" -fopenmp "./$1.c" -o "./$1" && exits 0 env CLL_OUT=data.dat "./$1" || return 1
    [ "$(grep -c '^twice' data.dat)" = 1 ] && [ "$(grep -c '^f ' data.dat)" = 1 ]
}
depends() { # STEM: as the compiler says itself; compilers write nothing that make could read for a line end
    case $1 in -* | *$'\n'*) return 0 ;; esac
    "$compiler" -w -MMD -MF plain.d -c "$1.c" -o plain.o && "$call" cc "$compiler" -w -MMD -MF call.d -c "$1.c" -o plain.o &&
        same plain.d call.d
}
translated() { # STEM: the generated source and the script
    exits 0 "$call" -o out.c "./$1.c" && "$compiler" -w -I"$CLL_SOURCE/include" -iquote . -fsyntax-only out.c &&
        bash -n out.sh && exits 0 bash out.sh --rounds 1 --outdir results "./$1"
}
placed() { # STEM: an error is at its line of the user's text
    printf '%s\n' "$wrong_text" >wrong/"$1.c"
    exits 1 "$call" --check "./wrong/$1.c" && has err '.*\.c:4:9: error: this goto'
}
compiler=gcc
mkdir wrong results
stems=(-o 'a b' "a'b" $'a\nb' '$(touch harm)' 'a%sb' '*' $'\xff')
[ "$thorough" = no ] || stems+=(-e 'a"b' $'a\tb' 'a\b' 'a\ b' '`touch harm`' 'a;touch harm' '#a' 'a??/b' '@a')
for stem in "${stems[@]}"; do
    case $stem in */*) mkdir -p "${stem%/*}" "wrong/${stem%/*}"; cp "$header" "${stem%/*}" ;; esac
    source_text >"./$stem.c"
    check "$stem: call cc" compiled "$stem"
    check "$stem: dependencies" depends "$stem"
    check "$stem: call, and its script" translated "$stem"
    check "$stem: the place of an error" placed "$stem"
    rm -rf out.* results/* ./*.d plain.o
done
check "nothing was executed" eval '[ ! -e harm ]'
finish
