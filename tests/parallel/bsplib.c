/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bsplib PROCESSORS ROUNDS: a BSPlib program with regions; 0 processors: all. With TRACE it asks for
   a trace. */
#include <bsp.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef TRACE
#pragma cll parallel BSP trace
#else
#pragma cll parallel BSP
#endif

static int wanted, rounds;

static void spmd(void)
{
    bsp_begin(wanted);
    int n = rounds, x = -1, p = bsp_nprocs(), pid = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();
    for (int i = 0; i < n; i++) {
#pragma cll sync f f[0] + f[1] * P
        bsp_put((pid + 1) % p, &pid, &x, 0, sizeof pid);
#pragma cll sync inside inside[0]
        bsp_sync();
#pragma cll end inside
#pragma cll end f
#pragma cll g g[0] + g[1] * i
        if (x != (pid + p - 1) % p)
            bsp_abort("%d came", x);
#pragma cll end g
    }
#pragma cll report all
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : bsp_nprocs();
    rounds = argc > 2 ? atoi(argv[2]) : 4;
    spmd();
    printf("done\n");
    return 0;
}
