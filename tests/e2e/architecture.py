#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""architecture.py PAGE LIBDIR: holds the archives in LIBDIR against the list of arrows in PAGE.

An archive uses another one when it refers to a symbol that it does not define and the other one does. Every such use
must be an arrow of the page, and every arrow of the page must be used. libcll contains the objects of spool: these are
taken for spool's. The files of the libraries that the page lists after "No circles between files:" must not use each
other in a circle; those that it lists after "Files that call each other: LIBRARY:" count as one file.
"""
import glob
import os
import re
import subprocess
import sys

from symbols import symbols

page, folder = sys.argv[1:3]
arrows = {}
for name, uses in re.findall(r"^    ([a-z_]+) +->(.*)$", open(page).read(), re.M):
    arrows[name] = set(uses.split())
if len(arrows) < 5:
    sys.exit(f"{page} has no list of arrows")


def archives(name):
    """Paths of the archives of a library: one, or one per MPI library."""
    for stem in (name, name + "_core", name + "_static"):
        if os.path.exists(f"{folder}/lib{stem}.a"):
            return [f"{folder}/lib{stem}.a"]
    return [f for f in sorted(glob.glob(f"{folder}/lib{name}_*.a")) if re.search(r"_(openmpi|mpich|smpi)\.a$", f)]


def names_of(path, skip):
    """Defined names, and for each undefined one the objects that refer to it; objects in `skip` do not count."""
    defined, wanted = set(), {}
    for member, kind, name in symbols(path):
        if member in skip or name.startswith(("__asan", "__ubsan", "__sanitizer", "MPI_")):
            continue
        if kind in "TDBRCVW" and kind not in "w":
            defined.add(name)
        elif kind == "U":  # a weak reference asks whether a library is there, and does not need it
            wanted.setdefault(name, set()).add(member)
    return defined, {name: members for name, members in wanted.items() if name not in defined}


spool = set()
for path in archives("spool"):
    spool = set(subprocess.run(["ar", "t", path], capture_output=True, text=True, check=True).stdout.split())
defined, wanted, absent = {}, {}, []
for name in arrows:
    defined[name], wanted[name] = set(), {}
    paths = archives(name)
    if not paths:
        absent.append(name)
    for path in paths:
        d, w = names_of(path, spool if name == "cll" else set())
        defined[name] |= d
        for symbol, members in w.items():
            wanted[name].setdefault(symbol, set()).update(members)

wrong = 0
for user in arrows:
    for used in arrows:
        if user == used or user in absent or used in absent:
            continue
        names = sorted(n for n in wanted[user] if n in defined[used] and n not in defined[user])
        if names and used not in arrows[user]:
            wrong += 1
            print(f"{user} uses {used}, which {page} does not allow:")
            for n in names[:10]:
                print(f"    {n} in {', '.join(sorted(wanted[user][n]))}")
        if not names and used in arrows[user]:
            wrong += 1
            print(f"{page} has an arrow from {user} to {used}, but nothing uses it")
for name in absent:
    if name in ("pub", "bsp", "cll_mpi", "cll_pub", "probe_mpi"):
        print(f"no archive of {name}: no MPI library was found")
    else:
        wrong += 1
        print(f"no archive of {name} in {folder}")


def circle(path, together):
    """The objects of an archive that use each other in a circle, as a list; empty without a circle. The files in `together` count as one."""
    defines, uses = {}, {}
    for member, kind, name in symbols(path):
        member = together[0] if member in together else member
        if kind in "TDBRC":
            defines[name] = member
        elif kind == "U":
            uses.setdefault(member, set()).add(name)
    left = {m: {defines[n] for n in names if n in defines and defines[n] != m} for m, names in uses.items()}
    while True:  # what uses nothing that is left is in no circle
        free = [m for m, used in left.items() if not used & left.keys()]
        if not free:
            return sorted(left)
        for m in free:
            del left[m]


joined = {
    name: [file + ".o" for file in files.split()]
    for name, files in re.findall(r"^Files that call each other: ([a-z_]+): (.*)$", open(page).read(), re.M)
}
for names in re.findall(r"^No circles between files: (.*)$", open(page).read(), re.M):
    for name in re.findall(r"[a-z_]+", names):
        for path in archives(name):
            found = circle(path, joined.get(name, []))
            if found:
                wrong += 1
                print(f"{name}: these files use each other in a circle, or use such files: {', '.join(found)}")
print(f"{len(arrows)} libraries, {sum(len(a) for a in arrows.values())} arrows")
sys.exit(1 if wrong else 0)
