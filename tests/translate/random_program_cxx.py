#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""random_program_cxx.py SEED > PROGRAM.cpp: a random C++ program with regions.

The same as random_program.py, with what C++ adds: objects whose destructors change the program's output, exceptions that
leave regions, lambdas, local classes, range-based loops.
"""
import sys

import random_program

HEAD = random_program.HEAD.replace('#include <setjmp.h>\n#include <stdio.h>', '#include <csetjmp>\n#include <cstdio>')
HEAD += '''using std::longjmp;
using std::printf;
struct guard {
    unsigned long held;
    explicit guard(unsigned long y) : held{y} { mix(y); }
    guard(const guard &other) : held(other.held + 1) {}
    ~guard() { mix(held + 7); }
    operator unsigned long() const { return held; }
};
template <class T> struct holder {
    T held;
    holder(T y) : held(y) { mix(3); }
    ~holder() { mix((unsigned long)held); }
};
static const int ranged[] = {3, 1, 2};
'''


class Program(random_program.Program):
    TYPES = [{'_Bool': 'bool', 'register int': 'long', 'const int': 'constexpr static int'}.get(t, t)
             for t in random_program.TYPES]

    def declare(self, scope, own):
        free = [n for n in random_program.NAMES if n not in own and n != 'i']  # a loop's body cannot have its name
        if not free:
            return
        name = self.random.choice(free)
        scope[name] = None  # not readable in its own initialiser
        kind, value = self.random.randrange(10), self.value(scope)
        own.add(name)
        if kind == 0:
            self.line('pair %s = {int(%s & 1023), 1.5, {1, 2, 3}, nullptr};' % (name, value))
            scope[name] = (['%s.one' % name, '%s.two' % name, '%s.bytes[1]' % name], '%s.one' % name)
        elif kind == 1:
            self.line('guard %s(%s & 255);' % (name, value))
            scope[name] = (['%s.held' % name, name], '%s.held' % name)
        elif kind == 2:
            self.line('const guard &%s = guard(%s & 255);' % (name, value))
            scope[name] = (['%s.held' % name], None)
        elif kind == 3:
            self.line('holder<%s> %s(%s & 127), &%s_again unused_ = %s;' %
                      (self.random.choice(['int', 'double', 'unsigned char']), name, value, name, name))
            scope[name] = (['%s.held' % name, '%s_again.held' % name], '%s.held' % name)
            own.add(name + '_again')
            scope[name + '_again'] = None
        elif kind == 4:
            self.line('auto %s = [&] { return %s & 63; }();' % (name, value))
            scope[name] = ([name], name)
        elif kind == 5:
            self.line('int %s[4] = {int(%s & 15), 7};' % (name, value))
            scope[name] = (['%s[0]' % name, '%s[2]' % name], '%s[3]' % name)
        else:
            type_ = self.random.choice(self.TYPES)
            constant = 'static' in type_
            self.line('%s %s = %s;' % (type_, name, str(self.random.randrange(90)) if constant else value + ' & 1023'))
            scope[name] = ([name], None if 'const' in type_ else name)

    def statement(self, depth, scope, own, c):
        if depth <= 0 or not self.maybe(25):
            super().statement(depth, scope, own, c)
            return
        pick = self.random.randrange(5)
        plain = {name: what for name, what in scope.items() if name != 'many'}  # a lambda cannot capture such an array
        inside = dict(c, loop=False, switch=False, gotos=False, labels=[], own_declarations=True)
        if pick == 0:
            self.line('try {')
            self.statements(depth - 1, dict(scope), set(), dict(c, own_declarations=not c['gotos']))
            self.line('if (%s) throw %d;' % (self.condition(scope), self.random.randrange(9)))
            self.line('} catch (int thrown_) {\n    mix(thrown_);')
            self.statements(depth - 1, dict(scope), set(), dict(c, own_declarations=not c['gotos']))
            self.line('}')
        elif pick == 1:
            self.line('{ auto lambda_ = [&](unsigned long given_) -> unsigned long {')
            self.statements(depth - 1, dict(plain, given_=(['given_'], 'given_')), {'given_'}, inside)
            self.line('return given_; }; mix(lambda_(%s & 511)); }' % self.value(plain))
        elif pick == 2:
            self.line('{ struct local_ { int n; unsigned long run(unsigned long given) {')
            self.statements(depth - 1, {'n': (['n', 'this->n'], None), 'given': (['given'], 'given')}, {'given'}, inside)
            self.line('return given; } }; mix(local_{n}.run(%s & 511)); }' % self.value(scope))
        elif pick == 3:
            self.line('for (const auto &i : ranged)')
            self.single(depth - 1, dict(scope, i=(['i'], None)), dict(c, loop=True, switch=False))
        else:
            outside = {name: what for name, what in scope.items() if name != 'held_'}  # not in its own initialiser
            self.line('if (const guard held_(%s & 31); held_ > 3)' % self.value(outside))
            self.single(depth - 1, dict(scope, held_=(['held_.held'], None)), c)

    def leave(self, scope, c):
        if self.maybe(12):
            self.line('if (%s) throw %d;' % (self.condition(scope), self.random.randrange(9)))
        else:
            super().leave(scope, c)

    def text(self):
        return super().text().replace(random_program.HEAD, HEAD).replace(
            '        mix(table[k % {}](3, k));'.format(self.functions),
            '        try { mix(table[k %% %d](3, k)); } catch (int e) { mix(e); }' % self.functions)


if __name__ == '__main__':
    sys.stdout.write(Program(int(sys.argv[1])).text())
