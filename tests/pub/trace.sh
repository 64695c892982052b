# SPDX-License-Identifier: GPL-3.0-or-later
# Traces of supersteps. A test is a function.
. "$CLL_SOURCE/tests/pub/setup.sh"

# check_trace FILE P: what is true of every complete trace
check_trace() {
    is "$(sed -n 1p "$1")" "# pub trace 1" "first line"
    is "$(sed -n 2p "$1")" "# processes: $2" "second line"
    awk -v P="$2" '
        function bad(why) { print FILENAME ":" NR ": " why ": " $0; failed = 1 }
        /^#/ { if (names) bad("a comment between rows"); next }
        !names { names = NF; if ($0 !~ /^process object pid nprocs step kind work calls wait transfer out in sent received partners end$/) bad("names"); next }
        NF != 16 { bad("columns"); next }
        { key = $1 " " $2; object = $2 }
        $1 !~ /^[0-9]+$/ || $1 >= P || $1 < last { bad("process") }
        { last = $1 }
        $2 !~ /^m(\.[0-9]+(c|:[0-9]+))*$/ { bad("object") }
        $3 >= $4 || $4 > P { bad("pid") }
        $6 !~ /^(sync|oblsync|partition|dup|done)$/ { bad("kind") }
        { for (i = 7; i <= 14; i++) if ($i !~ /^[0-9]+$/) bad("column " i) }
        $16 !~ /^[0-9]+$/ || $16 < end[$1] { bad("end") }
        { end[$1] = $16; sum[$1] += $7 + $8 + $9 + $10 }
        sum[$1] != $16 { bad("work, calls, wait and transfer are not the time until the end") }
        $15 == "-" && ($14 > 0) { bad("no partners") }
        $15 != "-" {
            n = split($15, parts, ",")
            for (i = 1; i <= n; i++) { split(parts[i], e, "-"); if (e[1] >= $4 || (e[2] != "" && e[2] >= $4)) bad("partner") }
        }
        $6 == "partition" || $6 == "dup" { if (key in step) bad("made twice"); step[key] = 0; next }
        { if (!(key in step) && object != "m") bad("not made"); if ($5 != step[key] + 1) bad("step") }
        $6 == "done" { if ($11 + $12 + $13 + $14) bad("traffic"); next }
        { step[key] = $5; out[object] += $11; came[object] += $12; ended[object, $5]++; size[object] = $4
          if (kind[object, $5] != "" && kind[object, $5] != $6) bad("kinds differ"); kind[object, $5] = $6 }
        END {
            for (o in out) if (out[o] != came[o]) { print o ": " out[o] " bytes out, " came[o] " in"; failed = 1 }
            for (k in ended) { split(k, e, SUBSEP); if (ended[k] != size[e[1]]) { print "rows of " k; failed = 1 } }
            exit failed
        }' "$1" >&2 || fail "$1"
}

# trace_rows FILE: without times
trace_rows() { awk '!/^#/ && $1 != "process" {print $1, $2, $3, $4, $5, $6, $11, $12, $13, $14, $15}' "$1"; }

each_kind_of_row() {
    mpi_library openmpi pub
    PUB_TRACE=t passes 3 traced each_kind
    check_trace t 3
    gone t.*.part t.new
    trace_rows t | grep '^[01] ' >got
    cat >want <<END
0 m 0 3 1 sync 100 100 1 1 2
0 m 0 3 2 oblsync 30 10 3 1 0
0 m 0 3 3 sync 0 0 0 0 -
0 m 0 3 4 sync 20 20 2 2 2
0 m.1:0 0 1 5 partition 0 0 0 0 -
0 m.1:0 0 1 1 oblsync 50000 50000 1 1 0
0 m.1:0 0 1 2 sync 0 0 0 0 -
0 m.1:0 0 1 3 done 0 0 0 0 -
0 m.2c 0 3 5 dup 0 0 0 0 -
0 m.2c 0 3 1 sync 0 0 0 0 -
0 m.2c 0 3 2 done 0 0 0 0 -
0 m 0 3 5 sync 0 0 0 0 -
1 m 1 3 1 sync 100 100 1 1 0
1 m 1 3 2 oblsync 0 10 0 1 0
1 m 1 3 3 sync 0 0 0 0 -
1 m 1 3 4 sync 20 20 2 2 0
1 m.1:1 0 2 5 partition 0 0 0 0 -
1 m.1:1 0 2 1 oblsync 50000 100000 1 2 0-1
1 m.1:1 0 2 2 sync 0 0 0 0 -
1 m.1:1 0 2 3 done 0 0 0 0 -
1 m.2c 1 3 5 dup 0 0 0 0 -
1 m.2c 1 3 1 sync 0 0 0 0 -
1 m.2c 1 3 2 done 0 0 0 0 -
1 m 1 3 5 sync 0 0 0 0 -
END
    cmp want got || { diff want got >&2; fail "rows"; }
    # Processor 2 slept for 20 ms in its first superstep: that is work.
    awk '$1 == 2 && $5 == 1 && $6 == "sync" && $2 == "m" {exit !($7 >= 2e7 && $16 >= $7)}' t || fail "work of processor 2"
}

# Calls that cost nothing in the model are work, however many of them a program makes.
calls_are_work() {
    PUB_TRACE=t passes 2 traced looking
    check_trace t 2
    # A superstep in which the operating system stopped the process inside the library may be another one.
    awk '$6 == "sync" && $7 >= 9e6 && $8 < 0.1 * $7 {n[$1]++} END {exit !(n[0] >= 2 && n[1] >= 2)}' t || fail "calls: $(cat t)"
}

calls_without_cost_are_work() {
    mpi_library openmpi pub
    eventually calls_are_work
}

waiting_is_no_transfer() {
    PUB_TRACE=t passes 3 traced late
    check_trace t 3
    awk '$1 == 0 && $5 == 2 && $9 > 1e8 && $10 < 1e8 {found = 1} END {exit !found}' t || fail "wait and transfer: $(cat t)"
}

waiting_for_a_late_message_is_no_transfer() {
    mpi_library openmpi pub
    eventually waiting_is_no_transfer
}

receiver_of_an_absent_sender() {
    for way in cma none; do
        OMPI_MCA_btl_vader_single_copy_mechanism=$way PUB_TRACE=t passes 2 traced absent
        check_trace t 2
        awk '$1 == 0 && $5 == 1 && $6 == "oblsync" && $9 + $10 < 4e8 {found = 1} END {exit !found}' t || fail "$way: $(cat t)"
    done
    has t '^# pieces: 128 KB$'
    OMPI_MCA_btl_vader_single_copy_mechanism=none PUB_PIECES=7 PUB_TRACE=t passes 2 traced absent
    has t '^# pieces: 7 KB$'
    awk '$1 == 0 && $5 == 1 && $6 == "oblsync" && $9 + $10 > 4e8 {found = 1} END {exit !found}' t || fail "not in pieces: $(cat t)"
}

# A receiver does not wait for a sender that computes, whether or not MPI can fetch the bytes without it. What MPI can do is
# tried if each process has a core.
sender_may_be_absent() {
    mpi_library openmpi pub
    [ "$(nproc)" -ge 2 ] || skip "what MPI can do is not tried on one core"
    eventually receiver_of_an_absent_sender
}

traces_of_random_traffic() {
    mpi_library openmpi pub
    for p in 1 4 9; do
        PUB_TRACE=t.$p passes $p random $p $((50 + p)) 200
        check_trace t.$p $p
        [ "$(trace_rows t.$p | wc -l)" -gt $((150 * p)) ] || fail "few rows"
    done
    PUB_CHECK=1 PUB_TRACE=t passes 3 random 3 55 100
    check_trace t 3
}

program_can_ask_for_a_trace() {
    mpi_library openmpi pub
    passes 2 traced each_kind mine
    check_trace mine 2
    PUB_TRACE=other passes 2 traced each_kind mine2
    check_trace other 2
    gone mine2
    # Longer than what is mapped at a time.
    PUB_TRACE=long passes 2 traced many_rows
    check_trace long 2
    is "$(trace_rows long | wc -l)" 80000 rows
    PUB_TRACE=mine passes 2 traced each_kind # over an old one
    check_trace mine 2
}

parts_survive_a_killed_processor() {
    mpi_library openmpi pub
    for mode in killed misused; do
        ! PUB_TRACE=$mode run_program 3 traced $mode || fail "$mode has status 0"
        gone $mode $mode.new
        for i in 0 1 2; do
            tr -d '\0' <$mode.$i.part >text
            awk -v rank=$i '/^#/ || $1 == "process" {next} NF != 16 || $1 != rank || $5 != ++n {exit 1}' text ||
                { tail -3 text >&2; fail "part $i of $mode"; }
            n=$(awk '/ sync / {n++} END {print n + 0}' text)
            want=1
            [ $mode = misused ] || want=100
            is "$n" $want "rows of $i, $mode"
        done
    done
}

limit_on_files_cuts_the_trace_not_the_program() {
    mpi_library openmpi pub
    PUB_TRACE=t run_program 2 traced limited || fail "limited"
    grep -qx passed out || fail "no end"
    is "$(grep -c '^pub: trace:' err)" 1 "lines on stderr"
    has err '^pub: trace: t.1.part: File too large; the trace of process 1 ends here'
    is "$(tail -1 t)" "# incomplete: process 1" "last line"
    awk '/^#/ || /^process/ {next} NF != 16 {exit 1} {n[$1]++} END {exit !(n[0] == 40000 && n[1] > 10000 && n[1] < 40000)}' t ||
        fail "rows of t"
    gone t.*.part
}

full_disk_leaves_the_parts() {
    mpi_library openmpi pub
    own_mounts
    mkdir disk
    # Room for the first megabyte of each part, and for no more.
    # shellcheck disable=SC2016
    $mounts bash -c 'mount -t tmpfs -o size=2500k none disk && cd disk && shift 0 &&
        PUB_TRACE=t timeout 300 "$@" >../out 2>../err </dev/null; status=$?; cp t* ..; exit $status' - \
        $launcher -n 2 "$CLL_BUILD/tests/pub/traced.openmpi" many_rows || fail "the program ended"
    grep -qx passed out || fail "no end"
    is "$(grep -c '^pub: trace: .*: No space left on device; the trace of process' err)" 2 "lines of the parts"
    is "$(grep -c '^pub: trace: t: No space left on device; the parts t.\*.part stay' err)" 1 "lines of the file"
    gone t t.new
    for i in 0 1; do
        awk '/^#/ || /^process/ {next} NF != 16 {exit 1}' t.$i.part || fail "part $i"
        [ "$(grep -c oblsync t.$i.part)" -gt 10000 ] || fail "few rows in part $i"
    done
}

trace_that_cannot_be_written_is_said_once() {
    mpi_library openmpi pub
    for file in nowhere/t "$(printf 'x%.0s' {1..300})" "$(printf 'd/%.0s' {1..3000})x"; do
        PUB_TRACE=$file run_program 3 traced each_kind || fail "the program ended"
        grep -qx passed out || fail "no end"
        is "$(grep -c '^pub:' err)" 1 "lines on stderr"
        has err '^pub: trace: .*; there is no trace$'
    done
    mkdir t
    mkfifo p
    PUB_TRACE=t run_program 2 traced each_kind || fail "the program ended"
    has err '^pub: trace: t.0.part: Is a directory (process 0 on host .*); there is no trace'
    PUB_TRACE=p run_program 2 traced each_kind || fail "the program ended"
    has err '^pub: trace: p.0.part: Operation not supported (process 0 on host .*); there is no trace'
    [ -p p ] || fail "the pipe was replaced"
}

parts_of_a_trace_follow_no_link() {
    mpi_library openmpi pub
    echo mine >victim
    for name in t.0.part t.1.part t.new; do ln -s victim $name; done
    PUB_TRACE=t run_program 2 traced each_kind || fail "the program ended"
    is "$(cat victim)" mine "the file of another"
    grep -q '^# pub trace 1' t || fail "no trace"
    gone t.*.part t.new
}

# A single process of MPICH needs no launcher, which would not give its rights away.
raised_privileges_trace_nothing() {
    mpi_library mpich pub
    need setpriv
    [ "$(id -u)" = 0 ] || skip 'only root can give files away'
    case $(findmnt -nT . -o OPTIONS 2>/dev/null) in *nosuid*) skip 'programs get no rights from this file system' ;; esac
    mkdir shared && cp "$CLL_BUILD/tests/pub/traced.mpich" shared/program && chmod 1777 shared
    as_user() { PUB_TRACE=$PWD/shared/$1 PUB_CHECK=nonsense setpriv --reuid 1235 --regid 1235 --clear-groups shared/program each_kind >out 2>err; }
    PUB_TRACE=$PWD/shared/plain shared/program each_kind >out 2>err || fail 'exit status'
    exists shared/plain
    chown 1234 shared/program 2>err && chmod u+s shared/program || skip 'files cannot be given away here'
    setpriv --reuid 1235 --regid 1235 --clear-groups test -x shared/program || skip 'other users cannot enter this folder'
    as_user trace || fail 'exit status with other rights'
    has out '^passed$'
    is "$(ls shared | tr '\n' ' ')" 'plain program ' files
}

main "$1"
