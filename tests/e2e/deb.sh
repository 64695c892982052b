# SPDX-License-Identifier: GPL-3.0-or-later
# make deb: the packages install, run the demo and uninstall cleanly, in a chroot: an overlay on the system of this machine,
# in which nothing stays. It needs root, or a system that gives users their own namespaces.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need dpkg
need dpkg-deb
need dpkg-shlibdeps
need unshare
need gnuplot
export PATH=$PATH:/usr/sbin:/sbin # dpkg needs ldconfig

# As root the mounts are possible at once; others become root of a namespace.
as_root=--map-root-user
[ "$(id -u)" != 0 ] || as_root=
overlay='mkdir -p scratch merged && mount -t tmpfs tmpfs scratch && mkdir scratch/upper scratch/work &&
    mount -t overlay overlay -o "lowerdir=/,upperdir=$PWD/scratch/upper,workdir=$PWD/scratch/work" merged && mount --rbind /dev merged/dev && mount --rbind /proc merged/proc'
# shellcheck disable=SC2086
unshare --mount $as_root bash -c "$overlay && chroot merged true" >out 2>err || skip 'no chroot: this system does not allow overlay mounts'
! dpkg-query -W call libcll-dev libpub-dev >/dev/null 2>&1 || skip 'packages of CALL are installed on this machine'

version=$("$call" --version | grep -o '[0-9][0-9.]*' | head -1)
exits 1 env DEBFULLNAME='A Tester' "$CLL_SOURCE/tools/package" deb "$PWD/none"
has_text err 'give both parts of the maintainer'
DEBFULLNAME='A Tester' DEBEMAIL=tester@example.org "$CLL_SOURCE/tools/package" deb "$PWD/debs" >out 2>err || fail 'make deb'
is "$(find debs -mindepth 1 | wc -l)" 3 'files in the folder of the packages'
for package in call libcll-dev libpub-dev; do
    what=$package
    file=$(echo debs/"$package"_*.deb)
    has_text out "$(basename "$file")"
    is "$(dpkg-deb -f "$file" Version)" "$version" 'version'
    is "$(dpkg-deb -f "$file" Maintainer)" 'A Tester <tester@example.org>' 'maintainer'
    dpkg-deb -f "$file" Depends >depends
    filled depends
    is "$(dpkg-deb --ctrl-tarfile "$file" | tar t | sort | tr '\n' ' ')" './ ./control ./md5sums ' 'control files: no scripts'
    dpkg-deb -c "$file" >contents
    is "$(awk '{ print $2 }' contents | sort -u)" root/root 'owner'
    has_text contents "./usr/share/doc/$package/copyright"
    is "$(awk '$1 !~ /^[-dl]rwxr-xr-x$|^-rw-r--r--$|^lrwxrwxrwx$/' contents)" '' 'modes'
done
what='contents'
dpkg-deb -c debs/call_*.deb >contents
for f in bin/call bin/llac bin/cllprobe share/man/man1/call.1.gz share/cll/examples/sort.c share/bash-completion/completions/call lib/cmake/cll/cllConfig.cmake; do
    has_text contents "./usr/$f"
done
dpkg-deb -c debs/libcll-dev_*.deb >contents
for f in include/cll.h include/cll_device.h lib/libcll.a lib/libcll.so lib/pkgconfig/cll.pc share/man/man7/cll.7.gz; do has_text contents "./usr/$f"; done
dpkg-deb -c debs/libpub-dev_*.deb >contents
has_text contents './usr/include/pub.h'
has_text contents './usr/include/bsp.h'
what='a compiler can use libcll with what it depends on alone'
dpkg-deb -f debs/libcll-dev_*.deb Depends >depends
has_text depends libc6-dev
! dpkg-deb -c debs/libcll-dev_*.deb | grep -q libcll_papi.a || has_text depends libpapi-dev

# In the chroot: what a user does with the packages.
cp -r "$CLL_SOURCE/tools" .
cat >inside.sh <<'END'
set -eu
cd "$1"
export HOME=$PWD LC_ALL=C
find /usr /etc /opt | sort >before
dpkg -i debs/*.deb >install.log 2>&1 || { tail -20 install.log; exit 1; }
! dpkg --audit | grep . || exit 1
[ "$(command -v call)" = /usr/bin/call ]
dpkg -V call libcll-dev libpub-dev
# the demo
mkdir -p demo/tree/build
cp -r /usr/share/cll/examples demo/tree/
cp -r tools demo/tree/
ln -s /usr/bin demo/tree/build/bin
demo/tree/tools/demo >demo.log 2>&1 || { tail -40 demo.log; exit 1; }
grep -q 'f\[2\]' demo.log
[ -s demo/tree/build/demo/sort.svg ]
# pkg-config and CMake find the library
printf '#include <cll.h>\nint main(void)\n{\n    int n = 4;\n    CLL_REGION("r", "r[0]*n", n);\n    cll_keep(n);\n    return 0;\n}\n' >r.c
cc r.c $(pkg-config --cflags --libs cll) -o r
./r
llac -e 'list' r.cll.0.dat | grep -q '^  r '
mkdir -p project
cp r.c project/
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p C)\nfind_package(cll REQUIRED)\nadd_executable(r r.c)\ntarget_link_libraries(r PRIVATE cll::cll)\n' >project/CMakeLists.txt
cmake -G Ninja -S project -B project/build >cmake.log 2>&1 && cmake --build project/build >>cmake.log 2>&1 || { cat cmake.log; exit 1; }
man -w call >/dev/null 2>&1 || ! command -v man >/dev/null || exit 1
# nothing is left
dpkg --purge call libpub-dev libcll-dev >purge.log 2>&1 || { tail -20 purge.log; exit 1; }
find /usr /etc /opt | sort >after
diff before after || { echo 'files stay after the removal'; exit 1; }
! dpkg-query -W call >/dev/null 2>&1
echo clean
END
what='the chroot'
# The folder of the test is below merged, too: the overlay hides what the test writes there.
# shellcheck disable=SC2086
unshare --mount $as_root bash -c "$overlay && mount --bind \"\$PWD\" \"merged\$PWD\" && chroot merged bash \"\$PWD/inside.sh\" \"\$PWD\"" >out 2>err ||
    fail 'the packages do not work in a chroot'
is "$(tail -1 out)" clean 'last line'
