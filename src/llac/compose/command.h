/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about definitions: what predict, table, plot, explain, show and list do with them. */
#ifndef LLAC_COMPOSE_COMMAND_H
#define LLAC_COMPOSE_COMMAND_H

#include <jansson.h>

#include "llac/compose/compose.h"
#include "llac/arguments.h"

/* Why a name cannot be defined with 'let' or 'define'; NULL if it can. */
const char *define_name_taken(const struct session *s, const char *name);
/* The expression at this place of the text, as that of a definition: formula, text and source are
 * set. */
int read_definition(struct session *s, struct cursor *c, struct span at,
                    struct compose_definition *out);
json_t *json_definitions(const struct session *s);
/* Each on a line that begins with the word. */
void text_definitions(FILE *out, const struct session *s, const char *word);
int define_show(struct session *s, struct cursor *c, const struct compose_definition *d);

/* Each reads the rest of its command. */
int compose_predict_definition(struct session *s, struct cursor *c,
                               const struct compose_definition *d, const struct assignments *given);
int compose_table_definition(struct session *s, struct cursor *c,
                             const struct compose_definition *d);
int plot_definition(struct session *s, struct cursor *c, const struct compose_definition *d);
int compose_explain_definition(struct session *s, struct cursor *c,
                               const struct compose_definition *d);

#endif
