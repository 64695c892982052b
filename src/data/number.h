/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading decimal numbers fast: exactly what strtod in the C locale gives, whatever the locale is.
 */
#ifndef DATA_NUMBER_H
#define DATA_NUMBER_H

/* Reads a number at p, not beyond `end`: [+-] digits [. digits] [e[+-]digits], "nan", "inf" (any
 * case, signed). Returns the first byte after it, or NULL if there is none. The byte at `end` must
 * be readable and must not belong to a number (a blank, a newline, 0). Thread-safe. */
const char *number_read(const char *p, const char *end, double *value);

#endif
