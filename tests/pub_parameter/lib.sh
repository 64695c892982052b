# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of bsp_parameter share.
. "$CLL_SOURCE/tests/parallel/lib.sh"
unset PUB_PARAMETER PUB_TRACE PUB_CHECK PUB_CHECK_SECONDS PUB_BUFFER

# An Open MPI program of this folder: ./probe
build_probe() {
    wrapper openmpi
    [ -e "$CLL_BUILD/lib/libpub_openmpi.a" ] || skip "no libpub for Open MPI"
    launcher="mpirun --oversubscribe --bind-to none"
    command -v mpirun.openmpi >/dev/null && launcher="mpirun.openmpi --oversubscribe --bind-to none"
    command -v "${launcher%% *}" >/dev/null || skip "no mpirun"
    # shellcheck disable=SC2086
    "$mpicc" -O1 -Wall -Wextra -Werror $sanitize -I"$CLL_SOURCE/include" "$CLL_SOURCE/tests/pub_parameter/probe.c" \
        "$CLL_BUILD/lib/libpub_openmpi.a" -o probe || fail "probe.c does not compile"
}
# probes N MODE: it comes to its end
probes() { runs "$1" ./probe "$2" && has out '^done$'; }
