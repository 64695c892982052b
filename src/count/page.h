/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The count report as an HTML page, and the assignment of lines to constants that a reader of the
 * page saves (docs/reference/count-format.md describes the report).
 *
 * An assignment says that all instructions of a line belong to one constant of the experiment:
 *
 *     {"format": 1, "program": "matinit.c",
 *      "assignments": [{"experiment": "walking", "file": "matinit.c", "line": 24,
 *                       "constant": "walking[2]"}]}
 *
 * The figures of a line, per unit of each constant, are converted with the points of the experiment:
 * the instructions of the line in all executions of all points, divided by the units of the new
 * constant's term in them.
 */
#ifndef COUNT_PAGE_H
#define COUNT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "base/diag.h"

/* Writes the report as one HTML file that needs no other. All text of the report is data, whatever
 * bytes it has. Members that are missing or have other types are left out. Returns 0, or -1 if the
 * stream has an error (errno). */
int count_page_write(FILE *out, const json_t *report);

/* Reads the assignment in the file `path` ("-": standard input) and moves the lines in `report`, whose
 * totals change with them. Each line that was moved gets "assigned": true. Returns 0, or -1 with errors
 * in `diag` (file unreadable, not an assignment, of another program, unknown experiment, line or
 * constant); then the report is as it was. */
int count_assignment_apply(json_t *report, const char *path, struct diag *diag);

/* The same with the text of the file; `name` is for messages. */
int count_assignment_apply_text(json_t *report, const char *name, const char *text, size_t size,
                                struct diag *diag);

#endif
