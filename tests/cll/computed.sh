# SPDX-License-Identifier: GPL-3.0-or-later
# CLL_CLOCK=FILE.so: the times are those that a function states.
. "$CLL_SOURCE/tests/cll/setup.sh"

# times FILE EXPERIMENT: the column CLOCK
times() { awk -v e="$2" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == "CLOCK") k = i; next} $1 == e {print $k}' "$1"; }

computed_times_are_exact() {
    takes '1e-6 + 2e-9*N + 1e-9*e->seq + 1e-3*e->run'
    for round in 0 1; do CLL_RUN=$round sample loop 3 || fail "exit status"; done
    has err '^cll: CLL_CLOCK=.*rule.so: the times are computed, not measured$'
    is "$(header sample.cll.0.dat clock)" computed
    is "$(header sample.cll.0.dat overhead)" "0 0"
    is "$(header sample.cll.0.dat elapsed | awk '{print ($1 > 0 && $1 == $2)}')" 1 "the run's times, by the clock and of the processor"
    for key in load steal frequency note; do is "$(header sample.cll.0.dat $key)" "" "$key of a machine that changes no time"; done
    for round in 0 1; do
        awk -v r=$round '/^#/ || $1 == "experiment" {next} $1 == "f" {printf "%.12g\n", 1e-6 + 2e-9*$10 + 1e-9*$3 + 1e-3*r}' \
            sample.cll.$round.dat >expected
        filled expected
        is "$(times sample.cll.$round.dat f)" "$(cat expected)" "times of round $round"
    done
    cp sample.cll.0.dat first
    rm sample.cll.0.dat
    sample loop 3
    is "$(grep '^f ' sample.cll.0.dat)" "$(grep '^f ' first)" "the same again"
}

computed_times_depend_on_settings() {
    takes '1e-6*value("k") + 1e-3*N'
    CLL_SETTINGS="k=7 N=1000" sample loop 3 || fail "exit status"
    awk '/^#/ || $1 == "experiment" {next} $1 == "f" {printf "%.12g\n", 7e-6 + 1e-3*$10}' sample.cll.0.dat >expected
    filled expected
    is "$(times sample.cll.0.dat f)" "$(cat expected)" "times"
}

computed_regions_contain_the_ones_inside() {
    takes 'is("outer") ? 1e-6 : 5e-6'
    sample nested 2 || fail "exit status"
    file=$(echo sample.cll.*.dat)
    # an outer region that would be shorter than those inside it takes as long as they do
    awk '/^#/ || $1 == "experiment" {next} $1 == "outer" {outer = $NF; nested = $5} $1 != "outer" {inside += $NF}
         END {exit !(nested > 0 && outer >= inside && outer < 1.1*inside)}' "$file" || { show "$file"; fail "the outer region"; }
}

computed_times_of_threads() {
    takes '1e-6*(1 + e->thread)'
    sample threads 3 || fail "exit status"
    awk '/^#/ || $1 == "experiment" {next} {n++; if ($NF != 1e-6*(1 + $8)) bad = 1} END {exit bad || !n}' sample.cll.0.dat ||
        { show sample.cll.0.dat; fail "a time of a thread"; }
}

computed_random_numbers_differ_and_repeat() {
    takes '1 + noise(1)'
    sample loop 200
    times sample.cll.0.dat f >numbers
    is "$(sort -u numbers | wc -l)" 200 "different numbers"
    awk '{s += $1; if (!($1 >= 1 && $1 < 2)) bad = 1} END {exit bad || s < 290 || s > 310}' numbers || fail "not uniform"
    takes '1 + noise(2)'
    sample loop 200
    ! times sample.cll.1.dat f | cmp -s - numbers || fail "another seed gives the same numbers"
}

rules_that_cannot_be_used_measure_nothing() {
    CLL_CLOCK=./absent.so sample loop 3 || fail "exit status"
    has err '^cll: CLL_CLOCK=./absent.so cannot be used, so nothing is measured: .*absent.so'
    echo 'int other[50000] = {1};' >other.c
    gcc -shared -fPIC other.c -o other.so
    CLL_CLOCK=./other.so sample loop 3 || fail "exit status"
    has err '^cll: CLL_CLOCK=./other.so cannot be used, so nothing is measured: .*cll_clock_seconds'
    for bytes in 100 3000 100000; do # dlopen does not survive all of them
        head -c "$bytes" other.so >cut.so
        CLL_CLOCK=./cut.so sample loop 3 || fail "exit status with $bytes bytes"
        has err '^cll: CLL_CLOCK=./cut.so cannot be used, so nothing is measured: it is truncated$'
    done
    mkfifo pipe.so
    CLL_CLOCK=./pipe.so sample loop 3 || fail "exit status"
    has err '^cll: CLL_CLOCK=./pipe.so cannot be used, so nothing is measured: it is not a file$'
    gone sample.cll.*.dat
    takes '0.0/0.0'
    sample loop 3 || fail "exit status"
    has err 'cll_clock_seconds gives .*nan s for f, which is not from 0 to 100000: taken as 0$'
    is "$(grep -c 'taken as 0' err)" 1 "said once"
    is "$(times sample.cll.0.dat f | sort -u)" 0 "times"
    takes '1e5'
    sample loop 200 || fail "exit status"
    has err 'the times that cll_clock_seconds gives are more than 166 days together: the rest are taken as 0'
    is "$(times sample.cll.1.dat f | sort -u | tr '\n' ' ')" "0 100000 " "times of an overflow"
    is "$(times sample.cll.1.dat f | grep -c '^100000$')" 144 "times before it"
    CLL_COUNTERS=1 sample loop 3 || fail "exit status"
    has err 'CLL_COUNTERS is set, and counters cannot be computed'
}

# The archive has the function that loads the rule only on demand, so static programs link without a warning.
rules_and_the_archive() {
    printf '#include <cll.h>\nint main(void) { int N = 7; CLL_REGION("f", "f[0]*N", N); return 0; }\n' >x.c
    takes '2e-6*N'
    build() { gcc $sanitize -Wall -I"$CLL_SOURCE/include" x.c "$@" -pthread -o x; }
    build "$CLL_BUILD/lib/libcll.a" || fail "linking"
    ./x 2>err || fail "exit status"
    has err 'nothing is measured: this program has libcll.a; link it with libcll.so, or with -Wl,-u,cll_computed_load$'
    gone x.cll.*.dat
    build -Wl,-u,cll_computed_load "$CLL_BUILD/lib/libcll.a" -ldl || fail "linking with the rule"
    ./x 2>err || fail "exit status"
    is "$(times x.cll.0.dat f)" 1.4e-05 "time"
    [ -z "$sanitize" ] || return 0
    build -static "$CLL_BUILD/lib/libcll.a" 2>out || skip "no static libc"
    empty out
}

main "$1"
