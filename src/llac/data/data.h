/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is loaded, and conditions on it. */
#ifndef LLAC_DATA_DATA_H
#define LLAC_DATA_DATA_H

#include "llac/session.h"

/* Whether the file is one that was loaded, under whatever name. */
bool data_is_loaded(const struct dataset *d, const char *path);
/* `where CONDITION` up to the next keyword: parsed, definitions replaced, in the session's arena. 0
 * or -1. */
int read_condition(struct session *s, struct cursor *c, struct condition *out, const char **text);
/* The same up to one of these words. */
int read_condition_until(struct session *s, struct cursor *c, const char *const *words,
                         struct condition *out, const char **text);
/* The same: one more condition of a fit. */
int read_fit_condition(struct session *s, struct cursor *c, const char *const *words,
                       struct fit_state *state);
/* [where CONDITION]..., up to one of these words: for the running command alone. Its models (session_model)
 * rest on the samples that fulfil it. */
int read_where(struct session *s, struct cursor *c, const char *const *words);
/* Print an experiment as `list` does, and the files as `show` does. */
void text_experiment(FILE *out, const struct dataset *d, const struct experiment *e);
void list_files(struct session *s);

#endif
