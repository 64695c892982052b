/* SPDX-License-Identifier: MIT */
/*
 * Jacobi's iteration for Laplace's equation on the unit square: N x N unknowns, cut into blocks
 * for a 2-D grid of processes. A step exchanges the borders of the blocks (columns are strided: a
 * datatype), replaces every point by the mean of its four neighbours, and adds up the changes.
 *
 * `step` measures the whole, and inside it `halo`, `sweep` and `residual` its parts. The formulas:
 * a process computes N^2/P points; the memory is one for all, and what all points cost there does
 * not shrink with P (sweep[2]; nothing as long as the blocks stay in the caches); the busiest
 * process has `messages` neighbours and exchanges `length` points with them; a reduction has
 * log2(P) steps.
 *
 *     call run jacobi-mpi.c                measures and fits, for those P that there are cores for
 *
 * By hand (beyond the cores of the machine, Open MPI's mpirun wants --oversubscribe):
 *
 *     mpicc -O2 -Wno-unknown-pragmas jacobi-mpi.c -o jacobi -lm && mpirun -n 2 ./jacobi   computes
 *     call cc mpicc -O2 jacobi-mpi.c -o jacobi -lm                                        measures:
 *     for p in 1 2 4 8; do mpirun -n $p ./jacobi; done
 *     llac -e 'fit sweep; fit halo; fit step; predict step N=2000 P=16' jacobi.cll.*.dat
 *
 * A process that arrives early in the reduction waits for the others, and llac takes the slowest
 * rank: `fit residual` shows mostly that waiting. The reduction itself is what the last one to
 * arrive sees: `ranks min; fit residual`.
 *
 * Checked against the exact iterates: x^2 - y^2 solves the discrete equations, too, and the
 * sine wave that is added to it at the start gets smaller by cos(pi h) in each step.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1:8:2

static const double pi = 3.14159265358979323846;

/* The block of one process, with a border of one point around it. */
struct block {
    MPI_Comm comm;
    MPI_Datatype column;
    int N;
    int rows, columns;    /* its own points */
    int top, left;        /* the place of the first one in the whole, from 1 */
    int neighbour[4];     /* above, below, left, right */
    int messages, length; /* of the busiest process: neighbours, points sent to them */
    double *old, *new;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static double *at(const struct block *b, double *values, int row, int column)
{
    return values + (size_t)row * ((size_t)b->columns + 2) + column;
}

/* What point (i, j) of the whole is after so many steps. */
static double exact(int N, int i, int j, int steps)
{
    double h = 1.0 / (N + 1), x = i * h, y = j * h;
    return x * x - y * y + pow(cos(pi * h), steps) * sin(pi * x) * sin(pi * y);
}

/* exact() for no steps; the waves of the columns are computed once, in the border above. */
static void block_start(struct block *b)
{
    double h = 1.0 / (b->N + 1), *waves = at(b, b->new, 0, 0);
    for (int j = 0; j < b->columns + 2; j++)
        waves[j] = sin(pi * h * (b->left + j - 1));
    for (int i = b->rows + 1; i >= 0; i--) {
        double x = h * (b->top + i - 1), wave = sin(pi * x);
        for (int j = 0; j < b->columns + 2; j++) {
            double y = h * (b->left + j - 1);
            *at(b, b->new, i, j) = *at(b, b->old, i, j) = x * x - y * y + wave * waves[j];
        }
    }
}

static int block_new(struct block *b, MPI_Comm comm, const int grid[2], int N)
{
    int rank, place[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, place);
    MPI_Cart_shift(comm, 0, 1, &b->neighbour[0], &b->neighbour[1]);
    MPI_Cart_shift(comm, 1, 1, &b->neighbour[2], &b->neighbour[3]);
    int above = least(grid[0] - 1, 2), beside = least(grid[1] - 1, 2);
    b->comm = comm;
    b->N = N;
    b->top = N * place[0] / grid[0] + 1;
    b->left = N * place[1] / grid[1] + 1;
    b->rows = N * (place[0] + 1) / grid[0] + 1 - b->top;
    b->columns = N * (place[1] + 1) / grid[1] + 1 - b->left;
    b->messages = above + beside;
    b->length = above * (N / grid[1]) + beside * (N / grid[0]);
    MPI_Type_vector(b->rows, 1, b->columns + 2, MPI_DOUBLE, &b->column);
    MPI_Type_commit(&b->column);
    size_t points = ((size_t)b->rows + 2) * ((size_t)b->columns + 2);
    b->old = malloc(points * sizeof *b->old);
    b->new = malloc(points * sizeof *b->new);
    if (!b->old || !b->new)
        return 0;
    block_start(b);
    return 1;
}

static void block_free(struct block *b)
{
    MPI_Type_free(&b->column);
    free(b->old);
    free(b->new);
}

/* At the edge of the whole there is no neighbour (MPI_PROC_NULL), and the border stays. */
static void exchange(struct block *b)
{
    MPI_Request requests[8];
    double *outer[4] = {at(b, b->old, 0, 1), at(b, b->old, b->rows + 1, 1), at(b, b->old, 1, 0),
                        at(b, b->old, 1, b->columns + 1)};
    double *inner[4] = {at(b, b->old, 1, 1), at(b, b->old, b->rows, 1), at(b, b->old, 1, 1),
                        at(b, b->old, 1, b->columns)};
    for (int side = 0; side < 4; side++) {
        int count = side < 2 ? b->columns : 1;
        MPI_Datatype type = side < 2 ? MPI_DOUBLE : b->column;
        MPI_Irecv(outer[side], count, type, b->neighbour[side], side ^ 1, b->comm, &requests[side]);
        MPI_Isend(inner[side], count, type, b->neighbour[side], side, b->comm, &requests[4 + side]);
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* The sum of the squares of what changes. */
static double sweep(struct block *b)
{
    double sum = 0;
    for (int i = 1; i <= b->rows; i++) {
        const double *above = at(b, b->old, i - 1, 0), *here = at(b, b->old, i, 0);
        const double *below = at(b, b->old, i + 1, 0);
        double *to = at(b, b->new, i, 0);
        for (int j = 1; j <= b->columns; j++) {
            double value = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
            sum += (value - here[j]) * (value - here[j]);
            to[j] = value;
        }
    }
    double *old = b->old;
    b->old = b->new;
    b->new = old;
    return sum;
}

/* One step of the iteration; the norm of what changed in the whole square. */
static double step(struct block *b)
{
    double own, all;
#pragma cll sync step(N = b->N) step[0] + step[1]*N^2/P + step[2]*N^2 + step[3]*log2(P)
#pragma cll halo(messages = b->messages, length = b->length) halo[0] + halo[1]*messages + halo[2]*length
    exchange(b);
#pragma cll end halo
#pragma cll sweep(N = b->N) sweep[0] + sweep[1]*N^2/P + sweep[2]*N^2
    own = sweep(b);
#pragma cll end sweep
#pragma cll residual residual[0] + residual[1]*log2(P)
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, b->comm);
#pragma cll end residual
#pragma cll end step
    return sqrt(all);
}

/* Are these the points after so many steps, and was this the last change? */
static int is_right(struct block *b, int steps, double change)
{
    double error = 0, worst, h = 1.0 / (b->N + 1), shrink = cos(pi * h);
    double expected = (1 - shrink) * pow(shrink, steps - 1) * (b->N + 1) / 2;
    for (int i = 1; i <= b->rows; i++)
        for (int j = 1; j <= b->columns; j += i == 1 || i == b->rows ? 1 : b->columns / 8 + 1)
            error = fmax(error, fabs(*at(b, b->old, i, j) -
                                     exact(b->N, b->top + i - 1, b->left + j - 1, steps)));
    MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, b->comm);
    return worst < 1e-12 && fabs(change - expected) < 1e-6 * expected;
}

static int iterate(MPI_Comm comm, const int grid[2], int N, int steps)
{
    struct block block;
    double change = 0;
    if (!block_new(&block, comm, grid, N)) {
        fprintf(stderr, "jacobi-mpi: no memory for N = %d\n", N);
        MPI_Abort(comm, 1);
    }
    for (int i = 0; i < steps; i++)
        change = step(&block);
    int right = is_right(&block, steps, change);
    block_free(&block);
    return right;
}

int main(int argc, char **argv)
{
    int rank, size, grid[2] = {0, 0}, whole[2] = {0, 0}, right = 1;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = argc > 1 ? atoi(argv[1]) : 160, last = argc > 2 ? atoi(argv[2]) : 1280;
    int steps = argc > 3 ? atoi(argv[3]) : 20, rounds = argc > 4 ? atoi(argv[4]) : 5;
    MPI_Dims_create(size, 2, grid);
    if (first < 8 || first < 2 * grid[0] || last < first || last > 30000 || steps < 1 ||
        rounds < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: jacobi-mpi [FIRST [LAST [STEPS [ROUNDS]]]], sizes from 8 (and "
                            "two rows for each process) to 30000\n");
        MPI_Finalize();
        return 2;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid, whole, 0, &comm);
    int N = last;
    /* All sizes once, then all again: a slow moment of the machine then hits no size alone. */
#pragma cll for (int round = 0; round < rounds; round++)
#pragma cll for (N = first; N <= last; N += N*2/5)
    right &= iterate(comm, grid, N, steps);
#pragma cll end for
#pragma cll end for
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return !right;
}
