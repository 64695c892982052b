# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that are killed in place of each call that changes a file. What was there stays or is new as a whole, the
command works when it is run again and leaves nothing else then, and llac reads what a killed program left: each sample once."""
import os
import re
import subprocess

import cases_call
import cases_llac
import cases_program
from sweep import Case, read_files

ROUNDS = cases_program.ROUNDS


def judge_tool(case, base, r):
    for name, content in r.files.items():
        known = name in r.before or name in base.files
        if known and content != r.before.get(name) and content != base.files.get(name):
            return f"{name} is neither as before nor as without the fault ({len(content)} bytes)"
    for name in r.before:
        if name not in r.files:
            return f"{name} is gone"
    if r is base:
        return None
    again = subprocess.run(case.argv, cwd=r.folder, env=dict(os.environ, **case.env), input=case.stdin, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if again.returncode != case.status:
        return f"run again, it ends with {again.returncode}: {again.stderr.decode()}"
    files = {name: case.cleans(name, c) for name, c in read_files(r.folder).items()}
    different = [name for name in base.files if files.get(name) != base.files[name]]
    if different:
        return "run again, it wrote other files: " + " ".join(different)
    left = [name for name in files if name not in base.files]
    return "run again, there is still: " + " ".join(left) if left else None


def judge_program(case, base, r):
    for name, content in r.before.items():
        if r.files.get(name) != content:
            return f"{name} was changed"
    left = sorted(name for name in r.files if name not in r.before)
    if not left:
        return "nothing is left of the samples" if b"done" in r.out else None
    read = subprocess.run([cases_llac.LLAC, "-e", "list", *left], cwd=r.folder, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    said = read.stdout.decode() + read.stderr.decode()
    samples = sum(map(int, re.findall(r"(\d+) samples?", read.stdout.decode())))
    done = b"done" in r.out
    if read.returncode not in (0, 1) or (done and read.returncode):
        return f"llac ends with {read.returncode}: {said}"
    if samples > case.rows or (done and samples != case.rows):
        return f"llac reads {samples} samples of {case.rows} from {' '.join(left)}: {said}"
    return None


def judge_run(case, base, r):
    """What rounds measured is there as a whole, under names that were free; a name that was taken may be empty."""
    for name, content in r.before.items():
        if r.files.get(name) != content:
            return f"{name} was changed"
    for name, content in r.files.items():
        if name.endswith(".dat") and name not in r.before and content and content not in base.files.values():
            return f"{name} is not whole"
    return None


def killed(case, judge=judge_tool):
    case.classes, case.judge, case.sample = ["files"], judge, max(case.sample, 6)
    return case


def cases(scratch):
    for case in cases_llac.cases(scratch):
        if case.name in ("save", "plot", "export_h", "export_json"):
            yield killed(case)
    for case in cases_call.cases(scratch):
        if case.name in ("translate_raw", "translate"):
            yield killed(case)
        elif case.name == "run":
            yield killed(case, judge_run)
    for case in cases_program.cases(scratch):
        if case.name not in ("memory_only",):
            case.sample = 10
            yield killed(case, judge_program)
