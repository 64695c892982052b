#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# generated.sh SCRIPT.py ARGUMENTS...: a test that makes its programs itself, with the compiler of the other tests.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
# Programs by the hundred under a sanitizer take too long; golden.sh and options.sh cover the translator there.
[ -z "${CLL_SANITIZE:-}" ] || { echo "too slow in a sanitized build"; exit 77; }
unset CLL_OUT CLL_CLOCK CLL_MEMORY CLL_SPOOL CLL_COUNTERS CLL_OFF CLL_RUN CLL_PREFIX
export PYTHONDONTWRITEBYTECODE=1 LC_ALL=C
exec python3 "$CLL_SOURCE/tests/call/$1" "${@:2}"
