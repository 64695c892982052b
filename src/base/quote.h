/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting of text that goes to a POSIX shell, into HTML or to gnuplot (as '...'). */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/text.h"

/* Each appends `s` to `out`, quoted. */
void quote_shell(struct text *out, const char *s);
void quote_html(struct text *out, const char *s);
void quote_gnuplot(struct text *out, const char *s);

#endif
