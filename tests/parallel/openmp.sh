# SPDX-License-Identifier: GPL-3.0-or-later
# OpenMP programs, and those that have processes besides. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

compilers() {
    echo gcc
    [ -n "$sanitize" ] || { command -v clang >/dev/null && echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o probe 2>/dev/null && echo clang; }
    rm -f probe
}

# teams COMPILER [FLAGS]
teams() {
    local compiler=$1
    shift
    # shellcheck disable=SC2086
    "$call" cc "$compiler" -O1 -Wall -Wextra -Werror $sanitize "$@" "$CLL_SOURCE/tests/parallel/teams.c" -o teams -lpthread ||
        fail "$compiler does not compile teams.c"
}

regions_know_the_threads_that_work_in_them() {
    local numbers="1 2 3 8"
    [ "$thorough" = no ] || numbers="1 2 3 4 5 6 7 8"
    for compiler in $(compilers); do
        teams "$compiler" -fopenmp
        for t in $numbers; do
            rm -f ./*.dat
            OMP_NUM_THREADS=$t OMP_MAX_ACTIVE_LEVELS=2 OMP_DYNAMIC=false ./teams >out 2>err || fail "teams with $compiler and $t threads"
            is "$(cat out)" "0 3500" "what $compiler's program prints"
            only ./teams.cll.0.dat
            well_formed teams.cll.0.dat
            is "$(header teams.cll.0.dat driver)" OpenMP driver
            is "$(values teams.cll.0.dat around P)" "$t " "P around"
            is "$(rows teams.cll.0.dat around)" 7 "rows around"
            is "$(rows teams.cll.0.dat inside)" 36 "rows inside"
            awk '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == "round") k = i; next}
                 $1 == "inside" && $6 != $k {exit 1}' teams.cll.0.dat || fail "P inside is not the team's size"
            is "$(values teams.cll.0.dat iteration P)" "2 " "P in a loop"
            is "$(rows teams.cll.0.dat iteration)" 10 "rows in a loop"
            is "$(values teams.cll.0.dat task P)" "2 " "P in tasks"
            is "$(rows teams.cll.0.dat task)" 10 "rows of tasks"
            is "$(values teams.cll.0.dat outer P)" "3 " "P around an inner team"
            is "$(values teams.cll.0.dat inner P)" "3 " "P in an inner team"
            is "$(rows teams.cll.0.dat inner)" 6 "rows in inner teams"
            is "$(values teams.cll.0.dat closed P)" "2 " "P in default(none)"
            is "$(header teams.cll.0.dat oversubscribed)" "$([ "$(nproc)" -ge 8 ] && echo no || echo yes)" oversubscribed
        done
    done
}

levels_that_are_off_have_one_thread() {
    teams gcc -fopenmp
    OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=1 ./teams >out
    is "$(values teams.cll.0.dat outer P)" "1 " "P around a team that is none"
    is "$(values teams.cll.0.dat inner P)" "1 " "P inside"
}

program_compiled_without_openmp_has_one() {
    teams gcc -Wno-unknown-pragmas -Dsequential
    ./teams >out
    is "$(values teams.cll.0.dat around P)" "1 " P
    is "$(rows teams.cll.0.dat inside)" 8 rows
}

teams_within_the_cores_are_not_oversubscribed() {
    printf '#pragma cll parallel OpenMP\nint main(void)\n{\n    int n = 1;\n#pragma cll f f[0]*n*P\n#pragma omp parallel\n    n = 1;\n#pragma cll end f\n    return 0;\n}\n' >small.c
    "$call" cc gcc -fopenmp $sanitize small.c -o small
    for t in 1 64; do
        rm -f ./*.dat
        OMP_NUM_THREADS=$t ./small
        is "$(values small.cll.0.dat f P)" "$t " P
        is "$(header small.cll.0.dat oversubscribed)" "$([ "$(nproc)" -ge $t ] && echo no || echo yes)" "oversubscribed with $t"
    done
    "$llac" -e 'fit f' small.cll.0.dat >fit.txt
    [ "$(nproc)" -ge 64 ] || has fit.txt 'more processes or threads than cores'
}

sources_with_and_without_the_pragma_share_an_experiment() {
    printf '#pragma cll parallel OpenMP\nvoid other(int n);\nint main(void)\n{\n    int n = 2;\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n    other(7);\n    return 0;\n}\n' >a.c
    printf 'void other(int n);\nvoid other(int n)\n{\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n}\n' >b.c
    "$call" cc gcc -fopenmp $sanitize a.c b.c -o both
    OMP_NUM_THREADS=3 ./both 2>err
    empty err
    well_formed both.cll.0.dat
    is "$(header both.cll.0.dat experiment)" f "experiments"
    is "$(header both.cll.0.dat source | wc -l)" 2 "places"
    is "$(values both.cll.0.dat f n)" "2 7 " values
    is "$(values both.cll.0.dat f P)" "1 3 " P
    "$llac" -e 'show f' both.cll.0.dat >/dev/null || fail "llac does not load it"
}

program_without_regions_needs_no_library() {
    printf '#include <omp.h>\n#pragma cll parallel OpenMP\nint main(void)\n{\n    return omp_get_num_threads() - 1;\n}\n' >none.c
    "$call" cc gcc -fopenmp $sanitize none.c -o none
    ! ldd none | grep libcll || fail "libcll is needed"
    ./none || fail "it does not run"
    gone ./*.dat ./*.spool
}

# cll.h declares functions of omp.h itself
programs_with_omp_h_compile_in_every_way() {
    printf '#include <omp.h>\n#pragma cll parallel OpenMP\nint main(void)\n{\n    int n = 3, sum = 0;\n#pragma omp parallel num_threads(3) reduction(+ : sum)\n    {\n#pragma cll sync f f[0]*n*P\n        sum += omp_get_num_threads();\n#pragma cll end f\n    }\n    return sum - 9;\n}\n' >x.c
    for compiler in $(compilers); do
        for flags in -O0 "-O2 -fPIC" "-O2 -fno-pie -no-pie" "-O3 -Wredundant-decls"; do
            rm -f ./*.dat
            # shellcheck disable=SC2086
            "$call" cc "$compiler" -fopenmp -Wall -Wextra -Werror $flags $sanitize x.c -o x || fail "$compiler $flags"
            ./x || fail "$compiler $flags: it is wrong"
            is "$(values x.cll.0.dat f P)" "3 " "P with $compiler $flags"
        done
    done
}

formula_variable_that_is_not_listed_gets_a_diagnostic() {
    printf '#pragma cll parallel OpenMP\nvoid f(int n, int s)\n{\n#pragma omp parallel default(none) shared(s)\n    {\n#pragma cll f f[0]*n\n        s = 1;\n#pragma cll end f\n    }\n}\n' >x.c
    ! "$call" cc gcc -fopenmp -c x.c 2>err || fail "accepted"
    has err "x.c:6:20: warning: the OpenMP directive in line 4 has default(none) and does not list 'n'"
    printf 'void f(int n)\n{\n#pragma omp parallel for\n#pragma cll f f[0]*n\n    for (int i = 0; i < n; i++)\n        ;\n#pragma cll end f\n}\n' >y.c
    ! "$call" cc gcc -fopenmp -c y.c 2>err || fail "accepted"
    has err 'the statement must follow its directive'
}

thread_sanitizer_finds_no_race() {
    [ -z "$sanitize" ] || skip "another sanitizer is in use"
    command -v clang >/dev/null || skip "no clang"
    archer=$(clang -print-resource-dir)/../../libarcher.so
    [ -e "$archer" ] || skip "no libarcher: without it the runtime of OpenMP gives false alarms"
    # the run-time itself is instrumented, too
    mkdir runtime
    clang -std=gnu11 -g -O0 -fsanitize=thread -shared -fPIC -fvisibility=hidden -I"$CLL_SOURCE/include" -I"$CLL_SOURCE/src" \
        "$CLL_SOURCE"/src/{cll,spool}/*.c -o runtime/libcll.so -lm || skip "clang has no thread sanitizer"
    cp "$CLL_SOURCE/tests/parallel/teams.c" .
    "$call" teams.c --cc clang --cflags -fopenmp
    clang -g -O0 -fopenmp -fsanitize=thread teams.cll.c -I"$CLL_SOURCE/include" -Lruntime -Wl,-rpath,"$PWD/runtime" -lcll -o teams ||
        fail "does not compile"
    OMP_TOOL_LIBRARIES=$archer OMP_NUM_THREADS=4 TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66" ./teams >out 2>err ||
        { head -60 err >&2; fail "races"; }
    is "$(rows teams.cll.0.dat inside)" 36 rows
}

processes_with_teams_have_both_counts() {
    build hybrid -fopenmp
    local cores
    cores=$(nproc)
    export OMP_NUM_THREADS=3 # of a region without a team, T is the number that a team would have
    for n in 1 2 3; do
        rm -f ./*.dat
        runs $n ./hybrid
        only ./hybrid.cll.0.dat
        well_formed hybrid.cll.0.dat
        is "$(header hybrid.cll.0.dat driver)" MPI+OpenMP driver
        is "$(values hybrid.cll.0.dat whole P)" "$n " P
        is "$(values hybrid.cll.0.dat whole T)" "3 " T
        is "$(values hybrid.cll.0.dat team P)" "$n " "P in the team"
        is "$(values hybrid.cll.0.dat team T)" "3 " "T in the team"
        is "$(rows hybrid.cll.0.dat team)" $((9 * n)) "rows of teams"
        is "$(rows hybrid.cll.0.dat alone)" $((3 * n)) "rows of processes"
        is "$(header hybrid.cll.0.dat oversubscribed)" "$([ "$cores" -ge $((3 * n)) ] && echo no || echo yes)" oversubscribed
    done
    "$llac" -e 'fit whole' hybrid.cll.0.dat >fit.txt
    has fit.txt 'whole\[1\]'
}

main "$1"
