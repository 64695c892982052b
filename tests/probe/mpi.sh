# SPDX-License-Identifier: GPL-3.0-or-later
# cllprobe with several processes. A test is a function.
. "$CLL_SOURCE/tests/harness/mpi.sh"
. "$CLL_SOURCE/tests/probe/setup.sh"

# under_each_library TEST: once for each MPI library for which there is a cllprobe
under_each_library() {
    local program found=no
    for program in "$CLL_BIN"/cllprobe-{openmpi,mpich}; do
        [ -x "$program" ] || continue
        found=yes
        mpi_library "${program##*-}" pub
        "$1"
    done
    [ $found = yes ] || skip 'no cllprobe with MPI was built'
}

two_processes_write_one_file() {
    under_each_library two_processes
}
two_processes() {
    runs 2 "$cllprobe" --quick --seconds 0.05 --only mpi,bsp,clock -o x.json
    is "$(ls ./*.json)" ./x.json 'files'
    is "$(grep -c 'written to' out)" 1 'reports'
    cp out table
    accepted x.json
    for name in pingpong message_rate barrier alltoall shift exchange random s; do has_text x.json "\"name\": \"$name\""; done
    for name in startup per_byte L.shift g.exchange; do has_text table "$name"; done
    has_text x.json '"hosts": 1'
    has_text x.json '"name": "shift", "bytes": 256, "processes": 1'
    rm x.json
}

# More processes than many test machines have cores take long: one library, one family.
three_processes_have_a_far_one() {
    local program
    for program in "$CLL_BIN"/cllprobe-{openmpi,mpich}; do
        [ -x "$program" ] && break
    done
    [ -x "$program" ] || skip 'no cllprobe with MPI was built'
    mpi_library "${program##*-}" pub
    runs 3 "$cllprobe" --quick --seconds 0.05 --only mpi -o x.json
    accepted x.json
    has_text x.json '"name": "pingpong_far"'
    has_text x.json '"name": "barrier", "processes": 3'
}

all_families_under_mpirun() {
    need python3
    under_each_library all_families
}
all_families() {
    runs 2 "$cllprobe" --quick "${short[@]}" -o x.json
    accepted x.json
    python3 -c 'import json; m = json.load(open("x.json")); assert all(f["measured"] for f in m["families"] if f["name"] != "openmp"), m["families"]' ||
        fail 'a family was not measured'
}

errors_are_reported_once() {
    under_each_library errors
}
errors() {
    run 2 "$cllprobe" --only tape && fail 'a wrong option is accepted'
    is "$(grep -c 'there is no family' err)" 1 'messages about an option'
    run 2 "$cllprobe" "${short[@]}" --only clock -o no/such/x.json && fail 'a wrong file is accepted'
    is "$(grep -c 'cannot write no/such/x.json' err)" 1 'messages about the file'
}

one_process_has_no_partner() {
    under_each_library one_process
}
one_process() {
    run 1 "$cllprobe" "${short[@]}" --only mpi -o x.json && fail 'one process is accepted'
    has_text err '--only mpi: there is one process'
}

without_the_program_for_mpi_the_launcher_is_reported() {
    cp "$cllprobe" alone
    exits 1 env OMPI_COMM_WORLD_SIZE=2 ./alone --only clock
    has_text err 'an MPI launcher started this program, but there is no cllprobe-openmpi beside it'
}

another_library_than_the_launchers_is_reported() {
    [ -x "$CLL_BIN/cllprobe-openmpi" ] || skip 'no cllprobe-openmpi'
    exits 1 env PMI_SIZE=4 "$CLL_BIN/cllprobe-openmpi" --only clock
    has_text err 'the launcher started 4 processes, but this program uses another MPI library'
    gone ./*.json
}

main "$1"
