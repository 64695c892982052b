# SPDX-License-Identifier: GPL-3.0-or-later
# BSPlib programs: what data they leave, and that call knows them. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

bsplib_data_of_all_processors_are_in_one_file() {
    build bsplib
    for n in 1 2 4; do
        rm -f ./*.dat
        runs "$n" ./bsplib 0 5
        is "$(cat out)" "done" output
        only ./bsplib.cll.0.dat
        well_formed bsplib.cll.0.dat
        for e in f g inside; do is "$(rows bsplib.cll.0.dat $e)" $((5 * n)) "rows of $e"; done
        is "$(header bsplib.cll.0.dat driver)" BSP driver
        is "$(header bsplib.cll.0.dat world)" "$n" world
        is "$(values bsplib.cll.0.dat f P)" "$n " P
    done
    ! grep -q 'cll:\|bsp:' err || fail "something was said"
    PUB_CHECK=1 runs 3 ./bsplib 0 3
    is "$(cat out)" "done" "output with checks"
}

# Processes beyond those of bsp_begin are not in the data.
processors_that_take_part_are_counted() {
    build bsplib
    runs 4 ./bsplib 2 6
    is "$(cat out)" "done" output
    only ./bsplib.cll.0.dat
    is "$(header bsplib.cll.0.dat world)" 2 world
    is "$(rows bsplib.cll.0.dat f)" 12 rows
    is "$(values bsplib.cll.0.dat f P)" "2 " "P of f"
    is "$(values bsplib.cll.0.dat g P)" "2 " "P of g"
    rm bsplib.cll.0.dat
    runs 4 ./bsplib 1 6
    only ./bsplib.cll.0.dat
    is "$(header bsplib.cll.0.dat world)" 1 "world of one processor"
    is "$(header bsplib.cll.0.dat launched)" "" "a launcher of another library"
    ! grep -q 'cll:' err || fail "something was said"
}

bsplib_programs_are_traced() {
    build bsplib -DTRACE
    runs 2 ./bsplib 0 3
    is "$(sed -n 2p bsplib.pub.trace)" "# processes: 2" "trace"
    is "$(awk '$6 == "sync"' bsplib.pub.trace | wc -l)" 10 "supersteps of both processors"
}

call_runs_bsplib_programs() {
    mpi_library openmpi bsp
    cp "$CLL_SOURCE/tests/parallel/bsplib.c" .
    exits 0 "$call" run --cc "$mpicc" --procs 1,2 --rounds 1 bsplib.c -- 0 40
    has out 'f\[0\]'
    is "$(ls bsplib.cll.p[12].r1.dat | wc -l)" 2 "data files"
    sed 's/parallel BSP$/parallel BSP procs = 1:4:2/' bsplib.c >swept.c
    exits 0 "$call" --cc "$mpicc" -I "$CLL_SOURCE/include" swept.c
    has swept.cll.sh '1 2 4'
    sed 's/parallel BSP$/parallel PUB/' bsplib.c >pub.c # the drivers are one
    exits 0 "$call" cc "$mpicc" -O1 pub.c -o pub
    printf '#pragma cll parallel BSP\n#pragma cll parallel MPI\nvoid f(void)\n{\n#pragma cll f\n#pragma cll end f\n}\n' >mixed.c
    exits 1 "$call" --check mixed.c
    has_text err 'a program has either BSP or MPI processes, not both'
}

plain_bsplib_programs_are_linked() {
    mpi_library openmpi bsp
    mkdir -p bsplib harness
    cp "$CLL_SOURCE/tests/bsplib/programs.c" "$CLL_SOURCE/tests/bsplib/program.h" bsplib
    cp "$CLL_SOURCE/tests/harness/program.h" harness
    # shellcheck disable=SC2086
    exits 0 "$call" cc "$mpicc" $sanitize -O1 bsplib/programs.c -o programs -lm
    runs 2 ./programs 2
    is "$(cat out)" passed output
}

bsplib_programs_are_simulated() {
    need_simulator bsp
    sed '/pragma cll.* g/d' "$CLL_SOURCE/tests/parallel/bsplib.c" >bsplib.c # code by itself takes no time
    exits 0 "$call" run --simulate "$platform" --procs 2,4,8 bsplib.c -- 0 5
    has out 'f\[0\]'
    is "$(header bsplib.fast.cll.p8.r1.dat world)" 8 world
    is "$(rows bsplib.fast.cll.p8.r1.dat f)" 40 rows
}

example_inprod_bsp() {
    mpi_library openmpi
    cp "$CLL_SOURCE/examples/inprod-bsp.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize -I"$CLL_SOURCE/include" inprod-bsp.c -o plain \
        -L"$CLL_BUILD/lib" -lbsp_openmpi -lpub_openmpi || fail "it does not compile by itself"
    runs 2 ./plain 5000
    is "$(cat out)" "the inner product is right on 2 processors" "plain"
    gone plain.cll.*
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize inprod-bsp.c -o inprod || fail "it does not compile"
    for n in 1 2 4; do
        runs $n ./inprod
        is "$(cat out)" "the inner product is right on $n processors" "measured with $n"
    done
    for e in ip dot share; do is "$(rows inprod.cll.2.dat $e)" 440 "rows of $e"; done
    "$llac" -e 'fit dot' inprod.cll.?.dat >fit.txt || fail "llac"
    has fit.txt 'dot\[1\]'
}

main "$1"
