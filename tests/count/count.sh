# SPDX-License-Identifier: GPL-3.0-or-later
# call count: hand-checked loops, steps, formulas that lack a term, files, options.
. "$CLL_SOURCE/tests/count/setup.sh"

# A program whose instructions are known: the compiler puts exactly the given ones into each line.
write_hand() {
    cat >hand.c <<'C'
#include <stdio.h>
int main(void)
{
    int N;
#pragma cll for (N = 5; N <= 40; N += 5)
#pragma cll f f[0] + f[1]*N + f[2]*N^2
    __asm__ volatile("nop\n\tnop");
    for (int i = 0; i < N; i++) {
        __asm__ volatile("nop");
        for (int j = 0; j < N; j++)
            __asm__ volatile("nop\n\tnop\n\tnop");
    }
#pragma cll end f
#pragma cll end for
    puts("done");
    return 0;
}
C
}

# make check tries the first and the last level.
levels="-O0 -O2"
[ "$thorough" = no ] || levels="-O0 -O1 -O2"

hand_checked_loops_are_exact_at_every_level() {
    write_hand
    for level in $levels; do
        count -q --cflags "$level" hand.c
        says hand.count.json 'line("f", "f[0]", 7)' 2
        says hand.count.json 'line("f", "f[1]", 9)' 1
        says hand.count.json 'line("f", "f[2]", 11)' 3
        says hand.count.json 'constant("f", "f[2]")["classes"]["other"]' 3
        says hand.count.json 'experiment("f")["unexplained"]' '[]'
        says hand.count.json '[c["exact"] for c in experiment("f")["constants"]]' '[True, True, True]'
        says hand.count.json 'sums("f")' True
        says hand.count.json 'len(experiment("f")["points"])' 8
        says hand.count.json 'r["flags"]' "$level"
        # nothing of the run-time: no line but those between the pragmas
        says hand.count.json 'sorted({l["line"] for c in experiment("f")["constants"] for l in c["lines"]} - set(range(7, 13)))' '[]'
        says hand.count.json '{l["file"] for c in experiment("f")["constants"] for l in c["lines"]}' "{'hand.c'}"
    done
}

settings_are_variables_of_counts() {
    write_hand
    sed -i 's/#pragma cll f /&(setting s, N) /; s/f\[2\]\*N/f[2]*s*N/' hand.c
    CLL_SETTINGS=s=3 count -q hand.c
    says hand.count.json 'line("f", "f[2]", 11)' 1
    has hand.count.dat '^# variables: f N s$'
    exits 1 "$call" count -q hand.c
    has_text err "the formula of f uses 's', which no counted execution has: a setting must be in the environment, as in CLL_SETTINGS=\"s=100\" call count ..."
}

# Bytes that are not UTF-8 cannot be in JSON; they are written as \xNN.
names_in_any_encoding_are_in_the_report() {
    local name=$'gr\xf6\xdf'
    write_hand
    mv hand.c "$name.c"
    count -q "$name.c"
    says "$name.count.json" 'r["program"]' 'gr\xf6\xdf.c'
    says "$name.count.json" '{l["file"] for c in experiment("f")["constants"] for l in c["lines"]}' "{'gr\\\\xf6\\\\xdf.c'}"
}

# The point is known at the end only: three executions of each are counted, and the others of a point are dropped. What
# computes a value at the end is not counted.
values_at_the_end_are_those_of_the_point() {
    cat >late.c <<'C'
#include <stdio.h>
static __attribute__((noinline)) int slowly(int n)
{
    for (int i = 0; i < n * n; i++)
        __asm__ volatile("nop");
    return n;
}
int main(void)
{
    for (int k = 0; k < 60; k++) {
        int it = 0, most = k % 6 + 1;
#pragma cll late(it := it) late[0] + late[1]*it
        for (; it < most; it++)
            __asm__ volatile("nop\n\tnop\n\tnop");
#pragma cll end late
#pragma cll computed(n := slowly(it) + 1) computed[0] + computed[1]*(n - 1)
        for (it = 0; it < most; it++)
            __asm__ volatile("nop\n\tnop");
#pragma cll end computed
    }
    puts("done");
    return 0;
}
C
    count -q --executions 2 late.c
    says late.count.json 'line("computed", "computed[1]", 18)' 2
    says late.count.json 'len(experiment("computed")["points"])' 6
    says late.count.json 'experiment("computed")["unexplained"]' '[]'
    says late.count.json '[l for c in experiment("computed")["constants"] for l in c["lines"] if l["line"] < 9]' '[]'
    says late.count.json 'line("late", "late[1]", 14)' 3
    says late.count.json 'len(experiment("late")["points"])' 6
    says late.count.json 'experiment("late")["unexplained"]' '[]'
    exits 0 "$llac" -e 'show late on INSTRUCTIONS' late.count.dat
    is "$(awk '$1 ~ /^[1-6]$/ { print $1 ":" $2 }' out | tr '\n' ' ')" '1:2 2:2 3:2 4:2 5:2 6:2 ' 'points and their executions'
}

# Instructions of the loops themselves, which the compiler writes: -O0 keeps every variable in memory.
plain_loops_have_whole_numbers_at_every_level() {
    cat >plain.c <<'C'
#include <stdio.h>
static double a[64][64];
static long sum;
int main(void)
{
    int N;
#pragma cll for (N = 3; N <= 60; N += 4)
#pragma cll fill fill[0] + fill[1]*N + fill[2]*N^2
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[j][i] = i;
#pragma cll end fill
#pragma cll triangle triangle[0] + triangle[1]*N + triangle[2]*N^2
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            sum += (i ^ j) % (i + 1);
#pragma cll end triangle
#pragma cll end for
    printf("%g\n", a[2][2] + (double)sum);
    return 0;
}
C
    for level in $levels; do
        count -q --cflags "$level" plain.c
        for e in fill triangle; do
            says plain.count.json "experiment('$e')['unexplained']" '[]'
            says plain.count.json "[c['exact'] for c in experiment('$e')['constants']]" '[True, True, True]'
            says plain.count.json "sums('$e')" True
        done
        says plain.count.json 'total("fill", "fill[2]") == int(total("fill", "fill[2]")) >= 3' True
        says plain.count.json 'constant("fill", "fill[2]")["classes"]["store"] >= 1' True
        says plain.count.json 'constant("triangle", "triangle[2]")["classes"]["division"]' 0.5
    done
}

unrolled_and_vectorised_loops_count_in_steps() {
    cat >steps.c <<'C'
#include <stdio.h>
static float a[4096], b[4096];
static int sum;
int main(void)
{
    int N;
#pragma cll for (N = 9; N <= 400; N += N / 4 + 1)
#pragma cll vector vector[0] + vector[1]*N
    for (int i = 0; i < N; i++)
        b[i] += 2 * a[i];
#pragma cll end vector
#pragma cll unrolled unrolled[0] + unrolled[1]*N
    int i = 0;
    for (; i + 4 <= N; i += 4)
        __asm__ volatile("nop");
    for (; i < N; i++)
        __asm__ volatile("nop\n\tnop");
#pragma cll end unrolled
#pragma cll end for
    printf("%g %d\n", b[3], sum);
    return 0;
}
C
    count -q --cflags "-O3 -fno-unroll-loops" steps.c
    says steps.count.json 'experiment("unrolled")["unexplained"]' '[]'
    says steps.count.json 'line("unrolled", "unrolled[1]", 15)' 0.25
    says steps.count.json '[l["step"] for l in constant("unrolled", "unrolled[1]")["lines"] if l["line"] == 15]' '[4]'
    says steps.count.json '[l["follows"] for l in constant("unrolled", "unrolled[1]")["lines"] if l["line"] == 15]' "[['floor(N/4)']]"
    says steps.count.json 'experiment("vector")["unexplained"]' '[]'
    says steps.count.json '{l["step"] for l in constant("vector", "vector[1]")["lines"]}' '{4}'
    says steps.count.json 'constant("vector", "vector[1]")["classes"]["simd"]["128"] > 0' True
    count -q --cflags "-O3 -fno-unroll-loops" steps.c
    has out 'in steps of 4'
}

missing_terms_are_proposed() {
    cat >lacks.c <<'C'
#include <stdio.h>
static unsigned sum = 1;
int main(void)
{
    int N;
#pragma cll for (N = 8; N <= 80; N += 8)
#pragma cll f f[0] + f[1]*N
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            __asm__ volatile("nop");
#pragma cll end f
    unsigned x = 12345u * (unsigned)N;
#pragma cll chance chance[0] + chance[1]*N
    for (x = (x * 1103515245u + 12345u) % 1000; x > 0; x--)
        __asm__ volatile("nop");
#pragma cll end chance
#pragma cll end for
    printf("%u\n", sum);
    return 0;
}
C
    count -q lacks.c
    has out 'follow no term of the formula: .* 9[0-9]\.[0-9]* %'
    has out 'lacks.c:10 .*\[missing term: N^2\]'
    says lacks.count.json '[(l["term"], len(l["counts"])) for l in experiment("f")["unexplained"] if l["line"] == 10]' "[('N^2', 10)]"
    says lacks.count.json '[l.get("term") for l in experiment("chance")["unexplained"] if l["line"] == 15]' '[None]'
}

nested_regions_belong_to_the_outer_one_too() {
    cat >nested.c <<'C'
#include <stdio.h>
static void work(int n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("nop");
}
int main(void)
{
    int N;
#pragma cll for (N = 4; N <= 32; N += 4)
#pragma cll outer outer[0] + outer[1]*N
    work(N);
#pragma cll inner inner[0] + inner[1]*N
    work(2 * N);
#pragma cll end inner
    work(N);
#pragma cll end outer
#pragma cll end for
    puts("done");
    return 0;
}
C
    count -q --cflags "-O1 -fno-inline" nested.c
    says nested.count.json 'line("inner", "inner[1]", 5)' 2
    says nested.count.json 'line("outer", "outer[1]", 5)' 4
    says nested.count.json 'sums("outer") and sums("inner")' True
    says nested.count.json 'total("outer", "outer[1]") == 2 * total("inner", "inner[1]")' True
    says nested.count.json 'max(l["line"] for c in experiment("outer")["constants"] for l in c["lines"])' 16
}

matrix_initialisation_gives_table_1() {
    count -q --cflags -O1 "$CLL_SOURCE/examples/matinit.c" -- 32 128
    for e in jumping walking; do
        says matinit.count.json "experiment('$e')['unexplained']" '[]'
        says matinit.count.json "[c['exact'] for c in experiment('$e')['constants']]" '[True, True, True]'
        says matinit.count.json "sums('$e')" True
    done
    # A1: j < N, j++ and i = 0 of the outer loop; A2: i < N, i++ and a[i][j] = 0
    says matinit.count.json 'line("jumping", "jumping[1]", 15) > 0' True
    says matinit.count.json 'line("jumping", "jumping[2]", 15)' None
    says matinit.count.json 'line("jumping", "jumping[2]", 16) > 0 and line("jumping", "jumping[2]", 17) > 0' True
    says matinit.count.json 'line("jumping", "jumping[1]", 17)' None
    says matinit.count.json 'constant("jumping", "jumping[2]")["classes"]["store"]' 1
    says matinit.count.json 'constant("walking", "walking[2]")["classes"]["store"]' 1
    has out 'jumping\[2\], per unit of N^2: [0-9]* instructions, exact: .*store 1'
    has out 'matinit.c:17  *[0-9]  *a\[i\]\[j\] = 0;'
}

# With the command of the manual the compiler makes a call of memset out of the inner loop: A2 is its bytes.
calls_that_the_compiler_made_give_table_1() {
    count -q "$CLL_SOURCE/examples/matinit.c" -- 32 128
    for e in jumping walking; do
        says matinit.count.json "experiment('$e')['unexplained']" '[]'
        says matinit.count.json "[c['exact'] for c in experiment('$e')['constants']]" '[True, True, True]'
        says matinit.count.json "sums('$e')" True
    done
    # by any compiler: the store of 8 bytes is an instruction, or a part of one, or of a block
    says matinit.count.json 'constant("jumping", "jumping[2]")["classes"]["store"]' 1
    says matinit.count.json '[constant("walking", "walking[2]")["classes"][k] > 0 for k in ("set", "store")].count(True)' 1
    says matinit.count.json '[l["line"] for l in constant("walking", "walking[2]")["lines"]][-1]' 24
}

blocks_of_memory_are_bytes() {
    cat >blocks.c <<'C'
#include <stdio.h>
#include <string.h>
static char a[1 << 16], b[1 << 16];
static void __attribute__((noinline)) last(size_t n)
{
    memset(b, 2, 3 * n); /* the compiler jumps to it */
}
int main(int argc, char **argv)
{
    int N;
#pragma cll for (N = 5; N <= 165; N += 20)
#pragma cll f f[0] + f[1]*N + f[2]*N^2
    memset(a, argc, (size_t)N * (size_t)N);
    for (int i = 0; i < N; i++)
        memcpy(b + i, a, (size_t)N);
    memmove(a + 1, a, 2 * (size_t)N);
    memset(a, 7, 1000);
    last((size_t)N);
#pragma cll end f
#pragma cll end for
    memset(a, 0, sizeof a);
    for (int i = 0; i < 100; i++)
        a[i] = (char)i;
    memmove(a + 20, a, 50);
    memmove(a + 100, a + 103, 50);
    printf("%d %d %d %s\n", a[20], a[69], a[70], argv[0] ? "done" : "");
    return a[20] != 0 || a[69] != 49 || a[70] != 70;
}
C
    for flags in "-O2 -D_FORTIFY_SOURCE=2" "-O2 -U_FORTIFY_SOURCE"; do
        count -q --cflags "$flags" blocks.c
        says blocks.count.json '[constant("f", c)["classes"]["set"] for c in ("f[0]", "f[1]", "f[2]")]' '[1000, 3, 1]'
        says blocks.count.json '[constant("f", c)["classes"]["copied"] for c in ("f[0]", "f[1]", "f[2]")]' '[0, 2, 1]'
        says blocks.count.json 'experiment("f")["unexplained"]' '[]'
        says blocks.count.json '[l["file"] for c in experiment("f")["constants"] for l in c["lines"] if l.get("function")]' '[]'
    done
    says blocks.count.json '[(l["line"], l["classes"]["set"]) for l in constant("f", "f[2]")["lines"] if l["classes"]["set"]]' '[(13, 1)]'
    says blocks.count.json '[(l["line"], l["classes"]["copied"]) for l in constant("f", "f[2]")["lines"] if l["classes"]["copied"]]' '[(15, 1)]'
    has out 'blocks.c:13  *1 bytes set  memset(a, argc'
    exits 0 "$llac" -e 'show f on SET_BYTES' blocks.count.dat
    has out ' 85 *1 *8480 ' # 85^2 + 3*85 + 1000
    # misses in a block are misses of the region
    count -q --cache --executions 1 blocks.c
    exits 0 "$llac" -e 'show f on STORES' blocks.count.dat
    awk '$1 == 165 { found = $3 + 0 > 28720 / 8 } END { exit !found }' out || fail "$(cat out)"
}

instructions_have_their_mnemonics() {
    write_hand
    count -q --graph --cflags -O1 hand.c
    says hand.count.json 'constant("f", "f[2]")["classes"]["mnemonics"]["nop"]' "{'other': 3}"
    says hand.count.json 'all(c["instructions"] == sum(n for m in c["classes"]["mnemonics"].values() for n in m.values()) for c in experiment("f")["constants"])' True
    has out '^ *nop 3, '
}

# examples/studies/counting: what the papers say beside what comes out
study_prints_the_papers_beside_the_counts() {
    exits 0 env SMALL=1 CALL="$call" LLAC="$llac" MACHINE="$CLL_SOURCE/examples/machines/neoverse-2.json" "$CLL_SOURCE/examples/studies/counting/study" data
    empty err
    has_text out 'A2, the paper: stands for i<N; i++ and a[i][j]=0'
    has out '^      matinit.c:17 .* a\[i\]\[j\] = 0;$'
    has out '^   walking  between [0-9.e-]* and [0-9.e-]* (with the misses in its caches); measured: [0-9.e-]*$'
    has out '^   jumping  misses: [0-9. to]* % of the accesses in D1'
    has_text out 'llac:      264349; with 497 for a butterfly as printed: 263325; printed: 263325'
    has_text out 'counted:   jumping: C = C(1) + N*(C(2) + N*C(3))'
    exists data/matinit.count.dot
    exits 2 "$CLL_SOURCE/examples/studies/counting/study" a b
}

execution_graphs_are_expressions() {
    write_hand
    count -q --graph hand.c
    has_text out 'f: C = C(1) + N*(C(2) + N*C(3))'
    says hand.count.json 'experiment("f")["graph"]["expression"]' 'C(1) + N*(C(2) + N*C(3))'
    says hand.count.json '[(n["name"], n["times"], n.get("inside")) for n in experiment("f")["graph"]["nodes"]]' "[('C(1)', '1', None), ('C(2)', 'N', 'C(1)'), ('C(3)', 'N', 'C(2)')]"
    has_text hand.count.dot '"r0C(2)" -> "r0C(3)" [label=" N times"];'
    has_text hand.count.dot 'hand.c:11  __asm__ volatile(\"nop\\n\\tnop\\n\\tnop\");'
    ! command -v dot >/dev/null || exits 0 dot -Tsvg hand.count.dot -o hand.svg
    says hand.count.json '[(n["constant"], n["instructions"] == total("f", n["constant"])) for n in experiment("f")["graph"]["nodes"]]' "[('f[0]', True), ('f[1]', True), ('f[2]', True)]"
    sed -i 's/ f\[0\] + f\[1\]\*N + f\[2\]\*N^2/ f[0] + f[1]*N + f[2]*N^2 + f[3]*N*log2(N)/' hand.c
    count -q --graph hand.c
    has_text out 'f: C = C(1) + N*(C(2) + N*C(3))' # a constant without instructions is not a node
}

executions_are_listed_in_their_order() {
    cat >inner.c <<'C'
#include <string.h>
static char a[64], b[64];
static void work(int n)
{
#pragma cll outer outer[0] + outer[1]*n
    for (int i = 0; i < n; i++) {
#pragma cll inner(i) inner[0]
        memcpy(a, b, (size_t)(i + 1) * (n / 2));
#pragma cll end inner
    }
#pragma cll end outer
}
int main(void)
{
    work(2);
    work(3);
    return a[0];
}
C
    count -q --executions 1 inner.c
    says inner.count.json '[(e["experiment"], e["values"], e.get("inside")) for e in r["executions"]]' "[('outer', {'n': 2}, None), ('inner', {'i': 0}, 0), ('inner', {'i': 1}, 0), ('outer', {'n': 3}, None), ('inner', {'i': 2}, 3)]"
    says inner.count.json '[e["bytes"] for e in r["executions"]]' '[3, 1, 2, 6, 3]'
    says inner.count.json '[(e["rank"], e["thread"], e["calls"]) for e in r["executions"]] == 5 * [(0, 0, [])]' True
    says inner.count.json '[e["instructions"] for e in r["executions"] if e["experiment"] == "outer"] == [p["instructions"] for p in experiment("outer")["points"]]' True
}

counts_are_observables_that_llac_fits_exactly() {
    write_hand
    count hand.c
    has out '^files: hand.count.json, hand.count.dat$'
    well_formed hand.count.dat
    is "$(header hand.count.dat flags)" -O2
    is "$(rows hand.count.dat f)" 8
    printf 'fit f on INSTRUCTIONS\nfit f\nfit f on INSTRUCTIONS\n' >fits.llac
    exits 0 "$llac" hand.count.dat fits.llac
    has out 'f INSTRUCTIONS = f\[0\] + f\[1\]\*N + f\[2\]\*N^2'
    lacks out warning
    is "$(grep -c 'error: mean [0-9.e-]* %' out)" 3 "fits"
    awk '/error: mean/ {if ($3 + 0 > 1e-6) exit 1}' out || fail "the fit is not exact"
    empty err
}

caches_are_simulated() {
    cat >misses.c <<'C'
#include <stdio.h>
static volatile char a[1 << 22];
int main(void)
{
    int N, sum = 0;
#pragma cll for (N = 1 << 16; N <= 1 << 22; N *= 2)
#pragma cll walk walk[0] + walk[1]*N
    for (int i = 0; i < N; i += 64)
        sum += a[i];
#pragma cll end walk
#pragma cll end for
    printf("%d\n", sum);
    return 0;
}
C
    count -q --cache --executions 1 misses.c
    has out '^  misses: [0-9. to]* % of the accesses in D1, [0-9. to]* % in LL$'
    for o in INSTRUCTIONS LOADS STORES D1_MISSES D1_LOAD_MISSES LL_MISSES LL_LOAD_MISSES I1_MISSES; do
        column misses.count.dat "$o" >/dev/null || fail "no column $o"
    done
    # one miss per line of 64 bytes
    awk '/^#/ {next} !d {for (i = 1; i <= NF; i++) {if ($i == "D1_MISSES") d = i; if ($i == "N") n = i}; next}
         {if ($d < $n / 64 || $d > $n / 64 + 20) exit 1}' misses.count.dat || fail "$(cat misses.count.dat)"
    count -q --cache --machine "$CLL_SOURCE/examples/machines/neoverse-2.json" --json misses.c
    has out '"D1": "65536,8,64"'
    says misses.count.json 'r["cache"]["machine"]' neoverse-2
    # each load misses: they are a line apart; and the other accesses of the loop do not
    says misses.count.json 'all(abs(p["misses"]["D1"] * 64 / p["values"]["N"] - 1) < 0.1 and p["misses"]["LL"] <= p["misses"]["D1"] <= p["accesses"] for p in experiment("walk")["points"])' True
    exits 2 "$call" count --machine nowhere misses.c
    has err 'call count: --machine needs --cache'
    exits 1 "$call" count --cache --machine nowhere misses.c
    has err nowhere
}

report_is_json_and_a_page() {
    write_hand
    count --json --html hand.c
    cp out printed.json
    says printed.json 'r["format"], r["program"], r["experiments"][0]["name"]' "(1, 'hand.c', 'f')"
    says printed.json 'r["command"]' "call count --json --html hand.c"
    says printed.json 'r["sources"][0]["file"], len(r["sources"][0]["text"]) > 100' "('hand.c', True)"
    same printed.json hand.count.json
    has hand.count.html '<html'
    cat >moved.json <<'JSON'
{"format": 1, "program": "hand.c", "assignments": [{"experiment": "f", "file": "hand.c", "line": 9, "constant": "f[2]"}]}
JSON
    count -q --assign moved.json hand.c
    says hand.count.json 'line("f", "f[1]", 9)' None
    says hand.count.json 'line("f", "f[2]", 9) > 0' True
    exits 1 "$call" count -q --assign nowhere.json hand.c
    has err nowhere.json
}

executions_of_a_point_are_limited() {
    cat >many.c <<'C'
#include <stdio.h>
int main(void)
{
    for (int k = 0; k < 50; k++) {
        int N = 10 + k % 2;
#pragma cll f f[0] + f[1]*N
        for (int i = 0; i < N; i++)
            __asm__ volatile("nop");
#pragma cll end f
    }
    puts("done");
    return 0;
}
C
    count -q many.c
    is "$(rows many.count.dat f)" 6 "executions"
    count -q --executions 20 many.c
    is "$(rows many.count.dat f)" 40 "executions"
    says many.count.json '[p["executions"] for p in experiment("f")["points"]]' '[20, 20]'
    exits 2 "$call" count --executions 0 many.c
    has err "call count: --executions: '0' is not a number from 1 to 1000000"
}

a_program_that_takes_too_long_is_ended_and_reported() {
    cat >forever.c <<'C'
#include <stdio.h>
int main(void)
{
    int N;
    for (N = 1;; N++) {
#pragma cll f f[0] + f[1]*N
        for (int i = 0; i < N; i++)
            __asm__ volatile("nop");
#pragma cll end f
        for (volatile int i = 0; N > 20; i++)
            ;
    }
}
C
    for limit in 3 10 30 100; do # on a busy machine the program may not have counted anything after three seconds
        exits 1 "$call" count -q --limit ${limit}s forever.c
        has err "call count: the program was stopped after $limit s; the report has what was counted until then, if anything; --limit sets another limit"
        [ ! -e forever.count.json ] || break
    done
    says forever.count.json 'line("f", "f[1]", 8)' 1
    exits 2 "$call" count --limit never forever.c
    has err "call count: --limit: 'never' is not a time of at least 1 s"
}

missing_valgrind_names_the_package() {
    write_hand
    mkdir tools
    for tool in sh gcc cc as ld rm mkdir; do ln -s "$(command -v $tool)" tools/ 2>/dev/null || true; done
    exits 1 env PATH="$PWD/tools" "$call" count hand.c
    has err 'call count: valgrind is not installed; install it (Debian, Ubuntu: the package valgrind)'
    gone hand.count.json
}

programs_that_cannot_be_counted_are_refused() {
    echo 'int main(void) { return 0; }' >none.c
    exits 1 "$call" count none.c
    has err 'call count: the program wrote no data: no source has cll pragmas'
    exits 1 "$call" count nowhere.c
    has err 'call count: cannot read nowhere.c: No such file or directory'
    exits 2 "$call" count
    has err "call count: no source given; see 'call count --help'"
    exits 2 "$call" count --until 2% none.c
    has err "call count: --until: no such option"
    write_hand
    sed -i 's/puts("done")/return 3/' hand.c
    exits 1 "$call" count hand.c
    has err 'the program failed with exit status 3'
    has out 'f\[2\], per unit of N^2' # what was counted is reported
    exits 0 "$call" count --help
    has out 'usage: call count'
}

main "$1"
