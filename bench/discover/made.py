# SPDX-License-Identifier: GPL-3.0-or-later
"""made.py CALL FOLDER [NAME...]: how good are the run times that `call discover` predicts for programs whose behaviour is known (bench/discover/made)?
Each is predicted at 4 and at 16 times the largest size, and measured there by CPU time, the best of three runs, at 16 times one."""
import json
import os
import statistics
import subprocess
import sys

# The sizes; the last number says whether 16 times the largest is run.
PROGRAMS = {
    "merge": ("40000,80001,160000,320003,640000", 1),
    "table": ("50000,100003,200000,400009,800000", 1),
    "collect": ("100000,200003,400000,800009,1600000", 1),
    "late": ("2000,4003,8000,16001,32000,64000", 1),
    "orbits": ("20000,40003,80000,160001,320000", 1),
    "library": ("40000,80001,160000,320003,640000", 1),
    "factor": ("50,101,200,401,700", 0),
    "small": ("2500,5003,10000,20001,40000", 1),
}


def cpu(program, size, times):
    best = None
    for _ in range(times):
        before = os.times()
        subprocess.run([program, str(size)], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        best = seconds if best is None else min(best, seconds)
    return best


def judge(call, folder, name):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "made", name + ".c")
    sizes, far = PROGRAMS[name]
    program = os.path.join(folder, name)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", source, "-o", program], check=True)
    for by in (4, 16)[: 1 + far]:
        place = by * int(sizes.split(",")[-1])
        said = subprocess.run([call, "discover", "-q", "--json", "--vary", "n=" + sizes, "--at", "n=%d" % place, source, "--", "{n}"],
                              stdout=subprocess.PIPE, check=True, cwd=folder).stdout
        with open(os.path.join(folder, "%s.%d.json" % (name, by)), "wb") as f:
            f.write(said)
        total = json.loads(said)["total"]
        measured = cpu(program, place, 3 if by == 4 else 1)
        values = [total[k] if total[k] is not None else float("nan") for k in ("value", "low", "high")]
        other = [(total.get(k) or {}).get("value") or float("nan") for k in ("by_counts", "by_search")]
        error = values[0] / measured - 1
        inside = values[1] <= measured <= values[2]
        print("%-8s %3d  measured %8.3f s  predicted %8.3f s  %+6.1f %%  from %8.3f to %8.3f  %-3s  by counts %+6.1f %%  by search %+6.1f %%" % (
            name, by, measured, values[0], 100 * error, values[1], values[2], "yes" if inside else "no",
            100 * (other[0] / measured - 1), 100 * (other[1] / measured - 1)), flush=True)
        yield by, abs(error), inside


def main():
    call, folder, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:] or list(PROGRAMS)
    os.makedirs(folder, exist_ok=True)
    results = [r for name in names for r in judge(call, folder, name)]
    for by in (4, 16):
        errors = [e for b, e, _ in results if b == by]
        if errors:
            print("at %d times: median error %.1f %%, most %.1f %%" % (by, 100 * statistics.median(errors), 100 * max(errors)))
    print("intervals that contain the measured time: %d of %d" % (sum(i for _, _, i in results), len(results)))


main()
