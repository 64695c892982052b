/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `call FILE.c...`, and the steps it shares with `call cc`. */
#ifndef CALL_CC_TRANSLATE_H
#define CALL_CC_TRANSLATE_H

#include "base/path.h"
#include "call/process.h"
#include "translate/unit.h"

enum {
    SOURCE_LIMIT = 256 << 20,
    ERROR_LIMIT = 50
}; /* bytes of a source; errors printed per source */

/* Words of a text separated by blanks, quotes and backslashes as in a shell (no expansion). */
void words_split(struct arena *a, struct words *w, const char *text);

/* The line that begins at *at, without its end; *at becomes the start of the next one. False after the last. */
bool preprocess_next_line(const char *text, size_t size, size_t *at, struct span *line);

/* Runs `command` (a compiler with its flags and the source), with -E, and returns what it printed
 * (arena); NULL if it failed: then *why is the first line it said. `temporary`: a folder for its
 * output. `macros`: with the lines that define macros. */
char *preprocess(struct arena *a, const struct words *command, bool macros, const char *temporary,
                 size_t *size, const char **why);

/* The commands. argv: after the command's own name. They return the exit status. */
int translate_main(const char *const *argv);
int cc_main(const char *const *argv);
int run_main(const char *const *argv);

/* The compiler in the name that call was called by: "gcc" of "/usr/bin/call-gcc"; NULL = none. */
const char *cc_wrapped(const char *name);
/* `call cc COMPILER`, called by that name. */
int cc_wrapper_main(const char *compiler, const char *const *argv);

#endif
