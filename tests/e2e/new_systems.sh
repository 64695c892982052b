# SPDX-License-Identifier: GPL-3.0-or-later
# new_systems.sh SYSTEM: tools/try-packages builds, installs and uses the packages, or the image, in systems that were just made.
# It needs mmdebstrap, and a mirror of the system's packages; it skips without.
. "$CLL_SOURCE/tests/e2e/setup.sh"
status=0
"$CLL_SOURCE/tools/try-packages" "$1" >out 2>&1 || status=$?
[ $status != 77 ] || skip "$(tail -1 out)"
[ $status = 0 ] || { tail -60 out; fail "$1"; }
