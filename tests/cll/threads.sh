# SPDX-License-Identifier: GPL-3.0-or-later
# Threads, forks, and memory that has a limit.
. "$CLL_SOURCE/tests/cll/setup.sh"

threads_keep_their_samples() {
    sample threads 20 || fail "exit status"
    silent
    f=sample.cll.0.dat
    well_formed $f
    is "$(rows $f f)" 420 rows
    is "$(column $f thread | sort -un | wc -l)" 21 "threads"
    is "$(awk '$1 == "f" {print $8, $3}' $f | sort -u | wc -l)" 420 "pairs of thread and seq"
    is "$(header $f abandoned)" 0 abandoned
}

thread_exit_ends_the_region() {
    sample threads_exit_inside 8 || fail "exit status"
    is "$(( $(rows sample.cll.0.dat f) + $(header sample.cll.0.dat abandoned) ))" 8 "ended or abandoned"
}

many_threads_share_the_spool() {
    ( ulimit -f 20000; sample many_threads 2000 ) || fail "exit status"
    silent
    is "$(rows sample.cll.0.dat f)" 6000 rows
    is "$(column sample.cll.0.dat thread | sort -un | wc -l)" 2000 "threads"
}

exit_with_threads_running() {
    for i in 1 2 3; do
        sample running_threads 3000 || fail "exit status $?"
        silent
        well_formed sample.cll.0.dat
        [ "$(rows sample.cll.0.dat f)" -ge 3000 ] || fail "too few rows"
        [ "$(nproc)" -ge 4 ] || is "$(header sample.cll.0.dat oversubscribed)" yes oversubscribed
        rm sample.cll.0.dat
    done
}

fork_starts_a_file_of_its_own() {
    sample fork 10 || fail "exit status"
    silent
    is "$(rows sample.cll.0.dat f)" 10 "rows of the parent"
    is "$(rows sample.cll.0.dat outer)" 1 "the region open at the fork, in the parent"
    is "$(rows sample.cll.1.dat f)" 20 "rows of the child"
    is "$(rows sample.cll.1.dat outer)" 0 "the region open at the fork, in the child"
    is "$(column sample.cll.1.dat nested | sort -u)" 0 "nested in the child"
    gone sample.cll.0.spool sample.cll.1.spool
}

fork_with_clock_gettime() {
    CLL_CLOCK=clock_gettime fork_starts_a_file_of_its_own
}

fork_without_handlers() {
    sample raw_fork 10 || fail "exit status"
    for i in 0 1; do is "$(rows sample.cll.$i.dat f)" 10 rows; done
}

fork_that_measures_nothing_writes_nothing() {
    sample quiet_fork 10 || fail "exit status"
    silent
    is "$(ls sample.cll.*)" sample.cll.0.dat files
    is "$(rows sample.cll.0.dat f)" 10 rows
}

fork_with_a_named_file() {
    CLL_OUT=x.dat sample fork 10 || fail "exit status"
    is "$(( $(rows x.dat f) + $(rows x.1.dat f) ))" 30 rows
}

vfork_and_exec() {
    sample vfork 10 || fail "exit status"
    silent
    is "$(rows sample.cll.0.dat f)" 20 rows
}

# reports_vfork: one line on stderr, and no spool is left
reports_vfork() {
    has err '^cll: a region in a child of vfork is not measured unless its parent has measured the same experiment before; use fork$'
    is "$(wc -l <err)" 1 "lines on stderr"
    is "$(ls sample.cll.*)" "${1:-sample.cll.0.dat}" files
}

first_region_in_a_vfork_child() {
    sample vfork_first 10 || fail "exit status"
    reports_vfork
    is "$(rows sample.cll.0.dat f)" 10 rows
}

vfork_child_measures_as_its_parent() {
    sample vfork_later 10 || fail "exit status"
    reports_vfork
    is "$(rows sample.cll.0.dat f)" 30 rows
    is "$(rows sample.cll.0.dat g)" 1 "rows of an experiment that the child would have begun"
}

no_thread_begins_in_a_vfork_child() {
    sample vfork_of_a_thread 10 || fail "exit status"
    reports_vfork
    is "$(rows sample.cll.0.dat f)" 20 rows
}

vfork_child_of_a_forked_child() {
    sample vfork_of_a_child 10 || fail "exit status"
    reports_vfork "sample.cll.0.dat
sample.cll.1.dat"
    for i in 0 1; do is "$(rows sample.cll.$i.dat f)" 10 rows; done
}

counters_are_not_those_of_a_vfork_child() {
    CLL_COUNTERS=page-faults sample vfork_later 10 || fail "exit status"
    has err '^cll: a region in a child of vfork is not measured unless its parent has measured the same experiment before; use fork$'
    is "$(rows sample.cll.0.dat f)" 20 rows
}

# totals FILE: count of all rows as they are weighted
weight() { column "$1" count | awk '{n += $1} END {print n+0}'; }

thins_per_tuple_under_a_limit() {
    n=400000
    CLL_MEMORY=1M sample uneven $n || fail "exit status"
    silent
    f=sample.cll.0.dat
    well_formed $f
    is "$(header $f thinned)" per-tuple thinned
    # exact totals: N=1 was executed n - n/1000 times
    is "$(header $f tuple | sed -n 's/^f N=1 count=\([0-9]*\) .*/\1/p')" $((n - n / 1000)) "count of N=1"
    header $f tuple | awk '{for (i = 2; i <= NF; i++) {split($i, a, "="); v[a[1]] = a[2]}
        if (v["sum"] <= 0 || v["min"] <= 0 || v["min"] * v["count"] > v["sum"] * 1.000001) exit 1}' || fail "sums"
    # the minimum of the rows is not below that of the totals, and the weights add up
    awk -v n=$n '!/^#/ && $1 == "f" {w += $9} END {exit !(w > 0.8 * n && w < 1.2 * n)}' $f || fail "weights $(weight $f)"
    column $f count | sort -un | awk '{l = log($1) / log(2); if (l != int(l)) exit 1}' || fail "a count is no power of two"
    awk '!/^#/ && $1 == "f" && $10 != 1 && $9 != 1 {exit 1}' $f || fail "a rare tuple was thinned"
}

thinning_keeps_the_same_seq() {
    for i in 0 1; do CLL_MEMORY=1M sample uneven 300000; done
    for i in 0 1; do awk '$1 == "f" && $9 >= 16 {print $3}' sample.cll.$i.dat | sort > seq$i; done
    [ -s seq0 ] || fail "no thinned rows"
    cmp seq0 seq1 || fail "two runs kept other executions"
}

thins_globally_when_tuples_are_many() {
    CLL_MEMORY=1M sample many_tuples 300000 || fail "exit status"
    silent
    f=sample.cll.0.dat
    well_formed $f
    is "$(header $f thinned)" global thinned
    is "$(header $f total | sed 's/.*count=\([0-9]*\) .*/\1/')" 300000 "exact count"
    awk '!/^#/ && $1 == "g" {w += $9} END {exit !(w > 240000 && w < 360000)}' $f || fail "weights $(weight $f)"
}

thinned_and_killed_can_be_loaded() {
    CLL_MEMORY=1M sample kill 300000 2> /dev/null
    spool_text sample.cll.0.spool > text || fail "cannot convert"
    well_formed text
    is "$(header text thinned)" per-tuple thinned
    is "$(header text tuple | sed 's/.*count=\([0-9]*\) .*/\1/' | awk '{n += $1} END {print n}')" 300000 "exact count"
}

# bounded MEGABYTES SAMPLES: neither spool nor process grows beyond the limit
bounded() {
    [ -z "$sanitize" ] || skip "a sanitizer has its own memory"
    sample loop 10 && rm sample.cll.0.dat
    CLL_MEMORY=$1M ./sample uneven $2 &
    pid=$!
    largest=0 resident=0
    while kill -0 $pid 2> /dev/null; do
        size=$(stat -c %s sample.cll.0.spool 2> /dev/null || echo 0)
        [ "$size" -le $largest ] || largest=$size
        size=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status 2> /dev/null)
        [ "${size:-0}" -le $resident ] || resident=$size
        sleep 0.05
    done
    wait $pid || fail "exit status"
    [ $largest -gt 0 ] || fail "no spool was seen"
    [ $largest -le $(($1 * 1024 * 1024 + 131072)) ] || fail "the spool grew to $largest bytes"
    [ $resident -le $((($1 + 8) * 1024)) ] || fail "the process grew to $resident kilobytes"
    is "$(header sample.cll.0.dat thinned)" per-tuple thinned
    is "$(header sample.cll.0.dat tuple | sed -n 's/^f N=1 count=\([0-9]*\) .*/\1/p')" $(($2 - $2 / 1000)) "count of N=1"
}
memory_stays_below_the_limit() {
    bounded 4 5000000
}

little_memory_is_thinned_or_said() {
    [ -z "$sanitize" ] || skip "a sanitizer needs its own memory"
    sample loop 1; rm sample.cll.0.dat
    # some address space, from less than the run-time itself takes to less than the samples need
    for kilobytes in $(seq 3000 500 9000) 15000; do
        ( ulimit -v $kilobytes; CLL_SPOOL=off exec ./sample loop 600000 ) > out 2> err
        status=$?
        ! grep -q 'error while loading' err || continue
        is $status 0 "exit status with $kilobytes kilobytes"
        if [ -e sample.cll.0.dat ]; then
            well_formed sample.cll.0.dat
            if [ -s err ]; then
                is "$(cat err)" "cll: no memory for more samples: some are lost"
                has sample.cll.0.dat "note: [0-9]* samples were lost because memory ran out"
            else
                is "$(header sample.cll.0.dat thinned)" per-tuple "thinned with $kilobytes kilobytes"
            fi
            found=yes
            rm sample.cll.0.dat
        else
            has err '^cll: no memory for \(samples: nothing is measured\|another experiment: f is not measured\)$'
            is "$(wc -l < err)" 1 "lines on stderr"
        fi
    done
    [ -n "${found:-}" ] || fail "the data file was never written"
}

threads_under_a_limit() {
    CLL_MEMORY=1M sample threads 12 || fail "exit status"
    is "$(rows sample.cll.0.dat f)" $((13 * 12)) rows
    rm sample.cll.0.dat
    CLL_MEMORY=1M sample running_threads 300000 || fail "exit status"
    well_formed sample.cll.0.dat
}

# sound_levels FILE COUNT: exact totals, and rows that stand for no more executions than were needed
sound_levels() {
    well_formed "$1"
    is "$(header "$1" tuple | sed 's/.*count=\([0-9]*\) .*/\1/' | awk '{n += $1} END {print n}')" "$2" "exact count"
    is "$(header "$1" abandoned)" 0 abandoned
    [ "$(column "$1" count | sort -n | tail -1)" -le 1024 ] || fail "counts up to $(column "$1" count | sort -n | tail -1)"
    [ "$(rows "$1")" -ge 2000 ] || fail "only $(rows "$1") rows are left"
}

more_threads_than_the_limit_has_room_for() {
    CLL_MEMORY=1M sample crowd 2000 || fail "exit status"
    silent
    sound_levels sample.cll.0.dat 405000
}

many_threads_in_a_row_under_a_limit() {
    ( ulimit -f 3000; CLL_MEMORY=1M sample threads_in_a_row 5000 ) || fail "exit status"
    silent # the spool did not grow beyond that
    sound_levels sample.cll.0.dat 100000
}

two_hundred_million_samples() {
    bounded 100 200000000
}

until_thinned() {
    for _ in $(seq 3000); do
        [ "$(spool_text sample.cll.0.spool 2> /dev/null | sed -n 's/^# thinned: //p;/^e/q')" != per-tuple ] || return
        sleep 0.1
    done
    fail "nothing was thinned"
}

killed_while_thinning_can_be_loaded() {
    local moments="1 4 7"
    [ "$thorough" = no ] || moments="1 2 3 4 5 6 7 8"
    sample loop 1; rm sample.cll.0.dat
    for i in $moments; do
        CLL_MEMORY=1M ./sample uneven 1000000000 2> /dev/null &
        pid=$!
        until_thinned
        sleep 0.$((i + 1))$((i * 7 % 10))
        kill -KILL $pid
        wait $pid 2> /dev/null
        spool_text sample.cll.0.spool > text || fail "cannot convert"
        well_formed text
        is "$(header text thinned)" per-tuple thinned
        ! grep -q "note: the spool was damaged" text || fail "damaged"
        [ "$(column text seq | sort | uniq -d | wc -l)" -le 1 ] || fail "rows stand twice"
        # as many as the largest number tells, but for the one that was being thinned
        awk 'sub(/^# tuple: /, "") {sub(/.*count=/, ""); n += $1} !/^#/ && $1 == "f" {if ($3 > m) m = $3; r[$10 " " $9]++}
            END {exit !(n > 0.9 * m && n < 1.001 * m + 2)}' text || fail "the totals are off"
        rm sample.cll.0.spool
    done
}

# The state in which a second thinning that has taken nothing away yet leaves a segment: what an earlier one put
# together, in whatever order, lies behind where it is.
killed_while_thinning_again_can_be_loaded() {
    command -v python3 > /dev/null || skip "no python3"
    sample loop 1; rm sample.cll.0.dat
    CLL_MEMORY=8M ./sample uneven 1000000000 2> /dev/null &
    pid=$!
    until_thinned
    sleep 0.3
    kill -KILL $pid
    wait $pid 2> /dev/null
    cat > set-back.py <<'EOF'
import struct, sys
data, segments = bytearray(open("sample.cll.0.spool", "rb").read()), 0
for at in range(0, len(data), 64):
    magic, kind, size, thread, is_open, progress = struct.unpack_from("<IIQIIQ", data, at)
    fill, following = progress & 0xffffffff, progress >> 32
    if magic == 0x47455343 and kind == 3 and fill == following and fill >= 800:
        half = fill // 8 * 4  # a record has four words
        struct.pack_into("<Q", data, at + 24, half << 32 | half)
        segments += 1
open("back.spool", "wb").write(data)
sys.exit(segments == 0)
EOF
    python3 set-back.py || fail "nothing was thinned"
    spool_text back.spool > text || fail "cannot convert"
    ! grep -q "note: the spool was damaged" text || fail "damaged"
    is "$(column text seq | wc -l)" "$(spool_text sample.cll.0.spool | column /dev/stdin seq | wc -l)" rows
}

main "$@"
