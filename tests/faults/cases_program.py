# SPDX-License-Identifier: GPL-3.0-or-later
"""An instrumented program during which faults are tried: its output and its exit status never change."""
import os
import shutil
import subprocess

from sweep import Case

CALL = os.path.join(os.environ["CLL_BIN"], "call")
HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 20  # as in program.c
FILES = ["write", "read", "open", "openread", "rename", "sync", "close", "truncate"]


def rows(content):
    lines = [line for line in content.decode(errors="replace").splitlines() if not line.startswith("#")]
    return len(lines) - 1


def judge(case, base, r):
    if (r.code, r.out) != (base.code, base.out):
        return f"exit status {r.code} and output {r.out!r} instead of {base.code} and {base.out!r}"
    for name, content in r.before.items():
        if r.files.get(name) != content:
            return f"{name} was changed"
    data = {n: c for n, c in r.files.items() if n.endswith(".dat") and n not in r.before}
    for name, content in data.items():
        text = content.decode(errors="replace")
        width = [len(line.split()) for line in text.splitlines() if not line.startswith("#")]
        if not text.startswith("# cll-data 1\n") or not text.endswith("\n") or len(set(width)) > 1:
            return f"{name} is not well formed"
    have, want = sum(map(rows, data.values())), base.rows if hasattr(base, "rows") else None
    if r is base:
        base.rows = want = have
        if have != case.rows:
            return f"{have} rows instead of {case.rows}"
    if have > want:
        return f"{have} rows instead of {want}"
    if have < want and b"cll:" not in r.err:
        return f"{have} rows instead of {want} without a message"
    extra = [n for n in r.files if n not in r.before and n not in data]
    unnamed = [n for n in extra if not n.endswith(".spool") or not (n.encode() in r.err or b"in its spool" in r.err)]
    if unnamed or r.left:
        return "left: " + " ".join(unnamed + r.left)
    return None


def build(scratch):
    path = os.path.join(scratch, "program")
    subprocess.run([CALL, "cc", os.environ.get("CC", "cc"), "-O1", "-pthread", "-fopenmp", "-o", path,
                    os.path.join(HERE, "program.c")], check=True)
    return path


def case(path, mode, amount, classes, **more):
    c = Case(mode, ["./program", mode], {"program": path, "program.cll.0.dat": b"old\n"}, judge=judge, status=7,
             classes=classes, limit=30, own_output=True, **more)
    c.rows = amount * ROUNDS
    return c


def mpi_case(scratch):
    """Two processes of MPICH; faults of the data files alone, because the MPI library has files and memory, too."""
    library = os.path.join(os.environ["CLL_BUILD"], "lib", "libcll_mpi_mpich.a")
    if not (os.path.exists(library) and shutil.which("mpicc.mpich") and shutil.which("mpiexec.mpich")):
        return
    path = os.path.join(scratch, "mpi_program")
    subprocess.run([CALL, "cc", "mpicc.mpich", "-O1", "-o", path, os.path.join(HERE, "mpi_program.c")], check=True)
    c = Case("mpi", ["mpiexec.mpich", "-n", "2", "./mpi_program"], {"mpi_program": path, "mpi_program.cll.0.dat": b"old\n"},
             judge=judge, status=0, classes=FILES, limit=60, children=True, path=".cll.", sample=2)
    c.rows = 2 * ROUNDS
    yield c


def cases(scratch):
    path = build(scratch)
    everything = ["alloc", "mmap", "pipe", *FILES]
    yield case(path, "plain", 1, everything, sample=3)
    yield case(path, "reports", 2, everything, sample=3)
    yield case(path, "threads", 3, everything)
    yield case(path, "forks", 2, everything + ["fork"], children=True, sample=3)
    yield case(path, "team", 3, FILES)
    for name, env in (("memory_only", {"CLL_SPOOL": "off"}), ("to_file", {"CLL_OUT": "data.dat"}),
                      ("thinned", {"CLL_MEMORY": "64k"}), ("counters", {"CLL_COUNTERS": "page-faults"})):
        c = case(path, "plain", 1, everything, env=env)
        c.name = name
        yield c
    yield from mpi_case(scratch)
