#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""insert_regions.py SOURCE STEP OFFSET > OUT: puts a region around single statements of a C source.

A statement is found by its text alone: a line that ends in ';' and begins a statement, inside a function, at
the right depth. Every STEP-th of them, from OFFSET on, gets a region. Declarations are taken too: their names are
used afterwards, which is what the translator must notice.
"""
import re
import sys


def main():
    path, step, offset = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    lines = open(path).read().split('\n')
    out, depth, count, regions = [], 0, 0, 0
    previous = ''
    in_comment = False
    function_depth = None
    in_macro = False
    parentheses = 0  # open ones: a for statement may take several lines
    data = []  # per open brace: is it a struct or an initialiser?
    for line in lines:
        text = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', '""', line)
        text = re.sub(r'/\*.*?\*/', '', text)
        was_comment = in_comment
        if in_comment:
            if '*/' in text:
                text = text.split('*/', 1)[1]
                in_comment = False
            else:
                out.append(line)
                continue
        if '/*' in text:
            text = text.split('/*', 1)[0]
            in_comment = True
        directive = text.lstrip().startswith('#') or in_macro
        in_macro = line.endswith('\\')
        stripped = text.strip()
        starts = re.search(r'[;{}:]$', previous) and not re.match(r'(case|default)\b|[?:]|&&|\|\|', stripped)
        whole = stripped.endswith(';') and stripped.count('(') == stripped.count(')') and '{' not in stripped \
            and '}' not in stripped
        control = re.match(r'(for|while|if|else|do|switch|case|default)\b', stripped) or \
            re.match(r'\w+:', stripped)
        inside = function_depth is not None and depth > function_depth
        if not directive and not was_comment and parentheses == 0 and inside and starts and whole and not control and \
                not in_comment and stripped != ';' and not any(data):
            if count % step == offset % step:
                name = 'r%d' % regions
                out.append('#pragma cll %s %s[0]' % (name, name))
                out.append(line)
                out.append('#pragma cll end %s' % name)
                regions += 1
            else:
                out.append(line)
            count += 1
        else:
            out.append(line)
        if directive:
            continue
        parentheses += stripped.count('(') - stripped.count(')')
        for c in stripped:
            if c == '{':
                if depth == 0 and stripped == '{':
                    function_depth = 0
                depth += 1
                data.append(bool(re.search(r'(struct|union|enum)\b[^;()]*\{|=\s*\{|^\{"|,\s*\{', stripped)))
            elif c == '}':
                depth -= 1
                if data:
                    data.pop()
                if depth == 0:
                    function_depth = None
        if stripped:
            previous = stripped
    sys.stdout.write('\n'.join(out))
    sys.stderr.write('%d\n' % regions)


main()
