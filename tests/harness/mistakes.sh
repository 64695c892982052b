# SPDX-License-Identifier: GPL-3.0-or-later
# Programs with one mistake: each must end on all processors, with a status that is not 0 and a line that says what is
# wrong, and where. A script sets `library` (pub, bsp) after the setup.sh of its folder, which has run_program. A test is a
# function with a table for `table`: how many processors, the mode of the program misuse, what it must print after the
# library's name. "@" stands for a processor of so many. make check leaves out those with nine processors, of which each has
# one with two, and every second one of the others: a row whose output a test looks at must be the first, the third, ...

# stopped P MODE TEXT: in a folder of its own, so that several can run at once: most of the time is MPI's
stopped() {
    local p=$1 mode=$2 text=${3//@/processor [0-9]* of $1}
    mkdir -p "$mode.$p" && cd "$mode.$p" || exit 1
    limit=300
    if run_program "$p" misuse "$mode"; then
        echo "exited with 0"
    elif [ $? = 124 ]; then
        echo "was not stopped"
    elif ! grep -q "^$library: *$text" err; then
        echo "did not say '$text'"
    else
        return 0
    fi
    cat out err
    return 1
}

# table: stops what standard input lists, six at once
table() {
    local p mode text n=0 row=0
    mpi_library openmpi "$library"
    while read -r p mode text; do
        [ -n "$p" ] || continue
        if [ "$thorough" = no ]; then
            [ "$p" -lt 9 ] || continue
            row=$((row + 1))
            [ $((row % 2)) = 1 ] || continue
        fi
        [ $n -lt 6 ] || wait -n
        n=$((n + 1))
        ((stopped "$p" "$mode" "$text") >"failed.$mode.$p" 2>&1 && rm "failed.$mode.$p") &
    done
    wait
    [ $n -gt 0 ] || fail "nothing to do"
    ! ls failed.* >/dev/null 2>&1 || { tail -n +1 failed.* >&2; fail "$(echo failed.*)"; }
}
