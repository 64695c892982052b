# SPDX-License-Identifier: GPL-3.0-or-later
# Left-over spools, whole and damaged.
. "$(dirname "$0")/common.sh"

no_spool_is_an_error() {
    : > empty
    head -c 10000 /dev/urandom > noise
    mkdir folder
    for f in empty noise folder; do
        ! convert $f > text 2> err || fail "$f was taken for a spool"
        is "$(cat err)" "$f: is no cll spool of version 1" message
    done
    ! convert missing > text 2> err || fail "a missing file"
    has err "^missing: No such file or directory"
}

truncated_spool_gives_its_beginning() {
    sample kill 3000 2> /dev/null
    size=$(stat -c %s sample.cll.0.spool)
    last=0
    for cut in 4096 4097 5000 20479 20480 24000 30001 45000 70000 $((size - 8)) $size; do
        head -c $cut sample.cll.0.spool > cut.spool
        convert cut.spool > text 2> err || fail "cut at $cut: $(cat err)"
        well_formed text
        n=$(rows text)
        [ $n -ge $last ] || fail "cut at $cut: fewer rows than before"
        last=$n
    done
    is $last 3000 rows
    head -c 4095 sample.cll.0.spool > cut.spool
    ! convert cut.spool > text 2> err || fail "less than a header was accepted"
}

overwritten_spool_never_crashes() {
    sample kill 2000 2> /dev/null
    for seed in $(seq 60); do
        cp sample.cll.0.spool bad.spool
        awk -v s=$seed -v n="$(stat -c %s bad.spool)" 'BEGIN {srand(s); for (i = 0; i < 12; i++) printf "%d %d\n", rand() < 0.7 ? rand() * 24000 : rand() * n, rand() * 256}' |
            while read -r at byte; do printf "\\$(printf %o $byte)" | dd of=bad.spool bs=1 seek=$at conv=notrunc 2> /dev/null; done
        timeout 20 "$tests/cll_spool_text_tool" bad.spool > text 2> err
        status=$?
        [ $status -le 1 ] || { cat err; fail "seed $seed: exit status $status"; }
        [ $status = 1 ] || well_formed text
    done
}

other_byte_order_is_said() {
    sample kill 5 2> /dev/null
    printf '\1\2\3\4' | dd of=sample.cll.0.spool bs=1 seek=16 conv=notrunc 2> /dev/null
    ! convert sample.cll.0.spool > text 2> err || fail "accepted"
    has err "another order of bytes"
}

wrong_frequency_is_found() {
    sample kill 500000 2> /dev/null
    convert sample.cll.0.spool > right
    # the frequency that the machine states: 12345678 Hz
    printf '\116\141\274\0\0\0\0\0' | dd of=sample.cll.0.spool bs=1 seek=72 conv=notrunc 2> /dev/null
    convert sample.cll.0.spool > text || fail "cannot convert"
    has text "note: the stated frequency of the clock is wrong"
    paste <(column right start | tail -1) <(column text start | tail -1) |
        awk '$2 < 0.97 * $1 || $2 > 1.03 * $1 {print; exit 1}' || fail "times are wrong"
}

same_text_from_spool_and_report() {
    sample loop 500
    sample kill 500 2> /dev/null
    convert sample.cll.1.spool > text
    for f in sample.cll.0.dat text; do
        grep -v '^#' $f | awk '{print $1, $2, $3, $5, $6, $7, $8, $9, $10}' > $f.same
    done
    cmp sample.cll.0.dat.same text.same || fail "the rows differ"
}

full_output_is_an_error() {
    [ -c /dev/full ] || skip "no /dev/full"
    sample kill 5 2> /dev/null
    ! "$tests/cll_spool_text_tool" sample.cll.0.spool > /dev/full 2> err || fail "nothing was said"
}

main "$@"
