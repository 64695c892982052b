/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a count report as text, for the report and for its pictures. Results live in the arena or in the report. */
#ifndef COUNT_TEXT_H
#define COUNT_TEXT_H

#include <jansson.h>

#include "base/memory.h"

/* "5 instructions", "8 bytes set", or both: what a line or a constant executes. `unit`: " instructions" or "". */
const char *count_text_work(struct arena *a, const json_t *o, const char *unit);

/* Where a line is: "matinit.c:24", "libc.so.6: memset". */
const char *count_text_place(struct arena *a, const json_t *line);

/* The text of a member; "" if the member is missing or is not a text. */
const char *count_text_member(const json_t *o, const char *key);

/* A line of a source, without its indentation; cut off where it is long. "" if it is not known. */
const char *count_text_line(struct arena *a, const json_t *report, const char *file, long line);

#endif
