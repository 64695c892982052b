# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/reference/llac.md (blocks marked llac) print what they show (tests/e2e/pages.py), and the documentation,
# the man page and `help` name the same commands.
. "$CLL_SOURCE/tests/llac/setup.sh"
manual=$CLL_SOURCE/docs/reference/llac.md
sed "s,\\\\-,-,g" "$CLL_SOURCE/man/llac.1" >llac.1
# what groff prints of the usages: quotes around arguments of a macro are not printed, \(dq is
sed -n '/^\.B /s/"//g; s/\\(dq/"/g; s/^\.B *//p' llac.1 | tr -s ' \n' ' ' >usages

need python3
(cd "$CLL_SOURCE" && exec python3 tests/e2e/pages.py --with "$data/demo.dat" "$llac" "$manual") >out || fail "the manual shows other output"

what='the same commands everywhere'
"$llac" -e help >out 2>err
for c in $(sed -n 's/^  \([a-z]*\) .*/\1/p' out); do
    grep -q "\`$c" "$manual" || fail "docs/reference/llac.md lacks $c"
    grep -q "^\.B $c" llac.1 || fail "llac.1 lacks $c"
    summary=$(sed -n "s/^  $c  *//p" out)
    usage=$("$llac" -e "help $c" | awk -v end="    $summary" '$0 == end {exit} {print}' | tr -s ' \n' ' ')
    grep -qF -- "${usage% }" usages || fail "llac.1 lacks the usage '$usage'"
done
what='the same options everywhere'
"$llac" --help >out 2>err
for o in $(sed -n 's/^  \(-[-a-z]*\) .*/\1/p' out); do
    grep -q -- "\`$o" "$manual" || fail "docs/reference/llac.md lacks $o"
    grep -q -- "^\.B.*$o" llac.1 || fail "llac.1 lacks $o"
done
what='the warnings are in the documentation'
for code in $(grep -ohE '(SAY\(m, |"warnings, )"[a-z-]+"' "$CLL_SOURCE"/src/model/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    grep -q "\`$code\`" "$CLL_SOURCE/docs/method/statistics.md" || fail "statistics.md lacks $code"
done
finish
