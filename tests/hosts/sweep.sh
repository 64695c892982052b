# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps over numbers of processors on several hosts. A test is a function.
. "$CLL_SOURCE/tests/hosts/setup.sh"

# The ranks alternate between the hosts, so that P = 2 and more are on both.
prepare() {
    build steps
    "$call" --cc "$mpicc" --procs 1,2,4 "$CLL_SOURCE/tests/hosts/steps.c" -o steps.cll.c || fail "not translated"
    hosts one two
    command="$launcher --host one:4,two:4 --map-by node -n {P}"
}
# complete FOLDER: the data files of the sweep are there, of both hosts
complete() {
    for p in 1 2 4; do
        file=$1/steps.cll.p$p.r1.dat
        well_formed "$file"
        is "$(rows "$file" step)" $((5 * p)) "rows of P=$p"
        is "$(header "$file" hosts)" $((p == 1 ? 1 : 2)) "hosts of P=$p"
        is "$(header "$file" ranks-per-host)" "$((p == 4 ? 2 : 1)) $((p == 4 ? 2 : 1))" "ranks per host of P=$p"
        is "$(values "$file" step run)" "1 " "round"
    done
    exits 0 "$llac" -e list "$1"/steps.cll.p*.r1.dat
    has out '^  step   35 samples '
}

batch_script_uses_all_hosts() {
    prepare
    # a folder that the hosts share
    mkdir shared
    exits 0 on one sh "$PWD/steps.cll.sh" --program "$PWD/steps" --outdir "$PWD/shared" --rounds 1 --launcher "$command"
    has_text out '3 of 3 runs are complete'
    empty err
    complete shared
    for file in shared/*.out; do [ ! -e "$file" ] || quiet "$file"; done
    # one of the first host only: the data is complete, the spools of the other host are not there while it runs
    exits 0 on one sh "$PWD/steps.cll.sh" --program "$PWD/steps" --rounds 1 --launcher "$command"
    has_text out '3 of 3 runs are complete'
    fetch one
    complete one
    has one/steps.cll.p2.r1.out '^cll: rank 1 on host two: cannot spool to .*: samples are kept in memory, and are lost if the program is killed; CLL_SPOOL or CLL_OUT can name another directory'
    # the first process is on another host, which does not share the folder
    on one sh -c 'rm -rf ./*'
    exits 1 on one sh "$PWD/steps.cll.sh" --program "$PWD/steps" --rounds 1 --procs 1 --launcher "$launcher --host two:4 -n {P}"
    has_text out 'or its first process ran on a host that does not share this folder'
}

call_run_uses_all_hosts() {
    prepare
    cp "$CLL_SOURCE/tests/hosts/steps.c" .
    exits 0 beside one "$call" run --cc "$mpicc" --procs 1,2,4 -n 1 -q --observe CPUTIME --launcher "$command" steps.c
    for p in 1 2 4; do
        is "$(values steps.cll.p$p.r1.dat step rank | wc -w)" $p "ranks"
        is "$(column steps.cll.p$p.r1.dat CPUTIME | grep -c nan)" 0 "rows of a process that did not measure CPUTIME"
    done
}

main "$1"
