#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh PROGRAM: the test of the project
[ "$("$1" 4000)" = "168 primes up to 1000
303 primes up to 2000
550 primes up to 4000" ]
