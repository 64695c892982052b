/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can follow in a command that is being typed: commands, experiments, variables, observables,
 * functions, machines, keywords, or the names of files. Keywords and the kinds of arguments come from
 * the usage in the table of commands, so a new command is completed without more ado.
 *
 *     struct completion c;
 *     complete_line(session, arena, "predict sort ", 13, &c);
 *     // c.words has "N=", "P=", "on", ...
 *
 * readline asks twice: first where the word begins, then for the words.
 */
#ifndef LLAC_COMPLETE_H
#define LLAC_COMPLETE_H

#include "llac/session.h"

struct completion {
    const char **words; /* ended by NULL; in the arena */
    size_t n;
    bool files;   /* also the names of files */
    bool formula; /* the word is a part of a formula, in which operators end words */
};

/* What can stand at line[start], where a word begins. */
void complete_line(const struct session *s, struct arena *a, const char *line, size_t start,
                   struct completion *out);

/* Is line[at] inside a formula or a condition? */
bool complete_in_formula(struct arena *a, const char *line, size_t at);

#endif
