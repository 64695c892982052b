# SPDX-License-Identifier: GPL-3.0-or-later
# make dist: the tarball is complete, and the same bytes each time, also when it is made from itself. The version is that of
# CMakeLists.txt everywhere.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gzip
need sha256sum
package=$CLL_SOURCE/tools/package
version=$("$call" --version | grep -o '[0-9][0-9.]*' | head -1)
name=call-$version
"$package" dist "$PWD/first" >out 2>err || fail 'make dist'
has_text out "first/$name.tar.gz"
tar xzf "first/$name.tar.gz"
for f in Makefile CMakeLists.txt NEWS README.md .clang-format cmake/runtime.mk tests/harness/lib.sh tools/check docs/README.md LICENSES/MIT.txt; do
    [ -e "$name/$f" ] || fail "the tarball lacks $f"
done
is "$(find "$name" \( -name .git -o -path "$name/build*" -o -name '*.o' -o -name '*.a' \) | head -3)" '' 'files that do not belong into a tarball'
[ -x "$name/tools/check" ] && [ ! -x "$name/NEWS" ] || fail 'the modes of the files are lost'
(umask 077 && TZ=Asia/Tokyo LANG=tr_TR.UTF-8 "$name/tools/package" dist "$PWD/second" >out 2>err) || fail 'make dist from the tarball'
cmp "first/$name.tar.gz" "second/$name.tar.gz" || fail 'the same source gives two tarballs'
SOURCE_DATE_EPOCH=86400 "$name/tools/package" dist "$PWD/old" >out 2>err || fail 'make dist with SOURCE_DATE_EPOCH'
is "$(tar tzvf "old/$name.tar.gz" --utc | awk '{ print $4 }' | sort -u)" 1970-01-02 'the time of all files'
exits 2 "$package" rpm
has_text err 'usage: tools/package dist|deb'

# One version.
is "$(head -1 "$CLL_SOURCE/NEWS")" "CALL $version" 'the first line of NEWS'
recipe=first/spack/packages/cll/package.py
has_text "$recipe" "version(\"$version\", sha256=\"$(sha256sum "first/$name.tar.gz" | cut -d' ' -f1)\")"
lacks "$recipe" '@[A-Z]'
has_text first/spack/repo.yaml 'namespace: call'
if command -v python3 >/dev/null; then
    # a recipe of Python: what Spack provides is replaced by names that take anything
    mkdir -p stub/spack
    printf 'class CMakePackage: define = None\ndef take(*a, **k): pass\nlicense = version = variant = depends_on = generator = take\n' >stub/spack/package.py
    touch stub/spack/__init__.py
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=stub python3 "$recipe" || fail 'the recipe is not Python'
fi
