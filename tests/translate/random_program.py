#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""random_program.py SEED > PROGRAM.c: a random C program with regions.

The program always ends, has no undefined behaviour, and counts by itself how often each region is executed, and the
sum of its first variable. The last lines it prints are "count EXPERIMENT EXECUTIONS ABANDONED SUM". What the generator
likes is what the translator must get right: ways out of regions, declarations that are used after them, labels, shadowed
names, and names that generated code could have.
"""
import random
import sys

NAMES = ['a', 'b', 'i', 'v0', 'v1', 'm', 'r', 'v', 'e', 'last', 'region', 'values', 'self', 'unused', 'T', 'seq_']
TYPES = ['int', 'unsigned', 'char', 'signed char', 'unsigned short', 'long', 'long long', 'unsigned long long', 'float',
         'double', '_Bool', 'const int', 'volatile int', 'volatile double', 'static int', 'const unsigned char',
         'register int']
HEAD = '''#include <setjmp.h>
#include <stdio.h>
#define UNLESS(c) if (!(c))
#define SWAP(x, y) do { unsigned long swap_ = (x); (x) = (y); (y) = swap_; } while (0)
#define unused_ __attribute__((unused))
struct pair { int one; double two; unsigned char bytes[3]; struct pair *next; };
static unsigned long hash = 5381, x[8];
static long fuel = 3000;
static jmp_buf back;
static unsigned long mix(unsigned long y) { return hash = (hash * 33) ^ (y & 0xffffff); }
static unused_ long triple(const unsigned long *y) { return 3 * (long)*y; }
#define TRIPLE(y) (3 * (y))
'''


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.experiments = 0
        self.plain = None  # an experiment without a formula, at several places
        self.out = []
        self.labels = 0
        self.functions = self.random.randint(2, 5)

    def line(self, text):
        self.out.append('    ' + text)

    def maybe(self, percent):
        return self.random.randrange(100) < percent

    # ---- expressions ----
    def value(self, scope):
        """An integer expression of type unsigned long, small enough to be exact as a double."""
        pick = self.random.randrange(10)
        names = [n for n in scope if scope[n]]
        if pick < 4 and names:
            return '(unsigned long)(%s)' % self.use(scope, self.random.choice(names))
        if pick < 6:
            return 'x[%d]' % self.random.randrange(8)
        if pick == 6:
            return '(%s %s %s)' % (self.value(scope), self.random.choice(['+', '-', '*', '&', '^', '|']),
                                   self.value(scope))
        if pick == 7:
            return '(%s > %s ? %s : (mix(3), %s))' % tuple(self.value(scope) for _ in range(4))
        if pick == 8:
            return '({ unsigned long inner_ = %s; inner_ + 1; })' % self.value(scope)
        return '%dul' % self.random.randrange(100)

    def use(self, scope, name):
        return self.random.choice(scope[name][0])

    def condition(self, scope):
        return '%s %% %du %s %d' % (self.value(scope), self.random.randint(2, 5), self.random.choice(['==', '<', '!=']),
                                    self.random.randrange(3))

    # ---- declarations: scope[name] = (ways to read it, way to write it or None) ----
    def declare(self, scope, own):
        free = [n for n in NAMES if n not in own]
        if not free:
            return
        name = self.random.choice(free)
        scope[name] = None  # not readable in its own initialiser
        kind, value = self.random.randrange(12), self.value(scope)
        own.add(name)
        if kind == 0:
            self.line('struct pair %s = {.one = %s & 1023, .two = 1.5, .bytes = {1, 2, 3}, .next = 0};' % (name, value))
            scope[name] = (['%s.one' % name, '%s.two' % name, '%s.bytes[1]' % name], '%s.one' % name)
        elif kind == 1:
            self.line('struct pair *%s = &(struct pair){%s & 255, 2.5, {4, 5, 6}, 0};' % (name, value))
            scope[name] = (['%s->one' % name, '%s->two' % name, '(*%s).bytes[2]' % name], '%s->one' % name)
        elif kind == 2:
            self.line('int %s[4] = {%s & 15, [2] = 7};' % (name, value))
            scope[name] = (['%s[0]' % name, '%s[2]' % name, '*%s' % name], '%s[3]' % name)
        elif kind == 3:
            self.line('enum { %s = %d };' % (name, self.random.randrange(50)))
            scope[name] = ([name], None)
        elif kind == 4:
            self.line('unsigned char %s unused_ = %s & 127, *%s_at unused_ = &%s;' % (name, value, name, name))
            scope[name] = ([name, '*%s_at' % name], name)
            own.add(name + '_at')
            scope[name + '_at'] = None
        else:
            type_ = self.random.choice(TYPES)
            constant = type_ == 'static int'
            self.line('%s %s = %s;' % (type_, name, str(self.random.randrange(90)) if constant else value + ' & 1023'))
            scope[name] = ([name], None if 'const' in type_ else name)

    # ---- regions ----
    def begin(self, scope):
        """Prints a begin; returns its name, and the statement that counts."""
        readable = [self.use(scope, n) for n in scope if scope[n]]
        simple = [r for r in readable if '*' not in r]
        if self.plain is not None and self.maybe(15):
            number, formula, value = self.plain, '', '0'
        else:
            number = self.experiments
            self.experiments += 1
            formula, value = self.formula(number, simple)
            if not formula:
                self.plain = number
        self.pragma('cll e%d%s' % (number, formula))
        return number, 'count[%d]++, sum[%d] += (double)(%s)' % (number, number, value)

    def pragma(self, text):
        if self.maybe(15):
            self.line('_Pragma("%s")' % text)
        else:
            self.out.append('%s%s' % (self.random.choice(['#pragma ', '  # pragma ', '%:pragma ']), text))

    def formula(self, number, simple):
        pick = self.random.randrange(7)
        if pick == 0 or not simple:
            return '', '0'
        one, two = self.random.choice(simple), self.random.choice(simple)
        if pick == 1:
            return '(w = %s * 2 + %s) e%d[0]*w' % (one, two, number), '(%s * 2 + %s)' % (one, two)
        if pick == 2:
            return ' e%d[0]*%s + e%d[1]*%s \\\n + e%d[2]' % (number, one, number, two, number), one
        if pick == 3:
            return ' CLOCK, CPUTIME = e%d[0]*%s' % (number, one), one
        if pick == 4:  # values at the end: of objects of the whole program, and a comparison
            return '(w = %s, late := %s, left:=fuel) e%d[0]*w + e%d[1]*(w > 1)*late' % (
                one, self.random.choice(['hash', 'x[3]', '*x']), number, number), one
        return ' e%d[0] + e%d[1]*log(1 + abs(%s))' % (number, number, one), one

    def end(self, number):
        self.out.append('#pragma cll end e%d' % number)

    def late_region(self, depth, scope, c):
        """A region whose variable is computed at the end, from what gets its value after the begin."""
        number = self.experiments
        self.experiments += 1
        value = self.random.choice(['late_ * 2 + 1', '-(double)late_ / 4', 'triple(&late_)', 'TRIPLE(late_) + 1',
                                    'x[0] * 0 + late_', '(late_ > 3 ? late_ : table[0] != 0)'])
        self.line('{ unsigned long late_ = 1000;')
        self.pragma('cll e%d(w := %s, z = late_, left:=fuel - 1) e%d[0] + e%d[1]*w' % (number, value, number, number))
        self.line('late_ = %s & 255; count[%d]++, sum[%d] += (double)(%s);' % (self.value(scope), number, number, value))
        self.statements(depth, dict(scope), set(), dict(c, own_declarations=not c['gotos']))
        self.end(number)
        self.line('}')

    def region(self, depth, scope, own, c):
        if self.maybe(20):
            self.late_region(depth, scope, c)
            return
        number, counted = self.begin(scope)
        self.line('%s;' % counted)
        inner = dict(c, own_declarations=c['own_declarations'])
        if c['own_declarations']:
            self.statements(depth, scope, own, inner)
        else:
            self.block(depth, scope, inner)
        self.end(number)

    def single(self, depth, scope, c):
        """One statement where one is expected."""
        if not self.maybe(30):
            self.block(depth, scope, c)
            return
        number, counted = self.begin(scope)
        if self.maybe(40):
            self.line('%s;' % counted)
        else:
            self.line('{ %s;' % counted)
            self.statements(depth, dict(scope), set(), dict(c, own_declarations=not c['gotos']))
            self.line('}')
        self.end(number)

    # ---- statements ----
    def block(self, depth, scope, c):
        self.line('{')
        self.statements(depth, dict(scope), set(), dict(c, own_declarations=not c['gotos']))
        self.line('}')

    def statements(self, depth, scope, own, c):
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, scope, own, c)

    def statement(self, depth, scope, own, c):
        pick = self.random.randrange(20)
        if depth <= 0 and pick > 7:
            pick %= 8
        if pick < 2:
            self.assign(scope)
        elif pick == 2:
            if c['own_declarations']:
                self.declare(scope, own)
        elif pick == 3:
            self.line('mix(%s);' % self.value(scope))
        elif pick < 6:
            self.leave(scope, c)
        elif pick < 8:
            self.line('{ unsigned long got_ = %s(n - 1, %s); x[%d] += got_; }' %
                      (self.called(), self.value(scope), self.random.randrange(8)))
        elif pick < 13:
            self.region(depth - 1, scope, own, c)
        elif pick < 15:
            self.line('%s (%s)' % (self.random.choice(['if', 'UNLESS']), self.condition(scope)))
            self.single(depth - 1, scope, c)
            if self.maybe(60):
                self.line('else')
                self.single(depth - 1, scope, c)
        elif pick < 18:
            self.loop(depth - 1, scope, c)
        elif pick == 18:
            self.switch(depth - 1, scope, c)
        else:
            self.variable_array(depth - 1, scope, c)

    def called(self):
        return self.random.choice(['f%d' % self.random.randrange(self.functions),
                                   'table[%d]' % self.random.randrange(self.functions)])

    def assign(self, scope):
        names = [scope[n][1] for n in scope if scope[n] and scope[n][1]]
        if names and self.maybe(70):
            self.line('%s = %s & 127;' % (self.random.choice(names), self.value(scope)))
        else:
            self.line('SWAP(x[%d], x[%d]);' % (self.random.randrange(8), self.random.randrange(8)))

    def leave(self, scope, c):
        ways = ['return %s' % self.value(scope)]
        if c['loop']:
            ways += ['break', 'continue'] * 2
        elif c['switch']:
            ways += ['break'] * 2
        if c['gotos']:
            ways += ['goto %s' % label for label in c['labels']] * 2
        way = self.random.choice(ways)
        self.line('if (%s%s) %s;' % ('fuel-- > 0 && ' if 'goto' in way else '', self.condition(scope), way))

    def loop(self, depth, scope, c):
        inner, inside = dict(c, loop=True, switch=False), dict(scope)
        limit, kind = self.random.randint(1, 4), self.random.randrange(3)
        if kind == 0:
            self.line('for (int i = 0; i < %d && fuel-- > 0; i++)' % limit)
            inside['i'] = (['i'], None)
            self.single(depth, inside, inner)
        elif kind == 1:
            self.line('while (%s && fuel-- > 0)' % self.condition(scope))
            self.single(depth, inside, inner)
        else:
            self.line('do')
            self.single(depth, inside, inner)
            self.line('while (%s && fuel-- > 0);' % self.condition(scope))

    def switch(self, depth, scope, c):
        self.line('switch (%s %% 6u) {' % self.value(scope))
        for case in self.random.sample(['case 0:', 'case 1 ... 2:', 'case 4:', 'default:'], 3):
            self.line(case)
            self.line(';' if self.maybe(30) else 'x[0]++;') if self.maybe(70) else None
            inner = dict(c, switch=True, own_declarations=False)
            self.statement(depth, dict(scope), set(), inner)
            self.statement(depth, dict(scope), set(), inner)
            self.line('break;' if self.maybe(60) else ';')
        self.line('}')

    def variable_array(self, depth, scope, c):
        """In a block of its own: no goto may enter the scope of such an array."""
        outside = {name: what for name, what in scope.items() if name != 'many'}  # its elements have no values yet
        self.line('{ unsigned char many[1 + (%s) %% 9];' % self.value(outside))
        self.line('many[0] = %s; mix(sizeof many + many[0]);' % self.value(outside))
        inside = dict(scope)
        inside['many'] = (['many[0]'], 'many[0]')
        self.statements(depth, inside, {'many'}, dict(c, own_declarations=not c['gotos'], labels=c['labels']))
        self.line('}')

    # ---- functions ----
    def function(self, number):
        gotos = self.maybe(50)
        self.out.append('static unsigned long f%d(int n, unsigned long given)\n{' % number)
        scope, own = {'n': (['n'], None), 'given': (['given'], None)}, {'n', 'given'}
        self.line('given &= 1023;')
        self.line('if (n <= 0 || fuel-- <= 0) return given & 7;')
        if gotos:
            self.declare(scope, own)
            self.line('again: mix(1);')
        c = {'loop': False, 'switch': False, 'gotos': gotos, 'labels': ['again', 'out'] if gotos else [],
             'own_declarations': not gotos}
        for _ in range(self.random.randint(2, 5)):
            self.statement(3, scope, own, c)
        if gotos:
            self.line('if (fuel-- > 2000) goto again;\n    if (fuel == 17) goto out;\nout:')
            self.region(1, scope, own, c)
        self.line('return mix(%s);\n}\n' % self.value(scope))

    def text(self):
        for number in range(self.functions):
            self.function(number)
        body, self.out = self.out, []
        jumper = self.experiments
        count = self.experiments + 1
        out = [HEAD, 'static unsigned long count[%d], left[%d];\nstatic double sum[%d];' % (count, count, count)]
        out += ['static unsigned long f%d(int n, unsigned long given);' % k for k in range(self.functions)]
        out += ['static unsigned long (*const table[])(int, unsigned long) = {%s};' %
                ', '.join('f%d' % k for k in range(self.functions))]
        out += body
        out += ['static void jumper(int n)\n{\n#pragma cll e%d e%d[0]*n' % (jumper, jumper),
                '    count[%d]++, sum[%d] += n % 3 ? n : 0;'.replace('%d', str(jumper)),
                '    if (n %% 3 == 0) {\n        left[%d]++;\n        longjmp(back, 1);\n    }' % jumper,
                '#pragma cll end e%d\n}\n' % jumper,
                'int main(void)\n{\n    static int k;\n    for (k = 0; k < 6; k++) {\n        fuel = 3000;',
                '        x[k] = k * 7;\n        mix(table[k %% %d](3, k));' % self.functions,
                '        if (!setjmp(back))\n            jumper(k);\n    }',
                '    for (k = 0; k < 8; k++)\n        printf("%lu\\n", x[k] & 0xffffff);',
                '    for (k = 0; k < %d; k++)\n        printf("count e%%d %%lu %%lu %%.17g\\n", k, count[k], left[k], '
                'sum[k]);' % count,
                '    return (int)(hash & 63);\n}']
        return '\n'.join(out) + '\n'


if __name__ == '__main__':
    sys.stdout.write(Program(int(sys.argv[1])).text())
