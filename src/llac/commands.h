/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands: the one place that parser, help, completion, manual and tests take them
 * from. */
#ifndef LLAC_COMMANDS_H
#define LLAC_COMMANDS_H

#include "llac/session.h"

/* Reads its arguments from the cursor, which is after the command's name. Returns 0, or -1
 * with a message in the cursor's diag. */
typedef int command_function(struct session *s, struct cursor *c);

struct command {
    const char *name;
    const char *usage;   /* "fit NAME [= FORMULA] ..." */
    const char *summary; /* one line */
    const char *details; /* help NAME; a line of less than 64 characters ends a paragraph */
    command_function *run;
};
extern const struct command commands[]; /* ended by a NULL name */

/* NULL if no command has this name. exit is another name of quit. */
const struct command *command_find(const char *name);
/* The words of small letters in its usage, ended by NULL: "on", "where"; one that = follows has it:
 * "time=". In the arena. */
const char **command_keywords(const struct command *k, struct arena *a);
/* Reports that there is no such command, and which one may be meant. Returns -1. */
int command_unknown(const struct cursor *c, const char *name, struct span where);

command_function command_help, command_quit, command_load, command_merge, command_list,
    command_show, command_where, command_let, command_define, command_derive, command_statistic,
    command_ranks, command_rounds, command_disturbed, command_outliers, command_fit,
    command_predict, command_table, command_explain, command_plot, command_save, command_export,
    command_search, command_compare, command_advise, command_machine, command_counts, command_obsp,
    command_report, command_rank, command_crossover, command_check, command_boundaries;
command_function command_undo, command_history, command_source;
/* save session FILE: the cursor is after these two words. */
int session_commands_save(struct session *s, struct cursor *c);

#endif
