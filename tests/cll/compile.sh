# SPDX-License-Identifier: GPL-3.0-or-later
# The header in every dialect, programs of several files and libraries, C++.
. "$CLL_SOURCE/tests/cll/setup.sh"
include=-I$CLL_SOURCE/include
link="-L$CLL_BUILD/lib -lcll -Wl,-rpath,$CLL_BUILD/lib"

compilers() { for c in "$@"; do command -v "$c" > /dev/null && echo "$c"; done; }

write_generated() {
    cat > x.c << 'C'
#include <cll.h>
static const char *const cll_vars_f[] = {"N", "m->rows", 0};
static const struct cll_formula cll_forms_f[] = {{"CLOCK", "f[0]+f[1]*N"}, {0, 0}};
static const struct cll_site cll_sites_f[] = {{"x.c", 12, 14}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_f, "f", 2, cll_vars_f, cll_forms_f, cll_sites_f, 0)
static const char *const cll_vars_unused[] = {0};
CLL_EXPERIMENT(cll_x_unused, "unused", 0, cll_vars_unused, cll_forms_f, cll_sites_f, 0)
#define cll_1(v0, v1) { CLL_BEGIN(cll_region_1, cll_x_f(), 2, CLL_VALUE_AT(v0), CLL_VALUE_VIA(m, v1));
#define cll_2() CLL_BEGIN(cll_region_2, cll_x_unused(), 0);
CLL_EXPERIMENT(cll_x_late, "late", 2, cll_vars_f, cll_forms_f, cll_sites_f, 0)
#define cll_3(v0, v1) { CLL_BEGIN(cll_region_3, cll_x_late(), 2, CLL_LATER, CLL_LATER); \
    CLL_AT_END(cll_late_0, cll_region_3, 0, v0); CLL_AT_END(cll_late_1, cll_region_3, 1, v1);
struct matrix { long rows; };
int region(int N, struct matrix *m);
int region(int N, struct matrix *m)
{
    cll_2()
    cll_1(N, m->rows)
        N += 1;
    }
    {
        volatile unsigned short often = 3;
        const float fixed = 1;
        cll_3(N, m->rows)
            CLL_READ(cll_late_0);
        }
        cll_3(often, fixed)
        }
    }
    CLL_END(cll_region_2);
    {
        CLL_REGION("g", "g[0]");
        {
            CLL_REGION("h", "h[0]+h[1]*N", N, N + 1, 2 * N, N, N, N, N, 8.5);
            N++;
        }
    }
    cll_keep(N);
    cll_report("f, g");
    return N;
}
C
}

# make check takes one level of optimisation for each standard
header_in_every_c() {
    local levels="0 2" more="1 3 s g"
    [ "$thorough" = yes ] || levels=2 more=0
    write_generated
    for cc in $(compilers gcc clang); do
        for std in c90 gnu90 c99 c11 gnu17 c2x; do
            for level in $levels; do
                $cc -std=$std -O$level -pedantic -Wall -Wextra -Wshadow -Wconversion -Wcast-qual \
                    -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Werror $include -c x.c ||
                    fail "$cc -std=$std -O$level"
            done
        done
    done
    for cc in $(compilers gcc clang); do
        for level in $more; do
            $cc -O$level -fno-inline -fPIC -Wall -Wextra -Werror $include -c x.c || fail "$cc -O$level"
        done
    done
    $CC -std=c99 -Wdeclaration-after-statement -Werror $include -c -x c - << 'C' || fail "a begin is more than one declaration"
#include <cll.h>
static const char *const vars[] = {0};
static const struct cll_formula forms[] = {{"CLOCK", ""}, {0, 0}};
static const struct cll_site sites[] = {{"x.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_f, "f", 0, vars, forms, sites, 0)
int f(int n) { CLL_BEGIN(r, cll_x_f(), 0); int k = n; return k; }
C
}

header_in_every_cxx() {
    write_generated; mv x.c x.cc
    for cxx in $(compilers g++ clang++); do
        for std in c++11 c++17 c++20; do
            $cxx -std=$std -O2 -pedantic -Wall -Wextra -Wshadow -Wold-style-cast -Werror $include -c x.cc ||
                fail "$cxx -std=$std"
        done
    done
}

header_includes_no_system_header() {
    echo '#include <cll.h>' | $CC $include -M -x c - | tr ' \\' '\n\n' | grep '\.h$' > headers
    grep -v '/stdc-predef.h$' headers > ours
    is "$(cat ours)" "$CLL_SOURCE/include/cll.h" headers
    echo '#include <cll.h>' | $CC $include -E -dM -x c - | awk '{print $2}' | sed 's/(.*//' | sort > with
    $CC -E -dM -x c /dev/null | awk '{print $2}' | sed 's/(.*//' | sort > without
    is "$(comm -23 with without | grep -vi '^cll_' | tr '\n' ' ')" "" "macros without our prefix"
}

wrong_type_is_a_compile_error() {
    cat > bad.c << 'C'
#include <cll.h>
int f(char *p) { return CLL_VALUE(p) > 0; }
C
    ! $CC $include -c bad.c 2> err || fail "a pointer was taken for a value"
    has err "bad.c:2"
}

a_link_without_the_library_says_what_to_do() {
    write_generated
    echo 'int main(void) { struct matrix m = {3}; return region(5, &m) != 7; }' >> x.c
    $CC $sanitize $include -c x.c
    if $CC $sanitize x.o -o x > out 2> err; then fail "it was linked"; fi
    has_text err 'cll_link_with_call_cc_or_lcll'
    $CC $sanitize x.o $link -o x
    nm -D "$CLL_BUILD/lib/libcll.so" > names
    has names ' cll_self$' # of programs that were compiled before
}

exported_names_start_with_cll() {
    nm -D --defined-only "$CLL_BUILD/lib/libcll.so" | awk '{print $3}' > names
    [ -s names ] || fail "no names"
    [ -n "$sanitize" ] || is "$(grep -v '^cll_' names)" "" "exported"
    is "$(grep -c '^cll_report$' names)" 1 "cll_report"
    nm -g --defined-only "$CLL_BUILD/lib/libcll.a" | awk 'NF == 3 {print $3}' > names
    [ -n "$sanitize" ] || is "$(grep -v '^cll_' names)" "" "in the archive"
}

needs_libc_only() {
    [ -z "$sanitize" ] || skip "a sanitizer adds libraries"
    readelf -d "$CLL_BUILD/lib/libcll.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -Ev '^(libc\.so|libpthread|ld-linux)' > needed
    is "$(cat needed)" "" "needed libraries"
}

sources_compile_without_cmake() {
    mkdir objects && cd objects
    $CC -std=gnu11 -O0 -fPIC $include -I"$CLL_SOURCE/src" -c "$CLL_SOURCE"/src/{cll,spool}/*.c || fail "does not compile"
    cd ..
    $CC -shared -o libcll.so objects/*.o || fail "does not link"
    write_generated
    echo 'int main(void) { struct matrix m = {3}; return region(5, &m) != 7; }' >> x.c
    $CC $include x.c objects/*.o -o x && ./x || fail "does not run"
    is "$(rows x.cll.0.dat f)" 1 rows
}

header_only_regions() {
    write_generated
    echo 'int main(void) { struct matrix m = {3}; return region(5, &m) != 7; }' >> x.c
    $CC $sanitize -Wall -Werror $include x.c -o x $link || fail "does not compile"
    ./x || fail "exit status"
    is "$(header x.cll.0.dat experiment | tr '\n' ' ')" "f g " "experiments of the report"
    is "$(column x.cll.0.dat N | grep -v nan)" 5 N
    is "$(column x.cll.0.dat 'm->rows' | grep -v nan)" 3 "m->rows"
    sed -i 's/cll_report.*/cll_report(0);/' x.c
    $CC $sanitize -Wall -Werror $include x.c -o x $link && ./x || fail "exit status"
    is "$(header x.cll.1.dat variables | sed -n 's/^h //p')" "N N_1 _2_N N N N N _8_5" "variables of h"
    is "$(column x.cll.1.dat _2_N | grep -v nan)" 12 "2*N"
    is "$(column x.cll.1.dat _8_5 | grep -v nan)" 8.5 "8.5"
}

static_library_works() {
    write_generated
    echo 'int main(void) { struct matrix m = {3}; return region(5, &m) != 7; }' >> x.c
    $CC $sanitize $include x.c -o x "$CLL_BUILD/lib/libcll.a" -lpthread || fail "does not link"
    ./x || fail "exit status"
    is "$(rows x.cll.0.dat f)" 1 rows
    [ -z "$sanitize" ] || return 0
    $CC -static $include x.c -o x "$CLL_BUILD/lib/libcll.a" -lpthread || fail "does not link statically"
    ./x || fail "exit status of the static program"
    is "$(rows x.cll.1.dat f)" 1 rows
}

inside_openmp_default_none() {
    cat > x.c << 'C'
#include <cll.h>
static const char *const vars[] = {"n", 0};
static const struct cll_formula forms[] = {{"CLOCK", "f[0]+f[1]*n"}, {0, 0}};
static const struct cll_site sites[] = {{"x.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_f, "f", 1, vars, forms, sites, 0)
int main(void)
{
    int n = 7;
#pragma omp parallel default(none) shared(n) num_threads(3)
    {
        CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(n));
    }
    return 0;
}
C
    $CC $sanitize -fopenmp -Wall -Wextra -Werror $include x.c -o x $link || skip "no OpenMP here"
    ./x || fail "exit status"
    is "$(column x.cll.0.dat thread | sort | tr '\n' ' ')" "0 1 2 " threads
}

exceptions_end_regions() {
    cat > x.cc << 'C'
#include <cll.h>
#include <vector>
static int depth(const std::vector<int> &v, int n)
{
    CLL_REGION("cxx", "cxx[0]+cxx[1]*n", n, v.size());
    if (!n)
        throw 7;
    return depth(v, n - 1) + 1;
}
template <class T> T twice(T x)
{
    CLL_REGION("twice", "twice[0]*x", x);
    return x + x;
}
struct last {
    ~last() { CLL_REGION("last", "last[0]"); }
};
static last at_the_end;
int main()
{
    try {
        return depth(std::vector<int>(3), 4);
    } catch (int e) {
        return twice(e) != 14 || twice(1.5) != 3;
    }
}
C
    for cxx in $(compilers g++ clang++); do
        rm -f x.cll.*
        # a library with a sanitizer goes with its own compiler only
        case "$sanitize:$CXX" in :* | *:*"${cxx%++}"*) ;; *) continue ;; esac
        $cxx $sanitize -std=c++11 -O2 -Wall -Werror $include x.cc -o x $link || fail "$cxx"
        ./x || fail "exit status"
        is "$(rows x.cll.0.dat cxx)" 5 "rows"
        is "$(header x.cll.0.dat abandoned)" 0 abandoned
        is "$(column x.cll.0.dat v.size | grep -v nan | sort -u)" 3 "v.size()"
        is "$(rows x.cll.0.dat twice)" 2 "rows of the template"
        is "$(rows x.cll.0.dat last)" 1 "the region in a static destructor"
    done
}

several_files_are_one_experiment() {
    for i in 1 2 3; do
        formula='same[0] + same[1]*n'
        [ $i = 1 ] || formula='same[0]+same[1] * n'
        [ $i != 3 ] || formula='same[0]+same[1]*n^2'
        printf '#include <cll.h>\nvoid run%d(int n);\nvoid run%d(int n)\n{\n    CLL_REGION("same", "%s", n);\n}\n' $i $i "$formula" > u$i.c
    done
    printf 'void run1(int), run2(int), run3(int);\nint main(void) { for (int i = 0; i < 3; i++) { run1(1); run2(2); run3(3); } }\n' > m.c
    $CC $sanitize $include u1.c u2.c u3.c m.c -o m $link || fail "does not compile"
    ./m > out 2> err || fail "exit status"
    is "$(cat err)" "cll: same has one formula at u1.c:5 and another at u3.c:5: the second one is not measured; give it another name" message
    is "$(rows m.cll.0.dat same)" 6 rows
    is "$(column m.cll.0.dat n | sort -u | tr '\n' ' ')" "1 2 " n
    is "$(header m.cll.0.dat source | tr '\n' ' ')" "same u1.c:5-5 same u2.c:5-5 " sources
}

unloaded_library_does_no_harm() {
    printf '#include <cll.h>\nvoid run(int n);\nvoid run(int n)\n{\n    CLL_REGION("plugin", "plugin[0]*n", n);\n}\n' > plugin.c
    cat > host.c << 'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
static void *body(void *unused)
{
    (void)unused;
    for (int i = 0; i < 5; i++) {
        void *library = dlopen("./plugin.so", RTLD_NOW);
        if (!library)
            abort();
        void (*run)(int) = (void (*)(int))dlsym(library, "run");
        run(i);
        dlclose(library);
    }
    return 0;
}
int main(void)
{
    pthread_t thread;
    body(0);
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
C
    $CC $sanitize -shared -fPIC $include plugin.c -o plugin.so $link || fail "plugin"
    $CC $sanitize host.c -o host -ldl -lpthread || fail "host"
    ./host 2> err || fail "exit status $? $(cat err)"
    is "$(rows host.cll.0.dat plugin)" 10 rows
    is "$(header host.cll.0.dat source)" "plugin plugin.c:5-5" source
}

# Each time the plugin is loaded it brings a run-time of its own, which goes with it.
unloaded_while_a_thread_lives() {
    cat > plugin.c <<'C'
#include <cll.h>
void run(int n)
{
    CLL_REGION("plugin", "plugin[0]", n);
}
C
    cat > host.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_barrier_t barrier;
static void (*run)(int);
static void *body(void *unused)
{
    run(1);
    pthread_barrier_wait(&barrier); /* measured */
    pthread_barrier_wait(&barrier); /* unloaded */
    return unused;
}
int main(void)
{
    for (int i = 0; i < 4; i++) {
        pthread_t threads[3];
        void *library = dlopen("./plugin.so", RTLD_NOW);
        if (!library)
            abort();
        run = (void (*)(int))dlsym(library, "run");
        pthread_barrier_init(&barrier, 0, 4);
        for (int k = 0; k < 3; k++)
            pthread_create(&threads[k], 0, body, 0);
        run(2);
        pthread_barrier_wait(&barrier);
        if (dlclose(library) || dlopen("./plugin.so", RTLD_NOW | RTLD_NOLOAD))
            abort();
        pthread_barrier_wait(&barrier);
        for (int k = 0; k < 3; k++)
            pthread_join(threads[k], 0);
        pid_t child = fork();
        if (!child)
            _exit(0);
        waitpid(child, 0, 0);
    }
    return 0;
}
C
    $CC $sanitize -shared -fPIC $include plugin.c -o plugin.so "$CLL_BUILD/lib/libcll.a" -lm -lpthread || fail "plugin"
    $CC $sanitize host.c -o host -ldl -lpthread || fail "host"
    ./host 2> err || fail "exit status $? $(cat err)"
    [ ! -s err ] || fail "$(cat err)"
    for i in 0 1 2 3; do is "$(rows host.cll.$i.dat plugin)" 4 "rows of load $i"; done
    gone host.cll.*.spool
}

sixteen_variables() {
    {
        echo '#include <cll.h>'
        echo "static const char *const vars[] = {$(printf '"v%d", ' $(seq 0 15)) 0};"
        echo 'static const struct cll_formula forms[] = {{"CLOCK", "f[0]"}, {0, 0}};'
        echo 'static const struct cll_site sites[] = {{"x.c", 1, 2}, {0, 0, 0}};'
        echo 'CLL_EXPERIMENT(cll_x_f, "f", 16, vars, forms, sites, 0)'
        echo "int main(void) { for (int i = 0; i < 9000; i++) { CLL_BEGIN(r, cll_x_f(), 16, $(printf 'CLL_VALUE(i + %d.5), ' $(seq 0 14)) CLL_VALUE_AT(i)); } }"
    } > x.c
    for clock in auto clock_gettime; do
        $CC $sanitize -O2 -Wall -Wextra -Werror $include x.c -o x $link || fail "does not compile"
        CLL_CLOCK=$clock ./x || fail "exit status"
        is "$(rows x.cll.0.dat f)" 9000 rows
        awk '$1 == "f" {for (k = 0; k < 15; k++) if ($(10 + k) != $3 + k + 0.5) exit 1; if ($25 != $3) exit 1}' x.cll.0.dat || fail "values"
        rm x.cll.0.dat
    done
}

other_layout_is_refused() {
    cat > x.c << 'C'
#include <cll.h>
int main(void)
{
    static struct cll_experiment other = {CLL_NOT_REGISTERED, CLL_ABI + 1, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        CLL_BEGIN(r, &other, 0);
    }
    return 0;
}
C
    $CC $sanitize $include x.c -o x $link || fail "does not compile"
    ./x 2> err || fail "exit status"
    is "$(cat err)" "cll: an experiment was built with a cll.h of another version: it is not measured; build it again" message
    gone x.cll.0.dat x.cll.0.spool
}

failing_sync_keeps_the_spool() {
    cat > x.c << 'C'
#include <cll.h>
#include <errno.h>
#include <stdlib.h>
int fsync(int fd) { (void)fd; errno = atoi(getenv("SYNC")); return -1; }
int main(void)
{
    for (int n = 0; n < 3; n++) { CLL_REGION("f", "f[0]", n); }
    return 0;
}
C
    $CC $sanitize $include x.c -o x $link || fail "not compiled"
    SYNC=5 ./x 2> err || fail "exit status" # EIO
    has err "cannot write .*x.cll.0.dat (Input/output error): the samples stay in .*x.cll.0.spool, which llac reads"
    gone x.cll.0.dat x.cll.*.tmp
    is "$(spool_text x.cll.0.spool | grep -c '^f ')" 3 "rows of the spool"
    SYNC=22 ./x 2> err || fail "exit status" # EINVAL: the file system has no such thing
    empty err
    is "$(rows x.cll.1.dat f)" 3 rows
}

odd_names_of_experiments_and_variables() {
    cat > x.c << 'C'
#include <cll.h>
int main(void)
{
    int P = 4, CLOCK = 5, count = 6, count_ = 7;
    { CLL_REGION("my sort #1", "x[0]", P, CLOCK); }
    { CLL_REGION("50%", "x[0]", count, count_, P  + 1); }
    { CLL_REGION("a::b<int>*/'\x9b", "x[0]"); }
    return 0;
}
C
    $CC $sanitize $include x.c -o x $link && ./x || fail "exit status"
    f=x.cll.0.dat
    well_formed $f
    is "$(header $f experiment | tr '\n' ' ')" "my%20sort%20%231 50%25 a::b%3Cint%3E%2A%2F%27%9B " experiments
    is "$(grep -v '^#' $f | sed 1d | cut -d' ' -f1)" "$(header $f experiment)" "names in rows"
    is "$(grep -v '^#' $f | head -1 | cut -d' ' -f10-)" "P_ CLOCK_ count__ count_ P_1 CLOCK" columns
    is "$(header $f column | tr '\n' ';')" "P_ = P;CLOCK_ = CLOCK;count__ = count;" "renamed"
    is "$(awk '!/^#/ {print $1, $10, $11, $12, $13, $14}' $f | tail -3 | head -2 | tr '\n' ';')" "my%20sort%20%231 4 5 nan nan nan;50%25 nan nan 6 7 5;" values
}

expressions_get_names_that_formulas_can_use() {
    cat > x.c << 'C'
#include <cll.h>
#define SIZE 12
struct s { int n; int a[4]; };
int main(void)
{
    struct s s = {4, {0, 1, 2, 3}}, *p = &s;
    int n = 5, n_1 = 6, i = 1;
    { CLL_REGION("a", "a[0]*n_2", n*2, 2 * n, (int)n, p->n, s.a[i + 1], s.a[2*i], (*p).n, n * 1.5); }
    { CLL_REGION("b", "b[0]*n_1", n + 1, n - 1, n_1, n + 1, s.a[p->a[0]], -n); }
    { CLL_REGION("c", "c[0]*N", CLL_VAR(N, SIZE), CLL_VAR(bytes, n * sizeof(int)), SIZE); }
    return 0;
}
C
    for std in c99 gnu17; do
        rm -f x.cll.*
        $CC $sanitize -std=$std -pedantic -Wall -Wextra -Werror $include x.c -o x $link && ./x || fail "exit status"
        f=x.cll.0.dat
        well_formed $f
        is "$(header $f variables | sed -n 1p)" "a n_2 _2_n int_n p->n s.a[i_1] s_a_2_i p.n n_1_5" "names of a"
        is "$(header $f variables | sed -n 2p)" "b n_1_2 n_1_3 n_1 n_1_2 s.a[p->a[0]] n" "names of b"
        is "$(header $f variables | sed -n 3p)" "c N bytes _12" "names of c"
        is "$(awk '$1 == "b"' $f | grep -o ' 6 4 6 ' | head -1)" " 6 4 6 " "values of b"
        for name in n_1_2:6 n_1_3:4 n_1:6 N:12 bytes:20 s_a_2_i:2 n_1_5:7.5; do
            is "$(column $f ${name%:*} | grep -v nan | tail -1)" ${name#*:} "$name"
        done
    done
}

# A pure call as the whole region: if the compiler moved it out, its time would not grow.
pure_function_stays_inside() {
    [ -z "$sanitize" ] || skip "a sanitizer keeps everything in place"
    cat > pure.c << 'C'
#include <cll.h>
#include <stdio.h>
#include <stdlib.h>
static const char *const vars[] = {"N", 0};
static const struct cll_formula forms[] = {{"CLOCK", "f[0]"}, {0, 0}};
static const struct cll_site sites[] = {{"pure.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(cll_x_f, "f", 1, vars, forms, sites, 0)
static __attribute__((const)) unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int argc, char **argv)
{
    unsigned N = (unsigned)atoi(argv[argc - 1]), result;
    {
        CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
        result = fib(N);
        cll_keep(result);
    }
    printf("%u\n", result);
    return 0;
}
C
    for cc in $(compilers gcc clang); do
        for level in 1 2 3; do
            rm -f pure.cll.*
            $cc -O$level $include pure.c -o pure $link || fail "$cc"
            for i in 1 2 3; do ./pure 10 > /dev/null; ./pure 30 > /dev/null; done
            cat pure.cll.*.dat | awk -v what="$cc -O$level" '$1 == "f" {if (!t[$10] || $11 < t[$10]) t[$10] = $11}
                END {if (t[30] < 300 * t[10]) {print what, t[10], t[30]; exit 1}}' || fail "fib moved out of its region"
        done
    done
}

documents_name_every_variable() {
    "$tests/cll_env_names" > names
    [ "$(wc -l < names)" -ge 7 ] || fail "too few names"
    while read -r name; do
        has "$CLL_SOURCE/docs/reference/runtime.md" "$name"
        has "$CLL_SOURCE/man/cll.7" "$name"
    done < names
    # and nothing that is not there
    cat "$CLL_SOURCE/docs/reference/runtime.md" "$CLL_SOURCE/man/cll.7" | grep -o 'CLL_[A-Z]*' | sort -u |
        grep -Ev '^CLL_(REGION|BEGIN|END|VALUE|VAR|EXPERIMENT|LINK)' > mentioned
    grep -vxFf names mentioned > unknown
    is "$(cat unknown)" "" "variables that do not exist"
}

manual_page_is_clean() {
    command -v groff > /dev/null || skip "no groff"
    groff -man -Tutf8 -ww "$CLL_SOURCE/man/cll.7" > text 2> err || fail "groff fails"
    is "$(cat err)" "" warnings
    [ "$(wc -l < text)" -gt 50 ] || fail "an empty page"
}

main "$@"
