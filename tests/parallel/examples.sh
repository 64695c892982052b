# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of parallel programs: plain and measured they say the same, and their data can be fitted.
. "$CLL_SOURCE/tests/parallel/lib.sh"

example_pi_mpi() {
    build modes # finds compiler and launcher
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

main "$1"
