/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source that the compiler reads from standard input: `call cc gcc -x c -`. It is not translated. */
#ifndef CALL_CC_STANDARD_INPUT_H
#define CALL_CC_STANDARD_INPUT_H

#include "call/cc/args.h"

/* Complains if such a source has pragmas of ours, which the compiler would ignore. Afterwards the standard input is the
 * same text again. 0, or 1 after a message. */
int standard_input_check(struct arena *a, const struct cc_args *args);

#endif
