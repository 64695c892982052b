/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of counts that programs have; and that counts without a formula get none. */
#include "harness/unit.h"

#include <math.h>

#include "discover/discover.h"

typedef uint64_t count_at(int64_t n, int64_t m);

static const char *const names[] = {"n", "m"};

struct sample {
    int64_t at[64][DISCOVER_MOST_VARIABLES];
    uint64_t counts[64];
    struct discover_points points;
};

static void sample_one(struct sample *s, const int64_t *sizes, size_t n, count_at *count)
{
    for (size_t i = 0; i < n; i++) {
        s->at[i][0] = sizes[i];
        s->counts[i] = count(sizes[i], 0);
    }
    s->points =
        (struct discover_points){names, 1, (const int64_t(*)[DISCOVER_MOST_VARIABLES])s->at, n};
}

static const int64_t doubling[] = {100, 200, 400, 800, 1600};
static const int64_t odd[] = {17, 33, 64, 101, 150, 203, 307};
static const int64_t mixed[] = {50, 101, 200, 399, 800, 1111};
static const int64_t small[] = {4, 5, 6, 7, 8, 9, 10, 11};

static void is_formula(const int64_t *sizes, size_t n, count_at *count, const char *text,
                       enum discover_verdict verdict)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    sample_one(&s, sizes, n, count);
    discover_find(a, &s.points, s.counts, false, &f);
    if (!f.text || strcmp(f.text, text) || f.verdict != verdict)
        fail_msg("%s (%s) instead of %s", f.text, discover_verdicts[f.verdict], text);
    if (verdict == DISCOVER_EXACT || sizes == mixed) { /* it must hold far beyond the sizes */
        double place[] = {4 * (double)sizes[n - 1]};
        unit_near(discover_value(&f, place), (double)count(4 * sizes[n - 1], 0), 0, __FILE__,
                  __LINE__);
    }
    arena_destroy(a);
}

#define IS_ON(sizes, count, text, verdict)                                                         \
    is_formula(sizes, sizeof sizes / sizeof *sizes, count, text, verdict)

static uint64_t constant(int64_t n, int64_t m)
{
    (void)n, (void)m;
    return 12;
}
static uint64_t none(int64_t n, int64_t m)
{
    (void)n, (void)m;
    return 0;
}
static uint64_t triangle(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n * (n - 1) / 2);
}
static uint64_t cube(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n * n * n);
}
static uint64_t pyramid(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n * (n + 1) * (2 * n + 1) / 6);
}
static uint64_t huge(int64_t n, int64_t m)
{
    uint64_t x = (uint64_t)n;
    (void)m;
    return x * x * x * x * x + 1;
}
static uint64_t halves(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n / 2);
}
static uint64_t blocks(int64_t n, int64_t m)
{
    (void)m;
    uint64_t b = (uint64_t)(n + 31) / 32;
    return b * b;
}
static uint64_t floors(int64_t n, int64_t m)
{
    (void)m;
    uint64_t l = 0;
    while (n > 1) {
        n /= 2;
        l++;
    }
    return l;
}
static uint64_t sort_like(int64_t n, int64_t m)
{
    return (uint64_t)n * floors(n, m) + (uint64_t)n;
}
static uint64_t subsets(int64_t n, int64_t m)
{
    (void)m;
    return ((uint64_t)1 << n) * (uint64_t)n / 2;
}
static uint64_t roots(int64_t n, int64_t m)
{
    (void)m;
    uint64_t r = 0;
    while ((int64_t)((r + 1) * (r + 1)) <= n)
        r++;
    return r;
}
static uint64_t capped(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n < 1000 ? n * n : 1000 * n);
}
/* A loop in a loop that ends earlier at the smallest size. */
static uint64_t early(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n == 10 ? 144 : 24 * n - 48);
}
static uint64_t collatz(int64_t n, int64_t m)
{
    (void)m;
    uint64_t steps = 0;
    for (; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}
static uint64_t fibonacci(int64_t n, int64_t m)
{
    return n < 2 ? 1 : 1 + fibonacci(n - 1, m) + fibonacci(n - 2, m);
}
static uint64_t primes(int64_t n, int64_t m)
{
    uint64_t marked = 0;
    (void)m;
    for (int64_t i = 2; i * i <= n; i++) {
        int64_t k = 2;
        while (k < i && i % k)
            k++;
        if (k == i)
            marked += (uint64_t)((n - i * i) / i + 1);
    }
    return marked;
}

static enum discover_verdict verdict_of(const int64_t *sizes, size_t n, count_at *count,
                                        double *scatter)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    sample_one(&s, sizes, n, count);
    discover_find(a, &s.points, s.counts, false, &f);
    *scatter = f.text ? f.scatter : INFINITY;
    arena_destroy(a);
    return f.verdict;
}

static void polynomials_are_exact(void **state)
{
    (void)state;
    IS_ON(doubling, constant, "12", DISCOVER_EXACT);
    IS_ON(doubling, none, "0", DISCOVER_EXACT);
    IS_ON(doubling, triangle, "1/2*n^2 - 1/2*n", DISCOVER_EXACT);
    IS_ON(doubling, cube, "n^3", DISCOVER_EXACT);
    IS_ON(doubling, pyramid, "1/3*n^3 + 1/2*n^2 + 1/6*n", DISCOVER_EXACT);
    IS_ON(doubling, huge, "n^5 + 1", DISCOVER_EXACT);
    IS_ON(small, subsets, "1/2*n*2^n", DISCOVER_EXACT);
}

/* Strassen's product with blocks of 50: multiplications of blocks, and additions of elements. */
static uint64_t products(int64_t n, int64_t m)
{
    return n <= 50 ? 1 : 7 * products(n / 2, m);
}
static uint64_t additions(int64_t n, int64_t m)
{
    return n <= 50 ? 0 : 7 * additions(n / 2, m) + 18 * (uint64_t)(n / 2 * (n / 2));
}
static uint64_t karatsuba(int64_t n, int64_t m)
{
    return n <= 50 ? 1 : 1 + 3 * karatsuba(n / 2, m);
}

static void recursions_are_found(void **state)
{
    (void)state;
    IS_ON(doubling, products, "7*7^ceil(log2(n/100))", DISCOVER_STEPS);
    IS_ON(doubling, additions, "105000*7^ceil(log2(n/100)) - 6*n^2", DISCOVER_STEPS);
    IS_ON(doubling, karatsuba, "9/2*3^ceil(log2(n/100)) - 1/2", DISCOVER_STEPS);
}

/* A loop that takes every third index, around one to the end. */
static uint64_t thirds(int64_t n, int64_t m)
{
    uint64_t sum = 0;
    (void)m;
    for (int64_t i = 0; i < n; i += 3)
        sum += (uint64_t)(n - i);
    return sum;
}
static uint64_t quarters(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n * n / 4);
}
/* The same, and one more where the data want it. */
static uint64_t nearly_quarters(int64_t n, int64_t m)
{
    return quarters(n, m) + (n == 200 || n == 101);
}

static uint64_t every_third(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n + 2) / 3;
}

static void floors_of_polynomials_are_found(void **state)
{
    double scatter;
    (void)state;
    IS_ON(mixed, thirds, "ceil(1/6*n^2 + 1/2*n)", DISCOVER_STEPS);
    IS_ON(mixed, quarters, "floor(1/4*n^2)", DISCOVER_STEPS);
    IS_ON(doubling, every_third, "ceil(1/3*n)", DISCOVER_STEPS);
    assert_int_equal(verdict_of(mixed, 6, nearly_quarters, &scatter), DISCOVER_DATA);
}

/* Every other row without its first element. */
static uint64_t stripes(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n / 2 * (n - 1));
}
static uint64_t tiles(int64_t n, int64_t m)
{
    uint64_t f = (uint64_t)(n + 15) / 16;
    (void)m;
    return f * (f + 1) / 2;
}
static uint64_t triples(int64_t n, int64_t m)
{
    uint64_t f = (uint64_t)n / 8;
    (void)m;
    return f * (f - 1) * (f - 2) / 6;
}
static uint64_t merged(int64_t n, int64_t m)
{
    return n < 2 ? 0 : (uint64_t)n + merged(n / 2, m) + merged(n - n / 2, m);
}
static uint64_t leaves(int64_t n, int64_t m)
{
    return n <= 16 ? 1 : leaves(n / 2, m) + leaves(n - n / 2, m);
}

static uint64_t butterflies(int64_t n, int64_t m)
{
    uint64_t u = 1, sum = 0;
    (void)m;
    while ((int64_t)u < n)
        u *= 2;
    for (uint64_t length = 2; length <= u; length *= 2)
        sum += u / 2;
    return sum;
}

/* A triangle of the first half. No size has a remainder of 2 or 3 by 4. */
static uint64_t half_triangle(int64_t n, int64_t m)
{
    uint64_t f = (uint64_t)(n / 2);
    (void)m;
    return f * (f - 1) / 2;
}
/* Of all numbers up to n. */
static uint64_t digits(int64_t n, int64_t m)
{
    uint64_t sum = 0;
    (void)m;
    for (int64_t i = 1; i <= n; i++)
        for (int64_t x = i; x; x /= 10)
            sum++;
    return sum;
}

static void a_formula_that_is_negative_below_is_not_exact(void **state)
{
    static const int64_t sizes[] = {1100, 2000, 3500, 5001, 9000};
    (void)state;
    IS_ON(sizes, digits, "4*n - 1107", DISCOVER_STEPS);
}

static const int64_t few_remainders[] = {60, 113, 200, 301, 517, 800};

static void sums_of_steps_are_found(void **state)
{
    (void)state;
    IS_ON(few_remainders, half_triangle, "1/2*floor(n/2)^2 - 1/2*floor(n/2)", DISCOVER_STEPS);
    IS_ON(mixed, stripes, "n*floor(n/2) - floor(n/2)", DISCOVER_STEPS);
    IS_ON(mixed, tiles, "1/2*ceil(n/16)^2 + 1/2*ceil(n/16)", DISCOVER_STEPS);
    IS_ON(mixed, triples, "1/6*floor(n/8)^3 - 1/2*floor(n/8)^2 + 1/3*floor(n/8)", DISCOVER_STEPS);
    IS_ON(mixed, merged, "(n*ceil(log2(n)) - 2^ceil(log2(n)) + n)", DISCOVER_STEPS);
    IS_ON(doubling, merged, "(n*ceil(log2(n)) - 2^ceil(log2(n)) + n)", DISCOVER_STEPS);
    IS_ON(mixed, butterflies, "1/2*2^ceil(log2(n))*ceil(log2(n))", DISCOVER_STEPS);
    IS_ON(mixed, leaves, "1/16*2^ceil(log2(n))", DISCOVER_STEPS);
}

static void steps_are_found(void **state)
{
    (void)state;
    IS_ON(doubling, halves, "1/2*n", DISCOVER_STEPS);
    IS_ON(odd, halves, "floor(n/2)", DISCOVER_STEPS);
    IS_ON(odd, blocks, "ceil(n/32)^2", DISCOVER_STEPS);
    IS_ON(odd, floors, "floor(log2(n))", DISCOVER_STEPS);
    IS_ON(odd, sort_like, "n*floor(log2(n)) + n", DISCOVER_STEPS);
    IS_ON(odd, roots, "floor(sqrt(n))", DISCOVER_STEPS);
}

/* 65537 iterations for each block of 900, which is no step that is tried; by chance 2, 3, 5, 8, 12. */
static uint64_t large_blocks(int64_t n, int64_t m)
{
    (void)m;
    return 65537 * (uint64_t)((n + 899) / 900);
}

/* Filled up to whole lines, and whole pages of records. */
static uint64_t lines(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)((n + 79) / 80 * 80);
}
static uint64_t hundreds(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n - n % 100);
}
static uint64_t pages(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(24 * n + 4095) / 4096;
}

/* The flips of a binary counter. */
static uint64_t flips(int64_t n, int64_t m)
{
    (void)m;
    return (uint64_t)(n - __builtin_popcountll((unsigned long long)n));
}

static void blocks_are_known_or_not(void **state)
{
    static const int64_t doubled[] = {64, 107, 128, 181, 256, 512, 1024};
    static const int64_t sizes[] = {587, 1174, 2348, 4696, 9392, 18786};
    double scatter;
    (void)state;
    assert_int_equal(verdict_of(doubled, 7, flips, &scatter),
                     DISCOVER_DATA); /* 8*floor(n/2) - 3*n - 1 */
    IS_ON(mixed, lines, "80*ceil(n/80)", DISCOVER_STEPS);
    IS_ON(mixed, hundreds, "100*floor(n/100)", DISCOVER_STEPS);
    /* ceil(n/170) and ceil(n/171) are right at all sizes */
    assert_int_equal(verdict_of(sizes, 6, pages, &scatter), DISCOVER_DATA);
    assert_true(scatter < 0.2);
}

static void a_common_factor_is_no_evidence(void **state)
{
    static const int64_t sizes[] = {1000, 2003, 4000, 7001, 10000};
    double scatter;
    (void)state;
    assert_int_equal(verdict_of(sizes, 5, large_blocks, &scatter), DISCOVER_DATA);
}

static void what_depends_on_data_is_not_exact(void **state)
{
    double scatter;
    (void)state;
    assert_int_equal(verdict_of(odd, 7, collatz, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(small, 8, collatz, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(small, 8, fibonacci, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(odd, 7, primes, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(doubling, 5, primes, &scatter), DISCOVER_DATA);
    assert_true(scatter < 0.2);
}

/* Tiles of 16 in a triangle of elements: no product, but two are near it. */
static uint64_t in_tiles(int64_t n, int64_t m)
{
    uint64_t sum = 0;
    (void)m;
    for (int64_t i = 0; i < n; i += 16)
        for (int64_t j = i; j < n; j += 16)
            sum += (uint64_t)((n - i < 16 ? n - i : 16) * (n - j < 16 ? n - j : 16));
    return sum;
}

static void two_products_may_be_near(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    double place[] = {16 * 1111};
    (void)state;
    sample_one(&s, mixed, 6, in_tiles);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_equal(f.verdict, DISCOVER_DATA);
    if (!f.text || strncmp(f.text, "0.5", 3) || !strstr(f.text, "*(n^2 + 1"))
        fail_msg("%s", f.text);
    unit_near(discover_value(&f, place), (double)in_tiles(16 * 1111, 0), 0.01, __FILE__, __LINE__);
    arena_destroy(a);
}

/* Pairs in blocks of 64, and pairs of an eighth of all: the blocks are most at small sizes, the others at large ones. */
static uint64_t pairs_in_two_ways(int64_t n, int64_t m)
{
    uint64_t sum = (uint64_t)(n / 8 * (n / 8 + 1) / 2);
    (void)m;
    for (int64_t i = 0; i < n; i += 64) {
        int64_t block = n - i < 64 ? n - i : 64;
        sum += (uint64_t)(block * (block + 1) / 2);
    }
    return sum;
}

/* Between n and n^2 is n^1.5, which is far from the sum further on. */
static void a_sum_is_no_power_between(void **state)
{
    static const int64_t sizes[] = {2000, 4001, 8000, 16001, 32000};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    double place[] = {128000};
    (void)state;
    sample_one(&s, sizes, 5, pairs_in_two_ways);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_equal(f.verdict, DISCOVER_DATA);
    unit_near(discover_value(&f, place), (double)pairs_in_two_ways(128000, 0), 0.01, __FILE__,
              __LINE__);
    arena_destroy(a);
}

/* What a compiler asks for when its tables are full: a quarter more each time. It has grown twofold where the size grew sixteenfold. */
static void slow_growth_is_no_power_of_a_number(void **state)
{
    static const int64_t sizes[] = {500, 1001, 2000, 4003, 8000};
    static const uint64_t counts[] = {53, 60, 65, 75, 110};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_one(&s, sizes, 5, none);
    memcpy(s.counts, counts, sizeof counts);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_equal(f.verdict, DISCOVER_DATA);
    if (f.text && strstr(f.text, "^n"))
        fail_msg("%s", f.text);
    arena_destroy(a);
}

/* The calls of Fibonacci's numbers grow by the golden ratio; a power of the size is not made of it. */
static void counts_may_grow_as_a_number_to_the_size(void **state)
{
    static const int64_t sizes[] = {8, 12, 16, 20, 24};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    double place[] = {30};
    (void)state;
    sample_one(&s, sizes, 5, fibonacci);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_equal(f.verdict, DISCOVER_DATA);
    if (!f.text || !strstr(f.text, "*1.61") || !strstr(f.text, "^n"))
        fail_msg("%s", f.text);
    unit_near(discover_value(&f, place), (double)fibonacci(30, 0), 0.02, __FILE__, __LINE__);
    sample_one(&s, sizes, 5, cube);
    discover_find(a, &s.points, s.counts, true, &f);
    assert_string_equal(f.text, "1*n^3");
    arena_destroy(a);
}

static void a_larger_size_refutes(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_one(&s, doubling, 5, capped);
    discover_find(a, &s.points, s.counts, false, &f);
    if (f.verdict != DISCOVER_REFUTED)
        fail_msg("%s", f.text);
    assert_string_equal(f.text, "n^2");
    assert_int_equal(f.refuted_by, 4);
    assert_true(isnan(discover_value(&f, (double[]){100})));
    arena_destroy(a);
}

/* floor(n/4) would explain the one count that is not 24*n - 48. */
static void one_count_does_not_prove_a_step(void **state)
{
    static const int64_t sizes[] = {10, 20, 80, 160, 320};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_one(&s, sizes, 5, early);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_equal(f.verdict, DISCOVER_REFUTED);
    assert_string_equal(f.text, "24*n - 48");
    assert_int_equal(f.refuted_by, 0);
    arena_destroy(a);
}

static void counts_that_vary_have_no_exact_formula(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_one(&s, doubling, 5, cube);
    discover_find(a, &s.points, s.counts, true, &f);
    assert_int_equal(f.verdict, DISCOVER_DATA);
    assert_string_equal(f.text, "1*n^3");
    arena_destroy(a);
}

/* Two sizes are too few for anything but a constant. */
static void few_sizes_prove_little(void **state)
{
    double scatter;
    (void)state;
    assert_int_equal(verdict_of(doubling, 2, cube, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(doubling, 3, triangle, &scatter), DISCOVER_DATA);
    assert_int_equal(verdict_of(doubling, 3, cube, &scatter), DISCOVER_EXACT);
}

/* Small random numbers: a formula would be chance. */
static void random_counts_get_hardly_a_formula(void **state)
{
    unsigned found = 0, all = 0, seed = 1;
    (void)state;
    for (unsigned most = 2; most <= 20; most += 3)
        for (unsigned k = 0; k < (is_thorough() ? 300 : 20); k++, all++) {
            struct arena *a = arena_create();
            struct sample s;
            struct discover_formula f;
            sample_one(&s, k % 2 ? small : doubling, 5, none);
            for (size_t i = 0; i < 5; i++) {
                seed = seed * 1103515245 + 12345;
                s.counts[i] = (seed >> 16) % (most + 1);
            }
            discover_find(a, &s.points, s.counts, false, &f);
            found += f.verdict != DISCOVER_DATA &&
                     (f.nterms != 1 || strspn(f.text, "0123456789") != strlen(f.text));
            arena_destroy(a);
        }
    if (200 * found > all)
        fail_msg("%u of %u", found, all);
}

/* ---- two variables ---- */

static uint64_t plane(int64_t n, int64_t m)
{
    return (uint64_t)(n * m + 3 * n + m + 2);
}
static uint64_t inner(int64_t n, int64_t m)
{
    return (uint64_t)((n - 1) * n / 2 * m);
}
static uint64_t tree(int64_t n, int64_t m)
{
    return (uint64_t)n * floors(m, 0);
}
static uint64_t only_m(int64_t n, int64_t m)
{
    (void)n;
    return (uint64_t)(m * m);
}

/* Nothing for the smallest m. */
static uint64_t from_four_on(int64_t n, int64_t m)
{
    (void)n;
    return m > 3 ? (uint64_t)(4 * m) : 0;
}

static void sample_two(struct sample *s, const int64_t *ms, size_t nms, count_at *count)
{
    size_t n = 0;
    for (size_t k = 0; k < nms; k++)
        for (size_t i = 0; i < 5; i++, n++) {
            s->at[n][0] = doubling[i];
            s->at[n][1] = ms[k];
            s->counts[n] = count(doubling[i], ms[k]);
        }
    s->points =
        (struct discover_points){names, 2, (const int64_t(*)[DISCOVER_MOST_VARIABLES])s->at, n};
}

static void is_formula_of_two(count_at *count, const char *text, enum discover_verdict verdict)
{
    static const int64_t ms[] = {3, 8, 20, 33};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    sample_two(&s, ms, 4, count);
    discover_find(a, &s.points, s.counts, false, &f);
    if (!f.text || strcmp(f.text, text) || f.verdict != verdict)
        fail_msg("%s (%s) instead of %s", f.text, discover_verdicts[f.verdict], text);
    arena_destroy(a);
}

static void two_variables_combine(void **state)
{
    (void)state;
    is_formula_of_two(plane, "n*m + 3*n + m + 2", DISCOVER_EXACT);
    is_formula_of_two(inner, "1/2*n^2*m - 1/2*n*m", DISCOVER_EXACT);
    is_formula_of_two(tree, "n*floor(log2(m))", DISCOVER_STEPS);
    is_formula_of_two(only_m, "m^2", DISCOVER_EXACT);
}

/* The divisors of all numbers up to m: 1, 3, 5, 8, 10. */
static uint64_t divisors(int64_t n, int64_t m)
{
    uint64_t sum = 0;
    for (int64_t i = 1; i <= m; i++)
        sum += (uint64_t)(m / i);
    return (uint64_t)n * sum;
}

static void many_sizes_of_one_variable_do_not_prove_another(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_two(&s, (const int64_t[]){1, 2, 3}, 3, divisors);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_int_not_equal(f.verdict, DISCOVER_EXACT);
    arena_destroy(a);
}

/* 4*m*floor((m + 11)/16) is right at all sizes, and a step proved by m = 3 alone, at however many sizes of n. */
static void one_size_of_a_variable_does_not_prove_a_step(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_two(&s, (const int64_t[]){3, 5, 8, 12, 17}, 5, from_four_on);
    discover_find(a, &s.points, s.counts, false, &f);
    if (f.verdict != DISCOVER_DATA)
        fail_msg("%s", f.text);
    arena_destroy(a);
}

static uint64_t doublings(int64_t n, int64_t m)
{
    uint64_t count = 0;
    (void)m;
    for (int64_t width = 1; width < n; width *= 2)
        count++;
    return count;
}

/* m processes with n/m elements each, and what a process does with them. */
static uint64_t equal_parts(int64_t n, int64_t m)
{
    return (uint64_t)(n / m * m);
}
static uint64_t rows_of_parts(int64_t n, int64_t m)
{
    return (uint64_t)(n / m * m * n);
}
static uint64_t filled_up(int64_t n, int64_t m)
{
    return (uint64_t)((n + m - 1) / m * m * 10 - 10 * m);
}
static uint64_t left_over(int64_t n, int64_t m)
{
    return (uint64_t)(n % m);
}
static uint64_t inner_points(int64_t n, int64_t m)
{
    return (uint64_t)((n - 2) / m * m);
}
static uint64_t cells(int64_t n, int64_t m)
{
    return (uint64_t)(n * n / m);
}
/* Tiles of m times m. */
static uint64_t all_tiles(int64_t n, int64_t m)
{
    uint64_t f = (uint64_t)((n + m - 1) / m);
    return f * f;
}
static uint64_t tiles_of_triangle(int64_t n, int64_t m)
{
    uint64_t f = (uint64_t)((n + m - 1) / m);
    return f * (f + 1) / 2;
}
static uint64_t elements_of_tiles(int64_t n, int64_t m)
{
    return all_tiles(n, m) * (uint64_t)n;
}

static void a_variable_divided_by_another_one_is_found(void **state)
{
    (void)state;
    is_formula_of_two(equal_parts, "m*floor(n/m)", DISCOVER_STEPS);
    is_formula_of_two(rows_of_parts, "n*m*floor(n/m)", DISCOVER_STEPS);
    is_formula_of_two(filled_up, "10*m*floor((n - 1)/m)", DISCOVER_STEPS);
    is_formula_of_two(left_over, "n - m*floor(n/m)", DISCOVER_STEPS);
    is_formula_of_two(inner_points, "m*floor((n - 2)/m)", DISCOVER_STEPS);
    is_formula_of_two(cells, "floor(n^2/m)", DISCOVER_STEPS);
    is_formula_of_two(all_tiles, "ceil(n/m)^2", DISCOVER_STEPS);
    is_formula_of_two(tiles_of_triangle, "1/2*ceil(n/m)^2 + 1/2*ceil(n/m)", DISCOVER_STEPS);
    is_formula_of_two(elements_of_tiles, "n*ceil(n/m)^2", DISCOVER_STEPS);
}

/* Of each element of a part, as many messages as the processes need rounds. */
static uint64_t messages(int64_t n, int64_t m)
{
    return (uint64_t)(n / m * m) * doublings(m, 0);
}

static void few_numbers_of_processors_do_not_prove_powers(void **state)
{
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    (void)state;
    sample_two(&s, (const int64_t[]){1, 2, 3}, 3, messages);
    discover_find(a, &s.points, s.counts, false, &f);
    if (f.verdict != DISCOVER_DATA)
        fail_msg("%s", f.text);
    arena_destroy(a);
}

/* About n, and less by a small number that data choose: some sum with a quotient is right at a few rows. */
static void what_is_near_a_quotient_has_no_formula(void **state)
{
    unsigned found = 0, seed = 1, all = is_thorough() ? 1000 : 60;
    (void)state;
    for (unsigned k = 0; k < all; k++) {
        struct arena *a = arena_create();
        struct sample s;
        struct discover_formula f;
        sample_two(&s, (const int64_t[]){1, 2, 3, 4}, 2 + k % 3, equal_parts);
        for (size_t i = 0; i < s.points.n; i++) {
            int64_t n = s.at[i][0], m = s.at[i][1];
            seed = seed * 1103515245 + 12345;
            uint64_t data = (seed >> 16) % (unsigned)m;
            s.counts[i] = k % 2 ? (uint64_t)n - data : (uint64_t)(n / m) + data % 2;
        }
        discover_find(a, &s.points, s.counts, false, &f);
        found += f.verdict <= DISCOVER_STEPS;
        arena_destroy(a);
    }
    if (100 * found > all)
        fail_msg("%u of %u", found, all);
}

static void no_value_is_negative(void **state)
{
    static const int64_t sizes[] = {10, 15, 21, 40, 64, 100};
    struct arena *a = arena_create();
    struct sample s;
    struct discover_formula f;
    double nothing = 0, one = 1;
    (void)state;
    sample_one(&s, sizes, 6, doublings);
    discover_find(a, &s.points, s.counts, false, &f);
    assert_string_equal(f.text, "ceil(log2(n))");
    assert_true(discover_value(&f, &one) == 0);
    assert_true(isnan(discover_value(&f, &nothing)));
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_exact),
        cmocka_unit_test(recursions_are_found),
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(blocks_are_known_or_not),
        cmocka_unit_test(a_common_factor_is_no_evidence),
        cmocka_unit_test(what_depends_on_data_is_not_exact),
        cmocka_unit_test(floors_of_polynomials_are_found),
        cmocka_unit_test(sums_of_steps_are_found),
        cmocka_unit_test(a_formula_that_is_negative_below_is_not_exact),
        cmocka_unit_test(two_products_may_be_near),
        cmocka_unit_test(a_sum_is_no_power_between),
        cmocka_unit_test(slow_growth_is_no_power_of_a_number),
        cmocka_unit_test(counts_may_grow_as_a_number_to_the_size),
        cmocka_unit_test(a_larger_size_refutes),
        cmocka_unit_test(one_count_does_not_prove_a_step),
        cmocka_unit_test(counts_that_vary_have_no_exact_formula),
        cmocka_unit_test(few_sizes_prove_little),
        cmocka_unit_test(random_counts_get_hardly_a_formula),
        cmocka_unit_test(two_variables_combine),
        cmocka_unit_test(many_sizes_of_one_variable_do_not_prove_another),
        cmocka_unit_test(one_size_of_a_variable_does_not_prove_a_step),
        cmocka_unit_test(a_variable_divided_by_another_one_is_found),
        cmocka_unit_test(few_numbers_of_processors_do_not_prove_powers),
        cmocka_unit_test(what_is_near_a_quotient_has_no_formula),
        cmocka_unit_test(no_value_is_negative),
    };
    return RUN(tests);
}
