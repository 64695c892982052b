# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of parallel programs: plain and measured they say the same, and their data can be fitted.
. "$CLL_SOURCE/tests/parallel/setup.sh"

example_pi_mpi() {
    mpi_library openmpi
    cp "$CLL_SOURCE/examples/pi-mpi.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas pi-mpi.c -o plain -lm
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize pi-mpi.c -o pi-mpi -lm
    for n in 1 2 4; do
        runs $n ./plain 500 16000
        is "$(cat out)" "pi is right" "plain with $n"
        runs $n ./pi-mpi 500 16000
        is "$(cat out)" "pi is right" "measured with $n"
    done
    is "$(rows pi-mpi.cll.2.dat pi)" 24 "rows of four processes"
    "$llac" -e 'fit pi; fit reduce; predict pi N=1e6 P=16' pi-mpi.cll.*.dat >fit.txt || fail "llac"
    has fit.txt 'pi\[2\]'
    has fit.txt 'reduce\[1\]'
    is "$("$llac" --json -e 'show pi' pi-mpi.cll.*.dat | grep -o '"samples":[0-9]*' | sort -u)" '"samples":1' "the slowest rank counts"
}

example_pi_omp() {
    cp "$CLL_SOURCE/examples/pi-omp.c" .
    gcc -O2 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas pi-omp.c -o plain -lm
    is "$(OMP_NUM_THREADS=3 ./plain 500 16000)" "pi is right" plain
    "$call" cc gcc -O2 -fopenmp -Wall -Wextra -Werror $sanitize pi-omp.c -o pi-omp -lm
    for t in 1 2 4; do
        is "$(OMP_NUM_THREADS=$t ./pi-omp 500 16000)" "pi is right" "with $t"
    done
    is "$(rows pi-omp.cll.2.dat share)" 24 "rows of four threads"
    "$llac" -e 'fit pi; fit share; predict pi N=1e6 P=8' pi-omp.cll.*.dat >fit.txt || fail "llac"
    has fit.txt 'pi\[1\]'
    has fit.txt 'share\[1\]'
}

# with_processes NAME SAYS ARGUMENTS EXPERIMENT...: examples/NAME-mpi.c says the same measured, at 1 to 4 processes, and plain
# (at 3, and in make check-long at all of them), and llac fits its experiments
with_processes() {
    local name=$1-mpi says=$2 arguments=$3
    shift 3
    mpi_library openmpi
    cp "$CLL_SOURCE/examples/$name.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas "$name.c" -o plain -lm
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize "$name.c" -o "$name" -lm || fail "$name does not compile"
    for n in 1 2 3 4; do
        if [ "$thorough" = yes ] || [ $n = 3 ]; then
            # shellcheck disable=SC2086
            runs $n ./plain $arguments
            is "$(cat out)" "$says" "plain with $n"
        fi
        # shellcheck disable=SC2086
        runs $n "./$name" $arguments
        is "$(cat out)" "$says" "measured with $n"
        well_formed "$name.cll.$((n - 1)).dat"
    done
    run 2 "./$name" -1 && fail "$name took a wrong size"
    has err usage
    for e; do
        "$llac" -e "fit $e" "$name".cll.?.dat >"$e.txt" || fail "llac: $e"
        has "$e.txt" "$e\\[1\\]"
        is "$("$llac" --json -e "show $e" "$name".cll.?.dat | grep -o '"P":[0-9]*' | sort -u | wc -l)" 4 "values of P in $e"
    done
}

example_jacobi_mpi() {
    with_processes jacobi right "16 64 3 2" step sweep halo residual
    # 5 sizes (16 22 30 42 58), 3 steps, 2 rounds, 4 processes
    for e in step sweep halo residual; do is "$(rows jacobi-mpi.cll.3.dat $e)" 120 "rows of $e"; done
    is "$(values jacobi-mpi.cll.3.dat halo messages)" "2 " "neighbours in a grid of 2 x 2"
    is "$(values jacobi-mpi.cll.3.dat halo length)" "16 22 30 42 58 " "points sent"
    is "$(values jacobi-mpi.cll.2.dat halo messages)" "2 " "neighbours in a grid of 3 x 1"
    is "$(values jacobi-mpi.cll.3.dat step nested)" "3 " "regions inside a step"
    "$llac" -e 'fit step; predict step N=2000 P=16' jacobi-mpi.cll.?.dat >fit.txt || fail "llac"
    has fit.txt 'P is 4 times beyond the data'
}

example_samplesort_mpi() {
    with_processes samplesort sorted "64 4096 2" sort local splitters exchange merge
    for e in sort local splitters exchange merge; do is "$(rows samplesort-mpi.cll.3.dat $e)" 56 "rows of $e"; done
    # a key for each process, and more processes than that
    runs 3 ./samplesort-mpi 3 12 1
    is "$(cat out)" sorted "3 keys"
    run 8 ./samplesort-mpi 4 4 && fail "4 keys for 8 processes are too few"
    has err usage
}

example_allreduce_mpi() {
    with_processes allreduce right "512 2" reduce
    is "$(rows allreduce-mpi.cll.2.dat reduce)" $((3 * 2 * 10 * 20)) "rows"
}

example_matmul_omp() {
    cp "$CLL_SOURCE/examples/matmul-omp.c" .
    gcc -O2 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas matmul-omp.c -o plain
    is "$(OMP_NUM_THREADS=3 ./plain 64 96)" right plain
    "$call" cc gcc -O2 -fopenmp -Wall -Wextra -Werror $sanitize matmul-omp.c -o matmul-omp
    for t in 1 2 3 4; do
        is "$(OMP_NUM_THREADS=$t ./matmul-omp 64 128 2)" right "with $t"
        is "$(values matmul-omp.cll.$((t - 1)).dat tiled P)" "$t " "P with $t"
    done
    is "$(rows matmul-omp.cll.3.dat tiled)" 6 "rows"
    "$llac" -e 'fit tiled; fit naive; predict tiled n=1024 P=8' matmul-omp.cll.?.dat >fit.txt || fail "llac"
    has fit.txt 'tiled\[1\]'
    has fit.txt 'naive\[1\]'
    ! ./matmul-omp 50 2>err || fail "took a wrong size"
    has err usage
}

# bench/case-study, from translating to the table, at numbers of processes that are here
case_study_measures_and_predicts() {
    mpi_library openmpi
    mkdir node
    cp -r "$CLL_SOURCE/Makefile" "$CLL_SOURCE/cmake" "$CLL_SOURCE/src" "$CLL_SOURCE/include" "$CLL_SOURCE/bench" "$CLL_SOURCE/examples" node/
    node/bench/case-study translate >log 2>&1 || { cat log >&2; fail translate; }
    node/bench/case-study measure -P "1 2 3 4" -p none -t 1 -o "$PWD/data.tar.gz" >log 2>&1 || { cat log >&2; fail measure; }
    has log 'rounds: 1, failed runs: 0'
    # with more processes than cores the times may depend on P in a way that tells constants apart no longer: llac refuses then
    if node/bench/case-study predict data.tar.gz >log 2>&1; then
        is "$(grep -cE '^ *[0-9]+ +4 .* (yes|no)( |$)' log)" 44 "rows of tables for the largest P"
    else
        has log 'error: .*the data cannot tell .* apart'
    fi
    ! node/bench/case-study measure -p everywhere >log 2>&1 || fail "no such placement"
    has log "not 'everywhere'"
    ! node/bench/case-study >log 2>&1 || fail "without a command"
    has log 'bench/case-study translate'
}

# with_pub NAME SAYS ARGUMENTS EXPERIMENT...: examples/NAME.c, a PUB program, at 1, 2, 4 and 8 processors
with_pub() {
    local name=$1 says=$2 arguments=$3
    shift 3
    mpi_library openmpi
    cp "$CLL_SOURCE/examples/$name.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize -I"$CLL_SOURCE/include" "$name.c" -o plain \
        -L"$CLL_BUILD/lib" -lpub_openmpi -lm || fail "$name does not compile by itself"
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize "$name.c" -o "$name" -lm || fail "$name does not compile"
    # shellcheck disable=SC2086
    runs 2 ./plain $arguments
    is "$(cat out)" "${says//@/2}" "plain"
    for n in 1 2 4 8; do
        # shellcheck disable=SC2086
        runs $n "./$name" $arguments
        is "$(cat out)" "${says//@/$n}" "measured with $n"
    done
    gone plain.cll.*
    for experiment in "$@"; do
        "$llac" -e "fit $experiment" "$name".cll.?.dat >"$experiment.txt" 2>&1 ||
            has "$experiment.txt" "every measured value of $experiment is 0\\|every point of $experiment is 0" # a coarse clock sees nothing of the shortest
        has "$experiment.txt" "$experiment"
    done
    ! run 3 "./$name" || fail "three processors"
    has err 'the number of processors must be a power of two'
    rm -f "$name".cll.*.spool
}

example_fft_pub() {
    with_pub fft-pub "the transform is right on all @ processors" "" f A B C D E F G
    is "$(values fft-pub.cll.3.dat f P)" "8 " P
    is "$(values fft-pub.cll.3.dat f N | wc -w)" 8 "sizes of figure 4"
    # each of 8 processors goes through log2(8) levels, for each size
    for block in A B C D E F; do is "$(rows fft-pub.cll.3.dat $block)" 192 "rows of $block"; done
    is "$(rows fft-pub.cll.3.dat G)" 64 "rows of G"
    is "$(rows fft-pub.cll.0.dat A)" 0 "one processor has no levels"
    has f.txt '^  f\[3\] '
    has F.txt '^  F\[1\] '
    if ! grep -q 'is 0' [A-G].txt; then
        "$llac" "$CLL_SOURCE/examples/fft-pub.llac" fft-pub.cll.?.dat >fit.txt || { cat fit.txt >&2; fail "fft-pub.llac"; }
        has fit.txt ' s   typical '
    fi
    ! run 1 ./plain 1000 || fail "N = 1000"
    has err 'N must be a power of two'
}

example_binsearch_pub() {
    with_pub binsearch-pub "the search is right" "256 4096" bbp A B C D comm SeqT
    is "$(values binsearch-pub.cll.3.dat bbp m)" "256 512 1024 2048 4096 " m
    # 8 processors, 3 levels, 5 sizes; the last level has no group
    is "$(rows binsearch-pub.cll.3.dat comm)" 120 "rows of comm"
    is "$(rows binsearch-pub.cll.3.dat B)" 80 "rows of B"
    is "$(rows binsearch-pub.cll.3.dat SeqT)" 40 "rows of SeqT"
    has SeqT.txt '^  SeqT\[1\] '
    has comm.txt '^  comm\[1\] '
    "$llac" -e 'table bbp' binsearch-pub.cll.?.dat >table.txt || fail "llac"
    has table.txt 'error %'
}

# Times are exact in simulation alone (pub_simulation.sh).
example_oblivious() {
    mpi_library openmpi
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize "$CLL_SOURCE/examples/oblivious.c" -o oblivious || fail oblivious.c
    runs 2 ./oblivious 0.004
    awk '$3 != "w," || $2 < 4.9 {bad = 1} {n++} END {exit bad || n != 2}' out || fail "other output"
    ! run 3 ./oblivious || fail "three processors"
    has err 'this is for 2 processors'
    ! run 2 ./oblivious 0 || fail "w = 0"
    has err 'w must be between'
}

# make check runs an example of each kind, and make check-long all
every_example_compiles() {
    mpi_library openmpi pub
    local examples=$CLL_SOURCE/examples
    for source in "$examples"/*-{mpi,pub,bsp}.c "$examples"/{oblivious,h-relation}.c "$examples"/peps/*.c "$examples"/studies/*/*.c; do
        exits 0 "$call" cc "$mpicc" -c -O0 -Wall -Wextra -Werror "$source" -o example.o
    done
}

main "$1"
