# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs on several hosts. A test is a function.
. "$CLL_SOURCE/tests/hosts/setup.sh"

three_hosts_make_one_file() {
    build modes
    hosts one two three
    across one:2,two:1,three:1 "$PWD/modes" plain 4 || fail "it failed"
    empty out err
    for host in one two three; do fetch $host; done
    is "$(ls one)" modes.cll.0.dat "files on the first host"
    is "$(ls two three | tr '\n' ' ')" "three:  two: " "files on the others"
    file=one/modes.cll.0.dat
    well_formed $file
    is "$(rows $file f)" 16 rows
    is "$(values $file f rank)" "0 1 2 3 " ranks
    is "$(header $file rank | sort | tr '\n' ' ')" "0 one 1 one 2 two 3 three " "hosts of the ranks"
    is "$(header $file hosts)" 3 hosts
    is "$(header $file ranks-per-host)" "1 2" "ranks of each"
    is "$(header $file cores-per-host)" "$(nproc) $(nproc)" "cores of each"
}

main "$1"
