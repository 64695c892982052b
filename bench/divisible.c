/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often llac names a class of sizes (powers of two, multiples) that take longer, on synthetic data
 * with a known truth.
 *
 *   clean   no size takes longer: how often a class is named all the same
 *   wrong   the same, with a formula that misses a term, a constant that doubles, or spoilt points
 *   found   some sizes take longer by a factor: how often these are named, how often the interval of
 *           the factor contains it, and how many boundaries and left-out points remain
 *
 *     build/bench/divisible [SEEDS [FIRST [all|clean|wrong|found]]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/splits.h"

static unsigned first_seed, seeds;

struct rates {
    unsigned found, right, covered, divided, left_out, sets;
};

static void run(const struct splits *s, struct rates *r)
{
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct splits_result one = splits_run(s, first_seed + seed);
        r->found += one.found;
        r->right += one.right;
        r->covered += one.covered;
        r->divided += one.boundaries > 0;
        r->left_out += one.left_out > 0;
        r->sets++;
    }
}

static double percent(unsigned n, const struct rates *r)
{
    return 100.0 * n / r->sets;
}

/* Normal, skewed and wild noise of 5 %, and normal noise that grows. */
static const struct {
    const char *name;
    enum noise_shape shape;
    double growth;
} noises[] = {{"normal", NOISE_NORMAL, 0},
              {"skewed", NOISE_SKEWED, 0},
              {"wild", NOISE_WILD, 0},
              {"growing", NOISE_NORMAL, 0.3}};
enum { NOISES = sizeof noises / sizeof *noises };

static struct splits usual(int design, int noise, size_t sizes)
{
    struct splits s = {.design = (enum splits_design)design,
                       .sizes = sizes,
                       .repetitions = 10,
                       .factor = 1,
                       .noise = 0.05,
                       .growth = noises[noise].growth,
                       .shape = noises[noise].shape};
    return s;
}

static void clean(void)
{
    struct rates all = {0};
    printf("no class: share of sets in which one is named (8, 12, 20, 40 sizes)\n%-20s", "sizes");
    for (int noise = 0; noise < NOISES; noise++)
        printf("%10s", noises[noise].name);
    printf("\n");
    for (int design = 0; design < SIZES_DESIGNS; design++) {
        printf("%-20s", splits_names[design]);
        for (int noise = 0; noise < NOISES; noise++) {
            static const size_t sizes[] = {8, 12, 20, 40};
            struct rates r = {0};
            for (size_t k = 0; k < 4; k++) {
                struct splits s = usual(design, noise, sizes[k]);
                s.quadratic = k % 2;
                run(&s, &r);
            }
            printf("%8.2f %%", percent(r.found, &r));
            fflush(stdout);
            all.found += r.found;
            all.sets += r.sets;
        }
        printf("\n");
    }
    printf("all: %u of %u sets, %.2f %%\n\n", all.found, all.sets, percent(all.found, &all));
}

static void wrong(void)
{
    static const char *const names[] = {"a missing term", "a constant that doubles",
                                        "two spoilt points"};
    printf("no class, but something else: share of sets in which one is named (12, 20 sizes)\n");
    for (int kind = 0; kind < 3; kind++) {
        struct rates all = {0};
        printf("%-24s", names[kind]);
        for (int design = 0; design < SIZES_DESIGNS; design++) {
            struct rates r = {0};
            for (int noise = 0; noise < NOISES; noise++)
                for (size_t sizes = 12; sizes <= 20; sizes += 8) {
                    struct splits s = usual(design, noise, sizes);
                    s.wrong = kind == 0;
                    s.step = kind == 1;
                    s.spoilt = kind == 2 ? 2 : 0;
                    run(&s, &r);
                }
            printf(" %6.2f %%", percent(r.found, &r));
            fflush(stdout);
            all.found += r.found;
            all.sets += r.sets;
        }
        printf("  all %.2f %%\n", percent(all.found, &all));
    }
    printf("\n");
}

static void print_found(const struct splits *s, int noise)
{
    struct rates r = {0};
    run(s, &r);
    printf("%-20s %5zu %6g%-8s %-8s %6.0f %% %6.0f %% %6.0f %% %6.0f %% %6.0f %%\n",
           splits_names[s->design], s->sizes, s->factor, s->varying ? " varies" : "",
           noises[noise].name, percent(r.found, &r), percent(r.right, &r), percent(r.covered, &r),
           percent(r.divided, &r), percent(r.left_out, &r));
    fflush(stdout);
}

static void found(void)
{
    static const int designs[] = {SIZES_HALF, SIZES_THIRD, SIZES_BLOCKS, SIZES_LINES, SIZES_GRID};
    static const double factors[] = {1.1, 1.3, 2, 5};
    printf("%-20s %5s %6s%-8s %-8s %8s %8s %8s %8s %8s\n", "sizes", "", "factor", "", "noise",
           "named", "right", "covered", "divided", "left out");
    for (size_t d = 0; d < sizeof designs / sizeof *designs; d++)
        for (size_t sizes = designs[d] == SIZES_BLOCKS ? 14 : 9; sizes <= 20; sizes += 5)
            for (size_t f = 0; f < 5; f++)
                for (int noise = 0; noise < NOISES; noise++) {
                    struct splits s = usual(designs[d], noise, sizes);
                    s.varying = f == 4;
                    s.factor = s.varying ? 2 : factors[f];
                    print_found(&s, noise);
                }
}

int main(int argc, char **argv)
{
    const char *what = argc > 3 ? argv[3] : "all";
    bool all = strcmp(what, "all") == 0;
    seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 20;
    first_seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    if (all || strcmp(what, "clean") == 0)
        clean();
    if (all || strcmp(what, "wrong") == 0)
        wrong();
    if (all || strcmp(what, "found") == 0)
        found();
    return 0;
}
