# SPDX-License-Identifier: GPL-3.0-or-later
# call discover: formulas of programs in C, C++ and Fortran, parallel ones and projects; what goes wrong; --save and --check.
. "$CLL_SOURCE/tests/harness/mpi.sh"
unset GCOV_PREFIX GCOV_PREFIX_STRIP CXX FC MPICC MPICXX MPIFC

page=$CLL_SOURCE/docs/user/discover.md

discover() { exits 0 "$call" discover -q --counts "$@"; }
# has_loop VERDICT FORMULA FUNCTION: the text of the last command; has_calls: the same
has_loop() { loops >part && found part "$@"; }
has_calls() { functions >part && found part "$@"; }
loops() { sed -n '/^iterations/,/^calls/p' out; }
functions() { sed -n '/^calls/,/^of /p' out; }
found() { # FILE VERDICT FORMULA FUNCTION
    tr -s ' ' <"$1" | grep -qF -- " $2 $3 $4 " || fail "no $2 $3 of $4"
}

# The program of the page.
write_pairs() {
    awk '/^```c$/ {on = !n++; next} /^```$/ {on = 0} on' "$page" >pairs.c
    filled pairs.c
}

# All but the time of the runs.
the_page_shows_what_is_printed() {
    write_pairs
    discover --vary n=50,101,200,399,800 --at n=1e5 pairs.c -- '{n}'
    awk '/^    iterations of loops/ {on = 1} on && !/^    / {exit} on {print substr($0, 5)}' "$page" | grep -v ' runs in ' >expected
    filled expected
    grep -v ' runs in ' out >printed
    same printed expected
    empty err
}

json_has_no_times() {
    write_pairs
    discover --json --vary n=5,8,13,21,34 pairs.c -- '{n}'
    cp out first
    same first "$CLL_SOURCE/tests/discover/pairs.json"
}

# make check tries some of them.
compilers_and_levels_count_alike() {
    write_pairs
    local hows=("gcc -O0" "gcc -O3" "clang -O1")
    [ "$thorough" = no ] || hows+=("gcc -Os" "gcc -O1" "clang -O0" "clang -O3")
    for how in "${hows[@]}"; do
        command -v "${how% *}" >/dev/null || continue
        discover --json --cc "${how% *}" --cflags "${how#* }" --vary n=5,8,13,21,34 pairs.c -- '{n}'
        same out "$CLL_SOURCE/tests/discover/pairs.json"
    done
}

# Each of these takes an n; what a formula says at a size four times as large as the largest one must be so.
write_zoo() {
    cat >zoo.c <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long sink;
static void triples(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++)
                sink++;
}
static void bubble(int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
static int search(const int *a, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
static void sieve(int n)
{
    char *c = calloc((size_t)n + 1, 1);
    for (int i = 2; i <= n; i++)
        if (!c[i])
            for (long j = (long)i * i; j <= n; j += i)
                c[j] = 1;
    free(c);
}
static void blocks(int n)
{
    for (int i = 0; i < n; i += 32)
        for (int j = 0; j < n; j += 32)
            sink++;
}
static void doubling(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j *= 2)
            sink++;
}
static void collatz(long n)
{
    while (n != 1)
        n = n % 2 ? 3 * n + 1 : n / 2;
}
static void newton(double x)
{
    double y = x;
    do
        y = 0.5 * (y + x / y);
    while (fabs(y * y - x) > 1e-9 * x);
}
static void merge(int n)
{
    if (n < 2)
        return;
    merge(n / 2);
    merge(n - n / 2);
    for (int i = 0; i < n; i++)
        sink++;
}
static void root(int n)
{
    for (int i = 1; i * i <= n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    int *a = malloc((size_t)n * sizeof *a);
    unsigned r = 7;
    for (int i = 0; i < n; i++)
        a[i] = (int)((r = r * 1103515245 + 12345) >> 8);
    triples(n);
    bubble(a, n);
    search(a, n, a[n / 3]);
    sieve(n);
    blocks(n);
    doubling(n);
    collatz(n);
    newton(n);
    merge(n);
    root(n);
    return 0;
}
C
}

no_formula_is_wrong_beyond_the_sizes() {
    write_zoo
    for sizes in 20:320:2 17,33,64,101,150,203; do
        discover --vary n=$sizes zoo.c -- '{n}'
        has_loop exact '1/6*n^3 - 1/2*n^2 + 1/3*n' triples
        has_loop exact '1/2*n^2 - 1/2*n' bubble
        has_loop steps 'ceil(n/32)^2' blocks
        has_loop steps 'n*ceil(log2(n))' doubling
        has_loop steps 'floor(sqrt(n))' root
        has_calls exact '2*n - 1' merge
        has_loop steps '(n*ceil(log2(n)) - 2^ceil(log2(n)) + n)' merge
        discover --json --vary n=$sizes --at n=812 zoo.c -- '{n}'
        cp out predicted
        discover --json --vary n=812 zoo.c -- '{n}'
        python3 - predicted out <<'P' || fail "a formula is wrong ($sizes)"
import json, sys
def counts(path):
    j = json.load(open(path))
    return {(e.get("name") or e["function"], e.get("number", 0)): (e["counts"], e["formula"], e.get("calls", e.get("iterations")))
            for e in j["functions"] + j["loops"]}
predicted, real = map(counts, sys.argv[1:])
wrong = [(k, v, real[k][2]) for k, v in predicted.items() if v[0] in ("exact", "steps") and v[2] != real[k][2] and k[0] != "collatz"]
by_data = {k[0] for k, v in predicted.items() if v[0] == "data"}
print(wrong, by_data)
sys.exit(bool(wrong) or not {"sieve", "newton"} <= by_data)
P
    done
}

# ---- counts that depend on data, by other counts

write_words() {
    cat >words.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 1;

static unsigned letter(void)
{
    return (seed = seed * 1103515245 + 12345) >> 16 & 31;
}

static int has_bit(unsigned x, int i)
{
    return x >> i & 1;
}

static int weigh(unsigned x)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += has_bit(x, i);
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, words = 0, heavy = 0;
    long sum = 0;
    while (words < n) {
        unsigned c = letter();
        if (c < 5)
            words++;
        else if (weigh(c) > 3)
            heavy++;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i <= k; i++)
                sum += c;
    }
    for (int i = 0; i < heavy; i++)
        sum -= weigh((unsigned)i);
    printf("%d %ld\n", heavy, sum);
    return 0;
}
C
}

# All but the time of the runs.
the_page_shows_counts_by_other_counts() {
    write_words
    discover --vary n=50,101,200,399,800 --at n=3200 words.c -- '{n}'
    awk '/^### By other counts/ {part = 1} part && /^    iterations of loops/ {on = 1} on && !/^    / {exit} on {print substr($0, 5)}' "$page" >expected
    filled expected
    grep -v ' runs in ' out >printed
    same printed expected
    empty err
}

# judge.py evaluates the formulas with the counts at 4 times the size. Here something seldom happens (a list is full, a loop
# iterates twice, a loop is left early), which is in no formula that is exact.
exact_counts_by_others_hold_at_other_sizes() {
    cat >seldom.c <<'C'
#include <stdlib.h>
static unsigned seed;
static volatile long sink;
static unsigned draw(unsigned most)
{
    return ((seed = seed * 1103515245 + 12345) >> 8) % most;
}
static int find(const int *a, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return i;
    return -1;
}
static void fill(int n)
{
    int *used = calloc((size_t)n, sizeof *used);
    for (int i = 0; i < 2 * n; i++) {
        unsigned v = draw((unsigned)n);
        if (used[v] < 8)
            used[v] += 1 + (draw(2) == 3);
    }
    free(used);
}
static void blocks(int n)
{
    static const int list[] = {3, 1, 4, 5};
    for (int i = 0; i < n;) {
        int part = 1 + (int)draw(50);
        for (int k = 0; k < 16; k++)
            for (int l = 0; l < k; l++)
                sink++;
        do
            sink++;
        while (draw(900) == 0);
        find(list, 4, (int)draw(2000));
        if (part > 20)
            for (int k = 0; k < 3; k++)
                sink++;
        i += part;
    }
}
int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 0;
    seed = (unsigned)atoi(argv[2]);
    fill(n);
    blocks(n);
    return 0;
}
C
    local seeds='1 2'
    [ "$thorough" = no ] || seeds='1 2 3 4 5 6 7 8 9 10 11 12'
    for seed in $seeds; do
        mkdir -p "$seed/4"
        discover --json --vary n=100,203,401,800,1601 --at n=6400 seldom.c -- '{n}' "$seed"
        cp out "$seed/4/found.json"
        discover --json --vary n=6400 seldom.c -- '{n}' "$seed"
        cp out "$seed/4/counts.json"
        exits 0 python3 "$CLL_SOURCE/bench/discover/judge.py" one "$seed" 6400 -
        has out 'exact by other counts: [3-9] formulas right at 4 times, 0 wrong'
        has "$seed/4/found.json" '"formula": "3[*]entries(seldom.c:38)"'
        has "$seed/4/found.json" '"formula": "120[*]iterations(seldom.c:28)"'
    done
    # a loop that iterated once each time, in twelve runs
    discover --vary n=100,203,401,800 --vary m=3,5,9 seldom.c -- '{n}' '{m}'
    has_loop steps 'iterations(seldom.c:28)' blocks
    # and where its entries have a formula
    sed -i 's/i += part;/i++;/; s/while (draw(900) == 0)/while (draw(900) == 900)/' seldom.c
    discover --vary n=100,203,401 seldom.c -- '{n}' 3
    has_loop exact n blocks
    has_loop steps n blocks
}

# Two equal runs differ, and each has the same sum.
sums_of_counts_that_vary() {
    write_words
    sed -i 's/long sum = 0;/long sum = 0; seed = (unsigned)getpid();/; s/#include <stdio.h>/&\n#include <unistd.h>/' words.c
    discover --vary n=50,101,200,399,800 words.c -- '{n}'
    has_loop exact '4*iterations(words.c:29)' main
    has_calls steps '5*calls(weigh)' has_bit
}

# How often a solver goes over its data depends on these, what it does each time on n alone.
iterations_of_a_solver_are_a_product() {
    cat >solver.c <<'C'
#include <stdlib.h>
static volatile long sink;
static unsigned seed = 1;
static void sweep(int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            sink++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    seed += 2654435761u * (unsigned)n;
    while ((seed = seed * 1103515245 + 12345) >> 10 & 31)
        sweep(n);
    for (int i = 0; i < n; i++)
        if ((seed = seed * 1103515245 + 12345) >> 20 & 1)
            for (int j = 0; j < n * n; j++)
                sink++;
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < (n + 2) / 3; j++)
            for (int k = 0; k < n; k++)
                sink++;
    return 0;
}
C
    discover --vary n=20,33,48,71,100,135 --save saved.json solver.c -- '{n}'
    has_loop steps '(n - 2)*calls(sweep)' sweep
    has_loop steps 'n*iterations(solver.c:6)' sweep
    has_loop steps 'n^2*entries(solver.c:18)' main
    has_loop steps 'ceil(n/3)*iterations(solver.c:20)' main
    has_loop steps 'n*iterations(solver.c:21)' main
    sed 's/seed = 1;/seed = 5;/' solver.c >other.c
    mv other.c solver.c
    exits 0 "$call" discover -q --counts --vary n=20,33,48,71,100,135 --check saved.json solver.c -- '{n}'
    has out 'none has changed'
    sed -i 's/i < n - 1/i < n/' solver.c
    exits 1 "$call" discover -q --counts --vary n=20,33,48,71,100,135 --check saved.json solver.c -- '{n}'
    has_text out 'iterations are now (n - 1)*calls(sweep), before (n - 2)*calls(sweep)'
    has out ': 1 changed'
}

# Whether a condition is fulfilled more often at other sizes, counts at these sizes cannot tell.
constants_under_a_condition_are_no_proof() {
    cat >append.c <<'C'
#include <stdlib.h>
static volatile long sink;
static long used, room, setups = 12;
static void setup(int k)
{
    sink += k;
}
static void grow(long more)
{
    room += more;
}
static void again(int n)
{
    for (int i = 0; i < n; i++)
        sink++;
}
#define JOIN(x, y) x##y
static void by_macro(void)
{
    sink++;
}
static void append(void)
{
    if (used == 50)
        JOIN(by_, macro)();
    if (used == room)
        grow(2000);
    if (used == 1)
        for (int i = 0; i < 7; i++)
            sink++;
    used++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 10; i++)
        setup(i);
    for (int i = 0; i < n; i++)
        append();
    for (int i = 0; i < n; i++) {
        sink++;
        if (i % 5000 == 0)
            again(n);
    }
    double x = 1000;
    while (x > 1)
        x /= 2;
    for (int i = 0; i < setups; i++)
        sink++;
    return x > 2;
}
C
    discover --vary n=100,201,400,799,1600 append.c -- '{n}'
    has_calls exact 10 setup
    has_calls exact 1 main
    has_calls exact n append
    has_loop exact 10 main
    has_loop exact 12 main
    has_calls steps 1 again # in a loop, under a condition
    has_loop steps n again
    has_calls steps 1 grow
    has_calls steps 1 by_macro # its name is nowhere in the sources
    has_loop steps 7 append
    has_loop steps 10 main # it halves a number until it is small
}

# The length is the same in all runs, and longer at a size that is not run.
numbers_of_iterations_that_no_head_says_are_no_proof() {
    cat >lengths.c <<'C'
#include <stdlib.h>
#define PARTS 4
static volatile long sink;
static unsigned seed = 42;
static void add(int length)
{
    for (int i = 0; i < length; i++)
        sink++;
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k <= i; k++)
            sink--;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245 + 12345;
        if (seed >> 8 & 1)
            add(n < 5000 ? 3 : 4);
    }
    return 0;
}
C
    discover --vary n=100,201,400,799,1600 lengths.c -- '{n}'
    has_loop steps '3*calls(add)' add
    has_loop exact '4*calls(add)' add
    has_loop exact '10*calls(add)' add
}

# The first run at a size leaves a file, and a later one draws more because of it: equal counts in all other runs are chance.
a_count_that_varies_explains_none_that_does_not() {
    cat >again.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static unsigned seed = 1, drawn;
static volatile long sink;
static void spend(void)
{
    for (unsigned i = 0, n = (unsigned)abs((int)(3 * drawn)); i < n; i++) /* no bound is known before */
        sink++;
}
static unsigned draw(void)
{
    drawn++;
    return (seed = seed * 1103515245 + 12345) >> 16 & 31;
}
int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0, words = 0;
    FILE *before = fopen(argv[1], "r"), *new = fopen(argv[1], "w");
    while (words < n)
        words += draw() < 8 && draw() < 16;
    spend();
    for (int i = 0; before && i < 7; i++)
        draw();
    fclose(new);
    return 0;
}
C
    discover --vary n=50,101,200,399,800 again.c -- '{n}'
    loops | grep -q ' data .* spend  again.c:7$' || fail 'a sum that one run contradicts'
    has_calls data "$(sed -n 's/.*\(about .* %\)  *draw .*/\1/p' out)" draw
}

two_loops_on_a_line_have_different_names() {
    printf '%s\n' '#include <stdlib.h>' 'static volatile long sink;' 'int main(int argc, char **argv)' '{' \
        '    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0, r = 1, words = 0;' \
        '    while (words < n) { words += (r = r * 1103515245 + 12345) >> 20 & 1; for (int i = 0; i < 7; i++)' \
        '        sink++; }' '}' >line.c
    discover --vary n=50,101,200,399,800 line.c -- '{n}'
    has out ' exact    7[*]iterations(loop [12] of main)  main  line.c:6$' # the compiler orders them
}

functions_of_several_objects_are_one() {
    need g++
    cat >v.hpp <<'C'
#include <vector>
template <class T> T sum(const std::vector<T> &v)
{
    T s = 0;
    for (const T &x : v)
        s += x;
    return s;
}
inline int twice(int x) { return 2 * x; }
inline double twice(double x) { return 2 * x; }
C
    cat >a.cpp <<'C'
#include "v.hpp"
#include <cstdlib>
int other(int n);
struct Grid {
    std::vector<double> a;
    explicit Grid(int n) : a(n * n) {}
    double total() const
    {
        double t = 0;
        for (auto x : a)
            t += x;
        return t;
    }
};
int main(int, char **argv)
{
    int n = std::atoi(argv[1]);
    std::vector<int> v(n, 1);
    return Grid(n).total() + sum(v) + other(n) < 0;
}
C
    cat >b.cpp <<'C'
#include "v.hpp"
int other(int n)
{
    std::vector<int> v(n, 3);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += twice(i) + (int)twice(0.5);
    return sum(v) + s;
}
C
    discover --vary n=10,21,40,85,160 a.cpp b.cpp -- '{n}'
    command -v c++filt >/dev/null || skip "c++filt is not installed"
    has_loop exact 'n^2' Grid::total
    has_loop exact '2*n' 'sum<int>'
    has_calls exact n 'twice(int)' # and not its namesake
    has_calls exact n 'twice(double)'
    has_calls exact 2 'sum<int>'
    has out 'v.hpp:9$'
    lacks out /usr/
}

loops_that_one_object_lacks_are_apart() {
    cat >v.h <<'C'
static int v(int n)
{
    int s = 0;
#ifdef TWO
    for (int i = 0; i < n; i++)
        s++;
#endif
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            s++;
    return s;
}
C
    printf '#include "v.h"\nint other(int n)\n{\n    return v(n);\n}\n' >other.c
    cat >main.c <<'C'
#define TWO 1
#include <stdlib.h>
#include "v.h"
int other(int n);
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    return v(n) + other(n) < 0;
}
C
    discover --vary n=10,21,40,85,160 main.c other.c -- '{n}'
    has out ' exact *n  *v  v.h:5$'
    has out ' exact *n^2  *v  v.h:9$'
    lacks out 'n^2 + n'
    lacks out '2[*]n'
}

procedures_of_fortran() {
    need gfortran
    cat >grid.f90 <<'F'
module grid
contains
subroutine step(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      a(i, j) = 0.5d0 * a(i, j)
    end do
  end do
end subroutine
end module
F
    cat >main.f90 <<'F'
program main
  use grid
  integer :: n, k
  character(20) :: arg
  real(8), allocatable :: a(:, :)
  call get_command_argument(1, arg)
  read (arg, *) n
  allocate(a(n, n))
  a = 1.0d0
  do k = 1, 10, 3
    call step(a, n)
  end do
  k = 0
  do while (k < n)
    k = k + 1
    if (mod(k, 2) == 0) cycle
    call inner(k)
  end do
contains
  subroutine inner(m)
    integer, intent(in) :: m
    if (m < 0) stop
  end subroutine
end program
F
    discover --vary n=10,21,40,85,160,203,301 grid.f90 main.f90 -- '{n}'
    has_loop exact '4*n^2 - 16*n + 16' grid::step
    has_loop exact 4 main
    has_loop exact n main
    has_calls steps 'ceil(n/2)' inner
    has out 'main.f90:14$'
}

# The compiler has an arc for it from the entry of the function.
a_second_return_of_setjmp_is_no_call() {
    cat >jumps.c <<'C'
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf place;
static void jump(int i)
{
    if (i > 0)
        longjmp(place, i);
}
static int jumps(int n)
{
    volatile int i = 0, back = 0;
    if (setjmp(place))
        back++;
    while (i < n) {
        i++;
        jump(i);
    }
    return back;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    return jumps(n) != n;
}
C
    discover --cc gcc --vary n=5,8,13,21,34 jumps.c -- '{n}'
    has_calls exact 1 jumps
    has_calls exact n jump
}

processes_are_added_up() {
    mpi_library "${1:-openmpi}"
    cat >ring.c <<'C'
#include <mpi.h>
#include <stdlib.h>
static volatile double sink;
static void local(int from, int to)
{
    for (int i = from; i < to; i++)
        sink += i;
}
int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    local(n * rank / size, n * (rank + 1) / size);
    for (int k = 0; k < size; k++)
        sink++;
    MPI_Finalize();
    return 0;
}
C
    discover --cc "$mpicc" --vary n=10,33 --procs 1,2,3 ring.c -- '{n}'
    has_loop steps n local # two sizes prove nothing
    has_loop steps 'P^2' main
    has_calls steps P local
    # the process that has the largest share: 33, 17 and 11
    discover --json --cc "$mpicc" --vary n=33 --procs 1,2,3 ring.c -- '{n}'
    is "$(python3 -c 'import json; print([l["largest"] for l in json.load(open("out"))["loops"] if l["function"] == "local"])')" '[[33, 17, 11]]'
}

processes_of_mpich_are_added_up() {
    processes_are_added_up mpich
}

threads_are_added_up() {
    echo 'int main(void) { return 0; }' >try.c
    "$CC" -fopenmp try.c -o try 2>/dev/null || skip "no OpenMP"
    cat >team.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            s += j;
#pragma omp parallel
    for (int k = 0; k < 5; k++) {
        volatile int x = k;
        (void)x;
    }
    return s < 0;
}
C
    discover --cc gcc --cflags '-O2 -fopenmp' --vary n=10,21,40,85 --procs 1:4:+1 team.c -- '{n}'
    has_loop exact '1/2*n^2 - 1/2*n' main._omp_fn.0
    has_loop exact '5*P' main._omp_fn.1
    has_calls exact P main._omp_fn.1
}

# Threads that lose counts alike would leave an exact formula. Every thread waits until the others have begun the loop.
threads_without_a_flag_are_added_up() {
    cat >threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t all;
static volatile int sink;
static void *work(void *p)
{
    int n = *(int *)p;
    pthread_barrier_wait(&all);
    for (int i = 0; i < n; i++)
        sink = i;
    return NULL;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? 100000 * atoi(argv[1]) : 0;
    pthread_t t[4];
    pthread_barrier_init(&all, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, &n);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
    discover --cc gcc --ldflags -lpthread --vary n=2,3,5,7 threads.c -- '{n}'
    has_loop exact '400000*n' work
}

# On x86-64 each thread has counters of its own. What one counts that ends, one that never ends, one of C11, a destructor of
# a thread's value, and a child that ends or becomes another program, is in the sum once.
write_lives() {
    cat >lives.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
static volatile long sink;
static int n;
static pthread_barrier_t all;
static pthread_key_t key;
static void before(void) { sink++; }
static void ended(void) { sink++; }
static void c11(void) { sink++; }
static void endless(void) { sink++; }
static void destructor(void) { sink++; }
static void child(void) { sink++; }
static void become(void) { sink++; }
static void destroy(void *p)
{
    for (int i = 0; p && i < n; i++)
        destructor();
}
static void *end(void *p)
{
    pthread_setspecific(key, p);
    for (int i = 0; i < 2 * n; i++)
        ended();
    return NULL;
}
static int end_c11(void *p)
{
    for (int i = 0; p && i < 3 * n; i++)
        c11();
    return 0;
}
static void *never_end(void *p)
{
    for (int i = 0; p && i < 4 * n; i++)
        endless();
    pthread_barrier_wait(&all);
    for (;;)
        pause();
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t, other;
    thrd_t third;
    n = argc > 1 ? atoi(argv[1]) : 0;
    pthread_key_create(&key, destroy);
    pthread_barrier_init(&all, NULL, 2);
    for (int i = 0; i < 7 * n; i++)
        before();
    pthread_create(&t, NULL, end, &n);
    pthread_create(&other, NULL, never_end, &n);
    thrd_create(&third, end_c11, &n);
    pthread_join(t, NULL);
    thrd_join(third, NULL);
    pthread_barrier_wait(&all);
    for (int i = 0; i < 2; i++) {
        if (!fork()) {
            for (int k = 0; k < 5 * n; k++)
                i ? become() : child();
            if (i)
                execl("/bin/true", "true", (char *)NULL);
            exit(0);
        }
        wait(NULL);
    }
    return 0;
}
C
}

threads_have_counters_of_their_own() {
    write_lives
    discover --cc gcc --cflags '-O2 -pthread' --vary n=3,5,8,13 lives.c -- '{n}'
    has_lives
}

has_threads() {
    has_calls exact '7*n' before
    has_calls exact '2*n' ended
    has_calls exact '3*n' c11
    has_calls exact '4*n' endless
    has_calls exact n destructor
}

has_lives() {
    has_threads
    has_calls exact '5*n' child
    has_calls exact '5*n' become
}

# The compiler's run-time has no children there.
threads_of_a_static_program() {
    write_lives
    discover --cc gcc --cflags '-O2 -pthread' --ldflags -static --vary n=3,5,8,13 lives.c -- '{n}'
    has_threads
}

# What they cannot relocate, and what they remove, differs.
threads_with_other_linkers() {
    write_lives
    for linker in gold lld; do
        command -v ld.$linker || continue
        discover --cc gcc --cflags '-O2 -pthread -ffunction-sections' --ldflags "-fuse-ld=$linker -Wl,--gc-sections" \
            --vary n=3,5,8,13 lives.c -- '{n}'
        has_lives
    done
}

# A function of one file, whose counters are another's.
threads_of_programs_that_are_optimised_at_the_link() {
    write_lives
    discover --vary n=3,5,8,13 --build '$CC -O2 -flto -flto-partition=max -pthread -o lives lives.c' -- ./lives '{n}'
    has_lives
}

# What an assembler says and returns is what gcc does. One that has half of a file makes no object.
threads_and_a_failing_assembler() {
    printf 'int f(void)\n{\n    __asm__("nonsense");\n    return 0;\n}\n' >f.c
    printf 'f:\n    nonsense\n' >g.s
    exits 1 gcc -c f.c g.s
    mv err expected
    CLL_DISCOVER=1 exits 1 "$call" cc gcc -pthread -c f.c g.s
    same err expected
    CLL_DISCOVER=1 exits 1 "$call" cc gcc -pthread -pipe -c f.c g.s
    same err expected
    [ "$(uname -m)" = x86_64 ] || return 0
    echo 'int f(void) { return 0; }' >f.c
    mkdir own
    printf '#!/bin/sh\nexit 4\n' >own/sed
    chmod +x own/sed
    PATH=$PWD/own:$PATH CLL_DISCOVER=1 exits 1 "$call" cc gcc -pthread -c f.c
    [ ! -e f.o ] || fail 'there is an object'
}

# The copies of counters are at the end of a thread's stack.
threads_with_small_stacks() {
    for ((i = 0; i < 1000; i++)); do
        echo "int f$i(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 3 ? i : 1; return s; }"
    done >small.c
    cat >>small.c <<'C'
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
static volatile int sink;
static void *work(void *p)
{
    for (int i = 0; i < *(int *)p; i++)
        sink++;
    return NULL;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t;
    pthread_attr_t small;
    size_t size;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    if (pthread_create(&t, &small, work, &n))
        return 1;
    pthread_join(t, NULL);
    pthread_attr_getstacksize(&small, &size);
    return size != (size_t)PTHREAD_STACK_MIN;
}
C
    discover --cc gcc --cflags '-O0 -pthread' --vary n=30,50,80,130 small.c -- '{n}'
    has_loop exact n work
}

# Its parent ends without a word to the compiler's run-time, and nothing tells that the child begins.
threads_and_a_daemon() {
    cat >daemon.c <<'C'
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void *work(void *p)
{
    for (int i = 0; i < *(int *)p; i++)
        sink++;
    return NULL;
}
static void begin(int n)
{
    work(&n);
    if (daemon(1, 1))
        exit(1);
    work(&n);
    exit(0);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, ends[2];
    char c;
    pthread_t t;
    if (pipe(ends))
        return 1;
    pthread_create(&t, NULL, work, &n);
    pthread_join(t, NULL);
    if (!fork())
        begin(n);
    close(ends[1]);
    wait(NULL);
    return (int)read(ends[0], &c, 1); /* the daemon ends */
}
C
    discover --cc gcc --cflags '-O2 -pthread' --vary n=30,50,80,130 daemon.c -- '{n}'
    has_loop exact '3*n' work
}

# The functions of the threads are in a library, whose counters they share. They call one of the program. One thread begins
# before the program does. An option of the library's linker that hides names changes nothing.
threads_of_a_shared_library() {
    cat >library.c <<'C'
#include <pthread.h>
#include <stddef.h>
static volatile long sink;
static pthread_t early;
static pthread_barrier_t both;
static pthread_key_t own;
static void (*called)(void);
struct task {
    int n;
    void (*call)(void);
};
static void *work(void *p)
{
    struct task *t = p;
    for (int i = 0; i < t->n; i++)
        sink++;
    t->call();
    return NULL;
}
static void *wait_for_program(void *p)
{
    pthread_barrier_wait(&both);
    called();
    return p;
}
static void destroy(void *p)
{
    *(char *)p = 0; /* it is NULL, or another's */
}
__attribute__((constructor)) static void begin(void)
{
    pthread_key_create(&own, destroy);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&early, NULL, wait_for_program, NULL);
}
void two(int n, void (*call)(void))
{
    pthread_t t[2];
    struct task task = {n, call};
    if (!called) {
        called = call;
        pthread_barrier_wait(&both);
        pthread_join(early, NULL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &task);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
C
    cat >user.c <<'C'
#include <stdlib.h>
void two(int n, void (*call)(void));
static volatile long sink;
static int n;
static void user(void)
{
    for (int i = 0; i < n; i++)
        sink++;
}
int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 3; i++)
        two(n, user);
    return 0;
}
C
    cat >Makefile <<'M'
user: user.c liblibrary.so
	$(CC) -O2 -pthread -o $@ user.c ./liblibrary.so
liblibrary.so: library.o
	$(CC) -shared -pthread -Wl,--exclude-libs,ALL -o $@ library.o
library.o: library.c
	$(CC) -O2 -pthread -fPIC -c -o $@ library.c
M
    discover --vary n=300,500,800,1300 --build make -- ./user '{n}'
    has_loop exact '6*n' work
    has_loop exact '7*n' user
}

# write_threads FLAG: a project that runs one program while it builds another. FLAG is the first one's.
write_threads() {
    write_lives
    printf 'int main(void)\n{\n    return 0;\n}\n' >other.c
    cat >Makefile <<M
lives: lives.o made
	\$(CC) -o \$@ lives.o -l pthread
lives.o: lives.c
	\$(CC) -O2 -c -o \$@ lives.c
made: other
	./other
	touch made
other: other.c
	\$(CC) $1 -o \$@ other.c
M
}

threads_of_a_project_without_a_flag() {
    need make
    write_threads ''
    discover --vary n=30000,50000,80000,130000 --build make -- ./lives '{n}'
    has_calls exact '2*n' ended
    has_calls exact '4*n' endless
    [ -z "$(find . -name '*.gcda')" ] || fail 'counts of a program that the build runs are left'
}

threads_of_a_project_whose_flag_is_another_program_s() {
    [ "$(uname -m)" = x86_64 ] || skip 'the threads share counters here'
    need make
    write_threads -pthread
    echo 'nm "$1" | grep -q cll_own && exec "$@"' >own.sh
    discover --vary n=3,5,8,13 --build make -- sh own.sh ./lives '{n}'
    has_threads
}

# A program whose threads nobody would know ends before it counts.
threads_that_cannot_be_counted() {
    [ "$(uname -m)" = x86_64 ] || skip 'the threads share counters here'
    write_lives
    exits 1 "$call" discover --counts --cc gcc --cflags '-O2 -pthread' --ldflags -Wl,--exclude-libs,ALL --vary n=3,5,8,13 lives.c -- '{n}'
    has err 'threads cannot be counted: an option of the linker, such as --exclude-libs'
}

# Functions that run at exit would write the counters, and _exit calls none. A child of vfork has the counters of its parent.
ends_without_exit_are_counted() {
    cat >ends.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void child(void) { sink++; }
static void parent(void) { sink++; }
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (!fork()) {
        for (int i = 0; i < n; i++)
            child();
        _exit(0);
    }
    wait(NULL);
    pid_t p = vfork();
    if (!p) {
        execl("/there/is/none", "none", (char *)NULL);
        _exit(3);
    }
    waitpid(p, NULL, 0);
    for (int i = 0; i < 2 * n; i++)
        parent();
    pid_t (*volatile unseen)(void) = fork; /* by the compiler */
    if (!unseen()) {
        for (int i = 0; i < 3 * n; i++)
            child();
        _exit(0);
    }
    wait(NULL);
    _Exit(0);
}
C
    for flags in -O2 '-O2 -pthread'; do
        discover --cc gcc --cflags "$flags" --vary n=3,5,8,13 ends.c -- '{n}'
        has_calls exact '4*n' child
        has_calls exact '2*n' parent
    done
}

# These names are the program's.
a_program_with_an_exit_of_its_own() {
    cat >own.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile size_t sink;
void cll_report(const char *text) { sink += strlen(text); }
void _exit(int status)
{
    for (;;)
        syscall(SYS_exit_group, status);
}
int main(int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
        cll_report(argv[1]);
    if (argc > 2)
        _Exit(1);
    return 0;
}
C
    discover --cc gcc --vary n=3,5,8,13 own.c -- '{n}'
    has_calls exact n cll_report
}

# ---- projects

write_project() {
    mkdir -p src
    cat >src/app.c <<'C'
#include <stdlib.h>
double work(int n, int m);
int main(int argc, char **argv)
{
    return argc < 3 || work(atoi(argv[1]), atoi(argv[2])) < 0;
}
C
    cat >src/work.c <<'C'
double work(int n, int m)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < m; k++)
                s += k;
    for (int k = 0; k < m; k++)
        s++;
    return s;
}
C
    printf 'app: app.o work.o\n\t$(CC) -o $@ $^\n%%.o: src/%%.c\n\t$(CC) -O2 -c -o $@ $<\n' >Makefile
}

a_project_with_two_variables() {
    need make
    write_project
    discover --vary n=10:80:2 --vary m=3,8,20 --at n=1e5,m=1000 --build 'make app' -- ./app '{n}' '{m}'
    has_loop exact '1/2*n^2*m + 1/2*n*m' work
    has_loop exact m work
    has out ' 5000050000000  exact .* work  src/work.c:6$'
    has out '^calls of functions at n = 100000, m = 1000$'
    # with many sizes not every combination is run
    discover --vary n=3:9:+1 --vary m=2:8:+1 --build 'make -B app' -- ./app '{n}' '{m}'
    has_loop exact '1/2*n^2*m + 1/2*n*m' work
    has out '^18 runs in '
    discover --vary n=3:9:+1 --vary m=2:8:+1 --at m=1000 --at n=1e5 --build 'make -B app' -- ./app '{n}' '{m}'
    has out '^calls of functions at n = 100000, m = 1000$'
}

a_makefile_that_sets_cc() {
    need make
    write_project
    { echo CC = gcc; cat Makefile; } >Fixed
    exits 1 "$call" discover --vary n=3,5,8 --build 'make -f Fixed app' -- ./app '{n}' 4
    has err 'left no counters: the command of --build did not compile it with the compilers in CC'
    has_text err "write --build 'make CC=\"\$CC\"', for example"
    rm -f *.o app
    discover --vary n=3,5,8,13,21 --build 'make -f Fixed app CC="$CC"' -- ./app '{n}' 4
    has_loop exact '2*n^2 + 2*n' work
    exits 1 "$call" discover --vary n=3,5,8 --build 'exit 3' -- ./app '{n}' 4
    has err -- '--build: the command failed with exit status 3'
}

# ---- what goes wrong

write_bad() {
    cat >bad.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), random = 0;
    volatile int s = 0;
    if (n == 40) {
        fprintf(stderr, "no such grid: %d\n", n);
        return 3;
    }
    if (n == 77)
        abort();
    if (n == 90)
        syscall(SYS_exit_group, 0);
    if (n == 500) {
        close(open("waits", O_CREAT | O_WRONLY, 0666));
        sleep(600);
    }
    FILE *f = fopen("/dev/urandom", "r");
    if (f && fread(&random, 2, 1, f) == 1)
        fclose(f);
    for (int i = 0; i < n; i++)
        s++;
    for (int i = 0; i < random; i++)
        s++;
    return 0;
}
C
}

# An array that doubles its room, and blocks of 64: at 128, 256, 512, ... both counts are products of n.
write_grow() {
    cat >grow.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int *list;
static long room, used;
static void push(int x)
{
    if (used == room) {
        room = room ? 2 * room : 1;
        int *more = malloc((size_t)room * sizeof *more);
        for (long i = 0; i < used; i++)
            more[i] = list[i];
        free(list);
        list = more;
    }
    list[used++] = x;
}
static long blocks(long n)
{
    long s = 0;
    for (long b = 0; b < n; b += 64)
        s += list[b];
    return s;
}
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0;
    for (long i = 0; i < n; i++)
        push((int)i);
    printf("%ld\n", blocks(n));
    return 0;
}
C
}

sizes_between_show_what_others_hide() {
    write_grow
    discover --vary n=128:4096:2 --at n=1e5 grow.c -- '{n}'
    has_loop steps '2^ceil(log2(n)) - 1' push
    has_loop steps 'ceil(n/64)' blocks
    has_loop exact n main
    has out '^ *131071 '
    lacks out multiples
    has out '^10 runs in'
    discover --vary n=1:64:2 --at n=1000 grow.c -- '{n}'
    has_loop steps '2^ceil(log2(n)) - 1' push
    discover --as-given --vary n=128:4096:2 --at n=1e5 grow.c -- '{n}'
    has_loop exact 'n - 1' push
    has out '^7 runs in'
    has out '^all sizes of n are multiples of 128, so .* another size such as 1025 shows it$'
    discover --vary n=100,201,400,799,1600 grow.c -- '{n}'
    has out '^6 runs in'
    echo 1 >in128
    discover --vary n=128:4096:2 grow.c -- '{n}' 'in{n}'
    has out '^7 runs in'
    exits 0 "$call" discover -q -n 2 --vary n=128:4096:2 --at n=1e5 --data times.dat grow.c -- '{n}'
    has times.dat '\<727\>'
}

# All but the first two are 788 times powers of 2, and have as many ones as these.
sizes_of_few_odd_numbers() {
    cat >counter.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    char bit[40] = {0};
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (bit[k])
            bit[k++] = 0;
        bit[k] = 1;
    }
    return bit[39];
}
C
    discover --as-given --vary n=197,396,788,1576,3152 --at n=12607 counter.c -- '{n}'
    has_loop exact 'n - 4' main
    has out '^all sizes of n are one or two numbers times powers of 2, so other sizes may have other formulas; another size such as 789 shows it$'
    discover --vary n=197,396,788,1576,3152 --at n=12607 counter.c -- '{n}'
    lacks out 'n - 4 '
    has out ' data .* main  counter.c:8$'
}

# With one processor nothing is left of n/p, and with powers of 2 nothing is left of multiples of them.
sizes_between_with_several_processors() {
    cat >parts.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void part(long n, long p)
{
    for (long i = 0; i < n / p; i++)
        sink++;
}
static void padded(long n, long p)
{
    for (long i = 0; i < (n + p - 1) / p; i++)
        sink++;
}
static void rest(long n, long p)
{
    for (long i = 0; i < n % p; i++)
        sink++;
}
static void levels(long p)
{
    for (long k = 1; k < p; k *= 2)
        sink++;
}
int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[1]) : 0, p = argc > 2 ? atol(argv[2]) : 0;
    for (long r = 0; r < p; r++) {
        part(n, p);
        padded(n, p);
        levels(p);
    }
    rest(n, p);
    return 0;
}
C
    discover --vary n=256:4096:2 --vary p=1:8:2 --at n=16387,p=7 parts.c -- '{n}' '{p}'
    has_loop steps 'p*floor(n/p)' part
    has_loop steps 'p*ceil(n/p)' padded
    has_loop steps 'n - p*floor(n/p)' rest
    has_loop steps 'p*ceil(log2(p))' levels
    has out ' 16387 * steps .* part '
    has out ' 0 * steps .* rest '
    discover --vary n=100,203,401,800,1603 --vary p=1,2,3,4 parts.c -- '{n}' '{p}'
    has_loop steps 'p*floor(n/p)' part
    has_loop steps 'n - p*floor(n/p)' rest
    echo 'int main(void) { return 0; }' >try.c
    "$CC" -fopenmp try.c -o try 2>/dev/null || skip "no OpenMP"
    cat >team.c <<'C'
#include <omp.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
#pragma omp parallel
    for (int i = 0; i < n / omp_get_num_threads(); i++) {
        volatile int x = i;
        (void)x;
    }
    return argc < 2;
}
C
    discover --cc gcc --cflags '-O2 -fopenmp' --vary n=256:4096:2 --procs 1:8:2 team.c -- '{n}'
    has_loop steps 'P*floor(n/P)' main._omp_fn.0
}

# Such a size is no mistake of the user, and spoils nothing.
sizes_between_that_a_program_does_not_take() {
    cat >powers.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0, s = 0;
    int kind = argc > 2 ? atoi(argv[2]) : 0;
    if (n & (n - 1)) {
        if (kind == 0)
            return 3;
        for (; kind == 1;)
            pause();
        for (long i = 0; kind == 3 && i < n; i++)
            for (int k = 0; k < 9; k++)
                s++;
    } else {
        for (long m = 1; m < n; m *= 2)
            for (long i = 0; i < n; i++)
                s++;
    }
    printf("%ld\n", s);
    return 0;
}
C
    for kind in 0 1 2; do
        discover --vary n=64:2048:2 --at n=65536 powers.c -- '{n}' "$kind"
        has_loop steps 'n*floor(log2(n))' main
        has out '^ *1048576 '
        has out '^8 runs in'
        empty err
        case $kind in
        2) has out 'n = 367 was tried, and the program did something else there$' ;;
        *) has out 'n = 367 was tried, and the program failed or did not end$' ;;
        esac
    done
    discover --vary n=64:2048:2 --at n=65536 powers.c -- '{n}' 3
    has_loop steps 'n*floor(log2(n)), not at n = 197, 367' main
    discover --vary n=64:2048:2 --at n=65536 --json powers.c -- '{n}' 3
    is "$(python3 -c 'import json; print(json.load(open("out"))["loops"][0]["not_at"])')" "[{'n': 197}, {'n': 367}]"
    discover --vary n=64:2048:2 --at n=65537 powers.c -- '{n}' 3
    lacks out 'not at'
}

# Blocks begin above 1000, a table is full at 1500, and a constant is two: no size of --vary shows it.
write_later() {
    cat >later.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static void by_hand(long n)
{
    for (long i = 0; i < n; i++)
        sink++;
}
static void in_blocks(long n)
{
    for (long b = 0; b < n; b += 500)
        by_hand(500);
}
static void whole(long n)
{
    if (n > 1000)
        in_blocks(n);
    else
        by_hand(n);
}
static void fill(long n)
{
    for (long i = 0; i < n; i++) {
        if (i == 1500)
            break;
        sink++;
    }
}
static void pages(long n)
{
    for (long i = 0; i < n; i += 1000)
        sink++;
}
int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "";
    long n = atol(end + strspn(end, "data"));
    int kind = argc > 2 ? atoi(argv[2]) : 0;
    if (kind && n > 800 * kind)
        return 3;
    whole(n);
    fill(n);
    pages(n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++)
            sink++;
    return 0;
}
C
}

a_size_beyond_refutes_formulas() {
    write_later
    discover --vary n=50,101,200,399,800 --at n=6400 later.c -- '{n}'
    has_loop refuted 'n, not at n = 3200' fill
    has_loop refuted 'n, not at n = 3200' by_hand
    has_loop refuted '1, not at n = 3200' pages
    has_calls refuted '1, not at n = 3200' by_hand
    has_loop refuted '0, not at n = 3200' in_blocks
    has_calls refuted '0, not at n = 3200' in_blocks
    has_loop exact '1/2*n^2 - 1/2*n' main
    has_loop exact n main
    has_calls exact 1 whole
    has out '^7 runs in .*, one at n = 3200: 6 of 12 formulas hold there'
    empty err
    discover --json --vary n=50,101,200,399,800 --at n=6400 later.c -- '{n}'
    python3 - <<'P' || fail "not_at"
import json
j = json.load(open("out"))
f = [l for l in j["loops"] if l["function"] == "fill"][0]
assert (f["counts"], f["iterations"], f["not_at"], f["measured"]) == ("refuted", None, [{"n": 3200}], [50, 101, 200, 399, 800]), f
assert len(j["runs"]) == 5 and not any("not_at" in l for l in j["loops"] if l["function"] == "main")
P
}

# A count that depends on data is known there, and its formula is near it: insertion sort moves a quarter of n^2 elements.
data_are_counted_beyond_the_sizes() {
    need python3
    write_pairs
    exits 0 "$call" discover -q --counts --json --vary n=3200 pairs.c -- '{n}'
    cp out there
    discover --json --vary n=50,101,200,399,800 --at n=3200 pairs.c -- '{n}'
    cp out here
    discover --json --vary n=50,101,200,399,800 --at n=32000 pairs.c -- '{n}'
    python3 - <<'P' || fail "the iterations of sort"
import json
def moves(f): return [l for l in json.load(open(f))["loops"] if l["function"] == "sort" and l["counts"] == "data"][0]
there, here, far = moves("there"), moves("here"), moves("out")
assert here["iterations"] == there["measured"][0] and here["scatter"] < 0.1, here
assert abs(far["iterations"] / (100 * here["iterations"]) - 1) < 1e-9, (here, far)
P
}

# No formula is near all counts: that of the sizes stays, and says how far it is from the count beyond.
data_that_change_beyond_the_sizes() {
    need python3
    cat >burst.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0;
    unsigned x = 1;
    for (long i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        for (unsigned k = 0; k < (x >> 16) % (n > 1000 ? 400 : 20); k++)
            sink++;
    }
    return 0;
}
C
    discover --json --vary n=50,101,200,399,800 burst.c -- '{n}'
    cp out sizes
    discover --json --vary n=3200 burst.c -- '{n}'
    cp out there
    discover --json --vary n=50,101,200,399,800 --at n=3200 burst.c -- '{n}'
    python3 - <<'P' || fail "the iterations of the inner loop"
import json
def inner(f): return [l for l in json.load(open(f))["loops"] if l["line"] == 9][0]
sizes, there, now = inner("sizes"), inner("there"), inner("out")
assert now["formula"] == sizes["formula"] and now["scatter"] > 15 > 1 > sizes["scatter"], (sizes, now)
assert now["iterations"] == there["measured"][0], (now, there)
P
}

# The place is nearer than 4 times the largest size, or the program fails there.
twice_the_largest_size() {
    write_later
    discover --vary n=50,101,200,399,800 --at n=3199 later.c -- '{n}'
    has_loop refuted 'n, not at n = 1600' fill
    discover --vary n=50,101,200,399,800 --at n=6400 later.c -- '{n}' 2
    has_loop refuted 'n, not at n = 1600' fill
}

# Arguments are tried last, and must not bring back what the size beyond refuted.
a_refuted_sum_stays_so() {
    cat >weigh.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void weigh(long x, int n)
{
    int bits = n > 1000 ? 6 : 5;
    for (int i = 0; i < bits; i++)
        sink += x >> i;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        if ((x >> 16) % 3 == 0)
            weigh(x, n);
    }
    return 0;
}
C
    discover --vary n=50,101,200,399,800 weigh.c -- '{n}'
    has_loop steps '5*calls(weigh)' weigh
    discover --vary n=50,101,200,399,800 --at n=32000 weigh.c -- '{n}'
    loops | grep -q ' data *about .* weigh ' || fail "the sum is back"
    has out '^7 runs in .*, one at n = 3200: 2 of 3 formulas hold there; .* for arguments$'
}

# A transform of 2^k points has another formula at all other sizes, and one more step from 2000 points on.
a_size_beyond_that_is_alike() {
    cat >transform.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void transform(long n)
{
    long steps = 0;
    while (1L << steps < n)
        steps++;
    for (long i = 0; i < n * (n & (n - 1) ? n : steps + (n > 2000)); i++)
        sink++;
}
int main(int argc, char **argv)
{
    transform(argc > 1 ? atol(argv[1]) : 0);
    for (long i = 0; i < (argc > 2 ? atol(argv[2]) : 0); i++)
        sink++;
    return 0;
}
C
    discover --vary n=64:512:2 --vary m=3,7,11,20 --at n=4096,m=20 transform.c -- '{n}' '{m}'
    has_loop refuted 'n*floor(log2(n)), not at n = 2048, m = 20' transform
    has_loop exact m main
}

# Each of them is larger, but for one that --at leaves as it is.
sizes_beyond_of_two_variables() {
    cat >two.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void cross(long n, long m)
{
    for (long i = 0; i < n * m && i < 5000; i++)
        sink++;
}
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0, m = argc > 2 ? atol(argv[2]) : 0;
    cross(n, m);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            sink++;
    return 0;
}
C
    discover --vary n=10,21,40,79,100 --vary m=3,7,11,20 --at n=1000,m=1000 two.c -- '{n}' '{m}'
    has_loop refuted 'n*m, not at n = 400, m = 80' cross
    has_loop exact 'n*m' main
    discover --vary n=10,21,40,79,100 --vary m=3,7,11,20 --at n=1000 two.c -- '{n}' '{m}'
    has_loop refuted 'n*m, not at n = 400, m = 20' cross
    discover --vary n=10,21,40,79,100 --vary m=3,7,11,20 two.c -- '{n}' '{m}'
    has_loop exact 'n*m' cross
    # 36 combinations, of which not all are run
    discover --vary n=10,21,40,79,100,500 --vary m=3,7,11,20,31,40 --at n=10000,m=1000 two.c -- '{n}' '{m}'
    has_loop refuted 'n*m, not at n = 2000, m = 3' cross
    has_loop exact 'n*m' main
}

nothing_runs_below_the_size_beyond() {
    echo 'int main(int c, char **v) { volatile long s = 0; long n = c > 1 ? __builtin_strlen(v[1]) : 0; for (long i = 0; n > 3 && i < n; i++) s += i; return (int)s * 0; }' >little.c
    discover --vary n=100,201,400,801 little.c -- '{n}'
    has out '^no count depends on n: does the program use it[?]$'
    discover --vary n=100,201,400,801 --at n=10000 little.c -- '{n}'
    has_loop refuted '0, not at n = 3204' main
    lacks out 'no count depends on n'
}

# Where a lambda is called is not known: a condition may decide.
constants_of_lambdas_are_steps() {
    cat >fix.cpp <<'C'
#include <cstdlib>
#include <iostream>
static volatile long sink;
struct heap { int n; };
static std::ostream &operator<<(std::ostream &out, const heap &h)
{
    auto digits = [&](int m) { for (int i = 0; i < m; i++) sink = i; };
    digits(h.n);
    return out << h.n;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    auto fix = [&] { for (int i = 0; i < 10; i++) sink = i; };
    for (int i = 0; i < n; i++)
        if (i % 1000 == 500)
            fix();
    std::cout << heap{n} << std::endl;
}
C
    discover --as-given --vary n=600,701,800,903,1000 fix.cpp -- '{n}'
    has_loop steps 10 'main::lambda#1'
    has_calls steps 1 'main::lambda#1'
    loops | grep -q ' steps *n .*::lambda#1 *fix.cpp:7$' || fail "a lambda of an operator"
}

# Nobody asks what is there, or the size is a part of a name, or the program does not take it.
a_size_beyond_that_is_not_counted() {
    write_later
    discover --vary n=50,101,200,399,800 later.c -- '{n}'
    has_loop exact n fill
    discover --vary n=50,101,200,399,800 --at n=1599 later.c -- '{n}'
    has_loop exact n fill
    discover --vary n=50,101,200,399,800 --at n=6400 --as-given later.c -- '{n}'
    has_loop exact n fill
    has out '^6 runs in [^,]*$'
    discover --vary n=50,101,200,399,800 --at n=6400 --save saved.json later.c -- '{n}'
    has_loop exact n fill
    discover --vary n=50,101,200,399,800 --at n=6400 later.c -- 'data{n}'
    has_loop exact n fill
    discover --vary n=50,101,200,399,800 --at n=6400 later.c -- '{n}' 1
    has_loop exact n fill
    empty err
}

# The input of a size that nobody asked for is made as well; a name may be a part of one, or be the same for all sizes.
inputs_are_made_for_all_sizes() {
    write_later
    sed -i 's/end + strspn(end, "data")/line/; s/^    int kind/    char line[99] = "";\n    FILE *f = fopen(end, "r");\n    if (!f || !fgets(line, sizeof line, f))\n        return 9;\n    fclose(f);\n    remove(end);\n&/; s/long n = atol(line);//; s/^    if (kind \&\&/    long n = atol(line);\n&/
        1i #include <stdio.h>' later.c
    discover --vary n=50,101,200,399,800 --at n=6400 --prepare 'echo {n} >data.{n}' later.c -- 'data.{n}'
    has_loop refuted 'n, not at n = 3200' fill
    has_loop exact '1/2*n^2 - 1/2*n' main
    has out '^7 runs in .*, one at n = 3200: 6 of 12 formulas hold there'
    empty err
    gone data.50
    discover --vary n=50,101,200,399,800 --prepare 'echo {n} >{n}; true {m}' later.c -- '{n}'
    empty err
    discover --vary n=64:1024:2 --at n=1e4 --prepare 'cat; echo said; echo {n} >data' later.c -- data <later.c
    has_loop refuted 'n, not at n = 4096' fill
    has_loop exact '1/2*n^2 - 1/2*n' main
    empty err
    exits 0 "$call" discover -q -n 2 --as-given --vary n=50,101,200,399,800 --prepare 'echo {n} >data' later.c -- data
    has out ' rounds took '
}

inputs_that_cannot_be_made() {
    write_later
    discover --vary n=50,101,200,399,800 --prepare '[ {n} != 200 ] || { echo no room >&2; exit 3; }' later.c -- '{n}'
    has err '^no room$'
    has err 'n = 200: the command of --prepare failed with exit status 3; this size is left out'
    has_loop exact n fill
    discover --vary n=50,101,200,399,800 --at n=6400 --prepare '[ {n} -lt 1000 ]' later.c -- '{n}'
    has_loop exact n fill
    empty err
    exits 1 "$call" discover -q --counts --vary n=50,101,200,399,800 --prepare 'kill -KILL $$' later.c -- '{n}'
    has err 'n = 50: the command of --prepare was ended by signal 9'
    exits 1 timeout 100 "$call" discover -q --counts --limit 1s --vary n=50,101 --prepare 'sleep 1000' later.c -- '{n}'
    has err 'n = 50: the run was stopped, because the time of --limit is over (1 s)'
    exits 2 "$call" discover --vary n=5,10 --prepare 'touch {m}' later.c -- 5
    has_text err "{n} is nowhere in the command"
}

# What the project's own generator counts and measures is not the program's.
an_input_by_a_program_of_the_project() {
    write_later
    cat >make.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static volatile long made;
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 7 * n; i++)
        made++;
    printf("%d\n", n);
    return 0;
}
C
    printf 'all: later made\nlater: later.c\n\t$(CC) -O1 -o $@ later.c\nmade: make.c\n\t$(CC) -O1 -o $@ make.c\n' >Makefile
    exits 0 "$call" discover -q -n 2 --vary n=50,101,200,399,800 --at n=3200 --build 'make CC="$CC"' --prepare './made {n} >last' -- ./later '{n}'
    lacks out 'make.c'
    [ -s last ] || fail "no input was made"
    is "$(find . -name '*.gcda' -o -name '*.dat' | grep -c .)" 0 files
}

# 900 counts that depend on data: finding their formulas takes seconds on any machine.
a_signal_ends_the_search_for_formulas() {
    need pgrep
    awk 'BEGIN {
        print "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned long s = 1;"
        print "static int r(void) { s = s * 6364136223846793005UL + 1442695040888963407UL; return (int)(s >> 33); }"
        for (i = 0; i < 450; i++)
            printf "static long f%d(long n) { long k = 0; while (n-- > 0) if (r() %% %d == 0) for (int j = r() %% 5; j > 0; j--) k++; return k; }\n", i, i % 17 + 3
        print "int main(int argc, char **argv) { long n = argc > 1 ? atol(argv[1]) : 0, k = 0;"
        for (i = 0; i < 450; i++)
            printf "k += f%d(n + %d);\n", i, i
        print "FILE *ran = fopen(\"ran\", \"a\"); fprintf(ran, \"%ld\\n\", k); return fclose(ran); }"
    }' >many.c
    : >ran
    echo '{}' >before.json
    "$call" discover --check before.json --vary n=50,101,200,399,800,1600 many.c -- '{n}' >table 2>said &
    pid=$!
    until [ "$(grep -c . ran)" -eq 7 ] && ! pgrep -P $pid >/dev/null; do
        sleep 0.1
    done
    kill -TERM $pid
    exits 143 wait $pid
    has said 'counts are left out, because a signal ended the search for their formulas$'
    has said 'nothing is compared with before.json$'
    lacks table vanished
    has table '^calls of functions'
}

sizes_that_fail_are_left_out() {
    write_bad
    discover --vary n=10,21,40,77,80,160 bad.c -- '{n}'
    has err '^no such grid: 40$'
    has err 'n = 40: the program failed with exit status 3; this size is left out'
    has err 'n = 77: the program was ended by signal 6'
    has_loop exact n main
    loops | grep -q ' data .* main  bad.c:28' || fail "random iterations are not data"
    has out '^5 runs in '
    exits 1 "$call" discover --vary n=40,77 bad.c -- '{n}'
    exits 1 "$call" discover --vary n=90 bad.c -- '{n}'
    has err 'left no counters: it must end by exit'
    discover --vary n=10 bad.c -- '{n}'
    has out '^n has 1 size: a formula must be right at two sizes more than it has unknowns'
}

what_was_counted_before_the_end_is_kept() {
    write_bad
    # this size alone: on a busy machine others take as long as any limit that a test can wait for
    exits 1 "$call" discover --limit 1s --vary n=500 bad.c -- '{n}'
    has err 'n = 500: the run was stopped, because the time of --limit is over (1 s)'
    rm waits
    "$call" discover --vary n=10,21,35,60,500 bad.c -- '{n}' >out 2>err &
    local pid=$!
    appears waits
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    is $status 143
    has_loop exact n main
}

# A server ends well when it is asked to: its counts are those of a part of a run.
a_run_that_is_stopped_does_not_count() {
    cat >server.c <<'C'
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t over;
static void end(int number)
{
    over = number;
}
int main(int argc, char **argv)
{
    (void)argv;
    signal(SIGTERM, end);
    while (argc > 1 && !over)
        usleep(10000);
    return 0;
}
C
    exits 1 "$call" discover --counts --limit 1s --vary n=3 server.c -- '{n}'
    has err 'n = 3: the run was stopped, because the time of --limit is over (1 s)'
    empty out
}

# What a run has started ends with it: when its time is over, and after a signal, which a shell lets its background ignore. A
# signal that cannot be caught ends the program itself. The reader sees the end of the pipe when no process has it open any more.
runs_that_are_ended_leave_no_process() {
    mkfifo alive
    timeout 600 cat alive &
    exits 1 "$call" discover -q --counts --limit 1s --vary n=3,5 --build true -- \
        sh -c 'exec 9>alive; sleep 300 & wait; echo {n}'
    has err 'the time of --limit is over'
    exits 0 wait $!
    timeout 600 cat alive &
    exits 130 "$call" discover -q --counts --vary n=3,5 --build true -- \
        sh -c 'exec 9>alive; sleep 300 & kill -INT $PPID; wait; echo {n}'
    exits 0 wait $!
    timeout 600 cat alive &
    TMPDIR=$PWD exits 137 "$call" discover -q --counts --vary n=3,5 --build true -- \
        sh -c 'exec 9>alive; kill -KILL $PPID; : {n}; exec sleep 300'
    exits 0 wait $!
}

mistakes_have_messages() {
    write_bad
    echo 'int main(void) { return 0; }' >plain.c
    exits 2 "$call" discover bad.c -- 5
    has err 'no sizes: give --vary NAME=RANGE'
    exits 2 "$call" discover --vary n=5,10 bad.c -- 5
    has_text err "{n} is nowhere in the command: write it after '--'"
    exits 2 "$call" discover --vary n=1.5 bad.c -- '{n}'
    has err 'the size 1.5, which is no whole number'
    exits 2 "$call" discover --vary n=5:x bad.c -- '{n}'
    has err "'x' is not a number"
    exits 2 "$call" discover --vary 5 bad.c -- '{n}'
    has err 'is not NAME=RANGE'
    exits 2 "$call" discover --vary P=1,2 bad.c -- '{P}'
    has err -- '--procs gives the numbers of processors'
    exits 2 "$call" discover --vary n=1,2 --vary n=3 bad.c -- '{n}'
    has err 'names a variable twice'
    exits 2 "$call" discover --vary n=5,10 --at m=4 bad.c -- '{n}'
    has err "'m=4' is not NAME=SIZE with a NAME of --vary"
    exits 2 "$call" discover --vary n=5,10 --limit soon bad.c -- '{n}'
    has err "'soon' is not a time"
    exits 2 "$call" discover --vary n=5,10
    has err 'no source given'
    exits 2 "$call" discover --vary n=5,10 --build make
    has err 'the command that runs the program is missing'
    exits 2 "$call" discover --vary n=5,10 --build make ./app -- '{n}'
    has_text err "give no sources, and after '--' the command that runs it: -- ./program {n}"
    exits 1 "$call" discover --vary n=5,10 nowhere.c -- '{n}'
    has err 'cannot read nowhere.c: No such file'
    exits 1 "$call" discover --vary n=5,10 --check nowhere.json --build 'touch built' -- ./app '{n}'
    has err 'call discover: --check: cannot read nowhere.json: No such file'
    [ ! -e built ] || fail "it was built before the file was missed"
    exits 1 "$call" discover --vary n=5,10 --procs 1,2 bad.c -- '{n}'
    has err 'this program is sequential'
    exits 1 "$call" discover --vary n=5,10 -- ./nowhere '{n}'
    is "$(grep -c 'cannot run ./nowhere' err)" 1
    exits 1 "$call" discover --vary n=5,10 -- true '{n}'
    has err 'left no counters: give its sources'
    discover --vary n=5,10,20 plain.c -- '{n}'
    has out '^no loop was executed$'
    has out '^no count depends on n: does the program use it?$'
    printf 'int main(int argc, char **argv)\n{\n    volatile long i = 1L << argv[argc - 1][0] %% 16;\n    while (i > 0)\n        i--;\n}\n' >power.c
    discover --as-given --vary n=2,3,5,7,9 --at n=1e5 power.c -- '{n}'
    has_loop exact '2^n' main
    has out '^more than 1e308 iterations$'
    discover --vary m=2,3,5 --vary n=2,3,5 power.c -- '{m}' '{n}'
    has out '^no count depends on m: does the program use it?$'
    lacks out 'depends on n'
    echo 'int main(void) { return x; }' >wrong.c
    exits 1 "$call" discover --vary n=5,10 wrong.c -- '{n}'
    has err 'wrong.c:1:25: error'
}

files_stay_as_they_were() {
    write_pairs
    discover --vary n=5,8,13 pairs.c -- '{n}'
    is "$(ls)" "err
out
pairs.c"
}

# ---- --save and --check

a_changed_formula_fails_the_check() {
    write_pairs
    discover --vary n=5,8,13,21,34 --save saved.json pairs.c -- '{n}'
    exits 0 "$call" discover --vary n=5,8,13,21,34 --check saved.json pairs.c -- '{n}'
    has out 'compared with saved.json at 5 sizes: none has changed; 1 depends on data and is compared in how it grows$'
    # other lines and a new function are no change
    mkdir new
    { echo 'static int more(int x) { return x; }'; sed 's/return 0;/return more(0);/' pairs.c; } >new/pairs.c
    cd new
    exits 0 "$call" discover --vary n=8,13,21 --check ../saved.json pairs.c -- '{n}'
    has out '^new: more (pairs.c:1)$'
    has out 'at 3 sizes: none has changed'
    cd ..
    sed 's/j = i + 1/j = 0/' pairs.c >new/pairs.c
    cd new
    exits 1 "$call" discover --vary n=5,8,13,21,34 --check ../saved.json pairs.c -- '{n}'
    has_text out 'pairs.c:13: loop 2 of nearest: iterations are now n^2, before 1/2*n^2 - 1/2*n (n = 34: 1156, before 561)'
    has out ': 2 changed' # and the calls of distance
    cd ..
    sed 's/    sort(x, n);//; s/^static void sort/void sort/' pairs.c >new/pairs.c
    cd new
    exits 0 "$call" discover --vary n=5,8,13,21,34 --check ../saved.json pairs.c -- '{n}'
    has out '^vanished: sort (pairs.c)$'
    exits 1 "$call" discover --vary n=6,7 --check ../saved.json pairs.c -- '{n}'
    has err 'no size in common'
    echo '{"discover": 2}' >other.json
    exits 1 "$call" discover --vary n=6,7 --check other.json pairs.c -- '{n}'
    has err other.json
    head -c 900 ../saved.json >cut.json
    exits 1 "$call" discover --vary n=6,7 --check cut.json pairs.c -- '{n}'
    has err cut.json
    sed '/"measured": \[/{n;d}' ../saved.json >less.json
    exits 1 "$call" discover --vary n=5,8,13,21,34 --check less.json pairs.c -- '{n}'
    has err '"measured" must have a whole number for each of the 5 runs'
    for option in save write data report; do # before anything is compiled
        exits 1 "$call" discover --cc false --vary n=6,7 --$option /nowhere/x.html pairs.c -- '{n}'
        is "$(cat err)" 'call discover: cannot write /nowhere/x.html: No such file or directory'
    done
}

# The iterations of the outer loop depend on data: they may change, but not what there is of them.
a_changed_sum_fails_the_check() {
    write_words
    discover --vary n=50,101,200,399,800 --save saved.json words.c -- '{n}'
    mkdir new
    sed 's/seed = 1;/seed = 7;/' words.c >new/words.c
    cd new
    exits 0 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json words.c -- '{n}'
    has out 'none has changed; 1 depends on data'
    sed -i 's/k < 4/k < 8/' words.c
    exits 1 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json words.c -- '{n}'
    has out '^words.c:34: loop 2 of main: iterations are now 8[*]iterations(words.c:28), before 4[*]iterations(words.c:28) (n = 800: [0-9]*, by the formula before [0-9]*)$'
    has out ': 2 changed'
    # without the count that it is a sum of, nothing is known
    sed 's/letter()/(seed = seed * 1103515245 + 12345) >> 16 \& 31/; s/^static unsigned (seed.*/static unsigned unused(void)/' ../words.c >words.c
    sed -i 's/^static unsigned unused/unsigned unused/' words.c
    exits 0 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json words.c -- '{n}'
    has out '^vanished: letter'
    has out '; 2 depend on data'
}

# A size at which the program now fails is a change.
a_size_that_fails_fails_the_check() {
    echo 'int main(int argc, char **argv) { (void)argv; return argc < 2; }' >works.c
    discover --vary n=10,21,40 --save saved.json works.c -- '{n}'
    sed 's/return argc < 2/return argv[1][0] == 52/' works.c >fails.c
    exits 1 "$call" discover --vary n=10,21,40 --check saved.json fails.c -- '{n}'
    has out 'at 2 sizes: none has changed; 1 sizes of the file were not run$'
    exits 0 "$call" discover --vary n=10,21 --check saved.json works.c -- '{n}'
}

# Nothing that was there has changed, but the program grows faster now.
faster_growth_fails_the_check() {
    cat >search.c <<'C'
#include <stdlib.h>
static int find(const int *a, int n, int x)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, *a = malloc((size_t)n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i % 2 ? 3 * i : 3 * i - i % 7;
    for (int i = 0; i < n; i++)
        s += find(a, n, i * 7919 % n);
    free(a);
    return s < 0;
}
C
    discover --vary n=50,101,200,399,800 --save saved.json search.c -- '{n}'
    mkdir new
    cd new
    # another loop of n iterations is no failure, one in a loop is one
    sed 's/    free(a);/    for (int i = 0; i < n; i++)\n        s ^= a[i];\n&/' ../search.c >search.c
    exits 0 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json search.c -- '{n}'
    has out '^new: loop 3 of main (search.c:21)$'
    sed 's/    free(a);/    for (int i = 0; i < n; i++)\n        for (int j = 0; j < n; j++)\n            s ^= a[j];\n&/' ../search.c >search.c
    exits 1 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json search.c -- '{n}'
    has_text out 'new: loop 4 of main (search.c:22): iterations, n^2, grow faster than all counts before together (n = 800: 640000)'
    has out ': 1 changed'
    # other data are no failure, a linear search is one
    sed 's/7919/6007/' ../search.c >search.c
    exits 0 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json search.c -- '{n}'
    has out 'none has changed; 1 depends on data'
    sed 's/hi = mid;/hi--;/; s/lo = mid + 1/lo++/; s/int mid.*/int mid = lo;/' ../search.c >search.c
    exits 1 "$call" discover --vary n=50,101,200,399,800 --check ../saved.json search.c -- '{n}'
    has out '^search.c:5: loop 1 of find: iterations grow faster: now .*, before .* (n = 800: [0-9]*, before [0-9]*)$'
}

names_of_templates_are_long() {
    need g++
    cat >long.cpp <<'C'
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
template <class T> int sum(const T &x, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += (int)x.size();
    return s;
}
int main(int argc, char **argv)
{
    std::map<std::string, std::vector<std::map<std::string, std::string> > > m;
    return sum(m, argc > 1 ? std::atoi(argv[1]) : 0);
}
C
    discover --vary n=5,8,13,21,34 --save saved.json long.cpp -- '{n}'
    is "$(awk 'length > 200' out)" ''
    exits 0 "$call" discover --vary n=5,8,13,21,34 --check saved.json long.cpp -- '{n}'
    has out 'none has changed$'
}

main "$1"
