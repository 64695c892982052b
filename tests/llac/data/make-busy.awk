# SPDX-License-Identifier: GPL-3.0-or-later
# Makes busy.dat: 2e-6 + 1e-8*N beside other programs. The thread has its core for slices of 3 ms, and is without it for 3 to
# 9 ms after each. 6 sizes, 5 times in each of 4 runs. Executions of less than 0.1 ms are not watched.
function uniform() { # Park and Miller
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
BEGIN {
    seed = 2
    print "# cll-data 1"
    print "# program: busy"
    print "# host: synthetic"
    print "# clock: simulated"
    print "# resolution: 1e-09"
    print "# overhead: 0 0"
    print "# experiment: sum"
    print "# formula: sum CLOCK sum[0] + sum[1]*N"
    print "# variables: sum N"
    print "# source: sum busy.c:9-12"
    print "experiment run seq start nested P rank thread count N CLOCK CPUTIME disturbed"
    sizes = split("5000 100000 200000 400000 800000 1600000", size)
    for (run = 0; run < 4; run++) {
        start = 0.001
        for (seq = 0; seq < 5 * sizes; seq++) {
            n = size[seq % sizes + 1]
            cpu = clock = (2e-6 + 1e-8 * n) * (1 + 0.01 * uniform())
            taken = n < 100000 ? 0 : int(cpu / 3e-3 + uniform())
            for (k = 0; k < taken; k++) clock += 3e-3 + 6e-3 * uniform()
            printf "sum %d %d %.6f 0 1 0 0 1 %d %.9f ", run, seq, start, n, clock
            if (n < 100000) print "nan nan"
            else printf "%.9f %d\n", cpu, (taken > 0) + (taken && uniform() < 0.15 ? 4 : 0)
            start += clock + 2e-5
        }
    }
}
