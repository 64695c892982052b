# SPDX-License-Identifier: GPL-3.0-or-later
"""seconds.py WAITS TIMES COMMAND: runs the command so often, and prints the seconds of each run: CPU time, or with WAITS = 1 the clock."""
import os
import subprocess
import sys
import time

for _ in range(int(sys.argv[2])):
    before, begin = os.times(), time.monotonic()
    with open("seconds.said", "wb") as said:
        status = subprocess.run(["sh", "-c", "exec " + sys.argv[3]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said).returncode
    after, end = os.times(), time.monotonic()
    if status:
        sys.exit("the command failed with exit status %d: %s" % (status, sys.argv[3]))
    clock = end - begin
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print("%.6f" % (clock if sys.argv[1] == "1" else cpu), flush=True)
