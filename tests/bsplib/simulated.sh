# SPDX-License-Identifier: GPL-3.0-or-later
# BSPlib programs that SimGrid's SMPI simulates. A test is a function.
. "$CLL_SOURCE/tests/bsplib/setup.sh"

proof=passed

# simulates_program N NAME ARGUMENTS...: a program of this folder
simulates_program() {
    local n=$1 name=$2
    shift 2
    need_simulator bsp
    simulates "$n" "$CLL_BUILD/tests/bsplib/$name.smpi" "$@"
}

bsplib_programs_simulated() {
    for program in remote queue programs; do
        simulates_program 3 $program 3
    done
    simulates_program 16 programs 16
    for i in 1 2; do
        PUB_TRACE=trace simulates_program 4 programs 4
        mv trace trace.$i
    done
    cmp trace.1 trace.2 || fail "the traces differ"
}

parallel_part_in_a_function_simulated() {
    simulates_program 4 begin
    is "$(tr '\n' ' ' <out)" "process 0 of 4 sum 10 passed " output
    simulates_program 5 begin half
    is "$(tr '\n' ' ' <out)" "process 0 of 5 sum 3 passed " output
}

main "$1"
