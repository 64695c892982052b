# SPDX-License-Identifier: GPL-3.0-or-later
# PUB programs that SimGrid's SMPI simulates: what the papers say of times holds to many digits there. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

# build_for_simulator SOURCE: a program of the same name
build_for_simulator() {
    need_simulator
    "$call" cc smpicc -O1 -Wall -Wextra -Werror "$CLL_SOURCE/$1" -o "$(basename "$1" .c)" -lm || fail "$1 does not compile"
}

figure_one_takes_five_w_oblivious_and_six_w_with_barriers() {
    build_for_simulator examples/oblivious.c
    simulate 2 ./oblivious 0.02
    awk '$1 == "oblivious:" && ($2 < 4.999 || $2 > 5.005) {bad = 1} $1 == "barrier:" && ($2 < 5.999 || $2 > 6.005) {bad = 1}
         {n++} END {exit bad || n != 2}' out || fail "not 5 and 6"
}

constants_of_the_fft_follow_from_its_blocks() {
    build_for_simulator examples/fft-pub.c
    for p in 1 2 4 8; do
        proof="the transform is right on all $p processors"
        CLL_OUT=fft.$p.dat simulates $p --cfg=smpi/test:1e-9 ./fft-pub
    done
    # Computing takes no simulated time, so of equation (8) is left: f[1] = D[0]/ln 2 and f[3] = 16 D[1]. Messages below
    # the size of a packet cost less.
    "$llac" --json -e 'where N >= 8192; fit f; where size >= 16384; fit D' fft.?.dat >fit.json || fail "llac"
    sed -n 's/.*"name":"f\[1\]","pieces":\[{"value":\([^,]*\),.*"name":"f\[3\]","pieces":\[{"value":\([^,]*\),.*/\1 \2/p
            s/.*"name":"D\[0\]","pieces":\[{"value":\([^,]*\),.*"name":"D\[1\]","pieces":\[{"value":\([^,]*\),.*/\1 \2/p' \
        fit.json | tr '\n' ' ' >constants
    awk '{one = $1 * log(2) / $3; three = $2 / (16 * $4)}
         END {exit !(one > 0.99 && one < 1.01 && three > 0.999 && three < 1.001)}' constants ||
        { cat constants fit.json >&2; fail "equation (8) does not hold"; }
}

simulated_pub_programs_are_measured() {
    build_for_simulator tests/parallel/pub_modes.c
    for mode in plain groups messages report_twice one_measures; do
        rm -f ./*.dat
        simulates 5 ./pub_modes $mode 3
        is "$(cat out)" "done" "$mode"
        only ./pub_modes.cll.0.dat
        well_formed pub_modes.cll.0.dat
        is "$(header pub_modes.cll.0.dat clock)" simulated clock
        is "$(header pub_modes.cll.0.dat driver)" PUB driver
        is "$(header pub_modes.cll.0.dat world)" 5 world
    done
    # the same data again, to the last digit
    CLL_OUT=first.dat simulates 4 ./pub_modes groups 2
    CLL_OUT=second.dat simulates 4 ./pub_modes groups 2
    is "$(values first.dat half P)" "1 2 4 " P
    grep -v '^# \(date\|job\|process\): ' first.dat >first
    grep -v '^# \(date\|job\|process\): ' second.dat | cmp first - || fail "the second run has other data"
    rm -f ./*.dat
    simulates 4 ./pub_modes parts
    is "$(ls ./*.dat | wc -l)" 3 "files of two groups and the rest"
}

binary_search_is_right_on_a_simulated_machine() {
    build_for_simulator examples/binsearch-pub.c
    proof="the search is right"
    for p in 1 2 8; do
        CLL_OUT=search.$p.dat simulates $p --cfg=smpi/test:1e-9 ./binsearch-pub 1024 8192
    done
    is "$(values search.8.dat bbp P)" "8 " P
    is "$(values search.8.dat bbp m)" "1024 2048 4096 8192 " m
}

main "$1"
