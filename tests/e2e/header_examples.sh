# SPDX-License-Identifier: GPL-3.0-or-later
# The usage examples at the heads of headers compile.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need python3
compile() { python3 "$CLL_SOURCE/tests/e2e/header_examples.py" "$1" "$CLL_SOURCE/tests/e2e/header_examples.fixtures" "$CC"; }
exits 0 compile "$CLL_SOURCE"
# An example that uses a function that does not exist is found, and so is one without a fixture.
cp -r "$CLL_SOURCE/include" "$CLL_SOURCE/src" .
sed -i 's/^\( \*     \)arena_destroy(a);/\1arena_release(a);/' src/base/memory.h
exits 1 compile "$PWD"
has out '^src/base/memory.h:[0-9]*:.* error: implicit declaration of function .arena_release.'
has out '^[0-9]* examples, 1 failures$'
cp "$CLL_SOURCE/src/base/memory.h" src/base/
sed -i 's/^#ifndef BASE_QUOTE_H/\/*\n * Usage:\n *\n *     quote_it(text);\n *\/\n&/' src/base/quote.h
exits 1 compile "$PWD"
has out '^src/base/quote.h:[0-9]*: an example without a section'
