# SPDX-License-Identifier: GPL-3.0-or-later
# Every call of pub.h. A test is a function.
. "$CLL_SOURCE/tests/pub/setup.sh"

# each PROGRAM: with these numbers of processors; sanitized, make check takes some of them
each() {
    local numbers="1 2 3 4 8 9"
    [ -z "$sanitize" ] || [ "$thorough" = yes ] || numbers="1 3 9"
    mpi_library openmpi pub
    for p in $numbers; do
        passes "$p" "$1" "$p"
    done
}

objects_groups_and_copies() {
    each objects
}

messages_in_every_way() {
    each messages
}

remote_memory() {
    each remote
}

collective_operations() {
    each collectives
}

mpi_beside_the_library() {
    mpi_library openmpi pub
    for p in 1 2 3; do
        passes $p beside own kept
        passes $p beside lib kept
    done
}

all_calls_with_mpich() {
    mpi_library mpich pub
    for program in objects messages remote collectives; do
        passes 2 $program 2
    done
    for p in 1 2; do
        passes $p beside own kept
        passes $p beside lib kept
        passes $p random $p 11 200
    done
}

header_in_c_and_in_cplusplus() {
    printf '#include <pub.h>\nint main(void) { return sizeof(tbsp) == 0 || sizeof(tbspparameter) == 0; }\n' >h.c
    for standard in c99 c11 gnu11; do
        "$CC" -std=$standard -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -I"$CLL_SOURCE/include" -c h.c ||
            fail "-std=$standard"
    done
    "$CC" -U__GNUC__ -I"$CLL_SOURCE/include" -c h.c 2>err && fail "without the names of object code"
    has err 'pub.h needs gcc, clang'
    mpi_library openmpi pub
    for standard in c++11 c++17; do
        # shellcheck disable=SC2086
        OMPI_CC=$CXX $mpicc -std=$standard -pedantic -Wall -Wextra -Werror $sanitize -I"$CLL_SOURCE/include" \
            "$CLL_SOURCE/tests/pub/header.cc" "$CLL_BUILD/lib/libpub_openmpi.a" -o header || fail "-std=$standard"
    done
    $launcher -n 2 ./header >out 2>err || fail "header"
    is "$(cat out)" passed output
}

main "$1"
