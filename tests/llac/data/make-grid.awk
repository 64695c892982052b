# SPDX-License-Identifier: GPL-3.0-or-later
# Makes data of two variables with boundaries on both: grid = 2e-6 + a*N + b*log(P), where a is 1e-9 up to N = 3000
# and 4e-9 beyond, b is 5e-6 up to P = 10 and 2e-5 beyond; 2 % noise, 5 rounds, no sample with N > 3000 and P > 10,
# and one point (N = 500, P = 4) disturbed in all rounds. both = 2e-6 + c*N, where c is 1e-9, 3 times that beyond
# N = 3000, and twice that beyond P = 10.
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
    print "# program: grid"
    print "# host: synthetic"
    print "# clock: simulated"
    print "# resolution: 1e-09"
    print "# overhead: 0 0"
    print "# experiment: grid"
    print "# formula: grid CLOCK grid[0] + grid[1]*N + grid[2]*log(P)"
    print "# variables: grid N"
    print "# experiment: both"
    print "# formula: both CLOCK both[0] + both[1]*N"
    print "# variables: both N"
    print "experiment run seq start nested P rank thread count N CLOCK"
    sizes = split("100 200 300 500 800 1200 1800 2500 4000 6000 9000 15000", n, " ")
    machines = split("1 2 4 6 8 12 16 24 32", p, " ")
    for (run = 0; run < 5; run++)
        for (i = 1; i <= sizes; i++)
            for (k = 1; k <= machines; k++) {
                if (n[i] > 3000 && p[k] > 10) continue
                clock = 2e-6 + (n[i] > 3000 ? 4e-9 : 1e-9) * n[i] + (p[k] > 10 ? 2e-5 : 5e-6) * log(p[k])
                if (n[i] == 500 && p[k] == 4) clock *= 4
                clock *= noise(0.02)
                start += clock
                printf "grid %d %d %.6f 0 %d 0 0 1 %d %.5e\n", run, i * 100 + k, start, p[k], n[i], clock
                clock = (2e-6 + (n[i] > 3000 ? 3e-9 : 1e-9) * (p[k] > 10 ? 2 : 1) * n[i]) * noise(0.02)
                start += clock
                printf "both %d %d %.6f 0 %d 0 0 1 %d %.5e\n", run, i * 100 + k, start, p[k], n[i], clock
            }
}
