/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --version prints, and a report of a defect should contain: the program and its version, then
 * one fact per line, NAME: VALUE, on the standard output.
 *
 *     about_begin("llac", "0.1.0");
 *     about_fact("GSL", "%s", "2.7.1");
 *     about_program("gnuplot", (const char *[]){"gnuplot", NULL});
 */
#ifndef BASE_ABOUT_H
#define BASE_ABOUT_H

/* The version, the compiler that built the program, and the system on which it runs. */
void about_begin(const char *program, const char *version);

void about_fact(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where PATH has the program of a command, whose words end with NULL, and the first line of what the
 * command prints with --version; or that there is no such program. */
void about_program(const char *name, const char *const *words);

/* The compiler that built this file: "gcc 12.2.0". */
const char *about_compiler(void);

#endif
