#!/bin/sh
# SPDX-License-Identifier: MIT
# as: gives each thread counters of its own. gcc runs this file in place of its assembler (-B). The compiler has made each
# addition to a counter one instruction, "lock addq $1, 8+__gcov0.main(%rip)". It becomes an addition to a copy that
# belongs to the thread; what has another form stays as it is, and is right as well. The section cll_counted
# says where the copies are (cll/counted/threads.c). Linkers that remove unused sections keep it for the reference beside
# the call of __gcov_exit, which every file with counters has.
input=
before=
for word; do
    before=$input
    input=$word
done
case $before in
-o) # -pipe
    set -- "$@" -
    input=-
    ;;
*) grep -q __gcov0 -- "$input" || exec "$CLL_ASSEMBLER" "$@" ;;
esac
words=$# # all but the input come again at the end of the list
for word; do
    shift
    words=$((words - 1))
    [ "$words" -eq 0 ] || set -- "$@" "$word"
done
text=$0.$$.s
LC_ALL=C sed -E '
s/\block[ \t]+(add|sub|inc|dec)(q[ \t]+([^,]*,[ \t]*)?)(([0-9]+)\+)?__gcov0\.([^ \t,+()]+)\(%rip\)/\1\2%fs:\5+cll_own.\6@tpoff/
s/%fs:\+/%fs:/
s/^[ \t]+(call|jmp)[ \t]+\*?__gcov_(exit|dump|reset|fork|exec)/\tcall\tcll_counted_gather@PLT\n&/
s/^\tcall.*\n.*__gcov_exit/\t.pushsection cll_counted,"aw"\n1:\n\t.popsection\n\t.reloc ., R_X86_64_NONE, 1b\n&/
s/^[ \t]+\.(comm[ \t]+__gcov0\.([^ \t,]+),[ \t]*([0-9]+)|size[ \t]+__gcov0\.([^ \t,]+),[ \t]*([0-9]+)).*/&\
\t.pushsection .tbss,"awT",@nobits\
\t.balign 8\
cll_own.\2\4:\
\t.zero \3\5\
\t.popsection\
\t.pushsection cll_counted,"aw"\
\t.balign 8\
\t.quad __gcov0.\2\4\
\t.long \3\5, cll_own.\2\4@tpoff\
\t.popsection/
' -- "$input" >"$text" && "$CLL_ASSEMBLER" "$@" "$text"
status=$?
rm -f -- "$text"
exit "$status"
