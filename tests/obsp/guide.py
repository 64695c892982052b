#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""guide.py PAGE LLAC FOLDER [--update]: the outputs in PAGE are what the commands in it print, run in FOLDER.

An indented block that begins with `$ llac -e '...'` has the output of this command; a last line `...` stands for the rest of it.
--update writes what is printed into PAGE, as many lines of it as PAGE had.
"""
import re
import subprocess
import sys

page, llac, folder = sys.argv[1:4]
lines = open(page).read().split("\n")
result, wrong, at = [], 0, 0
while at < len(lines):
    result.append(lines[at])
    command = re.fullmatch(r"    \$ llac -e '(.*)'", lines[at])
    at += 1
    if not command:
        continue
    shown = []
    while at < len(lines) and lines[at].startswith("    "):
        shown.append(lines[at][4:])
        at += 1
    run = subprocess.run([llac, "-e", command[1]], cwd=folder, capture_output=True, text=True)
    printed = [line.rstrip() for line in (run.stdout + run.stderr).rstrip("\n").split("\n")]
    if shown and shown[-1] == "...":
        printed = printed[:len(shown) - 1] + ["..."]
    if printed != shown:
        wrong += 1
        if sys.argv[4:] != ["--update"]:
            print(f"{page}: {command[1]} prints\n" + "\n".join(printed) + "\ninstead of\n" + "\n".join(shown))
    result += ["    " + line if line else "" for line in printed]
if sys.argv[4:] == ["--update"]:
    open(page, "w").write("\n".join(result))
    print(f"{wrong} outputs changed")
    wrong = 0
sys.exit(wrong > 0)
