#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# every_statement.sh quick|long: regions around the statements of our own sources; the translated sources must
# compile without a warning, and lines that are no pragmas must be the same. quick takes a few sources.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
need python3
# Hundreds of runs of call under a sanitizer take minutes; golden.sh and options.sh cover the translator there.
[ -z "$sanitize" ] || skip "too slow in a sanitized build"
mode=${1:-quick}
flags="-std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I$CLL_SOURCE/src -I$CLL_SOURCE/include"
flags="$flags -DCLL_VERSION=\"0\" -DCLL_LIBDIR=\"lib\" -DCLL_SOURCE_INCLUDE=\"i\""
sources="$CLL_SOURCE/src/formula/parse.c $CLL_SOURCE/src/translate/structure.c $CLL_SOURCE/src/translate/pragma.c"
[ "$mode" = long ] && sources="$CLL_SOURCE/src/base/*.c $CLL_SOURCE/src/formula/*.c $CLL_SOURCE/src/translate/*.c
    $CLL_SOURCE/src/call/*.c $CLL_SOURCE/src/call/*/*.c $CLL_SOURCE/src/cll/*.c $CLL_SOURCE/src/spool/*.c
    $CLL_SOURCE/src/data/*.c $CLL_SOURCE/src/data/*/*.c $CLL_SOURCE/src/numeric/*.c $CLL_SOURCE/src/model/*.c"
regions=0
for source in $sources; do
    base=$(basename "$source")
    own="-iquote $(dirname "$source")"
    # shellcheck disable=SC2086
    "$CC" $flags $own "$source" >/dev/null 2>&1 || continue # it needs something that is not here
    for step in 1 7; do
        python3 "$CLL_SOURCE/tests/translate/insert_regions.py" "$source" "$step" 1 >"$base" 2>count
        regions=$((regions + $(cat count)))
        # shellcheck disable=SC2086
        check "$source, every $step. statement" "$call" cc "$CC" $flags $own "$base"
    done
    # shellcheck disable=SC2086
    check "$source: call alone" "$call" --cc "$CC" --cflags "-I$CLL_SOURCE/src -I$CLL_SOURCE/include $own" "$base"
    grep -v '^#pragma cll' "$base" | grep -Ev '^\}$' >plain
    tail -n +3 "${base%.c}.cll.c" >translated
    grep -Ev '^(cll_[0-9]+\(\)|\}|cll_end_[0-9]+\(&cll_region_[0-9]+\);)$' translated >kept
    check "$source: no line changes" same kept plain
    check "$source: as many lines" is "$(wc -l <translated)" "$(wc -l <"$base")" lines
done
echo "$regions regions"
[ "$regions" -gt 300 ] || fail "only $regions regions"
finish
