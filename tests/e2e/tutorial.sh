# SPDX-License-Identifier: GPL-3.0-or-later
# Every command of docs/user/tutorial.md, in its order, in one folder.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gnuplot
export EXAMPLES=$CLL_SOURCE/examples PATH=$CLL_BIN:$PATH
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$CLL_SOURCE/docs/user/tutorial.md" >commands
[ "$(wc -l <commands)" -ge 15 ] || fail "the commands of the tutorial were not found"
mkdir here && cd here
bash -e ../commands >../out 2>&1 || { cat ../out; fail "a command of the tutorial fails"; }
has_text ../out "f[2]"
has_text ../out "grow[2]"
has_text ../out "N is"
[ -s sort.svg ] || fail "no plot"
