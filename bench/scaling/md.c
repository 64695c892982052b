/* SPDX-License-Identifier: MIT */
/*
 * Molecular dynamics: N particles with Lennard-Jones forces inside a cutoff, in a periodic cube of
 * cells. Each process has a part of the cells' particles, sorted by cells, computes the forces on
 * them, and sends their places to all others. The total force is zero, which main checks.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS 12
#define EACH  4 /* particles of a cell */

struct vector {
    double x, y, z;
};

static double unit(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / (double)(1 << 24);
}

/* Places in a cell: the corners of a tetrahedron, a little displaced. */
static void place(struct vector *at, int cells)
{
    unsigned state = 12345;
    static const struct vector corner[EACH] = {
        {.2, .2, .2}, {.7, .7, .2}, {.7, .2, .7}, {.2, .7, .7}};
    for (int c = 0, n = 0; c < cells * cells * cells; c++)
        for (int k = 0; k < EACH; k++, n++)
            at[n] = (struct vector){c / cells / cells + corner[k].x + 0.05 * unit(&state),
                                    c / cells % cells + corner[k].y + 0.05 * unit(&state),
                                    c % cells + corner[k].z + 0.05 * unit(&state)};
}

static double nearest(double d, double side)
{
    return d > side / 2 ? d - side : d < -side / 2 ? d + side : d;
}

static struct vector force_on(const struct vector *at, int n, int cells)
{
    int c = n / EACH, cx = c / cells / cells, cy = c / cells % cells, cz = c % cells;
    struct vector f = {0, 0, 0};
    for (int k = 0; k < 27; k++) {
        int x = (cx + k / 9 + cells - 1) % cells, y = (cy + k / 3 % 3 + cells - 1) % cells,
            z = (cz + k % 3 + cells - 1) % cells, first = EACH * ((x * cells + y) * cells + z);
        for (int j = first; j < first + EACH; j++) {
            double dx = nearest(at[n].x - at[j].x, cells), dy = nearest(at[n].y - at[j].y, cells),
                   dz = nearest(at[n].z - at[j].z, cells), square = dx * dx + dy * dy + dz * dz;
            if (j == n || square > 1)
                continue;
            double s = 0.2 / square, s3 = s * s * s, size = s3 * (2 * s3 - 1) / square;
            f.x += size * dx, f.y += size * dy, f.z += size * dz;
        }
    }
    return f;
}

static double measure(int cells, int rank, int P)
{
    int N = EACH * cells * cells * cells, counts[256], starts[256];
    struct vector *at = malloc(N * sizeof *at), *own = malloc(N * sizeof *own);
    if (!at || !own || P > 256)
        MPI_Abort(MPI_COMM_WORLD, 1);
    place(at, cells);
    for (int r = 0; r < P; r++)
        starts[r] = 3 * (int)((long)N * r / P);
    for (int r = 0; r < P; r++)
        counts[r] = (r + 1 < P ? starts[r + 1] : 3 * N) - starts[r];
    int first = starts[rank] / 3, n = counts[rank] / 3;
    struct vector total = {0, 0, 0}, all;
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync md md[0] + md[1] * N / P + md[2] * N *(1 - 1 / P)
#pragma cll forces forces[0] + forces[1] * N / P
        total = (struct vector){0, 0, 0};
        for (int i = 0; i < n; i++) {
            struct vector f = force_on(at, first + i, cells), *a = &at[first + i];
            own[i] = (struct vector){a->x + 1e-6 * f.x, a->y + 1e-6 * f.y, a->z + 1e-6 * f.z};
            total.x += f.x, total.y += f.y, total.z += f.z;
        }
        memcpy(at + first, own, n * sizeof *own);
#pragma cll end forces
#pragma cll gather gather[0] + gather[1] * N *(1 - 1 / P)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, at, counts, starts, MPI_DOUBLE,
                       MPI_COMM_WORLD);
#pragma cll end gather
#pragma cll end md
    }
    MPI_Allreduce(&total, &all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(at);
    free(own);
    return fabs(all.x) + fabs(all.y) + fabs(all.z);
}

int main(int argc, char **argv)
{
    int rank, P;
    double worst = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int cells = 12; cells <= 40; cells += 7)
        worst = fmax(worst, measure(cells, rank, P));
    MPI_Finalize();
    if (worst > 1e-3)
        fprintf(stderr, "md: the forces do not cancel: %g\n", worst);
    return worst > 1e-3;
}
