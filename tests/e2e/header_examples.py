#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""header_examples.py SOURCE FIXTURES COMPILER...: compiles the usage examples at the heads of headers.

An example is a run of lines indented by five or more spaces after "*", in a comment before the first line of code, of which
at least one calls a function in a statement. Other indented lines (messages, grammars, formulas) are not looked at. FIXTURES
has a section for each header with an example, "== PATH" or "== PATH (file scope)": the includes and declarations that
the example needs. An example without "(file scope)" becomes the body of a function. Nothing is linked or run.
"""
import os
import re
import subprocess
import sys

STATEMENT = re.compile(r"\w\(.*\).*;|^#include")


def head(path):
    """The lines of the comments before the first line of code."""
    inside = False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if line.startswith("/*"):
            inside = "*/" not in line
        elif inside:
            if "*/" in line:
                inside = False
            else:
                yield number, line
        elif line.strip():
            return


def examples(path):
    """(number of the first line, lines) of each run of indented lines; empty lines between them belong to it."""
    found, run, first, blank = [], [], 0, 0
    for number, line in list(head(path)) + [(0, " * end")]:
        text = re.match(r" \*     (.*)$", line)
        if text:
            first = first if run else number
            run += [""] * blank + [text.group(1)]
            blank = 0
        elif run and line.strip() == "*":
            blank += 1
        else:
            if any(STATEMENT.search(code) for code in run):
                found.append((first, run))
            run, blank = [], 0
    return found


def read_fixtures(path):
    sections, name = {}, None
    for line in open(path, encoding="utf-8"):
        title = re.match(r"== (\S+)( \(file scope\))?$", line)
        if title:
            name = title.group(1)
            sections[name] = (bool(title.group(2)), [])
        elif name:
            sections[name][1].append(line)
    return {name: (scope, "".join(lines)) for name, (scope, lines) in sections.items()}


def compile_example(source, compiler, header, first, lines, fixture):
    file_scope, declarations = fixture
    place = f'#line {first} "{header}"\n'
    code = "\n".join(lines) + "\n"
    if not file_scope:
        code = "int example(void);\nint example(void)\n{\n" + place + code + "return 0;\n}\n"
    else:
        code = place + code
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-missing-field-initializers", "-fsyntax-only",
             f"-I{source}/include", f"-I{source}/src", "-x", "c", "-"]
    return subprocess.run(compiler + flags, input=f'#line 1 "fixture"\n{declarations}{code}', text=True,
                          stderr=subprocess.PIPE, check=False)


def main():
    source, fixtures, compiler = sys.argv[1], read_fixtures(sys.argv[2]), sys.argv[3:]
    failed, compiled, used = 0, 0, set()
    headers = [os.path.join(folder, name) for top in ("include", "src")
               for folder, _, names in os.walk(os.path.join(source, top)) for name in names if name.endswith(".h")]
    for path in sorted(headers):
        header = os.path.relpath(path, source)
        for first, lines in examples(path):
            if header not in fixtures:
                print(f"{header}:{first}: an example without a section in {sys.argv[2]}")
                failed += 1
                continue
            used.add(header)
            compiled += 1
            result = compile_example(source, compiler, header, first, lines, fixtures[header])
            if result.returncode:
                print(result.stderr)
                failed += 1
    for header in sorted(set(fixtures) - used):
        print(f"{sys.argv[2]}: {header} has no example")
        failed += 1
    print(f"{compiled} examples, {failed} failures")
    return failed > 0


sys.exit(main())
