# SPDX-License-Identifier: GPL-3.0-or-later
"""cllprobe, during which faults are tried. Its figures differ from run to run: of a file only counts whether it is a
complete machine file."""
import json
import os

from sweep import Case

PROBE = os.path.join(os.environ["CLL_BIN"], "cllprobe")
OLD = b"what was there before\n"
# no allocations: hwloc does not survive one that fails
FILES = ["write", "read", "openread", "open", "rename", "sync", "close"]


def cleans(name, content):
    if name == "stdout":
        return b"table\n" if b"written to" in content else content
    try:
        return b"complete\n" if json.loads(content)["figures"] else content
    except (ValueError, KeyError):
        return content


def cases(scratch):
    del scratch
    yield Case("clock", [PROBE, "--only", "clock", "--seconds", "0.01", "-o", "x.json"], {"x.json": OLD}, classes=FILES,
               cleans=cleans, sample=2)
    yield Case("memory", [PROBE, "--only", "memory", "--largest", "16K", "--seconds", "0.01", "-o", "x.json"], {"x.json": OLD},
               classes=["mmap"], cleans=cleans)
