#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""random_program_fortran.py SEED > PROGRAM.f90: a random Fortran program with regions.

The program always ends, and counts by itself how often each region is executed, and the sum of its variable. The last
lines it prints are "count EXPERIMENT EXECUTIONS ABANDONED SUM". What the generator likes is what the translator must get
right: RETURN, EXIT, CYCLE and branches to labels out of nested regions, loops that end with labels, one-line IFs, continued
statements, ';', strings and names that look like keywords, variables that get their values in the region.
"""
import random
import sys

HEAD = '''module state
  implicit none
  integer(8) :: hash = 5381, fuel = 3000
  integer(8) :: counts(100) = 0, sums(100) = 0
  integer :: if = 2, end = 1, do = 3
  character(len=*), parameter :: text = 'return; goto 10 ! "'
contains
  subroutine mix(y)
    integer(8), intent(in) :: y
    hash = ieor(mod(hash*33_8, 1000003_8), iand(y, 1048575_8))
  end subroutine
  subroutine begun(k, n)
    integer, intent(in) :: k
    integer(8), intent(in) :: n
    counts(k) = counts(k) + 1
    sums(k) = sums(k) + n
  end subroutine
  logical function spend()
    fuel = fuel - 1
    spend = fuel <= 0
  end function
'''


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.out = []
        self.experiments = 0
        self.label = 0
        self.names = 0
        self.procedures = self.random.randint(2, 5)

    def line(self, text):
        self.out.append(text)

    def maybe(self, percent):
        return self.random.randrange(100) < percent

    def value(self):
        return self.random.choice(['hash', 'n', 'n + 1_8', 'iand(hash, 255_8)', '7_8', 'int(if, 8)', 'end*2_8', 'n*3_8',
                                   'int(len(text), 8)', 'fuel'])

    def condition(self):
        return 'iand(%s, %d_8) == %d_8' % (self.value(), self.random.choice([1, 3, 7]), self.random.randrange(3))

    def new_label(self):
        self.label += 10
        return self.label

    # ---- statements ----
    def guarded(self, statement):
        """A statement in one of the ways in which a condition can govern it."""
        kind = self.random.randrange(5)
        if kind == 0:
            self.line('if (%s) &' % self.condition())
            self.line('  & ' + statement + ' ! "comment')
        elif kind == 1:
            self.line('if (%s) then; %s; end if' % (self.condition(), statement))
        elif kind == 2:
            self.line('if (%s) then' % self.condition())
            self.line('  ' + statement)
            self.line('endif')
        elif kind == 3:
            self.line('%d if (%s) %s' % (self.new_label(), self.condition(), statement))
        else:
            self.line("call mix(3_8); if (%s .and. text /= ')') %s" % (self.condition(), statement))

    def leave(self, c):
        ways = ['return']
        if c['loops']:
            ways += ['exit', 'cycle', 'exit %s' % self.random.choice(c['loops']), 'cycle %s' % self.random.choice(c['loops'])]
        if c['blocks']:
            ways += ['exit %s' % self.random.choice(c['blocks'])]
        for label in c['labels']:
            ways += ['goto %d' % label, 'go to %d' % label, 'goto (%d, %d), if' % (label, label),
                     'call either(n, *%d)' % label, "read (word, *, err=%d) number" % label]
        self.guarded(self.random.choice(ways))

    def region(self, depth, c):
        self.experiments += 1
        k, name = self.experiments, 'x%d' % self.experiments
        if self.maybe(30):
            self.late_region(k, name, depth, c)
            return
        self.line('call begun(%d, n)' % k)
        self.line(self.random.choice(['!$cll %s %s[0] + %s[1]*n', '!$cll %s(n) %s[0] + %s[1]*n',
                                      '    !$CLL %s(n = n) %s[0] + &\n    !$cll& %s[1]*n']) % (name, name, name))
        self.statements(depth - 1, c)
        self.line('!$cll end %s' % name)

    def late_region(self, k, name, depth, c):
        """A region whose variable gets its value after the begin."""
        late = self.random.choice(['late%d', 'late%d(2)', 'late%d(do - 1)']) % k
        self.lates.append('late%d' % k if '(' not in late else 'late%d(2)' % k)
        self.line('do = 3; late%d = -1' % k)
        if self.maybe(50):  # computed at the end
            value = self.random.choice(['int(%s) + len(word)*0', '(%s)', 'max(%s, -5_8)', '-(-%s)']) % (
                late if '(' not in late else 'late%d(2)' % k)
            self.line('!$cll %s(m := %s) %s[0] + %s[1]*m' % (name, value, name, name))
            self.line('late%d = n + %d; call begun(%d, n + %d)' % (k, k, k, k))
            self.statements(depth - 1, dict(c, late=None))
            self.line('!$cll end %s' % name)
            return
        self.line('!$cll %s(m := %s) %s[0] + %s[1]*m' % (name, late, name, name))
        self.line('late%d = n + %d; call begun(%d, n + %d)' % (k, k, k, k))
        if self.maybe(50):
            self.line('do = mod(do, 3) + 1') # the element is that of the begin
        self.statements(depth - 1, dict(c, late='late%d' % k))
        self.line('!$cll end %s' % name)

    def loop(self, depth, c):
        self.names += 1
        name, inner = 'loop%d' % self.names, dict(c, loops=c['loops'] + ['loop%d' % self.names])
        kind = self.random.randrange(3)
        if kind == 0:
            self.line('%s: do' % name)
            self.line('if (spend()) exit %s' % name)
            self.line('if (%s) exit' % self.condition())
            self.statements(depth - 1, inner)
            self.line('end do %s' % name)
        elif kind == 1:
            self.line('%s: do while (.not. spend() .and. %s)' % (name, self.condition()))
            self.statements(depth - 1, inner)
            self.line('enddo %s' % name)
        else:
            label = self.new_label()
            self.line('k%d = 0' % self.names)
            self.line('do %d k%d = 1, 3' % (label, self.names))
            inner = dict(c, loops=c['loops'], labels=c['labels'] + [label], in_label_loop=True)
            inner['loops'] = c['loops']
            self.statements(depth - 1, inner)
            self.line('%d continue' % label)

    def construct(self, depth, c):
        self.names += 1
        name = 'part%d' % self.names
        inner = dict(c, blocks=c['blocks'] + [name])
        kind = self.random.randrange(4)
        if kind == 0:
            self.line('%s: if (%s) then' % (name, self.condition()))
            self.statements(depth - 1, inner)
            self.line('else if (%s) then %s' % (self.condition(), name))
            self.statements(depth - 1, inner)
            self.line('else %s' % name)
            self.statements(depth - 1, inner)
            self.line('end if %s' % name)
        elif kind == 1:
            self.line('%s: select case (iand(hash, 3_8))' % name)
            self.line('case (0)')
            self.statements(depth - 1, inner)
            self.line('case (1, 2)')
            self.statements(depth - 1, inner)
            self.line('case default')
            self.statements(depth - 1, inner)
            self.line('end select %s' % name)
        elif kind == 2:
            self.line('%s: block' % name)
            shadow = c['late'] if c['late'] and self.maybe(60) else 'own2'
            self.line('integer(8) :: own, %s' % shadow)
            self.line('own = %s; %s = own' % (self.value(), shadow))
            self.statements(depth - 1, inner)
            self.line('call mix(own)')
            self.line('end block %s' % name)
        else:
            self.line('%s: associate (%s => hash)' % (name, c['late'] if c['late'] and self.maybe(60) else 'other'))
            self.statements(depth - 1, inner)
            self.line('end associate %s' % name)

    def simple(self):
        self.line(self.random.choice(["call mix(%s)" % self.value(), "n = mod(%s, 1000_8)" % self.value(),
                                      "if = mod(if, 2) + 1; end = do", "do = 3; call mix(int(do, 8))",
                                      "if (%s) n = mod(n + 1_8, 500_8)" % self.condition(),
                                      "write (word, '(a)') merge('12', 'x!', %s)" % self.condition(),
                                      "call mix(index(text, 'goto', kind=8)); end = 1"]))

    def target(self, depth, c):
        """Statements whose branches may go forward to a label after them."""
        label = self.new_label()
        self.statements(depth - 1, dict(c, labels=c['labels'] + [label]))
        self.line('%d call mix(%d_8)' % (label, label))

    def statements(self, depth, c):
        for _ in range(self.random.randint(1, 4)):
            pick = self.random.randrange(12) if depth > 0 else self.random.randrange(5)
            if pick < 3:
                self.simple()
            elif pick < 5:
                self.leave(c)
            elif pick < 8:
                self.region(depth, c)
            elif pick == 8:
                self.loop(depth, c)
            elif pick == 9:
                self.construct(depth, c)
            elif pick == 10:
                self.target(depth, c)
            else:
                self.line('if (.not. spend()) call p%d(mod(%s, 100_8))' %
                          (self.random.randrange(self.procedures), self.value()))

    def procedure(self, k):
        self.out, self.label, self.lates = [], 0, []
        first = self.names
        self.statements(5, {'loops': [], 'blocks': [], 'labels': [], 'late': None})
        body, self.out = self.out, []
        self.line('recursive subroutine p%d(given)' % k)
        self.line('integer(8), intent(in) :: given')
        self.line('integer(8) :: n, number')
        self.line('character(len=4) :: word')
        loops = ['k%d' % i for i in range(first + 1, self.names + 1) if 'k%d = 0' % i in body]
        if self.lates:
            self.line('integer(8) :: %s' % ', &\n  '.join(self.lates))
        if loops:
            self.line('integer :: %s' % ', '.join(loops))
        self.line("n = given; number = 0; word = '1'")
        self.out += body
        self.line('call mix(number)')
        self.line('end subroutine')
        return self.out

    def text(self):
        procedures = [line for k in range(self.procedures) for line in self.procedure(k)]
        self.experiments += 1 # of the main program: every program has a region that is executed
        k = self.experiments
        end = ['subroutine either(n, *)', 'integer(8), intent(in) :: n', 'if (iand(n, 1_8) == 1) return 1', 'end subroutine',
               'end module', 'program main', 'use state', 'implicit none', 'integer :: i',
               'do i = 1, 40', 'fuel = 60', 'call begun(%d, int(i, 8))' % k, '!$cll x%d(n = i) x%d[0] + x%d[1]*n' % (k, k, k)]
        end += ['call p%d(int(i, 8))' % p for p in range(self.procedures)]
        end += ['!$cll end x%d' % k]
        end += ['end do', "print '(a, i0)', 'hash ', hash"]
        end += ["print '(a, i0, a, i0)', 'count x%d ', counts(%d), ' 0 ', sums(%d)" % (k, k, k)
                for k in range(1, self.experiments + 1)]
        end += ['end program']
        return HEAD.replace('(100)', '(%d)' % (self.experiments + 1)) + '\n'.join(procedures + end) + '\n'


if __name__ == '__main__':
    sys.stdout.write(Program(int(sys.argv[1])).text())
