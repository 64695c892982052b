# SPDX-License-Identifier: GPL-3.0-or-later
# Exported models: what the files have. agree.py compares the values of the functions with llac's.
. "$CLL_SOURCE/tests/llac/setup.sh"

for x in h py js gp tex json csv; do
    good "fit sort; fit fft; export m.$x"
    has_text out "2 models written to m.$x"
    filled m.$x
done
what='the files'
grep -q 'static inline double predict_sort(double N)' m.h || fail 'm.h lacks predict_sort'
grep -q '^sort,CLOCK,sort\[1\],3.8' m.csv || fail 'm.csv lacks sort[1]'
grep -q '\\begin{tabular}' m.tex || fail 'm.tex has no table'

what='a model of two constants is a short file'
good 'export two.h sort; export two.py sort'
[ "$(wc -l <two.h)" -le 20 ] || fail "two.h has $(wc -l <two.h) lines"
[ "$(wc -l <two.py)" -le 20 ] || fail "two.py has $(wc -l <two.py) lines"
has two.h '^ \* measured for N from 1024 to 2097152'
has two.py '^# measured for N from 1024 to 2097152$'
lacks_text two.h interval
lacks_text two.py interval

what='where the formula has no value, neither has the function'
printf '#include <stdlib.h>\n#include "n.h"\nint main(int n, char **a)\n{\n    double x = predict_sort(atof(a[n - 1]));\n    return x != x;\n}\n' >n.c
no_value() { # FORMULA PLACE...
    fit="where N < 10000; fit sort = $1"
    good "$fit; export n.h; export n.py"
    ${CC:-cc} -std=c99 -Wall -Wextra -Werror n.c -o n -lm 2>err || fail 'n.h does not compile'
    ./n 5000 || fail "n.h has no value of $1 at N=5000"
    shift
    for N; do
        bad "$fit; predict sort N=$N" 'has no value there'
        ./n "$N" && fail "n.h has a value at N=$N: $fit"
        if command -v python3 >/dev/null; then
            is "$(python3 -B -c "import n; print(n.predict_sort(5000) > 0, n.predict_sort($N))" 2>&1)" 'True nan' "n.py at N=$N"
        fi
    done
}
no_value 'sort[0]*log(N - 5)' 5 -3
no_value 'sort[0]*(N - 5)^0.5' 4
no_value 'sort[0]*N/(N - 5)' 5
no_value 'sort[0]*N*exp(N/1e4)' 1e8

what='all pieces are listed'
for x in h tex json csv; do good "fit both; export p.$x" "$data/grid.dat"; done
[ "$(grep -c '^both,CLOCK,both\[1\],' p.csv)" = 3 ] || fail 'p.csv lacks pieces'
grep -q ',2500 < N <= 15000 and 1 <= P <= 8,$' p.csv || fail 'p.csv lacks an interval'
grep -qF '$2500 < \mathit{N} \le 15000$, $1 \le \mathit{P} \le 8$' p.tex || fail 'p.tex lacks an interval'
grep -qF '"boundaries":[{"var":"N","below":2500,"above":4000,"at":3162.27' p.json || fail 'p.json lacks boundaries'
grep -qF 'changes between N = 2500 and 4000' p.h || fail 'p.h does not say where it changes'
good 'fit fft = fft[0]*N*(P < 2 or P != 2); export c.tex'
has_text c.tex '\left[P < 2 \lor P \ne 2\right]'

what='functions that the other language lacks come with a model that calls them'
good 'fit sort = sort[0]*max(N,5,7)*log2(N) + sort[1]*cbrt(N); export q.gp; export q.py'
has q.gp '^cll_log2(x) = '
has q.gp '^cll_max(x, y) = '
lacks q.gp '^cll_min'
has q.py '^def cll_cbrt(x):'
lacks two.py cll_cbrt
what='a machine file cannot bring code into a comment'
sed 's,"date": "[^"]*","date": "x`touch ran` @y /* z\\\\",' "$data/machine.json" >evil.json
good 'machine use evil.json; fit sort = sort[0]*N*lat(8*N); export e.h; export e.gp'
for x in h gp; do is "$(grep -cF 'measured x?touch ran? ?y / * z?' e.$x)" 2 "comments of e.$x"; done

what='a constant that the data do not determine is named'
good 'fit sort = sort[0]*N*log(N) + sort[1]*log(P); export u.h'
grep -qF 'the data do not determine sort[1], so it is 0 here' u.h || fail 'u.h does not say so'

good 'export one.h fft'
grep -q predict_sort one.h && fail 'sort was not asked for'
good 'fit init = init[0]*N on page-faults; export init.h init'
grep -q 'predict_init_page_faults(double N)' init.h || fail 'the observable is not in the name'
bad 'export' 'the name of a file is missing'
bad 'export x.doc' 'must end in .h, .py, .js, .gp, .tex, .json or .csv'
bad 'export x.h nothing' "there is no experiment 'nothing'"
bad 'export x.h sort sort' "'sort' is named twice"
bad 'export nowhere/x.h sort' 'cannot write nowhere/x.h'
bad 'export x.h init' 'init has no formula'
[ -e x.h ] && fail 'x.h is there'
finish
