#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""warnings_page.py SOURCE PAGE: docs/user/reading.md has every warning that llac can print.

Each call SAY(model, CODE, ADVICE, FORMAT, ...) of SOURCE/model must have its code on the page, in backquotes, and some
words of each of its formats. A code on the page that no call has is reported, too. The warnings of SOURCE/data,
SOURCE/model and SOURCE/llac that are not of a fit (diag_warning, import_warning, SEVERITY_WARNING) have no code: the page
has words of each of their formats.
"""
import pathlib
import re
import sys

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
DIRECTIVE = re.compile(r"%%|%[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:z|l)*[a-zA-Z]")


def arguments(text, start):
    """The arguments of the call whose opening parenthesis is text[start]."""
    depth, begin, quoted, found = 0, start + 1, False, []
    i = start
    while True:
        c = text[i]
        if quoted:
            i += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if not quoted and (depth == 0 or (depth == 1 and c == ",")):
            found.append(text[begin:i])
            begin = i + 1
            if depth == 0:
                return found
        i += 1


def formats(argument):
    """The texts of an argument: literals with nothing but blanks between them are one."""
    texts, last = [], None
    for match in LITERAL.finditer(argument):
        if last is not None and argument[last:match.start()].strip() == "":
            texts[-1] += match.group(1)
        else:
            texts.append(match.group(1))
        last = match.end()
    return texts


def words_of(message):
    """The parts of a format that a page must have one of."""
    parts = [part.strip(" ():;,") for part in DIRECTIVE.split(message)]
    return [part for part in parts if len(part) >= 10] or [max(parts, key=len)]


def is_shown(message, shown):
    """Whether the page has words of the format, or their beginning."""
    return any(part in shown or part[:30] in shown for part in words_of(message))


def warnings_of_fits(source):
    """Yields (file, code, format) of each."""
    for path in sorted(source.glob("model/**/*.c")):
        text = path.read_text()
        for match in re.finditer(r"\bSAY\(", text):
            args = arguments(text, match.end() - 1)
            for message in formats(args[3]):
                yield path.name, formats(args[1])[0], message


def other_warnings(source):
    """Yields (file, format) of each."""
    for path in sorted(p for part in ("data", "model", "llac") for p in source.glob(part + "/**/*.c")):
        text = path.read_text()
        for match in re.finditer(r"\b(diag_warning|import_warning|diag_add)\(", text):
            args = arguments(text, match.end() - 1)
            at = {"diag_warning": 1, "import_warning": 2, "diag_add": 4}[match.group(1)]
            if match.group(1) != "diag_add" or "SEVERITY_WARNING" in args[1]:
                yield from ((path.name, message) for message in formats(args[at]))


def main():
    source, page = map(pathlib.Path, sys.argv[1:])
    shown = " ".join(page.read_text().split())
    codes, others, wrong = set(), 0, []
    for name, code, message in warnings_of_fits(source):
        codes.add(code)
        if f"| `{code}` |" not in shown:
            wrong.append(f"{name}: the warning {code} is not on {page}")
        if not is_shown(message, shown):
            wrong.append(f"{name}: {page} has no words of {code}: {message!r}")
    for name, message in other_warnings(source):
        others += 1
        if not is_shown(message, shown):
            wrong.append(f"{name}: {page} has no words of the warning {message!r}")
    listed = set(re.findall(r"\| `([a-z-]+)` \|", page.read_text().split("## Warnings")[1]))
    wrong += [f"{page} has a warning {code} that llac never gives" for code in sorted(listed - codes)]
    if len(codes) < 30 or others < 10:
        wrong.append(f"only {len(codes)} warnings of fits and {others} others were found in {source}")
    print("\n".join(wrong) or f"{len(codes)} warnings of fits and {others} others are on the page")
    sys.exit(bool(wrong))


main()
