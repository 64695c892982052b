#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pragmas that the text of a source hides: in macros, trigraphs, line splices, other encodings. Each is measured, or
# refused at its line. None is ignored in silence.
. "$CLL_SOURCE/tests/call/setup.sh"

refuses() { # WHAT PLACE COMMAND...: exits with 1, and with an error at each place FILE:LINE of a list
    local what=$1 places=$2 place
    shift 2
    check "$what" exits 1 "$@"
    for place in $places; do check "$what: $place" has err "^\(\./\)\?$place:[0-9]*: error: .*pragma"; done
}

# ---- macros
cat >own.c <<'END'
#define BEGIN _Pragma("cll f f[0]")
#define END _Pragma("cll end f")
int main(void)
{
    int n = 1;
    BEGIN
    n++;
    END
    BEGIN n++; END
    return n - 3;
}
END
printf '#define DO(x) _Pragma(#x)\n#define BEGIN DO(cll f f[0])\n#define END DO(cll end f)\n' >macros.h
{ echo '#include "macros.h"'; sed 1,2d own.c; } >from_header.c
sed 1,2d own.c >plain.c
printf 'static int h(int n)\n{\n    BEGIN\n    n++;\n    END\n    return n;\n}\n' >uses.h
printf '#include "macros.h"\n#include "uses.h"\nint main(void)\n{\n    return h(1) - 2;\n}\n' >two_headers.c
printf '#include "macros.h"\nint main(void)\n{\n    DO(message "not ours")\n    return 0;\n}\n' >not_ours.c
for compiler in $compilers g++; do
    command -v $compiler >/dev/null || continue
    refuses "$compiler: a macro of the source" "own.c:6 own.c:8 own.c:9" "$call" cc $compiler -c own.c
    check "$compiler: each place" is "$(grep -c '^own.c:' err)" 4
    refuses "$compiler: a macro of a header" "from_header.c:5 from_header.c:7" "$call" cc $compiler -c from_header.c
    refuses "$compiler: used in another header" "uses.h:3 uses.h:5" "$call" cc $compiler -c two_headers.c
    refuses "$compiler: a macro of the command" "plain.c:4 plain.c:6" "$call" cc $compiler \
        '-DBEGIN=_Pragma("cll f f[0]")' '-DEND=_Pragma("cll end f")' -c plain.c
    refuses "$compiler: of -imacros" "plain.c:4" "$call" cc $compiler -imacros macros.h -c plain.c
    check "$compiler: the same macro with another pragma" exits 0 "$call" cc $compiler -c not_ours.c
done
check "macros without pragmas" exits 0 "$call" cc gcc -DBEGIN= -DEND= -c plain.c
refuses "call itself" "own.c:6 own.c:8" "$call" own.c
check "call itself, in a header" exits 0 "$call" two_headers.c
check "warns" has err '^\./uses.h:3:1: warning: .*call cc'
refuses "call run" own.c:6 "$call" run own.c

# ---- a header that is included through a macro, or found in a folder that call cc does not know
printf 'static int h(int n)\n{\n#pragma cll g g[0]\n    n++;\n#pragma cll end g\n    return n;\n}\n' >regions.h
printf '#define HEADER "regions.h"\n#include HEADER\nint main(void)\n{\n    return h(1) - 2;\n}\n' >computed.c
refuses "a computed include" regions.h:3 "$call" cc gcc -c computed.c
check "says that the file is not found" has err 'does not find this file; write #include'
mkdir system
mv regions.h system/installed.h
cp macros.h system/away.h
printf '#include "away.h"\n' >system/outer.h
printf '#include <installed.h>\nint main(void)\n{\n    return h(1) - 2;\n}\n' >installed.c
{ echo '#include <away.h>'; cat plain.c; } >installed_macros.c
printf 'static int h(int n)\n{\n    BEGIN\n    n++;\n    END\n    return n;\n}\n' >system/uses.h
printf '#include <away.h>\n#include <uses.h>\nint main(void)\n{\n    return h(1) - 2;\n}\n' >installed_uses.c
printf '#define GLUE(x, y) x##y\n#define JOIN(x, y) GLUE(x, y)\n%s\n%s\n' \
    '#define BEGIN JOIN(_Pra, gma)("cll f f[0]")' '#define END JOIN(_Pra, gma)("cll end f")' >glue.h
{ echo '#include "glue.h"'; cat plain.c; } >glued.c
for compiler in $compilers g++; do
    command -v $compiler >/dev/null || continue
    language=C
    [ $compiler != g++ ] || language=CPLUS
    refuses "$compiler: CPATH" system/installed.h:3 env CPATH=system "$call" cc $compiler -c installed.c
    check "$compiler: CPATH: remedy" has err 'does not find this file; write #include .* -I'
    refuses "$compiler: CPATH: macros" "installed_macros.c:5 installed_macros.c:7" \
        env CPATH=system "$call" cc $compiler -c installed_macros.c
    refuses "$compiler: CPATH: macros used there" "system/uses.h:3 system/uses.h:5" \
        env CPATH=system "$call" cc $compiler -c installed_uses.c
    check "$compiler: CPATH: macros: remedy" has err 'a macro used here .* at the region itself'
    refuses "$compiler: a folder of the system: macros" installed_macros.c:5 \
        env ${language}_INCLUDE_PATH=system "$call" cc $compiler -c installed_macros.c
    check "$compiler: a folder of the system" exits 0 \
        env ${language}_INCLUDE_PATH=system "$call" cc $compiler -c installed.c
    check "$compiler: is a warning" has err '^system/installed.h:3:1: warning: this pragma is not translated'
done
for option in "-Isystem -include away.h" "-Isystem -imacros away.h" --include=system/away.h \
    --imacros=system/away.h "-include system/outer.h" -Wp,-include,system/away.h; do
    refuses "$option" "plain.c:4 plain.c:6" "$call" cc gcc $option -c plain.c
done
refuses "-include found in -I" system/installed.h:3 "$call" cc gcc -Isystem -include installed.h -DBEGIN= -DEND= -c plain.c
for compiler in $compilers; do
    refuses "$compiler: glued" "glued.c:5 glued.c:7" "$call" cc $compiler -c glued.c
done
check "-E leaves hidden pragmas in its output" exits 0 "$call" cc gcc -E glued.c -o glued.i
check "-E" has glued.i '^#pragma cll f f'
check "where they are refused" exits 1 "$call" cc gcc -c glued.i
printf '#!/bin/sh\ncase " $* " in *" -E "*) exit 1;; esac\nexec gcc "$@"\n' >no_preprocessor
chmod +x no_preprocessor
check "a compiler whose preprocessor fails" exits 0 "$call" cc ./no_preprocessor -c glued.c
check "has a warning" has err '^call cc: warning: the preprocessor failed for glued.c'
check "dependencies of the environment" exits 0 env DEPENDENCIES_OUTPUT=rules "$call" cc gcc -DBEGIN= -DEND= -c plain.c
check "are written once" is "$(grep -c plain.c rules)" 1
if [ -z "$sanitize" ] && command -v clang >/dev/null; then
    check "clang -ftime-trace" exits 0 "$call" cc clang -ftime-trace -DBEGIN= -DEND= -c plain.c
    check "writes one file" is "$(echo ./*.json)" ./plain.json
fi
mv system/installed.h regions.h

# ---- trigraphs, digraphs, line splices
region() { # FILE BEGIN END [TOP]
    printf '%bint main(void)\n{\n    int n = 1;\n%b\n    n++;\n%b\n    return n - 2;\n}\n' "${4:-}" "$2" "$3" >"$1"
}
measures() { # WHAT COMMAND...: the program has samples of f
    local what=$1
    shift
    rm -f prog x.dat
    check "$what" exits 0 "$@" -o prog
    CLL_OUT=x.dat ./prog || fail "$what: the program fails"
    check "$what: is measured" has x.dat '^f '
}
region trigraph.c '??=pragma cll f f[0]' '??=pragma cll end f'
refuses "trigraphs" "trigraph.c:4 trigraph.c:6" "$call" cc gcc -std=c11 -c trigraph.c
refuses "trigraphs of call" trigraph.c:4 "$call" --cflags -std=c11 trigraph.c
region continued.c '%:pragma cll f f[0] ??/\n + f[1]*n' '#pragma cll end f // and ??/'
check "continued by a trigraph" exits 1 "$call" cc gcc -std=c11 -c continued.c
check "the first line" has err '^continued.c:4:21: error: this trigraph continues the line'
check "the end" has err '^continued.c:7:26: error: this trigraph continues the line'
region early.c '#pragma ??/\ncll f f[0]' '#pragma cll end f'
refuses "a trigraph before the word" early.c:4 "$call" cc gcc -std=c11 -c early.c
region name.c '#pra??/\ngma cll f f[0]' '#pra??/\ngma cll end f'
refuses "a trigraph in the directive's name" name.c:4 "$call" cc gcc -std=c11 -c name.c
region wide_string.c '    _Pragma(L"cll f f[0]")' '    _Pragma(L"cll end f")'
refuses "a wide string" wide_string.c:4 "$call" cc gcc -c wide_string.c
printf '??=include "regions.h"\nint main(void)\n{\n    return h(1) - 2;\n}\n' >include.c
region splice.c '#pra\\\ngma cll f f[0]' '%:pra\\\ngma cll end f'
if [ -z "$sanitize" ]; then
    check "a trigraph of #include" exits 0 "$call" cc gcc -std=c11 include.c -o prog
    CLL_OUT=g.dat ./prog
    check "the region of the header is measured" has g.dat '^g '
    measures "a splice in the directive's name" "$call" cc gcc splice.c
fi

# ---- byte order marks and UTF-16
mark='\xef\xbb\xbf'
printf "$mark"'static int h(int n)\n{\n#pragma cll g g[0]\n    n++;\n#pragma cll end g\n    return n;\n}\n' >marked.h
printf "$mark"'#include "macros.h"\n#define ONE 1\n' >marked_too.h
region marked.c '#pragma cll f f[0]' '#pragma cll end f' "$mark#include \"marked.h\"\n#include \"marked_too.h\"\n"
cp marked.c marked.cpp
printf "$mark"'!$cll parallel SEQ\nprogram p\n  integer :: n = 1\n!$cll f f[0]\n  n = n + 1\n!$cll end f\nend program\n' >marked.f90
cp marked.f90 upper.F90
if [ -z "$sanitize" ]; then
    measures "a byte order mark" "$call" cc gcc -Wno-unused-function marked.c
    measures "in C++" "$call" cc g++ marked.cpp
    if command -v gfortran >/dev/null; then
        measures "in Fortran" "$call" cc gfortran marked.f90
        measures "in Fortran with a preprocessor" "$call" cc gfortran upper.F90
    fi
fi
for encoding in UTF-16 UTF-16LE UTF-32BE; do
    iconv -f UTF-8 -t $encoding own.c >wide.c
    check "$encoding" exits 1 "$call" cc gcc -finput-charset=$encoding -c wide.c
    check "$encoding is named" has err '^call cc: wide.c is in UTF-16 or UTF-32'
    check "$encoding: call" exits 1 "$call" wide.c
    check "$encoding: call names it" has err '^call: wide.c is in UTF-16 or UTF-32'
done
iconv -f UTF-8 -t UTF-16 marked.f90 >wide.f90
check "Fortran in UTF-16" exits 1 "$call" cc gfortran -c wide.f90
check "Fortran in UTF-16 is named" has err '^call cc: wide.f90 is in UTF-16'
printf '#define ID 7\n' | iconv -f UTF-8 -t UTF-16 >resource.h
printf '#ifdef _WIN32\n#include "resource.h"\n#endif\nint n;\n' >other_system.c
check "a header of another system is not refused" exits 0 "$call" cc gcc -c other_system.c

# ---- macros of Fortran
printf '#define BEGIN !$cll f f[0]\nprogram p\n  BEGIN\n  n = 1\nend program\n' >macro.F90
if command -v gfortran >/dev/null; then
    check "a macro with a directive" exits 1 "$call" cc gfortran -c macro.F90
    check "is refused" has err '^macro.F90:1:15: error: a macro cannot contain a directive'
    printf '#define BEGIN !$cll f f[0]\n' >macro.h
    printf '#include "macro.h"\nprogram p\n  BEGIN\n  n = 1\nend program\n' >includes.F90
    check "in an included file" exits 1 "$call" cc gfortran -c includes.F90
    check "is refused there" has err '^\./macro.h:1:1: error: this directive would be ignored'
    mv macro.h system
    sed 's/"macro.h"/<macro.h>/' includes.F90 >angle.F90
    check "in a file in angle brackets" exits 1 "$call" cc gfortran -Isystem -c angle.F90
    check "is refused in its folder" has err '^system/macro.h:1:1: error: this directive would be ignored'
fi
finish
