# SPDX-License-Identifier: GPL-3.0-or-later
# Observables beside the clock.
. "$CLL_SOURCE/tests/cll/setup.sh"

cputime_is_measured_where_named() {
    sample cputime 20 || fail "exit status"
    silent
    f=sample.cll.0.dat
    well_formed $f
    is "$(header $f column)" "count_ = count" "renamed column"
    is "$(column $f count_ | tr '\n' ' ')" "$(seq -s ' ' 0 19) " "values"
    column $f CPUTIME | awk '$1 <= 0 || $1 > 10 {exit 1}' || fail "CPUTIME"
    column $f CLOCK | awk '$1 <= 0 || $1 > 10 {exit 1}' || fail "CLOCK"
    is "$(header $f formula | tail -1)" "c CPUTIME c[0]*count"
}

counters_need_a_run_of_their_own() {
    sample page_faults || fail "exit status"
    has err "page-faults of faults is a counter: CLL_COUNTERS=1 measures counters"
    is "$(wc -l < err)" 1 "lines on stderr"
    f=sample.cll.0.dat
    is "$(column $f page-faults | sort -u)" nan page-faults
    column $f CLOCK | awk '$1 <= 0 {exit 1}' || fail "CLOCK"
    header $f absent | grep -q '^page-faults CLL_COUNTERS=1' || fail "no line absent"
}

perf_usable() {
    CLL_COUNTERS=1 sample page_faults || fail "exit status"
    ! grep -q 'counter page-faults is not available' err || skip "no perf_event_open here"
}

named_counters_are_measured() {
    perf_usable
    f=sample.cll.0.dat
    well_formed $f
    is "$(column $f CLOCK | sort -u)" nan CLOCK
    paste -d' ' <(column $f pages) <(column $f page-faults) | awk '$2 < $1 || $2 > $1 + 40 {exit 1}' ||
        { cat $f; fail "page faults"; }
}

absent_counters_are_named_never_zero() {
    CLL_COUNTERS=1 sample page_faults || fail "exit status"
    has err "counter PAPI_L1_DCM is not available: \(PAPI\|this program has libcll.a\)"
    f=sample.cll.0.dat
    is "$(column $f PAPI_L1_DCM | sort -u)" nan PAPI_L1_DCM
    header $f absent | grep -q '^PAPI_L1_DCM ' || fail "no line absent"
    if grep -q "counter cycles is not available" err; then
        is "$(column $f cycles | sort -u)" nan cycles
        header $f absent | grep -q '^cycles ' || fail "no line absent for cycles"
    else
        column $f cycles | awk '$1 <= 0 {exit 1}' || fail "cycles are there and 0"
    fi
    is "$(grep -c 'PAPI_L1_DCM' err)" 1 "said once"
}

counters_by_environment() {
    perf_usable; rm sample.cll.0.dat
    CLL_COUNTERS=task-clock,page-faults,no-such sample loop 5 || fail "exit status"
    has err "counter no-such is not available: there is no counter of this name"
    f=sample.cll.0.dat
    column $f task-clock | awk '$1 == "nan" || $1 <= 0 {exit 1}' || fail "task-clock"
    is "$(column $f no-such | sort -u)" nan no-such
    is "$(header $f absent | grep -c '^no-such ')" 1 "lines absent"
    is "$(column $f CLOCK | sort -u)" nan CLOCK
}

counters_in_threads_and_after_longjmp() {
    perf_usable; rm sample.cll.0.dat
    CLL_COUNTERS=task-clock sample threads 5 || fail "exit status"
    column sample.cll.0.dat task-clock | awk '$1 == "nan" {exit 1}' || fail "a thread has no counter"
    rm sample.cll.0.dat
    CLL_COUNTERS=page-faults sample longjmp 70000 || fail "exit status"
    is "$(rows sample.cll.0.dat f)" 70000 rows
    column sample.cll.0.dat page-faults | awk '$1 != "nan" && $1 > 1000 {exit 1}' || fail "a wrong count"
}

counters_that_nobody_names() {
    CLL_COUNTERS=1 sample loop 2 || fail "exit status"
    has err "CLL_COUNTERS=1, but no formula names a counter"
    is "$(wc -l < err)" 1 "lines on stderr"
    is "$(column sample.cll.0.dat CLOCK | sort -u)" nan CLOCK
}

too_many_counters() {
    CLL_COUNTERS=a,b,c,d,e,f,g,h,i sample loop 2 || fail "exit status"
    has err "counter i is not available: a run measures at most 8 counters"
    well_formed sample.cll.0.dat
    is "$(header sample.cll.0.dat absent | cut -d' ' -f1 | tr '\n' ' ')" "a b c d e f g h i " "lines absent"
}

papi_is_linked_when_asked_for() {
    lib=$CLL_BUILD/lib/libcll_papi.a
    [ -e "$lib" ] || skip "built without PAPI"
    cat > p.c << 'C'
#include <cll.h>
CLL_LINK_PAPI;
static const char *const vars[] = {0};
static const struct cll_formula forms[] = {{"PAPI_TOT_INS", "p[0]"}, {"PAPI_NO_SUCH", "p[0]"}, {0, 0}};
static const struct cll_site sites[] = {{"p.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_p, "p", 0, vars, forms, sites, CLL_USES_PAPI)
int main(void)
{
    CLL_BEGIN(cll_region_1, cll_x_p(), 0);
    return 0;
}
C
    $CC $sanitize -I"$CLL_SOURCE/include" p.c -o p -L"$CLL_BUILD/lib" -lcll_papi -lcll -lpapi -Wl,-rpath,"$CLL_BUILD/lib" || fail "does not link"
    CLL_COUNTERS=1 ./p 2> err || fail "exit status"
    has err "counter PAPI_NO_SUCH is not available: PAPI: "
    is "$(column p.cll.0.dat PAPI_NO_SUCH)" nan
    if grep -q "counter PAPI_TOT_INS is not available: PAPI: " err; then
        is "$(column p.cll.0.dat PAPI_TOT_INS)" nan
    else
        column p.cll.0.dat PAPI_TOT_INS | awk '$1 <= 0 {exit 1}' || fail "no instructions"
    fi
}

# A program without a pragma, which is linked with libcll.so: libcll loads PAPI for a counter that the kernel does not have.
papi_is_loaded_when_a_counter_needs_it() {
    [ -e "$CLL_BUILD/lib/libcll_counters_papi.so" ] || skip "built without PAPI"
    cat > p.c << 'C'
#include <cll.h>
#include <stdlib.h>
#include <string.h>
static const char *const vars[] = {0};
static const struct cll_formula forms[] = {{"CLOCK", "p[0]"}, {0, 0}};
static const struct cll_site sites[] = {{"p.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_p, "p", 0, vars, forms, sites, 0)
int main(void)
{
    char *p = malloc(400 << 12);
    CLL_BEGIN(cll_region_1, cll_x_p(), 0);
    memset(p, 1, 400 << 12);
    return p[5] != 1;
}
C
    $CC $sanitize -I"$CLL_SOURCE/include" p.c -o p -L"$CLL_BUILD/lib" -lcll -Wl,-rpath,"$CLL_BUILD/lib" || fail "does not link"
    CLL_COUNTERS=page-faults,perf::PAGE-FAULTS,PAPI_NO_SUCH,no-such ./p 2> err || fail "exit status"
    has err "counter PAPI_NO_SUCH is not available: PAPI: "
    has err "counter no-such is not available: there is no counter of this name"
    f=p.cll.0.dat
    is "$(column $f PAPI_NO_SUCH) $(column $f no-such)" "nan nan" "absent counters"
    # The same event by the kernel and by PAPI: PAPI has a call less or more in between.
    if ! grep -q "counter \(page-faults\|perf::PAGE-FAULTS\) is not available" err; then
        paste -d' ' <(column $f page-faults) <(column $f perf::PAGE-FAULTS) |
            awk '{d = $1 - $2; exit !($1 >= 1 && d * d <= 400)}' || { cat $f; fail "page faults of the kernel and of PAPI"; }
    fi
    $CC $sanitize -I"$CLL_SOURCE/include" p.c -o static "$CLL_BUILD/lib/libcll.a" -lpthread -lm || fail "libcll.a does not link"
    CLL_COUNTERS=PAPI_TOT_INS ./static 2> err || fail "exit status"
    has err "counter PAPI_TOT_INS is not available: this program has libcll.a; link it with libcll.so"
    # On a machine without PAPI, the library that is missing is named.
    mkdir lib
    cp -L "$CLL_BUILD/lib/libcll.so.0" lib/
    sed 's/libpapi\.so/libnopa.so/' "$CLL_BUILD/lib/libcll_counters_papi.so" > lib/libcll_counters_papi.so
    $CC $sanitize -I"$CLL_SOURCE/include" p.c -o without -L"$CLL_BUILD/lib" -lcll -Wl,-rpath,"$PWD/lib" || fail "does not link"
    CLL_COUNTERS=PAPI_TOT_INS ./without 2> err || fail "exit status"
    has err "counter PAPI_TOT_INS is not available: PAPI cannot be loaded: libnopa.so"
    # A run that measures time does not load it.
    LD_DEBUG=files ./p 2> err || fail "exit status"
    lacks err papi
    LD_DEBUG=files CLL_COUNTERS=page-faults ./p 2> err || fail "exit status"
    lacks err papi
}

automatic_counters_are_those_of_the_machine() {
    CLL_COUNTERS=auto sample page_faults || fail "exit status"
    f=sample.cll.0.dat
    well_formed $f
    lacks err "is not available"
    is "$(column $f CLOCK | sort -u)" nan CLOCK
    if grep -q 'CLL_COUNTERS=auto, but the machine has none of these counters' err; then
        header $f note | grep -q 'no counter of CLL_COUNTERS=auto' || fail "no note"
        return 0
    fi
    column $f page-faults | awk '$1 == "nan" {exit 1}' || fail "page-faults"
}

main "$@"
