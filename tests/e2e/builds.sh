# SPDX-License-Identifier: GPL-3.0-or-later
# builds.sh SYSTEM: the commands of docs/user/builds.md for a build system (the block "```sh SYSTEM"): the project builds
# and passes its test without CALL and with it, and the measured programs give fits.
. "$CLL_SOURCE/tests/e2e/setup.sh"
case $1 in
make) need make ;;
cmake) need cmake && need ctest ;;
meson) need meson && need ninja ;;
autotools) need autoreconf && need automake && need make ;;
esac
awk -v which="$1" '$0 == "```sh " which {inside = 1; next} /^```$/ {inside = 0} inside' "$CLL_SOURCE/docs/user/builds.md" >commands
[ "$(grep -c 'call run' commands)" -ge 2 ] || fail "the commands of $1 were not found"
PREFIX=$PWD/installed
if grep -q 'PREFIX' commands; then
    cmake --install "$CLL_BUILD" --prefix "$PREFIX" >log 2>&1 || { cat log; fail "install"; }
fi
export EXAMPLES=$CLL_SOURCE/examples PATH=$CLL_BIN:$PATH PREFIX
unset CC CXX CFLAGS CMAKE_GENERATOR
bash -e commands >out 2>&1 </dev/null || { cat out; fail "a command of the chapter about $1 fails"; }
is "$(grep -c '^primes: 5 rounds; data in ' out)" "$(grep -c 'call run' commands)" "results of call run"
has out '^  sieve\[1\] '
has out '^  count\[1\] '
lacks out 'cll:'

# the plain build has nothing of CALL; the measured one does
cd project
for folder in plain measured wrapped launched chosen .; do
    [ -f $folder/primes ] || continue
    readelf -d $folder/primes >libraries
    if [ $folder = plain ]; then lacks libraries libcll; else has libraries libcll; fi
done
