#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""random_programs.py FIRST COUNT [c++|fortran|fixed] [--part K/N]: random programs (random_program*.py), plain and measured;
`fixed` is Fortran in fixed form.

Both must print the same and end alike. The data file must hold as many executions of each experiment as the program
counted, the sum of its first variable, and the number of those that were abandoned. A failure names its seed:
`random_programs.py SEED 1 [c++|fortran|fixed]` repeats it. --part takes every N-th seed, from the K-th on.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import fixed_form
import random_program
import random_program_cxx
import random_program_fortran

PARSER = argparse.ArgumentParser()
PARSER.add_argument('first', type=int)
PARSER.add_argument('count', type=int)
PARSER.add_argument('language', nargs='?', choices=['c++', 'fortran', 'fixed'])
PARSER.add_argument('--part', default='1/1')
OPTIONS = PARSER.parse_args()
CXX, FORTRAN = OPTIONS.language == 'c++', OPTIONS.language in ('fortran', 'fixed')
FIXED = OPTIONS.language == 'fixed'
CC, END, Program = os.environ.get('CC', 'gcc'), '.c', random_program.Program
FLAGS = ['-std=gnu11', '-w']
if CXX:
    CC, END, Program, FLAGS = os.environ.get('CXX', 'g++'), '.cpp', random_program_cxx.Program, ['-std=gnu++17', '-w']
if FORTRAN:
    CC, END, Program, FLAGS = os.environ.get('FC', 'gfortran'), '.f90', random_program_fortran.Program, ['-std=legacy', '-w']
if FIXED:
    END = '.f'
if CC == 'clang':  # values that are computed at the end
    FLAGS.append('-fblocks')
LIBRARY = os.environ['CLL_BUILD'] + '/lib'
MEASURED = ['-I', os.environ['CLL_SOURCE'] + '/include', '-L', LIBRARY, '-Wl,-rpath,' + LIBRARY, '-lcll']


class Failure(Exception):
    pass


def run(command, what, env=None):
    """The finished process; a failure unless it ended by itself."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                         timeout=3000, env=env, errors='replace')
    if what and ran.returncode:
        raise Failure('%s: exit status %d\n%s' % (what, ran.returncode, ran.stderr[:2000]))
    return ran


def read_data(path):
    """Per experiment: executions, the sum of its first variable; and the executions abandoned."""
    executions, sums, first, abandoned, head = {}, {}, {}, 0, None
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith('# abandoned:'):
                abandoned = int(words[2])
            elif line.startswith('# variables:'):
                first[words[2]] = words[3] if len(words) > 3 else None
            elif line.startswith('#'):
                continue
            elif head is None:
                head = words
            else:
                name, count = words[0], int(words[head.index('count')])
                executions[name] = executions.get(name, 0) + count
                variable = first.get(name)
                if variable:
                    sums[name] = sums.get(name, 0.0) + count * float(words[head.index(variable)])
    return executions, sums, abandoned


def check_data(path, printed):
    executions, sums, abandoned = read_data(path)
    counted = [line.split()[1:] for line in printed.splitlines() if line.startswith('count ')]
    if sum(int(c[2]) for c in counted) != abandoned:
        raise Failure('%d executions abandoned in the data' % abandoned)
    for name, count, left, total in counted:
        want = int(count) - int(left)
        if executions.get(name, 0) != want:
            raise Failure('%s: %d executions in the data, not %d' % (name, executions.get(name, 0), want))
        if name in sums and abs(sums[name] - float(total)) > 1e-9 * abs(float(total)):
            raise Failure('%s: the values add up to %r, not %s' % (name, sums[name], total))
    return sum(executions.values())


def check(seed):
    stem = 'seed%d' % seed
    with open(stem + END, 'w') as file:
        text = Program(seed).text()
        file.write(fixed_form.convert(text, seed) if FIXED else text)
    level = '-O2' if seed % 4 == 0 else '-O0'
    if FORTRAN:  # a folder of its own for the module file
        os.makedirs(stem + '.mod', exist_ok=True)
        level += ' -J' + stem + '.mod'
    level = level.split()
    run([CC] + FLAGS + level + [stem + END, '-o', stem + '.plain'], 'the plain program')
    plain = run(['./' + stem + '.plain'], None)
    if plain.returncode < 0:
        raise Failure('the plain program ends by signal %d' % -plain.returncode)
    run([os.environ['CLL_BIN'] + '/call', '--cc', CC, stem + END], 'call')
    run([CC] + FLAGS + level + [stem + '.cll' + END, '-o', stem + '.measured'] + MEASURED, 'the measured program')
    env = dict(os.environ, CLL_OUT=stem + '.dat', CLL_MEMORY='1G')
    measured = run(['./' + stem + '.measured'], None, env)
    if (plain.returncode, plain.stdout) != (measured.returncode, measured.stdout):
        raise Failure('other output, or exit status %d, not %d' % (measured.returncode, plain.returncode))
    made = [END, '.cll' + END, '.plain', '.measured'] + ([] if FORTRAN else ['.cll.h'])
    found = 0
    # Without regions there is no data file. Experiments of Fortran are known when they are executed first.
    wanted = r'^count \S+ [1-9]' if FORTRAN else r'^count '
    if re.search(wanted, plain.stdout, re.M):
        found = check_data(stem + '.dat', plain.stdout)
        made.append('.dat')
    elif os.path.exists(stem + '.dat'):
        raise Failure('a program that executes no region writes data')
    shutil.rmtree(stem + '.mod', ignore_errors=True)
    for end in made:
        os.remove(stem + end)
    return found


def guarded(seed):
    try:
        return seed, check(seed), None
    except (Failure, subprocess.TimeoutExpired, OSError) as failure:
        return seed, 0, failure


def main():
    part, parts = map(int, OPTIONS.part.split('/'))
    seeds = range(OPTIONS.first + part - 1, OPTIONS.first + OPTIONS.count, parts)
    if (CXX or FORTRAN) and not shutil.which(CC):
        print('skipped: %s is not installed' % CC)
        sys.exit(77)
    executions = failed = 0
    with ThreadPoolExecutor(2) as pool:
        for seed, found, failure in pool.map(guarded, seeds):
            executions += found
            if failure:
                failed += 1
                print('FAIL seed %d: %s' % (seed, failure))
    print('%d programs, %d executions measured, %d failures' % (len(seeds), executions, failed))
    sys.exit(1 if failed or not executions else 0)


main()
