/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers (see random.h): a counter whose bits are mixed, Box and Muller's normal numbers,
 * and Marsaglia and Tsang's gamma numbers.
 */
#include "numeric/random.h"

#include <math.h>

double random_uniform(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

size_t random_below(struct random *r, size_t n)
{
    return (size_t)(random_uniform(r) * (double)n) % n; /* rounding may give n */
}

double random_normal(struct random *r)
{
    double radius = sqrt(-2 * log(random_uniform(r)));
    return radius * cos(2 * M_PI * random_uniform(r));
}

/* shape at least 1 */
static double random_gamma(struct random *r, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = random_normal(r), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(random_uniform(r)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

double random_chi_square(struct random *r, double dof)
{
    double shape = dof / 2;
    if (shape >= 1)
        return 2 * random_gamma(r, shape);
    double u = random_uniform(r);
    return 2 * random_gamma(r, shape + 1) * pow(u, 1 / shape);
}
