# SPDX-License-Identifier: GPL-3.0-or-later
# call discover: the own times of functions, the run time, the patch. Where a test expects more of a time than that it is there,
# the time is computed (`takes`). The rest of main has no region, so a rule gives it no time.
. "$CLL_SOURCE/tests/harness/mpi.sh"
unset GCOV_PREFIX GCOV_PREFIX_STRIP CXX FC MPICC MPICXX MPIFC

# squares: each execution of a region takes 1 s, and 2 us for each of the n*(n - 1)/2 pairs, where n is the first argument. At
# n=6000 work.c calls compare so often that it has no region on any machine.
squares() { takes '1 + 1e-6*argument()*(argument() - 1)'; }
discover() { exits 0 "$call" discover -q -n 3 "$@"; }

write_work() {
    cat >work.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}
static inline int step(int x) { return x * 5 + 1; }
static int pairs(const int *a, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            found += a[i] == step(a[j]);
    return found;
}
static void order(int *a, int n)
{
    qsort(a, n, sizeof *a, compare);
}
static int dispatch(int n)
{
    static const void *const labels[] = {&&even, &&odd};
    goto *labels[n % 2];
even:
    return 0;
odd:
    return 1;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    int *a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = rand() % 1000;
    order(a, n);
    printf("%d %d\n", pairs(a, n), dispatch(n));
    exit(0);
}
C
}

# value EXPRESSION: of the JSON in `out`, j; function NAME is f("NAME")
value() {
    python3 - "$1" <<'P'
import json, sys
j = json.load(open("out"))
def f(name): return [x for x in j["functions"] if x["name"].split("(")[0] == name][0]
print(eval(sys.argv[1]))
P
}

own_times_have_models() {
    need python3
    squares
    write_work
    discover --json --vary n=300,601,1200,2403,6000 --at n=20000 --data own.dat work.c -- '{n}'
    is "$(value 'f("pairs")["time_formula"]')" 'pairs[0] + pairs[1]*(1/2*n^2 - 1/2*n)'
    is "$(value 'f("pairs")["time_counts"]')" exact
    is "$(value 'len(f("pairs")["constants"]) == len(f("pairs")["terms"]) == 2')" True
    is "$(value 'f("pairs")["at"]["low"] <= f("pairs")["at"]["value"] <= f("pairs")["at"]["high"]')" True
    is "$(value '["%.4g" % x for x in f("pairs")["constants"]]')" "['1', '2e-06']"
    is "$(value '"%.6g %.6g %.6g" % (f("pairs")["now"], f("pairs")["share_pct"], f("pairs")["at"]["value"])')" '36.994 50 400.98'
    is "$(value 'f("main")["at"]["value"]')" 0  # what has no region
    is "$(value '"at" in f("compare") or "at" in f("step")')" False # they are called too often
    is "$(value 'j["total"]["low"] <= j["total"]["value"] <= j["total"]["high"]')" True
    is "$(value '"%.6g" % j["total"]["now"]')" 73.988 # `# elapsed:` is computed as well
    is "$(value 'j["not_modelled_pct"]')" 0
    is "$(value '"n^2" in j["total"]["formula"]')" True
    # llac goes on with the same data
    exits 0 "$llac" own.dat -e 'show pairs'
    has out ' 15 samples '
    has out 'CLOCK = pairs\[0\] + pairs\[1\]'
    is "$(header own.dat clock)" computed
}

# Without a rule: what a time is depends on the machine, and that it is there does not.
real_times_are_measured() {
    need python3
    write_work
    discover --json --vary n=300,601,1200 --data own.dat work.c -- '{n}'
    is "$(header own.dat clock)" clock_gettime
    is "$(rows own.dat | sed 's/^[1-9].*/some/')" some
    is "$(value 'j["total"]["now"] > 0, "now" in f("main")')" '(True, True)' # though exit leaves main
    is "$(value 'j["overhead_pct"] > 0')" True
}

# Where no function can have a region, the run time is still that of the program, not that of what else the machine does: here
# another program waits before.
a_run_without_regions_is_not_the_clock() {
    cat >tree.c <<'C'
#include <stdlib.h>
static int leaves(int n) { return n < 2 ? 1 : leaves(n / 2) + leaves(n - n / 2); }
int main(int argc, char **argv) { return leaves(argc > 1 ? atoi(argv[1]) : 1) < 1; }
C
    printf 'app: tree.c\n\t$(CC) -O2 -o $@ tree.c\n' >makefile
    printf '#!/bin/sh\nsleep 1\nexec ./app "$1"\n' >later.sh
    chmod +x later.sh
    discover --json -n 1 --vary n=20000,50001,100000 --build 'make CC="$CC"' -- ./later.sh '{n}'
    is "$(value 'j["total"]["now"] < 0.9')" True
}

the_table_has_all_parts() {
    squares
    write_work
    discover --vary n=300,601,1200,2403,6000 --at n=20000 work.c -- '{n}'
    has out '^run time at n = 20000: .*, from .* to .*; measured at n = 6000: '
    has out '^  = .*n^2'
    has out '^own times of functions at n = 6000, and predicted at n = 20000$'
    has out ' pairs  *exact '
    has out '^15 runs in 3 rounds took .*; [0-9]* regions in a run took .* % of it$'
    has out '^iterations of loops at n = 20000$'
    discover --counts --vary n=300,601,1200,2403,6000 work.c -- '{n}'
    lacks out 'own times'
}

# The patch applies, builds with and without CALL, and the regions have the formulas that were found.
the_patch_gives_the_same_models() {
    need patch
    squares
    write_work
    discover --vary n=300,601,1200,2403,6000 --at n=20000 --write found.patch work.c -- '{n}'
    has found.patch '^+#pragma cll pairs(setting n) SELF = pairs\[0\] + pairs\[1\]\*(1/2\*n^2 - 1/2\*n)$'
    has found.patch '^+#pragma cll end pairs$'
    exits 0 patch -p1 -i found.patch
    exits 0 "$CC" -O2 -Wno-unknown-pragmas work.c -o plain
    exits 0 "$call" run -n 1 --vary n=300,601,1200,2403,6000 work.c -- '{n}'
    has out '^pairs SELF = pairs\[0\] + pairs\[1\]\*(1/2\*n^2 - 1/2\*n)$'
    has out '^  pairs\[1\] '
}

# The page of llac, with the functions, their counts and who calls whom. Nothing in it ends the block of data.
the_page_has_a_tree_of_calls() {
    need python3
    squares
    write_work
    discover --vary n=300,601,1200,2403,6000 --at n=20000 --report page.html work.c -- '{n}'
    python3 - >tree <<'P'
import json, re
block = re.findall('<script type="application/json" id="tree">(.*?)</script>', open("page.html").read(), re.S)
tree = json.loads(block[0])
names = [n["name"] for n in tree["nodes"]]
for n in tree["nodes"]:
    print(n["name"], names[n["parent"]] if n["parent"] is not None else "-", n["model"], n.get("counts"), n.get("loops"))
P
    has tree '^main - '
    has tree '^pairs main [0-9]* exact line 12: 1/2\*n^2 - 1/2\*n (exact); line 11: n (exact)$'
    exits 2 "$call" discover --counts --vary n=3,5 --report page.html work.c -- '{n}'
    has err 'need times'
}

# What starts the program may have other descriptors, as mpirun has: the data find their way all the same.
a_launcher_has_descriptors_of_its_own() {
    need make
    squares
    write_work
    printf 'app: work.c\n\t$(CC) -O2 -o $@ $<\n' >Makefile
    discover --json -n 1 --vary n=1200,2403,6000 --build 'make' -- \
        sh -c 'exec 3</dev/null 4</dev/null 5</dev/null 6</dev/null 7</dev/null 8</dev/null 9</dev/null; exec ./app {n}'
    is "$(value '"%.6g" % f("pairs")["now"]')" 36.994
}

# Objects of the project: with counters, with regions, and at the end its own again, by the usual compiler if CC is not set.
a_project_gets_its_objects_back() {
    need make
    squares
    write_work
    printf 'app: work.o\n\tar rc all.a work.o\n\t$(CC) -o $@ all.a\nwork.o: work.c\n\t$(CC) -O2 -c -o $@ $<\n' >Makefile
    unset CC
    discover --json --vary n=300,601,1200,2403,6000 --build 'make CC="$CC"' -- ./app '{n}'
    is "$(value '"constants" in f("pairs")')" True
    exits 0 nm app
    lacks out 'gcov\|cll_'
    exits 0 make
    has out 'up to date'
}

regions_of_fortran_and_templates() {
    need gfortran
    need python3
    cat >solve.f90 <<'F'
module grid
contains
  subroutine relax(u, n)
    integer, intent(in) :: n
    real(8) :: u(n, n), v(n)
    integer :: i
    v = 0
    do i = 2, n
      u(:, i) = 0.5d0 * (u(:, i) + u(:, i - 1)) + v(i)
    end do
    if (n < 3) return
    u(1, 1) = inner(n)
  contains
    real(8) function inner(k)
      integer, intent(in) :: k
      inner = k
    end function
  end subroutine
end module
program solve
  use grid
  integer :: n
  character(20) :: word
  real(8), allocatable :: u(:, :)
  call get_command_argument(1, word)
  read (word, *) n
  allocate (u(n, n))
  u = 1
  call relax(u, n)
  print *, u(n, n)
end program
F
    takes '({ static double sum; sum += 1 + 1e-6*argument()*argument(); sum; })' # relax, and inner before it ends
    discover --json --vary n=40,81,160,321,400 solve.f90 -- '{n}'
    is "$(value 'f("grid::relax")["time_counts"], round(f("grid::relax")["share_pct"])')" "('exact', 50)"
    squares
    cat >boxes.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <vector>
template <class T> struct box {
    std::vector<T> cells;
    explicit box(int n) : cells(n * n) {}
    T total() const
    {
        T sum{};
        for (auto &c : cells)
            sum += c;
        return sum;
    }
};
constexpr int twice(int n) { return 2 * n; }
int main(int, char **argv)
{
    box<double> b(twice(std::atoi(argv[1])));
    box<float> c(std::atoi(argv[1]) / 2);
    std::printf("%g %g\n", b.total(), (double)c.total());
}
C
    discover --json --vary n=40,81,160,321,400 boxes.cpp -- '{n}'
    is "$(value 'f("box<double>::total")["time_counts"]')" exact
}

# Instances of a template share a region, and its formula is divided by the calls of all of them. Functions of one name in two
# files have each their own terms, and a namespace without a name is no part of a label.
instances_and_namesakes() {
    need python3
    need patch
    cat >total.h <<'C'
static volatile double sink;
template <class T> void total(T *v, int n)
{
    for (int i = 0; i < n; i++)
        sink = sink + v[i];
}
void second(int n);
C
    cat >one.cpp <<'C'
#include <stdlib.h>
#include "total.h"
namespace {
double cells[9000];
void step(int n)
{
    for (int i = 0; i < n; i++)
        sink = sink + i;
}
void first(int n)
{
    for (int i = 0; i < n * n; i++) // too often for a region
        step(200);
}
}
int main(int, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i < 10; i++)
        total(cells, 30 * n);
    first(n);
    second(n);
}
C
    cat >two.cpp <<'C'
#include "total.h"
namespace {
float cells[9000];
void step(int n)
{
    for (int i = 0; i < n; i++)
        sink = sink + i;
}
}
void second(int n)
{
    for (int i = 0; i < 20000 * n; i++)
        sink = sink + i;
    for (int i = 0; i < n; i++)
        step(2);
    for (int i = 0; i < n; i++)
        total(cells, 30 * n);
}
C
    # In the order in which they end: total 10 times, first, then step and total n times, and second, which contains these.
    takes '({ static double k; double n = argument(), total = (1 + 3e-5*n*n)/(n + 10), step = 1e-6; k++;
        k == 11 ? 1 + 1e-3*n*n : k == 2*n + 12 ? 1 + 0.02*n + n*(total + step) : k > 11 && k < n + 12 ? step : total; })'
    discover --json --vary n=50,100,151,200,300 --write found.patch one.cpp two.cpp -- '{n}'
    is "$(value '["%.4g" % x for x in f("second")["constants"]]')" "['1', '1e-06']"
    is "$(value 'f("second")["terms"], f("void total<double>")["calls"]')" "(['1', '20000*n'], 10)"
    has found.patch '^+#pragma cll total(setting n) SELF = (total\[0\] + total\[1\]\*30\*n^2)/(n + 10)$'
    has found.patch '^+#pragma cll first(setting n) SELF = first\[0\] '
    exits 0 patch -p1 -i found.patch
    exits 0 "$call" cc g++ -c one.cpp
}

names_in_the_table_are_short() {
    cat >names.cpp <<'C'
#include <stdlib.h>
static volatile double sink;
namespace library_of_trees { namespace impl { namespace {
struct walker {
    int n;
    void up(int) { for (int i = 0; i < n * n; i++) sink = i; }
    void up(double) { for (int i = 0; i < 2 * n * n; i++) sink = i; }
    template <class T> int down(T m) { for (int i = 0; i < 3 * m * m; i++) sink = i; return 0; }
};
} } }
int main(int, char **argv)
{
    library_of_trees::impl::walker w = {atoi(argv[1])};
    w.up(1);
    w.up(1.0);
    w.down(w.n);
}
C
    squares
    discover --vary n=50,100,151,200,300 names.cpp -- '{n}'
    has out ' \.\.\.[a-z_]*::impl::walker::down<int>  *exact '
    has out ' \.\.\.[a-z_]*::impl::walker::up(int)  *exact '
    has out ' \.\.\.[a-z_]*::impl::walker::up(double)  *exact '
    lacks out anonymous
}

# A function that no size of --vary executes is seen at 4 times the largest one.
what_begins_beyond_the_sizes_is_not_predicted() {
    need python3
    cat >late.c <<'C'
#include <stdlib.h>
static volatile double sink;
static void simple(long n)
{
    for (long i = 0; i < n * 300; i++)
        sink += i;
}
static void clever(long n, long m)
{
    for (long i = 0; i < n; i++)
        for (long k = 0; k < m; k++)
            sink += i;
}
int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[1]) : 0;
    simple(n);
    if (n > 2000)
        clever(n, atol(argv[2]));
    return 0;
}
C
    squares
    discover --vary n=100,201,400,801,1600 --at n=64000 late.c -- '{n}' 6400
    has out '^run time at n = 64000: -; measured'
    has out '^at n = 6400 the program executes 22[.0-9]* times what its smaller sizes say, most of that in late.c:11, so the run time is not predicted: give --vary '
    has out ' -  refuted  0, not at n = 6400  clever  late.c:10$'
    discover --json --vary n=100,201,400,801,1600 --at n=6400 late.c -- '{n}' 10
    is "$(value 'j["change"]["at"], "%.3g %.3g" % (j["change"]["more_pct"], j["change"]["less_pct"])')" "({'n': 6400}, '3.67 0')"
    is "$(value 'f("clever")["counts"], f("clever")["calls"], f("clever")["not_at"], f("clever")["measured"]')" \
        "('refuted', 1, [{'n': 6400}], [0, 0, 0, 0, 0])"
    is "$(value 'j["total"]["value"] > 10 and j["total"]["high"] > 1.03 * j["total"]["value"]')" True
    discover --vary n=100,201,400,801,1600 --at n=6400 late.c -- '{n}' 10
    has out '^at n = 6400 the program executes 3.7 % more than what its smaller sizes say, most of that in late.c:11; the interval allows for it$'
    discover --vary n=100,201,400,801,1600 --at n=64000 late.c -- '{n}' 10
    has out '^at n = 6400 the program executes 3.7 % more than what its smaller sizes say, and perhaps by 37 % at n = 64000, most of that in late.c:11, so the run time is not predicted: '
    discover --vary n=100,201,400,801,1600 --at n=640000 late.c -- '{n}' 10
    has out ', and perhaps by 367 % at n = 640000, '
    exits 0 "$call" discover -q --save saved.json --vary n=100,201,400,801,1600 --at n=64000 late.c -- '{n}' 10
    lacks saved.json clever
}

# The innermost function around a lambda does its work; no other function of the file does.
lambdas_belong_to_their_functions() {
    cat >lambdas.cpp <<'C'
#include <stdlib.h>
static volatile double sink;
static void first(int n)
{
    for (int i = 0; i < 200 * n; i++)
        sink = i;
}
int main(int, char **argv)
{
    int n = atoi(argv[1]);
    auto work = [](auto k) {
        auto inner = [](int m) {
            for (int i = 0; i < m; i++)
                sink = i;
        };
        for (int i = 0; i < k; i++)
            inner(k);
    };
    work(n);
    first(n);
    work(n * 1L);
}
C
    squares
    discover --vary n=1000,2003,4000,5001,7000 --at n=14000 lambdas.cpp -- '{n}'
    has out ' main::lambda#1<> *exact .*n^2'
    has out ' first *searched '
    has out ' exact *n^2 *main::lambda#1<long>::lambda#1 *lambdas.cpp:13$'
    has out ' steps *n *main::lambda#1<int> *lambdas.cpp:16$'
}

own_times_of_processes() {
    mpi_library openmpi
    need python3
    takes '1 + 1e-6*argument()/atoi(getenv("OMPI_COMM_WORLD_SIZE"))'
    cat >ring.c <<'C'
#include <mpi.h>
#include <stdlib.h>
static volatile double sink;
static void local(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}
int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    local(atoi(argv[1]) / size);
    MPI_Finalize();
    return 0;
}
C
    discover --json --cc "$mpicc" -n 1 --vary n=1000,3000,5000,9000 --procs 1,2 ring.c -- '{n}'
    is "$(value 'f("local")["time_formula"]')" 'local[0] + local[1]*n/P'
    is "$(value 'j["total"]["now"] > 0')" True
    lacks err 'is measured as a part'
    # the command starts the processes
    mpicc -show | grep -q openmpi || return 0 # else call-mpicc is of another library
    printf 'ring: ring.o\n\t$(MPICC) ring.o -o $@\nring.o: ring.c\n\t$(MPICC) -O1 -c ring.c -o $@\n' >Makefile
    # shellcheck disable=SC2086
    discover --json -n 1 --vary n=1000,3000,5000,9000 --procs 1,2 --write patch --build 'make MPICC="$MPICC"' -- \
        $launcher -n '{P}' ./ring '{n}'
    is "$(value 'f("local")["time_formula"]')" 'local[0] + local[1]*n/P'
    has_text patch '#pragma cll local(setting n) SELF = local[0] + local[1]*n/P'
}

write_regions() {
    cat >regions.c <<'C'
#include <stdlib.h>
static volatile double sink;
#define BODY {
#define REGION _Pragma("cll inner CLOCK = inner[0]")
static void hidden(int n)
BODY
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sink += j;
}
static void calls_hidden(int n) { hidden(n); }
static void end(int n)
{
#pragma cll r1(n) CLOCK = r1[0] + \\
    r1[1]*n^2
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sink += j;
#pragma cll end r1
}
static void others(int n)
{
    REGION
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sink += j;
    _Pragma("cll end inner")
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    calls_hidden(n);
    end(n);
    others(n);
    return 0;
}
C
}

# A function that cannot have a region is a part of its caller. Regions of the user would take the time of theirs.
functions_without_regions_belong_to_callers() {
    need python3
    squares
    write_regions
    discover --json --vary n=30,61,120,243 regions.c -- '{n}'
    is "$(value '"constants" in f("hidden")')" False
    is "$(value '[(f(x)["terms"], round(f(x)["share_pct"])) for x in ("calls_hidden", "end", "others")]')" \
        "[(['1', 'n^2'], 33), (['1', 'n^2'], 33), (['1', 'n^2'], 33)]"
}

# Functions that run at exit would write what was measured, and _exit calls none. Children of fork are not measured.
ends_without_exit_are_measured() {
    need python3
    squares
    write_regions
    sed -i 's/#include <stdlib.h>/&\n#include <sys\/wait.h>\n#include <unistd.h>/; s/^    calls_hidden(n);/    if (!fork()) { end(n); _exit(0); }\n    wait(NULL);\n&/; s/^    return 0;/    _exit(0);/' regions.c
    discover --json --vary n=30,61,120,243 regions.c -- '{n}'
    is "$(value '[(f(x)["terms"], round(f(x)["share_pct"])) for x in ("calls_hidden", "end", "others")]')" \
        "[(['1', 'n^2'], 33), (['1', '2*n^2'], 33), (['1', 'n^2'], 33)]"
}

# A file of which no function gets a region: main has none of its own.
a_file_of_the_users_regions_alone() {
    need python3
    squares
    cat >alone.c <<'C'
#include <stdlib.h>
void work(int n);
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
#pragma cll all all[0] + all[1]*n
    work(n);
#pragma cll end all
    return 0;
}
C
    cat >work.c <<'C'
static volatile double sink;
void work(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sink += j;
}
C
    discover --json --vary n=30,61,120,243 alone.c work.c -- '{n}'
    empty err
    is "$(value 'f("work")["terms"]')" "['1', 'n^2']"
}

# A macro hides a computed goto, as in interpreters: one function loses its region, not its file; and in Fortran a pure one.
one_refused_region_leaves_the_others() {
    need python3
    need gfortran
    squares
    write_work
    sed -i 's/goto \*labels\[n % 2\]/JUMP(n)/; 1i #define JUMP(n) goto *labels[n % 2]' work.c
    discover --vary n=300,601,1200,2403,6000 work.c -- '{n}'
    empty err
    has out ' pairs  *exact '
    has out '^1 function has no region, and is a part of the callers: dispatch (computed goto)$'
    has out ' dispatch  work.c:[0-9]*, a part of its callers$'
    cat >tidy.f90 <<'F'
pure integer function twice(n)
  integer, intent(in) :: n
  twice = 2 * n
end function
subroutine work(n)
  integer, intent(in) :: n
  integer :: i, twice
  do i = 1, n
    if (i < 0) print *, twice(n)
  end do
end subroutine
program tidy
  integer :: n, twice
  character(20) :: word
  call get_command_argument(1, word)
  read (word, *) n
  call work(twice(n))
end program
F
    printf 'app: tidy.o\n\t$(FC) -o $@ tidy.o\ntidy.o: tidy.f90\n\t$(FC) -c -o $@ $<\n' >Makefile
    discover --json -n 1 --vary n=3000,6001,12000 --build make -- ./app '{n}'
    empty err
    is "$(value 'f("twice")["no_region"], "now" in f("twice"), "now" in f("work"), "no_region" in f("work")')" "('pure', False, True, False)"
}

# Names that data files, pragmas and this output use themselves.
names_that_are_taken() {
    need python3
    need patch
    squares
    write_regions
    sed -i '/pragma/d; /^    r1/d; /REGION/d; /_Pragma/d' regions.c
    discover --json --vary rank=30,61,120,243 --data own.dat --write found.patch regions.c -- '{rank}'
    is "$(value 'f("others")["time_formula"]')" 'others_2[0] + others_2[1]*rank^2'
    exits 0 "$llac" own.dat -e 'show others_2'
    exits 0 patch -p1 -i found.patch
    exits 0 "$call" cc gcc -c regions.c
    has found.patch '^+#pragma cll end_(setting rank) SELF = '
}

# Sources beside the current folder, which is a link, with a blank and with a byte that is not UTF-8 in their names.
sources_in_other_folders() {
    need python3
    need patch
    local latin=$'caf\351.c'
    mkdir real lib
    ln -s real sub
    squares
    write_regions
    sed '/pragma/d; /^    r1/d; /REGION/d; /_Pragma/d; s/static void others/void others/' regions.c >"real/$latin"
    sed -i '/^void others/,/^}/d; 1i void others(int n);' "real/$latin"
    printf 'void others(int n)\r\n{\r\n  for (volatile int i = 0; i < n * n; i++);\r\n}\r\n' >'lib/a b.c'
    cd sub
    discover --json --vary n=30,61,120,243 --write ../found.patch "$latin" '../lib/a b.c' -- '{n}'
    is "$(value 'f("end")["file"], f("end")["terms"], f("others")["terms"]')" "('caf\\\\xe9.c', ['1', 'n^2'], ['1', 'n^2'])"
    has err 'apply ../found.patch in '
    cd ..
    exits 0 patch -p1 -i found.patch
    is "$(grep -c $'cll.*\r$' 'lib/a b.c')" 2
    is "$(LC_ALL=C grep -c 'pragma cll' "real/$latin")" 4
}

# Two sizes say nothing about a third one.
few_sizes_predict_nothing() {
    need python3
    squares
    write_regions
    discover --json --vary n=30,61 --at n=500 regions.c -- '{n}'
    is "$(value 'j["total"]["value"], f("end")["at"]["value"]')" '(None, None)'
    exits 2 "$call" discover --vary n=30 --at n=500 regions.c -- '{n}'
    has err 'give more sizes'
    discover --vary n=30 regions.c -- '{n}'
    has out ' times of more sizes are needed$'
    discover --json --vary n=30,61,120 regions.c -- '{n}' # the place was measured
    is "$(value 'round(j["total"]["value"] / j["total"]["now"], 3)')" 1.0
}

# It has a place among the others all the same: it grows as all of these do, and no faster than its counts allow.
what_has_no_formula_grows_as_the_rest() {
    need python3
    takes '({ static int k; (k++ ? 2e-3 : 1e-4*((int)argument() % 2 ? 4 : 1))*argument(); })' # wild comes first
    cat >wild.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void wild(long n)
{
    for (long i = 0; i < 100 * n; i++)
        sink = i;
}
static void tame(long n)
{
    for (long i = 0; i < 100 * n; i++)
        sink = i;
}
int main(int argc, char **argv)
{
    wild(atol(argv[1]));
    tame(atol(argv[1]));
    return 0;
}
C
    discover --json --vary n=1000,2003,4000,5001,7000 --at n=14000 wild.c -- '{n}'
    is "$(value 'f("wild")["time_formula"], f("wild")["now"], f("wild")["at"]["low"]')" '(None, 0.7, 0.7)'
    is "$(value '2 < f("wild")["at"]["value"]/0.7 < 2.4, f("wild")["share_at_pct"] > 4, f("wild")["at"]["high"] < 0.7*2.4')" '(True, True, True)'
    discover --vary n=1000,2003,4000,5001,7000 --at n=14000 wild.c -- '{n}'
    has out ' wild  *- *no formula describes its times: it grows as all of these do$'
}

# A function that small sizes do not execute, and whose counts have no formula.
a_function_of_large_sizes_only() {
    need python3
    squares
    write_regions
    sed -i 's/^    end(n);/    if (n > 100) end(n);/; /hidden(n);/d; /others(n);/d' regions.c
    discover --json --vary n=20,41,80,123,240 --at n=2000 regions.c -- '{n}'
    is "$(value 'f("end")["formula"], f("end")["at"]["value"], j["total"]["value"], j["total"]["formula"]')" '(None, None, None, None)'
    is "$(value 'j["not_modelled_pct"] > 50')" True
}

# Only the smallest size does not execute it: the others say how it grows.
a_function_that_begins_above_a_size() {
    need python3
    squares
    write_regions
    sed -i 's/^    end(n);/    if (n > 50) end(n);/; /hidden(n);/d' regions.c
    discover --json --vary n=30,61,120,243,480 --at n=2000 regions.c -- '{n}'
    is "$(value 'f("end")["from"], f("end")["terms"]')" "(61, ['1', 'n^2'])"
    is "$(value 'j["total"]["value"] > j["total"]["now"]')" True
    discover --vary n=30,61,120,243,480 --at n=2000 regions.c -- '{n}'
    has out '^end: smaller sizes have other counts; its formula is from n = 61 on$'
}

# The program itself fills the disk of temporary files when it is measured.
a_full_disk_makes_no_times() {
    own_mounts
    write_regions
    sed -i '1i #include <stdio.h>
        s/^    return 0;/    FILE *fill = getenv("CLL_OUT") ? fopen(getenv("FILL"), "w") : NULL;\
    while (fill \&\& fputs("0123456789", fill) >= 0)\
        ;\n&/' regions.c
    mkdir small
    FILL=$PWD/small/fill TMPDIR=$PWD/small exits 0 $mounts sh -c 'mount -t tmpfs -o size=4m none small && exec "$@"' sh \
        "$call" discover -q -n 3 --vary n=30,60,101 regions.c -- '{n}'
    has err 'cannot write .*run.dat: No space left on device$'
    has err 'no times were measured'
    lacks out 'own times'
}

# The environment variables of libcll that the user has set for other programs.
variables_of_the_environment() {
    need python3
    squares
    write_regions
    CLL_OFF=1 CLL_COUNTERS=1 CLL_SETTINGS=bad CLL_MEMORY=1k discover --json --vary n=30,61,120 regions.c -- '{n}'
    is "$(value '"constants" in f("end")')" True
}

# Processes that share a descriptor are measured apart, without a message.
a_program_that_forks() {
    need python3
    squares
    write_regions
    sed -i '1i #include <unistd.h>\n#include <sys/wait.h>
        s/^    end(n);/    if (!fork()) { end(n); exit(0); }\n    wait(NULL);/; /hidden(n);/d' regions.c
    discover --json --vary n=30,61,120,243 regions.c -- '{n}'
    empty err
    is "$(value 'f("end")["terms"], f("others")["terms"]')" "(['1', 'n^2'], ['1', 'n^2'])"
}

# A run that fails is no run of several processes.
a_size_that_fails_is_not_measured_twice() {
    need python3
    squares
    write_regions
    sed -i 's/^    return 0;/    return getenv("CLL_OUT") \&\& n == 61 ? 3 : 0;/' regions.c
    discover --json -n 1 --vary n=30,61,120,243 regions.c -- '{n}'
    is "$(grep -c 'n = 61: the program failed with exit status 3' err)" 1
    is "$(value 'f("end")["time_formula"]')" 'end_[0] + end_[1]*n^2'
}

# When the time is over, no further size begins. (On a busy machine no size may have begun.)
the_time_of_measuring_is_limited() {
    write_regions
    sed -i '1i #include <unistd.h>
        s/^    return 0;/    return getenv("CLL_OUT") ? (int)sleep(600) : 0;/' regions.c
    exits 0 "$call" discover -q --limit 2s --vary n=30,61,120,243 regions.c -- '{n}'
    is "$(grep -c 'the run was stopped' err | sed s/0/1/)" 1
    has err 'no times were measured'
}

# `now` is at the largest sizes, not at those that happen to take longest.
now_is_at_the_largest_sizes() {
    need python3
    takes '10 - 0.01*argument()'
    write_regions
    sed -i 's/argc > 1 ? .*;/1000 - atoi(argv[1]);/' regions.c
    discover --vary n=10,400,800 --vary m=1,2 regions.c -- '{n}' '{m}'
    has out '; measured at n = 800, m = 2: '
}

# What a configuration compiles is gone when the sources are compiled again, or does not compile.
a_project_that_is_configured() {
    need make
    need python3
    squares
    write_work
    cat >Makefile <<'M'
app: work.o
	$(CC) -o $@ work.o
work.o: work.c
	mkdir try && cd try && echo 'int main(void) { return 0; }' >try.c && $(CC) -c try.c
	rm -r try
	echo 'int x;' >gone.c && $(CC) -c gone.c && rm gone.c
	echo 'int int' >bad.c && ! $(CC) -c bad.c
	$(CC) -O2 -c -o $@ work.c
M
    discover --json --vary n=300,601,1200,2403,6000 --build make -- ./app '{n}'
    is "$(value '"constants" in f("pairs")')" True
    exits 0 nm app
    lacks out 'gcov\|cll_'
}

# libtool compiles objects, here one in .libs, and writes a file about each, on which the archive depends.
a_project_of_libtool() {
    need make
    need python3
    squares
    write_work
    cat >Makefile <<'M'
app: work.lo other.lo
	ar rc all.a .libs/work.o other.o
	$(CC) -o $@ all.a
work.lo: work.c
	mkdir -p .libs
	$(CC) -O2 -c -o .libs/work.o work.c
	touch $@
other.lo:
	echo 'int other;' >other.c
	$(CC) -O2 -c -o other.o other.c
	touch $@
M
    discover --json --vary n=300,601,1200,2403,6000 --build make -- ./app '{n}'
    is "$(value '"constants" in f("pairs")')" True
    exits 0 nm app
    lacks out 'gcov\|cll_'
}

# One command compiles and links; another folder has the source.
a_project_of_one_command() {
    need make
    need python3
    mkdir sub
    squares
    write_work
    mv work.c sub
    printf 'app: sub/work.c\n\tcd sub && $(CC) -O2 -o ../app work.c\n' >Makefile
    discover --json --vary n=300,601,1200,2403,6000 --build make -- ./app '{n}'
    is "$(value 'f("pairs")["file"], "constants" in f("pairs")')" "('sub/work.c', True)"
    exits 0 nm app
    lacks out 'gcov\|cll_'
}

# It links with an archive, which still has the objects of the build before when the command is run again.
an_archive_and_one_command() {
    need make
    need python3
    squares
    write_work
    echo 'int half(int n) { return n / 2; }' >half.c
    sed -i '1i int half(int n);
        s/^    order(a, n);/    n = half(2 * n);\n&/' work.c
    printf 'app: work.c libhalf.a\n\t$(CC) -O2 -o $@ work.c libhalf.a\nlibhalf.a: half.o\n\tar rc $@ half.o\nhalf.o: half.c\n\t$(CC) -O2 -c half.c\n' >Makefile
    discover --json --vary n=300,601,1200,2403,6000 --build make -- ./app '{n}'
    is "$(value '"constants" in f("pairs")')" True
    empty err
    exits 0 nm app
    lacks out 'gcov\|cll_'
}

# Files of the counters are gone, also those of a program that the build runs; one that was there before stays. A project that
# counts for itself keeps its own.
a_project_is_left_clean() {
    need make
    write_work
    echo 'int main(void) { return 0; }' >tool.c
    printf 'all: app own.o\napp: work.o tool\n\t$(CC) -o $@ work.o\nwork.o: work.c tool\n\t./tool\n\t$(CC) -O2 -c -o $@ work.c\n' >Makefile
    printf 'tool: tool.c\n\t$(CC) -o $@ tool.c\nown.o: tool.c\n\t$(CC) --coverage -c -o $@ tool.c\n' >>Makefile
    echo mine >other.gcno
    discover -n 1 --vary n=300,601,1200 --build make -- ./app '{n}'
    is "$(echo *.gc*)" 'other.gcno own.gcno'
    discover --counts --vary n=300,601,1200 --build 'make -B' -- ./app '{n}'
    is "$(echo *.gc*)" 'other.gcno own.gcno'
}

# Also if a signal ends counting, or no run is good.
a_project_gets_its_objects_back_after_failures() {
    need make
    write_work
    printf 'app: work.o\n\t$(CC) -o $@ work.o\nwork.o: work.c\n\t$(CC) -O2 -c -o $@ $<\n' >Makefile
    sed -i 's/exit(0)/exit(1)/' work.c
    exits 1 "$call" discover -q --vary n=3,5 --build make -- ./app '{n}'
    exits 0 nm app
    lacks out 'gcov\|cll_'
    sed -i '1i #include <signal.h>\n#include <unistd.h>
        s/exit(1);/if (n > 1000) kill(getppid(), SIGTERM); exit(0);/' work.c
    exits 143 "$call" discover -q --vary n=300,601,1200,2403,6000 --build make -- ./app '{n}'
    has out '^calls of functions'
    exits 0 nm app
    lacks out 'gcov\|cll_'
    rm app work.o
    exits 143 sh -c 'DISCOVER=$$; export DISCOVER; exec "$@"' sh "$call" discover -q --vary n=300,601 \
        --build 'make && kill $DISCOVER && sleep 60' -- ./app '{n}'
    exits 0 nm work.o
    lacks out 'gcov\|cll_'
}

# A signal in the rounds: what was measured until then is reported. Each run adds a line to a file, and the thirtieth sends it.
what_was_measured_before_the_end_is_kept() {
    write_work
    sed -i '1i #include <signal.h>\n#include <unistd.h>
        s/^    order(a, n);/    FILE *ran = fopen("ran", "a");\n    fputc(0, ran);\n    if (ftell(ran) == 30)\n        kill(getppid(), SIGTERM);\n    fclose(ran);\n&/' work.c
    exits 143 "$call" discover -n 100000 --vary n=300,601,1200,2403,6000 --at n=20000 --data own.dat work.c -- '{n}'
    has out '^own times of functions'
    filled own.dat
}

main "$1"
