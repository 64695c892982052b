#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""warnings_page.py SOURCE PAGE: docs/user/reading.md has every warning that a fit can print.

Each call SAY(model, CODE, ADVICE, FORMAT, ...) of SOURCE/*.c must have its code on the page, in backquotes, and some
words of each of its formats. A code on the page that no call has is reported, too.
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


def main():
    source, page = map(pathlib.Path, sys.argv[1:])
    shown = " ".join(page.read_text().split())
    codes, wrong = set(), []
    for path in sorted(source.glob("*.c")):
        text = path.read_text()
        for match in re.finditer(r"\bSAY\(", text):
            args = arguments(text, match.end() - 1)
            code = formats(args[1])[0]
            codes.add(code)
            if f"| `{code}` |" not in shown:
                wrong.append(f"{path.name}: the warning {code} is not on {page}")
            for message in formats(args[3]):
                words = [part.strip(" ():;,") for part in DIRECTIVE.split(message)]
                words = [part for part in words if len(part) >= 10] or [max(words, key=len)]
                # the words, or their beginning
                if not any(part in shown or part[:30] in shown for part in words):
                    wrong.append(f"{path.name}: {page} has no words of {code}: {message!r}")
    listed = set(re.findall(r"\| `([a-z-]+)` \|", page.read_text().split("## Warnings")[1]))
    wrong += [f"{page} has a warning {code} that llac never gives" for code in sorted(listed - codes)]
    if len(codes) < 30:
        wrong.append(f"only {len(codes)} warnings were found in {source}")
    print("\n".join(wrong) or f"{len(codes)} warnings are on the page")
    sys.exit(bool(wrong))


main()
