#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be written: an error and a message, what was there before stays whole, and nothing is left lying about.
. "$CLL_SOURCE/tests/call/setup.sh"
small() { (trap '' XFSZ && ulimit -f 16 && exec "$@"); } # files of at most 16 KB
printf 'int f(int n)\n{\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n    return n;\n}\n' >x.c
check "translates" exits 0 "$call" x.c
cp x.cll.c old.c
cp x.cll.h old.h
sed -i 's/\<f\[0\]/f[1]/' x.c
awk 'BEGIN { for (i = 0; i < 4000; i++) print "/* much text */" }' >>x.c
check "no room for the source" exits 1 small "$call" --raw x.c
check "which is named" has err '^call: cannot write x.cll.c: '
check "the old source stays" same old.c x.cll.c
check "the old header stays" same old.h x.cll.h
for i in $(seq 300); do
    printf 'int f%d(int n)\n{\n#pragma cll f%d f%d[0]*n\n    n++;\n#pragma cll end f%d\n    return n;\n}\n' "$i" "$i" "$i" "$i"
done >x.c
check "no room for the header" exits 1 small "$call" --raw x.c
check "the header is named" has err '^call: cannot write x.cll.h: '
check "the old source stays again" same old.c x.cll.c
check "the old header stays again" same old.h x.cll.h
check "no room for translated sources" exits 1 small "$call" cc gcc -c x.c -o x.o
check "no object is left" eval '[ ! -e x.o ]'
if [ -w /dev/full ]; then
    printf '#pragma cll parallel SEQ\nint n;\n' >y.c
    check "preprocessed output on a full disk" eval 'exits 1 bash -c "\"$call\" cc gcc -E y.c >/dev/full"'
    check "which is said" has err 'cannot write the standard output'
fi
mkdir z.cll.c
cp x.c z.c
check "a folder in the place of the source" exits 1 "$call" --raw z.c
check "leaves no header" eval '[ ! -e z.cll.h ]'
check "nothing else is left" eval '[ -z "$(find . -name "*.tmp*")" ]'
finish
