# SPDX-License-Identifier: GPL-3.0-or-later
# Exported models: the text is right, and the compiler, gnuplot and Python (where there is one) agree with `predict`.
. "$CLL_SOURCE/tests/llac/lib.sh"

for x in h py gp tex json csv; do
    good "fit sort; fit fft; export m.$x"
    expect_out "2 models written to m.$x"
    expect_file m.$x
done
what='the files'
grep -q 'static inline double predict_sort(double N)' m.h || say 'm.h lacks predict_sort'
grep -q '^sort,CLOCK,sort\[1\],3.8' m.csv || say 'm.csv lacks sort[1]'
grep -q '\\begin{tabular}' m.tex || say 'm.tex has no table'

value=$("$llac" --json -e 'predict fft N=65536 P=4' "$data/demo.dat" | sed 's/.*"value":\([^,]*\),.*/\1/')
close() { awk -v a="$1" -v b="$value" 'BEGIN { exit !(a > b * 0.999999 && a < b * 1.000001) }'; }
cat >use.c <<'END'
#include <stdio.h>
#include "m.h"
int main(void)
{
    printf("%.17g\n", predict_fft(65536, 4));
    return predict_sort(8) < 0;
}
END
what='the C header'
${CC:-cc} -std=c99 -Wall -Wextra -Werror use.c -o use -lm 2>err.txt || say 'm.h does not compile'
close "$(./use)" || say "m.h gives $(./use) instead of $value"
if command -v gnuplot >/dev/null; then
    what='the gnuplot file'
    got=$(printf 'load "m.gp"\nset print "-"\nprint sprintf("%%.10g", predict_fft(65536, 4))\n' | gnuplot 2>err.txt)
    close "$got" || say "m.gp gives $got instead of $value"
fi
if command -v python3 >/dev/null; then
    what='the Python file'
    got=$(python3 -c 'import m; print(m.predict_fft(65536, 4))' 2>err.txt)
    close "$got" || say "m.py gives $got instead of $value"
fi

good 'export one.h fft'
grep -q predict_sort one.h && say 'sort was not asked for'
good 'fit init = init[0]*N on page-faults; export init.h init'
grep -q 'predict_init_page_faults(double N)' init.h || say 'the observable is not in the name'
bad 'export' 'the name of a file is missing'
bad 'export x.doc' 'must end in .h, .py, .gp, .tex, .json or .csv'
bad 'export x.h nothing' "there is no experiment 'nothing'"
bad 'export x.h sort sort' "'sort' is named twice"
bad 'export nowhere/x.h sort' 'cannot write nowhere/x.h'
bad 'export x.h init' 'init has no formula'
[ -e x.h ] && say 'x.h is there'
finish
