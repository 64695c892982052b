/* SPDX-License-Identifier: MIT */
/*
 * The parameters of this machine: program 1 of the paper on PUB and the Parsytec machine.
 *
 *     call cc mpicc -O2 parameter-pub.c -o parameter && mpirun -n 2 ./parameter
 *
 * The calls are the paper's. Corrected: the includes; %lf, which would print a g of 0.000000, is
 * %g; one processor prints for all. The library's g is for a byte; the first line has it for a word
 * of four bytes, as the paper's is. Added: what else the call says.
 */
#include <pub.h>
#include <stdio.h>

int main(void)
{
    tbsp bsp;
    tbspparameter p_bsp;

    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_parameter(&bsp, &p_bsp);
    if (bsp_pid(&bsp) == 0) {
        double word = sizeof(int);
        printf("L= %g -- g= %g\n", p_bsp.l, p_bsp.g * word);
        printf(
            "L = %.3g s (+- %.1g), g = %.3g s per byte (+- %.1g), s = %.3g operations/s, P = %d\n",
            p_bsp.l, p_bsp.l_spread, p_bsp.g, p_bsp.g_spread, p_bsp.s, p_bsp.nprocs);
        if (p_bsp.oversubscribed)
            printf("more processes than cores: L and g say little\n");
    }
    bsplib_done();
    return 0;
}
