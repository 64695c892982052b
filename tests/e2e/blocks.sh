# SPDX-License-Identifier: GPL-3.0-or-later
# Every block of every page is what the programs accept: blocks.py compiles programs and pragmas, and checks commands, usages,
# notations and excerpts. No block is skipped: one whose kind is not known is an error.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need python3
need g++
need gfortran
blocks=$CLL_SOURCE/tests/e2e/blocks.py
python3 "$blocks" "$CLL_SOURCE" "$CLL_BIN" || fail "a block of a page is wrong"

# and it finds what is wrong
# found TEXT [LINE] MESSAGE: of a page with this text, the message names the line (of the text; 1 without it)
: >expected
printf '# Page\n' >page.md
found() {
    local line=1
    [ $# = 2 ] || { line=$2 && set -- "$1" "$3"; }
    printf '%s: %s\n' $(($(wc -l <page.md) + 1 + line)) "$2" >>expected
    printf '\n%b\n' "$1" >>page.md
    printf '\nA paragraph.\n' >>page.md
}
found '    call run --tine 5s sort.c' 'there is no option --tine'
found '    make\n    call rnu sort.c' 2 'call has no command rnu'
found '    call run sort.c            it measures' 'an explanation in a command begins with #'
found '    llac -e '\''fir f'\'' x.dat' 'llac has no command fir'
found '    $ llac obsp x.trace' "'obsp' is no file"
found '    llac -e '\''fit none'\'' examples/data/t3e-fft.dat' 'llac ends with 1'
found '    cllprobe --slow' 'there is no option --slow'
found '    make chekc' 'there is no target chekc'
found '    bench/none.sh measure' 'bench/none.sh does not exist'
found '    bench/run none' 'there is no benchmark none'
found '    examples/peps/study undo data' 'does not know undo'
found '    #pragma cll f = f[0] + f[1]*N' 'is expected before'
found '```c\nvoid f(int n)\n{\n#pragma cll f f[0] + f[1]*m\n    n++;\n#pragma cll end f\n}\n```' 'gcc refuses the block'
found '```fortran\n!$cll f f[0] + f[1]*\nn = n + 1\n!$cll end f\n```' 'gfortran refuses the block'
found '<!-- block: excerpt of examples/sort.c -->\n```c\nint none;\n```' 3 'examples/sort.c lacks this line'
found '    advise NAME for VAR=VALUE... [budget TIME]' 'another usage of advise'
found '    param P = 2\n    wrk 1' 'llac refuses'
found '    {"a": }' 'this is not JSON'
found '    # cll-data 1\n    experiment N\n    f x' 'llac does not load it'
found '    nobody knows this' 'what kind of block is this?'
found '<!-- block: mystery -->\n\n    nobody knows this' 3 "'mystery' is no kind of block"
found '```llac\nllac> list\n```' 'add it to RUN_BY'
found 'Text of `call run --tine 5s`.' 'there is no option --tine'
found 'Text of `#pragma cll f f[0]*f[1]`.' 'error'
found '```c\nint x;' 'the block is not closed'
exits 1 python3 "$blocks" "$CLL_SOURCE" "$CLL_BIN" "$PWD/page.md"
while IFS=: read -r line message; do
    grep "page.md:$line: " out >lines || fail "nothing is reported in line $line, where '$message' is expected"
    has_text lines "${message# }"
done <expected
is "$(grep -c '^[^ ].*page.md:[0-9]*: ' out)" "$(wc -l <expected)" "places that are reported"

# and nothing else
printf '# Page\n\n    call run --time 5s sort.c -- 1024      # a comment\n\nText.\n\n    #pragma cll f f[0] + f[1]*N\n\nOf `call count --html x.c`.\n' >page.md
exits 0 python3 "$blocks" "$CLL_SOURCE" "$CLL_BIN" "$PWD/page.md"
