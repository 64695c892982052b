#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py GROUP [--all] [--part K/N] [--case NAME] [--class NAME]: makes call number 1, 2, 3, ... of each class
(allocations, writes, renames, ...) fail during real commands, alone and together with all later ones,
and checks after each:
  - the command did not crash or hang;
  - it exited with 0 and everything is as without the fault, or it exited with another status and a
    message, and each file is as before or as without the fault;
  - nothing is left behind, in the folder and in TMPDIR.
An instrumented program must print and return what it does without a fault (cases_program.py).
Without --all a sample is taken: every second case, numbers at equal distances. --part 2/6 takes every sixth number, from
the second on. The last line says how many faults were injected. A failure names the command that shows it again."""

import argparse
import os
import shutil
import subprocess
import sys

# class: errors in turn. "short" writes half; the second half then succeeds or fails as the caller sees fit.
CLASSES = {
    "alloc": [12], "write": [28, "short"], "read": [5], "open": [24], "openread": [24], "rename": [5],
    "sync": [5], "close": [5], "truncate": [28], "mmap": [12], "fork": [11], "exec": [12], "pipe": [24],
    "files": ["kill"],  # all that changes a file
}
NEVER = 1000000000
MOST = 1000  # calls of one class in a case that --all tries one by one; beyond, as many again at equal distances


class Case:
    """files: what the folder holds before. children: faults reach child processes. cleans: text -> text
    takes out what differs from run to run. own_output: its own writing to stdout does not fail.
    path: only calls on files with this in their names fail. judge: None or a function of (case, base, result) -> complaint."""

    def __init__(self, name, argv, files=None, env=None, classes=(), children=False, cleans=None, judge=None,
                 limit=20, stdin=None, sample=1, status=0, own_output=False,
                 path=None):
        self.name, self.argv, self.files, self.env = name, argv, files or {}, env or {}
        self.status, self.own_output, self.path = status, own_output, path
        self.classes, self.children, self.limit, self.stdin = classes, children, limit, stdin
        self.cleans, self.judge, self.sample = cleans or (lambda name, content: content), judge or judge_tool, sample


class Result:
    pass


def write_files(folder, files):
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(content, str):  # a path: to be copied with its rights
            shutil.copy(content, path)
        else:
            with open(path, "wb") as f:
                f.write(content)


def read_files(folder):
    found = {}
    for top, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(top, name)
            if os.path.isdir(path):
                content = b"" if not os.listdir(path) else None
            else:
                with open(path, "rb") as f:
                    content = f.read()
            if content is not None:
                found[os.path.relpath(path, folder)] = content
    return found


class Sweep:
    def __init__(self, scratch, inject):
        self.scratch, self.inject = scratch, inject
        self.folder, self.tmp = os.path.join(scratch, "folder"), os.path.join(scratch, "tmp")
        self.faults, self.runs, self.failures = 0, 0, 0
        self.part = [1, 1]

    def command(self, case, klass, number, action):
        return [self.inject] + (["-c"] if case.children else []) + (["-o"] if case.own_output else []) + \
            (["-p", case.path] if case.path else []) + \
            ["-t", str(case.limit), os.path.join(self.scratch, "report"), klass, str(number), str(action)] + case.argv

    def run(self, case, klass, number, action):
        for folder in (self.folder, self.tmp):
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
        write_files(self.folder, case.files)
        r = Result()
        r.klass, r.folder = klass, self.folder
        r.before = {name: case.cleans(name, c) for name, c in read_files(self.folder).items()}
        env = dict(os.environ, TMPDIR=self.tmp, HOME=self.scratch, LC_ALL="C", **case.env)
        paths = [os.path.join(self.scratch, name) for name in ("out", "err")]
        with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
            status = subprocess.run(self.command(case, klass, number, action), cwd=self.folder, env=env, stdout=out,
                                    stderr=err, input=case.stdin, check=False).returncode
        if status == 77:
            print("processes cannot be traced here", file=sys.stderr)
            sys.exit(77)
        r.out, r.err = (open(p, "rb").read() for p in paths)
        r.out = case.cleans("stdout", r.out)
        with open(os.path.join(self.scratch, "report"), encoding="utf-8") as f:
            fields = f.read().split(" ", 4)
        r.hits, r.calls, r.kind, r.code, r.what = int(fields[0]), int(fields[1]), fields[2], int(fields[3]), fields[4]
        r.files = {name: case.cleans(name, c) for name, c in read_files(self.folder).items()}
        r.left = sorted(os.listdir(self.tmp))
        self.runs += 1
        return r

    def complain(self, case, klass, number, action, result, why):
        self.failures += 1
        if self.failures > 40:
            return
        print(f"FAILED: {case.name}: {klass} {number} {action}: {why}\n    at {result.what.strip()}")
        print("    " + " ".join(a if a.isalnum() else repr(a) for a in self.command(case, klass, number, action)))
        for line in result.err.decode(errors="replace").splitlines()[:4]:
            print("    | " + line)

    def one(self, case, klass, base, number, action):
        r = self.run(case, klass, number, action)
        if r.hits == 0:
            return False
        self.faults += 1
        if r.kind == "signal" and action != "kill":
            why = f"ended by signal {r.code}"
        elif r.kind == "timeout":
            why = "did not end"
        else:
            why = case.judge(case, base, r)
        if why:
            self.complain(case, klass, number, action, r, why)
        return True

    def without_fault(self, case):
        """How the command ends without a fault; calls[CLASS] says how many calls it makes. None: not as it should."""
        base = self.run(case, "count", NEVER, 1)
        why = f"{base.kind} {base.code}" if (base.kind, base.code) != ("exit", case.status) else case.judge(case, base, base)
        if why:
            self.complain(case, "count", NEVER, 1, base, "without a fault: " + why)
            return None
        base.calls = {name: int(number) for name, number in (word.split("=") for word in base.what.split())}
        return base

    def sweep(self, case, klass, base, everything):
        calls = base.calls[klass]
        numbers = range(1, calls + 1, max(1, -(-calls // case.sample)))
        kinds = [("", a) for a in CLASSES[klass]] + [("+", a) for a in CLASSES[klass] if isinstance(a, int)]
        if everything:
            numbers = list(range(1, min(calls, MOST) + 1))
            numbers += range(MOST + 1, calls + 1, max(1, -(-(calls - MOST) // MOST)))
            for number in numbers[self.part[0] - 1::self.part[1]]:
                for suffix, action in kinds:
                    self.one(case, klass, base, f"{number}{suffix}", action)
        else:
            for k, number in enumerate(numbers):
                suffix, action = kinds[k % len(kinds)]
                self.one(case, klass, base, f"{number}{suffix}", action)


def judge_tool(case, base, r):
    """What holds for call and llac."""
    if r.code == base.code:
        if r.out != base.out:
            return "exit status as without the fault, but another output"
        if r.files != base.files:
            names = [n for n in sorted(set(r.files) | set(base.files)) if r.files.get(n) != base.files.get(n)]
            return "exit status as without the fault, but other files: " + " ".join(names)
    else:
        if r.code == 0:
            return "exit status 0"
        if not r.err.strip():
            return f"exit status {r.code} without a message"
        for name, content in r.files.items():
            if content != r.before.get(name) and content != base.files.get(name):
                return f"{name} is neither as before nor as without the fault ({len(content)} bytes)"
        for name in r.before:
            if name not in r.files:
                return f"{name} is gone"
    if r.left and r.klass != "openread":  # what cannot be opened cannot be emptied
        return "left in TMPDIR: " + " ".join(r.left)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("group")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--case")
    parser.add_argument("--class", dest="klass")
    args = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    cases = __import__("cases_" + args.group).cases
    sweep = Sweep(os.getcwd(), os.environ["CLL_FAULTS_INJECT"])
    sweep.part = [int(number) for number in args.part.split("/")]
    for index, case in enumerate(cases(os.getcwd())):
        if args.case and args.case != case.name or not (args.all or args.case or index % 2 == 0):
            continue
        before = sweep.faults
        base = sweep.without_fault(case)
        for klass in case.classes if base else ():
            if not args.klass or args.klass == klass:
                sweep.sweep(case, klass, base, args.all)
        print(f"{case.name}: {sweep.faults - before} faults", flush=True)
    print(f"{sweep.faults} faults injected, {sweep.failures} failures")
    sys.exit(1 if sweep.failures or not sweep.faults else 0)


if __name__ == "__main__":
    main()
