/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two outputs of the translator. The contract with the run-time is include/cll.h: the generated
 * header describes each experiment and has one macro per region; the translated source uses the
 * macros.
 */
#ifndef TRANSLATE_EMIT_H
#define TRANSLATE_EMIT_H

#include "base/text.h"
#include "translate/unit.h"

/* The translated text of input i. `header`: the name of the generated header it includes; NULL for
 * an input that is itself included after it. */
void emit_source(const struct unit *u, size_t i, const char *header, struct text *out);

/* The generated header. `flags`: the compiler's flags if they are known, else "". */
void emit_header(const struct unit *u, const char *flags, struct text *out);

/* Does a text begin as emit_source (with that header) and emit_header write it? */
bool emit_wrote_source(const char *text, const char *header);
bool emit_wrote_header(const char *text, const char *header);

/* `s` as a C string literal. */
void emit_string(struct text *out, const char *s);

#endif
