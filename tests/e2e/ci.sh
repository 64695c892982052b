# SPDX-License-Identifier: GPL-3.0-or-later
# Every command of docs/user/ci.md, in its order, in one folder: the check passes without a change, and fails with a reason.
. "$CLL_SOURCE/tests/e2e/setup.sh"
export PATH=$CLL_BIN:$PATH
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$CLL_SOURCE/docs/user/ci.md" >commands
[ "$(wc -l <commands)" -ge 30 ] || fail "the commands of the page were not found"
mkdir here && cd here
bash -e ../commands >../out 2>&1 || { cat ../out; fail "a command of docs/user/ci.md fails"; }
# On a busy machine the formula may not describe the new data; measured values are compared then.
has ../out '^  \(scan\[1\]\|at N=[0-9]*, measured\) .*slower  <-- worse$'
has_text report.txt 'they differ in the code of search.c'
has_text comment.md '### Slower than before'
has ../out '^::error file=search.c,line=15,title=scan is slower::scan, '
