#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pages.py [--update] [--with DATA] LLAC PAGE...: runs the examples of pages of the documentation.

A block ```text NAME is a file of that name, a block ```sh is a script, and a block ```llac has commands of llac (lines
that begin with `llac> `) and what they print. All blocks of a page run in one folder, in their order. Numbers may differ
by two percent, because the last digit depends on the machine. --update writes what llac prints into the page. With --with,
llac runs in the current folder, and has loaded DATA.
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w*) ?(\S*)$")
NUMBER = re.compile(r"^[-+]?[0-9.]+(e[-+]?[0-9]+)?$")


def blocks(lines):
    """Yields (kind, name, first line, line after the last) of each fenced block."""
    start = None
    for i, line in enumerate(lines):
        match = FENCE.match(line)
        if not match:
            continue
        if start is None:
            start = (match.group(1), match.group(2), i + 1)
        else:
            yield (*start, i)
            start = None
    if start:
        sys.exit(f"the block of line {start[2]} is not closed")


def same(got, want):
    a, b = re.split(r"[][, ()]+", got), re.split(r"[][, ()]+", want)
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x == y:
            continue
        if not NUMBER.match(x) or not NUMBER.match(y):
            return False
        if abs(float(x) - float(y)) > 0.02 * abs(float(y)) and abs(float(y)) >= 1e-10:
            return False
    return True


data = []


def run_llac(llac, commands, folder):
    script = os.path.join(folder, "commands.llac")
    with open(script, "w") as f:
        f.write("\n".join(commands) + "\n")
    done = subprocess.run([llac, script, *data], cwd=None if data else folder, capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def check(page, at, got, want):
    for i, (x, y) in enumerate(zip(got, want)):
        if not same(x, y):
            return f"{page}:{at + i + 1}: llac prints\n  {x}\nbut the page shows\n  {y}"
    if len(got) != len(want):
        return f"{page}:{at}: llac prints {len(got)} lines, but the page shows {len(want)}: {got[len(want):]}{want[len(got):]}"
    return None


def interleave(llac, commands, folder):
    """Each command with what it prints after it."""
    body, shown = [], 0
    for n, command in enumerate(commands, 1):
        _, got, _ = run_llac(llac, commands[:n], folder)
        body += ["llac> " + command] + got[shown:]
        shown = len(got)
    return body


def run_page(llac, page, update):
    with tempfile.TemporaryDirectory() as folder:
        return run_blocks(llac, page, update, folder)


def run_blocks(llac, page, update, folder):
    lines = open(page).read().split("\n")
    out, done, count, failures = [], 0, 0, []
    for kind, name, begin, end in blocks(lines):
        body = lines[begin:end]
        out += lines[done:begin]
        done = end
        if kind == "text" and name:
            with open(os.path.join(folder, name), "w") as f:
                f.write("\n".join(body) + "\n")
        elif kind == "sh":
            ran = subprocess.run(["bash", "-e", "-c", "\n".join(body)], cwd=folder, capture_output=True, text=True)
            count += 1
            if ran.returncode:
                failures.append(f"{page}:{begin}: the script fails: {ran.stdout}{ran.stderr}")
        elif kind == "llac":
            commands = [line[6:] for line in body if line.startswith("llac> ")]
            want = [line for line in body if not line.startswith("llac> ")]
            status, got, err = run_llac(llac, commands, folder)
            count += 1
            wrong = check(page, begin, got, want)
            if status or err:
                failures.append(f"{page}:{begin}: status {status}: {err}")
            elif wrong and not update:
                failures.append(wrong)
            if update and not status:
                body = interleave(llac, commands, folder)
        out += body
    out += lines[done:]
    if update and out != lines:
        with open(page, "w") as f:
            f.write("\n".join(out))
    return count, failures


def main():
    args = sys.argv[1:]
    update = args[0] == "--update"
    args = args[update:]
    if args[0] == "--with":
        data.append(args[1])
        args = args[2:]
    llac, *pages = args
    failed = 0
    for page in pages:
        count, failures = run_page(os.path.abspath(llac), os.path.abspath(page), update)
        failed += len(failures)
        print("\n".join(failures))
        print(f"{os.path.basename(page)}: {count} blocks")
        if count == 0:
            failed += 1
            print(f"{page}: no block was found")
    sys.exit(failed > 0)


main()
