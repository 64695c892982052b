# SPDX-License-Identifier: GPL-3.0-or-later
# docs/method/thresholds.md and the figures quoted in docs/method are those of the files thresholds.h.
. "$CLL_SOURCE/tests/harness/lib.sh"
need python3
python3 "$CLL_SOURCE/tools/thresholds" --check || fail "docs/method and thresholds.h differ"

# copy NAME: the files that the check reads, to be changed
copy() {
    mkdir -p "$1/docs"
    cp -R "$CLL_SOURCE/docs/method" "$1/docs/"
    cp -R "$CLL_SOURCE/src" "$1/"
}
# and it finds a value that was changed in the header alone, a figure that differs, and an unused name
copy value
sed -i 's/^#define BOUNDARY_PENALTY .*/#define BOUNDARY_PENALTY 7.0/' value/src/numeric/thresholds.h
exits 1 python3 "$CLL_SOURCE/tools/thresholds" --check value
has_text out "docs/method/thresholds.md is not what the headers say"
has_text out "6 is quoted for BOUNDARY_PENALTY, which is 7.0"
copy figure
sed -i 's/[0-9.]* %<!-- TERM_NEGLIGIBLE -->/3 %<!-- TERM_NEGLIGIBLE -->/' figure/docs/method/statistics.md
exits 1 python3 "$CLL_SOURCE/tools/thresholds" --check figure
has_text out "3 is quoted for TERM_NEGLIGIBLE, which is 0.02"
copy name
sed -i 's/TERM_NEGLIGIBLE/0.02/' name/src/model/residuals.c
exits 1 python3 "$CLL_SOURCE/tools/thresholds" --check name
has_text out "no source uses TERM_NEGLIGIBLE"
copy room
cp room/src/carry/thresholds.h room/src/json/
exits 1 python3 "$CLL_SOURCE/tools/thresholds" --check room
has_text out "src/json/thresholds.h is not read"
finish
