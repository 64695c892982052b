# SPDX-License-Identifier: GPL-3.0-or-later
# Every call of bsp.h, programs in the style of BSPlib, and how they begin and end. A test is a function.
. "$CLL_SOURCE/tests/bsplib/setup.sh"

# each PROGRAM: with these numbers of processors; sanitized, make check takes some of them
each() {
    local numbers="1 2 3 4 8"
    [ -z "$sanitize" ] || [ "$thorough" = yes ] || numbers="1 8"
    mpi_library openmpi bsp
    for p in $numbers; do
        passes "$p" "$1" "$p"
    done
}

registration_put_and_get() {
    each remote
    PUB_CHECK=1 passes 3 remote 3
}

messages_and_tags() {
    each queue
    PUB_CHECK=1 passes 3 queue 3
}

programs_in_the_style_of_bsplib() {
    each programs
    PUB_CHECK=1 passes 4 programs 4
}

all_calls_of_bsplib_with_mpich() {
    mpi_library mpich bsp
    for program in remote queue programs; do
        passes 2 $program 2
    done
    passes 3 begin half
}

# Process 0 runs the code around the parallel part, the others only the function.
parallel_part_in_a_function() {
    mpi_library openmpi bsp
    for p in 1 4; do
        passes $p begin
        is "$(tr '\n' ' ' <out)" "process 0 of $p sum $((p * (p + 1) / 2)) passed " "$p processors"
    done
    passes 5 begin half
    is "$(tr '\n' ' ' <out)" "process 0 of 5 sum 3 passed " "two of five processors"
    passes 3 begin more
    is "$(tr '\n' ' ' <out)" "process 0 of 3 sum 6 passed " "more processors than there are"
    echo 3 >input
    timeout 300 $launcher -n 4 "$CLL_BUILD/tests/bsplib/begin.$flavour" input <input >out 2>err || fail "input"
    is "$(tr '\n' ' ' <out)" "process 0 of 4 sum 6 passed " "a number of processors from the standard input"
}

# A program that ends on process 0 before the parallel part ends as a whole, with its status.
programs_that_end_before_the_parallel_part() {
    mpi_library openmpi bsp
    ! run_program 3 begin early || fail "status 0"
    is "$(cat out)" "process 0 of 3" "output"
    lacks err '^bsp:'
    passes 3 begin never
    ! run_program 3 begin alone || fail "status 0"
    has err '^bsp: bsp_begin: process [12] ends without this call'
}

bsplib_header_in_c_and_in_cplusplus() {
    printf '#include <bsp.h>\nint f(void);\nint f(void) { int n; bsp_set_tagsize(&n); bsp_qsize(&n, NULL); return n; }\n' >h.c
    for standard in c99 c11 gnu11 gnu89; do
        "$CC" -std=$standard -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -I"$CLL_SOURCE/include" -c h.c ||
            fail "-std=$standard"
    done
    mpi_library openmpi bsp
    for standard in c++11 c++17; do
        # shellcheck disable=SC2086
        OMPI_CC=$CXX $mpicc -std=$standard -pedantic -Wall -Wextra -Werror $sanitize -I"$CLL_SOURCE/include" \
            "$CLL_SOURCE/tests/bsplib/header.cc" "$CLL_BUILD/lib/libbsp_openmpi.a" "$CLL_BUILD/lib/libpub_openmpi.a" \
            -o header || fail "-std=$standard"
    done
    $launcher -n 2 ./header >out 2>err || fail "header"
    is "$(cat out)" passed output
}

# refused TEXT CODE: the compiler refuses it, with this text
refused() {
    printf '%s\n' "$2" >h.c
    exits 1 "$CC" -I"$CLL_SOURCE/include" -c h.c
    has err "$1"
}

headers_refuse_what_cannot_work() {
    both='pub.h and bsp.h have calls of the same names'
    refused "$both" '#include <pub.h>
#include <bsp.h>'
    refused "$both" '#include <bsp.h>
#include <pub.h>'
    refused 'use bsp_get' '#include <bsp.h>
void f(int *x) { bsp_direct_get(0, x, 0, x, 4); }'
    refused 'error' '#include <bsp.h>
void f(double *x) { bsp_set_tagsize(x); }'
}

# A trace of a BSPlib program has the same lines as that of a PUB program; a message counts its tag and its payload.
traces_of_bsplib_programs() {
    mpi_library openmpi bsp
    PUB_TRACE=t passes 2 queue 2 queue_counts_down
    is "$(sed -n 1p t)" "# pub trace 1" "first line"
    awk '$6 == "sync" && $5 == 2 {n++; if ($11 != 2 * (6 + 3 * 4) || $13 != 6 || $15 != "0-1") exit 1} END {exit n != 2}' t ||
        fail "bytes and messages: $(cat t)"
    awk '$1 ~ /^[01]$/ {sum[$1] += $7 + $8 + $9 + $10; if (sum[$1] != $16) exit 1}' t || fail "sums: $(cat t)"
    PUB_TRACE=u passes 5 begin half
    is "$(sed -n 2p u)" "# processes: 2" "processors that take part"
}

# names_of_pub: the functions of pub.h whose names BSPlib does not reserve
names_of_pub() {
    grep -o '\bbsp[a-z]*_[a-z_]*(' "$CLL_SOURCE/include/pub.h" | tr -d '(' | sort -u >all
    grep -oE '^#define bsp_[a-z_]*|void bsp_[a-z_]*\(' "$CLL_SOURCE/include/bsp.h" | grep -o 'bsp_[a-z_]*' | sort -u >reserved
    comm -23 all reserved
}

# A BSPlib program may have its own bsp_broadcast: plain, and measured by call.
programs_may_have_the_names_of_libpub() {
    mpi_library openmpi bsp
    names_of_pub >names
    [ "$(wc -l <names)" -ge 40 ] || fail "only $(wc -l <names) names found"
    {
        printf '#include <bsp.h>\n#include <stdio.h>\n#pragma cll parallel BSP\n'
        echo 'int pub;'
        sed 's/.*/int &(int x);\nint &(int x) { return x + 1; }/' names
        printf 'int main(void)\n{\nint sum = 0, x = 0, n = 1;\nbsp_begin(bsp_nprocs());\nbsp_push_reg(&x, sizeof x);\nbsp_sync();\n'
        printf '#pragma cll sync f f[0] * n\nbsp_put(0, &n, &x, 0, sizeof n);\nbsp_sync();\n#pragma cll end f\n'
        sed 's/.*/sum += &(pub);/' names
        printf '#pragma cll report all\nif (!bsp_pid())\nprintf("%%d %%d\\n", sum, x);\nbsp_end();\nreturn 0;\n}\n'
    } >own.c
    expected="$(wc -l <names) 1"
    # shellcheck disable=SC2086
    $mpicc -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize -I"$CLL_SOURCE/include" own.c \
        "$CLL_BUILD/lib/libbsp_openmpi.a" "$CLL_BUILD/lib/libpub_openmpi.a" -lm -o plain || fail "it does not link"
    run 2 ./plain || fail "plain"
    is "$(cat out)" "$expected" "plain"
    [ -x "$call" ] || return 0
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" -Wall -Wextra -Werror $sanitize own.c -o own || fail "it does not link with call"
    run 2 ./own || fail "measured"
    is "$(cat out)" "$expected" "measured"
    is "$(rows own.cll.0.dat f)" 2 "rows"
}

# A BSPlib program may have all names but those of BSPlib, of CALL and of the compiler.
archives_have_prefixed_names_only() {
    local found=0
    for archive in "$CLL_BUILD"/lib/lib{bsp,pub,cll_pub}_*.a "$CLL_BUILD"/lib/libcll.a; do
        [ -e "$archive" ] || skip "no $archive"
        nm -g --defined-only "$archive" | awk 'NF == 3 {print $3}' | sort -u >names
        found=$((found + $(wc -l <names)))
        ! grep -vE '^(bspstd_|pub_|cll_|__)' names || fail "names of $archive"
    done
    [ $found -gt 200 ] || fail "only $found names found"
    # those of libbsp itself are the calls of bsp.h, and few that its files share
    for archive in "$CLL_BUILD"/lib/libbsp_*.a; do
        nm -g --defined-only "$archive" | awk 'NF == 3 && $3 !~ /^__/ {print $3}' | grep -v '^bspstd_\(machine\|queue_turn\)$' |
            sort -u >names
        grep -o '\bbspstd_[a-z_]*(' "$CLL_SOURCE/include/bsp.h" | tr -d '(' | grep -v direct_get | sort -u >calls
        cmp names calls || fail "names of $archive: $(diff names calls)"
    done
}

main "$1"
