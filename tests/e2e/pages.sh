# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of the pages for users print what the pages show, each formula of the page about formulas can be fitted, and
# the page about the output has every warning. To write what llac prints into a page: tests/e2e/pages.py --update LLAC PAGE
. "$CLL_SOURCE/tests/e2e/setup.sh"
need python3
export EXAMPLES=$CLL_SOURCE/examples PATH=$CLL_BIN:$PATH
pages=$CLL_SOURCE/docs/user tools=$CLL_SOURCE/tests/e2e
python3 "$tools/pages.py" "$llac" "$pages"/{import,formulas,reading,comparison,measuring}.md >out || { cat out; fail "a page shows other output"; }
python3 "$tools/formulas_page.py" "$llac" "$pages/formulas.md" >out || { cat out; fail "a formula of formulas.md"; }
python3 "$tools/warnings_page.py" "$CLL_SOURCE/src" "$pages/reading.md" >out || { cat out; fail "reading.md lacks a warning"; }

# the pictures show what llac draws now: the places where constants change are those of the text
if command -v gnuplot >/dev/null; then
    for picture in 'fit:plot axpy' 'constant:plot axpy[1]'; do
        "$llac" -e "${picture#*:} to now.svg" "$EXAMPLES/data/axpy-xeon.dat" >out || fail "$picture"
        grep -o 'axpy\[1\] changes [^<]*' now.svg >now
        grep -o 'axpy\[1\] changes [^<]*' "$CLL_SOURCE/docs/images/${picture%%:*}.svg" >shown
        is "$(cat shown)" "$(cat now)" "docs/images/${picture%%:*}.svg; 'make docs-images' draws it again"
    done
fi

# and they find what is wrong
sed 's/1 experiment, 2 samples$/1 experiment, 7 samples/' "$pages/import.md" >wrong.md
! python3 "$tools/pages.py" "$llac" wrong.md >out || fail "other output is not found"
has_text out "but the page shows"
sed 's/f\[1\]\*N\*K + /f[1]*N*N + f[3]*N^2 + /' "$pages/formulas.md" >alike.md
! python3 "$tools/formulas_page.py" "$llac" alike.md >out || fail "terms that are alike are not found"
sed '/`trend`/d' "$pages/reading.md" >less.md
! python3 "$tools/warnings_page.py" "$CLL_SOURCE/src" less.md >out || fail "a missing warning is not found"
has_text out "the warning trend is not on"
sed '/could not be fitted/d' "$pages/reading.md" >less.md
! python3 "$tools/warnings_page.py" "$CLL_SOURCE/src" less.md >out || fail "a missing warning without a code is not found"
has_text out "could not be fitted"
