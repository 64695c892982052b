# SPDX-License-Identifier: GPL-3.0-or-later
# call discover: counts that depend on data and are sums of arguments of functions.
. "$CLL_SOURCE/tests/harness/mpi.sh"
unset GCOV_PREFIX GCOV_PREFIX_STRIP CXX FC MPICC MPICXX MPIFC

page=$CLL_SOURCE/docs/user/discover.md
sizes=50,101,200,399,800,1601

discover() { exits 0 "$call" discover -q --counts --vary n=$sizes "$@"; }
# has_row VERDICT FORMULA FUNCTION: in the tables of the last command
has_row() { tr -s ' ' <out | grep -qF -- " $1 $2 $3 " || fail "no $1 $2 of $3"; }

# write_example SECTION FILE: the program of a section of the page, and write_shown SECTION FILE: what it prints
write_example() {
    awk -v title="### $1" '/^##/ {part = $0 == title} part && /^```c$/ {on = 1; next} /^```$/ {on = 0} part && on' "$page" >"$2"
    filled "$2"
}
write_shown() {
    awk -v title="### $1" '/^##/ {part = $0 == title} part && /^    iterations of loops/ {on = 1} on && !/^    / {exit} on {print substr($0, 5)}' "$page" >"$2"
    filled "$2"
}

# write_draw FILE: what chooses numbers in the programs below
write_draw() {
    cat >"$1" <<'C'
#include <stdio.h>
#include <stdlib.h>
static volatile long sink;
static unsigned seed = 1;
static unsigned draw(unsigned most)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % most;
}
C
}

# All but the times of the runs.
the_page_shows_sums() {
    local row
    for row in 'arguments mix.c' 'bounds and bytes rows.c'; do
        write_example "By ${row% *}" "${row##* }"
        exits 0 "$call" discover -q --counts --vary n=100,203,400,801,1600 --at n=6400 "${row##* }" -- '{n}'
        write_shown "By ${row% *}" expected
        grep -v ' runs in ' out >printed
        same printed expected
        empty err
        has out '^7 runs in .*; 6 in .* for arguments$'
    done
}

# The formula of one call is summed up over all of them.
write_shapes() {
    write_draw shapes.c
    cat >>shapes.c <<'C'
static void pairs(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            sink += x[j] < x[i];
}
static void grid(int nx, int ny)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            sink++;
}
static int part(int *a, int lo, int hi)
{
    int p = a[hi], i = lo;
    for (int j = lo; j < hi; j++)
        if (a[j] < p) {
            int t = a[i];
            a[i++] = a[j];
            a[j] = t;
        }
    int t = a[i];
    a[i] = a[hi];
    a[hi] = t;
    return i;
}
static void quick(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = part(a, lo, hi);
    quick(a, lo, p - 1);
    quick(a, p + 1, hi);
}
static void cube(int n, int m, int k)
{
    for (int i = 0; i < n * m; i++)
        for (int j = 0; j < k; j++)
            sink++;
}
static void inner(void)
{
    for (unsigned i = seed % 32; i < 32; i++)
        sink++;
}
static void outer(int times)
{
    for (int i = times; i > 0; i--)
        inner();
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, *a = malloc((size_t)n * sizeof *a);
    double x[64] = {0};
    cube(2 + (int)draw((unsigned)n), 3 + (int)(n * 7919 % 13), 1 + n * 31 % 17);
    for (int i = 0; i < n; i++) {
        a[i] = (int)draw(30000);
        pairs(x, draw(60));
        grid(3 + (int)draw(20), 4 + (int)draw(17));
        outer((int)draw(9));
    }
    quick(a, 0, n - 1);
    printf("%ld\n", sink);
    free(a);
    return 0;
}
C
}

loops_follow_polynomials_of_arguments() {
    write_shapes
    local hows=(gcc "clang -O1")
    [ "$thorough" = no ] || hows+=("gcc -O0" "gcc -O3 -std=c99 -pedantic-errors")
    for how in "${hows[@]}"; do
        command -v "${how%% *}" >/dev/null || continue
        discover --cc "$how" shapes.c -- '{n}'
        has_row steps 'sum(n of pairs)' pairs
        has_row steps 'sum(n*(n - 1)/2 of pairs)' pairs
        has_row steps 'sum(nx of grid) - 2*n' grid
        has_row steps 'sum(nx*ny of grid) + 4*n - 2*sum(nx of grid) - 2*sum(ny of grid)' grid
        has_row steps 'sum(hi of part) - sum(lo of part)' part
        has_row steps 'sum(n*m*k of cube)' cube
        has_row steps 'sum(times of outer)' inner
        empty err
    done
}

# A count that depends on the data of the function, and not on its arguments, stays what it is; arguments of a function whose
# counts have formulas are not asked for.
other_counts_stay_data() {
    write_shapes
    discover shapes.c -- '{n}'
    tr -s ' ' <out | grep -q ' data about .* inner shapes.c' || fail "a formula of inner"
    lacks out 'sum(most of draw)'
    write_draw plain.c
    printf 'int main(int argc, char **argv)\n{\n    for (int i = 0; i < atoi(argv[argc - 1]); i++)\n        draw(7);\n}\n' >>plain.c
    discover plain.c -- '{n}'
    lacks out 'for arguments'
}

# The count of a function may be what it hands on to another one.
what_is_handed_on_explains_the_caller() {
    write_draw hand.c
    cat >>hand.c <<'C'
static void clear(int room)
{
    for (unsigned i = seed % 32 & ~(unsigned)room; i < 32; i++)
        sink++;
}
static void take(void)
{
    int room = (int)draw(90);
    for (int i = 0; i < room; i++)
        sink++;
    clear(room);
}
static void apart(void)
{
    for (int i = 0, n = (int)draw(50); i < n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        take();
        apart();
    }
    return 0;
}
C
    discover hand.c -- '{n}'
    has_row steps 'sum(room of clear)' take
    tr -s ' ' <out | grep -q ' data about .* apart hand.c' || fail "a formula of apart"
}

# Both are run at another size: the formulas, with the sums told there, give the counts.
formulas_hold_at_other_sizes() {
    need python3
    write_shapes
    write_lists
    mkdir -p one/4
    local file
    for file in shapes lists; do
        discover --json --at n=6400 $file.c -- '{n}'
        cp out one/4/found.json
        exits 0 "$call" discover -q --counts --json --vary n=6400 $file.c -- '{n}'
        cp out one/4/counts.json
        exits 0 python3 "$CLL_SOURCE/bench/discover/judge.py" one one 6400 -
        cp out $file.said
    done
    has shapes.said 'steps by arguments: 8 formulas right at 4 times, 0 wrong'
    has lists.said 'steps by bounds or bytes: 2 formulas right at 4 times, 0 wrong'
    has lists.said 'steps by their own bounds: 2 formulas right at 4 times, 0 wrong'
}

# What a value is there, and in which unit, the page says.
json_lists_the_sums() {
    need python3
    write_shapes
    discover --json shapes.c -- '{n}'
    python3 - <<'PY' || fail "the members"
import json
j = json.load(open("out"))
sums = {(s["name"], s["argument"]): s for s in j["arguments"]}
for loop in j["loops"]:
    parts = [p for p in loop.get("of", []) if p["count"] == "argument"]
    if not parts:
        continue
    for k in range(len(j["runs"])):
        total = 0
        for p in loop["of"]:
            total += p["factor"] * (sums[p["name"], p["argument"]]["measured"][k] if p["count"] == "argument"
                                    else 1 if p["count"] == "one" else j["runs"][k][p["name"]])
        assert total == loop["measured"][k], (loop, k)
s = sums["pairs", "n"]
assert s["counts"] == "data" and s["scatter"] > 0 and s["sum"] == s["measured"][-1] and s["file"] == "shapes.c" and s["line"] > 0 and s["formula"], s
PY
}

# Programs of C++: members, constructors, templates, namespaces. No function that is constexpr or has `try` for a body.
arguments_of_cxx() {
    need g++
    cat >box.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static volatile long sink;
static unsigned seed = 1;
static unsigned draw(unsigned most)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % most;
}
enum color { red, green };
struct box {
    std::vector<int> v;
    size_t used{0};
    explicit box(size_t n) : v(n), used{n}
    {
        for (size_t i = 0; i < n; i++)
            v[i] = int(i);
    }
    long total(unsigned from, std::string name = {}, color c = red) const noexcept
    {
        long s = c + long(name.size());
        for (unsigned i = 0; i < from; i++)
            s += v[0];
        return s;
    }
    virtual void fill(const short k, bool twice)
    {
        for (short i = 0; i < k; i++)
            v[0] += twice;
    }
    virtual ~box() = default;
};
template <class T> static T power(T x, int n)
{
    T r = 1;
    while (n-- > 0)
        r *= x;
    return r;
}
namespace deep {
namespace {
void spin(long long times, double, char)
{
    for (long long i = 0; i < times; i++)
        sink++;
}
}
}
static constexpr int twice(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 2;
    return s;
}
static int trying(int n) try {
    int s = 0;
    for (int i = 0; i < n; i++)
        s++;
    return s;
} catch (...) {
    return 0;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        box b(5 + draw(50));
        sink += b.total(draw(40));
        b.fill((short)draw(11), true);
        sink += (long)power(2.0, (int)draw(33));
        deep::spin(draw(77), 1.0, 'x');
        sink += twice((int)draw(8)) + trying((int)draw(19));
        auto f = [&](int m) {
            for (int k = 0; k < m; k++)
                sink++;
        };
        f((int)draw(9));
    }
    std::printf("%ld\n", sink);
}
C
    local hows=(g++)
    [ "$thorough" = no ] || hows+=("clang++ -O1")
    for how in "${hows[@]}"; do
        command -v "${how%% *}" >/dev/null || continue
        discover --cc "$how" box.cpp -- '{n}'
        for row in 'n of power' 'times of spin' 'k of fill' 'from of total'; do
            has_text out "  sum($row)  "
        done
        has out 'steps  *sum(n of box::box(unsigned long))  '
        tr -s ' ' <out | grep -q ' data about .* twice box' || fail "a formula of twice"
        tr -s ' ' <out | grep -q ' data about .* trying box' || fail "a formula of trying"
        empty err
    done
}

# Functions that old C, macros and bit fields make, that call themselves, that longjmp leaves, signal handlers, functions of one line.
write_odd() {
    write_draw odd.c
    sed -i '1i #define _GNU_SOURCE 1\n#include <setjmp.h>\n#include <signal.h>\n#include <stdarg.h>' odd.c
    cat >shared.h <<'C'
static inline int twice(const int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 2;
    return s;
}
C
    cat >>odd.c <<'C'
#include "shared.h"
#define MAKE(name, step) static void name(int n) { for (int i = 0; i < n; i += step) sink++; }
MAKE(by_one, 1) MAKE(by_three, 3)
static void many(int n, ...)
{
    va_list l;
    va_start(l, n);
    for (int i = 0; i < n; i++)
        sink += va_arg(l, int);
    va_end(l);
}
struct bits {
    unsigned used : 5;
};
static void field(struct bits b, const unsigned n)
{
    for (unsigned i = b.used; i < n + b.used; i++)
        sink++;
}
static void rows(int n, int m, double a[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sink += a[i][j] > 0;
}
static void chars(_Bool b, char c, unsigned char u)
{
    for (int i = 0; i < c * b + u; i++)
        sink++;
}
static int deep(int n)
{
    for (int i = 0; i < n; i++)
        sink++;
    return n > 0 ? deep(n - 1) : 0;
}
static jmp_buf place;
static void leap(int n)
{
    for (int i = 0;; i++) {
        sink++;
        if (i == n)
            longjmp(place, 1);
    }
}
static void on_signal(int number)
{
    for (int i = 0; i < number + (int)(sink & 0); i++)
        sink++;
}
static int
split(int
      n)
{ int s = 0; while (n-- > 0) s++; return s; }
static int old(n, x)
    int n; const char *x;
{
    int i = 0;
    for (; i < n; i++)
        sink += *x;
    return i;
}
static void call_back(int (*f)(int n), int times)
{
    for (int i = 0; i < times; i++)
        sink += f(i & 3);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double a[200] = {0};
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < n; i++) {
        struct bits b = {draw(32)};
        int k = 1 + (int)draw(9);
        by_one((int)draw(50));
        by_three((int)draw(40));
        many((int)draw(3), 1, 2, 3);
        field(b, draw(70));
        rows(k, k + 2, (void *)a);
        chars(1, (char)draw(100), (unsigned char)draw(4));
        deep((int)draw(6));
        if (!setjmp(place))
            leap((int)draw(21));
        if (draw(7) == 0)
            raise(SIGUSR1);
        sink += split((int)draw(31)) + old((int)draw(11), "a") + twice((int)draw(13));
        call_back(abs, (int)draw(17));
    }
    printf("%ld\n", sink);
    return 0;
}
C
}
unusual_functions() {
    write_odd
    local hows=(gcc)
    [ "$thorough" = no ] || hows+=("gcc -O3" clang)
    for how in "${hows[@]}"; do
        command -v "${how%% *}" >/dev/null || continue
        discover --cc "$how" odd.c -- '{n}'
        has_row steps 'sum(n of by_one)' by_one
        has_row steps 'sum(n of many)' many
        has_row steps 'sum(n of field)' field
        has_row steps 'sum(n*m of rows)' rows
        has_row steps 'sum(c of chars) + sum(u of chars)' chars
        has_row steps 'sum(n of deep)' deep
        has_text out 'sum(n of leap)'
        has_row steps 'sum(n of split)' split
        has_row steps 'sum(n of old)' old
        has_row steps 'sum(n of twice)' twice
        has_row steps 'sum(times of call_back)' call_back
        tr -s ' ' <out | grep -q ' data about .* by_three odd' || fail "a formula of by_three"
        empty err
    done
}

# Without inline, and with declarations only where C had them first.
the_oldest_c() {
    cat >old.c <<'C'
#include <stdlib.h>
static unsigned seed = 1;
static volatile long sink;
static void line(n, x)
    int n;
    double x;
{
    int i;
    for (i = 0; i < n; i++)
        sink += x > 0;
}
int main(int argc, char **argv)
{
    int i, n = argc > 1 ? atoi(argv[1]) : 0;
    for (i = 0; i < n; i++) {
        seed = seed * 1103515245 + 12345;
        line((int)(seed >> 16 & 63), 1.0);
    }
    return 0;
}
C
    discover --cflags '-ansi -Wall -Wextra -Wdeclaration-after-statement -Werror' old.c -- '{n}'
    has_row steps 'sum(n of line)' line
    empty err
}

# A child of fork has what its parent told: it writes nothing, the function is not told as often as it was counted, and has no sum.
functions_of_children_are_left_out() {
    write_draw forks.c
    sed -i '1i #include <sys/wait.h>\n#include <unistd.h>' forks.c
    cat >>forks.c <<'C'
static void line(int n)
{
    for (int i = 0; i < n; i++)
        sink++;
}
static void own(int n)
{
    for (int i = 0; i < n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        line((int)draw(50));
        own((int)draw(30));
    }
    if (!fork()) {
        line((int)draw(50));
        exit(0);
    }
    wait(NULL);
    return 0;
}
C
    discover forks.c -- '{n}'
    has_row steps 'sum(n of own)' own
    lacks out 'sum(n of line)'
}

threads_add_up() {
    write_draw threads.c
    cat >>threads.c <<'C'
#include <pthread.h>
static int size;
static void part(long n)
{
    for (long i = 0; i < n; i++)
        __atomic_fetch_add(&size, 0, __ATOMIC_RELAXED);
}
static void *work(void *x)
{
    unsigned s = (unsigned)(size_t)x + 7;
    for (int i = 0; i < size * 20; i++) {
        s = s * 1103515245 + 12345;
        part(s >> 16 & 31);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    size = argc > 1 ? atoi(argv[1]) : 0;
    for (size_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
    discover threads.c -- '{n}'
    has_row steps 'sum(n of part)' part
}

a_program_that_ends_without_exit() {
    write_draw ends.c
    cat >>ends.c <<'C'
#include <unistd.h>
static void part(long n)
{
    for (long i = 0; i < n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++)
        part((long)draw(30));
    _exit(0);
}
C
    discover ends.c -- '{n}'
    has_row steps 'sum(n of part)' part
}

processes_add_up() {
    mpi_library openmpi
    write_draw ranks.c
    cat >>ranks.c <<'C'
#include <mpi.h>
static void part(long n)
{
    for (long i = 0; i < n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seed += (unsigned)rank;
    for (int i = 0; i < n; i++)
        part((long)draw(30));
    MPI_Finalize();
    return 0;
}
C
    exits 0 "$call" discover -q --counts --vary n=50,101,200,399,800 --procs 1,2 --cc "$mpicc" ranks.c -- '{n}'
    has_row steps 'sum(n of part)' part
}

# A sum is compared with what functions are told now: other data change nothing, another loop does.
a_check_compares_sums() {
    write_shapes
    exits 0 "$call" discover -q --vary n=$sizes --save saved.json shapes.c -- '{n}'
    sed -i 's/seed = 1;/seed = 77;/' shapes.c
    exits 0 "$call" discover -q --vary n=$sizes --check saved.json shapes.c -- '{n}'
    has out 'none has changed'
    sed -i 's/j = lo; j < hi/j = lo; j <= hi/' shapes.c
    exits 1 "$call" discover -q --vary n=$sizes --check saved.json shapes.c -- '{n}'
    has_text out 'loop 1 of part: iterations are now calls(part) + sum(hi of part) - sum(lo of part), before sum(hi of part) - sum(lo of part) (n = 1601: '
    has out ': 1 changed'
    # a file whose function has no such argument now: growth is compared
    sed -i 's/"argument": "lo"/"argument": "low"/' saved.json
    sed -i 's/j = lo; j <= hi/j = lo; j < hi/' shapes.c
    exits 0 "$call" discover -q --vary n=$sizes --check saved.json shapes.c -- '{n}'
    has out 'none has changed'
}

# Objects, the program and the build as they were.
objects_that_told_are_given_back() {
    need make
    write_shapes
    printf 'app: shapes.o\n\t$(CC) -o $@ shapes.o\nshapes.o: shapes.c\n\t$(CC) -O2 -Wall -Werror -MD -c -o $@ shapes.c\n' >Makefile
    discover --build make -- ./app '{n}'
    has_row steps 'sum(times of outer)' inner
    empty err
    exits 0 nm shapes.o app
    lacks out 'gcov\|cll_'
    gone ./*.gcno
    exits 0 make -q
}

# Its own sums need another build and further runs. Without them the counts are there.
what_goes_wrong_leaves_the_counts() {
    need make
    write_shapes
    discover --build 'if [ "${CLL_DISCOVER_ARGUMENTS-}" ]; then echo no such tool >&2; exit 3; fi; $CC -O2 -o app -c shapes.c -o shapes.o && $CC -o app shapes.o' -- ./app '{n}'
    has err 'the command failed with exit status 3'
    has err '^call discover: so no formula uses arguments of functions$'
    has_row exact n main
    lacks out 'sum('
    # the eighth run and those after it fail
    sed -i 's/^    double x\[64\].*/&\n    FILE *f = fopen("runs", "a+");\n    fputc(120, f);\n    fflush(f);\n    if (ftell(f) > 7)\n        return 3;\n    fclose(f);/' shapes.c
    rm -f runs
    discover shapes.c -- '{n}'
    is "$(cat err)" 'call discover: a run in which functions tell their arguments failed, or did not end in time, so no formula uses them'
    has_row exact n main
    lacks out 'sum('
    # a program that is only run, and one that has not the compilers of CALL
    sed -i '/FILE \*f/,/fclose/d' shapes.c
    discover --build '"$CC" -O2 -c shapes.c && gcc -fprofile-arcs -o app shapes.o' -- ./app '{n}'
    has_row steps 'sum(times of outer)' inner
}

# A source that the compiler refuses with the calls is compiled as it is: other sources tell.
a_source_that_is_not_understood() {
    write_shapes
    write_draw apart.c
    cat >>apart.c <<'C'
void apart(int n)
{
    int cll_told_now = n;
    for (int i = 0; i < cll_told_now; i++)
        sink++;
}
C
    sed -i 's/^int main/void apart(int n);\n&/; s/^    quick(a, 0/    for (int i = 0; i < n; i++)\n        apart((int)draw(9));\n&/' shapes.c
    discover shapes.c apart.c -- '{n}'
    has_row steps 'sum(times of outer)' inner
    lacks out 'sum(n of apart)'
    empty err
}

# If it refuses them with loops, as where a type looks like a variable, arguments are told alone.
a_loop_that_is_not_understood() {
    write_shapes
    sed -i 's/^static void outer(int times)/typedef int type;\n&/; s/^    for (int i = times; i > 0; i--)/    for (int i = times; (type *const)0 || i > 0; i--)/' shapes.c
    discover shapes.c -- '{n}'
    has_row steps 'sum(times of outer)' inner
    lacks out ' at shapes.c'
    empty err
}

# The formula of one execution has the arguments, whatever the calls are. That of a function with a formula over the sizes has
# these.
pragmas_have_arguments() {
    need patch
    write_draw parts.c
    cat >>parts.c <<'C'
static void smooth(int n, int P)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < P; j++)
            sink++;
}
static void nearest(int length)
{
    for (int i = 0; i < length; i++)
        for (int j = 0; j <= i; j++)
            sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        smooth(1 + (int)draw(99), 1 + (int)draw(7));
        if (draw(3) == 0)
            nearest((int)draw(60));
    }
    return 0;
}
C
    takes '1e-3*argument()'
    exits 0 "$call" discover -q -n 3 --vary n=20,33,48,71,100,135 --write found.patch parts.c -- '{n}'
    empty err
    exits 0 patch -p1 -i found.patch
    has_text parts.c '#pragma cll smooth(smooth_n = n, smooth_P = P) SELF = smooth[0] + smooth[1]*(smooth_n*smooth_P - smooth_P)'
    has parts.c '^#pragma cll nearest(length) SELF = nearest.0. + nearest.1.[*](length + length[*](length - 1)/2)$'
    has_text parts.c '#pragma cll draw(setting n) SELF = '
    takes '1e-3 + 1e-6*(is("smooth") ? value("smooth_n")*value("smooth_P") - value("smooth_P") : is("nearest") ? value("length")*(value("length") + 1)/2 : 0)'
    exits 0 "$call" run -q -n 2 --vary n=20,71,135 parts.c -- '{n}'
    exits 0 "$llac" parts.cll.*.dat -e 'show nearest' -e 'show smooth'
    has out '^ *57  *135  *4  *0.002653 '
    has out ' smooth  *[0-9]* samples  *over smooth_n, smooth_P, n '
}

# write_heads FILE: heads of loops that are hard to read, and what a program with them prints
write_heads() {
    cat >"$1" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list {
    int len;
    unsigned n : 7;
    struct list *next;
    struct {
        short m;
    } in[2];
};
static long sum;
static int evaluated;
static int next(void) { return ++evaluated % 5; }
#define EACH(i, n) for (i = 0; i < (n); i++)
#define WHILE_LESS(i, p) while ((i) < (p)->len)
static void heads(struct list *p, struct list *q, int n)
{
    int i, k, unset, *unknown;
    if (n)
        for (i = 0; i < p->len; i++)
            sum += i;
    else
        sum += 1000;
    for (i = 0; q && i < q->len; i++)
        sum += 3;
    for (unset = next(), i = 0; i < unset; i++)
        sum += 5;
    for (unknown = &p->len, i = 0; i < *unknown && i < unknown[0]; i++)
        sum += 7;
    i = 0;
    while (i++ < next())
        sum += 11;
    k = n;
again:
    for (i = n; i > 0; i -= 2)
        sum += 13;
    if (k-- > 0)
        goto again;
    switch (n & 3) {
    case 0:
        while (n > i)
            i++;
        break;
    case 1:
    case 2:
        for (i = p->in[1].m; i < 9; i++)
            sum += 17;
        break;
    default:
        for (i = 0; 4 >= i; i++)
            sum += 19;
    }
    EACH (i, p->n)
        EACH (k, i)
            sum += 23;
    i = 0;
    WHILE_LESS(i, p)
    i++;
    do
        i--;
    while (i > n);
    for (struct list *r = p; r; r = r->next)
        for (int j = r->len, end = (int)r->n; j < end; j++)
            sum += j;
    if (n > 2)
        while (n-- > 0)
            if (n & 1)
                for (k = 0; k < n; k++)
                    sum += k;
            else
                while (k > 0)
                    k--;
    for (i = 0; i < (int)sizeof q->in / (int)sizeof *q->in; i++)
        sum++;
}
int main(void)
{
    struct list b = {3, 9, NULL, {{1}, {7}}}, a = {6, 17, &b, {{0}, {2}}};
    char *volatile s = (char *)malloc(10), *volatile t = (char *)calloc(3, 7);
    s = (char *)realloc(s, 50 + (size_t)next());
    memset(s, 0, 50);
    for (int i = 0; i < 9; i++)
        heads(&a, i % 2 ? &b : NULL, i);
    printf("%ld %d %d\n", sum, evaluated, *s + *t);
    free(s);
    free(t);
    return 0;
}
C
}

# A program that tells does what it did, and reads nothing that it would not have read: no member of a null pointer.
programs_that_tell_do_the_same() {
    write_heads heads.c
    cp heads.c heads.cpp
    local how hows=("gcc -std=c99 -pedantic-errors -Wall -Werror" "g++") file row
    [ "$thorough" = no ] || hows+=("gcc -fsanitize=address,undefined -fno-sanitize-recover" "g++ -fsanitize=address,undefined" "gcc -O3" "clang -O1" "clang++ -O1")
    for how in "${hows[@]}"; do
        command -v "${how%% *}" >/dev/null || continue
        file=heads.c
        [[ ${how%% *} != *++ ]] || file=heads.cpp
        grep -nE '^static void heads|^int main' $file | sed -E "s#^([0-9]+):.*(heads|main)\(.*#\1 \2 lb $PWD/$file#" >list
        read -ra how <<<"$how"
        exits 0 "${how[@]}" -Wno-dangling-else -o plain $file
        CLL_DISCOVER_ARGUMENTS=$PWD/list exits 0 "$call" cc "${how[@]}" -Wno-dangling-else -o telling $file
        exits 0 env ASAN_OPTIONS=detect_leaks=0 ./plain
        cp out expected
        rm -rf told
        exits 0 env ASAN_OPTIONS=detect_leaks=0 GCOV_PREFIX="$PWD/told" ./telling
        same out expected
        cat told/*.told >lines
        # how often, and the sums: a dangling else; what comes behind a null pointer; a macro; the first part of a head
        for row in '9 36 .* heads :n' '8 48 0 .*:p->len' '9 0 0 .*:q' '9 153 .*:p->n' '153 1224 .*:i' '9 0 54 .*:i,(p)->len' '18 81 234 0 .*:r->len,r->n' \
            '45 240 .*:n' '4 8 .*:p->in\[1\].m' '1 10 .* main malloc:bytes' '1 21 .*calloc:bytes' '1 51 .*realloc:bytes'; do
            has lines "^$row "
        done
    done
}

write_lists() {
    write_draw lists.c
    cat >>lists.c <<'C'
struct list {
    int len;
    unsigned long times;
};
static void touch(void) { sink++; }
static void pairs(const struct list *p)
{
    for (int i = 0; i < p->len; i++) {
        if (i % 8)
            touch();
        for (int j = i + 1; j < p->len; j++)
            sink++;
    }
}
static void again(struct list *const *q, int which)
{
    unsigned long k = q[1]->times;
    while (k-- > 0)
        sink += k & 1;
    for (int i = 0; q[which] && i < q[which]->len && seed % 64; i++)
        draw(2);
    for (k = 0; q[1]->len > (int)k; k++) {
        if (draw(50) == 0)
            break;
        sink++;
    }
}
static char *read_line(void)
{
    int n = (int)draw(70);
    char *s = malloc((size_t)n + 1);
    for (int i = 0; i < n; i++)
        s[i] = 'a';
    s[n] = 0;
    return s;
}
static void count(const char *s)
{
    do
        sink++;
    while (*s++);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        struct list l = {(int)draw(60), draw(17)}, *q[] = {NULL, &l};
        char *s = read_line();
        count(s);
        free(s);
        pairs(&l);
        again(q, i & 1);
    }
    return 0;
}
C
}
# What ends before its bound stays data. A loop that only its own bound explains is told apart.
loops_follow_the_heads_of_loops() {
    write_lists
    local hows=(gcc)
    [ "$thorough" = no ] || hows+=("clang -O1" "gcc -O3")
    for how in "${hows[@]}"; do
        command -v "${how%% *}" >/dev/null || continue
        discover --cc "$how" lists.c -- '{n}'
        has_row steps 'sum(p->len at lists.c:17)' pairs
        has_row steps 'sum(p->len*(p->len - 1)/2 at lists.c:17)' pairs
        has_row steps 'sum(k at lists.c:27)' again
        has_row steps 'sum(bytes of malloc in read_line) - n' read_line
        for row in 'again lists.c:29' 'again lists.c:31' 'touch lists.c:14'; do
            tr -s ' ' <out | grep -q " data about .* $row" || fail "a formula of $row"
        done
        has out '^of .* % steps by bounds or bytes, .* % steps by their own bounds, '
        empty err
    done
}

# Members of JSON; other data change nothing, a longer loop does; lines may move.
a_check_compares_bounds() {
    need python3
    write_lists
    exits 0 "$call" discover -q --json --counts --vary n=$sizes --save saved.json lists.c -- '{n}'
    python3 - <<'PY' || fail "the members"
import json
j = json.load(open("saved.json"))
sums = {(s["name"], s["argument"], s.get("loop"), s.get("allocator")): s for s in j["arguments"]}
assert ("pairs", "p->len*(p->len - 1)/2", 1, None) in sums, sums.keys()
assert ("read_line", "bytes", None, "malloc") in sums, sums.keys()
compared = 0
for entry in j["loops"] + j["functions"]:
    parts = entry.get("of", [])
    if not all(p["count"] in ("argument", "size", "one") for p in parts):
        continue
    for k in range(len(j["runs"])) if parts else ():
        total = 0
        for p in parts:
            value = 1 if p["count"] == "one" else j["runs"][k][p["name"]] if p["count"] == "size" else \
                sums[p["name"], p["argument"], p.get("loop"), p.get("allocator")]["measured"][k]
            total += p["factor"] * value
        assert total == entry["measured"][k], (entry, k)
        compared += 1
assert compared > 20, compared
PY
    sed -i 's/seed = 1;/seed = 77;\n/' lists.c
    exits 0 "$call" discover -q --vary n=$sizes --check saved.json lists.c -- '{n}'
    has out 'none has changed'
    sed -i 's/j = i + 1; j < p->len/j = i; j < p->len/; s/while (\*s++)/while (*s++ || draw(2))/' lists.c
    exits 1 "$call" discover -q --vary n=$sizes --check saved.json lists.c -- '{n}'
    has_text out 'loop 2 of pairs: iterations are now '
    has_text out ', before sum(p->len*(p->len - 1)/2 at lists.c:17) (n = 1601: '
    has_text out 'loop 1 of count: iterations are now '
}

# Functions of the program that have these names are its own; an array of C++ has elements.
allocations_of_others_tell_nothing() {
    write_lists
    sed -i 's/^static char \*read_line/static char room[100];\nstatic void *own(size_t n)\n{\n    return room + (n > 100);\n}\n&/; s/free(s);//; s/= malloc(/= own(/' lists.c
    discover lists.c -- '{n}'
    lacks out 'of malloc'
    sed -i 's/own(/malloc(/; s/<stdlib.h>/<stddef.h>\nint atoi(const char *s);/' lists.c
    discover --cflags '-O2 -fno-builtin' lists.c -- '{n}'
    lacks out 'of malloc'
    has_row steps 'sum(n at lists.c:47)' read_line
    need g++
    write_lists
    sed 's/char \*s = malloc((size_t)n + 1)/char *s = new char[(size_t)n + 1]/; s/free(s)/delete[] s/' lists.c >lists.cpp
    discover lists.cpp -- '{n}'
    has_text out 'sum(elements of new in read_line)'
}

# What the head of a loop has is not known where its function begins: the pragma has the mean of its executions.
pragmas_have_no_bounds() {
    write_draw bound.c
    cat >>bound.c <<'C'
struct list {
    int len;
};
static void smooth(const struct list *p)
{
    for (int i = 1; i < p->len; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        struct list l = {1 + (int)draw(99)};
        if (draw(3))
            smooth(&l);
    }
    return 0;
}
C
    takes '1e-3*argument()'
    exits 0 "$call" discover -q -n 3 --vary n=200,333,480,710,1000,1351 --write found.patch bound.c -- '{n}'
    has_text out 'sum(p->len at bound.c:15) - calls(smooth)'
    has found.patch '^+#pragma cll smooth(setting n) SELF = '
    lacks found.patch '^+.*len'
}

main "$1"
