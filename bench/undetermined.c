/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions beyond the data with constants that the data do not determine, on synthetic data: parallel
 * programs with formulas of 3 and 4 terms, of which the data hardly show some. P = 1, 2, 4 and 8 at four
 * sizes are fitted, P = 16 and 32 are predicted. Each point has an error of its own, 2 or 5 % (standard
 * deviation), and five rounds that vary by half of that. Errors are against what would be measured, which
 * has the same error. Only data with a constant that they do not determine count.
 *
 * Columns: mean error, and how many measurements are in the typical interval, by the formula alone, by
 * the average over its terms, and by the formula with `nonneg`.
 *
 *     build/bench/undetermined [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/synth.h"
#include "model/model_internal.h"
#include "numeric/stats.h"

enum { ROUNDS = 5, SIZES = 4, TERMS = 4, METHODS = 3 };

struct program {
    const char *name, *formula;
    double sizes[SIZES];
    size_t terms;
    void (*terms_at)(double n, double p, double *out);
};

static void stencil_terms(double n, double p, double *out)
{
    out[0] = n * n / p;
    out[1] = 1;
    out[2] = n * (1 - 1 / p);
}

static void transpose_terms(double n, double p, double *out)
{
    out[0] = n * n / p;
    out[1] = 1;
    out[2] = n * n / p * (1 - 1 / p);
    out[3] = p - 1;
}

static void solver_terms(double n, double p, double *out)
{
    out[0] = n / p;
    out[1] = 1;
    out[2] = pow(n, 2.0 / 3) * (1 - 1 / p);
    out[3] = log2(p);
}

static void serial_terms(double n, double p, double *out)
{
    out[0] = n / p;
    out[1] = 1;
    out[2] = n;
    out[3] = log2(p);
}

static const struct program programs[] = {
    {"stencil", "f[0]*N^2/P + f[1] + f[2]*N*(1 - 1/P)", {256, 512, 1024, 2048}, 3, stencil_terms},
    {"transpose",
     "f[0]*N^2/P + f[1] + f[2]*N^2/P*(1 - 1/P) + f[3]*(P - 1)",
     {256, 512, 1024, 2048},
     4,
     transpose_terms},
    {"solver",
     "f[0]*N/P + f[1] + f[2]*N^(2/3)*(1 - 1/P) + f[3]*log2(P)",
     {1e4, 4e4, 16e4, 64e4},
     4,
     solver_terms},
    {"serial part",
     "f[0]*N/P + f[1] + f[2]*N + f[3]*log2(P)",
     {1e4, 4e4, 16e4, 64e4},
     4,
     serial_terms},
};

struct truth {
    const struct program *program;
    double constant[TERMS];
    double noise;
};

static double time_at(const struct truth *t, double n, double p)
{
    double term[TERMS], sum = 0;
    t->program->terms_at(n, p, term);
    for (size_t j = 0; j < t->program->terms; j++)
        sum += t->constant[j] * term[j];
    return sum;
}

/* The first term takes most of the time; of the others a quarter is 0, the rest takes 0.3 to 30 % of it
 * at a point in the middle of the data. */
static void draw_truth(struct synth *s, struct truth *t)
{
    double term[TERMS], n = sqrt(t->program->sizes[1] * t->program->sizes[2]);
    t->program->terms_at(n, 4, term);
    for (size_t j = 0; j < t->program->terms; j++) {
        double share = 0.003 * pow(100, synth_uniform(s));
        bool none = synth_uniform(s) < 0.25;
        t->constant[j] = 1e-3 / term[j] * (j == 0 ? 1 : none ? 0 : share);
    }
}

/* The rounds of one point. */
static void measure(struct synth *s, const struct truth *t, double n, double p, double *out)
{
    double level = time_at(t, n, p) * exp(t->noise * synth_normal(s));
    for (int i = 0; i < ROUNDS; i++)
        out[i] = level * exp(t->noise / 2 * synth_normal(s));
}

static void load(struct synth *s, const struct truth *t)
{
    static char text[1 << 16];
    size_t at =
        (size_t)snprintf(text, sizeof text,
                         "# cll-data 1\n# experiment: f\n# formula: f CLOCK %s\n# variables: "
                         "f N\n" SYNTH_COLUMNS " N CLOCK\n",
                         t->program->formula);
    for (double p = 1; p <= 8; p *= 2)
        for (int i = 0; i < SIZES; i++) {
            double rounds[ROUNDS];
            measure(s, t, t->program->sizes[i], p, rounds);
            for (int r = 0; r < ROUNDS; r++)
                at +=
                    (size_t)snprintf(text + at, sizeof text - at, "f %d %d 0 0 %g 0 0 1 %g %.9e\n",
                                     r, i, p, t->program->sizes[i], rounds[r]);
        }
    synth_load(s, text);
}

struct score {
    double error, inside, width, n;
};

static void add(struct score *c, const struct prediction *p, double measured)
{
    c->error += fabs(p->value / measured - 1);
    c->inside += measured >= p->low && measured <= p->high;
    c->width += (p->high - p->low) / 2 / measured;
    c->n++;
}

/* One set of data: the scores at P = 16 and 32. False if the data determine all constants. */
static bool judge(struct synth *s, const struct truth *t, struct score score[2][METHODS])
{
    struct model *m = synth_fit(s, NULL, false, STATISTIC_P10),
                 *nonneg = synth_fit(s, NULL, true, STATISTIC_P10);
    if (!m || !nonneg)
        return false;
    model_resample(m);
    model_resample(nonneg);
    struct model alone = *m;
    alone.alternatives.n = 0;
    if (m->alternatives.n == 0)
        return false;
    const struct model *methods[] = {&alone, m, nonneg};
    for (int far = 0; far < 2; far++)
        for (int i = 0; i < SIZES; i++) {
            const char *names[] = {"N", "P"};
            double at[] = {t->program->sizes[i], far ? 32 : 16}, rounds[ROUNDS];
            measure(s, t, at[0], at[1], rounds);
            double measured = stats_quantile(rounds, ROUNDS, 0.1);
            for (int k = 0; k < METHODS; k++) {
                struct prediction p;
                if (model_predict(s->arena, methods[k], &(struct place){names, at, 2}, NULL, &p) ==
                    0)
                    add(&score[far][k], &p, measured);
            }
        }
    return true;
}

static void print_scores(const struct score *score)
{
    for (int k = 0; k < METHODS; k++)
        printf("   %6.1f %% %6.1f %% %6.1f %%", 100 * score[k].error / score[k].n,
               100 * score[k].inside / score[k].n, 100 * score[k].width / score[k].n);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 50,
             first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    static const double noises[] = {0.02, 0.05};
    struct score sum[2][2][METHODS] = {0};
    printf("%-12s %5s %3s %5s   %-26s   %-26s   %s   (%u seeds from %u)\n%31s%-26s   %-26s   %s\n",
           "program", "noise", "P", "data", "the formula alone", "average over its terms", "nonneg",
           seeds, first, "", "error    inside   reach", "error    inside   reach",
           "error    inside   reach");
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        for (int noise = 0; noise < 2; noise++) {
            struct score score[2][METHODS] = {0};
            unsigned used = 0;
            for (unsigned seed = first; seed < first + seeds; seed++) {
                struct synth s = synth_begin();
                struct truth t = {.program = &programs[k], .noise = noises[noise]};
                s.random ^= (seed * 8 + k * 2 + (unsigned)noise) * 0x9e3779b97f4a7c15u;
                for (int i = 0; i < 16; i++)
                    synth_uniform(&s);
                draw_truth(&s, &t);
                load(&s, &t);
                used += judge(&s, &t, score);
                synth_end(&s);
            }
            for (int far = 0; far < 2; far++) {
                printf("%-12s %3g %% %3d %5u", programs[k].name, 100 * noises[noise], far ? 32 : 16,
                       used);
                print_scores(score[far]);
                putchar('\n');
                for (int i = 0; i < METHODS; i++) {
                    sum[noise][far][i].error += score[far][i].error;
                    sum[noise][far][i].inside += score[far][i].inside;
                    sum[noise][far][i].width += score[far][i].width;
                    sum[noise][far][i].n += score[far][i].n;
                }
            }
            fflush(stdout);
        }
    for (int noise = 0; noise < 2; noise++)
        for (int far = 0; far < 2; far++) {
            printf("%-12s %3g %% %3d %5s", "all", 100 * noises[noise], far ? 32 : 16, "");
            print_scores(sum[noise][far]);
            putchar('\n');
        }
    return 0;
}
