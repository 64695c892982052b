# SPDX-License-Identifier: GPL-3.0-or-later
# Where room or names run out, and tables that grow. A test is a function.
. "$CLL_SOURCE/tests/cll/setup.sh"

# long BYTES: a name of so many
long() { printf '%*s' "$1" '' | tr ' ' x; }

settings_that_are_too_long_are_reported() {
    CLL_OUT=$(long 5000) sample loop 3 || fail "exit status"
    has err "CLL_OUT is too long, the data file goes into the working directory"
    is "$(rows sample.cll.0.dat f)" 3 rows
    CLL_OUT=$(long 250) sample loop 3 || fail "exit status"
    has err "the file name in CLL_OUT is too long"
    CLL_SPOOL=/$(long 5000) sample loop 3 || fail "exit status"
    has err "CLL_SPOOL is too long, the spool goes beside the data file"
    CLL_COUNTERS=$(long 5000) sample loop 3 || fail "exit status"
    has err "CLL_COUNTERS is too long, no counters are measured"
    for i in 0 1 2 3; do is "$(rows sample.cll.$i.dat f)" 3 "rows of file $i"; done
}

program_starts_with_little_room_for_data() {
    [ -z "$sanitize" ] || skip "a sanitizer needs more"
    (ulimit -d 300 && /bin/true) || skip "no program starts with so little here"
    sample loop 1 || fail "exit status"
    (ulimit -d 300; ./sample loop 3 >out 2>err) || fail "exit status: $(cat err)"
    has err "^cll: no memory for samples: nothing is measured"
    is "$(ls sample.cll.*)" sample.cll.0.dat files
}

too_little_memory_is_raised() {
    CLL_MEMORY=1k sample loop 3 || fail "exit status"
    has err "CLL_MEMORY=1k is too small; using 1M"
    is "$(rows sample.cll.0.dat f)" 3 rows
}

# What thinning took away is in the totals, counters, too.
thinned_counters_keep_their_sums() {
    CLL_COUNTERS=page-faults CLL_MEMORY=1M sample loop 300000 || fail "exit status"
    local f=sample.cll.0.dat
    [ -n "$(header $f absent)" ] && skip "there are no page faults to count: $(header $f absent)"
    well_formed $f
    [ -n "$(header $f thinned)" ] || fail "not thinned"
    has $f 'page-faults.sum='
    has $f 'page-faults.min='
}

# The header says how long it is: another number there is damage, not another format.
damaged_header_is_reported() {
    sample kill 20 2>/dev/null
    printf '\377\377' | dd of=sample.cll.0.spool bs=1 seek=20 conv=notrunc 2>/dev/null
    ! spool_text sample.cll.0.spool >text 2>err || fail "a damaged header was accepted"
    [ ! -s text ] || fail "rows of a spool with a damaged header"
    has err 'sample.cll.0.spool: has a damaged header'
}

# The reader's tables grow: more experiments, variables and pairs of experiment and thread than they have room for at first.
many_experiments_variables_and_threads_are_read() {
    local experiments=300 threads=16
    [ -z "$sanitize" ] || [ "$thorough" = yes ] || experiments=50 # the compiler takes most of the time
    {
        echo '#include <cll.h>'
        echo '#include <pthread.h>'
        # ten in each function: a sanitizer takes long for large ones
        for i in $(seq $experiments); do
            [ $((i % 10)) != 1 ] || echo "static void measure$i(void) {"
            echo "{ double v$i = $i; CLL_REGION(\"e$i\", \"e$i[0]*v$i\", v$i); }"
            [ $((i % 10)) != 0 ] || echo '}'
        done
        echo 'static void *measure(void *unused) {'
        for i in $(seq 1 10 $experiments); do echo "measure$i();"; done
        echo 'return unused; }'
        echo "int main(void) { for (int i = 0; i < $threads; i++) { pthread_t t;"
        echo 'pthread_create(&t, 0, measure, 0); pthread_join(t, 0); } return 0; }'
    } >many.c
    # shellcheck disable=SC2086
    "$CC" $sanitize -I"$CLL_SOURCE/include" many.c -L"$CLL_BUILD/lib" -Wl,-rpath,"$CLL_BUILD/lib" -lcll -lpthread -lm -o many ||
        fail "does not compile"
    ./many || fail "exit status $?"
    well_formed many.cll.0.dat
    is "$(rows many.cll.0.dat)" $((experiments * threads)) rows
    is "$(rows many.cll.0.dat e$experiments)" $threads "rows of the last experiment"
    is "$(column many.cll.0.dat v7 | grep -cx 7)" $threads "values of a variable"
}

main "$1"
