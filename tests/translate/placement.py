#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""placement.py [--sample N] [--part K/N] [--only PROGRAM:KIND:I:J] FOLDER: pragmas at every place of small programs.

Every program of FOLDER gets a begin before its token I and an end before its token J, for all pairs I <= J, or one
pragma that stands alone before each token. call must either give an error with its place, and write nothing, or what
it writes must compile without a warning, and the program must print what the plain one prints. --sample takes about
N of the places, always the same ones; each failure prints the --only that repeats it. The pragmas of a loop obey the
rules of a region and differ in what stands between them and the code, so they get a share of the places (SHARES).
"""
import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

FLAGS = ['-std=gnu11', '-O0', '-Wall', '-Wextra', '-Werror', '-Wno-unknown-pragmas', '-Wno-implicit-fallthrough',
         '-Wno-dangling-else', '-Wno-empty-body', '-Wno-misleading-indentation', '-Wno-old-style-definition',
         '-Wno-unused-label', '-Wno-switch-unreachable', '-Wno-multistatement-macros', '-Wno-unused-value', '-Wno-return-type']
CXX_FLAGS = ['-std=c++17'] + [f for f in FLAGS if f not in ('-std=gnu11', '-Wno-old-style-definition')]
KINDS = {'region': ('cll e e[0] + e[1]*measured', 'cll end e'),
         'for': ('cll for (measured = 0; measured < 1; measured++)', 'cll end for'),
         'shuffle': ('cll for (measured = 0; measured < 1; measured++) shuffle', 'cll end for'),
         'report': ('cll report all', None)}
SHARES = {'for': 4, 'shuffle': 16}  # one place in so many
TOKEN = re.compile(r'#[^\n]*|"(?:\\.|[^"\\])*"|\w+|\.\.\.|->|::|&&|\|\||\+\+|--|[-+*/<>=!]=|\[\[|\]\]|\S')


@functools.lru_cache(maxsize=None)
def tokens_of(path):
    """Directives are tokens with the newlines they need."""
    with open(path) as file:
        found = TOKEN.findall(re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S))
    return ['\n%s\n' % t if t.startswith('#') else t for t in found]


def ending(program):
    """That of C or C++; None if its compiler is not there."""
    end = os.path.splitext(program)[1]
    return end if end == '.c' or (end == '.cpp' and shutil.which('g++')) else None


def source(tokens, kind, i, j):
    first, last = KINDS[kind]
    out = []
    for at in range(len(tokens) + 1):
        if at == i:
            out.append('\n#pragma %s\n' % first)
        if at == j and last:
            out.append('\n#pragma %s\n' % last)
        if at < len(tokens):
            out.append(tokens[at])
    return ' '.join(out).lstrip()


def places(folder, sample, only):
    """(program, kind, i, j) of all places, or of a sample."""
    programs = sorted(p for p in os.listdir(folder) if ending(p))
    everything = []
    for program in programs:
        tokens = tokens_of(os.path.join(folder, program))
        count = tokens.index('main')  # its body is the same in all
        for kind in KINDS:
            for i in range(count):
                # A pragma in the middle of a statement is an error whatever its partner is: it gets few.
                ends = [j for j in range(i, count) if is_boundary(tokens, i) and is_boundary(tokens, j)]
                ends += [j for j in (i, i + 1, (i + count) // 2) if j < count and j not in ends]
                everything += [(program, kind, i, j) for j in (ends if KINDS[kind][1] else [i])]
    everything = [p for p in everything if zlib.crc32(repr(p).encode()) % SHARES.get(p[1], 1) == 0]
    if only:
        program, kind, i, j = only.split(':')
        return [(program, kind, int(i), int(j))]
    if not sample:
        return everything
    return sorted(everything, key=lambda p: rank(folder, p))[:sample]


def is_boundary(tokens, at):
    """May something begin or end here?"""
    return at == 0 or tokens[at - 1] in (';', '{', '}', ')', ':', 'else', 'do')


def rank(folder, place):
    """Places where something may begin or end come first, and pairs that are near each other."""
    program, _, i, j = place
    tokens = tokens_of(os.path.join(folder, program))
    within = 2 - is_boundary(tokens, i) - is_boundary(tokens, j)
    return zlib.crc32(repr(place).encode()) * max(1, (j - i) // 8) * (1, 8, 64)[within]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=3000,
                          stdin=subprocess.DEVNULL, errors='replace', **more)


def compile_and_run(stem, path, more):
    compiler = ['g++'] + CXX_FLAGS if path.endswith('.cpp') else [os.environ.get('CC', 'gcc')] + FLAGS
    built = run(compiler + [path, '-o', stem + '.exe'] + more)
    if built.returncode:
        return None, built.stdout
    env = dict(os.environ, CLL_OUT=stem + '.dat', CLL_RUN='1')  # in round 0 nothing is shuffled
    ran = run(['./' + stem + '.exe'], env=env)
    for left in (stem + '.exe', stem + '.dat'):
        if os.path.exists(left):
            os.remove(left)
    return (ran.returncode, ran.stdout), ran.stdout


def check_batch(number, batch, folder, plain):
    """Returns the failures of some places, as (place, why), and how many were translated."""
    failures, good = [], 0
    stems = ['b%d_%d' % (number, k) for k in range(len(batch))]
    ends = [ending(place[0]) for place in batch]
    for stem, end, (program, kind, i, j) in zip(stems, ends, batch):
        with open(stem + end, 'w') as file:
            file.write(source(tokens_of(os.path.join(folder, program)), kind, i, j))
    said = run([os.environ['CLL_BIN'] + '/call', '--cc', 'gcc'] + [s + e for s, e in zip(stems, ends)])
    if said.returncode not in (0, 1):
        failures.append((batch[0], 'call: exit status %d\n%s' % (said.returncode, said.stdout)))
    library = os.environ['CLL_BUILD'] + '/lib'
    more = ['-I', os.environ['CLL_SOURCE'] + '/include', '-L', library, '-Wl,-rpath,' + library, '-lcll']
    for stem, end, place in zip(stems, ends, batch):
        mine = [line for line in said.stdout.splitlines() if line.startswith(stem + end + ':')]
        errors = [line for line in mine if ': error: ' in line]
        written = os.path.exists(stem + '.cll' + end)
        if written == bool(errors):
            failures.append((place, 'written, but with errors' if written else 'neither written nor an error'))
        elif written:
            good += 1
            result, text = compile_and_run(stem, stem + '.cll' + end, more)
            if result is None:
                failures.append((place, 'the compiler says:\n' + text))
            elif result != plain[place[0]]:
                failures.append((place, 'other output: %r, not %r' % (result, plain[place[0]])))
        for left in (end, '.cll' + end, '.cll.h'):
            if os.path.exists(stem + left):
                os.remove(stem + left)
    return failures, good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--only')
    parser.add_argument('--part', default='1/1', help='every N-th place, from the K-th on')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('folder')
    options = parser.parse_args()
    part, parts = map(int, options.part.split('/'))
    todo = places(options.folder, options.sample, options.only)[part - 1::parts]
    plain = {}
    for program in sorted({p[0] for p in todo}):
        text = ' '.join(tokens_of(os.path.join(options.folder, program)))
        with open('plain' + ending(program), 'w') as file:
            file.write(text.lstrip())
        plain[program], said = compile_and_run('plain', 'plain' + ending(program), [])
        if plain[program] is None:
            sys.exit('%s does not compile:\n%s' % (program, said))
    if options.only:
        print(source(tokens_of(os.path.join(options.folder, todo[0][0])), *todo[0][1:]))
    size = 40
    batches = [todo[k:k + size] for k in range(0, len(todo), size)]
    failures, good = [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for found, count in pool.map(lambda k: check_batch(k, batches[k], options.folder, plain),
                                     range(len(batches))):
            failures += found
            good += count
    for place, why in failures[:40]:
        print('FAIL --only %s:%s:%d:%d: %s' % (*place, why[:1500]))
    print('%d places, %d of them translated, %d failures' % (len(todo), good, len(failures)))
    sys.exit(1 if failures or not good else 0)


main()
