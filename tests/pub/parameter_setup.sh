# SPDX-License-Identifier: GPL-3.0-or-later
# The program of the tests of bsp_parameter.
. "$CLL_SOURCE/tests/harness/mpi.sh"

# build_probe: parameter.c of this folder, with Open MPI
build_probe() {
    mpi_library openmpi pub
    # shellcheck disable=SC2086
    "$mpicc" -O1 -Wall -Wextra -Werror $sanitize -I"$CLL_SOURCE/include" "$CLL_SOURCE/tests/pub/parameter.c" \
        "$CLL_BUILD/lib/libpub_openmpi.a" -o probe || fail "parameter.c does not compile"
}
# probes N MODE: it comes to its end
probes() { runs "$1" ./probe "$2" && has out '^done$'; }
