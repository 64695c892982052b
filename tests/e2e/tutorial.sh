# SPDX-License-Identifier: GPL-3.0-or-later
# Every command of docs/user/tutorial.md, in its order, in one folder. The times are computed.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gnuplot
export EXAMPLES=$CLL_SOURCE/examples PATH=$CLL_BIN:$PATH
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$CLL_SOURCE/docs/user/tutorial.md" >commands
[ "$(wc -l <commands)" -ge 15 ] || fail "the commands of the tutorial were not found"
sed -i 's/--time 20s/-n 8/' commands
mkdir here && cd here
takes 'is("f") ? (3.7e-6 + 7.6e-9*N*log(N))*(1 + 0.02*noise(1)) : 1e-6 + 1e-8*(e->nvars ? e->values[0] : 0)'
bash -e ../commands >../out 2>&1 || { cat ../out; fail "a command of the tutorial fails"; }
has_text ../out "f[2]"
has_text ../out "grow[2]"
has_text ../out "N is"
has ../out '^     1048576  *0.11[0-9]*  *0.11[0-9]*   \[0.1.*\] .* yes$'
has_text ../out '1 of 1 points inside their interval'
[ -s sort.svg ] || fail "no plot"
