# SPDX-License-Identifier: GPL-3.0-or-later
# How the tests of call run compilers. Their checks are independent of each other. call leaves nothing in its temporary
# folder.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
export TMPDIR=$PWD/temporary
mkdir -p "$TMPDIR"
compilers=gcc
[ "$thorough" = no ] || compilers="gcc clang"
if [ -n "$sanitize" ]; then
    # A sanitized library needs programs built with the same sanitizer, by the same compiler.
    compilers=gcc
    mkdir -p wrapped
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$(command -v gcc)" "$sanitize" >wrapped/gcc
    chmod +x wrapped/gcc
    export PATH=$PWD/wrapped:$PATH CC=$PWD/wrapped/gcc
fi
at_finish() { check "the temporary folder is empty" is "$(find "$TMPDIR" -mindepth 1)" "" "left in $TMPDIR"; }
