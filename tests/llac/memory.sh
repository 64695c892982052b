# SPDX-License-Identifier: GPL-3.0-or-later
# Memory runs out at one allocation, of whatever library: a message and exit status 1, never a crash,
# no half file, no temporary file. $1 = how many places are tried in each command.
. "$CLL_SOURCE/tests/llac/setup.sh"
places=${1:-8}
[ -z "$sanitize" ] || skip 'sanitizers have their own malloc'
cat >fail.c <<'END'
/* The allocation of number FAIL_AT fails; 0: how many there are is written to the file $COUNT. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long count, fail_at = -1;
static int fails(void)
{
    if (fail_at < 0 || ++count != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    unsetenv("LD_PRELOAD"); /* not gnuplot */
    fail_at = at ? atol(at) : -1;
}
__attribute__((destructor)) static void end(void)
{
    char text[32];
    const char *name = getenv("COUNT");
    int n = snprintf(text, sizeof text, "%ld\n", count), fd = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0 && write(fd, text, n) != n)
        _exit(99);
}
END
"${CC:-cc}" -shared -fPIC -O1 -o fail.so fail.c 2>log.txt || { show log.txt; skip 'no library to preload'; }
tried=0
# failing COMMANDS [OPTION...]
failing() {
    local commands=$1
    shift
    what="memory runs out in $commands"
    printf 'old\n' >o.dat
    cp o.dat o.h
    COUNT=count.txt FAIL_AT=0 LD_PRELOAD=$PWD/fail.so "$llac" "$@" -e "$commands" "$data/demo.dat" >out 2>err || status=$?
    local total step at
    total=$(cat count.txt)
    [ "$total" -gt 50 ] || fail "only $total allocations were seen"
    step=$((total / places))
    [ $step -gt 0 ] || step=1
    for ((at = 1 + RANDOM % step; at <= total; at += step)); do
        printf 'old\n' >o.dat
        cp o.dat o.h
        status=0
        FAIL_AT=$at LD_PRELOAD=$PWD/fail.so "$llac" "$@" -e "$commands" "$data/demo.dat" >out 2>err || status=$?
        tried=$((tried + 1))
        what="memory runs out in $commands at $at of $total"
        [ $status -le 1 ] || fail "status $status"
        [ $status -eq 0 ] || [ -s err ] || fail 'no message'
        [ -z "$(find . -name '*.tmp')" ] || fail "left: $(find . -name '*.tmp')"
        for f in o.dat o.h; do
            [ "$(head -c 3 $f)" = old ] || [ "$(tail -c 1 $f | wc -l)" = 1 ] || fail "half of $f"
        done
    done
}
failing 'list; show; show sort; fit sort; predict sort N=4194304; table sort'
failing 'fit fft intervals none; explain fft N=100 P=2; compare fft "fft[0] + fft[1]*N" "fft[0]*N/P"'
failing 'advise sort for N=1e7; let n = N/P; where N > 2000; statistic mean; ranks min'
failing 'search sort terms 1'
failing 'save o.dat; export o.h'
failing 'list; show; fit sort; predict sort N=4194304; table sort; plot sort; save o.dat; help' --json
failing 'plot sort to o.svg'
echo "$tried allocations failed"
finish
