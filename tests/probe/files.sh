# SPDX-License-Identifier: GPL-3.0-or-later
# The file that cllprobe writes: its name, its contents, and what happens when it cannot be written. A test is a function.
. "$CLL_SOURCE/tests/probe/setup.sh"

probe() { "$cllprobe" "${short[@]}" --only clock "$@"; }

the_file_is_named_after_the_machine() {
    exits 0 probe --name box-7
    filled box-7.json
    has_text box-7.json '"name": "box-7"'
    accepted box-7.json
    rm box-7.json
    exits 0 probe
    is "$(ls ./*.json | wc -l)" 1 'files with a name from the processor'
    accepted "$(ls ./*.json)"
}

the_host_is_left_out_unless_asked_for() {
    exits 0 probe -o x.json
    lacks_text x.json '"host"'
    lacks_text x.json "$(hostname)"
    exits 0 probe --host -o x.json
    has_text x.json "\"host\": \"$(hostname)\""
    accepted x.json
}

dash_is_the_standard_output() {
    exits 0 probe -o -
    cp out x.json
    accepted x.json
    is "$(ls)" "$(printf 'err\nout\nx.json')" 'files'
}

a_full_disk_is_an_error() {
    [ -w /dev/full ] || skip 'no /dev/full'
    exits 1 probe -o /dev/full
    has_text err 'cllprobe: error: cannot write /dev/full: No space left on device'
    exits 1 bash -c '"$@" >/dev/full' - "$cllprobe" "${short[@]}" --only clock -o -
    has_text err 'No space left on device'
}

a_folder_that_is_not_there_is_found_before_measuring() {
    exits 1 "$cllprobe" --only clock --seconds 1000 -o no/such/folder/x.json
    has_text err 'cannot write no/such/folder/x.json: No such file or directory'
}

an_old_file_is_replaced_as_a_whole() {
    echo old >x.json
    ln x.json other.json
    exits 0 probe -o x.json
    has_text x.json '"cllprobe": 1'
    is "$(cat other.json)" old 'the other name of the old file'
}

an_interrupt_leaves_nothing() {
    local id signal
    echo old >x.json
    for signal in INT TERM; do
        # in a new session: a shell makes its background processes ignore SIGINT
        python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
            "$cllprobe" --only clock,operations --seconds 100 -o x.json >out 2>err &
        id=$!
        # until then the shell's setting holds: SIGINT is ignored
        until grep -qs '^cllprobe' "/proc/$id/comm" || ! kill -0 $id 2>/dev/null; do
            sleep 0.1
        done
        sleep 1
        kill -s $signal $id
        status=0
        wait $id || status=$?
        is "$status" $((128 + $(kill -l $signal))) "status after SIG$signal"
        is "$(cat x.json)" old "the file after SIG$signal"
        is "$(ls)" "$(printf 'err\nout\nx.json')" "files after SIG$signal"
    done
}

all_rounds_are_in_the_file() {
    need python3
    exits 0 "$cllprobe" --seconds 1 --only clock,operations -o x.json
    python3 - <<'PY' || fail 'x.json'
import json
m = json.load(open("x.json"))
assert m["cllprobe"] == 1 and m["rounds"] >= 3, m["rounds"]
assert {f["family"] for f in m["figures"]} == {"clock", "operations"}
for f in m["figures"]:
    assert 3 <= f["rounds"] == len(f["values"]) <= m["rounds"], f
    assert min(f["values"]) * 0.999 <= f["low"] <= f["value"] <= f["high"] <= max(f["values"]) * 1.001, f
names = {f["name"] for f in m["figures"]}
assert {"int_add.latency", "fp_div.throughput", "exp.latency", "call", "page_fault", "step"} <= names, names
assert {f["name"] for f in m["summary"]} == {"cycle", "branch.mispredicted"}
PY
}

unsteady_figures_are_named() {
    need python3
    exits 0 "$cllprobe" --seconds 0.05 --largest 64K -o x.json
    python3 -c 'import json, sys; sys.exit(all(f["steady"] for f in json.load(open("x.json"))["figures"]))' ||
        return 0 # three rounds were enough for all of them
    has err 'warning: [0-9]* of [0-9]* figures are not steady: '
}

memory_is_measured_for_all_cores() {
    need python3
    exits 0 "$cllprobe" "${short[@]}" --only memory -o x.json
    python3 - "$(nproc)" <<'PY' || fail 'x.json'
import json, sys
m = json.load(open("x.json"))
cores = {f["cores"] for f in m["figures"] if f["name"] == "latency"}
most = int(sys.argv[1])
assert max(cores) == most and 1 in cores, cores
sizes = [f["bytes"] for f in m["figures"] if f["name"] == "latency" and f["cores"] == 1]
assert sizes[0] == 4096 and sizes[-1] == 65536 and len(sizes) == 17, sizes
PY
}

main "$1"
