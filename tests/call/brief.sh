#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `call run` of a program with many regions, or with regions without a formula: a line for each model, and details on
# request. The times are computed.
. "$CLL_SOURCE/tests/call/setup.sh"
[ -x "$CLL_BIN/llac" ] || skip "llac is not built"

# program REGION...: a source with these regions over N; those named free_... have no formula
program() {
    local name
    echo 'volatile double sink;'
    echo 'int main(void) { for (int N = 1000; N <= 64000; N *= 2) {'
    for name; do
        case $name in
        free_*) echo "#pragma cll $name(N)" ;;
        *) echo "#pragma cll $name $name[0] + $name[1]*N" ;;
        esac
        printf 'sink = N;\n#pragma cll end %s\n' "$name"
    done
    echo '} return 0; }'
}
takes '(is("b") ? 2 : 1)*(1e-6 + 2e-9*N)*(1 + 0.002*noise(1))'

program a b c d >many.c
check "four regions" exits 0 "$call" run --cc "$CC" -n 3 many.c
check "a line for each" eval '[ "$(grep -c "^  [abcd]  *[0-9]" out)" = 4 ]'
check "the slowest first" eval '[ "$(grep "^  [abcd]  *[0-9]" out | head -1 | cut -c3)" = b ]'
check "no fit in full" lacks out 'holds for'
check "how to see one" has_text out "llac -e 'fit a' many.cll."
check "and all" has_text out "'call run --full' prints all"
check "no colours in a file" lacks out "$(printf '\033')"
check "--full" exits 0 "$call" run --cc "$CC" -n 3 --full many.c
check "every fit" eval '[ "$(grep -c "holds for" out)" = 4 ]'

program a b c >three.c
check "three regions" exits 0 "$call" run --cc "$CC" -n 3 three.c
check "are printed in full" eval '[ "$(grep -c "holds for" out)" = 3 ]'

program a free_b >free.c
check "a region without a formula" exits 0 "$call" run --cc "$CC" -n 3 free.c
check "the other in full" eval '[ "$(grep -c "holds for" out)" = 1 ]'
check "is searched" has out '^  free_b .*searched'
program free_a free_b >none.c
check "no formula at all" exits 0 "$call" run --cc "$CC" -n 3 none.c
check "both are searched" eval '[ "$(grep -c searched out)" = 2 ]'
finish
