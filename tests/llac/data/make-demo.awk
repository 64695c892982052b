# SPDX-License-Identifier: GPL-3.0-or-later
# Makes demo.dat: synthetic data with known truth and reproducible noise (awk -f make-demo.awk).
#   sort: 2e-7 + 4e-9*N*log(N), 3 % noise, 12 sizes, 8 rounds
#   fft:  1e-5 + 8e-6*log(P) + 3e-9*(N/P)*log(N/P), 2 % noise, 5 sizes, P = 1, 2, 4, 8, 5 rounds
#   init: measured, but without a formula: 3e-7 + 1e-9*N
function uniform() { # Park and Miller
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
function noise(relative,   i, sum) { # about normal
    sum = 0
    for (i = 0; i < 12; i++) sum += uniform()
    return 1 + relative * (sum - 6)
}
function row(name, run, p, n, clock) {
    clock += 2.0e-8 # the overhead of measuring is part of a raw time
    start += clock
    printf "%s %d %d %.6f 0 %d 0 0 1 %d %.5e %s\n", name, run, seq[name, run]++, start, p, n, clock,
        name == "init" ? sprintf("%d", n / 512 + 3) : "nan"
}
BEGIN {
    seed = 20011
    print "# cll-data 1"
    print "# program: demo"
    print "# driver: seq"
    print "# world: 1"
    print "# host: synthetic"
    print "# cpu: none"
    print "# cores: 8"
    print "# compiler: awk"
    print "# date: 2001-02-03T04:05:06Z"
    print "# clock: simulated"
    print "# resolution: 1e-09"
    print "# overhead: 2e-08 1e-09"
    print "# abandoned: 0"
    print "# oversubscribed: no"
    print "# thinned: no"
    print "# experiment: sort"
    print "# formula: sort CLOCK sort[0] + sort[1]*N*log(N)"
    print "# variables: sort N"
    print "# source: sort demo.c:10-14"
    print "# experiment: fft"
    print "# formula: fft CLOCK fft[0] + fft[1]*log(P) + fft[2]*(N/P)*log(N/P)"
    print "# variables: fft N"
    print "# source: fft demo.c:20-31"
    print "# experiment: init"
    print "# variables: init N"
    print "# source: init demo.c:40-44"
    print "experiment run seq start nested P rank thread count N CLOCK page-faults"
    for (run = 0; run < 8; run++) {
        for (n = 1024; n <= 2097152; n *= 2) row("sort", run, 1, n, (2e-7 + 4e-9 * n * log(n)) * noise(0.03))
        if (run < 5)
            for (n = 4096; n <= 1048576; n *= 4)
                for (p = 1; p <= 8; p *= 2)
                    row("fft", run, p, n, (1e-5 + 8e-6 * log(p) + 3e-9 * n / p * log(n / p)) * noise(0.02))
        for (n = 1000; n <= 5000; n += 1000) row("init", run, 1, n, (3e-7 + 1e-9 * n) * noise(0.01))
    }
}
