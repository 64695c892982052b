#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Data files state the code that they come from: a hash of each translated source, and the build-id of the program.
. "$CLL_SOURCE/tests/call/setup.sh"
cat >one.c <<'END'
#include <stdio.h>
void two(int);
int main(void)
{
    volatile double s = 0;
    for (int N = 100; N <= 800; N *= 2) {
#pragma cll f f[0]*N
        for (int i = 0; i < N; i++)
            s += i;
#pragma cll end f
        two(N);
    }
    return 0;
}
END
cat >two.c <<'END'
void two(int M)
{
    volatile double s = 0;
#pragma cll g g[0]*M
    for (int i = 0; i < M; i++)
        s += i;
#pragma cll end g
}
END
# identity FILE: its lines about the code
identity() { grep -E '^# (code|build): ' "$1"; }
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
need readelf

what='one line for each source, and the build-id'
exits 0 "$call" cc gcc $sanitize -O2 one.c two.c -o program
CLL_OUT=a.dat ./program
is "$(identity a.dat | grep -c code)" 2
has a.dat '^# code: [0-9a-f]\{16\} one\.c$'
has a.dat '^# code: [0-9a-f]\{16\} two\.c$'
is "$(sed -n 's/^# build: //p' a.dat)" "$(build_id program)"

what='another folder and another build are the same code'
mkdir other
cp one.c two.c other
(cd other && "$call" cc gcc $sanitize -O2 one.c two.c -o program && CLL_OUT=../b.dat ./program)
is "$(grep code b.dat)" "$(grep code a.dat)"
exits 0 "$llac" -e 'list' a.dat b.dat
[ -n "$sanitize" ] || empty err # sanitizers put the folder into the program

what='a change of the source is another code'
sed 's/s += i;/s += i + 1;/' two.c >other/two.c
(cd other && "$call" cc gcc $sanitize -O2 one.c two.c -o program && CLL_OUT=../c.dat ./program)
is "$(grep 'one\.c' c.dat | grep code)" "$(grep 'one\.c' a.dat | grep code)"
exits 0 "$llac" -e 'list' a.dat c.dat
has_text err 'a.dat and c.dat differ in the code of two.c'

what='no build-id'
exits 0 "$call" cc gcc $sanitize -O2 -Wl,--build-id=none one.c two.c -o program
CLL_OUT=d.dat ./program
lacks d.dat '^# build:'
has d.dat '^# code: .* one\.c$'

what='a library that has the region'
exits 0 "$call" cc gcc $sanitize -O2 -fPIC -shared two.c -o libtwo.so
printf 'void two(int);\nint main(void) { for (int i = 1; i < 9; i++) two(i * 100); return 0; }\n' >main.c
exits 0 "$call" cc gcc $sanitize main.c -L. -ltwo -Wl,-rpath,"$PWD" -o program
CLL_OUT=e.dat ./program
is "$(sed -n 's/^# build: //p' e.dat)" "$(build_id libtwo.so)"

if [ -z "$sanitize" ]; then
    what='a static program'
    if "$call" cc gcc -O2 -static one.c two.c -o program 2>err; then
        CLL_OUT=f.dat ./program
        is "$(sed -n 's/^# build: //p' f.dat)" "$(build_id program)"
    fi
    what='a region without call'
    cat >plain.c <<'END'
#include <cll.h>
int main(void)
{
    for (int n = 1; n < 9; n++) {
        CLL_REGION("f", "f[0]*n", n);
        for (volatile int i = 0; i < n; i++)
            continue;
    }
    return 0;
}
END
    exits 0 gcc -I"$CLL_SOURCE/include" plain.c -L"$CLL_BUILD/lib" -Wl,-rpath,"$CLL_BUILD/lib" -lcll -o program
    CLL_OUT=g.dat ./program
    lacks g.dat '^# code:'
    is "$(sed -n 's/^# build: //p' g.dat)" "$(build_id program)"
fi

what='a forked child'
cat >fork.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void work(int N)
{
    volatile double s = 0;
#pragma cll f f[0]*N
    for (int i = 0; i < N; i++)
        s += i;
#pragma cll end f
}
int main(void)
{
    work(10);
    if (fork() == 0) {
        work(20);
        return 0;
    }
    return wait(0) < 0;
}
END
exits 0 "$call" cc gcc $sanitize fork.c -o program
mkdir forked
CLL_OUT=forked ./program
is "$(cat forked/*.dat | grep -c '^# code: [0-9a-f]* fork\.c')" 2
is "$(cat forked/*.dat | grep -c '^# build: ')" 2

what='a killed program'
cat >kill.c <<'END'
#include <signal.h>
int main(void)
{
    volatile double s = 0;
    for (int N = 1; N < 9; N++) {
#pragma cll f f[0]*N
        for (int i = 0; i < N; i++)
            s += i;
#pragma cll end f
    }
    raise(SIGKILL);
}
END
exits 0 "$call" cc gcc $sanitize kill.c -o program
mkdir killed
CLL_OUT=killed ./program 2>/dev/null
exits 0 "$llac" -e 'load killed/program.cll.0.spool; save killed.dat'
has killed.dat '^# code: [0-9a-f]* kill\.c'
has killed.dat '^# build: '
finish
