# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f make-app.awk >app.dat: a program with nested regions, run at 20 places, twice each. Times are ticks of 1 ns.
# The truth, in seconds: setup 2e-6 + 5e-9*N/P; spmv (inside solve, 2*log2(N) - 8 times) 1e-6 + 3e-9*n with n = N/P;
# reduce (as often) 4e-6*log2(P) + 1e-6; solve without these 1e-6 + 1e-9*N/P; output 2e-6 + 2e-10*N.
function noise() { return 1 + 0.01 * sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
function ticks(seconds) { return int(1e9 * seconds * noise() + 0.5) }
function row(name, seq, start, nested, n, time) {
    printf "%s %d %d %.9f %d %d 0 0 1 %s %.9f\n", name, run, seq, start * 1e-9, nested, P, n, time * 1e-9
}
function leaf(name, seconds, seq, n,    time) {
    time = ticks(seconds) + EMPTY
    row(name, seq, now, 0, n, time)
    now += time + PAIR - EMPTY
}
BEGIN {
    srand(11)
    PAIR = 40; EMPTY = 20
    print "# cll-data 1\n# program: app\n# driver: MPI\n# world: 8\n# host: synthetic\n# cpu: none\n# cores: 8\n# compiler: awk"
    print "# date: 2001-02-03T04:05:06Z\n# clock: clock_gettime\n# resolution: 1e-09\n# overhead: 4e-08 1e-09\n# empty: 2e-08"
    print "# abandoned: 0\n# oversubscribed: no\n# thinned: no\n# process: synthetic.app 0 -"
    print "# experiment: setup\n# formula: setup CLOCK setup[0] + setup[1]*N/P\n# variables: setup N\n# source: setup app.c:10-14"
    print "# experiment: solve\n# formula: solve CLOCK solve[0] + solve[1]*(N/P)*log(N) + solve[2]*log(N)*log(P) + solve[3]*log(N)"
    print "# variables: solve N\n# source: solve app.c:20-60"
    print "# experiment: spmv\n# formula: spmv CLOCK spmv[0] + spmv[1]*n\n# variables: spmv n\n# source: spmv app.c:30-40"
    print "# experiment: reduce\n# formula: reduce CLOCK reduce[0] + reduce[1]*log(P)\n# variables: reduce\n# source: reduce app.c:44-46"
    print "# experiment: output\n# variables: output N\n# source: output app.c:70-80"
    print "experiment run seq start nested P rank thread count N n CLOCK"
    for (round = 0; round < 2; round++)
        for (N = 16384; N <= 4194304; N *= 4)
            for (P = 1; P <= 8; P *= 2) {
                now = 1000
                leaf("setup", 2e-6 + 5e-9 * N / P, 0, N " nan")
                begin = now; inside = 0
                now += EMPTY
                steps = 2 * int(log(N) / log(2) + 0.5) - 8
                for (i = 0; i < steps; i++) {
                    leaf("spmv", 1e-6 + 3e-9 * N / P, i, "nan " N / P)
                    leaf("reduce", 1e-6 + 4e-6 * log(P) / log(2), i, "nan nan")
                    inside += 2
                }
                now += ticks(1e-6 + 1e-9 * N / P)
                row("solve", 0, begin, inside, N " nan", now - begin)
                now += PAIR - EMPTY
                leaf("output", 2e-6 + 2e-10 * N, 0, N " nan")
                run++
            }
}
