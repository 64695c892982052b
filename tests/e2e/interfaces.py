#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""interfaces.py PAGE SOURCE: a library is used through the headers that PAGE lists for it.

The files of src/FOLDER and of tests/FOLDER may include all headers of src/FOLDER. All other files of src, tests and bench
include only those of the line "    FOLDER: HEADER HEADER..." of PAGE, unless PAGE names them in "Files that look inside a
library:". Every header of the page must be included elsewhere. Headers called internal.h or NAME_internal.h are on no such
line, and none of the listed headers includes one, not even through others.
"""
import os
import re
import sys

page, source = sys.argv[1:3]
text = open(page, encoding="utf-8").read()
listed = {f"{folder}/{header}" for folder, headers in
          re.findall(r"^    ([a-z_]+): ((?:[a-z_/]+\.(?:h|def) ?)+)$", text, re.M) for header in headers.split()}
inside = {file for files in re.findall(r"^Files that look inside a library: (.*)$", text, re.M)
          for file in re.findall(r"`([^`]+)`", files)}
includes = {}  # file -> headers of src that it includes
for top in ("src", "tests", "bench"):
    for folder, _, names in os.walk(os.path.join(source, top)):
        for name in names:
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                found = re.findall(r'^\s*#\s*include "([^"]+)"', open(path, encoding="utf-8", errors="replace").read(), re.M)
                includes[os.path.relpath(path, source)] = {h for h in found if os.path.exists(f"{source}/src/{h}")}


def is_internal(header):
    return os.path.basename(header) == "internal.h" or header.endswith("_internal.h")


def reaches(header, seen):
    """Puts the header, and all headers that it includes, into `seen`."""
    if header not in seen:
        seen.add(header)
        for other in includes.get("src/" + header, ()):
            reaches(other, seen)
    return seen


bad, used, looking = [], set(), set()
for file, headers in includes.items():
    for header in headers:
        folder = header.split("/")[0]
        if file.startswith((f"src/{folder}/", f"tests/{folder}/")):
            continue
        used.add(header)
        if file in inside and header not in listed:
            looking.add(file)
        elif header not in listed:
            bad.append(f"{file} includes {header}, which {page} does not list for other libraries")
for header in listed:
    if header not in used:
        bad.append(f"{page} lists {header}, which nothing else includes")
    for other in sorted(reaches(header, set())):
        if is_internal(other):
            bad.append(f"{header} includes {other}, which is for its library alone")
bad += [f"{page} says that {file} looks inside a library, which it does not do" for file in inside - looking]
for line in sorted(bad):
    print(line)
print(f"{len(listed)} headers, {len(includes)} files")
sys.exit(bool(bad or len(listed) < 20 or len(includes) < 500))
