# SPDX-License-Identifier: GPL-3.0-or-later
# judge.py LLAC FOLDER: the errors of the OBSP* time for FOLDER/NAME.pP.rROUND.trace, in percent, with some kinds of costs from
# the trace, and with start-up as measured: for each program and P the largest of the absolute errors of its runs, and for each P
# their mean, their largest one and how many of them are above 5 %.
import collections
import glob
import json
import os
import re
import subprocess
import sys

llac, folder = sys.argv[1:]
KINDS = {
    "mean": "",
    "median": "costs median",
    "by process": "costs by process",
    "skip startup": "skip startup",
    "startup, by process": "skip startup costs by process",
}


def error(trace, words):
    answer = subprocess.run([llac, "--json", "-e", f'obsp "{trace}" {words}'], capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(answer.stderr)
    return json.loads(answer.stdout)["error_pct"]


errors = collections.defaultdict(lambda: [[] for _ in KINDS])
for trace in sorted(glob.glob(os.path.join(folder, "*.trace"))):
    name, p = re.fullmatch(r"(.*)\.p(\d+)\.r\d+\.trace", os.path.basename(trace)).groups()
    for of_kind, kind in zip(errors[int(p), name], KINDS.values()):
        of_kind.append(abs(error(trace, kind)))
print(f"{'P':>2}  {'program':18}" + "".join(f"{kind:>20}" for kind in KINDS))
for (p, name), rows in sorted(errors.items()):
    print(f"{p:2}  {name:18}" + "".join(f"{max(row):18.2f} %" for row in rows))
for p in sorted({p for p, _ in errors}):
    of_p = [[e for (q, _), rows in errors.items() if q == p for e in rows[k]] for k in range(len(KINDS))]
    cells = [f"{sum(e) / len(e):.2f}, {max(e):.1f} %, {sum(x > 5 for x in e)}" for e in of_p]
    print(f"{p:2}  {'mean, max, > 5 %':18}" + "".join(f"{cell:>20}" for cell in cells) + f"  of {len(of_p[0])} runs")
