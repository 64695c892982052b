/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `call cc` as a function: call run compiles with it too. */
#ifndef CALL_CC_H
#define CALL_CC_H

#include "call/process.h"

/* Compiles and links as the command says, instrumented. `keep`: a folder that gets copies of the
 * translated files, or NULL. `in_place`: the compiler may replace this process. Returns the exit
 * status. */
int cc_run(struct arena *a, const char *const *argv, const char *keep, bool in_place);

#endif
