/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OpenMP against the number of threads: fork (an empty parallel region), barrier, and reduction (a
 * parallel region that adds up one number per thread). Idle threads of OpenMP
 * spin for a while, so a pause follows the family in each round.
 */
#include "probe/probe.h"

#include "probe/cores.h"
#include "probe/kernel.h"

#ifdef _OPENMP
#include <omp.h>

enum kind { FORK, BARRIER, REDUCTION, KINDS };
enum { MOST = PROBE_COUNTS * KINDS };

static int threads; /* of the running sample */

static void fork_join(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
#pragma omp parallel num_threads(threads)
        __asm__ volatile("" : : : "memory");
    }
}

static void barriers(uint64_t n)
{
#pragma omp parallel num_threads(threads)
    for (uint64_t i = 0; i < n; i++) {
#pragma omp barrier
    }
}

static void reductions(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum += omp_get_thread_num();
        KEEP_FP(sum);
    }
}

static double sample(const struct probe_point *p, unsigned round)
{
    static probe_loop *const loops[KINDS] = {fork_join, barriers, reductions};
    static uint64_t steps[MOST];
    (void)round;
    threads = p->at.cores;
    fork_join(1); /* the team has this size now */
    return probe_time(loops[p->index % KINDS], &steps[p->index]);
}

static const char *open_openmp(struct probe *p)
{
    static const char *const names[KINDS] = {"fork", "barrier", "reduction"};
    int counts[PROBE_COUNTS], n = probe_cores_counts(probe_cores_threads(), counts);
    omp_set_dynamic(0);
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < KINDS; k++)
            probe_add(p, (struct probe_point){.family = probe_openmp.name,
                                              .name = names[k],
                                              .unit = "s",
                                              .at = {.cores = counts[i]},
                                              .sample = sample,
                                              .index = (size_t)i * KINDS + k});
    return NULL;
}
#else
static const char *open_openmp(struct probe *p)
{
    (void)p;
    return "cllprobe was compiled without OpenMP";
}
#endif

const struct probe_family probe_openmp = {.name = "openmp", .open = open_openmp, .settle = 0.02};
