/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * begin MODE: a program whose parallel part is in a function, and which has code before and after it
 * on process 0.
 *
 *     half     on half of the processors     more   on more than there are
 *     input    their number is read from standard input
 *     early    process 0 ends before the parallel part, with status 3
 *     never    the function does not call bsp_begin
 *     alone    only process 0 calls bsp_begin
 */
#include "program.h"

static int wanted, sum; /* only process 0 sets them */
static const char *mode = "";

static void parallel_part(void)
{
    if (!strcmp(mode, "never") || (!strcmp(mode, "alone") && !wanted))
        return;
    bsp_begin(wanted);
    int p = bsp_nprocs(), pid = bsp_pid(), x = pid + 1;
    CHECK(pid == 0 || wanted == 0); /* the others did not run main */
    int *all = must_alloc((size_t)p * sizeof *all);
    bsp_push_reg(all, (size_t)p * sizeof *all);
    bsp_sync();
    bsp_put(0, &x, all, (size_t)pid * sizeof x, sizeof x);
    bsp_sync();
    for (int i = 0; i < p; i++)
        sum += all[i];
    bsp_pop_reg(all);
    free(all);
    bsp_end();
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "";
    bsp_init(parallel_part, argc, argv);
    printf("process 0 of %d\n", bsp_nprocs());
    wanted = !strcmp(mode, "half") ? bsp_nprocs() / 2 : !strcmp(mode, "more") ? 1000 : bsp_nprocs();
    if (!strcmp(mode, "early"))
        return 3;
    if (!strcmp(mode, "input") && scanf("%d", &wanted) != 1)
        bsp_abort("no number");
    parallel_part();
    printf("sum %d\n", sum);
    puts("passed");
    return 0;
}
