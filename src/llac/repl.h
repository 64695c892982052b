/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interactive mode: readline with history and completion. */
#ifndef LLAC_REPL_H
#define LLAC_REPL_H

#include "llac/session.h"

/* Reads commands until `quit` or end of input. A command that fails is reported; the session goes
 * on. */
void repl_run(struct session *s);

#endif
