/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiling for `call discover`: the compiler's own coverage counters in place of translation. */
#ifndef CALL_CC_COUNTED_H
#define CALL_CC_COUNTED_H

#include "call/cc/args.h"

/* While this variable of the environment is set, `call cc` adds the flags of counted_add and changes nothing
 * else. `call discover` sets it for the command of --build, to the path of a log. */
#define COUNTED_VARIABLE "CLL_DISCOVER"

/* The log is a shell script that compiles all sources again, with what this variable says before each compiler. If it says
 * nothing, the notes of the compiler, which nobody needs any more, are removed before. */
#define COUNTED_COMPILER "CLL_DISCOVER_CC"

/* Set for programs with threads whose compiler commands do not say so. */
#define COUNTED_THREADS "CLL_DISCOVER_THREADS"

/* Stands in the log before a command that does not say so. */
#define COUNTED_NO_THREADS ": no threads"

/* Is COUNTED_VARIABLE set? */
bool counted_is_asked(void);

/* Does a flag of the command, or COUNTED_THREADS, say that the program has threads? */
bool counted_has_threads(const struct cc_args *args);

/* What a command needs that compiles or links. With threads it needs the temporary folder of this process. */
void counted_add(struct arena *a, const struct cc_args *args, struct words *out);

/* Does the command compile, and is there a log? */
bool counted_is_logged(const struct cc_args *args);
/* Files that the command may write for the counters and that do not exist yet: all others are the user's. */
struct words counted_notes(struct arena *a, const struct cc_args *args);
/* Removes those that a command has left which failed. */
void counted_forget(const struct words *notes);
/* Adds the command to the log; `notes`: of before. If it cannot, it removes what the command has made. 0, or 1 after a
 * message. */
int counted_log(struct arena *a, const struct cc_args *args, const struct words *notes);

#endif
