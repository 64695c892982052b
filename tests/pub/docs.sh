# SPDX-License-Identifier: GPL-3.0-or-later
# The documentation of libpub has what there is. A test is a function.
. "$CLL_SOURCE/tests/pub/setup.sh"

every_call_is_in_the_man_page() {
    for call in $(grep -o 'bsp[a-z]*_[a-z_]*(' "$CLL_SOURCE/include/pub.h" | tr -d '(' | sort -u); do
        case $call in
        bsp_op_*) continue ;;
        esac
        grep -q "$call" "$CLL_SOURCE/man/pub.7" || fail "man/pub.7 has no $call"
    done
}

every_call_of_bsplib_is_in_its_man_page() {
    local found=0
    for call in $(grep -oE '^#define bsp_[a-z_]*|void bsp_[a-z_]*\(' "$CLL_SOURCE/include/bsp.h" | grep -o 'bsp_[a-z_]*' | sort -u); do
        found=$((found + 1))
        grep -q "$call" "$CLL_SOURCE/man/bsp.7" || fail "man/bsp.7 has no $call"
    done
    [ "$found" -ge 21 ] || fail "only $found calls found"
}

every_environment_variable_is_documented() {
    local found=0
    for variable in $(grep -ho '"PUB_[A-Z_]*"' "$CLL_SOURCE"/src/pub/*.c | tr -d '"' | sort -u); do
        found=$((found + 1))
        for page in man/pub.7 docs/reference/pub.md include/pub.h; do
            grep -q "$variable" "$CLL_SOURCE/$page" || fail "$page has no $variable"
        done
    done
    [ "$found" -ge 5 ] || fail "only $found variables found"
}

main "$1"
