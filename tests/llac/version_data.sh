# SPDX-License-Identifier: GPL-3.0-or-later
# Synthetic data files of versions of a program, for the tests of versions and of check.

# version FILE FACTOR SEED [HEADER]: sort = 2e-6 + FACTOR*3e-9*N in six runs, each with 1 % noise of its own and 0.5 % of each
# sample; scan does not depend on FACTOR. HEADER: further lines, with \n at their ends.
version() {
    {
        printf '# cll-data 1\n# program: demo\n# clock: tsc\n# resolution: 1e-9\n# overhead: 1e-8 1e-10\n%b' "${4:-}"
        printf '# experiment: sort\n# formula: sort CLOCK sort[0] + sort[1]*N\n# variables: sort N\n# source: sort demo.c:10-14\n'
        printf '# experiment: scan\n# formula: scan CLOCK scan[0]*N\n# variables: scan N\n# source: scan demo.c:20-24\n'
        printf 'experiment run seq start nested P rank thread count N CLOCK\n'
        awk -v factor="$2" -v seed="$3" '
            function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
            function normal() { return random() + random() + random() + random() - 2 } # variance 1/3
            BEGIN {
                for (i = 0; i < 10; i++) random()
                for (run = 0; run < 6; run++) {
                    slow = 1 + 0.017 * normal()
                    for (n = 1000; n <= 64000; n *= 2)
                        for (k = 0; k < 5; k++) {
                            noise = slow * (1 + 0.009 * normal())
                            printf "sort %d %d 0 0 1 0 0 1 %d %.6g\n", run, k, n, noise * (2e-6 + factor * 3e-9 * n)
                            printf "scan %d %d 0 0 1 0 0 1 %d %.6g\n", run, k, n, noise * 1e-9 * n
                        }
                }
            }'
    } >"$1"
}
old='# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 1111\n# code: aaaa demo.c\n'
new='# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 2222\n# code: bbbb demo.c\n'
