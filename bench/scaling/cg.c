/* SPDX-License-Identifier: MIT */
/*
 * Conjugate gradients for the seven-point Laplacian of a cube of side m, N = m^3 rows in compressed
 * storage, slabs of planes. An iteration multiplies by the matrix after it has exchanged one plane
 * with each neighbour, and has two reductions.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS 15

struct system {
    int rank, P, plane; /* rows of a plane */
    int planes;         /* own */
    size_t rows;        /* own */
    size_t *begin;
    int *column; /* in the own part with one plane before and after it */
    double *value;
};

static void *reserve(size_t n, size_t size)
{
    void *p = malloc(n * size);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static void add(struct system *s, size_t *n, size_t column, double value)
{
    s->column[*n] = (int)column;
    s->value[(*n)++] = value;
}

static void build(struct system *s, int m)
{
    size_t n = 0;
    int first = (int)((long)m * s->rank / s->P);
    s->plane = m * m;
    s->planes = (int)((long)m * (s->rank + 1) / s->P) - first;
    s->rows = (size_t)s->planes * s->plane;
    s->begin = reserve(s->rows + 1, sizeof *s->begin);
    s->column = reserve(7 * s->rows, sizeof *s->column);
    s->value = reserve(7 * s->rows, sizeof *s->value);
    for (size_t row = 0; row < s->rows; row++) {
        int z = first + (int)(row / s->plane), y = (int)(row % s->plane) / m, x = (int)row % m;
        size_t at = row + s->plane;
        s->begin[row] = n;
        if (z > 0)
            add(s, &n, at - s->plane, -1);
        if (y > 0)
            add(s, &n, at - m, -1);
        if (x > 0)
            add(s, &n, at - 1, -1);
        add(s, &n, at, 6.1);
        if (x < m - 1)
            add(s, &n, at + 1, -1);
        if (y < m - 1)
            add(s, &n, at + m, -1);
        if (z < m - 1)
            add(s, &n, at + s->plane, -1);
    }
    s->begin[s->rows] = n;
}

static void exchange(const struct system *s, double *p)
{
    int up = s->rank ? s->rank - 1 : MPI_PROC_NULL,
        down = s->rank + 1 < s->P ? s->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(p + s->plane, s->plane, MPI_DOUBLE, up, 0, p + s->plane + s->rows, s->plane,
                 MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(p + s->rows, s->plane, MPI_DOUBLE, down, 0, p, s->plane, MPI_DOUBLE, up, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double sum(double own)
{
    double all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double multiply(const struct system *s, const double *p, double *q)
{
    double dot = 0;
    for (size_t row = 0; row < s->rows; row++) {
        double value = 0;
        for (size_t k = s->begin[row]; k < s->begin[row + 1]; k++)
            value += s->value[k] * p[s->column[k]];
        q[row] = value;
        dot += value * p[row + s->plane];
    }
    return dot;
}

/* The part of the residual that is left. */
static double solve(int m, int rank, int P)
{
    struct system s = {.rank = rank, .P = P};
    int N = m * m * m;
    build(&s, m);
    double *p = reserve(s.rows + 2 * (size_t)s.plane, sizeof *p), *x = reserve(s.rows, sizeof *x),
           *r = reserve(s.rows, sizeof *r), *q = reserve(s.rows, sizeof *q);
    double start = (double)N, rho = start;
    for (size_t i = 0; i < s.rows + 2 * (size_t)s.plane; i++)
        p[i] = i >= (size_t)s.plane && i < s.rows + s.plane;
    for (size_t i = 0; i < s.rows; i++)
        x[i] = 0, r[i] = 1, q[i] = 0;
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync cg cg[0] + cg[1] * N / P + cg[2] * m *m *(1 - 1 / P) + cg[3] * log2(P)
        double product, alpha, own = 0, next, beta;
#pragma cll halo halo[0] + halo[1] * m *m
        exchange(&s, p);
#pragma cll end halo
#pragma cll multiply multiply[0] + multiply[1] * N / P
        product = multiply(&s, p, q);
#pragma cll end multiply
#pragma cll sums(m) sums[0] + sums[1] * log2(P)
        alpha = rho / sum(product);
#pragma cll end sums
#pragma cll update update[0] + update[1] * N / P
        for (size_t i = 0; i < s.rows; i++) {
            x[i] += alpha * p[i + s.plane];
            r[i] -= alpha * q[i];
            own += r[i] * r[i];
        }
#pragma cll end update
#pragma cll sums(m) sums[0] + sums[1] * log2(P)
        next = sum(own);
#pragma cll end sums
        beta = next / rho;
#pragma cll direction direction[0] + direction[1] * N / P
        for (size_t i = 0; i < s.rows; i++)
            p[i + s.plane] = r[i] + beta * p[i + s.plane];
#pragma cll end direction
        rho = next;
#pragma cll end cg
    }
    free(p), free(x), free(r), free(q);
    free(s.begin), free(s.column), free(s.value);
    return rho / start;
}

int main(int argc, char **argv)
{
    int rank, P;
    double worst = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int m = 40; m <= 120; m += 16)
        worst = fmax(worst, solve(m, rank, P));
    MPI_Finalize();
    if (worst > 0.1)
        fputs("cg: the residual does not fall\n", stderr);
    return worst > 0.1;
}
