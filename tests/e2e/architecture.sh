# SPDX-License-Identifier: GPL-3.0-or-later
# The archives use each other only along the arrows of the architecture page, and every arrow is used. The names of their
# functions tell where these are. Files include the headers that are for them. Every source of the run-time is in the list
# that CMake and make read.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need python3
check="$CLL_SOURCE/tests/e2e/architecture.py"
page=$CLL_SOURCE/docs/developer/architecture.md
python3 "$check" "$page" "$CLL_BUILD/lib" || fail "the archives and $page differ"
python3 "$CLL_SOURCE/tools/draw-architecture.py" "$page" >drawing.svg || fail "the arrows cannot be drawn"
cmp -s drawing.svg "$CLL_SOURCE/docs/images/architecture.svg" ||
    fail "docs/images/architecture.svg shows other arrows than $page: run make docs-images"
# and it finds an arrow that is missing, and one too many
sed 's/^    formula   -> base/    formula   ->/' "$page" >less.md
! python3 "$check" less.md "$CLL_BUILD/lib" >out || fail "a use without an arrow is not found"
has_text out "formula uses base"
sed 's/^    formula   -> base/    formula   -> base spool/' "$page" >more.md
! python3 "$check" more.md "$CLL_BUILD/lib" >out || fail "an arrow without a use is not found"
has_text out "from formula to spool"
# and a circle between files: those of translate use each other
sed 's/^No circles between files: /&translate, /' "$page" >circle.md
! python3 "$check" circle.md "$CLL_BUILD/lib" >out || fail "a circle is not found"
has_text out "translate: these files use each other in a circle"
sed '/^Files that call each other: /d' "$page" >apart.md
! python3 "$check" apart.md "$CLL_BUILD/lib" >out || fail "files that call each other are not found"
has_text out "model: these files use each other in a circle"

names="$CLL_SOURCE/tests/e2e/names.py"
python3 "$names" "$page" "$CLL_SOURCE" "$CLL_BUILD/lib" >out || { cat out; fail "names of functions do not tell where they are"; }
# and it finds a name without a place, and a family that nothing needs
sed 's/say (printable.h)/said (printable.h)/' "$page" >other.md
! python3 "$names" other.md "$CLL_SOURCE" "$CLL_BUILD/lib" >out || fail "a family that is not listed is not found"
has_text out "libbase: say begins neither"
has_text out "lists the family said of base"

interfaces="$CLL_SOURCE/tests/e2e/interfaces.py"
python3 "$interfaces" "$page" "$CLL_SOURCE" >out || { cat out; fail "files include headers that are not for them"; }
# and it finds a header that is not for others, one that nobody else includes, and an internal one behind a listed one
sed 's/^    formula: formula.h$/    formula: functions.h/; s/`bench.undetermined.c`/`bench\/check.c`/' "$page" >others.md
! python3 "$interfaces" others.md "$CLL_SOURCE" >out || fail "a header that is not listed is not found"
has_text out "src/model/points.h includes formula/formula.h, which others.md does not list"
has_text out "others.md lists formula/functions.h, which nothing else includes"
has_text out "bench/undetermined.c includes model/model_internal.h"
has_text out "bench/check.c looks inside a library, which it does not do"
cp -r "$CLL_SOURCE/src" .
sed -i 's/^#include "model.model.h"/#include "model\/model_internal.h"/' src/model/predict.h
! python3 "$interfaces" "$page" "$PWD" >out || fail "an internal header behind a listed one is not found"
has_text out "model/predict.h includes model/model_internal.h, which is for its library alone"

# sources FOLDER: those of the list, and those that are there
for folder in cll spool cll/mpi cll/pub cll/cuda cll/opencl pub bsplib base probe probe/mpi; do
    grep -o "src/$folder/[a-z0-9_]*\.c" "$CLL_SOURCE/cmake/runtime-sources.mk" | sort -u >listed
    (cd "$CLL_SOURCE" && ls "src/$folder"/*.c) | grep -v '/main\.c$' | sort >there
    cmp -s listed there || { diff listed there; fail "cmake/runtime-sources.mk does not list the sources of src/$folder"; }
done
