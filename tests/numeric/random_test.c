/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers: the published sequence, and the moments of the distributions. */
#include <math.h>

#include "harness/unit.h"
#include "numeric/random.h"

/* SplitMix64 from the state 0, as its authors publish it. */
static void uniform_numbers_are_those_of_splitmix64(void **state)
{
    static const uint64_t published[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                         0xf88bb8a8724c81ec};
    struct random r = {0};
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        assert_true(random_uniform(&r) == ((double)(published[i] >> 11) + 0.5) / 0x1p53);
}

struct moments {
    double mean, variance, third; /* central */
};

static struct moments moments_of(double (*draw)(struct random *r, double parameter),
                                 double parameter)
{
    enum { N = 100000 };
    static double x[N];
    struct random r = {42};
    struct moments m = {0, 0, 0};
    for (int i = 0; i < N; i++)
        m.mean += (x[i] = draw(&r, parameter)) / N;
    for (int i = 0; i < N; i++) {
        double d = x[i] - m.mean;
        m.variance += d * d / N;
        m.third += d * d * d / N;
    }
    return m;
}

static double uniform(struct random *r, double parameter)
{
    (void)parameter;
    double x = random_uniform(r);
    assert_true(x > 0 && x < 1);
    return x;
}

static double normal(struct random *r, double parameter)
{
    (void)parameter;
    return random_normal(r);
}

/* Tolerances are five standard errors of 100,000 draws. */
static void distributions_have_their_moments(void **state)
{
    static const double dofs[] = {0.5, 1, 2, 3, 10, 100};
    const double root = sqrt(100000);
    (void)state;
    struct moments m = moments_of(uniform, 0);
    assert_within(m.mean, 0.5, 5 * sqrt(1 / 12.0) / root);
    assert_within(m.variance, 1 / 12.0, 5 * sqrt(1 / 180.0) / root);
    m = moments_of(normal, 0);
    assert_within(m.mean, 0, 5 / root);
    assert_within(m.variance, 1, 5 * sqrt(2) / root);
    assert_within(m.third, 0, 5 * sqrt(15) / root);
    for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++) { /* mean k, variance 2k, third 8k */
        double k = dofs[i];
        m = moments_of(random_chi_square, k);
        assert_within(m.mean, k, 5 * sqrt(2 * k) / root);
        assert_within(m.variance, 2 * k, 5 * sqrt(8 * k * k + 48 * k) / root);
        assert_true(m.third > 4 * k && m.third < 16 * k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_numbers_are_those_of_splitmix64),
        cmocka_unit_test(distributions_have_their_moments),
    };
    return RUN(tests);
}
