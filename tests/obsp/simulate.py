#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""simulate.py LLAC FIRST LAST: random programs, one for each seed, against `llac obsp`.

A program is a tree of supersteps with groups and copies. Its trace is written to a file. What it takes is found without
the equations of the model, by simulating events: processes run side by side in the order of time, post that they have
computed, and go on when all posts that they expect have come. Plain BSP is computed from the tree. `llac` must give the
same times, and a critical path without gaps that ends at the OBSP* time.

The same with `skip`, for every number of supersteps: then each process begins after its last synchronisation among these
supersteps of the tree, at the time that the trace has there. The measured times of synchronisations are random.

A trace with the times of the simulation has no start-up: `llac` must not find one, also if g and L are wrong.
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

    def write(self, path, measured):
        """`measured` gives the time of a synchronisation, of a process and its line. Keeps when each line ends, in nanoseconds."""
        self.ends = [[] for _ in self.lines]
        with open(path, "w") as f:
            f.write(f"# pub trace 1\n# processes: {self.processes}\nprocess object pid nprocs step kind work calls wait transfer out in sent received partners end\n")
            for process, lines in enumerate(self.lines):
                end = 0
                for name, pid, nprocs, step, kind, work, out, into, partners in lines:
                    calls = work // 3  # W is work and calls together
                    wait, transfer = measured(process, len(self.ends[process])) if kind in ("sync", "oblsync") else (0, 0)
                    end += work + wait + transfer
                    self.ends[process].append(end)
                    f.write(f"{process} {name} {pid} {nprocs} {step} {kind} {work - calls} {calls} {wait} {transfer} {out} {into} 0 0 {ranges(partners)} {end}\n")


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

    def __init__(self, program, g, L, h, slower, begin=None):
        """`begin`: the line and the time at which each process begins."""
        self.g, self.L, self.h, self.slower = g, L, h, slower
        self.lines = program.lines
        begin = begin or [(0, 0.0)] * program.processes
        self.at = [line for line, _ in begin]
        self.queue, self.number = [], 0
        self.posted = {}  # (object, step) -> {pid: in @ out}
        self.waiting = {}  # (object, step) -> processes
        self.time = 0.0
        self.synchronising = {}  # (process, line) -> seconds
        self.arrived = [0.0] * program.processes
        for p in range(program.processes):
            self.go_on(begin[p][1], p)
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
        self.arrived[process] = now
        posted[pid] = out + into if self.h == "sum" else max(out, into)
        waiting = self.waiting.setdefault((name, step), [])
        waiting.append(process)
        for other in list(waiting):
            _, own, n, _, how, _, _, _, expected = self.lines[other][self.at[other]]
            needed = range(n) if how == "sync" else set(expected) | {own}
            if all(q in posted for q in needed):
                waiting.remove(other)
                end = now + self.g * max(posted[q] for q in needed) + self.L
                self.synchronising[other, self.at[other]] = end - self.arrived[other]
                self.at[other] += 1
                self.go_on(end, other)


def plain(program, g, L, h):
    total = program.tail * 1e-9
    for superstep in program.bsp:
        size = max(into + out if h == "sum" else max(into, out) for _, _, into, out in superstep)
        total += max(W for _, W, _, _ in superstep) * 1e-9 + g * size + L
    return total


def after(program, skip):
    """Where each process goes on after the first supersteps: its line, and the measured time."""
    begin = []
    for p, lines in enumerate(program.lines):
        made = sum(q == p for superstep in program.bsp[:skip] for q, _, _, _ in superstep)
        syncs = [i for i, line in enumerate(lines) if line[4] in ("sync", "oblsync")]
        begin.append((syncs[made - 1] + 1, program.ends[p][syncs[made - 1]] * 1e-9) if made else (0, 0.0))
    return begin


def plain_after(program, g, L, h, skip, begin):
    """Plain BSP begins when the last process does; what others have computed until then is done."""
    total = latest = max(time for _, time in begin)
    done = [latest - time for _, time in begin]
    for superstep in program.bsp[skip:]:
        size = max(into + out if h == "sum" else max(into, out) for _, _, into, out in superstep)
        total += max(0, max(W * 1e-9 - done[p] for p, W, _, _ in superstep)) + g * size + L
        for p, _, _, _ in superstep:
            done[p] = 0
    return total + max(0, max(W * 1e-9 - done[p] for p, W in enumerate(program.carry)))


def check_skip(llac, program, command, g, L, h, slower):
    numbers = range(1, len(program.bsp))
    if program.mixed or not numbers:
        return None
    done = subprocess.run([llac, "--json", "-e", "; ".join(f"{command} skip {n}" for n in numbers)], capture_output=True, text=True)
    if done.returncode:
        return f"{command}\n{done.stderr}"
    for n, line in zip(numbers, done.stdout.splitlines()):
        got, begin = json.loads(line), after(program, n)
        want = Simulation(program, g, L, h, slower, begin).time
        if not near(got["obsp"], want):
            return f"{command} skip {n}: obsp {got['obsp']}, simulated {want}"
        if got["skipped"]["supersteps"] != n or not near(got["skipped"]["seconds"], max(time for _, time in begin)):
            return f"{command} skip {n}: skipped {got['skipped']}, the program has {begin}"
        if not slower and not near(got["bsp"], plain_after(program, g, L, h, n, begin)):
            return f"{command} skip {n}: bsp {got['bsp']}, from the tree {plain_after(program, g, L, h, n, begin)}"
        path = got["critical"]["path"]
        if not near(path[0]["begin"], begin[path[0]["process"]][1]) or path[-1]["end"] != got["obsp"]:
            return f"{command} skip {n}: the critical path is from {path[0]['begin']} to {path[-1]['end']}"
    return None


def check_startup(llac, program, path, h):
    times = Simulation(program, 1e-9, 1e-5, h, {}).synchronising
    program.write(path, lambda process, line: (round(times[process, line] * 1e9), 0))
    commands = [f"obsp {path} g=1e-9 L=1e-5 h {h}", f"obsp {path} h {h}", f"obsp {path} g=2e-10 L=1e-6 h {h}"]
    done = subprocess.run([llac, "--json", "-e", "; ".join(commands)], capture_output=True, text=True)
    if done.returncode:
        return f"{commands}\n{done.stderr}"
    got = [json.loads(line) for line in done.stdout.splitlines()]
    if abs(got[0]["error_pct"] or 0) > 0.01:
        return f"{commands[0]}: the error is {got[0]['error_pct']} %"
    found = [c for c, j in zip(commands, got) if j["startup"]]
    return f"{found[0]}: finds a start-up" if found else None


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-9)


def check(llac, seed):
    program = Program(seed)
    path = f"program-{seed}.trace"
    times = random.Random(f"measured {seed}")
    program.write(path, lambda *_: (times.randrange(0, 5000), times.randrange(0, 20000)))
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
    return check_skip(llac, program, command, g, L, h, slower) or check_startup(llac, program, path, h)


def main():
    llac, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, last + 1):
        wrong = check(llac, seed)
        if wrong:
            sys.exit(f"seed {seed}: {wrong}")
    print(f"{last - first + 1} programs agree")


main()
