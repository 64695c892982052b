# SPDX-License-Identifier: GPL-3.0-or-later
# What a killed program left behind loads like a data file, alone and beside one.
. "$CLL_SOURCE/tests/llac/setup.sh"
cat >killed.c <<'END'
#include <cll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile double sink;
/* The steps of writing the data file, each of which may be the last. */
static int at(const char *step)
{
    const char *wanted = getenv("AT");
    if (wanted && !strcmp(wanted, step))
        raise(SIGKILL);
    return 0;
}
ssize_t write(int fd, const void *bytes, size_t n)
{
    ssize_t wrote = syscall(SYS_write, fd, bytes, n > 1000 ? 1000 : n);
    at("write");
    return wrote;
}
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t place)
{
    at("pwrite");
    return syscall(SYS_pwrite64, fd, bytes, n, place);
}
int fsync(int fd) { return at("fsync") ? -1 : (int)syscall(SYS_fsync, fd); }
int link(const char *a, const char *b)
{
    at("link");
    return (int)syscall(SYS_linkat, -100, a, -100, b, 0);
}
int unlink(const char *path)
{
    if (!access(path, F_OK))
        at(strcmp(path + strlen(path) - 6, ".spool") ? "unlink" : "unlink_spool");
    return (int)syscall(SYS_unlinkat, -100, path, 0);
}
static void measure(void)
{
    for (int round = 0; round < 5; round++)
        for (int n = 1000; n <= 64000; n *= 2) {
            CLL_REGION("f", "f[0] + f[1]*n", n);
            for (int i = 0; i < n; i++)
                sink += i;
        }
}
int main(int argc, char **argv)
{
    (void)argv;
    measure();
    if (argc > 2) {
        cll_report(0);
        measure();
    }
    if (argc > 1)
        raise(SIGKILL);
    return 0;
}
END
lib=$CLL_BUILD/lib
what='building the program'
exits 0 "$CC" -O1 $sanitize -I"$CLL_SOURCE/include" killed.c -o killed -L"$lib" -Wl,-rpath,"$lib" -lcll
./killed die
./killed
ls -- *.spool *.dat >/dev/null || fail 'no spool or data file was written'
what='a spool'
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' killed.cll.*.spool
has_text out '7 points, 35 samples'
what='a spool and a data file'
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' killed.cll.*.spool killed.cll.*.dat
has_text out '7 points, 70 samples'
what='a file that holds nothing does not keep the others from loading'
: >nothing.spool
head -c 8192 /dev/zero >zeros.spool
{ head -c 16 killed.cll.0.spool; head -c 8176 /dev/zero; } >magic.spool
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' nothing.spool killed.cll.*.spool zeros.spool magic.spool
has_text out '7 points, 35 samples'
for file in nothing zeros magic; do has_text err "$file.spool: this file is empty or begins with zeros"; done
exits 1 "$llac" -e 'list' nothing.spool zeros.spool
has_text err 'none of the files has samples'
exits 1 "$llac" -e 'list' zeros.spool
has_text err 'zeros.spool: this file is empty or begins with zeros'
what='a damaged data file among others is an error, not fewer samples'
sed '$s/^f/g/' killed.cll.1.dat >damaged.dat
exits 1 "$llac" -e 'disturbed keep; rounds all; fit f' killed.cll.0.spool damaged.dat
has_text err 'damaged.dat:'
what='copies count once'
cp killed.cll.1.dat copy.dat
cp killed.cll.0.spool copy.spool
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' killed.cll.0.spool killed.cll.1.dat copy.dat copy.spool
has_text out '7 points, 70 samples'
has_text err 'copy.dat is left out: it has samples of the same process as killed.cll.1.dat'
has_text err 'copy.spool is left out: it has samples of the same process as killed.cll.0.spool'
exits 1 "$llac" -e 'merge copy.dat' killed.cll.1.dat
has_text err 'copy.dat: its samples would count twice: killed.cll.1.dat, which is loaded, is of the same process'
what='a saved file has the samples of the files that it was saved from'
exits 0 "$llac" -e 'save all.dat' killed.cll.0.spool killed.cll.1.dat
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' killed.cll.0.spool killed.cll.1.dat all.dat
has_text out '7 points, 70 samples'
has_text err 'killed.cll.0.spool is left out: it has samples of the same process as all.dat'
has_text err 'killed.cll.1.dat is left out: it has samples of the same process as all.dat'
exits 1 "$llac" -e 'merge killed.cll.1.dat' all.dat
has_text err 'killed.cll.1.dat: its samples would count twice'
exits 0 "$llac" -e 'save again.dat' all.dat
grep '^# process' all.dat >processes
grep '^# process' again.dat | diff - processes || fail 'the processes changed'
what='a spool has what came after a report'
mkdir reported
(cd reported && ../killed die report)
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' reported/killed.cll.*
has_text out '7 points, 70 samples'
has_text err 'killed.cll.0.dat is left out'
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' reported/killed.cll.0.dat
has_text out '7 points, 35 samples'
# Killed at each step of writing the data file: what is left, however it is named, counts once.
for at in write pwrite fsync link unlink unlink_spool; do
    what="killed at $at"
    mkdir "at_$at"
    (cd "at_$at" && AT=$at ../killed) && fail 'it was not killed'
    ls "at_$at" | grep -q '[.]spool$' || fail 'no spool'
    [ "$at" = unlink_spool ] || ls "at_$at" | grep -q '[.]tmp$' || fail 'no temporary file'
    exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' "at_$at"/killed.cll.*
    has_text out '7 points, 35 samples'
    has_text err 'is left out'
done
what='a temporary file by itself is known to be one'
exits 0 "$llac" -e 'disturbed keep; rounds all; fit f' at_pwrite/*.tmp
has_text out '1 of 1 files were cut off'
what='a damaged spool'
head -c 100 killed.cll.*.spool >cut.spool
exits 1 "$llac" -e 'disturbed keep; rounds all; fit f' cut.spool
has_text err 'cut.spool: '
# The run-time and llac write the same names by the same rule.
what='hostile names'
cat >'my #1.c' <<'END'
#include <cll.h>
int main(void)
{
    for (int n = 1; n <= 4; n++) {
        { CLL_REGION("a(b) c#1", "x[0]\t+ x[1]*n", n); }
        { CLL_REGION("50%28", "x[0]", n); }
        { CLL_REGION("#<int>*/'\n\x9b", "x[0]", n); }
        { CLL_REGION("größe::a->b", "x[0]", n); }
    }
    return 0;
}
END
exits 0 "$CC" -O1 $sanitize -I"$CLL_SOURCE/include" 'my #1.c' -o hostile -L"$lib" -Wl,-rpath,"$lib" -lcll
CLL_OUT=hostile.dat ./hostile || fail 'exit status'
names='a%28b%29%20c%231 50%2528 %23%3Cint%3E%2A%2F%27%0A%9B größe::a->b'
exits 0 "$llac" -e 'save saved.dat' hostile.dat
exits 0 "$llac" -e 'save again.dat' saved.dat
for f in hostile.dat saved.dat again.dat; do
    is "$(sed -n 's/^# experiment: //p' "$f" | paste -sd' ')" "$names" "$f: names"
    is "$(grep -v '^#' "$f" | sed 1d | cut -d' ' -f1 | sort | uniq -c | awk '{print $1}' | paste -sd' ')" '4 4 4 4' "$f: rows"
    for name in $names; do
        [ "$(grep -v '^#' "$f" | grep -c "^$(printf %s "$name" | sed 's/[*[]/\\&/g') ")" = 4 ] || fail "$f has no rows of $name"
    done
    has "$f" '^# formula: a%28b%29%20c%231 CLOCK x\[0\][[:space:]]*+ x\[1\][*]n$'
    has_text "$f" "# source: a%28b%29%20c%231 my%20%231.c:5"
done
finish
