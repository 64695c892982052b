# SPDX-License-Identifier: GPL-3.0-or-later
# Exported models: the text is right, and the compiler, gnuplot and Python (where there is one) agree with `predict`.
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
${CC:-cc} -std=c99 -Wall -Wextra -Werror use.c -o use -lm 2>err || fail 'm.h does not compile'
close "$(./use)" || fail "m.h gives $(./use) instead of $value"
if command -v gnuplot >/dev/null; then
    what='the gnuplot file'
    got=$(printf 'load "m.gp"\nset print "-"\nprint sprintf("%%.10g", predict_fft(65536, 4))\n' | gnuplot 2>err)
    close "$got" || fail "m.gp gives $got instead of $value"
fi
if command -v python3 >/dev/null; then
    what='the Python file'
    got=$(python3 -c 'import m; print(m.predict_fft(65536, 4))' 2>err)
    close "$got" || fail "m.py gives $got instead of $value"
fi

# Comparisons: the value is a real number in each language, also where it is divided.
exits 0 "$llac" --json -e 'fit fft = fft[0] + fft[1]*N*(not P < 2)/(P + (P == 4)/(N > 2)) + fft[2]*N*(P < 2 or P != 2); export c.h; export c.py; export c.gp; export c.tex; predict fft N=65536 P=4' "$data/demo.dat"
value=$(tail -1 out | sed 's/.*"value":\([^,]*\),.*/\1/')
what='comparisons'
has_text c.tex '\left[P < 2 \lor P \ne 2\right]'
printf '#include <stdio.h>\n#include "c.h"\nint main(void)\n{\nprintf("%%.17g\\n", predict_fft(65536, 4));\nreturn 0;\n}\n' >c.c
${CC:-cc} -std=c99 -Wall -Wextra -Werror c.c -o c -lm 2>err || fail 'c.h does not compile'
close "$(./c)" || fail "c.h gives $(./c) instead of $value"
if command -v gnuplot >/dev/null; then
    got=$(printf 'load "c.gp"\nset print "-"\nprint sprintf("%%.10g", predict_fft(65536, 4))\n' | gnuplot 2>err)
    close "$got" || fail "c.gp gives $got instead of $value"
fi
if command -v python3 >/dev/null; then
    got=$(PYTHONDONTWRITEBYTECODE=1 python3 -c 'import c; print(c.predict_fft(65536, 4))' 2>err)
    close "$got" || fail "c.py gives $got instead of $value"
fi

# Constants with several values: the exported functions choose as predict does, on both sides of each boundary up to
# its gap, and where a combination of intervals was never measured. (In the gap predict mixes, they take one side.)
places='100,1 2499,7 2500,8 4000,12 4001,13 9000,32 100000,64 100,64 100000,1 2500,12 4000,8'
agree() { # FILE-OF-VALUES WHAT
    paste want.txt "$1" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || d > 1e-9 * $1) bad = 1 }
        END { exit bad || NR == 0 }' || fail "$2 gives $(tr '\n' ' ' <"$1") instead of $(tr '\n' ' ' <want.txt)"
}
for f in grid both; do
    for x in h py gp tex json csv; do good "fit $f; export p.$x" "$data/grid.dat"; done
    commands=
    for place in $places; do commands="${commands}predict $f N=${place%,*} P=${place#*,};"; done
    "$llac" --json -e "$commands" "$data/grid.dat" | sed 's/.*"value":\([^,]*\),.*/\1/' >want.txt
    what="$f as a C header"
    {
        printf '#include <stdio.h>\n#include "p.h"\nint main(void)\n{\n'
        for place in $places; do echo "printf(\"%.17g\\n\", predict_$f($place));"; done
        echo 'return 0; }'
    } >pieces.c
    ${CC:-cc} -std=c99 -Wall -Wextra -Werror pieces.c -o pieces -lm 2>err || fail 'p.h does not compile'
    ./pieces >got.txt
    agree got.txt p.h
    if command -v gnuplot >/dev/null; then
        what="$f as gnuplot functions"
        {
            printf 'load "p.gp"\nset print "-"\n'
            for place in $places; do echo "print sprintf(\"%.17g\", predict_$f($place))"; done
        } | gnuplot >got.txt 2>err
        agree got.txt p.gp
    fi
    if command -v python3 >/dev/null; then
        what="$f as Python functions"
        {
            echo 'import p'
            for place in $places; do echo "print(repr(p.predict_$f($place)))"; done
        } >pieces.py
        PYTHONDONTWRITEBYTECODE=1 python3 pieces.py >got.txt 2>err
        agree got.txt p.py
    fi
done
what='all pieces are listed'
[ "$(grep -c '^both,CLOCK,both\[1\],' p.csv)" = 3 ] || fail 'p.csv lacks pieces'
grep -q ',2500 < N <= 15000 and 1 <= P <= 8,$' p.csv || fail 'p.csv lacks an interval'
grep -qF '$2500 < \mathit{N} \le 15000$, $1 \le \mathit{P} \le 8$' p.tex || fail 'p.tex lacks an interval'
grep -qF '"boundaries":[{"var":"N","below":2500,"above":4000,"at":3162.27' p.json || fail 'p.json lacks boundaries'
grep -qF 'changes between N = 2500 and 4000' p.h || fail 'p.h does not say where it changes'

what='functions that the other language lacks come with the model'
good 'fit sort = sort[0]*max(N,5,7)*log2(N) + sort[1]*cbrt(N); export q.gp; export q.py; export q.h'
"$llac" --json -e 'fit sort = sort[0]*max(N,5,7)*log2(N) + sort[1]*cbrt(N); predict sort N=5000' "$data/demo.dat" |
    sed -n '2s/.*"value":\([^,]*\),.*/\1/p' >want.txt
if command -v gnuplot >/dev/null; then
    printf 'load "q.gp"\nset print "-"\nprint sprintf("%%.17g", predict_sort(5000))\n' | gnuplot >got.txt 2>err
    agree got.txt q.gp
fi
if command -v python3 >/dev/null; then
    PYTHONDONTWRITEBYTECODE=1 python3 -c 'import q; print(repr(q.predict_sort(5000)))' >got.txt 2>err
    agree got.txt q.py
fi
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
