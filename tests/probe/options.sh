# SPDX-License-Identifier: GPL-3.0-or-later
# The options of cllprobe. A test is a function.
. "$CLL_SOURCE/tests/probe/setup.sh"

wrong_options_are_explained() {
    local i word message
    local cases=(
        "--no-such-option" "there is no option '--no-such-option'; cllprobe --help lists them"
        "--quickly" "there is no option '--quickly'"
        "file" "there is no option 'file'"
        "--only" "--only needs a value: --only FAMILIES"
        "--only=" "--only needs a value"
        "--only=memory,tape" "there is no family 'tape'; the families are clock, operations, memory, openmp, mpi, bsp"
        "--only=memory," "there is no family ''"
        "--seconds=soon" "--seconds needs a positive number of seconds, at most 1000000; 'soon' is not"
        "--seconds=0" "'0' is not"
        "--seconds=-1" "'-1' is not"
        "--seconds=inf" "'inf' is not"
        "--seconds=1e9" "'1e9' is not"
        "--largest=1K" "--largest needs a size of 4K to 1024G, such as 64M; '1K' is not"
        "--largest=2^x" "'2^x' is not"
        "--largest=many" "'many' is not"
        "--largest=64X" "'64X' is not"
        "--largest=99999999999999999999" "is not"
        "--largest=2048G" "'2048G' is not"
        "--name=../x" "'../x' does not fit"
        "--name=.x" "'.x' does not fit"
        "--name=a b" "'a b' does not fit"
        "-o" "-o needs a value: -o FILE"
    )
    for ((i = 0; i < ${#cases[@]}; i += 2)); do
        word=${cases[i]} message=${cases[i + 1]}
        what=$word
        exits 2 "$cllprobe" "$word"
        has_text err "cllprobe: error: "
        has_text err "$message"
        empty out
    done
    is "$(echo ./*.json)" './*.json' 'files that were written'
}

# The programs beside cllprobe, one for each MPI library.
probes() {
    local flavour found=
    for flavour in openmpi mpich; do
        [ ! -x "$cllprobe-$flavour" ] || found="$found${found:+, }$flavour"
    done
    echo "${found:-left out}"
}

help_and_version_are_printed() {
    exits 0 "$cllprobe" --help
    has_text out 'usage: cllprobe'
    has_text out '--only FAMILIES'
    exits 0 "$cllprobe" --quick --version
    has out '^cllprobe [0-9.]*$'
    has out '^OpenMP: '
    has out '^hwloc: '
    is "$(sed -n 's/^MPI: //p' out)" "$(probes)" 'the programs with MPI beside it'
}

every_option_is_in_the_manual() {
    local option found=0
    sed 's,\\-,-,g' "$CLL_SOURCE/man/cllprobe.1" >page
    for option in $(sed -n 's/^    {[A-Z]*, "\(-[-a-z]*\)".*/\1/p' "$CLL_SOURCE/src/probe/options.c"); do
        found=$((found + 1))
        grep -qE "^\.B[I]? \"?$option( |\"|$)" page || fail "man/cllprobe.1 has no $option"
    done
    [ "$found" -ge 10 ] || fail "only $found options were found"
}

sizes_and_seconds_have_units() {
    exits 0 "$cllprobe" --only memory --seconds 0.05s --largest 8KB -o k.json
    exits 0 "$cllprobe" --only memory --seconds 0.05 --largest 2^13 -o k2.json
    grep -o '"bytes": *[0-9]*' k.json | sort -u >bytes
    grep -o '"bytes": *[0-9]*' k2.json | sort -u >bytes2
    filled bytes
    same bytes2 bytes
    lacks_text k.json '"bytes": 16384'
    has_text k.json '"bytes": 8192'
    exits 0 "$cllprobe" --only memory --seconds=0.05 --largest=10000 -ok.json
    has_text k.json '"bytes": 8192, "cores": 1'
}

only_chosen_families_are_measured() {
    exits 0 "$cllprobe" "${short[@]}" --only clock,memory -o x.json
    accepted x.json
    has_text x.json '"family": "clock"'
    has_text x.json '"family": "memory"'
    lacks_text x.json '"family": "operations"'
    lacks_text x.json '"name": "mpi"'
}

families_that_cannot_be_measured_are_an_error_if_asked_for() {
    exits 1 "$cllprobe" "${short[@]}" --only clock,bsp -o x.json
    has_text err 'cllprobe: error: --only bsp: there is one process; start several with: mpirun -n P cllprobe'
    gone x.json
}

all_families_are_in_the_file_with_reasons() {
    exits 0 "$cllprobe" "${short[@]}" --quick -o x.json
    for family in clock operations memory openmp mpi bsp; do has_text x.json "{\"name\": \"$family\", \"measured\":"; done
    has_text x.json '"name": "mpi", "measured": false, "reason": "there is one process'
    has_text out 'written to x.json'
    accepted x.json
    [ ! -x "$llac" ] || { has_text out 'fp_sqrt' && has_text out 'branch.mispredicted' && has_text out 'page_fault'; }
}

quiet_prints_no_table() {
    exits 0 "$cllprobe" "${short[@]}" --only clock --quiet -o x.json
    empty out
    lacks_text err 'left'
    filled x.json
}

progress_is_for_terminals() {
    need script
    exits 0 "$cllprobe" --seconds 1 --only clock -o x.json
    lacks_text err 's left'
    exits 0 script -qec "'$cllprobe' --seconds 1 --only clock -o x.json" /dev/null
    has out 'cllprobe: clock [a-z_]*, [a-z ]*[0-9]* s left'
    exits 0 script -qec "'$cllprobe' --seconds 1 --only clock --quiet -o x.json" /dev/null
    grep -v 'warning: .* not steady' out >others # a busy machine
    empty others
}

main "$1"
