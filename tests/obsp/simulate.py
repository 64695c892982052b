#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""simulate.py LLAC FIRST LAST: random programs, one for each seed, against `llac obsp`.

A program is a tree of supersteps with groups and copies. Its trace is written to a file. What it takes is found without
the equations of the model, by simulating events: processes run side by side in the order of time, post that they have
computed, and go on when all posts that they expect have come. Plain BSP is computed from the tree. `llac` must give the
same times, and a critical path without gaps that ends at the OBSP* time.
"""
import heapq
import json
import random
import subprocess
import sys


class Program:
    """Lines of each process: (object, pid, nprocs, step, kind, work, out, in, partners), and the supersteps of plain BSP."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.processes = self.random.choice([1, 2, 3, 4, 5, 8, 13])
        self.lines = [[] for _ in range(self.processes)]
        self.carry = [0] * self.processes  # W since the last synchronisation, for plain BSP
        self.mixed = False  # copies in different orders: plain BSP is not compared
        self.bsp = self.object("m", list(range(self.processes)), 0)
        last = [self.carry[p] for p in range(self.processes)]
        self.tail = max(last)

    def work(self):
        return self.random.choice([0, self.random.randrange(1, 1000), self.random.randrange(1, 100000)])

    def line(self, process, name, members, step, kind, work, out=0, into=0, partners=()):
        self.lines[process].append((name, process - members[0], len(members), step, kind, work, out, into, sorted(partners)))
        self.carry[process] += work

    def object(self, name, members, depth):
        """Runs the supersteps of an object. Returns those of plain BSP: lists of (process, W, in, out)."""
        supersteps, children = [], 0
        count = self.random.randrange(1 if depth == 0 else 0, 5 if depth < 2 else 3)
        for step in range(1, count + 1):
            if depth < 3 and self.random.random() < 0.3:
                children += 1
                supersteps += self.groups(f"{name}.{children}", name, members, step, depth)
            if depth < 2 and self.random.random() < 0.1:
                children += 2
                self.two_copies(name, members, step, children)
            supersteps.append(self.superstep(name, members, step))
        if depth:
            for p in members:
                self.line(p, name, members, count + 1, "done", self.work())
        return supersteps

    def groups(self, stem, parent, members, step, depth):
        """A partition, or a copy. The groups make their supersteps side by side."""
        if self.random.random() < 0.2:
            parts, names, kind = [members], [stem + "c"], "dup"
        else:
            cuts = sorted(self.random.sample(range(1, len(members)), self.random.randrange(0, min(3, len(members)))))
            parts = [members[a:b] for a, b in zip([0] + cuts, cuts + [len(members)])]
            names, kind = [f"{stem}:{i}" for i in range(len(parts))], "partition"
        together = []
        for part, name in zip(parts, names):
            for p in part:
                self.line(p, name, part, step, kind, self.work())
            for i, superstep in enumerate(self.object(name, part, depth + 1)):
                if i == len(together):
                    together.append([])
                together[i] += superstep
        return together

    def two_copies(self, name, members, step, children):
        """Half of the processors synchronise one copy first, the others the other one. Messages stay within a half."""
        names = [f"{name}.{children - 1}c", f"{name}.{children}c"]
        self.mixed = True
        for p in members:
            for copy in names:
                self.line(p, copy, members, step, "dup", self.work())
        half = len(members) // 2
        for number, part in enumerate((members[:half], members[half:])):
            for copy in names if number == 0 else names[::-1]:
                sent = self.messages(part)
                for p in part:
                    self.line(p, copy, members, 1, "oblsync", self.work(), *self.bytes(p, sent, members))
        for p in members:
            for copy in names[::-1]:
                self.line(p, copy, members, 2, "done", self.work())

    def messages(self, members):
        return {(a, b): self.random.randrange(1, 5000) for a in members for b in members if self.random.random() < 0.3}

    @staticmethod
    def bytes(process, sent, members):
        """out, in, partners"""
        out = sum(n for (a, _), n in sent.items() if a == process)
        into = sum(n for (_, b), n in sent.items() if b == process)
        return out, into, [a - members[0] for a, b in sent if b == process]

    def superstep(self, name, members, step):
        kind = self.random.choice(["sync", "oblsync"])
        sent = self.messages(members)
        took_part = []
        for p in members:
            out, into, partners = self.bytes(p, sent, members)
            self.line(p, name, members, step, kind, self.work(), out, into, partners)
            took_part.append((p, self.carry[p], into, out))
            self.carry[p] = 0
        return took_part

    def write(self, path):
        with open(path, "w") as f:
            f.write(f"# pub trace 1\n# processes: {self.processes}\nprocess object pid nprocs step kind work calls wait transfer out in sent received partners end\n")
            for process, lines in enumerate(self.lines):
                end = 0
                for name, pid, nprocs, step, kind, work, out, into, partners in lines:
                    calls = work // 3  # W is work and calls together
                    end += work
                    f.write(f"{process} {name} {pid} {nprocs} {step} {kind} {work - calls} {calls} 0 0 {out} {into} 0 0 {ranges(partners)} {end}\n")


def ranges(partners):
    text = []
    for p in partners:
        if text and text[-1][1] == p - 1:
            text[-1][1] = p
        else:
            text.append([p, p])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in text) or "-"


class Simulation:
    """Events in the order of time. A process that has computed posts this to all that expect it."""

    def __init__(self, program, g, L, h, slower):
        self.g, self.L, self.h, self.slower = g, L, h, slower
        self.lines = program.lines
        self.at = [0] * program.processes
        self.queue, self.number = [], 0
        self.posted = {}  # (object, step) -> {pid: in @ out}
        self.waiting = {}  # (object, step) -> processes
        self.time = 0.0
        for p in range(program.processes):
            self.go_on(0.0, p)
        while self.queue:
            now, _, process = heapq.heappop(self.queue)
            self.post(now, process)
        assert not any(self.waiting.values()), "the program of the test hangs"

    def go_on(self, now, process):
        """Starts the next line of a process: it computes."""
        self.time = max(self.time, now)
        if self.at[process] < len(self.lines[process]):
            work = self.lines[process][self.at[process]][5] * 1e-9 * self.slower.get(process, 1)
            self.number += 1
            heapq.heappush(self.queue, (now + work, self.number, process))

    def post(self, now, process):
        name, pid, nprocs, step, kind, _, out, into, partners = self.lines[process][self.at[process]]
        self.time = max(self.time, now)
        if kind not in ("sync", "oblsync"):
            self.at[process] += 1
            self.go_on(now, process)
            return
        posted = self.posted.setdefault((name, step), {})
        posted[pid] = out + into if self.h == "sum" else max(out, into)
        waiting = self.waiting.setdefault((name, step), [])
        waiting.append(process)
        for other in list(waiting):
            _, own, n, _, how, _, _, _, expected = self.lines[other][self.at[other]]
            needed = range(n) if how == "sync" else set(expected) | {own}
            if all(q in posted for q in needed):
                waiting.remove(other)
                self.at[other] += 1
                self.go_on(now + self.g * max(posted[q] for q in needed) + self.L, other)


def plain(program, g, L, h):
    total = program.tail * 1e-9
    for superstep in program.bsp:
        size = max(into + out if h == "sum" else max(into, out) for _, _, into, out in superstep)
        total += max(W for _, W, _, _ in superstep) * 1e-9 + g * size + L
    return total


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-9)


def check(llac, seed):
    program = Program(seed)
    path = f"program-{seed}.trace"
    program.write(path)
    r = random.Random(-seed - 1)
    g, L, h = r.choice([0, 1e-9, 3e-8]), r.choice([0, 1e-6, 2e-5]), r.choice(["max", "sum"])
    slower = {r.randrange(program.processes): r.choice([0.5, 3])} if r.random() < 0.3 else {}
    command = f"obsp {path} g={g} L={L} h {h}" + "".join(f" slower {p} by {f}" for p, f in slower.items())
    done = subprocess.run([llac, "--json", "-e", command], capture_output=True, text=True)
    if done.returncode:
        return f"{command}\n{done.stderr}"
    got = json.loads(done.stdout)
    want = Simulation(program, g, L, h, slower).time
    if not near(got["obsp"], want):
        return f"{command}: obsp {got['obsp']}, simulated {want}"
    if not slower and not program.mixed and not near(got["bsp"], plain(program, g, L, h)):
        return f"{command}: bsp {got['bsp']}, from the tree {plain(program, g, L, h)}"
    at = 0
    for leg in got["critical"]["path"]:
        if leg["begin"] != at:
            return f"{command}: the critical path has a gap at {at}"
        at = leg["end"]
    if at != got["obsp"] or not near(sum(got["critical"]["seconds"].values()), got["obsp"]):
        return f"{command}: the critical path does not add up to {got['obsp']}"
    return None


def main():
    llac, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, last + 1):
        wrong = check(llac, seed)
        if wrong:
            sys.exit(f"seed {seed}: {wrong}")
    print(f"{last - first + 1} programs agree")


main()
