/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What changed the session: the steps that `undo` takes back and that `save session` writes.
 *
 *     undo_before(s);
 *     int status = command->run(s, &cursor);
 *     undo_after(s, "fit sort", "fit", status); // a step, if the session is another one now
 *
 * A step has the text of its command and the state before it, with the fits as they were asked for. The data set is
 * not kept: undo reads the files again. A sourced script is one step with the texts of those of its commands that
 * changed something.
 */
#ifndef LLAC_UNDO_H
#define LLAC_UNDO_H

#include "base/text.h"
#include "llac/session.h"

/* Scripts that source scripts: so many at once. */
enum { UNDO_MOST_NESTED = 8 };

struct undo *undo_create(void);
void undo_destroy(struct undo *u);

/* Around each command. `command`: its name. */
void undo_before(struct session *s);
void undo_after(struct session *s, const char *text, const char *command, int status);

/* What the command line of llac did: a step that undo does not take back. `text` is the command that
 * does the same; NULL: no command does. */
void undo_start_with(struct session *s, const char *text);

/* The arena of a machine or of counts that the session does not use any more: a step may. */
void undo_retire(struct session *s, struct arena *arena);

/* Takes the last step back. Returns its command, in the session's arena; NULL with an error. */
const char *undo_last(struct session *s, struct cursor *c);

/* The command that undo takes back next; NULL if no command is left. */
const char *undo_next(const struct session *s);

/* Adds the commands that make this session, a line each. Commands whose effect a later one has
 * replaced are left out. Returns how many there are; -1 if one of them cannot be written. */
int undo_script(const struct session *s, struct text *out);

/* A path as a word of a command. False if it has both kinds of quotes or a line feed. */
bool undo_quote_path(struct text *out, const char *path);

#endif
