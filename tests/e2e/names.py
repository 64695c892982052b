#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""names.py PAGE SOURCE LIBDIR: where to look for an exported function is told by its name.

Its name begins with the name of the library (libcll, its drivers and the spool: cll), of a file or folder of the library,
or with a family that PAGE lists in lines "    LIBRARY: PREFIX (FILE), ...". Every family of the page must be used.
"""
import glob
import os
import re
import sys

from symbols import symbols

page, source, folder = sys.argv[1:4]
listed = {}
for library, families in re.findall(r"^    ([a-z_]+): ((?:[a-z0-9_]+ \([^)]*\)(?:, )?)+)$", open(page).read(), re.M):
    listed[library] = set(re.findall(r"([a-z0-9_]+) \(", families))
folders = {"bsp": "bsplib"}  # libraries that are not called as their folders are
unused = {(library, prefix) for library, prefixes in listed.items() for prefix in prefixes}
checked, bad = 0, []


def stems(library):
    """Names of the files and folders of a library."""
    root = f"{source}/src/{folders.get(library, library)}"
    found = {library}
    for path, names, files in os.walk(root):
        found |= set(names) | {os.path.splitext(f)[0] for f in files if f.endswith((".c", ".h"))}
    return found


for path in sorted(glob.glob(f"{folder}/lib*.a")):
    name = re.sub(r"_(core|static|openmpi|mpich|smpi)$", "", os.path.basename(path)[3:-2])
    library = "cll" if name.startswith("cll") or name == "spool" else re.sub(r"^probe_(mpi|gpu)$", "probe", name)
    if not os.path.isdir(f"{source}/src/{folders.get(library, library)}"):
        continue
    allowed = {"cll"} if library == "cll" else stems(library) | listed.get(library, set())
    for symbol in (name for _, kind, name in symbols(path) if kind == "T" and re.match(r"[a-z]\w*$", name)):
        if name == "cll_opencl" and re.match("cl[A-Z]", symbol):
            continue  # takes the place of the function of OpenCL
        if name == "cll_threads" and re.match("(pthread|thrd)_create$|_[eE]xit$", symbol):
            continue  # of libc
        checked += 1
        words = symbol.split("_")
        prefixes = {"_".join(words[: i + 1]) for i in range(len(words))}
        unused -= {(library, p) for p in prefixes}
        if not prefixes & allowed:
            bad.append(f"lib{name}: {symbol} begins neither with the library, nor with a file, nor with a family of {page}")
for line in sorted(set(bad)):
    print(line)
for library, prefix in sorted(unused):
    print(f"{page} lists the family {prefix} of {library}, which no function has")
print(f"{checked} functions")
sys.exit(bool(bad or unused or checked < 1000))
