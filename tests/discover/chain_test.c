/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that are sums of other counts; and that counts which have nothing to do with each other are not. */
#include "harness/unit.h"

#include "discover/discover.h"

enum { ROWS = 5, MOST = 40 };

static const char *const names[] = {"n", "m"};
static const int64_t sizes[ROWS] = {100, 201, 400, 803, 1600};

struct sample {
    int64_t at[16][DISCOVER_MOST_VARIABLES];
    uint64_t counts[MOST][16];
    struct discover_base bases[MOST];
    struct discover_points points;
};

static void begin(struct sample *s, size_t rows)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < rows; i++)
        s->at[i][0] = sizes[i % ROWS];
    for (size_t k = 0; k < MOST; k++)
        s->bases[k].counts = s->counts[k];
    s->points =
        (struct discover_points){names, 1, (const int64_t(*)[DISCOVER_MOST_VARIABLES])s->at, rows};
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state >> 33;
}

/* Counts of data: about a*n, with a part of it as noise. */
static void fill(struct sample *s, size_t k, uint64_t factor, uint64_t noise, uint64_t *state)
{
    for (size_t i = 0; i < s->points.n; i++)
        s->counts[k][i] = factor * (uint64_t)s->at[i][0] + (noise ? next_random(state) % noise : 0);
}

static bool find(const struct sample *s, const uint64_t *counts, size_t nbases,
                 struct discover_chain *out)
{
    struct arena *a = arena_create();
    bool found = discover_chain(a, &s->points, counts, s->bases, nbases, out);
    arena_destroy(a);
    return found;
}

static void multiples_and_sums_are_found(void **state)
{
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 1, y[ROWS];
    (void)state;
    begin(&s, ROWS);
    for (size_t k = 0; k < MOST; k++)
        fill(&s, k, 3 + k, 5000, &seed);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = 8 * s.counts[7][i];
    assert_true(find(&s, y, MOST, &c));
    assert_int_equal(c.nparts, 1);
    assert_int_equal(c.of[0], 7);
    assert_int_equal(c.factors[0], 8);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = s.counts[7][i] + 2 * s.counts[30][i];
    assert_true(find(&s, y, MOST, &c));
    assert_int_equal(c.nparts, 2);
    assert_int_equal(c.of[1], 30);
    assert_int_equal(c.factors[1], 2);
    assert_int_equal(c.constant, 0);
    for (size_t i = 0; i < ROWS; i++) /* what is read, less what is skipped */
        y[i] = 1000 * (uint64_t)s.at[i][0] - s.counts[5][i] + 3;
    assert_true(find(&s, y, MOST, &c));
    assert_int_equal(c.nparts, 1);
    assert_int_equal(c.factors[0], -1);
    assert_int_equal(c.sizes[0], 1000);
    assert_int_equal(c.constant, 3);
    y[3]++;
    assert_false(find(&s, y, MOST, &c));
}

/* Three unknowns and five rows, with one row less they are too few. */
static void few_rows_prove_nothing(void **state)
{
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 1, y[ROWS];
    (void)state;
    begin(&s, 4);
    fill(&s, 0, 3, 50000, &seed);
    fill(&s, 1, 5, 50000, &seed);
    for (size_t i = 0; i < 4; i++)
        y[i] = s.counts[0][i] + s.counts[1][i] + 7;
    assert_false(find(&s, y, 2, &c));
    for (size_t i = 0; i < 4; i++)
        y[i] -= 7;
    assert_true(find(&s, y, 2, &c));
}

/* 2, 3, 5, 8 and 12 blocks: another count may be as many by chance, also if it is 65536 for each of them. */
static void small_counts_and_common_factors_are_no_evidence(void **state)
{
    static const uint64_t blocks[ROWS] = {2, 3, 5, 8, 12};
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 1, y[ROWS];
    (void)state;
    begin(&s, ROWS);
    memcpy(s.counts[0], blocks, sizeof blocks);
    for (size_t k = 1; k < MOST; k++)
        fill(&s, k, 3 + k, 5000, &seed);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = 65536 * blocks[i];
    assert_false(find(&s, y, MOST, &c));
    /* and what is almost another count leaves only the small difference as evidence */
    for (size_t i = 0; i < ROWS; i++)
        y[i] = s.counts[7][i] + blocks[i];
    assert_false(find(&s, y, MOST, &c));
}

/* A row that is run again with other data is one more row. */
static void a_size_may_be_there_twice(void **state)
{
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 3, y[ROWS + 1];
    (void)state;
    begin(&s, ROWS + 1);
    for (size_t k = 0; k < 3; k++)
        fill(&s, k, 3 + k, 5000, &seed);
    for (size_t i = 0; i <= ROWS; i++)
        y[i] = 3 * s.counts[2][i] + 1;
    assert_true(find(&s, y, 3, &c));
    assert_int_equal(c.of[0], 2);
}

static void two_variables(void **state)
{
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 3, y[9];
    (void)state;
    begin(&s, 9);
    s.points.nvariables = 2;
    for (size_t i = 0; i < 9; i++) {
        s.at[i][0] = i < 5 ? sizes[i] : sizes[0];
        s.at[i][1] = i < 5 ? 10 : 10 * (int64_t)i;
    }
    for (size_t k = 0; k < 3; k++)
        fill(&s, k, 3 + k, 5000, &seed);
    for (size_t i = 0; i < 9; i++)
        y[i] = s.counts[2][i] + 100 * (uint64_t)s.at[i][1];
    assert_true(find(&s, y, 3, &c));
    assert_int_equal(c.of[0], 2);
    assert_int_equal(c.sizes[0], 0);
    assert_int_equal(c.sizes[1], 100);
}

/* Those of arguments are tried in sums of up to four: (n - 2)*(m - 2) in each call. */
static void sums_of_arguments(void **state)
{
    struct sample s;
    struct discover_chain c;
    uint64_t seed = 3, y[8] = {0};
    (void)state;
    begin(&s, 8);
    for (size_t i = 0; i < 8; i++) {
        s.at[i][0] = sizes[i % ROWS] + (int64_t)(i / ROWS) * 1000;
        s.counts[0][i] = 200 + (uint64_t)s.at[i][0] / 2 + next_random(&seed) % 90; /* calls */
        for (uint64_t k = 0; k < s.counts[0][i]; k++) {
            uint64_t n = 3 + next_random(&seed) % 40, m = 5 + next_random(&seed) % 30;
            s.counts[1][i] += n;
            s.counts[2][i] += m;
            s.counts[3][i] += n * m;
            s.counts[4][i] += n * n;
            y[i] += (n - 2) * (m - 2);
        }
    }
    assert_false(find(&s, y, 5, &c));
    for (size_t k = 0; k < 5; k++)
        s.bases[k].is_near = s.bases[k].is_argument = true;
    assert_true(find(&s, y, 5, &c));
    assert_int_equal(c.nparts, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(c.factors[i], c.of[i] == 0 ? 4 : c.of[i] == 3 ? 1 : -2);
    s.points.n = 5; /* four unknowns */
    assert_false(find(&s, y, 5, &c));
}

/* ---- chance ---- */

/* Sums over calls grow alike, and many of them are tried together. */
static void random_arguments_explain_nothing(void **state)
{
    uint64_t seed = 33;
    unsigned sets = is_thorough() ? 4000 : 400, found = 0;
    (void)state;
    for (unsigned k = 0; k < sets; k++) {
        struct sample s;
        struct discover_chain c;
        uint64_t y[8];
        begin(&s, 8);
        for (size_t i = 0; i < 8; i++) {
            s.at[i][0] = sizes[i % ROWS] + (int64_t)(i / ROWS) * 1000;
            s.counts[0][i] = (uint64_t)s.at[i][0];
            for (size_t b = 1; b < 12; b++) {
                s.counts[b][i] = s.counts[b / 2][i] * (1 + next_random(&seed) % 3) / 2 +
                                 next_random(&seed) % (4 + (uint64_t)s.at[i][0] / 8);
                s.bases[b].is_near = s.bases[b].is_argument = true;
            }
            y[i] = s.counts[k % 12][i] + next_random(&seed) % (2 + k % 40);
        }
        found += find(&s, y, 12, &c);
    }
    if (found)
        fail_msg("%u of %u sets", found, sets);
}

/* Counts of all kinds that have nothing to do with each other: small ones, large ones, ones that grow with n with much or with
 * little noise, and ones that are nearly another count. */
static void random_counts_are_no_sums(void **state)
{
    uint64_t seed = 2026;
    unsigned sets = is_thorough() ? 2000 : 400, found = 0;
    (void)state;
    for (unsigned k = 0; k < sets; k++) {
        struct sample s;
        struct discover_chain c;
        begin(&s, ROWS);
        for (size_t i = 0; i < MOST; i++) {
            static const uint64_t noises[] = {2, 3, 5, 10, 100, 10000, 1000000};
            uint64_t kind = next_random(&seed) % 4;
            s.bases[i].is_near = next_random(&seed) % 8 == 0;
            fill(&s, i, kind < 2 ? next_random(&seed) % 50 : 0, noises[next_random(&seed) % 7],
                 &seed);
            for (size_t row = 0; row < ROWS && i > 2 && kind == 3; row++)
                s.counts[i][row] += s.counts[next_random(&seed) % 2][row] + next_random(&seed) % 4;
        }
        for (size_t i = 2; i < MOST; i += 5)
            found += find(&s, s.counts[i], i, &c);
    }
    if (found)
        fail_msg("%u of %u sets", found, sets);
}

/* ---- loops ---- */

static void equal_numbers_of_iterations(void **state)
{
    static const uint64_t entries[ROWS] = {2, 3, 5, 8, 12}, more[ROWS] = {68, 132, 261, 521, 1039};
    uint64_t y[ROWS];
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        y[i] = 256 * entries[i];
    assert_int_equal(discover_trips(y, entries, ROWS, 0), 256);
    assert_int_equal(discover_trips(y, entries, 2, 0), 0);
    y[2]++;
    assert_int_equal(discover_trips(y, entries, ROWS, 0), 0);
    /* entered at the smallest size, and left at once; where it is not entered, it says nothing */
    static const uint64_t begun[ROWS] = {0, 3, 5, 8, 12};
    y[2]--;
    y[0] = 0;
    assert_int_equal(discover_trips(y, entries, ROWS, 0), 0);
    assert_int_equal(discover_trips(y, begun, ROWS, 0), 256);
    /* a loop that iterates once may do so by chance */
    assert_int_equal(discover_trips(entries, entries, ROWS, 0), 0);
    assert_int_equal(discover_trips(more, more, ROWS, 0), 0);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = 1000 * more[i];
    assert_int_equal(discover_trips(y, y, ROWS, 0), 1);
    /* and the same entries at all sizes say nothing */
    static const uint64_t same[ROWS] = {4, 4, 4, 4, 4}, six[ROWS] = {24, 24, 24, 24, 24};
    assert_int_equal(discover_trips(six, same, ROWS, 0), 0);
}

/* Loops that iterate once or twice each time: sometimes always once, or always twice. */
static void different_numbers_are_not_taken_for_equal(void **state)
{
    uint64_t seed = 7;
    unsigned found = 0;
    (void)state;
    for (unsigned k = 0; k < 2000; k++) {
        uint64_t entries[] = {1, 2, 3}, y[3] = {0};
        for (size_t i = 0; i < 3; i++)
            for (uint64_t e = 0; e < entries[i]; e++)
                y[i] += 1 + next_random(&seed) % 2;
        found += discover_trips(y, entries, 3, 0) > 0;
    }
    assert_int_equal(found, 0);
}

/* n^2 - n for each time, however often; and the product with a formula of the entries. */
static void numbers_that_depend_on_the_size(void **state)
{
    static const uint64_t entries[ROWS] = {81, 119, 155, 223, 315}, ones[ROWS] = {1, 1, 1, 1, 1};
    uint64_t y[ROWS], blocks[ROWS], trips[ROWS];
    struct arena *a = arena_create();
    struct discover_formula f, g, product;
    struct sample s;
    (void)state;
    begin(&s, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        trips[i] = (uint64_t)(sizes[i] * sizes[i] - sizes[i]);
        y[i] = entries[i] * trips[i];
        blocks[i] = (uint64_t)(3 * ((sizes[i] + 7) / 8) + 1);
    }
    assert_true(discover_trips_by_size(a, &s.points, y, entries, &f));
    assert_string_equal(f.text, "n^2 - n");
    assert_false(discover_trips_by_size(a, &s.points, trips, ones, &g));
    discover_find(a, &s.points, blocks, false, &g);
    assert_string_equal(g.text, "3*ceil(n/8) + 1");
    assert_true(discover_multiply(a, &s.points, &f, &g, &product));
    assert_string_equal(product.text, "3*n^2*ceil(n/8) + n^2 - 3*n*ceil(n/8) - n");
    assert_int_equal(product.verdict, DISCOVER_STEPS);
    unit_near(discover_value(&product, (double[]){1000}), 376.0 * 999000, 0, __FILE__, __LINE__);
    y[2]++;
    assert_false(discover_trips_by_size(a, &s.points, y, entries, &f));
    /* a tree and a power of 2 of one variable are no term */
    discover_find(a, &s.points, (uint64_t[ROWS]){128, 256, 512, 1024, 2048}, false, &f);
    assert_string_equal(f.text, "2^ceil(log2(n))");
    assert_false(discover_multiply(a, &s.points, &f, &g, &product));
    arena_destroy(a);
}

/* A loop that data end: about half of n each time. */
static void numbers_that_data_choose_have_no_formula(void **state)
{
    uint64_t seed = 3;
    unsigned found = 0;
    (void)state;
    for (unsigned k = 0; k < 500; k++) {
        struct arena *a = arena_create();
        struct discover_formula f;
        struct sample s;
        uint64_t entries[ROWS], y[ROWS];
        begin(&s, ROWS);
        for (size_t i = 0; i < ROWS; i++) {
            entries[i] = 1 + next_random(&seed) % (1 + k % 20);
            y[i] = 0;
            for (uint64_t e = 0; e < entries[i]; e++)
                y[i] += (uint64_t)sizes[i] / 2 + next_random(&seed) % 3;
        }
        found += discover_trips_by_size(a, &s.points, y, entries, &f);
        arena_destroy(a);
    }
    assert_int_equal(found, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples_and_sums_are_found),
        cmocka_unit_test(few_rows_prove_nothing),
        cmocka_unit_test(small_counts_and_common_factors_are_no_evidence),
        cmocka_unit_test(a_size_may_be_there_twice),
        cmocka_unit_test(two_variables),
        cmocka_unit_test(sums_of_arguments),
        cmocka_unit_test(random_arguments_explain_nothing),
        cmocka_unit_test(random_counts_are_no_sums),
        cmocka_unit_test(equal_numbers_of_iterations),
        cmocka_unit_test(different_numbers_are_not_taken_for_equal),
        cmocka_unit_test(numbers_that_depend_on_the_size),
        cmocka_unit_test(numbers_that_data_choose_have_no_formula),
    };
    return RUN(tests);
}
