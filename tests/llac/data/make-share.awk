# SPDX-License-Identifier: GPL-3.0-or-later
# Makes share.dat: a constant of work changes at N/P = 8192, one of fill at N*M = 50000; 2 % noise, 5 rounds.
function uniform() { # Park and Miller
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
function noise(relative) { # at least 1
    return 1 - relative * log(uniform())
}
BEGIN {
    seed = 8192
    print "# cll-data 1"
    print "# program: share"
    print "# host: synthetic"
    print "# clock: simulated"
    print "# resolution: 1e-09"
    print "# overhead: 0 0"
    print "# experiment: work"
    print "# formula: work CLOCK work[0]*P + work[1]*N/P*log(N/P)"
    print "# variables: work N"
    print "# experiment: fill"
    print "# formula: fill CLOCK fill[0] + fill[1]*N*M"
    print "# variables: fill N M"
    print "experiment run seq start nested P rank thread count N M CLOCK"
    for (run = 0; run < 5; run++) {
        seq = 0
        for (n = 4096; n <= 262144; n *= 2)
            for (p = 1; p <= 8; p *= 2) {
                share = n / p
                clock = 2e-6 * p + (share > 8192 ? 5.4e-9 : 3e-9) * share * log(share)
                printf "work %d %d 0 0 %d 0 0 1 %d nan %.4e\n", run, seq++, p, n, clock * noise(0.02)
            }
        for (n = 50; n <= 800; n *= 2)
            for (m = 30; m <= 960; m *= 2) {
                clock = 1e-6 + (n * m > 50000 ? 2.5e-9 : 1e-9) * n * m
                printf "fill %d %d 0 0 1 0 0 1 %d %d %.4e\n", run, seq++, n, m, clock * noise(0.02)
            }
    }
}
