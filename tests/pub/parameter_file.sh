# SPDX-License-Identifier: GPL-3.0-or-later
# PUB_PARAMETER=FILE. A test is a function. One processor is enough: only processor 0 looks at the file, whose
# misfortunes store_test.c has.
. "$CLL_SOURCE/tests/pub/parameter_setup.sh"
export PUB_PARAMETER=file
first='# pub parameters 1'

# answer: what the program printed
answer() { head -1 out; }
# fields of the last line of the file, as the program prints them
stored() { tail -1 file | awk '{print $5, $6, $7, $8, $9, $10, $2, $11}'; }
# measured_anew WHY: the answer is what is in the file now, which is whole; one line said so
measured_anew() {
    probes 1 plain
    is "$(answer)" "$(stored)" "$1: the file has it"
    is "$(head -1 file)" "$first" "$1: first line"
    is "$(wc -l <err)" "$2" "$1: lines on stderr"
    gone file.*
}

later_runs_answer_from_the_file() {
    build_probe
    measured_anew "no file" 0
    is "$(wc -l <file)" 3 "lines"
    cp file before
    probes 1 plain
    cmp before file || fail "it was written without need"
    is "$(answer)" "$(stored)" "second run"
    # nobody could measure this: it comes from the file
    awk '/^#/ {print; next} {$5 = "0.125"; $6 = "0.5"; print}' before >file
    probes 1 plain
    is "$(answer | cut -d' ' -f1,2)" "0.125 0.5" "values of the file"
    # other machines and other numbers of processors are other lines
    awk '/^#/ {print; next} {$4 = "0123456789abcdef"; print}' before >file
    probes 1 plain
    probes 2 plain
    is "$(grep -vc '^#' file)" 3 "lines"
    is "$(awk '!/^#/ {print $2}' file | tr '\n' ' ')" "1 1 2 " "processors"
    is "$(awk '!/^#/ {print $4}' file | sort -u | wc -l)" 3 "placements"
    is "$(wc -c <err)" 0 "words on stderr"
}

damaged_file_is_written_anew() {
    build_probe
    printf '%s\nhalf a li' "$first" >file
    measured_anew "truncated" 1
    has err '^pub: PUB_PARAMETER: file is damaged: the parameters are measured, and the file is written again'
    is "$(wc -l <file)" 3 "lines"
}

file_of_somebody_else_is_left_alone() {
    build_probe
    echo 'int main(void) {}' >file
    cp file before
    probes 1 plain
    cmp before file || fail "it was overwritten"
    is "$(cat err)" "pub: PUB_PARAMETER: file: not a file of parameters; it is not used" "stderr"
}

main "$1"
