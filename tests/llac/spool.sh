# SPDX-License-Identifier: GPL-3.0-or-later
# What a killed program left behind loads like a data file, alone and beside one.
. "$CLL_SOURCE/tests/llac/lib.sh"
cat >killed.c <<'END'
#include <cll.h>
#include <signal.h>
#include <stdlib.h>
static volatile double sink;
int main(int argc, char **argv)
{
    (void)argv;
    for (int round = 0; round < 5; round++)
        for (int n = 1000; n <= 64000; n *= 2) {
            CLL_REGION("f", "f[0] + f[1]*n", n);
            for (int i = 0; i < n; i++)
                sink += i;
        }
    if (argc > 1)
        raise(SIGKILL);
    return 0;
}
END
lib=$CLL_BUILD/lib
flags=
[ -z "${CLL_SANITIZE:-}" ] || flags=-fsanitize=$CLL_SANITIZE
what='building the program'
status=0
: >out.txt
${CC:-cc} -O1 $flags -I"$CLL_SOURCE/include" killed.c -o killed -L"$lib" -Wl,-rpath,"$lib" -lcll >out.txt 2>err.txt || status=$?
expect_status 0
./killed die
./killed
ls -- *.spool *.dat >/dev/null || say 'no spool or data file was written'
what='a spool'
run -e 'fit f' killed.cll.*.spool
expect_status 0
expect_out '7 points, 35 samples'
what='a spool and a data file'
run -e 'fit f' killed.cll.*.spool killed.cll.*.dat
expect_status 0
expect_out '7 points, 70 samples'
what='a damaged spool'
head -c 100 killed.cll.*.spool >cut.spool
run -e 'fit f' cut.spool
expect_status 1
expect_err 'cut.spool: '
finish
