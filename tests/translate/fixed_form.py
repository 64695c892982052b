#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fixed_form.py < FREE.f90 > FIXED.f: a Fortran source in fixed form.

Statements are folded at column 72, in the middle of words and strings; keywords lose their blanks here and there; comments and
directives begin with every character that fixed form allows.
"""
import random
import re
import sys


def split_comment(line):
    quote = ''
    for i, c in enumerate(line):
        if quote:
            quote = '' if c == quote else quote
        elif c in '\'"':
            quote = c
        elif c == '!':
            return line[:i].rstrip(), line[i:]
    return line.rstrip(), ''


def logical_lines(text):
    """Statements and comment lines, with the lines that continue them in one."""
    whole, sentinel = '', ''
    for line in text.split('\n'):
        body = line.strip()
        if not body:
            continue
        if body.startswith('!'):
            word = body[:5].lower()
            if word not in ('!$cll', '!$omp'):
                yield body
                continue
            code = body[5:].lstrip()
            code = code[1:] if whole and code.startswith('&') else code
            sentinel = word
        else:
            code, comment = split_comment(body)
            code = code[1:].lstrip() if whole and code.startswith('&') else code
            sentinel = ''
        if code.endswith('&'):
            whole += code[:-1]
            continue
        yield sentinel + (' ' if sentinel else '') + whole + code
        whole = ''


def fold(first, more, code, out):
    while True:
        part = code[:66]
        if len(code) > 66 and part.rstrip().endswith(';'):  # nothing may go on after it
            part = part[:part.rindex(';')]
        out.append(first + part)
        first, code = more, code[len(part):]
        if not code:
            return


def convert(text, seed=0):
    pick = random.Random(seed)
    out = []
    for line in logical_lines(text):
        sentinel = line[:5].lower()
        if sentinel in ('!$cll', '!$omp'):
            word = pick.choice('C*!c') + (sentinel[1:].upper() if pick.random() < 0.5 else sentinel[1:])
            fold(word + ' ', word + pick.choice('&1$'), line[6:], out)
        elif line.startswith('!'):
            out.append(pick.choice('C*!c') + line[1:])
        else:
            label, code = re.match(r'(\d*)\s*(.*)', line).groups()
            if pick.random() < 0.3:
                code = re.sub(r'\bgo ?to (?=\d)', 'GOTO', code)
                code = re.sub(r'^do (\d+) (?=\w+ *=)', r'DO\1', code)
            fold('%-6s' % label, '     ' + pick.choice('$&+1'), code, out)
    return '\n'.join(out) + '\n'


if __name__ == '__main__':
    sys.stdout.write(convert(sys.stdin.read(), int(sys.argv[1]) if len(sys.argv) > 1 else 0))
