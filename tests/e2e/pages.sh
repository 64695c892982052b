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

# the pictures show what llac draws now, those of README.md with the command beside them
if command -v gnuplot >/dev/null; then
    mkdir tour
    cp "$EXAMPLES"/data/*.{dat,trace} tour/
    grep -o '`llac -e [^`]*`' "$CLL_SOURCE/README.md" | grep svg | tr -d '`' >commands
    is "$(wc -l <commands)" 4 'commands of the tour of README.md'
    echo "llac -e 'plot axpy[1] to constant.svg' axpy-xeon.dat" >>commands
    (cd tour && bash -e ../commands) >out 2>&1 || fail "a command of README.md"
    for picture in tour/*.svg; do
        shown=$CLL_SOURCE/docs/images/${picture#*/}
        python3 "$tools/pictures.py" "$shown" "$picture" >out || fail "$shown differs; 'make docs-images' draws it again"
        [ "$picture" = tour/constant.svg ] || has_text "$CLL_SOURCE/README.md" "<img src=\"docs/images/${picture#*/}\""
    done
    # a point elsewhere, and another text
    ! python3 "$tools/pictures.py" tour/fit.svg tour/slower.svg >out || fail "another picture is not found"
    sed "0,/translate(/! s/translate(8\([0-9]*\)\./translate(7\1./" tour/fit.svg >moved.svg
    ! python3 "$tools/pictures.py" tour/fit.svg moved.svg >out || fail "points that moved are not found"
    has_text out "elsewhere now"
    sed 's/changes from N = 7/changes from N = 8/' tour/fit.svg >other.svg
    ! python3 "$tools/pictures.py" tour/fit.svg other.svg >out || fail "another text is not found"
    ! llac check tour/sort.before.dat tour/sort.after.dat >out || fail "README.md says that check fails"
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
