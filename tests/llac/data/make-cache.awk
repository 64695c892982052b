# SPDX-License-Identifier: GPL-3.0-or-later
# Makes cache.dat: 1e-6 + c*N with c = 1e-9 up to N = 40000 and 3e-9 beyond, 3 % noise, 20 sizes, 10 rounds.
function uniform() { # Park and Miller
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
function noise(relative,   i, sum) { # about normal
    sum = 0
    for (i = 0; i < 12; i++) sum += uniform()
    return 1 + relative * (sum - 6)
}
BEGIN {
    seed = 4711
    print "# cll-data 1"
    print "# program: cache"
    print "# host: synthetic"
    print "# clock: simulated"
    print "# resolution: 1e-09"
    print "# overhead: 0 0"
    print "# experiment: init"
    print "# formula: init CLOCK init[0] + init[1]*N"
    print "# variables: init N"
    print "experiment run seq start nested P rank thread count N CLOCK"
    for (run = 0; run < 10; run++)
        for (i = 0; i < 20; i++) {
            n = int(1000 * exp(i * log(1000) / 19) + 0.5)
            clock = (1e-6 + (n > 40000 ? 3e-9 : 1e-9) * n) * noise(0.03)
            start += clock
            printf "init %d %d %.6f 0 1 0 0 1 %d %.5e\n", run, i, start, n, clock
        }
}
