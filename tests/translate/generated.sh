#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# generated.sh SCRIPT.py ARGUMENTS...: a test that makes its programs itself, with the compiler of the other tests.
. "$CLL_SOURCE/tests/harness/lib.sh"
need python3
# Programs by the hundred under a sanitizer take too long; golden.sh and options.sh cover the translator there.
[ -z "$sanitize" ] || skip "too slow in a sanitized build"
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$CLL_SOURCE/tests/translate/$1" "${@:2}"
