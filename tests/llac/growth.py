#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""growth.py LLAC [DIMENSION...]: what each command costs when the data double.

Each dimension of the data (rows, points, experiments, ...) begins at a size and doubles twice, because
tables grow by doubling. A command may take TIMES times the processor time and the memory for each
doubling, beyond what it takes for hardly any data. The processor time of a process is compared, not the clock, with that
of a run directly before. It too depends on what else the machine does, so a command fails only if all of several pairs of runs do."""
import os
import resource
import sys
import tempfile

TIMES = 2.5
DOUBLINGS = 2
TRIES = 10
LEAST_SECONDS = 0.3  # below it a time says little; there are at most 1024 variables
LEAST_KB = 60000
MOST_SECONDS = 100  # of processor time: a command that takes more is ended

HEADER = ("# cll-data 1\n# world: %d\n# cores: 8\n# resolution: 1e-9\n# overhead: 4e-8 1e-9\n# empty: 2e-8\n"
          "# process: 1.0.1.%x 0 1\n")


def write(path, number=0, rows=1, points=6, experiments=1, ranks=1, threads=1, variables=1, runs=3, lines=(0, "")):
    """A data file: each experiment f0, f1, ... has `rows` samples of each point, rank, thread and run."""
    names = ["N"] + ["v%d" % i for i in range(1, variables)]
    with open(path, "w") as out:
        out.write(HEADER % (ranks, number))
        for i in range(lines[0]):
            out.write("# " + lines[1] % i + "\n")
        for e in range(experiments):
            out.write("# experiment: f%d\n# formula: f%d CLOCK f%d[0] + f%d[1]*N\n# variables: f%d %s\n" %
                      (e, e, e, e, e, " ".join(names)))
        out.write("experiment run seq start nested P rank thread count %s CLOCK\n" % " ".join(names))
        k = 0
        for e in range(experiments):
            for run in range(runs):
                for seq in range(points * rows):
                    n = 10 + seq % points
                    others = "".join(" %d" % (n + i) for i in range(1, variables))
                    for rank in range(ranks):
                        for thread in range(threads):
                            k += 1
                            noise = 1 + k * 7919 % 101 * 1e-4
                            out.write("f%d %d %d %.6f 0 %d %d %d 1 %d%s %.6g\n" %
                                      (e, run, seq, 1e-3 * k, ranks, rank, thread, n, others, 1e-6 * n * noise))


# Dimension: the first size, and the arguments of write for a size.
DIMENSIONS = {
    "rows": (5000, lambda n: {"rows": n}),
    "points": (5000, lambda n: {"points": n}),
    "experiments": (300, lambda n: {"experiments": n, "points": 4, "runs": 1}),
    "ranks": (10000, lambda n: {"ranks": n}),
    "threads": (10000, lambda n: {"threads": n}),
    "variables": (200, lambda n: {"variables": n}),
    "runs": (10000, lambda n: {"runs": n}),
    "files": (250, None),
    "code lines": (25000, lambda n: {"lines": (n, "code: %016x f.c")}),
    "names of codes": (25000, lambda n: {"lines": (n, "code: 7 f%d.c")}),
    "process lines": (25000, lambda n: {"lines": (n, "process: 1.%x.1.1 0 1")}),
    "source lines": (25000, lambda n: {"lines": (n, "source: f0 f.c:%d-9")}),
    "note lines": (25000, lambda n: {"lines": (n, "note: %d")}),
    "ranks lines": (25000, lambda n: {"lines": (n, "ranks: %d node")}),
    "absent lines": (25000, lambda n: {"lines": (n, "absent: X%d no")}),
}

# % is the first file. One of each command that reads data.
COMMANDS = [
    "list", "show", "show f0", "fit f0", "fit f0 by run", "fit f0 on SELF", "table f0", "predict f0 N=20", "explain f0 N=20",
    "compare f0, \"f0[0]*N\"", "search f0 in N terms 1", "advise f0 for N=1000", "rank N=1000", "crossover f0 f0 over N", "plot f0 small",
    "plot f0 to plot.svg", "derive f0 from f0[0]", "where N > 11; fit f0", "let r = N/CLOCK; show f0 on r",
    "ranks mean; fit f0", "rounds skip 1; fit f0", "statistic median; fit f0", "statistic deviation; fit f0", "define w = f0; table w against f0",
    "save saved.dat", "export x.h", "export x.json", "report x.html f0", "table f0 against %", "check % %",
    "merge %", "undo", "history"
]


def run(llac, command, files):
    """The processor time in seconds, and the peak memory in KB."""
    child = os.fork()
    if child == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        os.environ["PATH"] = "/nowhere"  # gnuplot is not ours
        os.execv(llac, [llac, "-e", command.replace("%", files[0])] + files)
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        return float("inf"), float("inf")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def data(dimension, size, name):
    if dimension == "files":
        files = ["%s%d.dat" % (name, i) for i in range(size)]
        for i, path in enumerate(files):
            write(path, number=i)
        return files
    write(name + ".dat", **DIMENSIONS[dimension][1](size))
    return [name + ".dat"]


def judge(what, small, large, floor, enough):
    """A line about what grew too much, or None."""
    for name, a, b, zero, lower in zip(("processor time", "memory"), small, large, floor, enough):
        if b > lower and b - zero > TIMES**DOUBLINGS * max(a - zero, lower / 8):
            return "%s: %s %.4g, with %d times the data %.4g" % (what, name, a, 2**DOUBLINGS, b)
    return None


def main():
    llac = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2:] or list(DIMENSIONS)
    found = []
    with tempfile.TemporaryDirectory(prefix="cll-growth-") as folder:
        os.chdir(folder)
        write("x.dat")
        floors = {c: run(llac, c, ["x.dat"]) for c in COMMANDS}
        for dimension in wanted:
            sizes = [DIMENSIONS[dimension][0] << k for k in (0, DOUBLINGS)]
            small, large = (data(dimension, size, name) for size, name in zip(sizes, ("s", "x")))
            for command in COMMANDS:
                what = "%s %d: %s" % (dimension, sizes[1], command)
                for _ in range(TRIES):
                    line = judge(what, run(llac, command, small), run(llac, command, large), floors[command],
                                 (LEAST_SECONDS, LEAST_KB))
                    if not line:
                        break
                if line:
                    found.append(line)
                    print(line, flush=True)
            print("%s: %d and %d" % (dimension, *sizes), flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
