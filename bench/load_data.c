/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_data ROWS: writes a data file of that many rows to the standard output: one experiment, 64
 * sizes visited in rounds, times with up to 17 digits as the run-time writes them. About 40 bytes
 * per row; the same bytes every time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    long rows = argc == 2 ? atol(argv[1]) : 0;
    if (rows <= 0) {
        fputs("usage: load_data ROWS\n", stderr);
        return 2;
    }
    fputs("# cll-data 1\n# program: load\n# resolution: 1e-08\n# overhead: 2e-08 1e-09\n"
          "# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n# variables: f N\n"
          "experiment run seq start nested P rank thread count N CLOCK\n",
          stdout);
    double start = 0;
    for (long i = 0; i < rows; i++) {
        long n = 1024 * (1 + i % 64);
        double clock = (1e-6 + 1e-9 * (double)n) * (1 + 0.1 * uniform());
        start += clock;
        printf("f 0 %ld %.4f 0 1 0 0 1 %ld %.10g\n", i, start, n, clock);
    }
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
