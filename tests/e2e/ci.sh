# SPDX-License-Identifier: GPL-3.0-or-later
# Every command of docs/user/ci.md, in its order, in one folder: the check passes without a change, and fails with a reason.
# The times are computed, with 5 % noise: the version with the inner loop takes 17 times as long.
. "$CLL_SOURCE/tests/e2e/setup.sh"
export PATH=$CLL_BIN:$PATH
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$CLL_SOURCE/docs/user/ci.md" >commands
[ "$(wc -l <commands)" -ge 30 ] || fail "the commands of the page were not found"
mkdir here && cd here
takes '(2e-7 + 4.7e-10*N)*(1 + 0.05*noise(1))*slow(access("search.before.dat", F_OK) ? 1 : 17)'
bash -e ../commands >../out 2>&1 || { cat ../out; fail "a command of docs/user/ci.md fails"; }
has ../out '^  scan\[1\] .* 17 \[16\.[0-9]*, 17\.[0-9]*\] *slower  <-- worse$'
has ../out '^  at N=262144 .* slower  <-- worse$'
has_text report.txt 'they differ in the code of search.c'
has_text comment.md '### Slower than before'
has ../out '^::error file=search.c,line=15,title=scan is slower::scan, '
