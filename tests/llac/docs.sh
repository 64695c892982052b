# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/reference/llac.md (blocks marked llac) print what they show; numbers may differ by two percent, because
# the last digit depends on the machine. And the documentation, the man page and `help` name the same commands.
. "$CLL_SOURCE/tests/llac/setup.sh"
manual=$CLL_SOURCE/docs/reference/llac.md
sed "s,\\\\-,-,g" "$CLL_SOURCE/man/llac.1" >llac.1
# what groff prints of the usages: quotes around arguments of a macro are not printed, \(dq is
sed -n '/^\.B /s/"//g; s/\\(dq/"/g; s/^\.B *//p' llac.1 | tr -s ' \n' ' ' >usages

awk '/^```llac$/ { n++; inside = 1; next }
     /^```$/ { inside = 0 }
     inside { print > ("block" n ".txt") }' "$manual"
in_source() { (cd "$CLL_SOURCE" && exec "$llac" "$1" "$data/demo.dat"); }
blocks=0
for block in block*.txt; do
    blocks=$((blocks + 1))
    sed -n 's/^llac> //p' "$block" >"$block.llac"
    sed '/^llac> /d' "$block" >"$block.expected"
    what="$block of docs/reference/llac.md"
    exits 0 in_source "$PWD/$block.llac"
    empty err
    awk -v expected="$block.expected" '
        function number(s) { return s ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }
        {
            if ((getline want < expected) <= 0) { print "more output than shown: " $0; exit 1 }
            n = split($0, a, /[][, ]+/); m = split(want, b, /[][, ]+/)
            same = n == m
            for (i = 1; i <= n && same; i++) {
                if (a[i] == b[i]) continue
                d = a[i] - b[i]; if (d < 0) d = -d
                size = b[i] < 0 ? -b[i] : b[i] + 0
                same = number(a[i]) && number(b[i]) && (d <= 0.02 * size || size < 1e-10)
            }
            if (!same) { print "got:      " $0; print "expected: " want; exit 1 }
        }
        END { if ((getline want < expected) > 0) { print "missing: " want; exit 1 } }' out || fail 'differs'
done
what='number of examples'
[ $blocks -ge 6 ] || fail "only $blocks blocks were found"

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
