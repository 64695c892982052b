# SPDX-License-Identifier: GPL-3.0-or-later
# CALL builds from the tarball of make dist, and its tests pass there: the fast ones of two libraries and of the translator,
# which need the files of tests/.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gzip
"$CLL_SOURCE/tools/package" dist "$PWD/dist" >out 2>err || fail 'make dist'
tar xzf dist/call-*.tar.gz
cd call-*/
cmake -G Ninja -S . -B build/check -DCLL_TESTS=ON -DCLL_WERROR=ON -DCLL_BENCH=OFF -DCMAKE_C_COMPILER="$CC" >../log 2>&1 || { tail -20 ../log; fail 'configuring'; }
tests='base_memory_test base_range_test formula_parse_test formula_print_test'
# shellcheck disable=SC2086
cmake --build build/check --target call llac cll cll_static $tests >>../log 2>&1 || { tail -20 ../log; fail 'building'; }
ctest --test-dir build/check -R '^(base\.(memory|range)|formula\.(parse|print)|translate\.(golden|manual)|e2e\.(dist|project_is_tidy))$' --output-on-failure >../log 2>&1 || { tail -60 ../log; fail 'testing'; }
[ "$(grep -c ' Passed ' ../log)" -ge 7 ] || { cat ../log; fail 'hardly a test ran'; }
! command -v clang-format-14 >/dev/null || tools/format --check || fail 'the sources are not formatted'
