# SPDX-License-Identifier: GPL-3.0-or-later
# make runtime: a C compiler and make, no CMake; a translated program links against it.
. "$CLL_SOURCE/tests/lib.sh"
mkdir node
cp -r "$CLL_SOURCE/Makefile" "$CLL_SOURCE/src" "$CLL_SOURCE/include" node/
make -s -j2 -C node runtime RUNTIME_CC="$CC" >log 2>&1 || { cat log; fail "make runtime"; }
cp "$CLL_SOURCE/examples/sort.c" .
"$call" sort.c
"$CC" -O2 sort.cll.c -Inode/build/runtime/include node/build/runtime/lib/libcll.a -o sort -lpthread -lm
./sort 256 1024
contains sort.cll.0.dat "# experiment: f"
"$CC" -O2 sort.cll.c -Inode/build/runtime/include -Lnode/build/runtime/lib -lcll -Wl,-rpath,"$PWD/node/build/runtime/lib" -o shared
./shared 256 1024
contains shared.cll.0.dat "# experiment: f"
