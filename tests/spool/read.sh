# SPDX-License-Identifier: GPL-3.0-or-later
# Left-over spools, whole and damaged.
. "$CLL_SOURCE/tests/cll/setup.sh"

no_spool_is_an_error() {
    : > empty
    head -c 10000 /dev/urandom > noise
    mkdir folder
    for f in empty noise folder; do
        ! spool_text $f > text 2> err || fail "$f was taken for a spool"
        is "$(cat err)" "$f: is not a cll spool of version 1" message
    done
    ! spool_text missing > text 2> err || fail "a missing file"
    has err "^missing: No such file or directory"
}

truncated_spool_gives_its_beginning() {
    sample kill 3000 2> /dev/null
    size=$(stat -c %s sample.cll.0.spool)
    last=0
    for cut in 4096 4097 5000 20479 20480 24000 30001 45000 70000 $((size - 8)) $size; do
        head -c $cut sample.cll.0.spool > cut.spool
        spool_text cut.spool > text 2> err || fail "cut at $cut: $(cat err)"
        well_formed text
        n=$(rows text)
        [ $n -ge $last ] || fail "cut at $cut: fewer rows than before"
        last=$n
    done
    is $last 3000 rows
    head -c 4095 sample.cll.0.spool > cut.spool
    ! spool_text cut.spool > text 2> err || fail "less than a header was accepted"
}

# noise SEED BYTES AT FILE: overwrites with random bytes
noise() {
    printf "$(awk -v s="$1" -v n="$2" 'BEGIN {srand(s); while (n--) printf "\\%03o", rand() * 256}')" |
        dd of="$4" bs=1 seek="$3" conv=notrunc 2> /dev/null
}

# only_true_rows TEXT WHOLE: every row of the one is in the other
only_true_rows() {
    well_formed "$1"
    awk '/^#/ {next} NR == FNR {row[$0] = 1; next} !($0 in row) {print; bad = 1} END {exit bad}' "$2" "$1" ||
        fail "$3: rows that were never measured"
}

damage_costs_its_segment_only() {
    sample kill 20000 2> /dev/null
    spool_text sample.cll.0.spool > whole
    size=$(stat -c %s sample.cll.0.spool)
    worst=20000
    for seed in $(seq 40); do
        # anywhere behind the descriptions, at no special place
        at=$((4096 + 16384 + (size - 4096 - 16384 - 500) * seed / 41 + seed % 8))
        cp sample.cll.0.spool bad.spool
        noise $seed 500 $at bad.spool
        spool_text bad.spool > text || fail "seed $seed: not converted"
        only_true_rows text whole "seed $seed"
        is "$(header text abandoned)" 0 "abandoned, seed $seed"
        n=$(rows text)
        [ $n -ge $worst ] || worst=$n
        [ $n = 20000 ] && continue
        header text note | grep -q "damage in [12] segments* of the spool: about" || fail "seed $seed: no note"
        header text note | awk -v n=$((20000 - n)) '/about/ {for (i = 1; i < NF; i++) if ($i == "about") a = $(i + 1)} END {exit a > 1.5 * n + 20}' ||
            fail "seed $seed: $n rows and $(header text note)"
    done
    [ $worst -gt 4000 ] || fail "one place cost all but $worst of the samples"
}

overwritten_head_costs_its_segment_only() {
    sample kill 20000 2> /dev/null
    spool_text sample.cll.0.spool > whole
    found=0
    # every segment of records: CSEG, then kind 3, at multiples of 64
    for at in $(LC_ALL=C grep -aboP 'CSEG\x03\x00\x00\x00' sample.cll.0.spool | cut -d: -f1); do
        for field in 0 8; do # the magic; the length
            cp sample.cll.0.spool bad.spool
            noise 7 8 $((at + field)) bad.spool
            spool_text bad.spool > text || fail "at $at: not converted"
            only_true_rows text whole "at $at + $field"
            has text "note: the spool was damaged"
            [ "$(rows text)" -gt 4000 ] || fail "at $at + $field: only $(rows text) rows"
        done
        found=$((found + 1))
    done
    [ $found -ge 3 ] || fail "only $found segments"
}

# The first record is that of a watched execution: word 2 is what disturbed it, and its CPU time as a float.
impossible_cpu_time_is_damage() {
    ln -s "$tests/cll_long" long
    ./long killed 2> /dev/null
    spool_text long.cll.0.spool > whole
    is "$(rows whole)" 20 rows
    is "$(header whole note | grep -c damage)" 0 "notes of damage"
    at=$(LC_ALL=C grep -aboP 'CSEG\x03\x00\x00\x00' long.cll.0.spool | head -1 | cut -d: -f1)
    for bytes in '\377\377\377\177' '\377\377\177\177' '\000\000\200\277'; do # nan, 3e38, -1
        cp long.cll.0.spool bad.spool
        printf "$bytes" | dd of=bad.spool bs=1 seek=$((at + 64 + 16 + 4)) conv=notrunc 2> /dev/null
        spool_text bad.spool > text || fail "not converted"
        has text "note: damage in 1 segment of the spool"
        is "$(rows text)" 0 "rows with $bytes"
    done
    cp long.cll.0.spool bad.spool
    printf '\377' | dd of=bad.spool bs=1 seek=$((at + 64 + 16)) conv=notrunc 2> /dev/null # flags that do not exist
    spool_text bad.spool > text || fail "not converted"
    has text "note: damage in 1 segment of the spool"
}

zeros_in_the_middle_are_damage() {
    sample kill 20000 2> /dev/null
    spool_text sample.cll.0.spool > whole
    dd if=/dev/zero of=sample.cll.0.spool bs=1 count=500 seek=200003 conv=notrunc 2> /dev/null
    spool_text sample.cll.0.spool > text || fail "not converted"
    only_true_rows text whole zeros
    [ "$(rows text)" -lt 20000 ] || fail "nothing was lost"
    has text "note: damage in 1 segment of the spool"
}

whole_spools_have_no_damage() {
    ( ulimit -c 0; CLL_MEMORY=1M sample kill 300000 ) 2> /dev/null
    spool_text sample.cll.0.spool > text
    is "$(header text thinned)" per-tuple thinned
    is "$(header text note | grep -c damage)" 0 "thinned: notes of damage"
    CLL_CLOCK=clock_gettime sample kill 3000 2> /dev/null
    spool_text sample.cll.1.spool > text
    is "$(rows text)" 3000 rows
    is "$(header text note | grep -c damage)" 0 "clock_gettime: notes of damage"
    CLL_COUNTERS=page-faults sample kill 3000 2> /dev/null
    spool_text sample.cll.2.spool > text
    is "$(rows text)" 3000 rows
    is "$(header text note | grep -c damage)" 0 "counters: notes of damage"
}

damaged_header_is_not_believed() {
    sample kill 2000 2> /dev/null
    for seed in $(seq 20); do
        cp sample.cll.0.spool bad.spool
        noise $seed 120 $((32 + seed)) bad.spool
        spool_text bad.spool > text || fail "seed $seed: not converted"
        well_formed text
        header text overhead | awk '{for (i = 1; i <= 2; i++) if ($i != "nan" && ($i < 0 || $i >= 1)) exit 1}' || fail "seed $seed: overhead"
    done
}

overwritten_spool_never_crashes() {
    sample kill 2000 2> /dev/null
    for seed in $(seq 60); do
        cp sample.cll.0.spool bad.spool
        awk -v s=$seed -v n="$(stat -c %s bad.spool)" 'BEGIN {srand(s); for (i = 0; i < 12; i++) printf "%d %d\n", rand() < 0.7 ? rand() * 24000 : rand() * n, rand() * 256}' |
            while read -r at byte; do printf "\\$(printf %o $byte)" | dd of=bad.spool bs=1 seek=$at conv=notrunc 2> /dev/null; done
        timeout 300 "$tests/spool_text_tool" bad.spool > text 2> err
        status=$?
        [ $status -le 1 ] || fail "seed $seed: exit status $status"
        [ $status = 1 ] || well_formed text
    done
}

other_byte_order_is_said() {
    sample kill 5 2> /dev/null
    printf '\1\2\3\4' | dd of=sample.cll.0.spool bs=1 seek=16 conv=notrunc 2> /dev/null
    ! spool_text sample.cll.0.spool > text 2> err || fail "accepted"
    has err "another byte order"
}

wrong_frequency_is_found() {
    sample kill 500000 2> /dev/null
    spool_text sample.cll.0.spool > right
    # the frequency that the machine states: 12345678 Hz
    printf '\116\141\274\0\0\0\0\0' | dd of=sample.cll.0.spool bs=1 seek=72 conv=notrunc 2> /dev/null
    spool_text sample.cll.0.spool > text || fail "cannot convert"
    has text "note: the stated frequency of the clock is wrong"
    paste <(column right start | tail -1) <(column text start | tail -1) |
        awk '$2 < 0.97 * $1 || $2 > 1.03 * $1 {print; exit 1}' || fail "times are wrong"
}

same_text_from_spool_and_report() {
    sample loop 500
    sample kill 500 2> /dev/null
    spool_text sample.cll.1.spool > text
    for f in sample.cll.0.dat text; do
        grep -v '^#' $f | awk '{print $1, $2, $3, $5, $6, $7, $8, $9, $10}' > $f.same
    done
    cmp sample.cll.0.dat.same text.same || fail "the rows differ"
}

full_output_is_an_error() {
    [ -c /dev/full ] || skip "no /dev/full"
    sample kill 5 2> /dev/null
    ! "$tests/spool_text_tool" sample.cll.0.spool > /dev/full 2> err || fail "nothing was said"
}

# cut_to BYTES: no sample of f that is not in the program, the message once, and the end as ever
cut_to() {
    sample cut_spool "$1"; is $? 0 "exit status when cut to $1"
    is "$(sed 's/.*spool /SPOOL /' err)" "SPOOL was truncated while the program ran: the samples in it are lost; new samples are kept in memory" message
    f=sample.cll.0.dat
    well_formed $f
    has $f "^# note: the spool was truncated"
    awk '$1 == "f" && ($10 < 0 || $10 > 11 || $11 <= 0 || $4 < 0 || $4 > 100)' $f > wrong
    [ ! -s wrong ] || fail "rows that are not in the program: $(head -1 wrong)"
    is "$(awk '$1 == "f" && $10 == 11' $f | wc -l)" 100 "rows after it"
    [ "$(rows $f f)" -ge $((30000 + ($1 > 30000 ? ($1 - 30000) / 40 : 0))) ] || fail "only $(rows $f f) rows when cut to $1"
    [ "$(header $f source | sort | uniq -d | wc -l)" = 0 ] || fail "sources stand twice"
    gone sample.cll.0.spool
    rm sample.cll.0.dat
}

spool_cut_short_while_it_is_written() {
    for bytes in 0 1 4096 5000 20480 40000 100000 700000; do cut_to $bytes; done
}

spool_cut_short_and_thinned() {
    for bytes in 0 4096 300000; do
        CLL_MEMORY=1M sample cut_spool $bytes; is $? 0 "exit status"
        well_formed sample.cll.0.dat
        awk '$1 == "f" && ($10 < 0 || $10 > 11)' sample.cll.0.dat > wrong
        [ ! -s wrong ] || fail "rows that are not in the program: $(head -1 wrong)"
        rm sample.cll.0.dat
    done
}

spool_cut_short_under_threads() {
    for bytes in 0 50000; do
        sample cut_threads $bytes; is $? 0 "exit status"
        well_formed sample.cll.0.dat
        awk '$1 == "f" && ($10 < 0 || $10 > 9)' sample.cll.0.dat > wrong
        [ ! -s wrong ] || fail "rows that are not in the program: $(head -1 wrong)"
        rm sample.cll.0.dat
    done
}

other_sigbus_is_the_programs_own() {
    [ -z "$sanitize" ] || skip "a sanitizer has a handler of its own"
    ulimit -c 0
    ( sample foreign_bus ) 2> /dev/null; is $? 135 "exit status of a fault"
    ( sample sent_bus ) 2> /dev/null; is $? 135 "exit status when sent"
    sample handled_bus; is $? 6 "exit status of the program's handler"
}

main "$@"
