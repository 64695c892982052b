#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""regions.py COUNT [bare] [flat]: prints a data file of a program with COUNT regions that contain each other, each of them
executed once or twice in what contains it, at eight sizes in three runs each. `bare`: the regions have no formulas. `flat`: none is inside another.
The times are computed: the same words print the same file."""
import math
import sys

VERBS = "assemble factor solve update exchange reduce scatter gather project restrict smooth interpolate integrate apply sort merge".split()
NOUNS = "mesh matrix halo residual boundary particles cells forces fluxes tree blocks rows fields queue".split()
TERMS = [("N", lambda n: n), ("N*log(N)", lambda n: n * math.log(n)), ("sqrt(N)", math.sqrt), ("log(N)", math.log), ("N^2", lambda n: n * n / 4096)]
FANOUT = 5
OVERHEAD = 4e-8


def name_of(k):
    if k == 0:
        return "main"
    verb, noun = VERBS[(k * 7) % len(VERBS)], NOUNS[(k * 5 + k // 16) % len(NOUNS)]
    return f"{verb}_{noun}" + (f"_{k}" if k >= 14 else "")


class Program:
    def __init__(self, count, flat):
        self.count, self.flat = count, flat
        self.rows, self.clock, self.seq, self.state = [], 0.0, [], 1

    def noise(self):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return 1 + 0.02 * (self.state / 2**31 - 0.5)

    def own(self, k, n):
        return ((1 + k % 3) * 1e-6 + (1 + k * 37 % 11) * 2e-9 * TERMS[k % len(TERMS)][1](n)) * self.noise()

    def execute(self, run, n, k):
        """An execution of region k; returns the pairs that it was."""
        start, pairs = self.clock, 0
        self.clock += self.own(k, n) / 2
        children = [] if self.flat else range(FANOUT * k + 1, min(FANOUT * k + FANOUT + 1, self.count))
        for child in children:
            for _ in range(1 + (child % 4 == 3)):
                pairs += self.execute(run, n, child)
        self.clock += self.own(k, n) / 2
        self.rows.append(f"{name_of(k)} {run} {self.seq[k]} {start:.9f} {pairs} 1 0 0 1 {n} {self.clock - start:.9f}")
        self.seq[k] += 1
        self.clock += OVERHEAD
        return pairs + 1

    def run(self, run, n):
        self.clock, self.seq = 1e-6, [0] * self.count
        for k in range(self.count if self.flat else 1):
            self.execute(run, n, k)


def main():
    count, bare = int(sys.argv[1]), "bare" in sys.argv
    program = Program(count, "flat" in sys.argv)
    print("# cll-data 1\n# program: regions\n# host: synthetic\n# cpu: none\n# cores: 1\n# compiler: none\n# date: 2001-02-03T04:05:06Z\n"
          f"# clock: clock_gettime\n# resolution: 1e-09\n# overhead: {OVERHEAD} 1e-09\n# empty: 2e-08\n# thinned: no")
    for k in range(count):
        name = name_of(k)
        print(f"# experiment: {name}")
        if not bare:
            print(f"# formula: {name} CLOCK {name}[0] + {name}[1]*{TERMS[k % len(TERMS)][0]}" + ("" if program.flat or FANOUT * k + 1 >= count else f" + {name}[2]*N^2"))
        print(f"# variables: {name} N\n# source: {name} regions.c:{10 * k + 10}-{10 * k + 18}")
    for run in range(24):
        program.run(run, 1024 << run // 3)
    print("experiment run seq start nested P rank thread count N CLOCK\n" + "\n".join(program.rows))


main()
