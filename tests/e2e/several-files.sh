# SPDX-License-Identifier: GPL-3.0-or-later
# A make project of several files: plain and instrumented from the same Makefile; both experiments in one file.
. "$CLL_SOURCE/tests/e2e/setup.sh"
cp -r "$CLL_SOURCE/examples/several-files" plain
cp -r plain instrumented
make -s -C plain CC="$CC"
make -s -C instrumented CC="$call cc $CC"
(cd plain && ./words 8192) >plain.out
(cd instrumented && ./words 8192) >instrumented.out
cmp plain.out instrumented.out
has_text instrumented/words.cll.0.dat "# experiment: count"
has_text instrumented/words.cll.0.dat "# experiment: grow"
# the table grows before its chains do: without that, the time of count is not proportional to n
awk '$1 == "experiment" { for (i = 1; i <= NF; i++) at[$i] = i }
     $1 == "grow" { rows++; long += $at["entries"] > $at["old"] }
     END { exit !(rows > 0 && long == 0) }' instrumented/words.cll.0.dat || fail "chains are long"
# make sees the user's files, not temporary ones
has_text instrumented/table.d "table.h"
lacks_text instrumented/table.d ".cll.c"
touch instrumented/table.h
make -s -C instrumented -n CC="$call cc $CC" >again
has_text again "main.c"
has_text again "table.c"
"$llac" -e 'fit count; fit grow' instrumented/words.cll.0.dat >fit.out
has_text fit.out "count[0]"
has_text fit.out "grow[2]"
"$call" run -n 2 plain/main.c plain/table.c -- 8192 >run.out 2>&1 || { cat run.out; fail "call run of two files"; }
has_text run.out "grow[2]"
