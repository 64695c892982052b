/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overhead: what one begin/end pair with two variables costs, through the macros that generated
 * code uses, beside the floor (two reads of the same clock and a record of 32 bytes) and a pair of
 * clock_gettime.
 *
 * All in one process, interleaved round by round, so that a slow phase of the machine hits all of
 * them; the minimum over many rounds. "hot": into a buffer that was written before. "cold": into
 * memory never touched before, page faults included, for both. "long": regions that are just long
 * enough to be watched, and ten times as long, and what a pair adds to their time. Prints lines `WHAT
 * ns N`, `WHAT ratio R` and `WHAT percent P`.
 */
#define _GNU_SOURCE
#include <cll.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAIRS  1000
#define ROUNDS 2000
#define COLD   200 /* rounds into fresh memory */

static const char *const vars[] = {"N", "m", 0};
static const struct cll_formula formulas[] = {{"CLOCK", "f[0]+f[1]*N*log(m)"}, {0, 0}};
static const struct cll_site sites[] = {{"overhead.c", 1, 2}, {0, 0, 0}};
CLL_EXPERIMENT(experiment_f, "f", 2, vars, formulas, sites, 0)
CLL_EXPERIMENT(experiment_long, "long", 2, vars, formulas, sites, 0)
CLL_EXPERIMENT(experiment_longer, "longer", 2, vars, formulas, sites, 0)

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The floor writes what a record cannot do without: start, end, and two values. */
__attribute__((noinline)) static void run_floor(uint64_t *at, int n)
{
    for (int i = 0; i < n; i++) {
        double a = i, b = n;
        uint64_t start = cll_ticks();
        uint64_t end = cll_ticks();
        at[0] = start;
        at[1] = end;
        memcpy(at + 2, &a, sizeof a);
        memcpy(at + 3, &b, sizeof b);
        at += 4;
    }
}

__attribute__((noinline)) static void run_gettime(uint64_t *at, int n)
{
    for (int i = 0; i < n; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        clock_gettime(CLOCK_MONOTONIC, &end);
        at[0] = (uint64_t)start.tv_nsec;
        at[1] = (uint64_t)end.tv_nsec;
        at += 2;
    }
}

__attribute__((noinline)) static void run_cll(int n)
{
    for (int i = 0; i < n; i++) {
        CLL_BEGIN(region, experiment_f(), 2, CLL_VALUE_AT(i), CLL_VALUE(n));
        CLL_END(region);
    }
}

static void take_minimum(double *least, double began)
{
    double ns = (now_ns() - began) / PAIRS;
    if (ns < *least)
        *least = ns;
}

static void *fresh(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        perror("overhead: mmap");
        exit(1);
    }
    return pages;
}

/* The buffer of the run-time, written before: the same records again and again. */
static void rewind_to(cll_u64 *cursor)
{
    cll_self->cursor = cursor;
}

static void bench_hot(void)
{
    static uint64_t buffer[PAIRS * 4];
    double least_floor = 1e9, least_cll = 1e9, least_gettime = 1e9;
    run_cll(PAIRS);
    run_cll(1);
    cll_u64 *start = cll_self->limit - 5 * (PAIRS + 1);
    for (int round = 0; round < ROUNDS; round++) {
        double began = now_ns();
        run_floor(buffer, PAIRS);
        take_minimum(&least_floor, began);
        rewind_to(start);
        began = now_ns();
        run_cll(PAIRS);
        take_minimum(&least_cll, began);
        began = now_ns();
        run_gettime(buffer, PAIRS);
        take_minimum(&least_gettime, began);
    }
    rewind_to(start);
    printf("floor-hot ns %.1f\ngettime-hot ns %.1f\ncll-hot ns %.1f\n", least_floor, least_gettime,
           least_cll);
    printf("cll-hot ratio %.3f\ncll-hot-to-gettime ratio %.3f\n", least_cll / least_floor,
           least_cll / least_gettime);
}

/* Both through fresh pages: the run-time's new segments come in between, as in a real run. */
static void bench_cold(void)
{
    double floor_sum = 0, cll_sum = 0, least_floor = 1e9, least_cll = 1e9;
    for (int round = 0; round < COLD; round++) {
        size_t bytes = PAIRS * 4 * sizeof(uint64_t);
        uint64_t *pages = fresh(bytes);
        double began = now_ns();
        run_floor(pages, PAIRS);
        double spent = (now_ns() - began) / PAIRS;
        floor_sum += spent;
        least_floor = spent < least_floor ? spent : least_floor;
        munmap(pages, bytes);
        began = now_ns();
        run_cll(PAIRS);
        spent = (now_ns() - began) / PAIRS;
        cll_sum += spent;
        least_cll = spent < least_cll ? spent : least_cll;
    }
    printf("floor-cold ns %.1f\ncll-cold ns %.1f\n", least_floor, least_cll);
    printf("cll-cold ratio %.3f\n", least_cll / least_floor);
    printf("cll-cold-mean ratio %.3f\n", cll_sum / floor_sum);
}

/* A region of so many ticks; returns how many ticks pass beside it. Each length has its own
 * experiment: what long executions may cost is counted per experiment. */
__attribute__((noinline)) static double run_long(struct cll_experiment *experiment, cll_u64 ticks)
{
    cll_u64 began = cll_ticks(), start, now;
    {
        CLL_BEGIN(region, experiment, 2, CLL_VALUE(ticks), 1.);
        start = cll_ticks();
        do
            now = cll_ticks();
        while (now - start < ticks);
    }
    return (double)(cll_ticks() - began - (now - start));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Blocks of executions, so that what they may cost settles in each. The medians, because other
 * programs interrupt some of them. */
static void bench_long(void)
{
    enum { BLOCKS = 10, IN_BLOCK = 180, ALL = BLOCKS * IN_BLOCK };
    static double spent[2][2][ALL]; /* plain or watched, by length */
    cll_u64 brief = cll_self->brief, plain = ((cll_u64)1 << CLL_DURATION_BITS) - 1;
    double began = now_ns(), middle[2][2];
    cll_u64 ticks = cll_ticks(), lasts = brief + brief / 20;
    for (int block = 0; block < BLOCKS; block++)
        for (int watched = 0; watched < 2; watched++)
            for (int length = 0; length < 2; length++)
                for (int i = 0; i < IN_BLOCK; i++) {
                    cll_self->brief = watched ? brief : plain;
                    spent[watched][length][block * IN_BLOCK + i] =
                        length ? run_long(experiment_longer(), 10 * lasts)
                               : run_long(experiment_long(), lasts);
                }
    cll_self->brief = brief;
    for (int i = 0; i < 4; i++) {
        qsort(spent[i / 2][i % 2], ALL, sizeof(double), ascending);
        middle[i / 2][i % 2] = spent[i / 2][i % 2][ALL / 2];
    }
    double ns = (now_ns() - began) / (double)(cll_ticks() - ticks), took = (double)lasts;
    printf("long ns %.0f\nlong-plain-pair ns %.0f\nlong-pair ns %.0f\nlonger-pair ns %.0f\n",
           took * ns, middle[0][0] * ns, middle[1][0] * ns, middle[1][1] * ns);
    printf("cll-long percent %.2f\ncll-ten-times-longer percent %.2f\n",
           100 * (middle[1][0] - middle[0][0]) / took, 10 * (middle[1][1] - middle[0][1]) / took);
}

/* The run-time reads CLL_OUT before main: the measuring is done by a second start of this program,
   whose data file and spool go into a folder of their own. */
static int run_again(const char *program)
{
    char folder[] = "/tmp/cll-overhead-XXXXXX", data[64];
    int status = 1;
    if (!mkdtemp(folder)) {
        perror("overhead: mkdtemp");
        return 1;
    }
    snprintf(data, sizeof data, "%s/overhead.dat", folder);
    setenv("CLL_OUT", data, 1);
    pid_t child = fork();
    if (!child) {
        execl(program, program, "measure", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        perror("overhead: fork");
    unlink(data);
    rmdir(folder);
    return status != 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "measure"))
        return run_again("/proc/self/exe");
    bench_hot();
    bench_cold();
    bench_long();
    return 0;
}
