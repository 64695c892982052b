# SPDX-License-Identifier: GPL-3.0-or-later
# A make project of several files: plain and instrumented from the same Makefile; both experiments in one file.
. "$CLL_SOURCE/tests/lib.sh"
cp -r "$CLL_SOURCE/examples/several-files" plain
cp -r plain instrumented
make -s -C plain CC="$CC"
make -s -C instrumented CC="$call cc $CC"
(cd plain && ./words 8192) >plain.out
(cd instrumented && ./words 8192) >instrumented.out
cmp plain.out instrumented.out
contains instrumented/words.cll.0.dat "# experiment: count"
contains instrumented/words.cll.0.dat "# experiment: grow"
# make sees the user's files, not temporary ones
contains instrumented/table.d "table.h"
lacks instrumented/table.d ".cll.c"
touch instrumented/table.h
make -s -C instrumented -n CC="$call cc $CC" >again
contains again "main.c"
contains again "table.c"
"$llac" -e 'fit count; fit grow' instrumented/words.cll.0.dat >fit.out
contains fit.out "count[1]"
contains fit.out "grow[2]"
"$call" run -n 2 plain/main.c plain/table.c -- 8192 >run.out 2>&1 || { cat run.out; fail "call run of two files"; }
contains run.out "grow[2]"
