/* SPDX-License-Identifier: MIT */
/* Product of a sparse N x N matrix with a vector: compressed rows, 8 elements in each, in random
 * columns. */
#include "sizes.h"

enum { EACH = 8 };

struct matrix {
    int N, *begin, *column;
    double *value;
};

static void multiply(const struct matrix *m, const double *x, double *y)
{
    for (int i = 0; i < m->N; i++) {
        double sum = 0;
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++)
            sum += m->value[k] * x[m->column[k]];
        y[i] = sum;
    }
}

static double measure(int N)
{
    struct matrix m = {N, reserve(N + 1, sizeof(int)), reserve((size_t)EACH * N, sizeof(int)),
                       reserve((size_t)EACH * N, sizeof(double))};
    double *x = reserve(N, sizeof *x), *y = reserve(N, sizeof *y), wrong = 0;
    uint64_t random = 1;
    for (int i = 0; i < N; i++) {
        m.begin[i] = EACH * i;
        x[i] = 1;
        y[i] = 0;
        for (int k = EACH * i; k < EACH * (i + 1); k++) {
            m.column[k] = (int)(random_bits(&random) % (uint64_t)N);
            m.value[k] = 2;
        }
    }
    m.begin[N] = EACH * N;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll spmv spmv[0] + spmv[1] * N
        multiply(&m, x, y);
#pragma cll end spmv
    }
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * EACH;
    free(m.begin);
    free(m.column);
    free(m.value);
    free(x);
    free(y);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 116 bytes for each row: 8000 are 906 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 8000, 128));
#pragma cll end for
    if (wrong != 0)
        fputs("spmv: wrong result\n", stderr);
    return wrong != 0;
}
