/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that a terminal may get: names, file names and file contents can hold control sequences that
 * change what the terminal does or hide what is there. What is not printable is shown as \xNN.
 */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

/* Bytes of the character at the start of the n bytes at s, if it is printable: valid UTF-8 and
 * neither a control nor a formatting character. 0 if it is not. */
size_t printable_length(const char *s, size_t n);

/* Adds n bytes; bytes that are not part of a printable character as \xNN. */
void text_add_printable(struct text *out, const char *s, size_t n);

/* A message on stderr, as printf makes it; line feeds and tabs stay, other bytes that are not
 * printable are shown as \xNN. Needs no memory. One thread at a time. Always -1. */
int say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with another value: the exit status. */
#define SAY_STATUS(status, ...) (say(__VA_ARGS__), (status))

/* A stream that writes to `to` what is written to it, line feeds and tabs as they are, other bytes
 * that are not printable as \xNN. Flushing it flushes `to`; closing it leaves `to` open. Never NULL
 * (out of memory: base/memory.h). */
FILE *printable_stream(FILE *to);

#endif
