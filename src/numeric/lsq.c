/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are gathered in blocks; each full block is stacked below the triangle found so far and
 * reduced by Householder reflections (a sequential tall-skinny QR), so memory does not grow with
 * the rows. The triangle [R | Q'b] answers everything else: subsets of unknowns are solved by a
 * singular value decomposition of the columns of R, scaled to length 1, which also tells their
 * rank.
 */
#include "numeric/lsq.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "numeric/thresholds.h"

enum { BLOCK = 256 };

struct lsq {
    size_t k, columns; /* columns = k + 1: the right hand side is the last */
    double *rows;      /* triangle on top (columns rows), then up to BLOCK rows; row-major */
    size_t filled;     /* rows below the triangle */
};

/* What is used of GSL allocates nothing, and its results are checked where its handler would abort. */
__attribute__((constructor)) static void keep_gsl_from_aborting(void)
{
    gsl_set_error_handler_off();
}

struct lsq *lsq_create(struct arena *a, size_t unknowns)
{
    struct lsq *l = arena_zalloc(a, 1, sizeof *l);
    l->k = unknowns;
    l->columns = unknowns + 1;
    l->rows = arena_zalloc(a, (l->columns + BLOCK) * l->columns, sizeof *l->rows);
    return l;
}

/* The vector of the reflection is scaled to begin with 1: no product of two lengths is formed,
 * which could leave the range of numbers. */
static void reflect(double *m, size_t rows, size_t columns, size_t j)
{
    double norm = 0;
    for (size_t i = j; i < rows; i++)
        norm = hypot(norm, m[i * columns + j]);
    if (norm == 0)
        return;
    double head = m[j * columns + j], alpha = head > 0 ? -norm : norm;
    double v0 = head - alpha, beta = 1 + fabs(head) / norm;
    for (size_t i = j + 1; i < rows; i++)
        m[i * columns + j] /= v0;
    for (size_t c = j + 1; c < columns; c++) {
        double dot = m[j * columns + c];
        for (size_t i = j + 1; i < rows; i++)
            dot += m[i * columns + j] * m[i * columns + c];
        dot *= beta;
        m[j * columns + c] -= dot;
        for (size_t i = j + 1; i < rows; i++)
            m[i * columns + c] -= dot * m[i * columns + j];
    }
    m[j * columns + j] = alpha;
    for (size_t i = j + 1; i < rows; i++)
        m[i * columns + j] = 0;
}

void lsq_finish(struct lsq *l)
{
    size_t rows = l->columns + l->filled;
    for (size_t j = 0; j < l->columns && l->filled; j++)
        reflect(l->rows, rows, l->columns, j);
    l->filled = 0;
}

void lsq_add(struct lsq *l, const double *row, double rhs)
{
    if (l->filled == BLOCK)
        lsq_finish(l);
    double *to = l->rows + (l->columns + l->filled++) * l->columns;
    memcpy(to, row, l->k * sizeof *row);
    to[l->k] = rhs;
}

double lsq_column_norm(const struct lsq *l, size_t j)
{
    double norm = 0;
    for (size_t i = 0; i <= j; i++)
        norm = hypot(norm, l->rows[i * l->columns + j]);
    return norm;
}

/* The singular value decomposition of the kept columns, scaled. */
struct decomposed {
    size_t n; /* kept */
    size_t *column;
    double *scale;
    gsl_matrix_view u, v; /* of the arena's memory, as is s: GSL allocates nothing */
    gsl_vector_view s;
};

/* No direction is determined: what remains when the numbers are beyond what a double holds. */
static void give_up(struct decomposed *d)
{
    gsl_matrix_set_zero(&d->u.matrix);
    gsl_matrix_set_identity(&d->v.matrix);
    gsl_vector_set_zero(&d->s.vector);
}

static struct decomposed decompose(struct arena *a, const struct lsq *l, const bool *keep)
{
    struct decomposed d = {.n = 0};
    bool finite = true;
    d.column = arena_alloc(a, l->k, sizeof *d.column);
    d.scale = arena_alloc(a, l->k, sizeof *d.scale);
    for (size_t j = 0; j < l->k; j++) {
        if (keep && !keep[j])
            continue;
        double norm = lsq_column_norm(l, j);
        d.scale[d.n] = norm > 0 ? norm : 1;
        d.column[d.n++] = j;
    }
    if (d.n == 0)
        return d;
    d.u = gsl_matrix_view_array(arena_alloc(a, l->k * d.n, sizeof(double)), l->k, d.n);
    d.v = gsl_matrix_view_array(arena_alloc(a, d.n * d.n, sizeof(double)), d.n, d.n);
    d.s = gsl_vector_view_array(arena_alloc(a, d.n, sizeof(double)), d.n);
    for (size_t i = 0; i < l->k; i++)
        for (size_t c = 0; c < d.n; c++) {
            size_t j = d.column[c];
            double x = i <= j ? l->rows[i * l->columns + j] / d.scale[c] : 0;
            finite = finite && isfinite(x);
            gsl_matrix_set(&d.u.matrix, i, c, x);
        }
    /* Jacobi's method: the one of GSL's that allocates nothing. */
    if (!finite ||
        gsl_linalg_SV_decomp_jacobi(&d.u.matrix, &d.v.matrix, &d.s.vector) != GSL_SUCCESS)
        give_up(&d);
    return d;
}

/* x = V S^+ U' b over the kept columns. */
static void pseudo_solve(const struct lsq *l, const struct decomposed *d, const double *b,
                         size_t stride, double *x)
{
    double largest = gsl_vector_get(&d->s.vector, 0);
    for (size_t r = 0; r < d->n; r++) {
        double s = gsl_vector_get(&d->s.vector, r), dot = 0;
        if (!(s > RANK_TOLERANCE * largest))
            continue;
        for (size_t i = 0; i < l->k; i++)
            dot += gsl_matrix_get(&d->u.matrix, i, r) * b[i * stride];
        for (size_t c = 0; c < d->n; c++)
            x[d->column[c]] += gsl_matrix_get(&d->v.matrix, c, r) * dot / s / d->scale[c];
    }
}

static void covariance_of(const struct lsq *l, const struct decomposed *d, double *covariance)
{
    double largest = gsl_vector_get(&d->s.vector, 0);
    for (size_t r = 0; r < d->n; r++) {
        double s = gsl_vector_get(&d->s.vector, r);
        if (!(s > RANK_TOLERANCE * largest))
            continue;
        for (size_t p = 0; p < d->n; p++)
            for (size_t q = 0; q < d->n; q++)
                covariance[d->column[p] * l->k + d->column[q]] +=
                    gsl_matrix_get(&d->v.matrix, p, r) / s / d->scale[p] *
                    (gsl_matrix_get(&d->v.matrix, q, r) / s / d->scale[q]);
    }
}

void lsq_solve(struct arena *a, const struct lsq *l, const bool *keep, struct lsq_solution *out)
{
    out->x = arena_zalloc(a, l->k + 1, sizeof *out->x);
    out->covariance = arena_zalloc(a, l->k * l->k + 1, sizeof *out->covariance);
    out->weakest = arena_zalloc(a, l->k + 1, sizeof *out->weakest);
    out->full_rank = true;
    out->condition = 1;
    struct decomposed d = decompose(a, l, keep);
    if (d.n == 0)
        return;
    double largest = gsl_vector_get(&d.s.vector, 0),
           smallest = gsl_vector_get(&d.s.vector, d.n - 1);
    out->full_rank = smallest > RANK_TOLERANCE * largest;
    out->condition = smallest > 0 ? largest / smallest : INFINITY;
    for (size_t c = 0; c < d.n; c++)
        out->weakest[d.column[c]] = gsl_matrix_get(&d.v.matrix, c, d.n - 1);
    pseudo_solve(l, &d, l->rows + l->k, l->columns, out->x);
    covariance_of(l, &d, out->covariance);
}

bool lsq_dependent(struct arena *a, const struct lsq *l, const bool *keep, size_t j,
                   double *relation)
{
    double norm = lsq_column_norm(l, j), off = 0;
    for (size_t i = 0; i < l->k; i++)
        relation[i] = 0;
    double *b = arena_zalloc(a, l->k, sizeof *b);
    for (size_t i = 0; i <= j; i++)
        b[i] = l->rows[i * l->columns + j];
    struct decomposed d = decompose(a, l, keep);
    if (d.n)
        pseudo_solve(l, &d, b, 1, relation);
    for (size_t i = 0; i < l->k; i++) {
        double sum = b[i];
        for (size_t c = i; c < l->k; c++)
            sum -= relation[c] * l->rows[i * l->columns + c];
        off = hypot(off, sum);
    }
    relation[j] = -1;
    return norm == 0 || off <= DEPENDENT_TOLERANCE * norm;
}

/* R'(b - R x) for one unknown: how much a larger x_j would help. */
static double gradient(const struct lsq *l, const double *x, size_t j)
{
    double g = 0;
    for (size_t i = 0; i <= j; i++) {
        double residual = l->rows[i * l->columns + l->k];
        for (size_t c = i; c < l->k; c++)
            residual -= l->rows[i * l->columns + c] * x[c];
        g += l->rows[i * l->columns + j] * residual;
    }
    return g;
}

/* Goes from x towards the unconstrained solution of the active set as far as all stay >= 0. */
static void step_back(const struct lsq *l, const bool *any_sign, double *x, const double *target,
                      bool *active)
{
    double part = 1;
    for (size_t j = 0; j < l->k; j++)
        if (active[j] && !(any_sign && any_sign[j]) && target[j] <= 0)
            part = fmin(part, x[j] / (x[j] - target[j]));
    for (size_t j = 0; j < l->k; j++) {
        if (!active[j])
            continue;
        x[j] += part * (target[j] - x[j]);
        if (!(any_sign && any_sign[j]) && target[j] <= 0 && x[j] <= NONNEG_ZERO * fabs(target[j])) {
            x[j] = 0;
            active[j] = false;
        }
    }
}

void lsq_solve_nonneg(struct arena *a, const struct lsq *l, const bool *keep, const bool *any_sign,
                      bool *active, struct lsq_solution *out)
{
    double *x = arena_zalloc(a, l->k + 1, sizeof *x);
    double rhs = lsq_column_norm(l, l->k);
    for (size_t j = 0; j < l->k; j++)
        active[j] = any_sign && any_sign[j] && (!keep || keep[j]);
    lsq_solve(a, l, active, out);
    memcpy(x, out->x, l->k * sizeof *x);
    for (size_t rounds = 0; rounds < 10 * l->k + 10; rounds++) {
        size_t best = l->k;
        double most = NONNEG_LEAST_GRADIENT * rhs;
        for (size_t j = 0; j < l->k; j++) {
            double norm = lsq_column_norm(l, j);
            if (active[j] || (keep && !keep[j]) || norm == 0)
                continue;
            double g = gradient(l, x, j) / norm;
            if (g > most) {
                most = g;
                best = j;
            }
        }
        if (best == l->k)
            break;
        active[best] = true;
        for (size_t inner = 0; inner <= l->k; inner++) {
            bool inside = true;
            lsq_solve(a, l, active, out);
            for (size_t j = 0; j < l->k; j++)
                inside = inside && (!active[j] || out->x[j] > 0 || (any_sign && any_sign[j]));
            if (inside) {
                memcpy(x, out->x, l->k * sizeof *x);
                break;
            }
            step_back(l, any_sign, x, out->x, active);
        }
    }
    lsq_solve(a, l, active, out);
}
