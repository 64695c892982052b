/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The count report as an HTML page, and the assignment of lines to constants that a reader of the
 * page saves. docs/reference/count-format.md describes the report, docs/user/counting-page.md the page.
 */
#ifndef COUNT_PAGE_H
#define COUNT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "base/diag.h"

/* A JSON string of n bytes of a file or of its name, in any encoding: bytes that are not UTF-8,
 * control characters except tabs and ends of lines, and characters that hide or reorder text become
 * \xNN. Never NULL (out of memory: base/memory.h). All texts from files get into a report through
 * it. */
json_t *count_text(const char *bytes, size_t n);

/* Writes the report as one HTML file, which needs no other file and no network. All text of the
 * report is data there, whatever it contains. Members that are missing or have other types are left
 * out. */
void count_page_write(FILE *out, const json_t *report);

/* Reads the assignment in the file `path` ("-": standard input) and moves the lines in `report`:
 *
 *     {"format": 1, "program": "matinit.c", "assignments": [
 *       {"experiment": "walking", "file": "matinit.c", "line": 24, "constant": "walking[2]"}]}
 *
 * says that all instructions of line 24 in the experiment walking belong to walking[2]. A line that
 * was moved is in "lines" of that constant alone, with "assigned": true. Its figures there are the
 * instructions of the line in all executions at all points, divided by the units of the constant's
 * term in them; "exact" tells whether they are proportional at every point. The totals of the
 * constants change with it. Returns 0, or -1 with errors in `diag` that say what is wrong with the
 * file; then the report is as it was. */
int count_assignment_apply(json_t *report, const char *path, struct diag *diag);

/* The same with the text of the file. */
int count_assignment_apply_text(json_t *report, const struct source *source, struct diag *diag);

#endif
